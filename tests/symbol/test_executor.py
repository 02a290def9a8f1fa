"""Executors: shared memory after a reshape, gradients that nothing reaches, names, contexts of outputs."""

import re

import numpy as np
import pytest

import mxnet as mx

A, B = mx.sym.Variable("a"), mx.sym.Variable("b")


def test_a_smaller_executor_lies_in_the_memory_of_the_larger():
    net = mx.sym.FullyConnected(A, num_hidden=4, name="f")
    large = net.simple_bind(mx.cpu(), a=(5, 4))
    large.arg_dict["a"][:] = 1
    large.arg_dict["f_weight"][:] = 1
    small = large.reshape(a=(3, 4))
    np.testing.assert_array_equal(small.forward()[0].asnumpy(), np.full((3, 4), 4))
    small.arg_dict["a"][:] = 7
    np.testing.assert_array_equal(large.arg_dict["a"].asnumpy()[:, 0], [7, 7, 7, 1, 1])
    np.testing.assert_array_equal(large.forward()[0].asnumpy()[:, 0], [28, 28, 28, 4, 4])
    small.forward(is_train=True)
    small.backward(mx.nd.ones((3, 4)))
    assert large.grad_dict["f_weight"] is small.grad_dict["f_weight"]
    np.testing.assert_array_equal(large.grad_dict["a"].asnumpy()[:, 0], [4, 4, 4, 0, 0])


def test_a_larger_executor_has_memory_of_its_own():
    small = (A * 2).simple_bind(mx.cpu(), a=(2,))
    with pytest.raises(mx.MXNetError, match="allow_up_sizing"):
        small.reshape(a=(3,))
    large = small.reshape(a=(3,), allow_up_sizing=True)
    large.arg_dict["a"][:] = 5
    np.testing.assert_array_equal(small.arg_dict["a"].asnumpy(), [0, 0])


@pytest.mark.parametrize(
    "net, zero",
    [
        (mx.sym.where(A, B, B), "a"),
        (mx.sym.take(B, A), "a"),
        (mx.sym.pick(B, mx.sym.sum(A, axis=1)), "a"),
        (mx.sym.slice_like(B, A), "a"),
        (mx.sym.reshape_like(B, A), "a"),
        (mx.sym.gather_nd(B, A), "a"),
        (mx.sym.BlockGrad(A) + B, "a"),
        (mx.sym.shape_array(A), "a"),
    ],
)
@pytest.mark.parametrize("req, expected", [("write", 0), ("add", 7), ("null", 7)])
def test_gradients_that_nothing_reaches(net, zero, req, expected):
    """The original writes zeros."""
    args = {name: mx.nd.ones((2, 2)) for name in net.list_arguments()}
    grads = {name: mx.nd.full((2, 2), 7) for name in args}
    executor = net.bind(mx.cpu(), args, grads, req)
    for _ in range(2):
        outputs = executor.forward(is_train=True)
        executor.backward([mx.nd.ones(o.shape, dtype=o.dtype) for o in outputs])
        np.testing.assert_array_equal(grads[zero].asnumpy(), np.full((2, 2), expected))
        if req == "write":
            grads[zero][:] = 3


def test_gradients_of_a_branch_that_is_taken_later():
    net = mx.sym.contrib.cond(mx.sym.sum(A) > 0, lambda: A * B, lambda: A * mx.sym.Variable("c"))
    executor = net.simple_bind(mx.cpu(), a=(1,), b=(1,), c=(1,))
    for sign, reached, other in ((1, "b", "c"), (-1, "c", "b"), (1, "b", "c")):
        executor.arg_dict["a"][:] = 3 * sign
        executor.forward(is_train=True)
        executor.backward(mx.nd.ones((1,)))
        assert executor.grad_dict[reached].asscalar() == 3 * sign
        assert executor.grad_dict[other].asscalar() == 0


def test_two_variables_of_one_name():
    net = A + mx.sym.Variable("a")
    assert net.list_arguments() == ["a", "a"]
    with pytest.raises(mx.MXNetError, match=r"Duplicate names.* a"):
        net.simple_bind(mx.cpu(), a=(2,))
    with pytest.raises(mx.MXNetError, match=r"Duplicate names.* a"):
        net.bind(mx.cpu(), {"a": mx.nd.ones((2,))})


