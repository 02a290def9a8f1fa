"""The registry of operators: one definition each, from which everything public is derived.

A kernel is a function of torch tensors. Its positional arguments are the operator's inputs (``bias=None`` may be left
out, ``*data`` is variadic), its keyword-only arguments are the attributes, in the order in which MXNet takes them
positionally. Keyword arguments that start with an underscore are supplied by the caller of the kernel, not by users:

    _train   bool: are we training?                 _rng     torch.Generator of the context
    _device  torch.device to create the result on   _out     the tensor (or tuple) to write into, or None
    _context the Context it runs on                 _subgraphs  functions that run the node's subgraphs

A kernel that takes ``**more`` has the attributes of another operator or function as well: ``@op(name, like=other)``.
"""

from __future__ import annotations

import difflib
import inspect
import marshal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from .._core.signature import merge_parameters
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from .messages import display_name, reject_argument
from .params import REQUIRED, Param, param
from .types import Attrs, Kernel, Keywords

#: ``flows``: from the head gradient to the inputs. ``stops``: the value passes, its gradient does not. ``zero``: the
#: result does not change with the inputs, or in steps. ``loss``: it has a gradient, whatever the head gradient is.
Gradient = Literal["flows", "stops", "zero", "loss"]
_SUPPLIED = ("_train", "_rng", "_device", "_out", "_context", "_subgraphs")


def is_plain(value: Any) -> bool:
    """Does marshal's text of a value tell its type? That of NumPy's numbers and arrays is their bytes alone."""
    if type(value) is tuple or type(value) is list:
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool)


class _Rule:
    """A decorator of OpDef, named after the rule that it registers in ``rules``."""

    def __init__(self, kind: str):
        self._kind = kind

    def __get__(self, op: OpDef, _owner: type) -> Callable[[Callable], Callable]:
        def register_rule(rule: Callable) -> Callable:
            if self._kind in op.rules:
                raise MXNetError(f"operator {op.name} has a {self._kind} rule already")
            op.rules[self._kind] = rule
            return rule

        return register_rule


