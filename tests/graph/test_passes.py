"""Passes: a program gives what its plain steps give, and fewer steps run."""

import gc
import weakref

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import nd, sym
from mxnet.graph.passes import (
    convolutions,
    fuse_batch_norms,
    fuse_convolutions,
    merge_common,
    pool_before_activation,
    relu_in_place,
    remove_identities,
    separate_weights,
)
from mxnet.graph.passes.convolutions import FusedConvolution
from mxnet.graph.patterns import SUM, Apply, Dataflow, Either, Output, Value
from mxnet.graph.program import Program
from mxnet.graph.step import Step

needs_onednn = pytest.mark.skipif(not convolutions.is_available(), reason="this torch has no fused oneDNN convolutions")


def program(net):
    return Program(net._outputs, mx.cpu())


def values(net, seed=0, **shapes):
    """Tensors for a symbol's arguments and states, in the order of its program."""
    rng = np.random.RandomState(seed)
    args, _, aux = net.infer_shape(**shapes)
    made = [torch.tensor(rng.normal(size=s).astype("float32")) for s in args]
    made += [torch.tensor(rng.uniform(0.5, 2, s).astype("float32")) for s in aux]
    return made


def plain(made, tensors):
    """The result of the steps as in the graph: a watched run uses these."""
    return made.run(tensors, False, Step)  # as in the graph


def names(steps):
    return [type(s.kernel).__name__ if isinstance(s.kernel, FusedConvolution) else s.op.name for s in steps]


def check(made, tensors, rtol=1e-4, atol=1e-4):
    for ours, expected in zip(made.run(tensors, False), plain(made, tensors), strict=True):
        assert ours.shape == expected.shape and ours.dtype == expected.dtype
        torch.testing.assert_close(ours, expected, rtol=rtol, atol=atol)


def conv(data, name="conv", **options):
    settings = {"num_filter": 8, "kernel": (3, 3), "pad": (1, 1), "no_bias": True, **options}
    return sym.Convolution(data, name=name, **settings)


def norm(data, name="bn", **options):
    return sym.BatchNorm(data, name=name, **{"fix_gamma": False, "eps": 1e-3, **options})


def relu(data):
    return sym.Activation(data, act_type="relu")


def point(data, **options):
    return conv(data, **{"name": "point", "kernel": (1, 1), "pad": (), **options})


x = sym.var("data")
PATTERNS = {
    "conv": (conv(x), 1),
    "bias": (conv(x, no_bias=False), 1),
    "bn": (norm(conv(x)), 1),
    "bn_bias": (norm(conv(x, no_bias=False)), 1),
    "bn_relu": (relu(norm(conv(x))), 1),
    "bias_relu": (relu(conv(x, no_bias=False)), 1),
    "relu_operator": (sym.relu(conv(x)), 1),
    "relu6": (sym.clip(norm(conv(x)), 0, 6), 1),
    "leaky": (sym.LeakyReLU(norm(conv(x)), slope=0.1), 1),
    "tanh_stays": (sym.tanh(norm(conv(x))), 2),
    "fix_gamma": (relu(norm(conv(x), fix_gamma=True)), 1),
    "grouped": (relu(norm(conv(x, num_group=2))), 1),
    "depthwise": (relu(norm(conv(x, num_filter=4, num_group=4))), 1),
    "dilated": (relu(norm(conv(x, dilate=(2, 2), pad=(2, 2)))), 1),
    "stride": (relu(norm(conv(x, stride=(2, 1)))), 1),
    "pad_uneven": (relu(norm(conv(x, kernel=(1, 3), pad=(0, 2)))), 1),
    "pointwise": (relu(norm(conv(x, kernel=(1, 1), pad=()))), 1),
    "norm_with_relu": (sym.contrib.BatchNormWithReLU(conv(x), fix_gamma=False, name="bn"), 1),
    "add_first": (relu(norm(conv(x, num_filter=4)) + x), 1),
    "add_second": (relu(x + norm(conv(x, num_filter=4))), 1),
    "add_without_relu": (norm(conv(x, num_filter=4)) + x, 1),
    "add_then_tanh": (sym.tanh(norm(conv(x, num_filter=4)) + x), 2),
    "two_branches": (relu(norm(conv(x, "a"), "an") + norm(conv(x, "b"), "bn")), 2),
    "residual": (relu(norm(conv(relu(conv(x, "a")), "b")) + relu(conv(x, "c"))), 3),
    "broadcast": (sym.broadcast_add(norm(conv(x)), sym.var("row", shape=(1, 8, 1, 1))), 1),
    "two_readers": (sym.Group([relu(conv(x)) * 2, conv(x) * 3]), 4),
    "inner_output": ((lambda c: sym.Group([c, relu(c)]))(conv(x)), 2),
    "norm_twice": (norm(norm(conv(x), "n1"), "n2"), 2),
    "norm_by_other_axis": (sym.BatchNorm(conv(x), axis=2, name="bn"), 2),
    "relu_then_norm": (norm(relu(conv(x))), 2),
    "norm_first": (point(relu(norm(x))), 1),
    "norm_first_with_bias": (point(relu(norm(x)), no_bias=False), 1),
    "norm_first_fixed_gamma": (point(sym.relu(norm(x, fix_gamma=True)), stride=(2, 2)), 1),
    "norm_first_with_relu": (point(sym.contrib.BatchNormWithReLU(x, fix_gamma=False, name="bn")), 1),
    "norm_first_and_after": (relu(norm(point(relu(norm(x)), no_bias=False), "after")), 1),
    "norm_first_and_sum": (relu(x + point(relu(norm(x)), num_filter=4)), 1),
    "norm_first_of_an_inner_value": (point(relu(norm(sym.tanh(x)))), 2),
    "norm_first_padded": (point(relu(norm(x)), pad=(1, 1)), 3),
    "norm_first_3x3": (conv(relu(norm(x))), 3),
    "norm_first_grouped": (point(relu(norm(x)), num_group=2), 3),
    "norm_first_without_relu": (point(norm(x)), 2),
    "norm_first_read_twice": ((lambda r: sym.Group([point(r), sym.tanh(r)]))(relu(norm(x))), 4),
    "norm_of_another_convolution": (point(relu(norm(conv(x, "a")))), 2),
    "added_twice": ((lambda c: relu(c + c))(norm(conv(x))), 3),
}


