"""im2rec and rec2idx: lists, records, what cannot be read, and being stopped."""

import os
import signal
import subprocess
import sys
import time

import cv2
import im2rec_cases as original
import image_cases as cases
import numpy as np
import pytest
from compare import load_golden
from paths import EXAMPLES

import mxnet as mx
from mxnet import recordio
from mxnet.tools import im2rec, rec2idx

GOLDEN = load_golden("im2rec.json")
FOLDERS = {
    "b cats": ["wide.jpg", "tall.jpg"],
    "a dogs": ["square.jpg"],
    "a dogs/puppies": ["digits.png"],
    "": ["top.jpeg"],
}


@pytest.fixture
def photos(tmp_path):
    """A folder of folders of images, with a file that is none."""
    for folder, names in FOLDERS.items():
        (tmp_path / "photos" / folder).mkdir(parents=True, exist_ok=True)
        for name in names:
            source = "wide.jpg" if name == "top.jpeg" else name
            (tmp_path / "photos" / folder / name).write_bytes(cases.content(source))
    (tmp_path / "photos" / "readme.txt").write_text("no image")
    return str(tmp_path / "photos")


def run(*arguments):
    return im2rec.main([str(argument) for argument in arguments])


def lines(path):
    with open(path) as stream:
        return [line.rstrip("\n").split("\t") for line in stream]


def records(base):
    reader = recordio.MXIndexedRecordIO(f"{base}.idx", f"{base}.rec", "r")
    return {key: recordio.unpack(reader.read_idx(key)) for key in reader.keys}, reader.keys


def write_list(path, rows):
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))


# ---- as the original -------------------------------------------------------------------------------------------------


@pytest.fixture
def prepared(tmp_path):
    original.prepare(tmp_path)
    return tmp_path


def completed(arguments):
    assert im2rec.main(arguments) == 0


@pytest.mark.parametrize("name", sorted(original.LISTS))
def test_lists_of_the_original(prepared, name):
    assert original.lists(prepared, name, completed) == GOLDEN["lists"][name]


@pytest.mark.parametrize("name", sorted(original.RECORDS))
def test_records_of_the_original(prepared, name):
    """The same bytes; if images were encoded again, nearly as many, since another OpenCV may encode them otherwise."""
    checksum, index = original.records(prepared, name, completed)
    expected, expected_index = GOLDEN["records"][name]
    if "--pass-through" in original.RECORDS[name][1]:
        assert (checksum, index) == (expected, expected_index)
    rows, expected_rows = (np.loadtxt(text.splitlines()) for text in (index, expected_index))
    np.testing.assert_array_equal(rows[:, 0], expected_rows[:, 0])
    np.testing.assert_allclose(rows[:, 1], expected_rows[:, 1], rtol=0.03)


# ---- lists -----------------------------------------------------------------------------------------------------------


def test_list(photos, tmp_path, capsys):
    assert run("--list", "--recursive", "--no-shuffle", tmp_path / "pets", photos) == 0
    assert lines(tmp_path / "pets.lst") == [
        ["0", "0.000000", "top.jpeg"],
        ["1", "1.000000", "a dogs/square.jpg"],
        ["2", "2.000000", "a dogs/puppies/digits.png"],
        ["3", "3.000000", "b cats/tall.jpg"],
        ["4", "3.000000", "b cats/wide.jpg"],
    ]
    assert "a dogs 1\n" in capsys.readouterr().out
    assert run("--list", tmp_path / "flat", photos, "--exts", ".JPEG", ".png") == 0
    assert lines(tmp_path / "flat.lst") == [["0", "0.000000", "top.jpeg"]]


def test_lists_are_shuffled_alike(photos, tmp_path):
    for name, options in (("a", []), ("b", ["--shuffle", "1"]), ("c", ["--shuffle", "False"]), ("d", ["--no-shuffle"])):
        assert run(*options, "--recursive", "True", "--list", "1", tmp_path / name, photos) == 0
    first, second, third, fourth = (lines(tmp_path / f"{name}.lst") for name in "abcd")
    assert first == second != third == fourth
    assert sorted(first) == third


