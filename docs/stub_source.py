"""From the source of a module to its stub: signatures and the first lines of docstrings, without what functions do.

What the source alone does not tell comes from the running module: the signature of a function with a decorator such as
``takes``, members that a class gets later, names that are made in a loop.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

#: Decorators that mean something to a type checker.
_KEPT = re.compile(
    r"(\w+\.)?(property|cached_property|staticmethod|classmethod|abstractmethod|overload|contextmanager|override|overridable)$"
    r"|\w+\.(setter|getter|deleter)$|(dataclasses\.)?dataclass\b.*"
)
#: Describes a function that was made at run time: its lines, or None if it is none of these.
Describe = Callable[["Stub", str, Any, str], "list[str] | None"]
_MEMBERS = {
    "__module__",
    "__dict__",
    "__weakref__",
    "__doc__",
    "__slots__",
    "__annotations__",
    "__qualname__",
    "__parameters__",
    "__orig_bases__",
    "__abstractmethods__",
    "__static_attributes__",
    "__firstlineno__",
    "__dataclass_fields__",
    "__dataclass_params__",
    "__match_args__",
    "_abc_impl",
}


def first_line(doc: str | None) -> str:
    """The first paragraph of a docstring as one line, in the form that stands in a stub."""
    text = " ".join((doc or "").strip().partition("\n\n")[0].split())
    text = text if len(text) < 200 else text.partition(". ")[0] + "."
    return text.replace("\\", "\\\\").replace('"""', "'''")


def default_text(value: Any) -> str:
    """A default as it is written, if it is plain; else an ellipsis."""
    plain = value is None or type(value) in (bool, int, str) or (type(value) is float and abs(value) < 1e308)
    if plain:
        return repr(value)
    if type(value) is tuple and all(type(item) in (bool, int, float, str, type(None)) for item in value):
        return repr(value)
    return "..."


def annotation_text(annotation: Any) -> str:
    """An annotation as it is written in the source."""
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return str(annotation).replace("typing.", "").replace("collections.abc.", "")


