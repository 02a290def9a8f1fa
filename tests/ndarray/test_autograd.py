"""Recording and differentiating, as measured on the original; where it raises, so do we."""

import threading

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd as ag

nd = mx.nd
NOT_IN_GRAPH = "not in a computational graph"
IN_GRAPH = "already in a computational graph"


def variable(values=(1.0, 2.0, 3.0), req="write", dtype="float32"):
    x = nd.array(values, dtype=dtype)
    x.attach_grad(req)
    return x


def numbers(array):
    return array.asnumpy().tolist()


def square(x):
    with ag.record():
        y = x * x
    return y


@pytest.fixture(autouse=True)
def _nothing_is_left_behind():
    yield
    assert not ag.is_recording()
    assert not ag.is_training()
    assert torch.is_grad_enabled()


# ---- gradients and where they go -------------------------------------------------------------------------------------


def test_write_overwrites_and_add_adds():
    x, y = variable(), variable(req="add")
    for _ in range(3):
        square(x).backward()
        square(y).backward()
    assert numbers(x.grad) == [2, 4, 6]
    assert numbers(y.grad) == [6, 12, 18]
    y.grad[:] = 0
    square(y).backward()
    assert numbers(y.grad) == [2, 4, 6]


def test_null_has_a_buffer_but_no_gradient():
    x, w = variable(req="null"), variable()
    assert numbers(x.grad) == [0, 0, 0]
    with pytest.raises(mx.MXNetError, match="no inputs in computation graph that require gradients"):
        square(x).backward()
    with ag.record():
        y = x * w
    y.backward()
    assert numbers(x.grad) == [0, 0, 0]
    assert numbers(w.grad) == [1, 2, 3]


def test_head_gradients():
    x = variable()
    square(x).backward(nd.array([10, 1, 0.5]))
    assert numbers(x.grad) == [20, 4, 3]
    square(x).backward(nd.array([[1, 2, 3]]))  # as many elements will do
    assert numbers(x.grad) == [2, 8, 18]
    with pytest.raises(ValueError, match=r"shape \(1,\), the head has \(3,\)"):
        square(x).backward(nd.array([10]))
    with pytest.raises(TypeError):
        ag.backward([square(x)], [np.ones(3)])
    with pytest.raises(AssertionError, match="2 head gradient"):
        ag.backward([square(x)], [nd.ones((3,)), nd.ones((3,))])


def test_several_heads():
    x = variable()
    with ag.record():
        y, z = x * x, x * 3
    ag.backward([y, z], [nd.ones((3,)), None])
    assert numbers(x.grad) == [5, 7, 9]
    with pytest.raises(mx.MXNetError):
        ag.backward([])
    with pytest.raises(TypeError):
        ag.backward(5)


def test_the_gradient_stays_the_same_array():
    x = variable()
    buffer, part, seen = x.grad, x.grad[0:2], x.grad.as_torch()
    square(x).backward()
    assert x.grad is buffer
    assert numbers(part) == [2, 4]
    assert seen.tolist() == [2, 4, 6]
    x[:] = 1
    square(x).backward()
    assert numbers(part) == [2, 2]
    assert numbers(buffer) == [2, 2, 2]


def test_a_gradient_that_is_not_computed_is_left_alone():
    x, w = variable(), variable()
    x.grad[:] = 7
    square(w).backward()
    assert numbers(x.grad) == [7, 7, 7]
    assert not x._fresh_grad
    assert w._fresh_grad
    w._fresh_grad = False
    assert not w._fresh_grad


def test_a_variable_as_head():
    x = variable()
    x.backward()
    assert numbers(x.grad) == [1, 1, 1]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_gradients_have_the_dtype_of_the_variable(dtype):
    x = variable(dtype=dtype)
    with ag.record():
        y = (x * x).astype("float32" if dtype != "float32" else "float64")
    y.backward()
    assert x.grad.dtype == np.dtype(dtype)
    assert numbers(x.grad) == [2, 4, 6]


