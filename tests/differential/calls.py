"""Single calls of single operators and functions: names, shapes, dtypes, values and attributes drawn at random.

Other kinds draw programs from what their authors thought of; here every name takes part, with arguments drawn from its
declared types. Operators start from a sample that is known to be accepted (``tests/samples``), with some of it changed,
so that most calls get past the checks.
"""

import inspect
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import samples

from .generate import Generator

SIGNATURES = Path(__file__).parents[1] / "golden" / "signatures.json"
DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8", "bool")
SPECIAL = (
    "nan",
    "inf",
    "-inf",
    "0.0",
    "-0.0",
    "1e30",
    "-1e30",
    "1e-30",
    "255.0",
    "-128.0",
    "0.5",
    "2.5",
    "-1.5",
    "1e6",
)
#: Shapes that dense inputs get if they are not those of a sample.
SHAPES = ((), (0,), (1,), (3,), (7,), (2, 0), (2, 3), (1, 4), (3, 3), (2, 1, 3), (2, 3, 4), (1, 2, 5, 5), (2, 3, 4, 4))
#: Names that change the process, read files, need a device, or whose results are not numbers.
SKIPPED = re.compile(
    r"^(_?Custom|_CachedOp|_NoGradient|_Native|_NDArray|_foreach|_while_loop|_cond|_set_value|_crossdevicecopy|_copyto|"
    r"_cvimread|_cvimdecode|_npi_cvimread|_npi_cvimdecode|_FusedOp.*|_TensorRT|_sg_.*|_contrib_tvm.*|_backward_.*|"
    r"_contrib_intgemm.*|_contrib_quantize.*|_contrib_requantize|_contrib_dequantize|_contrib_calibrate_entropy|"
    r"genfromtxt|save|savez|load|set_printoptions|info|lookfor|set_np|reset_np|waitall|seed|from_dlpack|to_dlpack.*|"
    r"from_numpy|cpu|cpu_pinned|gpu|num_gpus|current_device|shares_memory|may_share_memory|empty|empty_like|_npi_empty_like|"
    r"ndarray|nonzero_.*)$"
)


@cache
def _samples():
    """Accepted calls by operator."""
    table = {}
    for family in samples.families():
        for _, sample in samples.load(family):
            table.setdefault(sample.op, []).append(sample)
    return table


@cache
def _operators():
    """The names of operators with their input names and attributes, as the original has them."""
    from mxnet.ops import registry

    table = {}
    for name, facts in json.loads(SIGNATURES.read_text()).items():
        if SKIPPED.match(name) or name.startswith(("_np", "_sparse_")):
            continue
        try:
            definition = registry.get(name)
        except Exception:  # an operator that this package does not have is counted elsewhere
            continue
        table[name] = (definition, facts)
    return table


@cache
def _functions():
    """The functions of ``mx.np`` and ``mx.npx``, as text, with their signatures."""
    import mxnet as mx

    table = {}
    for text, space in (("mnp", mx.np), ("mnp.linalg", mx.np.linalg), ("mnp.random", mx.np.random), ("npx", mx.npx)):
        for name in sorted(dir(space)):
            value = getattr(space, name, None)
            if name.startswith("_") or SKIPPED.match(name) or not callable(value) or isinstance(value, type):
                continue
            if not (getattr(value, "__module__", None) or "").startswith("mxnet"):
                continue
            try:
                table[f"{text}.{name}"] = inspect.signature(value)
            except (TypeError, ValueError):
                continue
    return table


def _text_of(value):
    return repr(value.item()) if isinstance(value, np.generic) else repr(value)