def test_outputs_are_where_their_group_is():
    with mx.AttrScope(ctx_group="stage"):
        product = A * 2
    places = {"stage": mx.cpu(1)}
    executor = mx.sym.Group([A, product, product + B]).simple_bind(mx.cpu(0), group2ctx=places, a=(2,), b=(2,))
    assert [o.context for o in executor.forward()] == [mx.cpu(0), mx.cpu(1), mx.cpu(0)]


@pytest.mark.parametrize(
    "net",
    [
        lambda x: x * 2,
        lambda x: mx.sym.sum(x),
        lambda x: mx.sym.softmax(x),
        lambda x: mx.sym.concat(x, x, dim=0),
        lambda x: mx.sym.smooth_l1(mx.sym.Activation(x, act_type="relu"), scalar=1.0),
        lambda x: mx.sym.Group([mx.sym.MakeLoss(x * 2), x * 3]),
    ],
)
def test_outputs_that_are_no_losses_need_head_gradients(net):
    executor = net(mx.sym.var("x")).simple_bind(mx.cpu(), x=(2, 2))
    executor.forward(is_train=True)
    with pytest.raises(mx.MXNetError, match="the last operator is not Loss function, head_gradient is required"):
        executor.backward()
    executor.backward([mx.nd.ones(out.shape) for out in executor.outputs])
    assert np.isfinite(executor.grad_arrays[0].asnumpy()).all()
    executor = net(mx.sym.var("x")).simple_bind(mx.cpu(), grad_req="null", x=(2, 2))
    executor.forward(is_train=True)
    executor.backward()


@pytest.mark.parametrize(
    ("net", "expected"),
    [
        (lambda x: mx.sym.MakeLoss(x * 2), 2),
        (lambda x: mx.sym.MakeLoss(x * 2) * 2, 2),
        (lambda x: mx.sym.make_loss(x * 2), 2),
        (lambda x: mx.sym.BlockGrad(x), 0),
        (lambda x: mx.sym.argmax(x, axis=1), 0),
        (lambda x: mx.sym.Group([mx.sym.MakeLoss(x * 2), mx.sym.BlockGrad(x * 3)]), 2),
        (lambda x: mx.sym.LinearRegressionOutput(x, mx.sym.zeros_like(x)), 0.5),
    ],
)
def test_losses_and_constants_need_none(net, expected):
    executor = net(mx.sym.var("x")).bind(mx.cpu(), [mx.nd.ones((2, 2))], [mx.nd.full((2, 2), 7)])
    executor.forward(is_train=True)
    executor.backward()
    assert executor.grad_arrays[0].asnumpy().tolist() == [[expected] * 2] * 2


def test_a_head_gradient_for_the_first_of_two_outputs():
    x = mx.sym.var("x")
    net = mx.sym.Group([x * 3, mx.sym.MakeLoss(x * 2)])
    executor = net.simple_bind(mx.cpu(), x=(2, 2))
    for heads in ([mx.nd.ones((2, 2))], [mx.nd.ones((2, 2))] * 3):  # more than there are outputs do no harm
        executor.forward(is_train=True)
        executor.backward(heads)
        assert executor.grad_arrays[0].asnumpy().tolist() == [[5, 5], [5, 5]]


@pytest.mark.parametrize("req", ["write", "null"])
def test_targets_may_be_written_between_forward_and_backward(req):
    """As reinforcement learning does, whose targets come from the outputs."""
    net = mx.sym.LinearRegressionOutput(mx.sym.FullyConnected(A, num_hidden=2, name="f"), B)
    reqs = {"a": req, "b": req, "f_weight": "write", "f_bias": "write"}
    executor = net.simple_bind(mx.cpu(), grad_req=reqs, a=(3, 4), b=(3, 2))
    executor.arg_dict["a"][:] = 1
    executor.arg_dict["f_weight"][:] = 0.5
    for first, expected in ((5, -4.5), (6, -6)):
        target = executor.forward(is_train=True)[0].asnumpy()
        target[:, 0] = first
        executor.arg_dict["b"][:] = target
        executor.backward()
        np.testing.assert_allclose(executor.grad_dict["f_bias"].asnumpy(), [expected, 0])