def test_mark_variables():
    x, g = nd.array([1.0, 2.0]), nd.zeros((2,))
    ag.mark_variables([x], [g])
    square(x).backward()
    assert numbers(g) == [2, 4]
    assert x.grad is g
    ag.mark_variables(x, g, "add")
    square(x).backward()
    assert numbers(g) == [4, 8]
    with pytest.raises(ValueError, match="shape"):
        ag.mark_variables([x], [nd.zeros((3,))])
    with pytest.raises(ValueError, match="grad_req"):
        x.attach_grad("often")


def test_attaching_again_starts_a_new_buffer():
    x = variable()
    y = square(x)
    x.attach_grad()
    y.backward()  # goes to the buffer of before
    assert numbers(x.grad) == [0, 0, 0]


def test_attaching_to_a_result_cuts_it_off():
    x = variable()
    with ag.record():
        y = x * x
        y.attach_grad()
        z = y * y
    z.backward()
    assert numbers(x.grad) == [0, 0, 0]
    assert numbers(y.grad) == [2, 8, 18]


# ---- the life of a graph ---------------------------------------------------------------------------------------------


def test_a_graph_serves_once():
    x = variable()
    y = square(x)
    y.backward()
    with pytest.raises(mx.MXNetError, match=NOT_IN_GRAPH):
        y.backward()


def test_retain_graph():
    x = variable(req="add")
    y = square(x)
    y.backward(retain_graph=True)
    y.backward()
    assert numbers(x.grad) == [4, 8, 12]
    with pytest.raises(mx.MXNetError, match=NOT_IN_GRAPH):
        y.backward()


def test_going_on_after_a_retained_backward():
    x = variable()
    with ag.record():
        y = x * x
        y.sum().backward(retain_graph=True)
        z = y * 3
    z.backward()
    assert numbers(x.grad) == [6, 12, 18]


def linear(x):
    return x + 1


def reshaped(x):
    return x.reshape((3, 1))


def sliced(x):
    return x[0:2]


