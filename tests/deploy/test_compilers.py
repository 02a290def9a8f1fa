"""What other compilers and runtimes make of our networks: ExecuTorch (XNNPACK) and TVM.

``make compilers`` installs them; ``make slow`` does so first. They are large, and ExecuTorch asks for versions of its
own of packages that other tests need.
"""

import numpy as np
import pytest
import run_blocks
import torch
from test_torch_export import NETWORKS, assert_same, random_inputs, saved, small_network

from mxnet.tools.convert import convert

__all__ = ["saved"]  # a fixture
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # theirs, and not ours to repair
]
MISSING = "make compilers installs it"


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name, shape", [("net", (2, 3, 16, 16)), ("mlp", (2, 3))])
def test_executorch(saved, name, shape, dynamic):
    pytest.importorskip("executorch", reason=MISSING)
    files = [str(saved / f) for f in (f"{name}-symbol.json", f"{name}-0000.params", f"{name}.pte")]
    lines = []
    assert convert(*files, {"data": shape}, dynamic, report=lines.append) < 1e-4
    assert f"{name}.pte" in lines[-1]


def test_executorch_runs_convolutions_by_xnnpack(saved):
    pytest.importorskip("executorch", reason=MISSING)
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    module = small_network().as_torch().eval().requires_grad_(False)
    program = torch.export.export(module, (torch.ones(2, 3, 16, 16),))
    lowered = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()])
    left = [str(n.target) for n in lowered.exported_program().graph.nodes if n.op == "call_function"]
    assert not any("convolution" in op or "batch_norm" in op for op in left), left


@pytest.mark.parametrize("name", ["convolutions", "attention", "symbol", "cells"])
def test_tvm(name):
    tvm = pytest.importorskip("tvm", reason=MISSING)
    from tvm.relax import VirtualMachine
    from tvm.relax.frontend.torch import from_exported_program

    make, shapes = NETWORKS[name]
    module, inputs = make().as_torch().eval(), random_inputs(shapes)
    with torch.no_grad():
        program = torch.export.export(module, inputs)
        expected = module(*inputs)
    machine = VirtualMachine(tvm.compile(from_exported_program(program), target="llvm"), tvm.cpu())
    found = machine["main"](*[tvm.runtime.tensor(x.numpy()) for x in inputs])
    found = found if hasattr(found, "numpy") else found[0]
    assert_same(torch.from_numpy(np.array(found.numpy())), expected)


def test_what_the_page_shows():
    """The block of docs/torch.md that needs TVM."""
    pytest.importorskip("tvm", reason=MISSING)
    example = torch.ones(2, 3, 16, 16)
    given = {"torch": torch, "module": small_network().as_torch().eval(), "example": example}
    exec(run_blocks.program("torch.md", "tests/deploy/test_compilers.py"), given)
    with torch.no_grad():
        assert_same(torch.from_numpy(np.array(given["result"])), given["module"](example))
