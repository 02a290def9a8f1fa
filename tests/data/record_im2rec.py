"""Records what the original's im2rec.py writes, into im2rec.json.

<python with mxnet 1.9.1> tests/data/record_im2rec.py
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import im2rec_cases as cases  # noqa: E402


def run(arguments):
    program = os.path.join(os.path.dirname(mx.__file__), "tools", "im2rec.py")
    subprocess.run([sys.executable, program, *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cases.prepare(folder)
        found = {
            "lists": {case: cases.lists(folder, case, run) for case in sorted(cases.LISTS)},
            "records": {case: cases.records(folder, case, run) for case in sorted(cases.RECORDS)},
        }
    (GOLDEN / "im2rec.json").write_text(json.dumps(found, indent=0) + "\n")