# In the middle of a graph, what is used up is known by the tensors that it saved: a mere sum of variables saves none.
@pytest.mark.parametrize(
    ("function", "inner"),
    [
        (linear, False),
        (reshaped, False),
        (sliced, False),
        *[(f, i) for f in (nd.exp, nd.square) for i in (False, True)],
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_what_a_backward_has_used_up_is_a_constant(function, inner):
    x = variable()
    with ag.record():
        y = function(x)
        head = y * y if inner else y
    head.backward()
    with pytest.raises(mx.MXNetError, match=NOT_IN_GRAPH), ag.record():
        (y * y).backward()
    w = nd.ones(y.shape)
    w.attach_grad()
    with ag.record():
        z = y * w
        y[:] = y  # a constant may be written to
    z.backward()
    np.testing.assert_array_equal(w.grad.asnumpy(), y.asnumpy())


def test_a_graph_beside_a_used_one_lives_on():
    x = variable()
    with ag.record():
        y, z = x + 1, x * x
    z.backward()
    with ag.record():
        w = y * y
    w.backward()
    assert numbers(x.grad) == [4, 6, 8]


def test_recording_in_two_blocks():
    x = variable()
    with ag.record():
        y = x * 2
    with ag.record():
        z = y * x
    z.backward()
    assert numbers(x.grad) == [4, 8, 12]


def test_nothing_to_differentiate():
    x, constant = variable(), nd.ones((3,))
    for head in (x * x, square(constant)):
        with pytest.raises(mx.MXNetError, match=NOT_IN_GRAPH):
            head.backward()


def test_backward_inside_of_record():
    x = variable()
    with ag.record():
        (x * 2).backward()
    assert numbers(x.grad) == [2, 2, 2]


def test_a_long_chain_does_not_overflow_the_stack():
    x = variable()
    with ag.record():
        y = x
        for _ in range(20000):
            y = y + 0.0001
    y.backward()
    assert numbers(x.grad) == [1, 1, 1]


# ---- writing in place ------------------------------------------------------------------------------------------------


def test_a_write_between_forward_and_backward_is_seen():
    x = variable()
    with ag.record():
        z = x * 2
        y = z * z
    z[:] = 0
    y.backward()
    assert numbers(x.grad) == [0, 0, 0]
    y = square(x)
    x[:] = 5
    y.backward()
    assert numbers(x.grad) == [10, 10, 10]


def test_a_write_through_a_view_is_seen():
    x = variable()
    part = x[0:2]
    with ag.record():
        y = x * x
        part[:] = 5
    y.backward()
    assert numbers(x.grad) == [10, 10, 6]


def _assign(target, source):
    target[:] = source


def _assign_part(target, source):
    target[0:2] = source


def _add(target, source):
    target += source


@pytest.mark.parametrize("write", [_assign, _assign_part, _add])
def test_writing_to_what_is_in_the_graph(write):
    x = variable()
    with ag.record():
        y = x * x
        view = y[0:2]
        for target in (x, y, view):
            with pytest.raises(mx.MXNetError, match=IN_GRAPH):
                write(target, 1)
    y.backward()
    assert numbers(x.grad) == [2, 4, 6]


def test_writing_what_is_in_the_graph_to_part_of_an_array():
    x, target = variable(), nd.zeros((3,))
    with ag.record():
        y = x * x
        for write in (_assign_part, _add):
            with pytest.raises(mx.MXNetError, match="Inplace operations"):
                write(target, y[0:2] if write is _assign_part else y)
    assert numbers(target) == [0, 0, 0]


def write_all(target, y):
    target[:] = y


def write_dots(target, y):
    target[...] = y


def write_range(target, y):
    target[0:3] = y


def write_copyto(target, y):
    y.copyto(target)


def write_converted(target, y):
    target[:] = y.astype("float64")


def write_out(target, y):
    nd.elemwise_mul(y, nd.ones((3,)), out=target)


@pytest.mark.parametrize(
    "write", [write_all, write_dots, write_range, write_copyto, write_converted, write_out], ids=lambda f: f.__name__
)
def test_writing_all_of_an_array_is_recorded(write):
    x, target = variable(), nd.zeros((3,))
    with ag.record():
        write(target, x * x)
        z = target * 2
    z.backward(nd.array([1, 10, 100]))
    assert numbers(target) == [1, 4, 9]
    assert numbers(x.grad) == [4, 80, 1200]


def test_broadcasting_writes_are_recorded():
    x, target = variable((3.0,)), nd.zeros((2, 2))
    with ag.record():
        target[:] = x * x
    target.backward(nd.array([[1, 2], [3, 4]]))
    assert numbers(x.grad) == [60]


def test_a_constant_may_be_written_to_while_recording():
    x, constant = variable(), nd.zeros((3,))
    with ag.record():
        constant[0] = 5
        constant += 1
        y = x * constant
    y.backward()
    assert numbers(x.grad) == [6, 1, 1]


# ---- modes -----------------------------------------------------------------------------------------------------------


def test_modes():
    def modes():
        return ag.is_recording(), ag.is_training()

    assert modes() == (False, False)
    with ag.record():
        assert modes() == (True, True)
        with ag.pause():
            assert modes() == (False, False)
            with ag.record(train_mode=False):
                assert modes() == (True, False)
        with ag.pause(train_mode=True):
            assert modes() == (False, True)
        with ag.predict_mode():
            assert modes() == (True, False)
    with ag.train_mode():
        assert modes() == (False, True)
        with ag.predict_mode():
            assert modes() == (False, False)
    assert ag.set_recording(True) is False
    assert ag.set_recording(False) is True
    assert ag.set_training(True) is False
    assert ag.set_training(False) is True


def test_modes_come_back_after_an_error():
    with pytest.raises(RuntimeError, match="oops"), ag.record():
        raise RuntimeError("oops")
    assert not ag.is_recording()


def test_one_scope_may_be_entered_twice():
    scope = ag.record()
    with scope, scope:
        assert ag.is_recording()
    assert not ag.is_recording()


def test_pause_and_detach_cut_the_graph():
    x = variable()
    with ag.record():
        y = x * x
        with ag.pause():
            z = y * 2
        w = y + z
    w.backward()
    assert numbers(x.grad) == [2, 4, 6]
    with ag.record():
        z = (x * x).detach() * x
    z.backward()
    assert numbers(x.grad) == [1, 4, 9]
    same = x.detach()
    same[:] = 0
    assert numbers(x) == [0, 0, 0]


def test_the_mode_is_the_threads_own():
    seen = {}

    def other():
        seen["recording"] = ag.is_recording()
        seen["training"] = ag.is_training()

    with ag.record():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert seen == {"recording": False, "training": False}


def test_threads_differentiate_at_the_same_time():
    results = {}

    def work(number):
        x = variable((float(number),) * 3)
        for _ in range(50):
            square(x).backward()
        results[number] = numbers(x.grad)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {i: [2.0 * i] * 3 for i in range(8)}


def test_a_graph_recorded_in_one_thread_is_differentiated_in_another():
    x = variable()
    y = square(x)
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    assert numbers(x.grad) == [2, 4, 6]


def test_torchs_own_mode_is_left_as_it_was():
    x = variable()
    with torch.no_grad():
        y = square(x)
        assert not torch.is_grad_enabled()
        y.backward()
        assert not torch.is_grad_enabled()
    assert numbers(x.grad) == [2, 4, 6]
    weight = torch.ones(3, requires_grad=True)
    with ag.record():
        z = x * x
    (weight * 2).sum().backward()  # torch's graphs and ours do not meet
    assert weight.grad.tolist() == [2, 2, 2]
    z.backward()


def test_outside_of_record_nothing_is_taped():
    x = variable()
    y = x * x
    assert y._var is None
    assert not y._data.requires_grad
    assert not x.as_torch().requires_grad


# ---- through views, copies and moves ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: x.reshape((3, 1)), [2, 2, 2]),
        (lambda x: x[0:2], [2, 2, 0]),
        (lambda x: x[1], [0, 2, 0]),
        (lambda x: x.copy(), [2, 2, 2]),
        (lambda x: x.as_in_context(mx.cpu(1)), [2, 2, 2]),
        (lambda x: x.copyto(mx.cpu(1)), [2, 2, 2]),
        (lambda x: x.astype("float32", copy=False), [2, 2, 2]),
        (lambda x: x.astype("float64"), [2, 2, 2]),
        (lambda x: nd.array(x), [2, 2, 2]),
        (lambda x: x.expand_dims(0), [2, 2, 2]),
        (lambda x: x.expand_dims(0, inplace=True), [2, 2, 2]),
        (lambda x: nd.concat(x, x, dim=0), [4, 4, 4]),
        (lambda x: x.broadcast_to((2, 3)), [4, 4, 4]),
        (lambda x: sum(iter(x)), [2, 2, 2]),
        (lambda x: x[nd.array([0, 0, 2])], [4, 0, 2]),
    ],
)
def test_gradients_go_through(function, expected):
    x = variable()
    with ag.record():
        y = function(x) * 2
    y.backward()
    assert numbers(x.grad) == expected


