"""FullyConnected."""

from .common import S, rand

x, w, b = rand(3, 4), rand(5, 4, seed=1), rand(5, seed=2)

SAMPLES = [
    S("FullyConnected", x, w, b, num_hidden=5),
    S("FullyConnected", x, w, num_hidden=5, no_bias=True),
    S("FullyConnected", rand(2, 3, 2, 2), rand(4, 12, seed=1), rand(4), num_hidden=4),
    S("FullyConnected", rand(2, 3, 4), w, b, num_hidden=5, flatten=False),
    S("FullyConnected", rand(2, 3, 2, 4), w, num_hidden=5, flatten=False, no_bias=True),
    S("FullyConnected", rand(4), w, b, num_hidden=5, flatten=False),
    S("FullyConnected", rand(4), rand(5, 1), b, num_hidden=5),
    S("FullyConnected", rand(1, 7), rand(1, 7, seed=3), rand(1), num_hidden=1),
    S("FullyConnected", *[rand(*s, dtype="float64") for s in ((3, 4), (5, 4), (5,))], num_hidden=5),
    S("FullyConnected", x, w, num_hidden=5, error=True),
    S("FullyConnected", x, w, b, num_hidden=5, no_bias=True, error=True),
    S("FullyConnected", x, w, b, num_hidden=4, error=True),
    S("FullyConnected", x, w, rand(1), num_hidden=5, error=True),
    S("FullyConnected", x, rand(5, 3), b, num_hidden=5, error=True),
    S("FullyConnected", x, w.astype("float64"), b, num_hidden=5, error=True),
    S("FullyConnected", rand(4), w, b, num_hidden=5, error=True),
    S("FullyConnected", x.astype("int32"), w.astype("int32"), b.astype("int32"), num_hidden=5, error=True),
    S("FullyConnected", x, w, b, error=True),
]
