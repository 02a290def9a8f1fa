"""Writes image_record*.rec and .idx: ``python tests/data/make_image_records.py`` (needs OpenCV)."""

import os

import cv2
import numpy as np

from mxnet.recordio import IRHeader, MXIndexedRecordIO, pack_img

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
SIZES = [(40, 48), (52, 36), (40, 40), (60, 90), (33, 47), (64, 64), (41, 43), (48, 40), (36, 52), (40, 60), (44, 44)]
SIZES += [(50, 38), (38, 50)]


def picture(random: np.random.RandomState, height: int, width: int) -> np.ndarray:
    """A smooth picture of that size."""
    coarse = random.randint(0, 255, (height // 8, width // 8, 3)).astype(np.uint8)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def write(
    name: str, labels: list, change=lambda number, image: image, img_fmt: str = ".jpg", quality: int = 90
) -> None:
    """A record file with a record for each label."""
    random = np.random.RandomState(0)
    base = os.path.join(GOLDEN, name)
    with MXIndexedRecordIO(base + ".idx", base + ".rec", "w") as writer:
        for number, (label, size) in enumerate(zip(labels, SIZES, strict=False)):
            image = picture(random, *size)
            if change is not None:
                image = change(number, image)
            header = IRHeader(0, label, number + 100, 0)
            writer.write_idx(number, pack_img(header, image, quality=quality, img_fmt=img_fmt))


def channels(number: int, image: np.ndarray) -> np.ndarray:
    """Gray, colour and colour with transparency in turn."""
    return (image[:, :, :1], image, np.concatenate([image, image[:, :, :1]], 2))[number % 3]


def boxes(count: int) -> list:
    """A head of two, objects of five (class and corners)."""
    values: list = [2, 5]
    for i in range(count):
        values += [i, 0.1 + 0.05 * i, 0.2, 0.5 + 0.1 * i, 0.875 - 0.05 * i]
    return values


if __name__ == "__main__":
    write("image_record", [i + 0.5 for i in range(13)])
    write("image_record_labels", [[i, 2 * i, 3 * i] for i in range(6)])
    write("image_record_png", [float(i) for i in range(4)], channels, ".png", 9)
    write("image_record_det", [boxes(1 + i % 3) for i in range(6)])
    with open(os.path.join(GOLDEN, "image_record.lst"), "w") as stream:
        for i in range(13):
            stream.write(f"{i + 100}\t{i * 10}\t{i * 10 + 1}\tpicture{i}.jpg\n")