@needs_onednn
@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_fused_equals_plain(pattern):
    net, count = PATTERNS[pattern]
    made = program(net)
    for batch in (2, 1, 3):
        tensors = values(net, data=(batch, 4, 7, 6))
        check(made, tensors)
        check(made, tensors)
    assert len(made._prediction.steps) == count, names(made._prediction.steps)
    assert "FusedConvolution" in names(made._prediction.steps)


@needs_onednn
@pytest.mark.parametrize("layout", ["contiguous", "channels_last", "transposed"])
def test_memory_layouts_of_the_input(layout):
    net = relu(norm(conv(x, num_filter=4)) + x)
    made = program(net)
    tensors = values(net, data=(2, 4, 5, 5))
    if layout == "channels_last":
        tensors[0] = tensors[0].contiguous(memory_format=torch.channels_last)
    elif layout == "transposed":
        tensors[0] = tensors[0].transpose(2, 3)
    check(made, tensors)


@needs_onednn
def test_summand_is_overwritten_only_if_nobody_needs_it():
    first = relu(norm(conv(x, "a"), "an"))
    net = relu(norm(conv(relu(conv(first, "b")), "c"), "bn") + first)
    made = program(net)
    tensors = values(net, data=(2, 4, 5, 5))
    check(made, tensors)
    assert made._prediction.steps[-1].kernel.overwrite
    own_data = relu(norm(conv(first, "b"), "bn") + first)
    flat = sym.Group([net, sym.reshape(first, shape=(-1,))])
    for keeper in (own_data, sym.Group([net, first]), flat, net * sym.tanh(first)):
        kept = program(keeper)
        check(kept, values(keeper, data=(2, 4, 5, 5)))
        assert not any(s.kernel.overwrite for s in kept._prediction.steps if isinstance(s.kernel, FusedConvolution))


@needs_onednn
def test_input_is_never_overwritten():
    net = relu(norm(conv(x, num_filter=4)) + x)
    made = program(net)
    tensors = values(net, data=(2, 4, 5, 5))
    tensors[0] = tensors[0].contiguous(memory_format=torch.channels_last)
    before = tensors[0].clone()
    made.run(tensors, False)
    assert torch.equal(tensors[0], before)


@needs_onednn
@pytest.mark.parametrize("position", range(7))
def test_changed_parameters_are_honoured(position):
    net = relu(norm(conv(x, no_bias=False)))
    made = program(net)
    tensors = values(net, data=(2, 4, 5, 5))
    check(made, tensors)
    tensors[position] += 0.5
    check(made, tensors)
    tensors[position] = tensors[position] * 1.5
    check(made, tensors)


@needs_onednn
@pytest.mark.parametrize("position", range(11))
def test_changed_parameters_before_and_after_a_convolution_are_honoured(position):
    net = relu(norm(point(relu(norm(x, "before")), no_bias=False), "after"))
    made = program(net)
    tensors = values(net, data=(2, 4, 5, 5))
    check(made, tensors)
    tensors[position] += 0.5
    check(made, tensors)
    tensors[position] = tensors[position] * 1.5
    check(made, tensors)
    assert len(made._prediction.steps) == 1


@needs_onednn
def test_scales_of_any_size_before_a_convolution():
    net = point(relu(norm(x)))
    made = program(net)
    data, gamma, beta, *rest = values(net, data=(2, 8, 5, 5))
    gamma = torch.tensor([1.0, -1, 0, 0, 1e-38, -1e-38, 1e-6, -1e6])
    beta = torch.tensor([0.5, 0.5, 1, -1, 1, -1, -1, 0.5])
    check(made, [data, gamma, beta, *rest], atol=10)  # of some millions
    gamma[-1] = -1
    check(made, [data, gamma, beta, *rest], rtol=1e-5, atol=1e-5)


def dense(data, layers, new=3):
    """A dense block: each layer adds channels to what was there."""
    for i in range(layers):
        more = conv(point(relu(norm(data, f"bn{i}")), name=f"p{i}"), f"c{i}", num_filter=new)
        data = sym.Concat(data, more, dim=1, name=f"join{i}")
    return data