@pytest.mark.parametrize("req", ["write", "null"])
def test_backward_sees_arguments_written_after_forward(req):
    executor = (A * B).simple_bind(mx.cpu(), grad_req={"a": "write", "b": req}, a=(2,), b=(2,))
    executor.arg_dict["b"][:] = 3
    executor.forward(is_train=True)
    executor.arg_dict["b"][:] = 9
    executor.backward(mx.nd.ones(2))
    assert executor.grad_dict["a"].asnumpy().tolist() == [9, 9]


def test_memory_of_a_run_is_told():
    def told(symbol, **options):
        bound = symbol.simple_bind(mx.cpu(), data=(4, 256, 256), **options)
        return int(re.search(r"Total (\d+) MB allocated", bound.debug_str()).group(1))

    chain = mx.sym.var("data")
    for _ in range(10):
        chain = chain * chain
    assert told(chain) == 12, "ten values of 1 MB are kept for backward, whose gradients take two more"
    assert told(chain, grad_req="null") == told(mx.sym.stop_gradient(chain)) == 2
    assert told(chain, type_dict={"data": "float64"}) == 12, "numbers of any type count as 4 bytes in the original"


def test_bilinear_upsampling_of_a_symbol_without_its_weight():
    """The weight is the symbol's own variable; the numbers are the original's."""
    net = mx.sym.UpSampling(mx.sym.Variable("a"), scale=2, sample_type="bilinear", num_filter=2, name="up")
    executor = net.simple_bind(mx.cpu(), a=(1, 2, 2, 2))
    assert executor.arg_dict["up_weight"].shape == (2, 1, 4, 4)
    mx.init.Bilinear()(mx.init.InitDesc("up_weight", {"__init__": '["bilinear", {}]'}), executor.arg_dict["up_weight"])
    executor.arg_dict["a"][:] = np.arange(8).reshape(1, 2, 2, 2)
    (found,) = executor.forward(is_train=True)
    np.testing.assert_allclose(found.asnumpy()[0, 0, :2], [[0, 0.1875, 0.5625, 0.5625], [0.375, 0.75, 1.25, 1.125]])
    executor.backward(mx.nd.ones(found.shape))
    np.testing.assert_allclose(executor.grad_dict["a"].asnumpy()[0, 1], np.full((2, 2), 3.0625))


def test_backward_after_a_prediction_leaves_outputs_and_states():
    data = mx.sym.Dropout(mx.sym.BatchNorm(mx.sym.var("data"), fix_gamma=False, eps=1e-3, name="bn"), p=0.5)
    executor = data.simple_bind(mx.cpu(), data=(3, 2))
    x, head = np.array([[1.0, 2.0], [3.0, 5.0], [4.0, -1.0]]), np.array([[1.0, 0.5], [-1.0, 2.0], [0.25, 1.0]])
    mean, var, gamma = np.array([0.5, -0.5]), np.array([1.5, 0.75]), np.array([2.0, 0.5])
    executor.copy_params_from(
        {"data": mx.nd.array(x), "bn_gamma": mx.nd.array(gamma), "bn_beta": mx.nd.zeros(2)},
        {"bn_moving_mean": mx.nd.array(mean), "bn_moving_var": mx.nd.array(var)},
    )
    output = executor.forward(is_train=False)[0]
    output[:] = 7  # nobody computes it again
    for _ in range(2):
        executor.backward([mx.nd.array(head)])
        np.testing.assert_allclose(executor.grad_dict["data"].asnumpy(), head * gamma / np.sqrt(var + 1e-3), rtol=1e-5)
        np.testing.assert_array_equal(executor.aux_dict["bn_moving_mean"].asnumpy(), mean)
        assert (output.asnumpy() == 7).all() and executor.outputs[0] is output


