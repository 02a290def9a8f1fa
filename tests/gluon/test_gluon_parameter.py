"""Parameters: deferred initialization, contexts, gradients, dtypes, sharing, constants, dicts and their files."""

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import Constant, Parameter, ParameterDict, nn
from mxnet.gluon.parameter import DeferredInitializationError


def test_initializing():
    p = Parameter("weight", shape=(2, 3))
    assert repr(p) == "Parameter weight (shape=(2, 3), dtype=<class 'numpy.float32'>)"
    with pytest.raises(RuntimeError, match="Parameter 'weight' has not been initialized"):
        p.data()
    with pytest.raises(RuntimeError, match="has not been initialized"):
        p.list_ctx()
    p.initialize(init="xavier", ctx=[mx.cpu(0), mx.cpu(1)])
    assert p.list_ctx() == [mx.cpu(0), mx.cpu(1)]
    assert len(p.list_data()) == len(p.list_grad()) == 2
    assert (p.data(mx.cpu(0)).asnumpy() == p.data(mx.cpu(1)).asnumpy()).all()
    assert p.data(mx.cpu(1)).context == p.grad(mx.cpu(1)).context == mx.cpu(1)
    assert p.data() is p.data(mx.cpu(0)), "the current context"
    with mx.cpu(1):
        assert p.data() is p.data(mx.cpu(1))
    with pytest.raises(
        RuntimeError, match=r"not initialized on context cpu\(2\). It was only initialized on \[cpu\(0\), "
    ):
        p.data(mx.cpu(2))
    assert p.data(mx.cpu_pinned(1)) is p.data(mx.cpu(1))
    with pytest.warns(UserWarning, match="already initialized, ignoring"):
        p.initialize()
    p.initialize(init=mx.init.One(), force_reinit=True)
    assert p.list_ctx() == [mx.cpu(0)]
    assert (p.data() == 1).asnumpy().all()
    with pytest.raises(TypeError, match="ctx must be"):
        p.initialize(ctx=3, force_reinit=True)


def test_which_initializer():
    cases = [
        (Parameter("x_bias", shape=(2,)), {"default_init": mx.init.One()}, 1),
        (Parameter("x", shape=(2,)), {"default_init": "ones"}, 1),
        (Parameter("x", shape=(2,), init="ones"), {"default_init": mx.init.Zero()}, 1),
        (Parameter("x", shape=(2,), init="ones"), {"init": mx.init.Constant(5)}, 5),
        (Parameter("x_bias", shape=(2,)), {"default_init": mx.init.Mixed([".*"], [mx.init.One()])}, 0),
        (Parameter("x", shape=(2,), init="ones"), {"default_init": mx.init.Mixed([".*"], [mx.init.Zero()])}, 1),
        (Parameter("x", shape=(2,)), {"default_init": mx.init.Load({"x": nd.array([7.0, 7.0])})}, 7),
    ]
    for p, arguments, value in cases:
        p.initialize(**arguments)
        assert (p.data() == value).asnumpy().all(), arguments
    with pytest.raises(TypeError, match=r"must be an Initializer, .*got 3"):
        Parameter("x", shape=(2,)).initialize(init=3)

    class Five(mx.init.Initializer):
        def _init_weight(self, name, arr):
            assert name == "x"
            nd.random.uniform(low=5, high=6, out=arr)

    p = Parameter("x", shape=(3,))
    p.initialize(Five())
    assert (p.data() >= 5).asnumpy().all()


