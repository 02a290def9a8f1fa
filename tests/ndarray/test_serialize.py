"""Files of arrays: byte for byte the original's, safe to read when broken, local or remote, and pickles."""

import contextlib
import gc
import multiprocessing
import os
import pathlib
import pickle
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import warnings

import numpy as np
import pytest
from paths import GOLDEN

import mxnet as mx
from mxnet._core import files, temporaries
from mxnet.ndarray.serialize import size_of_list

FOLDER = GOLDEN / "params"

import params_cases as cases  # noqa: E402

nd = mx.nd


def assert_same_arrays(given, expected):
    assert type(given) is type(expected)
    if isinstance(given, dict):
        assert list(given) == list(expected)
        given, expected = list(given.values()), list(expected.values())
    assert len(given) == len(expected)
    for a, b in zip(given, expected, strict=True):
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def expected_of(name):
    """What loading a file of the original must give: it has no single arrays and no empty dicts."""
    made = cases.make(mx, name)
    return [made] if isinstance(made, nd.NDArray) else made or []


# ---- the original's files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", cases.DENSE)
def test_we_read_what_the_original_wrote(name):
    path = FOLDER / f"{name}.params"
    loaded = nd.load(str(path))
    assert_same_arrays(loaded, expected_of(name))
    assert_same_arrays(nd.load_frombuffer(path.read_bytes()), expected_of(name))
    assert_same_arrays(nd.load_frombuffer(bytearray(path.read_bytes())), expected_of(name))
    for array in loaded.values() if isinstance(loaded, dict) else loaded:
        assert array.context == mx.cpu()
        if array.size:
            array[:] = 1  # it is ours to write to


@pytest.mark.parametrize("name", cases.DENSE)
def test_we_write_the_same_bytes(name, tmp_path):
    cases.save(mx, name, tmp_path / "x")
    written = (tmp_path / "x").read_bytes()
    assert written == (FOLDER / f"{name}.params").read_bytes()
    made = cases.make(mx, name)
    names = list(made) if isinstance(made, dict) else []
    arrays = list(made.values()) if isinstance(made, dict) else [made] if isinstance(made, nd.NDArray) else made
    assert size_of_list([(a._data, a._ctx) for a in arrays], names) == len(written)


@pytest.mark.parametrize("version", [0, 1])
def test_the_oldest_layouts(version):
    loaded = nd.load(str(FOLDER / f"v{version}.params"))
    assert list(loaded) == list(cases.OLD_VALUES)
    for name, value in cases.OLD_VALUES.items():
        assert loaded[name].dtype == value.dtype
        np.testing.assert_array_equal(loaded[name].asnumpy(), value)


def test_sparse_arrays(tmp_path):
    loaded = nd.load(str(FOLDER / "sparse.params"))
    assert list(loaded) == list(cases.SPARSE)
    for name, value in cases.SPARSE.items():
        assert loaded[name].stype == name.removesuffix("_zeros")
        assert loaded[name].dtype == value.dtype
        loaded[name].check_format()
        np.testing.assert_array_equal(loaded[name].asnumpy(), value)
    nd.save(str(tmp_path / "again.params"), loaded)
    assert (tmp_path / "again.params").read_bytes() == (FOLDER / "sparse.params").read_bytes()


@pytest.mark.parametrize("protocol", [2, 4])
def test_pickles_of_the_original(protocol):
    assert_same_arrays(pickle.loads((FOLDER / f"protocol{protocol}.pickle").read_bytes()), cases.make(mx, "dict"))


# ---- our own ---------------------------------------------------------------------------------------------------------


def test_round_trip_of_views_and_odd_layouts(tmp_path):
    x = nd.array(np.arange(24).reshape(2, 3, 4))
    data = {
        "row": x[1],
        "part": x[0, 1:3],
        "turned": nd.transpose(x),
        "bf16": x.astype("bfloat16"),
        "big": nd.ones((700000,)),
    }
    nd.save(tmp_path / "x.params", data)  # a pathlib.Path will do
    assert_same_arrays(nd.load(tmp_path / "x.params"), data)
    nd.save(str(tmp_path / "y"), nd.array(3.0))
    assert nd.load(str(tmp_path / "y"))[0].shape == ()


