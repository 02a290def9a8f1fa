"""A contact sheet of image augmentations: each row shows one kind, with its arguments.

python examples/augmentation_sheet.py                        writes runs/augmentations.png from the cat of the examples
python examples/augmentation_sheet.py --image me.jpg --output me.png
"""

import argparse
import tempfile
from pathlib import Path

import cv2
import numpy as np

import mxnet as mx

PHOTOS = Path(__file__).resolve().parent / "photos"
SIZE, LABEL, GAP = 112, 210, 4

#: Arguments of ImageRecordIter.
RECORD = {
    "none": {},
    "random crop": {"rand_crop": True},
    "random mirror": {"rand_mirror": True},
    "random resized crop": {
        "random_resized_crop": True, "min_random_area": 0.2, "max_random_area": 0.8, "min_aspect_ratio": 0.6,
        "max_aspect_ratio": 1.6,
    },
    "scale": {"min_random_scale": 0.7, "max_random_scale": 1.4},
    "rotate": {"max_rotate_angle": 30, "fill_value": 0},
    "shear": {"max_shear_ratio": 0.4, "fill_value": 0},
    "aspect ratio": {"max_aspect_ratio": 0.5, "fill_value": 0},
    "pad": {"pad": 24, "rand_crop": True, "fill_value": 127},
    "brightness": {"brightness": 0.6},
    "contrast": {"contrast": 0.7},
    "saturation": {"saturation": 0.9},
    "hue, saturation, light": {"random_h": 60, "random_s": 60, "random_l": 40},
    "PCA noise": {"pca_noise": 1.5},
}  # fmt: skip
#: Augmenters of mx.image.
AUGMENTERS = {
    "mx.image: hue": lambda: [mx.image.HueJitterAug(0.5)],
    "mx.image: lighting, gray": lambda: [
        mx.image.LightingAug(0.6, np.array([55.46, 4.794, 1.148]), np.eye(3)),
        mx.image.RandomGrayAug(0.5),
    ],
}


def from_records(path, count, options):
    """The same photo augmented several times by ImageRecordIter: rows, columns, RGB."""
    batches = mx.io.ImageRecordIter(
        path_imgrec=str(path), data_shape=(3, SIZE, SIZE), batch_size=count, resize=SIZE + 16, seed=1, **options
    )
    return batches.next().data[0].asnumpy().transpose(0, 2, 3, 1)


def by_augmenters(image, count, make):
    """The same photo augmented several times by augmenters of mx.image."""
    small = mx.image.resize_short(mx.image.imread(str(image)), SIZE + 16)
    small = mx.image.center_crop(small, (SIZE, SIZE))[0].astype("float32")
    augment = mx.image.SequentialAug(make())
    return np.stack([augment(small.copy()).asnumpy() for _ in range(count)])


def with_boxes(image, count):
    """A box around an object follows the random crops of ImageDetIter."""
    label = np.array([2, 5, 0, 0.2, 0.2, 0.75, 0.7])
    batches = mx.image.ImageDetIter(
        1, (3, SIZE, SIZE), imglist=[[label, Path(image).name]] * count, path_root=str(Path(image).parent),
        rand_crop=0.9, rand_pad=0.3, rand_mirror=True, min_object_covered=0.6,
    )  # fmt: skip
    return np.stack([picture[:, :, ::-1] for picture in batches.draw_next(color=(0, 255, 0), thickness=2)])


def row_of(name, images):
    """A line of the sheet: the name, and the images beside each other."""
    line = np.full((SIZE + GAP, LABEL + len(images) * (SIZE + GAP), 3), 255, np.uint8)
    cv2.putText(line, name, (8, SIZE // 2 + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
    for i, image in enumerate(images):
        left = LABEL + i * (SIZE + GAP)
        line[:SIZE, left : left + SIZE] = np.clip(image, 0, 255).astype(np.uint8)
    return line


def main():
    """Writes the sheet."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--image", type=Path, default=PHOTOS / "cat.jpg")
    parser.add_argument("--output", type=Path, default=Path("runs/augmentations.png"))
    parser.add_argument("--columns", type=int, default=6)
    args = parser.parse_args()

    mx.random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.rec"
        with mx.recordio.MXRecordIO(path, "w") as writer:
            for i in range(args.columns):
                writer.write(mx.recordio.pack((0, 0.0, i, 0), args.image.read_bytes()))
        rows = [row_of(name, from_records(path, args.columns, options)) for name, options in RECORD.items()]
    rows += [row_of(name, by_augmenters(args.image, args.columns, make)) for name, make in AUGMENTERS.items()]
    rows.append(row_of("mx.image: boxes (detection)", with_boxes(args.image, args.columns)))
    sheet = cv2.copyMakeBorder(np.concatenate(rows), GAP, 0, 0, 0, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    args.output.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(args.output), sheet[:, :, ::-1])
    print(f"{args.output}: {len(rows)} kinds of augmentation of {args.image.name}")


if __name__ == "__main__":
    main()