def test_deferred():
    with pytest.raises(ValueError, match=r"Cannot initialize Parameter 'w' because it has invalid shape: \(2, 0\)"):
        Parameter("w", shape=(2, 0)).initialize()
    p = Parameter("w", shape=(2, 0), allow_deferred_init=True)
    p.initialize(ctx=[mx.cpu(1)])
    for method in (p.data, p.grad, p.list_data, p.list_grad):
        with pytest.raises(DeferredInitializationError, match="initialization was deferred"):
            method()
    assert p.list_ctx() == [mx.cpu(1)]
    with pytest.raises(AssertionError, match=r"'w': the new shape \(3, 3\) is incompatible with its shape \(2, 0\)"):
        p.shape = (3, 3)
    p.reset_ctx(mx.cpu(2))
    p.set_data(np.ones((2, 3)))
    assert p.shape == (2, 3)
    p._finish_deferred_init()
    assert (p.data() == 1).asnumpy().all()
    assert p.list_ctx() == [mx.cpu(2)]
    p._finish_deferred_init()
    again = Parameter("w", shape=(2, 0), allow_deferred_init=True)
    again.initialize()
    with pytest.raises(AssertionError, match="Please specify in_units"):
        again._finish_deferred_init()
    with pytest.raises(AssertionError, match="has not been initialized"):
        Parameter("w", shape=(2,)).set_data(nd.ones((2,)))
    with pytest.raises(ValueError, match="Cannot reset context"):
        Parameter("w", shape=(2,)).reset_ctx(mx.cpu())
    with pytest.raises(ValueError, match="invalid shape: None"):
        Parameter("w").initialize()


def test_shapes():
    assert Parameter("w", shape=5).shape == (5,)
    p = Parameter("w", shape=(2, 0))
    p.shape = (2, 4)
    with pytest.raises(AssertionError, match="incompatible"):
        p.shape = (2, 4, 1)
    with mx.util.np_shape():
        assert Parameter("w", shape=(2, -1)).shape == (2, -1)
        assert not gluon.utils.shape_is_known((2, -1))
        assert gluon.utils.shape_is_known(())


def test_set_data():
    p = Parameter("w", shape=(2, 2))
    p.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    memory = p.data(mx.cpu(0))
    p.set_data(nd.array([[1, 2], [3, 4]]))
    assert p.data(mx.cpu(0)) is memory
    assert (p.data(mx.cpu(1)).asnumpy() == [[1, 2], [3, 4]]).all()
    p.set_data(np.zeros((2, 2)))
    assert not memory.asnumpy().any()
    with pytest.raises(AssertionError, match=r"'w': the new shape \(2, 3\) is incompatible"):
        p.set_data(nd.ones((2, 3)))


def test_gradients():
    p = Parameter("w", shape=(2,))
    p.initialize(mx.init.One())

    def backward():
        with autograd.record():
            y = (p.data() * 3).sum()
        y.backward()

    backward()
    backward()
    assert (p.grad() == 3).asnumpy().all()
    p.grad_req = "add"
    backward()
    backward()
    assert (p.grad() == 6).asnumpy().all()
    p.zero_grad()
    assert not p.grad().asnumpy().any()
    p.grad_req = "null"
    for method in (p.grad, p.list_grad):
        with pytest.raises(RuntimeError, match="Cannot get gradient array for Parameter 'w' because grad_req='null'"):
            method()
    p.zero_grad()
    with autograd.record():
        y = p.data() * 3
    with pytest.raises(mx.MXNetError):
        y.backward()
    with pytest.raises(AssertionError, match="grad_req must be one of"):
        p.grad_req = "foo"
    fixed = Parameter("w", shape=(2,), differentiable=False)
    fixed.grad_req = "write"
    assert fixed.grad_req == "null"


def test_cast():
    p = Parameter("w", shape=(2,), init="ones")
    p.cast("float64")
    p.initialize()
    assert p.data().dtype == p.grad().dtype == np.float64
    assert p.var().attr("__dtype__") == "1"
    p.dtype = "float32"
    assert repr(p) == "Parameter w (shape=(2,), dtype=float32)"
    assert p.data().dtype == np.float32
    with autograd.record():
        y = (p.data() * 2).sum()
    y.backward()
    assert (p.grad() == 2).asnumpy().all()
    p.grad_req = "null"
    p.cast("float16")
    assert p.data().dtype == np.float16


