"""The versions of torch that the tests have passed with, and a warning for others.

Gradients at ties and bounds, for one, have changed between minor versions of torch; ``make matrix`` runs the tests with
another one. What pip may choose is said in pyproject.toml, with the same bounds.
"""

from __future__ import annotations

import warnings

import torch

#: The first minor version that passed, and the last.
TESTED = (2, 13), (2, 15)


def warn_if_untested(version: str) -> None:
    """Warns, in one line, if this is no version of torch that was tested."""
    first, last = TESTED
    if not first <= tuple(map(int, version.split(".")[:2])) <= last:
        between = " to ".join(".".join(map(str, v)) for v in TESTED)
        warnings.warn(f"MXNext is tested with torch {between}, this is torch {version}", stacklevel=2)


warn_if_untested(torch.__version__)
