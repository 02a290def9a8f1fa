"""What old programs take from ``imp``, which Python 3.12 has no more."""

from __future__ import annotations

import sys
from importlib import reload
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

__all__ = ["load_source", "new_module", "reload"]


def load_source(name: str, pathname: str, file: object = None) -> ModuleType:
    """Loads a module from a file, under a name."""
    spec = spec_from_file_location(name, pathname)
    if spec is None or spec.loader is None:
        raise ImportError(f"{pathname} is not a file with Python source", name=name, path=pathname)
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def new_module(name: str) -> ModuleType:
    """An empty module."""
    return ModuleType(name)


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"imp.{name}: Python 3.12 has no module imp; here it has {', '.join(__all__)}, and importlib has the rest"
    )