def test_a_slice_made_outside_of_record_is_a_constant():
    x = variable()
    part = x[0:2]
    with pytest.raises(mx.MXNetError, match=NOT_IN_GRAPH):
        square(part).backward()


def test_reading_values_while_recording():
    x = variable()
    with ag.record():
        y = (x * x).sum()
        assert y.asscalar() == 14
        assert bool(y > 0)
        assert float(y) == 14
    y.backward()
    assert numbers(x.grad) == [2, 4, 6]


# ---- grad ------------------------------------------------------------------------------------------------------------


def test_grad_returns_a_list_and_leaves_the_buffers_alone():
    x = variable()
    found = ag.grad(square(x), x)
    assert isinstance(found, list)
    assert numbers(found[0]) == [2, 4, 6]
    assert numbers(x.grad) == [0, 0, 0]
    assert [numbers(g) for g in ag.grad(square(x), [x], nd.array([1, 0, 2]))] == [[2, 0, 12]]


def test_grad_of_what_is_unreachable():
    x, w = variable(), variable()
    with pytest.raises(mx.MXNetError, match="variable 1 because it is unreachable"):
        ag.grad(square(x), [x, w])
    with pytest.raises(mx.MXNetError, match="attach_grad"):
        ag.grad(square(x), [nd.ones((3,))])


def test_grad_with_respect_to_a_result():
    x = variable()
    with ag.record():
        z = x * 2
        y = z * z
    assert numbers(ag.grad(y, z)[0]) == [4, 8, 12]


