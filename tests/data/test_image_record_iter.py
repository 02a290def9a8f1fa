"""The image record iterators: what was recorded with the original, random changes, threads, damaged files."""

import ctypes
import gc
import gzip
import io
import json
import lzma
import multiprocessing
import os
import random
import re
import threading
import time
from concurrent.futures import wait

import image_det_cases
import numpy as np
import pytest
from image_record_cases import ERRORS, ORDER, PIXELS
from paths import GOLDEN

import mxnet as mx
from mxnet.io.image_record import RecordSource
from mxnet.recordio import IRHeader, MXIndexedRecordIO, pack, pack_img

with gzip.open(os.path.join(GOLDEN, "image_det.json.gz")) as stream:
    DISTRIBUTIONS = json.load(stream)

with open(os.path.join(GOLDEN, "image_record.json")) as stream:
    FACTS = json.load(stream)
with lzma.open(os.path.join(GOLDEN, "image_record.npz.xz")) as stream:
    ARRAYS = np.load(io.BytesIO(stream.read()))


def make(iterator="ImageRecordIter", file="image_record", arguments=None, **more):
    """The iterator of a case."""
    arguments = {"data_shape": (3, 16, 20), "batch_size": 4, **(arguments or {}), **more}
    base = os.path.join(GOLDEN, file)
    arguments.setdefault("path_imgrec", base + ".rec")
    for name, ending in (("path_imgidx", ".idx"), ("path_imglist", ".lst")):
        if arguments.get(name) is True:
            arguments[name] = base + ending
    return getattr(mx.io, iterator)(**arguments)


def _content():
    with open(os.path.join(GOLDEN, "image_record.rec"), "rb") as file:
        return file.read()


def everything(iterator):
    """The data and labels of an epoch, without padding."""
    batches = list(iterator)
    data = np.concatenate([b.data[0].asnumpy()[: len(b.data[0]) - b.pad] for b in batches])
    return data, np.concatenate([b.label[0].asnumpy()[: len(b.label[0]) - b.pad] for b in batches])


@pytest.fixture
def ramp(tmp_path):
    """40 records of an image whose red is the column and whose green is the row, 80 x 100."""
    rows, columns = np.mgrid[0:80, 0:100]
    image = np.stack([np.full_like(rows, 128), rows, columns], 2).astype(np.uint8)
    record = pack_img(IRHeader(0, 1.0, 0, 0), image, 3, ".png")
    with MXIndexedRecordIO(tmp_path / "ramp.idx", tmp_path / "ramp.rec", "w") as writer:
        for i in range(40):
            writer.write_idx(i, record)
    return str(tmp_path / "ramp.rec")


# ---- as the original -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(PIXELS))
def test_pixels(name):
    iterator, file, arguments = PIXELS[name]
    it = make(iterator, file, arguments)
    batch = it.next()
    found, wanted = batch.data[0].asnumpy(), ARRAYS[name]
    assert [[d.name, list(d.shape), np.dtype(d.dtype).name] for d in it.provide_data + it.provide_label] == FACTS[
        "provide"
    ][name]
    difference = np.abs(found.astype(np.float64) - wanted)
    # Versions of OpenCV round cubic and affine interpolation differently.
    rounds = arguments.get("inter_method") in (2, 9) or _warps(arguments)
    assert difference.max() <= (3 if rounds else 1e-5 * max(1.0, np.abs(wanted).max()))
    assert difference.mean() <= 0.25
    np.testing.assert_allclose(batch.label[0].asnumpy(), ARRAYS[name + ".label"], rtol=1e-6)


def _warps(arguments):
    return any(n in arguments for n in ("rotate", "min_random_scale", "min_aspect_ratio", "min_img_size"))


@pytest.mark.parametrize("name", sorted(ORDER))
def test_order(name):
    """Labels, numbers and pads; in the original a pad that is not the last may be that of an older batch."""
    it = make(*ORDER[name])
    for epoch in FACTS["order"][name]:
        batches = list(it)
        it.reset()
        assert len(batches) == len(epoch)
        for batch, (label, _, index) in zip(batches, epoch, strict=True):
            count = len(label) if ORDER[name][2].get("round_batch", True) else len(label) - batch.pad
            np.testing.assert_allclose(batch.label[0].asnumpy()[:count], np.array(label)[:count], rtol=1e-6)
            assert batch.index.tolist()[:count] == index[:count]
        assert batches[-1].pad == epoch[-1][1]
        assert all(b.pad == 0 for b in batches[:-1])


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_errors(name):
    changes, text = ERRORS[name]
    with pytest.raises(mx.MXNetError, match=text):
        it = make(**changes)
        for _ in range(3):
            it.next()


