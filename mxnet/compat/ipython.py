"""What IPython has moved elsewhere."""

from __future__ import annotations

from typing import Any

__all__ = ["set_matplotlib_formats"]


def set_matplotlib_formats(*formats: str, **options: Any) -> None:
    """Says how notebooks show figures: ``IPython.display`` had it until IPython 9."""
    try:
        from matplotlib_inline import backend_inline as home
    except ImportError:  # with IPython before 7.23
        from IPython import display as home
    home.set_matplotlib_formats(*formats, **options)
