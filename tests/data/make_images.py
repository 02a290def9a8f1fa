"""Makes the small images in tests/golden/images: gradients with noise and a few of the bundled digits.

<python with opencv> tests/data/make_images.py
"""

import pathlib

import cv2
import numpy as np

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"


def gradient(height, width, seed):
    """Colours that change over the image, with stripes and noise."""
    y, x = np.mgrid[:height, :width]
    image = np.stack([x * 255.0 / width, y * 255.0 / height, (x + y) % 16 * 16], -1)
    return np.clip(image + np.random.RandomState(seed).randn(height, width, 3) * 10, 0, 255).astype(np.uint8)


if __name__ == "__main__":
    folder = GOLDEN / "images"
    folder.mkdir(exist_ok=True)
    for name, height, width in (("wide", 24, 36), ("tall", 40, 22), ("square", 28, 28)):
        cv2.imwrite(str(folder / (name + ".jpg")), gradient(height, width, height), [cv2.IMWRITE_JPEG_QUALITY, 90])
    digits = np.load(GOLDEN.parents[1] / "mxnet" / "data" / "digits.npz")
    images = next(digits[key] for key in digits.files if digits[key].ndim == 3)
    row = np.concatenate(list(images[:4].astype(np.uint8)), 1)
    cv2.imwrite(str(folder / "digits.png"), row)
    cv2.imwrite(str(folder / "transparent.png"), np.dstack([gradient(12, 16, 1), gradient(12, 16, 2)[:, :, 0]]))
