"""The names of MXNet's operators in what ``torch.profiler`` records."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from torch.profiler import record_function

from . import operator
from .graph.step import Step
from .ndarray.gate import intercept
from .ops import registry
from .ops.messages import profiled_name
from .optimizer.base import RuleOptimizer

#: What names of operators begin with in torch's recording.
_TAG = "mxnet::"
_CUSTOM = "::pure_python"
_BACKWARD = "autograd::engine::evaluate_function: "
#: What copies and fills arrays outside of operators, by the names that MXNet's engine gave such work.
_ENGINE = {
    **dict.fromkeys(("aten::copy_", "aten::clone", "aten::to", "aten::_to_copy"), "CopyCPU2CPU"),
    **dict.fromkeys(("aten::fill_", "aten::zero_", "aten::zeros_like", "aten::ones_like"), "SetValueOp"),
    **{f"aten::{name}": f"_{name}" for name in ("zeros", "ones", "full", "arange", "eye")},
}


@dataclass
class Named:
    """Something that took time, in microseconds since recording began; or a call of an operator that others are in."""

    category: str
    name: str
    begin: float
    took: float
    thread: int
    #: the custom operator whose Python code this is part of
    custom: str | None = None
    #: all that a backward pass did for this call, in one
    backward: Named | None = None


def operator_name(name: str) -> str:
    """Returns the name by which users know an operator: ``np.ones`` for ``_npi_ones``."""
    start = "_backward_" if name.startswith("_backward_") else ""
    found = registry.find(name.removeprefix(start))
    return name if found is None or found.name != name.removeprefix(start) else start + profiled_name(found.name)


def name_operators() -> Callable[[], None]:
    """Lets operators tell torch's profiler their names from now on, until what this returns is called."""
    undo: list[Callable[[], None]] = []

    def swap(owner: type, name: str, new: Any) -> None:
        undo.append(lambda old=owner.__dict__[name]: setattr(owner, name, old))
        setattr(owner, name, new)

    undo.append(intercept(lambda op, kernel: _tagged(lambda *_: op.name, kernel)))
    swap(Step, "run", _tagged(lambda step, *_: step.op.name, Step.run))
    update = RuleOptimizer._run
    swap(RuleOptimizer, "_run", _tagged(lambda optimizer, *_: f"{type(optimizer).__name__.lower()}_update", update))
    swap(operator._Kernel, "run_python", _tagged(_of_custom, operator._Kernel.run_python))

    def unname() -> None:
        for each in reversed(undo):
            each()

    return unname


def _tagged(name_of: Callable[..., str], function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        with record_function(_TAG + name_of(*args)):
            return function(*args, **kwargs)

    return call


def _of_custom(kernel: Any, method: str, *_: Any) -> str:
    return f"{'_backward_' if method == 'backward' else ''}{kernel.reg_name}{_CUSTOM}"


def named_spans(events: Iterable[Any], makers: dict[tuple[int, int], Named]) -> list[Named]:
    """What torch has recorded, by operators. ``makers`` remembers which call made a node of torch's graph."""
    spans: list[Named] = []
    within: dict[int, Named] = {}
    for event in events:
        parent = event.cpu_parent
        call = None if parent is None else within.get(id(parent))
        interval = event.time_range
        begin, took, thread = interval.start, interval.end - interval.start, event.thread
        if event.name.startswith(_TAG):
            name = event.name[len(_TAG) :]
            if name == "Custom":  # its Python code is what counts
                pass
            elif name.endswith(_CUSTOM):
                call = Named("Custom Operator", name, begin, took, thread, custom=name[: -len(_CUSTOM)])
                spans.append(call)
            elif call is None:
                call = Named("operator", name, begin, took, thread)
                spans.append(call)
            elif call.custom is not None:
                inner = Named("Custom Operator", f"{call.custom}::{name}", begin, took, thread)
                spans.append(inner)
                call = inner
        elif call is not None:
            if call.custom is not None and event.name in _ENGINE:
                call = Named("Custom Operator", f"{call.custom}::{_ENGINE[event.name]}", begin, took, thread)
                spans.append(call)
            elif event.sequence_nr >= 0:
                makers[thread, event.sequence_nr] = call
        elif event.name.startswith(_BACKWARD):
            maker = makers.get((event.fwd_thread or thread, event.sequence_nr)) or makers.get(
                (thread, event.sequence_nr)
            )
            if maker is None:
                if "_BridgeBackward" not in event.name:
                    spans.append(Named("torch", event.name[len(_BACKWARD) :], begin, took, thread))
            elif maker.backward is None:
                maker.backward = Named(maker.category, f"_backward_{maker.name}", begin, took, thread)
                spans.append(maker.backward)
            else:
                maker.backward.took += took
        elif parent is None and event.name != "_Bridge":
            name = _ENGINE.get(event.name)
            spans.append(Named("operator" if name else "torch", name or event.name, begin, took, thread))
        if call is not None:
            within[id(event)] = call
    return spans
