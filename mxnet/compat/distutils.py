"""What old packages take from ``distutils``, which Python 3.12 has no more."""

from __future__ import annotations

import functools
import re

__all__ = ["LooseVersion", "StrictVersion", "strtobool"]


@functools.total_ordering
class LooseVersion:
    """A version that is compared by its numbers and words: ``LooseVersion("1.10") > LooseVersion("1.9.1")``.

    Where one has a word and the other a number, which distutils refused to compare, the number is the later one.
    """

    def __init__(self, vstring: str = ""):
        self.vstring = vstring
        parts = (part for part in re.split(r"(\d+|[a-z]+|\.)", vstring) if part and part != ".")
        self.version: list[int | str] = [int(part) if part.isdigit() else part for part in parts]

    def _key(self) -> list[tuple[int, int, str]]:
        return [(1, part, "") if isinstance(part, int) else (0, 0, part) for part in self.version]

    def __eq__(self, other: object) -> bool:
        other = LooseVersion(other) if isinstance(other, str) else other
        return self._key() == other._key() if isinstance(other, LooseVersion) else NotImplemented

    def __lt__(self, other: str | LooseVersion) -> bool:
        other = LooseVersion(other) if isinstance(other, str) else other
        return self._key() < other._key() if isinstance(other, LooseVersion) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._key()))

    def __str__(self) -> str:
        return self.vstring

    def __repr__(self) -> str:
        return f"{type(self).__name__} ({self.vstring!r})"


#: What is compared by it here are plain release numbers.
StrictVersion = LooseVersion


def strtobool(val: str) -> int:
    """1 for ``"yes"``, ``"true"``, ``"on"``, ``"1"``, 0 for their opposites, in any case; else ValueError."""
    word = val.lower()
    if word in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if word in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {val!r}: expected one of y, yes, t, true, on, 1, n, no, f, false, off, 0")
