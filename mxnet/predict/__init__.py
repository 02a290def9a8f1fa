"""Prediction with a network from files, and nothing else: what programs in C use (``c_predict_api.h``), for Python.

predictor = Predictor(open("net-symbol.json").read(), open("net-0000.params", "rb").read(), {"data": (1, 1, 28, 28)})
predictor.forward(data=image)
probabilities = predictor.get_output(0)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import ndarray as nd, symbol as sym
from .._core.dtypes import NUMPY_OF, torch_dtype
from ..context import Context, cpu, gpu
from ..error import MXNetValueError
from ..executor import Executor
from ..ndarray import NDArray

__all__ = ["Predictor", "load_ndarray_file"]

Shapes = Mapping[str, Sequence[int]]


class Predictor:
    """A network with its parameters, for inputs of certain shapes.

    ``symbol_file`` is the network's JSON, as text or as the name of a file; ``param_raw_bytes`` the content of its
    ``.params`` file. Arguments that are neither inputs nor parameters, the labels of losses, are zeros. ``type_dict``
    gives types of arguments other than float32. With ``outputs``, names of layers without ``_output``, these are the
    results instead of the network's own.
    """

    def __init__(
        self,
        symbol_file: str,
        param_raw_bytes: bytes | memoryview,
        input_shapes: Shapes,
        dev_type: str | int = "cpu",
        dev_id: int = 0,
        type_dict: Mapping[str, Any] | None = None,
        outputs: Sequence[str] = (),
    ):
        network = sym.load_json(symbol_file) if symbol_file.lstrip()[:1] == "{" else sym.load(os.fspath(symbol_file))
        if outputs:
            internals = network.get_internals()
            known = set(internals.list_outputs())
            for name in outputs:
                if f"{name}_output" not in known:
                    raise MXNetValueError(f"the network has no layer {name!r} to take an output of")
            network = sym.Group([internals[f"{name}_output"] for name in outputs])
        saved = nd.load_frombuffer(param_raw_bytes) if len(param_raw_bytes) else {}
        if not isinstance(saved, dict):
            raise MXNetValueError("the parameters have no names: this is not a .params file of a network")
        self._symbol = network
        self._context = _context(dev_type, dev_id)
        self._types = {name: NUMPY_OF[torch_dtype(kind)] for name, kind in (type_dict or {}).items()}
        self._saved = {name.partition(":")[2] or name: array for name, array in saved.items()}
        self._bind(input_shapes)

    def _bind(self, input_shapes: Shapes, shared: Predictor | None = None) -> None:
        shapes = {name: tuple(int(size) for size in shape) for name, shape in input_shapes.items()}
        arguments = self._symbol.list_arguments()
        for name in shapes:
            if name not in arguments:
                raise MXNetValueError(f"the network has no input {name!r}; its arguments are {', '.join(arguments)}")
        given = {name: self._saved[name].dtype for name in arguments if name in self._saved and name not in shapes}
        given.update(self._types)
        known = {name: self._saved[name].shape for name in given if name in self._saved}
        arg_shapes, _, aux_shapes = self._symbol.infer_shape(**{**known, **shapes})
        arg_types, _, aux_types = self._symbol.infer_type(**given)
        if arg_types is None:  # the parameters do not determine the types of all inputs
            arg_types, _, aux_types = self._symbol.infer_type(**{**dict.fromkeys(shapes, np.float32), **given})
        if arg_shapes is None or arg_types is None:
            raise MXNetValueError(
                f"the shapes {dict(shapes)} of the inputs do not determine the shapes and types of all arguments"
            )
        args = self._arrays(arguments, arg_shapes, arg_types, shapes, shared and shared._executor.arg_dict)
        states = self._symbol.list_auxiliary_states()
        aux = self._arrays(states, aux_shapes, aux_types, {}, shared and shared._executor.aux_dict)
        self._executor: Executor = self._symbol.bind(self._context, args, grad_req="null", aux_states=aux)
        self._inputs = {name: self._executor.arg_dict[name] for name in shapes}
        self._monitor: tuple[Callable[[str, NDArray], None], bool] | None = None
        self._outputs: list[NDArray] | None = None

    def _arrays(self, names: list[str], shapes: list, types: list, inputs: Shapes, shared: Any) -> dict[str, NDArray]:
        arrays = {}
        for name, shape, kind in zip(names, shapes, types, strict=True):
            if name in self._saved and name not in inputs:
                value = shared[name] if shared else self._saved[name].as_in_context(self._context)
                if value.shape != tuple(shape):
                    raise MXNetValueError(f"{name} has shape {value.shape} in the file, the network needs {shape}")
                arrays[name] = value.astype(kind, copy=False)
            else:
                arrays[name] = nd.zeros(shape, self._context, kind)
        return arrays

    @property
    def num_outputs(self) -> int:
        """How many outputs the network has."""
        return len(self._symbol.list_outputs())

    def _copy(self, input_shapes: Shapes) -> Predictor:
        made = object.__new__(Predictor)
        made._symbol, made._context, made._types, made._saved = self._symbol, self._context, self._types, self._saved
        made._bind(input_shapes, self)
        return made

    def reshape(self, input_shapes: Shapes) -> None:
        """Makes it take inputs of other shapes."""
        self._bind(input_shapes, self)

    def reshaped(self, input_shapes: Shapes) -> Predictor:
        """Another predictor with the same parameters, for inputs of other shapes."""
        return self._copy(input_shapes)

    def input(self, name: str) -> NDArray:
        """The array of an input; what is written to it is taken by the next ``forward``."""
        try:
            return self._inputs[name]
        except KeyError:
            raise MXNetValueError(f"no input is named {name!r}; known: {', '.join(self._inputs)}") from None

    def forward(self, **inputs: Any) -> None:
        """Computes the outputs; inputs that are not given stay as they were."""
        for name, value in inputs.items():
            target = self.input(name)
            if np.shape(value) != target.shape:
                raise MXNetValueError(f"input {name} has shape {target.shape}, an array of {np.shape(value)} was given")
            target[:] = value
        self._outputs = self._executor.forward(is_train=False)

    def output(self, index: int) -> NDArray:
        """An output after the last ``forward``; zeros before the first."""
        if not 0 <= index < self.num_outputs:
            raise MXNetValueError(f"there is no output {index}, the network has {self.num_outputs}")
        return (self._executor.outputs if self._outputs is None else self._outputs)[index]

    def get_output(self, index: int) -> np.ndarray:
        """An output, as a NumPy array of its own."""
        return self.output(index).asnumpy()

    def set_monitor_callback(self, callback: Callable[[str, NDArray], None], monitor_all: bool = False) -> None:
        """Calls ``callback(name, array)`` for the outputs of all layers, with ``monitor_all`` also for their inputs."""
        self._executor.set_monitor_callback(callback, monitor_all)


def _context(kind: str | int, number: int) -> Context:
    if kind in ("cpu", 1):
        return cpu(number)
    if kind in ("gpu", 2):
        return gpu(number)
    raise MXNetValueError(f"dev_type must be 'cpu' (1) or 'gpu' (2), got {kind!r}")


def load_ndarray_file(nd_bytes: bytes | memoryview) -> dict[str, np.ndarray] | list[np.ndarray]:
    """The arrays of a file that ``nd.save`` wrote, from its bytes, as NumPy arrays."""
    loaded = nd.load_frombuffer(nd_bytes)
    if isinstance(loaded, dict):
        return {name: array.asnumpy() for name, array in loaded.items()}
    return [array.asnumpy() for array in loaded]
