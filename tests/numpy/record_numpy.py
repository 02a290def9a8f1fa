"""Records what the original gives for the expressions in numpy_cases.py: numpy.json.gz.

<python with mxnet 1.9.1> tests/numpy/record_numpy.py
"""

import gzip
import json
import pathlib

import numpy_cases as cases

import mxnet as mx

if __name__ == "__main__":
    mx.npx.set_np()
    found = {
        "expressions": {e: cases.run(mx, e) for e in cases.expressions()},
        "statements": {e: cases.run_statement(mx, e) for e in cases.statements()},
        "trainings": {name: cases.train(mx, name, False) for name in cases.TRAININGS},
    }
    target = pathlib.Path(__file__).resolve().parents[1] / "golden" / "numpy.json.gz"
    target.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    print(f"{len(found['expressions'])} expressions, {target.stat().st_size // 1024} KiB")
