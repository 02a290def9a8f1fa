"""Key-value stores of one process, on one or several devices."""

import os
import subprocess
import sys

import numpy as np
import pytest
from compare import load_golden
from paths import EXAMPLES

import mxnet as mx

EXAMPLE = EXAMPLES / "kvstore_walkthrough.py"
import kvstore_cases  # noqa: E402

KINDS = ("local", "device", "nccl", "local_allreduce_cpu", "local_allreduce_device")


@pytest.fixture
def gpus(monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "4")
    return [mx.gpu(i) for i in range(4)]


@pytest.fixture(params=["local", "device"])
def kv(request):
    return mx.kv.create(request.param)


def stored(store, key, shape=(2, 3)):
    out = mx.nd.zeros(shape)
    store.pull(key, out=out)
    return out.asnumpy()


def test_results_are_those_of_the_original():
    recorded = load_golden("kvstore.json")
    found = kvstore_cases.everything(mx)
    assert found.keys() < recorded.keys()
    for name, values in found.items():
        expected = recorded[name]
        np.testing.assert_allclose(values, expected, rtol=1e-5, atol=1e-6, err_msg=name)


def test_the_walkthrough_runs():
    environment = {**os.environ, "MXNET_VIRTUAL_GPUS": "4", "PYTHONPATH": str(EXAMPLE.parent.parent)}
    done = subprocess.run([sys.executable, EXAMPLE], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    values = [text for text in done.stdout.splitlines() if text.startswith("[[")]
    assert [float(text.strip("[]").split()[0]) for text in values] == [2, 8, 4, 4, 6, 6, 3, 11]
    updates = [text for text in done.stdout.splitlines() if text.startswith("update")]
    assert updates == [f"update on key: {key}" for key in (3, 5, 7, 9, 5, 7, 9)]
    assert done.stdout.splitlines()[-1] == "the weight is 1.0"


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_store_is(kind):
    store = mx.kv.create(kind.upper())
    assert (store.type, store.get_type(), store.rank, store.num_workers) == (kind, kind, 0, 1)
    assert store.is_capable("optimizer")
    assert store.is_capable(mx.kvstore.KVStoreBase.OPTIMIZER.upper())
    with pytest.raises(ValueError, match="Unknown capability: x"):
        store.is_capable("x")
    store.barrier()
    store._barrier()
    store._send_command_to_servers(0, "")
    assert isinstance(store, mx.kvstore.KVStore)


@pytest.mark.parametrize("kind", ["dist", "dist_sync", "dist_async", "dist_sync_device", "dist_device_sync"])
def test_distributed_stores_need_a_job(kind, monkeypatch):
    for name in ("DMLC_ROLE", "DMLC_PS_ROOT_URI", "RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(mx.MXNetError, match=r"mxnet.tools.launch -n 2"):
        mx.kv.create(kind)


@pytest.mark.parametrize("kind", ["horovod", "byteps"])
def test_stores_of_other_packages_name_them(kind):
    with pytest.raises(ValueError, match=f"the package {kind}"):
        mx.kv.create(kind)


def test_unknown_distributed_stores_are_refused():
    with pytest.raises(ValueError, match="Unknown KVStore type 'dist_often'"):
        mx.kv.create("dist_often")


def test_a_name_is_text():
    with pytest.raises(TypeError, match="name must be a string"):
        mx.kv.create(3)


def test_init_push_pull(kv):
    first = mx.nd.ones((2, 3)) * 2
    kv.init(3, first)
    first[:] = 0
    assert (stored(kv, 3) == 2).all()
    kv.push(3, mx.nd.ones((2, 3)) * 8)
    assert (stored(kv, 3) == 8).all()
    kv.push(3, [mx.nd.ones((2, 3), mx.cpu(i)) for i in range(4)], priority=-1)
    assert (stored(kv, 3) == 4).all()
    outs = [mx.nd.zeros((2, 3), dtype="float16"), mx.nd.zeros((2, 3), mx.cpu(1))]
    kv.pull(3, out=outs, priority=5, ignore_sparse=False)
    assert [out.dtype for out in outs] == [np.float16, np.float32]
    assert all((out.asnumpy() == 4).all() for out in outs)


def test_many_keys(kv):
    ones = mx.nd.ones((2, 3))
    kv.init([5, np.int64(7)], [ones, ones])
    kv.push((5, 7), (ones * 2, [ones, ones, ones]))
    a, b, c = (mx.nd.zeros((2, 3)) for _ in range(3))
    kv.pull([5, 7], out=[a, [b, c]])
    assert [x.asnumpy()[0, 0] for x in (a, b, c)] == [2, 3, 3]
    kv.push([5, 5], [ones, ones * 5])
    assert (stored(kv, 5) == 6).all(), "values of a key that comes twice are summed"


def test_pushpull_and_broadcast(kv):
    ones = mx.nd.ones((2, 3))
    outs = [mx.nd.zeros((2, 3)), mx.nd.zeros((2, 3), mx.cpu(1))]
    kv.broadcast("a", ones * 5, out=outs)
    assert all((out.asnumpy() == 5).all() for out in outs)
    kv.pushpull("a", [ones, ones * 2], out=outs)
    assert all((out.asnumpy() == 3).all() for out in outs)
    values = [ones.copy(), ones * 2]
    kv.pushpull("a", values)
    assert all((value.asnumpy() == 3).all() for value in values)
    kv.broadcast(["b", "c"], [ones, ones * 2], out=[outs[0], [outs[1]]])
    assert [out.asnumpy()[0, 0] for out in outs] == [1, 2]
    with pytest.raises(mx.MXNetError, match="duplicate init of key 'a'"):
        kv.broadcast("a", ones, out=outs)


def test_what_is_stored_may_have_another_dtype(kv):
    kv.init(0, mx.nd.ones((2, 3)))
    kv.push(0, mx.nd.ones((2, 3), dtype="float16") * 2)
    assert (stored(kv, 0) == 2).all()
    kv.push(0, [mx.nd.ones((2, 3), dtype="int32")] * 2)
    assert (stored(kv, 0) == 2).all()


def test_mistakes_are_errors_that_say_what(kv):
    ones = mx.nd.ones((2, 3))
    with pytest.raises(mx.MXNetError, match="key 3 has not been inited"):
        kv.push(3, ones)
    with pytest.raises(mx.MXNetError, match="key 3 has not been inited"):
        kv.pull(3, out=ones)
    kv.init(3, ones)
    with pytest.raises(mx.MXNetError, match="duplicate init of key 3"):
        kv.init(3, ones)
    with pytest.raises(mx.MXNetError, match="duplicate init of key 4"):
        kv.init(4, [ones, ones])
    with pytest.raises(mx.MXNetError, match="Mixed key types are not allowed"):
        kv.init("a", ones)
    with pytest.raises(mx.MXNetError, match="Mixed key types are not allowed"):
        kv.push("a", ones)
    with pytest.raises(mx.MXNetError, match="inconsistent types of keys"):
        kv.init(["x", 25], [ones, ones])
    for key in (2.5, None, b"x"):
        with pytest.raises(mx.MXNetError, match="unexpected type for keys"):
            kv.init(key, ones)
    with pytest.raises(mx.MXNetError, match="expected an NDArray"):
        kv.init(99, np.ones((2, 3)))
    with pytest.raises(mx.MXNetError, match=r"key 3 holds an array of shape \(2, 3\), one of shape \(3, 2\)"):
        kv.pull(3, mx.nd.ones((3, 2)))
    with pytest.raises(mx.MXNetError, match=r"shape \(1, 3\)"):
        kv.push(3, [ones, mx.nd.ones((1, 3))])
    with pytest.raises(mx.MXNetError, match=r"shape \(6,\)"):
        kv.pull(3, out=mx.nd.ones((6,)))
    with pytest.raises(mx.MXNetError, match="pull needs out"):
        kv.pull(3)
    with pytest.raises(mx.MXNetError, match=r"2 key\(s\) need a list of as many values, got 1"):
        kv.push([3, 3], [ones])
    with pytest.raises(mx.MXNetError, match="got NDArray"):
        kv.push([3, 3], ones)
    assert (stored(kv, 3) == 1).all()


# ---- updaters and optimizers ----------------------------------------------------------------------------------------


def test_updaters(kv):
    ones = mx.nd.ones((2, 3))
    seen = []

    def update(key, pushed, held):
        seen.append(key)
        held += pushed * 2

    kv.init([9, 5, 7], [ones] * 3)
    kv.push([9, 5], [ones, [ones, ones]])
    kv.set_updater(update)
    kv.push(9, [ones, ones])
    assert (stored(kv, 9) == 5).all()
    kv.push([9, 5, 9, 7], [ones] * 4)
    assert seen == [9, 5, 7, 9], "in the order of integer keys, each once"
    assert (stored(kv, 9) == 9).all()
    assert (stored(kv, 5) == 4).all(), "the sum that was stored before is not the buffer of the next sum"
    assert (ones.asnumpy() == 1).all(), "what was pushed before there was an updater is not changed by it"
    kv.pushpull(7, ones, out=ones)
    assert (ones.asnumpy() == 5).all()

    def fail(key, pushed, held):
        raise ValueError("boom")

    kv._set_updater(fail)
    with pytest.raises(ValueError, match="boom"):
        kv.push(7, ones)


def test_updaters_get_string_keys_as_the_original_gives_them(kv):
    seen = []
    kv.init(["b", "a", "c"], [mx.nd.ones((1,))] * 3)
    kv._set_updater(lambda key, pushed, held: seen.append(key))
    kv.push(["c", "a", "b"], [mx.nd.ones((1,))] * 3)
    assert seen == [b"b", b"a", b"c"], "in the order of init, as bytes"


@pytest.mark.parametrize("kind", ["local", "device"])
def test_optimizers_over_devices(kind, gpus):
    kv = mx.kv.create(kind)
    kv.init([0, 1], [mx.nd.ones((2,)), mx.nd.ones((3,))])
    optimizer = mx.optimizer.SGD(learning_rate=0.1, momentum=0.5)
    kv.set_optimizer(optimizer)
    assert kv._updater.optimizer is optimizer
    outs = [[mx.nd.zeros((2,), g) for g in gpus], [mx.nd.zeros((3,), g) for g in gpus]]
    for _ in range(2):
        kv.push([0, 1], [[mx.nd.ones((2,), g) for g in gpus], [mx.nd.ones((3,), g) for g in gpus]])
    kv.pull([0, 1], out=outs)
    for arrays in outs:
        assert [array.context for array in arrays] == gpus
        for array in arrays:
            np.testing.assert_allclose(array.asnumpy(), 1 - 0.4 - 0.6, atol=1e-6)
    assert optimizer.num_update == 2
    kv.push(0, mx.nd.zeros((2,), gpus[2]))
    with pytest.raises(TypeError, match="set_optimizer takes an Optimizer"):
        kv.set_optimizer(3)


def test_optimizer_states_go_to_a_file_and_back(kv, tmp_path):
    path = tmp_path / "states"
    with pytest.raises(mx.MXNetError, match=r"cannot save optimizer states.*set_optimizer"):
        kv.save_optimizer_states(path)
    with pytest.raises(mx.MXNetError, match=r"cannot load optimizer states.*set_optimizer"):
        kv.load_optimizer_states(path)
    kv.init("w", mx.nd.ones((2,)))
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9))
    kv.push("w", mx.nd.ones((2,)))
    for dump in (False, True):
        kv.save_optimizer_states(str(path), dump_optimizer=dump)
        other = mx.kv.create(kv.type)
        other.set_optimizer(mx.optimizer.SGD(learning_rate=7, momentum=0.9))
        other.load_optimizer_states(str(path))
        np.testing.assert_allclose(other._updater.states["w"].asnumpy(), -0.1)
        assert other._updater.optimizer.lr == (0.1 if dump else 7)
    with pytest.raises(OSError, match="no-such-file"):
        kv.load_optimizer_states(str(tmp_path / "no-such-file"))


