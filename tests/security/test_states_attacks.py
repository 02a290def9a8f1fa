"""Hostile files of optimizer states: nothing of them runs, nothing is changed, and time and memory stay bounded."""

import io
import os
import pathlib
import pickle
import random
import struct
import sys
import tracemalloc

import numpy as np
import pytest
from paths import GOLDEN

import mxnet as mx
from mxnet._core.plain_pickle import load_npy, loads

OLD = GOLDEN / "states"


def text(value):
    return b"\x8c" + bytes([len(value)]) + value.encode()


def name(module, attribute):
    return text(module) + text(attribute) + b"\x93"


def number(value):
    return b"\x8a\x08" + struct.pack("<q", value)


def long_number(value):
    return b"\x8a\x0a" + value.to_bytes(10, "little")


def states(content):
    """A pickle of ``{0: content}``."""
    return b"\x80\x04}K\x00" + content + b"s."


SCHEDULER = name("mxnet.lr_scheduler", "PolyScheduler") + b")\x81"


def dtype(code):
    return name("numpy", "dtype") + text(code) + b"\x89\x88\x87R"


NDARRAY, DTYPE, BYTEARRAY = name("numpy", "ndarray"), name("numpy", "dtype"), name("builtins", "bytearray")
RECONSTRUCT = name("numpy.core.multiarray", "_reconstruct") + NDARRAY + b"K\x00\x85C\x01b\x87R"
OBJECT_ARRAY = RECONSTRUCT + b"(K\x01K\x01\x85" + dtype("O8") + b"\x89]" + text("x") + b"atb"
#: What an attack is made of, each piece with names only that real files of states have.
ATTACKS = {
    # an array of integers over the memory of an array of objects: reads and writes the addresses of objects
    "addresses": NDARRAY + b"K\x01\x85" + text("u8") + OBJECT_ARRAY + b"\x87R",
    "objects": OBJECT_ARRAY,
    # schedulers are callable: arithmetic
    "arithmetic": SCHEDULER + b"}(" + text("power") + b"K\x02ub" + b"K\x01\x85R",
    # BUILD with a state of slots sets any attribute of an instance, a class or a function
    "class of an instance": SCHEDULER + b"N}" + text("__class__") + name("builtins", "object") + b"s\x86b",
    "method of an instance": SCHEDULER + b"}" + text("get_warmup_lr") + SCHEDULER + b"sb",
    "method of a class": name("mxnet.lr_scheduler", "PolyScheduler") + b"N}" + text("__call__") + b"Ns\x86b",
    "attribute of a function": name("_codecs", "encode") + b"N}" + text("changed") + b"K\x01s\x86b",
    "attribute of dtype": DTYPE + b"N}" + text("changed") + b"K\x01s\x86b",
    # bytes of the file become the fields of a dtype
    "dtype": DTYPE
    + text("V8")
    + b"\x89\x88\x87R(K\x03"
    + text("|")
    + b"NC\x08\xff\xff\xff\xff\xff\xff\xff\xffNK\x08K\x01K\x00tb",
    "dtype with fields": DTYPE
    + text("f4")
    + b"\x89\x88\x87R(K\x03"
    + text("<")
    + b"N)}J\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb",
    "short array": RECONSTRUCT
    + b"(K\x01J\x00\x00\x00\x40\x85"
    + DTYPE
    + text("f8")
    + b"\x89\x88\x87R\x89C\x08xxxxxxxxtb",
    "an array that is a subclass": name("numpy.core.multiarray", "_reconstruct")
    + name("numpy", "matrix")
    + b"K\x00\x85C\x01b\x87R",
    # memory
    "a bytearray of 2 GB": BYTEARRAY + b"J\xff\xff\xff\x7f\x85R",
    "an ndarray of 8 GB": NDARRAY + number(1 << 30) + b"\x85" + text("u8") + b"\x86R",
    # depth, and sharing that grows exponentially
    "nested lists": b"]" * 100_000 + b"a" * 99_999,
    "nested tuples": b"N" + b"\x85" * 100_000,
    "shared tuples": b"N" + b"2\x86" * 60,
    "a tuple within itself": b"(]q\x00h\x00\x85a",
    # classes that have no place there
    "a lazy name of a module": name("mxnet", "onnx") + b")R",
    "persistent": b"N\x51",
    "extension": b"\x82\x01",
    "a key that is an array": b"}" + RECONSTRUCT + b"Ns",
    "keys of one hash": b"}("
    + b"".join(b"\x8a\x0a" + (k * ((1 << 61) - 1)).to_bytes(10, "little") + b"N" for k in range(3000))
    + b"u",
}


