"""Converts a saved network for other programs, and checks that they compute the same.

    python -m mxnet.tools.convert net-symbol.json net-0000.params net.onnx --shape data=1,3,224,224

The ending of the target says what it becomes: ``.onnx`` for ONNX runtimes, ``.pt2`` for ``torch.export.load`` and
AOTInductor, ``.pte`` for ExecuTorch on phones, ``.safetensors`` for the parameters alone.
"""

from __future__ import annotations

import argparse
import io
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .. import onnx, symbol
from .._core.files import writing
from ..context import cpu
from ..error import MXNetError, MXNetValueError
from ..gluon import SymbolBlock
from ..ndarray import NDArray, array, load
from ..ndarray.safetensors import ENDING, load_safetensors, save_safetensors

__all__ = ["convert", "main"]

Shape = tuple[int, ...]
Run = Callable[[Sequence[np.ndarray]], list[np.ndarray]]


class Network:
    """A network read from files, for prediction."""

    def __init__(self, symbol_file: str, params_file: str, shapes: Mapping[str, Shape]):
        self.arrays: dict[str, NDArray] = load(params_file)
        if not isinstance(self.arrays, dict):
            raise MXNetValueError(f"{params_file} holds arrays without names, which cannot be parameters")
        out = symbol.load(symbol_file)
        known = {name.partition(":")[2] or name for name in self.arrays}
        free = [name for name in out.list_inputs() if name not in known]
        unknown = [name for name in shapes if name not in free]
        if unknown or not shapes:
            wrong = f"there is no input {', '.join(unknown)}" if unknown else "the shapes of the inputs are needed"
            raise MXNetValueError(f"{wrong}: --shape NAME=1,3,224,224 for {', '.join(free) or 'none'}")
        self.symbol = out
        #: Inputs in the order of the network; what is left is a label, which prediction does not need.
        self.shapes = {name: shapes[name] for name in free if name in shapes}
        self.types = self._types()
        self.words = self._vocabularies()
        labels = {
            name: symbol.zeros(shape=self._dimensions(name), name=f"{name}_zeros")
            for name in free
            if name not in shapes
        }
        self.block = SymbolBlock(out(**labels) if labels else out, [symbol.var(name) for name in self.shapes])
        self.block.collect_params().load(params_file, ctx=cpu(), cast_dtype=True, dtype_source="saved")

    def _dimensions(self, name: str) -> Shape:
        """As many unknown sizes as an input without a shape has dimensions."""
        arguments, _, _ = self.symbol.infer_shape_partial(**self.shapes)
        found = dict(zip(self.symbol.list_arguments(), arguments, strict=True))[name]
        if not found or 0 in found:
            raise MXNetValueError(f"{name} is neither a parameter nor can its shape be told: give --shape {name}=...")
        return (0,) * len(found)

    def _types(self) -> dict[str, np.dtype]:
        """The types of the inputs, as the parameters determine them; float32 where they do not."""
        names = self.symbol.list_arguments()
        given = {name.partition(":")[2] or name: a.dtype for name, a in self.arrays.items()}
        given = {name: dtype for name, dtype in given.items() if name in names}
        found, _, _ = self.symbol.infer_type(**given)
        if found is None:
            found, _, _ = self.symbol.infer_type(**{**dict.fromkeys(self.shapes, np.float32), **given})
        return {n: np.dtype(t) for n, t in zip(names, found or (), strict=bool(found)) if n in self.shapes}

    def _vocabularies(self) -> dict[str, int]:
        """Inputs that are numbers of words, and how many words there are."""
        found = {}
        for node in self.symbol._outputs.order:
            if node.is_variable or node.op.name != "Embedding":
                continue
            source = node.inputs[0].node
            if source.name in self.shapes:
                found[source.name] = int(node.attrs["input_dim"])
        return found

    def inputs(self, seed: int, more: int = 0) -> list[np.ndarray]:
        """Random arrays for the inputs, for a batch that is larger by some."""
        rng, made = np.random.default_rng(seed), []
        for name, (batch, *rest) in self.shapes.items():
            size, dtype = (batch + more, *rest), self.types.get(name, np.dtype(np.float32))
            numbers = rng.integers(0, self.words[name], size) if name in self.words else rng.standard_normal(size)
            made.append(numbers.astype(dtype))
        return made

    @property
    def tolerance(self) -> float:
        """By how much results may differ, relative to the largest number."""
        return 1e-2 if any(dtype.itemsize < 4 for dtype in self.types.values()) else 1e-4

    def run(self, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        """What it gives here."""
        out = self.block(*[array(x, dtype=x.dtype) for x in inputs])
        return [a.asnumpy() for a in (out if isinstance(out, list | tuple) else [out])]

    def export_program(self, dynamic: bool, largest: int | None = None) -> torch.export.ExportedProgram:
        """The network as a program of torch's operators, for one batch size or for all of them, up to the largest."""
        more = dynamic and largest is None  # torch would take a batch of 1 for a fixed one
        example = tuple(torch.from_numpy(x) for x in self.inputs(0, more=more))
        open_sizes = {0: torch.export.Dim("batch", max=largest)} if dynamic else None
        shapes = tuple(open_sizes for _ in example)
        module = self.block.as_torch().eval().requires_grad_(False)
        return torch.export.export(module, example, dynamic_shapes=shapes)


def _tensors(run: Callable[..., Any]) -> Run:
    """A function of tensors as one of NumPy's arrays."""

    def call(inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        with torch.no_grad():
            out = run(*[torch.from_numpy(x) for x in inputs])
        return [t.numpy() for t in (out if isinstance(out, list | tuple) else [out])]

    return call


def _to_onnx(network: Network, target: str, dynamic: bool) -> Run:
    shapes = list(network.shapes.values())
    types = list(network.types.values())
    onnx.export_model(network.symbol, network.arrays, shapes, types, target, dynamic=dynamic)
    try:
        import onnxruntime
    except ImportError as error:
        raise ImportError(f"{target} is written; to check it, pip install onnxruntime ({error})") from error
    session = onnxruntime.InferenceSession(target, providers=["CPUExecutionProvider"])
    names = list(network.shapes)
    return lambda inputs: session.run(None, dict(zip(names, inputs, strict=True)))


def _to_pt2(network: Network, target: str, dynamic: bool) -> Run:
    memory = io.BytesIO()
    torch.export.save(network.export_program(dynamic), memory)
    with writing(target) as stream:
        stream.write(memory.getbuffer())
    return _tensors(torch.export.load(target).module())


def _to_pte(network: Network, target: str, dynamic: bool) -> Run:
    try:
        from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
        from executorch.exir import to_edge_transform_and_lower
        from executorch.runtime import Runtime
    except ImportError as error:
        raise ImportError(f".pte files need ExecuTorch: pip install executorch ({error})") from error
    largest = max(s[0] for s in network.shapes.values())
    if dynamic and largest < 2:
        raise MXNetValueError("a .pte file has memory for a largest batch: give it by --shape, 2 or more")
    program = network.export_program(dynamic, largest)
    lowered = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()])
    with writing(target) as stream:
        stream.write(lowered.to_executorch().buffer)
    method = Runtime.get().load_program(Path(target)).load_method("forward")
    return _tensors(lambda *inputs: [t.clone() for t in method.execute(inputs)])


