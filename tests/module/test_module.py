"""Modules against what the original did (tests/module/module_cases.py), and what goes beyond it."""

import gzip
import json
import logging
import os
import pathlib
import subprocess
import sys
import warnings

import module_cases
import numpy as np
import pytest
from compare import load_golden
from paths import GOLDEN

import mxnet as mx

RECORDED = load_golden("module.json.gz")


def assert_same(mine, theirs, where=""):
    """Equal texts and structure, nearly equal numbers."""
    if isinstance(theirs, dict):
        assert sorted(mine) == sorted(theirs), where
        for key in theirs:
            assert_same(mine[key], theirs[key], f"{where}/{key}")
    elif isinstance(theirs, list):
        assert len(mine) == len(theirs), f"{where}: {mine} {theirs}"
        for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            assert_same(a, b, f"{where}/{i}")
    elif isinstance(theirs, float) and not isinstance(mine, str):
        assert mine == pytest.approx(theirs, rel=1e-4, abs=2e-5, nan_ok=True), where
    else:
        assert mine == theirs, where


@pytest.mark.parametrize("case", module_cases.CASES, ids=lambda case: case.__name__)
def test_as_the_original(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = json.loads(json.dumps(case(mx)))
    assert_same(found, RECORDED[case.__name__])


def mlp(num_classes=3):
    data = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=num_classes, name="fc")
    return mx.sym.SoftmaxOutput(data, name="softmax")


# ---- shapes --------------------------------------------------------------------------------------------------------


def test_prediction_of_another_size_without_labels():
    """The original refuses this, since it cannot tell the shape of the labels."""
    module = module_cases.bound(mx)
    outputs = module.predict(module_cases.X)
    assert outputs.shape == (10, 3)
    assert module.label_shapes[0].shape == (10,)
    np.testing.assert_allclose(
        outputs.asnumpy(), module.predict(mx.io.NDArrayIter(module_cases.X, None, 5)).asnumpy(), rtol=1e-6
    )


def test_prediction_of_an_array_is_not_training():
    net = mx.sym.SoftmaxOutput(mx.sym.Dropout(mx.sym.var("data"), p=0.9), name="softmax")
    module = mx.mod.Module(net)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params()
    once, again = (module.predict(module_cases.X[:4]).asnumpy() for _ in range(2))
    np.testing.assert_array_equal(once, again)


def test_executors_of_known_shapes_are_kept():
    module = module_cases.bound(mx)
    executors = []
    for stop in (4, 6, 4, 6):
        module.forward_backward(module_cases.batch(mx, 0, stop))
        executors.append(module._exec_group.execs[0])
    assert executors[0] is executors[2] and executors[1] is executors[3] and executors[0] is not executors[1]
    for stop in range(1, 10):
        module.forward(module_cases.batch(mx, 0, stop))
    assert len(module._exec_group._ready) == 8


def test_outputs_do_not_lie_in_the_input():
    net = mlp()
    data = net.get_internals()["data"]
    symbol = mx.sym.Group([net, mx.sym.BlockGrad(mx.sym.Flatten(data))])
    module = mx.mod.Module(symbol)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params()
    X = module_cases.X[:8]
    outputs = module.predict(mx.io.NDArrayIter(X, None, 4))
    np.testing.assert_array_equal(outputs[1].asnumpy(), X)


# ---- memory --------------------------------------------------------------------------------------------------------


def test_a_batch_may_change_between_forward_and_backward():
    grads = []
    for spoil in (False, True):
        module = module_cases.bound(mx)
        batch = module_cases.batch(mx, 0, 4)
        module.forward(batch, is_train=True)
        if spoil:
            batch.data[0][:] = 100
        module.backward()
        grads.append(module._exec_group.grad_arrays[0][0].asnumpy())
    np.testing.assert_array_equal(*grads)


def test_buckets_of_one_shape_do_not_overwrite_batches():
    """Their executors share input arrays."""
    module = mx.mod.BucketingModule(module_cases.bucket(mx), default_bucket_key=5)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params()
    batches = []
    for key in (5, 6, 7):
        batch = module_cases.bucket_batch(mx, 5)
        batch.bucket_key = key
        batch.data[0][:] = key
        batches.append(batch)
    for way in (module.forward_backward, module.forward, module.forward_backward, module.forward):
        for batch in batches:
            way(batch)
    for batch in batches:
        assert (batch.data[0].asnumpy() == batch.bucket_key).all()