def test_what_cannot_be_saved(tmp_path):
    path = str(tmp_path / "x")
    for data, kind in [
        ([1], TypeError),
        ({"a": 1}, TypeError),
        ({1: nd.ones((1,))}, TypeError),
        ({"a": np.ones(1)}, TypeError),
        (5, ValueError),
        ((nd.ones((1,)),), ValueError),
    ]:
        with pytest.raises(kind):
            nd.save(path, data)
    with pytest.raises(TypeError):
        nd.save(5, [])
    with pytest.raises(TypeError):
        nd.load(5)
    with pytest.raises(TypeError):
        nd.load_frombuffer("text")
    assert os.listdir(tmp_path) == []


def test_saving_is_all_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "x.params"
    nd.save(str(path), [nd.ones((2,))])
    before = path.read_bytes()
    path.chmod(0o640)

    def fail(*args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        with pytest.raises(mx.MXNetError, match="No space left"):
            nd.save(str(path), [nd.zeros((3,))])
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["x.params"]
    nd.save(str(path), [nd.zeros((3,))])
    assert path.stat().st_mode & 0o777 == 0o640
    (tmp_path / "link").symlink_to(path)
    nd.save(str(tmp_path / "link"), [nd.ones((4,))])
    assert (tmp_path / "link").is_symlink()
    assert nd.load(str(path))[0].shape == (4,)
    with pytest.raises(mx.MXNetError, match="No such file or directory"):
        nd.save(str(tmp_path / "none" / "x"), [])


def test_other_people_can_read_a_new_file(tmp_path):
    mask = os.umask(0o022)
    try:
        nd.save(str(tmp_path / "x"), [])
    finally:
        os.umask(mask)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o644


def test_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = subprocess.Popen(["cp", str(FOLDER / "list.params"), str(tmp_path / "pipe")])
    assert_same_arrays(nd.load(str(tmp_path / "pipe")), cases.make(mx, "list"))
    writer.wait()


def test_pickle_and_copy():
    x = nd.array([[1, 2], [3, 4]], dtype="int8", ctx=mx.cpu(1))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        y = pickle.loads(pickle.dumps(x, protocol))
        assert type(y) is nd.NDArray
        assert_same_arrays([y], [x])
    assert x.__getstate__()["handle"][:4] == struct.pack("<I", 0xF993FAC9)
    with pytest.raises(mx.MXNetError, match="a pickled NDArray"):
        nd.NDArray(None).__setstate__({"handle": x.__getstate__()["handle"][:-1]})


def _double(array):
    return array * 2


def test_arrays_travel_between_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_double, (nd.array([1, 2]),)).asnumpy().tolist() == [2, 4]


# ---- broken files ----------------------------------------------------------------------------------------------------


def one_array(*parts):
    return struct.pack("<QQQ", 0x112, 0, 1) + b"".join(parts)


def v2(shape=(2,), storage=0, dims=None, device=(1, 0), flag=0, data=b"\0" * 8):
    dims = len(shape) if dims is None else dims
    return struct.pack(f"<IiI{len(shape)}qiii", 0xF993FAC9, storage, dims, *shape, *device, flag) + data


