"""Activation functions as layers."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ... import initializer
from ..._core.types import Array
from ..hybrid_block import HybridBlock
from ..utils import MXNetAssertionError

__all__ = ["Activation", "ELU", "GELU", "LeakyReLU", "PReLU", "SELU", "Swish"]


class Activation(HybridBlock):
    """``relu``, ``sigmoid``, ``tanh``, ``softrelu`` or ``softsign`` of each element.

    >>> gluon.nn.Activation("relu")(nd.array([-1, 2]))
    [0. 2.]
    <NDArray 2 @cpu(0)>
    """

    def __init__(self, activation: str, **kwargs: Any):
        self._act_type = activation
        super().__init__(**kwargs)

    def _alias(self) -> str:
        return self._act_type

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The activation of x."""
        return F.Activation(x, act_type=self._act_type, name="fwd")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._act_type})"


class LeakyReLU(HybridBlock):
    """``x`` where positive, else ``alpha * x``.

    >>> gluon.nn.LeakyReLU(0.1)(nd.array([-1, 2]))
    [-0.1  2. ]
    <NDArray 2 @cpu(0)>
    """

    def __init__(self, alpha: float, **kwargs: Any):
        if alpha < 0:
            raise MXNetAssertionError("Slope coefficient for LeakyReLU must be no less than 0.")
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The activation of x."""
        return F.LeakyReLU(x, act_type="leaky", slope=self._alpha, name="fwd")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._alpha})"


class PReLU(HybridBlock):
    """``x`` where positive, else ``alpha * x`` with a learned alpha, one for all or one for each channel."""

    def __init__(
        self,
        alpha_initializer: Any = initializer.Constant(0.25),  # noqa: B008  (the original's signature)
        in_channels: int = 1,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        with self.name_scope():
            self.alpha = self.params.get("alpha", shape=(in_channels,), init=alpha_initializer)

    def hybrid_forward(self, F: ModuleType, x: Array, alpha: Array) -> Array:
        """The activation of x."""
        return F.LeakyReLU(x, gamma=alpha, act_type="prelu", name="fwd")


class ELU(HybridBlock):
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""

    def __init__(self, alpha: float = 1.0, **kwargs: Any):
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The activation of x."""
        return F.LeakyReLU(x, act_type="elu", slope=self._alpha)


class SELU(HybridBlock):
    """The self-normalizing ELU (Klambauer et al., 2017)."""

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The activation of x."""
        return F.LeakyReLU(x, act_type="selu", name="fwd")


class GELU(HybridBlock):
    """``x`` times the normal distribution function of x."""

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The activation of x."""
        return F.LeakyReLU(x, act_type="gelu", name="fwd")


class Swish(HybridBlock):
    """``x * sigmoid(beta * x)``."""

    def __init__(self, beta: float = 1.0, **kwargs: Any):
        super().__init__(**kwargs)
        self._beta = beta

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The activation of x."""
        return x * F.sigmoid(self._beta * x, name="fwd")
