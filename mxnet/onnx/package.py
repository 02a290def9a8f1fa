"""What export and import share: the package onnx, loaded when it is first needed, and its types."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import torch

from .._core.dtypes import NAME_OF, NUMPY_OF
from ..error import MXNetTypeError

#: The oldest opset that models are written for.
OLDEST_OPSET = 13
#: The opset that is written if none is asked for: read by every runtime that is still in use.
DEFAULT_OPSET = 17
#: The newest opset that the converters were checked against.
NEWEST_OPSET = 26


def load_onnx() -> ModuleType:
    """The package onnx; ImportError says how to get it."""
    try:
        import onnx
        import onnx.shape_inference
    except ImportError as error:
        raise ImportError(f"this needs the package onnx: pip install onnx ({error})") from error
    return onnx


def numpy_type(dtype: torch.dtype) -> np.dtype:
    """The NumPy type in which arrays of a dtype are handed to onnx."""
    if dtype is torch.bfloat16:
        import ml_dtypes  # comes with onnx

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(NUMPY_OF[dtype])


def to_numpy(tensor: torch.Tensor) -> np.ndarray:
    """A tensor as an array for onnx, C-ordered."""
    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype is torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(numpy_type(torch.bfloat16))
    return tensor.numpy()


def tensor_type(dtype: torch.dtype) -> int:
    """The number of a dtype in ONNX files."""
    return int(load_onnx().helper.np_dtype_to_tensor_dtype(numpy_type(dtype)))


_CODES = {
    1: torch.float32,
    2: torch.uint8,
    3: torch.int8,
    6: torch.int32,
    7: torch.int64,
    9: torch.bool,
    10: torch.float16,
    11: torch.float64,
    16: torch.bfloat16,
}
#: What has no dtype here, with one that holds all its numbers.
_WIDER = {4: torch.int32, 5: torch.int32, 12: torch.int64}


def torch_type(code: int, what: str) -> torch.dtype:
    """The dtype that holds the numbers of an ONNX type; an error names ``what`` has another."""
    found = _CODES.get(code) or _WIDER.get(code)
    if found is None:
        names = load_onnx().TensorProto.DataType
        name = names.Name(code).lower() if code in names.values() else f"type {code}"
        raise MXNetTypeError(f"{what} is {name}; MXNet has {', '.join(NAME_OF.values())}")
    return found


def plain(value: object) -> Any:
    """Lists and NumPy numbers as Python has them, for attributes."""
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value