def growing(made):
    return [s.node.name for s in made._prediction.steps if type(s.kernel).__name__ == "_Growing"]


@pytest.mark.parametrize("shape", [(2, 4, 6, 5), (1, 4, 1, 1), (2, 1, 3, 3)])
def test_dense_blocks_grow_in_one_array(shape):
    net = sym.tanh(dense(x, 4))
    made = program(net)
    for batch in (shape[0], 3, shape[0]):
        tensors = values(net, data=(batch, *shape[1:]))
        before = [t.clone() for t in tensors]
        for _ in range(3):
            check(made, tensors)
        assert all(torch.equal(now, then) for now, then in zip(tensors, before, strict=True))
    assert growing(made) == ["join0", "join1", "join2", "join3"]
    for step in made._prediction.steps:
        if step.node.name in growing(made):
            step.kernel._plain = None  # from now on it is not called
    check(made, tensors)


def test_dense_block_of_more_channels_than_before():
    net = sym.tanh(sym.Concat(sym.Concat(x, sym.var("a"), dim=1, name="one"), sym.var("b"), dim=1, name="two"))
    made = program(net)
    for last in (2, 5, 1, 5):
        check(made, [torch.rand(2, n, 3, 3) for n in (4, 3, last)])
    check(made, [torch.rand(2, n, 3, 3, dtype=torch.float64) for n in (4, 3, 5)])
    check(made, [torch.rand(2, n, 3) for n in (4, 3, 5)])
    assert growing(made) == ["one", "two"]


def test_two_blocks_that_start_alike():
    start = sym.Concat(x, sym.tanh(x), dim=1, name="start")
    one, two = [sym.Concat(start, f(x), dim=1, name=f.__name__) for f in (sym.sin, sym.cos)]
    net = sym.Group([sym.tanh(one), sym.tanh(two), sym.tanh(start)])
    made = program(net)
    for _ in range(3):
        check(made, values(net, data=(2, 4, 3, 3)))
    assert growing(made) == ["start", "sin"]


def test_outputs_and_viewed_values_do_not_grow():
    inner = sym.Concat(x, sym.tanh(x), dim=1, name="inner")
    outer = sym.Concat(inner, x, dim=1, name="outer")
    for net in (outer, sym.Group([inner, sym.tanh(outer)]), sym.Reshape(outer, shape=(0, -1))):
        made = program(net)
        for _ in range(2):
            check(made, values(net, data=(2, 4, 3, 3)))
        assert growing(made) == []


@needs_onednn
def test_moving_averages_that_training_moved_are_honoured():
    net = relu(norm(conv(x), momentum=0.5))
    made = program(net)
    tensors = values(net, data=(2, 4, 5, 5))
    check(made, tensors)
    before = made.run(tensors, False)[0]
    for tensor in tensors[:4]:
        tensor.requires_grad_()
    made.run(tensors, True)[0].sum().backward()
    tensors = [t.detach() for t in tensors]
    check(made, tensors)
    assert not torch.allclose(before, made.run(tensors, False)[0])


@needs_onednn
def test_fixed_gamma_makes_no_difference():
    net = norm(conv(x), fix_gamma=True)
    tensors = values(net, data=(2, 4, 5, 5))
    made = program(net)
    check(made, tensors)
    fused = next(s.kernel for s in made._prediction.steps if isinstance(s.kernel, FusedConvolution))
    folded = fused._folded
    tensors[net.list_arguments().index("bn_gamma")].fill_(7)
    check(made, tensors)
    assert fused._folded is folded  # nothing was derived from it


@needs_onednn
def test_shared_weight():
    weight = sym.var("w", shape=(4, 4, 3, 3))
    first = relu(norm(conv(x, "a", weight=weight, num_filter=4), "n1"))
    net = norm(conv(first, "b", weight=weight, num_filter=4), "n2")
    made = program(net)
    tensors = values(net, data=(1, 4, 5, 5))
    check(made, tensors)
    tensors[1].mul_(2)
    check(made, tensors)


@needs_onednn
@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
def test_other_dtypes_take_the_plain_steps(dtype):
    net = relu(conv(x, no_bias=False))
    made = program(net)
    tensors = [t.to(dtype) for t in values(net, data=(1, 4, 5, 5))]
    assert torch.equal(made.run(tensors, False)[0], plain(made, tensors)[0])


@needs_onednn
def test_empty_batch():
    net = relu(norm(conv(x)))
    tensors = values(net, data=(1, 4, 5, 5))
    tensors[0] = tensors[0][:0]
    assert program(net).run(tensors, False)[0].shape == (0, 8, 5, 5)


@needs_onednn
@pytest.mark.parametrize(
    "position, shape", [(0, (1, 3, 5, 5)), (0, (4, 5, 5)), (1, (8, 4, 1, 1)), (2, (7,)), (4, (9,))]
)
def test_errors_name_the_operator(position, shape):
    net = relu(norm(conv(x)))
    made = program(net)
    tensors = values(net, data=(1, 4, 5, 5))
    made.run(tensors, False)
    tensors[position] = torch.ones(shape)
    with pytest.raises(mx.MXNetError, match=r"operator (conv|bn)"):
        made.run(tensors, False)


