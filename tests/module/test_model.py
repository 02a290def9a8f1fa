"""Checkpoints and FeedForward: against what the original wrote and did, and what goes beyond it."""

import logging
import pathlib
import pickle
import shutil
import warnings

import module_cases
import numpy as np
import pytest
from compare import load_golden
from paths import GOLDEN

import mxnet as mx

RECORDED = load_golden("module.json.gz")
KINDS = list(module_cases.CHECKPOINTS)


def assert_close(mine, theirs):
    """Equal structure, nearly equal numbers."""
    if isinstance(theirs, dict):
        assert sorted(mine) == sorted(theirs)
        for key in theirs:
            assert_close(mine[key], theirs[key])
    elif isinstance(theirs, list) and theirs and isinstance(theirs[0], dict | list):
        for a, b in zip(mine, theirs, strict=True):
            assert_close(a, b)
    else:
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-5)


# ---- checkpoints ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_checkpoint_of_the_original_goes_on(kind):
    assert_close(module_cases.resumed(mx, str(GOLDEN / "checkpoints" / kind), kind), RECORDED[f"resumed-{kind}"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_checkpoint_is_written_byte_by_byte_as_the_original_does(kind, tmp_path):
    source, target = str(GOLDEN / "checkpoints" / kind), str(tmp_path / kind)
    mx.model.save_checkpoint(target, 3, *mx.model.load_checkpoint(source, 3))
    for ending in ("-symbol.json", "-0003.params"):
        assert pathlib.Path(target + ending).read_bytes() == pathlib.Path(source + ending).read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_states_of_the_optimizer_are_as_the_original_writes_them(kind, tmp_path):
    module = module_cases.checkpoint_module(mx, kind)
    module.save_checkpoint(str(tmp_path / kind), 3, save_optimizer_states=True)
    mine = pickle.loads((tmp_path / f"{kind}-0003.states").read_bytes())
    theirs = pickle.loads((GOLDEN / "checkpoints" / f"{kind}-0003.states").read_bytes())
    assert list(mine) == list(theirs)
    for key in theirs:
        np.testing.assert_allclose(mine[key].asnumpy(), theirs[key].asnumpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("kind", [*KINDS, "two devices"])
@pytest.mark.parametrize("optimizer", ["sgd", "nag", "rmsprop"])
def test_interrupted_training_gives_the_same_weights(kind, optimizer, tmp_path):
    contexts = [mx.cpu(0), mx.cpu(1)] if kind == "two devices" else mx.cpu()
    settings = {"learning_rate": 0.05, "wd": 0.01}
    if optimizer != "rmsprop":
        settings["momentum"] = 0.9

    def fit(module, begin, end, **kwargs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # parameters are there already
            module.fit(
                mx.io.NDArrayIter(module_cases.X, module_cases.Y, 4),
                kvstore=mx.kv.create("local") if kind == "store" else "local",
                optimizer=optimizer,
                optimizer_params=settings,
                begin_epoch=begin,
                num_epoch=end,
                **kwargs,
            )
        return module

    symbol = module_cases.norm_net(mx)
    args, aux = module_cases.params(mx, symbol, data=(4, 5))
    prefix = str(tmp_path / "half")

    def start():
        return mx.mod.Module(symbol, context=contexts)

    whole = fit(start(), 0, 4, arg_params=args, aux_params=aux)
    half = fit(start(), 0, 2, arg_params=args, aux_params=aux)
    half.save_checkpoint(prefix, 2, save_optimizer_states=True)
    other = fit(mx.mod.Module.load(prefix, 2, load_optimizer_states=True, context=contexts), 2, 4)
    for mine, theirs in zip(other.get_params(), whole.get_params(), strict=True):
        assert sorted(mine) == sorted(theirs)
        for name in theirs:
            np.testing.assert_array_equal(mine[name].asnumpy(), theirs[name].asnumpy(), err_msg=name)


def test_files_of_a_checkpoint(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    prefix = str(tmp_path / "net")
    args, aux = module_cases.params(mx, module_cases.norm_net(mx), data=(4, 5))
    mx.model.save_checkpoint(prefix, 12, module_cases.norm_net(mx), args, aux)
    mx.model.save_checkpoint(prefix, 13, None, args, aux)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["net-0012.params", "net-0013.params", "net-symbol.json"]
    assert f'Saved checkpoint to "{prefix}-0012.params"' in caplog.text
    assert sorted(mx.nd.load(f"{prefix}-0012.params")) == sorted([f"arg:{n}" for n in args] + [f"aux:{n}" for n in aux])
    symbol, args2, aux2 = mx.model.load_checkpoint(prefix, 13)
    assert symbol.list_outputs() == ["softmax_output"]
    assert (list(args2), list(aux2)) == (list(args), list(aux))


def test_odd_files(tmp_path, caplog):
    prefix = str(tmp_path / "odd")
    mx.nd.save(f"{prefix}-0001.params", {"other:x": mx.nd.ones(1), "arg:y": mx.nd.ones(1)})
    assert [list(part) for part in mx.model.load_params(prefix, 1)] == [["y"], []]
    mx.nd.save(f"{prefix}-0002.params", {})
    assert mx.model.load_params(prefix, 2) == ({}, {})
    assert "is empty" in caplog.text
    mx.nd.save(f"{prefix}-0003.params", {"y": mx.nd.ones(1)})
    mx.nd.save(f"{prefix}-0004.params", [mx.nd.ones(1)])
    for epoch in (3, 4):
        with pytest.raises(ValueError, match="arg:"):
            mx.model.load_params(prefix, epoch)
    with pytest.raises(mx.MXNetError, match="0005"):
        mx.model.load_params(prefix, 5)
    shutil.copy(GOLDEN / "checkpoints" / "local-symbol.json", f"{prefix}-symbol.json")
    pathlib.Path(f"{prefix}-0006.params").write_bytes(b"no parameters")
    with pytest.raises(mx.MXNetError):
        mx.model.load_checkpoint(prefix, 6)


def test_bucketing_checkpoint(tmp_path):
    prefix = str(tmp_path / "buckets")
    generate = module_cases.bucket(mx)
    module = mx.mod.BucketingModule(generate, default_bucket_key=5)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params()
    module.forward(module_cases.bucket_batch(mx, 3), is_train=False)
    expected = module.get_outputs()[0].asnumpy()
    module.save_checkpoint(prefix, 1)
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names == ["buckets-0001.params", "buckets-3-symbol.json", "buckets-5-symbol.json", "buckets.buckets"]
    assert mx.nd.load(f"{prefix}.buckets")[0].asnumpy().tolist() == [5, 3]
    args, aux = mx.model.load_params(prefix, 1)
    symbols = {key: mx.sym.load(f"{prefix}-{key}-symbol.json") for key in (3, 5)}
    for other in (
        mx.mod.BucketingModule.load(prefix, 1, generate, 5),
        mx.mod.BucketingModule.load_dict(symbols, generate, 5, args, aux),
    ):
        assert other.params_initialized and not other.binded
        other.bind([("data", (4, 5))], [("softmax_label", (4,))])
        other.forward(module_cases.bucket_batch(mx, 3), is_train=False)
        np.testing.assert_array_equal(other.get_outputs()[0].asnumpy(), expected)


# ---- FeedForward ---------------------------------------------------------------------------------------------------


@pytest.fixture
def feed_forward():
    """FeedForward without its word that it is old."""

    def make(*args, **kwargs):
        with pytest.warns(DeprecationWarning, match="Module"):
            return mx.model.FeedForward(*args, **kwargs)

    return make


def line():
    prediction = mx.symbol.FullyConnected(data=mx.symbol.Variable("data"), num_hidden=1, name="pre")
    label = mx.symbol.Variable("softmax_label")
    return mx.symbol.LinearRegressionOutput(data=prediction, label=label, name="loss")


def test_linear_regression_on_numpy_arrays(feed_forward):
    x = np.linspace(-1, 1, 100)
    y = 5 * x + np.random.normal(0, 0.05, 100)
    model = feed_forward(ctx=mx.cpu(), symbol=line(), num_epoch=10, learning_rate=0.05, numpy_batch_size=1)
    model.fit(X=x, y=y)
    prediction = model.predict(x)
    assert prediction.shape == (100, 1)
    np.testing.assert_allclose(prediction[:, 0], 5 * x, atol=0.1)
    assert model.score(mx.io.NDArrayIter(x, y, 10), "mse") < 0.01


def test_saved_models_go_on(feed_forward, tmp_path):
    prefix = str(tmp_path / "line")
    x = np.random.rand(40, 3).astype("f4")
    y = x.sum(axis=1)
    model = feed_forward(line(), num_epoch=2, learning_rate=0.1, numpy_batch_size=10, momentum=0.5)
    model.fit(x, y, eval_data=(x, y), eval_metric="mse")
    model.save(prefix)
    with pytest.warns(DeprecationWarning):
        loaded = mx.model.FeedForward.load(prefix, 2, learning_rate=0.1, num_epoch=30, numpy_batch_size=10)
    assert loaded.begin_epoch == 2
    np.testing.assert_array_equal(loaded.predict(x), model.predict(x))
    loaded.fit(x, y, eval_metric="mse")
    assert loaded.score(mx.io.NDArrayIter(x, y, 10), "mse") < model.score(mx.io.NDArrayIter(x, y, 10), "mse")
    copy = pickle.loads(pickle.dumps(loaded))
    np.testing.assert_array_equal(copy.predict(x), loaded.predict(x))


def test_create(caplog):
    caplog.set_level(logging.INFO)
    x, y = module_cases.X, module_cases.Y
    with pytest.warns(DeprecationWarning):
        model = mx.model.FeedForward.create(
            module_cases.mlp(mx), x, y, num_epoch=3, numpy_batch_size=5, learning_rate=0.2, eval_data=(x, y)
        )
    assert model.predict(x, num_batch=1).shape == (5, 3)
    assert "Start training with [cpu(0)]" in caplog.text and "Epoch[2] Validation-accuracy=" in caplog.text


def test_extra_parameters_of_a_model(feed_forward):
    args = {**module_cases.params(mx, module_cases.mlp(mx), data=(4, 5))[0], "other": mx.nd.ones(2)}
    settings = {"arg_params": args, "aux_params": {}, "numpy_batch_size": 5}
    with pytest.raises(ValueError, match="other"):
        feed_forward(module_cases.mlp(mx), **settings).predict(module_cases.X)
    model = feed_forward(module_cases.mlp(mx), allow_extra_params=True, **settings)
    assert model.predict(module_cases.X).shape == (10, 3)


def test_a_model_on_virtual_gpus(feed_forward, monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    results = []
    for ctx in (mx.cpu(), [mx.gpu(0), mx.gpu(1)]):
        args = module_cases.params(mx, module_cases.mlp(mx), data=(4, 5))[0]
        model = feed_forward(module_cases.mlp(mx), ctx=ctx, num_epoch=2, arg_params=args, learning_rate=0.1)
        model.fit(mx.io.NDArrayIter(module_cases.X, module_cases.Y, 5))
        results.append(model.predict(module_cases.X))
    np.testing.assert_allclose(*results, rtol=1e-5)


def test_buckets_in_the_old_way(feed_forward):
    generate = module_cases.bucket(mx)

    class Buckets(mx.io.DataIter):
        def __init__(self):
            super().__init__(4)
            self.default_bucket_key = 5
            self.provide_data, self.provide_label = [("data", (4, 5))], [("softmax_label", (4,))]
            self.reset()

        def reset(self):
            self.keys = iter((5, 3, 4, 3))

        def next(self):
            return module_cases.bucket_batch(mx, next(self.keys))

    seen = []
    model = feed_forward(lambda key: generate(key)[0], num_epoch=2, learning_rate=0.1)
    model.fit(Buckets(), batch_end_callback=lambda p: seen.append(p.locals["data_batch"].bucket_key))
    assert seen == [5, 3, 4, 3] * 2
    assert sorted(model.arg_params) == ["fc_bias", "fc_weight"]


def test_twice_the_same_name(feed_forward):
    data = mx.sym.var("data") + mx.sym.var("data")
    with pytest.raises(ValueError, match="duplicated argument name"):
        feed_forward(mx.sym.SoftmaxOutput(data, name="softmax"))


def test_names_that_other_packages_import():
    from mxnet.executor_manager import _check_arguments, _load_data, _load_label, _split_input_slice  # noqa: F401
    from mxnet.model import (  # noqa: F401
        BatchEndParam,
        _create_kvstore,
        _create_sparse_kvstore,
        _initialize_kvstore,
        _update_params,
        _update_params_on_kvstore,
    )

    calls = []
    arrays = [[mx.nd.ones(2)], [mx.nd.ones(3)], [mx.nd.ones(4)]]
    grads = [[mx.nd.ones(2)], [None], [mx.nd.ones(4)]]
    _update_params(arrays, grads, lambda i, g, w: calls.append((i, g.shape, w.shape)), 1)
    assert calls == [(0, (2,), (2,)), (2, (4,), (4,))]
