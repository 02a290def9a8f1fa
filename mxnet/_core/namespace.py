"""The names that modules of the original hold and ours define elsewhere, or under another path.

Programs rely on them: ``from mxnet.test_utils import *`` brings ``mx``, ``np`` and ``os``, packages import
``mxnet.base._as_list`` or ``mxnet.contrib.ndarray``. ``namespace.txt`` beside this file is the one table of them, and
says how it is written. A module gets its names on first use, so that importing it loads nothing more.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # as typing has it, without loading it
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

_ROOT = __name__.split(".", 1)[0]


@functools.cache
def _table() -> dict[str, str]:
    """The blocks of ``namespace.txt`` as they are written: what stands before the first colon -> the rest."""
    with open(os.path.join(os.path.dirname(__file__), "namespace.txt"), encoding="utf-8") as file:
        text = "".join(line for line in file if line[0] not in "#\n")
    blocks = text.replace("\n  ", " ").splitlines()
    return dict(block.split(": ", 1) for block in blocks)


@functools.cache
def _homes() -> dict[str, str]:
    """Name -> where it lives, for names that mean the same in all modules."""
    homes: dict[str, str] = {}
    for head, names in _table().items():
        for token in names.split() if head[0] in "@!" else ():
            name, _, there = token.partition("=")
            homes[name] = head if head[0] == "!" else f"{head[1:]}:{there or name}"
    return homes


@functools.cache
def _groups() -> dict[str, list[str]]:
    """The names of each block of names that are not available."""
    return {head[1:].split()[0]: names.split() for head, names in _table().items() if head[0] == "!"}


@functools.cache
def _names(module: str) -> tuple[dict[str, str], list[str]]:
    """Name -> where it lives for what a module gets from the table, and which of them a star import brings."""
    found: dict[str, str] = {}
    inside = module.removeprefix(_ROOT)
    star, _, other = _table().get(inside or ".", "").partition("|")
    for token in (*star.split(), "|", *other.split()):
        if token == "|":
            stars = list(found)
        elif token[0] == "&":
            found |= {name: _homes()[name] for name in _groups()[token[1:]]}
        elif token[0] == ".":
            found[token[1:]] = inside + token
        else:
            name, _, there = token.partition("=")
            found[name] = there or _homes().get(name, "")
    return found, [name for name in stars if not found[name].startswith("optional:") or _is_installed(found[name])]


def _is_installed(there: str) -> bool:
    """Whether the package of an ``@optional`` block is installed."""
    from importlib.util import find_spec

    return find_spec(there.partition(":")[2].partition(".")[0]) is not None


def _absent(where: str, name: str, reason: str) -> Callable[..., Any]:
    """Stands for a function that has no meaning here; says so when it is called."""

    def absent(*args: Any, **kwargs: Any) -> Any:
        from ..error import MXNetNotImplementedError

        raise MXNetNotImplementedError(f"{where}.{name} is not available: {reason}")

    absent.__name__ = absent.__qualname__ = name
    absent.__module__, absent.__doc__ = where, f"Not available: {reason}."
    return absent


def resolve(module: str, name: str) -> Any:
    """The object that the table gives ``module`` under ``name``; AttributeError if it has none."""
    there = _names(module)[0].get(name)
    if not there:  # or the module is to define it itself, and has not come that far
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    home, _, attribute = there.partition(":")
    if home.startswith("!"):
        return _absent(module, name, there.partition(" ")[2])
    if home == "optional" and not _is_installed(there):
        raise AttributeError(f"{module}.{name} is {attribute}, which is not installed")
    if home in ("module", "optional"):
        home, attribute = attribute, ""
    from .garbage import no_collection

    with no_collection():  # half of the time it would walk over the objects of torch
        target = importlib.import_module(_ROOT + home if home.startswith(".") else home)
        return getattr(target, attribute) if attribute else target


def attach(module: ModuleType) -> None:
    """Gives a module its names from the table: through ``__getattr__``, ``__dir__`` and ``__all__``."""
    where, space = module.__name__, vars(module)
    own: Callable[[str], Any] | None = space.get("__getattr__")

    def getattr_(name: str) -> Any:
        if name == "__all__":  # what a star import brings by itself, and what the table adds
            # parts of the package that the original does not have, as config, would hide modules of a program's own
            parts = [key for key in space if where == _ROOT and f"{where}.{key}" in sys.modules]
            return [*(key for key in space if key[0] != "_" and key not in parts), *_names(where)[1]]
        if own is not None and name not in _names(where)[0]:
            return own(name)
        space[name] = value = resolve(where, name)
        return value

    def dir_() -> list[str]:
        # Names from elsewhere are not shown, so that help() is about the module; packages show their parts.
        homes = _names(where)[0]
        shown = {name for name in space if not homes.get(name)}
        if "__path__" in space:
            shown |= {name for name, there in homes.items() if there.startswith((".", "module:."))}
        return sorted(shown)

    if isinstance(space.get("__all__"), list):
        space["__all__"] += (name for name in _names(where)[1] if name not in space["__all__"])
    space.update(__getattr__=getattr_, __dir__=dir_)


class _Elsewhere:
    """Loads a module that has no file: another module under a second name, or a few names from the table."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        alias = _table().get(f"={spec.name.removeprefix(_ROOT)}")
        if alias is None:
            return None
        module = importlib.import_module(_ROOT + alias.strip())
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        if hasattr(self, "_own"):
            module.__spec__ = self._own
        else:
            module.__doc__ = "Names of the original's module of this path, from ``mxnet/_core/namespace.txt``."
            attach(module)


class _Finder:
    """Finds the modules of this package, so that those in the table get their names."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith(f"{_ROOT}."):
            return None
        others = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((spec for spec in others if spec is not None), None)
        short = name.removeprefix(_ROOT)
        if spec is None:
            known = short in _table() or f"={short}" in _table()
            package = any(head.startswith(f"{short}.") for head in _table())
            return ModuleSpec(name, _Elsewhere(), is_package=package) if known else None  # type: ignore[arg-type]
        if spec.loader is not None and short in _table():
            run = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                run(module)
                attach(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def install(package: str) -> None:
    """For ``mxnet/__init__.py``: from now on its modules, and the package itself, have the names of the table."""
    sys.meta_path.insert(0, _Finder())
    attach(sys.modules[package])
