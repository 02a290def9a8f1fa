"""Weights for torchvision's networks that are the same wherever they are made, and the images they see."""

import math
import zlib

import numpy as np

# The model zoo's name -> torchvision's.
NAMES = {
    "inceptionv3": "inception_v3",
    "mobilenetv2_1.0": "mobilenet_v2",
    "squeezenet1.0": "squeezenet1_0",
    "squeezenet1.1": "squeezenet1_1",
    **{f"resnet{depth}_v1": f"resnet{depth}" for depth in (18, 34, 50, 101, 152)},
    **{name: name for name in ("alexnet", "densenet121", "densenet161", "densenet169", "densenet201")},
    **{f"vgg{depth}{ending}": f"vgg{depth}{ending}" for depth in (11, 13, 16, 19) for ending in ("", "_bn")},
}


def weights(key, shape):
    """The numbers of one entry of a state_dict, by its name and shape."""
    generator = np.random.RandomState(zlib.crc32(key.encode()) & 0x7FFFFFFF)
    values = generator.uniform(-1, 1, shape).astype(np.float32)
    if len(shape) > 1:
        return values * np.float32(math.sqrt(6 / np.prod(shape[1:])))
    if key.endswith(("running_var", "weight")):
        return 1 + values / 2
    return values / 10


def images(name):
    size = 299 if name == "inceptionv3" else 224
    return np.random.RandomState(7).uniform(-2, 2, (1, 3, size, size)).astype(np.float32)
