"""Writes the stubs (``.pyi``) of the package, for type checkers and editors.

    python docs/stubs.py            # or: make stubs
    python docs/stubs.py --check    # says which of them are out of date

Functions and methods that are made of operators at run time, constructors that pass their arguments on, and names that
load on first use cannot be told from the source. A stub hides the source of its module from tools, so that only modules
with such names have one. Of ``mxnet.ndarray``, whose source mypy checks, only what is made at run time is in stubs:
``derived_*.pyi`` have no module beside them, the sources import them for type checkers only.
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import importlib.util
import inspect
import re
import sys
import typing
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType, UnionType
from typing import Annotated, Any, Literal

import torch
from stub_source import Stub, class_source, default_text, definition, outer, statements, targets

from mxnet._core import namespace as _namespace
from mxnet.context import Context
from mxnet.ops.params import REQUIRED, AnyAxes
from mxnet.ops.registry import OpDef

ROOT = Path(__file__).resolve().parent.parent
#: Not for users: their modules have no stubs.
_INSIDE = re.compile(r"mxnet\.(ops|graph|compat|native|tools|_test_utils|data|onnx\.\w+\.converters)\b|mxnet\.\w+_doc$")
#: Modules whose source mypy checks: what is made at run time in them has a stub of its own.
_CHECKED = {
    "mxnet.ndarray.contrib": "derived_contrib",
    "mxnet.ndarray.functions": "derived_functions",
    "mxnet.ndarray.random": "derived_random",
    "mxnet.ndarray.sparse": "derived_sparse",
}
_CLASSES = {"mxnet.ndarray.ndarray": "NDArray", "mxnet.ndarray.numpy.array": "ndarray"}
#: Inside of mxnet.ndarray, or subclasses of what has such a stub.
_SOURCE_SAYS_ALL = {"mxnet.ndarray.one_element", "mxnet.ndarray.sparse_array", "mxnet._core.signature"}

# ---- types of attributes ---------------------------------------------------------------------------------------------

# What a call may give for an attribute: more than what the kernel gets. Numbers of NumPy's count as such, a list or a
# single number as a tuple.
_TYPES = {
    int: "int | SupportsIndex",
    float: "float | SupportsFloat",
    bool: "bool | int",
    str: "str",
    torch.dtype: "DTypeLike | None",
    Context: "Context | str",
    tuple[int, ...]: "tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex",
    tuple[float, ...]: "tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat",
    tuple[int | None, ...]: "tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None",
    tuple[str, ...]: "tuple[str, ...] | Sequence[str] | str",
    tuple[tuple[int, ...], ...]: "tuple[tuple[int, ...], ...] | Sequence[Sequence[SupportsIndex]]",
}
_FROM = {
    "Any": "typing",
    "Context": "mxnet.context",
    "DTypeLike": "numpy.typing",
    "Literal": "typing",
    "Sequence": "collections.abc",
    "SupportsFloat": "typing",
    "SupportsIndex": "typing",
    "overload": "typing",
}


def attribute_type(annotation: Any) -> str:
    """The type of an attribute of an operator, as an argument has it."""
    origin = typing.get_origin(annotation)
    if annotation == AnyAxes:
        return f"{_TYPES[tuple[int, ...]]} | None"
    if origin is Annotated:
        return attribute_type(typing.get_args(annotation)[0])
    if origin is Literal:
        # A text that is no constant is taken, too: it is so in functions and classes that pass the choice on.
        kinds = {type(choice).__name__ for choice in typing.get_args(annotation)}
        return f"Literal[{', '.join(map(repr, typing.get_args(annotation)))}] | {' | '.join(sorted(kinds))}"
    if origin in (typing.Union, UnionType):
        inner = [attribute_type(a) for a in typing.get_args(annotation) if a is not type(None)]
        return " | ".join([*inner, "None"]).replace("| None | None", "| None")
    return _TYPES[annotation]


def _typed(stub: Stub, text: str) -> str:
    """An annotation, with the imports that it needs."""
    for name in re.findall(r"[A-Za-z_]+", re.sub(r"'[^']*'", "", text)):
        if name in _FROM:
            stub.need(_FROM[name], name)
    return text


# ---- functions that are made at run time -----------------------------------------------------------------------------


def new_stub(module: ModuleType, name: str = "") -> Stub:
    """An empty stub."""
    stub = Stub(module, describe, name)
    stub.array = array_of(module.__name__)
    return stub


def array_of(module: str) -> tuple[str, str]:
    """What functions of a module take and give: the name of the class, and where it is."""
    if "symbol" in module:
        return ("_Symbol", "mxnet.symbol.numpy._symbol") if "numpy" in module else ("Symbol", "mxnet.symbol.symbol")
    if "numpy" in module:
        return "ndarray", "mxnet.ndarray.numpy.array"
    return "NDArray", "mxnet.ndarray.ndarray"


_BINARY = re.compile(r"__[ri]?(add|sub|mul|truediv|div|mod|pow|and|or|xor)__$")
_COMPARISON = re.compile(r"__(eq|ne|gt|ge|lt|le)__$")
_MAKERS = {
    "mxnet.ops.derive:public_function": "_operator",
    "mxnet.ops.numpy.signatures:_function": "_from_table",
    "mxnet.ops.numpy.signatures:_unary": "_of_one",
    "mxnet.ops.numpy.signatures:_binary": "_of_two",
    "mxnet.ndarray.functions:_arithmetic": "_of_two",
}


def describe(stub: Stub, name: str, value: Any, indent: str) -> list[str] | None:
    """The lines of a function that was made of an operator; None of another object."""
    if not isinstance(value, FunctionType):
        return None
    kind, where = array_of(stub.module.__name__)
    if indent and (_BINARY.match(name) or _COMPARISON.match(name)):
        stub.need("typing", "Any")
        other = f"{indent}def {name}(self, other: Any) -> {kind}: ..."
        return [other + ("  # type: ignore[override]" if name in ("__eq__", "__ne__") else "")]
    maker = f"{value.__globals__['__name__']}:{value.__code__.co_qualname.partition('.')[0]}"
    if maker not in _MAKERS or "<locals>" not in value.__code__.co_qualname:
        return None
    stub.need(where, kind)
    return globals()[_MAKERS[maker]](stub, name, value, indent, kind)


def _operator(stub: Stub, name: str, value: Any, indent: str, kind: str) -> list[str]:
    """A function or method of an operator's own signature."""
    op: OpDef = outer(value)["op"]
    symbolic = "Symbol" in kind
    parts: list[str] = []
    optional = False

    def add(text: str, default: str | None) -> None:
        nonlocal optional
        optional = optional or default is not None
        parts.append(f"{text} = {default or '...'}" if optional else text)

    inputs = op.inputs[:-1] if op.variadic is not None else op.inputs
    for i, argument in enumerate(inputs):
        if indent and i == 0:
            parts.append("self")
        elif symbolic or i >= op.required:
            add(f"{argument}: {kind} | None", "None")
        else:
            add(f"{argument}: {kind}", None)
    if indent and not inputs:
        parts.append("self")
    if op.variadic is not None:
        parts.append(_typed(stub, f"*{op.variadic}: {kind} | Sequence[{kind}]"))
        optional = False
    for argument, p in op.params.items():
        text = f"{argument}: {_typed(stub, attribute_type(p.annotation))}"
        if p.default is REQUIRED:
            add(text, "..." if argument == op.count else None)  # inputs are counted if it is not given
        else:
            add(text, default_text(p.default) if "..." not in default_text(p.default) else "...")
    target = f"{kind} | Sequence[{kind}] | None" if op.outputs != 1 else f"{kind} | None"
    add(f"out: {_typed(stub, target)}", "None")
    add("name: str | None", "None")
    if symbolic:
        add("attr: dict[str, str] | None", "None")
    if op.specialize is not None:
        parts.append(_typed(stub, "**kwargs: Any"))
    returns = kind if symbolic else "Any" if stub.module.__name__.endswith(".sparse") else _results(op, kind)
    return definition(name, ", ".join(parts), _typed(stub, returns), op.doc or f"The operator {op.name}.", indent)


