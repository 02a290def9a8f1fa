"""The Symbol: outputs of a graph that is composed now and run later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ctypes import c_void_p
from typing import Any, Protocol

from .. import _binding
from .._binding import GradReq
from .._core.dtypes import FLAG_OF, NUMPY_OF, torch_dtype
from .._core.files import reading, writing
from .._core.signature import takes
from ..attribute import AttrScope
from ..base import (  # noqa: F401  (the C helpers are reachable here in the original)
    NotImplementedForSymbol,
    c_array,
    c_array_buf,
    c_handle_array,
    c_str,
    c_str_array,
    check_call,
    numpy_mode,
    py_str,
)
from ..context import Context, current_context
from ..error import (
    MXNetArgumentError,
    MXNetAssertionError,
    MXNetError,
    MXNetIndexError,
    MXNetTypeError,
    MXNetValueError,
)
from ..executor import Executor
from ..graph import json as graph_json
from ..graph.backends import BACKENDS, check_backend, no_backend, operators_of
from ..graph.infer import graph_dtypes, graph_shapes
from ..graph.node import Entry, Graph, Node, initial_values, rebuild
from ..name import NameManager
from ..ndarray.ndarray import NDArray
from ..ops.infer import format_shape, is_known, read_shape
from ..ops.messages import display_name
from ..ops.params import format_value
from ..ops.registry import OpDef
from ..ops.types import Attrs, DtypeLike, Keywords, OpenShape
from ..util import is_np_shape  # noqa: F401  (as above)
from .attributes import attribute_text, check_key, hidden_key, match_inputs, remove_amp_casts, visible_attributes

__all__ = ["Group", "Symbol", "Variable", "load", "load_json", "var"]

#: Outputs of symbols that stand-ins of C functions have made, by handle, until somebody makes a Symbol of them.
handles: dict[int, Sequence[Entry]] = {}
# What arrays have and symbols cannot have -> what to do instead.
_NOT_YET = {
    "shape": "use codes for sizes, e.g. x.reshape((0, -1)), F.shape_array(x) or F.reshape_like",
    "size": "use F.size_array(x)",
    "ndim": "write hybrid_forward for arrays of one number of axes",
    "dtype": "use F.cast(x, ...), or infer_type(...)",
    "context": "devices are chosen when it runs",
    "ctx": "devices are chosen when it runs",
}


class _Dumps(Protocol):
    """An initializer."""

    def dumps(self) -> str: ...


class _OutputNames:
    """The names of a graph's outputs, and the numbers of those that each name has."""

    def __init__(self, graph: Graph):
        of_node = {node: node.output_names() for node in dict.fromkeys(entry.node for entry in graph)}
        self.names = [of_node[entry.node][entry.index] for entry in graph]
        self.places: dict[str, list[int]] = {}
        for place, name in enumerate(self.names):
            self.places.setdefault(name, []).append(place)