@needs_onednn
def test_gradients_in_prediction_mode_take_the_plain_steps():
    net = relu(norm(conv(x)))
    made = program(net)
    tensors = values(net, data=(1, 4, 5, 5))
    tensors[1].requires_grad_()
    made.run(tensors, False)[0].sum().backward()
    assert tensors[1].grad is not None


@needs_onednn
def test_training_releases_the_folded_weights():
    net = relu(norm(conv(x)))
    made = program(net)
    tensors = values(net, data=(2, 4, 5, 5))
    made.run(tensors, False)
    folded = weakref.ref(next(s.kernel for s in made._prediction.steps if isinstance(s.kernel, FusedConvolution)))
    made.run(tensors, True)
    gc.collect()
    assert folded() is None
    check(made, tensors)
    with torch.no_grad():
        made.run(tensors, True)  # nothing is going to change: the statistics are
        assert made._prediction is not None
    check(made, tensors)


@needs_onednn
def test_folded_weights_are_kept_once():
    """Only in the order in which they are used; for data of another shape they are folded again."""
    net = relu(norm(conv(x)))
    made = program(net)
    given = values(net, data=(2, 4, 5, 5))
    check(made, given)
    folded = next(s.kernel for s in made._prediction.steps if isinstance(s.kernel, FusedConvolution))._folded
    weights = [v for v in vars(folded).values() if isinstance(v, torch.Tensor) and v.dim() == 4]
    assert len(weights) == 1 and weights[0].data_ptr() == folded.sources._tensors[0]().data_ptr()
    check(made, values(net, data=(3, 4, 9, 7)))


@needs_onednn
def test_without_the_private_calls(monkeypatch):
    monkeypatch.setattr(convolutions, "is_available", lambda: False)
    net = relu(norm(conv(x)))
    made = program(net)
    check(made, values(net, data=(1, 4, 5, 5)), 0, 0)
    assert len(made._prediction.steps) == 3


def test_switched_off(monkeypatch):
    monkeypatch.setenv("MXNET_SUBGRAPH_BACKEND", "NONE")
    made = program(relu(norm(conv(x))))
    made.run(values(relu(norm(conv(x))), data=(1, 4, 5, 5)), False)
    assert len(made._prediction.steps) == 3


def test_executor_predicts_trains_and_predicts():
    mx.random.seed(0)  # scores of hundreds, so that rounding would show in the softmax of some
    net = sym.SoftmaxOutput(sym.FullyConnected(relu(norm(conv(x))), num_hidden=3, name="fc"), name="softmax")
    executor = net.simple_bind(mx.cpu(), data=(4, 2, 5, 5))
    for array in executor.arg_arrays:
        array[:] = nd.random.normal(shape=array.shape)
    seen = {}
    for _ in range(3):
        fused = executor.forward(is_train=False)[0].asnumpy()
        watched = executor.reshape(data=(4, 2, 5, 5))
        watched.arg_dict["data"][:] = executor.arg_dict["data"]
        watched.set_monitor_callback(lambda name, array: seen.setdefault(name, array))
        np.testing.assert_allclose(fused, watched.forward(is_train=False)[0].asnumpy(), rtol=1e-4, atol=1e-5)
        executor.forward(is_train=True)
        executor.backward()
        for array, grad in zip(executor.arg_arrays, executor.grad_arrays, strict=True):
            array -= 0.1 * grad
    assert {"conv_output", "bn_output"} <= set(seen)


# ---- the other passes ------------------------------------------------------------------------------------------------


def test_dropout_and_copies_go():
    net = sym.tanh(sym.identity(sym.BlockGrad(sym.Dropout(sym.exp(x)))))
    made = program(net)
    left = remove_identities(made.plan)
    assert names(left.steps) == ["exp", "tanh"]
    check(made, values(net, data=(3, 4)), 0, 0)


def test_dropout_that_always_drops_stays():
    net = sym.tanh(sym.Dropout(x, mode="always"))
    assert names(remove_identities(program(net).plan).steps) == ["Dropout", "tanh"]


def test_outputs_keep_memory_of_their_own():
    net = sym.Group(
        [sym.identity(x), sym.reshape(sym.identity(x), shape=(-1,)), sym.reshape(x + 1, shape=(-1,)), x + 1]
    )
    made = program(net)
    tensors = values(net, data=(3, 4))
    results = made.run(tensors, False)
    assert len({t.data_ptr() for t in (*results, tensors[0])}) == 5


def test_common_subexpressions():
    a, b = sym.exp(x) * 2, sym.exp(x) * 2
    net = sym.tanh(a) + sym.tanh(b) + sym.exp(x) * 3
    made = program(net)
    left = merge_common(made.plan)
    assert len(made.plan.steps) == 10 and len(left.steps) == 6
    check(made, values(net, data=(3, 4)), 0, 0)


def test_random_numbers_are_not_common():
    net = sym.random.uniform(shape=(20,)) - sym.random.uniform(shape=(20,))
    made = program(net)
    assert len(merge_common(made.plan).steps) == 3
    assert made.run([], False)[0].abs().max() > 0


