"""Records random numbers by seed, into random.json.gz.

<python with mxnet 1.9.1> tests/ops/record_random.py [part of a name ...]
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
os.environ["MXNET_USE_MKLDNN_RNN"] = "0"  # its other RNN drops nothing between layers
os.environ["MXNET_ENGINE_TYPE"] = "NaiveEngine"  # its others now and then give other weights, on a busy machine
os.environ["MXNET_SUBGRAPH_VERBOSE"] = "0"

import random_cases as cases  # noqa: E402

FILE = GOLDEN / "random.json.gz"


def record(names):
    import mxnet as mx

    for name in names:
        print(json.dumps([name, [cases.summary(a) for a in cases.CASES[name](mx)]]), flush=True)
    os._exit(0)  # the original may crash while it ends


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in-process"]:
        record(json.loads(sys.stdin.read()))
    wanted = [n for n in cases.CASES if not sys.argv[1:] or any(part in n for part in sys.argv[1:])]
    found = {}
    if sys.argv[1:] and FILE.exists():
        found = json.loads(gzip.decompress(FILE.read_bytes()))
    # a process for some of them: a crash takes no more than these
    for start in range(0, len(wanted), 10):
        part = wanted[start : start + 10]
        done = subprocess.run(
            [sys.executable, __file__, "--in-process"], input=json.dumps(part), stdout=subprocess.PIPE, text=True
        )
        lines = dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith("["))
        for name in part:
            if name not in lines:
                print("NOT RECORDED", name)
        found.update(lines)
        text = json.dumps({name: found[name] for name in cases.CASES if name in found})
        FILE.write_bytes(gzip.compress(text.encode(), mtime=0))
