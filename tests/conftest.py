"""What all tests share."""

import os
import random
import sys

import numpy as np
import pytest

# Tests must not depend on data sets that this machine happens to have.
os.environ["MXNET_HOME"] = os.path.join(os.path.dirname(__file__), "no-such-directory")


@pytest.fixture(autouse=True)
def _same_numbers_every_time():
    """Seeds all random numbers before each test, so that a failure can be repeated."""
    random.seed(0)
    np.random.seed(0)
    if "torch" in sys.modules:  # else there is nothing to seed, and some tests must not import it
        import mxnet as mx
        from mxnet.graph import passes

        mx.random.seed(0)
        passes.verifying = True


@pytest.fixture(params=[1, 2])
def threads(request):
    """Runs the test with one computing thread, and with two."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)
