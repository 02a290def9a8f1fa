"""Data iterators: as the original's where that was recorded, safe and clear where it was not."""

import gc
import gzip
import inspect
import json
import logging
import pickle
import random
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from compare import load_golden
from paths import ROOT

import mxnet as mx
from mxnet import nd
from mxnet.error import MXNetError
from mxnet.io import mnist as mnist_module, text as text_module
from mxnet.test_utils import assert_almost_equal

GOLDEN = ROOT / "tests" / "golden"

import io_cases  # noqa: E402

RECORDED = load_golden("io.json.gz")
CASES = [(group, case) for group, cases in RECORDED.items() for case in cases]


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """What our iterators do in the recorded cases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("io"))
        return json.loads(json.dumps({name: group(mx) for name, group in io_cases.GROUPS.items()}))


def assert_same(mine, theirs):
    if isinstance(theirs, list) and theirs[:1] == ["ERROR"]:
        assert mine[0] == "ERROR", f"the original raises {theirs[1]}, we return {mine}"
        assert theirs[1] in mine, f"the original raises {theirs[1]}, we raise {mine[1:]}"
    elif isinstance(theirs, list):
        assert len(mine) == len(theirs)
        for a, b in zip(mine, theirs, strict=True):
            assert_same(a, b)
    elif isinstance(theirs, float):
        assert mine == pytest.approx(theirs, rel=1e-5, abs=2e-5)
    else:
        assert mine == theirs


@pytest.mark.parametrize(("group", "case"), CASES, ids=lambda x: str(x))
def test_as_recorded(ours, group, case):
    assert_same(ours[group][case], RECORDED[group][case])


# ---- descriptions, batches, the base class ---------------------------------------------------------------------------


def test_descriptions_keep_type_and_layout():
    description = mx.io.DataDesc("d", (2, 3), "int8", "NT")
    for copy in (pickle.loads(pickle.dumps(description)), description._replace(shape=(2, 3))):
        assert repr(copy) == repr(description)
    name, shape = description
    assert (name, shape) == ("d", (2, 3)) and isinstance(description, tuple)


def test_iterator_by_parts():
    class Parts(mx.io.DataIter):
        at = -1

        def iter_next(self):
            self.at += 1
            return self.at < 2

        def getdata(self):
            return [nd.ones((2, 3)) * self.at]

        def getlabel(self):
            return []

        def getpad(self):
            return self.at

        def getindex(self):
            return [self.at]

    assert [(b.pad, b.index, b.data[0][0, 0].asscalar()) for b in Parts(2)] == [(0, [0], 0), (1, [1], 1)]


def test_base_class_is_empty():
    base = mx.io.DataIter(3)
    assert base.batch_size == 3 and list(base) == [] and base.getpad() is None
    assert not hasattr(base, "provide_data")


# ---- NDArrayIter -----------------------------------------------------------------------------------------------------


def rows(it):
    return [b.data[0].asnumpy().ravel().astype(int).tolist() for b in it]


@pytest.mark.parametrize("handle", ["pad", "discard", "roll_over"])
def test_shuffled_data_and_labels_stay_together(handle):
    it = mx.io.NDArrayIter(np.arange(23), {"l": np.arange(23) * 2, "m": -np.arange(23)}, 4, True, handle)
    orders = set()
    for _ in range(3):
        seen = []
        for b in it:
            x = b.data[0].asnumpy()
            assert (b.label[0].asnumpy() == 2 * x).all() and (b.label[1].asnumpy() == -x).all()
            seen += x.tolist()
        assert len(set(seen)) >= 20
        orders.add(tuple(seen))
        it.reset()
    assert len(orders) == 3


def test_rolling_over_loses_nothing():
    it = mx.io.NDArrayIter(np.arange(11), None, 4, shuffle=True, last_batch_handle="roll_over")
    count = np.zeros(11, int)
    for _ in range(4):  # 44 examples are 11 batches: each is seen four times
        for b in it:
            np.add.at(count, b.data[0].asnumpy().astype(int), 1)
        it.reset()
    assert count.tolist() == [4] * 11


def test_fewer_examples_than_a_batch_roll_over():
    it = mx.io.NDArrayIter(np.arange(3), None, 5, last_batch_handle="roll_over")
    seen = []
    for _ in range(4):
        seen.append(rows(it))
        it.reset()
    assert seen == [[], [[0, 1, 2, 0, 1]], [[2, 0, 1, 2, 0]], []]


def test_layout_with_time_first_goes_through_all_examples():
    it = mx.io.NDArrayIter(np.arange(12).reshape(3, 4), np.arange(12).reshape(3, 4), 3, layout="TN")
    assert it.num_data == 4 and it.provide_data[0].shape == (3, 3)
    first, second = list(it)
    assert first.data[0].asnumpy().tolist() == [[0, 1, 2], [4, 5, 6], [8, 9, 10]]
    assert second.data[0].asnumpy().tolist() == [[3, 0, 1], [7, 4, 5], [11, 8, 9]] and second.pad == 2


def test_batches_are_copies():
    source = nd.arange(6)
    for options in ({}, {"shuffle": True}, {"batch_size": 6}):
        it = mx.io.NDArrayIter(source, None, **{"batch_size": 2, **options})
        for b in it:
            b.data[0][:] = -1
        assert source.asnumpy().tolist() == [0, 1, 2, 3, 4, 5]


class Dataset:
    """What one uses of an h5py.Dataset: it is on disk, and wants its indices in ascending order."""

    chunks = None

    def __init__(self, values):
        self._values, self.shape, self.dtype = values, values.shape, values.dtype
        self.rows_read = 0

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        if isinstance(key[-1], np.ndarray):
            assert (np.diff(key[-1]) > 0).all()
        result = self._values[key]
        self.rows_read += len(result)
        return result


@pytest.mark.parametrize("handle", ["pad", "roll_over", "discard"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_data_sets_are_read_when_needed(tmp_path, handle, shuffle):
    values = np.arange(22.0).reshape(11, 2)
    mapped = np.memmap(tmp_path / "values", np.float64, "w+", shape=values.shape)
    mapped[:] = values
    dataset = Dataset(values)
    iterators = []
    for source in (values, dataset, mapped):
        np.random.seed(1)
        iterators.append(mx.io.NDArrayIter({"x": source}, {"y": np.arange(11)}, 4, shuffle, handle))
        epochs = []
        for _ in range(2):
            epochs.append([io_cases.batch(b) for b in iterators[-1]])
            iterators[-1].reset()
        iterators[-1].seen = epochs
    assert dataset.rows_read <= 25
    assert iterators[0].seen == iterators[1].seen == iterators[2].seen
    assert str(iterators[0].provide_data) == str(iterators[1].provide_data)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"data": np.zeros((4, 3)), "label": np.zeros(3)}, "softmax_label has 3 examples, but data has 4"),
        ({"data": np.zeros((4, 3)), "batch_size": 0}, "batch_size must be a positive integer"),
        ({"data": np.zeros((4, 3)), "batch_size": 2.0}, "batch_size must be a positive integer"),
        ({"data": []}, "no data given"),
        ({"data": None}, "no data given"),
        ({"data": np.array(3.0)}, "single number"),
        ({"data": np.zeros((4, 3)), "layout": "TC"}, "has no N"),
        ({"data": np.zeros((4, 3)), "label": np.zeros(3), "layout": "TN"}, "has no axis 1"),
    ],
)
def test_bad_arguments(arguments, words):
    with pytest.raises(MXNetError, match=words):
        mx.io.NDArrayIter(**arguments)


# ---- PrefetchingIter -------------------------------------------------------------------------------------------------


class Failing(mx.io.DataIter):
    """Fails at the third batch."""

    def __init__(self):
        super().__init__(1)
        self.provide_data, self.provide_label, self.at = [("data", (1,))], [("label", (1,))], 0

    def next(self):
        self.at += 1
        if self.at == 3:
            raise OSError("the disk is on fire")
        return mx.io.DataBatch([nd.array([self.at])], [nd.zeros(1)])

    def reset(self):
        self.at = 0


def prefetching_threads():
    return [t for t in threading.enumerate() if t.name == "PrefetchingIter"]


def test_errors_in_the_thread_are_raised():
    it = mx.io.PrefetchingIter(Failing())
    for _ in range(2):
        assert [next(it).data[0].asscalar() for _ in range(2)] == [1, 2]
        for _ in range(2):
            with pytest.raises(OSError, match="the disk is on fire"):
                next(it)
        it.reset()


def test_threads_end_with_the_iterator():
    before = prefetching_threads()
    it = mx.io.PrefetchingIter([io_cases.own_iterator(mx), io_cases.own_iterator(mx)])
    next(it)
    mine = [thread for thread in prefetching_threads() if thread not in before]
    assert len(mine) == 2
    del it
    gc.collect()
    for thread in mine:
        thread.join(10)
    assert not any(thread.is_alive() for thread in mine)


def test_a_stuck_iterator_does_not_keep_the_program_from_ending():
    program = """
