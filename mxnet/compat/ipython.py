"""What IPython has moved elsewhere."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["set_matplotlib_formats"]


def set_matplotlib_formats(*formats: str, **options: Any) -> None:
    """Says how notebooks show figures: ``IPython.display`` had it until IPython 9."""
    try:
        home = import_module("matplotlib_inline.backend_inline")
    except ImportError:  # with IPython before 7.23
        home = import_module("IPython.display")
    home.set_matplotlib_formats(*formats, **options)
