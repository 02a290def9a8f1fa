"""The trainer, against the original; stores, stale gradients, states; and the helpers in gluon.utils."""

import hashlib
import http.server
import io
import json
import pathlib
import sys
import threading

import gluon_cases
import numpy as np
import pytest
import torch
from paths import GOLDEN

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, utils

FILES = GOLDEN / "gluon"
EXPECTED = json.loads((FILES / "expected.json").read_text())["trained"]


def values(net):
    return {key: p.data(p.list_ctx()[0]).asnumpy() for key, p in net.collect_params().items()}


@pytest.mark.parametrize("name", gluon_cases.TRAINED)
def test_training_is_the_originals(name):
    found = gluon_cases.trained(mx, name)
    assert found.keys() == EXPECTED[name].keys()
    for key, wanted in EXPECTED[name].items():
        np.testing.assert_allclose(found[key], wanted, rtol=1e-4, atol=1e-6, err_msg=key)


@pytest.mark.parametrize("contexts", [1, 2])
def test_states_of_the_original_load(contexts, tmp_path):
    """Loading states and going on gives what training without a break gives."""
    whole, _ = gluon_cases.train(mx, "adam", {"learning_rate": 0.05}, contexts, steps=8)
    net, trainer = gluon_cases.train(mx, "adam", {"learning_rate": 0.05}, contexts)
    before = values(net)
    trainer.save_states(tmp_path / "mine.states")
    for file in (tmp_path / "mine.states", FILES / f"trainer{contexts}.states"):
        for key, value in before.items():
            net.collect_params()[key].set_data(nd.array(value))
        trainer.load_states(file)
        assert trainer.optimizer.num_update == 4
        assert trainer.optimizer.param_dict[0] is net.collect_params()["net_dense0_bias"]
        rng = np.random.RandomState(3)
        for step in range(8):
            x = np.round(rng.normal(0, 1, (6, 3)), 2)
            y = np.round(rng.normal(0, 1, (6, 2)), 2)
            if step >= 4:
                devices = net.collect_params().list_ctx()
                parts = zip(utils.split_and_load(x, devices), utils.split_and_load(y, devices), strict=True)
                with autograd.record():
                    losses = [gluon.loss.L2Loss()(net(data), label) for data, label in parts]
                autograd.backward(losses)
                trainer.step(6)
        for key, value in values(whole).items():
            np.testing.assert_allclose(values(net)[key], value, rtol=1e-3, atol=1e-5, err_msg=key)


HOST = (mx.cpu(),)


def layer(**kwargs):
    net = nn.Dense(1, in_units=2, **kwargs)
    net.initialize(mx.init.One())
    return net


def backward(net, devices=HOST):
    with autograd.record():
        losses = [net(nd.ones((1, 2), ctx=device)).sum() for device in devices]
    autograd.backward(losses)


def test_learning_rates():
    net = layer()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    assert trainer.learning_rate == 0.5
    trainer.set_learning_rate(0.25)
    backward(net)
    trainer.step(1)
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[0.75, 0.75]])
    assert isinstance(trainer.optimizer, mx.optimizer.SGD)
    net.weight.lr_mult = 0
    backward(net)
    trainer.step(2)
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[0.75, 0.75]])
    np.testing.assert_allclose(net.bias.data().asnumpy(), [-0.25 - 0.125])
    scheduled = gluon.Trainer(
        net.collect_params(), "sgd", {"lr_scheduler": mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=1.0)}
    )
    for wanted in (1.0, 0.5, 0.25):
        backward(net)
        scheduled.step(1)
        assert scheduled.learning_rate == wanted
    with pytest.raises(UserWarning, match="LRScheduler of the optimizer has already been defined"):
        scheduled.set_learning_rate(1)


def test_an_optimizer_object():
    net = layer(use_bias=False)
    trainer = gluon.Trainer(net.collect_params(), mx.optimizer.SGD(learning_rate=1.0, rescale_grad=2.0))
    backward(net)
    trainer.step(4)
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[0.5, 0.5]])
    with pytest.raises(AssertionError, match="optimizer_params must be None"):
        gluon.Trainer(net.collect_params(), mx.optimizer.SGD(), {"learning_rate": 1})


