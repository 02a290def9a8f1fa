"""Random number generators: one per context, seeded together or alone."""

from __future__ import annotations

import threading

import torch

from .context import Context

_generators: dict[Context, torch.Generator] = {}
_lock = threading.Lock()
_seed: int | None = None


def generator(context: Context) -> torch.Generator:
    """The generator of a context."""
    found = _generators.get(context)
    if found is None:
        with _lock:
            found = torch.Generator(context.torch_device)
            if _seed is None:
                found.seed()
            else:
                found.manual_seed(_seed + 1000003 * (8 * context.device_id + context.device_typeid - 1))
            found = _generators.setdefault(context, found)
    return found


def seed(value: int, context: Context | None = None) -> None:
    """Seeds one context, or all of them, also those used later."""
    global _seed
    if context is not None:
        generator(context).manual_seed(value)
        return
    _seed = value
    _generators.clear()