def run_case(name, kind):
    """The result of a case as the recorder notes it: numbers, or the class of the error."""
    try:
        return kvstore_cases.CASES[name](mx, mx.kv.create(kind))
    except Exception as error:
        return error


@pytest.mark.parametrize("kind", ["local", "device"])
@pytest.mark.parametrize("name", sorted(kvstore_cases.CASES))
def test_small_programs_give_what_the_original_gives(name, kind):
    expected = load_golden("kvstore.json")[f"{name}-{kind}"]
    found = run_case(name, kind)
    if isinstance(found, Exception):
        assert expected in [base.__name__ for base in type(found).__mro__], found
    else:
        assert found == expected


@pytest.mark.parametrize("kind", ["local", "device"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_store_has_copies_of_what_devices_push(kind, count, gpus):
    kv = mx.kv.create(kind)
    kv.init(3, mx.nd.zeros((2,), gpus[0]))
    pushed = [mx.nd.ones((2,), gpu) for gpu in gpus[:count]]
    kv.push(3, pushed)
    pushed[0][:] = 5
    outs = [mx.nd.zeros((2,), gpu) for gpu in gpus]
    kv.pull(3, out=[*outs, pushed[0]])
    pushed[0][:] = 7
    outs[0][:] = 7
    assert stored(kv, 3, (2,)).tolist() == [count, count]
    assert [out.asnumpy()[0] for out in outs[1:]] == [count] * 3
    kv.set_updater(lambda key, pushed, held: held.__iadd__(pushed))
    kv.push(3, outs[1])
    assert (outs[1].asnumpy() == count).all()


def test_rows_can_be_pulled_alone(kv):
    kv.init(0, mx.nd.arange(1, 7).reshape((3, 2)).tostype("row_sparse"))
    out = mx.nd.sparse.zeros("row_sparse", (3, 2))
    kv.row_sparse_pull(0, out=out, row_ids=mx.nd.array([2, 0, 2]))
    assert out.asnumpy().tolist() == [[1, 2], [0, 0], [5, 6]]
    with pytest.raises(mx.MXNetError, match="row_ids"):
        kv.row_sparse_pull(0, out=out)
    with pytest.raises(mx.MXNetError, match="from 0 to 2"):
        kv.row_sparse_pull(0, out=out, row_ids=mx.nd.array([3]))
    with pytest.raises(mx.MXNetError, match="out must be row_sparse"):
        kv.row_sparse_pull(0, out=mx.nd.ones((3, 2)), row_ids=mx.nd.array([0]))
    kv.init(1, mx.nd.ones((3, 2)))
    with pytest.raises(mx.MXNetError, match="stored array must be row_sparse"):
        kv.row_sparse_pull(1, out=out, row_ids=mx.nd.array([0]))


# ---- compression ----------------------------------------------------------------------------------------------------


def test_compression_carries_over_what_it_lost(gpus):
    kv = mx.kv.create("device")
    kv.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    kv.init(0, mx.nd.zeros((6,)))
    values = [0.2, 0.5, 0.7, -0.3, -0.5, -2]
    expected = [[0, 1, 1, 0, -1, -1], [0, 1, 1, -1, -1, -1], [1, 1, 1, 0, -1, -1], [0, 1, 1, -1, -1, -1]]
    for line in expected:
        kv.push(0, [mx.nd.array(values, g) for g in gpus[:2]])
        assert stored(kv, 0, (6,)).tolist() == line
    kv.push(0, [mx.nd.array(values, g) for g in gpus])  # more devices than before


def test_compression_arguments():
    with pytest.raises(mx.MXNetError, match="not supported for this type of kvstore"):
        mx.kv.create("local").set_gradient_compression({"type": "2bit"})
    kv = mx.kv.create("device")
    with pytest.raises(mx.MXNetError, match="Unknown type for gradient compression 3bit"):
        kv.set_gradient_compression({"type": "3bit"})
    with pytest.raises(mx.MXNetError, match="threshold must be greater than 0"):
        kv.set_gradient_compression({"type": "2bit", "threshold": -0.5})
    with pytest.raises(mx.MXNetError, match="must be a dict"):
        kv.set_gradient_compression("2bit")
    kv.set_gradient_compression({"type": "2bit"})


# ---- stores of users, and what is around ----------------------------------------------------------------------------


def test_registered_stores():
    store = mx.kv.create("TestStore")
    assert type(store) is mx.kvstore.base.TestStore
    assert (store.type, store.rank, store.num_workers, store.is_capable("optimizer")) == ("teststore", 0, 1, False)
    out = [mx.nd.zeros((2,)), mx.nd.zeros((2,), mx.cpu(1))]
    store.broadcast("a", mx.nd.ones((2,)), out)
    store.pushpull("a", out)
    assert [o.asnumpy().tolist() for o in out] == [[2, 2], [2, 2]]
    single = mx.nd.zeros((2,))
    store.pushpull("a", out[0], out=single)
    assert single.asnumpy().tolist() == [2, 2]
    with pytest.raises(NotImplementedError):
        store.set_optimizer(mx.optimizer.SGD())

    @mx.kvstore.KVStoreBase.register
    class Mine(mx.kvstore.KVStoreBase):
        pass

    try:
        mine = mx.kv.create("mine")
        assert type(mine) is Mine
        for name in ("type", "rank", "num_workers"):
            with pytest.raises(NotImplementedError, match=f"Mine has no {name}"):
                getattr(mine, name)
        with pytest.raises(NotImplementedError):
            mine.pushpull(0, mx.nd.ones((1,)))
        with pytest.raises(NotImplementedError):
            mine.is_capable("optimizer")
    finally:
        del mx.kvstore.KVStoreBase.kv_registry["mine"]


def test_legacy_paths_and_the_server(monkeypatch, capsys):
    import mxnet.kvstore.base
    import mxnet.kvstore.kvstore
    import mxnet.kvstore_server

    assert mxnet.kvstore.kvstore.KVStore is mx.kvstore.KVStore
    assert mx.kv is mx.kvstore
    assert mxnet.kvstore_server.KVStoreServer is mx.kvstore.KVStoreServer
    mxnet.kvstore_server._init_kvstore_server_module()
    monkeypatch.delenv("DMLC_ROLE", raising=False)
    monkeypatch.delenv("DMLC_PS_ROOT_URI", raising=False)
    with pytest.raises(mx.MXNetError, match="DMLC_ROLE=server"):
        mx.kvstore.KVStoreServer(mx.kv.create()).run()
    monkeypatch.setenv("DMLC_ROLE", "server")
    with pytest.raises(SystemExit, match="1"):
        mxnet.kvstore_server._init_kvstore_server_module()
    assert "DMLC_PS_ROOT_URI" in capsys.readouterr().err


def test_sums_over_devices_have_the_dtype_of_the_store():
    kv = mx.kv.create("device")
    kv.init(0, mx.nd.zeros(2))
    seen = []
    kv._set_updater(lambda key, total, held: seen.append((total.dtype, held.dtype, total.asnumpy().tolist())))
    kv.push(0, [mx.nd.array([1, 2], ctx=mx.cpu(i), dtype="float64") for i in range(2)])
    assert seen == [(np.float32, np.float32, [2.0, 4.0])]
    rows = [mx.nd.array([[1], [0]], dtype=dtype).tostype("row_sparse") for dtype in ("float64", "float32")]
    kv.init(1, rows[1])
    kv.push(1, rows)
    assert seen[1] == (np.float32, np.float32, [[2.0], [0.0]])


def test_training_on_several_devices_goes_on_after_a_cast():
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = mx.gluon.nn.Dense(1, in_units=2, use_bias=False)
    net.initialize(mx.init.One(), ctx=contexts)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.125, "momentum": 0.5})
    found = []
    for dtype in ("float32", "float64", "float32"):
        net.cast(dtype)
        with mx.autograd.record():
            losses = [net(mx.nd.ones((1, 2), ctx=c, dtype=dtype)) for c in contexts]
        mx.autograd.backward(losses)
        trainer.step(1)
        assert net.weight.data().dtype == np.dtype(dtype)
        found.append(net.weight.data().asnumpy()[0, 0])
    assert found == [0.75, 0.375, -0.0625]


def test_a_dense_array_in_the_place_of_a_sparse_one_is_a_copy():
    kv = mx.kv.create("local")
    kv.init("w", mx.nd.sparse.zeros("row_sparse", (2, 2)))
    pushed, out = mx.nd.ones((2, 2)), mx.nd.zeros((2, 2))
    kv.push("w", pushed)
    pushed[:] = 5
    kv.pull("w", out=out)
    np.testing.assert_array_equal(out.asnumpy(), np.ones((2, 2)))
