"""Record files: the original's bytes, random access, processes and threads, and every kind of damage."""

import errno
import multiprocessing
import os
import pickle
import random
import re
import subprocess
import sys
import threading
from contextlib import ExitStack

import numpy as np
import pytest
from compare import load_golden
from paths import GOLDEN
from recordio_cases import HEADERS, MAGIC, RECORDS

from mxnet import MXNetError, recordio
from mxnet._core import record_files

STORED = load_golden("recordio.json")
PACKED = [bytes.fromhex(packed) for packed, *_ in STORED["unpacked"]]


@pytest.fixture
def numbered(tmp_path):
    """An indexed file of ten records under the keys 0, 2, ..., 18."""
    paths = str(tmp_path / "n.idx"), str(tmp_path / "n.rec")
    with recordio.MXIndexedRecordIO(*paths, "w") as writer:
        for i in range(10):
            writer.write_idx(2 * i, b"record %d" % i * (i + 1))
    return paths


def record(i):
    return b"record %d" % i * (i + 1)


def test_light_import():
    code = "import sys, mxnet.recordio; assert not {'torch', 'cv2', 'fsspec'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- the format -----------------------------------------------------------------------------------------------------


def test_writes_the_original_bytes(tmp_path):
    writer = recordio.MXIndexedRecordIO(str(tmp_path / "a.idx"), str(tmp_path / "a.rec"), "w")
    positions = []
    for key, data in enumerate(RECORDS):
        positions.append(writer.tell())
        writer.write_idx(3 * key, data)
    for packed in PACKED:
        writer.write(packed)
    writer.close()
    assert positions == STORED["positions"]
    assert (tmp_path / "a.rec").read_bytes() == (GOLDEN / "recordio.rec").read_bytes()
    assert (tmp_path / "a.idx").read_bytes() == (GOLDEN / "recordio.idx").read_bytes()


