"""Blocks: names and texts as the original's, hooks, files, tracing, graphs and SymbolBlock."""

import copy
import gc
import json
import pickle
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor

import gluon_cases
import numpy as np
import pytest
import torch
from paths import GOLDEN

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

FILES = GOLDEN / "gluon"
EXPECTED = json.loads((FILES / "expected.json").read_text())


def quiet(function, *args, **kwargs):
    """Calls a function whose warnings are not the subject."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


# ---- names and texts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED["texts"])
def test_names_texts_and_graphs_are_the_originals(name):
    assert gluon_cases.texts(mx, name) == EXPECTED["texts"][name]


def test_prefixes_are_numbered_by_scope():
    with mx.name.NameManager():
        first, second = nn.Dense(1), nn.Dense(1)
        net = nn.Sequential()
        with net.name_scope():
            net.add(nn.Dense(1), nn.Conv2D(1, 1), nn.Dense(1))
        with net.name_scope():
            net.add(nn.Dense(1))
    assert [first.name, second.name] == ["dense0", "dense1"]
    assert [b.name for b in net] == [
        "sequential0_dense0",
        "sequential0_conv0",
        "sequential0_dense1",
        "sequential0_dense2",
    ]


def test_children_as_attributes_and_their_types():
    class Net(gluon.Block):
        def __init__(self):
            super().__init__()
            self.a = nn.Dense(2)

    net = Net()
    assert list(net._children) == ["a"]
    with pytest.raises(TypeError, match="Changing attribute type for a"):
        net.a = 3
    net.a = nn.Dense(4)
    assert net._children["a"]._units == 4
    net.p = gluon.Parameter("p", shape=(1,))
    with pytest.raises(AssertionError, match="Overriding Parameter attribute p"):
        net.p = gluon.Parameter("q", shape=(1,))
    net.plain = [1]
    net.plain = "x"


def test_blocks_in_lists_are_not_registered():
    class Net(gluon.Block):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Dense(2)]
            self.table = {"a": (nn.Dense(2),)}

    with pytest.warns(UserWarning, match="unregistered container") as caught:
        assert not list(Net().collect_params())
    assert len(caught) == 2


def test_old_programs_use_children_as_a_list():
    class MySequential(nn.Block):
        def add(self, block):
            self._children.append(block)

        def forward(self, x):
            for block in self._children:
                x = block(x)
            return x

    net = MySequential()
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu"))
        net.add(nn.Dense(2))
    net.initialize()
    assert net(nd.ones((3, 5))).shape == (3, 2)
    assert isinstance(net._children[0], nn.Dense)
    assert len(net.collect_params()) == 4
    # where layers were registered, names come, and can be used as the layers
    other = nn.Sequential()
    other.add(nn.Dense(4, in_units=5), nn.Dense(2, in_units=4))
    other.initialize()
    x = nd.ones((3, 5))
    for name in other._children:
        assert other._children[name] is other._children[str(name)]
        x = name(x)
        assert name.weight.shape[0] == x.shape[1]
    assert (x == other(nd.ones((3, 5)))).asnumpy().all()
    assert [b.name for b in other._children[0:2]] == [b.name for b in other]


def test_hybrid_blocks_have_hybrid_children_only():
    net = gluon.HybridBlock()
    with pytest.raises(ValueError, match="Children of HybridBlock must also be HybridBlock"):
        net.child = gluon.Block()
    with pytest.raises(ValueError, match="<class 'int'>"):
        net.register_child(3)
    net.register_child(nn.Dense(1))
    assert list(net._children) == ["0"]


def test_to_be_overridden():
    with pytest.raises(NotImplementedError, match="forward"):
        gluon.Block()(nd.ones((1,)))
    with pytest.raises(NotImplementedError, match="hybrid_forward"):
        gluon.HybridBlock()(nd.ones((1,)))


def test_apply_and_hooks():
    net = nn.HybridSequential()
    net.add(nn.Dense(3), nn.Dense(2))
    seen = []
    assert net.apply(lambda block: seen.append(type(block).__name__)) is net
    assert seen == ["Dense", "Dense", "HybridSequential"]
    net.initialize()
    calls = []
    before = net[0].register_forward_pre_hook(lambda block, inputs: calls.append(("pre", inputs[0].shape)))
    after = net[0].register_forward_hook(lambda block, inputs, out: calls.append(("post", out.shape)))
    net(nd.ones((4, 5)))
    assert calls == [("pre", (4, 5)), ("post", (4, 3))]
    before.detach()
    with after:
        pass
    net(nd.ones((4, 5)))
    assert len(calls) == 2
    with pytest.raises(AssertionError, match="attached twice"):
        before.attach({}, print)
    net.register_forward_hook(lambda *args: None)
    with pytest.warns(UserWarning, match="being hybridized while still having forward hook"):
        net.hybridize()


def test_op_hooks():
    net = nn.Dense(2, activation="relu", in_units=3)
    net.initialize(mx.init.One())
    calls = []
    net.hybridize()
    net(nd.ones((1, 3)))
    net.register_op_hook(lambda name, op, array: calls.append((name, op, array.asnumpy().tolist())))
    net(nd.ones((1, 3)))
    assert calls == [
        (f"{net.name}_fwd_output", "FullyConnected", [[3.0, 3.0]]),
        (f"{net.name}_relu_fwd_output", "Activation", [[3.0, 3.0]]),
    ]
    calls.clear()
    outer = nn.Sequential()
    outer.add(net)
    outer.register_op_hook(lambda name, op, array: calls.append(name), monitor_all=True)
    outer(nd.ones((1, 3)))
    stem = net.name
    assert calls == [
        f"{stem}_fwd_data",
        f"{stem}_fwd_weight",
        f"{stem}_fwd_bias",
        f"{stem}_fwd_output",
        f"{stem}_relu_fwd_input0",
        f"{stem}_relu_fwd_output",
    ]


def test_summary_refuses_hybridized_blocks_and_leaves_no_hooks():
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3))
    net.initialize()
    net.hybridize()
    with pytest.raises(AssertionError, match="must not be hybridized to print summary"):
        net.summary(nd.ones((1, 3)))
    net.hybridize(False)
    with pytest.raises(mx.MXNetError):
        net.summary(nd.ones((1, 4)))
    assert not net[0]._forward_hooks


def test_blocks_can_be_copied_and_pickled():
    net, x = gluon_cases.lenet(mx)
    wanted = net(x).asnumpy()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        np.testing.assert_array_equal(other(x).asnumpy(), wanted)
        assert other.collect_params().keys() == net.collect_params().keys()
        with autograd.record():
            loss = (other(x) ** 3).sum()  # the sum behind a batch norm is constant: its gradient would be noise
        loss.backward()
        assert abs(other[3].weight.grad().asnumpy()).max() > 1e-3
        assert not net[3].weight.grad().asnumpy().any()


def test_blocks_die_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        net = nn.HybridSequential()
        net.add(nn.Dense(2, activation="relu"))
        net.initialize()
        net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "sgd")
        net(nd.ones((1, 2)))
        gone = [weakref.ref(net), weakref.ref(net[0].weight)]
        del net, trainer
        assert [reference() for reference in gone] == [None, None]
    finally:
        gc.enable()


# ---- files ----------------------------------------------------------------------------------------------------------


def same_output(net, x):
    np.testing.assert_allclose(net(x).asnumpy().ravel(), EXPECTED["lenet"], rtol=1e-5, atol=1e-6)


def fresh():
    with mx.name.NameManager():
        net = gluon_cases.networks(mx)["lenet"][0]()
        net.add(nn.BatchNorm(prefix="lenet_last_"))
    return net


@pytest.mark.parametrize("name", ["places", "names", "stripped", "exported-0003", "saved-model"])
def test_files_of_the_original_load(name):
    net, x = fresh(), gluon_cases.lenet(mx)[1]
    net.load_parameters(FILES / f"{name}.params")
    same_output(net, x)
    net.hybridize()
    same_output(net, x)


@pytest.mark.parametrize("name", ["places", "names", "stripped", "exported"])
def test_files_are_the_originals_to_the_byte(name, tmp_path):
    net, x = gluon_cases.lenet(mx)
    target = tmp_path / f"{name}.params"
    if name == "places":
        net.save_parameters(target)
    elif name == "names":
        net.collect_params().save(target)
    elif name == "stripped":
        with pytest.warns(UserWarning, match="save_params is deprecated"):
            net.save_params(str(target))
    else:
        net.hybridize()
        net(x)
        net.export(str(tmp_path / name), 3)
        assert (tmp_path / "exported-symbol.json").read_bytes() == (FILES / "exported-symbol.json").read_bytes()
        target = tmp_path / "exported-0003.params"
    assert target.read_bytes() == (FILES / target.name).read_bytes()


def test_saved_models(tmp_path):
    net, x = gluon_cases.lenet(mx)
    net.hybridize()
    net(x)
    net.save(str(tmp_path / "saved"))
    assert json.loads((tmp_path / "saved-model.json").read_text()) == json.loads(
        (FILES / "saved-model.json").read_text()
    )
    assert (tmp_path / "saved-model.params").read_bytes() == (FILES / "saved-model.params").read_bytes()
    for place in (tmp_path, FILES):
        other = fresh()
        other.load(str(place / "saved"))
        same_output(other, x)
        assert other._active and other._cached_op is not None
    with pytest.raises(ValueError, match="the saved model differs"):
        nn.Dense(2).load(str(FILES / "saved"))


def test_load_params_is_the_old_name(tmp_path):
    net, x = fresh(), gluon_cases.lenet(mx)[1]
    with pytest.warns(UserWarning, match="load_params is deprecated"):
        net.load_params(str(FILES / "stripped.params"))
    same_output(net, x)


def test_a_single_layer_saves_and_loads(tmp_path):
    layer = nn.Dense(2, in_units=3)
    layer.initialize()
    layer.save_parameters(str(tmp_path / "layer.params"))
    assert sorted(nd.load(str(tmp_path / "layer.params"))) == ["bias", "weight"]
    other = nn.Dense(2)
    other.load_parameters(str(tmp_path / "layer.params"))
    assert (other.weight.data() == layer.weight.data()).asnumpy().all()
    nn.Sequential().save_parameters(str(tmp_path / "nothing.params"))
    nn.Sequential().load_parameters(str(tmp_path / "nothing.params"))


def test_shared_parameters_are_saved_once_on_request(tmp_path):
    net = gluon_cases.networks(mx)["shared"][0]()
    net.initialize()
    net(nd.ones((2, 3)))
    net.save_parameters(str(tmp_path / "all"))
    net.save_parameters(str(tmp_path / "once"), deduplicate=True)
    assert len(nd.load(str(tmp_path / "all"))) == 10
    assert len(nd.load(str(tmp_path / "once"))) == 8
    other = gluon_cases.networks(mx)["shared"][0]()
    other.load_parameters(str(tmp_path / "once"))
    assert (other(nd.ones((2, 3))) == net(nd.ones((2, 3)))).asnumpy().all()


def test_what_loading_refuses(tmp_path):
    file = str(tmp_path / "x.params")

    def net():
        made = nn.HybridSequential()
        made.add(nn.Dense(3), nn.Dense(2))
        return made

    nd.save(file, {"0.weight": nd.ones((3, 3)), "more.bar": nd.ones((1,))})
    with pytest.raises(AssertionError, match=r"Parameter '0.bias' is missing in file.*Set allow_missing=True"):
        net().load_parameters(file)
    with pytest.raises(ValueError, match=r"Parameter 'more.bar' loaded from file.*Set ignore_extra=True"):
        net().load_parameters(file, allow_missing=True)
    other = net()
    other.load_parameters(file, allow_missing=True, ignore_extra=True)
    assert other[0].weight.data().shape == (3, 3)
    nd.save(file, {"0.weight": nd.ones((3, 4))})
    with pytest.raises(AssertionError, match=r"shape incompatible expected \(3, 3\) vs saved \(3, 4\)"):
        other.load_parameters(file, allow_missing=True)
    nd.save(file, {"0.weight": nd.ones((3, 3), dtype="float16")})
    with pytest.raises(AssertionError, match=r"dtype incompatible expected float32 vs saved"):
        other.load_parameters(file, allow_missing=True)
    other.load_parameters(file, allow_missing=True, cast_dtype=True)
    assert other[0].weight.data().dtype == np.float32
    with pytest.raises(AssertionError, match="dtype_source"):
        other.load_parameters(file, allow_missing=True, cast_dtype=True, dtype_source="x")
    other.load_parameters(file, allow_missing=True, cast_dtype=True, dtype_source="saved")
    assert other[0].weight.data().dtype == np.float16
    nd.save(file, [nd.ones((3, 3))])
    with pytest.raises(ValueError, match="arrays without names"):
        other.load_parameters(file)
    with pytest.raises(OSError, match="cannot read"):
        other.load_parameters(str(tmp_path / "absent"))


def test_save_params_needs_prefixes(tmp_path):
    net = nn.Sequential()
    net.add(nn.Dense(2, in_units=2))
    net.initialize()
    with pytest.raises(ValueError, match="Using save_parameters may resolve"):
        quiet(net.save_params, str(tmp_path / "x"))


def test_loading_to_a_context():
    x = gluon_cases.lenet(mx)[1]
    other = fresh()
    other.load_parameters(FILES / "places.params", ctx=mx.cpu(2))
    assert other.collect_params().list_ctx() == [mx.cpu(2)]
    same_output(other, x.as_in_context(mx.cpu(2)))
    with pytest.raises(AssertionError, match=r"on \[cpu\(0\)\] because it was previous initialized on \[cpu\(2\)\]"):
        other.load_parameters(FILES / "places.params", ctx=mx.cpu())


# ---- hybridize -------------------------------------------------------------------------------------------------------


class Traced(gluon.HybridBlock):
    """Counts how often its Python code runs."""

    def __init__(self, function, **kwargs):
        super().__init__(**kwargs)
        self.function = function
        self.calls = []

    def hybrid_forward(self, F, *args):
        self.calls.append(F.__name__)
        return self.function(F, *args)


def test_python_runs_once():
    net = Traced(lambda F, x: F.relu(x) + 1)
    x = nd.array([-1.0, 2.0])
    eager = net(x)
    net.hybridize()
    for _ in range(3):
        assert (net(x) == eager).asnumpy().all()
    assert net.calls == ["mxnet.ndarray", "mxnet.symbol"]
    # other shapes and dtypes, training and contexts need no new trace
    net(nd.ones((2, 3, 4)))
    assert net(nd.ones((2,), dtype="float64")).dtype == np.float64
    assert net(nd.ones((2,), ctx=mx.cpu(3))).context == mx.cpu(3)
    with autograd.record():
        net(x)
    assert len(net.calls) == 2
    net.hybridize(False)
    net(x)
    assert net.calls[2:] == ["mxnet.ndarray"]
    net.hybridize()
    net(x)
    assert net.calls[3:] == ["mxnet.symbol"]


def test_nested_inputs_and_outputs():
    net = Traced(lambda F, x, y: (x[0] + y, [x[1] * 2, (x[0],)]))
    a, b, c = nd.array([1.0]), nd.array([2.0]), nd.array([3.0])
    out = net([a, b], c)
    assert isinstance(out, tuple)
    net.hybridize()
    first, (second, (third,)) = net([a, b], c)
    assert [v.asscalar() for v in (first, second, third)] == [4, 4, 1]
    assert third is not a
    third[:] = 9
    assert a.asscalar() == 9, "an output that is an input shares its memory"
    with pytest.raises(ValueError, match=r"Stored format = \[\[0, 0\], 0\], input format = \[0, 0\]"):
        net(a, b)


def test_none_among_the_inputs():
    net = Traced(lambda F, x, y, z: x + z if y is None else x + y + z)
    a = nd.array([1.0])
    net.hybridize()
    assert net(a, None, a).asscalar() == 2
    assert [v.name for v in net._cached_graph[0]] == ["data0", "data1"]
    with pytest.raises(ValueError, match=r"Stored format = \[0, -1, 0\], input format = \[0, 0, 0\]"):
        net(a, a, a)


def test_several_outputs_of_one_symbol():
    net = Traced(lambda F, x: F.split(x, num_outputs=3))
    x = nd.arange(6).reshape((2, 3))
    eager = net(x)
    net.hybridize()
    hybrid = net(x)
    assert len(hybrid) == 3
    for one, other in zip(eager, hybrid, strict=True):
        assert (one == other).asnumpy().all()


def test_views_among_the_outputs_have_memory_of_their_own():
    net = Traced(lambda F, x: [F.reshape(x, (-1,)), F.relu(x), F.reshape(F.relu(x), (4,)), x])
    x = nd.ones((2, 2))
    net.hybridize()
    outs = net(x)
    assert len({o._data.untyped_storage().data_ptr() for o in [*outs, x]}) == 4
    for function in (
        lambda F, x: F.Dropout(x, p=0.5),
        lambda F, x: F.identity(F.reshape(x, (4,))),
        lambda F, x: F.BlockGrad(x),
        lambda F, x: F.slice_axis(x, axis=0, begin=0, end=1),
        lambda F, x: F.Cast(x, dtype="float32"),
    ):
        net = Traced(function)
        net.hybridize()
        net(x)[:] = 5
        assert (x == 1).asnumpy().all()
    same = Traced(lambda F, x: (lambda y: [y, y])(x * 2))
    same.hybridize()
    first, second = same(x)
    first[:] = 0
    assert (second == 2).asnumpy().all()


def test_what_a_hybrid_block_refuses():
    a = nd.array([1.0])
    net = Traced(lambda F, x, y: x * y)
    assert net(a, 3).asscalar() == 3
    s = mx.sym.var("s")
    for mixed in ((a, s), (s, a), (a, [s])):
        for active in (False, True):
            net.hybridize(active)
            with pytest.raises(ValueError, match="do not support mixed NDArrays and Symbols"):
                net(*mixed)
    with pytest.raises(ValueError, match=r"must be \(nested\) list of Symbol or NDArray, but got 3"):
        net(a, 3)
    with pytest.raises(ValueError, match="there must be one NDArray or one Symbol"):
        net("a", 3)
    with pytest.raises(TypeError):
        net()
    bad = Traced(lambda F, x: (x, 3))
    bad.hybridize()
    with pytest.raises(ValueError, match="HybridBlock output must be"):
        bad(a)
    nothing = Traced(lambda F, x: None)
    nothing.hybridize()
    with pytest.raises(TypeError, match="hybrid_forward returned None"):
        nothing(a)
    two = Traced(lambda F, x, y: x + y)
    two.hybridize()
    with pytest.raises(ValueError, match="Find multiple contexts in the input"):
        two(a, nd.ones((1,), ctx=mx.cpu(1)))
    with pytest.raises(ValueError, match="static_alloc must be True"):
        two.hybridize(static_shape=True)


def test_unused_inputs_and_parameters_are_told():
    net = Traced(lambda F, x, y: x + 1)
    net.hybridize()
    with pytest.warns(UserWarning, match="1-th input to HybridBlock is not used"):
        net(nd.ones((1,)), nd.ones((1,)))

    class Unused(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(2,))

        def hybrid_forward(self, F, x, weight):
            return x + 1

    net = Unused()
    net.initialize()
    net.hybridize()
    with pytest.warns(UserWarning, match="weight is not used by any computation"):
        net(nd.ones((1,)))


def test_inner_variables_must_be_parameters():
    net = Traced(lambda F, x: x + mx.sym.var("stranger"))
    net.hybridize()
    with pytest.raises(AssertionError, match="Unknown input to HybridBlock: stranger"):
        net(nd.ones((1,)))


def run_training(net, x, steps=3):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    outs = []
    for _ in range(steps):
        with autograd.record():
            out = net(x)
        out.backward(nd.array(np.cos(np.arange(out.size)).reshape(out.shape)))
        trainer.step(2)
        outs.append(out.asnumpy())
    return outs


@pytest.mark.parametrize(
    "flags", [{}, {"static_alloc": True, "static_shape": True}, {"inline_limit": 5, "anything": 1}]
)
def test_training_hybridized_is_training_eagerly(flags):
    eager, x = gluon_cases.lenet(mx)
    hybrid, _ = gluon_cases.lenet(mx)
    hybrid.hybridize(**flags)
    for one, other in zip(run_training(eager, x), run_training(hybrid, x), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-5)
    for name, parameter in eager.collect_params().items():
        wanted = parameter.data().asnumpy()
        found = hybrid.collect_params()[name].data().asnumpy()
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5, err_msg=name)
    np.testing.assert_allclose(hybrid(x).asnumpy(), eager(x).asnumpy(), rtol=1e-4, atol=1e-5)


def test_gradients_flow_through_several_graphs_and_to_the_input():
    first, second = nn.Dense(3, in_units=2), nn.Dense(1, in_units=3)
    for block in (first, second):
        block.initialize(mx.init.Constant(0.5))
    x = nd.array([[1.0, 2.0]])

    def grads():
        x.attach_grad()
        with autograd.record():
            y = (second(first(x) * 2) ** 2).sum()
        y.backward()
        return [x.grad.asnumpy(), first.weight.grad().asnumpy(), second.bias.grad().asnumpy()]

    eager = grads()
    first.hybridize()
    second.hybridize()
    for one, other in zip(eager, grads(), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-6)


def test_second_gradients_of_a_graph():
    net = Traced(lambda F, x: x * x * x)
    net.hybridize()
    x = nd.array([2.0, 3.0])
    x.attach_grad()
    with autograd.record():
        y = net(x)
        (first,) = autograd.grad(y, [x], create_graph=True)
        total = first.sum()
    total.backward()
    np.testing.assert_allclose(x.grad.asnumpy(), [12, 18])


def test_parameters_are_read_at_each_call():
    net = nn.Dense(1, in_units=2, use_bias=False)
    net.initialize(mx.init.One())
    net.hybridize()
    x = nd.ones((1, 2))
    assert net(x).asscalar() == 2
    net.weight.set_data(nd.array([[3.0, 4.0]]))
    assert net(x).asscalar() == 7
    net.weight.data()[:] = 1
    assert net(x).asscalar() == 2
    net.initialize(mx.init.Constant(5), force_reinit=True)
    assert net(x).asscalar() == 10
    net.cast("float64")
    assert net(x.astype("float64")).dtype == np.float64
    net.collect_params().reset_ctx(mx.cpu(1))
    assert net(nd.ones((1, 2), ctx=mx.cpu(1), dtype="float64")).context == mx.cpu(1)


def test_dropout_and_batchnorm_know_the_mode():
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.5), nn.BatchNorm(in_channels=1000))
    net.initialize()
    net.hybridize()
    x = nd.ones((2, 1000)) * 4
    np.testing.assert_allclose(net(x).asnumpy(), 4, rtol=1e-4)
    with autograd.record():
        one = net(x)
    with autograd.record():
        other = net(x)
    assert (one != other).asnumpy().any()
    autograd.backward([one, other])  # as in the original, moving averages are updated by the backward pass
    mean = net[1].running_mean.data()
    assert 0 < mean.asnumpy().mean() < 4
    with autograd.record(train_mode=False):
        net(x)
    with autograd.predict_mode():
        net(x)
    assert (mean == net[1].running_mean.data()).asnumpy().all()
    with autograd.train_mode():
        assert (net(x) != net(x)).asnumpy().any()


def test_hybrid_children_of_plain_blocks():
    class Net(gluon.Block):
        def __init__(self):
            super().__init__()
            self.inner = Traced(lambda F, x: F.relu(x))

        def forward(self, x):
            if x.sum().asscalar() > 0:
                return self.inner(x)
            return self.inner(-x)

    net = Net()
    net.hybridize(static_alloc=True)
    for _ in range(3):
        assert net(nd.array([-2.0])).asscalar() == 2
        assert net(nd.array([3.0])).asscalar() == 3
    assert net.inner.calls == ["mxnet.symbol"]
    stack = nn.Sequential()
    stack.add(nn.Dense(1))
    with pytest.warns(UserWarning, match="Consider using HybridSequential"):
        stack.hybridize()


def test_changing_the_structure_traces_anew():
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=2, weight_initializer="ones"))
    net.initialize()
    net.hybridize()
    assert (net(nd.ones((1, 2))) == 2).asnumpy().all()
    net.add(nn.HybridLambda(lambda F, x: x * 10))
    assert (net(nd.ones((1, 2))) == 20).asnumpy().all()


def test_control_flow_and_random_numbers_in_a_graph():
    net = Traced(lambda F, x: F.contrib.foreach(lambda d, s: (d + s, d + s), x, F.zeros_like(F.sum(x, axis=0)))[0])
    net.hybridize()
    np.testing.assert_array_equal(net(nd.array([[1.0], [2.0], [3.0]])).asnumpy(), [[1], [3], [6]])
    noise = Traced(lambda F, x: x + F.random.uniform(shape=(3,)))
    noise.hybridize()
    assert (noise(nd.zeros((3,))) != noise(nd.zeros((3,)))).asnumpy().any()


def test_shapes_that_depend_on_the_input():
    net = Traced(lambda F, x: F.elemwise_add(x, F.ones((0, 3))))
    net.hybridize()
    for rows in (2, 5, 2):
        assert (net(nd.zeros((rows, 3))) == 1).asnumpy().all()
    assert len(net.calls) == 1


def test_errors_in_a_graph_name_the_operator():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize()
    with pytest.raises(mx.MXNetError, match=f"Error in operator {net.name}_fwd"):
        net(nd.ones((1, 4)))


@pytest.fixture
def two_gpus(monkeypatch):
    if not torch.cuda.device_count():
        monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    return [mx.gpu(0), mx.gpu(1)]


def test_several_devices(two_gpus):
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize(ctx=two_gpus)
    x = nd.random.uniform(shape=(4, 3))
    parts = gluon.utils.split_and_load(x, two_gpus)
    eager = [net(part).asnumpy() for part in parts]
    net.hybridize()
    for part, wanted, device in zip(parts, eager, two_gpus, strict=True):
        out = net(part)
        assert out.context == device
        np.testing.assert_allclose(out.asnumpy(), wanted, rtol=1e-5, atol=1e-7)
    with pytest.raises(RuntimeError, match=r"was not initialized on context cpu\(0\)"):
        net(x)


def test_backends():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    x = nd.ones((1, 3))
    wanted = net(x)
    with pytest.raises(ValueError, match="Must specify"):
        net.optimize_for(x)
    with pytest.warns(UserWarning, match="unknown backend 'foo', the graph runs without it"):
        net.optimize_for(x, backend="foo")
    assert (net(x) == wanted).asnumpy().all()
    with pytest.warns(UserWarning, match="unknown backend 'foo'"):
        net.hybridize(backend="foo")
    with pytest.warns(UserWarning, match="unknown backend 'foo'"):
        assert net(mx.sym.var("x")).optimize_for("foo").list_arguments()[0] == "x"
    with pytest.raises(TypeError, match="backend must be a string"):
        net.hybridize(backend=3)
    net.optimize_for(x, backend="MKLDNN")
    assert net._cached_op is not None
    assert (net(x) == wanted).asnumpy().all()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of torch, about itself
def test_inductor():
    net, x = gluon_cases.lenet(mx)
    eager, _ = gluon_cases.lenet(mx)
    wanted = net(x).asnumpy()
    net.hybridize(backend="inductor")
    np.testing.assert_allclose(net(x).asnumpy(), wanted, rtol=1e-4, atol=1e-5)
    for one, other in zip(run_training(eager, x), run_training(net, x), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4)


def test_cached_op_by_itself():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    op = mx._cached_op.CachedOp(a * 2 + b)
    one, two = nd.array([1.0]), nd.array([2.0])
    assert op(one, two).asscalar() == 4
    out = nd.zeros((1,))
    assert op(one, two, out=out) is out
    assert out.asscalar() == 4
    with pytest.raises(TypeError, match=r"takes 2 arrays \(a, b\), got 1"):
        op(one)
    with pytest.raises(ValueError, match="1 outputs, out= has 2"):
        op(one, two, out=[out, out])
    assert (mx._cached_op.CachedOp(mx.sym.ones((2,)))() == 1).asnumpy().all()


def test_mixed_contexts_in_a_graph(two_gpus):
    op = mx._cached_op.CachedOp(mx.sym.var("a") + mx.sym.var("b"))
    with pytest.raises(ValueError, match=r"a on cpu\(0\), b on gpu\(1\)"):
        op(nd.ones((1,)), nd.ones((1,), ctx=two_gpus[1]))


# ---- shapes ----------------------------------------------------------------------------------------------------------


def test_shapes_are_inferred_at_the_first_call():
    for hybridize in (False, True):
        net = nn.HybridSequential()
        net.add(nn.Conv2D(3, 3), nn.BatchNorm(), nn.Flatten(), nn.Dense(2))
        net.initialize()
        if hybridize:
            net.hybridize()
        with pytest.raises(gluon.parameter.DeferredInitializationError):
            net[0].weight.data()
        assert net(nd.ones((2, 4, 5, 5))).shape == (2, 2)
        assert net[0].weight.shape == (3, 4, 3, 3)
        assert net[3].weight.shape == (2, 27)


def test_infer_shape_and_type():
    net = nn.HybridSequential()
    net.add(nn.Dense(3), nn.Dense(2))
    net.initialize()
    net.infer_shape(nd.ones((2, 5)))
    assert net[0].weight.shape == (3, 5)
    with pytest.raises(gluon.parameter.DeferredInitializationError):
        net[0].weight.data()
    layer = gluon.HybridBlock.__new__(nn.HybridLambda)
    nn.HybridLambda.__init__(layer, "relu")
    layer.infer_type(nd.ones((2, 5), dtype="float64"))


def test_shapes_that_cannot_be_told():
    net = nn.Conv2D(2, 3)
    net.initialize()
    with pytest.raises(ValueError, match="Deferred initialization failed because shape cannot be inferred"):
        net(nd.ones((1, 2, 3)))

    class Own(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(0,), allow_deferred_init=True, init="ones")

        def infer_shape(self, x):
            self.weight.shape = (x.shape[1],)

        def hybrid_forward(self, F, x, weight):
            return F.broadcast_mul(x, F.reshape(weight, (1, -1)))

    net = Own()
    net.initialize()
    assert (net(nd.ones((2, 3))) == 1).asnumpy().all()


def test_symbols_in_symbols_out():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(2), nn.Dense(1))
    out = net(mx.sym.var("x"))
    assert out.list_arguments() == ["x", "net_dense0_weight", "net_dense0_bias", "net_dense1_weight", "net_dense1_bias"]
    assert out.name == "net_dense1_fwd"


# ---- export and SymbolBlock ------------------------------------------------------------------------------------------


def test_export_needs_a_graph(tmp_path):
    with pytest.raises(RuntimeError, match="Please first call"):
        nn.Dense(2).export(str(tmp_path / "x"))


def test_imports_of_the_originals_export():
    x = gluon_cases.lenet(mx)[1]
    net = gluon.SymbolBlock.imports(str(FILES / "exported-symbol.json"), ["data"], str(FILES / "exported-0003.params"))
    same_output(net, x)
    assert repr(net) == "SymbolBlock(\n<Symbol lenet_last_fwd> : 1 -> 1\n)"
    assert net.collect_params()["lenet_last_running_mean"].grad_req == "null"
    assert net.collect_params()["lenet_dense0_weight"].shape == (5, 27)
    net.hybridize()
    same_output(net, x)
    eager, _ = gluon_cases.lenet(mx)
    for one, other in zip(run_training(eager, x), run_training(net, x), strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-4, atol=1e-5)


def test_export_and_import_round_trip(tmp_path):
    net, x = gluon_cases.lenet(mx)
    net.hybridize()
    wanted = net(x)
    net.export(str(tmp_path / "net"), epoch=7)
    other = gluon.SymbolBlock.imports(
        str(tmp_path / "net-symbol.json"), "data", str(tmp_path / "net-0007.params"), ctx=mx.cpu(1)
    )
    assert (other(x.as_in_context(mx.cpu(1))) == wanted.as_in_context(mx.cpu(1))).asnumpy().all()
    other.export(str(tmp_path / "again"))
    assert (tmp_path / "again-0000.params").read_bytes() == (tmp_path / "net-0007.params").read_bytes()
    symbol, arguments, states = mx.model.load_checkpoint(str(tmp_path / "net"), 7)
    module = mx.mod.Module(symbol, label_names=None)
    module.bind([("data", x.shape)], for_training=False)
    module.set_params(arguments, states)
    module.forward(mx.io.DataBatch([x]))
    np.testing.assert_allclose(module.get_outputs()[0].asnumpy(), wanted.asnumpy(), rtol=1e-5, atol=1e-6)


def test_import_without_parameters(tmp_path):
    x = gluon_cases.lenet(mx)[1]
    net = gluon.SymbolBlock.imports(str(FILES / "exported-symbol.json"), "data")
    with pytest.raises(RuntimeError, match="has not been initialized"):
        net(x)
    net.initialize(mx.init.Uniform())
    assert net(x).shape == (2, 2)
    with pytest.raises(AssertionError, match=r"has no input 'foo'.*input_names=\['data'\]"):
        gluon.SymbolBlock.imports(str(FILES / "exported-symbol.json"), ["foo"], str(FILES / "exported-0003.params"))
    with pytest.raises(AssertionError, match="is missing in file"):
        gluon.SymbolBlock.imports(str(FILES / "exported-symbol.json"), ["data"], str(FILES / "places.params"))
    gluon.SymbolBlock.imports(
        str(FILES / "exported-symbol.json"),
        ["data"],
        str(FILES / "places.params"),
        allow_missing=True,
        ignore_extra=True,
    )


def test_symbol_blocks_of_inner_layers():
    net, x = gluon_cases.lenet(mx)
    data = mx.sym.var("data")
    out = net(data)
    inner = out.get_internals()["lenet_dense0_fwd_output"]
    block = gluon.SymbolBlock([out, inner], data, params=net.collect_params())
    both = block(x)
    assert [o.shape for o in both] == [(2, 2), (2, 5)]
    np.testing.assert_allclose(both[0].asnumpy(), net(x).asnumpy(), rtol=1e-6)
    assert block.collect_params()["lenet_dense0_weight"] is net[3].weight
    assert repr(block).startswith("SymbolBlock(\n<Symbol group [")
    composed = block(mx.sym.var("other"))
    assert "other" in composed[1].list_arguments()
    with pytest.raises(ValueError, match="input format"):
        block(x, x)
    with pytest.raises(AssertionError, match="either Symbol or NDArray"):
        block("a")
    with pytest.raises(AssertionError, match="Invalid input format"):
        block(mx.sym.var("a"), mx.sym.var("b"))
    with pytest.raises(NotImplementedError):
        block.hybrid_forward(mx.nd, x)
    block.cast("float64")
    assert block(x.astype("float64"))[0].dtype == np.float64
    block.reset_ctx(mx.cpu(1))
    assert block(x.astype("float64").as_in_context(mx.cpu(1)))[0].context == mx.cpu(1)


def test_symbol_blocks_in_networks():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    block = gluon.SymbolBlock(mx.sym.FullyConnected(a, num_hidden=2, name="fc") + b, [a, b])
    block.initialize(mx.init.One())
    out = block(nd.ones((1, 3)), nd.ones((1, 2)))
    assert (out == 5).asnumpy().all()

    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.inner = block

        def hybrid_forward(self, F, x, y):
            return self.inner(x, y) * 2

    net = Net()
    net.hybridize()
    assert (net(nd.ones((1, 3)), nd.ones((1, 2))) == 10).asnumpy().all()
    with pytest.raises(AssertionError, match="Input symbols must be variable"):
        gluon.SymbolBlock(a + 1, mx.sym.relu(a))
    with pytest.raises(ValueError, match="HybridBlock output"):
        gluon.SymbolBlock(3, a)


def test_threads_share_a_graph():
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu", in_units=4), nn.Dense(2, in_units=8))
    devices = [mx.cpu(i) for i in range(4)]
    net.initialize(ctx=devices)
    net.hybridize()
    wanted = net(nd.ones((3, 4))).asnumpy()

    def work(device):
        x = nd.ones((3, 4), ctx=device)
        outs = [net(x) for _ in range(50)]
        return all(out.context == device and np.allclose(out.asnumpy(), wanted) for out in outs)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, devices))


def test_names_are_counted_in_each_thread():
    net = nn.HybridSequential(prefix="net_")

    def work(_):
        with net.name_scope():
            return nn.Dense(1).prefix.startswith("net_dense")

    with ThreadPoolExecutor(2) as pool, net.name_scope():
        assert all(pool.map(work, range(20)))
    with mx.name.NameManager():
        assert nn.Dense(1).prefix == "dense0_"


def test_parts_that_come_later():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        gluon.nonsense  # noqa: B018
    assert {"data", "nn", "Trainer"} <= set(dir(gluon))
    assert gluon.data.ArrayDataset


def test_a_block_that_returns_its_input_shares_its_memory():
    class Same(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return x, F.identity(x), F.reshape(x, shape=(-1,))

    net = Same()
    net.hybridize()
    x = nd.ones((2, 2))
    same, copy, flat = net(x)
    x[:] = 5
    assert same[0, 0].asscalar() == 5 and copy[0, 0].asscalar() == 1 and flat[0].asscalar() == 1
    same[:] = 9
    assert x[0, 0].asscalar() == 9


def test_symbol_block_refuses_sparse_parameters():
    data, weight = mx.sym.var("data"), mx.sym.var("weight", stype="row_sparse")
    with pytest.raises(AssertionError, match="Parameter 'weight' because its storage type is 'row_sparse'"):
        gluon.SymbolBlock(mx.sym.dot(data, weight), data)
    gluon.SymbolBlock(mx.sym.dot(data, weight), [data, weight])  # an input can be sparse
