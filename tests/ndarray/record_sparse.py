"""Records what the original gives for the programs of sparse_cases.py: golden/sparse.json.gz.

<python with mxnet 1.9.1> tests/ndarray/record_sparse.py

A program that ends the process is recorded as a crash; the rest go on in a new one.
"""

import gzip
import json
import os
import signal
import subprocess
import sys

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import sparse_cases  # noqa: E402

#: Before each record: programs may print, too.
MARK = "recorded: "


def work(start):
    import mxnet as mx

    for text in sparse_cases.cases()[start:]:
        signal.alarm(20)  # ends the process, also within the library
        print("\n" + MARK + json.dumps(sparse_cases.run(mx, text)), flush=True)


def record():
    texts, found = sparse_cases.cases(), []
    environment = dict(os.environ, MXNET_STORAGE_FALLBACK_LOG_VERBOSE="0")
    while len(found) < len(texts):
        command = ["timeout", "900", sys.executable, __file__, str(len(found))]
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment).stdout
        lines = [line[len(MARK) :] for line in text.decode().splitlines() if line.startswith(MARK)]
        found += [json.loads(line) for line in lines]
        if len(found) < len(texts):
            print("crash:", texts[len(found)])
            found.append({"error": "crash"})
    with gzip.GzipFile(os.path.join(GOLDEN, "sparse.json.gz"), "wb", mtime=0) as stream:
        stream.write(json.dumps(dict(zip(texts, found))).encode())
    print(len(found), "programs")


if __name__ == "__main__":
    work(int(sys.argv[1])) if len(sys.argv) > 1 else record()