@dataclass(eq=False)
class OpDef:
    """What an operator computes. What only one consumer needs to know is in a table next to that consumer."""

    name: str
    kernel: Kernel
    inputs: tuple[str, ...]
    required: int
    variadic: str | None
    params: Mapping[str, Param]
    supplied: frozenset[str]
    aliases: tuple[str, ...] = ()
    #: The number of arrays that users see, or a function of the parsed attributes that returns it.
    outputs: int | Callable[[Attrs], int] = 1
    output_names: tuple[str, ...] = ()
    #: Inputs that are auxiliary states: updated by the kernel, never differentiated. By name, or for variadic
    #: operators a function of the attributes that lists positions.
    aux: tuple[str, ...] | Callable[[Attrs], Iterable[int]] = ()
    #: Inputs the kernel writes to (optimizer states).
    mutates: tuple[str, ...] = ()
    #: Inputs that the caller sets to 1 before the call (a gamma that is fixed): a function of the parsed attributes.
    #: Graphs do so where something is learned. The kernel does not look at them.
    fixed: Callable[[Attrs], tuple[str, ...]] | None = None
    #: The names of the inputs that exist under given attributes (``no_bias=True``: no bias).
    active: Callable[[Attrs], tuple[str, ...]] | None = None
    #: How gradients pass through it, or a function of the parsed attributes that says so.
    gradient: Gradient | Callable[[Attrs], Gradient] = "flows"
    #: The result may share memory with an input; eager calls then copy it, programs need not.
    view: bool = False
    #: The attribute that counts variadic inputs (``num_args``).
    count: str | None = None
    #: The torch function that the kernel comes down to for two inputs of one dtype, for the shortest eager path.
    direct: Kernel | None = None
    #: For an operator whose inputs and outputs depend on its attributes: returns the OpDef that a call means.
    specialize: Callable[[Attrs], OpDef] | None = None
    doc: str = ""
    rules: dict[str, Callable] = field(default_factory=dict, repr=False)
    _parsed: dict[bytes, Keywords] = field(default_factory=dict, repr=False)

    #: ``rule(shapes, attrs)`` fills in the shapes of inputs that the caller left unknown. ``shapes`` maps input names
    #: to a tuple (with UNKNOWN dimensions) or None; the rule changes it in place.
    infer_args = _Rule("args")
    #: ``rule(dtypes, attrs)`` fills in unknown input dtypes and returns the list of output dtypes.
    infer_dtype = _Rule("dtype")
    #: ``rule(shapes, output_shapes, attrs)`` fills in input shapes from what is known of the outputs.
    infer_back = _Rule("back")
    #: ``rule(shapes, attrs)`` returns output shapes, for kernels the meta device cannot run.
    infer_shape = _Rule("shape")
    #: ``rule(attrs)`` raises ValueError for attributes that do not go together.
    check = _Rule("check")
    #: ``rule(attrs, shape)`` returns the attributes of a creation operator whose shape was left open.
    complete = _Rule("complete")
    #: ``rule(*inputs, **attrs)`` returns the output, and a function without arguments for the gradient of the first
    #: input, whatever flows back into the output: a backward pass may begin with that. Or None.
    loss_head = _Rule("loss_head")

    def __call__(self, *tensors: Any, **attrs: Any) -> Any:
        return self.kernel(*tensors, **attrs)

    def parse(self, given: Attrs) -> Keywords:
        """Attributes as given (objects or text) to keyword arguments of the kernel. Do not change the result."""
        if not given and not self.mandatory:
            return _NOTHING
        try:
            key = marshal.dumps(given, 2)  # type: ignore[arg-type]  # exact, where == is not: 1 == 1.0 == True, 0.0 == -0.0
        except ValueError:  # a value that is no plain data
            return _parse(self, given)
        parsed = self._parsed.get(key)
        if parsed is None:
            parsed = _parse(self, given)
            if len(self._parsed) < 1024 and is_plain([*given.values()]):
                self._parsed[key] = parsed
        return parsed

    @cached_property
    def mandatory(self) -> bool:
        """Are there attributes without a default, or a check of what is given?"""
        return "check" in self.rules or any(p.default is REQUIRED for p in self.params.values())

    @property
    def simple(self) -> bool:
        """Is a call without attributes just the kernel on its inputs?"""
        writes = self.aux or self.mutates or self.fixed
        special = self.mandatory or self.supplied or self.view or writes or self.variadic
        return not special and self.specialize is None and self.outputs == 1

    def gradient_kind(self, parsed: Attrs) -> Gradient:
        """How gradients pass through it under these attributes."""
        return self.gradient(self.with_defaults(parsed)) if callable(self.gradient) else self.gradient

    def num_outputs(self, parsed: Attrs) -> int:
        """The number of arrays that a call with these attributes returns."""
        return self.outputs if isinstance(self.outputs, int) else self.outputs(self.with_defaults(parsed))

    def with_defaults(self, parsed: Attrs) -> Keywords:
        """All attributes by name; a required one that is missing is left out."""
        return {**self._defaults, **parsed}

    @cached_property
    def _defaults(self) -> Keywords:
        return {name: p.default for name, p in self.params.items() if p.default is not REQUIRED}

    def active_inputs(self, parsed: Attrs) -> tuple[str, ...]:
        """The inputs that exist under these attributes."""
        return self.inputs if self.active is None else self.active(self.with_defaults(parsed))

    def aux_positions(self, parsed: Attrs) -> list[int]:
        """Which of the inputs that exist under these attributes are auxiliary states."""
        if not self.aux:
            return []
        if callable(self.aux):
            return list(self.aux(self.with_defaults(parsed)))
        return [i for i, name in enumerate(self.active_inputs(parsed)) if name in self.aux]

    def mutable_inputs(self, parsed: Attrs, count: int) -> list[int]:
        """Which of so many inputs, those that exist under these attributes, a call may write to, besides states."""
        if not self.mutates:
            return []
        if self.variadic in self.mutates:
            return list(range(len(self.inputs) - 1, count))
        return [i for i, name in enumerate(self.active_inputs(parsed)[:count]) if name in self.mutates]

    def fixed_inputs(self, parsed: Attrs) -> list[int]:
        """Which of the inputs that exist under these attributes have to be set to 1."""
        if self.fixed is None:
            return []
        names = self.fixed(self.with_defaults(parsed))
        return [i for i, name in enumerate(self.active_inputs(parsed)) if name in names] if names else []

    def input_name(self, index: int) -> str:
        """The name of an input for messages."""
        named = self.variadic is None and index < len(self.inputs)
        return self.inputs[index] if named else f"{self.inputs[-1]}[{index}]"


def _parse(op: OpDef, given: Attrs) -> Keywords:
    parsed = {}
    for name, value in given.items():
        known = op.params.get(name)
        if known is None:
            reject_argument(op, name)
        else:
            parsed[name] = known.parse(value, op.name)
    for name, known in op.params.items():
        if known.default is REQUIRED and name not in parsed:
            raise MXNetTypeError(
                f"{display_name(op.name)}: attribute {name!r} ({known.kind}) is required and was not given"
            )
    if "check" in op.rules:
        try:
            op.rules["check"](op.with_defaults(parsed))
        except ValueError as error:
            raise MXNetValueError(f"{display_name(op.name)}: {error}") from None
    return parsed


