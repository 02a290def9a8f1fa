# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from mxnet.context import current_context as current_context
from mxnet.ndarray.numpy.functions import array as array, genfromtxt as genfromtxt
