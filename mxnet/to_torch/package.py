"""The files of a translated network: source, weights, a check, and a page about them."""

from __future__ import annotations

import ast
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ..error import MXNetError, MXNetNotImplementedError, MXNetValueError
from ..graph.infer import graph_dtypes
from ..graph.node import Entry, Graph, Node
from . import kernels
from .build import Builder
from .obstacles import obstacles, refuse
from .sizes import Sizes
from .snippets import SNIPPETS
from .structure import Structure
from .tree import Make, Scope, Weight, flat
from .writer import model_source


class Translation:
    """A network that is being translated: the graph in scopes, and the arrays by the names of their variables."""

    def __init__(
        self,
        scope: Scope,
        outputs: Sequence[Entry],
        inputs: Mapping[str, np.ndarray],
        arrays: Mapping[str, torch.Tensor],
        labels: Sequence[str] = (),
        frozen: Sequence[str] = (),
        constants: Sequence[str] = (),
    ):
        self.inputs, self.arrays = dict(inputs), dict(arrays)
        graph = Graph.of(outputs)
        order = graph.order
        given: dict[str, Any] = {name: tuple(a.shape) for name, a in inputs.items()}
        given |= {name: tuple(a.shape) for name, a in arrays.items()}
        refuse(obstacles(order, arrays))
        types = {name: torch.from_numpy(a).dtype for name, a in inputs.items()}
        types |= {name: a.dtype for name, a in arrays.items()}
        sizes = Sizes(outputs, given, list(inputs))
        shapes = sizes.shapes
        dtypes = graph_dtypes(outputs, {n.name: types[n.name] for n in order if n.is_variable and n.name in types})
        unknown = [f"{n.name} ({n.op.name})" for n in order if n.op is not None and not _is_known(shapes, n)]
        if unknown:
            raise MXNetValueError(
                f"the shapes of these nodes cannot be inferred from those of the inputs: {', '.join(unknown)}"
            )
        states = graph.states
        variables = [n for n in order if n.is_variable]
        self.label_nodes = {n: n.name for n in variables if n.name in labels}
        fixed = set(constants)
        parameters = {
            n: "state" if n in states or n.name in fixed else "parameter" for n in variables if n.name in arrays
        }
        builder = Builder(sizes, dtypes, parameters, self.label_nodes)
        self.make = builder.root(scope)
        refuse(builder.problems)
        self.order = order
        self.needs = builder.uses_ops
        self.weights: dict[str, Weight] = {}
        self._place_weights(set(frozen))
        self.structure = Structure(self.make)

    # ---- parameters --------------------------------------------------------------------------------------------------

    def _place_weights(self, frozen: set[str]) -> None:
        proto = self.make.proto
        assert proto is not None
        seen: dict[int, str] = {}
        first: dict[tuple[str, int | None], str] = {}

        def visit(make: Make, path: str) -> None:
            if id(make) in seen and any(m.weights for m in make.walk()):
                proto.tied.append((path, seen[id(make)]))
                for name in [n for n in self.weights if n.startswith(seen[id(make)] + ".")]:
                    self.weights[path + name.removeprefix(seen[id(make)])] = self.weights[name]
                return
            seen[id(make)] = path
            for state, weight in make.weights.items():
                full = f"{path}.{state}" if state else path
                self.weights[full] = weight
                if weight.variable is None:
                    continue
                key = weight.variable, weight.offset
                is_buffer = make.name == "buffer" or state.startswith("running_")
                if key in first and not is_buffer:
                    proto.tied.append((full, first[key]))
                first.setdefault(key, full)
                if weight.variable in frozen and not is_buffer and full == first[key]:
                    proto.frozen.append(full)
            for i, item in enumerate(make.items):
                visit(item, f"{path}.{i}")
            if make.proto is not None:
                for name, child in make.proto.children.items():
                    visit(child, f"{path}.{name}" if path else name)

        visit(self.make, "")

    def state_dict(self) -> dict[str, torch.Tensor]:
        """The numbers, by torch's names."""
        found = {}
        for name, weight in self.weights.items():
            if weight.variable is None:
                is_count = name.endswith("num_batches_tracked")
                dtype = torch.int64 if is_count else torch.float32
                found[name] = torch.full(weight.shape, weight.fill, dtype=dtype)
                continue
            array = self.arrays[weight.variable]
            if weight.offset is not None:
                array = array.reshape(-1)[weight.offset : weight.offset + int(np.prod(weight.shape))]
            found[name] = array.reshape(weight.shape).clone().contiguous()
        return found

    def names(self) -> dict[str, str]:
        """MXNet's name of each parameter; with an offset for a part of a vector."""
        return {
            name: w.variable if w.offset is None else f"{w.variable}[{w.offset}]"
            for name, w in self.weights.items()
            if w.variable is not None
        }

    # ---- files -------------------------------------------------------------------------------------------------------

    def sources(self, title: str) -> dict[str, str]:
        """model.py and ops.py."""
        model = model_source(self.structure, title)
        needs = set(self.needs) | {n for n in SNIPPETS if f"{n}(" in model}
        found = {"model.py": model}
        if needs:
            try:
                found["ops.py"] = kernels.ops_source(needs)
            except kernels.Unclean as error:
                raise MXNetNotImplementedError(f"functions of two operators have the same name: {error}") from error
        for name, text in found.items():
            ast.parse(text, name)  # names come from files: nothing that is no program may be written
        return found


