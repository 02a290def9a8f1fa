"""Loading the modules of old packages, patched: from their own source, past Python's cache of compiled files."""

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

from .patching import Patch, apply_patches, needs_patches

__all__ = ["find_patched", "patch_loaded", "patches_of"]

#: The modules that have been patched in this process -> how many places of each.
done: dict[str, int] = {}
#: Modules that were being loaded as mxnet was imported, whose later imports are patched as they run.
_unfinished: list[tuple[ModuleType, tuple[Patch, ...]]] = []


@functools.cache
def _table(package: str) -> tuple[Mapping[str, tuple[Patch, ...]], Mapping[str, str], str]:
    """Reads a package's file: patches by module, modules provided here, and a file that identifies the package."""
    module = importlib.import_module(f"{__package__}.{package}")
    return module.PATCHES, getattr(module, "MODULES", {}), getattr(module, "MARK", "__init__.py")


def patches_of(package: str) -> Mapping[str, tuple[Patch, ...]]:
    """The patches of a package by module; those of ``package.*`` are for all of its modules."""
    return _table(package)[0]


def _patches_for(name: str) -> tuple[Patch, ...]:
    """The patches of a module."""
    package = name.partition(".")[0]
    patches = patches_of(package)
    return (*patches.get(name, ()), *patches.get(f"{package}.*", ()))


def _is_meant(package: str, file: str, name: str) -> bool:
    """Is a module's file part of the package that is meant, and not of another of the same name?"""
    inside = name.count(".") + (os.path.basename(file) == "__init__.py")
    root = file
    for _ in range(max(inside, 1)):
        root = os.path.dirname(root)
    return os.path.exists(os.path.join(root, _table(package)[2]))


class _Loader(SourceFileLoader):
    """Compiles a module's patched source; the cached bytecode stays that of the published module."""

    def __init__(self, name: str, path: str, patches: Iterable[Patch]):
        super().__init__(name, path)
        self.patches = tuple(patches)

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        source = self.get_data(path)
        if not _needs(fullname, source):
            return super().get_code(fullname)
        code, done[fullname] = compile_patched(source, path, self.patches)
        return code


def _needs(name: str, source: bytes) -> bool:
    """Whether a module has patches of its own, or contains a name that the package-wide ones change."""
    package = name.partition(".")[0]
    return name in patches_of(package) or needs_patches(source, patches_of(package).get(f"{package}.*", ()))


def compile_patched(source: bytes, path: str, patches: Iterable[Patch]) -> tuple[CodeType, int]:
    """Compiles a patched module; returns the code and how many places were changed."""
    with warnings.catch_warnings():  # of old ways to write strings: as with a cached file, they are not repeated
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        tree, changes = apply_patches(ast.parse(source, path), patches)
        return compile(tree, path, "exec", dont_inherit=True), changes


def find_patched(name: str, path: Any, finder: Any) -> ModuleSpec | None:
    """Returns the spec of a module that is patched or provided here; None for all others."""
    for module, wanted in _unfinished:
        _stand_in(module, wanted)
    _unfinished[:] = [(module, wanted) for module, wanted in _unfinished if _is_loading(module)]
    package = name.partition(".")[0]
    patches, given = _patches_for(name), _table(package)[1]
    if not patches and name not in given:
        return None
    others = (other.find_spec(name, path, None) for other in sys.meta_path if other is not finder)
    spec = next((spec for spec in others if spec is not None), None)
    if spec is None and name in given:  # what the package's own build could not make
        done[name] = 1
        file = os.path.join(os.path.dirname(__file__), given[name])
        return spec_from_file_location(name, file)
    if spec is None or type(spec.loader) is not SourceFileLoader or not spec.origin or not patches:
        return spec
    if not _is_meant(package, spec.origin, name):
        return spec
    spec.loader = _Loader(name, spec.origin, patches)
    return spec


def patch_loaded(packages: Iterable[str]) -> None:
    """Gives functions of modules that are loaded already the code that they would have been loaded with.

    A module that is being loaded, and imports mxnet by its way, gets stand-ins for the modules that it does not find:
    for those that it has imported by now, and for the others as it imports something of its package.
    """
    for package in packages:
        for name, module in [*sys.modules.items()]:
            running = name == "__main__"  # python -m package.module
            name = getattr(getattr(module, "__spec__", None), "name", name) if running else name
            file = getattr(module, "__file__", None) if name.partition(".")[0] == package else None
            patches = _patches_for(name) if file and file.endswith(".py") and _is_meant(package, file, name) else ()
            if not patches or not isinstance(module, ModuleType):
                continue
            with open(str(file), "rb") as stream:
                source = stream.read()
            if _needs(name, source):
                code, done[name] = compile_patched(source, str(file), patches)
                _exchange(module, code)
                if _is_loading(module):
                    _stand_in(module, patches)
                    _unfinished.append((module, patches))


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


def _stand_in(module: ModuleType, patches: Iterable[Patch]) -> None:
    """Patches a module that is still loading unpatched code: replaces the modules it uses by stand-ins."""
    names = vars(module)
    more: dict[str, dict[str, Any]] = {}
    for patch in patches:
        for name, there in patch.names.items():
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
