"""Linear algebra beyond the recorded samples: identities, shapes of unknown inputs, messages."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops import registry
from mxnet.ops.infer import format_shape, infer_shapes, read_shape

RNG = np.random.RandomState(0)


def random(*shape, dtype="float64"):
    return mx.nd.array(RNG.uniform(-1, 1, shape), dtype=dtype)


def positive_definite(*shape):
    a = RNG.uniform(-1, 1, shape)
    return mx.nd.array(a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1]), dtype="float64")


def close(a, b):
    np.testing.assert_allclose(a.asnumpy(), b if isinstance(b, np.ndarray) else b.asnumpy(), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (3, 20, 20), (2, 3, 4, 4)])
def test_factorizations_give_the_matrix_back(shape):
    linalg = mx.nd.linalg
    a = positive_definite(*shape)
    factor = linalg.potrf(a)
    close(linalg.syrk(factor), a)
    close(factor, np.tril(factor.asnumpy()))
    identity = np.broadcast_to(np.eye(shape[-1]), shape)
    close(linalg.gemm2(linalg.potri(factor), a), identity)
    close(linalg.gemm2(linalg.inverse(a), a), identity)
    u, values = linalg.syevd(a)
    close(linalg.gemm2(u, a), values.asnumpy()[..., None] * u.asnumpy())
    close(linalg.syrk(u), identity)
    assert (np.diff(values.asnumpy(), axis=-1) >= 0).all()
    rows = u.asnumpy()
    assert (np.take_along_axis(rows, np.abs(rows).argmax(-1)[..., None], -1) > 0).all()
    sign, logarithm = linalg.slogdet(a)
    close(linalg.det(a), sign.asnumpy() * np.exp(logarithm.asnumpy()))
    close(linalg.sumlogdiag(factor), logarithm.asnumpy() / 2)
    close(linalg.maketrian(linalg.extracttrian(factor)), factor)
    b = random(*shape[:-2], shape[-1], 7)
    close(linalg.trmm(factor, linalg.trsm(factor, b)), b)
    wide = random(*shape[:-1], shape[-1] + 3)
    q, lower = linalg.gelqf(wide)
    close(linalg.gemm2(lower, q), wide)
    close(linalg.syrk(q), identity)


@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize(("left", "right"), [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3)])
def test_dot_is_tensordot(left, right, transpose_a, transpose_b):
    a, b = RNG.rand(*[4] * left), RNG.rand(*[4] * right)
    result = mx.nd.dot(
        mx.nd.array(a, dtype="float64"),
        mx.nd.array(b, dtype="float64"),
        transpose_a=transpose_a,
        transpose_b=transpose_b,
    )
    axes = 0 if transpose_a else -1, -1 if transpose_b else 0
    np.testing.assert_allclose(result.asnumpy(), np.tensordot(a, b, axes), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_products_in_all_floating_types(dtype):
    a, b = random(2, 3, dtype=dtype), random(3, 4, dtype=dtype)
    assert mx.nd.dot(a, b).dtype == np.dtype(dtype)
    assert mx.nd.batch_dot(a.reshape(1, 2, 3), b.reshape(1, 3, 4)).dtype == np.dtype(dtype)
    np.testing.assert_allclose(mx.nd.dot(a, b).asnumpy(), a.asnumpy() @ b.asnumpy(), rtol=1e-2, atol=1e-3)


def test_messages_name_operator_and_shapes():
    with pytest.raises(mx.MXNetError, match=r"dot: .*got 3 in lhs and 2 in rhs.*lhs \(2, 3\).*rhs \(2, 4\)"):
        mx.nd.dot(random(2, 3), random(2, 4))
    with pytest.raises(mx.MXNetError, match=r"batch_dot: .*lhs \(2, 2, 3\).*rhs \(1, 3, 4\)"):
        mx.nd.batch_dot(random(2, 2, 3), random(1, 3, 4))
    with pytest.raises(mx.MXNetError, match=r"linalg.gemm: input 'C' has shape \(1, 4\), expected \(2, 4\)"):
        mx.nd.linalg.gemm(random(2, 3), random(3, 4), random(1, 4))
    with pytest.raises(mx.MXNetError, match=r"linalg.potrf: .*positive-definite"):
        mx.nd.linalg.potrf(mx.nd.array([[1, 2], [2, 1]]))
    with pytest.raises(mx.MXNetError, match=r"linalg.det: only float32 and float64.*\(2, 2\) int32"):
        mx.nd.linalg.det(mx.nd.array([[1, 2], [2, 1]], dtype="int32"))


def inferred(name, shapes, outputs=None, **attrs):
    op = registry.get(name)
    found = infer_shapes(op, [*map(read_shape, shapes)], op.parse(attrs), outputs)
    return tuple([s and format_shape(s) for s in part] for part in found)


def test_shapes_of_unknown_inputs():
    assert inferred("dot", [(2, 3), (0, 4)]) == ([(2, 3), (3, 4)], [(2, 4)])
    assert inferred("dot", [(0, 3), (3, 4)]) == ([(0, 3), (3, 4)], [(0, 4)])
    assert inferred("dot", [(0, 2), (3, 4)], transpose_a=True) == ([(3, 2), (3, 4)], [(2, 4)])
    assert inferred("dot", [(2, 3), (4, 0)], transpose_b=True) == ([(2, 3), (4, 3)], [(2, 4)])
    assert inferred("dot", [(2, 3), None]) == ([(2, 3), None], [None])
    assert inferred("batch_dot", [(2, 2, 3), (0, 0, 4)]) == ([(2, 2, 3), (0, 0, 4)], [None])  # as in the original
    assert inferred("_linalg_gemm", [(2, 3), (3, 4), None]) == ([(2, 3), (3, 4), (2, 4)], [(2, 4)])
    shapes = [(3, 2, 4), (4, 2, 5), (3, 2, 5)]
    assert inferred("_linalg_gemm", [*shapes[:2], None], axis=0) == (shapes, [(3, 2, 5)])
    assert inferred("_linalg_potrf", [None], [(2, 3, 3)]) == ([(2, 3, 3)], [(2, 3, 3)])
    assert inferred("_linalg_trsm", [None, None], [(3, 2)], rightside=True) == ([(2, 2), (3, 2)], [(3, 2)])
    assert inferred("_linalg_trmm", [None, None], [(3, 2)]) == ([(3, 3), (3, 2)], [(3, 2)])


def test_gradients_that_need_care():
    singular = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)
    registry.get("_linalg_slogdet")(singular)[1].backward()
    assert singular.grad.tolist() == [[0, 0], [0, 0]]
    a = torch.tensor([[3.0, 1], [1, 2]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda x: registry.get("_linalg_slogdet")(x)[1], [a])


def test_khatri_rao_is_a_columnwise_kronecker_product():
    matrices = [random(n, 3) for n in (2, 4, 3)]
    result = mx.nd.khatri_rao(*matrices).asnumpy()
    for column in range(3):
        a, b, c = (m.asnumpy()[:, column] for m in matrices)
        np.testing.assert_allclose(result[:, column], np.kron(np.kron(a, b), c))