import time, mxnet as mx
class Stuck(mx.io.DataIter):
    provide_data, provide_label = [("data", (1,))], []
    def next(self):
        time.sleep(1000)
it = mx.io.PrefetchingIter(Stuck())
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_prefetching_happens_before_it_is_asked_for():
    asked = threading.Event()

    class Seen(Failing):
        def next(self):
            asked.set()
            return super().next()

    it = mx.io.PrefetchingIter(Seen())
    assert asked.wait(10)
    it.reset()
    assert next(it).data[0].asscalar() == 1


def test_plain_descriptions_are_renamed_too():
    it = mx.io.PrefetchingIter(io_cases.own_iterator(mx), [{"data": "x"}], [{"label": "y"}])
    assert str(it.provide_data + it.provide_label) == (
        "[DataDesc[x,(2, 3),<class 'numpy.float32'>,NCHW], DataDesc[y,(2,),<class 'numpy.float32'>,NCHW]]"
    )
    with pytest.raises(TypeError, match="rename_data must be a list of 1 dict"):
        mx.io.PrefetchingIter(io_cases.own_iterator(mx), {"data": "x"})


@pytest.mark.parametrize("wrap", [lambda it: mx.io.PrefetchingIter(it), lambda it: mx.io.ResizeIter(it, 100)])
def test_buckets_survive_wrapping(wrap):
    plain = mx.rnn.BucketSentenceIter([[1, 2]] * 4 + [[1, 2, 3, 4]] * 4, 2, buckets=[2, 4])
    it = wrap(plain)
    assert it.default_bucket_key == 4
    for b in it:
        assert b.data[0].shape == b.provide_data[0].shape == (2, b.bucket_key)