def test_contexts(monkeypatch):
    if not torch.cuda.device_count():
        monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    p = Parameter("w", shape=(2,))
    p.initialize(mx.init.One(), ctx=[mx.gpu(0), mx.gpu(1)])
    p.data(mx.gpu(1))[:] = 3
    with pytest.raises(RuntimeError, match=r"not initialized on context cpu\(0\)"):
        p.data(mx.cpu())
    with pytest.raises(RuntimeError, match=r"not initialized on context cpu\(0\)"):
        p.grad()
    assert (p._reduce() == 2).asnumpy().all(), "the mean of all"
    p.reset_ctx(mx.cpu())
    assert (p.data() == 2).asnumpy().all()
    assert p.grad().context == mx.cpu()


def test_variables_of_symbols():
    p = Parameter("w", shape=(2, 0), lr_mult=2.0, init="ones")
    variable = p.var()
    assert variable is p.var()
    assert variable.list_attr() == {
        "__shape__": "(2, 0)",
        "__dtype__": "0",
        "__lr_mult__": "2.0",
        "lr_mult": "2.0",
        "__wd_mult__": "1.0",
        "wd_mult": "1.0",
        "__init__": "ones",
        "__storage_type__": "0",
    }


def test_storage_types():
    for name in ("stype", "grad_stype"):
        with pytest.raises(AssertionError, match=f"{name} for Parameter 'w' must be one of"):
            Parameter("w", **{name: "foo"})
    sparse = Parameter("w", shape=(2,), stype="row_sparse")
    assert sparse.stype == "row_sparse"
    sparse.initialize()
    for method in (sparse.data, sparse.list_data):
        with pytest.raises(RuntimeError, match=r"row_sparse_data\(\) instead"):
            method()
    with pytest.raises(RuntimeError, match="no Trainer"):
        sparse.row_sparse_data(nd.array([0]))
    dense = Parameter("w", shape=(2,), grad_stype="row_sparse")
    dense.initialize()
    assert dense.grad().stype == "row_sparse"
    for method in (dense.row_sparse_data, dense.list_row_sparse_data):
        with pytest.raises(RuntimeError, match=r"Please use data\(\) instead"):
            method(nd.array([0]))


def test_a_parameter_class_of_ones_own():
    class Positive(Parameter):
        def __init__(self, name, **kwargs):
            super().__init__(name, **kwargs)
            self.extra = 1

    p = Positive("w", shape=(2,))
    p.initialize()
    assert repr(p).startswith("Positive w (")

    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.w = p
            self.params._params[p.name] = p

        def hybrid_forward(self, F, x, w):
            return x * w

    net = Net()
    net.hybridize()
    assert (net(nd.ones((2,))) == p.data()).asnumpy().all()


def test_constants():
    c = Constant("c", [[1, 2], [3, 4]])
    assert repr(c) == "Constant c (shape=(2, 2), dtype=<class 'numpy.float32'>)"
    c.initialize()
    assert (c.data().asnumpy() == [[1, 2], [3, 4]]).all()
    with pytest.warns(UserWarning, match="does not support grad_req other than"):
        c.grad_req = "write"
    assert c.grad_req == "null"
    with pytest.raises(RuntimeError, match="grad_req='null'"):
        c.grad()
    assert c.var().attr("__init__").startswith("Constant_c_")
    assert Constant("c", nd.array([1], dtype="int32")).dtype is np.int32

    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.const = self.params.get_constant("const", [[1.0, 2.0]])
            self.weight = self.params.get("weight", shape=(1, 2), init="ones")

        def hybrid_forward(self, F, x, const, weight):
            return x * const * weight

    for hybridize in (False, True):
        net = Net()
        net.initialize()
        if hybridize:
            net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
        with autograd.record():
            y = net(nd.ones((1, 2)))
        y.backward()
        trainer.step(1)
        assert (net.const.data().asnumpy() == [[1, 2]]).all()
        assert (net.weight.data().asnumpy() == [[0, -1]]).all()


