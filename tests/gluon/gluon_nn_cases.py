"""Layers that the recorder and the tests run alike. Read by the original's old Python packages too."""

import numpy as np

# name: (what makes the layer out of mx.gluon.nn, shape of the input)
LAYERS = {
    "dense": (lambda nn: nn.Dense(3), (4, 5)),
    "dense-relu": (lambda nn: nn.Dense(3, activation="relu", in_units=5), (4, 5)),
    "dense-flatten": (lambda nn: nn.Dense(3, activation="tanh"), (2, 3, 4)),
    "dense-no-flatten": (lambda nn: nn.Dense(3, flatten=False, use_bias=False), (2, 3, 4)),
    "dropout": (lambda nn: nn.Dropout(0.0), (3, 4)),
    "batchnorm": (lambda nn: nn.BatchNorm(), (4, 3, 2, 2)),
    "batchnorm-flat": (lambda nn: nn.BatchNorm(momentum=0.7, epsilon=1e-3, in_channels=3), (5, 3)),
    "batchnorm-fixed": (lambda nn: nn.BatchNorm(scale=False, center=False), (4, 3, 2)),
    "batchnorm-global": (lambda nn: nn.BatchNorm(use_global_stats=True), (4, 3, 2)),
    "batchnorm-last": (lambda nn: nn.BatchNorm(axis=-1), (4, 3, 2)),
    "batchnormrelu": (lambda nn: nn.BatchNormReLU(), (4, 3, 2, 2)),
    "instancenorm": (lambda nn: nn.InstanceNorm(), (2, 3, 4)),
    "instancenorm-scale": (lambda nn: nn.InstanceNorm(axis=-1, scale=True, center=False, epsilon=1e-2), (2, 3, 4)),
    "layernorm": (lambda nn: nn.LayerNorm(), (2, 3, 4)),
    "layernorm-axis": (lambda nn: nn.LayerNorm(axis=1, in_channels=3, scale=False, epsilon=1e-3), (2, 3, 4)),
    "groupnorm": (lambda nn: nn.GroupNorm(num_groups=2), (2, 4, 3, 2)),
    "groupnorm-one": (lambda nn: nn.GroupNorm(center=False, scale=False), (2, 4, 3)),
    "flatten": (lambda nn: nn.Flatten(), (2, 3, 4)),
    "leakyrelu": (lambda nn: nn.LeakyReLU(0.3), (3, 4)),
    "prelu": (lambda nn: nn.PReLU(), (3, 4)),
    "prelu-channels": (lambda nn: nn.PReLU(in_channels=3), (2, 3, 2)),
    "elu": (lambda nn: nn.ELU(0.7), (3, 4)),
    "selu": (lambda nn: nn.SELU(), (3, 4)),
    "swish": (lambda nn: nn.Swish(1.5), (3, 4)),
    "gelu": (lambda nn: nn.GELU(), (3, 4)),
    "activation-relu": (lambda nn: nn.Activation("relu"), (3, 4)),
    "activation-sigmoid": (lambda nn: nn.Activation("sigmoid"), (3, 4)),
    "activation-softrelu": (lambda nn: nn.Activation("softrelu"), (3, 4)),
    "activation-softsign": (lambda nn: nn.Activation("softsign"), (3, 4)),
    "lambda": (lambda nn: nn.HybridLambda("tanh"), (3, 4)),
    "conv1d": (lambda nn: nn.Conv1D(4, 3), (2, 3, 7)),
    "conv1d-more": (
        lambda nn: nn.Conv1D(4, 3, strides=2, padding=2, dilation=2, groups=2, activation="relu", use_bias=False),
        (2, 4, 9),
    ),
    "conv2d": (lambda nn: nn.Conv2D(4, 3, in_channels=2), (2, 2, 5, 6)),
    "conv2d-more": (
        lambda nn: nn.Conv2D(4, (3, 2), (2, 1), (1, 2), (1, 2), groups=2, activation="sigmoid"),
        (2, 2, 7, 6),
    ),
    "conv3d": (lambda nn: nn.Conv3D(2, (2, 1, 2), padding=1, strides=(1, 2, 1)), (1, 2, 3, 4, 3)),
    "conv1dtranspose": (lambda nn: nn.Conv1DTranspose(3, 3, strides=2, padding=1, output_padding=1), (2, 2, 5)),
    "conv2dtranspose": (
        lambda nn: nn.Conv2DTranspose(4, 3, (2, 1), groups=2, activation="tanh", in_channels=2),
        (2, 2, 3, 4),
    ),
    "conv2dtranspose-plain": (
        lambda nn: nn.Conv2DTranspose(3, (2, 3), use_bias=False, in_channels=2, output_padding=(0, 1), strides=(1, 2)),
        (1, 2, 3, 4),
    ),
    "conv3dtranspose": (lambda nn: nn.Conv3DTranspose(2, 2, strides=(2, 1, 1)), (1, 2, 2, 3, 2)),
    "maxpool1d": (lambda nn: nn.MaxPool1D(), (2, 3, 7)),
    "maxpool1d-ceil": (lambda nn: nn.MaxPool1D(3, 2, 1, ceil_mode=True), (2, 3, 8)),
    "maxpool2d": (lambda nn: nn.MaxPool2D((2, 3), strides=(1, 2)), (2, 3, 5, 7)),
    "maxpool2d-pad": (lambda nn: nn.MaxPool2D(pool_size=3, padding=1, strides=1), (2, 3, 4, 4)),
    "maxpool3d": (lambda nn: nn.MaxPool3D(2, ceil_mode=True), (1, 2, 3, 4, 5)),
    "avgpool1d": (lambda nn: nn.AvgPool1D(3, 2, 1), (2, 3, 7)),
    "avgpool2d": (lambda nn: nn.AvgPool2D(), (2, 3, 5, 4)),
    "avgpool2d-exclude": (
        lambda nn: nn.AvgPool2D(3, 2, 1, ceil_mode=True, count_include_pad=False),
        (2, 3, 6, 6),
    ),
    "avgpool3d": (lambda nn: nn.AvgPool3D((2, 1, 2), strides=1), (1, 2, 3, 4, 5)),
    "globalmaxpool1d": (lambda nn: nn.GlobalMaxPool1D(), (2, 3, 4)),
    "globalmaxpool2d": (lambda nn: nn.GlobalMaxPool2D(), (2, 3, 4, 2)),
    "globalmaxpool3d": (lambda nn: nn.GlobalMaxPool3D(), (2, 2, 2, 3, 2)),
    "globalavgpool1d": (lambda nn: nn.GlobalAvgPool1D(), (2, 3, 4)),
    "globalavgpool2d": (lambda nn: nn.GlobalAvgPool2D(), (2, 3, 4, 2)),
    "globalavgpool3d": (lambda nn: nn.GlobalAvgPool3D(), (2, 2, 2, 3, 2)),
    "reflectionpad2d": (lambda nn: nn.ReflectionPad2D(1), (1, 2, 3, 4)),
    "reflectionpad2d-sides": (lambda nn: nn.ReflectionPad2D((0, 0, 0, 0, 1, 2, 0, 1)), (1, 2, 3, 4)),
    "embedding": (lambda nn: nn.Embedding(5, 3), (2, 4)),
}