class Symbol:
    """One or more outputs of a graph of operators and variables. Compose symbols by calling operators on them."""

    __slots__ = ("__weakref__", "_outputs")
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]
    #: Does it stand for arrays of ``mx.np``? Those and classic ones do not meet in one operator.
    _numpy = False

    def __init__(self, outputs: Sequence[Entry] | None):
        if isinstance(outputs, c_void_p):
            outputs = handles.pop(outputs.value or 0, ())
        self._outputs = Graph.of(outputs or ())

    # ---- what it is ------------------------------------------------------------------------------------------------

    @property
    def name(self) -> Any:
        """The name of the symbol; None for a group."""
        nodes = {e.node for e in self._outputs}
        return next(iter(nodes)).name if len(nodes) == 1 else None

    @property
    def handle(self) -> Symbol:
        """The symbol itself; the original has a pointer here."""
        return self

    def __repr__(self) -> str:
        name = self.name
        if name is None:
            return f"<{type(self).__name__} group [{', '.join(e.node.name for e in self._outputs)}]>"
        return f"<{type(self).__name__} {name}>"

    def __len__(self) -> int:
        return len(self._outputs)

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self._each())

    def _each(self) -> list[Symbol]:
        """A symbol for each output."""
        return [type(self)((e,)) for e in self._outputs]

    def __getattr__(self, name: str) -> Any:
        advice = _NOT_YET.get(name)
        text = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(
            text
            if advice is None
            else f"{text}: it stands for an array that is not there yet, as in "
            f"hybrid_forward of a hybridized block; {advice}"
        )

    def __bool__(self) -> bool:
        raise NotImplementedForSymbol(self.__bool__, "bool")

    def __getitem__(self, index: int | str | slice) -> Symbol:
        """One output by number or name, or several by a slice."""
        if isinstance(index, str):
            names = self._outputs.derive(_OutputNames)
            found = names.places.get(index)
            if found is None:
                known = ", ".join(names.names)
                raise MXNetValueError(f'Cannot find output that matches name "{index}"; known: {known}')
            if len(found) > 1:
                raise MXNetValueError(f'There are multiple outputs with name "{index}"')
            index = found[0]
        if isinstance(index, slice):
            return Group([type(self)((e,)) for e in self._outputs[index]], type(self))
        if not isinstance(index, int):
            raise MXNetTypeError(
                "Symbol only support integer, string or slice index to fetch outputs. A symbol's index chooses one of "
                "its outputs, not elements: for those use x.slice_axis(axis=1, begin=0, end=1), F.slice, F.take or "
                "F.pick, as in hybrid_forward of a hybridized block"
            )
        if not 0 <= index < len(self._outputs):
            raise MXNetIndexError(f"output {index} was asked for, the symbol has {len(self._outputs)}")
        return type(self)((self._outputs[index],))

    def list_arguments(self) -> list[str]:
        """The names of all inputs that are not auxiliary states."""
        return [n.name for n in self._outputs.arguments]

    def list_auxiliary_states(self) -> list[str]:
        """The names of the states that operators update, such as moving averages."""
        return [n.name for n in self._outputs.auxiliary]

    def list_inputs(self) -> list[str]:
        """The names of all variables, arguments and auxiliary states."""
        return [n.name for n in self._outputs.variables]

    def list_outputs(self) -> list[str]:
        """The names of the outputs."""
        return list(self._outputs.derive(_OutputNames).names)

    def get_internals(self) -> Symbol:
        """A group of the outputs of every node: pick inner layers by name, ``sym.get_internals()['fc1_output']``."""
        return type(self)([Entry(n, i) for n in self._outputs.order for i in range(n.num_outputs())])

    def get_children(self) -> Any:
        """A group of the direct inputs, None for a variable."""
        inputs = [e for node in dict.fromkeys(e.node for e in self._outputs) for e in node.inputs]
        return type(self)(inputs) if inputs else None

    # ---- attributes ------------------------------------------------------------------------------------------------

    def attr(self, key: str) -> str | None:
        """An attribute of this symbol as text, or None."""
        return visible_attributes(self._outputs[0].node.attrs).get(key)

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """All attributes of this symbol."""
        if recursive:
            raise MXNetError("list_attr(recursive=True) is gone: use attr_dict()")
        return visible_attributes(self._outputs[0].node.attrs)

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """The attributes of every node that has any, by name."""
        return {n.name: visible_attributes(n.attrs) for n in self._outputs.order if n.attrs}

    def _set_attr(self, **kwargs: str) -> None:
        for key, value in kwargs.items():
            if not isinstance(value, str):
                raise MXNetValueError(f"attribute {key!r} must be a string, got {type(value).__name__}")
            node = self._outputs[0].node
            if node.op is not None:
                check_key(node.op, key, value)
            node.attrs[hidden_key(key)] = value
            node.forget_parsed()

    # ---- composing -------------------------------------------------------------------------------------------------

    def __call__(self, *args: Symbol, **kwargs: Any) -> Symbol:
        """The same graph with variables replaced by other symbols, by name."""
        name = kwargs.pop("name", None)
        if args and kwargs:
            raise MXNetTypeError(
                "compose only accept input Symbols either as positional or keyword arguments, not both"
            )
        if len({e.node for e in self._outputs}) == 1 and self._outputs[0].node.is_bare:
            return self._apply_to(args, kwargs, name)
        if args:
            names = self.list_arguments()
            if len(args) > len(names):
                raise MXNetTypeError(f"{len(args)} symbols were given for {len(names)} arguments")
            kwargs = dict(zip(names, args, strict=False))
        for key, value in kwargs.items():
            if not isinstance(value, Symbol):
                raise MXNetTypeError(f"Compose expect `Symbol` as arguments, {key!r} is {type(value).__name__}")
            if len(value._outputs) != 1:
                raise MXNetValueError(f"argument {key!r} has {len(value._outputs)} outputs, a single one is required")
        known = dict.fromkeys(self.list_inputs())
        for key in kwargs:
            if key not in known:
                raise MXNetValueError(f"Symbol.Compose: there is no argument {key!r}; known: {', '.join(known)}")

        def replacement(node: Node, inputs: object = None) -> Sequence[Entry] | None:
            return kwargs[node.name]._outputs if node.is_variable and node.name in kwargs else None

        made = type(self)(rebuild(self._outputs, replacement))
        if name is not None and replacement(self._outputs[0].node) is None:
            made._outputs[0].node.rename(name)
        return made

    def _apply_to(self, args: Sequence[Symbol], kwargs: Mapping[str, Symbol], name: str | None) -> Symbol:
        """An operator without inputs, applied to symbols."""
        node = self._outputs[0].node
        op = node.op
        assert op is not None
        if kwargs:
            unknown = [key for key in kwargs if key not in op.inputs]
            if unknown:
                raise MXNetTypeError(f"{display_name(op.name)} takes {', '.join(op.inputs)}, {unknown[0]!r} was given")
            args = [kwargs.get(key) for key in op.inputs]  # type: ignore[misc]
        own = {key: value for key, value in node.attrs.items() if key in op.params}
        if op.count is not None:
            own[op.count] = str(len(args))
        rest = {key: value for key, value in node.attrs.items() if key not in op.params}
        return compose(op, args, own, name=name, attr=rest, kind=type(self) if self._numpy else None)

    def _gen_atomic_symbol(self) -> Symbol:
        """The operator of this symbol with its attributes, without inputs: call it with others."""
        node = self._outputs[0].node
        if node.op is None:
            raise MXNetValueError(f"{node.name} is a variable and has no operator")
        bare = Node(node.op, "", dict(node.attrs), (), node.subgraphs)
        return type(self)([Entry(bare, i) for i in range(bare.num_outputs())])

    def __copy__(self) -> Symbol:
        return type(self)(rebuild(self._outputs, lambda node, inputs: None))

    def __deepcopy__(self, memo: object) -> Symbol:
        return self.__copy__()

    def __reduce__(self):
        return type(self), (None,), {"handle": self.tojson(remove_amp_cast=False)}  # as the original's pickles

    def __setstate__(self, state: Mapping[str, str]) -> None:
        self._outputs = graph_json.loads(state["handle"])

    # ---- shapes and types ------------------------------------------------------------------------------------------

    def infer_shape(self, /, *args: OpenShape, **kwargs: OpenShape) -> tuple[Any, Any, Any]:
        """Shapes of arguments, outputs and auxiliary states from those given, by position or name.

        All three are None if not everything can be told.
        """
        found = self._shapes(args, kwargs)
        return found if all(is_known(s) for part in found for s in part) else (None, None, None)

    def infer_shape_partial(self, /, *args: OpenShape, **kwargs: OpenShape) -> tuple[list, list, list]:
        """The same, as far as it can be told; ``()`` is an unknown shape and 0 an unknown dimension."""
        arguments, outputs, states = self._shapes(args, kwargs)
        return [*map(format_shape, arguments)], [*map(format_shape, outputs)], [*map(format_shape, states)]

    def _shapes(self, args: Sequence[OpenShape], kwargs: Mapping[str, OpenShape]) -> tuple[list, list, list]:
        given = {k: read_shape(v) for k, v in self._name_values(args, kwargs, "shape").items()}
        return self._parts(graph_shapes(self._outputs, given))

    def _parts(self, known: Mapping[tuple[Node, int], object]) -> tuple[list, list, list]:
        """What is known of arguments, outputs and auxiliary states."""
        return (
            [known[n, 0] for n in self._outputs.arguments],
            [known[e.node, e.index] for e in self._outputs],
            [known[n, 0] for n in self._outputs.auxiliary],
        )

    def infer_type(self, /, *args: DtypeLike, **kwargs: DtypeLike) -> tuple[Any, Any, Any]:
        """dtypes of arguments, outputs and auxiliary states from those given; all None if not all can be told."""
        found = self.infer_type_partial(*args, **kwargs)
        return found if all(t is not None for part in found for t in part) else (None, None, None)

    def infer_type_partial(self, /, *args: DtypeLike, **kwargs: DtypeLike) -> tuple[list, list, list]:
        """The same, as far as it can be told; None is an unknown dtype."""
        given = {k: torch_dtype(v) for k, v in self._name_values(args, kwargs, "dtype").items()}
        dtypes = graph_dtypes(self._outputs, given)
        return self._parts({key: None if d is None else NUMPY_OF[d] for key, d in dtypes.items()})

    def _name_values(self, args: Sequence[object], kwargs: Mapping[str, object], what: str) -> Keywords:
        if args and kwargs:
            raise MXNetValueError(f"give each {what} by position or by name, not both")
        if args:
            names = self.list_arguments()
            if len(args) > len(names):
                raise MXNetValueError(f"{len(args)} {what}s were given for {len(names)} arguments")
            return {n: v for n, v in zip(names, args, strict=False) if v is not None}
        known = dict.fromkeys(self.list_inputs())
        for key, value in kwargs.items():
            if value is None:
                raise MXNetTypeError(f"the {what} of {key!r} is None; leave it out if it is not known")
            if key not in known:
                raise MXNetValueError(f"{what}: there is no argument {key!r}; known: {', '.join(known)}")
        return dict(kwargs)

    # ---- running ---------------------------------------------------------------------------------------------------

    @takes(_binding.bind, without=("symbol",))
    def bind(self, ctx: Context, **given: Any) -> Executor:
        """Binds the symbol to arrays of yours, by list or by name, and returns an Executor.

        ``grad_req`` is ``'write'``, ``'add'`` or ``'null'`` for all arguments, or a list or dict of them;
        ``group2ctx`` says where the nodes made in ``AttrScope(ctx_group=...)`` run.
        """
        return _binding.bind(self, ctx, **given)

    def simple_bind(
        self,
        ctx: Context,
        grad_req: GradReq = "write",
        type_dict: Mapping[str, DtypeLike] | None = None,
        stype_dict: Mapping[str, str] | None = None,
        group2ctx: Mapping[str, Context] | None = None,
        shared_arg_names: Sequence[str] | None = None,
        shared_exec: Executor | None = None,
        shared_buffer: dict[str, NDArray] | None = None,
        **kwargs: OpenShape,
    ) -> Executor:
        """Infers all shapes from those of the inputs, makes the arrays and returns an Executor."""
        for name, stype in (stype_dict or {}).items():
            if stype not in ("default", "row_sparse", "csr"):
                raise MXNetValueError(f"simple_bind: {stype!r} of {name!r} is not a storage type")
        buffers = shared_arg_names, shared_exec, shared_buffer
        return _binding.simple_bind(self, ctx, grad_req, type_dict, group2ctx, *buffers, kwargs, stype_dict)

    def eval(self, ctx: Context | None = None, **kwargs: NDArray) -> list[NDArray]:
        """Binds the arrays given by name, runs forward once and returns the outputs."""
        return self.bind(ctx or current_context(), kwargs).forward()

    def gradient(self, wrt: Sequence[str]) -> Symbol:
        """Not available, as in the original: bind the symbol and call ``Executor.backward``."""
        raise NotImplementedError("Symbol.gradient does not exist; bind the symbol and call Executor.backward instead")

    def get_backend_symbol(self, backend: str) -> Symbol:
        """The symbol as a backend would run it.

        ``MKLDNN`` and ``MKLDNN_QUANTIZE`` have nodes that stand for a layer with what follows it; those that have been
        calibrated also take the range of their results. Other backends change nothing: programs are optimized when they
        are bound.
        """
        if backend not in BACKENDS:
            raise MXNetValueError(no_backend(backend))
        return self._for_backend(backend)

    def _for_backend(self, backend: str) -> Symbol:
        operators = operators_of(backend)
        if operators is None and backend in ("MKLDNN", "MKLDNN_QUANTIZE"):
            from ..graph.rewrite import onednn

            found = onednn.fuse_layers(self._outputs, backend == "MKLDNN_QUANTIZE")
            return type(self)(onednn.with_ranges(found) if backend == "MKLDNN_QUANTIZE" else found)
        if operators is None:
            return self.__copy__()
        from .subgraphs import partition_operators

        return partition_operators(self, operators)

    def optimize_for(
        self,
        backend: str,
        args: Sequence[NDArray] | Mapping[str, NDArray] | None = None,
        aux: Sequence[NDArray] | Mapping[str, NDArray] | None = None,
        ctx: Context | None = None,
        shape_dict: Mapping[str, OpenShape] | None = None,
        type_dict: Mapping[str, DtypeLike] | None = None,
        stype_dict: Mapping[str, str] | None = None,
        skip_infer: bool = False,
        **kwargs: object,
    ) -> Symbol:
        """The symbol optimized for a backend, see ``get_backend_symbol``; unchanged, if there is no such backend."""
        if not isinstance(backend, str) or not isinstance(ctx, Context | None):
            raise MXNetAssertionError(f"the backend must be a string and ctx a Context, got {backend!r} and {ctx!r}")
        for what, arrays in (("args", args), ("aux", aux)):
            if not isinstance(arrays, dict | list | None):
                raise MXNetAssertionError(f"{what} must be a list or dict of NDArrays, got {arrays!r}")
        check_backend(backend)
        return self._for_backend(backend)

    def as_nd_ndarray(self) -> Symbol:
        """The symbol for classic arrays: itself."""
        return self

    def as_np_ndarray(self) -> Symbol:
        """The symbol for ``mx.np`` arrays."""
        from .numpy._symbol import _Symbol

        return _Symbol(self._outputs)

    # ---- files -----------------------------------------------------------------------------------------------------

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """The graph as JSON text, as MXNet 1.9.1 writes it."""
        outputs = remove_amp_casts(self._outputs) if remove_amp_cast else self._outputs
        return graph_json.dumps(outputs)

    def save(self, fname: str, remove_amp_cast: bool = True) -> None:
        """Writes the graph as JSON to a file (or any path fsspec understands)."""
        with writing(fname) as stream:
            stream.write(self.tojson(remove_amp_cast).encode("utf-8"))

    def debug_str(self) -> str:
        """A text that lists every node with its inputs and attributes."""
        if len(self._outputs) == 1 and self._outputs[0].node.is_variable:
            return f"Variable:{self._outputs[0].node.name}\n"
        lines = ["Symbol Outputs:"]
        lines += [f"\toutput[{i}]={e.node.name}({e.index})" for i, e in enumerate(self._outputs)]
        for node in self._outputs.order:
            if node.is_variable:
                lines.append(f"Variable:{node.name}")
                continue
            assert node.op is not None
            lines += ["--------------------", f"Op:{node.op.name}, Name={node.name}", "Inputs:"]
            for i, e in enumerate(node.inputs):
                version = f" version={e.version}" if e.node.is_variable else ""
                lines.append(f"\targ[{i}]={e.node.name}({e.index}){version}")
            if node.attrs:
                lines.append("Attrs:")
                lines += [f"\t{k}={v}" for k, v in sorted(node.attrs.items())]
        return "\n".join(lines) + "\n"


