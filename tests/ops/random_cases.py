"""Random numbers by seed: the same calls for the original, which records them, and for the tests.

A case is a function of ``mx`` that gives arrays; what is kept of each is its shape, a checksum of its bits and some of
its numbers (as bits, too).
"""

import numpy as np

WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
SAMPLES = 24


def ravel_bits(array):
    flat = np.ascontiguousarray(array).ravel()
    return flat.view(WORDS[flat.dtype.itemsize])


def places(size):
    return np.unique(np.linspace(0, size - 1, SAMPLES).astype(np.int64)) if size else np.zeros(0, np.int64)


def summary(array):
    array = array.asnumpy() if hasattr(array, "asnumpy") else np.asarray(array)
    bits = ravel_bits(array)
    sampled = bits[places(bits.size)]
    return [str(array.dtype), list(array.shape), int(bits.sum(dtype=np.uint64)), [int(b) for b in sampled]]


# ---- distributions: name, arguments, dtypes --------------------------------------------------------------------------

FLOATS = ("float32", "float64", "float16")
DRAWS = (
    ("uniform", (0, 1)),
    ("uniform", (-0.1, 0.7)),
    ("normal", (0, 1)),
    ("normal", (1.5, 0.3)),
    ("exponential", (1.7,)),
    ("gamma", (0.3, 1.7)),
    ("gamma", (1, 1)),
    ("gamma", (7.5, 0.2)),
    ("poisson", (0.5,)),
    ("poisson", (11.5,)),
    ("poisson", (12.5,)),
    ("poisson", (5000,)),
    ("negative_binomial", (3, 0.4)),
    ("negative_binomial", (40, 0.2)),
    ("generalized_negative_binomial", (2.5, 0.4)),
    ("generalized_negative_binomial", (2.5, 0)),
)
RANGES = ((0, 10), (-7, 1000003), (0, 2**31 - 1))
SIZES = ((1,), (10,), (63,), (64,), (65,), (10, 10), (5000,))
ARRAYS = (
    ("uniform", ([-1.3, 0.1, 0], [2.7, 0.7, 9])),
    ("normal", ([0, 1.5, -3], [1, 0.3, 10])),
    ("exponential", ([1, 0.5, 3],)),
    ("gamma", ([0.3, 1, 7.5], [1.7, 1, 0.2])),
    ("poisson", ([0.5, 11.5, 300],)),
    ("negative_binomial", ([3, 1, 40], [0.4, 0.9, 0.2])),
    ("generalized_negative_binomial", ([2.5, 1, 30], [0.4, 0.9, 0])),
)


def draw(name, parameters, dtype, shapes, seed):
    def run(mx):
        mx.random.seed(seed)
        return [getattr(mx.nd.random, name)(*parameters, shape=shape, dtype=dtype) for shape in shapes]

    return run


def like(name, attributes, dtype, seed):
    def run(mx):
        mx.random.seed(seed)
        return [getattr(mx.nd.random, name + "_like")(mx.nd.zeros((7, 31), dtype=dtype), **attributes)]

    return run


def sample(name, parameters, kind, dtype, seed):
    def run(mx):
        mx.random.seed(seed)
        arrays = [mx.nd.array(p, dtype=kind) for p in parameters]
        call = getattr(mx.nd, "sample_" + name)
        return [call(*arrays, shape=shape, dtype=dtype) for shape in ((), (5,), (40, 3))]

    return run


def multinomial(seed, kind="float32"):
    def run(mx):
        mx.random.seed(seed)
        rng = np.random.RandomState(seed)
        few, many = rng.rand(3, 5), rng.rand(2000)
        few /= few.sum(1, keepdims=True)
        drawn = mx.nd.random.multinomial
        return [
            drawn(mx.nd.array(few, dtype=kind), shape=(40,)),
            drawn(mx.nd.array(few[0], dtype=kind), shape=(3, 4), dtype="float32"),
            drawn(mx.nd.array(few, dtype=kind)),
            drawn(mx.nd.array(many / many.sum(), dtype=kind), shape=(700,)),
        ]

    return run


def shuffle(seed):
    def run(mx):
        mx.random.seed(seed)
        arrays = [mx.nd.arange(n) for n in (1, 2, 10, 64, 5000)] + [mx.nd.arange(60).reshape((20, 3))]
        return [mx.nd.random.shuffle(a) for a in arrays] + [mx.nd.random.shuffle(mx.nd.arange(300000, dtype="int32"))]

    return run