# ---- MXDataIter and files --------------------------------------------------------------------------------------------


def csv_iter(path, **options):
    return mx.io.CSVIter(**{"data_csv": str(path), "data_shape": (3,), "batch_size": 2, **options})


def test_one_batch_at_a_time(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1,2,3\n4,5,6\n7,8,9\n")
    it = csv_iter(path)
    assert isinstance(it, mx.io.MXDataIter)
    with pytest.raises(MXNetError, match="no batch yet"):
        it.getdata()
    it.reset()  # nothing was taken: it is still at the beginning
    seen = []
    while it.iter_next():
        seen.append([it.getdata().asnumpy()[:, 0].tolist(), it.getpad(), it.getindex().tolist()])
    assert seen == [[[1, 4], 0, [0, 1]], [[7, 1], 1, [2, 0]]]
    it = csv_iter(path)
    it.debug_skip_load()
    assert [it.next().data[0][0, 0].asscalar() for _ in range(5)] == [1] * 5


def test_iterators_have_signatures():
    parameters = inspect.signature(mx.io.CSVIter).parameters
    assert (
        list(parameters)[:3] == ["data_csv", "data_shape", "batch_size"] and parameters["round_batch"].default is True
    )
    with pytest.raises(TypeError, match="Required parameter batch_size"):
        mx.io.CSVIter(data_csv="a", data_shape=(3,))
    with pytest.raises(TypeError, match="by name"):
        mx.io.CSVIter("a", (3,), 2)
    with pytest.raises(TypeError, match="read\\(\\) and rewind\\(\\)"):
        mx.io.MXDataIter(5)


def test_unknown_arguments_are_pointed_out(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1,2,3\n4,5,6\n")
    with pytest.warns(UserWarning, match="'round_bach' is ignored"):
        csv_iter(path, round_bach=False)


@pytest.fixture
def small_chunks(monkeypatch):
    """Text is parsed in pieces of 64 bytes."""
    monkeypatch.setattr(text_module, "_CHUNK", 64)
    monkeypatch.setattr(text_module, "_LONGEST", 64)
    monkeypatch.setattr(text_module, "_WHOLE", 0)


@pytest.mark.parametrize("kept", [0, 1 << 20])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\n\n", ",\n"])
def test_csv_in_chunks(tmp_path, monkeypatch, small_chunks, kept, newline):
    monkeypatch.setattr(text_module, "_KEPT", kept)
    values = np.random.rand(101, 3).round(4)
    path = tmp_path / "a.csv"
    path.write_bytes(newline.join(",".join(map(str, row)) for row in values).encode())
    it = csv_iter(path, batch_size=7, round_batch=False)
    for _ in range(3):
        got = np.concatenate([b.data[0].asnumpy()[: 7 - b.pad] for b in it])
        assert_almost_equal(got, values.astype("float32"), rtol=1e-6, atol=0)
        it.reset()


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("1,2", "expected 3 numbers, found 2"),
        ("1,2,3,4", "expected 3 numbers, found 4"),
        ("1,x,3", "number 2, 'x', is not of type float32"),
        ("1,,3", "number 2, '', is not of type float32"),
        ("1_0,2,3", "number 1, '1_0', is not of type float32"),
        ("1,2,3\0", "number 3"),
        ("1,2,\xff", "number 3, 'ÿ', is not of type float32"),
    ],
)
def test_csv_errors_say_where(tmp_path, monkeypatch, whole, bad, words):
    if not whole:
        monkeypatch.setattr(text_module, "_CHUNK", 64)
        monkeypatch.setattr(text_module, "_LONGEST", 64)
        monkeypatch.setattr(text_module, "_WHOLE", 0)
    path = tmp_path / "a.csv"
    path.write_text("1,2,3\n" * 40 + bad + "\n" + "4,5,6\n" * 40, encoding="latin1")
    with pytest.raises(MXNetError) as caught:
        for _ in csv_iter(path):
            pass
    assert f"{path}, line 41: {words}" in str(caught.value)