@pytest.mark.parametrize(
    "options, sizes",
    [
        ([], {"": 20}),
        (["--train-ratio", "0.7"], {"_train": 14, "_val": 6}),
        (["--train-ratio", "0.5", "--test-ratio", "0.2"], {"_test": 4, "_train": 10, "_val": 6}),
        (["--train-ratio", "0.75", "--test-ratio", "0.25"], {"_test": 5, "_train": 15}),
        (["--chunks", "3"], {"_0": 7, "_1": 7, "_2": 6}),
        (["--chunks", "2", "--train-ratio", "0.5"], {"_0_train": 5, "_0_val": 5, "_1_train": 5, "_1_val": 5}),
    ],
)
def test_divided_lists(tmp_path, options, sizes):
    (tmp_path / "many").mkdir()
    for i in range(20):
        (tmp_path / "many" / f"{i:02}.jpg").touch()
    assert run("--list", *options, tmp_path / "m", tmp_path / "many") == 0
    found = {path.stem[1:]: lines(path) for path in tmp_path.glob("*.lst")}
    assert {name: len(rows) for name, rows in found.items()} == sizes
    assert sorted(row[2] for rows in found.values() for row in rows) == [f"{i:02}.jpg" for i in range(20)]


def test_wrong_lists(photos, tmp_path, capsys):
    for arguments, words in (
        (["--list", tmp_path / "x", tmp_path / "nowhere"], "not a folder"),
        (["--list", tmp_path / "x", photos, "--exts", ".gif"], "no images"),
        (["--list", tmp_path / "x", photos, "--chunks", 0], "chunks"),
        (["--list", tmp_path / "x", photos, "--train-ratio", 0.9, "--test-ratio", 0.2], "ratios"),
        ([tmp_path / "x", photos], "no .lst file"),
        ([tmp_path / "nowhere" / "x", photos], "nowhere"),
    ):
        assert run(*arguments) == 1
        assert words in capsys.readouterr().err
    for arguments in (["--list=maybe", "a", "b"], ["a"], ["--color", "2", "a", "b"]):
        with pytest.raises(SystemExit):
            run(*arguments)
        capsys.readouterr()


# ---- records ---------------------------------------------------------------------------------------------------------


def test_pack(photos, tmp_path):
    assert run("--list", "--recursive", tmp_path / "pets", photos) == 0
    assert run(tmp_path / "pets", photos, "--pass-through") == 0
    listed = lines(tmp_path / "pets.lst")
    found, keys = records(tmp_path / "pets")
    assert keys == [int(number) for number, _, _ in listed]
    for number, label, path in listed:
        header, content = found[int(number)]
        assert header == (0, float(label), int(number), 0)
        with open(os.path.join(photos, path), "rb") as stream:
            assert content == stream.read()
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("threads", [1, 3])
def test_pack_a_folder_of_lists(photos, tmp_path, threads):
    (tmp_path / "lists").mkdir()
    write_list(tmp_path / "lists" / "one.lst", [(i, i % 3, "top.jpeg") for i in range(40)])
    write_list(tmp_path / "lists" / "two.lst", [(7, 1, "a dogs/square.jpg")])
    assert run(str(tmp_path / "lists") + "/", photos, "--num-thread", threads) == 0
    found, keys = records(tmp_path / "lists" / "one")
    assert keys == list(range(40)) and [found[key][0].label for key in keys] == [key % 3 for key in keys]
    assert records(tmp_path / "lists" / "two")[1] == [7]
    assert run(tmp_path / "lists", photos, "--shuffle", "1", "--num-thread", threads) == 0
    shuffled = records(tmp_path / "lists" / "one")[1]
    assert shuffled != keys and sorted(shuffled) == keys


def decoded(path, *options, photos, tmp_path, flag=-1):
    write_list(tmp_path / "x.lst", [(0, 1, path)])
    assert run(tmp_path / "x", photos, *options) == 0
    _, content = records(tmp_path / "x")[0][0]
    return content, cv2.imdecode(np.frombuffer(content, np.uint8), flag)


