"""Initial weights of layers in NumPy semantics: run here and on the original."""


def _net(mx):
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Conv2D(3, 3), nn.BatchNorm(), nn.Dense(5), nn.Dense(2, use_bias=False))
    return net, (2, 1, 6, 6)


def _lstm(mx):
    return mx.gluon.rnn.LSTM(4, 2), (3, 2, 5)


def _embedding(mx):
    return mx.gluon.nn.Embedding(30, 20), (3,)


LAYERS = {"net": _net, "lstm": _lstm, "embedding": _embedding}


def own_initializer(mx):
    """As the book writes one."""

    class Own(mx.init.Initializer):
        def _init_weight(self, name, data):
            data[:] = mx.np.random.uniform(-10, 10, data.shape)
            data *= mx.np.abs(data) >= 5

    return Own()


INITIALIZERS = {
    "Uniform": lambda mx: mx.init.Uniform(0.3),
    "Normal": lambda mx: mx.init.Normal(0.2),
    "Xavier": lambda mx: mx.init.Xavier(),
    "Xavier gaussian": lambda mx: mx.init.Xavier("gaussian", "in", 2),
    "MSRAPrelu": lambda mx: mx.init.MSRAPrelu(),
    "own": own_initializer,
}


def cases():
    return [(layer, name, seed) for layer in LAYERS for name in INITIALIZERS for seed in (0, 1, 42)]


def run(mx, layer, name, seed):
    """The sums and first numbers of all parameters, and a number drawn afterwards."""
    mx.npx.set_np()
    try:
        mx.random.seed(seed)
        block, shape = LAYERS[layer](mx)
        block.initialize(INITIALIZERS[name](mx))
        block(mx.np.zeros(shape))
        found = []
        for parameter in block.collect_params().values():
            values = parameter.data().asnumpy().astype("float64").ravel()
            found.append([values.size, float(abs(values).sum()), *map(float, values[:4])])
        return found, float(mx.np.random.uniform(size=(1,)).asnumpy()[0])
    finally:
        mx.npx.reset_np()
