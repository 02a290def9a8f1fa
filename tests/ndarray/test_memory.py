"""Who owns memory: docs/developer/memory.md. Every way to write to an array is seen by all that was derived from it."""

import gc
import threading

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet._cached_op import CachedOp
from mxnet._core import memory
from mxnet.gluon import nn

SHAPE = (6, 3, 3, 3)


def rising(shape, scale=0.1):
    return (np.arange(np.prod(shape), dtype=np.float32).reshape(shape) % 7 - 2) * np.float32(scale)


# ---- ways to write to an array ---------------------------------------------------------------------------------------


def by_multi_sgd(w):
    nd.multi_sgd_update(w, nd.ones(SHAPE), lrs=(0.5,), wds=(0.0,), num_weights=1, out=w)


def by_kvstore(w):
    store = mx.kv.create("local")
    store.init(3, nd.array(rising(SHAPE, 0.3)))
    store.pull(3, out=w)


def by_updater(w):
    mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5, momentum=0.9))(0, nd.ones(SHAPE), w)


def by_torch_optimizer(w):
    tensor = w.as_torch().requires_grad_()
    tensor.grad = torch.ones_like(tensor)
    torch.optim.SGD([tensor], lr=0.5).step()


def by_fused_torch_optimizer(w):
    tensor = w.as_torch().requires_grad_()
    tensor.grad = torch.ones_like(tensor)
    torch.optim.Adam([tensor], lr=0.5, fused=True).step()


def by_custom_op(w):
    class Writes(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0])
            aux[0][:] = in_data[0] * 2

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            raise AssertionError("there is no backward here")

    @mx.operator.register("test_memory_writes")
    class Prop(mx.operator.CustomOpProp):
        def list_auxiliary_states(self):
            return ["state"]

        def infer_shape(self, shapes):
            return shapes, shapes, shapes

        def create_operator(self, ctx, shapes, dtypes):
            return Writes()

    nd.Custom(nd.array(rising(SHAPE, 0.2)), w, op_type="test_memory_writes")


def by_shared_executor(w):
    other = mx.sym.var("w").bind(mx.cpu(), {"w": w})
    other.copy_params_from({"w": nd.array(rising(SHAPE, 0.4))})


WAYS = {
    "assign": lambda w: w.__setitem__(slice(None), 0.5),
    "assign part": lambda w: w.__setitem__((1, 2), 3.0),
    "assign by index array": lambda w: w.__setitem__(([0, 2],), 3.0),
    "add": lambda w: w.__iadd__(1),
    "multiply by array": lambda w: w.__imul__(nd.ones(SHAPE) * 2),
    "view of a row": lambda w: w[1].__setitem__(slice(None), 2.0),
    "view of rows": lambda w: w[1:3].__iadd__(2.0),
    "reshaped view": lambda w: w.reshape((-1,)).__setitem__(slice(0, 9), 2.0),
    "view of a view": lambda w: w.reshape((-1, 3))[2:8][1].__setitem__(slice(None), 4.0),
    "detached": lambda w: w.detach().__imul__(3.0),
    "another array on it": lambda w: nd.NDArray(w).__imul__(3.0),
    "out=": lambda w: nd.broadcast_add(w, nd.ones((1, 1, 1, 1)), out=w),
    "out= of creation": lambda w: nd.full(SHAPE, 2.5, out=w),
    "random out=": lambda w: mx.nd.random.uniform(shape=SHAPE, out=w),
    "sgd_update": lambda w: nd.sgd_update(w, nd.ones(SHAPE), lr=0.5, wd=0.0, out=w),
    "sgd_mom_update": lambda w: nd.sgd_mom_update(w, nd.ones(SHAPE), nd.zeros(SHAPE), lr=0.5, out=w),
    "adam_update": lambda w: nd.adam_update(w, nd.ones(SHAPE), nd.zeros(SHAPE), nd.zeros(SHAPE), lr=0.5, out=w),
    "multi_sgd_update": by_multi_sgd,
    "an optimizer's state": lambda w: nd.sgd_mom_update(nd.ones(SHAPE), nd.ones(SHAPE), w, lr=0.5),
    "reset_arrays": lambda w: nd.reset_arrays(w, num_arrays=1),
    "copyto": lambda w: nd.array(rising(SHAPE, 0.3)).copyto(w),
    "_sync_copyfrom": lambda w: w._sync_copyfrom(rising(SHAPE, 0.3)),
    "kvstore": by_kvstore,
    "updater": by_updater,
    "custom operator": by_custom_op,
    "shared executor": by_shared_executor,
    "torch": lambda w: w.as_torch().mul_(2),
    "torch data": lambda w: w.as_torch().data.mul_(2),
    "torch's NumPy": lambda w: w.as_torch().numpy().fill(0.25),
    "handle": lambda w: w.handle.numpy().fill(0.25),
    "DLPack capsule": lambda w: torch.from_dlpack(w.to_dlpack_for_write()).fill_(0.25),
    "DLPack protocol": lambda w: torch.from_dlpack(w).numpy().fill(0.25),
    "torch optimizer": by_torch_optimizer,
    "fused torch optimizer": by_fused_torch_optimizer,
}


