"""``to_torch_source``: from a block, a symbol or files to a package of PyTorch source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from .. import autograd
from ..error import MXNetTypeError, MXNetValueError
from ..gluon.block import Block
from ..gluon.parameter import Constant
from ..ndarray import NDArray, array
from ..symbol import Symbol
from .package import Translation, write_package
from .readme import readme_text
from .trace import trace
from .tree import flat


def to_torch_source(
    net: Block | Symbol,
    path: object,
    *inputs: Any,
    params: Mapping[str, Any] | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    trainer: object = None,
    seed: int = 0,
) -> None:
    """Writes a Python package with the network as plain ``torch.nn`` modules, its weights and a check.

    ``net`` is a Gluon block that can be hybridized, with example ``inputs`` (arrays, or shapes for random ones); or a
    symbol, with its ``params`` (by name, as ``mx.nd.load`` gives them) and the ``shapes`` of its inputs. What cannot be
    translated is listed in one error, and nothing is written then. ``trainer`` is a Gluon Trainer or a Module whose
    optimizer goes along: as the function ``optimizer`` in ``optimizer.py``, with its states.
    """
    if isinstance(net, Block):
        made = _of_block(net, inputs, seed)
    elif isinstance(net, Symbol):
        from .symbols import of_symbol

        made = of_symbol(net, params or {}, shapes or {}, inputs, seed)
    else:
        raise MXNetTypeError(f"to_torch_source takes a Gluon block or a symbol, got a {type(net).__name__}")
    translation, outputs = made
    name = translation.structure.root.name
    more: dict[str, Any] = {}
    if trainer is not None:
        from .optimizers import optimizer_files

        more = optimizer_files(trainer, translation, name)
    title = f"{name} in PyTorch, translated from MXNet."
    largest = max((float(np.abs(o).max()) for o in outputs if o.size and o.dtype.kind == "f"), default=1.0)
    if not np.isfinite(largest):
        raise MXNetValueError("the network gives numbers that are not finite for the example inputs: give other ones")
    write_package(translation, path, title, readme_text(translation, name, outputs, more), outputs, more)


def example_shape(given: Any) -> tuple[int, ...]:
    """The shape of what ``example`` makes."""
    return tuple(int(n) for n in getattr(given, "shape", given))


def example(given: Any, rng: np.random.Generator, words: int | None = None) -> np.ndarray:
    """An input: the array that was given, or random numbers of a shape."""
    if isinstance(given, NDArray):
        return given.asnumpy()
    if isinstance(given, np.ndarray):
        return given
    if isinstance(given, torch.Tensor):
        return given.detach().cpu().numpy()
    shape = example_shape(given)
    if words is not None:
        return rng.integers(0, words, shape).astype(np.float32)
    return rng.standard_normal(shape).astype(np.float32)


def _of_block(net: Block, inputs: Sequence[Any], seed: int) -> tuple[Translation, list[np.ndarray]]:
    if not inputs:
        raise MXNetValueError("give example inputs after the path, or their shapes: to_torch_source(net, path, x)")
    rng = np.random.default_rng(seed)
    arrays = [example(i, rng) for i in inputs]
    given = [array(a, dtype=a.dtype) for a in arrays]
    with autograd.pause(train_mode=False):
        results = net(*given)
    names = ["data"] if len(given) == 1 else [f"data{i}" for i in range(len(given))]
    scope, variables = trace(net, names)
    scope.inputs = variables
    parameters = net.collect_params()
    heads = [_entry(v) for v in flat(scope.outputs)]
    tensors = {p.name: p._reduce().as_torch().detach() for p in parameters.values() if p._data is not None}
    frozen = [p.name for p in parameters.values() if p.grad_req == "null"]
    constants = [p.name for p in parameters.values() if isinstance(p, Constant)]
    given_arrays = dict(zip(names, arrays, strict=True))
    translation = Translation(scope, heads, given_arrays, tensors, frozen=frozen, constants=constants)
    return translation, [a.asnumpy() for a in flat_arrays(results)]


def _entry(value: Any) -> Any:
    from ..graph.node import Entry

    return Entry(value[0], value[1])


def flat_arrays(results: Any) -> list[NDArray]:
    """The arrays in nested lists and tuples."""
    if isinstance(results, NDArray):
        return [results]
    return [a for part in results or () for a in flat_arrays(part)]
