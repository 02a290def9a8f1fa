"""Records what short programs give: ``python tests/integration/record_short_programs.py`` with mxnet 1.9.1.

They run in a process of their own, which begins anew after a program with which the original crashes now and then.
"""

import gzip
import json
import os
import subprocess
import sys

import short_program_cases

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
PROGRAMS = [(file, text) for file, texts in short_program_cases.programs().items() for text in texts]
MARK = "recorded: "


def run(start):
    """Prints the outcomes of all programs from a number on."""
    import mxnet as mx

    for _, text in PROGRAMS[start:]:
        print(MARK + json.dumps(short_program_cases.outcome(text, mx)), flush=True)
    os._exit(0)  # without what its threads still have to say


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(int(sys.argv[1]))
    outcomes, before = [], -1
    while len(outcomes) < len(PROGRAMS):
        if len(outcomes) == before:
            sys.exit("the original crashes with: " + PROGRAMS[before][1])
        before = len(outcomes)
        child = subprocess.run([sys.executable, __file__, str(before)], stdout=subprocess.PIPE)
        lines = child.stdout.decode().splitlines()
        outcomes += [json.loads(line[len(MARK) :]) for line in lines if line.startswith(MARK)]
    found = {}
    for (file, text), result in zip(PROGRAMS, outcomes):
        found.setdefault(file, []).append([text, result])
    with open(os.path.join(GOLDEN, "short_programs.json.gz"), "wb") as stream:
        stream.write(gzip.compress(json.dumps(found, sort_keys=True).encode(), mtime=0))
    print(len(outcomes), "programs")
