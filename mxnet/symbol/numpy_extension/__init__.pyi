# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

from functools import partial as _partial
from ...ops.numpy.extension import functions as _made
from ..numpy._symbol import _Symbol as _Symbol, symbols as _symbols
from ..symbol import compose as _compose
from . import image as image, random as random
_FUNCTIONS: dict[Any, Any]
def activation(data: _Symbol | None = None, act_type: Literal['relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'] | str = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Applies an activation to each element: relu, sigmoid, tanh, softrelu (``log(1 + exp(x))``) or softsign."""
def arange_like(data: _Symbol | None = None, start: float | SupportsFloat = 0.0, step: float | SupportsFloat = 1.0, repeat: int | SupportsIndex = 1, ctx: Context | str | None = None, axis: int | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Numbers from ``start`` in steps of ``step``, each ``repeat`` times, in the shape of the data or of one axis."""
def batch_dot(lhs: _Symbol | None = None, rhs: _Symbol | None = None, transpose_a: bool | int = False, transpose_b: bool | int = False, forward_stype: Literal['csr', 'default', 'row_sparse'] | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Matrix products of two batches: ``lhs`` (..., m, k) and ``rhs`` (..., k, n) give (..., m, n)."""
def batch_flatten(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Collapses all dimensions but the first into one."""
def batch_norm(data: _Symbol | None = None, gamma: _Symbol | None = None, beta: _Symbol | None = None, moving_mean: _Symbol | None = None, moving_var: _Symbol | None = None, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, axis: int | SupportsIndex = 1, cudnn_off: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Normalizes each channel (``axis``) to mean 0 and variance 1, then scales by ``gamma`` and shifts by ``beta``."""
def cast(data: _Symbol | None = None, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """A copy converted to ``dtype``. Fractions are cut off; integers that do not fit wrap around."""
def constraint_check(x: Any, msg: str = 'Constraint violated.') -> Any:
    """True if all elements are; else an error with this message."""
def convolution(data: _Symbol | None = None, weight: _Symbol | None = None, bias: _Symbol | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC'] | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Convolves data (batch, channels, ...) with ``num_filter`` filters in as many dimensions as ``kernel`` has."""
def deconvolution(data: _Symbol | None = None, weight: _Symbol | None = None, bias: _Symbol | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), adj: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), target_shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 512, no_bias: bool | int = True, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC'] | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The transposed convolution: the gradient of ``Convolution`` with respect to its data, as an operator."""
def dropout(data: _Symbol | None = None, p: float | SupportsFloat = 0.5, mode: Literal['always', 'training'] | str = 'training', axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (), cudnn_off: bool | int | None = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Sets each element to 0 with probability ``p`` and scales the others by 1 / (1 - p), while training."""
def embedding(data: _Symbol | None = None, weight: _Symbol | None = None, input_dim: int | SupportsIndex = ..., output_dim: int | SupportsIndex = ..., dtype: DTypeLike | None = ..., sparse_grad: bool | int = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The rows of ``weight`` for the indices in ``data``, which are clipped to [0, input_dim)."""
def erf(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The Gauss error function."""
def erfinv(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The inverse of the Gauss error function, for -1 < x < 1."""
def fully_connected(data: _Symbol | None = None, weight: _Symbol | None = None, bias: _Symbol | None = None, num_hidden: int | SupportsIndex = ..., no_bias: bool | int = False, flatten: bool | int = True, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Applies a linear map: ``data @ weight.T + bias``."""
def gamma(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The gamma function."""
def gammaln(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The logarithm of the absolute value of the gamma function."""
def gather_nd(data: _Symbol | None = None, indices: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The elements or slices of ``data`` at the points whose coordinates are the columns of ``indices``."""
def layer_norm(data: _Symbol | None = None, gamma: _Symbol | None = None, beta: _Symbol | None = None, axis: int | SupportsIndex = -1, eps: float | SupportsFloat = 1e-05, output_mean_var: bool | int = False, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Normalizes along ``axis`` to mean 0 and variance 1, then scales by ``gamma`` and shifts by ``beta``."""
def leaky_relu(data: _Symbol | None = None, gamma: _Symbol | None = None, act_type: Literal['elu', 'gelu', 'leaky', 'prelu', 'rrelu', 'selu'] | str = 'leaky', slope: float | SupportsFloat = 0.25, lower_bound: float | SupportsFloat = 0.125, upper_bound: float | SupportsFloat = 0.334, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Activations that let something of the negative through."""
def log_softmax(data: _Symbol | None = None, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The logarithm of the softmax of ``data / temperature`` along ``axis``. ``dtype`` is the dtype of the result."""
def multibox_detection(cls_prob: _Symbol | None = None, loc_pred: _Symbol | None = None, anchor: _Symbol | None = None, clip: bool | int = True, threshold: float | SupportsFloat = 0.01, background_id: int | SupportsIndex = 0, nms_threshold: float | SupportsFloat = 0.5, force_suppress: bool | int = False, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), nms_topk: int | SupportsIndex = -1, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Detections of SSD: rows (class, score, xmin, ymin, xmax, ymax), best first, for each anchor: (batch, n, 6)."""
def multibox_prior(data: _Symbol | None = None, sizes: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), clip: bool | int = False, steps: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (-1.0, -1.0), offsets: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 0.5), out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Anchor boxes for each pixel of a feature map (batch, channel, height, width): (1, height * width * k, 4)."""
def multibox_target(anchor: _Symbol | None = None, label: _Symbol | None = None, cls_pred: _Symbol | None = None, overlap_threshold: float | SupportsFloat = 0.5, ignore_label: float | SupportsFloat = -1.0, negative_mining_ratio: float | SupportsFloat = -1.0, negative_mining_thresh: float | SupportsFloat = 0.5, minimum_negative_samples: int | SupportsIndex = 0, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Training targets of SSD: box offsets (batch, n * 4), their mask, and classes (batch, n) of the n anchors."""
def nonzero(a: Any) -> _Symbol:
    """The indices of the elements that are not 0, a row for each."""
def one_hot(indices: _Symbol | None = None, depth: int | SupportsIndex = ..., on_value: float | SupportsFloat = 1.0, off_value: float | SupportsFloat = 0.0, dtype: DTypeLike | None = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Adds a dimension of size ``depth`` that has ``on_value`` at the index and ``off_value`` elsewhere."""
def pick(data: _Symbol | None = None, index: _Symbol | None = None, axis: int | SupportsIndex | None = -1, keepdims: bool | int = False, mode: Literal['clip', 'wrap'] | str = 'clip', out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """One element along ``axis`` for every other position, by its index. Indices outside are clipped or wrapped."""
def pooling(data: _Symbol | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pool_type: Literal['avg', 'lp', 'max', 'sum'] | str = 'max', global_pool: bool | int = False, cudnn_off: bool | int = False, pooling_convention: Literal['full', 'same', 'valid'] | str = 'valid', stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), p_value: int | SupportsIndex | None = None, count_include_pad: bool | int | None = None, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'] | str | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Reduces windows of ``kernel``, ``stride`` apart (1 by default), to their max, avg, sum or Lp norm."""
def relu(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``max(x, 0)``."""
def reshape(a: Any, newshape: Any, reverse: bool = False, order: str = 'C') -> _Symbol:
    """The array with another shape, given with codes."""
def reshape_like(lhs: _Symbol | None = None, rhs: _Symbol | None = None, lhs_begin: int | SupportsIndex | None = None, lhs_end: int | SupportsIndex | None = None, rhs_begin: int | SupportsIndex | None = None, rhs_end: int | SupportsIndex | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Gives ``lhs`` the shape of ``rhs``, or replaces its dimensions [begin, end) by those of ``rhs``."""
def rnn(data: _Symbol | None = None, parameters: _Symbol | None = None, state: _Symbol | None = None, state_cell: _Symbol | None = None, sequence_length: _Symbol | None = None, state_size: int | SupportsIndex = ..., num_layers: int | SupportsIndex = ..., bidirectional: bool | int = False, mode: Literal['rnn_relu', 'rnn_tanh', 'lstm', 'gru'] | str = ..., p: float | SupportsFloat = 0.0, state_outputs: bool | int = False, projection_size: int | SupportsIndex | None = None, lstm_state_clip_min: float | SupportsFloat | None = None, lstm_state_clip_max: float | SupportsFloat | None = None, lstm_state_clip_nan: bool | int = False, use_sequence_length: bool | int = False, out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Runs layers of recurrent cells over ``data`` of shape (steps, batch, features)."""
def roi_pooling(data: _Symbol | None = None, rois: _Symbol | None = None, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., spatial_scale: float | SupportsFloat = ..., out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The maxima over a grid of ``pooled_size`` (height, width) laid over each region of interest."""
def sequence_mask(data: _Symbol | None = None, sequence_length: _Symbol | None = None, use_sequence_length: bool | int = False, value: float | SupportsFloat = 0.0, axis: int | SupportsIndex = 0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """Replaces what lies beyond the length of each sequence by ``value``. The time ``axis`` is 0 or 1."""
def shape_array(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The size of each dimension, as int64."""
def sigmoid(data: _Symbol | None = None, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``1 / (1 + exp(-x))``."""
def slice(data: _Symbol | None = None, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
def smooth_l1(data: _Symbol | None = None, scalar: float | SupportsFloat = 1.0, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """``(scalar * x)**2 / 2`` where ``|x| < 1 / scalar**2``, else ``|x| - 0.5 / scalar**2``."""
def softmax(data: _Symbol | None = None, length: _Symbol | None = None, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: _Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The softmax of ``data / temperature`` along ``axis``."""
def topk(data: _Symbol | None = None, axis: int | SupportsIndex | None = -1, k: int | SupportsIndex = 1, ret_typ: Literal['both', 'indices', 'mask', 'value'] | str = 'indices', is_ascend: bool | int = False, dtype: DTypeLike | None = ..., out: _Symbol | Sequence[_Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> _Symbol:
    """The ``k`` largest elements along ``axis`` (smallest if ``is_ascend``), in order; all of them if ``k`` < 1."""
__all__ = ['activation', 'arange_like', 'batch_dot', 'batch_flatten', 'batch_norm', 'cast', 'constraint_check', 'convolution', 'deconvolution', 'dropout', 'embedding', 'erf', 'erfinv', 'fully_connected', 'gamma', 'gammaln', 'gather_nd', 'image', 'layer_norm', 'leaky_relu', 'log_softmax', 'multibox_detection', 'multibox_prior', 'multibox_target', 'nonzero', 'one_hot', 'pick', 'pooling', 'random', 'relu', 'reshape', 'reshape_like', 'rnn', 'roi_pooling', 'sequence_mask', 'shape_array', 'sigmoid', 'slice', 'smooth_l1', 'softmax', 'topk']
