"""Numbers of 16 bits: operators that would round on their way compute in float32 and round once, on the CPU.

torch's kernels for float16 and bfloat16 add up in 16 bits in places (gradients of convolutions, most of all) and keep
rounded results for gradients. Without instructions for such numbers their products take 3 to 50 times as long as those
of float32, too. Where the processor has the instructions, oneDNN multiplies 16 bits and adds in 32: they stay,
unless they are convolutions or recurrent layers that get a gradient.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import torch

from .registry import find
from .types import Kernel

#: Operators that are products, for which processors have instructions.
PRODUCTS = """
    FullyConnected dot batch_dot khatri_rao
    _npi_matmul _np_dot _npi_tensordot _npi_tensordot_int_axes _npi_einsum
    _contrib_interleaved_matmul_selfatt_qk _contrib_interleaved_matmul_selfatt_valatt
    _contrib_interleaved_matmul_encdec_qk _contrib_interleaved_matmul_encdec_valatt
"""
#: Products whose gradients torch computes without these instructions.
PREDICTED = "Convolution Deconvolution RNN"
#: Other operators whose results or gradients come from several numbers.
OTHERS = """
    Correlation Pooling Pooling_v1 UpSampling Pad LRN InstanceNorm GroupNorm LayerNorm L2Normalization softmax
    log_softmax softmin SoftmaxActivation SoftmaxOutput softmax_cross_entropy LogisticRegressionOutput
    BilinearSampler GridGenerator SpatialTransformer im2col col2im ROIPooling _contrib_ROIAlign
    _contrib_RROIAlign _contrib_PSROIPooling _contrib_DeformablePSROIPooling _contrib_DeformableConvolution
    _contrib_ModulatedDeformableConvolution _contrib_AdaptiveAvgPooling2D _contrib_BilinearResize2D
    _contrib_hawkesll _contrib_box_iou _contrib_box_encode _contrib_box_decode prod nanprod
"""
_HALVES = (torch.float16, torch.bfloat16)
_Tensor, _float32 = torch.Tensor, torch.float32


def _find_native() -> frozenset[torch.dtype]:
    """Returns the types of 16 bits that this processor has instructions for, and oneDNN may use them."""
    allowed = os.environ.get("ONEDNN_MAX_CPU_ISA", os.environ.get("DNNL_MAX_CPU_ISA", "ALL")).upper()
    if not any(word in allowed for word in ("ALL", "DEFAULT", "BF16", "FP16", "AMX", "AVX10")):
        return frozenset()
    checks = {
        torch.bfloat16: ("_is_avx512_bf16_supported", "_is_amx_tile_supported"),
        torch.float16: ("_is_amx_fp16_supported",),
    }
    return frozenset(kind for kind, names in checks.items() if any(getattr(torch.cpu, name, bool)() for name in names))


#: The types of 16 bits that this processor multiplies by instructions of its own.
NATIVE = _find_native()


def round_once(kernel: Kernel, native: frozenset[torch.dtype] = frozenset(), gradient: bool = True) -> Kernel:
    """The kernel, which gets float16 and bfloat16 as float32; types that are ``native`` stay as they are.

    Without ``gradient`` they stay only where no input gets one.
    """

    @functools.wraps(kernel)
    def run(*values: Any, **attrs: Any) -> Any:
        kind = values[0].dtype
        if kind is _float32:
            return kernel(*values, **attrs)
        stay = native if native and (gradient or not _is_learnt(values)) else frozenset()
        if not _is_wanted(kind, values, attrs, stay):
            return kernel(*values, **attrs)
        found = kernel(*[_widen(v) for v in values], **attrs)
        if isinstance(found, _Tensor):
            return found.to(kind)
        return type(found)([each.to(kind) if each.dtype is _float32 else each for each in found])

    return run


def _round_head_once(rule: Callable) -> Callable:
    """The same for a rule that computes a loss and its gradient around autograd."""

    @functools.wraps(rule)
    def run(data: torch.Tensor, *others: Any, **attrs: Any) -> tuple[torch.Tensor, Callable[[], torch.Tensor]] | None:
        kind = data.dtype
        if not _is_wanted(kind, (data, *others), attrs, frozenset()):
            return rule(data, *others, **attrs)
        made = rule(*[_widen(v) for v in (data, *others)], **attrs)
        return made and (made[0].to(kind), lambda: made[1]().to(kind))

    return run


def _is_wanted(
    kind: torch.dtype, values: tuple[Any, ...], attrs: dict[str, Any], native: frozenset[torch.dtype]
) -> bool:
    """Are all floats of that type, on the CPU, and the result, too? Others are left to the kernel, which tells."""
    if kind not in _HALVES or kind in native or attrs.get("dtype") is not None or not values[0].is_cpu:
        return False
    each = [t for v in values for t in (v if type(v) is tuple else (v,))]  # weights may come in pieces
    return all(t.dtype is kind for t in each if isinstance(t, _Tensor) and t.is_floating_point())


def _is_learnt(values: tuple[Any, ...]) -> bool:
    return torch.is_grad_enabled() and any(isinstance(v, _Tensor) and v.requires_grad for v in values)


def _widen(value: Any) -> Any:
    if type(value) is tuple:
        return tuple([_widen(each) for each in value])
    return value.to(_float32) if isinstance(value, _Tensor) and value.dtype in _HALVES else value


def round_all_once() -> None:
    """Lets the operators in the tables compute in float32."""
    for names, native in ((PRODUCTS, NATIVE), (PREDICTED, NATIVE), (OTHERS, frozenset[torch.dtype]())):
        for name in names.split():
            op = find(name)
            assert op is not None, name
            op.kernel = round_once(op.kernel, native, gradient=names is not PREDICTED)
            if "loss_head" in op.rules:
                op.rules["loss_head"] = _round_head_once(op.rules["loss_head"])