def network():
    data = mx.sym.var("data")
    net = mx.sym.Convolution(data, kernel=(3, 3), num_filter=6, pad=(1, 1), name="conv")
    net = mx.sym.BatchNorm(net, fix_gamma=False, name="norm")
    return mx.sym.Activation(net, act_type="relu", name="relu")


def arrays():
    return {
        "data": nd.array(rising((2, 3, 7, 7))),
        "conv_weight": nd.array(rising(SHAPE)),
        "conv_bias": nd.array(rising((6,))),
        "norm_gamma": nd.array(rising((6,)) + 1),
        "norm_beta": nd.array(rising((6,))),
        "norm_moving_mean": nd.array(rising((6,))),
        "norm_moving_var": nd.array(rising((6,)) + 1),
    }


def expected(values):
    """Step by step, on copies: nothing that was kept can have a part in it."""
    copies = {k: nd.array(v.asnumpy()) for k, v in values.items()}
    made = nd.Convolution(
        copies["data"], copies["conv_weight"], copies["conv_bias"], kernel=(3, 3), num_filter=6, pad=(1, 1)
    )
    names = ("gamma", "beta", "moving_mean", "moving_var")
    return nd.relu(nd.BatchNorm(made, *[copies[f"norm_{n}"] for n in names], fix_gamma=False)).asnumpy()


def by_executor(values):
    names = network().list_arguments()
    bound = network().bind(
        mx.cpu(),
        {n: values[n] for n in names},
        aux_states={n: v for n, v in values.items() if n not in names},
        grad_req="null",
    )
    return lambda: bound.forward(is_train=False)[0].asnumpy()


def by_cached_op(values):
    run = CachedOp(network())
    return lambda: run(*[values[n] for n in network().list_inputs()]).asnumpy()


@pytest.mark.parametrize("keep", [by_executor, by_cached_op])
@pytest.mark.parametrize("way", WAYS)
def test_predictions_see_every_write(way, keep):
    values = arrays()
    predict = keep(values)
    np.testing.assert_allclose(predict(), expected(values), rtol=1e-4, atol=1e-4)
    for _ in range(2):  # the second time what is kept may be of another kind
        WAYS[way](values["conv_weight"])
        np.testing.assert_allclose(predict(), expected(values), rtol=1e-4, atol=1e-4)
        predict()


@pytest.mark.parametrize("name", [n for n in arrays() if n != "data"])
@pytest.mark.parametrize("keep", [by_executor, by_cached_op])
def test_predictions_see_writes_to_every_parameter(name, keep):
    values = arrays()
    predict = keep(values)
    predict()
    values[name] += 0.5
    np.testing.assert_allclose(predict(), expected(values), rtol=1e-4, atol=1e-4)
    values[name].as_torch().numpy()[...] += 0.5
    np.testing.assert_allclose(predict(), expected(values), rtol=1e-4, atol=1e-4)


def test_every_way_changes_the_array():
    """Else the test above would prove nothing."""
    for way, write in WAYS.items():
        w = nd.array(rising(SHAPE))
        write(w)
        assert not np.array_equal(w.asnumpy(), rising(SHAPE)), way