def test_an_optimizer_of_ones_own():
    class Signs(mx.optimizer.Optimizer):
        def create_state(self, index, weight):
            return None

        def update(self, index, weight, grad, state):
            weight[:] -= self._get_lr(index) * nd.sign(grad)

    net = layer()
    trainer = gluon.Trainer(net.collect_params(), Signs(learning_rate=0.5))
    backward(net)
    trainer.step(1)
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[0.5, 0.5]])


def test_stale_gradients():
    class Half(gluon.Block):
        def __init__(self):
            super().__init__()
            self.used, self.unused = layer(), layer()

        def forward(self, x):
            return self.used(x)

    net = Half()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    with pytest.raises(UserWarning, match="has not been updated by backward since last `step`"):
        trainer.step(1)
    backward(net)
    with pytest.raises(UserWarning, match=f"Gradient of Parameter `{net.unused.name}_bias` on context cpu"):
        trainer.step(1)
    assert (net.used.weight.data() == 1).asnumpy().all(), "nothing is updated before the check"
    trainer.step(1, ignore_stale_grad=True)
    assert (net.used.weight.data() == 0).asnumpy().all()
    assert (net.unused.weight.data() == 1).asnumpy().all()
    trainer.step(1, ignore_stale_grad=True)
    assert (net.used.weight.data() == 0).asnumpy().all(), "a gradient counts once"
    net.unused.collect_params().setattr("grad_req", "null")
    backward(net)
    trainer.step(1)
    assert (net.used.weight.data() == -1).asnumpy().all()


def test_accumulated_gradients():
    net = layer(use_bias=False)
    net.collect_params().setattr("grad_req", "add")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    for _ in range(3):
        backward(net)
    trainer.step(3)
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[0.5, 0.5]])
    net.collect_params().zero_grad()
    backward(net)
    trainer.step(1)
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[0.0, 0.0]])


@pytest.fixture
def two_gpus(monkeypatch):
    if not torch.cuda.device_count():
        monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    return [mx.gpu(0), mx.gpu(1)]


def two(devices):
    net = nn.Dense(1, in_units=2, use_bias=False)
    net.initialize(mx.init.One(), ctx=devices)
    return net


@pytest.mark.parametrize(
    ("kind", "on_kvstore"),
    [*((kind, where) for kind in ("device", "local", "object") for where in (True, False)), ("teststore", False)],
)
def test_stores(two_gpus, kind, on_kvstore):
    net = two(two_gpus)
    store = mx.kv.create("device") if kind == "object" else kind
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 0.25}, kvstore=store, update_on_kvstore=on_kvstore
    )
    for wanted in (0.5, 0.0):
        backward(net, two_gpus)
        trainer.step(1)
        for array in net.weight.list_data():
            np.testing.assert_allclose(array.asnumpy(), [[wanted, wanted]])
    assert trainer._update_on_kvstore is on_kvstore
    if on_kvstore:
        for method in (trainer.allreduce_grads, lambda: trainer.update(1)):
            with pytest.raises(AssertionError, match="when parameters are updated on kvstore is not supported"):
                method()
        net.weight.set_data(nd.array([[8.0, 8.0]]))
        backward(net, two_gpus)
        trainer.step(1)
        assert (net.weight.data(two_gpus[1]).asnumpy() == 7.5).all(), "the store learns of it, too"


def test_reduce_then_update(two_gpus):
    net = two(two_gpus)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0}, update_on_kvstore=False)
    backward(net, two_gpus)
    trainer.allreduce_grads()
    for grad in net.weight.list_grad():
        assert (grad == 2).asnumpy().all()
        grad[:] = 0.5
    trainer.update(1)
    for array in net.weight.list_data():
        assert (array == 0.5).asnumpy().all()


def test_without_a_store_devices_go_their_own_ways(two_gpus):
    net = two(two_gpus)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0}, kvstore=None)
    with autograd.record():
        losses = [net(nd.ones((1, 2), ctx=device)).sum() * k for k, device in enumerate(two_gpus)]
    autograd.backward(losses)
    trainer.step(1)
    assert [a.asnumpy()[0, 0] for a in net.weight.list_data()] == [1, 0]


