"""Gluon: networks as Python classes, run as they are written or hybridized into graphs."""

import importlib as _importlib
from typing import Any as _Any

from . import block, loss, nn, parameter, trainer, utils
from .block import Block, HybridBlock, SymbolBlock
from .parameter import Constant, DeferredInitializationError, Parameter, ParameterDict, tensor_types
from .trainer import Trainer

_LATER = ("contrib", "data", "model_zoo", "rnn")


def __getattr__(name: str) -> _Any:
    # These load what most programs do not need: image codecs, data sets, model definitions.
    if name in _LATER:
        try:
            return _importlib.import_module(f"{__name__}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
