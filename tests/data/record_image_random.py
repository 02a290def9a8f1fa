"""Writes image_random.npz.xz with the original: ``python tests/data/record_image_random.py`` (OMP_NUM_THREADS=1)."""

import io
import lzma
import os
import tempfile

import numpy as np

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import image_random_cases  # noqa: E402


def main():
    """Writes the file."""
    arrays = {}
    with tempfile.TemporaryDirectory() as big:
        image_random_cases.write_big(mx, big)
        for name in sorted(image_random_cases.CASES):
            data, labels = image_random_cases.run(mx, name, GOLDEN, big)
            if data.dtype == np.float32 and np.array_equal(data, data.astype(np.uint8)):
                data = data.astype(np.uint8)
            arrays[name], arrays[name + ".label"] = data, labels
    content = io.BytesIO()
    np.savez(content, **arrays)
    with lzma.open(os.path.join(GOLDEN, "image_random.npz.xz"), "wb") as stream:
        stream.write(content.getvalue())


main()