class Stub:
    """The lines of a stub, and the imports that they need."""

    def __init__(self, module: ModuleType, describe: Describe, name: str = ""):
        self.module, self.describe = module, describe
        #: The module that it will be the stub of.
        self.name = name or module.__name__
        self.package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
        self.lines: list[str] = []
        self.imports: dict[str, set[str]] = {}
        #: The class of arrays, and its module, of functions that are made for arrays and for symbols.
        self.array = ("", "")
        #: The class whose methods are written.
        self.owner: Any = None
        #: What the stub defines or imports.
        self.known: set[str] = set()

    # ---- imports ---------------------------------------------------------------------------------------------------

    def need(self, where: str, name: str) -> None:
        """Imports a name, unless the stub has it."""
        if name not in self.known:
            self.imports.setdefault(where, set()).add(name)

    def resolve(self, annotation: str, space: Mapping[str, Any]) -> str:
        """An annotation of another module, with imports for its names; Any for what cannot be imported."""
        if annotation == "Array" and space["__name__"].startswith("mxnet.ops.numpy"):
            name, home = self.array
            self.need(home, name)
            return name
        for node in ast.walk(ast.parse(annotation, mode="eval")):
            if isinstance(node, ast.Name) and not hasattr(builtins, node.id) and node.id not in self.known:
                name = node.id
                if name == "Any" or getattr(sys.modules["typing"], name, None) is space.get(name, _ABSENT):
                    self.need("typing", name)
                elif getattr(sys.modules["collections.abc"], name, None) is space.get(name, _ABSENT):
                    self.need("collections.abc", name)
                elif (
                    isinstance(space.get(name), type)
                    and hasattr(sys.modules.get(space[name].__module__), space[name].__name__)
                    and space[name].__name__ == name
                ):
                    self.need(space[name].__module__, name)
                elif isinstance(space.get(name), ModuleType) and not isinstance(space[name], _ABSENT.__class__):
                    self.imports.setdefault("", set()).add(f"import {space[name].__name__} as {name}")
                else:
                    self.need("typing", "Any")
                    return "Any"
        return annotation

    # ---- functions -------------------------------------------------------------------------------------------------

    def function(
        self, name: str, value: Any, indent: str = "", decorators: tuple[str, ...] = (), returns: str | None = None
    ) -> list[str]:
        """A function with the signature that it has at run time."""
        wrapped = inspect.unwrap(value)
        space = getattr(wrapped, "__globals__", {})
        signature = inspect.signature(value)
        if name == "__init__":
            signature = spelled_out(value, self.owner) or signature
        parts: list[str] = []
        seen_default = star = False
        for p in signature.parameters.values():
            if p.kind is p.KEYWORD_ONLY and not star:
                parts.append("*")
                star = True
            star = star or p.kind is p.VAR_POSITIONAL
            text = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
            if p.annotation is not p.empty:
                text += f": {self.resolve(annotation_text(p.annotation), space)}"
            elif parts or not indent:
                self.need("typing", "Any")
                text += ": Any"
            if p.default is not p.empty or (seen_default and p.kind is p.POSITIONAL_OR_KEYWORD):
                seen_default = True
                text += f" = {default_text(p.default)}" if ":" in text else f"={default_text(p.default)}"
            parts.append(text)
        if returns is None:
            if signature.return_annotation is not signature.empty:
                returns = self.resolve(annotation_text(signature.return_annotation), space)
            elif name == "__init__":
                returns = "None"
            else:
                self.need("typing", "Any")
                returns = "Any"
        return definition(name, ", ".join(parts), returns, getattr(value, "__doc__", None), indent, decorators)

    def _source_function(self, node: ast.FunctionDef, value: Any, indent: str) -> list[str]:
        decorators = [ast.unparse(d) for d in node.decorator_list]
        kept = tuple(d for d in decorators if _KEPT.match(d))
        other = len(kept) < len(decorators)
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        if node.name == "__init__" and isinstance(value, FunctionType) and spelled_out(value, self.owner) is not None:
            return self.function(node.name, value, indent, kept)
        if other and inspect.isroutine(value) and "__signature__" in vars(inspect.unwrap(value, stop=_has_signature)):
            return self.function(node.name, value, indent, kept)
        for defaults in (node.args.defaults, node.args.kw_defaults):
            for i, default in enumerate(defaults):
                if default is not None and not isinstance(default, ast.Constant):
                    try:
                        ast.literal_eval(default)
                    except ValueError:
                        defaults[i] = ast.Constant(...)
        if node.returns is not None:
            returns = ast.unparse(node.returns)
        elif node.name in ("__init__", "__setattr__", "__delattr__", "__init_subclass__"):
            returns = "None"
        else:
            self.need("typing", "Any")
            returns = "Any"
        return definition(node.name, ast.unparse(node.args), returns, ast.get_docstring(node), indent, kept)

    # ---- classes ---------------------------------------------------------------------------------------------------

    def _source_class(self, node: ast.ClassDef, value: Any, indent: str) -> list[str]:
        bases = [ast.unparse(base) for base in node.bases]
        bases += [f"{k.arg}={ast.unparse(k.value)}" for k in node.keywords]
        lines = [f"{indent}@{text}" for d in node.decorator_list if _KEPT.match(text := ast.unparse(d))]
        lines.append(f"{indent}class {node.name}{'(' + ', '.join(bases) + ')' if bases else ''}:")
        inner = indent + "    "
        doc = first_line(ast.get_docstring(node))
        lines += [f'{inner}"""{doc}"""'] if doc else []
        members = vars(value) if isinstance(value, type) else {}
        self.owner = value
        body: list[str] = []
        defined: set[str] = set()
        for statement in statements(node.body):
            names = set(targets(statement))
            defined |= names
            if isinstance(statement, ast.FunctionDef):
                replaced = isinstance(value, type) and self._made(value, statement.name, members.get(statement.name))
                if not replaced:
                    body += self._source_function(statement, members.get(statement.name), inner)
                else:
                    defined.discard(statement.name)
            elif isinstance(statement, ast.ClassDef):
                body += self._source_class(statement, members.get(statement.name), inner)
            elif names:
                body += self._assignment(statement, members, inner)
        if isinstance(value, type):
            body += self._self_attributes(node, value, defined, inner)
            for name, member in sorted(members.items()):
                if name not in defined and name not in _MEMBERS:
                    body += self.describe(self, name, member, inner) or self._member(name, member, inner)
        return lines + (body or ([] if doc else [f"{inner}..."]))

    def _made(self, cls: type, name: str, member: Any) -> bool:
        """Has a method of the source been replaced by one that is made of an operator?"""
        return isinstance(member, FunctionType) and self.describe(self, name, member, "    ") is not None

    def _member(self, name: str, member: Any, indent: str) -> list[str]:
        if isinstance(member, FunctionType):
            return self.function(name, member, indent)
        if isinstance(member, property):
            self.need("typing", "Any")
            return definition(name, "self", "Any", member.__doc__, indent, ("property",))
        self.need("typing", "Any")
        return [f"{indent}{name}: Any"]

    def _self_attributes(self, node: ast.ClassDef, value: type, defined: set[str], indent: str) -> list[str]:
        """What methods assign to ``self``, unless a base has it."""
        inherited = {name for base in value.__mro__[1:] for name in (*vars(base), *attributes_of(base))}
        found = attributes_of(value, node)
        lines = []
        for name, text in sorted(found.items()):
            if name in defined or name in inherited:
                continue
            defined.add(name)
            lines.append(f"{indent}{name}: {self.resolve(text, vars(self.module))}")
        return lines

    # ---- the module ------------------------------------------------------------------------------------------------

    def _assignment(self, statement: ast.stmt, space: Mapping[str, Any], indent: str) -> list[str]:
        if isinstance(statement, ast.AnnAssign):
            value = statement.value
            kept = value is not None and isinstance(value, ast.Constant | ast.Name | ast.Attribute)
            final = f" = {ast.unparse(value)}" if kept and value is not None else ""
            return [f"{indent}{ast.unparse(statement.target)}: {ast.unparse(statement.annotation)}{final}"]
        assert isinstance(statement, ast.Assign)
        lines = []
        for name in targets(statement):
            value, runtime = statement.value, space.get(name, _ABSENT)
            made = self.describe(self, name, runtime, indent) if not isinstance(value, ast.Constant) else None
            one = len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
            if made is not None:
                lines += made
            elif isinstance(runtime, staticmethod):
                lines += self.function(name, runtime.__func__, indent, ("staticmethod",))
            elif one and (isinstance(value, ast.Name | ast.Attribute) and not inspect.ismethod(runtime)):
                lines.append(f"{indent}{name} = {ast.unparse(value)}")
            elif inspect.isroutine(runtime) and not inspect.isbuiltin(runtime):
                lines += self.function(name, runtime, indent)
            elif name == "__slots__":
                continue
            else:
                lines.append(f"{indent}{name}: {self.type_of(runtime)}")
        return lines

    def type_of(self, value: Any) -> str:
        """The type of a constant, as an annotation."""
        kind = type(value)
        if kind in (bool, int, float, str, bytes, tuple, list, dict, set, frozenset):
            more = {tuple: "[Any, ...]", list: "[Any]", dict: "[Any, Any]", set: "[Any]", frozenset: "[Any]"}
            if kind in more:
                self.need("typing", "Any")
            return kind.__name__ + more.get(kind, "")
        if inspect.isclass(value):
            self.need("typing", "Any")
            return "type[Any]"
        self.need("typing", "Any")
        return "Any"

    def source(self, public: bool) -> None:
        """Adds what the source says. ``public``: what it imports is there for users, as in a package."""
        tree = ast.parse(inspect.getsource(self.module))
        found = list(statements(tree.body))
        for statement in found:
            self.known.update(targets(statement))
        space = vars(self.module)
        for statement in found:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self.lines += _import(statement, public)
            elif isinstance(statement, ast.FunctionDef):
                if statement.name != "__getattr__":  # the stub lists what it gives
                    self.lines += self._source_function(statement, space.get(statement.name), "")
            elif isinstance(statement, ast.ClassDef):
                self.lines += self._source_class(statement, space.get(statement.name), "")
            elif "__all__" in targets(statement):
                continue
            elif targets(statement):
                self.lines += self._assignment(statement, space, "")

    def text(self, doc: str) -> str:
        """The whole file. A method may take other arguments than that of a base, as in the original."""
        own = self.name
        imports = sorted(self.imports.pop("", set()))
        for where, names in sorted(self.imports.items()):
            names = names - self.known if where != own else set()
            if names:
                imports.append(f"from {where} import {', '.join(sorted(names))}")
        return "\n".join(
            ['# mypy: disable-error-code="override, misc"', f'"""{doc}"""', "", *imports, "", *self.lines, ""]
        )


