"""The kernels of our own: they are there where there is a compiler, and everything works without them."""

import os
import shutil
import subprocess
import sys

import pytest
import torch

from mxnet import native


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
def test_kernels_were_built():
    assert native.library() is not None


@pytest.mark.parametrize("value, expected", [("0", "None"), ("1", "Library")])
def test_kernels_can_be_turned_off(value, expected):
    if value == "1" and native.library() is None:
        pytest.skip("built without a C compiler")
    code = "from mxnet import native; found = native.library(); print(type(found).__name__.replace('NoneType', 'None'))"
    environment = {**os.environ, "MXNET_NATIVE": value}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected


@pytest.mark.skipif(native.library() is None, reason="built without a C compiler")
def test_only_arrays_of_single_precision_are_passed_on():
    library, arrays = native.library(), [torch.ones(2)] * 7
    for wrong in (torch.ones(2, dtype=torch.float64), torch.ones(2, device="meta")):
        with pytest.raises(Exception, match="a kernel takes float32 arrays on the CPU"):
            library.batch_norm_forward(wrong, *arrays[1:], 1, 2, 0.1, True, False, 1)
    with pytest.raises(AttributeError, match="there is no kernel nothing"):
        _ = library.nothing