def zipfian(seed):
    def run(mx):
        mx.random.seed(seed)
        unique = mx.nd._internal._sample_unique_zipfian
        return [*unique(100, shape=(1, 20)), *unique(1000, shape=(7, 40)), *unique(50, shape=(1100, 3))]

    return run


# ---- dropout and what else draws -------------------------------------------------------------------------------------


def dropout(dtype, seed):
    def run(mx):
        mx.random.seed(seed)
        found = []
        for shape, p, axes in (
            ((10,), 0.5, ()),
            ((20, 50), 0.3, ()),
            ((20, 50), 0.3, (0,)),
            ((4, 20, 50), 0.9, (0, 2)),
            ((2, 3, 40, 50), 0.1, ()),
        ):
            x = mx.nd.ones(shape, dtype=dtype)
            x.attach_grad()
            with mx.autograd.record():
                y = mx.nd.Dropout(x, p=p, axes=axes)
            y.backward()
            found += [y, x.grad, mx.nd.Dropout(x, p=p, axes=axes, mode="always"), mx.nd.Dropout(x, p=p)]
        return found

    return run


def dropout_in_graphs(seed):
    def run(mx):
        x = mx.nd.ones((20, 50))
        symbol = mx.sym.Dropout(mx.sym.Dropout(mx.sym.var("x"), p=0.4, name="first") * 1, p=0.2, name="second")
        executor = symbol.simple_bind(mx.cpu(), x=x.shape)
        executor.arg_dict["x"][:] = 1
        mx.random.seed(seed)
        found = [executor.forward(is_train=training)[0].asnumpy() for training in (True, False, True)]
        for hybrid in (False, True):
            net = mx.gluon.nn.HybridSequential()
            net.add(mx.gluon.nn.Dropout(0.4), mx.gluon.nn.Dropout(0.2, axes=(1,)))
            if hybrid:
                net.hybridize()
            with mx.autograd.record():
                found += [net(x), net(x)]
            found.append(net(x))
        return found

    return run


def cells(seed):
    def run(mx):
        rnn = mx.gluon.rnn
        zoneout = rnn.ZoneoutCell(rnn.RNNCell(6, input_size=5, prefix="z_"), zoneout_outputs=0.3, zoneout_states=0.2)
        stack = rnn.SequentialRNNCell()
        stack.add(rnn.LSTMCell(6, input_size=5, prefix="l_"))
        stack.add(rnn.DropoutCell(0.4))
        found = []
        for cell in (zoneout, stack):
            mx.random.seed(seed)
            cell.initialize(mx.init.Uniform(0.5))
            x = mx.nd.random.uniform(-1, 1, shape=(3, 4, 5))
            with mx.autograd.record():
                outputs, states = cell.unroll(3, [x[0], x[1], x[2]])
            found += [*outputs, *states]
        return found

    return run


def fused_rnn(seed):
    """The original drops between layers with MXNET_USE_MKLDNN_RNN=0 only, which the recorder sets."""

    def run(mx):
        found = []
        for kind, more in (("LSTM", {}), ("GRU", {"bidirectional": True}), ("RNN", {})):
            layer = getattr(mx.gluon.rnn, kind)(6, num_layers=3, dropout=0.4, input_size=5, prefix="f_", **more)
            mx.random.seed(seed)
            layer.initialize(mx.init.Uniform(0.5))
            x = mx.nd.random.uniform(-1, 1, shape=(3, 4, 5))
            with mx.autograd.record():
                found.append(layer(x))
        return found

    return run


def images(seed):
    """Without saturation, of which the original takes the blue part of gray only."""

    def run(mx):
        mx.random.seed(seed)
        x = mx.nd.array(np.random.RandomState(0).randint(0, 256, (6, 4, 3)), dtype="float32")
        image = mx.nd.image
        found = [image.random_flip_left_right(x) for _ in range(4)] + [
            image.random_flip_top_bottom(x) for _ in range(4)
        ]
        for name in ("brightness", "contrast", "hue"):
            found.append(getattr(image, "random_" + name)(x, min_factor=0.6, max_factor=1.4))
        for _ in range(3):
            found.append(image.random_color_jitter(x, brightness=0.3, contrast=0.2, saturation=0, hue=0.05))
            found.append(image.random_lighting(x, alpha_std=0.5))
        found.append(image.random_color_jitter(x, brightness=0.3, contrast=0.2, saturation=0, hue=0))
        return [mx.nd.round(f) for f in found]

    return run