def test_csv_integers(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("16777217,-2,3\n9007199254740993,5,6\n")
    assert csv_iter(path, dtype="int64").next().data[0].asnumpy()[:, 0].tolist() == [16777217, 9007199254740993]
    with pytest.raises(MXNetError, match="line 2: number 1, '9007199254740993', is not of type int32"):
        csv_iter(path, dtype="int32")
    path.write_text("1,2.5,3\n1,2,3\n")
    with pytest.raises(MXNetError, match=r"line 1: number 2, '2\.5', is not of type int32"):
        csv_iter(path, dtype="int32")


def test_csv_oddities(tmp_path, small_chunks):
    path = tmp_path / "a.csv"
    path.write_text("nan,-inf,1e50\n1,2,3\n   \n")
    first = csv_iter(path).next().data[0].asnumpy()
    assert np.isnan(first[0, 0]) and np.isinf(first[0, 1:]).all()
    path.write_text("\n\n\n")
    with pytest.raises(MXNetError, match="holds no rows"):
        csv_iter(path)
    path.write_text("1" * 10_000)
    with pytest.raises(MXNetError, match="too many for a row"):
        csv_iter(path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(MXNetError, match="no files"):
        csv_iter(tmp_path / "empty")
    with pytest.raises(OSError, match="cannot read"):
        csv_iter(tmp_path / "none.csv")
    with pytest.raises(MXNetError, match="has no elements"):
        csv_iter(path, data_shape=(0,))


def test_csv_through_fsspec():
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://data.csv", "wb") as file:
        file.write(b"1,2,3\n4,5,6\n")
    assert rows(csv_iter("memory://data.csv")) == [[1, 2, 3, 4, 5, 6]]


def libsvm_iter(path, **options):
    return mx.io.LibSVMIter(**{"data_libsvm": str(path), "data_shape": (6,), "batch_size": 2, **options})


@pytest.mark.parametrize("kept", [0, 1 << 20])
def test_libsvm_in_chunks(tmp_path, monkeypatch, small_chunks, kept):
    monkeypatch.setattr(text_module, "_KEPT", kept)
    values = np.random.rand(50, 6).round(3) * (np.random.rand(50, 6) < 0.4)
    lines = [f"{i}" + "".join(f" {j}:{x:.3f}" for j, x in enumerate(row) if x) for i, row in enumerate(values)]
    path = tmp_path / "a.t"
    path.write_text("# numbers\n" + "\n".join(lines[:20]) + "  # comment\n\n" + "\r\n".join(lines[20:]))
    it = libsvm_iter(path, batch_size=10)
    for _ in range(2):
        batches = list(it)
        assert_almost_equal(np.concatenate([b.data[0].asnumpy() for b in batches]), values, rtol=1e-6, atol=1e-7)
        assert np.concatenate([b.label[0].asnumpy() for b in batches]).tolist() == list(range(50))
        it.reset()
    seen = []
    for part in range(4):
        it = libsvm_iter(path, batch_size=1, num_parts=4, part_index=part)
        numbers = [int(b.label[0].asscalar()) for b in it]
        assert 5 < len(numbers) < 20
        seen += numbers
    assert seen == list(range(50))


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("1 0:a", "'a', is not of type float32"),
        ("x 0:1", "'x', is not of type float32"),
        ("1 0 2", "'0', is not column:value"),
        ("1 -1:2", "'-1:2', is not column:value"),
        ("1 6:2", "column 6 is not below 6"),
        ("1 99999999999999999999:2", "is not below 6"),
        ("1.5:x 0:3", "'x', is not of type float32"),
        ("1 0:", "'', is not of type float32"),
        ("1 :5", "':5', is not column:value"),
        ("1 1::5", "is not of type float32"),
        ("1 0.5:5", "'0.5:5', is not column:value"),
        ("1 0:1 qid:3", "'qid:3', is not column:value"),
    ],
)
def test_libsvm_errors_say_where(tmp_path, bad, words):
    path = tmp_path / "a.t"
    path.write_text("1 0:1\n" * 4 + bad + "\n" + "1 5:1\n" * 4)
    with pytest.raises(MXNetError) as caught:
        for _ in libsvm_iter(path):
            pass
    assert f"{path}, line 5: " in str(caught.value) and words in str(caught.value)