class Calls(Generator):
    """What all of these programs share: the arrays and attributes of one call."""

    single = True

    @staticmethod
    def subject(steps):
        """The name that is called."""
        return re.search(r"find_function\(\w[\w.]*, '(\w+)'|Call\('(\w+)'|y = ((?:mnp|npx)[\w.]*)", "\n".join(steps))[0]

    def array(self, shape, dtype, seed=None):
        """The text of a NumPy array; one in four has special values in it."""
        if dtype == "bool":
            return f"(val({shape}, {self.random.randint(0, 30)}) > 0)"
        if dtype.startswith(("int", "uint")):
            low = 0 if dtype.startswith("u") else -3
            return f"whole({shape}, {low}, {self.pick(4, 9, 100)}, {self.random.randint(0, 30)}, {dtype!r})"
        if self.chance(0.25):
            return (
                f"odd({shape}, [{', '.join(self.random.sample(SPECIAL, 3))}], {self.random.randint(0, 30)}, {dtype!r})"
            )
        return f"val({shape}, {self.random.randint(0, 30)}, {self.pick(8.0, 8.0, 1.0, 64.0)}).astype({dtype!r})"

    def attribute(self, kind, default):
        """A value for an attribute of a declared kind, as text."""
        if kind.endswith(" or None") and self.chance(0.3):
            return "None"
        kind = kind.removesuffix(" or None")
        if kind.startswith("{"):
            return repr(self.random.choice(re.findall(r"'([^']*)'", kind) or ["float32"]))
        if kind == "boolean":
            return self.pick("True", "False", "1", "0")
        if kind == "int":
            return str(self.pick(-2, -1, 0, 1, 2, 3, 5))
        if kind == "float":
            return str(self.pick(-1.5, -1.0, 0.0, 0.1, 0.5, 1.0, 2.0, 3.5, 1e-5, 1e4))
        if "float" in kind:
            return str(tuple(self.pick(0.1, 0.5, 1.0, 2.0, -1.0) for _ in range(self.random.randint(1, 4))))
        if "Shape" in kind or "int" in kind:
            return str(tuple(self.pick(-1, 0, 1, 1, 2, 3) for _ in range(self.random.randint(0, 4))))
        return repr(default if isinstance(default, str) else self.pick("add", "mean", "valid"))