def _results(op: OpDef, kind: str) -> str:
    """What a call gives: one array, or several in a list. Where it may be sparse, the program knows what it is."""
    if op.name in ("cast_storage", "_sparse_retain"):
        return "Any"
    try:
        count = op.num_outputs({})
    except (KeyError, TypeError):  # an attribute without a default tells
        return "Any"
    if isinstance(op.outputs, int) and count > 1:
        return f"list[{kind}]"
    return kind if count == 1 else "Any"


def _from_table(stub: Stub, name: str, value: Any, indent: str, kind: str) -> list[str]:
    """A function with a signature of NumPy's, of one operator."""
    variables = outer(value)
    op: OpDef = variables["op"]
    parts: list[str] = []
    for p in inspect.signature(value).parameters.values():
        if indent and not parts:
            parts.append("self")
            continue
        if p.kind is p.VAR_KEYWORD:
            parts.append(_typed(stub, f"**{p.name}: Any"))
            continue
        if p.name in variables["inputs"]:
            text = "Any" if variables["plain"] is not None else kind
        elif p.name == "out":
            text = f"{kind} | None"
        elif p.name in op.params:
            text = attribute_type(op.params[p.name].annotation)
            if p.default is None and not text.endswith("None"):
                text += " | None"
        else:
            text = "Any"
        default = "" if p.default is p.empty else f" = {default_text(p.default)}"
        parts.append(f"{p.name}: {_typed(stub, text)}{default}")
    returns = kind if op.outputs == 1 else "Any"
    return definition(name, ", ".join(parts), _typed(stub, returns), op.doc, indent)