def mixed(seed):
    def run(mx):
        nd = mx.nd
        mx.random.seed(seed)
        found = []
        for i in range(3):
            found += [
                nd.random.uniform(shape=(7 + 90 * i,)),
                nd.random.normal(shape=(100, 3)),
                nd.random.randint(0, 1000, shape=(33,)),
                nd.random.shuffle(nd.arange(11)),
                nd.random.uniform(shape=(130,), dtype="float64", ctx=mx.cpu(1)),
                nd.random.multinomial(nd.array([0.1, 0.2, 0.3, 0.4]), shape=(9,)),
                nd.Dropout(nd.ones((200,)), p=0.5, mode="always"),
                nd.random.gamma(2, 3, shape=(40,)),
                nd.random.poisson(4, shape=(80,), ctx=mx.cpu(3)),
                nd.random.randn(5, 6),
                nd.random.shuffle(nd.arange(24).reshape((12, 2))),
                nd.random.normal(nd.array([0.0, 10.0]), nd.array([1.0, 2.0]), shape=(50,)),
            ]
            if i == 1:
                mx.random.seed(seed + 1, ctx=mx.cpu(1))
        return found

    return run


def seeds(mx):
    found = []
    for value in (0, 7, -1, 2**31 - 1, 2**31, 2**32 - 1, 2**32 + 5):
        mx.random.seed(value)
        found += [mx.nd.random.uniform(shape=(100,)), mx.nd.random.shuffle(mx.nd.arange(30))]
    for context in (mx.cpu(), mx.cpu(1)):
        mx.random.seed(7, ctx=context)
        found += [mx.nd.random.uniform(shape=(100,)), mx.nd.random.shuffle(mx.nd.arange(30))]
    return found


# ---- mx.np ----

NUMPY_EXACT = """
uniform(-1.513, 1.337, size=(70, 2))|uniform(size=())|uniform(2.0, 1.0, size=5, dtype="float64")|rand(3, 4)
uniform(np.array([-1.3, 0.5]), 2.7, size=(40, 2))|uniform(0, 1, size=(1000,), dtype="float16")|choice(7, size=12)
choice(7, size=3, replace=False)|choice(20, size=6, replace=False)|choice(9, size=8, replace=False)|choice(5)
choice(np.arange(6), size=(3, 2))|choice(4, size=(50,), p=np.array([0.1, 0.2, 0.3, 0.4]))
choice(4, size=3, replace=False, p=np.array([0.1, 0.2, 0.3, 0.4]))|randint(0, 1000, size=(33,))|randint(5)
multinomial(10, [0.2, 0.3, 0.5], size=(4,))|multinomial(6, np.array([0.5, 0.25, 0.25]))|uniform(size=(3,))
"""
NUMPY_CLOSE = """
normal(-1.5, 1.7, size=(71,))|normal(size=(3, 4), dtype="float64")|normal(np.array([0.0, 1.0]), np.array([1.0, 2.0]))
randn(3)|normal(2.0, 0.1, size=(7,), dtype="float16")|gamma(2.74, 1.7, size=(500,))|gamma(0.5, 1.3, size=(100,))
gamma(np.array([0.3, 1.0, 9.0]), 2.0, size=(40, 3))|beta(2.3, 1.7, size=(60,))|exponential(1.7, size=(70,))
exponential(np.array([1.0, 2.5]))|weibull(1.7, size=(9,))|pareto(1.7, size=(9,))|pareto(np.array([1.5, 3.0]))
power(1.7, size=(5,))|rayleigh(1.7, size=(50,))|gumbel(0.5, 1.3, size=(50,))|logistic(0.5, 1.3, size=(50,))
lognormal(0.5, 1.3, size=(9,))|normal(0, 1, size=(3,))
"""


def numpy_numbers(calls, seed):
    """mx.np draws from the single generator, mostly: sequences of calls, with classic ones between."""

    def run(mx):
        mx.npx.set_np()
        try:
            mx.random.seed(seed)
            found = []
            for call in calls.replace("\n", "|").strip("|").split("|"):
                found.append(eval("np.random." + call, {"np": mx.np}))
                found.append(mx.nd.random.uniform(shape=(3,)))
            found.append(mx.npx.random.bernoulli(prob=0.3, size=(20,)))
            found.append(mx.npx.random.uniform_n(0.0, 2.5, batch_shape=(4,)))
            return [a.asnumpy() for a in found]
        finally:
            mx.npx.reset_np()

    return run