def test_changes(photos, tmp_path):
    def packed(path, *options):
        return decoded(path, *options, photos=photos, tmp_path=tmp_path)

    source = cv2.imread(os.path.join(photos, "top.jpeg"))  # 24 x 36
    content, image = packed("top.jpeg", "--encoding", ".png", "--quality", "9")
    assert content.startswith(b"\x89PNG")
    np.testing.assert_array_equal(image, source)
    _, image = packed("top.jpeg", "--encoding", ".png", "--center-crop")
    np.testing.assert_array_equal(image, source[:, 6:30])
    _, image = packed("top.jpeg", "--encoding", ".png", "--resize", "12")
    np.testing.assert_array_equal(image, cv2.resize(source, (18, 12)))
    _, image = packed("b cats/tall.jpg", "--resize", "11")
    assert image.shape == (20, 11, 3)
    _, image = packed("b cats/tall.jpg", "--resize", "11", "--center-crop", "True")
    assert image.shape == (11, 11, 3)
    _, image = packed("top.jpeg", "--color", "0")
    assert image.shape == (24, 36)
    _, image = packed("a dogs/puppies/digits.png", "--color", "-1", "--encoding", ".png")
    assert image.ndim == 2
    _, image = packed("a dogs/puppies/digits.png")
    assert image.ndim == 3
    fine, coarse = (len(packed("top.jpeg", "--quality", quality)[0]) for quality in (95, 20))
    assert coarse < fine


def test_labels(photos, tmp_path):
    rows = [(0, 1, "top.jpeg"), (1, 2, 5, 0.5, "top.jpeg")]
    write_list(tmp_path / "m.lst", rows)
    assert run(tmp_path / "m", photos) == 0
    found, _ = records(tmp_path / "m")
    assert found[0][0].label == 1 and found[1][0].label == 2
    assert run(tmp_path / "m", photos, "--pack-label", "True") == 0
    found, _ = records(tmp_path / "m")
    assert found[0][0].label == 1 and found[1][0].label.tolist() == [2, 5, 0.5]


def test_images_that_cannot_be_read(photos, tmp_path, capsys):
    (tmp_path / "photos" / "broken.jpg").write_bytes(b"no image")
    (tmp_path / "photos" / "empty.jpg").touch()
    with open(tmp_path / "m.lst", "w") as stream:
        stream.write(
            "0\t1\ttop.jpeg\n1\t1\tbroken.jpg\n2\t1\tempty.jpg\n\n3\t1\tmissing.jpg\nnonsense\n4\tx\ttop.jpeg\n"
        )
        stream.write("5\t2\ttop.jpeg\n")
    for threads in (1, 2):
        assert run(tmp_path / "m", photos, "--num-thread", threads) == 0
        said = capsys.readouterr().out
        assert "2 of 7 images" in said
        for name in ("broken.jpg", "empty.jpg", "missing.jpg", "m.lst, line 6", "m.lst, line 7"):
            assert f"unreadable: {tmp_path / name if name.startswith('m.') else name}" in said
        assert records(tmp_path / "m")[1] == [0, 5]
    write_list(tmp_path / "m.lst", [(0, 1, "broken.jpg")])
    assert run(tmp_path / "m", photos) == 1


def test_iterators_read_it(photos, tmp_path):
    assert run("--list", "--recursive", tmp_path / "pets", photos) == 0
    assert run(tmp_path / "pets", photos, "--resize", 20) == 0
    files = {"path_imgrec": tmp_path / "pets.rec", "path_imgidx": tmp_path / "pets.idx"}
    labels = [batch.label[0].asscalar() for batch in mx.image.ImageIter(1, (3, 16, 16), **files)]
    assert labels == [float(label) for _, label, _ in lines(tmp_path / "pets.lst")]