def everything_callable():
    """What an attack may have changed: the attributes of classes and functions that a file can name."""
    owners = (mx.lr_scheduler.PolyScheduler, mx.optimizer.SGD, mx.nd.NDArray, mx.Context, np.ndarray, np.dtype)
    modules = (mx.optimizer.states, mx._core.plain_pickle, mx.lr_scheduler)
    functions = [value for module in modules for value in vars(module).values() if hasattr(value, "__code__")]
    return [dict(vars(owner)) for owner in owners], [(dict(vars(f)), f.__code__, f.__defaults__) for f in functions]


FOUND = []
WATCHING = [False]


def watch(event, arguments):
    if WATCHING[0] and event in ("pickle.find_class", "os.system", "subprocess.Popen"):
        FOUND.append((event, arguments))


sys.addaudithook(watch)


@pytest.fixture
def watched():
    """Nothing is unpickled or started while this is used."""
    FOUND.clear()
    WATCHING[0] = True
    yield
    WATCHING[0] = False
    assert FOUND == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_refused(attack, watched):
    before = everything_callable()
    updater = mx.optimizer.get_updater(mx.optimizer.SGD())
    for data in (states(ATTACKS[attack]), b"\x80\x04}" + ATTACKS[attack] + b"\x86."):
        tracemalloc.start()
        with pytest.raises(mx.MXNetError):
            updater.set_states(data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 10 * len(data) + (64 << 20)
    assert updater.states == {} and type(updater.optimizer) is mx.optimizer.SGD
    assert everything_callable() == before


@pytest.mark.parametrize(
    "content", [b"r\xff\xff\xff\x7f", b"r\x00\x00\x00\x10", b"\x94" * 100_000], ids=["last", "2^28", "many"]
)
def test_the_memo_costs_what_it_holds(content):
    data = b"\x80\x04}" + content + b"."
    tracemalloc.start()
    loads(data, "a test")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * len(data) + (64 << 20)


@pytest.mark.parametrize("opcode", [b"]", b"}", b"\x8f", b")", b"N\x85", b"2"])
def test_many_small_parts_are_refused_or_bounded(opcode):
    data = b"\x80\x04N" + opcode * ((1 << 20) // len(opcode)) + b"."
    tracemalloc.start()
    with pytest.raises(mx.MXNetError, match="at byte"):
        loads(data, "a test")
        raise mx.MXNetError("at byte: was read within the bounds")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * len(data) + (64 << 20)


class Harm:
    def __reduce__(self):
        return os.system, ("exit 3",)


@pytest.mark.parametrize("where", ["updater", "trainer", "module", "kvstore"])
def test_every_way_to_load_states_refuses_calls(where, tmp_path, watched):
    path = str(tmp_path / "net.states")
    pathlib.Path(path).write_bytes(pickle.dumps({0: Harm()}))
    if where == "updater":
        load = mx.optimizer.get_updater(mx.optimizer.SGD()).load_states
    elif where == "trainer":
        net = mx.gluon.nn.Dense(1, in_units=1)
        net.initialize()
        load = mx.gluon.Trainer(net.collect_params(), "sgd", update_on_kvstore=False).load_states
    elif where == "kvstore":
        store = mx.kv.create("local")
        store.set_optimizer(mx.optimizer.SGD())
        load = store.load_optimizer_states
    else:
        module = mx.mod.Module(
            mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), name="softmax")
        )
        module.bind([("data", (2, 2))], [("softmax_label", (2,))])
        module.init_params()
        module.init_optimizer(kvstore=None)
        load = module.load_optimizer_states
    with pytest.raises(mx.MXNetError, match=r"net\.states.*at byte \d+: found (posix|nt)\.system"):
        load(path)


