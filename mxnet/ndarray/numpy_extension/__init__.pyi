# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

from functools import partial as _partial
from ...ops.numpy.extension import functions as _made
from ..gate import invoke as _invoke, specialize as _specialize
from ..numpy.array import ndarray as _ndarray
from ..numpy.dispatch import arrays as _arrays
from . import image as image, random as random
FUNCTIONS: dict[Any, Any]
from mxnet.numpy_extension import activation as activation, arange_like as arange_like, batch_dot as batch_dot, batch_flatten as batch_flatten, batch_norm as batch_norm, cast as cast, constraint_check as constraint_check, convolution as convolution, deconvolution as deconvolution, dropout as dropout, embedding as embedding, erf as erf, erfinv as erfinv, fully_connected as fully_connected, gamma as gamma, gammaln as gammaln, gather_nd as gather_nd, layer_norm as layer_norm, leaky_relu as leaky_relu, log_softmax as log_softmax, multibox_detection as multibox_detection, multibox_prior as multibox_prior, multibox_target as multibox_target, nonzero as nonzero, one_hot as one_hot, pick as pick, pooling as pooling, relu as relu, reshape as reshape, reshape_like as reshape_like, rnn as rnn, roi_pooling as roi_pooling, sequence_mask as sequence_mask, shape_array as shape_array, sigmoid as sigmoid, slice as slice, smooth_l1 as smooth_l1, softmax as softmax, topk as topk
__all__ = ['FUNCTIONS', 'activation', 'arange_like', 'batch_dot', 'batch_flatten', 'batch_norm', 'cast', 'constraint_check', 'convolution', 'deconvolution', 'dropout', 'embedding', 'erf', 'erfinv', 'fully_connected', 'gamma', 'gammaln', 'gather_nd', 'image', 'layer_norm', 'leaky_relu', 'log_softmax', 'multibox_detection', 'multibox_prior', 'multibox_target', 'nonzero', 'one_hot', 'pick', 'pooling', 'random', 'relu', 'reshape', 'reshape_like', 'rnn', 'roi_pooling', 'sequence_mask', 'shape_array', 'sigmoid', 'slice', 'smooth_l1', 'softmax', 'topk']
