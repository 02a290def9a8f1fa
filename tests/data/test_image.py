"""mx.image: functions, augmenters and iterators, compared with what the original did with the same images."""

import io
import json
import logging
import lzma
import os
import random
import warnings

import image_cases as cases
import numpy as np
import pytest
from compare import load_golden
from paths import GOLDEN

import mxnet as mx
from mxnet import image, recordio

ARRAYS = dict(np.load(io.BytesIO(lzma.decompress((GOLDEN / "image.npz.xz").read_bytes()))))
TEXTS = load_golden("image.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("records")
    cases.write_records(mx, str(path))
    return str(path)


def compare(name, value, expected):
    """Equal, up to rounding; OpenCV computes bicubic interpolation of bytes and angles differently since 3.4."""
    assert value.shape == expected.shape and value.dtype == expected.dtype, name
    if value.dtype == np.uint8:
        assert np.abs(value.astype(int) - expected.astype(int)).max() <= (2 if cubic(name) else 0), name
    else:
        np.testing.assert_allclose(value, expected, rtol=1e-3 if value.dtype == np.float16 else 1e-5, atol=2e-2)


def cubic(name):
    return name.endswith((" 2", " 9", " 10")) or "resize_short tall" in name


def check(name, outcome):
    result, following = outcome
    values = cases.as_arrays(result)
    for i, value in enumerate(values):
        compare(name, value, ARRAYS[f"{name}/{i}"])
    assert f"{name}/{len(values)}" not in ARRAYS
    assert list(following) == TEXTS[name], "other random numbers were drawn"


@pytest.mark.parametrize("name", sorted(cases.functions(mx)))
def test_functions(name):
    check("function " + name, cases.seeded(mx, cases.functions(mx)[name]))


@pytest.mark.parametrize("number", range(len(cases.augmenters(mx))))
def test_augmenters(number):
    augmenter = cases.augmenters(mx)[number]
    assert augmenter.dumps() == TEXTS[f"augmenter dumps {number}"]
    wide = image.imread(cases.path("wide.jpg")).astype("float32")
    check(f"augmenter {number}", cases.seeded(mx, lambda: augmenter(wide)))


@pytest.mark.parametrize("number", range(len(cases.CREATED)))
def test_create_augmenter(number):
    created = image.CreateAugmenter((3, 20, 18), **cases.CREATED[number])
    assert [augmenter.dumps() for augmenter in created] == TEXTS[f"created dumps {number}"]


@pytest.mark.parametrize("number", range(len(cases.CREATED_DET)))
def test_create_det_augmenter(number):
    created = image.CreateDetAugmenter((3, 20, 18), **cases.CREATED_DET[number])
    assert [augmenter.dumps() for augmenter in created] == TEXTS[f"created det dumps {number}"]


def test_scale_down():
    assert [list(image.scale_down(*sizes)) for sizes in cases.SIZES] == TEXTS["scale_down"]


def test_detection_augmenters():
    for number in range(300):
        shape, total, following, dumped = TEXTS[f"detection {number}"]
        augmenter, size = cases.detection(mx, number)
        assert json.loads(augmenter.dumps()) == json.loads(dumped)
        source = mx.nd.ones((*size, 3), dtype="uint8")
        (result, label), after = cases.seeded(mx, lambda a=augmenter, s=source: a(s, cases.BOXES.copy()), number)
        assert list(result.shape) == shape, number
        assert float(result.asnumpy().astype(np.uint8).sum(dtype=np.uint64) % 256) == total % 256, number
        expected = ARRAYS.get(f"detection {number}", cases.BOXES)
        np.testing.assert_allclose(label, expected, rtol=1e-5, atol=1e-6, err_msg=str(number))
        assert list(after) == following, number


@pytest.mark.parametrize("name", [key.removeprefix("iterator ") for key in TEXTS if key.startswith("iterator ")])
def test_iterators(name, folder):
    (values, said), following = cases.seeded(mx, lambda: cases.epochs(cases.iterators(mx, folder)[name]()))
    assert [said, list(following)] == TEXTS["iterator " + name]
    for i, value in enumerate(values):
        np.testing.assert_allclose(cases.less(value), ARRAYS[f"iterator {name}/{i}"], rtol=1e-4, atol=0.02)
    assert f"iterator {name}/{len(values)}" not in ARRAYS


def test_drawn_boxes(folder):
    iterator = image.ImageDetIter(2, (3, 20, 18), path_imgrec=folder + "/det.rec", inter_method=1)
    np.testing.assert_array_equal(
        np.stack(list(iterator.draw_next(color=(250, 100, 250), thickness=1))), ARRAYS["drawn"]
    )
    iterator.reset()
    named = list(iterator.draw_next(mean=True, std=True, clip=True, id2labels={i: str(i) for i in range(4)}))
    assert len(named) == 5 and all(each.dtype == np.uint8 and each.shape == (20, 18, 3) for each in named)


# ---- what else there is to know -------------------------------------------------------------------------------------


def test_names():
    assert mx.img is mx.image and image.image.copyMakeBorder is image.detection.copyMakeBorder
    assert image.image.ImageIter is image.ImageIter is image.detection.ImageIter


def test_colours_change_in_place():
    wide = image.imread(cases.path("wide.jpg")).astype("float32")
    for augmenter in (
        image.BrightnessJitterAug(0.3),
        image.ContrastJitterAug(0.3),
        image.SaturationJitterAug(0.3),
        image.LightingAug(0.1, cases.EIGVAL, cases.EIGVEC),
        image.ColorNormalizeAug([1, 2, 3], None),
    ):
        before = wide.copy()
        assert augmenter(wide) is wide
        assert (before != wide).sum().asscalar() > 0
    with pytest.raises(mx.MXNetError):
        image.ContrastJitterAug(0.3)(image.imread(cases.path("wide.jpg")))


def test_bad_images(tmp_path):
    with pytest.raises(mx.MXNetError, match=r"no-such\.jpg"):
        image.imread("no-such.jpg")
    for content in (b"", b"no image", np.zeros(0, np.uint8)):
        with pytest.raises(mx.MXNetError):
            image.imdecode(content)
    with pytest.raises(ValueError, match="bytes"):
        image.imdecode("text")
    (tmp_path / "broken.jpg").write_bytes(b"no image")
    iterator = image.ImageIter(1, (3, 8, 8), imglist=[[0, "broken.jpg"]], path_root=str(tmp_path))
    with pytest.raises(RuntimeError, match=r"Broken image filename: broken\.jpg"):
        iterator.next()
    with recordio.MXIndexedRecordIO(tmp_path / "b.idx", tmp_path / "b.rec", "w") as writer:
        writer.write_idx(7, recordio.pack((0, 1.0, 7, 0), b"no image"))
    for options, words in (({"path_imgidx": tmp_path / "b.idx"}, "index: 7"), ({}, "number: 0")):
        with pytest.raises(RuntimeError, match=f"Broken image {words}"):
            image.ImageIter(1, (3, 8, 8), path_imgrec=tmp_path / "b.rec", **options).next()
    with pytest.raises(mx.MXNetError, match=r"nothing\.jpg"):
        image.ImageIter(1, (3, 8, 8), imglist=[[0, "nothing.jpg"]], path_root=str(tmp_path)).next()


def test_remote_images():
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").pipe("/pictures/wide.jpg", cases.content("wide.jpg"))
    local = image.imread(cases.path("wide.jpg")).asnumpy()
    np.testing.assert_array_equal(image.imread("memory://pictures/wide.jpg").asnumpy(), local)
    iterator = image.ImageIter(1, (3, 24, 36), imglist=[[3, "wide.jpg"]], path_root="memory://pictures")
    np.testing.assert_array_equal(iterator.next().data[0][0].asnumpy().transpose(1, 2, 0), local)


def test_wrong_arguments(folder):
    record = {"path_imgrec": folder + "/one.rec"}
    for options, exception, words in (
        ({}, AssertionError, "must be given"),
        ({"shuffle": True, **record}, AssertionError, "path_imgidx"),
        ({"num_parts": 2, **record}, AssertionError, "path_imgidx"),
        ({"dtype": "uint8", **record}, AssertionError, "uint8 label not supported"),
        ({"last_batch_handle": "drop", **record}, ValueError, "last_batch_handle"),
        ({"unheard_of": 1, **record}, TypeError, "unheard_of"),
    ):
        with pytest.raises(exception, match=words):
            image.ImageIter(3, (3, 8, 8), **options)
    for shape in ((20, 30), (1, 20, 30)):
        with pytest.raises(ValueError):
            image.ImageIter(3, shape, **record)
    with pytest.raises(ValueError, match="2 labels, but label_width is 1"):
        image.ImageIter(3, (3, 8, 8), path_imgrec=folder + "/two.rec").next()
    with pytest.raises(ValueError, match="expected \\(3, 8, 8\\)"):
        image.ImageIter(3, (3, 8, 8), aug_list=[], **record).next()
    with pytest.raises(ValueError, match="not in the list"):
        image.ImageIter(
            1, (3, 8, 8), path_imgidx=folder + "/one.idx", path_imglist=folder + "/one.lst", **record
        ).next()
    for call in (
        lambda: image.random_size_crop(mx.nd.zeros((4, 4, 3)), (2, 2), 0.3, (1, 1), unheard_of=1),
        lambda: image.CreateAugmenter((3, 4, 4), rand_resize=True),
        lambda: image.CreateAugmenter((3, 4, 4), mean=[1, 2, 3]),
        lambda: image.CreateDetAugmenter((3, 4, 4), std=np.ones(2)),
        lambda: image.CreateMultiRandCropAugmenter(min_object_covered=[0.1, 0.5], max_attempts=[1, 2, 3]),
    ):
        with pytest.raises(AssertionError):
            call()
    for angle, zoom, exception in ((mx.nd.array([1]), {}, TypeError), (1, {"zoom_in": 1, "zoom_out": 1}, ValueError)):
        with pytest.raises(exception):
            image.imrotate(mx.nd.zeros((3, 4, 4)), angle, **zoom)
    with pytest.raises(ValueError, match="number of rotation angles"):
        image.imrotate(mx.nd.zeros((2, 3, 4, 4)), mx.nd.array([1, 2, 3]))
    with pytest.raises(TypeError, match="float32"):
        image.imrotate(mx.nd.zeros((3, 4, 4), dtype="uint8"), 1)


def test_ranges_of_nothing_are_warned_of():
    source = mx.nd.zeros((8, 8, 3), dtype="uint8")
    for make in (
        lambda: image.DetRandomCropAug(area_range=(0.2, 0.1)),
        lambda: image.DetRandomCropAug(aspect_ratio_range=(2, 1)),
        lambda: image.DetRandomPadAug(area_range=(0.1, 0.5)),
    ):
        with pytest.warns(UserWarning, match="invalid"):
            augmenter = make()
        result, label = augmenter(source, cases.BOXES)
        assert not augmenter.enabled and result is source and label is cases.BOXES
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert image.DetRandomCropAug(0.5, 0.9, 0.8).area_range == (0.8, 0.8)


def test_broken_list(tmp_path):
    (tmp_path / "a.lst").write_text("0\t1\twide.jpg\nx\t2\ttall.jpg\n")
    with pytest.raises(mx.MXNetError, match="line 2"):
        image.ImageIter(1, (3, 8, 8), path_imglist=tmp_path / "a.lst", path_root=cases.IMAGES)


def test_more_padding_than_images():
    iterator = image.ImageIter(7, (3, 8, 8), imglist=[[1, "wide.jpg"], [2, "tall.jpg"]], path_root=cases.IMAGES)
    batch = iterator.next()
    assert batch.pad == 5 and batch.label[0].asnumpy().tolist() == [1, 2, 1, 2, 1, 2, 1]
    with pytest.raises(StopIteration):
        iterator.next()
    with pytest.raises(StopIteration):
        iterator.next()
    iterator.reset()
    assert iterator.next().pad == 5


@pytest.mark.parametrize(
    "handle, size, passes",
    [
        ("pad", 2, [[[1, 2], [3, 4]]] * 3),
        ("discard", 2, [[[1, 2], [3, 4]], [], []]),
        ("roll_over", 2, [[[1, 2], [3, 4]]] * 3),
        ("pad", 3, [[[1, 2, 3], [4, 1, 2]], [], []]),
        ("discard", 3, [[[1, 2, 3]], [], []]),
        ("roll_over", 3, [[[1, 2, 3]], [[4, 1, 2]], [[3, 4, 1], [2, 3, 4]]]),
    ],
)
def test_passes_without_a_reset(handle, size, passes):
    names = [[i + 1, name] for i, name in enumerate(["wide.jpg", "tall.jpg"] * 2)]
    iterator = image.ImageIter(size, (3, 8, 8), imglist=names, path_root=cases.IMAGES, last_batch_handle=handle)
    assert [[batch.label[0].asnumpy().tolist() for batch in iterator] for _ in range(3)] == passes


def test_hard_reset_forgets_what_was_left(folder):
    iterator = image.ImageIter(3, (3, 8, 8), path_imgrec=folder + "/one.rec", last_batch_handle="roll_over")
    assert len(list(iterator)) == 2
    iterator.hard_reset()
    batch = iterator.next()
    assert batch.pad == 0 and batch.label[0].asnumpy().tolist() == [0, 1, 2]


def detection_iterator(tmp_path, labels, **options):
    with recordio.MXRecordIO(tmp_path / "d.rec", "w") as writer:
        for i, label in enumerate(labels):
            writer.write(recordio.pack((0, label, i, 0), cases.content("wide.jpg")))
    return image.ImageDetIter(1, (3, 20, 30), path_imgrec=tmp_path / "d.rec", **options)


@pytest.mark.parametrize(
    "label, words",
    [
        (1.0, "Label shape is invalid"),
        ([2, 5, 0, 0.1], "Label shape is invalid"),
        ([1, 5, 0, 0.1, 0.2, 0.3, 0.4], "inconsistent"),
        ([2, 5, 0, 0.1, 0.2, 0.3, 0.4, 1], "inconsistent"),
        ([2, 5, 0, 0.5, 0.2, 0.3, 0.4], "no valid label"),
    ],
)
def test_bad_detection_labels(tmp_path, label, words):
    with pytest.raises(RuntimeError, match=words):
        detection_iterator(tmp_path, [label])


def test_objects_of_different_width(tmp_path):
    with pytest.raises(ValueError, match="same number of values"):
        detection_iterator(tmp_path, [[2, 5, 0, 0.1, 0.2, 0.5, 0.6], [2, 6, 0, 0.1, 0.2, 0.5, 0.6, 9]])


def test_label_shapes(folder, caplog):
    def make():
        return image.ImageDetIter(2, (3, 20, 30), path_imgrec=folder + "/det.rec")

    first, second = make(), make()
    first.reshape(data_shape=(3, 40, 40), label_shape=(8, 5))
    assert first.provide_data == [("data", (2, 3, 40, 40))] and first.provide_label == [("label", (2, 8, 5))]
    for shape in ((1, 5), (8, 4), (8, 7), (8,)):
        with pytest.raises(ValueError):
            first.reshape(label_shape=shape)
    with pytest.raises(ValueError):
        first.reshape(data_shape=(8,))
    with caplog.at_level(logging.INFO):
        assert second.sync_label_shape(first, verbose=True) is first
    assert second.label_shape == (8, 5) and "(8, 5)" in caplog.text
    assert second.next().label[0].shape == (2, 8, 5)
    assert first.sync_label_shape(make()).label_shape == (8, 5)
    with pytest.raises(AssertionError):
        first.sync_label_shape(3)


def test_own_augmenter(folder):
    class Dark(image.Augmenter):
        def __call__(self, src):
            return src * 0

    augmenters = [*image.CreateAugmenter((3, 8, 8)), Dark()]
    iterator = image.ImageIter(2, (3, 8, 8), path_imgrec=os.path.join(folder, "one.rec"), aug_list=augmenters)
    assert iterator.next().data[0].sum().asscalar() == 0
    with pytest.raises(NotImplementedError):
        image.Augmenter()(mx.nd.zeros((2, 2, 3)))


def test_seeds_repeat(folder):
    def labels(seed):
        random.seed(seed)
        options = {"path_imgrec": folder + "/one.rec", "path_imgidx": folder + "/one.idx", "shuffle": True}
        return [batch.label[0].asnumpy().tolist() for batch in image.ImageIter(1, (3, 8, 8), **options)]

    assert labels(1) == labels(1) != labels(2)
