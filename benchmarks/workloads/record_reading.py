"""All of a record file of 2000 records of 12 KB, read one after the other."""

import os
import tempfile

import numpy as np

from . import sized

COUNT, BYTES = sized((2000, 12_000), (50, 2000))


def written(mx):
    """A folder with a record file and its index."""
    random = np.random.RandomState(0)
    folder = tempfile.TemporaryDirectory()
    paths = [os.path.join(folder.name, name) for name in ("data.idx", "data.rec")]
    writer = mx.recordio.MXIndexedRecordIO(paths[0], paths[1], "w")
    for i in range(COUNT):
        header = mx.recordio.IRHeader(0, float(i), i, 0)
        writer.write_idx(i, mx.recordio.pack(header, random.bytes(BYTES + random.randint(BYTES // 2))))
    writer.close()
    return folder, paths


def mxnet_step(mx):
    folder, (_, path) = written(mx)
    reader = mx.recordio.MXRecordIO(path, "r")

    def step(folder=folder):
        reader.reset()
        count = 0
        while reader.read() is not None:
            count += 1
        assert count == COUNT

    return step


def torch_step(torch):
    """The same bytes from a file without records, in pieces of the same size."""
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "data")
    with open(path, "wb") as file:
        file.write(b"x" * (COUNT * BYTES * 5 // 4))

    def step(folder=folder):
        with open(path, "rb") as file:
            while file.read(BYTES * 5 // 4):
                pass

    return step