def test_contradictions():
    for name, value in (("rand_crop", True), ("max_random_scale", 2), ("min_crop_size", 8)):
        with pytest.raises(mx.MXNetError, match="conflicts"):
            make(random_resized_crop=True, **{name: value})


def test_unknown_arguments_are_ignored():
    with pytest.warns(UserWarning, match="'rand_crp' is ignored"):
        make(rand_crp=True).next()


def test_rest_without_round_batch():
    it = make(round_batch=False)
    for _ in range(2):
        batches = list(it)
        assert [b.pad for b in batches] == [0, 0, 0, 3]
        assert batches[-1].label[0].asnumpy().tolist() == [12.5, 0, 0, 0]
        assert not batches[-1].data[0].asnumpy()[1:].any()
        it.reset()


def test_names():
    it = make(data_name="picture", label_name="kind")
    assert (it.provide_data[0].name, it.provide_label[0].name) == ("picture", "kind")


# ---- parts, shuffling, lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 2, 5, 13, 20])
def test_parts_are_all_records(parts):
    for index in (False, True):
        found = []
        for part in range(parts):
            try:
                it = make(num_parts=parts, part_index=part, batch_size=1, path_imgidx=index or "")
            except mx.MXNetError as error:
                assert "not one batch" in str(error)
                continue
            found += everything(it)[1].tolist()
        assert sorted(found) == [i + 0.5 for i in range(13)]


def test_shuffle():
    def orders(**arguments):
        it = make(shuffle=True, batch_size=1, **arguments)
        result = []
        for _ in range(3):
            result.append(everything(it)[1].tolist())
            it.reset()
        return result

    first = orders()
    assert all(sorted(order) == [i + 0.5 for i in range(13)] for order in first)
    assert len({tuple(order) for order in first}) == 3
    assert orders() == first == orders(path_imgidx=True, preprocess_threads=1)
    assert orders(seed=1) != first


def test_shuffled_epochs_have_every_record():
    it = make(shuffle=True, batch_size=5)
    seen = []
    for _ in range(8):  # 13 batches are 5 epochs
        seen += np.concatenate([b.label[0].asnumpy() for b in it]).tolist()
        it.reset()
    for epoch in range(4):
        assert sorted(seen[13 * epoch : 13 * epoch + 13]) == [i + 0.5 for i in range(13)]


def test_reset_within_an_epoch():
    it = make()
    it.next(), it.next()
    it.reset()
    assert it.next().label[0].asnumpy().tolist() == [0.5, 1.5, 2.5, 3.5]


def test_reset_twice():
    it = make()
    list(it)
    it.reset()
    it.reset()  # an epoch of its own, from the first record on
    assert it.next().label[0].asnumpy().tolist() == [0.5, 1.5, 2.5, 3.5]


# The orders of three epochs that MXNet 1.9.1 gave for seed 0; `FeedForward.fit` resets before it reads.
ORDERS = [
    [3.5, 11.5, 12.5, 2.5, 10.5, 6.5, 7.5, 0.5, 5.5, 8.5, 1.5, 4.5, 9.5],
    [1.5, 10.5, 11.5, 4.5, 6.5, 3.5, 12.5, 0.5, 8.5, 9.5, 5.5, 7.5, 2.5],
    [2.5, 11.5, 7.5, 5.5, 10.5, 4.5, 8.5, 3.5, 12.5, 1.5, 9.5, 6.5, 0.5],
]


@pytest.mark.parametrize("resets", range(3))
@pytest.mark.parametrize("read", [0, 1])
def test_each_reset_shuffles_again(resets, read):
    it = make(shuffle=True, path_imgidx=os.path.join(GOLDEN, "image_record.idx"), batch_size=2)
    for _ in range(read if resets else 0):
        it.next()
    for _ in range(resets):
        it.reset()
    found = [batch.label[0].asnumpy()[: 2 - batch.pad].tolist() for batch in it]
    assert [label for labels in found for label in labels] == ORDERS[resets]


