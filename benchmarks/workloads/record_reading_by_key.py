"""All of a record file of 2000 records of 12 KB, read by their keys in a random order."""

import os
import tempfile

import numpy as np

from .record_reading import BYTES, COUNT, written


def mxnet_step(mx):
    folder, paths = written(mx)
    reader = mx.recordio.MXIndexedRecordIO(*paths, "r")
    order = np.random.RandomState(1).permutation(COUNT).tolist()

    def step(folder=folder):
        for key in order:
            reader.read_idx(key)

    return step


def torch_step(torch):
    """Pieces of the same size from a file without records, in a random order."""
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "data")
    size = BYTES * 5 // 4
    with open(path, "wb") as file:
        file.write(b"x" * (COUNT * size))
    order = np.random.RandomState(1).permutation(COUNT).tolist()

    def step(folder=folder):
        with open(path, "rb") as file:
            for key in order:
                file.seek(key * size)
                file.read(size)

    return step
