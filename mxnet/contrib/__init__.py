"""``mx.contrib``: parts beside the core, loaded on first use. ``nd`` and ``sym`` are the contributed operators."""

from __future__ import annotations

import importlib
from typing import Any

_PARTS = {
    "amp": "mxnet.contrib.amp",
    "autograd": "mxnet.contrib.autograd",
    "io": "mxnet.contrib.io",
    "memonger": "mxnet.contrib.memonger",
    "nd": "mxnet.ndarray.contrib",
    "ndarray": "mxnet.ndarray.contrib",
    "svrg_optimization": "mxnet.contrib.svrg_optimization",
    "sym": "mxnet.symbol.contrib",
    "symbol": "mxnet.symbol.contrib",
    "text": "mxnet.contrib.text",
}


def __getattr__(name: str) -> Any:
    if name not in _PARTS:
        raise AttributeError(f"mx.contrib has no {name!r}; it has {', '.join(_PARTS)}")
    return importlib.import_module(_PARTS[name])


def __dir__() -> list[str]:
    return sorted(_PARTS)
