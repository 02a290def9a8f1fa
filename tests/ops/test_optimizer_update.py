"""Update operators over several steps, into ``out=``, and those the original could not be recorded for."""

import numpy as np
import pytest

import mxnet as mx

STEPS = 3


def numbers(*shape, seed=0, low=-1.0, high=1.0, dtype="float32"):
    values = np.random.RandomState(seed).uniform(low, high, shape)
    return mx.nd.array(values, dtype=dtype)


def gradients(shape, dtype="float32"):
    return [numbers(*shape, seed=10 + i, dtype=dtype) for i in range(STEPS)]


def test_out_is_written_in_place_and_returned():
    weight, state = numbers(3, 4), mx.nd.zeros((3, 4))
    memory = weight.handle.data_ptr()
    view = weight[0:2]
    found = mx.nd.sgd_mom_update(weight, numbers(3, 4, seed=1), state, lr=0.1, momentum=0.9, out=weight)
    assert found is weight
    assert weight.handle.data_ptr() == memory
    np.testing.assert_array_equal(view.asnumpy(), weight.asnumpy()[:2])


@pytest.mark.parametrize("shape", [(2, 3), (3, 5)])
def test_out_of_another_shape_is_refused(shape):
    with pytest.raises(mx.MXNetError, match="sgd_update: out must have the shape"):
        mx.nd.sgd_update(numbers(3, 4), numbers(3, 4), lr=0.1, out=mx.nd.zeros(shape))


@pytest.mark.parametrize("name", ["sgd", "sgd_mom", "nag_mom"])
def test_mixed_precision_follows_single_precision(name):
    single, double = getattr(mx.nd, f"{name}_update"), getattr(mx.nd, f"mp_{name}_update")
    states = 0 if name == "sgd" else 1
    attrs = dict(lr=0.1, wd=0.01, rescale_grad=0.5, **({"momentum": 0.9} if states else {}))
    half = numbers(3, 4, dtype="float16")
    master, weight = half.astype("float32"), half.astype("float32")
    mine, theirs = [mx.nd.zeros((3, 4))] * states, [mx.nd.zeros((3, 4)) for _ in range(states)]
    for grad in gradients((3, 4), "float16"):
        single(weight, grad.astype("float32"), *theirs, out=weight, **attrs)
        double(half, grad, *mine, master, out=half, **attrs)
        np.testing.assert_allclose(master.asnumpy(), weight.asnumpy(), rtol=1e-6)
        np.testing.assert_array_equal(half.asnumpy(), master.asnumpy().astype("float16"))


@pytest.mark.parametrize("momentum", [None, 0.9])
@pytest.mark.parametrize("preloaded", [False, True])
def test_multi_sgd_is_sgd_of_each(momentum, preloaded):
    shapes, lrs, wds = [(2, 3), (4,), (1, 2, 2)], (0.1, 0.2, 0.3), (0.0, 0.1, 0.2)
    infix = "" if momentum is None else "mom_"
    shared = dict(rescale_grad=0.5, clip_gradient=0.3, **({} if momentum is None else {"momentum": momentum}))
    one, many = getattr(mx.nd, f"sgd_{infix}update"), getattr(mx.nd, f"multi_sgd_{infix}update")
    if preloaded:
        many = getattr(mx.nd, f"preloaded_multi_sgd_{infix}update")
    expected = [[numbers(*s, seed=i), *([] if momentum is None else [mx.nd.zeros(s)])] for i, s in enumerate(shapes)]
    found = [[a.copy() for a in arrays] for arrays in expected]
    for step in range(STEPS):
        grads = [numbers(*s, seed=20 + step + i) for i, s in enumerate(shapes)]
        for (weight, *state), grad, lr, wd in zip(expected, grads, lrs, wds, strict=True):
            one(weight, grad, *state, lr=lr, wd=wd, out=weight, **shared)
        flat = [a for (w, *s), g in zip(found, grads, strict=True) for a in (w, g, *s)]
        rates = {} if preloaded else dict(lrs=lrs, wds=wds)
        more = [mx.nd.array(lrs), mx.nd.array(wds)] if preloaded else []
        many(*flat, *more, num_weights=3, out=[w for w, *_ in found], **rates, **shared)
    for mine, theirs in zip(found, expected, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-7)


def test_adam_in_numbers():
    weight, mean, var = numbers(5), mx.nd.zeros(5), mx.nd.zeros(5)
    w, m, v = weight.asnumpy().astype("float64"), np.zeros(5), np.zeros(5)
    for grad in gradients((5,)):
        mx.nd.adam_update(weight, grad, mean, var, lr=0.1, wd=0.01, rescale_grad=0.5, clip_gradient=0.3, out=weight)
        g = np.clip(grad.asnumpy() * 0.5 + 0.01 * w, -0.3, 0.3)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w -= 0.1 * m / (np.sqrt(v) + 1e-8)
    np.testing.assert_allclose(weight.asnumpy(), w, rtol=1e-4)


