"""The first interface to autograd, before ``mx.autograd``: training and recording were one switch then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from .. import autograd as _autograd
from ..autograd import mark_variables
from ..error import MXNetAssertionError
from ..ndarray import NDArray, zeros_like

__all__ = [
    "TrainingStateScope",
    "backward",
    "compute_gradient",
    "grad",
    "grad_and_loss",
    "mark_variables",
    "set_is_training",
    "test_section",
    "train_section",
]


def set_is_training(is_train: bool) -> bool:
    """Switches recording and training on or off, and returns whether training was on before."""
    _autograd.set_recording(is_train)
    return _autograd.set_training(is_train)


class TrainingStateScope:
    """``with TrainingStateScope(True):`` switches recording and training for a block."""

    def __init__(self, enter_state: bool) -> None:
        self._scope = _autograd.record() if enter_state else _autograd.pause()

    def __enter__(self) -> None:
        self._scope.__enter__()

    def __exit__(self, *exception: Any) -> None:
        self._scope.__exit__(*exception)


def train_section() -> TrainingStateScope:
    """``with train_section():`` records, as ``mx.autograd.record()`` does."""
    return TrainingStateScope(True)


def test_section() -> TrainingStateScope:
    """``with test_section():`` does not record, inside of ``train_section()``."""
    return TrainingStateScope(False)


test_section.__test__ = False  # type: ignore[attr-defined]  # pytest: no test


def backward(outputs: Sequence[NDArray], out_grads: object = None, retain_graph: bool = False) -> None:
    """Differentiates a list of outputs with respect to all variables."""
    if not isinstance(outputs, list | tuple):
        raise MXNetAssertionError("outputs must be a list or tuple of NDArrays")
    _autograd.backward(outputs, out_grads, retain_graph)


def compute_gradient(outputs: Sequence[NDArray]) -> None:
    """The old name of ``backward``."""
    backward(outputs)


def grad_and_loss(func: Callable[..., Any], argnum: int | Sequence[int] | None = None) -> Callable[..., Any]:
    """A function that returns the gradients of ``func`` by its arguments (or by some of them) and what it returned."""

    @wraps(func)
    def wrapper(*args: Any) -> tuple[list[NDArray], Any]:
        chosen = range(len(args)) if argnum is None else [argnum] if isinstance(argnum, int) else argnum
        variables = [args[i] for i in chosen]
        if not all(isinstance(variable, NDArray) for variable in variables):
            raise MXNetAssertionError("type of autograd input should NDArray.")
        gradients = [zeros_like(variable) for variable in variables]
        mark_variables(variables, gradients)
        with train_section():
            outputs = func(*args)
        compute_gradient([outputs] if isinstance(outputs, NDArray) else outputs)
        return gradients, outputs

    return wrapper


def grad(func: Callable[..., Any], argnum: int | Sequence[int] | None = None) -> Callable[..., list[NDArray]]:
    """A function that returns the list of gradients of ``func`` by its arguments, or by those that ``argnum`` names."""
    both = grad_and_loss(func, argnum)

    @wraps(both)
    def wrapper(*args: Any) -> list[NDArray]:
        return both(*args)[0]

    return wrapper