#: The original's Symbol has a base class of this name for what talks to its C library.
SymbolBase = Symbol


# ---- making symbols ------------------------------------------------------------------------------------------------


def compose(
    op: OpDef,
    inputs: Sequence[object],
    attrs: Attrs,
    out: object = None,
    name: str | None = None,
    attr: Mapping[str, str] | None = None,
    hint: str | None = None,
    kind: type[Symbol] | None = None,
) -> Symbol:
    """Applies an operator to symbols. Inputs that were not given become variables named after the new symbol.

    ``out`` is ignored, as in the original: a symbol has no memory to write to. ``kind`` is the class of the result, if
    it is not the classic one.
    """
    text = attribute_text(op, attrs)
    for key, value in AttrScope.current.get(dict(attr) if attr else None).items():
        check_key(op, key, value)
        text[hidden_key(key)] = value
    node = Node(op, NameManager.current.get(name, hint or op.name.lower()), text)
    parsed = node.parsed()
    names, given = match_inputs(op, parsed, inputs)
    states, initial = set(op.aux_positions(parsed)), initial_values(op)
    entries: list[Entry] = []
    for i, (argument, value) in enumerate(zip(names, given, strict=True)):
        if value is None:
            if op.mutates or "_out" in op.supplied:  # an update rule: what it writes to must be given
                raise MXNetTypeError(
                    f"Not enough argument to call operator {display_name(op.name)}: {argument!r} was not given"
                )
            entry = Entry(Node(None, f"{node.name}_{argument}", dict(text)))
        elif isinstance(value, Symbol):
            if value._numpy is not (kind is not None):
                kind = _joint_kind(op, value, kind)
            if len(value._outputs) != 1:
                raise MXNetValueError(
                    f"{display_name(op.name)}: argument {argument!r} has {len(value._outputs)} outputs, a single one "
                    "is required"
                )
            entry = value._outputs[0]
        else:
            raise MXNetArgumentError(
                f"{display_name(op.name)}: argument {argument} must be Symbol instances, but got "
                f"{type(value).__name__}. A graph uses mx.sym.var(name), whose array is given when it is "
                "bound; arrays have mx.nd"
            )
        if entry.node.is_variable:
            if i in states:
                entry.node.version += 1
                entry = Entry(entry.node, 0, entry.node.version)
            if argument in initial:
                entry.node.attrs.setdefault("__init__", initial[argument])
        entries.append(entry)
    for change in _interceptors:
        entries = change(op, parsed, entries)
    node.inputs += entries
    return (kind or Symbol)([Entry(node, i) for i in range(node.num_outputs())])


