# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.ndarray.ndarray import NDArray
from typing import Any, overload

@overload
def add(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_add``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def add(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_add``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def add(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_add``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def divide(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_div``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def divide(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_div``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def divide(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_div``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def equal(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def equal(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def equal(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def greater(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_greater``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def greater(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_greater``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def greater(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_greater``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def greater_equal(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_greater_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def greater_equal(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_greater_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def greater_equal(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_greater_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def lesser(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_lesser``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def lesser(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_lesser``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def lesser(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_lesser``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def lesser_equal(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_lesser_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def lesser_equal(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_lesser_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def lesser_equal(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_lesser_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_and(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_logical_and``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_and(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_logical_and``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_and(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_logical_and``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_or(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_logical_or``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_or(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_logical_or``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_or(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_logical_or``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_xor(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_logical_xor``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_xor(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_logical_xor``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def logical_xor(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_logical_xor``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def maximum(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_maximum``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def maximum(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_maximum``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def maximum(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_maximum``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def minimum(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_minimum``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def minimum(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_minimum``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def minimum(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_minimum``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def modulo(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_mod``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def modulo(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_mod``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def modulo(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_mod``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def multiply(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_mul``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def multiply(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_mul``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def multiply(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_mul``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def not_equal(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_not_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def not_equal(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_not_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def not_equal(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_not_equal``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def subtract(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_sub``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def subtract(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_sub``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def subtract(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_sub``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def true_divide(lhs: NDArray, rhs: Any) -> NDArray:
    """The operator ``broadcast_div``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def true_divide(lhs: Any, rhs: NDArray) -> NDArray:
    """The operator ``broadcast_div``, for arrays and numbers on either side. Two numbers give a number."""
@overload
def true_divide(lhs: Any, rhs: Any) -> Any:
    """The operator ``broadcast_div``, for arrays and numbers on either side. Two numbers give a number."""
