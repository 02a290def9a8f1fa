"""The Block: a piece of a network, with parameters and children."""

from __future__ import annotations

import json
import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .. import ndarray
from .._core.files import reading, writing, writing_together
from .._core.literals import parse_json
from .._core.signature import overridable, takes
from .._core.tracebacks import add_layer, explain_arguments, warn_user
from .._core.types import Devices, DType, Path
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from .naming import _BlockScope, _Children
from .parameter import Parameter
from .parameter_dict import ParameterDict
from .summary import summarize
from .utils import HookHandle, MXNetAssertionError, _brief_print_list, _indent

if TYPE_CHECKING:  # at run time mxnet/_core/namespace.txt gives these to this module
    from .hybrid_block import HybridBlock
    from .symbol_block import SymbolBlock

__all__ = ["Block", "HybridBlock", "SymbolBlock"]


class Block:
    """The base of layers and networks: children set as attributes are registered, ``forward`` is what it computes.

    ``prefix`` begins the names of its parameters; ``params`` are parameters to share with another block.
    """

    #: Containers without anything of their own have no line in a summary.
    _in_summary = True

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None):
        if not isinstance(prefix, str | None) or isinstance(params, Block):
            more = "; add layers with add()" if hasattr(self, "add") else ""
            raise MXNetTypeError(
                f"{type(self).__name__}: prefix must be a string and params a ParameterDict, got "
                f"{type(params if isinstance(prefix, str | None) else prefix).__name__}{more}"
            )
        self._empty_prefix = prefix == ""
        self._prefix, self._params = _BlockScope.create(prefix, params, self._alias())
        self._name = self._prefix.removesuffix("_")
        self._scope = _BlockScope(self)
        self._children: _Children = _Children()
        self._reg_params: dict[str, Parameter] = {}
        self._forward_hooks: OrderedDict[int, Callable] = OrderedDict()
        self._forward_pre_hooks: OrderedDict[int, Callable] = OrderedDict()

    def __repr__(self) -> str:
        lines = [
            f"  ({key}): {_indent(repr(value), 2)}" for key, value in self.__dict__.items() if isinstance(value, Block)
        ]
        return "{}(\n{}\n)".format(type(self).__name__, "\n".join(lines))

    def __setattr__(self, name: str, value: object) -> None:
        existing = self.__dict__.get(name)
        if isinstance(existing, Parameter | Block) and not isinstance(value, type(existing)):
            raise MXNetTypeError(
                f"Changing attribute type for {name} from {type(existing)} to {type(value)}is not allowed."
            )
        if isinstance(value, Block | Parameter) and "_children" not in self.__dict__:
            raise AttributeError(
                f"{type(self).__name__}.{name} is set before the block is one: call super().__init__() first in its "
                "__init__"
            )
        if isinstance(value, Block):
            self.register_child(value, name)
        elif isinstance(value, Parameter):
            if name in self._reg_params:
                raise MXNetAssertionError(
                    f"Overriding Parameter attribute {name} is not allowed. If you want to share parameters between "
                    "blocks, please set 'params' at Block construction instead."
                )
            self._reg_params[name] = value
        super().__setattr__(name, value)

    def _alias(self) -> str:
        return type(self).__name__.lower()

    @property
    def prefix(self) -> str:
        """What the names of its parameters begin with."""
        return self._prefix

    @property
    def name(self) -> str:
        """The prefix without its last underscore."""
        return self._name

    def name_scope(self) -> _BlockScope:
        """``with self.name_scope():`` gives blocks made inside names that begin with this block's."""
        return self._scope

    @property
    def params(self) -> ParameterDict:
        """The block's own parameters, without those of its children; see ``collect_params``."""
        return self._params

    def _find_unregistered(self) -> list[str]:
        """Attributes that are lists or dicts with blocks in them which are not children."""
        children = {id(c) for c in self._children.values()}

        def has_strangers(value: object) -> bool:
            if isinstance(value, list | tuple):
                return any(has_strangers(v) for v in value)
            if isinstance(value, dict):
                return any(has_strangers(v) for v in value.values())
            return isinstance(value, Block) and id(value) not in children

        return [
            name
            for name, value in self.__dict__.items()
            if isinstance(value, list | tuple | dict) and not name.startswith("__") and has_strangers(value)
        ]

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """All parameters of the block and its children, or those whose names a regular expression matches."""
        for name in self._find_unregistered():
            warn_user(
                f'"{type(self).__name__}.{name}" is an unregistered container with Blocks. Note that Blocks inside the '
                "list, tuple or dict will not be registered automatically. Make sure to register them using "
                "register_child() or switching to nn.Sequential/nn.HybridSequential instead. "
            )
        found = ParameterDict(self._params.prefix)
        pattern = re.compile(select) if select else None
        found.update({n: p for n, p in self.params.items() if pattern is None or pattern.match(n)})  # type: ignore[arg-type]
        for child in self._children.values():
            found.update(child.collect_params(select=select))
        return found

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Parameters by the way to them through attributes: ``features.0.weight``."""
        if prefix:
            prefix += "."
        found = {prefix + name: param for name, param in self._reg_params.items()}
        for name, child in self._children.items():
            found.update(child._collect_params_with_prefix(prefix + name))
        return found

    # ---- files -----------------------------------------------------------------------------------------------------

    def save_parameters(self, filename: Path, deduplicate: bool = False) -> None:
        """Saves the parameters by their place in the network; with ``deduplicate`` shared ones only once."""
        params = self._collect_params_with_prefix()
        if deduplicate:
            params = {name: param for param, name in {p: n for n, p in params.items()}.items()}
        ndarray.save(filename, {name: param._reduce() for name, param in params.items()})

    def load_parameters(
        self,
        filename: Path,
        ctx: Devices = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Loads what ``save_parameters``, ``save_params`` or ``export`` wrote.

        ``cast_dtype`` converts arrays to the parameters' dtypes, or with ``dtype_source='saved'`` the other way round.
        """
        loaded = ndarray.load(filename)
        if not isinstance(loaded, dict):
            if loaded:
                raise MXNetValueError(f"{filename} has arrays without names; parameters are loaded by their names")
            loaded = {}
        params = self._collect_params_with_prefix()
        if not loaded and not params:
            return
        if not any("." in name for name in loaded):  # names with prefixes, or a single layer
            plain = [name.removeprefix("arg:").removeprefix("aux:") for name in loaded]
            complete = bool(self.prefix) and all(name.startswith(self.prefix) for name in plain)
            self.collect_params().load_dict(
                loaded,
                ctx,
                allow_missing,
                ignore_extra,
                "" if complete else self.prefix,
                filename,
                cast_dtype,
                dtype_source,
            )
            return
        if not allow_missing:
            names_of: dict[Parameter, list[str]] = {}
            for name, param in params.items():
                names_of.setdefault(param, []).append(name)
            for name, param in params.items():
                if not any(n in loaded for n in names_of[param]):
                    raise MXNetAssertionError(
                        f"Parameter '{name}' is missing in file '{filename}', which contains parameters: "
                        f"{_brief_print_list(loaded)}. Set allow_missing=True to ignore missing parameters."
                    )
        for name in () if ignore_extra else loaded:
            if name not in params:
                raise MXNetValueError(
                    f"Parameter '{name}' loaded from file '{filename}' is not present in ParameterDict, which contains "
                    f"parameters {_brief_print_list(params)}. Set ignore_extra=True to ignore. "
                )
        for name, value in loaded.items():
            if name in params:
                params[name]._load_init(value, ctx, cast_dtype, dtype_source)

    def save_params(self, filename: Path) -> None:
        """Saves the parameters by their names without the block's prefix; ``save_parameters`` is the newer way."""
        warnings.warn(
            "save_params is deprecated. Please use save_parameters. Note that if you want load from SymbolBlock later, "
            "please use export instead.",
            stacklevel=2,
        )
        try:
            self.collect_params().save(filename, strip_prefix=self.prefix)
        except ValueError as error:
            raise MXNetValueError(
                f"{error}\nsave_params is deprecated. Using save_parameters may resolve this error."
            ) from error

    def load_params(
        self, filename: Path, ctx: Devices = None, allow_missing: bool = False, ignore_extra: bool = False
    ) -> None:
        """The old name of ``load_parameters``."""
        warnings.warn("load_params is deprecated. Please use load_parameters.", stacklevel=2)
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    def save(self, prefix: str) -> None:
        """Writes ``prefix-model.json``, the tree of blocks with the graphs of hybridized ones, and their parameters."""
        tree: dict[str, Any] = {}
        self._describe(tree, [0])
        with writing_together():
            with writing(f"{prefix}-model.json") as stream:
                stream.write(json.dumps(tree).encode())
            self.save_parameters(f"{prefix}-model.params")

    def _describe(self, tree: Mapping[str, Any], count: list[int]) -> None:
        """Adds this block and those below it to a tree, numbered in the order in which they are met."""
        own: dict[str, Any] = {"orig_name": self.name}
        tree[f"{type(self).__name__.lower()}{count[0]}"] = own
        count[0] += 1
        own.update(self._graph_description())
        own["children"] = {child.name: name for name, child in self._children.items()}
        for child in self._children.values():
            child._describe(own, count)

    def _graph_description(self) -> dict[str, Any]:
        """A plain block has no graph to save."""
        return {}

    def load(self, prefix: str) -> None:
        """Loads what ``save`` wrote into a network of the same structure; blocks that were hybridized are again."""
        name = f"{prefix}-model.json"
        with reading(name) as (stream, size):
            content = stream.read(size)
        try:
            self._restore(parse_json(content.decode()), [0])
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, MXNetError):
                raise
            raise MXNetValueError(f"{name} does not describe a network: {type(error).__name__}: {error}") from error
        self.load_parameters(f"{prefix}-model.params")

    def _restore(self, tree: Mapping[str, Any], count: list[int]) -> None:
        key = f"{type(self).__name__.lower()}{count[0]}"
        if key not in tree or set(tree[key]["children"].values()) != set(self._children.keys()):
            raise MXNetValueError(f"{self.name}: the saved model differs here, it has no {key} with these children")
        count[0] += 1
        for child in self._children.values():
            child._restore(tree[key], count)
        self._restore_graph(tree[key])

    def _restore_graph(self, own: Mapping[str, object]) -> None:
        """A plain block has nothing to restore."""

    # ---- children and hooks -----------------------------------------------------------------------------------------

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Makes a block a child, under the next number if no name is given. Attributes are registered by themselves."""
        self._children[str(len(self._children)) if name is None else name] = block

    def register_forward_pre_hook(self, hook: Callable[[Block, tuple], object]) -> HookHandle:
        """Calls ``hook(block, inputs)`` before each forward; the handle's ``detach`` ends that."""
        handle = HookHandle()
        handle.attach(self._forward_pre_hooks, hook)
        return handle

    def register_forward_hook(self, hook: Callable[[Block, tuple, object], object]) -> HookHandle:
        """Calls ``hook(block, inputs, outputs)`` after each forward; the handle's ``detach`` ends that."""
        handle = HookHandle()
        handle.attach(self._forward_hooks, hook)
        return handle

    def register_op_hook(self, callback: Callable[[str, str, NDArray], object], monitor_all: bool = False) -> None:
        """In hybridized blocks below: calls ``callback(name, operator, array)`` for what each operator gives.

        With ``monitor_all`` also for what it takes.
        """
        for child in self._children.values():
            child.register_op_hook(callback, monitor_all)

    def apply(self, fn: Callable[[Block], object]) -> Block:
        """Calls ``fn`` on each child, in depth, then on the block itself; returns the block."""
        for child in self._children.values():
            child.apply(fn)
        fn(self)
        return self

    # ---- what one does with a network -------------------------------------------------------------------------------

    @takes(ParameterDict.initialize)
    def initialize(self, **given: Any) -> None:
        """Initializes all parameters; those without an initializer of their own by ``init``."""
        self.collect_params().initialize(**given)

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Hybridizes the children that can be."""
        for child in self._children.values():
            child.hybridize(active, **kwargs)

    def cast(self, dtype: DType) -> None:
        """Converts all parameters to another dtype."""
        for child in self._children.values():
            child.cast(dtype)
        for param in self.params.values():
            param.cast(dtype)

    def __call__(self, *args: Any) -> Any:
        """Runs ``forward`` and the hooks."""
        try:
            if self._forward_pre_hooks:
                for hook in tuple(self._forward_pre_hooks.values()):
                    hook(self, args)
            out = self.forward(*args)
            if self._forward_hooks:
                for hook in tuple(self._forward_hooks.values()):
                    hook(self, args, out)
            return out
        except MXNetError as error:
            add_layer(error, self, args)
            raise
        except TypeError as error:
            explained = explain_arguments(error, self, args)
            if explained is None:
                raise
            add_layer(explained, self, args)
            raise explained from None

    @overridable
    def forward(self, *args: Any) -> Any:
        """What the block computes; to be overridden."""
        raise NotImplementedError(f"{type(self).__name__} must define forward(self, ...)")

    def as_torch(self) -> Any:
        """This network as a ``torch.nn.Module``, for torch's optimizers and loops; the parameters are shared.

        See ``mxnet.gluon.contrib.torch_block``, also for the way back: torch modules as blocks.
        """
        from .contrib.torch_module import as_module

        return as_module(self)

    def summary(self, *inputs: object) -> None:
        """Prints a table of the layers with output shapes and numbers of parameters, for these inputs."""
        summarize(self, inputs)
