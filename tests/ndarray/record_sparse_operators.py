"""Records what the original gives for the cases of sparse_operators.py: golden/sparse_operators.json.gz.

<python with mxnet 1.9.1> tests/ndarray/record_sparse_operators.py

A case that ends the process is recorded as a crash; the rest go on in a new one.
"""

import gzip
import json
import os
import signal
import subprocess
import sys

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import sparse_operator_cases as sparse_operators  # noqa: E402


def work(start):
    import mxnet as mx

    for case in sparse_operators.cases()[start:]:
        signal.alarm(20)  # ends the process, also within the library
        print(json.dumps(sparse_operators.outcome(mx, *case)), flush=True)


def record():
    cases, found = sparse_operators.cases(), []
    environment = dict(os.environ, MXNET_STORAGE_FALLBACK_LOG_VERBOSE="0", OMP_NUM_THREADS="1")
    while len(found) < len(cases):
        command = ["timeout", "900", sys.executable, __file__, str(len(found))]
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment).stdout
        found += [
            json.loads(line) for line in text.decode().splitlines() if line.startswith("{") and line.endswith("}")
        ]
        if len(found) < len(cases):
            print("crash:", *cases[len(found)], flush=True)
            found.append({"error": "crash"})
    table = {" ".join(case): what for case, what in zip(cases, found)}
    with gzip.GzipFile(os.path.join(GOLDEN, "sparse_operators.json.gz"), "wb", mtime=0) as stream:
        stream.write(json.dumps(table).encode())
    print(len(found), "cases")


if __name__ == "__main__":
    work(int(sys.argv[1])) if len(sys.argv) > 1 else record()
