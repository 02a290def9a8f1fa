"""The SymbolBlock: a graph as a block."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from .. import ndarray, symbol
from .._core.types import Array, Devices
from ..context import Context
from ..error import MXNetTypeError, MXNetValueError
from ..graph.storage import variable_storage
from ..ndarray import NDArray
from ..symbol import Group, Symbol, var
from .hybrid_block import HybridBlock
from .naming import _BlockScope
from .nested import _flatten, _regroup
from .parameter_dict import ParameterDict
from .utils import MXNetAssertionError, _brief_print_list


class SymbolBlock(HybridBlock):
    """A block made of a symbol: ``outputs`` as a function of the variables ``inputs``; all others are parameters.

    ``params`` gives parameters by name, ``SymbolBlock.imports`` reads graph and parameters from files.
    """

    __module__ = "mxnet.gluon.block"  # the module of the original, which programs and pickles name

    @staticmethod
    def imports(
        symbol_file: str,
        input_names: str | Sequence[str],
        param_file: str | None = None,
        ctx: Devices = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> SymbolBlock:
        """Makes a block of what ``HybridBlock.export`` or ``Module.save_checkpoint`` wrote."""
        names = [input_names] if isinstance(input_names, str) else list(input_names)
        graph = symbol.load(symbol_file)
        found = graph.list_inputs()
        if param_file is None and names and found and not set(names) & set(found):
            raise MXNetValueError(
                f"{symbol_file} has no input {', '.join(map(repr, names))}; what it has, with its parameters, is "
                f"{_brief_print_list(found)}"
            )
        block = SymbolBlock(graph, [var(name) for name in names])
        if param_file is not None:
            try:
                block.collect_params().load(
                    param_file, ctx, allow_missing, ignore_extra, cast_dtype=True, dtype_source="saved"
                )
            except MXNetAssertionError as error:
                unknown = [name for name in names if name not in found]
                if not unknown:
                    raise
                known = {name.removeprefix("arg:").removeprefix("aux:") for name in ndarray.load(param_file)}
                inputs = [name for name in found if name not in known]
                raise MXNetAssertionError(
                    f"{symbol_file} has no input {', '.join(map(repr, unknown))}. What {param_file} has no parameters "
                    f"for is {', '.join(map(repr, inputs)) or 'nothing'}: input_names={inputs} names that"
                ) from error
        return block

    def __init__(self, outputs: Any, inputs: Any, params: ParameterDict | None = None):
        super().__init__(prefix=None, params=None)
        self._prefix, self._empty_prefix = "", True  # its parameters keep the names that they have in the symbol
        self._params = ParameterDict("", params)
        self._scope = _BlockScope(self)
        heads, self._out_format = _flatten(outputs, "output")
        given = [inputs] if isinstance(inputs, Symbol) and len(inputs._outputs) == 1 else inputs
        variables, self._in_format = _flatten(list(given), "input")
        variables = [one for v in variables for one in v._each()]
        out = Group(heads)
        for head in heads:
            if not isinstance(head, Symbol):
                raise MXNetTypeError(f"outputs must be symbols, got {type(head).__name__}")
        names = set()
        for variable in variables:
            if len(variable.get_internals().list_outputs()) != 1:
                raise MXNetAssertionError(f"Input symbols must be variable, but {variable} is an output of operators")
            names.add(variable.name)
        for node in out._outputs.arguments:
            if node.name not in names and (stype := variable_storage(node)) != "default":
                raise MXNetAssertionError(
                    f"SymbolBlock doesn't support Parameter '{node.name}' because its storage type is '{stype}'. "
                    "Please use a dense one: mx.sym.var(name) without stype."
                )
        arguments, _, states = out.infer_type_partial()
        for kind, listed, dtypes in (
            ("write", out.list_arguments(), arguments),
            ("null", out.list_auxiliary_states(), states),
        ):
            for name, dtype in zip(listed, dtypes, strict=True):
                if name not in names and self.params._get_impl(name) is None:
                    self.params.get(name, grad_req=kind, allow_deferred_init=True, dtype=dtype or np.float32)
        self._cached_graph = variables, out
        prefix = _common_prefix(list(self.params.keys()))
        self._reg_params = {name.removeprefix(prefix): param for name, param in self.params.items()}

    def __repr__(self) -> str:
        inputs, out = self._cached_graph
        return f"{type(self).__name__}(\n{out} : {len(inputs)} -> {len(out)}\n)"

    def forward(self, x: object, *args: object) -> Any:
        """Runs the graph on arrays; on symbols, puts those in place of the input variables."""
        if isinstance(x, NDArray):
            return self._call_cached_op(x, *args)
        if not isinstance(x, Symbol):
            raise MXNetAssertionError(
                f"HybridBlock requires the first argument to forward be either Symbol or NDArray, but got {type(x)}"
            )
        flat, form = _flatten([x, *args], "input")
        if form != self._in_format:
            raise MXNetAssertionError(f"Invalid input format: {form}, the block takes {self._in_format}")
        inputs, out = self._cached_graph
        composed = out(**{v.name: a for v, a in zip(inputs, flat, strict=True)})
        return _regroup(list(composed), self._out_format)[0]

    def _clear_cached_op(self) -> None:
        # The graph is what the block is made of; only what was built from it goes.
        self._cached_op = None

    def reset_ctx(self, ctx: Context | list[Context]) -> None:
        """Moves all parameters to other contexts."""
        self.collect_params().reset_ctx(ctx)

    def hybrid_forward(self, F: ModuleType, x: object, *args: object, **kwargs: object) -> Array:
        """Not needed: a SymbolBlock is a graph already."""
        raise NotImplementedError("a SymbolBlock runs its graph; it has no hybrid_forward")


def _common_prefix(names: list[str]) -> str:
    """The longest beginning, up to an underscore, that all names share."""
    if not names:
        return ""
    shortest, longest = min(names), max(names)
    length = next((i for i, (a, b) in enumerate(zip(shortest, longest, strict=False)) if a != b), len(shortest))
    return shortest[: shortest.rfind("_", 0, length) + 1]