def test_other_file_systems():
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://image-records/a.rec", "wb") as file:
        file.write(_content())
    found = everything(make(path_imgrec="memory://image-records/a.rec", preprocess_threads=3))
    for a, b in zip(found, everything(make()), strict=True):
        assert np.array_equal(a, b)


def test_files_and_directories(tmp_path):
    content = _content()
    for name in ("a.rec", "b.rec"):
        (tmp_path / name).write_bytes(content)
    wanted = [i + 0.5 for i in range(13)] * 2
    for path in (tmp_path, f"{tmp_path / 'a.rec'};{tmp_path / 'b.rec'}"):
        assert everything(make(path_imgrec=str(path)))[1].tolist() == wanted


def test_list_lacks_an_image(tmp_path):
    (tmp_path / "a.lst").write_text("100\t1\ta.jpg\n101\t2\tb.jpg\n")
    with pytest.raises(mx.MXNetError, match="image 102 is not in"):
        make(path_imglist=str(tmp_path / "a.lst")).next()


def test_mean_image(tmp_path):
    path = str(tmp_path / "mean.nd")
    plain = everything(make())[0]
    wanted = plain - plain.mean(0)
    for _ in range(2):  # it is made, then read
        np.testing.assert_allclose(everything(make(mean_img=path))[0], wanted, atol=1e-3)
    assert mx.nd.load(path)["mean_img"].shape == (3, 16, 20)


# ---- random changes --------------------------------------------------------------------------------------------------

_ALL = dict(
    max_rotate_angle=10, max_shear_ratio=0.1, max_aspect_ratio=0.1, min_random_scale=0.8, max_random_scale=1.2,
    rand_crop=True, brightness=0.2, contrast=0.2, saturation=0.2, pca_noise=0.1, random_h=10, random_s=10, random_l=10,
    rand_mirror=True, inter_method=10, pad=2, max_random_contrast=0.1, max_random_illumination=5,
)  # fmt: skip


def test_the_same_at_any_number_of_threads():
    def run(**arguments):
        it = make(**_ALL, **arguments)
        first = everything(it)[0]
        it.reset()
        return first, everything(it)[0]

    one, again, three = run(preprocess_threads=1), run(preprocess_threads=1), run(preprocess_threads=3)
    for a, b, c in zip(one, again, three, strict=True):
        assert np.array_equal(a, b) and np.array_equal(a, c)
    assert not np.array_equal(one[0][3:], one[1][: len(one[0]) - 3])  # another epoch, other numbers
    assert np.array_equal(one[0], run(seed=1)[0])  # it is for the order
    assert not np.array_equal(one[0], run(seed_aug=1)[0])


def test_random_crop_and_mirror(ramp):
    data = everything(make(path_imgrec=ramp, batch_size=40, rand_crop=True, rand_mirror=True))[0]
    left = data[:, 0].min((1, 2))
    assert len(set(left)) > 15 and left.min() >= 0 and left.max() <= 80
    assert np.all(data[:, 0].max((1, 2)) == left + 19)
    mirrored = data[:, 0, 0, 0] > data[:, 0, 0, -1]
    assert 8 <= mirrored.sum() <= 32


def test_random_resized_crop(ramp):
    data = everything(
        make(
            path_imgrec=ramp, data_shape=(3, 16, 16), batch_size=40, random_resized_crop=True, min_random_area=0.2,
            max_random_area=0.5, min_aspect_ratio=0.75, max_aspect_ratio=4 / 3,
        )
    )[0]  # fmt: skip
    width = (data[:, 0, :, -1] - data[:, 0, :, 0]).mean(1) * 16 / 15
    height = (data[:, 1, -1] - data[:, 1, 0]).mean(1) * 16 / 15
    area, ratio = width * height / 8000, width / height
    assert 0.18 < area.min() < 0.27 and 0.43 < area.max() < 0.53
    assert 0.72 < ratio.min() < 0.9 and 1.1 < ratio.max() < 1.4


@pytest.mark.parametrize(
    "arguments, low, high",
    [
        (dict(brightness=0.5), 0.5, 1.5),
        (dict(max_random_contrast=0.5), 0.5, 1.5),
        (dict(max_random_illumination=10), 0.78, 1.22),
        (dict(random_l=20), 0.5, 1.5),
    ],
)
def test_colours(ramp, arguments, low, high):
    values = everything(make(path_imgrec=ramp, batch_size=40, **arguments))[0][:, 0, 8, 10] / 50
    assert len(set(values)) > 10 and low - 0.02 <= values.min() < 1 < values.max() <= high + 0.02


