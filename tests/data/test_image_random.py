"""Random changes of images by the record iterators are those of the original, image by image."""

import io
import lzma
import os

import image_random_cases
import numpy as np
import pytest
from paths import GOLDEN

import mxnet as mx
from mxnet.io.image_files import size_in_header
from mxnet.io.image_opencv import cv2

with lzma.open(os.path.join(GOLDEN, "image_random.npz.xz")) as stream:
    ARRAYS = np.load(io.BytesIO(stream.read()))

#: Versions of OpenCV round affine, cubic and HLS arithmetic differently, and what follows makes more of it.
_ROUNDS = ("rotate", "shear", "scale", "aspect", "warp", "inter", "part_rotate", "colours", "det_all")


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("big"))
    image_random_cases.write_big(mx, folder)
    return folder


@pytest.mark.parametrize("name", sorted(image_random_cases.CASES))
def test_as_the_original(name, big):
    data, labels = image_random_cases.run(mx, name, GOLDEN, big)
    np.testing.assert_allclose(labels, ARRAYS[name + ".label"], atol=1e-6)
    difference = np.abs(data.astype(np.float64) - ARRAYS[name])
    if any(word in name for word in _ROUNDS):
        assert difference.mean() < 0.6 and difference.reshape(len(data), -1).mean(1).max() < 1.5
    elif name in ("contrast", "saturation"):  # sums that end in a half
        assert difference.max() <= 1 and difference.mean() < 0.01
    else:
        assert difference.max() < 1e-4


@pytest.mark.parametrize("name", ["both", "part_shuffle", "v1_shuffle", "det_all"])
def test_threads_do_not_matter(name, big, monkeypatch):
    one = image_random_cases.run(mx, name, GOLDEN, big)
    iterator, file, arguments = image_random_cases.CASES[name]
    monkeypatch.setitem(image_random_cases.CASES, name, (iterator, file, dict(arguments, preprocess_threads=3)))
    for a, b in zip(one, image_random_cases.run(mx, name, GOLDEN, big), strict=True):
        assert np.array_equal(a, b)


def test_reset_within_an_epoch():
    """The numbers go on behind those of the last batch that was read, however many were made ahead."""

    def batches(prefetch):
        it = mx.io.ImageRecordIter(
            path_imgrec=str(GOLDEN / "image_record.rec"), data_shape=(3, 8, 10), batch_size=4, rand_crop=True,
            prefetch_buffer=prefetch,
        )  # fmt: skip
        it.next()
        it.reset()
        return [it.next().data[0].asnumpy() for _ in range(3)]

    for a, b in zip(batches(1), batches(3), strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("ending, flags", [(".png", []), (".jpg", []), (".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])])
def test_size_in_header(ending, flags):
    content = cv2.imencode(ending, np.zeros((37, 53, 3), np.uint8), flags)[1]
    assert size_in_header(content) == (37, 53)
    for length in range(64):  # cut short it says nothing, or the truth
        assert size_in_header(content[:length]) in (None, (37, 53))
    assert size_in_header(cv2.imencode(".bmp", np.zeros((5, 7, 3), np.uint8))[1]) is None


def test_turned_images_are_decoded_for_their_size():
    plain = cv2.imencode(".jpg", np.zeros((37, 53, 3), np.uint8))[1].tobytes()
    exif = b"\xff\xe1\x00\x0eExif\0\0MM\0*\0\0"
    assert size_in_header(np.frombuffer(plain[:2] + exif + plain[2:], np.uint8)) is None


def test_an_image_that_is_not_what_its_header_says_is_refused(tmp_path):
    content = bytearray(cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8))[1].tobytes())
    start = content.index(b"\xff\xc0") + 5
    content[start : start + 2] = (0).to_bytes(2, "big")
    assert size_in_header(np.frombuffer(bytes(content), np.uint8)) is None
    png = bytearray(cv2.imencode(".png", np.zeros((16, 16, 3), np.uint8))[1].tobytes())
    png[16:24] = (2**31 - 1).to_bytes(4, "big") * 2
    path = str(tmp_path / "lies.rec")
    record = mx.recordio.MXRecordIO(path, "w")
    record.write(mx.recordio.pack(mx.recordio.IRHeader(0, 1.0, 0, 0), bytes(png)))
    record.close()
    with pytest.raises(mx.MXNetError, match=r"lies\.rec"):
        mx.io.ImageRecordIter(path_imgrec=path, data_shape=(3, 8, 8), batch_size=1, rand_crop=True).next()
