"""Records trainings by the original's Estimator: ``python tests/gluon/record_estimator.py`` with mxnet 1.9.1."""

import gzip
import json
import os

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import estimator_cases  # noqa: E402

if __name__ == "__main__":
    found = {case.__name__: estimator_cases.run(mx, case) for case in estimator_cases.CASES}
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))
    with open(os.path.join(GOLDEN, "estimator.json.gz"), "wb") as stream:
        with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) as packed:
            packed.write(text.encode("utf-8"))
    print(sum(len(lines) for lines in found.values()), "lines")
