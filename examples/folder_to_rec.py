"""From a folder of images to training batches: pack it with im2rec, read and augment it.

python examples/folder_to_rec.py                     writes a folder of handwritten digits, and packs it
python examples/folder_to_rec.py --images photos/    packs your own folder, with a subfolder for each class
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

import mxnet as mx
from mxnet.tools import im2rec


def write_digits(folder, count):
    """Writes some of the digits that ship with the package as JPEG files: ``folder/7/00012.jpg``."""
    digits = np.load(Path(mx.__file__).parent / "data" / "digits.npz")
    for i, (image, label) in enumerate(zip(digits["train_images"][:count], digits["train_labels"], strict=False)):
        path = folder / str(label) / f"{i:05}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), image)


def convert(images, prefix, shorter_side, train_ratio=0.8):
    """Packs a folder with a folder of images for each class into ``prefix_train.rec`` and ``prefix_val.rec``.

    The same as two commands: im2rec --list --recursive --train-ratio 0.8 prefix images
                              im2rec prefix images --resize 32 --num-thread 2
    """
    im2rec.main(["--list", "--recursive", "--train-ratio", str(train_ratio), str(prefix), str(images)])
    return im2rec.main([str(prefix), str(images), "--resize", str(shorter_side), "--num-thread", "2"])


def main():
    """Makes list, record and index files, and goes through them once."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--images", type=Path, help="folder with a folder of images for each class")
    parser.add_argument("--output", type=Path, default=Path("runs/records"))
    parser.add_argument("--count", type=int, default=1000, help="number of digits to write")
    parser.add_argument("--size", type=int, default=28, help="height and width of the images in a batch")
    parser.add_argument("--batch-size", type=int, default=50)
    args = parser.parse_args()

    args.output.mkdir(parents=True, exist_ok=True)
    if args.images is None:
        args.images = args.output / "digits"
        write_digits(args.images, args.count)
    prefix = str(args.output / "data")
    convert(args.images, prefix, args.size + 4)

    train = mx.image.ImageIter(
        args.batch_size,
        (3, args.size, args.size),
        path_imgrec=prefix + "_train.rec",
        path_imgidx=prefix + "_train.idx",
        shuffle=True,
        rand_crop=True,
        brightness=0.2,
        mean=True,
        std=True,
    )
    start, seen, labels = time.time(), 0, set()
    for batch in train:
        seen += args.batch_size - batch.pad
        labels.update(batch.label[0].asnumpy().astype(int).tolist())
    print(f"{seen} images of {len(labels)} classes in batches of {batch.data[0].shape}")
    print(f"{seen / (time.time() - start):.0f} images a second, decoded and augmented")


if __name__ == "__main__":
    main()