def test_a_second_backward_leaves_the_outputs():
    executor = mx.sym.Dropout(mx.sym.var("data"), p=0.5).simple_bind(mx.cpu(), data=(64,))
    executor.arg_dict["data"][:] = 1
    output = executor.forward(is_train=True)[0]
    kept = output.asnumpy()
    for _ in range(3):
        executor.backward([mx.nd.ones((64,))])
        np.testing.assert_array_equal(output.asnumpy(), kept)


@pytest.mark.parametrize(
    "choose",
    [
        lambda data, index: mx.sym.take(data, mx.sym.slice_axis(index, axis=1, begin=0, end=1)),
        lambda data, index: mx.sym.where(index, data, data * 2),
        lambda data, index: mx.sym.pick(data, mx.sym.sum(index, axis=1)),
    ],
)
def test_what_is_chosen_needs_a_head_gradient(choose):
    symbol = choose(mx.sym.var("data") * 2, mx.sym.var("index") * 1)
    executor = symbol.simple_bind(mx.cpu(), data=(2, 3), index=(2, 3))
    executor.forward(is_train=True)
    with pytest.raises(mx.MXNetError, match="head_gradient is required"):
        executor.backward()


@pytest.mark.parametrize(
    "same", [lambda data: data, mx.sym.identity, mx.sym.SequenceMask, lambda data: mx.sym.Dropout(data, p=0.0)]
)
def test_an_argument_as_output_needs_a_head_gradient(same):
    executor = same(mx.sym.var("data")).simple_bind(mx.cpu(), data=(2, 3))
    executor.forward(is_train=True)
    with pytest.raises(mx.MXNetError, match="head_gradient is required"):
        executor.backward()


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "fix", "rint", "round"])
def test_whole_numbers_need_no_head_gradient_and_meet_no_infinite_derivative(name):
    symbol = getattr(mx.sym, name)(mx.sym.log(mx.sym.var("data")))
    executor = symbol.bind(mx.cpu(), [mx.nd.array([0.0, 2.5])], [mx.nd.array([7.0, 7.0])])
    executor.forward(is_train=True)
    executor.backward()
    np.testing.assert_array_equal(executor.grad_arrays[0].asnumpy(), [0.0, 0.0])


@pytest.mark.parametrize(
    "behind",
    [
        mx.sym.BlockGrad,
        mx.sym.zeros_like,
        mx.sym.round,
        lambda loss: loss > 0.5,
        lambda loss: mx.sym.argmax(loss, axis=1),
        lambda loss: mx.sym.one_hot(mx.sym.argmax(loss, axis=1), 3),
        lambda loss: mx.sym.BlockGrad(loss.reshape((-1,))),
    ],
)
@pytest.mark.parametrize(
    "loss",
    [
        lambda data, label: mx.sym.SoftmaxOutput(data * 2, label),
        lambda data, label: mx.sym.LinearRegressionOutput(data * 2, mx.sym.one_hot(label, 3)),
        lambda data, label: mx.sym.MakeLoss(data * data),
        lambda data, label: mx.sym.make_loss(data * data),
    ],
)
def test_a_loss_is_learned_behind_what_has_no_gradient(loss, behind):
    x = mx.nd.array([[1.0, 2.0, 3.0], [3.0, 1.0, 0.0]])
    found = []
    for wrap in (lambda made: made, behind):
        symbol = wrap(loss(mx.sym.var("data"), mx.sym.var("label")))
        executor = symbol.simple_bind(mx.cpu(), data=(2, 3), label=(2,), grad_req={"data": "write", "label": "null"})
        given = {"data": x, "label": mx.nd.array([0, 2])}
        executor.forward(is_train=True, **{name: given[name] for name in executor.arg_dict})
        executor.backward()
        found.append(executor.grad_dict["data"].asnumpy())
    assert found[0].any()
    np.testing.assert_array_equal(*found)


