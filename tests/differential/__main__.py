"""Runs random programs on this package and on the original and shows what differs, shrunk.

python -m differential --original <python with mxnet 1.9.1> -n 1000 [--kind executor] [--seed 0]
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from tqdm import tqdm

from . import golden
from .compare import JITTER, PERTURBED, Engine, deliberate, first_difference, outline, shrink
from .generate import kinds, program

HERE = Path(__file__).parent
UNDEFINED = (0, "undefined", "")
TOGETHER = 16  # programs that share a process: forking one takes longer than most of them
ROUNDINGS = (-3, -2, -1, 1, 2, 3)  # times JITTER
TIMES = 9  # that a program runs again whose result may depend on the order of threads


class Pair:
    """This package and the original side by side."""

    def __init__(self, original):
        # torch imports these when it first runs some operators on its meta device, which takes seconds.
        warm = [["import torch._dynamo, torch._refs"], *(program(kind, 0) for kind in kinds())]
        self.ours = Engine(sys.executable, warm, PYTHONPATH=str(HERE.parents[1]))
        self.original = Engine(original)
        self.perturbed = Engine(original, **PERTURBED)

    def differences(self, programs):
        """The programs, our results, and what differs first in each, None where nothing does."""
        waiting = []
        for start in range(0, len(programs), TOGETHER):
            waiting.append(programs[start : start + TOGETHER])
            self.ours.send(*waiting[-1])
            self.original.send(*waiting[-1])
            if len(waiting) > 1:  # neither waits for the other
                yield from self._oldest(waiting)
        while waiting:
            yield from self._oldest(waiting)

    def _oldest(self, waiting):
        results = zip(waiting.pop(0), self.ours.receive(), self.original.receive(), strict=True)
        return [(steps, ours, first_difference(steps, ours, original)) for steps, ours, original in results]

    def alone(self, steps, among):
        """What differs first in a program that has a process of its own; ``among`` is our result among others."""
        self.original.send(steps)
        ours = self.ours.run(steps)
        changed = first_difference(steps, among, ours)
        found = first_difference(steps, ours, self.original.receive()[0])
        return (changed[0], "company", f"ours first, alone second: {changed[2]}") if changed else found

    def difference(self, steps, kind):
        """What differs first in a program; UNDEFINED if the original does not always give the same result for it."""
        self.original.send(steps)
        self.perturbed.send(steps, jitter=JITTER.get(kind, 0.0))
        ours, original, perturbed = self.ours.run(steps), self.original.receive()[0], self.perturbed.receive()[0]
        return UNDEFINED if first_difference(steps, perturbed, original) else first_difference(steps, ours, original)

    def is_settled(self, steps, kind):
        """Does the original give one result however often it runs, and with whatever rounding?

        Its threads may come in another order.
        """
        first, jitter = self.original.run(steps), JITTER.get(kind)
        again = [self.original.run(steps) for _ in range(TIMES)]
        if jitter:
            again += [self.original.run(steps, jitter=factor * jitter) for factor in ROUNDINGS]
        return not any(first_difference(steps, other, first) for other in again)

    def failing(self, steps):
        """The steps that the original refuses: without some steps others make no sense any more."""
        return {steps[step] for step in self.original.run(steps)["errors"] if step < len(steps)}

    def agrees(self, packed):
        """Is our result of a recorded program the recorded one, or a deliberate difference?

        What differs otherwise is for `make calls` to report.
        """
        steps, expected = golden.unpack(packed)
        found = first_difference(steps, golden.digested(self.ours.run(steps)), expected)
        return not found or deliberate(steps, found)

    def close(self):
        """Ends the processes."""
        for engine in (self.ours, self.original, self.perturbed):
            engine.close()


def _subject(difference):
    """The variable whose value differs, or what the errors are."""
    _, kind, text = difference
    return text.split("\n")[0] if kind == "value" else re.sub(r"\d+", "", text)[:200]


def shortest(pair, steps, found, kind):
    """The shortest program with a difference of the same sort, and that difference."""
    failing = pair.failing(steps)

    def differs(candidate):
        other = pair.difference(candidate, kind)
        return (
            other is not None
            and other[1] == found[1]
            and _subject(other) == _subject(found)
            and pair.failing(candidate) <= failing
            and not deliberate(candidate, other)
        )

    short = steps[: found[0] + 1] if found[1] != "end" else steps
    if differs(short):
        short = shrink(short, differs)
        return short, pair.difference(short, kind)
    return steps, found


def _settle(steps, found, counts, reasons):
    """Counts a program in which nothing differs, or what is meant to; False for all others."""
    meant = found and deliberate(steps, found)
    if found and not meant:
        return False
    counts["deliberate" if meant else "same"] += 1
    if meant:
        reasons[meant["reason"]] += 1
    return True


def main():
    """The command line."""
    parser = argparse.ArgumentParser(prog="differential", description=__doc__.split("\n")[0])
    parser.add_argument("--original", required=True, help="a Python that has mxnet 1.9.1")
    parser.add_argument("-n", type=int, default=1000, help="programs of each kind")
    parser.add_argument("--kind", action="append", choices=sorted(kinds()), help="only this kind; may be repeated")
    parser.add_argument("--seed", type=int, default=0, help="number of the first program")
    parser.add_argument("--shrink", type=int, default=40, help="how many differing programs of a kind to shrink")
    parser.add_argument("--record", action="store_true", help="record what the original does, for the tests")
    given = parser.parse_args()
    pair = Pair(given.original)
    table, failed = [], False
    try:
        if given.record:
            for kind in given.kind or kinds():
                programs = golden.record(kind, [pair.original, pair.perturbed])
                golden.save(kind, [p for p in programs if not kinds()[kind].single or pair.agrees(p)])
            return 0
        for kind in given.kind or kinds():
            counts, reasons = Counter(), Counter()
            numbers = range(given.seed, given.seed + given.n)
            results = pair.differences([program(kind, number) for number in numbers])
            failures = []
            for number, (steps, ours, found) in zip(numbers, tqdm(results, total=given.n, desc=kind), strict=True):
                if not _settle(steps, found, counts, reasons):
                    failures.append((number, steps, ours))
            groups = {}
            for number, steps, ours in tqdm(failures, desc=f"{kind}: shrinking", disable=not failures):
                found = pair.alone(steps, ours)
                if _settle(steps, found, counts, reasons):
                    continue
                if found[1] != "company":
                    if pair.difference(steps, kind) is UNDEFINED or not pair.is_settled(steps, kind):
                        counts["undefined"] += 1
                        continue
                    if counts["different"] < given.shrink and not kinds()[kind].single:
                        steps, found = shortest(pair, steps, found, kind)
                        if found is UNDEFINED:
                            counts["undefined"] += 1
                            continue
                counts["different"] += 1
                if counts["different"] <= given.shrink or kinds()[kind].single:
                    subject = kinds()[kind].subject(steps) or outline(steps)
                    direction = found[2].startswith("ours: no error")
                    groups.setdefault((found[1], direction, subject), []).append((len(steps), number, steps, found))
            for members in sorted(groups.values(), key=len, reverse=True):
                _, number, steps, found = min(members)
                seeds = ", ".join(str(member[1]) for member in members[:8])
                print(f"\n### {kind}: {len(members)} programs ({seeds}); the shortest, of {number}:\n")
                print("\n".join(f"    {line}" for step in steps for line in step.split("\n")))
                where = repr(steps[found[0]]) if found[0] < len(steps) else "the end"
                print(f"\n  {found[1]} differs at {where}: {found[2]}")
            failed = failed or bool(counts["different"])
            table.append(
                (kind, given.n, *(counts[c] for c in ("same", "deliberate", "undefined", "different")), reasons)
            )
    finally:
        pair.close()
    print(f"\n{'kind':12}{'run':>8}{'same':>8}{'meant':>8}{'undef.':>8}{'differ':>8}")
    for kind, *counts, _ in table:
        print(f"{kind:12}" + "".join(f"{count:8}" for count in counts))
    for kind, *_, reasons in table:
        for reason, count in reasons.most_common():
            print(f"  {kind}: {count} x {reason}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