_WRITERS: dict[str, Callable[[Network, str, bool], Run]] = {".onnx": _to_onnx, ".pt2": _to_pt2, ".pte": _to_pte}


def _difference(ours: Sequence[np.ndarray], theirs: Sequence[np.ndarray]) -> float:
    """The largest difference, relative to the largest number of an output; infinite if it is not comparable."""
    if [a.shape for a in ours] != [b.shape for b in theirs]:
        return math.inf
    found = 0.0
    for a, b in zip(ours, theirs, strict=True):
        if a.size:
            scale = float(np.abs(a).max()) or 1.0
            distance = float(np.abs(a.astype(np.float64) - b.astype(np.float64)).max()) / scale
            found = max(found, distance if math.isfinite(distance) else math.inf)
    return found


def convert(
    symbol_file: str,
    params_file: str,
    target: str,
    shapes: Mapping[str, Shape] | None = None,
    dynamic_batch: bool = False,
    rtol: float | None = None,
    seed: int = 0,
    report: Callable[[str], Any] = print,
) -> float:
    """Writes ``target`` by its ending, and gives the largest relative difference from what the network computes here.

    ``shapes`` are those of the inputs, by name. With ``dynamic_batch`` their first dimension stays open. A difference
    above ``rtol`` is an error, by default above 1e-4, or 1e-2 in half precision; the file stays, to be looked at. A
    .pte file has memory for batches up to that of ``shapes``.
    """
    ending = Path(target).suffix
    if ending == ENDING:
        return _convert_parameters(params_file, target, report)
    if ending not in _WRITERS:
        raise MXNetValueError(f"{target} ends in none of {', '.join([*_WRITERS, ENDING])}")
    network = Network(symbol_file, params_file, shapes or {})
    rtol = network.tolerance if rtol is None else rtol
    inputs = ", ".join(f"{name} {shape}" for name, shape in network.shapes.items())
    report(f"{symbol_file}: {inputs} -> {', '.join(network.symbol.list_outputs())}")
    run = _WRITERS[ending](network, target, dynamic_batch)
    sizes = "" if not dynamic_batch else ", batches up to this one" if ending == ".pte" else ", batches of any size"
    report(f"{target}: {Path(target).stat().st_size} bytes{sizes}")
    worst = 0.0
    for more in ((0, -1) if ending == ".pte" else (0, 1, 2)) if dynamic_batch else (0,):
        arrays = network.inputs(seed, more)
        worst = max(worst, _difference(network.run(arrays), run(arrays)))
    if not worst <= rtol:
        raise MXNetError(f"{target} gives other numbers than here: by {worst:.2g} of the largest, allowed are {rtol:g}")
    report(f"{target}: as computed here, to {worst:.1e} of the largest number")
    return worst


