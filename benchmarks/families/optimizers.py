"""Updates of the parameters of a small ResNet, by optimizer; the gradients stay as they are."""

from . import Steps, sized

OPTIMIZERS = {
    "sgd": ("SGD", {"momentum": 0.9}),
    "adam": ("Adam", {}),
    "rmsprop": ("RMSprop", {}),
    "adagrad": ("Adagrad", {}),
}
WIDTHS = sized((64, 128, 256, 256), (4, 8))


def _shapes():
    """Weights, scales and biases of a few residual stages, as many small ones as big ones."""
    shapes, inputs = [], 3
    for width in WIDTHS:
        for _ in range(3):
            shapes += [(width, inputs, 3, 3), (width,), (width,)]
            inputs = width
    return shapes


def _mxnet(name):
    def setup(mx):
        import numpy as np

        rng, parameters = np.random.RandomState(0), mx.gluon.ParameterDict()
        for number, shape in enumerate(_shapes()):
            parameters.get(f"weight{number}", shape=shape)
        parameters.initialize()
        for parameter in parameters.values():
            parameter.set_data(mx.nd.array(rng.uniform(-1, 1, parameter.shape)))
            parameter.grad()[:] = mx.nd.array(rng.uniform(-1, 1, parameter.shape))
        kind, options = OPTIMIZERS[name]
        update = mx.optimizer.get_updater(mx.optimizer.create(kind, learning_rate=1e-3, **options))
        weights = [parameter.data() for parameter in parameters.values()]
        gradients = [parameter.grad() for parameter in parameters.values()]
        numbers = list(range(len(weights)))

        def step():
            update(numbers, gradients, weights)
            mx.nd.waitall()
            return weights[:3]

        return step

    return setup


def _torch(name):
    def setup(torch):
        parameters = [torch.rand(shape).requires_grad_() for shape in _shapes()]
        for parameter in parameters:
            parameter.grad = torch.rand_like(parameter)
        kind, options = OPTIMIZERS[name]
        return getattr(torch.optim, kind)(parameters, lr=1e-3, **options).step

    return setup


STEPS = {name: Steps(_mxnet(name), _torch(name)) for name in OPTIMIZERS}