def test_higher_orders():
    x = variable()
    with ag.record():
        y = nd.sin(x)
        orders = [y]
        for _ in range(4):
            orders.append(ag.grad(orders[-1], x, create_graph=True, retain_graph=True)[0])
    angle = np.array([1, 2, 3], dtype="float32")
    for given, expected in zip(
        orders, (np.sin, np.cos, lambda a: -np.sin(a), lambda a: -np.cos(a), np.sin), strict=True
    ):
        np.testing.assert_allclose(given.asnumpy(), expected(angle), rtol=1e-5)
    orders[2].backward()
    np.testing.assert_allclose(x.grad.asnumpy(), -np.cos(angle), rtol=1e-5)


def test_a_gradient_in_a_loss():
    x = variable()
    with ag.record():
        slope = ag.grad(x * x * x, x, create_graph=True, retain_graph=True)[0]
        penalty = ((slope - 1) * (slope - 1)).sum()
    penalty.backward()
    values = np.array([1, 2, 3], dtype="float32")
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * (3 * values**2 - 1) * 6 * values, rtol=1e-5)


# ---- Function --------------------------------------------------------------------------------------------------------


class Sigmoid(ag.Function):
    def forward(self, x):
        assert not ag.is_recording()
        y = 1 / (1 + nd.exp(-x))
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        assert not ag.is_recording()
        (y,) = self.saved_tensors
        return dy * y * (1 - y)


def test_function():
    x = variable()
    with ag.record():
        y = Sigmoid()(x)
        z = y * 2
    z.backward()
    s = 1 / (1 + np.exp(-np.array([1, 2, 3.0])))
    np.testing.assert_allclose(y.asnumpy(), s, rtol=1e-6)
    np.testing.assert_allclose(x.grad.asnumpy(), 2 * s * (1 - s), rtol=1e-5)


def test_function_serves_once():
    function = Sigmoid()
    function(nd.ones((1,)))
    with pytest.raises(mx.MXNetError, match="only be called once"):
        function(nd.ones((1,)))


class SumAndProduct(ag.Function):
    def forward(self, x, y):
        self.x, self.y = x, y
        return x + y, x * y

    def backward(self, ds, dp):
        return ds + dp * self.y, ds + dp * self.x


def test_function_of_several_arrays():
    x, y = variable(), variable((4.0, 5.0, 6.0))
    with ag.record():
        s, p = SumAndProduct()(x, y)
    assert numbers(p) == [4, 10, 18]
    ag.backward([s, p])
    assert numbers(x.grad) == [5, 6, 7]
    assert numbers(y.grad) == [2, 3, 4]
    with ag.record():
        s, p = SumAndProduct()(x, y)
    s.backward()  # the gradient of what was not used is zero
    assert numbers(x.grad) == [1, 1, 1]


class Wrong(ag.Function):
    result = None

    def forward(self, x):
        return x * 2

    def backward(self, dy):
        return self.result(dy)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (lambda dy: (dy, dy), "2 gradients for 1 inputs"),
        (lambda dy: dy.asnumpy(), "must return NDArrays"),
        (lambda dy: dy[0:2], r"shape \(2,\), expected \(3,\)"),
    ],
)
def test_function_with_a_wrong_backward(result, text):
    function = Wrong()
    function.result = result
    x = variable()
    with ag.record():
        y = function(x)
    with pytest.raises(mx.MXNetError, match=text):
        y.backward()


def test_an_error_of_the_users_own_passes_through():
    def fail(dy):
        raise KeyError("mine")

    function = Wrong()
    function.result = fail
    x = variable()
    with ag.record():
        y = function(x)
    with pytest.raises(KeyError, match="mine"):
        y.backward()


def test_function_without_variables():
    with ag.record():
        y = Sigmoid()(nd.ones((2,)))
    with pytest.raises(mx.MXNetError, match=NOT_IN_GRAPH):
        y.backward()