def _is_known(shapes: Mapping[Any, Any], node: Node) -> bool:
    keys = [(node, i) for i in range(node.num_outputs())] + [(e.node, e.index) for e in node.inputs]
    return all(shapes.get(k) is not None and all(n >= 0 for n in shapes[k]) for k in keys)


_CHECK = '''"""Runs the network on recorded inputs and compares the results with those of MXNet: ``python check.py``."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import torch
from safetensors.torch import load_file

HERE = Path(__file__).resolve().parent
TOLERANCE = {tolerance}


def main() -> int:
    model = package().load()
    recorded = load_file(HERE / "check.safetensors")
    inputs = [recorded[f"input_{{i}}"] for i in range({inputs})]
    with torch.no_grad():
        results = flat(model(*inputs))
    worst = 0.0
    for i, result in enumerate(results):
        expected = recorded[f"output_{{i}}"]
        if result.shape != expected.shape:
            print(f"output {{i}} has shape {{tuple(result.shape)}}, expected {{tuple(expected.shape)}}")
            return 1
        if expected.numel():
            largest = float(expected.double().abs().max()) or 1.0
            worst = max(worst, float((result.double() - expected.double()).abs().max()) / largest)
    print(f"largest difference: {{worst:.1e}} of the largest number; allowed: {{TOLERANCE}}")
    return 0 if worst <= TOLERANCE else 1


def package() -> ModuleType:
    """This directory as a package, whatever its name."""
    found = importlib.util.spec_from_file_location("network", HERE / "__init__.py")
    assert found is not None and found.loader is not None
    module = sys.modules["network"] = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def flat(results: object) -> list[torch.Tensor]:
    """The tensors in nested lists and tuples."""
    if isinstance(results, torch.Tensor):
        return [results]
    assert isinstance(results, (list, tuple))
    return [tensor for part in results for tensor in flat(part)]


if __name__ == "__main__":
    sys.exit(main())
'''


#: What a package may consist of: a directory with anything else is not replaced.
_NAMES = {
    *("__init__.py", "__pycache__", "README.md", "model.py", "ops.py", "check.py", "optimizer.py"),
    *("weights.safetensors", "check.safetensors", "optimizer.safetensors"),
}


def write_package(
    translation: Translation,
    path: Any,
    title: str,
    readme: str,
    outputs: Sequence[np.ndarray],
    more: Mapping[str, Any] | None = None,
    tolerance: float = 1e-4,
) -> None:
    """Writes all files to a new directory, which then takes the place of ``path``: nothing is ever half written."""
    try:
        from safetensors.torch import save_file
    except ImportError as error:
        raise ImportError(f"PyTorch source comes with safetensors files: pip install safetensors ({error})") from error
    target = Path(path)
    if target.exists():
        found = {p.name for p in target.iterdir()} if target.is_dir() else {target.name}
        foreign = sorted(found - _NAMES if "model.py" in found else found)
        if foreign:
            shown = f"{', '.join(foreign[:5])}{', ...' if len(foreign) > 5 else ''}"
            raise MXNetValueError(f"{target} has files that this tool did not write ({shown}): give another directory")
    texts = translation.sources(title)
    texts["__init__.py"] = f'"""{title}"""\n\nfrom .model import load\n\n__all__ = ["load"]\n'
    texts["check.py"] = _CHECK.format(inputs=len(translation.inputs), tolerance=tolerance)
    texts["README.md"] = readme
    recorded = {f"input_{i}": torch.from_numpy(a.copy()) for i, a in enumerate(translation.inputs.values())}
    recorded |= {f"output_{i}": torch.from_numpy(np.ascontiguousarray(a)) for i, a in enumerate(outputs)}
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        for name, text in texts.items():
            (work / name).write_text(text, encoding="utf-8")
        save_file(translation.state_dict(), work / "weights.safetensors", {"format": "pt", **translation.names()})
        save_file(recorded, work / "check.safetensors")
        for name, content in (more or {}).items():
            if isinstance(content, str):
                (work / name).write_text(content, encoding="utf-8")
            else:
                save_file(content, work / name)
        os.chmod(work, 0o755)
        if target.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent)) / "old"
            os.rename(target, old)
            os.rename(work, target)
            shutil.rmtree(old.parent)
        else:
            os.rename(work, target)
    except OSError as error:
        raise MXNetError(f"{target} cannot be written: {error}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


__all__ = ["Translation", "flat", "write_package"]
