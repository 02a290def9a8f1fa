"""Programs of Gluon rewritten for torch: classes, layers, loops. What has no pair stays, with a comment that says so.

The text is changed in place, so that comments and formatting are kept: nodes of the syntax tree say where.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._core.files import read_text, writing
from ..error import MXNetValueError
from .program_tables import (
    _ACTIVATIONS,
    _BLOCKS,
    _FUNCTIONS,
    _LOSSES,
    _METHODS,
    _MODULES,
    _OF_MXNET,
    _OPTIMIZERS,
    _SETTINGS,
)


class Program:
    """A program that is being translated."""

    def __init__(self, text: str, name: str = "program"):
        self.source = text.encode()
        try:
            self.tree = ast.parse(text)
        except SyntaxError as error:
            raise MXNetValueError(f"{name} is no Python program: {error}") from error
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.aliases: dict[str, str] = {}
        self.functions: list[str] = []  # the names that stand for F, innermost last
        self.marks: dict[int, list[str]] = {}
        self.touched: set[int] = set()
        self.uses: set[str] = set()

    # ---- positions ---------------------------------------------------------------------------------------------------

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node is in the source."""
        place: Any = node
        start = self.starts[place.lineno - 1] + place.col_offset
        return start, self.starts[place.end_lineno - 1] + place.end_col_offset

    def text(self, node: ast.AST) -> str:
        """The new text of a node."""
        new = self.translate_node(node)
        if new is not None:
            self.touched.add(getattr(node, "lineno", 0))
            return new
        return self.inside(node)

    def inside(self, node: ast.AST, begin: int | None = None) -> str:
        """The text of a node with its parts translated."""
        start, end = self.span(node)
        start = start if begin is None else begin
        parts, place = [], start
        for child in self._children(node):
            first, last = self.span(child)
            if first < place:
                continue
            parts.append(self.source[place:first].decode())
            parts.append(self.text(child))
            place = last
        return "".join(parts) + self.source[place:end].decode()

    def _children(self, node: ast.AST) -> list[ast.AST]:
        if isinstance(node, ast.JoinedStr):
            return []  # positions inside of f-strings are known from Python 3.12 on only
        found = []
        for child in ast.iter_child_nodes(node):
            if hasattr(child, "lineno"):
                found.append(child)
            elif not isinstance(child, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
                found += self._children(child)  # arguments, keywords and so on
        return sorted(found, key=self.span)

    # ---- names -------------------------------------------------------------------------------------------------------

    def name(self, node: ast.AST) -> str | None:
        """What an expression is called in MXNet: ``gluon.nn.Dense``; None if it is not MXNet's."""
        if isinstance(node, ast.Name):
            if node.id in self.functions:
                return "ndarray"
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.name(node.value)
            if base is not None:
                full = f"{base}.{node.attr}".removeprefix("mxnet.")
                first, dot, rest = full.partition(".")
                return f"{_MODULES.get(first, first)}{dot}{rest}"
        return None

    def mark(self, node: ast.AST, why: str) -> None:
        """Leaves a comment at the line of a node."""
        rows = self.marks.setdefault(getattr(node, "lineno", 1), [])
        if why not in rows:
            rows.append(why)

    # ---- translation -------------------------------------------------------------------------------------------------

    def translate_node(self, node: ast.AST) -> str | None:
        """The text that a node becomes, None if only its parts change."""
        method: Callable[[Any], str | None] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        return method(node) if method is not None else None

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
        return f"{_MODULES.get(first, first)}{dot}{rest}"

    def _importfrom(self, node: ast.ImportFrom) -> str | None:
        if (node.module or "").split(".")[0] != "mxnet":
            return None
        base = (node.module or "").removeprefix("mxnet").lstrip(".")
        for alias in node.names:
            full = f"{base}.{alias.name}" if base else alias.name
            self.aliases[alias.asname or alias.name] = self._module(full)
        return "@import"

    def _classdef(self, node: ast.ClassDef) -> str | None:
        bases = [b for b in node.bases if self.name(b) in _BLOCKS]
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
        kept = []
        for call in calls:
            name = self.name(call.func) if isinstance(call, ast.Call) else None
            scoped = (
                isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "name_scope"
            )
            if name in ("autograd.pause", "autograd.predict_mode"):
                return "with torch.no_grad():" + self._after_colon(node)
            if not scoped and name not in ("autograd.record", "autograd.train_mode"):
                kept.append(call)
        if kept:
            return None
        # From the line after the colon on, with the comments that stand there.
        lines = self._after_colon(node).split("\n")[1:] or [self._block(node)]
        indent, deep = " " * node.col_offset, " " * node.body[0].col_offset
        return "\n".join([indent + r[len(deep) :] if r.startswith(deep) else r for r in lines])[len(indent) :]

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
        if method in ("initialize", "hybridize", "reset_ctx") and self.aliases:
            reason = {"initialize": "layers are initialized when they are made", "hybridize": "torch.compile(net)"}
            self.touched.add(node.lineno)
            return f"pass  # {ast.unparse(call)}: {reason.get(method, 'net.to(device)')}"
        if method == "step" and self._is_trainer(target):
            text = self.text(target)
            space = " " * node.col_offset
            return f"{text}.step()\n{space}{text}.zero_grad()"
        if method == "backward" and not call.args:
            return f"{self.text(target)}.mean().backward()"
        return None

    def _is_super_init(self, call: ast.Call) -> bool:
        function = call.func
        if (
            not isinstance(function, ast.Attribute)
            or function.attr != "__init__"
            or not isinstance(function.value, ast.Call)
        ):
            return False
        return isinstance(function.value.func, ast.Name) and function.value.func.id == "super" and not call.args

    def _is_trainer(self, target: ast.expr) -> bool:
        text = ast.unparse(target)
        return any(
            isinstance(n, ast.Assign)
            and any(ast.unparse(t) == text for t in n.targets)
            and isinstance(n.value, ast.Call)
            and self.name(n.value.func) == "gluon.Trainer"
            for n in ast.walk(self.tree)
        )

    # ---- calls -------------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> str | None:
        name = self.name(node.func)
        if name is None:
            return self._method(node)
        first, _, rest = name.partition(".")
        if name.startswith("gluon.nn."):
            return self._layer(node, name[9:])
        if name.startswith("gluon.loss."):
            self.uses.add("F")
            return _LOSSES.get(name[11:]) if not node.args and not node.keywords else None
        if name == "gluon.Trainer":
            return self._trainer(node)
        if name.startswith("gluon.data."):
            return self._data(node, name[11:])
        if name in ("cpu", "gpu", "mxnet.cpu", "mxnet.gpu"):
            index = f", {self.text(node.args[0])}" if node.args else ""
            return f'torch.device("{"cpu" if name.endswith("cpu") else "cuda"}"{"" if name.endswith("cpu") else index})'
        if name in ("random.seed", "mxnet.random.seed"):
            return f"torch.manual_seed({self.text(node.args[0])})"
        return self._function(node, rest) if first == "ndarray" else None

    def _arguments(self, node: ast.Call, *names: str) -> dict[str, Any]:
        """The arguments by name; ``names`` are those of the positional ones."""
        found: dict[str, Any] = dict(zip(names, node.args, strict=False))
        found.update({k.arg: k.value for k in node.keywords if k.arg is not None})
        return found

    def _layer(self, node: ast.Call, kind: str) -> str | None:
        """A layer; without the number of inputs it is a lazy one, which asks its first input, as in Gluon."""
        self.uses.add("nn")
        if kind in ("Sequential", "HybridSequential"):
            return "nn.Sequential()"
        if kind == "Dense":
            a = self._arguments(node, "units", "activation", "use_bias", "flatten")
            width = self.text(a["in_units"]) if "in_units" in a else None
            units = self.text(a["units"])
            bias = ", bias=False" if _is(a.get("use_bias"), False) else ""
            layer = f"nn.Linear({width}, {units}{bias})" if width else f"nn.LazyLinear({units}{bias})"
            parts = [] if _is(a.get("flatten"), False) else ["nn.Flatten()"]
            return _chain([*parts, layer, *self._activation(a.get("activation"))])
        if kind in ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose"):
            a = self._arguments(node, "channels", "kernel_size", "strides", "padding", "dilation", "groups")
            plain = f"Conv{kind[4]}d" if "Transpose" not in kind else "ConvTranspose2d"
            channels = [self.text(a["in_channels"])] if "in_channels" in a else []
            pairs = {"strides": "stride", "padding": "padding", "dilation": "dilation", "groups": "groups"}
            more = [f"{new}={self.text(a[old])}" for old, new in pairs.items() if old in a]
            more += ["bias=False"] if _is(a.get("use_bias"), False) else []
            inside = ", ".join([*channels, self.text(a["channels"]), self.text(a["kernel_size"]), *more])
            layer = f"nn.{'' if channels else 'Lazy'}{plain}({inside})"
            return _chain([layer, *self._activation(a.get("activation"))])
        if kind in ("MaxPool2D", "AvgPool2D", "MaxPool1D", "AvgPool1D"):
            a = self._arguments(node, "pool_size", "strides", "padding")
            size = self.text(a["pool_size"]) if "pool_size" in a else "2"
            more = [f"{new}={self.text(a[k])}" for k, new in (("strides", "stride"), ("padding", "padding")) if k in a]
            return f"nn.{kind[:7]}{kind[7]}d({', '.join([size, *more])})"
        if kind.startswith("Global"):
            return f"nn.Adaptive{kind[6:13]}{kind[13]}d(1)"
        if kind == "BatchNorm":
            self.mark(node, "batch norm of images; of vectors it is nn.LazyBatchNorm1d")
            return "nn.LazyBatchNorm2d()"
        if kind == "Activation":
            (layer,) = self._activation(self._arguments(node, "activation")["activation"]) or [""]
            return layer or None
        if kind in ("Flatten", "Dropout", "Embedding", "LeakyReLU", "ELU", "SELU", "GELU"):
            values = [self.text(x) for x in (*node.args, *[k.value for k in node.keywords if k.arg != "prefix"])]
            return f"nn.{kind}({', '.join(values)})"
        if kind == "Swish":
            return "nn.SiLU()"
        if kind == "LayerNorm" and (width := self._arguments(node).get("in_channels")):
            return f"nn.LayerNorm({self.text(width)})"
        return None

    def _activation(self, node: Any) -> list[str]:
        if node is None or _is(node, None):
            return []
        known = _ACTIVATIONS.get(str(node.value)) if isinstance(node, ast.Constant) else None
        if known is None:
            self.mark(node, "an activation that is not known before the program runs")
            return []
        return [f"nn.{known}()"]

    def _trainer(self, node: ast.Call) -> str | None:
        a = self._arguments(node, "params", "optimizer", "optimizer_params")
        kind = a["optimizer"].value if isinstance(a.get("optimizer"), ast.Constant) else None
        settings = a.get("optimizer_params")
        if kind not in _OPTIMIZERS or not isinstance(settings, ast.Dict | None):
            return None
        owner = a["params"]
        if (
            isinstance(owner, ast.Call)
            and isinstance(owner.func, ast.Attribute)
            and owner.func.attr == "collect_params"
        ):
            parameters = f"{self.text(owner.func.value)}.parameters()"
        else:
            parameters = self.text(owner)
        parts = [parameters]
        pairs = zip(settings.keys, settings.values, strict=True) if settings is not None else ()
        for key, value in pairs:
            plain = key.value if isinstance(key, ast.Constant) else None
            if not isinstance(plain, str) or plain in ("lr_scheduler", "clip_gradient"):
                self.mark(node, f"{ast.unparse(key) if key else 'a setting'} of the optimizer was left out")
                continue
            parts.append(f"{_SETTINGS.get(plain, plain)}={self.text(value)}")
        if kind in ("sgd", "nag") and not any(p.startswith("lr=") for p in parts):
            parts.append("lr=0.01")
        if kind == "nag":
            parts.append("nesterov=True")
        return f"torch.optim.{_OPTIMIZERS[kind]}({', '.join(parts)})"

    def _data(self, node: ast.Call, kind: str) -> str | None:
        if kind in ("DataLoader", "dataloader.DataLoader"):
            parts = [self.text(a) for a in node.args]
            for k in node.keywords:
                if k.arg == "last_batch":
                    parts += ["drop_last=True"] if _is(k.value, "discard") else []
                elif k.arg in ("batch_size", "shuffle", "num_workers", "sampler", "batch_sampler"):
                    parts.append(f"{k.arg}={self.text(k.value)}")
                else:
                    self.mark(node, f"{k.arg} of the DataLoader was left out")
            return f"torch.utils.data.DataLoader({', '.join(parts)})"
        if kind in ("ArrayDataset", "dataset.ArrayDataset"):
            return f"torch.utils.data.TensorDataset({', '.join(self.text(a) for a in node.args)})"
        return None

    def _function(self, node: ast.Call, name: str) -> str | None:
        """A function of nd or F."""
        if name in ("array",):
            return f"torch.as_tensor({self.text(node.args[0])}, dtype=torch.float32)"
        if name in ("random.normal", "random_normal", "random.uniform", "random_uniform"):
            first, second = ("loc", "scale") if "normal" in name else ("low", "high")
            a = self._arguments(node, first, second, "shape")
            shape = self.text(a["shape"]) if "shape" in a else "(1,)"
            low, high = (self.text(a[k]) if k in a else d for k, d in ((first, "0"), (second, "1")))
            if "normal" in name:
                base = f"torch.randn({shape})"
                return base if (low, high) == ("0", "1") else f"({base} * {high} + {low})"
            base = f"torch.rand({shape})"
            return base if (low, high) == ("0", "1") else f"({base} * ({high} - {low}) + {low})"
        if name in ("concat", "stack"):
            key = "dim" if name == "concat" else "axis"
            a = {str(k.arg): k.value for k in node.keywords}
            axis = self.text(a[key]) if key in a else "1" if name == "concat" else "0"
            return (
                f"torch.{'cat' if name == 'concat' else 'stack'}([{', '.join(map(self.text, node.args))}], dim={axis})"
            )
        if name in ("flatten", "Flatten"):
            return f"{self.text(node.args[0])}.flatten(1)"
        if name in ("reshape", "transpose", "expand_dims", "squeeze"):
            a = self._arguments(node, "data", {"reshape": "shape", "transpose": "axes"}.get(name, "axis"))
            if name == "reshape" and re.search(r"[(,]\s*0\s*[,)]|-[2-4]", ast.unparse(a["shape"])):
                self.mark(node, "sizes 0, -2, -3 and -4 mean something else in torch's reshape")
            value = self.text(a[{"reshape": "shape", "transpose": "axes"}.get(name, "axis")]) if len(a) > 1 else ""
            method = {"transpose": "permute", "expand_dims": "unsqueeze"}.get(name, name)
            return f"{self.text(a['data'])}.{method}({value})"
        if name == "Activation":
            a = self._arguments(node, "data")
            kind = a["act_type"].value if isinstance(a.get("act_type"), ast.Constant) else None
            names = {"softrelu": "F.softplus", "softsign": "F.softsign"}
            self.uses.add("F")
            return f"{names.get(kind, f'torch.{kind}')}({self.text(a['data'])})" if kind in _ACTIVATIONS else None
        if name in ("softmax", "log_softmax"):
            a = self._arguments(node, "data")
            return f"torch.{name}({self.text(a['data'])}, dim={self.text(a['axis']) if 'axis' in a else '-1'})"
        if name == "Dropout":
            a = self._arguments(node, "data", "p")
            self.uses.add("F")
            return f"F.dropout({self.text(a['data'])}, {self.text(a['p']) if 'p' in a else '0.5'}, self.training)"
        if name in _FUNCTIONS and not any(
            k.arg in ("ctx", "out", "exclude", "transpose_a", "transpose_b") for k in node.keywords
        ):
            parts = [self.text(a) for a in node.args]
            rename = {"keepdims": "keepdim", "axis": "dim", "shape": "size"}
            parts += [f"{rename.get(str(k.arg), k.arg)}={self.text(k.value)}" for k in node.keywords if k.arg != "name"]
            return f"{_FUNCTIONS[name]}({', '.join(parts)})"
        return None

    def _method(self, node: ast.Call) -> str | None:
        """Methods of arrays and blocks, which are known by their names."""
        if not isinstance(node.func, ast.Attribute) or not self.aliases:
            return None
        target, method = node.func.value, node.func.attr
        if method in _METHODS and not node.args and not (method == "copy" and "np" in ast.unparse(target)):
            return f"{self.text(target)}.{_METHODS[method]}"
        if method in ("as_in_context", "as_in_ctx", "copyto") and len(node.args) == 1:
            return f"{self.text(target)}.to({self.text(node.args[0])})"
        if method == "expand_dims":
            return f"{self.text(target)}.unsqueeze({self.text((*node.args, *[k.value for k in node.keywords])[0])})"
        if method == "astype" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
            return f"{self.text(target)}.to(torch.{node.args[0].value!s})"
        if method == "add" and node.args and self._holds_layers(node) and not self._is_own(target):
            items = [self.text(a) for a in node.args]
            if len(items) == 1 and not isinstance(node.args[0], ast.Starred):
                return f"{self.text(target)}.append({items[0]})"
            first, last = self.span(node.args[0])[0], self.span(node.args[-1])[1]
            return f"{self.text(target)}.extend([{self._between(node.args, first, last)}])"
        if method == "data" and not node.args and isinstance(target, ast.Attribute):
            return self.text(target)
        if method in ("save_parameters", "save_params"):
            return f"torch.save({self.text(target)}.state_dict(), {self.text(node.args[0])})"
        if method in ("load_parameters", "load_params"):
            return f"{self.text(target)}.load_state_dict(torch.load({self.text(node.args[0])}))"
        if method == "get" and ast.unparse(target) == "self.params":
            a = self._arguments(node, "name")
            if "shape" in a:
                return f"nn.Parameter(torch.randn({self.text(a['shape'])}) * 0.07)"
        return None

    def _between(self, nodes: list[Any], first: int, last: int) -> str:
        parts, place = [], first
        for node in nodes:
            begin, end = self.span(node)
            parts += [self.source[place:begin].decode(), self.text(node)]
            place = end
        return "".join(parts)

    def _holds_layers(self, node: ast.Call) -> bool:
        """Is ``add`` called with layers? Sets have such a method, too."""
        return any(
            isinstance(c, ast.Call) and ((self.name(c.func) or "").startswith("gluon.") or _is_class(c.func))
            for a in node.args
            for c in ast.walk(a)
        )

    def _is_own(self, target: ast.expr) -> bool:
        """Is it an object of a class of this program, which has an ``add`` of its own?"""
        own = {c.name for c in ast.walk(self.tree) if isinstance(c, ast.ClassDef)}
        return any(
            isinstance(n, ast.Assign)
            and any(ast.unparse(t) == ast.unparse(target) for t in n.targets)
            and isinstance(n.value, ast.Call)
            and isinstance(n.value.func, ast.Name)
            and n.value.func.id in own
            for n in ast.walk(self.tree)
        )

    def _joinedstr(self, node: ast.JoinedStr) -> str | None:
        """Positions inside of f-strings are known from Python 3.12 on only: methods are replaced by their names."""
        first, last = self.span(node)
        text = self.source[first:last].decode()
        new = re.sub(r"\.(weight|bias|gamma|beta)\.data\(\)", r".\1", text)
        for old, method in _METHODS.items():
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
            if name is None and isinstance(node, ast.Attribute) and node.attr in _OF_MXNET:
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
        imports = ["import torch"]
        imports += ["from torch import nn"] if re.search(r"\bnn\.", body) else []
        imports += ["from torch.nn import functional as F"] if re.search(r"\bF\.", body) else []
        notes = [
            f"# to_torch: line {line} of the original: {why}"
            for line, rows in sorted(self.marks.items())
            for why in rows
        ]
        if "@import" not in body:
            return body
        body = body.replace("@import", "\n".join([*imports, *notes]), 1)
        return re.sub(r"^[ \t]*@import\n", "", body, flags=re.MULTILINE).replace("@import", "")


def _is(node: object, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value == value and type(node.value) is type(value)


def _is_class(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id[:1].isupper()


def _chain(layers: list[str]) -> str:
    return layers[0] if len(layers) == 1 else f"nn.Sequential({', '.join(layers)})"


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
    with writing(path) as stream:
        stream.write(text.encode())
    share = 100 * (before - min(left, before)) / before if before else 100.0
    return (
        f"{path}: {before} lines with MXNet in them, {share:.0f} % translated; {left} place(s) are marked 'to_torch:'"
    )
