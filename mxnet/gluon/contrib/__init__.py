"""More of Gluon: further layers, cells and data sets, the Estimator, and torch modules as blocks."""

import importlib as _importlib
from typing import Any as _Any

_PARTS = ("cnn", "data", "estimator", "nn", "rnn", "torch_block")


def __getattr__(name: str) -> _Any:
    if name in _PARTS:
        try:
            return _importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PARTS})
