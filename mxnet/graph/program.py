"""Programs: a graph lowered to a flat list of kernel calls. Executor, hybridized blocks and SymbolBlock all run them.

No dispatch and no attribute parsing is left at run time; a value is dropped after its last use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from ..context import Context
from ..ops.infer import Shape, positions
from ..ops.registry import OpDef
from .heap import keep_freed_memory
from .node import Entry, Node, aux_nodes, toposort
from .passes import Mirror, for_prediction, for_training, mirrored_steps
from .step import Plan, Step


class Program:
    """A runnable graph. ``arguments`` and ``states`` are its variables, in the order of ``Symbol.list_arguments``."""

    def __init__(
        self,
        outputs: Sequence[Entry],
        context: Context,
        contexts: Mapping[Node, Context] | None = None,
        shapes: Mapping[tuple[Node, int], Shape | None] | None = None,
    ):
        """``contexts`` says where nodes run, ``shapes`` what was inferred, for operators whose own shape is open."""
        keep_freed_memory()
        order = toposort(outputs)
        states = aux_nodes(order)
        self.context = context
        self.arguments = [n for n in order if n.is_variable and n not in states]
        self.states = [n for n in order if n.is_variable and n in states]
        slots: dict[tuple[Node, int], int] = {}
        for node in [*self.arguments, *self.states]:
            slots[node, 0] = len(slots)
        self.inputs = len(slots)
        steps: list[Step] = []
        for node in order:
            if node.op is None:
                continue
            for i in range(node.num_outputs()):
                slots[node, i] = len(slots)
            steps.append(_step(node, node.op, slots, (contexts or {}).get(node, context), shapes or {}))
        self.size = len(slots)
        self.outputs = tuple(slots[e.node, e.index] for e in outputs)
        self._plan = Plan(tuple(steps), self.inputs, self.outputs).planned()
        #: As in the graph, one step for each operator; what runs may be fewer.
        self.steps = list(self._plan.steps)
        self._mirrored = mirrored_steps(self._plan)
        self._training: tuple[Step, ...] | None = None
        self._prediction: tuple[Step, ...] | None = None

    def run(
        self,
        values: Sequence[torch.Tensor],
        training: bool,
        watch: Callable[[Node, tuple[torch.Tensor, ...]], None] | None = None,
    ) -> list[torch.Tensor]:
        """Runs the program on the arguments' and then the states' tensors and returns the outputs."""
        # One more than there are values: what a step reads at -1 is an input that does not exist.
        slots: list[Any] = [*values, *[None] * (self.size - self.inputs + 1)]
        mirror = Mirror(self._mirrored) if training and self._mirrored and torch.is_grad_enabled() else None
        for step in self.steps if watch is not None else self._fitting(values, training):
            if mirror is None:
                step.run(slots, training)
            else:
                mirror.run(step, slots)
            if watch is not None:
                watch(step.node, tuple(slots[i] for i in step.writes))
            for slot in step.drops:
                slots[slot] = None
        return [slots[i] for i in self.outputs]

    def _fitting(self, values: Sequence[torch.Tensor], training: bool) -> Sequence[Step]:
        """The steps for such a run: passes have made quicker ones for training and for predicting without gradients."""
        if torch.compiler.is_compiling():
            return self.steps
        if training:
            if self._training is None:
                self._training = for_training(self._plan).steps
            if self._prediction is not None and torch.is_grad_enabled():
                self._prediction = None  # the weights it has folded are about to change: their memory can go
            return self._training
        if torch.is_grad_enabled() and any(v.requires_grad for v in values):
            return self.steps
        if self._prediction is None:
            self._prediction = for_prediction(self._plan).steps
        return self._prediction


def _step(
    node: Node,
    op: OpDef,
    slots: Mapping[tuple[Node, int], int],
    context: Context,
    shapes: Mapping[tuple[Node, int], Shape | None],
) -> Step:
    attrs = dict(node.parsed())
    if "complete" in op.rules and shapes.get((node, 0)) is not None:
        attrs = op.rules["complete"](attrs, shapes[node, 0])
    if "_device" in op.supplied:
        attrs["_device"] = context.torch_device
    if "_out" in op.supplied:
        attrs["_out"] = None
    if "_context" in op.supplied:
        attrs["_context"] = context
    if "_subgraphs" in op.supplied:
        attrs["_subgraphs"] = subgraph_functions(node, context)
    places = positions(op, len(node.inputs), node.parsed())
    reads = [-1] * (max(places, default=-1) + 1)
    for place, entry in zip(places, node.inputs, strict=True):
        reads[place] = slots[entry.node, entry.index]
    predict, train = attrs, attrs
    if "_train" in op.supplied:
        predict, train = {**attrs, "_train": False}, {**attrs, "_train": True}
    return Step(
        node=node,
        op=op,
        kernel=op.kernel,
        reads=tuple(reads),
        writes=tuple(slots[node, i] for i in range(node.num_outputs())),
        predict=predict,
        train=train,
        wants_rng="_rng" in op.supplied,
        context=context,
    )


def subgraph_functions(
    node: Node, context: Context
) -> list[Callable[[Sequence[torch.Tensor], bool], list[torch.Tensor]]]:
    """A function ``(inputs, training) -> outputs`` for each subgraph; inputs are in the order of its variables."""
    return [_subgraph_function(outputs, context) for outputs in node.subgraphs]


def _subgraph_function(
    outputs: Sequence[Entry], context: Context
) -> Callable[[Sequence[torch.Tensor], bool], list[torch.Tensor]]:
    program = Program(outputs, context)
    variables = [n for n in toposort(outputs) if n.is_variable]
    order = [variables.index(n) for n in (*program.arguments, *program.states)]
    return lambda values, training: program.run([values[i] for i in order], training)
