"""Records what the original makes of the photos of the examples, into photos.npz.

<python with mxnet 1.9.1> tests/data/record_photos.py
"""

import pathlib
import tempfile

import numpy as np

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import photo_cases as cases  # noqa: E402

if __name__ == "__main__":
    arrays = {}

    def keep(name, value):
        arrays[name + "/crc"], arrays[name + "/some"] = cases.fingerprint(value)
        arrays[name + "/shape"] = value.shape

    for photo in cases.NAMES:
        for case, value in cases.functions(mx, photo).items():
            keep(photo + " " + case, value)
    with tempfile.TemporaryDirectory() as folder:
        for name in cases.ITERATORS:
            keep("iterator " + name, cases.batches(mx, folder, name))
    np.savez_compressed(str(GOLDEN / "photos.npz"), **arrays)