def test_a_monitor_is_told_the_forward_pass_once():
    loss = mx.sym.MakeLoss(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"), name="loss")
    executor = loss.simple_bind(mx.cpu(), data=(2, 3))
    told = []
    executor.set_monitor_callback(lambda name, array: told.append(name), monitor_all=True)
    passes = []
    for is_train in (True, False):
        executor.forward(is_train=is_train)
        forward, told[:] = [*told], []
        executor.backward()
        passes.append([*told])
        executor.backward()
        passes.append(told[len(passes[-1]) :])
        told.clear()
    assert "fc_output" in forward and "fc_output" not in passes[0] and "fc_backward_output0" in passes[0]
    assert passes == [passes[0]] * 4


def test_a_second_backward_draws_nothing_that_others_would_have_drawn():
    executor = mx.sym.Dropout(mx.sym.var("data") * 1, p=0.5).simple_bind(mx.cpu(), data=(4, 8))
    drawn = []
    for passes in (1, 2):
        mx.random.seed(3)
        executor.forward(is_train=True)
        for _ in range(passes):
            executor.backward([mx.nd.ones((4, 8))])
        drawn.append(mx.nd.random.uniform(shape=(5,)).asnumpy())
    np.testing.assert_array_equal(*drawn)


# ---- head gradients that nothing depends on, and batch norm; the values were printed by the original ---------------


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "argsort",
        "shape_array",
        "size_array",
        "contrib.index_array",
        "zeros_like",
        "BlockGrad",
        "round",
        "topk",
        "argmax",
    ],
)
def test_head_gradients_of_constants_may_have_any_shape(name, training):
    make = mx.sym
    for part in name.split("."):
        make = getattr(make, part)
    attrs = {"argmax": {"axis": 1}, "topk": {"k": 2}}.get(name, {})
    executor = make(mx.sym.var("a"), **attrs).simple_bind(mx.cpu(), a=(2, 3))
    for shape in ((1,), (2, 3, 4), (7,)):
        executor.forward(is_train=training)
        executor.grad_arrays[0][:] = 7
        executor.backward([mx.nd.ones(shape)])
        assert executor.grad_arrays[0].asnumpy().tolist() == [[0, 0, 0]] * 2


def test_head_gradients_of_losses_may_have_any_shape():
    executor = mx.sym.SoftmaxOutput(mx.sym.var("a"), mx.sym.var("b")).simple_bind(mx.cpu(), a=(1, 2), b=(1,))
    executor.forward(is_train=True)
    executor.backward([mx.nd.ones((9,))])
    assert executor.grad_dict["a"].asnumpy().tolist() == [[-0.5, 0.5]]


@pytest.mark.parametrize("shape", [(6,), (3, 2), (1,), (7,)])
def test_head_gradients_that_count_need_the_shape_of_the_output(shape):
    executor = mx.sym.relu(mx.sym.var("a")).simple_bind(mx.cpu(), a=(2, 3))
    executor.forward(is_train=True)
    with pytest.raises(mx.MXNetError):
        executor.backward([mx.nd.ones(shape)])


@pytest.mark.parametrize("name", ["tile", "repeat"])
def test_backward_after_a_forward_for_prediction(name):
    attrs = {"tile": {"reps": (2,)}, "repeat": {"repeats": 2, "axis": 1}}[name]
    executor = getattr(mx.sym, name)(mx.sym.var("a"), **attrs).simple_bind(mx.cpu(), a=(1, 2))
    executor.forward()
    executor.backward([mx.nd.array([[1, 2, 3, 4]])])
    assert executor.grad_arrays[0].asnumpy().tolist() == [{"tile": [4, 6], "repeat": [3, 7]}[name]]


