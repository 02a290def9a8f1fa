"""Records what random crops, pads and colours of ImageDetRecordIter are like, into image_det.json.gz.

<python with mxnet 1.9.1> tests/data/record_image_det.py [case ...]

Takes minutes; with names, all else stays as it is.
"""

import gzip
import json
import pathlib
import sys
import tempfile

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import image_det_cases as cases  # noqa: E402

FILE = GOLDEN / "image_det.json.gz"

if __name__ == "__main__":
    names = sys.argv[1:] or sorted(cases.CASES)
    found = json.loads(gzip.decompress(FILE.read_bytes()).decode()) if sys.argv[1:] else {}
    with tempfile.TemporaryDirectory() as folder:
        path = cases.write(mx, folder)
        for name in names:
            found[name] = cases.summary(cases.measured(mx, path, name))
    with open(str(FILE), "wb") as stream, gzip.GzipFile(fileobj=stream, mode="wb", mtime=0, filename="") as packed:
        packed.write(json.dumps(found, sort_keys=True).encode())