@pytest.mark.parametrize("bounds", [{}, {"lower_bound": 0.5, "upper_bound": 1.0}])
def test_multi_lamb_is_both_phases(bounds):
    shapes, lrs, wds = [(2, 3), (4,)], (0.1, 0.2), (0.0, 0.1)
    expected = [[numbers(*s, seed=i), mx.nd.zeros(s), mx.nd.zeros(s)] for i, s in enumerate(shapes)]
    found = [[a.copy() for a in arrays] for arrays in expected]
    for step in range(1, STEPS + 1):
        grads = [numbers(*s, seed=20 + step + i) for i, s in enumerate(shapes)]
        for (weight, mean, var), grad, lr, wd in zip(expected, grads, lrs, wds, strict=True):
            g = mx.nd.lamb_update_phase1(weight, grad, mean, var, t=step, wd=wd, rescale_grad=0.5)
            r1, r2 = (mx.nd.array([np.linalg.norm(a.asnumpy())]) for a in (weight, g))
            mx.nd.lamb_update_phase2(weight, g, r1, r2, lr=lr, out=weight, **bounds)
        flat = [a for (w, m, v), g in zip(found, grads, strict=True) for a in (w, g, m, v)]
        mx.nd._internal._multi_lamb_update(
            *flat,
            learning_rates=lrs,
            wds=wds,
            step_count=(step, step),
            rescale_grad=0.5,
            num_tensors=2,
            out=[arrays[0] for arrays in found],
            **bounds,
        )
    for mine, theirs in zip(found, expected, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-7)


def test_mixed_precision_lamb_keeps_the_master_copy():
    """The original leaves weight32 as it was, so that its weight never leaves the first step."""
    half = numbers(4, dtype="float16")
    master, g = half.astype("float32"), numbers(4, seed=1)
    expected = master.asnumpy() - 0.1 * (0.5 / 2.0) * g.asnumpy()
    mx.nd.mp_lamb_update_phase2(half, g, mx.nd.array([0.5]), mx.nd.array([2.0]), master, lr=0.1, out=half)
    np.testing.assert_allclose(master.asnumpy(), expected, rtol=1e-6)
    np.testing.assert_array_equal(half.asnumpy(), master.asnumpy().astype("float16"))


def test_adamw_leaves_the_gradient_rescaled_and_clipped():
    weight, grad, mean, var = numbers(4), numbers(4, seed=1), mx.nd.zeros(4), mx.nd.zeros(4)
    before = grad.asnumpy()
    attrs = dict(lr=0.1, eta=1.0, wd=0.1, clip_gradient=0.2)
    mx.nd._internal._adamw_update(weight, grad, mean, var, mx.nd.array([0.5]), out=weight, **attrs)
    np.testing.assert_allclose(grad.asnumpy(), np.clip(0.5 * before, -0.2, 0.2), rtol=1e-6)
    np.testing.assert_allclose(mean.asnumpy(), 0.1 * np.clip(0.5 * before, -0.2, 0.2), rtol=1e-5)