def test_reads_the_original_file():
    reader = recordio.MXRecordIO(str(GOLDEN / "recordio.rec"), "r")
    assert list(reader) == RECORDS + PACKED
    assert reader.read() is None and reader.read() is None
    reader.reset()
    assert reader.read() == RECORDS[0]
    with recordio.MXIndexedRecordIO(GOLDEN / "recordio.idx", GOLDEN / "recordio.rec", "r") as indexed:
        assert indexed.keys == [3 * i for i in range(len(RECORDS))]
        for key in random.sample(indexed.keys, len(RECORDS)):
            assert indexed.read_idx(key) == RECORDS[key // 3]


def test_records_of_many_sizes(tmp_path):
    """Longer and shorter than what is read at once, with the magic number at random places."""
    generator = random.Random(3)
    sizes = [0, 1, 5, 4096, 70_000, 3, 300_001, 16_384, 40_000, 262_144] + [
        generator.randrange(3000) for _ in range(200)
    ]
    records = []
    for size in sizes:
        data = bytearray(generator.randbytes(size))
        for _ in range(generator.randrange(4) if size > 8 else 0):
            at = generator.randrange(size - 4)
            data[at : at + 4] = MAGIC
        records.append(bytes(data))
    path = str(tmp_path / "a.rec")
    with recordio.MXIndexedRecordIO(str(tmp_path / "a.idx"), path, "w") as writer:
        for i, data in enumerate(records):
            writer.write_idx(i, memoryview(data) if i % 2 else bytearray(data))
    assert os.path.getsize(path) % 4 == 0
    with recordio.MXIndexedRecordIO(str(tmp_path / "a.idx"), path, "r") as reader:
        assert list(reader) == records
        for i in generator.sample(range(len(records)), len(records)):
            assert reader.read_idx(i) == records[i]
            if i + 1 < len(records):
                assert reader.read() == records[i + 1]


def test_too_long_a_record(tmp_path):
    class Huge(bytes):
        def __len__(self):
            return 1 << 29

    with recordio.MXRecordIO(str(tmp_path / "a.rec"), "w") as writer, pytest.raises(MXNetError, match="2\\^29"):
        writer.write(Huge())


@pytest.mark.parametrize("header, stored", list(zip(HEADERS, STORED["unpacked"], strict=True)))
def test_pack(header, stored):
    packed, unpacked, text, data = stored
    assert recordio.pack(recordio.IRHeader(*header), b"data").hex() == packed
    head, rest = recordio.unpack(bytes.fromhex(packed))
    label = head.label.tolist() if isinstance(head.label, np.ndarray) else head.label
    assert [head.flag, label, head.id, head.id2] == unpacked
    assert repr(head) == text
    assert rest == data.encode()


def test_pack_takes_a_plain_tuple():
    assert recordio.pack((0, 1.0, 2, 3), b"x") == recordio.pack(recordio.IRHeader(0, 1.0, 2, 3), b"x")


def test_headers_can_be_pickled():
    assert pickle.loads(pickle.dumps(recordio.IRHeader(0, 1.0, 2, 3))) == recordio.IRHeader(0, 1.0, 2, 3)


def test_unpack_of_too_few_bytes():
    with pytest.raises(ValueError, match="at least 24 bytes"):
        recordio.unpack(b"abc")
    with pytest.raises(ValueError, match="5 labels"):
        recordio.unpack(b"\5\0\0\0" + b"\0" * 20 + b"abcdefgh")


def test_images():
    image = np.random.randint(0, 255, (20, 30, 3), np.uint8)
    header, decoded = recordio.unpack_img(recordio.pack_img((0, [1, 2.5], 7, 0), image, 9, ".png"))
    assert header.id == 7 and header.label.tolist() == [1, 2.5]
    np.testing.assert_array_equal(decoded, image)
    assert recordio.unpack_img(recordio.pack_img((0, 1, 7, 0), image), 0)[1].shape == (20, 30)
    fine, coarse = (len(recordio.pack_img((0, 1, 7, 0), image, q, ".JPEG")) for q in (95, 10))
    assert coarse < fine
    assert recordio.unpack_img(recordio.pack((0, 1.0, 0, 0), b"no image"))[1] is None
    with pytest.raises(MXNetError, match="no image"):
        recordio.unpack_img(recordio.pack((0, 1.0, 0, 0), b""))
    with pytest.raises(MXNetError, match="cannot encode"):
        recordio.pack_img((0, 1.0, 0, 0), image, 95, "jpg")


# ---- opening, closing, sharing --------------------------------------------------------------------------------------


def test_seek_tell_and_keys(numbered):
    reader = recordio.MXIndexedRecordIO(*numbered, "r")
    assert reader.keys == list(range(0, 20, 2))
    reader.seek(4)
    assert reader.tell() == reader.idx[4]
    assert reader.read() == record(2) and reader.read() == record(3)
    assert reader.tell() == reader.idx[8]
    with pytest.raises(KeyError):
        reader.read_idx(3)
    assert recordio.MXIndexedRecordIO(*numbered, "r", key_type=str).read_idx("4") == record(2)


def test_equal_keys(tmp_path):
    paths = str(tmp_path / "a.idx"), str(tmp_path / "a.rec")
    with recordio.MXIndexedRecordIO(*paths, "w") as writer:
        for data in (b"a", b"b"):
            writer.write_idx(0, data)
    with recordio.MXIndexedRecordIO(*paths, "r") as reader:
        assert reader.keys == [0, 0] and reader.read_idx(0) == b"b"


def test_wrong_use(numbered, tmp_path):
    reader = recordio.MXRecordIO(numbered[1], "r")
    with pytest.raises(AssertionError):
        reader.write(b"x")
    reader.close()
    reader.close()
    assert not reader.is_open
    with pytest.raises(MXNetError, match="closed"):
        reader.read()
    with recordio.MXIndexedRecordIO(str(tmp_path / "a.idx"), str(tmp_path / "a.rec"), "w") as writer:
        for wrong in (writer.read, lambda: writer.seek(0), lambda: writer.read_idx(0)):
            with pytest.raises(AssertionError):
                wrong()
        with pytest.raises(TypeError):
            writer.write("text")
        with pytest.raises(MXNetError, match="pickled"):
            pickle.dumps(writer)
    with pytest.raises(ValueError, match="Invalid flag"):
        recordio.MXRecordIO(numbered[1], "rw")
    with pytest.raises(ValueError, match="on_error"):
        recordio.MXRecordIO(numbered[1], "r", on_error="ignore")
    for flag in "rw":
        with pytest.raises(MXNetError, match="no-such"):
            recordio.MXRecordIO(str(tmp_path / "no-such" / "a.rec"), flag)


def test_missing_or_broken_index(numbered, tmp_path):
    for exception in (MXNetError, OSError):
        with pytest.raises(exception, match=r"no\.idx"):
            recordio.MXIndexedRecordIO(str(tmp_path / "no.idx"), numbered[1], "r")
    for content, words in ((b"0\t0\nx\t3\n", "line 2"), (b"0\t0\n7\n", "line 2"), (b"\xff\xfe\0", "not text")):
        (tmp_path / "b.idx").write_bytes(content)
        with pytest.raises(MXNetError, match=words):
            recordio.MXIndexedRecordIO(str(tmp_path / "b.idx"), numbered[1], "r")
    (tmp_path / "b.idx").write_bytes(b"5\t99999\n6\t4\n\n")
    reader = recordio.MXIndexedRecordIO(str(tmp_path / "b.idx"), numbered[1], "r")
    with pytest.raises(MXNetError, match="key 5 at offset 99999"):
        reader.read_idx(5)
    with pytest.raises(MXNetError, match="key 6 at offset 4"):
        reader.read_idx(6)


def test_a_file_appears_when_it_is_closed(tmp_path):
    path = tmp_path / "a.rec"
    writer = recordio.MXRecordIO(path, "w")
    writer.write(b"one")
    assert not path.exists()
    writer.close()
    assert list(recordio.MXRecordIO(path, "r")) == [b"one"]
    writer = recordio.MXRecordIO(path, "w")
    writer.write(b"lost")
    writer.reset()
    writer.write(b"two")
    assert list(recordio.MXRecordIO(path, "r")) == [b"one"]
    del writer  # closes it
    assert list(recordio.MXRecordIO(path, "r")) == [b"two"]
    with pytest.raises(KeyboardInterrupt), recordio.MXIndexedRecordIO(tmp_path / "a.idx", path, "w") as indexed:
        indexed.write_idx(0, b"three")
        raise KeyboardInterrupt
    assert list(recordio.MXRecordIO(path, "r")) == [b"two"]
    assert os.listdir(tmp_path) == ["a.rec"]


def test_writing_to_a_device():
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    writer = recordio.MXRecordIO("/dev/full", "w")
    writer.write(b"x")
    with pytest.raises(MXNetError, match="No space left"):
        writer.close()
    with recordio.MXRecordIO(os.devnull, "w") as writer:
        writer.write(b"x")


class _FullDisk:
    """A file that takes so many bytes, and later more again."""

    def __init__(self, file, room):
        self._file, self.room = file, room

    def write(self, data):
        part = data[: self.room]
        self.room -= len(part)
        if not len(part):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._file.write(part)

    def __getattr__(self, name):
        return getattr(self._file, name)


@pytest.mark.parametrize("end", ["close", "delete", "with"])
def test_a_full_disk(tmp_path, end):
    """An error; and nothing appears later, even if there is room again: what was written is not known."""
    path = tmp_path / "a.rec"
    path.write_bytes(b"older")
    writer = recordio.MXIndexedRecordIO(tmp_path / "a.idx", path, "w")
    writer.handle._file = disk = _FullDisk(writer.handle._file, 300_000)
    with pytest.raises(MXNetError, match=r"cannot write .*a\.rec.*No space left"), ExitStack() as stack:
        if end == "with":
            stack.enter_context(writer)
        for i in range(100):
            writer.write_idx(i, b"x" * 10_000)
    disk.room = 1 << 30
    if end == "close":
        with pytest.raises(MXNetError, match="No space left"):
            writer.close()
    writer.__del__()
    assert os.listdir(tmp_path) == ["a.rec"] and path.read_bytes() == b"older"


def test_no_room_for_the_index(tmp_path, monkeypatch):
    """The records do not appear either: they would stand beside an older index."""
    for name in ("a.idx", "a.rec"):
        (tmp_path / name).write_bytes(b"older")
    writer = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w")
    writer.write_idx(0, b"new")
    opened = record_files.Output.__init__

    def full(self, name):
        opened(self, name)
        self._file = _FullDisk(self._file, 0)

    monkeypatch.setattr(record_files.Output, "__init__", full)
    with pytest.raises(MXNetError, match=r"cannot write .*a\.idx.*No space left"):
        writer.close()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.idx": b"older", "a.rec": b"older"}


def test_pickled_readers(numbered):
    reader = recordio.MXIndexedRecordIO(*numbered, "r")
    assert reader.read() == record(0)
    copy = pickle.loads(pickle.dumps(reader))
    assert copy.read() == record(0) and copy.read_idx(6) == record(3) and copy.keys == reader.keys
    assert reader.read() == record(1)
    reader.close()
    assert not pickle.loads(pickle.dumps(reader)).is_open


def _read_all(reader, queue):
    queue.put([reader.read_idx(key) for key in reader.keys] + [reader.read()])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_a_fork(numbered):
    context = multiprocessing.get_context("fork")
    reader = recordio.MXIndexedRecordIO(*numbered, "r")
    reader.read()
    queue = context.Queue()
    children = [context.Process(target=_read_all, args=(reader, queue)) for _ in range(2)]
    for child in children:
        child.start()
    for _ in range(3):
        reader.read()
    results = [queue.get(timeout=20) for _ in children]
    for child in children:
        child.join()
    assert results == [[record(i) for i in range(10)] + [None]] * 2
    assert reader.read() == record(4)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_does_not_write_for_its_parent(tmp_path):
    writer = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w")
    writer.write_idx(0, b"one")

    def child():
        with pytest.raises(RuntimeError, match="multiple processes"):
            writer.write(b"two")
        writer.close()

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join()
    assert process.exitcode == 0
    assert not (tmp_path / "a.rec").exists()
    writer.write_idx(1, b"three")
    writer.close()
    assert list(recordio.MXRecordIO(tmp_path / "a.rec", "r")) == [b"one", b"three"]


def test_threads_share_a_reader(numbered):
    reader = recordio.MXIndexedRecordIO(*numbered, "r")
    wrong = []

    def work(seed):
        generator = random.Random(seed)
        for _ in range(500):
            i = generator.randrange(10)
            if reader.read_idx(2 * i) != record(i):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_remote_paths(numbered):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for path in numbered:
        memory.put_file(path, "/" + os.path.basename(path))
    with recordio.MXIndexedRecordIO("memory://n.idx", "memory://n.rec", "r") as reader:
        assert list(reader) == [record(i) for i in range(10)]
        assert reader.read_idx(6) == record(3)
    with recordio.MXIndexedRecordIO("memory://w.idx", "memory://w.rec", "w") as writer:
        writer.write_idx(1, b"there")
    assert recordio.MXIndexedRecordIO("memory://w.idx", "memory://w.rec", "r").read_idx(1) == b"there"
    with pytest.raises(MXNetError, match="nothing"):
        recordio.MXRecordIO("memory://nothing.rec", "r")


# ---- damage ---------------------------------------------------------------------------------------------------------


def collect(path, on_error, limit=200):
    """All records, and the texts of all errors; a reader that does not come to an end is an error."""
    records, errors = [], []
    reader = recordio.MXRecordIO(path, "r", on_error=on_error)
    for _ in range(limit):
        try:
            data = reader.read()
        except MXNetError as error:
            errors.append(str(error))
            continue
        if data is None:
            return records, errors, reader.skipped
        records.append(data)
    raise AssertionError("the reader goes on and on")


GOOD = b"".join(
    MAGIC + len(data).to_bytes(4, "little") + data + b"\0" * (-len(data) % 4) for data in map(record, range(5))
)
SECOND = 8 + 8


@pytest.mark.parametrize(
    "damaged, kept, words",
    [
        (GOOD[:-1], [0, 1, 2, 3], "its header says 40 bytes"),
        (GOOD[: SECOND + 5], [0], "ends within its header"),
        (b"a", [], "ends within its header"),
        (GOOD[:SECOND] + b"xxxx" + GOOD[SECOND + 4 :], [0, 2, 3, 4], "no magic number"),
        (GOOD[: SECOND + 7] + b"\x20" + GOOD[SECOND + 8 :], [0, 2, 3, 4], "another record begins there"),
        (GOOD[: SECOND + 7] + b"\x60" + GOOD[SECOND + 8 :], [0, 2, 3, 4], "continuation of another record"),
        (GOOD[: SECOND + 7] + b"\xa0" + GOOD[SECOND + 8 :], [0, 2, 3, 4], "kind of part is 5"),
        (GOOD[: SECOND + 4] + b"\x08" + GOOD[SECOND + 5 :], [0, 2, 3, 4], "no magic number"),
        (GOOD[: SECOND + 4] + b"\xff" + GOOD[SECOND + 5 :], [0, 2, 3, 4], "only"),
        (GOOD[: SECOND + 4] + bytes([16 + 8 + 24]) + GOOD[SECOND + 5 :], [0, 2, 3, 4], "begins within it"),
        (GOOD[:SECOND] + b"abc" + GOOD[SECOND:], [0, 1, 2, 3, 4], "no magic number"),
        (MAGIC + (4 | 1 << 29).to_bytes(4, "little") + b"abcd", [], "ends within the record"),
    ],
)
def test_kinds_of_damage(tmp_path, damaged, kept, words):
    path = str(tmp_path / "d.rec")
    (tmp_path / "d.rec").write_bytes(damaged)
    records, errors, _ = collect(path, "raise")
    assert len(errors) == 1
    assert words in errors[0] and path in errors[0] and re.search(r"record \d+ at offset \d+", errors[0])
    good = [data for data in records if data in map(record, range(5))]
    assert good == [record(i) for i in kept]
    assert collect(path, "skip") == (records, [], 1)


def test_a_file_of_another_kind(tmp_path):
    path = tmp_path / "x.rec"
    path.write_bytes(os.urandom(3000))
    with pytest.raises(MXNetError, match="record 0 at offset 0"):
        recordio.MXRecordIO(path, "r").read()
    assert list(recordio.MXRecordIO(path, "r", on_error="skip")) == []
    path.write_bytes(b"")
    assert recordio.MXRecordIO(path, "r").read() is None


def mutations(count, seed):
    """So many damaged files of the same records: (kind, bytes, number of the record hit, records)."""
    generator = random.Random(seed)
    for number in range(count):
        records = []
        for i in range(generator.randrange(1, 12)):
            data = bytearray(generator.randbytes(generator.randrange(60)))
            if generator.random() < 0.3:
                at = generator.randrange(len(data) + 1) & ~3
                data[at:at] = MAGIC
            records.append(b"<%d>" % i + b" " * (-len(str(i)) % 4 + 2) + bytes(data))
        ends, whole = [], b""
        for data in records:
            parts, start = [], 0
            for at in range(0, len(data) - 3, 4):
                if data[at : at + 4] == MAGIC:
                    parts.append(data[start:at])
                    start = at + 4
            parts.append(data[start:])
            for k, part in enumerate(parts):
                place = 0 if len(parts) == 1 else 1 if k == 0 else 3 if k == len(parts) - 1 else 2
                whole += MAGIC + (place << 29 | len(part)).to_bytes(4, "little") + part + b"\0" * (-len(part) % 4)
            ends.append(len(whole))
        kind = ("flip", "cut", "delete", "insert", "zero")[number % 5]
        at = generator.randrange(len(whole))
        hit = next(i for i, end in enumerate(ends) if at < end)
        n = generator.randrange(1, 9)
        if kind == "flip":
            damaged = whole[:at] + bytes([whole[at] ^ generator.randrange(1, 256)]) + whole[at + 1 :]
        elif kind == "cut":
            damaged = whole[:at]
        elif kind == "delete":
            damaged = whole[:at] + whole[at + n :]
        elif kind == "insert":
            damaged = whole[:at] + generator.randbytes(n) + whole[at:]
        else:
            damaged = whole[:at] + b"\0" * min(4 * n, len(whole) - at) + whole[at + 4 * n :]
        yield kind, damaged, hit, records, at in (0, *ends)


def check_mutations(tmp_path, count, seed):
    path = str(tmp_path / "m.rec")
    for kind, damaged, hit, records, boundary in mutations(count, seed):
        with open(path, "wb") as stream:
            stream.write(damaged)
        found, errors, _ = collect(path, "raise")
        for text in errors:
            assert path in text and re.search(r"record \d+ at offset \d+ is damaged", text), text
        # Damage within the data of a record cannot be seen here, the loss of a record can.
        if not errors and kind != "cut":
            assert len(found) == len(records), (kind, damaged)
        if kind == "cut":
            assert found == records[:hit] and bool(errors) != boundary, damaged
        if kind == "flip":
            others = [data for i, data in enumerate(records) if i != hit]
            assert [data for data in found if data in others] == others, damaged
        skipped, none, count = collect(path, "skip")
        assert (skipped, none, count) == (found, [], len(errors))


def test_1500_damaged_files(tmp_path):
    check_mutations(tmp_path, 1500, 1)


@pytest.mark.slow
def test_10000_damaged_files(tmp_path):
    check_mutations(tmp_path, 10_000, 2)