def test_predictions_see_moving_averages_that_training_moves():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 3, in_channels=3), nn.BatchNorm(in_channels=6), nn.Activation("relu"))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    data = nd.array(rising((2, 3, 7, 7)))
    for _ in range(3):
        with autograd.record():
            loss = net(data).sum()
        loss.backward()
        plain = net[2](net[1](net[0](data)))
        np.testing.assert_allclose(net(data).asnumpy(), plain.asnumpy(), rtol=1e-4, atol=1e-5)


GLUON_WAYS = {
    "set_data": lambda net, p: p.set_data(nd.ones(p.shape) * 0.2),
    "data()": lambda net, p: p.data().__imul__(2),
    "_data": lambda net, p: p._data[0].__imul__(2),
    "initialize": lambda net, p: net.initialize(mx.init.Constant(0.3), force_reinit=True),
    "zero": lambda net, p: p.set_data(nd.zeros(p.shape)),
    "cast": lambda net, p: (net.cast("float64"), net.cast("float32"), p.data().__imul__(2)),
    "reset_ctx": lambda net, p: (net.collect_params().reset_ctx(mx.cpu()), p.data().__imul__(2)),
    "torch": lambda net, p: p.data().as_torch().numpy().fill(0.1),
}


@pytest.mark.parametrize("way", GLUON_WAYS)
def test_hybridized_blocks_see_every_write(way):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 3, in_channels=3), nn.BatchNorm(in_channels=6), nn.Activation("relu"))
    net.initialize(mx.init.Xavier())
    data = nd.array(rising((2, 3, 7, 7)))
    net.hybridize()
    net(data)
    GLUON_WAYS[way](net, net[0].weight)
    plain = net[2](net[1](net[0](data)))
    np.testing.assert_allclose(net(data).asnumpy(), plain.asnumpy(), rtol=1e-4, atol=1e-5)


def test_hybridized_blocks_see_loaded_parameters(tmp_path):
    def made():
        net = nn.HybridSequential()
        net.add(nn.Conv2D(6, 3, in_channels=3), nn.Dense(2, in_units=150))
        net.initialize(mx.init.Uniform(1))
        net.hybridize()
        return net

    data = nd.array(rising((2, 3, 7, 7)))
    first, second = made(), made()
    assert not np.allclose(first(data).asnumpy(), second(data).asnumpy())
    second.save_parameters(str(tmp_path / "net.params"))
    first.load_parameters(str(tmp_path / "net.params"))
    np.testing.assert_allclose(first(data).asnumpy(), second(data).asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "nag", "rmsprop", "adagrad", "lamb", "ftrl", "signum"])
def test_hybridized_blocks_see_every_optimizer(optimizer):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 3, in_channels=3), nn.Activation("relu"))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": 0.1})
    data = nd.array(rising((2, 3, 7, 7)))
    for _ in range(2):
        net(data)
        with autograd.record():
            loss = (net(data) ** 2).sum()
        loss.backward()
        trainer.step(2)
        np.testing.assert_allclose(net(data).asnumpy(), net[1](net[0](data)).asnumpy(), rtol=1e-4, atol=1e-5)


# ---- gradients -------------------------------------------------------------------------------------------------------


def variable(shape=(2, 2)):
    x = nd.ones(shape)
    x.attach_grad()
    return x


def test_gradients_do_not_share_memory_with_each_other():
    a, b = variable(), variable()
    for factor in (1, 2):
        with autograd.record():
            y = (a.reshape((4,)) + b.reshape((4,))) * factor
        y.backward()
    a.grad[:] = 7
    assert b.grad.asnumpy().tolist() == [[2, 2], [2, 2]]
    b.grad[:] = 2
    a.grad[:] = 2
    assert gluon.utils.clip_global_norm([a.grad, b.grad], 1.0) == pytest.approx(32**0.5)
    np.testing.assert_allclose(a.grad.asnumpy(), 2 / 32**0.5, rtol=1e-5)


def test_gradients_do_not_share_memory_with_head_gradients():
    x, head = variable(), nd.ones((4,))
    with autograd.record():
        y = x.reshape((4,))
    y.backward(head)
    head[:] = 0
    assert x.grad.asnumpy().tolist() == [[1, 1], [1, 1]]
    with autograd.record():
        y = x.reshape((4,))
    head = nd.ones((4,))
    (found,) = autograd.grad(y, [x], head_grads=[head])
    head[:] = 0
    assert found.asnumpy().tolist() == [[1, 1], [1, 1]]


