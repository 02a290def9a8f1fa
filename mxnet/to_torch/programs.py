"""Programs of Gluon rewritten for torch. What has no pair stays, with a comment that says so."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

from .._core.files import read_text, writing
from ..error import MXNetValueError
from . import helpers
from .program_calls import ProgramCalls, is_constant
from .program_tables import BLOCKS, METHODS, MODULES, OF_MXNET

#: The module with definitions for translated programs, which is written beside them.
HELPERS = "torch_helpers"


class Program(ProgramCalls):
    """A program that is being translated."""

    # ---- statements --------------------------------------------------------------------------------------------------

    def _import(self, node: ast.Import) -> str | None:
        if not any(a.name.split(".")[0] == "mxnet" for a in node.names):
            return None
        for alias in node.names:
            if alias.name.split(".")[0] == "mxnet":
                full = alias.name.removeprefix("mxnet").lstrip(".") if alias.asname else ""
                self.aliases[alias.asname or "mxnet"] = self._module(full) or "mxnet"
        others = [ast.unparse(a) for a in node.names if a.name.split(".")[0] != "mxnet"]
        return f"import {', '.join(others)}" if others else "@import"

    def _module(self, full: str) -> str:
        first, dot, rest = full.partition(".")
        return f"{MODULES.get(first, first)}{dot}{rest}"

    def _importfrom(self, node: ast.ImportFrom) -> str | None:
        if (node.module or "").split(".")[0] != "mxnet":
            return None
        base = (node.module or "").removeprefix("mxnet").lstrip(".")
        for alias in node.names:
            full = f"{base}.{alias.name}" if base else alias.name
            self.aliases[alias.asname or alias.name] = self._module(full)
        return "@import"

    def _classdef(self, node: ast.ClassDef) -> str | None:
        bases = [b for b in node.bases if self.name(b) in BLOCKS]
        if not bases:
            return None
        self.uses.add("nn")
        start = self.span(node)[0]
        text = self.source[start : self.span(bases[0])[0]].decode() + "nn.Module"
        head = self.span(bases[0])[1]
        rest, place = [], head
        for child in self._children(node):
            first, last = self.span(child)
            if first < head:
                continue
            rest += [self.source[place:first].decode(), self.text(child)]
            place = last
        return text + "".join(rest) + self.source[place : self.span(node)[1]].decode()

    def _functiondef(self, node: ast.FunctionDef) -> str | None:
        if node.name != "hybrid_forward" or len(node.args.args) < 2:
            return None
        self_, function, *rest = node.args.args
        parameters = [a for a in rest if not self._is_parameter(node, a)]
        self.functions.append(function.arg)
        inner = ", ".join([self_.arg, *[ast.unparse(a) for a in parameters]])
        defaults = node.args.defaults[: len(parameters)]
        if defaults and any(not isinstance(d, ast.Constant) or d.value is not None for d in defaults):
            self.mark(node, "defaults of arguments were left out")
        start = self.span(node)[0]
        first = self.span(node.body[0])[0]
        head = self.source[start:first].decode()
        colon = head.rindex(":", 0, len(head.rstrip()))
        text = f"def forward({inner}):" + head[colon + 1 :]
        parts, place = [], first
        for child in node.body:
            begin, last = self.span(child)
            parts += [self.source[place:begin].decode(), self.text(child)]
            place = last
        self.functions.pop()
        return text + "".join(parts)

    def _is_parameter(self, node: ast.FunctionDef, argument: ast.arg) -> bool:
        """Arguments that are parameters of the block itself are attributes in torch."""
        owner = next((c for c in ast.walk(self.tree) if isinstance(c, ast.ClassDef) and node in c.body), None)
        own = re.findall(r"self\.(\w+)\s*=\s*self\.params\.get", ast.unparse(owner)) if owner is not None else []
        if argument.arg in own:
            self.mark(node, f"the parameter {argument.arg} is self.{argument.arg} in torch")
            return True
        return False

    def _with(self, node: ast.With) -> str | None:
        calls = [i.context_expr for i in node.items]
        kept, recorded = [], False
        for call in calls:
            name = self.name(call.func) if isinstance(call, ast.Call) else None
            scoped = (
                isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "name_scope"
            )
            if name in ("autograd.pause", "autograd.predict_mode"):
                return "with torch.no_grad():" + self._after_colon(node)
            if name in ("autograd.record", "autograd.train_mode"):
                modes = [a for a in (*call.args, *[k.value for k in call.keywords]) if is_constant(a, False)]  # type: ignore
                recorded = recorded or not modes
            elif not scoped:
                kept.append(call)
        if kept:
            return None
        # From the line after the colon on, with the comments that stand there.
        after = self._after_colon(node)
        lines = after.split("\n")[1:] if "\n" in after else [" " * node.body[0].col_offset + after.lstrip()]
        indent, deep = " " * node.col_offset, " " * (node.body[0].col_offset if "\n" in after else 0)
        text = "\n".join([indent + r[len(deep) :] if r.startswith(deep) else r for r in lines])[len(indent) :]
        nets = self._networks(node) if recorded else []
        before = "".join(f"{net}.train()\n{indent}" for net in nets)
        return before + text + "".join(f"\n{indent}{net}.eval()" for net in nets)

    def _networks(self, node: ast.With) -> list[str]:
        """The networks that are called in a block of recording, which is where MXNet's are in training mode."""
        if not re.search(r"Dropout|BatchNorm|model_zoo|get_model|LSTM|GRU|RNN", self.source.decode()):
            return []  # nothing that differs in training
        called = [ast.unparse(c.func) for c in ast.walk(node) if isinstance(c, ast.Call)]
        known = {
            ast.unparse(c.func.value)
            for c in ast.walk(self.tree)
            if isinstance(c, ast.Call)
            and isinstance(c.func, ast.Attribute)
            and c.func.attr in ("initialize", "collect_params", "hybridize")
        }
        return list(dict.fromkeys(c for c in called if c in known))

    def _block(self, node: Any) -> str:
        parts, place = [], self.span(node.body[0])[0]
        for child in node.body:
            begin, last = self.span(child)
            parts += [self.source[place:begin].decode(), self.text(child)]
            place = last
        return "".join(parts)

    def _after_colon(self, node: ast.With) -> str:
        first = self.span(node.body[0])[0]
        last_item = self.span(node.items[-1].context_expr)[1]
        gap = self.source[last_item:first].decode()
        return gap[gap.index(":") + 1 :] + self._block(node)

    def _expr(self, node: ast.Expr) -> str | None:
        """Statements that torch does not need."""
        call = node.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return None
        target, method = call.func.value, call.func.attr
        if self._is_super_init(call):
            return "super().__init__()"
        if self.name(target) is not None:
            return None
        if method == "initialize" and self.aliases:
            return self._initialize(call, target)
        if method in ("hybridize", "reset_ctx", "wait_to_read") and self.aliases:
            reason = {"hybridize": "torch.compile(net)", "wait_to_read": "torch computes at once"}
            self.touched.add(node.lineno)
            return f"pass  # {ast.unparse(call)}: {reason.get(method, 'net.to(device)')}"
        if method == "step" and self.is_trainer(target):
            text = self.text(target)
            space = " " * node.col_offset
            return f"{text}.step()\n{space}{text}.zero_grad()"
        if method == "backward" and not call.args and self.aliases:
            return self._backward(node, self.text(target))
        return None

    def _initialize(self, call: ast.Call, target: ast.expr) -> str | None:
        a = self._arguments(call, "init", "ctx")
        fill = self.initializer(a["init"]) if "init" in a and not is_constant(a["init"], None) else None
        if fill is None:
            if "init" in a and not is_constant(a["init"], None):
                self.mark(call, f"{ast.unparse(a['init'])} was left out")
            fill = f"{self.helper('uniform')}(0.07)"
        moved = ""
        if "ctx" in a:
            first = "[0]" if self.is_only(a["ctx"], ast.List | ast.ListComp) else ""
            moved = f".to({self.text(a['ctx'])}{first})"
        return f"{self.helper('initialize')}({self.text(target)}{moved}, {fill})"

    def _backward(self, node: ast.Expr, target: str) -> str:
        """MXNet differentiates the sum, and ``step`` divides gradients by its argument."""
        owner: Any = self.tree
        for scope in ast.walk(self.tree):
            if isinstance(scope, ast.FunctionDef) and any(n is node for n in ast.walk(scope)):
                owner = scope  # the innermost one comes last
        steps = {
            ast.unparse(c.args[0]): c.args[0]
            for c in ast.walk(owner)
            if isinstance(c, ast.Call)
            and isinstance(c.func, ast.Attribute)
            and c.func.attr == "step"
            and self.is_trainer(c.func.value)
            and c.args
        }
        if len(steps) > 1:
            self.mark(node, "trainers whose steps divide by different numbers")
        size = next(iter(steps.values()), None)
        if size is None or len(steps) > 1 or is_constant(size, 1):
            return f"{target}.sum().backward()"
        return f"({target}.sum() / {self.text(size)}).backward()"

    def _assign(self, node: ast.Assign) -> str | None:
        """``w[:] = w - lr * w.grad``: a step by hand."""
        (target, *others) = node.targets
        if others or not isinstance(target, ast.Subscript) or not self.aliases:
            return None
        name = ast.unparse(target.value)
        grads = {n for n in ast.walk(node.value) if isinstance(n, ast.Attribute) and n.attr == "grad"}
        if ast.unparse(target.slice) != ":" or not any(ast.unparse(n.value) == name for n in grads):
            return None
        space = " " * node.col_offset
        return f"with torch.no_grad():\n{space}    {self.inside(node)}\n{space}{name}.grad = None"

    def _is_super_init(self, call: ast.Call) -> bool:
        function = call.func
        if (
            not isinstance(function, ast.Attribute)
            or function.attr != "__init__"
            or not isinstance(function.value, ast.Call)
        ):
            return False
        return isinstance(function.value.func, ast.Name) and function.value.func.id == "super" and not call.args

    def _joinedstr(self, node: ast.JoinedStr) -> str | None:
        """Positions inside of f-strings are known from Python 3.12 on only: methods are replaced by their names."""
        first, last = self.span(node)
        text = self.source[first:last].decode()
        new = re.sub(r"\.(weight|bias|gamma|beta)\.data\(\)", r".\1", text)
        for old, method in METHODS.items():
            new = new.replace(f".{old}()", f".{method}")
        return new if new != text else None

    # ---- the whole ---------------------------------------------------------------------------------------------------

    def translate(self) -> tuple[str, int, int]:
        """The new program, how many lines of MXNet's it had, and how many of them are left to do by hand."""
        before = _lines_with(self.tree, self)
        body = self.text(self.tree) if not isinstance(self.tree, ast.Module) else self._whole()
        left: list[int] = []
        text = self._with_imports(body)
        lines = text.split("\n")
        remaining = Program(text)
        remaining.aliases = dict(self.aliases)
        for known in ("nn", "F", "torch"):
            remaining.aliases.pop(known, None)
        for node in ast.walk(remaining.tree):
            if not isinstance(node, ast.Name | ast.Attribute):
                continue
            name: str | None = remaining.name(node)
            if name is None and isinstance(node, ast.Attribute) and node.attr in OF_MXNET:
                name = node.attr
            if name is not None and name != "mxnet" and node.lineno not in left:
                left.append(node.lineno)
                lines[node.lineno - 1] += f"  # to_torch: {name} has no pair"
        return "\n".join(lines), before, len(left) + len(self.marks)

    def _whole(self) -> str:
        parts, place = [], 0
        for child in self.tree.body:
            begin, last = self.span(child)
            begin = min([begin, *[self.span(d)[0] - 1 for d in getattr(child, "decorator_list", ())]])
            parts += [self.source[place:begin].decode(), self.text(child)]
            place = last
        return "".join(parts) + self.source[place:].decode()

    def _with_imports(self, body: str) -> str:
        notes = [
            f"# to_torch: line {line} of the original: {why}"
            for line, rows in sorted(self.marks.items())
            for why in rows
        ]
        if "@import" not in body:
            return body
        names = {n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name)} - set(self.aliases)
        names |= {n.name for n in ast.walk(self.tree) if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        parts = []
        for helper in sorted(self.helpers):
            new = f"torch_{helper}" if helper in names else helper
            parts.append(helper if new == helper else f"{helper} as {new}")
            body = re.sub(rf"@helper {helper}\b", new, body)
        imports = ["import torch"]
        imports += ["from torch import nn"] if re.search(r"\bnn\.", body) else []
        imports += ["from torch.nn import functional as F"] if re.search(r"\bF\.", body) else []
        imports += [f"from {HELPERS} import {', '.join(parts)}"] if parts else []
        body = body.replace("@import", "\n".join([*imports, *notes]), 1)
        return re.sub(r"^[ \t]*@import\n", "", body, flags=re.MULTILINE).replace("@import", "")


def _lines_with(tree: ast.Module, program: Program) -> int:
    """How many lines speak of MXNet, by names that it gave."""
    probe = Program(program.source.decode())
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            probe.translate_node(node)
    functions = {
        n.args.args[1].arg for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "hybrid_forward"
    }
    probe.functions = sorted(functions)
    rows = {n.lineno for n in ast.walk(tree) if isinstance(n, ast.Name | ast.Attribute) and probe.name(n) is not None}
    return len(rows)


def translate_source(text: str, name: str = "program") -> tuple[str, int, int]:
    """A program for torch, the number of lines with MXNet's names before, and of places that are left to do by hand."""
    return Program(text, name).translate()


def translate_file(source: str, target: str | None = None) -> str:
    """Translates a program to ``target``, by default beside it with ``_torch``; says how much of it was done."""
    text, before, left = translate_source(read_text(source), source)
    path = Path(target) if target else Path(source).with_name(Path(source).stem + "_torch.py")
    if re.search(rf"^\s*from {HELPERS} import", text, re.MULTILINE):
        _write_helpers(path.with_name(f"{HELPERS}.py"))
    with writing(path) as stream:
        stream.write(text.encode())
    share = 100 * (before - min(left, before)) / before if before else 100.0
    return (
        f"{path}: {before} lines with MXNet in them, {share:.0f} % translated; {left} place(s) are marked 'to_torch:'"
    )


def _write_helpers(path: Path) -> None:
    """The definitions that translated programs import."""
    content = inspect.getsource(helpers)
    if path.exists() and read_text(path).partition("\n")[0] != content.partition("\n")[0]:
        raise MXNetValueError(f"{path} was not written by this tool, but translated programs need this name: move it")
    with writing(path) as stream:
        stream.write(content.encode())
