"""Records which values of attributes the original refuses when a graph is made (attribute_cases.py).

<python with mxnet 1.9.1> tests/ops/record_attributes.py
"""

import gzip
import json
import pathlib
import re
import sys

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
sys.path.insert(0, str(GOLDEN.parent))

import attribute_cases  # noqa: E402


def arguments(op):
    """Names and kinds of an operator's arguments; none for what is no operator."""
    if op not in known:
        return [], []
    found = mx.operator.get_operator_arguments(op)
    return found.names, found.types


def outcome(op, attrs):
    """None, or why the original refuses: the sentence that says it, without its file and line."""
    try:
        attribute_cases.compose(mx, op, attrs)
    except mx.MXNetError as error:
        text = str(error).strip().splitlines()
        said = next((line for line in text if "MXNetError: " in line), text[0])
        return re.sub(r".*MXNetError: |, in operator .*", "", said)[:200]
    return None


if __name__ == "__main__":
    known = set(mx.operator.get_all_registered_operators())
    found = [[op, attrs, name, outcome(op, attrs)] for op, attrs, name in attribute_cases.cases(arguments)]
    with gzip.GzipFile(GOLDEN / "attributes.json.gz", "wb", mtime=0) as file:
        file.write(json.dumps(found).encode())
    print(len(found), "values,", sum(said is not None for *_, said in found), "refused")