def run(mx, name):
    """What a layer says and computes: (texts, arrays), each by name."""
    make, shape = LAYERS[name]
    rng = np.random.RandomState(abs(hash_of(name)) % 2**31)
    with mx.name.NameManager():
        layer = make(mx.gluon.nn)
    texts = {"before": repr(layer), "prefix": layer.prefix, "params": repr(layer.collect_params())}
    value = rng.randint(0, 5, shape) if name.startswith("embedding") else np.round(rng.normal(0, 1, shape), 3)
    x = mx.nd.array(value)
    layer.initialize()
    layer(x)
    for parameter in layer.collect_params().values():
        new = np.round(rng.uniform(0.5, 1.5, parameter.shape), 3)
        parameter.set_data(mx.nd.array(new))
    texts["after"] = repr(layer)
    arrays = {"predict": layer(x).asnumpy()}
    train(mx, layer, x, arrays, "eager")
    for parameter in layer.collect_params().values():
        if parameter.grad_req == "null":
            parameter.set_data(mx.nd.array(np.linspace(0.5, 1, parameter.shape[0])))
    layer.hybridize()
    arrays["hybrid predict"] = layer(x).asnumpy()
    train(mx, layer, x, arrays, "hybrid")
    with mx.name.NameManager():
        texts["json"] = make(mx.gluon.nn)(mx.sym.var("data")).tojson()
    return texts, arrays


def train(mx, layer, x, arrays, mode):
    """One step forward and backward; output, gradients and states go to ``arrays``."""
    x = x.copy()
    if not layer.prefix.startswith("embedding"):
        x.attach_grad()
    with mx.autograd.record():
        y = layer(x)
    y.backward(mx.nd.array(np.cos(np.arange(y.size)).reshape(y.shape)))
    arrays[mode + " out"] = y.asnumpy()
    if x.grad is not None:
        arrays[mode + " grad data"] = x.grad.asnumpy()
    for key, parameter in layer.collect_params().items():
        what = "state" if parameter.grad_req == "null" else "grad"
        found = parameter.data() if what == "state" else parameter.grad()
        arrays["%s %s %s" % (mode, what, key)] = found.asnumpy()


def hash_of(text):
    """A number for a text, the same in every process."""
    number = 7
    for letter in text:
        number = (number * 31 + ord(letter)) % 1000003
    return number
