"""Elementwise operators: unary, binary, broadcasting, with a scalar, comparing and logical.

They come in families; one more operator is one more line in a table.
"""

from collections.abc import Callable
from typing import Any

import torch

from .infer import broadcast_back, same_shapes
from .registry import OpDef, register

TensorFunction = Callable[..., torch.Tensor]


def _check_dtypes(lhs: torch.Tensor, rhs: torch.Tensor) -> None:
    if lhs.dtype is not rhs.dtype:
        raise TypeError("both inputs must have the same dtype; convert one of them with astype()")


def broadcast(name: str, function: TensorFunction, aliases: tuple[str, ...] = (), doc: str = "", **facts: Any) -> OpDef:
    """A binary operator that broadcasts dimensions of size 1."""

    def kernel(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
        _check_dtypes(lhs, rhs)
        return function(lhs, rhs)

    opdef = register(name, kernel, aliases=aliases, doc=doc, **facts)
    opdef.infer_back(broadcast_back)
    return opdef


def elemwise(name: str, function: TensorFunction, aliases: tuple[str, ...] = (), doc: str = "") -> OpDef:
    """A binary operator on two arrays of one shape."""

    def kernel(lhs: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
        _check_dtypes(lhs, rhs)
        if lhs.shape != rhs.shape:
            raise ValueError("both inputs must have the same shape; the broadcast_ operators combine different ones")
        return function(lhs, rhs)

    opdef = register(name, kernel, aliases=aliases, doc=doc)
    opdef.infer_back(same_shapes)
    return opdef


def scalar(name: str, function: TensorFunction, aliases: tuple[str, ...] = (), doc: str = "", **facts: Any) -> OpDef:
    """An operator on an array and a number; the number takes the array's dtype."""

    def kernel(data: torch.Tensor, *, scalar: float = 1.0, is_int: bool = True) -> torch.Tensor:
        return function(data, scalar if data.is_floating_point() else int(scalar))

    opdef = register(name, kernel, aliases=aliases, doc=doc, **facts)
    opdef.infer_back(same_shapes)
    return opdef


def unary(name: str, function: TensorFunction, aliases: tuple[str, ...] = (), doc: str = "", **facts: Any) -> OpDef:
    """An operator on each element of one array."""
    opdef = register(name, function, aliases=aliases, inputs=("data",), doc=doc, **facts)
    opdef.infer_back(same_shapes)
    return opdef


broadcast("broadcast_add", torch.add, ("broadcast_plus",), "Adds two arrays, broadcasting.", direct=torch.add)
broadcast("broadcast_sub", torch.sub, ("broadcast_minus",), "Subtracts two arrays, broadcasting.", direct=torch.sub)
broadcast("broadcast_mul", torch.mul, (), "Multiplies two arrays, broadcasting.", direct=torch.mul)
broadcast("broadcast_div", torch.div, (), "Divides two arrays, broadcasting.")
broadcast("broadcast_mod", torch.remainder, (), "The remainder of dividing two arrays, broadcasting.")
broadcast("broadcast_power", torch.pow, (), "The first array to the power of the second, broadcasting.")
for _name, _function in [
    ("equal", torch.eq),
    ("not_equal", torch.ne),
    ("greater", torch.gt),
    ("greater_equal", torch.ge),
    ("lesser", torch.lt),
    ("lesser_equal", torch.le),
]:
    broadcast(f"broadcast_{_name}", lambda a, b, f=_function: f(a, b).to(a.dtype))
    scalar(f"_{_name}_scalar", lambda a, b, f=_function: f(a, b).to(a.dtype))
scalar("_plus_scalar", torch.add, ("_PlusScalar",), "Adds a number to each element.", direct=torch.add)
scalar("_minus_scalar", torch.sub, ("_MinusScalar",), "Subtracts a number from each element.", direct=torch.sub)
scalar("_rminus_scalar", torch.rsub, ("_RMinusScalar",), "Subtracts each element from a number.")
scalar("_mul_scalar", torch.mul, ("_MulScalar",), "Multiplies each element by a number.", direct=torch.mul)
scalar("_div_scalar", torch.div, ("_DivScalar",), "Divides each element by a number.", direct=torch.div)
scalar("_rdiv_scalar", lambda a, b: b / a, ("_RDivScalar",), "Divides a number by each element.")
scalar("_mod_scalar", torch.remainder, ("_ModScalar",), "The remainder of dividing by a number.")
scalar("_rmod_scalar", lambda a, b: torch.remainder(b, a), ("_RModScalar",), "A number's remainder.")
scalar("_power_scalar", torch.pow, ("_PowerScalar",), "Each element to the power of a number.")
scalar("_rpower_scalar", lambda a, b: torch.pow(b, a), ("_RPowerScalar",), "A number to the power of each element.")