Change = Callable[[OpDef, Attrs, list[Entry]], list[Entry]]
_interceptors: list[Change] = []


def intercept(change: Change) -> Callable[[], None]:
    """Lets ``change(op, attributes, inputs)`` say what operators are composed with, until the result is called."""
    _interceptors.append(change)
    return lambda: _interceptors.remove(change)


def _joint_kind(op: OpDef, value: Symbol, kind: type[Symbol] | None) -> type[Symbol] | None:
    """What comes of symbols of both kinds, where they may meet: see ``ndarray/kinds.py``."""
    if numpy_mode.relaxed:
        return type(value) if value._numpy else kind
    meant = ("numpy", "as_np_ndarray") if kind is not None else ("legacy", "as_nd_ndarray")
    raise MXNetTypeError(
        f"{display_name(op.name)}: this is a {meant[0]} operator which can only accept {meant[0]} symbols. Call "
        f"{meant[1]}() of the others first."
    )


def var(
    name: str,
    attr: Mapping[str, str] | None = None,
    shape: OpenShape = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: DtypeLike = None,
    init: str | _Dumps | None = None,
    stype: str | None = None,
    **kwargs: str,
) -> Symbol:
    """A variable: an input of graphs. Its shape, dtype, multipliers and initializer may be told here.

    >>> x = mx.sym.Variable("x")
    >>> (x * 2 + 1).eval(x=nd.array([1, 2]))[0]
    [3. 5.]
    <NDArray 2 @cpu(0)>
    """
    if not isinstance(name, str):
        raise MXNetTypeError("Expect a string for variable `name`")
    attrs = {hidden_key(key): value for key, value in AttrScope.current.get(dict(attr) if attr else None).items()}
    for value in attrs.values():
        if not isinstance(value, str):
            raise MXNetValueError(f"attributes must be strings, got {value!r}")
    if shape is not None:
        several = isinstance(shape, Iterable) and not isinstance(shape, str)
        attrs["__shape__"] = format_value(tuple(shape)) if several else str(shape)
    if lr_mult is not None:
        attrs["__lr_mult__"] = str(lr_mult)
    if wd_mult is not None:
        attrs["__wd_mult__"] = str(wd_mult)
    if dtype is not None:
        attrs["__dtype__"] = str(FLAG_OF[torch_dtype(dtype)])
    if init is not None:
        attrs["__init__"] = init if isinstance(init, str) else init.dumps()
    if stype is not None:
        kinds = {"default": "0", "row_sparse": "1", "csr": "2"}
        if stype not in kinds:
            raise MXNetValueError(f"stype must be one of {', '.join(kinds)}, got {stype!r}")
        attrs["__storage_type__"] = kinds[stype]
    for key, value in kwargs.items():
        if not (key.startswith("__") and key.endswith("__")):
            raise MXNetValueError(
                f"Attribute name={key} is not supported. Additional attributes must start and end with double "
                "underscores, e.g, __yourattr__"
            )
        attrs[key] = str(value)
    return Symbol([Entry(Node(None, name, attrs))])