_ABSENT = object()


def _has_signature(function: Any) -> bool:
    return "__signature__" in getattr(function, "__dict__", {})


def definition(
    name: str, arguments: str, returns: str, doc: str | None, indent: str = "", decorators: tuple[str, ...] = ()
) -> list[str]:
    """The lines of a function."""
    text = first_line(doc)
    body = f'\n{indent}    """{text}"""' if text else " ..."
    if text.endswith('"'):
        body = f'\n{indent}    """{text} """'
    return [*(f"{indent}@{d}" for d in decorators), f"{indent}def {name}({arguments}) -> {returns}:{body}"]


def outer(function: Any) -> dict[str, Any]:
    """The variables that a function has from the one that made it."""
    cells = function.__closure__ or ()
    return {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells, strict=True)}


def spelled_out(constructor: Any, cls: Any) -> inspect.Signature | None:
    """The signature of a constructor that hands ``**kwargs`` on to a base, with the arguments that the base takes.

    None if it has no such arguments, or if the source does not tell where they go.
    """
    own = list(inspect.signature(constructor).parameters.values())
    if not isinstance(cls, type) or not own or own[-1].kind is not inspect.Parameter.VAR_KEYWORD:
        return None
    known = {p.name for p in own}
    more = _handed_on(constructor, cls)
    if more is None:
        return None
    known |= outer(constructor).get("without", frozenset())  # what the decorator ``takes`` leaves out
    new = [p.replace(kind=p.KEYWORD_ONLY) for p in more if p.name not in known and p.kind is p.POSITIONAL_OR_KEYWORD]
    return inspect.signature(constructor).replace(parameters=[*own[:-1], *new])


