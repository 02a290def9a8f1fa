"""Records what the original's data iterators do in the cases of io_cases.py; writes io.json.gz beside itself.

<python with mxnet 1.9.1> tests/data/record_io.py
"""

import gzip
import json
import os
import tempfile

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")

import io_cases  # noqa: E402

if __name__ == "__main__":
    os.chdir(tempfile.mkdtemp())
    recorded = {name: group(mx) for name, group in io_cases.GROUPS.items()}
    with open(os.path.join(GOLDEN, "io.json.gz"), "wb") as file:
        file.write(gzip.compress(json.dumps(recorded).encode(), mtime=0))