class Operators(Calls):
    """Operators of ``mx.nd`` and ``mx.sym``: eager, recorded, with ``out=``, sparse inputs, in executors, hybridized."""

    def program(self):
        """All steps of a program."""
        table = _operators()
        name = self.random.choice(sorted(table))
        definition, facts = table[name]
        inputs, attrs, train = self._arguments(definition, facts)
        for i, text in enumerate(inputs):
            self.add(f"x{i} = {text}")
        given = "".join(f", {key}={value}" for key, value in attrs.items())
        ways = {"eager": 3, "recorded": 3, "out": 1, "executor": 3, "hybrid": 2}
        if definition.mutates:  # symbols of these are of no use
            ways = {"eager": 1}
        way = self.random.choices([*ways], [*ways.values()])[0]
        arrays = [f"x{i}" for i in range(len(inputs))]
        getattr(self, f"_{way}")(name, arrays, given, train)
        return self.steps

    def _arguments(self, definition, facts):
        known = _samples().get(definition.name)
        attrs, train = {}, self.chance(0.4)
        if known and self.chance(0.9):
            sample = self.random.choice(known)
            train = sample.train if self.chance(0.8) else not sample.train
            attrs = {key: _text_of(value) for key, value in sample.attrs.items()}
            inputs = [self._changed(value) for value in sample.inputs if value is not None]
        else:
            count = len(facts["inputs"]) or self.random.randint(1, 3)
            shape, dtype = self.random.choice(SHAPES[1:]), self.random.choice(DTYPES)
            inputs = [
                self._nd(self.array(shape if self.chance(0.8) else self.random.choice(SHAPES[1:]), dtype), dtype)
                for _ in range(count)
            ]
        params = {k: p for k, p in definition.params.items() if k in facts["attrs"]}
        if params and self.chance(0.6):
            for key in self.random.sample(sorted(params), min(len(params), self.pick(1, 1, 2, 3))):
                attrs[key] = self.attribute(params[key].kind, params[key].default)
        return inputs, attrs, train

    def _nd(self, text, dtype):
        return f"nd.array({text}, dtype={dtype!r})"

    def _changed(self, value):
        """An input of a sample: as it is, of another dtype, with other numbers, or of another shape; dense or sparse."""
        dtype, shape = str(value.dtype), value.shape
        if self.chance(0.25):
            dtype = self.random.choice(DTYPES)
        if self.chance(0.1) and shape:
            axis = self.random.randrange(len(shape))
            shape = (*shape[:axis], self.pick(0, 1, 2, 3), *shape[axis + 1 :])
            text = self.array(shape, dtype)
        elif value.dtype.kind == "f" and value.size > 1 and self.chance(0.3):
            text = self.array(shape, dtype)
        elif value.size <= 64:
            text = f"np.array({json.dumps(value.tolist())}).reshape({shape}).astype({dtype!r})"
            text = re.sub(
                r"\b(NaN|-?Infinity)\b", lambda m: {"NaN": "np.nan", "Infinity": "np.inf"}.get(m[0], "-np.inf"), text
            )
            text = text.replace("true", "True").replace("false", "False")
        else:
            text = self.array(shape, dtype)
        text = self._nd(text, dtype)
        if len(shape) == 2 and dtype == "float32" and self.chance(0.06):
            text += f".tostype({self.pick('csr', 'row_sparse')!r})"
        return text

    # ---- ways to call -----------------------------------------------------------------------------------------------

    def _eager(self, name, arrays, given, train):
        context = "autograd.train_mode()" if train else "autograd.predict_mode()"
        self.add(f"with {context}:\n    y = find_function(nd, {name!r})({', '.join(arrays)}{given})")
        self.add("stypes = storage(y)")

    def _recorded(self, name, arrays, given, train):
        request = self.pick("write", "write", "write", "add")
        for array in arrays:
            self.add(f"{array}.attach_grad({request!r})")
        self.add(
            f"with autograd.record(train_mode={train}):\n    y = find_function(nd, {name!r})({', '.join(arrays)}{given})"
        )
        self.add("backward_of(y)")
        for i, array in enumerate(arrays):
            self.add(f"g{i} = {array}.grad")

    def _out(self, name, arrays, given, train):
        self._eager(name, arrays, given, train)
        self.add("z = [_like(o) for o in (y if isinstance(y, (list, tuple)) else [y])]")
        self.add(f"w = find_function(nd, {name!r})({', '.join(arrays)}{given}, out=z if len(z) > 1 else z[0])")

    def _executor(self, name, arrays, given, train):
        variables = [f"mx.sym.var('x{i}')" for i in range(len(arrays))]
        self.add(f"_s = find_function(mx.sym, {name!r})({', '.join(variables)}{given}, name='op')")
        self.add("names = [len(_s.list_arguments()), len(_s.list_outputs()), len(_s.list_auxiliary_states())]")
        request = self.pick("write", "write", "add", "null")
        values = ", ".join(f"'{array}': {array}" for array in arrays)
        self.add(f"_e = bound(_s, {{{values}}}, {request!r})")
        self.add(f"y = [o.copy() for o in _e.forward(is_train={train or self.chance(0.5)})]")
        heads = self.pick("heads(_e)", "heads(_e)", "heads(_e)", "None", "heads(_e)[0]", "heads(_e, extra=1)")
        self.add(f"_e.backward({heads})" if heads != "None" else "_e.backward()")
        self.add("g = {k: v for k, v in _e.grad_dict.items() if v is not None}")
        self.add("a = _e.aux_dict")

    def _hybrid(self, name, arrays, given, train):
        for array in arrays:
            self.add(f"{array}.attach_grad()")
        self.add(
            f"_net = Call({name!r}, dict({given.removeprefix(', ')}))\n_net.hybridize({self.pick('', 'static_alloc=True')})"
        )
        self.add(f"with autograd.record(train_mode={train}):\n    y = _net({', '.join(arrays)})")
        self.add("backward_of(y)")
        for i, array in enumerate(arrays):
            self.add(f"g{i} = {array}.grad")