def test_compression(two_gpus):
    net = two(two_gpus)
    compression = {"type": "2bit", "threshold": 0.5}
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 1.0}, compression_params=compression, update_on_kvstore=False
    )
    backward(net, two_gpus)
    trainer.step(1)
    assert (net.weight.data(two_gpus[0]) == 0).asnumpy().all(), "each device sends 0.5 of its 1"


def test_what_a_trainer_refuses(tmp_path):
    net = layer()
    for params, message in ((3, "got <class 'int'>"), ([3], "got list of <class 'int'>"), (net.weight, "got <class")):
        with pytest.raises(ValueError, match=f"First argument must be a list or dict of Parameters, {message}"):
            gluon.Trainer(params, "sgd")
    with pytest.raises(ValueError, match="Cannot find optimizer foo"):
        gluon.Trainer(net.collect_params(), "foo")
    other = nn.Dense(1, in_units=2)
    with pytest.raises(RuntimeError, match="has not been initialized"):
        gluon.Trainer(other.collect_params(), "sgd")
    other.initialize(ctx=mx.cpu(1))
    with pytest.raises(AssertionError, match="All Parameters must be initialized on the same set of contexts"):
        gluon.Trainer([net.weight, other.weight], "sgd")
    with pytest.raises(ValueError, match="update_on_kvstore=True without a kvstore"):
        gluon.Trainer(net.collect_params(), "sgd", update_on_kvstore=True).step(1)
    with pytest.raises(TypeError, match="kvstore must be"):
        gluon.Trainer(net.collect_params(), "sgd", kvstore=3).step(1)
    with pytest.raises(ValueError, match="Please set update_on_kvstore=False"):
        gluon.Trainer(net.collect_params(), "sgd", kvstore=mx.kv.create("teststore"), update_on_kvstore=True).step(1)
    deferred = nn.Dense(1)
    deferred.initialize()
    trainer = gluon.Trainer(deferred.collect_params(), "sgd")
    with pytest.raises(gluon.parameter.DeferredInitializationError):
        trainer.step(1)
    deferred(nd.ones((1, 2)))
    backward(deferred)
    trainer.step(1)
    with pytest.raises(OSError, match="cannot write"):
        trainer.save_states(tmp_path / "no" / "such")
    with pytest.raises(FileNotFoundError, match="cannot read"):
        trainer.load_states(tmp_path / "absent")
    gluon.Trainer({}, "sgd").step(1)
    gluon.Trainer({"b": net.weight, "a": net.bias}, "sgd")
    store = mx.kv.create("device")
    store.init(0, nd.ones((1,)))
    with pytest.raises(ValueError, match="duplicate init of key 0"):
        gluon.Trainer(net.collect_params(), "sgd", kvstore=store).step(1)


def test_half_precision_with_masters():
    net = layer(use_bias=False)
    net.cast("float16")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-4, "multi_precision": True})
    for _ in range(8):
        with autograd.record():
            y = net(nd.ones((1, 2), dtype="float16")).sum()
        y.backward()
        trainer.step(1)
    np.testing.assert_allclose(net.weight.data().asnumpy(), [[0.9992, 0.9992]], atol=2e-4)
    assert net.weight.data().dtype == np.float16


# ---- utils -----------------------------------------------------------------------------------------------------------


def test_split_data():
    x = nd.arange(14).reshape((7, 2))
    assert [p.shape for p in utils.split_data(x, 3, even_split=False)] == [(3, 2), (2, 2), (2, 2)]
    assert utils.split_data(x, 1)[0] is x
    with pytest.raises(ValueError, match="cannot be evenly split into 3 slices along axis 0"):
        utils.split_data(x, 3)
    assert [len(p) for p in utils.split_data(x, 8, even_split=False)] == [1] * 7 + [0], "the last ones are empty"
    parts = utils.split_data(x, 2, batch_axis=1)
    assert [p.shape for p in parts] == [(7, 1), (7, 1)]
    utils.split_data(x, 7)[2][:] = 9
    assert (x[2] == 9).asnumpy().all(), "parts along the first axis are views"