# ---- objects ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def objects(tmp_path):
    """24 records of a black image of 60 x 80 with a white object from (10, 15) to (50, 45)."""
    image = np.zeros((60, 80, 3), np.uint8)
    image[15:45, 10:50] = 255
    record = pack_img(IRHeader(0, [2, 5, 3, 0.125, 0.25, 0.625, 0.75], 0, 0), image, 3, ".png")
    with MXIndexedRecordIO(tmp_path / "det.idx", tmp_path / "det.rec", "w") as writer:
        for i in range(24):
            writer.write_idx(i, record)
    return str(tmp_path / "det.rec")


@pytest.mark.parametrize(
    "arguments",
    [
        dict(rand_mirror_prob=0.5),
        dict(rand_pad_prob=1, max_pad_scale=3, fill_value=0),
        dict(rand_crop_prob=1, min_crop_scales=0.5, min_crop_object_coverages=0.3),
        dict(rand_crop_prob=0.8, num_crop_sampler=2, min_crop_scales=(0.3, 0.6), max_crop_scales=(0.9, 1.0),
             min_crop_aspect_ratios=(0.5, 0.75), max_crop_aspect_ratios=(2, 1.5), min_crop_overlaps=(0.1, 0.2),
             max_crop_trials=(25, 10), crop_emit_mode="overlap", rand_mirror_prob=0.5, rand_pad_prob=0.5,
             max_pad_scale=2, fill_value=0),
        dict(resize=30, resize_mode="fit"),
    ],
)  # fmt: skip
def test_boxes_follow_the_image(objects, arguments):
    it = mx.io.ImageDetRecordIter(path_imgrec=objects, data_shape=(3, 90, 120), batch_size=24, **arguments)
    batch = it.next()
    found = set()
    for image, label in zip(batch.data[0].asnumpy(), batch.label[0].asnumpy(), strict=True):
        assert label[:4].tolist() == [3, 90, 120, 7]
        assert label[4:7].tolist() == [2, 5, 3]
        rows, columns = np.nonzero(image[0] > 127)
        box = np.array([columns.min() / 120, rows.min() / 90, (columns.max() + 1) / 120, (rows.max() + 1) / 90])
        np.testing.assert_allclose(label[7:11], box, atol=0.08)  # parts are cut to whole pixels, of 18 or more
        found.add(tuple(label[7:11].tolist()))
    assert len(found) > 1 or "resize" in arguments


@pytest.mark.parametrize(
    "arguments",
    [
        dict(min_crop_scales=0.5, max_crop_scales=0.5),
        dict(min_crop_scales=-0.5),
        dict(max_crop_scales=1.5),
        dict(min_crop_aspect_ratios=2),
        dict(min_crop_overlaps=0.6, max_crop_overlaps=0.5),
        dict(min_crop_scales=(0.1, 0.2)),
        dict(num_crop_sampler=3, min_crop_object_coverages=(0.1, 0.2)),
    ],
)
def test_wrong_crop_samplers(objects, arguments):
    """The original refuses the same."""
    with pytest.raises(mx.MXNetError, match=list(arguments)[-1][4:]):
        mx.io.ImageDetRecordIter(path_imgrec=objects, data_shape=(3, 8, 8), batch_size=2, **arguments)


@pytest.fixture(scope="module")
def det_file(tmp_path_factory):
    return image_det_cases.write(mx, str(tmp_path_factory.mktemp("det")))


@pytest.mark.parametrize("name", sorted(image_det_cases.CASES))
def test_distributions(det_file, name):
    """Place, size and aspect ratio of parts, colours, and which objects are left, are distributed as in the original.

    Two samples of 800 from the same distribution differ by 0.1 or more in one of a thousand cases.
    """
    rows = image_det_cases.measured(mx, det_file, name)
    quantiles, kept = DISTRIBUTIONS[name]
    for values, wanted in zip(rows.T, np.array(quantiles), strict=False):
        near = 0.004 * max(1.0, np.abs(wanted).max())  # of two values that are nearly equal either may be the less
        below = (values < wanted[:, None] - near).mean(1)
        above = (values <= wanted[:, None] + near).mean(1)
        assert np.all(below <= image_det_cases.QUANTILES + 0.1) and np.all(above >= image_det_cases.QUANTILES - 0.1)
    np.testing.assert_allclose(image_det_cases.summary(rows)[1], kept, atol=0.08)


