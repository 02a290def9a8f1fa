"""Runs random programs on the original and keeps the results: ``record_differential.py [kind ...]``"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from differential.compare import PERTURBED, Engine
from differential.generate import kinds
from differential.golden import record, save


def main():
    """Records the kinds that are named, or all but those of single calls, which `make calls RECORD=1` records."""
    engines = [Engine(sys.executable), Engine(sys.executable, **PERTURBED)]
    for kind in sys.argv[1:] or [kind for kind, generator in kinds().items() if not generator.single]:
        programs = record(kind, engines)
        save(kind, programs)
        print(kind, len(programs))
    for engine in engines:
        engine.close()


if __name__ == "__main__":
    main()
