"""Records files of mx.np's symbols, and what they give: numpy_symbols.json.gz.

<python with mxnet 1.9.1> tests/numpy/record_numpy_symbols.py
"""

import gzip
import json
import pathlib

import numpy_symbol_cases as cases

import mxnet as mx

if __name__ == "__main__":
    mx.npx.set_np()
    found = {}
    for expression in cases.expressions():
        text = cases.symbol(mx, expression).tojson()
        found[expression] = {"file": json.loads(text), **cases.run(mx, text)}
    target = pathlib.Path(__file__).resolve().parents[1] / "golden" / "numpy_symbols.json.gz"
    target.write_bytes(gzip.compress(json.dumps(found, separators=(",", ":")).encode(), mtime=0))
    print(f"{len(found)} symbols, {target.stat().st_size // 1024} KiB")
