"""Recurrent cells and layers that recorder and tests run alike. Read by the original's old Python packages too."""

import numpy as np

LENGTHS = [2, 3]  # of the two sequences in a batch


def stack(kind, *cells):
    """A stack of cells whose names begin with its own."""
    with kind.name_scope():
        for cell in cells:
            kind.add(cell())
    return kind


# name: (what makes the cell out of gluon.rnn and gluon.contrib.rnn, shape of one step without the batch)
CELLS = {
    "rnn": (lambda r, c: r.RNNCell(3), (4,)),
    "rnn-relu": (lambda r, c: r.RNNCell(3, activation="relu", input_size=4, prefix="foo_"), (4,)),
    "rnn-softrelu": (lambda r, c: r.RNNCell(3, activation="softrelu"), (4,)),
    "lstm": (lambda r, c: r.LSTMCell(3), (4,)),
    "lstm-activations": (
        lambda r, c: r.LSTMCell(3, input_size=4, activation="softsign", recurrent_activation="tanh"),
        (4,),
    ),
    "lstm-initializers": (
        lambda r, c: r.LSTMCell(2, "ones", "zeros", "ones", "zeros", 4, "named_"),
        (4,),
    ),
    "gru": (lambda r, c: r.GRUCell(3), (4,)),
    "gru-sized": (lambda r, c: r.GRUCell(3, input_size=4), (4,)),
    "lstmp": (lambda r, c: c.LSTMPCell(4, 3), (4,)),
    "dropout": (lambda r, c: r.DropoutCell(0.0), (4,)),
    "zoneout": (lambda r, c: r.ZoneoutCell(r.LSTMCell(3), 0.0, 0.0), (4,)),
    "residual": (lambda r, c: r.ResidualCell(r.GRUCell(4)), (4,)),
    "residual-lstm": (lambda r, c: r.ResidualCell(r.LSTMCell(4)), (4,)),
    "bidirectional": (lambda r, c: r.BidirectionalCell(r.RNNCell(3), r.LSTMCell(2)), (4,)),
    "bidirectional-gru": (lambda r, c: r.BidirectionalCell(r.GRUCell(2), r.GRUCell(2), output_prefix="both_"), (4,)),
    "sequential": (
        lambda r, c: stack(
            r.SequentialRNNCell(), lambda: r.RNNCell(3), lambda: r.DropoutCell(0.0), lambda: r.LSTMCell(2)
        ),
        (4,),
    ),
    "hybrid-sequential": (
        lambda r, c: stack(
            r.HybridSequentialRNNCell(prefix="net_"),
            lambda: r.LSTMCell(3),
            lambda: r.ResidualCell(r.GRUCell(3)),
            lambda: r.BidirectionalCell(r.RNNCell(2), r.RNNCell(2)),
        ),
        (4,),
    ),
    "hybrid-steps": (
        lambda r, c: stack(r.HybridSequentialRNNCell(), lambda: r.GRUCell(3), lambda: r.ZoneoutCell(r.RNNCell(2))),
        (4,),
    ),
    "variational": (lambda r, c: c.VariationalDropoutCell(r.LSTMCell(3)), (4,)),
    "conv1d-rnn": (lambda r, c: c.Conv1DRNNCell((2, 5), 2, 3, 3), (2, 5)),
    "conv1d-lstm": (lambda r, c: c.Conv1DLSTMCell((2, 5), 2, 3, (1,), i2h_pad=1), (2, 5)),
    "conv1d-gru": (lambda r, c: c.Conv1DGRUCell((2, 5), 2, 2, 3, activation="relu", prefix="own_"), (2, 5)),
    "conv2d-rnn": (lambda r, c: c.Conv2DRNNCell((2, 4, 3), 2, (3, 2), (3, 1)), (2, 4, 3)),
    "conv2d-lstm": (
        lambda r, c: c.Conv2DLSTMCell((1, 4, 4), 2, 2, 3, i2h_pad=(1, 0), i2h_dilate=(2, 1), h2h_dilate=2),
        (1, 4, 4),
    ),
    "conv2d-gru": (lambda r, c: c.Conv2DGRUCell((1, 3, 3), 2, 2, 3), (1, 3, 3)),
    "conv3d-rnn": (lambda r, c: c.Conv3DRNNCell((1, 3, 2, 2), 1, (2, 1, 2), 1), (1, 3, 2, 2)),
    "conv3d-lstm": (lambda r, c: c.Conv3DLSTMCell((1, 2, 2, 2), 1, 2, 1), (1, 2, 2, 2)),
    "conv3d-gru": (lambda r, c: c.Conv3DGRUCell((1, 2, 2, 2), 1, 1, (1, 3, 1)), (1, 2, 2, 2)),
}
# name of a way to unroll: (options, with lengths?)
WAYS = {
    "list": ({}, False),
    "merged": ({"layout": "TNC", "merge_outputs": True}, False),
    "lengths": ({"layout": "NTC", "merge_outputs": True}, True),
    "lengths-list": ({"layout": "NTC", "merge_outputs": False}, True),
}
# Cells whose graphs have random operators; they are not run, as their results are.
RANDOM = {
    "dropout": lambda r, c: r.DropoutCell(0.5, axes=(1,)),
    "zoneout": lambda r, c: r.ZoneoutCell(r.RNNCell(3), 0.5, 0.2),
    "zoneout-states": lambda r, c: r.ZoneoutCell(r.LSTMCell(3), 0.0, 0.2),
    "variational": lambda r, c: c.VariationalDropoutCell(r.RNNCell(3), 0.1, 0.2, 0.3),
    "variational-whole": lambda r, c: c.VariationalDropoutCell(r.RNNCell(3), 0.1, 0.0, 0.3),
    "variational-inputs": lambda r, c: c.VariationalDropoutCell(r.GRUCell(3), 0.1),
    "variational-outputs": lambda r, c: c.VariationalDropoutCell(r.LSTMCell(3), drop_outputs=0.1),
    "sequential": lambda r, c: stack(
        r.HybridSequentialRNNCell(),
        lambda: r.ZoneoutCell(r.RNNCell(3), 0.1, 0.1),
        lambda: r.ResidualCell(r.LSTMCell(3)),
        lambda: r.DropoutCell(0.3),
    ),
}
# name: (what makes the layer, are lengths given?)
LAYERS = {
    "rnn": (lambda r: r.RNN(3), False),
    "rnn-tanh": (lambda r: r.RNN(3, 2, activation="tanh", layout="NTC", input_size=4), False),
    "rnn-both": (lambda r: r.RNN(2, bidirectional=True), False),
    "lstm": (lambda r: r.LSTM(3), False),
    "lstm-deep": (lambda r: r.LSTM(3, 2, layout="NTC", prefix="deep_"), False),
    "lstm-both": (lambda r: r.LSTM(2, 2, bidirectional=True), False),
    "lstm-projection": (lambda r: r.LSTM(4, projection_size=2, input_size=4), False),
    "lstm-clip": (
        lambda r: r.LSTM(3, 2, state_clip_min=-0.2, state_clip_max=0.15, state_clip_nan=True, input_size=4),
        False,
    ),
    "lstm-lengths": (lambda r: r.LSTM(3, bidirectional=True, use_sequence_length=True, layout="NTC"), True),
    "lstm-initializers": (
        lambda r: r.LSTM(2, 1, "TNC", 0, False, 4, "ones", "zeros", "ones", "zeros"),
        False,
    ),
    "gru": (lambda r: r.GRU(3), False),
    "gru-both": (lambda r: r.GRU(2, 2, "NTC", 0, True, 4), False),
}
# On the CPU the original runs these as if there were no bounds and no lengths, and has no gradient of projections.
UNCOMPARED = ("lstm-clip", "lstm-lengths")
PREDICTED = ("lstm-projection",)


