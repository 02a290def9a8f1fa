"""Products of matrices by oneDNN, where a processor is better used by it: the same numbers as those of torch."""

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import mxnet as mx
from mxnet.ops import products


@pytest.fixture
def always(monkeypatch):
    """oneDNN multiplies matrices of every size, on every processor; tells how many it has multiplied."""
    if not torch.backends.mkldnn.is_available():
        pytest.skip("this torch has no oneDNN")
    calls = []
    multiply = products.multiply
    monkeypatch.setattr(products, "SMALLEST", 0.0)
    monkeypatch.setattr(products, "_SMALLEST_SIZES", 0.0)
    monkeypatch.setattr(products, "multiply", lambda *given: calls.append(1) or multiply(*given))
    return calls


def layouts(rows, columns, generator):
    """A matrix with the same values in many layouts: gaps, transposed, every second column, one row repeated."""
    plain = torch.randn(rows, columns, generator=generator)
    gaps = torch.zeros(rows, columns + 3)
    gaps[:, :columns] = plain
    steps = torch.zeros(rows, 2 * columns)
    steps[:, ::2] = plain
    wide = torch.zeros(columns + 5, rows + 2)
    wide[:columns, :rows] = plain.t()
    repeated = plain[:1].expand(rows, columns)
    return {
        "plain": plain,
        "gaps": gaps[:, :columns],
        "transposed": plain.t().contiguous().t(),
        "transposed with gaps": wide[:columns, :rows].t(),
        "steps": steps[:, ::2],
        "repeated row": repeated,
        "repeated column": plain[:, :1].expand(rows, columns),
        "one number": plain[:1, :1].expand(rows, columns),
        "offset": torch.cat([torch.zeros(1), plain.flatten()])[1:].view(rows, columns),
    }


LAYOUTS = list(layouts(1, 1, torch.Generator()))


def assert_close(given, a, b, bias=0.0):
    """``given`` is ``a @ b.T + bias``, but for what float32 loses of numbers of that size."""
    a, b = a.double(), b.double()
    exact, size = a @ b.t() + bias, a.abs() @ b.abs().t()
    assert ((given - exact).abs() <= 3e-6 * size + 1e-6).all()


@pytest.mark.parametrize(("left", "right"), [*((n, "plain") for n in LAYOUTS), *(("gaps", n) for n in LAYOUTS)])
def test_every_layout(always, left, right):
    generator = torch.Generator().manual_seed(1)
    for rows, inner, columns in ((4, 4, 4), (7, 5, 9), (33, 64, 17), (5, 130, 40)):
        a, b = layouts(rows, inner, generator)[left], layouts(columns, inner, generator)[right]
        bias = torch.randn(columns, generator=generator)
        assert_close(products.mm(a, b.t()), a, b)
        assert_close(products.linear(a, b), a, b)
        assert_close(products.linear(a, b, bias), a, b, bias)
    assert len(always) == 12