def test_both_ways_to_parse_agree():
    """On damaged text: what the fast way takes, the careful way takes too, with the same result."""
    state = random.Random(0)
    letters = b"0123456789.:- +eE\n\n  \tx_"
    agreed = refused = 0
    for _ in range(3000):
        damaged = bytearray(b"1 0:1 2:3.5\n-2 1:4\n3\n")
        for _ in range(state.randint(1, 4)):
            at = state.randrange(len(damaged))
            damaged[at : at + state.randint(0, 1)] = bytes([state.choice(letters)] * state.randint(0, 1))
        text = text_module.Text(bytes(damaged), "damaged", 1)
        fast = text_module._fast_libsvm(text.content, 3)
        try:
            careful = text_module._careful_libsvm(text, 3)
        except MXNetError:  # it is pickier about how columns are written
            refused += fast is None
            continue
        if fast is not None:
            agreed += 1
            assert np.array_equal(fast.labels, careful.labels)
            assert np.array_equal(fast.csr(3).asnumpy(), careful.csr(3).asnumpy())
    assert agreed > 500 and refused > 500


def test_libsvm_does_not_unfold_what_it_keeps(tmp_path):
    path = tmp_path / "a.t"
    path.write_text("".join(f"1 {i}:1\n" for i in range(0, 2_000_000, 1000)))
    it = libsvm_iter(path, data_shape=(2_000_000,), batch_size=1)  # 16 GB as one dense table
    assert [int(b.data[0].asnumpy().argmax()) for b, _ in zip(it, range(3), strict=False)] == [0, 1000, 2000]


# ---- MNISTIter -------------------------------------------------------------------------------------------------------


@pytest.fixture
def digits(tmp_path):
    """The files of 20 images of 2 x 3 pixels."""
    images = np.random.randint(0, 256, (20, 2, 3))
    (tmp_path / "images").write_bytes(io_cases.idx_file(images))
    (tmp_path / "labels").write_bytes(io_cases.idx_file(np.arange(20)))
    return tmp_path, images


def mnist_iter(folder, **options):
    files = {"image": str(folder / "images"), "label": str(folder / "labels")}
    return mx.io.MNISTIter(**{**files, "batch_size": 4, "shuffle": False, **options})


