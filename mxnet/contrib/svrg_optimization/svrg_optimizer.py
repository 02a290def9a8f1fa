"""The optimizer of ``SVRGModule``: another one, beside keys of a store that are just assigned to."""

from __future__ import annotations

import inspect
from typing import Any

from ...ndarray import NDArray
from ...optimizer import Optimizer, create, register

_BASE = frozenset(inspect.signature(Optimizer.__init__).parameters)


@register
class _AssignmentOptimizer(Optimizer):
    """Gives a parameter the value of its gradient."""

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        weight[:] = grad


@register
class _SVRGOptimizer(Optimizer):
    """Updates by ``default_optimizer``, an optimizer or its name with its arguments.

    Parameters whose name in ``param_idx2name`` has ``full`` in it hold gradients over all data: they become what is
    pushed.
    """

    def __init__(self, default_optimizer: Any, **kwargs: Any):
        super().__init__(**{key: value for key, value in kwargs.items() if key in _BASE})
        named = isinstance(default_optimizer, str)
        self.default_opt: Optimizer = create(default_optimizer, **kwargs) if named else default_optimizer
        self.aux_opt: Optimizer = _AssignmentOptimizer()

    def _of(self, index: Any) -> Optimizer:
        name = index if isinstance(index, str) else self.idx2name.get(index, "")
        return self.aux_opt if "full" in name else self.default_opt

    def set_learning_rate(self, lr: float) -> None:
        """Sets the learning rate of both."""
        super().set_learning_rate(lr)
        self.default_opt.set_learning_rate(lr)

    def create_state(self, index: object, weight: NDArray) -> Any:
        """The state of the optimizer that a parameter has."""
        return self._of(index).create_state(index, weight)

    def create_state_multi_precision(self, index: object, weight: NDArray) -> Any:
        """The state of the optimizer that a parameter has."""
        return self._of(index).create_state_multi_precision(index, weight)

    def update(self, index: object, weight: NDArray, grad: NDArray, state: object) -> None:
        """Updates a parameter, or assigns to it."""
        self._of(index).update(index, weight, grad, state)

    def update_multi_precision(self, index: object, weight: NDArray, grad: NDArray, state: object) -> None:
        """Updates a parameter, or assigns to it."""
        self._of(index).update_multi_precision(index, weight, grad, state)