def test_split_and_load():
    devices = [mx.cpu(0), mx.cpu(1)]
    parts = utils.split_and_load(np.arange(4), devices)
    assert [p.context for p in parts] == devices
    assert [p.asnumpy().tolist() for p in parts] == [[0, 1], [2, 3]]
    assert utils.split_and_load([1, 2, 3], [mx.cpu(2)])[0].context == mx.cpu(2)
    assert [p.shape for p in utils.split_and_load(nd.ones((5, 1)), devices, even_split=False)] == [(3, 1), (2, 1)]


def test_clip_global_norm():
    arrays = [nd.array([3.0, 0.0]), nd.array([[4.0]])]
    norm = utils.clip_global_norm(arrays, 10.0)
    assert isinstance(norm, np.float32) and norm == pytest.approx(5)
    assert arrays[1].asscalar() == 4
    assert utils.clip_global_norm(arrays, 1.0) == pytest.approx(5)
    np.testing.assert_allclose(arrays[0].asnumpy(), [0.6, 0], rtol=1e-5)
    lazy = utils.clip_global_norm(arrays, 2.0, check_isfinite=False)
    assert isinstance(lazy, nd.NDArray) and lazy.asscalar() == pytest.approx(1)
    with pytest.warns(UserWarning, match="nan or inf is detected"):
        assert np.isnan(utils.clip_global_norm([nd.array([np.nan])], 1.0))
    bad = nd.array([np.nan, 3.0])
    with pytest.warns(UserWarning, match="nan or inf is detected"):
        utils.clip_global_norm([bad], 1.0)
    assert np.isnan(bad.asnumpy()).all(), "as in the original"
    with pytest.raises(AssertionError):
        utils.clip_global_norm([], 1.0)


def test_download(tmp_path):
    source = tmp_path / "source" / "file.bin"
    source.parent.mkdir()
    source.write_bytes(b"content" * 1000)
    digest = hashlib.sha1(source.read_bytes()).hexdigest()
    url = source.as_uri()
    target = tmp_path / "target"
    target.mkdir()
    name = utils.download(url, path=str(target), sha1_hash=digest)
    assert name == str(target / "file.bin")
    assert utils.check_sha1(name, digest) and utils.check_sha1(name, digest[:8])
    assert not utils.check_sha1(name, "0" * 40)
    source.unlink()
    assert utils.download(url, path=str(target), sha1_hash=digest) == name, "what is there is not fetched again"
    with pytest.raises(OSError, match=r"Failed downloading url .*put the file at .*SHA-1 is 1234"):
        utils.download(url, path=str(target), sha1_hash="1234", retries=1)
    with pytest.raises(OSError, match="Failed downloading"):
        utils.download(url, path=str(target / "new" / "x"), overwrite=True, retries=0)
    assert [p.name for p in (target / "new").iterdir()] == [], "no parts are left"
    source.write_bytes(b"other")
    with pytest.raises(OSError, match="does not have the SHA-1"):
        utils.download(url, path=str(target / "x"), sha1_hash=digest, retries=0)
    with pytest.raises(ValueError, match="Can't construct file-name"):
        utils.download("http://example.com/")
    with pytest.raises(AssertionError, match="retries"):
        utils.download(url, path=str(target), retries=-1, overwrite=True)
    with pytest.warns(UserWarning, match="verify_ssl=False"):
        assert pathlib.Path(utils.download(url, path=str(target / "y"), verify_ssl=False)).read_bytes() == b"other"


class _Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/there" else 404)
        self.end_headers()
        self.wfile.write(b"content" if self.path == "/there" else b"not found")

    def log_message(self, *args):
        pass


@pytest.mark.parametrize("library", ["requests", "urllib"])
def test_download_from_a_site(library, tmp_path, monkeypatch):
    if library == "requests":
        pytest.importorskip("requests")
    else:
        monkeypatch.setitem(sys.modules, "requests", None)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_port}"
        name = utils.download(f"{site}/there", path=str(tmp_path))
        assert pathlib.Path(name).read_bytes() == b"content"
        with pytest.raises(RuntimeError, match=r"Failed downloading url .*404"):
            utils.download(f"{site}/elsewhere", path=str(tmp_path), retries=1)
        server.shutdown()
    assert [p.name for p in tmp_path.iterdir()] == ["there"]


