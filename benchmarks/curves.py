"""Measures sizes or plans here and on MXNet 1.9.1, each in its own process, and draws the results."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: Who is measured: the name and the color in drawings.
WHO = {"ours": ("MXNext", "tab:blue"), "original": ("MXNet 1.9.1", "tab:gray")}


def measured(script, original, *arguments):
    """Runs a script with these arguments, by both Pythons in turn; yields who, and the last line it printed as JSON."""
    for who in WHO:
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        if who == "ours":
            environment["PYTHONPATH"] = str(ROOT)
        command = [sys.executable if who == "ours" else original, script, *map(str, arguments)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            print(*arguments, who, "failed:", done.stderr.strip().split("\n")[-1][:200], flush=True)
            continue
        found = json.loads(done.stdout.strip().split("\n")[-1])
        print(*arguments, who, found, flush=True)
        yield who, found


def panels(columns, **options):
    """A figure with two rows of panels."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, columns, **options)
    for axis in axes.flat:
        axis.grid(alpha=0.3)
    return figure, axes


def save(figure, path, dpi):
    """Writes a figure into an image file."""
    figure.tight_layout()
    figure.savefig(path, dpi=dpi)


def run(parser, choices, work, measure, draw):
    """Runs the command: one measurement (``--work``), all of them (``--original``) or only the drawing (``--draw``)."""
    parser.add_argument("--original", help="a Python with mxnet 1.9.1")
    parser.add_argument("--draw", action="store_true", help="draw what was measured")
    parser.add_argument("--work", choices=choices, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        work(args)
    elif args.draw:
        draw()
    elif args.original:
        measure(args)
        draw()
    else:
        parser.error("--original or --draw")
