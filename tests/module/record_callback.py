"""Records what the original's callbacks log, into callback.json.

<python with mxnet 1.9.1> tests/module/record_callback.py
"""

import json
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import callback_cases as cases  # noqa: E402

if __name__ == "__main__":
    store = {"logs": {}, "checkpoints": {}}
    for name in cases.CASES:
        store["logs"][name] = cases.run(mx, name)
    for text in cases.CHECKPOINTS:
        store["checkpoints"][text] = cases.checkpoints(mx, text)
    lines = ["  %s: %s" % (json.dumps(k), json.dumps(v)) for k, v in store["logs"].items()]
    rest = json.dumps(store["checkpoints"], indent=2)
    (GOLDEN / "callback.json").write_text('{\n "logs": {\n%s\n },\n "checkpoints": %s\n}\n' % (",\n".join(lines), rest))
