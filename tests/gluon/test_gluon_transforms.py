"""Transformations of images: values as the original's, random ones by their statistics, alone and hybridized."""

import json
import random

import gluon_data_cases as cases
import numpy as np
import pytest
from compare import load_golden

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon.data.vision import transforms

RECORDED = load_golden("transforms.npz")
VALUES = {name.removeprefix("value "): array for name, array in RECORDED.items() if name.startswith("value ")}
STATISTICS = {name.removeprefix("statistic "): a for name, a in RECORDED.items() if name.startswith("statistic ")}
IMAGE = nd.array(cases.picture(24, 18), dtype="uint8")


@pytest.fixture(scope="module")
def found():
    return cases.transforms(mx)


@pytest.mark.parametrize("name", sorted(VALUES))
def test_values(found, name):
    expected, value = VALUES[name], found[name]
    assert value.shape == expected.shape and value.dtype == expected.dtype
    if value.dtype == np.uint8:  # OpenCV's releases round differently
        assert np.abs(value.astype(int) - expected).max(initial=0) <= 1
    elif value.dtype == bool:
        assert np.array_equal(value, expected)
    else:
        # positions are computed in float64 here: images are steep, so their values move by a little more
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=2e-4 if "rotat" in name else 1e-5)


def test_every_case_was_recorded(found):
    assert found.keys() == VALUES.keys()


def test_statistics():
    found = cases.statistics(mx)
    assert found.keys() == STATISTICS.keys()
    for name, expected in STATISTICS.items():
        # 1500 draws on either side: five standard errors of the difference of two means, or of two deviations
        deviation = STATISTICS[name.rsplit(" ", 1)[0] + " deviation"]
        allowed = 5 * deviation * np.sqrt(2 / 1500) + 0.05
        assert (np.abs(found[name] - expected) <= allowed).all(), name


def test_saturation_moves_to_and_from_gray():
    image = nd.array(cases.picture(8, 6), dtype="float32")
    change = transforms.RandomSaturation(0.4)
    values = np.stack([change(image).asnumpy() for _ in range(1500)])
    away = image.asnumpy() - (image.asnumpy() @ [0.299, 0.587, 0.114])[..., None]
    spread = np.abs(away) * 0.4 / np.sqrt(3)
    assert (np.abs(values.mean(0) - image.asnumpy()) <= 5 * spread / np.sqrt(1500) + 1e-3).all()
    np.testing.assert_allclose(values.std(0), spread, rtol=0.1, atol=1e-3)


def test_how_parts_are_grouped():
    recorded = load_golden("gluon_data.json.gz")["compositions"]
    assert json.loads(json.dumps(cases.compositions(mx))) == recorded


DETERMINISTIC = [
    transforms.Cast("float64"),
    transforms.ToTensor(),
    transforms.Resize(7),
    transforms.Resize((9, 5), interpolation=2),
    transforms.Resize(9, keep_ratio=True),
    transforms.CropResize(1, 2, 8, 9),
    transforms.CropResize(1, 2, 8, 9, (5, 6)),
]


@pytest.mark.parametrize("block", DETERMINISTIC, ids=lambda b: type(b).__name__)
def test_hybridized_is_the_same(block):
    expected = block(IMAGE).asnumpy()
    hybrid = gluon.nn.HybridSequential()
    hybrid.add(block)
    hybrid.hybridize()
    for _ in range(2):
        assert np.array_equal(hybrid(IMAGE).asnumpy(), expected)


RANDOM = [
    transforms.RandomBrightness(0.5),
    transforms.RandomContrast(0.5),
    transforms.RandomSaturation(0.5),
    transforms.RandomHue(0.3),
    transforms.RandomColorJitter(0.3, 0.3, 0.3, 0.3),
    transforms.RandomLighting(0.5),
    transforms.RandomFlipLeftRight(),
    transforms.RandomFlipTopBottom(),
]


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("block", RANDOM, ids=lambda b: type(b).__name__)
def test_random_each_time_and_repeatable(block, hybrid):
    pipeline = transforms.Compose([block, transforms.Cast("float32")] if hybrid else [block])
    mx.random.seed(5)
    first = [pipeline(IMAGE).asnumpy() for _ in range(12)]
    mx.random.seed(5)
    second = [pipeline(IMAGE).asnumpy() for _ in range(12)]
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert len({a.tobytes() for a in first}) > 1


