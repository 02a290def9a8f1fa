"""Arrays that the original saved to golden/params; read by record_params.py and by the tests."""

import struct

import numpy as np


def _values(shape, dtype, low=-5):
    size = int(np.prod(shape))
    start = 0 if dtype in ("uint8", "bool") else low
    return (np.arange(start, start + size) * (0.5 if dtype.startswith("float") else 1)).reshape(shape).astype(dtype)


def _array(mx, shape, dtype="float32", ctx=None):
    return mx.nd.array(_values(shape, dtype), dtype=dtype, ctx=ctx)


DTYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")

# file name: (made in np-shape mode, function that makes what is saved)
DENSE = {
    "list": (False, lambda mx: [_array(mx, (2, 3)), _array(mx, (4,), "int32")]),
    "dict": (
        False,
        lambda mx: {
            "arg:fc1_weight": _array(mx, (3, 2)),
            "aux:bn_mean": _array(mx, (5,)),
            "ключ": _array(mx, (1, 1, 1)),
        },
    ),
    "single": (False, lambda mx: _array(mx, (3,))),
    "empty_list": (False, lambda mx: []),
    "empty_dict": (False, lambda mx: {}),
    "dtypes": (False, lambda mx: {d: _array(mx, (3,), d) for d in DTYPES}),
    "no_elements": (False, lambda mx: [mx.nd.array(np.zeros((0, 3))), _array(mx, (2,))]),
    "contexts": (
        False,
        lambda mx: [_array(mx, (2,), ctx=c) for c in (mx.cpu(1), mx.cpu_pinned(), mx.Context("cpu_shared"))],
    ),
    "np_shape": (
        True,
        lambda mx: {
            "scalar": mx.nd.array(np.float32(7.5)),
            "none": mx.nd.array(np.zeros((2, 0))),
            "some": _array(mx, (2, 2)),
        },
    ),
}


def make(mx, name):
    """The arrays of a file."""
    np_shape, function = DENSE[name]
    with mx.np_shape(np_shape):
        return function(mx)


def save(mx, name, path):
    """Saves the arrays of a file."""
    with mx.np_shape(DENSE[name][0]):
        mx.nd.save(str(path), DENSE[name][1](mx))


# Sparse arrays: what the file holds, as dense ones.
SPARSE = {
    "row_sparse": np.array([[1, 1, 1], [0, 0, 0], [2, 2, 2], [0, 0, 0]], dtype="float64"),
    "csr": np.array([[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 0]], dtype="float64"),
    "row_sparse_zeros": np.zeros((4, 3), dtype="float32"),
    "csr_zeros": np.zeros((4, 3), dtype="float32"),
}

V1_MAGIC = 0xF993FAC8
OLD_VALUES = {"fc_weight": _values((2, 3), "float32"), "fc_bias": _values((4,), "int32")}
FLAGS = {"float32": 0, "int32": 4}


def old_file(version):
    """The bytes of a file as MXNet 0.8 (version 0) or 0.12 (version 1) wrote it."""
    arrays = b""
    for value in OLD_VALUES.values():
        if version == 1:
            arrays += struct.pack("<II%dq" % value.ndim, V1_MAGIC, value.ndim, *value.shape)
        else:
            arrays += struct.pack("<I%dI" % value.ndim, value.ndim, *value.shape)
        arrays += struct.pack("<iii", 1, 0, FLAGS[value.dtype.name]) + value.tobytes()
    names = b"".join(struct.pack("<Q", len(n)) + n.encode() for n in OLD_VALUES)
    return struct.pack("<QQQ", 0x112, 0, len(OLD_VALUES)) + arrays + struct.pack("<Q", len(OLD_VALUES)) + names