@pytest.mark.parametrize("use_global_stats", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_the_gradient_of_a_fixed_gamma_is_0_even_if_gradients_are_added(use_global_stats, axis):
    norm = mx.sym.BatchNorm(mx.sym.var("a"), name="n", fix_gamma=True, use_global_stats=use_global_stats, axis=axis)
    executor = norm.simple_bind(mx.cpu(), grad_req="add", a=(3, 3, 3))
    for grad in executor.grad_arrays:
        grad[:] = 1
    executor.forward(is_train=True)
    executor.backward([mx.nd.ones((3, 3, 3))])
    assert executor.grad_dict["n_gamma"].asnumpy().tolist() == [0, 0, 0]
    assert executor.grad_dict["n_beta"].asnumpy().tolist() == [10, 10, 10]


@pytest.mark.parametrize("symbolic", [False, True])
def test_moving_averages_of_one_number(symbolic):
    """The original looks at no shape here: it normalizes with the batch, and reads past the end in prediction."""
    data = mx.nd.arange(12).reshape((4, 3))
    gamma, beta, mean, var = mx.nd.ones((3,)), mx.nd.zeros((3,)), mx.nd.ones((1,)), mx.nd.ones((1,)) * 2
    data.attach_grad()
    if symbolic:
        names = ("a", "g", "b", "m", "v")
        norm = mx.sym.BatchNorm(*map(mx.sym.var, names), fix_gamma=False)
        grads = {"a": mx.nd.zeros((4, 3))}
        executor = norm.bind(mx.cpu(), {"a": data, "g": gamma, "b": beta}, grads, aux_states={"m": mean, "v": var})
        result = executor.forward(is_train=True)[0]
        executor.backward([mx.nd.ones((4, 3))])
    else:
        with mx.autograd.record():
            result = mx.nd.BatchNorm(data, gamma, beta, mean, var, fix_gamma=False)
        result.backward()
    np.testing.assert_allclose(result.asnumpy()[0], [-1.342] * 3, atol=1e-3)
    assert mean.shape == (1,)
    np.testing.assert_allclose([mean.asscalar(), var.asscalar()], [0.9 + 0.1 * 4.5, 0.9 * 2 + 0.1 * 11.25], rtol=1e-5)
    predicted = mx.nd.BatchNorm(data, gamma, beta, mx.nd.ones((1,)), mx.nd.ones((1,)) * 2, fix_gamma=False)
    np.testing.assert_allclose(predicted.asnumpy()[0], [-0.707, 0, 0.707], atol=1e-3)


def test_arrays_are_made_when_they_are_asked_for():
    """Who binds only to read ``debug_str`` does not pay for arrays; others see no difference."""
    net = mx.sym.FullyConnected(mx.sym.BatchNorm(mx.sym.var("data"), name="norm"), num_hidden=3, name="f")
    bound = net.simple_bind(mx.cpu(), data=(2, 4), grad_req={"f_weight": "write"})
    assert bound.debug_str().startswith("Symbol Outputs:") and "arg_arrays" not in vars(bound)
    args = bound.arg_arrays
    assert args is bound.arg_arrays and bound.arg_dict["data"] is args[0]
    assert [a.asnumpy().any() for a in (*args, *bound.aux_arrays)] == [False] * 7
    assert [g if g is None else g.shape for g in bound.grad_arrays] == [None, None, None, (3, 4), None]
    assert net.simple_bind(mx.cpu(), data=(2, 4)).outputs[0].shape == (2, 3), "the first use is a run"
    other = net.simple_bind(mx.cpu(), data=(2, 4))
    other.copy_params_from({"f_bias": mx.nd.ones(3)})
    assert other.reshape(data=(1, 4)).forward()[0].asnumpy().tolist() == [[1, 1, 1]]


def test_lent_buffers_are_filled_at_once():
    buffers = {}
    (A * B).simple_bind(mx.cpu(), a=(2,), b=(2,), shared_buffer=buffers)
    assert sorted(buffers) == ["a", "b"]


def test_nodes_alike_are_inferred_once(monkeypatch):
    """An unrolled network asks the same question at each step."""
    from mxnet.graph import infer

    asked = []
    original = infer.infer_shapes

    def counted(*given):
        asked.append(given[0].name)
        return original(*given)

    monkeypatch.setattr(infer, "infer_shapes", counted)
    x, w = mx.sym.var("x"), mx.sym.var("w")
    for _ in range(50):
        x = mx.sym.tanh(mx.sym.FullyConnected(x, weight=w, num_hidden=4, no_bias=True))
    assert x.infer_shape(x=(3, 4))[1] == [(3, 4)]
    assert len(asked) < 10
    wrong = mx.sym.FullyConnected(x, weight=w, num_hidden=5, no_bias=True, name="last")
    with pytest.raises(mx.MXNetError, match="last"):
        wrong.infer_shape(x=(3, 4))