def test_layers_without_names_are_the_same_in_each_bucket():
    def generate(key):
        data = mx.sym.slice_axis(mx.sym.var("data"), axis=1, begin=0, end=2)
        net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=3), name="softmax")
        return net, ("data",), ("softmax_label",)

    module = mx.mod.BucketingModule(generate, default_bucket_key=5)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params()
    module.forward(module_cases.bucket_batch(mx, 3))
    assert list(module.get_params()[0]) == ["fullyconnected0_weight", "fullyconnected0_bias"]
    first, second = (m._exec_group.param_arrays[0][0] for m in module._buckets.values())
    assert first is second


def test_gradients_are_shared_between_buckets():
    module = module_cases.bound(mx)
    other = mx.mod.Module(mlp())
    other.bind([("data", (2, 5))], [("softmax_label", (2,))], shared_module=module)
    assert other._exec_group.grad_arrays[0][0] is module._exec_group.grad_arrays[0][0]


# ---- parameters ----------------------------------------------------------------------------------------------------


def test_order_of_initialization():
    """By name, since that decides which random numbers a parameter gets; then auxiliary states."""
    seen = []

    class Noting(mx.init.Initializer):
        def __call__(self, desc, arr):
            seen.append((str(desc), desc.attrs.get("__init__")))
            arr[:] = 0

    module = mx.mod.Module(module_cases.norm_net(mx))
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params(Noting())
    assert [name for name, _ in seen] == [
        *("bn_beta", "bn_gamma", "fc1_bias", "fc1_weight", "fc2_bias", "fc2_weight"),
        *("bn_moving_mean", "bn_moving_var"),
    ]
    assert dict(seen)["bn_moving_var"] == '["one", {}]'


def test_get_params_gives_copies_that_the_next_call_updates():
    module = module_cases.bound(mx)
    module.init_optimizer(optimizer_params={"learning_rate": 0.5})
    args, _ = module.get_params()
    before = args["fc_weight"].asnumpy()
    module_cases.steps(mx, module, 0, 1)
    np.testing.assert_array_equal(args["fc_weight"].asnumpy(), before)
    again, _ = module.get_params()
    assert again["fc_weight"] is args["fc_weight"]
    assert (again["fc_weight"].asnumpy() != before).any()


def test_rebinding_keeps_what_was_learned():
    module = module_cases.bound(mx)
    module.init_optimizer()
    module_cases.steps(mx, module, 0, 2)
    expected = module._exec_group.param_arrays[0][0].asnumpy()
    module.bind([("data", (2, 5))], [("softmax_label", (2,))], force_rebind=True)
    np.testing.assert_array_equal(module._exec_group.param_arrays[0][0].asnumpy(), expected)


def test_extra_parameters(tmp_path):
    module = module_cases.bound(mx)
    extra = {**module.get_params()[0], "other": mx.nd.ones(2)}
    module.set_params(extra, {}, allow_missing=True, allow_extra=True)
    with pytest.raises(ValueError, match="other"):
        module.set_params(extra, {}, allow_missing=True)
    path = str(tmp_path / "odd.params")
    mx.nd.save(path, {"other": mx.nd.ones(2)})
    with pytest.raises(ValueError, match="Invalid param file"):
        module.load_params(path)


