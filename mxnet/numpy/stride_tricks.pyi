# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from mxnet.ndarray import numpy as _mx_nd_np
from mxnet.numpy import broadcast_arrays as broadcast_arrays
