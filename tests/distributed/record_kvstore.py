"""Records what the original's key-value stores do: ``python tests/distributed/record_kvstore.py`` with mxnet 1.9.1."""

import json
import os

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import kvstore_cases  # noqa: E402

if __name__ == "__main__":
    found = kvstore_cases.everything(mx)
    for kind in ("local", "device"):
        for name, case in kvstore_cases.CASES.items():
            try:
                found[name + "-" + kind] = case(mx, mx.kv.create(kind))
            except Exception as error:
                found[name + "-" + kind] = type(error).__name__
    with open(os.path.join(GOLDEN, "kvstore.json"), "w") as stream:
        stream.write("{\n%s\n}\n" % ",\n".join("%s: %s" % (json.dumps(k), json.dumps(v)) for k, v in found.items()))
    print(len(found), "cases")
