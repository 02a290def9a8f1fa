# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import amp as amp, autograd as autograd, io as io, memonger as memonger, onnx as onnx, quantization as quant, quantization as quantization, svrg_optimization as svrg_optimization, tensorboard as tensorboard, text as text
from mxnet.ndarray import contrib as nd, contrib as ndarray
from mxnet.symbol import contrib as sym, contrib as symbol
__all__ = ['amp', 'autograd', 'io', 'memonger', 'nd', 'ndarray', 'onnx', 'quant', 'quantization', 'svrg_optimization', 'sym', 'symbol', 'tensorboard', 'text']