class Weights(TorchDispatchMode):
    """Keeps the weights that oneDNN gets."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function is torch.ops.mkldnn._linear_pointwise.default:
            self.seen.append(args[1])
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("kind", ["gaps", "transposed with gaps", "steps", "repeated row"])
def test_weights_have_no_gaps(always, kind):
    data, weight = torch.ones(8, 12), layouts(16, 12, torch.Generator().manual_seed(1))[kind]
    with Weights() as weights:
        products.linear(data.requires_grad_(), weight).sum().backward()
    assert len(weights.seen) == 2
    assert all(w.is_contiguous() or w.t().is_contiguous() for w in weights.seen)


def test_gradients_of_every_order(always):
    generator = torch.Generator().manual_seed(2)
    shapes = (6, 5), (7, 5), (7,)
    inputs = [torch.randn(s, generator=generator, requires_grad=True) for s in shapes]
    head = torch.randn(6, 7, generator=generator)
    exact = [t.detach().double().requires_grad_() for t in inputs]

    def derivatives(tensors, function, head):
        first = torch.autograd.grad(function(*tensors).tanh(), tensors, head, create_graph=True)
        second = torch.autograd.grad(sum((g**2).sum() for g in first), tensors)
        return [*first, *second]

    given = derivatives(inputs, products.linear, head)
    expected = derivatives(exact, torch.nn.functional.linear, head.double())
    for mine, right in zip(given, expected, strict=True):
        np.testing.assert_allclose(mine.detach().numpy(), right.detach().numpy(), rtol=1e-4, atol=1e-4)
    assert len(always) >= 3


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_only_what_is_wanted_is_differentiated(always, missing):
    inputs = [torch.ones(s, requires_grad=i != missing) for i, s in enumerate([(4, 5), (6, 5), (6,)])]
    products.linear(*inputs).sum().backward()
    assert [t.grad is None for t in inputs] == [i == missing for i in range(3)]
    assert len(always) == 3 - (missing < 2)


@pytest.mark.parametrize("shape", [(2, 3, 8), (1, 1, 4, 8), (4, 8), (3, 8), (8,), (0, 8), (2, 0, 8)])
def test_leading_dimensions(always, shape):
    data, weight, bias = torch.randn(shape), torch.randn(5, 8), torch.randn(5)
    result = products.linear(data, weight, bias)
    assert result.shape == (*shape[:-1], 5)
    assert_close(result.reshape(-1, 5), data.reshape(-1, 8), weight, bias)


@pytest.mark.parametrize(
    ("data", "weight"),
    [
        (torch.ones(8, 8, dtype=torch.float64), torch.ones(8, 8, dtype=torch.float64)),
        (torch.ones(8, 8, dtype=torch.bfloat16), torch.ones(8, 8, dtype=torch.bfloat16)),
    ],
)
def test_other_types_are_torchs(always, data, weight):
    assert products.linear(data, weight).dtype is data.dtype
    assert products.mm(data, weight).dtype is data.dtype
    assert not always


def test_what_does_not_fit_is_refused(always):
    for function in (products.linear, products.mm):
        with pytest.raises(RuntimeError):
            function(torch.ones(8, 9), torch.ones(8, 8))
    assert not always


def test_infinities_and_nan_spread_as_they_do_in_torch(always):
    data = torch.ones(8, 8)
    data[1, 2], data[3, 4], data[5, 5] = float("inf"), float("nan"), 3e38
    weight = torch.full((8, 8), 10.0)
    torch.testing.assert_close(products.linear(data, weight), data @ weight.t(), equal_nan=True)


def test_operators_multiply_by_it(always):
    x, w, b = (mx.nd.random.normal(shape=s) for s in [(6, 8), (5, 8), (5,)])
    image, kernel = mx.nd.random.normal(shape=(2, 8, 3, 3)), mx.nd.random.normal(shape=(5, 8, 1, 1))
    for result, expected in (
        (mx.nd.FullyConnected(x, w, b, num_hidden=5), x.asnumpy() @ w.asnumpy().T + b.asnumpy()),
        (mx.nd.dot(x, w, transpose_b=True), x.asnumpy() @ w.asnumpy().T),
        (mx.nd.linalg.gemm2(x, w, transpose_b=True), x.asnumpy() @ w.asnumpy().T),
        (mx.np.dot(x.as_np_ndarray(), w.as_np_ndarray().T), x.asnumpy() @ w.asnumpy().T),
        (
            mx.nd.Convolution(image, kernel, kernel=(1, 1), num_filter=5, no_bias=True),
            np.einsum("bcij,fc->bfij", image.asnumpy(), kernel.asnumpy()[:, :, 0, 0]),
        ),
    ):
        before = len(always)
        np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-4, atol=1e-5)
        assert before  # the calls above have come here
    assert len(always) == 5


def test_the_size_decides(monkeypatch):
    monkeypatch.setattr(products, "SMALLEST", 1000.0)
    monkeypatch.setattr(products, "_SMALLEST_SIZES", 4000.0)
    called = []
    multiply = products.multiply
    monkeypatch.setattr(products, "multiply", lambda *given: called.append(given[0].shape) or multiply(*given))
    products.linear(torch.ones(9, 10), torch.ones(11, 10))  # 990
    products.linear(torch.ones(10, 10), torch.ones(10, 10))
    products.linear(torch.ones(2, 100), torch.ones(100, 100))  # two rows are no matrix to speak of
    assert called == [(10, 10)]
