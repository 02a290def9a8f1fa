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
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .._core.signature import merged
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from .params import REQUIRED, Param, param

Kernel = Callable[..., Any]
#: The kind of an activation ("relu", "leaky", "clip", ...) with its numbers.
Activation = tuple[str, tuple[float, ...]]
_SUPPLIED = ("_train", "_rng", "_device", "_out", "_context", "_subgraphs")


def _is_plain(value: Any) -> bool:
    """Does marshal's text of a value tell its type? That of NumPy's numbers and arrays is their bytes alone."""
    if type(value) is tuple or type(value) is list:
        return all(map(_is_plain, value))
    return value is None or type(value) in (str, int, float, bool)


#: Where users find operators whose names begin so.
_MODULES = {"_npi_": "np.", "_np_": "np.", "_npx_": "npx."}


@dataclass(frozen=True, eq=False)
class OpDef:
    """Everything the package knows about one operator."""

    name: str
    kernel: Kernel
    inputs: tuple[str, ...]
    required: int
    variadic: str | None
    params: Mapping[str, Param]
    supplied: frozenset[str]
    aliases: tuple[str, ...] = ()
    #: How many arrays users see, or a function of the parsed attributes that tells.
    outputs: int | Callable[[dict], int] = 1
    output_names: tuple[str, ...] = ()
    #: Outputs without names of their own are called output0, output1, ... also where there is only one.
    numbered_outputs: bool = False
    #: Outputs that Symbol files count, with the hidden ones (masks, saved statistics); None: the visible ones.
    total_outputs: int | Callable[[dict], int] | None = None
    #: Inputs that are auxiliary states: updated by the kernel, never differentiated. By name, or for variadic
    #: operators a function of the attributes that lists positions.
    aux: tuple[str, ...] | Callable[[dict], Iterable[int]] = ()
    #: How variables for these inputs start out, as the JSON text of an initializer.
    initial: Mapping[str, str] = field(default_factory=dict)
    #: Inputs the kernel writes to (optimizer states).
    mutates: tuple[str, ...] = ()
    #: Whoever calls it sets these inputs to 1 before (a gamma that is fixed): a function of the parsed attributes.
    #: Graphs do so where something is learned. The kernel does not look at them.
    fixed: Callable[[dict], tuple[str, ...]] | None = None
    #: The names of the inputs that exist under given attributes (``no_bias=True``: no bias).
    active: Callable[[dict], tuple[str, ...]] | None = None
    #: How many of the first inputs MXNet must know wholly before it tells anything of the others and of the result.
    whole: int = 0
    #: Where values are watched: has MXNet a name for its single input (``fc1_data``, but ``relu0_input0``), and for its
    #: outputs (``fc1_output``, but ``relu0_0``)? None: as usual for its kind, see graph/names.py.
    named_input: bool | None = None
    named_output: bool | None = None
    #: What variadic inputs are called there, with a number.
    variadic_name: str = "arg"
    #: Are gradients called as the inputs are (``split0_backward_data``), not output or output0, ...? So it is with
    #: operators of MXNet's old kind.
    named_gradients: bool = False
    #: What MXNet's operator for the gradient takes, as monitors are told, or a function of the attributes that says it:
    #: ``head`` gradients, ``inputs``, ``outputs`` or one of them by its name, after its port's name if that is not
    #: input0, input1, ...: ``lhs=head rhs=data``. Several such operators are separated by ``;``, with the ending of
    #: their names before and the inputs whose gradients they give behind:
    #: ``head index -> data; index_backward: zero -> index``. ``zero``: zeros of the shape of each input, ``copy``: a
    #: copy of the head gradient for each input, ``no-mask``: zeros as the gradient of a result that users do not see.
    #: Where the gradients of all results are zero, so are those of the inputs, but for ``always head data``.
    gradient_takes: str | Callable[[dict], str] = "head"
    #: The gradient just passes through: MXNet has no operator for it.
    passes_gradient: bool = False
    #: What messages call it, if users do not know its name.
    shown_as: str = ""
    #: No gradient goes through it.
    stops_gradient: bool = False
    #: The result may share memory with an input; eager calls then copy it, programs need not.
    view: bool = False
    #: In prediction it just passes its first input on; or a function of the parsed attributes that tells.
    identity: bool | Callable[[dict], bool] = False
    #: Quick to compute again from what is kept anyway, so that mirroring does so.
    cheap: bool = False
    #: Its gradient does not need its result: an activation that follows may overwrite that.
    frees_output: bool = False
    #: For activations, what they are: a function of the parsed attributes that gives a kind and its numbers.
    activation: Callable[[dict], Activation | None] | None = None
    #: Inputs that get no gradient at all, not even zeros: the labels of losses.
    no_gradient: tuple[str, ...] = ()
    #: The attribute that counts variadic inputs (``num_args``).
    count: str | None = None
    #: Does it count the other inputs as well?
    counts_all: bool = False
    #: The torch function that the kernel comes down to for two inputs of one dtype, for the shortest eager path.
    direct: Kernel | None = None
    #: For an operator whose inputs and outputs depend on its attributes: gives the OpDef that a call really means.
    specialize: Callable[[Mapping[str, Any]], OpDef] | None = None
    doc: str = ""
    rules: dict[str, Callable] = field(default_factory=dict, repr=False)
    #: How it runs on sparse inputs: their storage types (``...`` at the end: any number of the one before; alone: any
    #: inputs) -> the storage type of the result, or a function of the attributes that tells (None: not made for them),
    #: and the kernel.
    storages: dict[tuple[Any, ...], tuple[Any, Kernel]] = field(default_factory=dict, repr=False)
    #: Are there attributes without a default, or a check of what is given?
    mandatory: bool = field(init=False)
    #: Does a call write to some of its inputs?
    writes: bool = field(init=False)
    #: Is a call without attributes just the kernel on its inputs?
    simple: bool = field(init=False)
    #: The kernel, as eager calls run it: the profiler puts one with a name into its place while it runs.
    eager: Kernel = field(init=False, repr=False)
    _parsed: dict[bytes, dict[str, Any]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "eager", self.kernel)
        object.__setattr__(self, "mandatory", any(p.default is REQUIRED for p in self.params.values()))
        object.__setattr__(self, "writes", bool(self.aux or self.mutates or self.fixed))
        special = self.mandatory or self.supplied or self.view or self.writes or self.variadic
        object.__setattr__(self, "simple", not special and self.specialize is None and self.outputs == 1)

    def __call__(self, *tensors: Any, **attrs: Any) -> Any:
        return self.kernel(*tensors, **attrs)

    def parse(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Attributes as given (objects or text) to keyword arguments of the kernel. Do not change the result."""
        if not given and not self.mandatory:
            return _NOTHING
        try:
            key = marshal.dumps(given, 2)  # type: ignore[arg-type]  # exact, where == is not: 1 == 1.0 == True, 0.0 == -0.0
        except ValueError:  # a value that is no plain data
            return self._parse(given)
        parsed = self._parsed.get(key)
        if parsed is None:
            parsed = self._parse(given)
            if len(self._parsed) < 1024 and _is_plain([*given.values()]):
                self._parsed[key] = parsed
        return parsed

    def _parse(self, given: Mapping[str, Any]) -> dict[str, Any]:
        parsed = {}
        for name, value in given.items():
            known = self.params.get(name)
            if known is None:
                self.refuse_argument(name)
            else:
                parsed[name] = known.parse(value, self.name)
        for name, known in self.params.items():
            if known.default is REQUIRED and name not in parsed:
                raise MXNetTypeError(f"{self.name}: attribute {name!r} ({known.kind}) is required and was not given")
        if "check" in self.rules:
            try:
                self.rules["check"](self.with_defaults(parsed))
            except ValueError as error:
                raise MXNetValueError(f"{self.name}: {error}") from None
        return parsed

    @property
    def shown(self) -> str:
        """The name by which users know it, for messages: ``np.add`` for ``_npi_add``."""
        for begin, module in _MODULES.items():
            if self.name.startswith(begin):
                return f"{module}{self.name[len(begin) :].removesuffix('_scalar')}"
        return self.shown_as or self.name

    def refuse_argument(self, name: str) -> None:
        """Raises for an attribute that this operator does not have.

        One that has none at all takes any: MXNet never looked, and programs say e.g. ``zeros_like(x, dtype=...)``.
        """
        if self.params:
            raise self.unknown_argument(name)
        warnings.warn(f"{self.name} has no attributes: {name} has no effect", stacklevel=2)

    def unknown_argument(self, name: str) -> MXNetError:
        """The error for an argument this operator does not have."""
        possible = [*self.inputs, *self.params]
        near = difflib.get_close_matches(name, possible, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return MXNetTypeError(
            f"{self.name}: unknown argument {name!r}.{hint} Possible arguments: {', '.join(possible) or 'none'}"
        )

    def value(self, parsed: Mapping[str, Any], name: str) -> Any:
        """A parsed attribute or its default."""
        return parsed[name] if name in parsed else self.params[name].default

    def gradient_inputs(self, parsed: Mapping[str, Any]) -> str:
        """What ``gradient_takes`` says under these attributes."""
        fact = self.gradient_takes
        return fact(self.with_defaults(parsed)) if callable(fact) else fact

    def num_outputs(self, parsed: Mapping[str, Any]) -> int:
        """How many arrays a call with these attributes gives."""
        return self.outputs if isinstance(self.outputs, int) else self.outputs(self.with_defaults(parsed))

    def num_total_outputs(self, parsed: Mapping[str, Any]) -> int:
        """How many outputs Symbol files count for such a node."""
        if self.total_outputs is None:
            return self.num_outputs(parsed)
        return (
            self.total_outputs
            if isinstance(self.total_outputs, int)
            else self.total_outputs(self.with_defaults(parsed))
        )

    def with_defaults(self, parsed: Mapping[str, Any]) -> dict[str, Any]:
        """All attributes by name; a required one that is missing is left out."""
        return {**self._defaults, **parsed}

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        return {name: p.default for name, p in self.params.items() if p.default is not REQUIRED}

    def active_inputs(self, parsed: Mapping[str, Any]) -> tuple[str, ...]:
        """The inputs that exist under these attributes."""
        return self.inputs if self.active is None else self.active(self.with_defaults(parsed))

    def aux_positions(self, parsed: Mapping[str, Any]) -> list[int]:
        """Which of the inputs that exist under these attributes are auxiliary states."""
        if not self.aux:
            return []
        if callable(self.aux):
            return list(self.aux(self.with_defaults(parsed)))
        return [i for i, name in enumerate(self.active_inputs(parsed)) if name in self.aux]

    def written_inputs(self, parsed: Mapping[str, Any], count: int) -> list[int]:
        """Which of so many inputs, those that exist under these attributes, a call may write to, besides states."""
        if not self.mutates:
            return []
        if self.variadic in self.mutates:
            return list(range(len(self.inputs) - 1, count))
        return [i for i, name in enumerate(self.active_inputs(parsed)[:count]) if name in self.mutates]

    def fixed_inputs(self, parsed: Mapping[str, Any]) -> list[int]:
        """Which of the inputs that exist under these attributes have to be set to 1."""
        if self.fixed is None:
            return []
        names = self.fixed(self.with_defaults(parsed))
        return [i for i, name in enumerate(self.active_inputs(parsed)) if name in names] if names else []

    def input_name(self, index: int) -> str:
        """The name of an input for messages."""
        named = self.variadic is None and index < len(self.inputs)
        return self.inputs[index] if named else f"{self.inputs[-1]}[{index}]"

    def infer_args(self, rule: Callable) -> Callable:
        """Decorator: ``rule(shapes, attrs)`` fills in the shapes of inputs that the caller left unknown.

        ``shapes`` maps input names to a tuple (with UNKNOWN dimensions) or None; the rule changes it in place.
        """
        return self._rule("args", rule)

    def infer_dtype(self, rule: Callable) -> Callable:
        """Decorator: ``rule(dtypes, attrs)`` fills in unknown input dtypes and returns the list of output dtypes."""
        return self._rule("dtype", rule)

    def infer_back(self, rule: Callable) -> Callable:
        """Decorator: ``rule(shapes, output_shapes, attrs)`` fills in input shapes from what is known of the outputs."""
        return self._rule("back", rule)

    def infer_shape(self, rule: Callable) -> Callable:
        """Decorator: ``rule(shapes, attrs)`` returns output shapes, for kernels the meta device cannot run."""
        return self._rule("shape", rule)

    def check(self, rule: Callable) -> Callable:
        """Decorator: ``rule(attrs)`` raises ValueError for attributes that do not go together."""
        object.__setattr__(self, "mandatory", True)  # also no attributes at all are looked at
        object.__setattr__(self, "simple", False)
        return self._rule("check", rule)

    def complete(self, rule: Callable) -> Callable:
        """Decorator: ``rule(attrs, shape)`` gives the attributes of a creation operator whose shape was left open."""
        return self._rule("complete", rule)

    def loss_head(self, rule: Callable) -> Callable:
        """Decorator: ``rule(*inputs, **attrs)`` gives the output, and a function without arguments for the gradient of
        the first input, whatever flows back into the output: a backward pass may begin with that. Or None.
        """
        return self._rule("loss_head", rule)

    def hidden(self, rule: Callable) -> Callable:
        """Decorator: ``rule(inputs, result, attrs, training)`` gives the results that only monitors see, by name."""
        return self._rule("hidden", rule)

    def add_storage(self, stypes: tuple[Any, ...], result: Any, kernel: Kernel) -> Kernel:
        """Registers the kernel for inputs of these storage types; see ``storages``."""
        if stypes in self.storages:
            raise MXNetError(f"operator {self.name} has a kernel for {stypes} already")
        self.storages[stypes] = result, kernel
        return kernel

    def by_storage(self, stypes: tuple[str, ...], attrs: Mapping[str, Any]) -> tuple[str, Kernel] | None:
        """The storage type of the result and the kernel for such inputs, or None: then they have to be dense."""
        if not self.storages:
            return None
        found = self.storages.get(stypes)
        if found is None and stypes and len(set(stypes)) == 1:
            found = self.storages.get((stypes[0], ...))
        if found is None:
            found = self.storages.get((...,))
        if found is None:
            return None
        result, kernel = found
        stype = result(self.with_defaults(attrs)) if callable(result) else result
        return None if stype is None else (stype, kernel)

    def _rule(self, kind: str, rule: Callable) -> Callable:
        if kind in self.rules:
            raise MXNetError(f"operator {self.name} has a {kind} rule already")
        self.rules[kind] = rule
        return rule


_BY_NAME: dict[str, OpDef] = {}
_NOTHING: dict[str, Any] = {}


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
    object.__setattr__(opdef, "aliases", (*opdef.aliases, *more))
    for known in more:
        if known in _BY_NAME:
            raise MXNetError(f"operator {known!r} is registered twice: by {_BY_NAME[known].name} and by {name}")
        _BY_NAME[known] = opdef


_Signature = tuple[tuple[str, ...], int, str | None, list[Param], frozenset[str]]


def _read_signature(name: str, kernel: Kernel, like: OpDef | Kernel | None) -> _Signature:
    inputs, required, variadic, params, supplied = [], 0, None, [], set()
    for p in inspect.signature(kernel, eval_str=True).parameters.values():
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            inputs.append(p.name)
            required += p.default is p.empty
        elif p.kind is p.VAR_POSITIONAL:
            variadic = p.name
            inputs.append(p.name)
        elif p.name in _SUPPLIED:
            supplied.add(p.name)
        elif p.kind is p.KEYWORD_ONLY:
            if p.annotation is p.empty:
                raise TypeError(f"operator {name}: attribute {p.name!r} has no annotation")
            params.append(param(p.name, p.annotation, REQUIRED if p.default is p.empty else p.default))
        elif like is None:
            raise TypeError(f"operator {name}: a kernel cannot take **{p.name} without ``like``")
    if isinstance(like, OpDef):
        params, supplied = merged(params, list(like.params.values())), supplied | like.supplied
    elif like is not None:
        params = merged(params, _read_signature(name, like, None)[3])
    return tuple(inputs), required, variadic, params, frozenset(supplied)


def get(name: str) -> OpDef:
    """The operator with that name or alias."""
    try:
        return _BY_NAME[name]
    except KeyError:
        near = difflib.get_close_matches(name, _BY_NAME, 3)
        raise MXNetError(f"there is no operator {name!r}" + (f"; near: {', '.join(near)}" if near else "")) from None


def find(name: str) -> OpDef | None:
    """The operator with that name or alias, or None."""
    return _BY_NAME.get(name)


def names() -> dict[str, OpDef]:
    """All names and aliases with their operators."""
    return dict(_BY_NAME)
