"""Networks of the model zoo that the recorder and the tests run alike. Read by the original's old packages too."""

import numpy as np

# Sizes of images as small as the networks allow, where that is not 64; their pooling windows are fixed.
SIZES = {"alexnet": 63, "densenet": 221, "inceptionv3": 299, "squeezenet": 219, "vgg": 32}
# Those that take seconds.
LARGE = (
    "densenet161",
    "densenet169",
    "densenet201",
    "resnet101_v1",
    "resnet101_v2",
    "resnet152_v1",
    "resnet152_v2",
    "vgg13",
    "vgg13_bn",
    "vgg16",
    "vgg16_bn",
    "vgg19",
    "vgg19_bn",
)
# Other arguments than the constructors' defaults: name, (class or function of vision, positional and named arguments)
OTHERS = {
    "thumbnail_v1": ("get_resnet", (1, 18), {"thumbnail": True, "classes": 7}),
    "thumbnail_v2": ("get_resnet", (2, 50), {"thumbnail": True, "prefix": "net_"}),
    "small_v2": ("ResNetV2", ("BottleneckV2", [1, 2], [8, 8, 16]), {"classes": 3}),
    "small_dense": ("DenseNet", (8, 4, [2, 1]), {"bn_size": 2, "dropout": 0.3, "classes": 3}),
    "small_vgg": ("VGG", ([1, 2], [4, 6]), {"batch_norm": True, "classes": 3}),
    "thin": ("get_mobilenet", (0.3,), {}),
    "fat": ("get_mobilenet_v2", (1.4,), {"classes": 5}),
}
# Values that look random, in a number that is prime, so that they do not fall into step with any shape.
TABLE = np.random.RandomState(3).uniform(-1, 1, 65521).astype("float32")


def size_of(name):
    """The height and width of the images for a network."""
    return next((size for start, size in SIZES.items() if name.startswith(start)), 64)


def make(mx, name, **kwargs):
    """A network by its name in the zoo or in OTHERS, with names that count from 0."""
    vision = mx.gluon.model_zoo.vision
    with mx.name.NameManager():
        if name not in OTHERS:
            return vision.get_model(name, **kwargs)
        function, positional, named = OTHERS[name]
        positional = [getattr(vision, a) if isinstance(a, str) else a for a in positional]
        return getattr(vision, function)(*positional, **named)


def structure(mx, name):
    """Names, shapes and texts of a network that has seen no data."""
    net = make(mx, name)
    inner = list(net._collect_params_with_prefix())
    parameters = [
        [p.name, key, list(p.shape), p.grad_req, p.init if isinstance(p.init, (str, type(None))) else p.init.dumps()]
        for key, p in zip(inner, net.collect_params().values())
    ]
    with mx.name.NameManager():
        graph = net(mx.sym.var("data"))
    size = 299 if name == "inceptionv3" else 224
    shapes = graph.infer_shape(data=(1, 3, size, size))
    return {
        "parameters": parameters,
        "repr": repr(net),
        "prefixes": [net.prefix, net.features.prefix, net.output.prefix],
        "graph": graph.tojson(),
        "shapes": [[list(s) for s in some] for some in shapes],
    }


def values(shape, start):
    """Values between -1 and 1 from the table."""
    count = int(np.prod(shape))
    return np.resize(np.roll(TABLE, -start), count).reshape(shape)


def fill(mx, net):
    """Gives all parameters values by a formula."""
    for number, (name, parameter) in enumerate(net.collect_params().items()):
        new = values(parameter.shape, 97 * number)
        if name.endswith("running_var"):
            new = 1 + new / 2
        elif name.endswith("gamma"):
            new = 0.8 + new / 4
        elif name.endswith("weight"):
            new = new * np.float32(np.sqrt(6.0 / np.prod(parameter.shape[1:])))
        else:
            new = new / 10
        parameter.set_data(mx.nd.array(new))


def ready(mx, name, classes=10):
    """A network with values in its parameters, and images for it."""
    net = make(mx, name, classes=classes)
    net.initialize(mx.init.Zero())
    size = size_of(name)
    x = mx.nd.array(values((1 if size > 200 else 2, 3, size, size), 5))
    shapes = {}
    with mx.name.NameManager():
        graph = net(mx.sym.var("data"))
    for names, found in zip(
        (graph.list_arguments(), graph.list_auxiliary_states()), graph.infer_shape(data=x.shape)[::2]
    ):
        shapes.update(zip(names, found))
    for key, parameter in net.collect_params().items():
        parameter.shape = shapes[key]
        if parameter._deferred_init:
            parameter._finish_deferred_init()
    fill(mx, net)
    return net, x


def exported(mx):
    """A very thin network, whose files are small, and images for it."""
    net = mx.gluon.model_zoo.vision.get_mobilenet(0.06, classes=4, prefix="thin_")
    net.initialize()
    x = mx.nd.array(values((2, 3, 32, 32), 5))
    net(x)
    fill(mx, net)
    return net, x


def gradients(net):
    """Norm and a projection of each gradient."""
    found = []
    for number, parameter in enumerate(net.collect_params().values()):
        if parameter.grad_req != "null":
            gradient = parameter.grad().asnumpy().ravel()
            found.append((np.linalg.norm(gradient), gradient @ values(gradient.shape, 31 * number)))
    return np.array(found, "float32")


def states(net):
    """Sums of the moving averages."""
    found = [p.data().asnumpy().sum() for k, p in net.collect_params().items() if "running" in k]
    return np.array(found, "float32")


def settle(block):
    """Makes a layer do in training what it does otherwise: no dropout, no batch statistics."""
    if type(block).__name__ == "Dropout":
        block._rate = 0
    elif type(block).__name__ == "BatchNorm":
        block._kwargs["use_global_stats"] = True


def differentiate(mx, net, x):
    """The output of a step in training, and what it leaves in the gradients."""
    with mx.autograd.record():
        y = net(x)
    y.backward(mx.nd.array(np.cos(np.arange(y.size)).reshape(y.shape)))
    return {"output": y.asnumpy(), "gradients": gradients(net)}


def results(mx, name, hybridize=False):
    """Outputs and gradients of a network: in prediction, settled as there, and for some in training."""
    net, x = ready(mx, name)
    net.hybridize(hybridize)
    found = {"prediction": net(x).asnumpy()}
    if name in TRAINED:
        found.update(("training " + key, value) for key, value in differentiate(mx, net, x).items())
        found["training states"] = states(net)
        fill(mx, net)
    net.apply(settle)
    net.hybridize(hybridize)
    found["gradients"] = differentiate(mx, net, x)["gradients"]
    return found


# Networks without dropout, one of each family, that are also compared in training.
TRAINED = ("densenet121", "mobilenet0.25", "mobilenetv2_0.25", "resnet18_v1", "resnet18_v2", "resnet50_v1")
