"""What all families share: features and output, loading of trained weights, functions that fix a family's arguments."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from ...._core.signature import takes
from ...._core.types import Array
from ....context import Context, cpu
from ...hybrid_block import HybridBlock
from ..model_store import MODELS, TORCHVISION, get_model_file

__all__ = ["MODELS", "Network", "loads", "variant", "with_weights"]


class Network(HybridBlock):
    """``features`` of images, and an ``output`` that makes scores of classes out of them."""

    features: Any
    output: Any

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """Scores of the classes for images of shape (batch, 3, height, width)."""
        return self.output(self.features(x))


def with_weights(
    make: Callable[..., Any],
    name: str,
    pretrained: bool = False,
    ctx: Context = cpu(),  # noqa: B008
    root: str = MODELS,
    **kwargs: Any,
) -> Any:
    """The network that ``make(**kwargs)`` gives, with the published weights of that name if ``pretrained``."""
    net = make(**kwargs)
    if pretrained:
        path = get_model_file(name, root=root)
        if path.endswith(TORCHVISION):
            from ..torchvision import adapt

            adapt(net, name)
        net.load_parameters(path, ctx=ctx)
    return net


#: Decorator of what passes its arguments on to ``with_weights``.
loads = takes(with_weights, without=("make", "name"))


def variant(name: str, what: str, get: Callable[..., HybridBlock], *fixed: object, **options: object) -> Any:
    """A constructor ``name(**kwargs)`` that calls a family's ``get`` with its first arguments fixed."""

    def construct(**kwargs: object) -> HybridBlock:
        return get(*fixed, **{**kwargs, **options})

    construct.__name__ = construct.__qualname__ = name
    construct.__module__ = get.__module__
    construct.__doc__ = f"""{what}

    ``classes`` is the number of outputs, 1000 by default. With ``pretrained`` the weights trained on ImageNet are
    loaded from the directory ``root``, or downloaded to it, into the context ``ctx``. ``prefix`` and ``params`` are
    those of every block; other arguments go to ``{get.__name__}``.
    """
    return construct
