"""Loading the modules of old packages mended: from their own source, past Python's cache of compiled files."""

from __future__ import annotations

import ast
import functools
import importlib
import os
import sys
import warnings
from collections.abc import Iterable, Mapping
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .mending import Mend, concerned, mended

__all__ = ["find_mended", "mend_loaded", "mends_of"]

#: The modules that have been mended in this process -> how many places of each.
done: dict[str, int] = {}
#: Modules that were being loaded as mxnet was imported, whose later imports are mended as they come.
_unfinished: list[tuple[ModuleType, tuple[Mend, ...]]] = []


@functools.cache
def _table(package: str) -> tuple[Mapping[str, tuple[Mend, ...]], Mapping[str, str], str]:
    """What the file of a package says: mends by module, modules that are given, and a file that tells the package."""
    module = importlib.import_module(f"{__package__}.{package}")
    return module.MENDS, getattr(module, "MODULES", {}), getattr(module, "MARK", "__init__.py")


def mends_of(package: str) -> Mapping[str, tuple[Mend, ...]]:
    """The mends of a package, by module; those of ``package.*`` are for all of its modules."""
    return _table(package)[0]


def _mends_for(name: str) -> tuple[Mend, ...]:
    """The mends of a module."""
    package = name.partition(".")[0]
    mends = mends_of(package)
    return (*mends.get(name, ()), *mends.get(f"{package}.*", ()))


def _is_meant(package: str, file: str, name: str) -> bool:
    """Is a module's file part of the package that is meant, and not of another of the same name?"""
    inside = name.count(".") + (os.path.basename(file) == "__init__.py")
    root = file
    for _ in range(max(inside, 1)):
        root = os.path.dirname(root)
    return os.path.exists(os.path.join(root, _table(package)[2]))


class _Loader(SourceFileLoader):
    """Compiles a module's mended source; the cached file has, and keeps, the module as it was published."""

    def __init__(self, name: str, path: str, mends: Iterable[Mend]):
        super().__init__(name, path)
        self.mends = tuple(mends)

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        source = self.get_data(path)
        if not _needs(fullname, source):
            return super().get_code(fullname)
        code, done[fullname] = compiled(source, path, self.mends)
        return code


def _needs(name: str, source: bytes) -> bool:
    """Does a module have mends of its own, or something that those of the whole package are for?"""
    package = name.partition(".")[0]
    return name in mends_of(package) or concerned(source, mends_of(package).get(f"{package}.*", ()))


def compiled(source: bytes, path: str, mends: Iterable[Mend]) -> tuple[CodeType, int]:
    """The compiled module, mended, and how many places were changed."""
    with warnings.catch_warnings():  # of old ways to write strings: as with a cached file, they are not repeated
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        tree, changes = mended(ast.parse(source, path), mends)
        return compile(tree, path, "exec", dont_inherit=True), changes


def find_mended(name: str, path: Any, finder: Any) -> ModuleSpec | None:
    """The spec of a module that is to be mended, or is given here; None for all others."""
    for module, wanted in _unfinished:
        _stand_in(module, wanted)
    _unfinished[:] = [(module, wanted) for module, wanted in _unfinished if _is_loading(module)]
    package = name.partition(".")[0]
    mends, given = _mends_for(name), _table(package)[1]
    if not mends and name not in given:
        return None
    others = (other.find_spec(name, path, None) for other in sys.meta_path if other is not finder)
    spec = next((spec for spec in others if spec is not None), None)
    if spec is None and name in given:  # what the package's own build could not make
        done[name] = 1
        file = os.path.join(os.path.dirname(__file__), given[name])
        return spec_from_file_location(name, file)
    if spec is None or type(spec.loader) is not SourceFileLoader or not spec.origin or not mends:
        return spec
    if not _is_meant(package, spec.origin, name):
        return spec
    spec.loader = _Loader(name, spec.origin, mends)
    return spec


def mend_loaded(packages: Iterable[str]) -> None:
    """Gives functions of modules that are loaded already the code that they would have been loaded with.

    A module that is being loaded, and imports mxnet by its way, gets stand-ins for the modules that it asks in vain:
    for those that it has imported by now, and for the others as it imports something of its package.
    """
    for package in packages:
        for name, module in [*sys.modules.items()]:
            running = name == "__main__"  # python -m package.module
            name = getattr(getattr(module, "__spec__", None), "name", name) if running else name
            file = getattr(module, "__file__", None) if name.partition(".")[0] == package else None
            mends = _mends_for(name) if file and file.endswith(".py") and _is_meant(package, file, name) else ()
            if not mends or not isinstance(module, ModuleType):
                continue
            with open(str(file), "rb") as stream:
                source = stream.read()
            if _needs(name, source):
                code, done[name] = compiled(source, str(file), mends)
                _exchange(module, code)
                if _is_loading(module):
                    _stand_in(module, mends)
                    _unfinished.append((module, mends))


def _is_loading(module: ModuleType) -> bool:
    """Is a module still being loaded, or the program that runs?"""
    return module.__name__ == "__main__" or getattr(module.__spec__, "_initializing", False)


class _StandIn(ModuleType):
    """A module for one other module: with what that needs, and everything else of the module it stands for."""

    def __init__(self, module: ModuleType, more: Mapping[str, Any]):
        super().__init__(module.__name__, module.__doc__)
        self.__dict__.update(more, _module=module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_module"], name)


def _stand_in(module: ModuleType, mends: Iterable[Mend]) -> None:
    """Mends a module that is just being loaded, as it was published: what it takes of others is put in their place."""
    names = vars(module)
    more: dict[str, dict[str, Any]] = {}
    for mend in mends:
        for name, there in mend.names.items():
            holder, _, attribute = name.partition(".")
            found = names.get(holder)
            if attribute.isidentifier() and isinstance(found, ModuleType) and not isinstance(found, _StandIn):
                more.setdefault(holder, {})[attribute] = eval(there, names)  # of our own list
    for holder, attributes in more.items():
        names[holder] = _StandIn(names[holder], attributes)


def _exchange(module: ModuleType, code: CodeType) -> None:
    """Exchanges the code of a module's functions and methods for that of the same name in ``code``."""
    for part in code.co_consts:
        if not isinstance(part, CodeType):
            continue
        found = vars(module).get(part.co_name)
        if isinstance(found, FunctionType) and found.__module__ == module.__name__:
            found.__code__ = part
        elif isinstance(found, type) and found.__module__ == module.__name__:
            for method in part.co_consts:
                old = vars(found).get(method.co_name) if isinstance(method, CodeType) else None
                if isinstance(old, FunctionType) and old.__code__.co_freevars == method.co_freevars:
                    old.__code__ = method
