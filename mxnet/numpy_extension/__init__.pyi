# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.ndarray.numpy.array import ndarray
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

from ..context import Context as Context, cpu as cpu, cpu_pinned as cpu_pinned, current_context as current_context, gpu as gpu, gpu_memory_info as gpu_memory_info, num_gpus as num_gpus
from ..ndarray import numpy_extension as _arrays
from ..ndarray.functions import waitall as waitall
from ..util import get_cuda_compute_capability as get_cuda_compute_capability, is_np_array as is_np_array, is_np_shape as is_np_shape, reset_np as reset_np, set_np as set_np
from . import image as image, random as random, utils as utils
from .utils import load as load, save as save
def activation(data: ndarray, act_type: Literal['relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'] | str, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Applies an activation to each element: relu, sigmoid, tanh, softrelu (``log(1 + exp(x))``) or softsign."""
def arange_like(data: ndarray, start: float | SupportsFloat = 0.0, step: float | SupportsFloat = 1.0, repeat: int | SupportsIndex = 1, ctx: Context | str | None = None, axis: int | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Numbers from ``start`` in steps of ``step``, each ``repeat`` times, in the shape of the data or of one axis."""
def batch_dot(lhs: ndarray, rhs: ndarray, transpose_a: bool | int = False, transpose_b: bool | int = False, forward_stype: Literal['csr', 'default', 'row_sparse'] | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Matrix products of two batches: ``lhs`` (..., m, k) and ``rhs`` (..., k, n) give (..., m, n)."""
def batch_flatten(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Collapses all dimensions but the first into one."""
def batch_norm(data: ndarray, gamma: ndarray, beta: ndarray, moving_mean: ndarray, moving_var: ndarray, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, axis: int | SupportsIndex = 1, cudnn_off: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Normalizes each channel (``axis``) to mean 0 and variance 1, then scales by ``gamma`` and shifts by ``beta``."""
def cast(data: ndarray, dtype: DTypeLike | None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """A copy converted to ``dtype``. Fractions are cut off; integers that do not fit wrap around."""
def constraint_check(x: Any, msg: str = 'Constraint violated.') -> Any:
    """True if all elements are; else an error with this message."""
def convolution(data: ndarray, weight: ndarray, bias: ndarray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC'] | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Convolves data (batch, channels, ...) with ``num_filter`` filters in as many dimensions as ``kernel`` has."""
def deconvolution(data: ndarray, weight: ndarray, bias: ndarray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), adj: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), target_shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 512, no_bias: bool | int = True, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC'] | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The transposed convolution: the gradient of ``Convolution`` with respect to its data, as an operator."""
def dropout(data: ndarray, p: float | SupportsFloat = 0.5, mode: Literal['always', 'training'] | str = 'training', axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (), cudnn_off: bool | int | None = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Sets each element to 0 with probability ``p`` and scales the others by 1 / (1 - p), while training."""
def embedding(data: ndarray, weight: ndarray, input_dim: int | SupportsIndex, output_dim: int | SupportsIndex, dtype: DTypeLike | None = ..., sparse_grad: bool | int = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The rows of ``weight`` for the indices in ``data``, which are clipped to [0, input_dim)."""
def erf(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The Gauss error function."""
def erfinv(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The inverse of the Gauss error function, for -1 < x < 1."""
def fully_connected(data: ndarray, weight: ndarray, bias: ndarray | None = None, num_hidden: int | SupportsIndex = ..., no_bias: bool | int = False, flatten: bool | int = True, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Applies a linear map: ``data @ weight.T + bias``."""
def gamma(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The gamma function."""
def gammaln(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The logarithm of the absolute value of the gamma function."""
def gather_nd(data: ndarray, indices: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The elements or slices of ``data`` at the points whose coordinates are the columns of ``indices``."""
def layer_norm(data: ndarray, gamma: ndarray, beta: ndarray, axis: int | SupportsIndex = -1, eps: float | SupportsFloat = 1e-05, output_mean_var: bool | int = False, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Normalizes along ``axis`` to mean 0 and variance 1, then scales by ``gamma`` and shifts by ``beta``."""
def leaky_relu(data: ndarray, gamma: ndarray | None = None, act_type: Literal['elu', 'gelu', 'leaky', 'prelu', 'rrelu', 'selu'] | str = 'leaky', slope: float | SupportsFloat = 0.25, lower_bound: float | SupportsFloat = 0.125, upper_bound: float | SupportsFloat = 0.334, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Activations that let something of the negative through."""
def log_softmax(data: ndarray, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The logarithm of the softmax of ``data / temperature`` along ``axis``. ``dtype`` is the dtype of the result."""
def multibox_detection(cls_prob: ndarray, loc_pred: ndarray, anchor: ndarray, clip: bool | int = True, threshold: float | SupportsFloat = 0.01, background_id: int | SupportsIndex = 0, nms_threshold: float | SupportsFloat = 0.5, force_suppress: bool | int = False, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), nms_topk: int | SupportsIndex = -1, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Detections of SSD: rows (class, score, xmin, ymin, xmax, ymax), best first, for each anchor: (batch, n, 6)."""
def multibox_prior(data: ndarray, sizes: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), clip: bool | int = False, steps: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (-1.0, -1.0), offsets: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 0.5), out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Anchor boxes for each pixel of a feature map (batch, channel, height, width): (1, height * width * k, 4)."""
def multibox_target(anchor: ndarray, label: ndarray, cls_pred: ndarray, overlap_threshold: float | SupportsFloat = 0.5, ignore_label: float | SupportsFloat = -1.0, negative_mining_ratio: float | SupportsFloat = -1.0, negative_mining_thresh: float | SupportsFloat = 0.5, minimum_negative_samples: int | SupportsIndex = 0, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> list[ndarray]:
    """Training targets of SSD: box offsets (batch, n * 4), their mask, and classes (batch, n) of the n anchors."""
def nonzero(a: Any) -> ndarray:
    """The indices of the elements that are not 0, a row for each."""
def one_hot(indices: ndarray, depth: int | SupportsIndex, on_value: float | SupportsFloat = 1.0, off_value: float | SupportsFloat = 0.0, dtype: DTypeLike | None = ..., out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Adds a dimension of size ``depth`` that has ``on_value`` at the index and ``off_value`` elsewhere."""
def pick(data: ndarray, index: ndarray, axis: int | SupportsIndex | None = -1, keepdims: bool | int = False, mode: Literal['clip', 'wrap'] | str = 'clip', out: ndarray | None = None, name: str | None = None) -> ndarray:
    """One element along ``axis`` for every other position, by its index. Indices outside are clipped or wrapped."""
def pooling(data: ndarray, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pool_type: Literal['avg', 'lp', 'max', 'sum'] | str = 'max', global_pool: bool | int = False, cudnn_off: bool | int = False, pooling_convention: Literal['full', 'same', 'valid'] | str = 'valid', stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), p_value: int | SupportsIndex | None = None, count_include_pad: bool | int | None = None, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'] | str | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Reduces windows of ``kernel``, ``stride`` apart (1 by default), to their max, avg, sum or Lp norm."""
def relu(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``max(x, 0)``."""
def reshape(a: Any, newshape: Any, reverse: bool = False, order: str = 'C') -> ndarray:
    """The array with another shape, given with codes."""
def reshape_like(lhs: ndarray, rhs: ndarray, lhs_begin: int | SupportsIndex | None = None, lhs_end: int | SupportsIndex | None = None, rhs_begin: int | SupportsIndex | None = None, rhs_end: int | SupportsIndex | None = None, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Gives ``lhs`` the shape of ``rhs``, or replaces its dimensions [begin, end) by those of ``rhs``."""
def rnn(data: ndarray, parameters: ndarray, state: ndarray, state_cell: ndarray | None = None, sequence_length: ndarray | None = None, state_size: int | SupportsIndex = ..., num_layers: int | SupportsIndex = ..., bidirectional: bool | int = False, mode: Literal['rnn_relu', 'rnn_tanh', 'lstm', 'gru'] | str = ..., p: float | SupportsFloat = 0.0, state_outputs: bool | int = False, projection_size: int | SupportsIndex | None = None, lstm_state_clip_min: float | SupportsFloat | None = None, lstm_state_clip_max: float | SupportsFloat | None = None, lstm_state_clip_nan: bool | int = False, use_sequence_length: bool | int = False, out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> ndarray:
    """Runs layers of recurrent cells over ``data`` of shape (steps, batch, features)."""
def roi_pooling(data: ndarray, rois: ndarray, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, spatial_scale: float | SupportsFloat, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The maxima over a grid of ``pooled_size`` (height, width) laid over each region of interest."""
def sequence_mask(data: ndarray, sequence_length: ndarray | None = None, use_sequence_length: bool | int = False, value: float | SupportsFloat = 0.0, axis: int | SupportsIndex = 0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Replaces what lies beyond the length of each sequence by ``value``. The time ``axis`` is 0 or 1."""
def shape_array(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The size of each dimension, as int64."""
def sigmoid(data: ndarray, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``1 / (1 + exp(-x))``."""
def slice(data: ndarray, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
def smooth_l1(data: ndarray, scalar: float | SupportsFloat = 1.0, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """``(scalar * x)**2 / 2`` where ``|x| < 1 / scalar**2``, else ``|x| - 0.5 / scalar**2``."""
def softmax(data: ndarray, length: ndarray | None = None, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """The softmax of ``data / temperature`` along ``axis``."""
def topk(data: ndarray, axis: int | SupportsIndex | None = -1, k: int | SupportsIndex = 1, ret_typ: Literal['both', 'indices', 'mask', 'value'] | str = 'indices', is_ascend: bool | int = False, dtype: DTypeLike | None = ..., out: ndarray | Sequence[ndarray] | None = None, name: str | None = None) -> ndarray:
    """The ``k`` largest elements along ``axis`` (smallest if ``is_ascend``), in order; all of them if ``k`` < 1."""
from mxnet.base import check_call as check_call, classproperty as classproperty, with_metaclass as with_metaclass
__all__ = ['Context', 'activation', 'arange_like', 'batch_dot', 'batch_flatten', 'batch_norm', 'cast', 'check_call', 'classproperty', 'constraint_check', 'convolution', 'cpu', 'cpu_pinned', 'current_context', 'deconvolution', 'dropout', 'embedding', 'erf', 'erfinv', 'fully_connected', 'gamma', 'gammaln', 'gather_nd', 'get_cuda_compute_capability', 'gpu', 'gpu_memory_info', 'image', 'is_np_array', 'is_np_shape', 'layer_norm', 'leaky_relu', 'load', 'log_softmax', 'multibox_detection', 'multibox_prior', 'multibox_target', 'nonzero', 'num_gpus', 'one_hot', 'pick', 'pooling', 'random', 'relu', 'reset_np', 'reshape', 'reshape_like', 'rnn', 'roi_pooling', 'save', 'sequence_mask', 'set_np', 'shape_array', 'sigmoid', 'slice', 'smooth_l1', 'softmax', 'topk', 'utils', 'waitall', 'with_metaclass']