def test_states():
    def step(size):
        state = mx.sym.var("state", shape=(size, 3))
        new = mx.sym.tanh(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc") + state, name="new")
        return mx.sym.Group([mx.sym.SoftmaxOutput(new, name="softmax"), mx.sym.BlockGrad(new, name="out_state")])

    module = mx.mod.Module(step(4), state_names=["state"])
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params()
    assert sorted(module.get_params()[0]) == ["fc_bias", "fc_weight"]
    module.set_states(value=0.5)
    assert (module.get_states(merge_multi_context=False)[0][0].asnumpy() == 0.5).all()
    module.forward(module_cases.batch(mx, 0, 4))
    module.set_states(states=module.get_outputs(merge_multi_context=False)[1:])
    carried = module.get_states(merge_multi_context=False)[0][0].asnumpy()
    np.testing.assert_array_equal(carried, module.get_outputs()[1].asnumpy())
    with pytest.raises(AssertionError):
        module.set_states()


# ---- devices -------------------------------------------------------------------------------------------------------


def test_virtual_gpus_learn_the_same_as_one_device(monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    results = []
    for contexts in (mx.cpu(), [mx.gpu(0), mx.gpu(1)]):
        module = module_cases.bound(mx, size=6, contexts=contexts)
        module.init_optimizer("device", optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
        for i in range(4):
            module.forward_backward(module_cases.batch(mx, i, i + 6))
            module.update()
        results.append(module.get_params()[0])
    assert results[1]["fc_weight"].context == mx.cpu()
    for name in results[0]:
        np.testing.assert_allclose(results[0][name].asnumpy(), results[1][name].asnumpy(), rtol=1e-5)


def test_parts_of_a_graph_on_several_devices(monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    with mx.AttrScope(ctx_group="first"):
        data = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc1")
    with mx.AttrScope(ctx_group="second"):
        net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=3, name="fc2"), name="softmax")
    results = []
    for groups in ({"first": mx.gpu(0), "second": mx.gpu(1)}, None):
        module = mx.mod.Module(net, context=mx.cpu(), group2ctxs=groups)
        module.bind([("data", (4, 5))], [("softmax_label", (4,))])
        module.init_params(arg_params=module_cases.params(mx, net, data=(4, 5))[0])
        results.append(module_cases.trained(mx, module, kvstore=None))
        arrays = module._exec_group.execs[0].arg_dict
        if groups:
            assert (arrays["fc1_weight"].context, arrays["fc2_weight"].context) == (mx.gpu(0), mx.gpu(1))
    assert_same(results[0], results[1])


def test_compressed_gradients():
    settings = {"type": "2bit", "threshold": 0.01}
    module = module_cases.bound(mx, size=6, contexts=[mx.cpu(0), mx.cpu(1)], compression_params=settings)
    before = module.get_params()[0]["fc_weight"].asnumpy()
    module.init_optimizer("device", optimizer_params={"learning_rate": 1, "rescale_grad": 1})
    module.forward_backward(module_cases.batch(mx, 0, 6))
    module.update()
    moved = np.abs(module.get_params()[0]["fc_weight"].asnumpy() - before)
    assert moved.max() > 0
    np.testing.assert_allclose(moved / 0.01, np.round(moved / 0.01), atol=1e-3)


def test_an_optimizer_of_ones_own_is_called_for_each_parameter():
    seen = []

    class Noting(mx.optimizer.Optimizer):
        def create_state(self, index, weight):
            return None

        def update(self, index, weight, grad, state):
            seen.append((index, self.idx2name[index]))
            weight[:] = weight - 0.1 * grad

    module = module_cases.bound(mx)
    module.init_optimizer(optimizer=Noting(rescale_grad=0.25))
    module_cases.steps(mx, module, 0, 1)
    assert seen == [(0, "fc_weight"), (1, "fc_bias")]


def test_a_store_of_ones_own():
    """Without an optimizer: it sums gradients, the module updates."""
    results = []
    for store in ("teststore", "local"):
        module = module_cases.bound(mx, size=6, contexts=[mx.cpu(0), mx.cpu(1)])
        module.init_optimizer(mx.kv.create(store), optimizer_params={"learning_rate": 0.1})
        assert module._update_on_kvstore is (store == "local")
        for i in range(3):
            module.forward_backward(module_cases.batch(mx, i, i + 6))
            module.update()
        results.append(module.get_params()[0]["fc_weight"].asnumpy())
    np.testing.assert_allclose(*results, rtol=1e-5)


def test_update_on_the_devices_by_environment(monkeypatch):
    monkeypatch.setenv("MXNET_UPDATE_ON_KVSTORE", "0")
    module = module_cases.bound(mx, size=6, contexts=[mx.cpu(0), mx.cpu(1)])
    found = module_cases.trained(mx, module, size=6, momentum=0.9)
    assert module._update_on_kvstore is False and module._kvstore is not None
    assert_same(json.loads(json.dumps(found)), RECORDED["train_two_local"])


# ---- watching ------------------------------------------------------------------------------------------------------


def test_monitor_also_after_another_shape():
    module = module_cases.bound(mx)
    monitor = mx.mon.Monitor(1)
    module.install_monitor(monitor)
    for stop in (4, 6):
        monitor.tic()
        module.forward_backward(module_cases.batch(mx, 0, stop))
        assert {"fc_output", "softmax_output", "fc_weight"} <= {name for _, name, _ in monitor.toc()}


def test_no_batches():
    module = mx.mod.Module(mlp())
    data = mx.io.NDArrayIter(module_cases.X, module_cases.Y, 4)
    for _ in data:
        pass
    with pytest.raises(ValueError, match="no batches"):
        module.fit(data, num_epoch=1)


def test_batches_of_numpy_arrays():
    """As the iterators of tutorials give them; the original refuses."""
    module, other = module_cases.bound(mx), module_cases.bound(mx)
    module.forward_backward(mx.io.DataBatch([module_cases.X[:4]], [module_cases.Y[:4]]))
    other.forward_backward(module_cases.batch(mx, 0, 4))
    np.testing.assert_array_equal(module.get_outputs()[0].asnumpy(), other.get_outputs()[0].asnumpy())


def test_legacy_paths():
    import mxnet.module.base_module
    import mxnet.module.bucketing_module
    import mxnet.module.executor_group
    import mxnet.module.module
    import mxnet.module.python_module
    import mxnet.module.sequential_module

    assert mx.mod is mx.module
    assert mxnet.module.module.Module is mx.mod.Module
    assert mxnet.module.base_module.BatchEndParam is mx.model.BatchEndParam
    assert mxnet.module.executor_group.DataParallelExecutorGroup is not mx.executor_manager.DataParallelExecutorGroup


# ---- learning ------------------------------------------------------------------------------------------------------


def seed_program(data, tmp_path, epochs):
    """The program of the first tutorial, its typing errors corrected; the accuracies of validation."""
    batch_size = 100
    train_iter = mx.io.NDArrayIter(data["train_data"], data["train_label"], batch_size, shuffle=True)
    val_iter = mx.io.NDArrayIter(data["test_data"], data["test_label"], batch_size)
    net = mx.sym.flatten(data=mx.sym.var("data"))
    fc1 = mx.sym.FullyConnected(data=net, num_hidden=128)
    act1 = mx.sym.Activation(data=fc1, act_type="relu")
    fc2 = mx.sym.FullyConnected(data=act1, num_hidden=10)
    mlp_model = mx.mod.Module(symbol=mx.sym.SoftmaxOutput(data=fc2, name="softmax"), context=mx.cpu())
    lr_decay = mx.lr_scheduler.FactorScheduler(step=2000, factor=0.9)
    optimizer = mx.optimizer.SGD(
        learning_rate=0.1, wd=0.0005, momentum=0.9, lr_scheduler=lr_decay, rescale_grad=1 / batch_size
    )
    scores = []
    mlp_model.fit(
        train_iter,
        eval_data=val_iter,
        optimizer=optimizer,
        eval_metric=mx.metric.Accuracy(),
        batch_end_callback=mx.callback.Speedometer(batch_size, 20),
        epoch_end_callback=mx.callback.do_checkpoint(str(tmp_path / "model"), 1),
        eval_end_callback=lambda p: scores.append(p.eval_metric.get()[1]),
        num_epoch=epochs,
        kvstore=mx.kv.create("local"),
    )
    assert (tmp_path / f"model-{epochs:04d}.params").exists()
    return scores


def test_digits(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    mx.random.seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that these are the bundled digits
        data = mx.test_utils.get_mnist()
    scores = seed_program(data, tmp_path, 3)
    assert scores[-1] > 0.9
    assert "Epoch[2] Validation-accuracy=" in caplog.text and "samples/sec" in caplog.text


@pytest.mark.slow
def test_mnist(tmp_path):
    directory = os.environ.get("MXNET_TEST_MNIST")
    if not directory:
        pytest.skip("MXNET_TEST_MNIST is to name the directory with the four files of MNIST")
    mx.random.seed(0)
    data = {}
    for part, prefix in (("train", "train"), ("test", "t10k")):
        images, labels = (
            gzip.decompress((pathlib.Path(directory) / f"{prefix}-{kind}-ubyte.gz").read_bytes())
            for kind in ("images-idx3", "labels-idx1")
        )
        data[f"{part}_data"] = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 1, 28, 28).astype("f4") / 255
        data[f"{part}_label"] = np.frombuffer(labels, np.uint8, offset=8).astype("f4")
    scores = seed_program(data, tmp_path, 10)
    assert scores[-1] >= 0.97, scores


def test_binding_does_not_load_the_compiler_of_torch():
    """Its import takes longer than binding a large network: the usual operators know their shapes without it."""
    program = """
import sys
import mxnet as mx

sym = mx.sym
x = sym.Embedding(sym.var("words"), input_dim=9, output_dim=4)
x = sym.FullyConnected(x, num_hidden=6) + sym.dot(sym.var("a"), sym.var("b"))
y = sym.Convolution(sym.var("data"), num_filter=6, kernel=(3, 3), stride=(2, 2))
y = sym.LeakyReLU(sym.BatchNorm(y), act_type="elu")
y = sym.Flatten(sym.Pooling(sym.broadcast_mul(y, sym.var("scale", shape=(1, 6, 1, 1))), kernel=(2, 2)))
x = sym.softmax(sym.Dropout(sym.Concat(x, y)))
net = sym.SoftmaxOutput(sym.FullyConnected(x, num_hidden=3))
net.simple_bind(mx.cpu(), words=(2, 5), a=(2, 7), b=(7, 6), data=(2, 3, 9, 9)).forward()
print(sorted({"sympy", "torch._dynamo", "torch.fx.experimental.symbolic_shapes"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=GOLDEN.parent.parent
    )
    assert done.stdout.strip() == "[]"
