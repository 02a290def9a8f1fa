"""A graph as a function of NDArrays: what a hybridized block calls instead of its Python code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch

from .context import Context, current_context
from .error import MXNetTypeError, MXNetValueError
from .graph.backends import BACKENDS
from .graph.infer import graph_shapes
from .graph.limits import refuse_large_constants
from .graph.monitoring.names import WatchedName, hooked_outputs, watched_inputs
from .graph.node import Node
from .graph.program import Program
from .graph.step import Step
from .ndarray.gate import copy_if_aliased, enter, fix, leave, lend, take_back
from .ndarray.kinds import current_kind
from .ndarray.ndarray import NDArray, record_result, wrap
from .ndarray.notes import note_graph
from .ndarray.tape import noting, state
from .ops.types import Shape

if TYPE_CHECKING:
    from .symbol.symbol import Symbol

__all__ = ["CachedOp"]

_Watch = Callable[[str, str, NDArray], object]
_Out = NDArray | Sequence[NDArray] | None
_Run = Callable[[Sequence[torch.Tensor], bool], list[torch.Tensor]]
_Ready = tuple[_Run, Sequence[int], Sequence[int]]
#: How many programs are kept, for contexts and for shapes where these matter. Each has weights of its own folded.
_KEPT_PROGRAMS = 16


class CachedOp:
    """Runs a symbol on NDArrays, given in the order of ``list_inputs``. Under ``record()`` gradients flow through it.

    The graph becomes a Program once for each context. Shapes and dtypes may differ from call to call. With the backend
    ``'inductor'`` the program is compiled by ``torch.compile`` when it first runs.
    """

    __module__ = "mxnet._ctypes.ndarray"  # where the original says it is from

    def __init__(self, sym: Symbol, flags: Any = (), backend: str | None = None):
        self._symbol = sym
        self._outputs = sym._outputs
        self.flags = dict(flags)
        self._backend = None if backend is None else BACKENDS.get(backend)
        self._variables = self._outputs.variables
        #: For error messages: what it is, and how many inputs it takes.
        self.name, self.required = "the graph", len(self._variables)
        #: Which inputs are states. They are not in the graph, and tell by their version that they were written to.
        self._states = frozenset(i for i, n in enumerate(self._variables) if n in self._outputs.states)
        #: Creation operators whose shape is open need to know those of the inputs: a program for each.
        self._shaped = any(n.op is not None and "complete" in n.op.rules for n in self._outputs.order)
        self._programs: dict[Hashable, _Ready] = {}
        self._latest: tuple[Hashable, _Run, Sequence[int], Sequence[int]] = (None, lambda values, training: [], (), ())
        self._watch: tuple[_Watch, bool] | None = None
        seen: set[tuple[Node, int]] = set()
        #: Outputs that may share memory with inputs or others, and must not; one that is an input does.
        self._borrowed = []
        for i, entry in enumerate(self._outputs):
            op = entry.node.op
            if op is not None and (op.view or (entry.node, entry.index) in seen):
                self._borrowed.append(i)
            seen.add((entry.node, entry.index))

    def __call__(self, *args: NDArray, out: _Out = None) -> Any:
        """The output, or the list of outputs."""
        if len(args) != self.required:
            names = ", ".join(n.name for n in self._variables)
            raise MXNetTypeError(f"this graph takes {self.required} arrays ({names}), got {len(args)}")
        values, context, kind, sparse = enter(self, args, None, self._states)
        if context is None:
            context = current_context()
        key = (context, *[v.shape for v in values]) if self._shaped else context
        known, run, written, fixed = self._latest  # read at once: other threads may be calling with other contexts
        if key != known:
            self._latest = known, run, written, fixed = key, *self._program(key, context, values)
        if fixed and state.recording and state.training:
            fix(args, fixed, values)
        copied = lend(args, written, values) if written and sparse else ()
        results = run(values, state.training)
        if written:
            take_back(args, written, values, copied)
        for i in self._borrowed:
            results[i] = copy_if_aliased(results[i], [*values, *results[:i], *results[i + 1 :]])
        if out is not None:
            return self._write(results, out)
        if not args:
            kind = current_kind()
        made = [leave(result, context, kind, args) for result in results]
        if noting and state.recording:
            note_graph(self._outputs, self._variables, args, made, self._is_inlined())
        return made[0] if len(made) == 1 else made

    def input_name(self, index: int) -> str:
        """The name of an input."""
        return self._variables[index].name

    def _is_inlined(self) -> bool:
        """Is it a small graph, whose nodes stand for themselves in what ``autograd.get_symbol`` shows?"""
        count = sum(not node.is_variable for node in self._outputs.order)
        return count <= int(self.flags.get("inline_limit", 2)) and not self.flags.get("static_alloc", False)

    def _program(self, key: Hashable, context: Context, tensors: Sequence[torch.Tensor]) -> _Ready:
        """What runs the graph on such inputs, which of them it writes to, and which have to be 1 in training."""
        found = self._programs.get(key)
        if found is None:
            refuse_large_constants(self._outputs)
            shapes: Mapping[tuple[Node, int], Shape | None] | None = None
            if self._shaped:
                given = {n.name: tuple(t.shape) for n, t in zip(self._variables, tensors, strict=True)}
                shapes = graph_shapes(self._outputs, given)
            found = self._runner(Program(self._outputs, context, shapes=shapes))
            if len(self._programs) >= _KEPT_PROGRAMS:
                self._programs = {}
            self._programs[key] = found
        return found

    def _runner(self, program: Program) -> _Ready:
        places = {n: i for i, n in enumerate(self._variables)}
        order = [places[n] for n in (*program.arguments, *program.states)]
        marked = [order[i] for i in program.written], [order[i] for i in program.fixed]
        run = _compile(program) if self._backend == "inductor" else program.run
        if self._watch is not None:
            hook = _OpHook(program.context, *self._watch)
            return lambda values, training: program.run([values[i] for i in order], training, hook), *marked
        if order == list(range(len(order))):
            return run, *marked
        return lambda values, training: run([values[i] for i in order], training), *marked

    def _write(self, results: Sequence[torch.Tensor], out: Any) -> Any:
        targets = list(out) if isinstance(out, list | tuple) else [out]
        if len(targets) != len(results):
            raise MXNetValueError(f"the graph has {len(results)} outputs, out= has {len(targets)} array(s)")
        for target, result in zip(targets, results, strict=True):
            target[:] = record_result(result, target._ctx, target.__class__)
        return out

    # ---- watching ----------------------------------------------------------------------------------------------------

    def _register_op_hook(self, callback: _Watch, monitor_all: bool = False) -> None:
        """Calls ``callback(name, operator, array)`` for each output of each operator, or also for each input."""
        self._watch = callback, monitor_all
        self._programs = {}
        self._latest = None, self._latest[1], (), ()


class _OpHook:
    """Runs steps and tells a callback what they give, and take if it wants to know everything."""

    def __init__(self, context: Context, callback: _Watch, everything: bool):
        self._context, self._callback, self._everything = context, callback, everything

    def run(self, step: Step, slots: list, training: bool) -> None:
        """Runs one step."""
        node, op = step.node, step.op
        if self._everything:
            present = [slots[i] for i in step.reads if i >= 0]
            for name, value in zip(watched_inputs(node), present, strict=True):
                self._report(name, op.name, value)
        step.run(slots, training)
        for name, slot in zip(hooked_outputs(node), step.writes, strict=True):
            self._report(name, op.name, slots[slot])

    def _report(self, name: str, op_name: str, value: torch.Tensor) -> None:
        array = wrap(value.detach(), self._context)  # held while the callback runs: it may exchange it for a handle
        self._callback(WatchedName(name), WatchedName(op_name), array)


def _compile(program: Program) -> Callable[..., list[torch.Tensor]]:
    """The program through ``torch.compile``, one compilation for training and one for prediction."""

    def run(values: Sequence[torch.Tensor], training: bool) -> list[torch.Tensor]:
        return program.run(values, training)

    return torch.compile(run)