def values(rng, shape):
    """Numbers with few digits."""
    return np.round(rng.uniform(-1, 1, shape), 3)


def flat(nested):
    """The arrays or symbols in nested lists."""
    if isinstance(nested, (list, tuple)):
        return [a for part in nested for a in flat(part)]
    return [nested]


def set_params(mx, block, seed=3):
    """Gives the parameters fixed values."""
    rng = np.random.RandomState(seed)
    for parameter in block.collect_params().values():
        parameter.set_data(mx.nd.array(values(rng, parameter.shape), dtype=parameter.dtype))


def describe(block):
    """What a cell or layer says."""
    params = block.collect_params()
    return {
        "repr": repr(block),
        "prefix": block.prefix,
        "params": repr(params),
        "places": sorted(block._collect_params_with_prefix()),
        "initializers": [repr(p.init) if not hasattr(p.init, "dumps") else p.init.dumps() for p in params.values()],
        "states": repr(block.state_info(2)),
    }


def graph(mx, results):
    """Outputs and states as the text of one graph."""
    return mx.sym.Group(flat(results)).tojson()


def unroll_graph(mx, make, way):
    """The graph of a cell that was unrolled."""
    options, lengths = WAYS[way]
    options = dict(options, valid_length=mx.sym.var("len")) if lengths else options
    with mx.name.NameManager():
        cell = make(mx.gluon.rnn, mx.gluon.contrib.rnn)
        return graph(mx, cell.unroll(3, mx.sym.var("data"), **options))


