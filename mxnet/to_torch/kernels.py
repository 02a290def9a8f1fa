"""Functions for ops.py from the sources of our own kernels, where these are nothing but torch."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import re
import textwrap
from dataclasses import dataclass, field
from typing import Any

import torch

from ..ops.registry import OpDef, find
from .expressions import Expression, number
from .layers import Site
from .snippets import SNIPPETS

#: What may be imported in ops.py.
_OUTSIDE = ("torch", "math", "functools", "collections", "typing", "itertools")
#: What is said otherwise outside of our package.
_INSTEAD = {
    "MXNetError": "RuntimeError",
    "MXNetValueError": "ValueError",
    "MXNetTypeError": "TypeError",
    "MXNetNotImplementedError": "NotImplementedError",
    "Count": "int",
    "Fraction": "float",
    "Lengths": "tuple[int, ...]",
    "TwoLengths": "tuple[int, int]",
    "Shape": "tuple[int, ...]",
}
_OWN = {
    "is_traced": "def is_traced() -> bool:\n    return torch.compiler.is_compiling()\n",
    "memoize": "def memoize(function: Callable[..., Any]) -> Callable[..., Any]:\n    return function\n",
}
_OWN |= {
    "constant_in": '''def constant_in(result: Tensor, *inputs: Tensor) -> Tensor:
    """A result that has no gradient."""
    return result.detach()
''',
    "suppress": '''def suppress(
    boxes: Tensor,
    valid: Tensor,
    groups: Tensor | None,
    threshold: float,
    *,
    edge: float = 0.0,
    inclusive: bool = False,
    limit: int | None = None,
) -> Tensor:
    """Which of the boxes (batch, n, 4), best first, stay when each drops those after it that overlap it too much.

    Only ``valid`` boxes (batch, n) stay or drop others, and only those of their own group if ``groups`` are given.
    ``edge`` is 1 if corners are pixels that belong to the box.
    """
    boxes = boxes + boxes.new_tensor((0.0, 0.0, edge, edge))
    keep = torch.zeros_like(valid)
    for image in range(len(boxes)):
        left = valid[image].nonzero()[:, 0]
        while left.numel():
            first, left = left[0], left[1:]
            keep[image, first] = True
            common = overlap(boxes[image, first][None], boxes[image, left])[0]
            drops = common >= threshold if inclusive else common > threshold
            if groups is not None:
                drops &= groups[image, left] == groups[image, first]
            left = left[~drops]
    return keep
''',
}
#: What those that are written here need of the others.
_OWN_NEEDS = {"suppress": [("mxnet.ops.contrib.boxes", "overlap")]}
#: Decorators that are another one here, or none: they concern gradients that are zero, which torch leaves out.
_DECORATORS = {"zero_gradient": "torch.no_grad()", "selected_by": None}
_OWN_IMPORTS = {"memoize": {"from collections.abc import Callable", "from typing import Any"}}


#: Operators that share a function: its module, its name here, and its extra arguments.
_SHARED = {
    "_contrib_Proposal": ("mxnet.ops.contrib.proposal", "_propose", "propose", "many=False"),
    "_contrib_MultiProposal": ("mxnet.ops.contrib.proposal", "_propose", "propose", "many=True"),
}


class Unclean(Exception):
    """The source of a kernel needs more than torch."""


@dataclass(eq=False)
class Source:
    """The text of a function and of all that it needs, in an order in which it can run."""

    parts: dict[tuple[str, str], str] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)
    active: set[tuple[str, str]] = field(default_factory=set)


@functools.cache
def _module(name: str) -> tuple[str, dict[str, ast.stmt]]:
    """The source of a module, and its statements by the names that they define."""
    module = importlib.import_module(name)
    text = inspect.getsource(module)
    found: dict[str, ast.stmt] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                found.update(dict.fromkeys([n.id for n in ast.walk(target) if isinstance(n, ast.Name)], statement))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found[statement.target.id] = statement
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            for alias in statement.names:
                found[alias.asname or alias.name.split(".")[0]] = statement
    return text, found


def _definition(op: OpDef) -> tuple[str, str] | None:
    """The module and the name of the function that is the kernel of an operator."""
    kernel: Any = op.kernel
    while hasattr(kernel, "__wrapped__"):
        kernel = kernel.__wrapped__
    module = getattr(kernel, "__module__", "")
    if not module.startswith("mxnet.ops"):
        return None
    for name, statement in _module(module)[1].items():
        if isinstance(statement, ast.FunctionDef) and any(_is_op(d, op.name) for d in statement.decorator_list):
            return module, name
    return None


def _is_op(decorator: ast.expr, name: str | None = None) -> bool:
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Name) or decorator.func.id != "op":
        return False
    return name is None or (isinstance(decorator.args[0], ast.Constant) and decorator.args[0].value == name)


def _segment(module: str, statement: ast.stmt) -> str:
    """The text of a definition without what concerns our registry, and without its branches for the meta device."""
    text = _module(module)[0]
    lines = text.splitlines()
    start = statement.lineno
    decorators: list[str] = []
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        for decorator in statement.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = called.id if isinstance(called, ast.Name) else ""
            if not _is_op(decorator) and _DECORATORS.get(name, "") is not None:
                decorators.append("@" + _DECORATORS.get(name, ast.get_source_segment(text, decorator) or ""))  # type: ignore[operator]
    dropped: set[int] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.If) and not node.orelse and _is_meta(node.test):
            dropped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    end = statement.end_lineno or start
    kept = [lines[i - 1] for i in range(start, end + 1) if i not in dropped]
    return "\n".join([*decorators, *kept]) + "\n"


def _is_meta(test: ast.expr) -> bool:
    return isinstance(test, ast.Attribute) and test.attr == "is_meta"


def _collect(module: str, name: str, source: Source) -> None:
    """Adds a definition, after what it needs."""
    key = module, name
    if key in source.parts or key in source.active:
        return
    if name in _OWN:
        for need in _OWN_NEEDS.get(name, ()):
            _collect(*need, source)
        source.parts["", name] = _OWN[name]
        source.imports |= _OWN_IMPORTS.get(name, set())
        return
    statement = _module(module)[1].get(name)
    if statement is None:
        raise Unclean(f"{module}.{name}")
    if isinstance(statement, ast.Import | ast.ImportFrom):
        _collect_import(module, name, statement, source)
        return
    if isinstance(statement, ast.Assign) and any(
        isinstance(n, ast.Name) and n.id in ("op", "register") for n in ast.walk(statement)
    ):
        raise Unclean(f"{module}.{name}")
    source.active.add(key)
    text = _segment(module, statement)
    tree = ast.parse(text)
    local = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    assigned = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for used in dict.fromkeys(n.id for n in ast.walk(tree) if isinstance(n, ast.Name)):
        if used in local or (used in assigned and not isinstance(statement, ast.Assign | ast.AnnAssign)):
            continue
        if used == "NAME_OF":
            continue
        if used == "Tensor":
            source.imports.add("from torch import Tensor")
        elif used in _INSTEAD:
            text = re.sub(rf"(?<![\w.]){used}\b", _INSTEAD[used], text)
        elif used in _module(module)[1] and used != name:
            _collect(module, used, source)
    text = re.sub(r"(?<![\w.])(\w+)\.kernel\(", r"\1(", text)
    text = re.sub(r"\bNAME_OF\[(\w+)\]", r"\1", text)
    source.parts[key] = text


def _collect_import(module: str, name: str, statement: ast.Import | ast.ImportFrom, source: Source) -> None:
    if isinstance(statement, ast.Import):
        alias = next(a for a in statement.names if (a.asname or a.name.split(".")[0]) == name)
        target = alias.name
        line = f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
    else:
        alias = next(a for a in statement.names if (a.asname or a.name) == name)
        base = statement.module or ""
        if statement.level:
            package = module.split(".") if _is_package(module) else module.split(".")[:-1]
            package = package[: len(package) - statement.level + 1]
            full = ".".join([*package, *([base] if base else [])])
            if name in _INSTEAD:
                return
            if not full.startswith("mxnet.ops") and name not in _OWN:
                raise Unclean(f"{full}.{alias.name}")
            if alias.asname:
                raise Unclean(f"{full}.{alias.name} under another name")
            _collect(full, alias.name, source)
            return
        target = base
        line = f"from {base} import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
    if target.split(".")[0] not in _OUTSIDE:
        raise Unclean(target)
    source.imports.add(line)


def _is_package(module: str) -> bool:
    return hasattr(importlib.import_module(module), "__path__")


@functools.cache
def source_of(op_name: str) -> tuple[str, Source]:
    """The name of an operator's function, and its source."""
    op = find(op_name)
    if op is None:
        raise Unclean(f"there is no operator {op_name}")
    if op.supplied - {"_train"}:
        raise Unclean("it takes random numbers, a device or subgraphs")
    if op_name in _SHARED:
        module, name, public, _ = _SHARED[op_name]
        source = Source()
        _collect(module, name, source)
        text = source.parts.pop((module, name))
        source.parts[module, public] = "@torch.no_grad()\n" + re.sub(rf"\b{name}\b", public, text)
        return public, source
    place = _definition(op)
    if place is None:
        raise Unclean("its kernel is not a function with a source of its own")
    source = Source()
    _collect(*place, source)
    names = [n for (_, n), text in source.parts.items() if not _is_again(n, text, source)]
    if len(set(names)) < len(names):
        raise Unclean("two functions that it needs have one name")
    return place[1], source