@pytest.mark.parametrize("linear", [nd.radians, nd.negative, nd.abs, lambda x: x * 3, lambda x: x.sum(), nd.identity])
def test_the_gradient_of_a_linear_function_can_be_differentiated_to_zeros(linear):
    x = variable()
    with ag.record():
        first = ag.grad(linear(x), x, create_graph=True, retain_graph=True)[0]
        second = ag.grad(first, x, create_graph=True, retain_graph=True)[0]
        together = first * x + second
    assert first.asnumpy().any()
    assert not second.asnumpy().any()
    second.backward(retain_graph=True)
    assert not x.grad.asnumpy().any()
    together.backward()
    assert numbers(x.grad) == numbers(first)


class _Square(ag.Function):
    def forward(self, x):
        self.save_for_backward(x)
        return x * x

    def backward(self, dy):
        (x,) = self.saved_tensors
        return 2 * x * dy


def test_results_of_functions_whose_graph_is_gone_are_constants():
    """The values are the original's. Programs of books carry states over from batch to batch like this."""
    weight = nd.array([2.0, 3.0])
    weight.attach_grad()
    state = weight
    for expected in ([8, 27], [16, 615.09375], [256, 1276898.6]):
        with ag.record():
            state = _Square()(state * weight) / 4
        state.backward()
        np.testing.assert_allclose(weight.grad.asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_states_of_recurrent_layers_whose_graph_is_gone_are_constants(kind):
    layer = getattr(mx.gluon.rnn, kind)(4)
    layer.initialize(mx.init.One())
    kept = cut = layer.begin_state(batch_size=2)
    for _ in range(3):
        grads = []
        for state in (kept, cut):
            with ag.record():
                output, state = layer(nd.ones((3, 2, 5)) * 0.1, state)
            output.backward()
            grads.append([p.grad().asnumpy() for p in layer.collect_params().values()])
            kept, cut = (state, cut) if len(grads) == 1 else (kept, [s.detach() for s in state])
        for one, other in zip(*grads, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "cut",
    [
        lambda h: nd.BlockGrad(h),
        lambda h: nd.round(h),
        lambda h: h > 0,
        lambda h: nd.zeros_like(h),
        lambda h: nd.topk(h, k=2, ret_typ="mask"),
        lambda h: nd.one_hot(nd.argmax(h, axis=1), depth=2),
    ],
)
def test_variables_behind_a_constant_get_zeros(cut):
    x, w = nd.array([[1.0, 2.0]]), nd.array([[3.0, 4.0]])
    for variable in (x, w):
        variable.attach_grad()
        variable.grad[:] = 7
    with ag.record():
        h = nd.sqrt(x * 2 - 2)  # whose derivative is infinite for the first: zero times that is not zero
        y = cut(h) * w
    y.backward()
    assert x.grad.asnumpy().tolist() == [[0, 0]]
    assert w.grad.asnumpy().tolist() == cut(nd.sqrt(x * 2 - 2)).asnumpy().tolist()
    assert x._fresh_grad
    with ag.record():
        y = cut(nd.sqrt(x * 2 - 2)) * w + x
    y.backward()
    assert x.grad.asnumpy().tolist() == [[1, 1]]
    with ag.record():
        y = cut(nd.sqrt(x * 2 - 2)) * w
    y.backward()  # the gradient of before is not left there
    assert x.grad.asnumpy().tolist() == [[0, 0]]
    x.grad[:] = 5
    with ag.record():
        y = cut(x * 2) * w
    assert ag.grad(y, [x])[0].asnumpy().tolist() == [[0, 0]]
    assert x.grad.asnumpy().tolist() == [[5, 5]]


_CHOOSERS = {
    "mask": lambda F, x, w: (x > 0) * w,
    "compared": lambda F, x, w: F.broadcast_lesser(x, w) * w,
    "where": lambda F, x, w: F.where(x, w, w * 2),
    "take": lambda F, x, w: F.take(w, F.abs(x)),
    "pick": lambda F, x, w: F.pick(w, F.argmax(x, axis=0), axis=0),
    "gather_nd": lambda F, x, w: F.gather_nd(w, F.abs(x).reshape((1, 2))),
    "scatter_nd": lambda F, x, w: F.scatter_nd(w, F.stack(x > 0, axis=0), shape=(2,)),
    "slice_like": lambda F, x, w: F.slice_like(w, x),
    "reshape_like": lambda F, x, w: F.reshape_like(w, x),
}


_INDICES = {
    "number": lambda x: x,
    "pair": lambda x: (x, x),
    "with a number": lambda x: (x, 0),
    "integers": lambda x: x.astype("int32"),
    "mask": lambda x: x > 0,
}


@pytest.mark.parametrize("name", _INDICES)
@pytest.mark.parametrize("variable", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_an_index_gets_zeros(name, variable, dtype):
    x, w, data = nd.array([1.0, 0.0]), nd.array([2.0]), nd.array([[2, 3], [4, 5]], dtype=dtype)
    for array in (x, w, data)[: 2 + variable]:
        array.attach_grad()
    x.grad[:] = 7
    with ag.record():
        y = data[_INDICES[name](x)].astype("float32") * w
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 0]
    assert w.grad.asnumpy().tolist() == [(y / 2).asnumpy().sum()]
    assert not variable or data.grad.asnumpy().any()
    with ag.record():
        y = data[_INDICES[name](x)]
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 0]