def test_relu_in_place_when_training():
    net = sym.sum(relu(norm(conv(x, "a"), "n1") + norm(conv(relu(conv(x, "b")), "c"), "n2")))
    made = program(net)
    steps = relu_in_place(made.plan).steps
    assert sum(s.kernel.__name__ == "_relu_" for s in steps) == 2
    grads = []
    for watch in (None, Step):
        tensors = values(net, data=(2, 4, 5, 5))
        wanted = [t.requires_grad_() for t in tensors[: len(made.arguments)]]
        out = made.run(tensors, True, watch)[0]
        grads.append(torch.autograd.grad(out.sum(), wanted))
    for ours, expected in zip(*grads, strict=True):
        torch.testing.assert_close(ours, expected)


@pytest.mark.parametrize(
    "net",
    [
        (lambda c: sym.Group([relu(c), c]))(norm(conv(x))),
        (lambda c: relu(c) + c)(norm(conv(x))),
        relu(sym.tanh(conv(x))),
        relu(x),
        relu(conv(x, kernel=(1, 1), pad=())),
    ],
    ids=["output", "two_readers", "saved", "input", "view"],
)
def test_relu_not_in_place(net):
    assert all(getattr(s.kernel, "__name__", "") != "_relu_" for s in relu_in_place(program(net).plan).steps)


def gradients(made, net, watch, **shapes):
    """What a training run and its backward pass give, and the states after it."""
    tensors = values(net, **shapes)
    wanted = [t.requires_grad_() for t in tensors[: len(made.arguments)]]
    out = made.run(tensors, True, watch)[0]
    grads = torch.autograd.grad(out.sum(), wanted)
    return [out.detach(), *grads, *tensors[len(made.arguments) :]]


def two_norms():
    return relu(norm(conv(x, "a"), "n1") + norm(conv(x, "b"), "n2"))


@pytest.mark.parametrize(
    "net, left",
    [
        (relu(norm(conv(x))), 1),
        (relu(norm(conv(x, layout="NHWC"), axis=3)), 1),
        (relu(norm(conv(x)) + x), 1),
        (relu(sym.broadcast_add(sym.sum(x, axis=(2, 3), keepdims=True), norm(conv(x)))), 1),
        (two_norms(), 2),
        (relu(relu(norm(conv(x)) + x)), 2),
        (relu(norm(conv(x), use_global_stats=True)), 1),
        ((lambda n: relu(n) + n)(norm(conv(x))), 3),
        ((lambda n: relu(n + n))(norm(conv(x))), 3),
        (relu(norm(conv(x), output_mean_var=True)[0]), 2),
    ],
    ids="relu nhwc sum broadcast two twice global branch itself statistics".split(),
)
def test_batch_norms_are_fused_when_training(net, left):
    net = sym.sum(sym.tanh(net))
    made = program(net)
    steps = fuse_batch_norms(made.plan).steps
    assert len([s for s in steps if s.op.name in ("BatchNorm", "Activation", "relu", "elemwise_add")]) == left
    ours, expected = (gradients(made, net, watch, data=(2, 8, 5, 5)) for watch in (None, Step))
    for a, b in zip(ours, expected, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4 * max(1, float(b.abs().max())))


def pool(data, **options):
    return sym.Pooling(data, **{"kernel": (2, 2), "stride": (2, 2), "pool_type": "max", **options})


@pytest.mark.parametrize("kind", ["relu", "sigmoid", "softrelu", "tanh"])
@pytest.mark.parametrize("options", [{}, {"global_pool": True}, {"kernel": (3, 3), "pad": (1, 1)}], ids=str)
def test_max_pooling_goes_before_the_activation(kind, options):
    net = sym.sum(pool(sym.Activation(conv(x), act_type=kind), **options) * 3)
    made = program(net)
    assert names(pool_before_activation(made.plan).steps)[1:3] == ["Pooling", "Activation"]
    check(made, values(net, data=(2, 4, 7, 7)))
    grads = []
    for watch in (None, Step):
        tensors = values(net, data=(2, 4, 7, 7))
        wanted = [t.requires_grad_() for t in tensors]
        grads.append(torch.autograd.grad(made.run(tensors, True, watch)[0].sum(), wanted))
    for ours, expected in zip(*grads, strict=True):
        torch.testing.assert_close(ours, expected)


@pytest.mark.parametrize(
    "net",
    [
        pool(sym.Activation(x, act_type="softsign")),
        pool(sym.tanh(x), pool_type="avg"),
        pool(sym.tanh(x), stride=(1, 1)),
        pool(sym.tanh(x), pooling_convention="full"),
        sym.Group([pool(sym.tanh(x, name="t")), sym.tanh(x, name="t") * 2]),
        (lambda t: pool(t) + sym.sum(t))(sym.tanh(x)),
    ],
    ids=["kind", "average", "no_fewer", "full", "two", "two_readers"],
)
def test_pooling_stays_where_it_is(net):
    steps = names(pool_before_activation(program(net).plan).steps)
    if len(net.list_outputs()) == 1:
        assert steps.index("Pooling") > 0