# ---- dicts -----------------------------------------------------------------------------------------------------------


def test_get():
    d = ParameterDict("a_")
    w = d.get("weight", shape=(2, 0))
    assert w.name == "a_weight"
    assert d.get("weight", shape=(2, 3)) is w
    assert w.shape == (2, 3)
    assert d.get("weight", shape=(0, 0), dtype="float32", init="ones") is w
    assert w.init == "ones"
    for arguments in (
        {"shape": (4, 3)},
        {"shape": (2, 3, 1)},
        {"dtype": "float64"},
        {"lr_mult": 4},
        {"grad_req": "add"},
    ):
        with pytest.raises(AssertionError, match="Cannot retrieve Parameter 'a_weight' because desired attribute"):
            d.get("weight", **arguments)
    assert list(d) == ["a_weight"] and "a_weight" in d and d["a_weight"] is w and len(d) == 1
    with pytest.raises(KeyError):
        d["weight"]
    assert ParameterDict(), "an empty one is true, too"
    assert repr(ParameterDict("b_")) == "b_ (\n\n)"


def test_constants_in_dicts():
    d = ParameterDict("a_")
    c = d.get_constant("c", [1, 2])
    assert d.get_constant("c") is c
    assert d.get_constant("c", [1, 2]) is c
    assert d.get_constant("c", nd.array([1, 2])) is c
    for other in ([1, 3], [1, 2, 3]):
        with pytest.raises(AssertionError, match="value doesn't match"):
            d.get_constant("c", other)
    with pytest.raises(KeyError, match="No constant named 'a_x'"):
        d.get_constant("x")
    d.get("w", shape=(1,))
    with pytest.raises(AssertionError, match="already exists but it is not a constant"):
        d.get_constant("w", [1])


def test_sharing_and_updating():
    d = ParameterDict("a_")
    w = d.get("w", shape=(1,))
    shared = ParameterDict("a_", shared=d)
    assert shared.get("w") is w
    assert shared.get("new", shape=(1,)) is not d._params.get("a_new")
    other = ParameterDict("b_")
    other.get("x", shape=(1,))
    d.update(other)
    d.update(other)
    assert list(d.keys()) == ["a_w", "b_x"]
    clash = ParameterDict("b_")
    clash.get("x", shape=(1,))
    with pytest.raises(AssertionError, match="different Parameters with the same name 'b_x'"):
        d.update(clash)


def test_shared_layers_learn_together():
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Dense(3, in_units=3))
        net.add(nn.Dense(3, in_units=3, params=net[-1].params))
    assert net[0].weight is net[1].weight
    assert len(net.collect_params()) == 2
    net.initialize()
    for hybridize in (False, True):
        net.hybridize(hybridize)
        with autograd.record():
            y = net(nd.ones((1, 3))).sum()
        y.backward()
        eager = net[0].weight.grad().asnumpy()
        weight = net[0].weight.data().asnumpy()
        # d(sum W(Wx + b) + b)/dW by hand
        hidden = weight @ np.ones(3) + net[0].bias.data().asnumpy()
        wanted = np.outer(np.ones(3), hidden) + np.outer(weight.sum(0), np.ones(3))
        np.testing.assert_allclose(eager, wanted, rtol=1e-5)


def test_setattr_and_contexts_of_all():
    net = nn.Sequential()
    net.add(nn.Dense(2, in_units=2), nn.BatchNorm(in_channels=2))
    params = net.collect_params()
    params.setattr("lr_mult", 0.5)
    params.setattr("custom", 3)
    assert all(p.lr_mult == 0.5 and p.custom == 3 for p in params.values())
    net.collect_params(".*weight").setattr("grad_req", "null")
    assert [p.grad_req for p in params.values()] == ["null", "write", "write", "write", "null", "null"]
    params.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    assert params.list_ctx() == [mx.cpu(0), mx.cpu(1)]
    params.reset_ctx(mx.cpu(3))
    assert params.list_ctx() == [mx.cpu(3)]
    net[0].bias.grad()[:] = 4
    params.zero_grad()
    assert not net[0].bias.grad().asnumpy().any()
    ParameterDict().zero_grad()


