"""Real photos are decoded, resized and cropped as by the original: JPEG of four kinds of sampling, and progressive."""

import numpy as np
import photo_cases as cases
import pytest
from compare import load_golden

import mxnet as mx

GOLDEN = load_golden("photos.npz")
#: Cases where versions of OpenCV round cubic and affine interpolation differently, and by how much at most.
ROUNDED = {"down 2": 2, "up 2": 2, "rotate": 3}


def check(name, value, most):
    """All values are equal; or, if versions of OpenCV round differently, a few are as near as that."""
    assert value.shape == tuple(GOLDEN[name + "/shape"]), name
    checksum, some = cases.fingerprint(value)
    if most:
        assert np.abs(some.astype(int) - GOLDEN[name + "/some"]).max() <= most, name
    else:
        assert checksum == GOLDEN[name + "/crc"], name


@pytest.mark.parametrize("photo", cases.NAMES)
def test_functions(photo):
    for case, value in cases.functions(mx, photo).items():
        check(f"{photo} {case}", value, ROUNDED.get(case, 0))


@pytest.mark.parametrize("name", sorted(cases.ITERATORS))
def test_iterators(name, tmp_path):
    check(f"iterator {name}", cases.batches(mx, str(tmp_path), name), ROUNDED.get(name, 0))