def test_downloads_go_through_requests_as_its_users_have_set_it_up(tmp_path, monkeypatch):
    requests = pytest.importorskip("requests")
    answer = requests.Response()
    answer.status_code, answer.raw = 200, io.BytesIO(b"other content")
    monkeypatch.setattr(requests, "get", lambda url, **given: answer)
    name = utils.download("https://nowhere.invalid/file.txt", path=str(tmp_path))
    assert pathlib.Path(name).read_bytes() == b"other content"


def test_small_things():
    assert utils.shape_is_known((1, 2))
    assert not utils.shape_is_known((1, 0)) and not utils.shape_is_known(None) and not utils.shape_is_known(())
    with pytest.raises(AssertionError, match="cannot be less than 0"):
        utils.shape_is_known((-1,))
    assert utils._indent("a\nb", 2) == "a\n  b"
    handle = utils.HookHandle()
    handle.detach()


def test_sparse_gradients_of_several_devices_are_summed_without_the_store_updating():
    results = []
    for contexts in ([mx.cpu(0)], [mx.cpu(0), mx.cpu(1)]):
        net = mx.gluon.nn.Embedding(20, 3, sparse_grad=True, dtype="float64")
        net.initialize(mx.init.One(), ctx=contexts)
        trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, update_on_kvstore=False)
        for words in np.random.RandomState(5).randint(0, 20, (3, 12)):
            parts = mx.gluon.utils.split_and_load(mx.nd.array(words), contexts)
            with mx.autograd.record():
                losses = [(net(part) ** 2).sum() for part in parts]
            mx.autograd.backward(losses)
            trainer.step(12)
        results += [net.weight.data(context).asnumpy() for context in contexts]
    assert (results[0] != 1).any()
    np.testing.assert_allclose(results[1], results[0], rtol=1e-12)
    np.testing.assert_array_equal(results[1], results[2])


@pytest.mark.parametrize("devices", [1, 2])
def test_sparse_gradients_leave_updates_to_the_devices_unless_they_are_asked_for(devices):
    contexts = [mx.cpu(i) for i in range(devices)]

    def trained(store, **given):
        weight = gluon.Parameter("weight", shape=(4, 1), grad_stype="row_sparse")
        weight.initialize(init="ones", ctx=contexts)
        trainer = gluon.Trainer([weight], "sgd", {"learning_rate": 0.1}, kvstore=store, **given)
        with autograd.record():
            results = [data * 2 for data in weight.list_data()]
        autograd.backward(results)
        trainer.step(1)
        np.testing.assert_allclose(weight.data(contexts[0]).asnumpy(), 1 - 0.2 * (devices if store else 1), rtol=1e-6)
        return trainer._update_on_kvstore

    store = mx.kv.create("local")
    assert trained(store) is trained(mx.kv.create("local"), update_on_kvstore=False) is False
    assert trained(mx.kv.create("local"), update_on_kvstore=True) is True
    assert trained(None, update_on_kvstore=True) is None


# The first weight after two steps with a batch size of 8 in an array of mx.np without axes, as the original had it; of
# those that it refused, what it had with the number itself.
COUNTED = {
    "sgd": 0.5125,
    "nag": 0.5125,
    "adam": 0.80057,
    "rmsprop": 0.5138,
    "ftrl": 0.63185,
    "signum": 0.8,
    "ftml": 0.84179,
    "lamb": 0.81,
    "lars": 0.9998,
    "lbsgd": 0.5125,
    "nadam": 0.86317,
    "adagrad": 0.83415,
    "dcasgd": 0.51672,
}