def differentiate(mx, compute, inputs, block, arrays, key):
    """Runs ``compute(*inputs)``; puts results and all gradients into ``arrays``."""
    for array in inputs:
        array.attach_grad()
    with mx.autograd.record():
        results = flat(compute(*inputs))
        total = 0
        for number, array in enumerate(results):
            head = mx.nd.array(np.cos(np.arange(array.size) + number).reshape(array.shape))
            total = total + (array * head).sum()
    total.backward()
    for number, array in enumerate(results):
        arrays["%s result %d" % (key, number)] = array.asnumpy()
    for number, array in enumerate(inputs):
        arrays["%s grad %d" % (key, number)] = array.grad.asnumpy()
    for name, parameter in block.collect_params().items():
        arrays["%s grad %s" % (key, name)] = parameter.grad().asnumpy()


def cell_inputs(mx, name, way):
    """The sequence as one array, and the keywords for ``unroll``."""
    _, shape = CELLS[name]
    options, lengths = WAYS[way]
    rng = np.random.RandomState(5)
    lead = (3, 2) if options.get("layout") == "TNC" else (2, 3)
    data = mx.nd.array(values(rng, lead + shape))
    return data, dict(options, valid_length=mx.nd.array(LENGTHS)) if lengths else dict(options)


def make_cell(mx, name):
    """A cell with fixed parameters."""
    make, shape = CELLS[name]
    with mx.name.NameManager():
        cell = make(mx.gluon.rnn, mx.gluon.contrib.rnn)
    cell.initialize()
    cell.unroll(1, mx.nd.ones((2, 1, *shape)))
    set_params(mx, cell)
    return cell


def can_step(name):
    """Cells in both directions have no single steps."""
    return not name.startswith("bidirectional") and name != "hybrid-sequential"


def run_cell(mx, name, hybridize=False):
    """What a cell says and computes: (texts, arrays), each by name."""
    make, shape = CELLS[name]
    with mx.name.NameManager():
        cell = make(mx.gluon.rnn, mx.gluon.contrib.rnn)
    texts = {"before": describe(cell)}
    for way in WAYS:
        if way == "lengths-list" and name.startswith("residual"):
            continue  # the original fails
        texts["graph " + way] = unroll_graph(mx, make, way)
    cell = make_cell(mx, name)
    texts["after"] = describe(cell)
    arrays = {}
    if hybridize:
        cell.hybridize()
    if can_step(name):
        rng = np.random.RandomState(6)
        step = mx.nd.array(values(rng, (2, *shape)))
        states = [mx.nd.array(values(rng, info["shape"])) for info in cell.state_info(2)]
        cell.reset()
        differentiate(mx, lambda x, *s: cell(x, list(s)), [step, *states], cell, arrays, "step")
        cell.reset()
        variables = [mx.sym.var("s%d" % i) for i in range(len(states))]
        texts["graph step"] = graph(mx, cell(mx.sym.var("data"), variables)) if not hybridize else ""
    for way in WAYS:
        data, options = cell_inputs(mx, name, way)
        differentiate(mx, lambda x, o=options: cell.unroll(3, x, **o), [data], cell, arrays, way)
    return texts, arrays


