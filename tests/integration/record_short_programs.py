"""Records what short programs give: ``record_short_programs.py [file ...]``, run with mxnet 1.9.1.

Of files that are not named, what was recorded stays. The programs run in a process of their own, which begins anew
after one with which the original crashes now and then.
"""

import gzip
import json
import os
import subprocess
import sys

import short_program_cases

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
TARGET = os.path.join(GOLDEN, "short_programs.json.gz")
MARK = "recorded: "


def run(programs):
    """Prints the outcomes of programs."""
    import mxnet as mx

    for _, text in programs:
        print(MARK + json.dumps(short_program_cases.outcome(text, mx)), flush=True)
    os._exit(0)  # without what its threads still have to say


if __name__ == "__main__":
    start, files = (int(sys.argv[2]), sys.argv[3:]) if sys.argv[1:2] == ["--from"] else (None, sys.argv[1:])
    everything = short_program_cases.programs()
    programs = [(file, text) for file, texts in everything.items() if not files or file in files for text in texts]
    if start is not None:
        run(programs[start:])
    outcomes, before = [], -1
    while len(outcomes) < len(programs):
        if len(outcomes) == before:
            sys.exit("the original crashes with: " + programs[before][1])
        before = len(outcomes)
        again = [sys.executable, __file__, "--from", str(before), *files]
        child = subprocess.run(again, stdout=subprocess.PIPE)
        lines = child.stdout.decode().splitlines()
        outcomes += [json.loads(line[len(MARK) :]) for line in lines if line.startswith(MARK)]
    found = {}
    for (file, text), result in zip(programs, outcomes):
        found.setdefault(file, []).append([text, result])
    if files:
        with gzip.open(TARGET, "rt", encoding="utf-8") as stream:
            found = dict(json.load(stream), **found)
    with open(TARGET, "wb") as stream:
        stream.write(gzip.compress(json.dumps(found, sort_keys=True).encode(), mtime=0))
    print(len(outcomes), "programs")
