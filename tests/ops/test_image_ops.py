"""What is random, read from files or hostile in the image operators; their values are in samples/image.py."""

import numpy as np
import pytest
import torch
from samples.image import _image, _png

import mxnet as mx

NAMES = ["brightness", "contrast", "saturation", "hue"]
DRAWS = 2000


def image_of(*values, dtype="float32"):
    return mx.nd.array(np.array(values, dtype).reshape(1, -1, 3), dtype=dtype)


@pytest.fixture(autouse=True)
def _seed():
    mx.random.seed(11)


def test_brightness_is_uniform():
    ones = mx.nd.ones((1, 1, 3))
    factors = np.array([mx.nd.image.random_brightness(ones, 0.5, 2.0).asnumpy()[0, 0, 0] for _ in range(DRAWS)])
    assert factors.min() >= 0.5
    assert factors.max() <= 2.0
    assert abs(factors.mean() - 1.25) < 5 * 1.5 / np.sqrt(12 * DRAWS)
    assert abs(factors.std() - 1.5 / np.sqrt(12)) < 0.02


@pytest.mark.parametrize("name", ["flip_left_right", "flip_top_bottom"])
def test_flips_happen_half_of_the_time(name):
    image = mx.nd.array(np.arange(12).reshape(2, 2, 3))
    turned = getattr(mx.nd.image, name)(image).asnumpy()
    results = [getattr(mx.nd.image, f"random_{name}")(image).asnumpy() for _ in range(DRAWS)]
    flipped = [np.array_equal(r, turned) for r in results]
    assert all(f or np.array_equal(r, image.asnumpy()) for f, r in zip(flipped, results, strict=True))
    assert abs(np.mean(flipped) - 0.5) < 5 * 0.5 / np.sqrt(DRAWS)


@pytest.mark.parametrize("width", [4, 5])
def test_flips_turn_the_middle_too(width):
    image = _image(width, width, 3)
    array = mx.nd.array(image, dtype="uint8")
    np.testing.assert_array_equal(mx.nd.image.flip_left_right(array).asnumpy(), image[:, ::-1])
    np.testing.assert_array_equal(mx.nd.image.flip_top_bottom(array).asnumpy(), image[::-1])


def test_lighting_is_normal_along_the_components():
    zeros = mx.nd.zeros((1, 1, 3))
    found = np.array([mx.nd.image.random_lighting(zeros, 0.1).asnumpy().ravel() for _ in range(DRAWS)])
    columns = [mx.nd.image.adjust_lighting(zeros, alpha=a).asnumpy().ravel() for a in np.eye(3).tolist()]
    deviation = 0.1 * np.sqrt(np.square(columns).sum(0))
    np.testing.assert_allclose(found.mean(0), 0, atol=5 * deviation.max() / np.sqrt(DRAWS))
    np.testing.assert_allclose(found.std(0), deviation, rtol=0.1)


def test_saturation_moves_towards_each_pixels_gray():
    image = image_of([100, 50, 20], [10, 20, 200])
    gray = image.asnumpy() @ np.array([0.299, 0.587, 0.114], "float32")
    found = mx.nd.image.random_saturation(image, 0.25, 0.25).asnumpy()
    np.testing.assert_allclose(found, 0.25 * image.asnumpy() + 0.75 * gray[..., None], rtol=1e-5)


def test_jitter_of_one_property_has_its_range():
    image = image_of([100, 50, 20])
    found = [mx.nd.image.random_color_jitter(image, 0.4, 0, 0, 0).asnumpy()[0, 0, 0] for _ in range(DRAWS)]
    assert 60 <= min(found) < 62
    assert 138 < max(found) <= 140
    assert abs(np.mean(found) - 100) < 5 * 80 / np.sqrt(12 * DRAWS)


def test_jitter_of_integers_is_cut_after_each_property():
    image = image_of([10, 200, 77], [250, 128, 3]).astype("uint8")
    mx.random.seed(5)
    found = [mx.nd.image.random_color_jitter(image, 0.4, 0.4, 0, 0).asnumpy().ravel().tolist() for _ in range(3)]
    # the original's
    assert found == [[0, 162, 52, 198, 98, 0], [30, 189, 86, 230, 128, 24], [11, 136, 55, 169, 89, 6]]


def test_jitter_of_all_properties_stays_in_range_and_of_none_is_a_copy():
    image = mx.nd.array(_image(6, 5, 3), dtype="uint8")
    found = [mx.nd.image.random_color_jitter(image, 0.5, 0.5, 0.5, 0.5).asnumpy() for _ in range(20)]
    assert all(f.dtype == np.uint8 and f.shape == image.shape for f in found)
    assert len({f.tobytes() for f in found}) == 20
    same = mx.nd.image.random_color_jitter(image, 0, 0, 0, 0)
    np.testing.assert_array_equal(same.asnumpy(), image.asnumpy())
    same[:] = 0
    assert image.asnumpy().any()