def _overloads(stub: Stub, name: str, value: Any, indent: str, calls: list[tuple[str, str]]) -> list[str]:
    stub.need("typing", "Any")
    stub.need("typing", "overload")
    return [
        line
        for arguments, returns in calls
        for line in definition(name, arguments, returns, value.__doc__, indent, ("overload",))
    ]


def _of_one(stub: Stub, name: str, value: Any, indent: str, kind: str) -> list[str]:
    """A function of an array, or of a number, of which it is NumPy's."""
    rest = f"out: {kind} | None = None, **kwargs: Any"
    return _overloads(stub, name, value, indent, [(f"x: {kind}, {rest}", kind), (f"x: Any, {rest}", "Any")])


def _of_two(stub: Stub, name: str, value: Any, indent: str, kind: str) -> list[str]:
    """A function of two arrays, or of an array and a number, or of two numbers."""
    left, right, *more = inspect.signature(value).parameters
    rest = f", out: {kind} | None = None, **kwargs: Any" if more else ""
    both = [(kind, "Any", kind), ("Any", kind, kind), ("Any", "Any", "Any")]
    return _overloads(stub, name, value, indent, [(f"{left}: {a}, {right}: {b}{rest}", r) for a, b, r in both])


# ---- which modules have stubs ----------------------------------------------------------------------------------------


def modules() -> Iterator[ModuleType]:
    """The modules of the package that users may name, with a file."""
    for file in sorted((ROOT / "mxnet").rglob("*.py")):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if not _INSIDE.match(name) and file.stem != "__main__":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield importlib.import_module(name)


def made(module: ModuleType, known: set[str]) -> dict[str, FunctionType]:
    """The functions of a module that its source does not name: they are made, or put there, at run time."""
    lazy = set(_namespace._names(module.__name__)[0])
    listed = [name for name in getattr(module, "__all__", ()) if name not in vars(module) and name not in lazy]
    space = {**vars(module), **{name: getattr(module, name) for name in listed}}  # also by a __getattr__ of its own
    return {
        name: value
        for name, value in space.items()
        if name not in known
        and not name.startswith("__")
        and isinstance(value, FunctionType)
        and value.__module__.startswith("mxnet.")
        and value.__module__ != "mxnet._core.namespace"
    }


def has_changed_signatures(module: ModuleType) -> bool:
    """Has a class of the module a method whose signature its source does not say?"""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            written = {name for statement in node.body for name in targets(statement)}
            for name, member in vars(getattr(module, node.name)).items():
                if isinstance(member, FunctionType) and (
                    "__signature__" in vars(member)
                    or (name not in written and "mxnet" in Path(member.__code__.co_filename).parts)
                ):
                    return True
    return False


