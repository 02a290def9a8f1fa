"""Random numbers: ``mx.random``."""

from __future__ import annotations

from .context import Context
from .rng import seed as _seed


def seed(seed_state: int, ctx: str | Context = "all") -> None:
    """Seeds the generators of one context, or of all: the same seed gives the same numbers."""
    _seed(int(seed_state), None if ctx == "all" else Context(ctx))