def test_bad_arguments():
    tensor = transforms.ToTensor()(IMAGE)
    for call in (
        lambda: transforms.Rotate(30)(IMAGE),
        lambda: transforms.RandomRotation((-10, 10))(IMAGE),
    ):
        with pytest.raises(TypeError, match="only supports float32"):
            call()
    for call in (
        lambda: transforms.Rotate(30, True, True)(tensor),
        lambda: transforms.RandomRotation((10, -10)),
        lambda: transforms.RandomRotation((10,)),
        lambda: transforms.RandomRotation((0, 10), rotate_with_proba=2),
        lambda: transforms.Normalize((1, 2), (3, 4))(tensor),
        lambda: transforms.CropResize(1, 2, 40, 5)(IMAGE),
        lambda: transforms.CenterCrop((5,))(IMAGE),
        lambda: transforms.HybridCompose([transforms.CenterCrop(5)]),
    ):
        with pytest.raises(ValueError):
            call()
    for call in (
        lambda: transforms.Cast("nothing")(IMAGE),
        lambda: transforms.Resize(5.5)(IMAGE),
        lambda: transforms.HybridRandomApply(transforms.CenterCrop(5)),
    ):
        with pytest.raises(TypeError):
            call()


# ---- those of later releases, which were not recorded ----------------------------------------------------------------


def test_hybrid_compose():
    parts = [transforms.Resize(9), transforms.ToTensor(), transforms.Normalize(0.5, 0.5)]
    assert np.array_equal(transforms.HybridCompose(parts)(IMAGE).asnumpy(), transforms.Compose(parts)(IMAGE).asnumpy())


def test_random_crop():
    picture = IMAGE.asnumpy()
    for _ in range(5):
        part = transforms.RandomCrop((5, 7))(IMAGE).asnumpy()
        assert part.shape == (7, 5, 3)
        places = np.lib.stride_tricks.sliding_window_view(picture, (7, 5, 3)).reshape(-1, 7, 5, 3)
        assert (places == part).all((1, 2, 3)).any()
    assert transforms.RandomCrop(30)(IMAGE).shape == (30, 30, 3)
    padded = transforms.RandomCrop((22, 28), pad=2, pad_value=9)(IMAGE).asnumpy()
    assert np.array_equal(padded[2:-2, 2:-2], picture) and (padded[:2] == 9).all() and (padded[:, -2:] == 9).all()
    colours = transforms.RandomCrop((18, 25), pad=((1, 0), (0, 0)), pad_value=(1, 2, 3))(IMAGE).asnumpy()
    assert np.array_equal(colours[1:], picture) and colours[0, 0].tolist() == [1, 2, 3]


def test_random_gray():
    expected = IMAGE.asnumpy() @ np.array([0.21, 0.72, 0.07])
    gray = transforms.RandomGray(1)(IMAGE)
    assert gray.dtype == np.uint8 and gray.shape == IMAGE.shape
    assert np.abs(gray.asnumpy() - expected[..., None]).max() <= 1
    assert transforms.RandomGray(0)(IMAGE) is IMAGE
    changed = [not (transforms.RandomGray(0.3)(IMAGE) == IMAGE).asnumpy().all() for _ in range(300)]
    assert 50 < sum(changed) < 130


@pytest.mark.parametrize("hybrid", [False, True])
def test_hybrid_random_apply(hybrid):
    block = transforms.HybridRandomApply(transforms.CropResize(0, 0, 18, 24, (18, 24), 0), p=1)
    flip = transforms.HybridRandomApply(_Negative(), p=0.3)
    if hybrid:
        block.hybridize()
        flip.hybridize()
    assert np.array_equal(block(IMAGE).asnumpy(), IMAGE.asnumpy())
    image = IMAGE.astype("float32")
    negative = [flip(image).asnumpy().min() < 0 for _ in range(300)]
    assert 50 < sum(negative) < 130


class _Negative(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return -x


def test_in_a_loader():
    pipeline = transforms.Compose(
        [
            transforms.RandomResizedCrop(12),
            transforms.RandomFlipLeftRight(),
            transforms.RandomColorJitter(0.2, 0.2, 0.2),
            transforms.RandomLighting(0.1),
            transforms.ToTensor(),
            transforms.Normalize((0.5, 0.5, 0.5), (0.2, 0.2, 0.2)),
        ]
    )
    pictures = [nd.array(cases.picture(20 + i, 30 - i), dtype="uint8") for i in range(10)]
    dataset = gluon.data.ArrayDataset(pictures, list(range(10))).transform_first(pipeline)
    random.seed(1)
    for options in ({}, {"num_workers": 2}, {"num_workers": 2, "thread_pool": True}):
        batches = list(gluon.data.DataLoader(dataset, 4, **options))
        assert [b[0].shape for b in batches] == [(4, 3, 12, 12), (4, 3, 12, 12), (2, 3, 12, 12)]
        assert all(np.isfinite(b[0].asnumpy()).all() for b in batches)
        assert [int(v) for b in batches for v in b[1].asnumpy()] == list(range(10))
