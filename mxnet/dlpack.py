"""The C structures of DLPack, for code that reads capsules with ctypes. Everybody else uses ``mx.nd.from_dlpack``."""

from __future__ import annotations

import ctypes
from typing import ClassVar

__all__ = ["DLContext", "DLDataType", "DLManagedTensor", "DLTensor"]


class DLContext(ctypes.Structure):
    """A device: its type (1 CPU, 2 CUDA, 3 pinned memory) and number."""

    __module__ = "mxnet.ndarray.ndarray"

    _fields_ = (("device_type", ctypes.c_int), ("device_id", ctypes.c_int))


class DLDataType(ctypes.Structure):
    """A data type: kind (0 int, 1 uint, 2 float, 6 bool), bits and lanes."""

    __module__ = "mxnet.ndarray.ndarray"

    _fields_ = (("type_code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))
    TYPE_MAP: ClassVar[dict[str, tuple[int, int, int]]] = {
        "int32": (0, 32, 1),
        "int64": (0, 64, 1),
        "int8": (0, 8, 1),
        "uint8": (1, 8, 1),
        "bool": (1, 1, 1),
        "float16": (2, 16, 1),
        "float32": (2, 32, 1),
        "float64": (2, 64, 1),
    }


class DLTensor(ctypes.Structure):
    """A tensor in memory that somebody else owns."""

    __module__ = "mxnet.ndarray.ndarray"

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("ctx", DLContext),
        ("ndim", ctypes.c_int),
        ("dtype", DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class DLManagedTensor(ctypes.Structure):
    """A tensor with the function that frees it."""

    __module__ = "mxnet.ndarray.ndarray"


DLManagedTensor._fields_ = (
    ("dl_tensor", DLTensor),
    ("manager_ctx", ctypes.c_void_p),
    ("deleter", ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor))),
)
