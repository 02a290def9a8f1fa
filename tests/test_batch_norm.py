"""Batch norm: when its moving averages move, what is differentiated, and its old and new relatives."""

import numpy as np
import pytest

import mxnet as mx

RNG = np.random.default_rng(0)
DATA = RNG.normal(size=(4, 3, 2, 2)).astype("float32")
MEAN, VAR = DATA.mean((0, 2, 3)), DATA.var((0, 2, 3))


def inputs(attach=(0, 1, 2)):
    arrays = [mx.nd.array(a) for a in (DATA, [2.0, 3.0, 4.0], [0.1, 0.2, 0.3], [1.0] * 3, [2.0] * 3)]
    for i in attach:
        arrays[i].attach_grad()
    return arrays


def test_moving_averages_move_in_backward_by_the_biased_variance():
    arrays = inputs()
    with mx.autograd.record():
        out = mx.nd.BatchNorm(*arrays, momentum=0.8)
    np.testing.assert_array_equal(arrays[3].asnumpy(), 1)
    out.backward(retain_graph=True)
    np.testing.assert_allclose(arrays[3].asnumpy(), 0.8 + 0.2 * MEAN, rtol=1e-5)
    np.testing.assert_allclose(arrays[4].asnumpy(), 0.8 * 2 + 0.2 * VAR, rtol=1e-5)
    out.backward()
    np.testing.assert_allclose(arrays[3].asnumpy(), 0.8 * (0.8 + 0.2 * MEAN) + 0.2 * MEAN, rtol=1e-5)


def test_what_is_not_differentiated_keeps_its_moving_averages():
    frozen = inputs(attach=())
    with mx.autograd.record():
        mx.nd.BatchNorm(*frozen)
    with mx.autograd.train_mode():
        mx.nd.BatchNorm(*frozen)
    np.testing.assert_array_equal(frozen[3].asnumpy(), 1)
    np.testing.assert_array_equal(frozen[4].asnumpy(), 2)


def test_fixed_gamma_is_written_and_gets_a_gradient_of_zero():
    arrays = inputs()
    arrays[1].grad[:] = 7
    mx.nd.BatchNorm(*arrays)
    np.testing.assert_array_equal(arrays[1].asnumpy(), 1)
    with mx.autograd.record():
        out = mx.nd.BatchNorm(*arrays)
    out.backward()
    np.testing.assert_array_equal(arrays[1].grad.asnumpy(), 0)


def test_predict_mode_differentiates_what_it_computes():
    by_mode, by_attribute = inputs(), inputs()
    head = mx.nd.array(np.cos(np.arange(DATA.size)).reshape(DATA.shape))
    with mx.autograd.record(train_mode=False):
        out = mx.nd.BatchNorm(*by_mode, fix_gamma=False)
    out.backward(head)
    with mx.autograd.record():
        out = mx.nd.BatchNorm(*by_attribute, fix_gamma=False, use_global_stats=True)
    out.backward(head)
    for a, b in zip(by_mode[:3], by_attribute[:3], strict=True):
        np.testing.assert_allclose(a.grad.asnumpy(), b.grad.asnumpy(), rtol=1e-5)


def test_update_between_forward_and_backward_does_not_reach_the_gradient():
    first, second = inputs(), inputs()
    with mx.autograd.record():
        a = mx.nd.BatchNorm(*first, fix_gamma=False, use_global_stats=True)
        b = mx.nd.BatchNorm(*second, fix_gamma=False, use_global_stats=True)
    first[3][:] = 5
    first[4][:] = 9
    a.backward()
    b.backward()
    np.testing.assert_allclose(first[0].grad.asnumpy(), second[0].grad.asnumpy(), rtol=1e-5)


def test_mean_and_variance_pass_no_gradient_on():
    arrays = inputs()
    with mx.autograd.record():
        _, mean, inv_std = mx.nd.BatchNorm(*arrays, fix_gamma=False, output_mean_var=True)
    mx.autograd.backward([mean, inv_std])
    np.testing.assert_array_equal(arrays[0].grad.asnumpy(), 0)
    np.testing.assert_allclose(mean.asnumpy(), MEAN, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(inv_std.asnumpy(), 1 / np.sqrt(VAR + 1e-3), rtol=1e-4)


@pytest.mark.parametrize("mode", ["train", "global", "predict"])
@pytest.mark.parametrize("fix_gamma", [True, False])
def test_old_operator_equals_the_new_one(mode, fix_gamma):
    attrs = dict(fix_gamma=fix_gamma, use_global_stats=mode == "global", output_mean_var=True)
    results = []
    for name in ("BatchNorm", "BatchNorm_v1"):
        arrays = inputs()
        with mx.autograd.record(train_mode=mode != "predict"):
            out, mean, spread = getattr(mx.nd, name)(*arrays, **attrs)
        out.backward()
        if name == "BatchNorm":
            spread = spread.asnumpy() ** -2 - 1e-3
        else:
            spread = spread.asnumpy()
        results.append(
            [out.asnumpy(), mean.asnumpy(), spread, *(a.asnumpy() for a in arrays), arrays[0].grad.asnumpy()]
        )
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_relu_is_fused():
    plain, fused = inputs(), inputs()
    with mx.autograd.record():
        a = mx.nd.Activation(mx.nd.BatchNorm(*plain, fix_gamma=False), act_type="relu")
        b = mx.nd.contrib.BatchNormWithReLU(*fused, fix_gamma=False)
    a.backward()
    b.backward()
    np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)
    for x, y in zip(plain[:3], fused[:3], strict=True):
        np.testing.assert_allclose(x.grad.asnumpy(), y.grad.asnumpy(), rtol=1e-4, atol=1e-6)


def test_wrong_number_of_channels_is_refused():
    arrays = inputs()
    arrays[3] = mx.nd.array([1.0, 2.0])
    with pytest.raises(mx.MXNetError, match=r"BatchNorm: moving_mean must have shape \(3,\), got \(2,\)"):
        mx.nd.BatchNorm(*arrays)


def test_several_devices_are_refused():
    with pytest.raises(mx.MXNetError, match="SyncBatchNorm"), mx.autograd.train_mode():
        mx.nd.contrib.SyncBatchNorm(*inputs(), key="a", ndev=2)
