"""What ``c_predict_api.c`` calls: memory of C programs as buffers, types as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.dtypes import FLAG_OF, TORCH_OF_FLAG, torch_dtype
from ..error import MXNetValueError
from ..ndarray import NDArray
from . import Predictor, load_ndarray_file


def create(
    json: str, params: memoryview, dev_type: int, dev_id: int, inputs: list, types: dict, outputs: list, copies: int
) -> list[Predictor]:
    """So many predictors that share their parameters."""
    if json.lstrip()[:1] != "{":  # ``Predictor`` would take it for the name of a file
        raise MXNetValueError(
            f"the symbol is not JSON: it begins with {json[:20]!r}, expected the text of a symbol file"
        )
    for name, number in types.items():
        if number not in TORCH_OF_FLAG:
            raise MXNetValueError(f"{name}: there is no type with number {number}")
    kinds = {name: TORCH_OF_FLAG[number] for name, number in types.items()}
    first = Predictor(json, bytes(params), dict(inputs), dev_type, dev_id, kinds, outputs)
    return [first, *(first.reshaped(dict(inputs)) for _ in range(copies - 1))]


def reshaped(predictor: Predictor, inputs: list) -> Predictor:
    """Another predictor for inputs of other shapes; those that are not named keep theirs."""
    return predictor.reshaped({**{name: a.shape for name, a in predictor._inputs.items()}, **dict(inputs)})


def output_shape(predictor: Predictor, index: int) -> tuple[int, ...]:
    """The shape of an output."""
    return predictor.output(index).shape


def output_type(predictor: Predictor, index: int) -> int:
    """The number of an output's type."""
    return FLAG_OF[torch_dtype(predictor.output(index).dtype)]


def _item_size(array: NDArray, size: int, what: str) -> int:
    if size != array.size:
        raise MXNetValueError(f"{what} has shape {array.shape}, which is {array.size} elements, {size} were given")
    return np.dtype(array.dtype).itemsize


def input_item_size(predictor: Predictor, name: str, size: int) -> int:
    """How many bytes an element of an input has; the caller must have as many elements."""
    return _item_size(predictor.input(name), size, f"input {name}")


def output_item_size(predictor: Predictor, index: int, size: int) -> int:
    """How many bytes an element of an output has; the caller must have room for as many elements."""
    return _item_size(predictor.output(index), size, f"output {index}")


def set_input(predictor: Predictor, name: str, view: memoryview) -> None:
    """Copies an input."""
    array = predictor.input(name)
    array[:] = np.frombuffer(view, array.dtype).reshape(array.shape)


def get_output(predictor: Predictor, index: int, view: memoryview) -> None:
    """Copies an output."""
    array = predictor.output(index)
    np.frombuffer(view, array.dtype)[:] = array.asnumpy().ravel()


def partial_forward(predictor: Predictor, step: int) -> int:
    """How many steps are left after this one. A graph runs as a whole: the last step computes it."""
    nodes = sum(not node.is_variable for node in predictor._symbol._outputs.order)
    if step < 0:
        raise MXNetValueError(f"step must not be negative, got {step}")
    left = max(nodes - 1 - step, 0)
    if not left:
        predictor.forward()
    return left


def set_monitor(predictor: Predictor, callback: Any, monitor_all: int) -> None:
    """Sets the monitor."""
    predictor.set_monitor_callback(callback, bool(monitor_all))


def array_list(content: memoryview) -> list[tuple[str, bytes, tuple[int, ...]]]:
    """Names, float32 values and shapes of the arrays in a file."""
    loaded = load_ndarray_file(bytes(content))
    named = loaded.items() if isinstance(loaded, dict) else (("", array) for array in loaded)
    return [(name, np.ascontiguousarray(a, np.float32).tobytes(), a.shape) for name, a in named]
