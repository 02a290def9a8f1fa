"""Writes recordio.rec, .idx and .json with the original: ``python tests/data/record_recordio.py``."""

import json
import os

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
from recordio_cases import HEADERS, RECORDS  # noqa: E402


def main():
    """Writes the files."""
    base = os.path.join(GOLDEN, "recordio")
    writer = mx.recordio.MXIndexedRecordIO(base + ".idx", base + ".rec", "w")
    positions = []
    for key, record in enumerate(RECORDS):
        positions.append(writer.tell())
        writer.write_idx(3 * key, record)
    for header in HEADERS:
        writer.write(mx.recordio.pack(mx.recordio.IRHeader(*header), b"data"))
    writer.close()
    unpacked = []
    for header in HEADERS:
        packed = mx.recordio.pack(mx.recordio.IRHeader(*header), b"data")
        head, data = mx.recordio.unpack(packed)
        label = head.label.tolist() if hasattr(head.label, "tolist") else head.label
        unpacked.append([packed.hex(), [head.flag, label, head.id, head.id2], repr(head), data.decode()])
    with open(base + ".json", "w") as stream:
        json.dump({"positions": positions, "unpacked": unpacked}, stream, indent=0)
        stream.write("\n")


main()
