"""What all tests share."""

import os
import random

import numpy as np
import pytest

# Tests must not depend on data sets that this machine happens to have.
os.environ["MXNET_HOME"] = os.path.join(os.path.dirname(__file__), "no-such-directory")


@pytest.fixture(autouse=True)
def _same_numbers_every_time():
    """Seeds Python's and NumPy's random numbers before each test, so that a failure can be repeated."""
    random.seed(0)
    np.random.seed(0)
