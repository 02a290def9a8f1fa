"""Records what the original gives for the expressions in indexing_cases.py, into indexing.json.

<python with mxnet 1.9.1> tests/ndarray/record_indexing.py
"""

import json
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import indexing_cases as cases  # noqa: E402


def plain(result):
    """A result as JSON: arrays as lists with shape and dtype, errors by their type."""
    found = {}
    for key, value in result.items():
        if isinstance(value, Exception):
            found[key] = [type(value).__name__, str(value).strip().split("\n")[-1][:100]]
        elif hasattr(value, "tolist"):
            found[key] = {"shape": list(value.shape), "dtype": value.dtype.name, "data": value.ravel().tolist()}
        else:
            found[key] = value
    return found


if __name__ == "__main__":
    store = {"read": {}, "write": {}}
    for name, shape, key in cases.read_cases():
        store["read"][name] = plain(cases.read_result(mx, shape, key))
    for name, shape, dtype, key, value in cases.write_cases():
        store["write"][name] = plain(cases.write_result(mx, shape, dtype, key, value))
    lines = []
    for kind in ("read", "write"):
        entries = ",\n".join("  %s: %s" % (json.dumps(k), json.dumps(v)) for k, v in store[kind].items())
        lines.append(' "%s": {\n%s\n }' % (kind, entries))
    (GOLDEN / "indexing.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print("%d reads, %d writes" % (len(store["read"]), len(store["write"])))