_BY_NAME: dict[str, OpDef] = {}
_NOTHING: Keywords = {}


def register(
    name: str,
    kernel: Kernel,
    *,
    aliases: Iterable[str] = (),
    inputs: tuple[str, ...] | None = None,
    params: Iterable[Param] | None = None,
    doc: str | None = None,
    like: OpDef | Kernel | None = None,
    **facts: Any,
) -> OpDef:
    """Registers a kernel as operator ``name``. ``inputs`` and ``params`` are read off its signature when not given."""
    required, variadic, supplied = len(inputs or ()), facts.pop("variadic", None), frozenset(facts.pop("supplied", ()))
    if inputs is None:
        inputs, required, variadic, params, supplied = _read_signature(name, kernel, like)
    opdef = OpDef(
        name=name,
        kernel=kernel,
        inputs=inputs,
        required=facts.pop("required", required),
        variadic=variadic,
        params={p.name: p for p in params or ()},
        supplied=supplied,
        aliases=tuple(aliases),
        doc=inspect.cleandoc(doc if doc is not None else kernel.__doc__ or ""),
        **facts,
    )
    for known in (name, *opdef.aliases):
        if known in _BY_NAME:
            raise MXNetError(f"operator {known!r} is registered twice: by {_BY_NAME[known].name} and by {name}")
        _BY_NAME[known] = opdef
    return opdef


def op(name: str, *, aliases: Iterable[str] = (), **facts: Any) -> Callable[[Kernel], OpDef]:
    """Decorator: the function is the kernel of operator ``name``; the module's text says what its signature means."""

    def decorate(kernel: Kernel) -> OpDef:
        return register(name, kernel, aliases=aliases, **facts)

    return decorate


def also_known_as(name: str, more: Iterable[str]) -> None:
    """Gives an operator further names."""
    opdef = get(name)
    opdef.aliases = (*opdef.aliases, *more)
    for known in more:
        if known in _BY_NAME:
            raise MXNetError(f"operator {known!r} is registered twice: by {_BY_NAME[known].name} and by {name}")
        _BY_NAME[known] = opdef


_Signature = tuple[tuple[str, ...], int, str | None, list[Param], frozenset[str]]


def _read_signature(name: str, kernel: Kernel, like: OpDef | Kernel | None) -> _Signature:
    # Off the code: ``inspect.signature`` takes ten times as long, which counts for 500 operators at import.
    function: Any = inspect.unwrap(kernel)
    code, values = function.__code__, function.__kwdefaults__ or {}
    annotations = inspect.get_annotations(function, eval_str=True)
    inputs, more = list(code.co_varnames[: code.co_argcount]), code.co_argcount + code.co_kwonlyargcount
    required, variadic, params, supplied = len(inputs) - len(function.__defaults__ or ()), None, [], set()
    if code.co_flags & inspect.CO_VARARGS:
        variadic = code.co_varnames[more]
        inputs.append(variadic)
    for key in code.co_varnames[code.co_argcount : more]:
        if key in _SUPPLIED:
            supplied.add(key)
            continue
        if key not in annotations:
            raise TypeError(f"operator {name}: attribute {key!r} has no annotation")
        params.append(param(key, annotations[key], values.get(key, REQUIRED)))
    if code.co_flags & inspect.CO_VARKEYWORDS and like is None:
        rest = code.co_varnames[more + (variadic is not None)]
        raise TypeError(f"operator {name}: a kernel cannot take **{rest} without ``like``")
    if isinstance(like, OpDef):
        params, supplied = merge_parameters(params, list(like.params.values())), supplied | like.supplied
    elif like is not None:
        params = merge_parameters(params, _read_signature(name, like, None)[3])
    return tuple(inputs), required, variadic, params, frozenset(supplied)


def get(name: str) -> OpDef:
    """The operator with that name or alias."""
    try:
        return _BY_NAME[name]
    except KeyError:
        near = difflib.get_close_matches(name, _BY_NAME, 3)
        raise MXNetError(
            f"there is no operator {name!r}" + (f"; similar names: {', '.join(near)}" if near else "")
        ) from None


def find(name: str) -> OpDef | None:
    """The operator with that name or alias, or None."""
    return _BY_NAME.get(name)


def names() -> dict[str, OpDef]:
    """All names and aliases with their operators."""
    return dict(_BY_NAME)