def _is_again(name: str, text: str, source: Source) -> bool:
    """Is there the same definition in another module?"""
    same = [t for (_, n), t in source.parts.items() if n == name]
    return len(same) > 1 and len(set(same)) == 1


NO_COUNTERPART = "torch has no such operator, and ours cannot be copied ({})"


def unclean(op_name: str) -> str | None:
    """Why the source of an operator cannot be copied, if so."""
    try:
        source_of(op_name)
    except Unclean as error:
        return str(error)
    return None


def call(site: Site) -> Expression:
    """A node as a call of a function that is copied to ops.py."""
    reason = unclean(site.op)
    if reason is not None:
        raise site.refuse(NO_COUNTERPART.format(reason))
    name, _ = source_of(site.op)
    op = site.node.op
    assert op is not None
    count = len(site.node.inputs)
    parts = [f"{{{i}}}" for i in range(count)]
    defaults = {n: p.default for n, p in op.params.items()}
    function: Any = op.kernel
    if site.op in _SHARED:
        module, private, _, more = _SHARED[site.op]
        function = getattr(importlib.import_module(module), private)
        parts.append(more)
    signature = inspect.signature(function)
    for key, value in site.attrs.items():
        has_default = key in signature.parameters and signature.parameters[key].default is not inspect.Parameter.empty
        if (has_default and value == defaults.get(key)) or key in ("ctx", "workspace", "cudnn_off"):
            continue
        parts.append(f"{key}={_format(value)}")
    if "_train" in op.supplied:
        parts.append("_train=self.training")
    hint = re.sub(r"^multibox_|^box_", "", name)
    return Expression(f"{name}({', '.join(parts)})", list(range(count)), hint=hint, needs=(f"op:{site.op}", name))