def odd_parameters(mx):
    """Numbers that float32 does not have, as text reads them; and no dtype, which is float64."""
    nd = mx.nd
    mx.random.seed(3)
    return [
        *[
            nd.random.uniform(low, high, shape=(70,))
            for low, high in ((-1.909, 0.71), (-2.381, 3.947), (1e-7, 2.82e-5))
        ],
        nd.random.uniform(-1.909, 1.1e20, shape=(9,), dtype="float64"),
        nd.random.uniform(shape=(9,), dtype=None),
        nd.random.poisson(3.7, shape=(9,), dtype=None),
        nd.random_uniform(-1.1, 1.9, shape=(9,), dtype=None),
        nd.sample_uniform(nd.array([0.0, 1.0]), nd.array([1.0, 2.0]), shape=(9,), dtype=None),
    ]


# ---- initial weights -------------------------------------------------------------------------------------------------

INITIALIZERS = (
    "Uniform()",
    "Uniform(0.5)",
    "Normal()",
    "Normal(2)",
    "Xavier()",
    'Xavier("gaussian", "in", 2)',
    'Xavier("uniform", "out", 1)',
    "MSRAPrelu()",
    'MSRAPrelu("in", 0)',
    'Orthogonal(rand_type="normal")',
    "Orthogonal()",
)
NETWORKS = (
    *("alexnet", "vgg11", "vgg13", "vgg16", "vgg19", "vgg11_bn", "vgg13_bn", "vgg16_bn", "vgg19_bn"),
    *("squeezenet1.0", "squeezenet1.1", "densenet121", "densenet161", "densenet169", "densenet201", "inceptionv3"),
    *(f"resnet{n}_v{v}" for n in (18, 34, 50, 101, 152) for v in (1, 2)),
    *("mobilenet1.0", "mobilenet0.75", "mobilenet0.5", "mobilenet0.25"),
    *("mobilenetv2_1.0", "mobilenetv2_0.75", "mobilenetv2_0.5", "mobilenetv2_0.25"),
)


def layers(initializer, seed):
    def run(mx):
        init = eval(initializer, vars(mx.init))
        found = []
        for make in (
            lambda: mx.gluon.nn.Dense(33, in_units=20),
            lambda: mx.gluon.nn.Conv2D(8, 3, in_channels=5),
            lambda: mx.gluon.rnn.LSTM(10, 2, input_size=7, bidirectional=True),
            lambda: mx.gluon.rnn.GRU(10, 2),
            lambda: mx.gluon.rnn.LSTMCell(9, input_size=4),
        ):
            layer = make()
            mx.random.seed(seed)
            layer.initialize(init)
            if type(layer).__name__ == "GRU":  # its shapes are known by the first data only
                layer(mx.nd.ones((2, 3, 7)))
            found += [
                p.data() for _, p in sorted(layer.collect_params().items(), key=lambda item: item[0].split("_", 1)[1])
            ]
        return found

    return run


def numpy_layers(initializer, seed):
    """After npx.set_np, where the initial weights are those of mx.np.random."""

    def run(mx):
        mx.npx.set_np()
        try:
            init = eval(initializer, vars(mx.init))
            found = []
            for make in (lambda: mx.gluon.nn.Dense(33, in_units=20), lambda: mx.gluon.rnn.LSTM(10, 2, input_size=7)):
                layer = make()
                mx.random.seed(seed)
                layer.initialize(init)
                found += [p.data().asnumpy() for p in layer.collect_params().values()]
            return found
        finally:
            mx.npx.reset_np()

    return run


def network(name, seed):
    """What is kept of a network is one summary: of the bits of all of its parameters, in their order."""

    def run(mx):
        net = mx.gluon.model_zoo.vision.get_model(name, classes=10)
        mx.random.seed(seed)
        net.initialize(mx.init.Uniform(0.1) if seed == 1 else mx.init.Xavier())
        size = 299 if name.startswith("inception") else 224 if name.startswith(("densenet", "squeezenet")) else 64
        net(mx.nd.zeros((1, 3, size, size)))
        sums = [int(ravel_bits(p.data().asnumpy()).sum(dtype=np.uint64)) for p in net.collect_params().values()]
        return [np.array(sums, dtype=np.uint64)]

    return run


