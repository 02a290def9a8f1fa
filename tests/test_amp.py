"""The loss scaler of mixed precision, and what the rest of ``mx.contrib.amp`` answers."""

import math

import pytest

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.contrib import amp


def test_the_scale_follows_overflows():
    scaler = amp.loss_scaler.LossScaler()
    scaler._scale_seq_len = 3
    weight = gluon.Parameter("weight", shape=(2,))
    weight.initialize()
    seen = []
    for factor in (1, 1, math.inf, 1, 1, 1, 1, 1, 1, 1, math.nan, 1):
        with autograd.record():
            loss = (weight.data() * factor).sum()
        loss.backward()
        seen.append((scaler.has_overflow([weight]), scaler.loss_scale / 2**15))
    # As the original gives them for the same gradients.
    scales = [2, 2, 2, 1, 1, 1, 2, 2, 2, 4, 4, 2]
    assert seen == [(i in (2, 10), scale) for i, scale in enumerate(scales)]


def test_what_is_missing_says_so():
    assert amp.amp._amp_initialized is False
    with pytest.raises(NotImplementedError, match=r"amp\.init is not part of this release"):
        amp.init()
    assert mx.contrib.amp is amp