def _convert_parameters(params_file: str, target: str, report: Callable[[str], Any]) -> float:
    arrays = load(params_file)
    save_safetensors(target, arrays)
    found = load_safetensors(target)
    pairs = zip(arrays, found, strict=True) if isinstance(arrays, list) else ((arrays[k], found[k]) for k in arrays)
    if len(found) != len(arrays) or any(not torch.equal(a.as_torch(), b.as_torch()) for a, b in pairs):
        raise MXNetError(f"{target} does not hold what {params_file} does")
    report(f"{target}: {len(arrays)} arrays, the same as in {params_file}")
    return 0.0


def _shape(text: str) -> tuple[str, Shape]:
    name, _, sizes = text.partition("=")
    shape = tuple(int(n) for n in sizes.strip("()").split(",") if n.strip())
    if not name or not shape or min(shape) < 1:
        raise ValueError(text)
    return name, shape


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command."""
    about = "Convert a saved network to .onnx, .pt2, .pte or .safetensors, and check what it computes there"
    parser = argparse.ArgumentParser("convert", description=about)
    parser.add_argument("symbol", help="the graph, e.g. net-symbol.json")
    parser.add_argument("params", help="its parameters, e.g. net-0000.params")
    parser.add_argument("target", help="the file to write: what it becomes is told by its ending")
    parser.add_argument(
        "--shape", action="append", default=[], type=_shape, metavar="NAME=1,3,224,224", help="the shape of an input"
    )
    parser.add_argument(
        "--dynamic-batch",
        action="store_true",
        help="leave the first dimension of the inputs open; .pte files: up to the one given",
    )
    parser.add_argument("--rtol", type=float, help="the largest relative difference (1e-4; 1e-2 in half precision)")
    parser.add_argument("--seed", type=int, default=0, help="of the random inputs for the comparison")
    given = parser.parse_args(argv)
    try:
        shapes = dict(given.shape)
        convert(given.symbol, given.params, given.target, shapes, given.dynamic_batch, given.rtol, given.seed)
    except (MXNetError, ImportError) as error:
        print(f"convert: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("convert: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
