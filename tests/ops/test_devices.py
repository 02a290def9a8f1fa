"""Operators on another device: every sample, forward, on CUDA tensors that have no memory (torch's fake tensors).

A fake tensor refuses to be read from the host (``item``, ``numpy``, a kernel in C) and to be mixed with tensors that
are elsewhere, so that what passes here neither waits for a GPU nor reads memory that is not there.
"""

import contextlib
import ctypes
import pathlib

import numpy as np
import pytest
import torch
from test_ops import GOOD, parsed_attributes
from test_registry import TESTED_IN
from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException

from mxnet.ops import registry
from mxnet.ops.params import REQUIRED

DEVICE = torch.device("cuda:1")
CUDA_BUILD_ONLY = "torch has no fake form of this kernel and asks for a build with CUDA; such a build asks for a driver"
NEEDS_CUDA = RuntimeError if torch.backends.cuda.is_built() else AssertionError
#: What cannot run without data, and why: the error that fake tensors give for it.
EXCEPTIONS = {
    **dict.fromkeys(
        ["_contrib_quantize_v2", "_contrib_quantized_concat"],
        (DataDependentOutputException, "the host asks for the range of the numbers"),
    ),
    "_contrib_calibrate_entropy": (RuntimeError, "thresholds are searched for on the host"),
    **dict.fromkeys(
        ["_contrib_box_nms", "_contrib_MultiBoxDetection", "_contrib_MultiProposal", "_contrib_Proposal"],
        (DataDependentOutputException, "boxes drop others until nothing changes: the host asks after each step"),
    ),
    **dict.fromkeys(
        [
            "_contrib_ROIAlign",
            "_contrib_RROIAlign",
            "_contrib_PSROIPooling",
            "_contrib_DeformablePSROIPooling",
            "ROIPooling",
        ],
        (DataDependentOutputException, "the memory that it takes depends on how large the regions are"),
    ),
    "CTCLoss": (DataDependentOutputException, "torch's kernel takes lengths on the host, and trusts them"),
    **dict.fromkeys(
        ["_adamw_update", "_mp_adamw_update", "_multi_adamw_update", "_multi_mp_adamw_update"],
        (DataDependentOutputException, "a scale that is zero or not finite means no step at all"),
    ),
    "take": (DataDependentOutputException, "mode='raise' has to look at the indices"),
    "_contrib_boolean_mask": (DynamicOutputShapeException, "the shape of the result depends on values"),
    **dict.fromkeys(["_cvimresize", "_cvcopyMakeBorder"], (ValueError, "OpenCV: it says that it works on the CPU")),
    "_cvimdecode": (RuntimeError, "OpenCV decodes on the host, as in the original"),
    "_image_resize": (NotImplementedError, "torch has no Lanczos interpolation, and another one by area; it says so"),
    "RNN": (NEEDS_CUDA, CUDA_BUILD_ONLY),
    **dict.fromkeys(
        ["sgd_mom_update", "mp_sgd_update", "mp_sgd_mom_update"],
        (NEEDS_CUDA, CUDA_BUILD_ONLY),
    ),
}


@pytest.fixture(scope="module", autouse=True)
def guard():
    """What torch does around calls on CUDA tensors: nothing, by the CPU's guard. Builds without CUDA have none."""
    library = ctypes.CDLL(str(pathlib.Path(torch.__file__).parent / "lib" / "libc10.so"))
    guards = (ctypes.c_void_p * 2).in_dll(library, "_ZN3c104impl26device_guard_impl_registryE")  # of CPU and CUDA
    before = guards[1]
    guards[1] = before or guards[0]
    yield
    guards[1] = before


def run(op, inputs, parsed, train=False):
    """The devices of the results. A generator cannot be faked: None is torch's own."""
    with FakeTensorMode(), torch.backends.cudnn.flags(enabled=False):  # cuDNN's kernels have no fake form
        tensors = [
            None if a is None else torch.empty(a.shape, dtype=torch.from_numpy(a).dtype, device=DEVICE) for a in inputs
        ]
        values = {"_train": train, "_rng": None, "_device": DEVICE, "_out": None}
        result = op.kernel(*tensors, **parsed, **{k: values[k] for k in op.supplied})
    return {r.device for r in ([result] if isinstance(result, torch.Tensor) else result)}


@pytest.mark.parametrize(("family", "name", "sample"), GOOD)
def test_on_another_device(family, name, sample):
    op = registry.get(sample.op)
    error, _ = EXCEPTIONS.get(op.name, (None, ""))
    with contextlib.suppress(error or ()):
        assert run(op, sample.inputs, parsed_attributes(op, sample), sample.train) <= {DEVICE}


RANDOM = [n for n, file in TESTED_IN.items() if file in ("ops/test_random.py", "ops/test_dropout.py")]


@pytest.mark.parametrize("name", RANDOM)
def test_random_numbers_on_another_device(name):
    op = registry.get(name)
    if name == "_sample_unique_zipfian":
        pytest.skip("it counts how often it drew on the host, as the original does; test_random.py runs it")
    given = {"shape": (2, 3), "low": 0, "high": 5}
    needed = {k: v for k, v in given.items() if k in op.params and (k == "shape" or op.params[k].default is REQUIRED)}
    assert run(op, [np.ones((4,), np.float32) for _ in op.inputs], op.parse(needed), True) == {DEVICE}
