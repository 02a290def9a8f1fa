"""From an OpDef to a public function: argument binding, signature and help, shared by ``mx.nd`` and ``mx.sym``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from ..base import _Null
from ..error import MXNetTypeError
from .calling import count_inputs
from .messages import display_name
from .params import REQUIRED
from .registry import OpDef
from .types import Kernel, Keywords

Invoke = Kernel

# Where the original puts an operator, by the prefix of its name: mx.nd.contrib.box_nms is _contrib_box_nms.
NAMESPACES = (
    ("_contrib_", "contrib"),
    ("_linalg_", "linalg"),
    ("_random_", "random"),
    ("_sample_", "random"),
    ("_image_", "image"),
    ("_sparse_", "sparse"),
)


#: How the names of operators for mx.np and mx.npx begin.
NUMPY = ("_np_", "_npi_", "_npx_")
_NO_ATTRIBUTES: Keywords = {}


def bind_arguments(op: OpDef, args: Sequence[Any], kwargs: Keywords) -> tuple[list[Any], Keywords]:
    """Splits a call's arguments into inputs, in order, and attributes as given. ``kwargs`` is used up."""
    names = op.inputs
    attrs: Keywords = {}
    if op.variadic is not None:
        fixed = len(names) - 1
        if len(args) == fixed + 1 and isinstance(args[fixed], list | tuple):
            args = (*args[:fixed], *args[fixed])
        inputs = list(args)
        if op.count in kwargs:
            attrs[op.count] = kwargs.pop(op.count)
        for name in names[:fixed]:
            if name in kwargs:
                inputs.insert(names.index(name), kwargs.pop(name))
        if op.count is not None and (inputs or op.count not in attrs):
            attrs.setdefault(op.count, count_inputs(op, len(inputs)))
    else:
        count = len(names)
        inputs = list(args[:count])
        if len(args) > count:
            if len(args) > count + len(op.params):
                raise MXNetTypeError(
                    f"{display_name(op.name)} takes at most {count + len(op.params)} positional arguments, "
                    f"{len(args)} were given"
                )
            for name, value in zip(op.params, args[count:], strict=False):
                if value is not _Null:
                    attrs[name] = value
        if kwargs:
            for i, name in enumerate(names):
                if name in kwargs:
                    value = kwargs.pop(name)
                    if i < len(inputs):
                        raise MXNetTypeError(f"{display_name(op.name)} got multiple values for argument {name!r}")
                    inputs.extend([None] * (i - len(inputs)))
                    inputs.append(value)
    for name, value in kwargs.items():
        if name in attrs and name != op.count:
            raise MXNetTypeError(f"{display_name(op.name)} got multiple values for argument {name!r}")
        if value is not _Null:
            attrs[name] = value
    return inputs, attrs


def public_function(
    op: OpDef,
    name: str,
    module: str,
    invoke: Invoke,
    specialize: Callable[[OpDef], Callable] | None = None,
    prepare: Callable[[Callable], Callable[[Sequence[Any], Keywords], Any] | None] | None = None,
) -> Kernel:
    """The public function ``name`` of an operator; ``invoke(op, inputs, attrs, **rest)`` does the work.

    ``specialize(op)`` gives what runs a simple operator on its one or two inputs, ``prepare(bind)`` what may give the
    results of a call sooner.
    """
    plain = op.specialize is None and op.variadic is None
    count = len(op.inputs)
    direct = specialize(op) if specialize is not None and op.simple and op.required in (1, 2) else None
    required = op.required if direct is not None else -1
    # In the original dtype=None is float64 for classic functions, as for NumPy's dtype, and the default for mx.npx.
    no_type = {} if "numpy" in module else {"dtype": "float64"}

    def bind(args: Sequence[Any], kwargs: Keywords) -> tuple[OpDef, list[Any], Keywords]:
        target = op if op.specialize is None else op.specialize(kwargs)
        inputs, attrs = bind_arguments(target, args, kwargs)
        if "dtype" in attrs and attrs["dtype"] is None:
            del attrs["dtype"]
            attrs.update(no_type)
        return target, inputs, attrs

    sooner = None if prepare is None else prepare(bind)

    def function(*args: Any, **kwargs: Any) -> Any:
        if sooner is not None and "name" in kwargs:
            del kwargs["name"]  # of a node: arrays have none
        if not kwargs and len(args) == required:
            return direct(*args)  # type: ignore[misc]
        if sooner is not None:
            made = sooner(args, kwargs)
            if made is not None:
                return made
        if not kwargs and plain and len(args) <= count:
            return invoke(op, args, _NO_ATTRIBUTES)
        out = kwargs.pop("out", None) if "out" in kwargs else None
        extra = {}
        if "name" in kwargs:
            extra["name"] = kwargs.pop("name")
        if "attr" in kwargs:
            extra["attr"] = kwargs.pop("attr")
        target, inputs, attrs = bind(args, kwargs)
        return invoke(target, inputs, attrs, out=out, **extra)

    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    function.__signature__ = _signature(op)  # type: ignore[attr-defined]
    function.__doc__ = _documentation(op)
    return function