def parts(module: ModuleType) -> dict[str, str]:
    """What a package has of ``namespace.txt`` for its users: its parts, and names of the package's own for others."""
    names, _ = _namespace._names(module.__name__)
    wanted = {}
    for name, there in names.items():
        if there.startswith((".", "module:.", "!")) and (not name.startswith("_") or there.startswith("!")):
            wanted[name] = there
    return wanted


def borrowed(stub: Stub, names: dict[str, str]) -> list[str]:
    """Lines for names from ``namespace.txt``."""
    lines: list[str] = []
    imports: dict[str, list[str]] = {}
    for name, there in sorted(names.items()):
        home, _, attribute = there.partition(":")
        if home.startswith("!"):
            reason = there.partition(" ")[2]
            stub.need("typing", "Any")
            lines += definition(name, "*args: Any, **kwargs: Any", "Any", f"Not available: {reason}.")
            continue
        if home == "module":
            home, attribute = attribute, ""
        if attribute and attribute not in told(f"mxnet{home}"):
            continue
        if not attribute:
            if not has_file(home):
                continue
            home, _, attribute = home.rpartition(".")
        where = f"mxnet{home}"
        imports.setdefault("." if where == stub.module.__name__ else where, []).append(f"{attribute} as {name}")
    return lines + [f"from {where} import {', '.join(names)}" for where, names in sorted(imports.items())]


@functools.cache
def told(name: str) -> set[str]:
    """The names of a module that its source or its stub says."""
    module = importlib.import_module(name)
    known = {name for statement in statements(ast.parse(inspect.getsource(module)).body) for name in targets(statement)}
    return known | set(made(module, known))


def star_imports(module: ModuleType) -> set[str]:
    """The modules of which a module imports everything."""
    return {
        importlib.util.resolve_name("." * node.level + (node.module or ""), module.__package__ or "")
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    }


def has_file(inside: str) -> bool:
    """Has a module (``.gluon.nn``) a file, or will it have a stub?"""
    path = ROOT / "mxnet" / inside.lstrip(".").replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists() or inside in without_file()


@functools.cache
def without_file() -> dict[str, str]:
    """The modules that ``namespace.txt`` makes, in packages that are folders: name -> what it is a name of, or ''."""
    found = {}
    heads = [head for head in _namespace._table() if head[0] in ".=" and head != "."]
    for head in heads:
        inside = head.lstrip("=")
        path = ROOT / "mxnet" / inside[1:].replace(".", "/")
        package = any(other.lstrip("=").startswith(f"{inside}.") for other in heads)
        exists = path.with_suffix(".py").exists() or path.is_dir()
        if (
            not exists
            and not package
            and not path.name.startswith(("_", "gen_"))
            and (path.parent / "__init__.py").exists()
        ):
            found[inside] = _namespace._table()[head].strip() if head[0] == "=" else ""
    return found


# ---- the stubs -------------------------------------------------------------------------------------------------------

_HEAD = "Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."


def add_made(stub: Stub) -> None:
    """Adds the functions that a module has at run time only: those of other modules as imports."""
    module = stub.module
    imports: dict[str, list[str]] = {}
    for name, value in sorted(made(module, stub.known).items()):
        home = value.__module__
        elsewhere = home != module.__name__ and module.__name__ not in star_imports(sys.modules[home])
        if elsewhere and getattr(sys.modules[home], name, None) is value:
            imports.setdefault(home, []).append(f"{name} as {name}")
        else:
            stub.lines += describe(stub, name, value, "") or stub.function(name, value)
        stub.known.add(name)
    stub.lines += [f"from {home} import {', '.join(names)}" for home, names in sorted(imports.items())]


