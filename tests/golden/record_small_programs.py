"""Records small programs' results: ``python tests/golden/record_small_programs.py`` with mxnet 1.9.1."""

import gzip
import json
import os
import sys

import mxnet as mx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import small_programs  # noqa: E402

if __name__ == "__main__":
    found = {name: small_programs.outcome(run, mx) for name, run in small_programs.programs(mx).items()}
    with open(os.path.join(HERE, "small_programs.json.gz"), "wb") as stream:
        stream.write(gzip.compress(json.dumps(found, sort_keys=True).encode(), mtime=0))
    print(len(found), "programs")
