"""Records what the original's layers say and compute: ``python tests/gluon/record_gluon_nn.py`` with mxnet 1.9.1."""

import gzip
import json
import os

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import gluon_nn_cases  # noqa: E402

if __name__ == "__main__":
    found = {}
    for name in gluon_nn_cases.LAYERS:
        texts, arrays = gluon_nn_cases.run(mx, name)
        found[name] = {
            "texts": texts,
            "arrays": {key: [a.shape, [float("%.7g" % v) for v in a.ravel()]] for key, a in arrays.items()},
        }
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))
    with open(os.path.join(GOLDEN, "gluon_nn.json.gz"), "wb") as stream:
        with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) as packed:
            packed.write(text.encode("utf-8"))
    print(len(found), "layers")