def some_states():
    updater = mx.optimizer.get_updater(mx.optimizer.Adam(lr_scheduler=mx.lr_scheduler.FactorScheduler(2, 0.5)))
    for index in (0, "weight"):
        updater(index, mx.nd.ones((2, 3)), mx.nd.ones((2, 3)))
    updater.optimizer.extra = np.arange(3), np.float32(2), {1, 2}, b"x"
    return updater


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_mutated_states_are_read_or_refused(protocol, watched):
    generator = random.Random(protocol)
    updater = some_states()
    original = pickle.dumps((updater.states, updater.optimizer), protocol)
    for _ in range(400):
        data = bytearray(original)
        for _ in range(generator.randint(1, 4)):
            at = generator.randrange(len(data))
            match generator.randrange(4):
                case 0:
                    data[at] = generator.randrange(256)
                case 1:
                    data[at : at + generator.randrange(9)] = b""
                case 2:
                    start = generator.randrange(len(data))
                    data[at:at] = data[start : start + generator.randrange(30)]
                case 3:
                    data[at:at] = generator.choice([*ATTACKS.values()])[:200]
        try:
            mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(bytes(data))
        except mx.MXNetError as error:
            assert "optimizer states" in str(error) or "a pickled NDArray" in str(error)


def test_values_are_what_pickle_would_give():
    shared = [1, 2]
    value = {
        "numbers": (1, -1, 1 << 70, 2.5, float("inf"), True, None),
        "text": ["", "a", "é", b"", b"\xff", bytearray(b"\x80")],
        3: [shared, shared, {1, 2}, frozenset({3}), (), ((1,), (2, 3), (4, 5, 6), (7, 8, 9, 10))],
        "arrays": [np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6).reshape(2, 3)), np.zeros((0, 4), "f2")],
        "more arrays": [np.array(2, "i4"), np.array([True]), np.array([1 + 2j])],
        "scalars": [np.float32(1.5), np.int64(7), np.bool_(True), np.dtype(">f8"), np.float16],
    }
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        found = loads(pickle.dumps(value, protocol), "a test")
        assert repr(found) == repr(pickle.loads(pickle.dumps(value, protocol)))
        assert found[3][0] is found[3][1]
        assert [a.dtype for a in found["arrays"]] == [a.dtype for a in value["arrays"]]
        assert found["arrays"][1].flags.f_contiguous and found["arrays"][0].flags.writeable


def test_the_byte_order_of_arrays_is_heeded():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert loads(pickle.dumps(np.array([1, 515], ">i4"), protocol), "a test").tolist() == [1, 515]


def test_npy_files_of_objects_are_read_without_an_unpickler(watched):
    arrays = [np.array([np.arange(2), np.zeros((2, 2)), "x"], object), np.arange(3), np.array([Harm()], object)]
    stream = io.BytesIO()
    for array in arrays:
        np.save(stream, array, allow_pickle=True)
    stream.seek(0)
    found = load_npy(stream)
    assert found.dtype == object and [np.asarray(f).tolist() for f in found] == [[0, 1], [[0, 0], [0, 0]], "x"]
    assert load_npy(stream).tolist() == [0, 1, 2]
    with pytest.raises(mx.MXNetError, match="system, which has no place there"):
        load_npy(stream)
    with pytest.raises(mx.MXNetError, match=r"an \.npy file"):
        load_npy(io.BytesIO(b"junk"))


def test_a_list_may_contain_itself():
    value = [1]
    value.append(value)
    found = loads(pickle.dumps(value), "a test")
    assert found[1] is found