def _handed_on(constructor: Any, cls: type) -> list[inspect.Parameter] | None:
    """The arguments that can be given by name to what a constructor hands its ``**kwargs`` on to."""
    written = inspect.unwrap(constructor)
    code = ast.parse(textwrap.dedent(inspect.getsource(written))).body[0]
    assert isinstance(code, ast.FunctionDef)
    rest = {code.args.kwarg.arg} if code.args.kwarg else set()
    for statement in code.body:  # gluon.utils.arguments: all arguments in one dict
        if isinstance(statement, ast.Assign) and ast.unparse(statement.value) == "arguments(locals())":
            rest.update(targets(statement))
    for call in ast.walk(code):
        given = [k.value for k in call.keywords if k.arg is None] if isinstance(call, ast.Call) else []
        if not rest & {node.id for value in given for node in ast.walk(value) if isinstance(node, ast.Name)}:
            continue
        assert isinstance(call, ast.Call)
        called = ast.unparse(call.func)
        if called == "super().__init__":
            owner = next(c for c in cls.__mro__ if vars(c).get("__init__") is constructor)
            later = cls.__mro__[cls.__mro__.index(owner) + 1 :]
            base = next(c for c in later if "__init__" in vars(c))
            target = vars(base)["__init__"]
        elif called in outer(written):  # a constructor that another one was made of
            target = outer(written)[called]
        else:
            return None
        taken = {k.arg for k in call.keywords}
        if not inspect.isfunction(target):
            return None
        parameters = list(inspect.signature(target).parameters.values())[1:]
        found = [p for p in parameters[len(call.args) :] if p.name not in taken]
        if found and found[-1].kind is inspect.Parameter.VAR_KEYWORD:
            further = _handed_on(target, cls)
            if further is None:
                return None
            names = {p.name for p in found}
            found = [*found[:-1], *(p for p in further if p.name not in names)]
        return found
    return None


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Definitions and imports, also those under conditions."""
    for statement in body:
        if isinstance(statement, ast.If):
            if "TYPE_CHECKING" in ast.unparse(statement.test):
                yield from statements(statement.body)
                continue
            inner = [s for s in statements(statement.body) if not isinstance(s, ast.Import | ast.ImportFrom)]
            names = {name for s in inner for name in targets(s)}
            yield from inner
            yield from (s for s in statements(statement.orelse) if not names & set(targets(s)))
        elif isinstance(statement, ast.Try | ast.With):
            yield from statements(statement.body)
        elif targets(statement) or isinstance(statement, ast.ImportFrom):
            yield statement


def targets(statement: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(a.asname or a.name.partition(".")[0]) for a in statement.names if a.name != "*"]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def _import(statement: ast.Import | ast.ImportFrom, public: bool) -> list[str]:
    """An import; those of a package's own parts are for its users."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return []
    own = isinstance(statement, ast.ImportFrom) and statement.level > 0
    for alias in statement.names:
        if public and own and alias.asname is None and alias.name != "*":
            alias.asname = alias.name
    return [ast.unparse(statement)]


