"""Records what the original prints and draws for the networks in visualization_cases.py, into visualization.json.gz.

<python with mxnet 1.9.1> tests/symbol/record_visualization.py
"""

import gzip
import json
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import visualization_cases as cases  # noqa: E402

if __name__ == "__main__":
    store = {"summaries": {}, "drawings": {}}
    for name in cases.NETS:
        for text in cases.SUMMARIES:
            store["summaries"]["%s(%s)" % (name, text)] = [name, text, cases.summary(mx, name, text)]
        for text in cases.DRAWINGS:
            store["drawings"]["%s(%s)" % (name, text)] = [name, text, cases.drawing(mx, name, text)]
    packed = gzip.compress(json.dumps(store).encode(), mtime=0)
    (GOLDEN / "visualization.json.gz").write_bytes(packed)
    print({kind: len(found) for kind, found in store.items()}, len(packed), "bytes")