def test_labels_are_padded_and_checked(objects, tmp_path):
    it = mx.io.ImageDetRecordIter(path_imgrec=objects, data_shape=(3, 8, 8), batch_size=2, label_pad_width=12)
    assert it.next().label[0].asnumpy()[0].tolist()[11:] == [-1] * 5
    with pytest.raises(mx.MXNetError, match="label_pad_width"):
        mx.io.ImageDetRecordIter(path_imgrec=objects, data_shape=(3, 8, 8), batch_size=2, label_pad_width=3)
    with pytest.raises(mx.MXNetError, match="record 0"):  # labels of another kind
        make("ImageDetRecordIter", "image_record_labels").next()


# ---- threads, damage -------------------------------------------------------------------------------------------------


def test_image_that_cannot_be_decoded(tmp_path):
    good = pack_img(IRHeader(0, 1.0, 7, 0), np.full((30, 30, 3), 9, np.uint8))
    with MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w") as writer:
        for i in range(12):
            writer.write_idx(i, pack(IRHeader(0, 1.0, 77, 0), b"no picture") if i == 6 else good)
    it = make(path_imgrec=str(tmp_path / "a.rec"))
    it.next()
    with pytest.raises(mx.MXNetError, match=r"a\.rec: record 6 at offset \d+: image 77"):
        it.next()
    assert it.next().data[0].shape == (4, 3, 16, 20)  # what is behind is still there
    with pytest.raises(StopIteration):
        it.next()


@pytest.mark.parametrize("index", [False, True])
def test_damaged_file(tmp_path, index):
    content = bytearray(_content())
    content[6208:6212] = b"oops"  # the head of record 4
    (tmp_path / "a.rec").write_bytes(content)
    names = dict(path_imgidx=os.path.join(GOLDEN, "image_record.idx")) if index else {}
    it = make(path_imgrec=str(tmp_path / "a.rec"), **names)
    for _ in range(2):
        assert it.next().label[0].asnumpy().tolist() == [0.5, 1.5, 2.5, 3.5]
        with pytest.raises(mx.MXNetError, match=r"a\.rec: record 4 at offset 6208 is damaged"):
            it.next()
        it.reset()


def test_file_that_ends_early(tmp_path):
    content = _content()
    (tmp_path / "a.rec").write_bytes(content[:-100])
    with pytest.raises(mx.MXNetError, match=r"a\.rec: record 12 .*ends"):
        list(make(path_imgrec=str(tmp_path / "a.rec")))


def _threads():
    return [t for t in threading.enumerate() if t.name.startswith("ImageRecordIter")]


def _wait_for_no_threads():
    for _ in range(100):
        gc.collect()
        if not _threads():
            return
        time.sleep(0.05)
    raise AssertionError(_threads())


def test_threads_end():
    _wait_for_no_threads()
    it = make(preprocess_threads=3)
    it.next()
    assert _threads()
    del it
    _wait_for_no_threads()
    it = make()
    it.next()
    it.handle.close()
    _wait_for_no_threads()
    with pytest.raises(mx.MXNetError, match="closed"):
        it.next()


@pytest.mark.parametrize("error", [RuntimeError("odd"), MemoryError("none left"), SystemExit(3), KeyboardInterrupt()])
def test_failing_decoder(monkeypatch, error):
    """Whatever happens in a thread is an error of its batch, with the place; the other batches are there."""
    original = RecordSource._decode

    def decode(self, image):
        if image.number == 105:
            raise error
        return original(self, image)

    monkeypatch.setattr(RecordSource, "_decode", decode)
    it = make(preprocess_threads=2)
    assert it.next().data[0].shape == (4, 3, 16, 20)
    with pytest.raises(mx.MXNetError, match=rf"image_record\.rec: record 5 at offset \d+: {type(error).__name__}"):
        it.next()
    assert it.next().label[0].asnumpy().tolist() == [8.5, 9.5, 10.5, 11.5]


