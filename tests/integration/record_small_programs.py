"""Records small programs' results: ``python tests/integration/record_small_programs.py`` with mxnet 1.9.1."""

import gzip
import json
import os

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import small_program_cases as small_programs  # noqa: E402

if __name__ == "__main__":
    found = {name: small_programs.outcome(run, mx) for name, run in small_programs.programs(mx).items()}
    with open(os.path.join(GOLDEN, "small_programs.json.gz"), "wb") as stream:
        stream.write(gzip.compress(json.dumps(found, sort_keys=True).encode(), mtime=0))
    print(len(found), "programs")
