"""Random number generators: one for the host, one for each GPU; seeded together or alone."""

from __future__ import annotations

import threading

import torch

from .context import Context

# As in MXNet, all host contexts share one generator, and a program that sets no seed gives the same numbers each time.
_HOST = -1
_generators: dict[int, torch.Generator] = {}
_seed = 0
_lock = threading.Lock()


def generator(context: Context) -> torch.Generator:
    """The generator of a context. It stays the same object when it is seeded anew."""
    key = context.device_id if context.is_gpu else _HOST
    found = _generators.get(key)
    if found is None:
        with _lock:
            found = _generators.get(key)
            if found is None:
                found = torch.Generator(context.torch_device)
                found.manual_seed(_seed_of(key))
                _generators[key] = found
    return found


def seed(value: int, context: Context | None = None) -> None:
    """Seeds one context, or all of them, also those used for the first time later."""
    global _seed
    value %= 2**64
    if context is not None:
        known = generator(context)
        with _lock:
            known.manual_seed(value)
        return
    with _lock:
        _seed = value
        for key, known in _generators.items():
            known.manual_seed(_seed_of(key))


def _seed_of(key: int) -> int:
    # Devices differ under one seed; the first GPU has the seed itself, as when it is seeded alone.
    return (_seed + 0x9E3779B97F4A7C15 * max(key, 0)) % 2**64