@pytest.mark.parametrize("name", [*NAMES, "lighting", "flip_left_right", "flip_top_bottom", "color_jitter"])
def test_the_seed_decides(name):
    function = getattr(mx.nd.image, f"random_{name}")
    special = {"color_jitter": (0.3, 0.3, 0.3, 0.3), "lighting": (0.5,)}
    arguments = special.get(name, (0.3, 1.7) if name in NAMES else ())
    image = mx.nd.array(_image(4, 4, 3), dtype="float32")

    def draw(seed):
        mx.random.seed(seed)
        return np.stack([function(image, *arguments).asnumpy() for _ in range(8)])

    np.testing.assert_array_equal(draw(3), draw(3))
    assert not np.array_equal(draw(3), draw(4))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float16", "float64"])
def test_changes_keep_the_dtype(name, dtype):
    image = mx.nd.array(_image(3, 4, 3, dtype=dtype), dtype=dtype)
    found = getattr(mx.nd.image, f"random_{name}")(image, 0.5, 0.5)
    assert found.dtype == np.dtype(dtype).type
    single = getattr(mx.nd.image, f"random_{name}")(mx.nd.slice_axis(image, axis=2, begin=0, end=1), 0.5, 0.5)
    assert single.shape == (3, 4, 1)


def test_gradient_of_a_change_is_the_real_one():
    image = image_of([100, 50, 20], [10, 20, 200])
    image.attach_grad()
    with mx.autograd.record():
        result = mx.nd.image.random_brightness(image, 0.5, 0.5)
    result.backward()
    np.testing.assert_allclose(image.grad.asnumpy(), 0.5)


def test_default_normalization_changes_nothing():
    data = mx.nd.array(np.random.RandomState(0).rand(3, 2, 2))
    np.testing.assert_array_equal(mx.nd.image.normalize(data).asnumpy(), data.asnumpy())


def test_resize_is_differentiable_and_agrees_with_opencv():
    data = mx.nd.array(_image(6, 8, 3, dtype="float32"))
    data.attach_grad()
    for interp in (0, 1, 2):
        plain = mx.nd.image.resize(data, (5, 4), interp=interp)
        with mx.autograd.record():
            recorded = mx.nd.image.resize(data, (5, 4), interp=interp)
        np.testing.assert_allclose(plain.asnumpy(), recorded.asnumpy(), rtol=1e-3, atol=1e-2)
        recorded.backward()
        assert abs(data.grad.asnumpy().sum() - recorded.size) < 1e-2


def test_read_from_a_file(tmp_path):
    image = _image(4, 6, 3)
    path = tmp_path / "image.png"
    path.write_bytes(_png(image).tobytes())
    np.testing.assert_array_equal(mx.nd._internal._cvimread(str(path)).asnumpy(), image)
    assert mx.nd._internal._cvimread(str(path), flag=0).shape == (4, 6, 1)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n\x1a\n" + bytes(40), b"\xff\xd8\xff\xe0" + bytes(20)])
def test_what_is_no_image_is_refused(tmp_path, content):
    path = tmp_path / "image.png"
    path.write_bytes(content)
    with pytest.raises(mx.MXNetError, match=r"image\.png"):
        mx.nd._internal._cvimread(str(path))
    with pytest.raises(mx.MXNetError, match=r"image\.imdecode"):
        mx.nd._internal._cvimdecode(mx.nd.array(np.frombuffer(content, "uint8"), dtype="uint8"))


def test_lanczos_elsewhere_says_what_is_missing():
    data = torch.zeros(4, 4, 3, requires_grad=True)
    resized = mx.ops.get("_image_resize").kernel(data, size=(2, 2), interp=4)
    with pytest.raises(NotImplementedError, match="interp=4 has no gradient"):
        resized.sum().backward()


def test_area_interpolation_with_a_gradient_is_opencvs_or_refused():
    data = mx.nd.array(np.arange(6 * 8, dtype="float32").reshape(6, 8, 1) ** 1.5)
    plain = mx.nd.image.resize(data, size=(4, 3), interp=3)
    data.attach_grad()
    with mx.autograd.record():
        recorded = mx.nd.image.resize(data, size=(4, 3), interp=3)
    np.testing.assert_allclose(recorded.asnumpy(), plain.asnumpy(), rtol=1e-6)
    for size in [(7, 3), (4, 4), (16, 12)]:
        with mx.autograd.record():
            resized = mx.nd.image.resize(data, size=size, interp=3)
        np.testing.assert_array_equal(resized.asnumpy(), mx.nd.image.resize(data, size=size, interp=3).asnumpy())
        with pytest.raises(mx.MXNetError, match="interp=3 has no gradient"):
            resized.backward()


def test_imdecode_of_the_first_releases_says_what_to_use():
    with pytest.raises(NotImplementedError, match="imdecode"):
        mx.nd._internal._imdecode(mx.nd.ones((3,)))