def test_killed_threads():
    """Threads that are no more are an error, not a wait without end."""
    it = make(preprocess_threads=1)
    it.next()
    for coming in it.handle._coming:
        wait(coming.tasks)
    (worker,) = it.handle._workers  # gets an exception out of nowhere, as a debugger might raise it
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker.ident), ctypes.py_object(SystemExit))
    it.handle._threads._work_queue.put(None)  # wakes it up
    worker.join(10)
    start = time.monotonic()
    with pytest.raises(mx.MXNetError, match="a thread that decodes images has ended"):
        for _ in range(3):
            list(it)
            it.reset()
    assert time.monotonic() - start < 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_a_fork():
    it = make(prefetch_buffer=1, preprocess_threads=1)
    it.next()

    def child():
        with pytest.raises(mx.MXNetError, match="forked"):
            for _ in range(3):
                it.next()

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join(60)
    assert process.exitcode == 0


def check_mutations(tmp_path, count, seed):
    """Damaged files give an error that says where, or all images, and come to an end; never fewer without a word."""
    generator = random.Random(seed)
    content, starts = _content(), set()
    with MXIndexedRecordIO(str(GOLDEN / "image_record.idx"), str(GOLDEN / "image_record.rec"), "r") as reader:
        starts.update(reader.idx.values(), [len(content)])
    path = str(tmp_path / "m.rec")
    errors = 0
    for number in range(count):
        kind, at, n = number % 5, generator.randrange(len(content)), generator.randrange(1, 9)
        if number % 2:  # mostly it is the heads that matter
            at = min(generator.choice(sorted(starts)[:-1]) + generator.randrange(36), len(content) - 1)
        damaged = bytearray(content)
        if kind == 0:
            damaged[at] ^= 1 << generator.randrange(8)
        elif kind == 1:
            del damaged[at:]
        elif kind == 2:
            del damaged[at : at + n]
        elif kind == 3:
            damaged[at:at] = generator.randbytes(n)
        else:
            damaged[at : at + 4 * n] = b"\0" * min(4 * n, len(content) - at)
        with open(path, "wb") as stream:
            stream.write(damaged)
        shuffled = number % 3 == 0
        try:
            labels = everything(make(path_imgrec=path, batch_size=1, preprocess_threads=2, shuffle=shuffled))[1]
        except mx.MXNetError as error:
            errors += 1
            empty = not damaged and "not one batch" in str(error)
            assert empty or re.search(r"m\.rec: record \d+ at offset \d+", str(error)), error
        else:
            assert len(labels) == 13 or (kind == 1 and at in starts), (kind, at, n)
    assert errors > count // 4


def test_60_damaged_files(tmp_path):
    check_mutations(tmp_path, 60, 1)


@pytest.mark.slow
def test_10000_damaged_files(tmp_path):
    check_mutations(tmp_path, 10_000, 2)


@pytest.mark.slow
def test_memory_stays_the_same():
    """Ten epochs take no more memory than the first two."""
    statm = "/proc/self/statm"
    if not os.path.exists(statm):
        pytest.skip("the system does not tell")
    it = make(data_shape=(3, 200, 200), batch_size=13, rand_crop=True, rand_mirror=True, shuffle=True)
    sizes = []
    for _ in range(60):
        for batch in it:
            batch.data[0].wait_to_read()
        it.reset()
        with open(statm) as pages:
            sizes.append(int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6)
    assert max(sizes[12:]) < sizes[11] + 10, sizes  # a batch has 6 MB


def test_batches_are_not_overwritten():
    it = make(prefetch_buffer=1, batch_size=2)
    kept = []
    for _ in range(3):
        kept += [(b.data[0], b.data[0].asnumpy().copy()) for b in it]
        it.reset()
    views = [data[0:1] for data, _ in kept]
    copies = [values for _, values in kept]
    for (data, _), values in zip(kept, copies, strict=True):
        assert np.array_equal(data.asnumpy(), values)
    del kept
    for _ in range(2):
        list(it)
        it.reset()
    for view, values in zip(views, copies, strict=True):
        assert np.array_equal(view.asnumpy(), values[0:1])


def test_trains_a_module():
    data = mx.sym.FullyConnected(mx.sym.Flatten(mx.sym.Variable("data")), num_hidden=2, name="out")
    net = mx.sym.LinearRegressionOutput(mx.sym.mean(data, axis=1), mx.sym.Variable("softmax_label"))
    module = mx.mod.Module(net)
    module.fit(
        make(scale=1 / 255, rand_mirror=True), num_epoch=2, eval_metric="mse", optimizer_params={"learning_rate": 1e-3}
    )
