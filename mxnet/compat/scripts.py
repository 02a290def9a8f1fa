"""A user's own program on current versions of Python and NumPy: its modules find names that were removed.

``python -m mxnet.tools.run script.py`` and ``MXNET_COMPAT=script`` turn it on for the modules below the folder of the
script, and for no others. What they import is a copy of the module with the names of ``old_names.py`` in it.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from .old_names import MODULES, NAMES

__all__ = ["install"]

_stand_ins: dict[str, ModuleType] = {}


class _StandIn(ModuleType):
    """A module together with names that it had before."""

    def __init__(self, module: ModuleType, more: Mapping[str, Any]):
        super().__init__(module.__name__, module.__doc__)
        self.__dict__.update(vars(module))
        self.__dict__.update(more, _module=module)

    def __getattr__(self, name: str) -> Any:  # what the module has got since, or gets when it is asked
        return getattr(self.__dict__["_module"], name)


def _with_old_names(module: ModuleType) -> ModuleType:
    """The stand-in for a module, or the module itself if nothing of it was removed."""
    name = module.__name__
    if name not in NAMES or isinstance(module, _StandIn):
        return module
    if name not in _stand_ins:
        more: dict[str, Any] = {}
        for old, there in NAMES[name].items():
            holder, _, attribute = there.rpartition(".")
            if there.startswith("("):  # an expression
                more[old] = eval(there, {name: module})  # of our own list
            elif not holder or not hasattr(module, old):
                more[old] = getattr(importlib.import_module(holder) if holder else builtins, attribute)
        if name == "numpy":
            more.update({maker: _allow_ragged(getattr(module, maker)) for maker in ("array", "asarray")})
        _stand_ins[name] = _StandIn(module, more)
    return _stand_ins[name]


def _allow_ragged(make: Callable[..., Any]) -> Callable[..., Any]:
    """``np.array`` that makes an array of lists of lists that differ in length, as NumPy did before 1.24."""

    def array(*args: Any, **kwargs: Any) -> Any:
        try:
            return make(*args, **kwargs)
        except ValueError as error:
            if "inhomogeneous" not in str(error) or kwargs.get("dtype") is not None or len(args) > 1:
                raise
            return make(*args, **{**kwargs, "dtype": object})

    array.__doc__, array.__name__, array.__wrapped__ = make.__doc__, make.__name__, make  # type: ignore[attr-defined]
    return array


def _package(name: str) -> ModuleType:
    """The package of a removed module, with those modules in it that there is something for."""
    package: ModuleType = ModuleType(name.partition(".")[0])
    if importlib.util.find_spec(package.__name__) is not None:  # only the module was removed
        package = _StandIn(importlib.import_module(package.__name__), {})
    for module, there in MODULES.items():
        if module.startswith(f"{package.__name__}."):
            setattr(package, module.rpartition(".")[2], importlib.import_module(there))
    return package


def install(folder: str) -> Callable[[], None]:
    """From now on modules below a folder, and the program itself, find old names; until the result is called."""
    below = os.path.join(os.path.realpath(folder), "")
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
    original = builtins.__import__

    def is_own(names: Any) -> bool:
        if not names or names.get("__name__") == "__main__":
            return bool(names)
        file = os.path.realpath(names.get("__file__") or "")
        return file.startswith(below) and f"{os.sep}site-packages{os.sep}" not in file and not file.startswith(package)

    def importing(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> ModuleType:
        if level or not is_own(globals):
            return original(name, globals, locals, fromlist, level)
        if name in MODULES:  # without a from, import distutils.version gives distutils
            return importlib.import_module(MODULES[name]) if fromlist or "." not in name else _package(name)
        return _with_old_names(original(name, globals, locals, fromlist, level))

    builtins.__import__ = importing
    running = vars(sys.modules["__main__"])  # what it has imported so far
    for key, value in [*running.items()]:
        if isinstance(value, ModuleType):
            running[key] = _with_old_names(value)

    def undo() -> None:
        builtins.__import__ = original

    return undo