@mx.util.use_np
def test_a_mask_of_np_gets_zeros():
    x, w = mx.np.array([1.0, 0.0]), mx.np.array([[2.0, 3.0], [4.0, 5.0]])
    for choose in (lambda: w[x > 0], lambda: w[x > 0, 1], lambda: mx.np.where(x, w, 1), lambda: mx.np.where(x, 1, w)):
        x.attach_grad()
        w.attach_grad()
        x.grad[:] = 7
        with ag.record():
            y = choose()
        y.backward()
        assert x.grad.tolist() == [0, 0] and w.grad.sum() > 0


class _Choice(mx.gluon.HybridBlock):
    def __init__(self, function):
        super().__init__()
        self._function = function

    def hybrid_forward(self, F, x, w):
        return self._function(F, x, w)


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("name", _CHOOSERS)
def test_what_only_chooses_gets_zeros(name, hybrid):
    net = _Choice(_CHOOSERS[name])
    net.hybridize(hybrid)
    x, w = nd.array([1.0, -1.0]), nd.array([2.0, 3.0])
    x.attach_grad()
    w.attach_grad()
    x.grad[:] = 7
    with ag.record():
        y = net(x, w)
    y.backward()
    np.testing.assert_array_equal(x.grad.asnumpy(), 0)
    assert w.grad.asnumpy().any()


def test_a_trainer_steps_parameters_behind_a_block():
    class Net(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.frozen, self.head = mx.gluon.nn.Dense(3, in_units=2), mx.gluon.nn.Dense(1, in_units=3)

        def hybrid_forward(self, F, x):
            return self.head(F.BlockGrad(self.frozen(x)))

    for hybrid in (False, True):
        net = Net()
        net.initialize(mx.init.One())
        net.hybridize(hybrid)
        trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "wd": 0.1})
        for expected in (0.99, 0.9801):
            with ag.record():
                loss = (net(nd.ones((4, 2))) ** 2).sum()
            loss.backward()
            trainer.step(4)
            np.testing.assert_allclose(net.frozen.weight.data().asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize(
    "behind",
    [
        lambda F, h: F.BlockGrad(h),
        lambda F, h: F.argmax(h, axis=1),
        lambda F, h: h > 0.5,
        lambda F, h: F.BlockGrad(h.reshape((-1,)) * 2),
        lambda F, h: F.round(F.argmax(h.reshape((-1,)), axis=0)),
        lambda F, h: F.take(F.ones((3,)), F.argmax(h, axis=1)),
    ],
)
def test_a_loss_behind_a_constant_is_learned(behind, hybrid):
    label, grads = nd.array([0.0, 2.0]), []
    for after in (lambda F, h: h, behind):
        net = _Choice(lambda F, x, label, after=after: after(F, F.SoftmaxOutput(x * 2, label)))
        net.hybridize(hybrid)
        x = nd.array([[1.0, 2.0, 3.0], [3.0, 1.0, 0.0]])
        x.attach_grad()
        with ag.record():
            y = net(x, label)
        y.backward()
        grads.append(x.grad.asnumpy())
    assert grads[0].any()
    np.testing.assert_array_equal(*grads)