def test_grad_gives_each_variable_its_own_memory():
    x = variable()
    with autograd.record():
        y = x * 2
    one, two = autograd.grad(y, [x, x])
    one[:] = 9
    assert two.asnumpy().tolist() == [[2, 2], [2, 2]]


@pytest.mark.parametrize("alias", [lambda g: g.detach(), lambda g: g[:], lambda g: g.reshape((2, 2)), nd.NDArray])
def test_aliases_of_a_gradient_see_the_next_one(alias):
    x = variable()
    seen = alias(x.grad)
    with autograd.record():
        y = x * 5
    y.backward()
    assert seen.asnumpy().ravel().tolist() == [5, 5, 5, 5]


def test_foreign_gradient_buffers_are_written_to():
    x, memory_of_numpy = nd.ones((3,)), np.zeros(3, dtype=np.float32)
    autograd.mark_variables([x], [nd.from_numpy(memory_of_numpy)])
    with autograd.record():
        y = x * 5
    y.backward()
    assert memory_of_numpy.tolist() == [5, 5, 5]


def test_a_gradient_takes_the_place_of_its_buffer_only_if_nobody_sees_either():
    old, new = torch.zeros(3), torch.ones(3)
    assert memory.handed_over(old, new) is new
    view = old[1:]
    assert memory.handed_over(old, new) is old and view.tolist() == [1, 1]
    del view
    held = new.view(3)
    assert memory.handed_over(old, new) is old
    del held
    memory.expose(old)
    assert memory.handed_over(old, new) is old
    memory.expose(new)
    assert memory.handed_over(torch.zeros(3), new) is not new


# ---- views of results that are not in C order ------------------------------------------------------------------------


def convolved():
    return nd.Convolution(
        nd.array(rising((2, 3, 6, 6))), nd.array(rising(SHAPE)), kernel=(3, 3), num_filter=6, no_bias=1
    )


@pytest.mark.parametrize("record", [False, True])
def test_views_of_a_convolution_stay_connected(record):
    y = convolved()
    if record:
        w = variable(SHAPE)
        with autograd.record():
            y = nd.Convolution(nd.array(rising((2, 3, 6, 6))), w, kernel=(3, 3), num_filter=6, no_bias=1)
    row, copy = y[0], y.detach()
    flat = y.reshape((-1,))
    part = y.reshape((2, 6, 16))
    y[:] = 0
    for view in (row, copy, flat, part, y.as_torch()):
        assert not (view.asnumpy() if isinstance(view, nd.NDArray) else view.numpy()).any()
    flat[:] = 3
    assert (y.asnumpy() == 3).all() and (row.asnumpy() == 3).all()


def test_reading_does_not_move_memory():
    y = convolved()
    first = y[0]
    for read in (lambda: y.asnumpy(), lambda: y.reshape((-1,)), lambda: y[1], lambda: y.as_torch(), lambda: y.copy()):
        read()
    y[:] = 1
    assert (first.asnumpy() == 1).all()


def test_threads_that_take_views_share_memory():
    for _ in range(20):
        y, views = convolved(), []
        threads = [threading.Thread(target=lambda i=i: views.append(y[i % 2])) for i in range(8)]  # noqa: B023
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        y[:] = 4
        assert all((view.asnumpy() == 4).all() for view in views)


# ---- batches and outputs ---------------------------------------------------------------------------------------------


def test_module_does_not_keep_the_batch():
    """Values recorded from the original: what is written to a batch after forward has no part in the gradients."""
    scores = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, no_bias=True, name="fc")
    module = mx.mod.Module(mx.sym.LinearRegressionOutput(scores, mx.sym.var("label")), label_names=["label"])
    module.bind([("data", (2, 3))], [("label", (2, 1))])
    module.init_params(mx.init.One())
    batch = mx.io.DataBatch([nd.array([[1, 2, 3], [4, 5, 6]])], [nd.zeros((2, 1))])
    module.forward(batch, is_train=True)
    batch.data[0][:] = 100
    module.backward()
    assert module._exec_group.grad_arrays[0][0].asnumpy().tolist() == [[66, 87, 108]]
    module.forward_backward(mx.io.DataBatch([nd.array([[1, 2, 3], [4, 5, 6]])], [nd.zeros((2, 1))]))
    kept = mx.io.DataBatch([nd.array([[1, 2, 3], [4, 5, 6]])], [nd.zeros((2, 1))])
    module.forward_backward(kept)
    module.forward(mx.io.DataBatch([nd.zeros((2, 3))], [nd.zeros((2, 1))]))
    assert kept.data[0].asnumpy().tolist() == [[1, 2, 3], [4, 5, 6]]


