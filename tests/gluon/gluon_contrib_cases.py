"""Layers of gluon.contrib that the recorder and the tests run alike. Read by the original's old packages too."""

import gluon_nn_cases
import numpy as np


def concurrent(kind):
    def make(contrib, nn):
        net = getattr(contrib.nn, kind)(axis=1, prefix="net_")
        with net.name_scope():
            net.add(nn.Dense(2, in_units=4, activation="tanh"), contrib.nn.Identity())
            net.add(nn.Dense(3, use_bias=False))
        return net

    return make


# name: (what makes the layer out of mx.gluon.contrib and mx.gluon.nn, shape of the input)
LAYERS = {
    "concurrent": (concurrent("Concurrent"), (3, 4)),
    "hybridconcurrent": (concurrent("HybridConcurrent"), (3, 4)),
    "identity": (lambda contrib, nn: contrib.nn.Identity(), (2, 3)),
    "syncbatchnorm": (lambda contrib, nn: contrib.nn.SyncBatchNorm(num_devices=1), (4, 3, 2, 2)),
    "syncbatchnorm-fixed": (
        lambda contrib, nn: contrib.nn.SyncBatchNorm(3, 1, momentum=0.7, epsilon=1e-3, scale=False, center=False),
        (4, 3, 2),
    ),
    "pixelshuffle1d": (lambda contrib, nn: contrib.nn.PixelShuffle1D(3), (2, 6, 4)),
    "pixelshuffle2d": (lambda contrib, nn: contrib.nn.PixelShuffle2D((2, 3)), (2, 12, 2, 3)),
    "pixelshuffle2d-one": (lambda contrib, nn: contrib.nn.PixelShuffle2D(2), (1, 4, 3, 2)),
    "pixelshuffle3d": (lambda contrib, nn: contrib.nn.PixelShuffle3D((2, 1, 3)), (2, 12, 2, 3, 2)),
    "pixelshuffle3d-one": (lambda contrib, nn: contrib.nn.PixelShuffle3D(2), (1, 8, 1, 2, 2)),
    "deformable": (lambda contrib, nn: contrib.cnn.DeformableConvolution(3, 3), (2, 2, 5, 6)),
    "deformable-more": (
        lambda contrib, nn: contrib.cnn.DeformableConvolution(
            4, (3, 2), 2, 1, (1, 2), groups=2, num_deformable_group=2, use_bias=False, in_channels=4, activation="tanh"
        ),
        (1, 4, 6, 7),
    ),
    "deformable-no-offset-bias": (
        lambda contrib, nn: contrib.cnn.DeformableConvolution(2, 2, offset_use_bias=False, activation="relu"),
        (1, 2, 4, 4),
    ),
    "modulated": (lambda contrib, nn: contrib.cnn.ModulatedDeformableConvolution(3, 3, padding=(1, 1)), (2, 2, 4, 4)),
    "modulated-more": (
        lambda contrib, nn: contrib.cnn.ModulatedDeformableConvolution(
            4, (2, 3), num_deformable_group=2, use_bias=False, offset_use_bias=False, activation="sigmoid"
        ),
        (1, 4, 4, 5),
    ),
}


def run(mx, name):
    """What a layer says and computes: (texts, arrays), each by name."""
    make, shape = LAYERS[name]
    rng = np.random.RandomState(gluon_nn_cases.hash_of(name))
    contrib, nn = mx.gluon.contrib, mx.gluon.nn
    with mx.name.NameManager():
        layer = make(contrib, nn)
    # one parameter's shape is a list in the original, before it is known
    params = repr(layer.collect_params()).replace("[", "(").replace("]", ")")
    texts = {"before": repr(layer), "prefix": layer.prefix, "params": params}
    x = mx.nd.array(np.round(rng.normal(0, 1, shape), 3))
    layer.initialize()
    layer(x)
    for key, parameter in sorted(layer.collect_params().items()):
        # offsets stay away from whole numbers, where the gradient has a kink
        low, high = (0.05, 0.15) if "offset" in key else (0.5, 1.5)
        parameter.set_data(mx.nd.array(np.round(rng.uniform(low, high, parameter.shape), 3)))
    texts["after"] = repr(layer)
    arrays = {"predict": layer(x).asnumpy()}
    if not name.startswith("modulated"):  # whose gradient the original has on GPUs only
        gluon_nn_cases.train(mx, layer, x, arrays, "eager")
    layer.hybridize()
    arrays["hybrid predict"] = layer(x).asnumpy()
    # the original loses the gradient of an identity that is hybridized for itself
    if name not in ("identity", "concurrent") and not name.startswith("modulated"):
        gluon_nn_cases.train(mx, layer, x, arrays, "hybrid")
    if name != "concurrent":
        with mx.name.NameManager():
            json = make(contrib, nn)(mx.sym.var("data")).tojson()
        texts["json"] = json.replace('"[', '"(').replace(']"', ')"')
    return texts, arrays