def joined():
    """A recurrent layer of weights that are joined for it, as gluon does, and their shapes in the operator's order."""
    shapes = [(16, 3), (16, 4), (16, 4), (16, 4), *[(16,)] * 4]
    flat = [sym.reshape(sym.Variable(f"w{i}"), shape=-1) for i in range(len(shapes))]
    vector = sym._internal._rnn_param_concat(*flat, num_args=len(flat), dim=0, name="vector")
    states = [sym.Variable(name) for name in ("h", "c")]
    made = sym.RNN(x, vector, *states, state_size=4, num_layers=2, mode="lstm", state_outputs=True, name="rnn")
    known = {"data": (5, 2, 3), "h": (2, 2, 4), "c": (2, 2, 4)}
    return made, known | {f"w{i}": s for i, s in enumerate(shapes)}


def test_recurrent_layer_takes_weights_one_by_one():
    net, shapes = joined()
    made = program(net)
    rng = np.random.RandomState(0)
    tensors = [torch.tensor(rng.normal(size=shapes[n.name]).astype("float32")) for n in made.arguments]

    def gradients(watch):
        leaves = [t.clone().requires_grad_() for t in tensors]
        results = made.run(leaves, True, watch)
        return [*results, *torch.autograd.grad(sum(r.square().sum() for r in results), leaves)]

    for ours, expected in zip(gradients(None), gradients(Step), strict=True):
        torch.testing.assert_close(ours, expected, rtol=1e-5, atol=1e-6)
    assert [s.op.name for s in made._training.steps] == ["RNN"]
    check(made, tensors)
    assert [s.op.name for s in made._prediction.steps] == ["RNN"]


def test_joined_weights_that_are_not_the_layers_own():
    """Pieces cut elsewhere than between the weights are joined; wrong ones are refused.

    A vector that others read, too, stays.
    """
    net, shapes = joined()
    made = program(net)
    sizes = {n.name: shapes[n.name] for n in made.arguments}
    sizes["w0"], sizes["w1"] = (16, 4), (16, 3)
    tensors = [torch.randn(sizes[n.name]) for n in made.arguments]
    check(made, tensors)
    tensors[[n.name for n in made.arguments].index("w1")] = torch.randn(16, 5)
    with pytest.raises(mx.MXNetError, match=r"RNN.*parameters has shape"):
        made.run(tensors, False)
    shared = program(mx.sym.Group([net, net.get_internals()["vector_output"]]))
    assert "_rnn_param_concat" in [s.op.name for s in separate_weights(shared.plan).steps]


def test_loss_heads_without_autograd_give_the_same_gradients():
    """An output that only SoftmaxOutput makes begins the backward pass itself; one that is read again does not."""
    scores = sym.FullyConnected(x, num_hidden=3, name="fc")
    for options in ({}, {"grad_scale": 0.5, "normalization": "batch"}, {"use_ignore": True, "ignore_label": 1}):
        head = sym.SoftmaxOutput(scores, name="softmax", **options)
        found = []
        for net in (head, sym.Group([head, sym.BlockGrad(head)])):
            bound = net.simple_bind(mx.cpu(), data=(4, 5))
            for i, array in enumerate(bound.arg_arrays):
                array[:] = np.cos(np.arange(array.size) + i).reshape(array.shape)
            bound.arg_dict["softmax_label"][:] = [0, 1, 2, 1]
            bound.forward(is_train=True)
            assert bool(bound._heads) is (net is head)
            bound.backward()
            assert not bound._heads
            found.append([bound.outputs[0].asnumpy(), *[g.asnumpy() for g in bound.grad_arrays]])
        for ours, expected in zip(*found, strict=True):
            np.testing.assert_allclose(ours, expected, rtol=1e-6, atol=1e-7)
        assert np.abs(found[0][2]).max() > 0


def test_passes_leave_programs_that_write_to_inputs_alone():
    net = sym.sgd_mom_update(sym.var("w"), sym.var("g"), sym.var("m"), lr=0.1, momentum=0.9)
    made = program(net)
    made.run([torch.ones(3), torch.ones(3), torch.ones(3)], False)
    assert made._prediction.steps == made.plan.steps


@needs_onednn
def test_fusing_leaves_the_plan_as_it_was():
    made = program(relu(norm(conv(x))))
    before = made.plan.steps
    assert len(fuse_convolutions(made.plan).steps) == 1
    assert made.plan.steps == before and len(before) == 3


# ---- mirroring -------------------------------------------------------------------------------------------------------


def deep(force):
    with mx.AttrScope(**({"force_mirroring": "True"} if force else {})):
        y = x
        for i in range(4):
            y = relu(norm(conv(y, f"c{i}"), f"n{i}") + sym.Activation(conv(y, f"d{i}"), act_type="tanh"))
    return sym.sum(sym.tanh(y))


def trained(net, seed=0):
    made = program(net)
    tensors = values(net, seed, data=(2, 4, 6, 6))
    wanted = [t.requires_grad_() for t in tensors[: len(made.arguments)]]
    out = made.run(tensors, True)[0]
    grads = torch.autograd.grad(out, wanted)
    return [out.detach(), *grads, *tensors[len(wanted) :]]


@pytest.mark.parametrize("how", ["attribute", "environment"])
def test_mirroring_gives_the_same_gradients(how, monkeypatch):
    expected = trained(deep(False))
    if how == "environment":
        monkeypatch.setenv("MXNET_BACKWARD_DO_MIRROR", "1")
    net = deep(how == "attribute")
    assert program(net)._mirrored
    for ours, theirs in zip(trained(net), expected, strict=True):
        torch.testing.assert_close(ours, theirs)