def layer_inputs(mx, layer, lengths):
    """Data, states and lengths for a layer."""
    rng = np.random.RandomState(7)
    data = mx.nd.array(values(rng, (2, 3, 4) if layer._layout == "NTC" else (3, 2, 4)))
    states = [mx.nd.array(values(rng, info["shape"])) for info in layer.state_info(2)]
    return data, states, ([mx.nd.array(LENGTHS)] if lengths else [])


def make_layer(mx, name):
    """A layer with fixed parameters."""
    make, lengths = LAYERS[name]
    with mx.name.NameManager():
        layer = make(mx.gluon.rnn)
    layer.initialize()
    data, states, more = layer_inputs(mx, layer, lengths)
    if layer._input_size == 0:
        layer(data, states, *more)
    set_params(mx, layer)
    return layer


def layer_texts(mx, name):
    """What a layer says, and its graphs."""
    make, lengths = LAYERS[name]
    more = [mx.sym.var("len")] if lengths else []
    texts = {}
    with mx.name.NameManager():
        layer = make(mx.gluon.rnn)
        texts["before"] = describe(layer)
        texts["graph"] = graph(mx, layer(mx.sym.var("data"), None, *more))
    with mx.name.NameManager():
        layer = make(mx.gluon.rnn)
        states = [mx.sym.var("s%d" % i) for i in range(len(layer.state_info()))]
        texts["graph states"] = graph(mx, layer(mx.sym.var("data"), states, *more))
    if layer._projection_size is None and layer._lstm_state_clip_min is None:
        cells = layer._unfuse()
        texts["unfused"] = [repr(cells), cells.prefix, sorted(cells.collect_params())]
    return texts


def run_layer(mx, name, hybridize=False):
    """What a layer computes: arrays by name."""
    layer = make_layer(mx, name)
    data, states, more = layer_inputs(mx, layer, LAYERS[name][1])
    if hybridize:
        layer.hybridize()
    arrays = {}
    if name in PREDICTED:
        for number, array in enumerate(flat([layer(data), layer(data, states)])):
            arrays["result %d" % number] = array.asnumpy()
        return arrays
    differentiate(mx, lambda x: layer(x, None, *more), [data], layer, arrays, "alone")
    differentiate(mx, lambda x, *s: layer(x, list(s), *more), [data, *states], layer, arrays, "states")
    return arrays


OPTIMIZERS = {"sgd": {"learning_rate": 0.5, "momentum": 0.9}, "adam": {"learning_rate": 0.05}}


def language_model(mx):
    """A small language model: (what gives the loss of tokens, the network)."""
    with mx.name.NameManager():
        net = mx.gluon.nn.HybridSequential(prefix="lm_")
        with net.name_scope():
            net.add(mx.gluon.nn.Embedding(7, 5), mx.gluon.rnn.LSTM(6, 2), mx.gluon.nn.Dense(7, flatten=False))
    net.initialize()
    net(mx.nd.zeros((4, 3)))
    set_params(mx, net)
    return net


def tokens(mx):
    """Text as numbers, and the number after each."""
    text = np.random.RandomState(8).randint(0, 7, (5, 3))
    return mx.nd.array(text[:-1]), mx.nd.array(text[1:])


def train(mx, optimizer, hybridize=False):
    """Three steps of training: losses and weights by name."""
    net = language_model(mx)
    if hybridize:
        net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), optimizer, dict(OPTIMIZERS[optimizer]))
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    data, target = tokens(mx)
    arrays = {}
    for step in range(3):
        with mx.autograd.record():
            loss = loss_of(net(data), target)
        loss.backward()
        trainer.step(4)
        arrays["loss %d" % step] = loss.asnumpy()
    for name, parameter in net.collect_params().items():
        arrays[name] = parameter.data().asnumpy()
    return arrays