@pytest.mark.parametrize("file", sorted(OLD.glob("*.states")), ids=lambda file: file.stem)
def test_trainers_of_old_versions_are_read(file):
    """Before 1.4 their files have the parameters in them, of classes that are not made from a file."""
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize()
    trainer = mx.gluon.Trainer([net.weight, net.bias], "sgd")  # 1.9.1 sorts those of a dict, older versions do not
    trainer.load_states(str(file))
    optimizer = trainer._optimizer
    assert type(optimizer).__name__.lower() == file.stem.rsplit("-", 1)[1]
    assert optimizer.num_update == 2 and optimizer._index_update_count == {0: 2, 1: 2}
    assert optimizer.param_dict == {0: net.weight, 1: net.bias}
    if "sgd" in file.stem:  # the gradient is the same in both steps: 1 + 0.9 times it, as far as it was rescaled
        assert trainer._updaters[0].states[1].asnumpy().tolist() == pytest.approx([-0.19, -0.19])
    with mx.autograd.record():
        loss = net(mx.nd.ones((4, 3))).sum()
    loss.backward()
    trainer.step(4)
    assert optimizer.num_update == 3


def test_row_sparse_states_of_the_original_are_read():
    """They are dense here; the next update is the original's."""
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9, lazy_update=True))
    updater.set_states((OLD / "row_sparse-1.9.1.bin").read_bytes())
    np.testing.assert_allclose(updater.states[0].asnumpy(), [[0, 0], [-0.01, -0.01], [0, 0], [0, 0]], rtol=1e-6)
    weight = mx.nd.ones((4, 2)).tostype("row_sparse")
    updater(0, mx.nd.sparse.row_sparse_array((mx.nd.ones((1, 2)), [1]), shape=(4, 2)), weight)
    np.testing.assert_allclose(weight.asnumpy(), [[1, 1], [0.981, 0.981], [1, 1], [1, 1]], rtol=1e-6)


def test_states_that_point_to_a_scheduler_that_never_ends_are_refused():
    updater = some_states()
    updater.optimizer.lr_scheduler.step = 0
    with pytest.raises(mx.MXNetError, match="greater or equal than 1 round"):
        updater.set_states(updater.get_states(dump_optimizer=True))
    scheduler = mx.lr_scheduler.FactorScheduler(1, 1.0, base_lr=0.5)
    assert scheduler(10**18) == 0.5 and scheduler.count == 10**18 - 1


def test_attributes_of_optimizers_have_their_types():
    for attribute, value in (("num_update", "x"), ("lr_scheduler", 3), ("lr_mult", [1]), ("rescale_grad", {})):
        updater = some_states()
        setattr(updater.optimizer, attribute, value)
        with pytest.raises(mx.MXNetError, match="optimizer states"):
            updater.set_states(updater.get_states(dump_optimizer=True))


def test_a_program_may_define_its_own_optimizer(monkeypatch):
    class Mine(mx.optimizer.SGD):
        def __setstate__(self, state):
            super().__setstate__(state)
            self.read = True

    Mine.__module__, Mine.__qualname__ = "mine", "Mine"
    module = type(sys)("mine")
    module.Mine = Mine
    monkeypatch.setitem(sys.modules, "mine", module)
    updater = mx.optimizer.get_updater(Mine(learning_rate=0.5))
    other = mx.optimizer.get_updater(mx.optimizer.SGD())
    other.set_states(updater.get_states(dump_optimizer=True))
    assert type(other.optimizer) is Mine and other.optimizer.read and other.optimizer.lr == 0.5
    data = updater.get_states(dump_optimizer=True)
    monkeypatch.delitem(sys.modules, "mine")
    with pytest.raises(mx.MXNetError, match=r"found mine\.Mine, which has no place there"):
        other.set_states(data)


def test_streams_of_any_buffer():
    data = some_states().get_states()
    for given in (data, bytearray(data), memoryview(data)):
        updater = mx.optimizer.get_updater(mx.optimizer.SGD())
        updater.set_states(given)
        assert list(updater.states) == [0, "weight"]
    with pytest.raises(mx.MXNetError, match="expected bytes, got BytesIO"):
        updater.set_states(io.BytesIO(data))
