"""Signatures and documentation of the operators ``_np_*``, and of some ``_npx_*``, as functions that do nothing.

They are made from the functions of ``mx.np`` and ``mx.npx`` themselves, so that there is one place that says them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from . import numpy as _mx_np, numpy_extension as _mx_npx

_NP = """all amax amin any atleast_1d atleast_2d atleast_3d copy cumsum diag diagflat diagonal dot max min moveaxis
prod product repeat reshape roll sometrue squeeze sum trace transpose""".split()
_NPX = "constraint_check nonzero reshape".split()


def _placeholder(name: str, function: Callable[..., Any]) -> Callable[..., None]:
    def documented(*args: Any, **kwargs: Any) -> None:
        signature.bind(*args, **kwargs)

    signature = inspect.signature(function)
    documented.__name__ = documented.__qualname__ = name
    documented.__signature__ = signature  # type: ignore[attr-defined]
    documented.__doc__ = function.__doc__
    return documented


for _place, _prefix, _names in ((_mx_np, "_np_", _NP), (_mx_npx, "_npx_", _NPX)):
    for _name in _names:
        globals()[_prefix + _name] = _placeholder(_prefix + _name, getattr(_place, _name))
_np__random_shuffle = _placeholder("_np__random_shuffle", _mx_np.random.shuffle)  # type: ignore[attr-defined]