Variable = var


def Group(symbols: Sequence[Symbol], create_fn: type[Symbol] = Symbol) -> Symbol:
    """One symbol with the outputs of several.

    >>> a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
    >>> mx.sym.Group([a + b, a * b]).list_arguments()
    ['a', 'b']
    """
    symbols = list(symbols)
    if not symbols or any(not isinstance(s, Symbol) for s in symbols):
        raise MXNetTypeError("Expected a list of symbols as input")
    return create_fn([e for s in symbols for e in s._outputs])


def load_json(json_str: str) -> Symbol:
    """A symbol from JSON text, of this or any older version."""
    if not isinstance(json_str, str):
        raise MXNetTypeError("fname required to be string")
    return Symbol(graph_json.loads(json_str))


def load(fname: str) -> Symbol:
    """A symbol from a JSON file."""
    if not isinstance(fname, str):
        raise MXNetTypeError("fname need to be string")
    with reading(fname) as (stream, size):
        data = stream.read(size)
    try:
        return load_json(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise MXNetValueError(
            f"{fname}: this is not JSON text. Expected a symbol, '<prefix>-symbol.json', as export, save_checkpoint "
            "and Symbol.save write it; nd.load reads parameters"
        ) from None
    except MXNetError as error:
        raise MXNetValueError(f"{fname}: {error}") from error
