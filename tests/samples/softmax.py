"""softmax and its relatives."""

import numpy as np

from .common import S, rand

half = dict(rtol=1e-2, atol=1e-3, numeric=False)
x = rand(2, 3, 4, low=-3, high=3)
length = np.array([[1, 4, 2], [3, 3, 1]], "int32")
columns = np.array([[2, 1, 2, 2], [1, 1, 2, 1], [2, 2, 1, 1]], "int64")
infinite = np.array([[-np.inf, 1.0, 2.0], [0.0, -np.inf, 1.0]], "float32")

SAMPLES = [
    S(op, *inputs, **attrs)
    for op in ("softmax", "softmin", "log_softmax")
    for inputs, attrs in [
        ([x], dict(rtol=1e-4, atol=1e-5)),
        ([x], dict(axis=1)),
        ([x], dict(axis=-3)),
        ([x], dict(temperature=2.5)),
        ([x], dict(axis=0, temperature=0.3, rtol=1e-4, atol=1e-5)),
        ([x[0, 0]], {}),
        ([x * 100], dict(rtol=1e-4, atol=1e-5)),
        ([x], dict(dtype="float64")),
        ([x.astype("float64")], {}),
        ([x.astype("float64")], dict(dtype="float32", numeric=False)),
        ([x.astype("float16")], half),
        ([x.astype("float16")], dict(dtype="float32", **half)),
        ([x], dict(dtype="float16", **half)),
        ([x], dict(axis=3, error=True)),
        ([x], dict(axis=-4, error=True)),
        ([x], dict(dtype="int32", error=True)),
        ([x.astype("int32")], dict(error=True)),
        ([x], dict(use_length=True, error=True)),
    ]
] + [
    S("softmax", infinite, grad=False),
    S("log_softmax", infinite, grad=False),
    S("softmax", x, length, use_length=True),
    S("softmax", x, columns.T.copy().reshape(4, 3).T.copy(), use_length=True, axis=0),
    S("softmax", x, length, use_length=True, temperature=0.5, dtype="float64"),
    S("softmax", x.astype("float16"), length.astype("int64"), use_length=True, **half),
    S("softmax", x, length.astype("float32"), use_length=True, error=True),
    S("softmax", x, length[:, :2].copy(), use_length=True, error=True),
    S("softmax", x, length, error=True),
    S("SoftmaxActivation", x[0]),
    S("SoftmaxActivation", x, grad=False),  # the original's gradient does not fit its result here
    S("SoftmaxActivation", rand(2, 3, 2, 2), mode="channel"),
    S("SoftmaxActivation", x, mode="channel"),
    S("SoftmaxActivation", x[0], mode="channel", error=True),
    S("SoftmaxActivation", x, mode="spatial", error=True),
    S("softmax_cross_entropy", x[0], np.array([1, 3, 0], "float32"), grad=(0,)),
    S("softmax_cross_entropy", x[0].astype("float64"), np.array([1, 3, 0], "float64"), grad=(0,)),
    S("softmax_cross_entropy", x[0] * 10, np.array([1.7, 0.2, 3.0], "float32"), grad=(0,), numeric=False),
    S("softmax_cross_entropy", x, np.array([1, 3], "float32"), error=True),
    S("softmax_cross_entropy", x[0], np.array([1, 3], "float32"), error=True),
    S("softmax_cross_entropy", x[0], np.array([1, 3, 0], "int32"), error=True),
]