def kept_bytes(net):
    """Bytes that live because the graph of a training run does."""
    made = program(net)
    tensors = values(net, data=(2, 4, 32, 32))
    for tensor in tensors[: len(made.arguments)]:
        tensor.requires_grad_()
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profiler:
        out = made.run(tensors, True)
    total = sum(event.self_cpu_memory_usage for event in profiler.events())
    assert out
    return total


def test_mirroring_keeps_less():
    assert kept_bytes(deep(True)) < 0.4 * kept_bytes(deep(False))


def staged():
    y = x
    for i in range(4):
        y = relu(norm(conv(y, f"c{i}"), f"n{i}"))
        with mx.AttrScope(mirror_stage="True"):
            y = sym.Activation(conv(y, f"d{i}"), act_type="tanh", name=f"end{i}")
    return sym.sum(y * y)


def test_mirror_stages_keep_what_ends_them(monkeypatch):
    plain, expected = kept_bytes(staged()), trained(staged())
    assert not program(staged())._mirrored
    monkeypatch.setenv("MXNET_BACKWARD_DO_MIRROR", "1")
    again = {s.node.name for s in program(staged())._mirrored.values()}
    assert {"c1", "n1"} <= again and not any(name.startswith("end") for name in again)
    assert kept_bytes(staged()) < 0.6 * plain
    for ours, theirs in zip(trained(staged()), expected, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_mirroring_by_environment_keeps_less(monkeypatch):
    net = sym.sum(sym.tanh(conv(relu(norm(conv(relu(norm(conv(x, "a"), "n1")), "b"), "n2")), "c")))
    plain = kept_bytes(net)
    monkeypatch.setenv("MXNET_BACKWARD_DO_MIRROR", "1")
    assert kept_bytes(net) < 0.8 * plain


def test_memonger_keeps_what_ends_a_block_of_a_residual_network():
    from mxnet.contrib import memonger

    y = conv(x, "first")
    for i in range(12):
        y = y + conv(relu(norm(conv(relu(norm(y, f"m{i}")), f"c{i}"), f"n{i}")), f"d{i}")
    net = sym.sum(sym.tanh(y))
    planned = memonger.search_plan(net, data=(2, 4, 32, 32))
    attributes = planned.attr_dict()
    kept = [n for n, a in attributes.items() if a.get("__force_mirroring__") == "False"]
    assert any("_plus" in name for name in kept)
    assert kept_bytes(planned) < 0.5 * kept_bytes(net)
    for ours, theirs in zip(trained(planned), trained(net), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-3)


def test_mirrored_dropout_draws_once():
    with mx.AttrScope(force_mirroring="True"):
        net = sym.sum(sym.tanh(sym.Dropout(sym.exp(x), p=0.5)) * x)
    made = program(net)
    assert "Dropout" not in {s.op.name for s in made._mirrored.values()}
    data = torch.ones(50, requires_grad=True)
    out = made.run([data], True)[0]
    (grad,) = torch.autograd.grad(out, data)
    kept = np.tanh(2 * np.e) + 2 * np.e / np.cosh(2 * np.e) ** 2
    assert set(np.unique(grad.numpy().round(4))) <= {0.0, np.float32(round(kept, 4))}


def test_memonger_plans_for_less_memory():
    from mxnet.contrib import memonger

    net = deep(False)
    planned = memonger.search_plan(net, data=(2, 4, 32, 32))
    assert memonger.get_cost(planned, data=(2, 4, 32, 32)) < 0.7 * memonger.get_cost(net, data=(2, 4, 32, 32))
    assert planned.list_arguments() == net.list_arguments()
    assert "__force_mirroring__" not in str(net.tojson())
    assert kept_bytes(planned) < 0.7 * kept_bytes(net)
    for ours, theirs in zip(trained(planned), trained(net), strict=True):
        torch.testing.assert_close(ours, theirs)


def test_memonger_needs_shapes():
    from mxnet.contrib import memonger

    with pytest.raises(mx.MXNetError, match="shape of"):
        memonger.search_plan(deep(False))


def test_mirroring_long_chains():
    with mx.AttrScope(force_mirroring="True"):
        y = x
        for _ in range(3000):
            y = sym.sigmoid(y)
    net = y * 2
    data = torch.ones(2, requires_grad=True)
    program(net).run([data], True)[0].sum().backward()
    assert torch.isfinite(data.grad).all()


def narrow(mirrored):
    """1x1 convolutions, which save their input as a matrix: a view of it."""
    with mx.AttrScope(**({"force_mirroring": "True"} if mirrored else {})):
        y = conv(x, "first")
        for i in range(6):
            y = conv(relu(norm(y, f"n{i}")), f"c{i}", kernel=(1, 1), pad=(0, 0))
    return sym.sum(sym.tanh(y))


def gated(mirrored):
    """Gates that are slices of one value, as in an LSTM: views of it."""
    with mx.AttrScope(**({"force_mirroring": "True"} if mirrored else {})):
        y = x
        for i in range(6):
            a, b = sym.SliceChannel(sym.exp(sym.sin(sym.concat(y, y, dim=1))), num_outputs=2, name=f"s{i}")
            y = sym.sigmoid(a) * sym.tanh(b)
    return sym.sum(y * 2)


@pytest.mark.parametrize("net", [narrow, gated])
def test_views_of_mirrored_values_keep_nothing(net):
    assert kept_bytes(net(True)) < 0.35 * kept_bytes(net(False))
    for ours, theirs in zip(trained(net(True)), trained(net(False)), strict=True):
        torch.testing.assert_close(ours, theirs)


# ---- patterns --------------------------------------------------------------------------------------------------------


def test_a_pattern_finds_the_same_in_steps_and_in_nodes():
    data, total = Value(), Apply(SUM, Value(), Apply("exp"), any_order=True)
    pattern = Apply("relu", Either(total, Apply("tanh", data)))
    net = sym.Group([sym.relu(sym.exp(x) + sym.sin(x)), relu(sym.tanh(x)), sym.relu(sym.cos(x))])
    for flow in (Dataflow.of_plan(program(net).plan), Dataflow.of_graph(net._outputs)):
        first, second = flow.matches(pattern)
        assert [m.op.name for m in first.operators] == ["exp", "elemwise_add", "relu"]
        assert first[total].op.name == "elemwise_add" and first.get(data) is None
        assert second[data] == flow.reads(second.operators[0])[0] and second.get(total) is None


def test_a_pattern_wants_results_that_nobody_else_reads():
    inner = sym.exp(x)
    plain, shared = Apply("relu", Apply("exp")), Apply("relu", Apply("exp", shared=True))
    for net in (sym.Group([sym.relu(inner), inner]), sym.Group([sym.relu(inner), sym.sin(inner)])):
        flow = Dataflow.of_plan(program(net).plan)
        assert not list(flow.matches(plain))
        assert len(list(flow.matches(shared))) == 1


def test_a_value_that_a_pattern_has_twice_is_one_value():
    value = Value()
    square = Apply("elemwise_mul", value, value)
    y = sym.var("y")
    flow = Dataflow.of_graph(sym.Group([x * x, x * y, sym.elemwise_mul(x, x)])._outputs)
    assert all(match[value] == (x._outputs[0].node, 0) for match in flow.matches(square))
    assert (
        len(list(flow.matches(square)))
        == sum(n.op is not None and n.op.name == "elemwise_mul" for n in flow.operators) - 1
    )


def test_one_of_several_results():
    parts = Apply("SliceChannel")
    net = sym.SliceChannel(x, num_outputs=2)
    flow = Dataflow.of_plan(program(sym.Group([sym.exp(net[1]), sym.sin(net[0])])).plan)
    assert [match[parts].op.name for match in flow.matches(Apply("exp", Output(parts, 1)))] == ["SliceChannel"]
    assert not list(flow.matches(Apply("exp", Output(parts, 0))))


@needs_onednn
@pytest.mark.parametrize("axis", [1, -2, -3])
@pytest.mark.parametrize("activation", [None, "relu", "tanh"])
def test_convolutions_of_sequences_are_fused(axis, activation, monkeypatch):
    """As images of height 1; an axis that is counted from behind is not that of images."""
    data, weight = mx.sym.var("data"), mx.sym.var("weight")
    attrs = dict(kernel=(3,), num_filter=5, stride=(2,), pad=(2,), dilate=(2,), num_group=1)
    out = mx.sym.Convolution(data, weight, no_bias=True, **attrs)
    out = mx.sym.BatchNorm(out, axis=axis, fix_gamma=False, name="norm")
    out = out if activation is None else mx.sym.Activation(out, act_type=activation)
    out = out + mx.sym.Convolution(data, kernel=(1,), stride=(2,), num_filter=5, name="short")
    rng = np.random.RandomState(0)
    executor = out.simple_bind(mx.cpu(), data=(5, 4, 9), grad_req="null")
    for arrays in (executor.arg_arrays, executor.aux_arrays):
        for array in arrays:
            array[:] = rng.uniform(0.5, 1.5, array.shape)
    calls, convolve = [], FusedConvolution._convolve
    monkeypatch.setattr(FusedConvolution, "_convolve", lambda *given: calls.append(1) or convolve(*given))
    fused = executor.forward()[0].asnumpy()
    assert len(calls) == 2
    values = {**executor.arg_dict, **executor.aux_dict}
    with mx.autograd.predict_mode():
        plain = mx.nd.Convolution(values["data"], values["weight"], no_bias=True, **attrs)
        norm = [values[f"norm_{n}"] for n in ("gamma", "beta", "moving_mean", "moving_var")]
        plain = mx.nd.BatchNorm(plain, *norm, axis=axis, fix_gamma=False)
        plain = plain if activation is None else mx.nd.Activation(plain, act_type=activation)
        short = values["short_weight"], values["short_bias"]
        plain = plain + mx.nd.Convolution(values["data"], *short, kernel=(1,), stride=(2,), num_filter=5)
    np.testing.assert_allclose(fused, plain.asnumpy(), rtol=1e-4, atol=1e-5)
    values["weight"][:] = 0
    assert not np.allclose(executor.forward()[0].asnumpy(), fused)
