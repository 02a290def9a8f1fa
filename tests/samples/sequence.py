"""Samples of operators on batches of sequences of different lengths."""

import numpy as np

from .common import S, ints, rand

X = rand(4, 3, 2)
LENGTHS = np.array([1, 4, 2], "float32")
USE = {"use_sequence_length": True}

SAMPLES = [
    S("SequenceLast", X, grad=False),
    S("SequenceLast", X, axis=1, grad=False),
    S("SequenceLast", X, LENGTHS, grad=(0,), **USE),
    S("SequenceLast", rand(3, 4, 2), LENGTHS, axis=1, grad=(0,), **USE),
    S("SequenceLast", rand(4, 2), np.array([1, 3], "int32"), **USE),
    S("SequenceLast", ints(4, 3, 2), LENGTHS.astype("int32"), **USE),
    S("SequenceLast", rand(4, 3, 2, dtype="float16"), LENGTHS + 0.9 - 0.5, grad=(0,), **USE),
    S("SequenceLast", X, LENGTHS, axis=2, error=True, **USE),
    S("SequenceLast", X, LENGTHS[:2], error=True, **USE),
    S("SequenceLast", rand(4), error=True),
    S("SequenceLast", X, LENGTHS, error=True),
    S("SequenceLast", X, error=True, **USE),
    S("SequenceMask", X),
    S("SequenceMask", X, LENGTHS, grad=(0,), **USE),
    S("SequenceMask", X, LENGTHS, value=-5.5, grad=(0,), **USE),
    S("SequenceMask", rand(3, 4), np.array([0, 9, 2], "int32"), axis=1, value=7, **USE),
    S("SequenceMask", ints(4, 3, 2), LENGTHS.astype("int32"), value=-5.7, **USE),
    S("SequenceMask", rand(4, 3, 2, dtype="float64"), LENGTHS, grad=(0,), **USE),
    S("SequenceMask", rand(4, 3), np.array([1.7, 2.2, 3.9], "float32"), grad=(0,), **USE),
    S("SequenceMask", rand(4, 3, dtype="float16"), LENGTHS, value=-1e9, grad=(0,), numeric=False, **USE),
    S("SequenceMask", X, LENGTHS, axis=-1, error=True, **USE),
    S("SequenceMask", X, LENGTHS[:2], error=True, **USE),
    S("SequenceReverse", X),
    S("SequenceReverse", X, LENGTHS, grad=(0,), **USE),
    S("SequenceReverse", rand(4, 3), np.array([0, 3, 4], "int32"), **USE),
    S("SequenceReverse", ints(2, 2, 2, 2), np.array([1, 2], "int64"), **USE),
    S("SequenceReverse", rand(4, 3, 2, dtype="float16"), LENGTHS, grad=(0,), **USE),
    S("SequenceReverse", X, axis=1, error=True),
    S("SequenceReverse", rand(4), error=True),
]
