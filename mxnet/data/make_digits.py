"""Makes digits.npz, the sample of MNIST that ships with the package, from the original four files.

    python mxnet/data/make_digits.py <directory with the MNIST files> [target]

Equally many images of each digit are taken, evenly spread over the files (which are not equally hard throughout), so
that anybody with the same files makes the same sample.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mxnet._test_utils.data import read_mnist_files

TRAIN_PER_DIGIT, TEST_PER_DIGIT = 1000, 200


def spread(images: np.ndarray, labels: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """``count`` images of each digit, in their original order."""
    chosen = []
    for digit in range(10):
        places = np.flatnonzero(labels == digit)
        if len(places) < count:
            raise ValueError(f"there are {len(places)} images of digit {digit}, {count} are needed")
        chosen.append(places[np.arange(count) * len(places) // count])
    order = np.sort(np.concatenate(chosen))
    return images[order], labels[order]


def main(source: Path, target: Path) -> None:
    """Writes the sample."""
    train_images, train_labels, test_images, test_labels = read_mnist_files(source)
    train_images, train_labels = spread(train_images, train_labels, TRAIN_PER_DIGIT)
    test_images, test_labels = spread(test_images, test_labels, TEST_PER_DIGIT)
    np.savez_compressed(
        target,
        train_images=train_images,
        train_labels=train_labels,
        test_images=test_images,
        test_labels=test_labels,
    )
    print(f"{target}: {len(train_images)} + {len(test_images)} images, {target.stat().st_size / 2**20:.2f} MiB")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else Path(__file__).with_name("digits.npz"))
