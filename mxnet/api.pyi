# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

def _init_api(*args: Any, **kwargs: Any) -> Any:
    """Not available: it works on handles of the C library, and there is none behind this package."""
