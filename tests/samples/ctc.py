"""Samples of the CTC loss. The original takes float32 only, and needs lengths as float32."""

import numpy as np

from .common import S, rand


def ctc(data, label, *lengths, **kwargs):
    arrays = [a if a is None else np.array(a, "float32") for a in (label, *lengths)]
    kwargs.setdefault("grad", (0,))
    return S("CTCLoss", data, *arrays, rtol=1e-4, atol=1e-5, **kwargs)


X = rand(6, 2, 4, low=-2, high=2)
FIRST, LAST, LABEL = [[1, 2, 0], [2, 2, 1]], [[1, 0, -1], [2, 2, 1]], [[1, 2, 3], [2, 2, 1]]


def _without(step, klass):
    data = X.copy()
    data[step, 0, klass] = -np.inf
    return data


SAMPLES = [
    ctc(X, FIRST),
    ctc(X, LAST, blank_label="last"),
    ctc(X, [[0, 0, 0], [3, 2, 1]]),
    ctc(X, [[1, 0, 2], [3, 0, 0]]),
    ctc(X, LABEL, None, [2, 3], use_label_lengths=True),
    ctc(X, LABEL, [2, 3], use_label_lengths=True),
    ctc(X, [[1, 2, 0], [2, 2, 1]], None, [2, 1], use_label_lengths=True, blank_label="last"),
    ctc(X, FIRST, [4, 6], use_data_lengths=True),
    ctc(X, FIRST, [0, 6], use_data_lengths=True, numeric=False),
    ctc(X, LABEL, [3, 6], [2, 3], use_data_lengths=True, use_label_lengths=True, blank_label="first"),
    ctc(X[:3], [[1, 1, 1], [2, 2, 1]], grad=False),
    ctc(rand(20, 3, 7, low=-3, high=3), [[1, 2, 3, 4, 5, 6], [1, 1, 1, 0, 0, 0], [6, 0, 0, 0, 0, 0]]),
    S("CTCLoss", X, np.array(FIRST, "int32"), grad=(0,), rtol=1e-4, atol=1e-5),
    S("ctc_loss", X, np.array(FIRST, "float32"), grad=(0,), rtol=1e-4, atol=1e-5),
    S("_contrib_ctc_loss", X, np.array(FIRST, "float32"), grad=(0,), rtol=1e-4, atol=1e-5),
    ctc(X[:, 0], FIRST, error=True),
    ctc(X, [1, 2], error=True),
    ctc(X, [[1, 2]], error=True),
    ctc(X[:2], FIRST, error=True),
    ctc(X, FIRST, [4, 6], error=True),
    ctc(X, LABEL, None, [2, 3, 1], use_label_lengths=True, error=True),
    # classes that cannot be, at one step, and at all steps with and without another path
    *[ctc(_without(step, k), FIRST, numeric=False) for step, k in ((2, 1), (slice(None), 1), (slice(None), 0))],
]
