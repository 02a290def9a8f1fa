"""Records the order of shuffled image records, into image_order.json.

<python with mxnet 1.9.1> tests/data/record_image_order.py
"""

import json
import pathlib
import tempfile

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import image_order_cases as cases  # noqa: E402

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        cases.write(mx, folder)
        found = {name: cases.orders(mx, folder, name) for name in sorted(cases.CASES)}
    text = ",\n".join("%s: %s" % (json.dumps(name), json.dumps(found[name])) for name in found)
    (GOLDEN / "image_order.json").write_text("{\n" + text + "\n}\n")
