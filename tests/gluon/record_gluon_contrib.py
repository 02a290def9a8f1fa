"""Records the original's layers of gluon.contrib: ``python tests/gluon/record_gluon_contrib.py`` with mxnet 1.9.1."""

import gzip
import json
import os
import warnings

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import gluon_contrib_cases  # noqa: E402

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    found = {}
    for name in gluon_contrib_cases.LAYERS:
        texts, arrays = gluon_contrib_cases.run(mx, name)
        found[name] = {
            "texts": texts,
            "arrays": {key: [a.shape, [float("%.6g" % v) for v in a.ravel()]] for key, a in arrays.items()},
        }
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))
    with open(os.path.join(GOLDEN, "gluon_contrib.json.gz"), "wb") as stream:
        with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) as packed:
            packed.write(text.encode("utf-8"))
    print(len(found), "layers")