def test_verbose_initialization(caplog):
    net = nn.Dense(2, in_units=2)
    with caplog.at_level("INFO"):
        net.initialize(mx.init.Uniform(), verbose=True)
    assert "Initialized" in caplog.text


def test_files(tmp_path):
    file = str(tmp_path / "x.params")
    d = ParameterDict("a_")
    d.get("w", shape=(2,))
    d.get("v", shape=(2,))
    d.initialize(mx.init.One())
    d.save(file)
    assert list(nd.load(file)) == ["a_w", "a_v"]
    d.save(file, strip_prefix="a_")
    assert list(nd.load(file)) == ["w", "v"]
    with pytest.raises(ValueError, match="Prefix 'b_' is to be striped"):
        d.save(file, strip_prefix="b_")
    other = ParameterDict("b_")
    other.get("w", shape=(2,))
    with pytest.raises(
        AssertionError, match=r"Parameter 'v' loaded from file: .* is not present in ParameterDict, choices are: 'b_w'"
    ):
        other.load(file, restore_prefix="b_")
    other.load(file, restore_prefix="b_", ignore_extra=True, ctx=mx.cpu(1))
    assert (other["b_w"].data() == 1).asnumpy().all()
    assert other.list_ctx() == [mx.cpu(1)]
    with pytest.raises(AssertionError, match="restore_prefix is 'c_'"):
        other.load(file, restore_prefix="c_")
    with pytest.raises(AssertionError, match="Parameter 'b_w' is missing in file"):
        other.load(file)
    other.load(file, allow_missing=True, ignore_extra=True)
    other.load_dict({"arg:b_w": nd.array([5, 6])})
    assert (other["b_w"].data().asnumpy() == [5, 6]).all()
    many = ParameterDict("z_")
    for i in range(20):
        many.get(f"p{i}", shape=(1,))
    with pytest.raises(
        AssertionError, match=r"choices are: 'z_p0', 'z_p1', 'z_p2', ..., 'z_p16', 'z_p17', 'z_p18', 'z_p19'"
    ):
        many.load_dict({"z_r": nd.ones((1,))}, allow_missing=True)
    nd.save(file, [nd.ones((1,))])
    with pytest.raises(ValueError, match="arrays without names"):
        many.load(file)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("units", [3, 300_000], ids=["small", "large"])
def test_large_gradients_stay_in_their_memory_and_views_see_all(hybridize, units):
    net = nn.Dense(units, in_units=4)
    net.initialize()
    if hybridize:
        net.hybridize()
    grad = net.weight.grad()
    place = grad._data.data_ptr()
    rows = grad[1:]
    for factor in (1, 2, 3):
        with autograd.record():
            out = (net(nd.ones((2, 4)) * factor) ** 2).sum()
        expected = torch.full((units, 4), 2.0 * factor) * net(nd.ones((2, 4)) * factor)._data.sum(0)[:, None]
        out.backward()
        assert net.weight.grad() is grad
        if units > 3:
            assert grad._data.data_ptr() == place
        np.testing.assert_allclose(grad.asnumpy(), expected.numpy(), rtol=1e-5)
        np.testing.assert_array_equal(rows.asnumpy(), grad.asnumpy()[1:])


def test_gradients_stay_in_their_memory_after_a_cast():
    net = nn.Dense(300_000, in_units=4)
    net.initialize()
    net.cast("float64")
    grad = net.weight.grad()
    place = grad._data.data_ptr()
    with autograd.record():
        out = net(nd.ones((2, 4), dtype="float64"))
    out.backward()
    assert net.weight.grad() is grad
    assert grad._data.data_ptr() == place
    np.testing.assert_array_equal(grad.asnumpy(), np.full((300_000, 4), 2.0))