class NumpyFunctions(Calls):
    """Functions of ``mx.np`` and ``mx.npx``: eager, recorded, hybridized."""

    #: What is drawn for parameters by their names; others get a number, a shape or nothing.
    KNOWN = {
        "axis": ("None", "0", "1", "-1", "(0, 1)", "2"),
        "axes": ("None", "(1, 0)", "1", "2"),
        "keepdims": ("True", "False"),
        "dtype": ("None", "'float32'", "'float64'", "'int32'", "'int8'", "'float16'", "'bool'", "np.float32"),
        "shape": ("(2, 3)", "3", "()", "(0,)", "(1, 2)", "(-1,)", "(3, 2)"),
        "newshape": ("(-1,)", "(3, 2)", "(1, -1)", "6", "(2, -1)"),
        "size": ("None", "(2, 3)", "3", "()"),
        "indices_or_sections": ("1", "2", "3", "(1,)", "[1, 2]"),
        "repeats": ("0", "1", "2", "[1, 2]"),
        "reps": ("0", "2", "(2, 1)", "()"),
        "mode": ("'clip'", "'wrap'", "'raise'", "'constant'"),
        "k": ("0", "1", "-1", "2"),
        "n": ("1", "2", "3"),
        "ddof": ("0", "1"),
        "ord": ("None", "1", "2", "'fro'", "'nuc'", "np.inf"),
        "order": ("'C'", "'F'"),
        "subscripts": ("'ij,jk->ik'", "'ij->ji'", "'ii'", "'ij,ij->i'"),
    }
    ARRAYS = frozenset(
        "a x x1 x2 b c data arr array object prototype condition y v m indices values obj arys input seq x0 lhs rhs "
        "probs logits loc scale low high mean cov weights bins M A B tup arrays gamma beta weight bias".split()
    )

    def program(self):
        """All steps of a program."""
        table = _functions()
        name = self.random.choice(sorted(table))
        self.add("npx.set_np()")
        self._count = 0
        self._shape, self._dtype = self.random.choice(SHAPES[:11]), self.random.choice((*DTYPES, "float32", "float32"))
        arguments = [text for p in table[name].parameters.values() if (text := self._argument(p)) is not None]
        call = f"{name}({', '.join(arguments)})"
        recorded = self.chance(0.35)
        if recorded:
            for i in range(self._count):
                self.add(f"x{i}.attach_grad()")
            self.add(f"with autograd.record():\n    y = {call}")
            self.add("backward_of(y)")
            for i in range(self._count):
                self.add(f"g{i} = x{i}.grad")
        else:
            self.add(f"y = {call}")
        self.add("kind = kinds_of(y)")
        return self.steps

    def _argument(self, parameter):
        """The text of an argument, or None if it is left out."""
        optional = parameter.default is not parameter.empty
        if parameter.kind is parameter.VAR_KEYWORD or (optional and self.chance(0.6)):
            return None
        name = parameter.name
        if parameter.kind is parameter.VAR_POSITIONAL:
            return ", ".join(self._operand() for _ in range(self.random.randint(1, 3)))
        if name in ("out", "ctx", "device", "where", "initial"):
            return None
        if name in self.KNOWN:
            text = self.pick(*self.KNOWN[name])
        elif name in ("arys", "seq", "tup", "arrays"):
            text = f"[{', '.join(self._operand() for _ in range(self.random.randint(1, 3)))}]"
        elif name in self.ARRAYS or not optional:
            text = self._operand()
        elif isinstance(parameter.default, bool):
            text = self.pick("True", "False")
        else:
            text = self.pick("0", "1", "2", "-1", "0.5", "None")
        return f"{name}={text}" if optional or parameter.kind is parameter.KEYWORD_ONLY else text

    def _operand(self):
        if self.chance(0.12):
            return self.pick("2", "0.5", "True", "-1", "[1, 2, 3]")
        shape = self._shape if self.chance(0.8) else self.random.choice(SHAPES[:11])
        dtype = self._dtype if self.chance(0.8) else self.random.choice(DTYPES)
        self.add(f"x{self._count} = mnp.array({self.array(shape, dtype)}, dtype={dtype!r})")
        self._count += 1
        return f"x{self._count - 1}"