def test_views_of_outputs_see_the_next_run():
    bound = (mx.sym.var("x") * 2).bind(mx.cpu(), {"x": nd.ones((2, 2))})
    output = bound.forward()[0]
    row = output[0]
    bound.arg_dict["x"][:] = 3
    bound.forward()
    assert row.asnumpy().tolist() == [6, 6] and output.asnumpy().tolist() == [[6, 6], [6, 6]]


# ---- one tensor for each array ---------------------------------------------------------------------------------------


class Residual(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="residual_")
        with self.name_scope():
            self.conv, self.norm = nn.Conv2D(3, 1, use_bias=False), nn.BatchNorm()

    def hybrid_forward(self, F, x):
        return F.relu(self.norm(self.conv(x)) + x)


LAYERS = {
    "batch norm, relu": lambda: [nn.Conv2D(3, 1), nn.BatchNorm(), nn.Activation("relu"), nn.Conv2D(2, 3)],
    "batch norm, sum, relu": lambda: [nn.Conv2D(3, 1), Residual(), nn.Conv2D(2, 3)],
    "instance norm": lambda: [
        nn.Conv2D(3, 3, activation="relu"),
        nn.InstanceNorm(),
        nn.LeakyReLU(0.1),
        nn.Conv2D(2, 1),
    ],
    "group norm": lambda: [nn.Conv2D(4, 3), nn.GroupNorm(2), nn.PReLU(), nn.Conv2D(2, 1)],
    "layer norm": lambda: [nn.Dense(5), nn.LayerNorm(), nn.Activation("relu"), nn.Dense(3)],
    "dense": lambda: [nn.Dense(5, activation="relu"), nn.Dense(4, activation="tanh"), nn.Dense(3)],
    "winograd": lambda: [
        nn.Conv2D(32, 3, padding=1),
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.Conv2D(32, 3, padding=1),
    ],
    "transposed": lambda: [nn.Conv2DTranspose(3, 3, strides=2), nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D()],
}


@pytest.mark.parametrize("layers", LAYERS)
def test_backward_reads_the_parameters_of_that_time(layers):
    """What is written to a parameter between forward and backward counts, also in fused kernels."""

    def gradients(number, hybrid):
        rng = np.random.RandomState(0)
        net = nn.HybridSequential(prefix="net_")
        net.add(*LAYERS[layers]())
        net.initialize()
        if hybrid:
            net.hybridize()
        x = nd.array(rng.rand(2, 3, 8, 8) - 0.3)
        net(x)
        params = [p for p in net.collect_params().values() if p.grad_req != "null"]
        for p in params:
            p.set_data(nd.array(rng.rand(*p.shape) - (0 if p.name.endswith("gamma") else 0.4)))
        x.attach_grad()
        with autograd.record():
            y = net(x)
            loss = (y * nd.array(rng.rand(*y.shape))).sum()
        if number is not None:
            params[number].data()[:] = params[number].data() * -2 + 0.5
        loss.backward()
        return [*(p.grad().asnumpy() for p in params), x.grad.asnumpy()], [p.name for p in params]

    unchanged, names = gradients(None, False)
    read = [name for name in names if name.endswith(("weight", "gamma"))]
    for number, name in enumerate(names):
        expected, found = gradients(number, False)[0], gradients(number, True)[0]
        for ours, theirs in zip(found, expected, strict=True):
            scale = np.abs(theirs).max() + 1
            np.testing.assert_allclose(ours / scale, theirs / scale, atol=1e-4)
        if name in read:
            assert any(np.abs(a - b).max() > 1e-2 for a, b in zip(expected, unchanged, strict=True)), name