# ---- all of them -----------------------------------------------------------------------------------------------------


def build():
    cases = {}
    for name, parameters in DRAWS:
        for dtype in FLOATS:
            for seed in (0, 42):
                cases[f"{name}{parameters}-{dtype}-{seed}"] = draw(name, parameters, dtype, SIZES, seed)
    for name, parameters in DRAWS[:8]:
        cases[f"{name}{parameters}-float32-1e6"] = draw(name, parameters, "float32", ((1000, 1000), (10,)), 1)
    cases["uniform(0, 1)-float64-1e6"] = draw("uniform", (0, 1), "float64", ((1000, 1000), (10,)), 1)
    cases["normal(0, 1)-float64-1e6"] = draw("normal", (0, 1), "float64", ((1000, 1000), (10,)), 1)
    cases["poisson(3,)-float32-1e6"] = draw("poisson", (3,), "float32", ((1000, 1000), (10,)), 1)
    for low, high in RANGES:
        for dtype in ("int32", "int64"):
            shapes = (*SIZES, (1000, 1000)) if low else SIZES
            cases[f"randint({low}, {high})-{dtype}"] = draw("randint", (low, high), dtype, shapes, 42)
    cases["randint wide"] = draw("randint", (-(2**40), 2**41), "int64", SIZES, 42)
    for name, attributes in (
        ("uniform", {"low": -1, "high": 2}),
        ("normal", {"loc": 1, "scale": 2}),
        ("exponential", {"lam": 2}),
        ("gamma", {"alpha": 0.5, "beta": 2}),
        ("poisson", {"lam": 3}),
        ("negative_binomial", {"k": 3, "p": 0.5}),
        ("generalized_negative_binomial", {"mu": 3, "alpha": 0.5}),
    ):
        for dtype in FLOATS:
            cases[f"{name}_like-{dtype}"] = like(name, attributes, dtype, 42)
    for name, parameters in ARRAYS:
        for kind, dtype in (
            ("float32", "float32"),
            ("float32", "float64"),
            ("float32", "float16"),
            ("float64", "float64"),
        ):
            cases[f"sample_{name}-{kind}-{dtype}"] = sample(name, parameters, kind, dtype, 42)
    for name, parameters in ARRAYS[:3]:
        cases[f"sample_{name}-float64-float32"] = sample(name, parameters, "float64", "float32", 42)
    for name, parameters in ARRAYS[:2]:
        for dtype in FLOATS:
            cases[f"sample_{name}-float16-{dtype}"] = sample(name, parameters, "float16", dtype, 42)
    for seed in (0, 42):
        for kind in ("float32", "float64"):
            cases[f"multinomial-{kind}-{seed}"] = multinomial(seed, kind)
        cases[f"shuffle-{seed}"] = shuffle(seed)
        cases[f"zipfian-{seed}"] = zipfian(seed)
        for dtype in FLOATS:
            cases[f"dropout-{dtype}-{seed}"] = dropout(dtype, seed)
        cases[f"dropout in graphs-{seed}"] = dropout_in_graphs(seed)
        cases[f"cells-{seed}"] = cells(seed)
        cases[f"fused rnn-{seed}"] = fused_rnn(seed)
        cases[f"images-{seed}"] = images(seed)
    for seed in (0, 1, 42):
        cases[f"mixed-{seed}"] = mixed(seed)
        for text in INITIALIZERS:
            cases[f"layers-{text}-{seed}"] = layers(text, seed)
    for seed in (42, 0, 1):
        for name in NETWORKS:
            cases[f"network-{name}-{seed}"] = network(name, seed)
    cases["seeds"] = seeds
    cases["odd parameters"] = odd_parameters
    for alpha in (2.74, 9, 15.69):
        cases[f"gamma({alpha})"] = draw("gamma", (alpha, 1.0), "float32", ((200,),), 5)
    for text in ("Uniform()", "Normal(2)", "Xavier()", "MSRAPrelu()", "Orthogonal()"):
        cases[f"np layers-{text}"] = numpy_layers(text, 7)
    for seed in (3, 42):
        cases[f"np exact-{seed}"] = numpy_numbers(NUMPY_EXACT, seed)
        cases[f"np close-{seed}"] = numpy_numbers(NUMPY_CLOSE, seed)
    return cases


CASES = build()
