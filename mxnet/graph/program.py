"""Programs: a graph lowered to a flat list of kernel calls. Executor, hybridized blocks and SymbolBlock all run them.

No dispatch and no attribute parsing is left at run time; a value is dropped after its last use. A program does not
change once it is built, so that threads may share it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import torch

from .._core.tracing import is_traced
from ..context import Context
from ..native.allocator import keep_freed_memory
from ..ops.calling import arrange, supply_arguments
from ..ops.infer import Shape
from ..ops.sparse import Sparse, makes_sparse
from .node import Entry, Graph, Node, argument_names
from .passes import Mirror, for_prediction, for_training, insert_copies, mirrored_steps
from .step import ByStorage, Plan, Runner, Step


class Program:
    """A runnable graph. ``arguments`` and ``states`` are its variables, in the order of ``Symbol.list_arguments``."""

    def __init__(
        self,
        outputs: Sequence[Entry],
        context: Context,
        contexts: Mapping[Node, Context] | None = None,
        shapes: Mapping[tuple[Node, int], Shape | None] | None = None,
        change: Callable[[Plan], Plan] | None = None,
    ):
        """``contexts`` says where nodes run and variables are, ``shapes`` what was inferred, for operators whose own
        shape is open. ``change`` is a pass of the caller's.
        """
        keep_freed_memory()
        graph = Graph.of(outputs)
        layout = graph.derive(_Layout)
        self.context = context
        self.arguments, self.states = graph.arguments, graph.auxiliary
        variables = [*self.arguments, *self.states]
        #: The variables that a run writes to, besides states: whoever gave them has to announce that.
        self.written = layout.written
        #: Those that whoever learns sets to 1 before a run.
        self.fixed = layout.fixed
        where = contexts or {}
        plan = Plan(
            tuple([_step(node, layout, where.get(node, context), shapes or {}) for node in layout.reads]),
            len(variables),
            tuple([layout.slots[entry.node, entry.index] for entry in graph]),
            tuple([where.get(node, context) for node in variables]),
        )
        plan = insert_copies(plan)
        self.plan = plan if change is None else change(plan)
        #: Where the outputs are.
        found = self.plan.contexts()
        self.places = [found[slot] for slot in self.plan.outputs]
        self._size = 2 + max([slot for step in self.plan.steps for slot in step.writes], default=len(variables) - 1)
        self._mirrored = mirrored_steps(self.plan)
        self._sparse = any(makes_sparse(step.op, step.node.parsed()) for step in self.plan.steps)
        self._by_storage: Plan | None = None
        self._training: Plan | None = None
        self._prediction: Plan | None = None

    def run(self, values: Sequence[torch.Tensor], training: bool, runner: Runner | None = None) -> list[torch.Tensor]:
        """Runs the program on the arguments' and then the states' tensors and returns the outputs.

        A ``runner`` runs the steps as they are in the graph, one for each operator, in its own way.
        """
        if self._sparse or any([isinstance(value, Sparse) for value in values]):
            plan = self._storage_plan()
        else:
            plan = self._plan_for(values, training) if runner is None else self.plan
        if runner is None and training and self._mirrored and torch.is_grad_enabled() and not is_traced():
            runner = Mirror(self._mirrored)
        # One more than there are values: what a step reads at -1 is an input that does not exist.
        slots: list[Any] = [*values, *[None] * (self._size - len(values))]
        run = Step.run if runner is None else runner.run
        # A compiler decides by itself how long values stay.
        all_drops = [()] * len(plan.steps) if is_traced() else plan.drops
        for step, drops in zip(plan.steps, all_drops, strict=True):
            run(step, slots, training)
            for slot in drops:
                slots[slot] = None
        return [slots[i] for i in self.plan.outputs]

    def _storage_plan(self) -> Plan:
        """The steps as they are in the graph, on values of any storage type."""
        if self._by_storage is None:
            steps = [replace(step, kernel=ByStorage(step)) for step in self.plan.steps]
            self._by_storage = self.plan.with_steps(steps)
        return self._by_storage

    def _plan_for(self, values: Sequence[torch.Tensor], training: bool) -> Plan:
        """The steps for such a run: passes have made quicker ones for training and for predicting without gradients."""
        if is_traced():
            return self.plan
        if training:
            plan = self._training
            if plan is None:
                plan = self._training = for_training(self.plan)
            if self._prediction is not None and torch.is_grad_enabled():
                self._prediction = None  # the weights it has folded are about to change: their memory can go
            return plan
        if torch.is_grad_enabled() and any([v.requires_grad for v in values]):
            return self.plan
        plan = self._prediction
        if plan is None:
            plan = self._prediction = for_prediction(self.plan)
        return plan


class _Layout:
    """Where a graph's values are while it runs, on whatever contexts."""

    def __init__(self, graph: Graph):
        variables = [*graph.arguments, *graph.auxiliary]
        self.slots: dict[tuple[Node, int], int] = {(node, 0): place for place, node in enumerate(variables)}
        #: For each operator the slots that its kernel reads, by position.
        self.reads: dict[Node, tuple[int, ...]] = {}
        written: set[int] = set()
        fixed: set[int] = set()
        for node in graph.order:
            op = node.op
            if op is None:
                continue
            for i in range(node.num_outputs()):
                self.slots[node, i] = len(self.slots)
            parsed, inputs = node.parsed(), [self.slots[entry.node, entry.index] for entry in node.inputs]
            self.reads[node] = tuple(arrange(op, inputs, parsed, absent=-1))
            for found, places in ((written, op.mutable_inputs(parsed, len(inputs))), (fixed, op.fixed_inputs(parsed))):
                found.update(inputs[i] for i in places if node.inputs[i].node.is_variable)
        self.written, self.fixed = tuple(sorted(written)), tuple(sorted(fixed))