def stub_of(module: ModuleType) -> str | None:
    """The stub of a module; None if its source tells all."""
    package = hasattr(module, "__path__")
    stub = new_stub(module)
    stub.source(public=package)
    stars = [line for line in stub.lines if line.endswith(" import *")]
    for line in stars:  # by their names, as those may be listed at run time only
        source = importlib.import_module(line.split()[1], module.__package__)
        everything = getattr(source, "__all__", None) or [name for name in vars(source) if name[0] != "_"]
        names = [name for name in everything if vars(module).get(name, stub) is vars(source).get(name, line)]
        lazy = set(_namespace._names(source.__name__)[0]) - told(source.__name__)
        names = sorted(n for n in {*names} - stub.known - lazy if not isinstance(vars(source)[n], ModuleType))
        stub.lines[stub.lines.index(line)] = line.replace("*", ", ".join(f"{name} as {name}" for name in names))
        stub.known.update(names)
    before = len(stub.lines)
    add_made(stub)
    needed = len(stub.lines) > before or has_changed_signatures(module)
    if package:
        listed = "__all__" in inspect.getsource(module)
        wanted = {name: there for name, there in parts(module).items() if name not in stub.known}
        lines = borrowed(stub, wanted)
        needed = needed or bool(lines) or not listed
        stub.lines += lines
        stub.known.update(wanted)
    if not needed:
        return None
    names = vars(module).get("__all__")
    if package:  # a name that an import gives is there for users by this only, unless it is that of the import itself
        names = sorted(name for name in stub.known if name[0] != "_" and hasattr(module, name))
    if names:
        stub.lines.append(f"__all__ = {[name for name in dict.fromkeys(names) if name in stub.known]!r}")
    return stub.text(_HEAD)


def methods(cls: type, module: ModuleType) -> str:
    """The stub of what a class gets at run time: for type checkers a class between it and its last base."""
    base = cls.__bases__[-1]
    stub = new_stub(module, "derived_methods")
    node = class_source(cls)
    assert node is not None
    written = {member.name for member in node[1].body if isinstance(member, ast.FunctionDef)}
    stub.lines += [f"class DerivedMethods({base.__name__}):", f'    """Methods and operators of {cls.__name__}."""']
    stub.need(base.__module__, base.__name__)
    for name, member in sorted(vars(cls).items()):
        if name not in written and isinstance(member, FunctionType) and (name[0] != "_" or name[:2] == "__"):
            stub.lines += describe(stub, name, member, "    ") or stub.function(name, member, "    ")
    stub.need(*reversed(array_of(module.__name__)))
    return stub.text(_HEAD)


def stubs() -> dict[Path, str]:
    """All stubs by their files."""
    found: dict[Path, str] = {}
    for module in modules():
        path = ROOT.joinpath(*module.__name__.split("."))
        path = path / "__init__.pyi" if hasattr(module, "__path__") else path.with_suffix(".pyi")
        if module.__name__ in _CHECKED:
            stub = new_stub(module)
            stub.source(public=False)
            stub.lines, stub.imports = [], {}
            known, stub.known = stub.known, set()
            for name, value in sorted(made(module, known).items()):
                stub.lines += describe(stub, name, value, "") or stub.function(name, value)
                stub.known.add(name)
            found[path.with_stem(_CHECKED[module.__name__])] = stub.text(_HEAD)
        elif module.__name__ in _CLASSES:
            cls = getattr(module, _CLASSES[module.__name__])
            found[path.with_stem("derived_methods")] = methods(cls, module)
        elif module.__name__ not in _SOURCE_SAYS_ALL and (text := stub_of(module)) is not None:
            found[path] = text
    for inside, target in sorted(without_file().items()):
        module = importlib.import_module(f"mxnet{inside}")
        stub = new_stub(ModuleType(f"mxnet{inside}"))
        if target:
            stub.lines = [f"from mxnet{target} import *"]
        else:
            names, _ = _namespace._names(f"mxnet{inside}")
            stub.lines = borrowed(stub, {n: t for n, t in names.items() if t.startswith((".", "module:.", "!"))})
        found[ROOT / "mxnet" / (inside[1:].replace(".", "/") + ".pyi")] = stub.text(_HEAD)
    return {path: text for path, text in found.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say which stubs are out of date")
    check = parser.parse_args().check
    wanted = stubs()
    there = {path for path in (ROOT / "mxnet").rglob("*.pyi")}
    wrong = [path for path, text in wanted.items() if path not in there or path.read_text("utf-8") != text]
    for path in sorted({*wrong, *(there - set(wanted))}):
        print(path.relative_to(ROOT))
        if not check:
            path.write_text(wanted[path], "utf-8") if path in wanted else path.unlink()
    return 1 if check and (wrong or there - set(wanted)) else 0


if __name__ == "__main__":
    sys.exit(main())
