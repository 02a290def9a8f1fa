"""The table that ``Block.summary`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..error import MXNetTypeError
from ..ndarray import NDArray
from ..symbol import Symbol
from .utils import MXNetAssertionError

if TYPE_CHECKING:
    from .block import Block
    from .parameter import Parameter

_LINE = "{:>20}  {:>42} {:>15}"
_WIDTH = 80


def _shapes(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, list | tuple):
        return [_shapes(v) for v in value]
    if not hasattr(value, "shape"):
        raise MXNetTypeError(f"summary takes arrays to run the network with, such as mx.nd.ones((1, 3)), got {value!r}")
    return value.shape


def _shape_text(value: object) -> str:
    """The shape of an array; those in a list, without the outermost brackets."""
    text = str(_shapes(value))
    return text if isinstance(value, NDArray) or value is None else text[1:-1]


def summarize(block: Block, inputs: tuple[object, ...]) -> None:
    """Runs the block on the inputs and prints a line for each layer in it, in the order in which they finish."""
    rows: list[tuple[str, str, int]] = [("Input", _shape_text(inputs), 0)]
    totals = {"all": 0, "trainable": 0, "shared": 0}
    seen: set[Parameter] = set()
    handles = []

    def count(layer: Block) -> int:
        total = 0
        for param in layer.params.values():
            size = int(np.prod(param.shape))
            total += size
            totals["trainable"] += 0 if param.grad_req == "null" else size
            totals["shared"] += size if param in seen else 0
            seen.add(param)
        totals["all"] += total
        return total

    def note(layer: Block, _: object, outputs: object) -> None:
        if isinstance(outputs, Symbol):  # called to infer shapes, not to compute
            return
        rows.append((f"{type(layer).__name__}-{len(rows)}", _shape_text(outputs), count(layer)))

    def watch(layer: Block) -> None:
        if getattr(layer, "_active", False):
            raise MXNetAssertionError(f'"{layer.name}" must not be hybridized to print summary.')
        if layer._in_summary:
            handles.append(layer.register_forward_hook(note))

    try:
        block.apply(watch)
        block(*inputs)
    finally:
        for handle in handles:
            handle.detach()
    print("-" * _WIDTH)
    print(_LINE.format("Layer (type)", "Output Shape", "Param #"))
    print("=" * _WIDTH)
    for row in rows:
        print(_LINE.format(*row))
    print("=" * _WIDTH)
    print("Parameters in forward computation graph, duplicate included")
    print(f"   Total params: {totals['all']}")
    print(f"   Trainable params: {totals['trainable']}")
    print(f"   Non-trainable params: {totals['all'] - totals['trainable']}")
    print(f"Shared params in forward computation graph: {totals['shared']}")
    print(f"Unique parameters in model: {totals['all'] - totals['shared']}")
    print("-" * _WIDTH)
