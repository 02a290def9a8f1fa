"""Runs cases in child processes: a crash is a finding, and the cases after it run in the next child."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import cases as drawn
import torch

#: How many cases a child runs, unless one of them is its last.
_CHUNK = 200
_SECONDS = 300


def _run_child(cases: list[dict], first: int, last: int) -> tuple[list[tuple[int, str]], int]:
    """Runs cases in a fork: what it found, and the one that ended it (or ``last``)."""
    threads = torch.get_num_threads()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(_SECONDS)
        os.close(reader)
        torch.set_num_threads(threads)  # nothing was computed before the fork: they can be started here
        for place in range(first, last):
            os.write(writer, f"{place}\n".encode())
            try:
                found = drawn.differences(cases[place])
            except Exception as error:  # a finding, as a wrong number is
                found = [f"{type(error).__name__}: {error}".replace("\n", " ")[:300]]
            for text in found:
                os.write(writer, f"{place} {text}\n".encode())
        os.write(writer, f"{last}\n".encode())
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as lines:
        told = [line.strip().partition(" ") for line in lines]
    status = os.waitpid(child, 0)[1]
    findings = [(int(place), text) for place, _, text in told if text]
    reached = int(told[-1][0]) if told else first
    if reached < last:
        findings.append((reached, f"crash (status {os.waitstatus_to_exitcode(status)})"))
        return findings, reached + 1
    return findings, last


def sweep(cases: list[dict]) -> Iterator[tuple[dict, str]]:
    """The cases that went wrong, and how."""
    first = 0
    while first < len(cases):
        findings, first = _run_child(cases, first, min(first + _CHUNK, len(cases)))
        for place, text in findings:
            yield cases[place], text
