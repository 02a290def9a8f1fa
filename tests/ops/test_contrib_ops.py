"""Contributed operators, where the original's results could not be recorded, and the order-dependent ones at size."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops import registry
from mxnet.ops.contrib import boxes as box_operators
from mxnet.ops.contrib.boxes import overlap, suppress


def test_modulated_deformable_convolution_gradient():
    kernel = registry.get("_contrib_ModulatedDeformableConvolution").kernel
    generator = torch.Generator().manual_seed(3)

    def numbers(*shape, low=-1.0):
        values = torch.rand(shape, generator=generator, dtype=torch.float64) * (1 - low) + low
        return values.requires_grad_()

    inputs = [numbers(1, 4, 4, 5), numbers(1, 16, 3, 4), numbers(1, 8, 3, 4, low=0.0), numbers(2, 4, 2, 2), numbers(2)]
    assert torch.autograd.gradcheck(
        lambda *t: kernel(*t, kernel=(2, 2), num_filter=2, num_deformable_group=2), inputs, atol=1e-5
    )


def test_deformable_convolution_without_offsets_is_a_convolution():
    torch.manual_seed(0)
    data, weight, bias = torch.randn(2, 4, 7, 6), torch.randn(6, 2, 3, 3), torch.randn(6)
    kernel = registry.get("_contrib_DeformableConvolution").kernel
    offset = torch.zeros(2, 18, 4, 3)
    attrs = dict(kernel=(3, 3), num_filter=6, num_group=2, stride=(2, 2), pad=(1, 1))
    found = kernel(data, offset, weight, bias, **attrs)
    expected = torch.nn.functional.conv2d(data, weight, bias, stride=2, padding=1, groups=2)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


def greedy(boxes, valid, groups, threshold):
    """Suppression as the textbook has it."""
    found = overlap(boxes, boxes)
    keep = valid.clone()
    for i in range(len(boxes)):
        if keep[i]:
            dropped = found[i] > threshold
            if groups is not None:
                dropped &= groups == groups[i]
            dropped[: i + 1] = False
            keep &= ~dropped
    return keep


@pytest.mark.parametrize("count", [1, 100, 1300])
@pytest.mark.parametrize("threshold", [0.2, 0.5])
def test_suppression_equals_the_sequential_one(count, threshold):
    generator = torch.Generator().manual_seed(count)
    low = torch.rand(2, count, 2, generator=generator)
    boxes = torch.cat((low, low + 0.3 * torch.rand(2, count, 2, generator=generator)), -1)
    valid = torch.rand(2, count, generator=generator) > 0.1
    groups = torch.randint(3, (2, count), generator=generator)
    for kinds in (None, groups):
        found = suppress(boxes, valid, kinds, threshold)
        assert torch.equal(found, box_operators._suppress_all(boxes, valid, kinds, threshold, False))  # as on GPUs
        for i in range(2):
            expected = greedy(boxes[i], valid[i], None if kinds is None else kinds[i], threshold)
            assert torch.equal(found[i], expected)


def test_a_chain_of_overlaps_takes_every_second_box():
    left = torch.arange(40, dtype=torch.float32) * 0.5
    boxes = torch.stack((left, torch.zeros(40), left + 1, torch.ones(40)), 1)[None]
    keep = suppress(boxes, torch.ones(1, 40, dtype=torch.bool), None, 0.3)
    assert keep[0].tolist() == [True, False] * 20


def test_fft_and_ifft_are_interleaved():
    data = np.random.RandomState(0).randn(3, 5).astype("float32")
    found = mx.nd.contrib.fft(mx.nd.array(data)).asnumpy()
    expected = np.fft.fft(data)
    np.testing.assert_allclose(found[:, 0::2], expected.real, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[:, 1::2], expected.imag, rtol=1e-4, atol=1e-5)
    back = mx.nd.contrib.ifft(mx.nd.array(found)).asnumpy()
    np.testing.assert_allclose(back, 5 * data, rtol=1e-4, atol=1e-5)
    with pytest.raises(mx.MXNetError, match="even"):
        mx.nd.contrib.ifft(mx.nd.array(data))


@pytest.mark.parametrize("name", ["_contrib_fft", "_contrib_ifft"])
def test_fft_gradient(name):
    values = torch.randn(2, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(0), requires_grad=True)
    assert torch.autograd.gradcheck(registry.get(name).kernel, (values,))


def test_count_sketch():
    data = mx.nd.array([[1.2, 2.5, 3.4], [3.2, 5.7, 6.6]])
    places, signs = mx.nd.array([[0, 3, 4]]), mx.nd.array([[1, -1, 1]])
    data.attach_grad()
    with mx.autograd.record():
        found = mx.nd.contrib.count_sketch(data, places, signs, out_dim=5)
    np.testing.assert_allclose(found.asnumpy(), [[1.2, 0, 0, -2.5, 3.4], [3.2, 0, 0, -5.7, 6.6]], rtol=1e-6)
    found.backward()
    np.testing.assert_allclose(data.grad.asnumpy(), [[1, -1, 1], [1, -1, 1]])
    with pytest.raises(mx.MXNetError, match="h must be from 0 to 3"):
        mx.nd.contrib.count_sketch(data, places, signs, out_dim=4)


def test_indices_out_of_range_are_refused():
    old, new = mx.nd.zeros((3, 2)), mx.nd.ones((2, 2))
    for index in ([0, 3], [0, -1]):
        with pytest.raises(mx.MXNetError, match="index_vector"):
            mx.nd.contrib.index_copy(old, mx.nd.array(index), new)
    with pytest.raises(mx.MXNetError, match="image 2"):
        mx.nd.contrib.ROIAlign(mx.nd.zeros((1, 1, 4, 4)), mx.nd.array([[2, 0, 0, 1, 1]]), (1, 1), 1.0)


@pytest.mark.parametrize("name", ["getnnz", "edge_id"])
def test_sparse_only_operators_say_so(name):
    inputs = [mx.nd.ones((2, 2)), mx.nd.ones(2), mx.nd.ones(2)][: 1 if name == "getnnz" else 3]
    with pytest.raises(mx.MXNetError, match="csr"):
        getattr(mx.nd.contrib, name)(*inputs)


def test_boolean_mask_shape_is_open():
    from mxnet.ops.infer import UNKNOWN, infer_shapes

    inputs, outputs = infer_shapes(registry.get("_contrib_boolean_mask"), [(4, 3), None], {})
    assert inputs == [(4, 3), (4,)]
    assert outputs == [(UNKNOWN, 3)]


def test_axes_of_index_array_begin_again():
    """Sockeye asks for axis 1 of a vector and means its only one."""
    assert mx.nd.contrib.index_array(mx.nd.ones((3,)), axes=(1,)).asnumpy().tolist() == [[0], [1], [2]]
    found = mx.nd.contrib.index_array(mx.nd.ones((2, 2)), axes=(0, 3, -5)).asnumpy()
    assert found.reshape((-1, 3)).tolist() == [[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]]
