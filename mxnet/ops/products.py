"""Products of matrices. On AMD processors large ones are computed by oneDNN instead of MKL.

torch multiplies by MKL, which on AMD's processors leaves AVX-512 unused: on an EPYC a product of (256, 768) by
(768, 1024) runs at 93 GFlop/s on one core, with oneDNN at 224. Where AVX2 is the best, oneDNN is up to 1.2 times as
fast. A call of oneDNN takes 10 microseconds longer, so small products stay with MKL. On other processors MKL is as fast
as oneDNN, and with a weight that it has packed up to twice as fast: ``pack`` is for weights that stay.

Which one is used depends on the processor and the shapes only: the same program gives the same numbers each time.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from typing import Any

import torch
from torch._C import _get_mkldnn_enabled

from .._core.tracing import is_traced

__all__ = [
    "FEWEST",
    "SMALLEST",
    "SMALLEST_PACKED",
    "is_large",
    "leaves_avx512_unused",
    "linear",
    "mm",
    "multiply",
    "multiply_packed",
    "pack",
    "uses_onednn",
    "wants_onednn",
]

#: Of matrices with fewer rows or columns MKL's products are as fast.
FEWEST = 4
_plain = torch.nn.functional.linear


def _find_smallest() -> float:
    """Returns how many multiplications make a product by oneDNN worthwhile on this processor; infinite if none do."""
    if not (torch.backends.mkldnn.is_available() and torch.backends.mkl.is_available() and _is_amd()):
        return float("inf")
    return 2.0**21 if leaves_avx512_unused() else 2.0**23


def leaves_avx512_unused() -> bool:
    """Does MKL compute with shorter vectors than this processor has?"""
    return "AVX512" in torch.backends.cpu.get_cpu_capability() and _is_amd()


def _is_amd() -> bool:
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            vendor = next((line for line in file if line.startswith("vendor_id")), "")
    else:
        vendor = platform.processor()
    return "AuthenticAMD" in vendor or "HygonGenuine" in vendor


def _find_smallest_packed() -> float:
    """Returns how many multiplications make a product by MKL faster if the weight is packed; infinite if none do."""
    if _is_amd() or not torch.backends.mkl.is_available():
        return float("inf")
    try:
        ones = torch.ones(4, 4)
        packed = torch.ops.mkl._mkl_reorder_linear_weight(ones, 4)
        same = bool((torch.ops.mkl._mkl_linear(ones, packed, ones, ones[0], 4) == 5).all())
    except (AttributeError, RuntimeError, TypeError):
        return float("inf")  # torch has these calls for its own compiler, under names that may change
    return 2.0**17 if same else float("inf")


#: How many multiplications make a product by oneDNN worthwhile on this processor.
SMALLEST = _find_smallest()
#: How many make one by MKL worthwhile that has packed the weight.
SMALLEST_PACKED = _find_smallest_packed()
#: A product that is worthwhile has matrices with at least this product of their sizes: it sums over 4 or more.
_SMALLEST_SIZES = FEWEST * SMALLEST


def uses_onednn() -> bool:
    """Are there products that oneDNN computes on this processor?"""
    return SMALLEST < float("inf")


def is_large(rows: int, inner: int, columns: int) -> bool:
    """Is a product of matrices of these sizes one that oneDNN computes faster?"""
    return rows * inner * columns >= SMALLEST and min(rows, inner, columns) >= FEWEST


def _is_ours(a: torch.Tensor, b: torch.Tensor) -> bool:
    """May oneDNN multiply these, and are they large? While torch traces, sizes may be symbols and are not compared."""
    return (
        not is_traced()
        and a.numel() * b.numel() >= _SMALLEST_SIZES
        and a.dtype is torch.float32
        and b.dtype is torch.float32
        and a.is_cpu
        and b.is_cpu
        and _get_mkldnn_enabled()
    )


def _for_onednn(matrix: torch.Tensor) -> torch.Tensor:
    """The matrix, copied if it is neither row- nor column-major: oneDNN knows no steps of 0 and no gaps between."""
    (rows, columns), (down, across) = matrix.shape, matrix.stride()
    if (across == 1 and down >= columns) or (down == 1 and across >= rows):
        return matrix
    return matrix.contiguous()


def _weight_for_onednn(weight: torch.Tensor) -> torch.Tensor:
    """The weight, copied if it has gaps: for those oneDNN has its reference code only, a thousand times slower."""
    return weight if weight.is_contiguous() or weight.t().is_contiguous() else weight.contiguous()


def multiply(
    data: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    activation: str = "none",
    numbers: Sequence[float] = (),
) -> torch.Tensor:
    """An activation of ``data @ weight.T + bias`` by oneDNN, without a gradient; it may have packed the weight."""
    if weight.layout is torch.strided:
        weight = _weight_for_onednn(weight)
    algorithm = "none" if activation == "gelu" else ""
    call = torch.ops.mkldnn._linear_pointwise.default
    return call(_for_onednn(data), weight, bias, activation, list(numbers), algorithm)


def pack(weight: torch.Tensor, rows: int) -> torch.Tensor:
    """The weight as MKL wants it for data of so many rows."""
    return torch.ops.mkl._mkl_reorder_linear_weight(weight.detach().contiguous(), rows)


def multiply_packed(
    data: torch.Tensor, packed: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None
) -> torch.Tensor:
    """``data @ weight.T + bias`` of matrices by MKL, without a gradient; ``pack`` has made ``packed`` of the weight."""
    return torch.ops.mkl._mkl_linear.default(data, packed, weight, bias, data.shape[0])


class _Linear(torch.autograd.Function):
    """``data @ weight.T + bias`` of matrices; gradients are such products, too, and can be differentiated."""

    @staticmethod
    def forward(ctx: Any, data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
        ctx.save_for_backward(data, weight)
        return multiply(data, weight, bias)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:  # type: ignore[override]
        data, weight = ctx.saved_tensors
        wanted = ctx.needs_input_grad
        by_data = _product(grad, weight.t()) if wanted[0] else None
        by_weight = _product(grad.t(), data.t()) if wanted[1] else None
        return by_data, by_weight, grad.sum(0) if wanted[2] else None


def _product(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """``data @ weight.T + bias`` of matrices, as large as oneDNN wants them or not."""
    (rows, inner), columns = data.shape, weight.shape[0]
    if not is_large(rows, inner, columns):
        return _plain(data, weight, bias)
    if torch.is_grad_enabled() and (
        data.requires_grad or weight.requires_grad or (bias is not None and bias.requires_grad)
    ):
        return _Linear.apply(data, weight, bias)
    return multiply(data, weight, bias)


def wants_onednn(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> bool:
    """Is ``data @ weight.T + bias`` over the last dimension of ``data`` a product for oneDNN? If it is one at all."""
    if not _is_ours(data, weight):
        return False
    columns, inner = weight.shape
    if data.shape[-1] != inner:
        return False
    return bias is None or (bias.dtype is torch.float32 and bias.is_contiguous() and bias.shape == (columns,))


def linear(data: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """``data @ weight.T + bias`` over the last dimension of ``data``; ``weight`` is a matrix."""
    if not wants_onednn(data, weight, bias):
        return _plain(data, weight, bias)
    columns, inner = weight.shape
    if data.dim() == 2:
        return _product(data, weight, bias)
    return _product(data.reshape(-1, inner), weight, bias).view(*data.shape[:-1], columns)


def mm(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """``a @ b`` of two matrices, as ``torch.mm``."""
    if not _is_ours(a, b) or a.shape[1] != b.shape[0]:
        return torch.mm(a, b)
    return _product(a, b.t())