_found: dict[Any, dict[str, str]] = {}


def attributes_of(cls: type, node: ast.ClassDef | None = None) -> dict[str, str]:
    """The attributes that methods of a class assign to ``self``, with their types as far as the source says them."""
    if cls in _found or not cls.__module__.startswith("mxnet"):
        return _found.get(cls, {})
    source = class_source(cls)
    node = node or (source[1] if source else None)
    if node is None:
        return {}
    found = _found.setdefault(cls, {})
    methods = [m for m in getattr(node, "body", []) if isinstance(m, ast.FunctionDef) and m.args.args]
    for method in methods:
        me = method.args.args[0].arg
        given = {a.arg: ast.unparse(a.annotation) for a in method.args.args if a.annotation}
        for statement in ast.walk(method):
            if isinstance(statement, ast.AnnAssign) and _is_attribute(statement.target, me):
                found[statement.target.attr] = ast.unparse(statement.annotation)  # type: ignore[union-attr]
            elif isinstance(statement, ast.Assign):
                for target in statement.targets:
                    pairs = [(target, statement.value)]
                    if isinstance(target, ast.Tuple):
                        same = isinstance(statement.value, ast.Tuple) and len(statement.value.elts) == len(target.elts)
                        values = statement.value.elts if same else [None] * len(target.elts)  # type: ignore[attr-defined]
                        pairs = list(zip(target.elts, values, strict=True))
                    for part, value in pairs:
                        if _is_attribute(part, me):
                            text = _guess(value, given)
                            name = part.attr  # type: ignore[attr-defined]
                            found[name] = text if found.get(name, text) == text else "Any"
    return found


def class_source(cls: type) -> tuple[str, ast.ClassDef] | None:
    """Where a class is defined: its ``__module__`` may be another one, which users know it by."""
    files = {f.__code__.co_filename for f in vars(cls).values() if isinstance(f, FunctionType)}
    for file in sorted(file for file in files if cls.__module__.startswith("mxnet") and "mxnet" in Path(file).parts):
        for node in _parsed(file).body:
            if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
                return file, node
    return None


@functools.cache
def _parsed(file: str) -> ast.Module:
    with open(file, encoding="utf-8") as source:
        return ast.parse(source.read())


def _is_attribute(node: Any, me: str) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == me


def _guess(value: ast.expr | None, given: Mapping[str, str]) -> str:
    """The type of what is assigned, where that is plain to see."""
    if isinstance(value, ast.Name):
        return given.get(value.id, "Any")
    if isinstance(value, ast.Constant) and value.value is not None:
        return type(value.value).__name__
    if isinstance(value, ast.Call):
        if ast.unparse(value.func) == "self.params.get":
            return "Parameter"
        if isinstance(value.func, ast.Name) and value.func.id.lstrip("_")[:1].isupper():
            return value.func.id
    return "Any"
