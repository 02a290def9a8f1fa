"""Writes image_record.json and .npz.xz with the original: ``python tests/data/record_image_record.py``."""

import io
import json
import lzma
import os

import numpy as np

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
from image_record_cases import ORDER, PIXELS  # noqa: E402


def make(iterator, file, arguments):
    """The iterator of a case."""
    arguments = dict(arguments)
    base = os.path.join(GOLDEN, file)
    arguments.setdefault("path_imgrec", base + ".rec")
    for name, ending in (("path_imgidx", ".idx"), ("path_imglist", ".lst")):
        if arguments.get(name) is True:
            arguments[name] = base + ending
    arguments.setdefault("verbose", False)
    return getattr(mx.io, iterator)(**arguments)


def main():
    """Writes the files."""
    facts = {"order": {}, "provide": {}}
    arrays = {}
    for name in sorted(PIXELS):
        try:
            it = make(*PIXELS[name])
            batch = it.next()
            data = batch.data[0].asnumpy()
            if data.dtype == np.float32 and np.array_equal(data, data.astype(np.uint8)):
                data = data.astype(np.uint8)
            arrays[name] = data
            arrays[name + ".label"] = batch.label[0].asnumpy()
            facts["provide"][name] = [
                [d.name, list(d.shape), np.dtype(d.dtype).name] for d in it.provide_data + it.provide_label
            ]
        except mx.MXNetError as error:
            print(name, "ERROR", str(error)[:400])
    for name in sorted(ORDER):
        try:
            it = make(*ORDER[name])
            epochs = []
            for _ in range(3):
                epochs.append([[b.label[0].asnumpy().tolist(), b.pad, b.index.tolist()] for b in it])
                it.reset()
            facts["order"][name] = epochs
        except mx.MXNetError as error:
            print(name, "ERROR", str(error)[:400])
    with open(os.path.join(GOLDEN, "image_record.json"), "w") as stream:
        json.dump(facts, stream, indent=0, sort_keys=True)
        stream.write("\n")
    content = io.BytesIO()
    np.savez(content, **arrays)
    with lzma.open(os.path.join(GOLDEN, "image_record.npz.xz"), "wb") as stream:
        stream.write(content.getvalue())


main()