def _step(node: Node, layout: _Layout, context: Context, shapes: Mapping[tuple[Node, int], Shape | None]) -> Step:
    op = node.op
    assert op is not None
    attrs = dict(node.parsed())
    if "complete" in op.rules and shapes.get((node, 0)) is not None:
        attrs = op.rules["complete"](attrs, shapes[node, 0])
    if op.supplied:
        given: dict[str, Any] = {"_device": context.torch_device, "_context": context}
        if "_subgraphs" in op.supplied:
            given["_subgraphs"] = functions = subgraph_functions(node, context)
            for function in functions:
                function.program()
        attrs |= supply_arguments(op, given)
        attrs.pop("_rng", None)  # each run gives its own
    predict, train = attrs, attrs
    if "_train" in op.supplied:
        predict, train = {**attrs, "_train": False}, {**attrs, "_train": True}
    return Step(
        node=node,
        op=op,
        kernel=op.kernel,
        reads=layout.reads[node],
        writes=tuple([layout.slots[node, i] for i in range(node.num_outputs())]),
        predict=predict,
        train=train,
        wants_rng="_rng" in op.supplied,
        context=context,
    )


class Subgraph:
    """A function ``(inputs, training) -> outputs`` of a node's subgraph; inputs are in the order of its variables."""

    def __init__(self, outputs: Graph, context: Context):
        self._outputs, self._context = outputs, context
        self._program: Program | None = None
        places = {node: place for place, node in enumerate(outputs.variables)}
        self._order = [places[node] for node in (*outputs.arguments, *outputs.auxiliary)]
        #: What the node's kernel has made of its parameters, for the next run.
        self.kept: Any = None

    def program(self) -> Program:
        """Its program; shapes can be inferred without one."""
        if self._program is None:
            self._program = Program(self._outputs, self._context)
        return self._program

    def __call__(self, values: Sequence[torch.Tensor], training: bool) -> list[torch.Tensor]:
        return self.program().run([values[i] for i in self._order], training)

    @cached_property
    def layers(self) -> list[tuple[str, dict[str, Any]]]:
        """The operators in it with their attributes, in the order in which they run."""
        return layers_of(self._outputs)

    @cached_property
    def inputs(self) -> list[str]:
        """What each variable is to the operator that reads it: ``Convolution.weight``."""
        found: dict[Node, str] = {}
        for node in self._outputs.order:
            if node.op is not None:
                names = argument_names(node.op, node.parsed(), len(node.inputs))
                for name, entry in zip(names, node.inputs, strict=False):
                    found.setdefault(entry.node, f"{node.op.name}.{name}")
        return [found[variable] for variable in self._outputs.variables]


def layers_of(outputs: Graph) -> list[tuple[str, dict[str, Any]]]:
    """The operators of a graph with their attributes, in the order in which they run."""
    return [(n.op.name, n.op.with_defaults(n.parsed())) for n in outputs.order if n.op is not None]


def subgraph_functions(node: Node, context: Context) -> list[Subgraph]:
    """What runs each subgraph of a node."""
    return [Subgraph(outputs, context) for outputs in node.subgraphs]