def test_group_adagrad_has_one_rate_for_each_row():
    weight, history = numbers(3, 4), mx.nd.zeros((3, 1))
    w, h = weight.asnumpy(), np.zeros((3, 1), "float32")
    for grad in gradients((3, 4)):
        mx.nd.contrib.group_adagrad_update(weight, grad, history, lr=0.1, rescale_grad=0.5, out=weight)
        g = 0.5 * grad.asnumpy()
        h += np.square(g).mean(1, keepdims=True)
        w = w - 0.1 * g / np.sqrt(h + 1e-5)
    np.testing.assert_allclose(weight.asnumpy(), w, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(history.asnumpy(), h, rtol=1e-5)
    with pytest.raises(mx.MXNetError, match="history"):
        mx.nd.contrib.group_adagrad_update(weight, weight, mx.nd.zeros((3, 4)), lr=0.1)


def test_updates_of_variables_are_not_recorded():
    weight, grad = numbers(3), numbers(3, seed=1)
    weight.attach_grad()
    with mx.autograd.record():
        found = mx.nd.sgd_update(weight, grad, lr=0.5)
    np.testing.assert_allclose(found.asnumpy(), weight.asnumpy() - 0.5 * grad.asnumpy(), rtol=1e-6)
    mx.nd.sgd_update(weight, grad, lr=0.5, out=weight)
    np.testing.assert_allclose(found.asnumpy(), weight.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize("name", ["sgd", "sgd_mom", "adam"])
def test_one_pass_kernels_agree_with_plain_operations(name, monkeypatch):
    """torch's fused kernels, if it has them, and what runs without them."""
    from mxnet.ops import fused_update

    def run():
        weight, states = numbers(50), [mx.nd.zeros(50) for _ in range({"sgd": 0, "sgd_mom": 1, "adam": 2}[name])]
        attrs = {"momentum": 0.9} if states[:1] and len(states) == 1 else {}
        for grad in gradients((50,)):
            for more in ({}, {"clip_gradient": 0.2}):
                function = getattr(mx.nd, f"{name}_update")
                function(weight, grad, *states, lr=0.01, wd=0.1, rescale_grad=0.5, out=weight, **attrs, **more)
        return [a.asnumpy() for a in (weight, *states)]

    fused = run()
    monkeypatch.setattr(fused_update, "_fused_sgd", None)
    monkeypatch.setattr(fused_update, "_fused_adam", None)
    for a, b in zip(fused, run(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-7)


def test_foreach_form_of_multi_sgd_agrees(monkeypatch):
    """The form for GPUs, run here on numbers that are arrays."""
    import torch

    from mxnet.ops import multi_update

    def group():
        return multi_update._Group([numbers(4, seed=i).handle for i in range(6)], 2, 1, False, None)

    rates = dict(momentum=0.9, rescale_grad=0.5, clip_gradient=0.3)
    plain, listed = group(), group()
    multi_update._multi_sgd(plain, lrs=[0.1, 0.2], wds=[0.0, 0.1], **rates)
    arrays = [torch.tensor(v).unbind() for v in ([0.1, 0.2], [0.0, 0.1])]
    multi_update._multi_sgd(listed, lrs=arrays[0], wds=arrays[1], **rates)
    for a, b in zip((*plain.weights, *plain.states[0]), (*listed.weights, *listed.states[0]), strict=True):
        torch.testing.assert_close(a, b)


def test_half_precision_adam_rounds_as_the_original():
    values = [1.764, 0.4001, 0.979], [0.05, -0.021, 0.3], [0.011, -0.02, 0.003], [0.004, 0.0131, 0.02]
    w, g, m, v = (mx.nd.array(each, dtype="float16") for each in values)
    mx.nd.adam_update(w, g, m, v, out=w, lr=0.01, wd=0.01)
    half = np.float16
    weight, grad, mean, var = (np.array(each, half) for each in values)
    step = grad + half(0.01) * weight
    mean = half(0.9) * mean + (half(1) - half(0.9)) * step
    var = half(0.999) * var + (half(1) - half(0.999)) * step * step
    assert m.asnumpy().tolist() == mean.tolist() and v.asnumpy().tolist() == var.tolist()
    assert w.asnumpy().tolist() == (weight - half(0.01) * mean / (np.sqrt(var) + half(1e-8))).tolist()


def test_lamb_in_half_precision_rounds_as_the_original():
    """Each number is the original's, bit by bit: each step is rounded to float16, but a power of beta only once."""
    base = np.arange(1, 7) / 7
    numbers = base - 0.4, np.cos(9 * base), np.sin(5 * base) / 9, base / 11
    attrs = dict(t=50, wd=0.1, beta1=0.95, beta2=0.99, epsilon=1e-3, rescale_grad=0.3, clip_gradient=0.2)
    weight, grad, mean, var = (mx.nd.array(a, dtype="float16") for a in numbers)
    step = mx.nd.lamb_update_phase1(weight, grad, mean, var, **attrs)
    expected = {
        "step": [0.411865234375, 0.385498046875, 0.27392578125, 0.1243896484375, -0.059478759765625, -0.1842041015625],
        "mean": [
            0.07342529296875,
            0.09454345703125,
            0.078857421875,
            0.035858154296875,
            -0.034027099609375,
            -0.093994140625,
        ],
        "var": [
            0.0129241943359375,
            0.0261077880859375,
            0.03900146484375,
            0.05157470703125,
            0.064697265625,
            0.07720947265625,
        ],
    }
    assert {"step": step.asnumpy().tolist(), "mean": mean.asnumpy().tolist(), "var": var.asnumpy().tolist()} == expected
    mean, var = (mx.nd.array(a, dtype="float32") for a in numbers[2:])
    step = mx.nd.mp_lamb_update_phase1(weight, grad, mean, var, weight.astype("float32"), **attrs)
    found = np.float32([0.07336464, 0.09448977, 0.078749746, 0.035878096, -0.033987284, -0.09400325])
    np.testing.assert_array_equal(mean.asnumpy(), found)
    found = np.float32([0.012928293, 0.026114285, 0.038971428, 0.051585127, 0.06468572, 0.077160314])
    np.testing.assert_array_equal(var.asnumpy(), found)
    found = [0.41119966, 0.38515112, 0.27360305, 0.12439786, -0.059341904, -0.1841931]
    np.testing.assert_allclose(step.asnumpy(), found, rtol=4e-7)
