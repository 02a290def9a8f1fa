"""What calls of MXNet become in programs for torch: layers, optimizers, data, functions and methods of arrays."""

from __future__ import annotations

import ast
import itertools
import re
from typing import Any

from .program_tables import ACTIVATIONS, FUNCTIONS, LOSSES, METHODS, METRICS, OPTIMIZERS, SETTINGS
from .program_text import ProgramText


class ProgramCalls(ProgramText):
    """A program whose calls are translated."""

    def _call(self, node: ast.Call) -> str | None:
        name = self.name(node.func)
        if name is None:
            return self._method(node)
        first, _, rest = name.partition(".")
        if name.startswith("gluon.nn."):
            return self._layer(node, name[9:])
        if name.startswith("gluon.loss."):
            self.uses.add("F")
            return LOSSES.get(name[11:]) if not node.args and not node.keywords else None
        if name == "gluon.Trainer":
            return self._trainer(node)
        if name.startswith(("metric.", "gluon.metric.")):
            return self._metric(node, name.rpartition(".")[2])
        if name in ("gluon.utils.split_and_load",):
            return self._helper(node, "split_and_load", {"ctx_list": "devices"})
        if name == "test_utils.get_mnist":
            return self._helper(node, "get_mnist")
        if name.startswith("initializer."):
            return self.initializer(node)
        if name == "autograd.backward":
            return None
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
            bias = ", bias=False" if is_constant(a.get("use_bias"), False) else ""
            if not is_constant(a.get("flatten"), False) and self.reads_weights:
                return _chain([f"{self.helper('Dense')}({units}{bias})", *self._activation(a.get("activation"))])
            layer = f"nn.Linear({width}, {units}{bias})" if width else f"nn.LazyLinear({units}{bias})"
            parts = [] if is_constant(a.get("flatten"), False) or node in self.flat else ["nn.Flatten()"]
            return _chain([*parts, layer, *self._activation(a.get("activation"))])
        if kind in ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose"):
            a = self._arguments(node, "channels", "kernel_size", "strides", "padding", "dilation", "groups")
            plain = f"Conv{kind[4]}d" if "Transpose" not in kind else "ConvTranspose2d"
            channels = [self.text(a["in_channels"])] if "in_channels" in a else []
            pairs = {"strides": "stride", "padding": "padding", "dilation": "dilation", "groups": "groups"}
            more = [f"{new}={self.text(a[old])}" for old, new in pairs.items() if old in a]
            more += ["bias=False"] if is_constant(a.get("use_bias"), False) else []
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
            a = self._arguments(node, "axis", "momentum", "epsilon")
            known = {"epsilon": "eps={}", "momentum": "momentum=1 - {}"}
            if not is_constant(a.pop("axis", ast.Constant(1)), 1) or set(a) - {*known, "in_channels", "prefix"}:
                return None
            inside = ", ".join(text.format(self.text(a[name])) for name, text in known.items() if name in a)
            return f"{self.helper('BatchNorm')}({inside})"
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
        if node is None or is_constant(node, None):
            return []
        known = ACTIVATIONS.get(str(node.value)) if isinstance(node, ast.Constant) else None
        if known is None:
            self.mark(node, "an activation that is not known before the program runs")
            return []
        return [f"nn.{known}()"]

    def _trainer(self, node: ast.Call) -> str | None:
        a = self._arguments(node, "params", "optimizer", "optimizer_params")
        kind = a["optimizer"].value if isinstance(a.get("optimizer"), ast.Constant) else None
        settings = a.get("optimizer_params")
        if kind not in OPTIMIZERS or not isinstance(settings, ast.Dict | None):
            return None
        owner = a["params"]
        parameters = self.text(owner)
        if (net := _collected(owner)) is not None:
            parameters = f"{self.text(net)}.parameters()"
        parts = [parameters]
        pairs = zip(settings.keys, settings.values, strict=True) if settings is not None else ()
        for key, value in pairs:
            plain = key.value if isinstance(key, ast.Constant) else None
            if not isinstance(plain, str) or plain in ("lr_scheduler", "clip_gradient"):
                self.mark(node, f"{ast.unparse(key) if key else 'a setting'} of the optimizer was left out")
                continue
            parts.append(f"{SETTINGS.get(plain, plain)}={self.text(value)}")
        if kind in ("sgd", "nag") and not any(p.startswith("lr=") for p in parts):
            parts.append("lr=0.01")
        if kind == "nag":
            parts.append("nesterov=True")
        return f"torch.optim.{OPTIMIZERS[kind]}({', '.join(parts)})"

    def _data(self, node: ast.Call, kind: str) -> str | None:
        if kind in ("DataLoader", "dataloader.DataLoader"):
            parts = [self.text(a) for a in node.args]
            for k in node.keywords:
                if k.arg == "last_batch":
                    parts += ["drop_last=True"] if is_constant(k.value, "discard") else []
                elif k.arg in ("batch_size", "shuffle", "num_workers", "sampler", "batch_sampler"):
                    parts.append(f"{k.arg}={self.text(k.value)}")
                else:
                    self.mark(node, f"{k.arg} of the DataLoader was left out")
            return f"torch.utils.data.DataLoader({', '.join(parts)})"
        name = kind.rpartition(".")[2]
        known = name in ("ArrayDataset", "MNIST", "FashionMNIST", "ToTensor", "Normalize", "Compose")
        return self._helper(node, name) if known else None

    def _helper(self, node: ast.Call, name: str, renamed: dict[str, str] | None = None) -> str:
        """A call of a definition of the module that goes with the program."""
        parts = [self.text(a) for a in node.args]
        for k in node.keywords:
            known = (renamed or {}).get(str(k.arg), k.arg)
            parts.append(f"{known}={self.text(k.value)}" if known else f"**{self.text(k.value)}")
        return f"{self.helper(name)}({', '.join(parts)})"

    def helper(self, name: str) -> str:
        """The name of such a definition; programs that use this name themselves get another one."""
        self.helpers.add(name)
        return f"@helper {name}"

    def _metric(self, node: ast.Call, kind: str) -> str | None:
        if kind == "create" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
            kind = METRICS.get(str(node.args[0].value), "")
            node = ast.copy_location(ast.Call(node.func, [], []), node)
        return self._helper(node, kind) if kind in ("Accuracy", "TopKAccuracy", "MAE", "MSE", "Loss") else None

    def initializer(self, node: ast.expr) -> str | None:
        """An initializer as the function that fills a tensor."""
        call = node if isinstance(node, ast.Call) else None
        name = (self.name(call.func if call is not None else node) or "").removeprefix("initializer.")
        if name in ("Zero", "One") or (isinstance(node, ast.Constant) and node.value in ("zeros", "ones")):
            is_one = name == "One" or (isinstance(node, ast.Constant) and node.value == "ones")
            return f"{self.helper('constant')}({1 if is_one else 0})"
        if isinstance(node, ast.Constant) and str(node.value).lower() in ("xavier", "normal", "uniform", "orthogonal"):
            return f"{self.helper(str(node.value).lower())}()"
        plain = {"MSRAPrelu": "msra_prelu"}.get(name, name.lower())
        if call is None or plain not in ("uniform", "normal", "constant", "xavier", "msra_prelu", "orthogonal"):
            return None
        if plain == "orthogonal" and any(k.arg == "rand_type" for k in call.keywords):
            return None
        return self._helper(call, plain)

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
            return f"{names.get(kind, f'torch.{kind}')}({self.text(a['data'])})" if kind in ACTIVATIONS else None
        if name in ("softmax", "log_softmax"):
            a = self._arguments(node, "data")
            return f"torch.{name}({self.text(a['data'])}, dim={self.text(a['axis']) if 'axis' in a else '-1'})"
        if name == "Dropout":
            a = self._arguments(node, "data", "p")
            self.uses.add("F")
            return f"F.dropout({self.text(a['data'])}, {self.text(a['p']) if 'p' in a else '0.5'}, self.training)"
        if name in ("mean", "sum") and node.args and self.is_only(node.args[0], ast.Compare):
            return f"torch.{name}({', '.join([f'({self.text(node.args[0])}).float()', *self._rest(node, 1)])})"
        if name == "full":
            a = self._arguments(node, "shape", "val")
            shape = f"({self.text(a['shape'])},)" if isinstance(a["shape"], ast.Constant) else self.text(a["shape"])
            return f"torch.full({shape}, float({self.text(a['val'])}))" if len(a) == 2 else None
        if name == "arange" and not {k.arg for k in node.keywords} - {"start", "stop", "step"}:
            values = [*node.args, *[k.value for k in node.keywords]]
            return f"torch.arange({', '.join(map(self.text, values))}).float()"
        if name == "GridGenerator":
            a = self._arguments(node, "data")
            if not is_constant(a.get("transform_type"), "affine") or "target_shape" not in a:
                return None
            self.uses.add("F")
            matrices, size = f"{self.text(a['data'])}.reshape(-1, 2, 3)", self.text(a["target_shape"])
            return f"F.affine_grid({matrices}, (len({matrices}), 1, *{size}), align_corners=True).permute(0, 3, 1, 2)"
        if name == "BilinearSampler" and len(node.args) == 2 and not node.keywords:
            self.uses.add("F")
            image, grid = map(self.text, node.args)
            return f"F.grid_sample({image}, {grid}.permute(0, 2, 3, 1), align_corners=True)"
        if name == "contrib.BilinearResize2D":
            a = self._arguments(node, "data")
            if set(a) != {"data", "height", "width"}:
                return None
            self.uses.add("F")
            size = f"({self.text(a['height'])}, {self.text(a['width'])})"
            return f'F.interpolate({self.text(a["data"])}, {size}, mode="bilinear", align_corners=True)'
        if name == "norm" and len(node.args) == 1 and not node.keywords:
            return f"{self.text(node.args[0])}.norm()"
        if name in ("one_hot", "pick", "clip", "LeakyReLU", "split", "SliceChannel", "Cast", "cast"):
            return self._special(node, name)
        if name in FUNCTIONS and not any(
            k.arg in ("ctx", "out", "exclude", "transpose_a", "transpose_b") for k in node.keywords
        ):
            parts = [self.text(a) for a in node.args]
            rename = {"keepdims": "keepdim", "axis": "dim", "shape": "size"}
            parts += [f"{rename.get(str(k.arg), k.arg)}={self.text(k.value)}" for k in node.keywords if k.arg != "name"]
            return f"{FUNCTIONS[name]}({', '.join(parts)})"
        return None

    def _special(self, node: ast.Call, name: str) -> str | None:
        if name == "one_hot":
            a = self._arguments(node, "indices", "depth")
            self.uses.add("F")
            return (
                f"F.one_hot({self.text(a['indices'])}.long(), {self.text(a['depth'])}).float()" if len(a) == 2 else None
            )
        if name == "pick":
            a = self._arguments(node, "data", "index", "axis")
            dim = self.text(a["axis"]) if "axis" in a else "-1"
            value = self.text(a["data"])
            index = self.text(a["index"])
            return (
                f"{value}.gather({dim}, {index}.long().unsqueeze({dim})).squeeze({dim})"
                if "keepdims" not in a
                else None
            )
        if name == "clip":
            a = self._arguments(node, "data", "a_min", "a_max")
            return f"{self.text(a['data'])}.clamp({self.text(a['a_min'])}, {self.text(a['a_max'])})"
        if name == "LeakyReLU":
            a = self._arguments(node, "data")
            if not is_constant(a.get("act_type", ast.Constant("leaky")), "leaky"):
                return None
            return f"F.leaky_relu({self.text(a['data'])}, {self.text(a['slope']) if 'slope' in a else '0.25'})"
        if name in ("split", "SliceChannel"):
            a = self._arguments(node, "data", "num_outputs", "axis")
            if not isinstance(a.get("num_outputs"), ast.Constant) or "squeeze_axis" in a:
                return None
            dim = self.text(a["axis"]) if "axis" in a else "1"
            return f"{self.text(a['data'])}.chunk({self.text(a['num_outputs'])}, dim={dim})"
        a = self._arguments(node, "data", "dtype")
        kind = _dtype(a["dtype"]) if "dtype" in a else None
        return f"{self.text(a['data'])}.to({kind})" if kind else None

    def _method(self, node: ast.Call) -> str | None:
        """Methods of arrays and blocks, which are known by their names."""
        if not isinstance(node.func, ast.Attribute) or not self.aliases:
            return None
        target, method = node.func.value, node.func.attr
        if method in METHODS and not node.args and not (method == "copy" and "np" in ast.unparse(target)):
            return f"{self.text(target)}.{METHODS[method]}"
        if method in ("as_in_context", "as_in_ctx", "copyto") and len(node.args) == 1:
            return f"{self.text(target)}.to({self.text(node.args[0])})"
        if method == "expand_dims":
            return f"{self.text(target)}.unsqueeze({self.text((*node.args, *[k.value for k in node.keywords])[0])})"
        if self.is_numpy(target):
            return None
        if method == "astype" and len(node.args) == 1:
            kind = _dtype(node.args[0])
            return f"{self.text(target)}.to({kind})" if kind else None
        if method in ("mean", "sum") and self.is_only(target, ast.Compare):
            return f"({self.text(target)}).float().{method}({', '.join(self._rest(node))})"
        if method in ("max", "min") and (node.args or node.keywords) and self.functions:
            rest = self._rest(node, 0, {"axis": "dim", "keepdims": "keepdim"})
            return f"{self.text(target)}.a{method}({', '.join(rest)})"
        if method == "repeat" and [k.arg for k in node.keywords] == ["axis"]:
            return f"{self.text(target)}.repeat_interleave({', '.join(self._rest(node, 0, {'axis': 'dim'}))})"
        if method == "transpose" and len(node.args) == 1 and isinstance(node.args[0], ast.Tuple):
            return f"{self.text(target)}.permute({self.text(node.args[0])})"
        if method == "reshape" and (shape := self._shape(node, target)):
            return shape
        if method == "set_learning_rate" and len(node.args) == 1:
            return f"{self.helper('set_learning_rate')}({self.text(target)}, {self.text(node.args[0])})"
        holds = self._holds_layers(node) or self._is_sequence(target)
        if method == "add" and node.args and holds and not self._is_own(target):
            for before, layer in itertools.pairwise(node.args):
                kind = self.name(before.func) if isinstance(before, ast.Call) else None
                if kind in ("gluon.nn.Dense", "gluon.nn.Flatten"):
                    self.flat.add(layer)
            items = [self.text(a) for a in node.args]
            if len(items) == 1 and not isinstance(node.args[0], ast.Starred):
                return f"{self.text(target)}.append({items[0]})"
            first, last = self.span(node.args[0])[0], self.span(node.args[-1])[1]
            return f"{self.text(target)}.extend([{self._between(node.args, first, last)}])"
        if method == "data" and not node.args and isinstance(target, ast.Attribute):
            return self.text(target)
        if method == "collect_params" and (chosen := self._chosen(node, target)):
            return chosen
        if method in ("values", "items") and (net := _collected(target)) is not None:
            named = "parameters" if method == "values" else "named_parameters"
            return f"{self.text(net)}.{named}()"
        if method in ("save_parameters", "save_params"):
            return f"torch.save({self.text(target)}.state_dict(), {self.text(node.args[0])})"
        if method in ("load_parameters", "load_params"):
            return f"{self.text(target)}.load_state_dict(torch.load({self.text(node.args[0])}))"
        if method == "get" and ast.unparse(target) == "self.params":
            a = self._arguments(node, "name")
            if "shape" in a:
                return f"nn.Parameter(torch.randn({self.text(a['shape'])}) * 0.07)"
        return None

    def _chosen(self, node: ast.Call, target: ast.expr) -> str | None:
        """Parameters by the ends of their names, which are the same in torch."""
        pattern = node.args[0].value if len(node.args) == 1 and isinstance(node.args[0], ast.Constant) else None
        ends = re.findall(r"\.\*_?(weight|bias)\b", str(pattern))
        if not ends or "|".join(f".*{e}" for e in ends) != str(pattern).replace("_", ""):
            return None
        wanted = f'"{ends[0]}"' if len(ends) == 1 else "(" + ", ".join(f'"{e}"' for e in ends) + ")"
        return f"[p for n, p in {self.text(target)}.named_parameters() if n.endswith({wanted})]"

    def _rest(self, node: ast.Call, first: int = 0, renamed: dict[str, str] | None = None) -> list[str]:
        """The arguments from one on, as they are."""
        keywords = {(renamed or {}).get(str(k.arg), str(k.arg)): k.value for k in node.keywords}
        return [*map(self.text, node.args[first:]), *[f"{name}={self.text(v)}" for name, v in keywords.items()]]

    def _shape(self, node: ast.Call, target: ast.expr) -> str | None:
        """A reshape whose zeros stand for the sizes that are there."""
        sizes = node.args[0].elts if len(node.args) == 1 and isinstance(node.args[0], ast.Tuple) else node.args
        numbers = [ast.unparse(size) for size in sizes]
        if numbers == ["0", "-1"]:
            return f"{self.text(target)}.flatten(1)"
        if any(n in ("-2", "-3", "-4") for n in numbers):
            self.mark(node, "sizes -2, -3 and -4 mean something else in torch's reshape")
            return None
        if "0" not in numbers:
            return None
        base = self.text(target)
        if not isinstance(target, ast.Name):
            self.mark(node, "sizes 0 mean something else in torch's reshape")
            return None
        parts = [
            f"{base}.shape[{i}]" if n == "0" else self.text(s)
            for i, (n, s) in enumerate(zip(numbers, sizes, strict=True))
        ]
        return f"{base}.reshape({', '.join(parts)})"

    def is_only(self, node: ast.expr, kind: Any) -> bool:
        """Is it an expression of a kind, or a name that only got such ones?"""
        if not isinstance(node, ast.Name):
            return isinstance(node, kind)
        given = self._given(node.id)
        return bool(given) and all(isinstance(value, kind) for value in given)

    def _attribute(self, node: ast.Attribute) -> str | None:
        if node.attr == "learning_rate" and self.is_trainer(node.value) and isinstance(node.ctx, ast.Load):
            return f'{self.text(node.value)}.param_groups[0]["lr"]'
        call = node.value
        if node.attr == "size" and isinstance(call, ast.Call) and ast.unparse(call).endswith(".data()"):
            return f"{ast.unparse(call).removesuffix('.data()')}.numel()"
        if node.attr in ("context", "ctx") and self.functions:
            return f"{self.text(node.value)}.device"
        return None

    def is_trainer(self, target: ast.expr) -> bool:
        """Is a trainer assigned to this name somewhere in the program?"""
        text = ast.unparse(target)
        return any(
            isinstance(n, ast.Assign)
            and any(ast.unparse(t) == text for t in n.targets)
            and isinstance(n.value, ast.Call)
            and self.name(n.value.func) == "gluon.Trainer"
            for n in ast.walk(self.tree)
        )

    def is_numpy(self, node: ast.AST) -> bool:
        """Does an expression start with NumPy's module, or with a name that only got such expressions?"""
        while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
            node = node.func if isinstance(node, ast.Call) else node.value
        if not isinstance(node, ast.Name):
            return False
        if node.id in ("np", "numpy"):
            return self.aliases.get(node.id) is None
        given = self._given(node.id)
        return bool(given) and all(self._gives_numpy(value) for value in given)

    def _gives_numpy(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Call) and self.name(value.func) == "test_utils.get_mnist":
            return True
        return ast.unparse(value).startswith(("np.", "numpy.")) and self.is_numpy(value)

    def _given(self, name: str) -> list[ast.expr]:
        """What a name gets in the program."""
        return [
            n.value
            for n in ast.walk(self.tree)
            if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in n.targets)
        ]

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

    def _is_sequence(self, target: ast.expr) -> bool:
        """Was it made as a sequence of layers?"""
        text = ast.unparse(target)
        return any(
            isinstance(n, ast.Assign)
            and any(ast.unparse(t) == text for t in n.targets)
            and isinstance(n.value, ast.Call)
            and self.name(n.value.func) in ("gluon.nn.Sequential", "gluon.nn.HybridSequential")
            for n in ast.walk(self.tree)
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


def is_constant(node: object, value: object) -> bool:
    """Is it this constant, of the same type?"""
    return isinstance(node, ast.Constant) and node.value == value and type(node.value) is type(value)


def _dtype(node: ast.expr) -> str | None:
    """``"float32"``, ``np.float32`` or ``float`` as torch has it."""
    name = node.value if isinstance(node, ast.Constant) else node.attr if isinstance(node, ast.Attribute) else None
    return f"torch.{name}" if name in ("float16", "float32", "float64", "int8", "int32", "int64", "uint8") else None


def _collected(node: ast.AST) -> ast.expr | None:
    """The network whose parameters are all collected by a call."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "collect_params":
        return None if node.args or node.keywords else node.func.value
    return None


def _is_class(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id[:1].isupper()


def _chain(layers: list[str]) -> str:
    return layers[0] if len(layers) == 1 else f"nn.Sequential({', '.join(layers)})"