def test_mnist_gzipped(digits):
    folder, images = digits
    for name in ("images", "labels"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
    it = mnist_iter(folder, image=str(folder / "images.gz"), label=str(folder / "labels.gz"))
    got = np.concatenate([b.data[0].asnumpy() for b in it])
    assert_almost_equal(got * 256, images[:, None].astype("float32"))


def test_mnist_batches_are_copies(digits):
    folder, _ = digits
    it = mnist_iter(folder, batch_size=20, dtype="float16")
    first = it.next()
    kept = first.data[0].asnumpy()
    assert first.data[0].dtype == np.float16 and it.provide_data[0].dtype == np.float16
    first.data[0][:] = 0
    it.reset()
    assert_almost_equal(it.next().data[0].asnumpy(), kept)


def test_mnist_says_what_it_loads(digits, caplog):
    folder, _ = digits
    with caplog.at_level(logging.INFO):
        mnist_iter(folder, silent=True)
        assert not caplog.messages
        mnist_iter(folder)
    assert caplog.messages == ["MNISTIter: load 20 images, shuffle=0, shape=(2, 3)"]


def test_mnist_hostile_files(digits):
    folder, _ = digits
    good = (folder / "images").read_bytes()
    packed = gzip.compress(good)
    huge = good[:4] + b"\xff" * 12 + good[16:]
    cases = {
        b"": "ends at byte 0, within the header",
        good[:9]: "ends at byte 9, within the header",
        good[:-1]: "promises 120 bytes of shape \\(20, 2, 3\\)",
        b"\1\2" + good[2:]: "begins with 01 02 08 03, expected 00 00 08 03",
        (folder / "labels").read_bytes(): "begins with 00 00 08 01",
        huge: "promises 79228162458924105385300197375 bytes",
        gzip.compress(huge): "promises 79228162458924105385300197375 bytes",
        packed[:-12]: "not a complete gzip file",
        packed[:15] + b"\xff\xff" + packed[17:]: "not a complete gzip file|begins with|promises",
    }
    for content, words in cases.items():
        (folder / "bad").write_bytes(content)
        with pytest.raises(MXNetError, match=words) as caught:
            mnist_iter(folder, image=str(folder / "bad"))
        assert str(folder / "bad") in str(caught.value)
    (folder / "few").write_bytes(io_cases.idx_file(np.arange(19)))
    with pytest.raises(MXNetError, match=r"has 19 labels, but .* has 20 images"):
        mnist_iter(folder, label=str(folder / "few"))
    for options in ({"batch_size": 21}, {"dtype": "int8"}, {"num_parts": 0}):
        with pytest.raises(MXNetError, match="MNISTIter"):
            mnist_iter(folder, **options)


def test_shuffling_is_a_permutation():
    for count in (0, 1, 2, 1000):
        assert sorted(mnist_module.shuffled_order(count, 7).tolist()) == list(range(count))


def test_mnist_iterator_of_test_utils(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that these are the bundled digits
        train, val = mx.test_utils.get_mnist_iterator(100, (784,))
    assert train.provide_data[0].shape == (100, 784) and train.provide_label[0].shape == (100,)
    assert sum(1 for _ in train) == 100 and sum(1 for _ in val) == 20
    train, _ = mx.test_utils.get_mnist_iterator(50, (1, 28, 28), num_parts=2, part_index=1)
    assert train.provide_data[0].shape == (50, 1, 28, 28)
    assert sum(len(b.label[0]) for b in train) == 5000


@pytest.mark.skipif(not hasattr(mx.test_utils, "DummyIter"), reason="mx.test_utils has no DummyIter yet")
def test_dummy_iterator_of_test_utils():
    it = mx.test_utils.DummyIter(mx.io.NDArrayIter(np.arange(6), np.arange(6), 3))
    assert it.provide_data[0].shape == (3,) and it.provide_label[0].name == "softmax_label"
    assert [it.next().data[0].asnumpy().tolist() for _ in range(5)] == [[0, 1, 2]] * 5


# ---- sentences -------------------------------------------------------------------------------------------------------


def test_unknown_tokens_are_numbered_as_in_the_original():
    words = [["a", "b", "c"], ["b", "c", "d"]]
    encoded, vocab = mx.rnn.encode_sentences(words, vocab={"a": 0, "b": 1, "?": 7}, unknown_token="?", start_label=8)
    assert encoded == [[0, 1, 8], [1, 9, 10]] and vocab == {"a": 0, "b": 1, "?": 10}
    with pytest.raises(AssertionError, match="Unknown token c"):
        mx.rnn.encode_sentences(words, vocab={"a": 0, "b": 1})


def test_sentences_longer_than_all_buckets_are_reported(capsys):
    it = mx.rnn.BucketSentenceIter([[1, 2]] * 3 + [[1] * 9], 1, buckets=[2])
    assert capsys.readouterr().out == "WARNING: discarded 1 sentences longer than the largest bucket.\n"
    assert len(list(it)) == 3


# ---- the example -----------------------------------------------------------------------------------------------------


def test_example(tmp_path):
    command = [sys.executable, str(ROOT / "examples" / "custom_data_iter.py"), "--epochs", "2", "--batch-size", "300"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n") == ["Epoch Num: 1", "Epoch Num: 2", "66 batches of (300, 1, 28, 28)", ""]
