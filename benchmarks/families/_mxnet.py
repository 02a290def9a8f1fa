"""Steps of a network on ours or on the original: eager, hybridized or by Module."""

from . import SEED, seed

RATE, MOMENTUM = 0.001, 0.9

#: Each takes ``mx`` and returns the loss block.
LOSSES = {
    "softmax": lambda mx: mx.gluon.loss.SoftmaxCrossEntropyLoss(),
    "pixels": lambda mx: mx.gluon.loss.SoftmaxCrossEntropyLoss(axis=1),
    "sigmoid": lambda mx: mx.gluon.loss.SigmoidBinaryCrossEntropyLoss(),
    "l1": lambda mx: mx.gluon.loss.L1Loss(),
    "l2": lambda mx: mx.gluon.loss.L2Loss(),
}


def labels(rng, loss, shape):
    """Labels for an output of this shape, as a NumPy array."""
    if loss == "softmax":
        return rng.randint(0, shape[-1], shape[:-1]).astype("float32")
    if loss == "pixels":
        return rng.randint(0, shape[1], (shape[0], *shape[2:])).astype("float32")
    if loss == "sigmoid":
        return rng.randint(0, 2, shape).astype("float32")
    return rng.uniform(-1, 1, shape).astype("float32")


def seed_all(mx):
    """Seeds everything that a workload may draw from."""
    seed()
    mx.random.seed(SEED)


def fill(mx, network, initializer):
    """Gives the weights numbers that depend only on their order and shapes, so that every engine has the same."""
    import numpy as np

    # The original cannot write to a weight that its first use brought into a layout of oneDNN's.
    network.initialize(initializer, force_reinit=True)
    rng = np.random.RandomState(SEED)
    for name, parameter in network.collect_params().items():
        if parameter.grad_req != "null" and name.endswith("weight"):
            shape = parameter.shape
            fan_in = max(1, int(np.prod(shape[1:])))
            scale = ((6.0 if len(shape) > 2 else 3.0) / fan_in) ** 0.5
            parameter.set_data(mx.nd.array(rng.uniform(-scale, scale, shape)))


def prepare(mx, workload):
    """The network with its weights, its inputs, and its first outputs."""
    seed_all(mx)
    network = workload.network.build(mx)
    network.initialize(mx.init.Xavier())
    data = [mx.nd.array(values) for values in workload.inputs()]
    network(*data)  # shapes become known
    fill(mx, network, mx.init.Xavier())
    outputs = network(*data)
    mx.nd.waitall()
    return network, data, outputs


def step_of(mx, workload):
    """The step of a workload; it returns the loss or the outputs, as NDArrays."""
    import numpy as np

    network, data, outputs = prepare(mx, workload)
    loss, label = workload.network.loss, []
    if workload.work == "train" and loss != "own":
        rng = np.random.RandomState(SEED)
        label = [mx.nd.array(labels(rng, loss, outputs.shape))]
    mx.random.seed(SEED)
    if workload.mode == "module":
        return _module(mx, workload, network, data, label)
    if workload.mode == "hybrid":
        network.hybridize(static_alloc=True, static_shape=True)
    return (_train if workload.work == "train" else _predict)(mx, workload, network, data, label)


def _predict(mx, workload, network, data, label):
    def step():
        outputs = network(*data)
        mx.nd.waitall()
        return outputs

    return step


def _train(mx, workload, network, data, label):
    gluon, autograd = mx.gluon, mx.autograd
    loss = None if workload.network.loss == "own" else LOSSES[workload.network.loss](mx)
    if loss is not None and workload.mode == "hybrid":
        loss.hybridize(static_alloc=True, static_shape=True)
    options = {"learning_rate": RATE, "momentum": MOMENTUM}
    trainer = gluon.Trainer(network.collect_params(), "sgd", options)

    def step():
        with autograd.record():
            value = network(*data)
            if loss is not None:
                value = loss(value, *label)
        value.backward()
        trainer.step(workload.batch)
        mx.nd.waitall()
        return value

    return step


def _module(mx, workload, network, data, label):
    names = [f"data{i}" for i in range(len(data))]
    symbol = network(*map(mx.sym.var, names))
    training = workload.work == "train"
    if training:
        kind = workload.network.loss
        if kind == "softmax" and label[0].ndim == 1:
            symbol = mx.sym.SoftmaxOutput(symbol, mx.sym.var("label"), name="softmax")
        elif kind == "own":
            symbol = mx.sym.MakeLoss(symbol)
        else:
            symbol = mx.sym.MakeLoss(LOSSES[kind](mx)(symbol, mx.sym.var("label")))
    module = mx.mod.Module(symbol, names, ["label"] if label else None)
    module.bind(
        [(name, array.shape) for name, array in zip(names, data)],
        [("label", array.shape) for array in label] or None,
        for_training=training,
    )
    arrays = {name: parameter.data() for name, parameter in network.collect_params().items()}
    auxiliary = {name: arrays.pop(name) for name in symbol.list_auxiliary_states()}
    module.init_params(arg_params=arrays, aux_params=auxiliary, allow_extra=True)
    batch = mx.io.DataBatch(data, label)
    if training:
        module.init_optimizer(optimizer_params={"learning_rate": RATE, "momentum": MOMENTUM})

    def step():
        if training:
            module.forward_backward(batch)
            module.update()
        else:
            module.forward(batch, is_train=False)
        outputs = module.get_outputs()
        mx.nd.waitall()
        return outputs

    return step