# ---- failing and being stopped ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_failing_worker(photos, tmp_path, monkeypatch, capsys, threads):
    write_list(tmp_path / "m.lst", [(i, 1, "top.jpeg") for i in range(50)])
    original = im2rec.Encoding.record

    def fail(self, item, root):
        if item.number == 20:
            raise MemoryError("no more")
        return original(self, item, root)

    monkeypatch.setattr(im2rec.Encoding, "record", fail)
    assert run(tmp_path / "m", photos, "--num-thread", threads) == 1
    assert "failed at top.jpeg: MemoryError: no more" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == ["m.lst", "photos"]


@pytest.mark.skipif(sys.platform == "win32", reason="other signals")
@pytest.mark.parametrize(
    "how, threads", [(signal.SIGINT, 1), (signal.SIGINT, 2), (signal.SIGTERM, 2), (signal.SIGKILL, 2)]
)
def test_interrupted(photos, tmp_path, how, threads):
    write_list(tmp_path / "m.lst", [(i, 1, "top.jpeg") for i in range(300_000)])
    command = [sys.executable, "-m", "mxnet.tools.im2rec", str(tmp_path / "m"), photos, "--num-thread", str(threads)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 30
        while not list(tmp_path.glob(".m.rec.*")) and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(0.1)
        process.send_signal(how)
        _, said = process.communicate(timeout=20)
    finally:
        process.kill()
    left = sorted(os.listdir(tmp_path))
    if how == signal.SIGKILL:  # nobody is there to remove the file, which has another name
        assert process.returncode == -how and left[1:] == ["m.lst", "photos"] and left[0].startswith(".m.rec.")
        return
    assert process.returncode == 130 and "interrupted" in said and "Traceback" not in said
    assert left == ["m.lst", "photos"]


@pytest.mark.skipif(sys.platform == "win32", reason="no limits")
@pytest.mark.parametrize("threads", [1, 2])
def test_no_room(photos, tmp_path, threads):
    import resource

    write_list(tmp_path / "m.lst", [(i, 1, "top.jpeg") for i in range(2000)])
    done = subprocess.run(
        [sys.executable, "-m", "mxnet.tools.im2rec", str(tmp_path / "m"), photos, "--num-thread", str(threads)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1 and "cannot write" in done.stderr and "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["m.lst", "photos"]


# ---- rec2idx ---------------------------------------------------------------------------------------------------------


def test_rec2idx(tmp_path, capsys):
    with recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w") as writer:
        for i in range(20):
            writer.write_idx(i, b"x" * i * 7)
    assert rec2idx.main([str(tmp_path / "a.rec"), str(tmp_path / "b.idx")]) == 0
    assert (tmp_path / "a.idx").read_bytes() == (tmp_path / "b.idx").read_bytes()
    (tmp_path / "b.idx").unlink()
    content = bytearray((tmp_path / "a.rec").read_bytes())
    positions = [int(offset) for _, offset in lines(tmp_path / "a.idx")]
    content[positions[5]] ^= 255
    (tmp_path / "b.rec").write_bytes(content)
    assert rec2idx.main([str(tmp_path / "b.rec")]) == 1
    assert f"record 5 at offset {positions[5]}" in capsys.readouterr().err
    assert not (tmp_path / "b.idx").exists()
    assert rec2idx.main([str(tmp_path / "b.rec"), "--skip-damaged"]) == 0
    assert "1 damaged" in capsys.readouterr().out
    found = recordio.MXIndexedRecordIO(tmp_path / "b.idx", tmp_path / "b.rec", "r")
    assert [len(found.read_idx(key)) // 7 for key in found.keys] == [i for i in range(20) if i != 5]


def test_installed_commands():
    for module in ("im2rec", "rec2idx"):
        done = subprocess.run([sys.executable, "-m", f"mxnet.tools.{module}", "--help"], capture_output=True, text=True)
        assert done.returncode == 0 and f"usage: {module}" in done.stdout


def test_example(tmp_path):
    example = str(EXAMPLES / "folder_to_rec.py")
    command = [sys.executable, "-W", "error", example, "--count", "200", "--output", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "160 images of 10 classes in batches of (50, 3, 28, 28)" in done.stdout
    assert (tmp_path / "out" / "data_val.rec").exists()
