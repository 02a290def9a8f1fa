"""Records what the original's mx.sym makes of the operator samples: JSON, names, inferred shapes and types.

<python with mxnet 1.9.1> tests/symbol/record_symbols.py
"""

import gzip
import json
import pathlib
import sys

import numpy as np

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
sys.path.insert(0, str(GOLDEN.parent))

import samples  # noqa: E402
from samples.common import describe_symbol  # noqa: E402

if __name__ == "__main__":
    store, problems = {}, 0
    for family in samples.families():
        for name, sample in samples.load(family):
            if sample.error:
                continue
            try:
                store[f"{family}/{name}"] = describe_symbol(mx, np, sample)
            except Exception as error:
                problems += 1
                print(f"{family}/{name}: {type(error).__name__}: {str(error)[:200]}")
    text = json.dumps(store, separators=(",", ":"), sort_keys=True)
    (GOLDEN / "symbols.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(store)} symbols, {problems} problem(s)")