def test_arrays_do_not_share_tensor_objects():
    """``memory.is_alone`` counts tensors: two arrays with one tensor would be counted as one."""
    x = variable((3, 4))
    with autograd.record():
        y = (x * 2).sum()
    y.backward()
    kept = [x, x[0], x.detach(), x.reshape((12,)), x.grad, x.grad.detach(), x.as_in_context(mx.cpu()), y, nd.NDArray(x)]
    gc.collect()
    tensors = {}
    for array in {id(a): a for a in kept}.values():
        assert id(array._data) not in tensors
        tensors[id(array._data)] = array


# ---- what backward sees ----------------------------------------------------------------------------------------------


def test_backward_refuses_what_it_can_no_longer_know():
    """Results of a forward pass for prediction are not kept: if nothing changed it is run again, else that is told."""
    bound = (mx.sym.var("x") * mx.sym.var("w")).bind(
        mx.cpu(), {"x": nd.array([2, 3]), "w": nd.array([5, 7])}, args_grad={"x": nd.zeros((2,)), "w": nd.zeros((2,))}
    )
    bound.forward(is_train=False)
    bound.backward(nd.ones((2,)))
    assert bound.grad_dict["x"].asnumpy().tolist() == [5, 7]
    bound.arg_dict["w"][:] = 1
    with pytest.raises(mx.MXNetError, match=r"w changed since forward"):
        bound.backward(nd.ones((2,)))


def test_a_head_that_is_there_twice_counts_once():
    """As the original: the last gradient is taken."""
    for grads, expected in ((None, 1), ([nd.ones((2,)), nd.full((2,), 2.0)], 2), ([nd.full((2,), 2.0), None], 1)):
        x = variable((2,))
        with autograd.record():
            y = x * 1
        autograd.backward([y, y], grads)
        assert x.grad.asnumpy().tolist() == [expected] * 2


def test_a_refused_gradient_leaves_the_graph():
    x, other = variable(), variable()
    with autograd.record():
        y = x * 2
    with pytest.raises(mx.MXNetError, match="variable 1 because it is unreachable"):
        autograd.grad(y, [x, other])
    y.backward()
    assert x.grad.asnumpy().tolist() == [[2, 2], [2, 2]]


def test_executors_share_arrays_only_with_a_buffer():
    """As the original, which shares the arguments named, their gradients and all states with whoever lends a buffer."""
    net = mx.sym.BatchNorm(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc"), name="bn")
    for options, shared in (
        ({}, set()),
        ({"shared_arg_names": ["fc_weight"]}, set()),
        ({"shared_arg_names": ["fc_weight"], "shared_buffer": {}}, {"fc_weight", "bn_moving_mean", "bn_moving_var"}),
    ):
        first = net.simple_bind(mx.cpu(), data=(1, 2))
        second = net.simple_bind(mx.cpu(), shared_exec=first, data=(1, 2), **options)
        for array in (*first.arg_arrays, *first.aux_arrays, *first.grad_arrays):
            array[:] = 5
        values = {**second.arg_dict, **second.aux_dict}
        assert {name for name, array in values.items() if (array.asnumpy() == 5).all()} == shared
        assert {n for n, g in second.grad_dict.items() if (g.asnumpy() == 5).all()} == shared & set(second.grad_dict)


def test_gradients_of_labels_are_left_alone():
    """As the original: losses do not even write zeros there."""
    net = mx.sym.SoftmaxOutput(mx.sym.var("data"), mx.sym.var("label"))
    bound = net.simple_bind(mx.cpu(), data=(2, 3), label=(2,))
    bound.grad_dict["label"][:] = 9
    bound.forward(is_train=True)
    bound.backward()
    assert bound.grad_dict["label"].asnumpy().tolist() == [9, 9]
    both = mx.sym.Group([net, mx.sym.BlockGrad(mx.sym.var("other"))])
    bound = both.simple_bind(mx.cpu(), data=(2, 3), label=(2,), other=(2,))
    bound.grad_dict["other"][:] = 9
    bound.forward(is_train=True)
    bound.backward()
    assert bound.grad_dict["other"].asnumpy().tolist() == [0, 0]


def test_all_of_an_array_is_the_array():
    """As the original: ``x[:]`` and the transpose of a vector are the array itself."""
    x = variable((3,))
    assert x[:] is x and x[()] is x and x.T is x and x[...] is not x
    with autograd.record():
        assert x[:] is x
