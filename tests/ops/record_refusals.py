"""Records which of the calls in refusal_cases.py the original refuses. It dies of some of them, hence the processes.

<python with mxnet 1.9.1> tests/ops/record_refusals.py
"""

import gzip
import json
import os
import pathlib
import sys
import tempfile

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
sys.path.insert(0, str(GOLDEN.parent))

import refusal_cases  # noqa: E402
import samples  # noqa: E402


def run(calls, path):
    """Appends the outcomes to a file, in a new process until one is through."""
    done = 0
    while done < len(calls):
        child = os.fork()
        if not child:
            try:
                with open(path, "a") as file:
                    for name, call in calls[done:]:
                        print(json.dumps([name, refusal_cases.outcome(mx, call)]), file=file, flush=True)
            finally:
                os._exit(sys.exc_info()[0] is not None)
        _, status = os.waitpid(child, 0)
        if status:
            with open(path, "r+") as file:
                lines = [line for line in file if line.endswith("\n")]
                file.seek(0)
                file.truncate()
                file.writelines([*lines, json.dumps([calls[len(lines)][0], "died"]) + "\n"])
        with open(path) as file:
            done = sum(1 for _ in file)


if __name__ == "__main__":
    found = {}
    for family in samples.families():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "outcomes")
            run(list(refusal_cases.calls(family)), path)
            with open(path) as file:
                found[family] = dict(json.loads(line) for line in file)
        print(family, len(found[family]), sum(o == "refused" for o in found[family].values()), "refused")
    with gzip.GzipFile(GOLDEN / "refusals.json.gz", "wb", mtime=0) as file:
        file.write(json.dumps(found).encode())
