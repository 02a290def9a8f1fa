# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

from ...ops.numpy import random_functions as _shared
from ..numpy.dispatch import arrays as _arrays
FUNCTIONS: dict[Any, Any]
from mxnet.numpy_extension.random import bernoulli as bernoulli, normal_n as normal_n, uniform_n as uniform_n
__all__ = ['bernoulli', 'uniform_n', 'normal_n']
