"""Samples of loss heads and straight-through estimators. Their gradients are their own: no numeric checks."""

import numpy as np

from .common import S, ints, rand

X, Y, Z = rand(4, 3), rand(2, 3, 4), rand(2, 3, 2, 2)
FOUR = np.array([0, 2, 1, 2], "float32")
ROWS = ints(2, 3, high=4, dtype="float32")  # one class of the last axis of Y per row
MULTI = ints(2, 4, high=3, dtype="float32")  # one class of axis 1 of Y or Z per position
ODD = np.array([0, 7, -1, 1.7], "float32")


def H(op, *inputs, **kwargs):
    kwargs.setdefault("train", True)
    return S(op, *inputs, numeric=False, **kwargs)


def softmax(*inputs, **kwargs):
    return H("SoftmaxOutput", *inputs, **kwargs)


def half(*arrays):
    return [a.astype("float16") for a in arrays]


def double(*arrays):
    return [a.astype("float64") for a in arrays]


SAMPLES = [
    softmax(X, FOUR),
    softmax(X, FOUR, train=False, grad_scale=3.0),
    softmax(X, FOUR, smooth_alpha=0.3),
    softmax(X, FOUR, smooth_alpha=0.3, use_ignore=True, ignore_label=2, normalization="valid"),
    softmax(X, ODD),
    softmax(X, ODD, smooth_alpha=0.2, use_ignore=True, ignore_label=1.2),
    softmax(rand(2, 1), np.zeros(2, "float32"), smooth_alpha=0.5),
    softmax(X, np.ones(4, "float32"), use_ignore=True, ignore_label=1, normalization="valid"),
    softmax(*double(X, FOUR), normalization="batch"),
    softmax(*half(X, FOUR), normalization="batch", rtol=2e-3, atol=1e-3),
    softmax(X, rand(4, 3, low=0), grad_scale=2.0, normalization="batch", use_ignore=True, smooth_alpha=0.5),
    softmax(Y, rand(2, 3, 4, low=0), multi_output=True),
    softmax(Y, ROWS, normalization="batch"),
    softmax(Y, ROWS, preserve_shape=True),
    softmax(Y, ROWS, preserve_shape=True, smooth_alpha=0.1, normalization="batch"),
    softmax(Y, MULTI, multi_output=True, smooth_alpha=0.3),
    softmax(Z, MULTI.reshape(2, 2, 2), multi_output=True),
    softmax(Z, MULTI.reshape(2, 1, 2, 2), multi_output=True),
    softmax(X, FOUR, multi_output=True),
    softmax(X, FOUR.reshape(4, 1), multi_output=True),
    softmax(X, rand(3), error=True),
    softmax(X, rand(4, 1), error=True),
    softmax(Y, rand(6), preserve_shape=True, error=True),
    softmax(Y, rand(2, 3), multi_output=True, error=True),
    softmax(X, FOUR.astype("int32"), error=True),
    softmax(X, FOUR, normalization="mean", error=True),
    softmax(X, FOUR, smooth_alpha=2.0, error=True),
    softmax(X[0], FOUR[:1], error=True),
    H("Softmax", X, FOUR),
    H("MakeLoss", X),
    H("MakeLoss", X, grad_scale=2.5, normalization="batch"),
    H("MakeLoss", X, grad_scale=2.0, normalization="valid"),
    H("MakeLoss", X, valid_thresh=0.4, normalization="valid"),
    H("MakeLoss", -abs(X), normalization="valid"),
    H("MakeLoss", *double(Y), normalization="valid"),
    H("MakeLoss", *half(X), grad_scale=0.5),
    H("MakeLoss", X, normalization="mean", error=True),
    H("_contrib_round_ste", np.array([-1.5, -0.5, 0, 0.5, 1.5, 2.5, 2.6, -3, 0.49999997, 8388609], "float32")),
    H("_contrib_round_ste", *half(3 * X)),
    H("_contrib_round_ste", *double(3 * X)),
    H("_contrib_round_ste", ints(2, 3, low=-5)),
    H("_contrib_sign_ste", np.array([-1.5, 0, 2], "float32")),
    H("_contrib_sign_ste", *half(X)),
    H("_contrib_sign_ste", ints(2, 3, low=-5)),
    H("_contrib_gradientmultiplier", X),
    H("_contrib_gradientmultiplier", X, scalar=-0.5),
    H("_contrib_gradientmultiplier", *double(X), scalar=3),
    H("_contrib_gradientmultiplier", *half(X), scalar=-0.5),
    H("_contrib_gradientmultiplier", ints(2, 3), scalar=2),
    H("SVMOutput", X, FOUR),
    H("SVMOutput", 3 * X, FOUR, margin=0.5, regularization_coefficient=0.2),
    H("SVMOutput", X, FOUR, use_linear=True),
    H("SVMOutput", 3 * X, FOUR, use_linear=True, margin=0.5, regularization_coefficient=0.2),
    H("SVMOutput", X, ODD),
    H("SVMOutput", Y, ROWS),
    H("SVMOutput", *half(X, FOUR), rtol=2e-3, atol=1e-3),
    H("SVMOutput", *double(X, FOUR)),
    H("SVMOutput", X, X, error=True),
    H("SVMOutput", X, FOUR.astype("int32"), error=True),
]
SAMPLES += [
    softmax(Y, MULTI, multi_output=True, normalization=n, use_ignore=i, ignore_label=1, grad_scale=6.0)
    for n in ("null", "batch", "valid")
    for i in (False, True)
]
SAMPLES += [
    softmax(X, FOUR, normalization=n, use_ignore=i, ignore_label=2) for n in ("batch", "valid") for i in (False, True)
]
for _op in ("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput"):
    SAMPLES += [
        H(_op, X, rand(4, 3, low=0, seed=1)),
        H(_op, X, X.copy(), grad_scale=3.0),
        H(_op, rand(4, 1), rand(4)),
        H(_op, rand(4), rand(4, 1)),
        H(_op, Y, rand(2, 12)),
        H(_op, *half(X, rand(4, 3, seed=1)), rtol=2e-3, atol=1e-3),
        H(_op, *double(Y, rand(2, 3, 4, seed=1)), train=False),
        H(_op, X, rand(4), error=True),
        H(_op, Y, rand(6, 4), error=True),
        H(_op, X, ints(4, 3), error=True),
        # with out_grad the gradient is multiplied by the output, whatever the head gradient is
        softmax(X, FOUR, out_grad=True),
        softmax(X, rand(4, 3, low=0), out_grad=True, grad_scale=2.0),
        softmax(X, FOUR, out_grad=True, smooth_alpha=0.3, use_ignore=True, ignore_label=2, normalization="valid"),
        softmax(Y, MULTI, out_grad=True, multi_output=True, normalization="batch"),
    ]