def _format(value: object) -> str:
    if isinstance(value, tuple | list):
        inside = ", ".join(_format(v) for v in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, str):
        return json.dumps(value)
    return str(value) if isinstance(value, torch.dtype | bool) else repr(number(value))


def ops_source(needs: set[str]) -> str:
    """The text of ops.py, for the names of snippets and the operators (``op:Name``) that are needed."""
    imports = {"import torch", "from torch import Tensor, nn", "from torch.nn import functional as F"}
    parts: dict[tuple[str, str], str] = {}
    for need in sorted(n for n in needs if n.startswith("op:")):
        _, source = source_of(need.removeprefix("op:"))
        for (module, name), text in source.parts.items():
            taken = next((m for m, n in parts if n == name), None)
            if taken is None:
                parts[module, name] = text
            elif parts[taken, name] != text:
                raise Unclean(f"{name} of {module} and of {taken}")
        imports |= source.imports
    texts = [SNIPPETS[n].strip("\n") + "\n" for n in sorted(needs) if n in SNIPPETS]
    # Constants together, functions and classes with two lines between them.
    body = ""
    for text in [*parts.values(), *texts]:
        is_definition = re.match(r"@|def |class ", text) is not None
        body += ("\n\n" if is_definition or body.endswith("\n\n\n") else "") + textwrap.dedent(text)
        body += "\n\n" if is_definition else ""
    body = re.sub(r"\n{3,}", "\n\n\n", body).strip("\n") + "\n"
    used = [line for line in sorted(imports, key=_import_key) if _is_used(line, body)]
    lines = []
    for line in used:
        names = line.partition(" import ")[2]
        if line.startswith("from ") and "," in names:
            kept = ", ".join(n for n in names.split(", ") if re.search(rf"\b{n}\b", body))
            line = line.partition(" import ")[0] + " import " + kept
        lines.append(line)
    head = '"""What the network needs and torch has not, or does otherwise."""\n\nfrom __future__ import annotations\n'
    gap = "\n\n" if re.match(r"@|def |class ", body) else "\n"
    return head + "\n" + _group_imports(lines) + gap + body


def _import_key(line: str) -> tuple[bool, bool, str, str]:
    module = line.split()[1]
    return module.split(".")[0] == "torch", line.startswith("from"), module, line


def _group_imports(lines: list[str]) -> str:
    standard = [line for line in lines if not _import_key(line)[0]]
    torch_ = [line for line in lines if _import_key(line)[0]]
    return (
        "\n".join([*_merge_imports(standard), *([""] if standard and torch_ else []), *_merge_imports(torch_)]) + "\n"
    )


def _merge_imports(lines: list[str]) -> list[str]:
    """One line for each module that names are imported from, and one for each name that is another one here."""
    found: dict[str, list[str]] = {}
    for line in lines:
        head, separator, names = line.partition(" import ")
        if " as " in names:  # these have lines of their own
            separator = ""
        found.setdefault(head if separator else line, []).extend(names.split(", ") if separator else [])
    return [
        f"{k} import {', '.join(sorted(set(v), key=lambda n: (n.islower(), n)))}" if v else k for k, v in found.items()
    ]


def _is_used(line: str, body: str) -> bool:
    names = line.partition(" import ")[2] or line.removeprefix("import ")
    return any(re.search(rf"\b{n.split(' as ')[-1].strip()}\b", body) for n in names.split(","))