@functools.cache
def _signature(op: OpDef) -> inspect.Signature:
    P = inspect.Parameter
    parameters = []
    if op.variadic is not None:
        parameters += [P(n, P.POSITIONAL_OR_KEYWORD) for n in op.inputs[:-1]]
        parameters.append(P(op.variadic, P.VAR_POSITIONAL))
        kind: Any = P.KEYWORD_ONLY
    else:
        kind = P.POSITIONAL_OR_KEYWORD
        parameters += [_absent(n, kind) for n in op.inputs]
    for name, p in op.params.items():
        parameters.append(P(name, kind, default=_Null if p.default is REQUIRED else p.default))
    parameters += [_absent("out", kind), _absent("name", kind), P("kwargs", P.VAR_KEYWORD)]
    return inspect.Signature(parameters)


@functools.cache
def _absent(name: str, kind: Any) -> inspect.Parameter:
    return inspect.Parameter(name, kind, default=None)


@functools.cache
def _documentation(op: OpDef) -> str:
    lines = [op.doc or f"The operator {op.name}.", "", "Parameters", "----------"]
    for i, name in enumerate(op.inputs):
        kind = "one or more arrays" if name == op.variadic else "array" + (", optional" if i >= op.required else "")
        lines += [f"{name} : {kind}", *_meaning(op, name, "array ")]
    for name, p in op.params.items():
        lines += [f"{name} : {p.describe()}", *_meaning(op, name)]
    lines += ["out : array or list of arrays, optional", "    Where to write the result."]
    if op.aliases:
        lines += ["", f"Also known as {', '.join((op.name, *op.aliases))}."]
    if op.name in examples():
        lines += ["", "Examples", "--------", examples()[op.name]]
    return "\n".join(lines)


def _meaning(op: OpDef, name: str, kind: str = "") -> list[str]:
    """What a parameter means, as an indented line, if ``parameters.txt`` says so."""
    found = parameters()
    meaning = found.get(f"{op.name}.{name}") or found.get(f"{kind}{name}")
    return [f"    {meaning}"] if meaning else []


@functools.cache
def parameters() -> dict[str, str]:
    """The meanings of parameters, by their names or by ``operator.name``: ``parameters.txt``."""
    lines = Path(__file__).with_name("parameters.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" = ", 1) for line in lines if " = " in line and not line.startswith("#"))  # type: ignore[misc]


@functools.cache
def examples() -> dict[str, str]:
    """Calls of operators and what they print, by the operator's name: ``examples.txt``, which the tests run."""
    entries = Path(__file__).with_name("examples.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return {name: session for name, _, session in (entry.partition("\n") for entry in entries)}


def populate(
    names: dict[str, OpDef],
    make: Callable[[OpDef, str, str], Kernel],
    package: str,
    modules: dict[str, ModuleType],
) -> None:
    """Puts a public function for every operator name into the modules the original has them in.

    ``make(op, name, module)`` gives the function. ``modules`` has the keys ``op``, ``_internal`` and those of
    NAMESPACES. A name that the module already has (written by hand, such as ``random.uniform``) stays.
    """
    for name, op in names.items():
        if name.startswith(NUMPY):
            continue  # for arrays of mx.np: see ndarray/numpy
        home, short = ("_internal" if name.startswith("_") else "op"), name
        for prefix, module in NAMESPACES:
            if name.startswith(prefix) and module in modules:
                _put(modules[module], name[len(prefix) :], op, f"{package}.{module}", make)
        _put(modules[home], short, op, f"{package}.{home}", make)


def _put(module: ModuleType, name: str, op: OpDef, where: str, make: Kernel) -> None:
    if name not in vars(module):
        setattr(module, name, make(op, name, where))
        vars(module).get("__all__", []).append(name)  # a star import brings it, where the module says what it brings
