"""Records what the original answers to symbol_semantics_cases.py.

<python with mxnet 1.9.1> tests/symbol/record_symbol_semantics.py
"""

import json
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

from symbol_semantics_cases import CASES, run  # noqa: E402

if __name__ == "__main__":
    store = {case.__name__: run(mx, case) for case in CASES}
    (GOLDEN / "symbol_semantics.json").write_text(json.dumps(store, indent=0))
    print(sum(map(len, store.values())), "answers")
