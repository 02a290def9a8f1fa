"""Runs random programs on the original and keeps the results: python tests/golden/record_differential.py [kind ...]"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from differential.compare import JITTER, PERTURBED, Engine, first_difference
from differential.generate import kinds, program
from differential.golden import pack, save
from differential.worker import FINISHED

COUNTS = {"ndarray": 1000, "autograd": 1000, "sparse": 200, "numpy_gluon": 150, "control": 150}  # of the others:
COUNT = 400
FIRST = 1_000_000  # far from the numbers that `make differential` starts with


def record(kind, engines):
    """The packed programs of a kind whose result does not depend on what memory held before."""
    kept = []
    for number in range(FIRST, FIRST + COUNTS.get(kind, COUNT)):
        steps = program(kind, number)
        engines[0].send(steps)
        other = engines[1].run(steps, jitter=JITTER.get(kind, 0.0))
        result = engines[0].receive()[0]
        if result["end"] == FINISHED and not first_difference(steps, result, other):
            kept.append(pack(steps, result))
    return kept


def main():
    """Records the kinds that are named, or all."""
    engines = [Engine(sys.executable), Engine(sys.executable, **PERTURBED)]
    for kind in sys.argv[1:] or kinds():
        programs = record(kind, engines)
        save(kind, programs)
        print(kind, len(programs))
    for engine in engines:
        engine.close()


if __name__ == "__main__":
    main()
