"""Saving and loading a dictionary of eight arrays, 32 MB together."""

import os
import tempfile

from . import sized

SHAPE = sized((1024, 1024), (4, 4))


def mxnet_step(mx):
    arrays = {f"w{i}": mx.nd.random.uniform(shape=SHAPE) for i in range(8)}
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "arrays.params")

    def step(folder=folder):
        mx.nd.save(path, arrays)
        for array in mx.nd.load(path).values():
            array.wait_to_read()

    return step


def torch_step(torch):
    arrays = {f"w{i}": torch.rand(SHAPE) for i in range(8)}
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "arrays.pt")

    def step(folder=folder):
        torch.save(arrays, path)
        torch.load(path)

    return step
