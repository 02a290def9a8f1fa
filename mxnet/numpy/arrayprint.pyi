# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from mxnet.ndarray.numpy.functions import set_printoptions as set_printoptions
from mxnet.util import set_module as set_module
