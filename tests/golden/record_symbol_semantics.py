"""Records what the original answers to symbol_semantics_cases.py.

<python with mxnet 1.9.1> tests/golden/record_symbol_semantics.py
"""

import json
import pathlib
import sys

import mxnet as mx

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from symbol_semantics_cases import CASES, run  # noqa: E402

if __name__ == "__main__":
    store = {case.__name__: run(mx, case) for case in CASES}
    (HERE / "symbol_semantics.json").write_text(json.dumps(store, indent=0))
    print(sum(map(len, store.values())), "answers")
