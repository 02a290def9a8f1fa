"""Networks that recognize images. Each has ``features`` and ``output``; its constructor takes ``classes``,
``pretrained``, ``ctx`` and ``root``.

    net = mx.gluon.model_zoo.vision.resnet18_v1(classes=10)
    net.initialize()
"""

from __future__ import annotations

import difflib
from typing import Any

from ....error import MXNetValueError
from ...hybrid_block import HybridBlock
from ..model_store import _model_sha1
from . import densenet, inception, mobilenet, resnet, squeezenet, vgg
from ._common import Network as _Network
from .alexnet import *  # noqa: F403
from .densenet import *  # noqa: F403
from .inception import *  # noqa: F403
from .mobilenet import *  # noqa: F403
from .resnet import *  # noqa: F403
from .squeezenet import *  # noqa: F403
from .vgg import *  # noqa: F403

# Constructors by the names of their published weights.
_MODELS = {
    name: globals()[name.replace(".", "_").replace("netv2", "net_v2").replace("inceptionv3", "inception_v3")]
    for name in sorted(_model_sha1)
}


def get_model(name: str, **kwargs: object) -> _Network:
    """A network by its name, e.g. "resnet50_v1", "mobilenetv2_0.75" or "inceptionv3".

    ``classes`` is the number of outputs. With ``pretrained`` the weights trained on ImageNet are loaded from the
    directory ``root``, or downloaded to it, into the context ``ctx``.

    >>> net = gluon.model_zoo.vision.get_model("resnet18_v1", classes=10)
    >>> net.initialize()
    >>> net(nd.ones((1, 3, 32, 32))).shape
    (1, 10)
    """
    name = name.lower()
    if name not in _MODELS:
        near = difflib.get_close_matches(name, _MODELS, 3)
        meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise MXNetValueError(f"Model {name} is not supported.{meant} Available options are {', '.join(_MODELS)}")
    return _MODELS[name](**kwargs)
