"""Samples of the likelihood of Hawkes processes. The original has a gradient for lda, alpha and beta only."""

import numpy as np

from .common import S, ints, rand


def hawkes(n=2, k=3, t=4, valid=(3, 4), dtype="float32", marks="int32", grad=(0, 1, 2), **kwargs):
    inputs = [
        rand(n, k, low=0.5, high=1.5),
        rand(k, low=0.2, high=0.6),
        rand(k, low=0.5, high=3),
        rand(n, k, low=0, seed=1),
        rand(n, t, low=0.1, high=0.8),
        ints(n, t, high=k).astype(marks),
        np.array(valid),
        np.full(n, 0.8 * t + 0.5),
    ]
    inputs = [a if i == 5 else a.astype(dtype) for i, a in enumerate(inputs)]
    return S("_contrib_hawkesll", *inputs, grad=grad, rtol=1e-4, atol=1e-5, numeric=False, **kwargs)


SAMPLES = [
    hawkes(),
    hawkes(dtype="float64"),
    hawkes(valid=(0, 2)),
    hawkes(n=3, k=1, t=9, valid=(9, 8, 1)),
    hawkes(n=1, k=5, t=1, valid=(1,)),
    hawkes(dtype="float16", grad=False, valid=(1, 2)),
    hawkes(marks="float32", error=True),
    hawkes(valid=(1, 2, 3), error=True),
]
SAMPLES[5].rtol = SAMPLES[5].atol = 1e-2