BROKEN = {
    "nothing": (b"", "at byte 0: the file is empty"),
    "text": (b"garbage garbage garbage garbage", "not a file of NDArrays"),
    "half a header": (struct.pack("<QQ", 0x112, 0), "the header"),
    "many arrays": (struct.pack("<QQQ", 0x112, 0, 2**60), "1152921504606846976 arrays are announced"),
    "no names": (one_array(v2()), "the number of names"),
    "cut data": (one_array(v2(data=b"\0" * 7)), "at byte 56: .* needs 8 byte"),
    "huge shape": (one_array(v2((2**40, 2**20))), "of shape"),
    "negative": (one_array(v2((-1,))), "negative dimension"),
    "dims": (one_array(v2(dims=99)), "99 dimensions"),
    "dtype": (one_array(v2(flag=99)), "dtype number 99"),
    "device": (one_array(v2(device=(77, 0))), "device of the unknown type 77"),
    "storage": (one_array(v2(storage=9)), "storage type 9"),
    "no shape": (one_array(v2(())), "has no shape"),
    "names": (one_array(v2(), struct.pack("<Q", 5)), "1 array.s. have 5 name"),
    "long name": (one_array(v2(), struct.pack("<QQ", 1, 2**50)), "the file ends within name 0"),
    "bytes for a name": (one_array(v2(), struct.pack("<QQ", 1, 2), b"\xff\xfe"), "not text"),
    "sparse": (one_array(struct.pack("<IiIqI", 0xF993FAC9, 1, 1, 2**40, 1)), "array 0"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_say_what_and_where(name, tmp_path):
    content, text = BROKEN[name]
    path = tmp_path / "broken.params"
    path.write_bytes(content)
    with pytest.raises(mx.MXNetError, match=text) as caught:
        nd.load(str(path))
    assert f"{path}, at byte " in str(caught.value)
    with pytest.raises(mx.MXNetError, match="the buffer, at byte"):
        nd.load_frombuffer(content)


def test_a_file_that_is_not_there():
    with pytest.raises(mx.MXNetError, match=r"cannot read 'nowhere\.params': No such file or directory"):
        nd.load("nowhere.params")
    with pytest.raises(FileNotFoundError):
        nd.load("nowhere.params")
    with pytest.raises(OSError, match="directory"):
        nd.load("/")


def test_sparse_arrays_of_any_shape_take_no_memory():
    shape = (2**32, 2**10)
    entry = struct.pack("<IiIqI2qiiiiIq", 0xF993FAC9, 1, 1, 0, 2, *shape, 1, 0, 0, 6, 1, 0)
    assert nd.load_frombuffer(one_array(entry, struct.pack("<Q", 0)))[0].shape == shape
    entry = struct.pack("<IiIqI2qiiiiIqiIq", 0xF993FAC9, 2, 1, 0, 2, *shape, 1, 0, 0, 6, 1, 0, 6, 1, 0)
    with pytest.raises(mx.MXNetError, match="indptr has 0 element"):
        nd.load_frombuffer(one_array(entry, struct.pack("<Q", 0)))


def test_wrong_sparse_indices_are_refused():
    good = (FOLDER / "sparse.params").read_bytes()
    place = good.index(struct.pack("<qq", 0, 2))
    with pytest.raises(mx.MXNetError, match="indices do not fit"):
        nd.load_frombuffer(good[:place] + struct.pack("<qq", 0, 4) + good[place + 16 :])


@pytest.mark.parametrize("name", ["dict", "dtypes", "sparse", "np_shape", "v0", "v1"])
def test_mutated_files_never_crash(name):
    """Bytes changed, cut, doubled or put in at random: an MXNetError, or arrays no larger than the file allows."""
    original = (FOLDER / f"{name}.params").read_bytes()
    generator = random.Random(name)
    interesting = [0, 1, 0x7F, 0x80, 0xFF]
    outcomes = {"loaded": 0, "refused": 0}
    for _ in range(400):
        data = bytearray(original)
        for _ in range(generator.randint(1, 4)):
            place = generator.randrange(len(data))
            kind = generator.randrange(4)
            if kind == 0:
                data[place] = generator.randrange(256)
            elif kind == 1:
                width = generator.choice([4, 8])
                data[place : place + width] = bytes([generator.choice(interesting)]) * width
            elif kind == 2:
                del data[place : place + generator.randint(1, 20)]
            else:
                data[place:place] = data[place : place + generator.randint(1, 20)]
            if not data:
                data = bytearray(1)
        try:
            loaded = nd.load_frombuffer(bytes(data))
        except mx.MXNetError:
            outcomes["refused"] += 1
            continue
        outcomes["loaded"] += 1
        for array in loaded.values() if isinstance(loaded, dict) else loaded:
            if array.stype == "default":
                assert array.size <= len(data)
            if np.prod(array.shape, dtype=float) < 1 << 20:
                array.asnumpy()
    assert min(outcomes.values()) > 0, outcomes


# ---- not on a local disk ---------------------------------------------------------------------------------------------


def test_a_file_system_in_memory():
    nd.save("memory://folder/x.params", {"a": nd.ones((2, 3))})
    assert_same_arrays(nd.load("memory://folder/x.params"), {"a": nd.ones((2, 3))})
    with pytest.raises(mx.MXNetError, match=r"cannot read 'memory://folder/y\.params'"):
        nd.load("memory://folder/y.params")


def test_an_unknown_protocol():
    with pytest.raises(mx.MXNetError, match=r"cannot open 'nosuch://x'.*nosuch"):
        nd.load("nosuch://x")


def test_fsspec_is_not_loaded_for_local_files(tmp_path):
    code = (
        "import sys, mxnet as mx; mx.nd.save(sys.argv[1], [mx.nd.ones((1,))]); mx.nd.load(sys.argv[1]); "
        "assert 'fsspec' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "x")], check=True)


@pytest.fixture(scope="module")
def s3_server():
    """A real S3 server, in a process of its own."""
    pytest.importorskip("s3fs")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(f"{url}/moto-api/", timeout=1).close()
                break
            assert server.poll() is None, "moto ended"
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait()


@pytest.fixture
def bucket(s3_server, monkeypatch):
    import s3fs

    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": s3_server,
    }.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    files = s3fs.S3FileSystem()
    if not files.exists("models"):
        files.mkdir("models")
    yield files
    s3fs.S3FileSystem.clear_instance_cache()
    del files
    with warnings.catch_warnings():  # s3fs leaves its connections to the garbage collector
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_s3(bucket):
    data = {"weight": nd.array(np.arange(12).reshape(3, 4)), "bias": nd.ones((3,), dtype="float16")}
    nd.save("s3://models/run/net-0001.params", data)
    assert bucket.ls("models/run") == ["models/run/net-0001.params"]
    assert_same_arrays(nd.load("s3://models/run/net-0001.params"), data)
    with pytest.raises(mx.MXNetError, match="cannot read 's3://models/none'"):
        nd.load("s3://models/none")
    with pytest.raises(mx.MXNetError, match="cannot write 's3://nobucket/x'"):
        nd.save("s3://nobucket/x", data)


def test_s3_with_a_broken_file(bucket):
    bucket.pipe("models/broken", (FOLDER / "list.params").read_bytes()[:-20])
    with pytest.raises(mx.MXNetError, match="s3://models/broken, at byte"):
        nd.load("s3://models/broken")


def test_s3_with_a_large_file(bucket):
    data = [nd.array(np.arange(5 << 20)), nd.ones((3,))]  # 20 MiB: more than one block of the reader
    nd.save("s3://models/large", data)
    assert_same_arrays(nd.load("s3://models/large"), data)


def test_who_has_the_file_open_reads_what_was_saved(tmp_path):
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize()
    for save in (
        lambda name: mx.nd.save(name, {"a": mx.nd.ones((2, 3))}),
        mx.sym.Variable("x").save,
        net.save_parameters,
    ):
        with tempfile.NamedTemporaryFile(dir=tmp_path) as file:
            for _ in range(2):
                save(file.name)
                file.seek(0)
                content = file.read()
                assert len(content) > 20 and content == pathlib.Path(file.name).read_bytes()
            save(str(tmp_path / "other"))
            assert content == (tmp_path / "other").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_a_file_that_cannot_be_replaced_is_written_to(tmp_path, monkeypatch):
    """One that is mounted by itself into a container, or in a folder where nothing may be made."""
    name = str(tmp_path / "a.params")
    mx.nd.save(name, [mx.nd.zeros(1)])
    file, make = os.stat(name).st_ino, temporaries.create

    def busy(source, target):
        raise OSError(16, "Device or resource busy")

    def not_here(target, mode):
        if os.path.dirname(target) == str(tmp_path):
            raise PermissionError(13, "Permission denied")
        return make(target, mode)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", busy)
        with pytest.warns(RuntimeWarning, match="cannot be replaced, only overwritten"):
            mx.nd.save(name, [mx.nd.ones(2)])
        with pytest.raises(mx.MXNetError, match="Device or resource busy"):
            mx.nd.save(str(tmp_path / "new"), [mx.nd.ones(2)])
    assert mx.nd.load(name)[0].shape == (2,)
    monkeypatch.setattr(files, "create", not_here)
    with pytest.warns(RuntimeWarning, match="cannot be replaced, only overwritten"):
        mx.nd.save(name, [mx.nd.ones(3)])
    assert mx.nd.load(name)[0].shape == (3,) and os.stat(name).st_ino == file
    with pytest.raises(mx.MXNetError, match="Permission denied"):
        mx.nd.save(str(tmp_path / "new"), [mx.nd.ones(2)])
    assert [path.name for path in tmp_path.iterdir()] == ["a.params"]