def first_weight(optimizer, given, size):
    mx.npx.set_np()
    try:
        net = nn.Dense(2)
        net.initialize(mx.init.One())
        trainer = gluon.Trainer(net.collect_params(), optimizer, given)
        for _ in range(2):
            with autograd.record():
                loss = (net(mx.np.ones((3, 4))) ** 2).sum()
            loss.backward()
            trainer.step(size)
        return net.weight.data().asnumpy()[0, 0]
    finally:
        mx.npx.reset_np()


@pytest.mark.parametrize("optimizer", COUNTED)
def test_a_batch_size_in_an_array(optimizer):
    """Such as the number of words in a batch, summed: `trainer.step(lengths.sum())`."""
    for size in (mx.np.array(8.0), mx.np.array(8, dtype="int32"), np.array(8), np.float32(8)):
        found = first_weight(optimizer, {"learning_rate": 0.1}, size)
        np.testing.assert_allclose(found, COUNTED[optimizer], atol=2e-5)


@pytest.mark.parametrize(
    "optimizer, given, expected",
    [
        ("nag", {"learning_rate": 0.1}, 0.5125),
        ("nag", {"learning_rate": 0.1, "wd": 0.1}, 0.4986),
        ("nag", {"learning_rate": 0.1, "clip_gradient": 0.1}, 0.98),
        ("ftrl", {"learning_rate": 0.1, "wd": 0.1}, 0.63034),
        ("sgd", {"learning_rate": 0.1, "momentum": 0.5}, 0.3625),
        ("adam", {"learning_rate": 0.1, "wd": 0.1}, 0.80056),
        ("adam", {"beta1": 0.5}, 0.998),
    ],
)
def test_settings_of_an_optimizer_in_arrays(optimizer, given, expected):
    """Each as an array without axes, of mx.np and of NumPy; the numbers are the original's."""
    for array in (mx.np.array, np.array):
        found = first_weight(optimizer, {name: array(value) for name, value in given.items()}, 8)
        np.testing.assert_allclose(found, expected, atol=2e-5)


def test_a_scheduler_that_gives_arrays():
    class Falling(mx.lr_scheduler.LRScheduler):
        def __call__(self, count):
            return mx.np.array(0.1) / count

    np.testing.assert_allclose(first_weight("adam", {"lr_scheduler": Falling()}, 8), 0.85028, atol=2e-5)


def test_an_optimizer_names_the_type_of_arrays_of_np():
    mx.npx.set_np()
    try:
        updater = mx.optimizer.get_updater(mx.optimizer.SGD())
        with pytest.raises(mx.MXNetError, match=r"\(2,\) float32 .* \(3,\) float16"):
            updater(0, mx.np.ones(3, dtype="float16"), mx.np.ones(2))
    finally:
        mx.npx.reset_np()


def test_states_for_several_contexts_are_read_once(tmp_path, monkeypatch):
    contexts = [mx.cpu(i) for i in range(3)]

    def trained(count, states=None):
        net = mx.gluon.nn.Dense(2, in_units=3)
        net.initialize(mx.init.One(), ctx=contexts)
        rule = {"learning_rate": 0.1, "momentum": 0.9}
        trainer = mx.gluon.Trainer(net.collect_params(), "sgd", rule, update_on_kvstore=False)
        if states is not None:
            trainer.load_states(states)
        for _ in range(count):
            with mx.autograd.record():
                losses = [(net(mx.nd.ones((2, 3), ctx=c)) ** 2).sum() for c in contexts]
            mx.autograd.backward(losses)
            trainer.step(6)
        return net, trainer

    name = str(tmp_path / "states")
    trained(2)[1].save_states(name)
    opened = []
    reading = mx.optimizer.updater.reading
    monkeypatch.setattr(mx.optimizer.updater, "reading", lambda fname: opened.append(fname) or reading(fname))
    net, trainer = trained(1, states=name)
    assert opened == [name]
    each = [net.weight.data(c).asnumpy() for c in contexts]
    assert all(np.array_equal(each[0], other) for other in each[1:])  # no state is shared by two contexts
    momenta = [updater.states[0].asnumpy() for updater in trainer._updaters]
    assert all(np.array_equal(momenta[0], other) for other in momenta[1:])
    assert not np.array_equal(each[0], trained(1)[0].weight.data(contexts[0]).asnumpy())
