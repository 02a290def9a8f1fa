"""Activation and LeakyReLU."""

import numpy as np

from .common import S, rand

half = dict(rtol=5e-3, atol=1e-3, numeric=False)
x = rand(3, 4, low=-3, high=3)
extreme = np.array([-100.0, -9.0, 0.5, 20.0, 80.0], "float32")

SAMPLES = (
    [S("Activation", x, act_type=kind) for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign")]
    + [S("Activation", extreme, act_type=kind) for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign")]
    + [
        S("Activation", x.astype("float64"), act_type=kind)
        for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign")
    ]
    + [
        S("Activation", x.astype("float16"), act_type=kind, **half)
        for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign")
    ]
    + [
        S("Activation", np.array([-1.0, 0.0, 1.0], "float32"), act_type="relu", numeric=False),
        S("Activation", x.astype("int32"), act_type="relu", error=True),
        S("Activation", x, act_type="elu", error=True),
        S("Activation", x, error=True),
    ]
    + [S("LeakyReLU", x, act_type=kind, rtol=1e-4) for kind in ("leaky", "elu", "gelu")]
    + [S("LeakyReLU", x.astype("float64"), act_type=kind) for kind in ("leaky", "elu", "gelu")]
    + [S("LeakyReLU", x.astype("float16"), act_type=kind, **half) for kind in ("leaky", "elu", "gelu")]
    + [S("LeakyReLU", np.array([-1.0, 0.0, 1.0], "float32"), act_type=kind, numeric=False) for kind in ("leaky", "elu")]
    + [
        # The original's gradient of selu is wrong for negative numbers.
        S("LeakyReLU", x, act_type="selu", grad=False),
        S("LeakyReLU", abs(x), act_type="selu"),
        S("LeakyReLU", x.astype("float64"), act_type="selu", grad=False),
        S("LeakyReLU", x),
        S("LeakyReLU", x, slope=0.01),
        S("LeakyReLU", x, act_type="elu", slope=2.0),
        S("LeakyReLU", rand(2, 3, 2, 2), rand(3), act_type="prelu"),
        S("LeakyReLU", rand(2, 3), rand(3), act_type="prelu"),
        S("LeakyReLU", rand(2, 3, 2), rand(1), act_type="prelu"),
        S("LeakyReLU", rand(3), rand(1), act_type="prelu"),
        S("LeakyReLU", rand(3), rand(3), act_type="prelu"),
        S("LeakyReLU", rand(3, 3, 2), rand(3), act_type="prelu"),
        S("LeakyReLU", rand(2, 3, 2), rand(2), act_type="prelu"),
        S("LeakyReLU", rand(2, 3, 2), rand(2, 3), act_type="prelu"),
        S("LeakyReLU", rand(2, 3, 2), rand(1, 3), act_type="prelu"),
        S("LeakyReLU", rand(2, 3, 2), rand(1, 1), act_type="prelu"),
        S("LeakyReLU", rand(2, 3, dtype="float64"), rand(3, dtype="float64"), act_type="prelu"),
        S("LeakyReLU", np.array([-1.0, 0.0, 1.0], "float32"), rand(1), act_type="prelu", numeric=False),
        S("LeakyReLU", x, rand(4), act_type="leaky", error=True),
        S("LeakyReLU", x, act_type="prelu", error=True),
        S("LeakyReLU", rand(2, 3, 4), rand(4), act_type="prelu", error=True),
        S("LeakyReLU", rand(2, 3, 4), rand(1, 3, 1), act_type="prelu", error=True),
        S("LeakyReLU", x.astype("int32"), error=True),
        S("LeakyReLU", x, act_type="relu", error=True),
    ]
)
