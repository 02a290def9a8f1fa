# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from mxnet.ndarray.ndarray import NDArray
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

def Activation(data: NDArray, act_type: Literal['relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'] | str, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Applies an activation to each element: relu, sigmoid, tanh, softrelu (``log(1 + exp(x))``) or softsign."""
def BatchNorm(data: NDArray, gamma: NDArray, beta: NDArray, moving_mean: NDArray, moving_var: NDArray, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, axis: int | SupportsIndex = 1, cudnn_off: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Normalizes each channel (``axis``) to mean 0 and variance 1, then scales by ``gamma`` and shifts by ``beta``."""
def BatchNorm_v1(data: NDArray, gamma: NDArray, beta: NDArray, moving_mean: NDArray, moving_var: NDArray, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``BatchNorm`` of axis 1, for old Symbol files; as third output it has the variance."""
def BilinearSampler(data: NDArray, grid: NDArray, cudnn_off: bool | int | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Samples ``data`` (batch, channels, height, width) at the places in ``grid`` (batch, 2, out height, out width)."""
def BlockGrad(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy through which no gradient flows back."""
def CTCLoss(data: NDArray, label: NDArray, data_lengths: NDArray | None = None, label_lengths: NDArray | None = None, use_data_lengths: bool | int = False, use_label_lengths: bool | int = False, blank_label: Literal['first', 'last'] | str = 'first', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length)."""
def Cast(data: NDArray, dtype: DTypeLike | None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy converted to ``dtype``. Fractions are cut off; integers that do not fit wrap around."""
def Concat(*data: NDArray | Sequence[NDArray], dim: int | SupportsIndex = 1, num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Joins arrays along the dimension ``dim``; all other dimensions must agree."""
def Convolution(data: NDArray, weight: NDArray, bias: NDArray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Convolves data (batch, channels, ...) with ``num_filter`` filters in as many dimensions as ``kernel`` has."""
def Convolution_v1(data: NDArray, weight: NDArray, bias: NDArray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NDHWC', 'NHWC'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The same as ``Convolution``, for old Symbol files; it has no one-dimensional form."""
def Correlation(data1: NDArray, data2: NDArray, kernel_size: int | SupportsIndex = 1, max_displacement: int | SupportsIndex = 1, stride1: int | SupportsIndex = 1, stride2: int | SupportsIndex = 1, pad_size: int | SupportsIndex = 0, is_multiply: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """How well patches of ``data1`` match patches of ``data2`` that are displaced by up to ``max_displacement``."""
def Crop(*data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., offset: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (0, 0), h_w: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (0, 0), center_crop: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Cuts 4-D images to the height and width ``h_w``, or those of a second array, at ``offset`` or in the middle."""
def Custom(*data: NDArray | Sequence[NDArray], op_type: str, out: NDArray | None = None, name: str | None = None, **kwargs: Any) -> NDArray:
    """An operator written in Python: ``op_type`` names a class registered with ``mx.operator.register``."""
def Deconvolution(data: NDArray, weight: NDArray, bias: NDArray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), adj: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), target_shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 512, no_bias: bool | int = True, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The transposed convolution: the gradient of ``Convolution`` with respect to its data, as an operator."""
def Dropout(data: NDArray, p: float | SupportsFloat = 0.5, mode: Literal['always', 'training'] | str = 'training', axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (), cudnn_off: bool | int | None = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Sets each element to 0 with probability ``p`` and scales the others by 1 / (1 - p), while training."""
def ElementWiseSum(*args: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum of arrays that all have one shape and dtype."""
def Embedding(data: NDArray, weight: NDArray, input_dim: int | SupportsIndex, output_dim: int | SupportsIndex, dtype: DTypeLike | None = ..., sparse_grad: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The rows of ``weight`` for the indices in ``data``, which are clipped to [0, input_dim)."""
def Flatten(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Collapses all dimensions but the first into one."""
def FullyConnected(data: NDArray, weight: NDArray, bias: NDArray | None = None, num_hidden: int | SupportsIndex = ..., no_bias: bool | int = False, flatten: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Applies a linear map: ``data @ weight.T + bias``."""
def GridGenerator(data: NDArray, transform_type: Literal['affine', 'warp'] | str, target_shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (0, 0), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A grid for ``BilinearSampler``: from affine maps (batch, 6), or from a flow field (batch, 2, height, width)."""
def GroupNorm(data: NDArray, gamma: NDArray, beta: NDArray, num_groups: int | SupportsIndex = 1, eps: float | SupportsFloat = 1e-05, output_mean_var: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Normalizes each group of channels of (batch, channels, ...) to mean 0 and variance 1."""
def IdentityAttachKLSparseReg(data: NDArray, moving_avg: NDArray, sparseness_target: float | SupportsFloat = 0.1, penalty: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The data itself; its gradient pulls the average activation of each unit (axis 1) towards ``sparseness_target``."""
def InstanceNorm(data: NDArray, gamma: NDArray, beta: NDArray, eps: float | SupportsFloat = 0.001, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Normalizes each channel of each example to mean 0 and variance 1, then applies ``gamma`` and ``beta``."""
def L2Normalization(data: NDArray, eps: float | SupportsFloat = 1e-10, mode: Literal['channel', 'instance', 'spatial'] | str = 'instance', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Divides by the Euclidean norm of each example (``instance``), of each position over the channels (``channel``), or of each channel over its positions (``spatial``)."""
def LRN(data: NDArray, alpha: float | SupportsFloat = 0.0001, beta: float | SupportsFloat = 0.75, knorm: float | SupportsFloat = 2.0, nsize: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Local response normalization over ``nsize`` neighboring channels of images (batch, channels, height, width), or of single pixels (batch, channels): ``data / (knorm + alpha / nsize * sum of squares) ** beta``.."""
def LayerNorm(data: NDArray, gamma: NDArray, beta: NDArray, axis: int | SupportsIndex = -1, eps: float | SupportsFloat = 1e-05, output_mean_var: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Normalizes along ``axis`` to mean 0 and variance 1, then scales by ``gamma`` and shifts by ``beta``."""
def LeakyReLU(data: NDArray, gamma: NDArray | None = None, act_type: Literal['elu', 'gelu', 'leaky', 'prelu', 'rrelu', 'selu'] | str = 'leaky', slope: float | SupportsFloat = 0.25, lower_bound: float | SupportsFloat = 0.125, upper_bound: float | SupportsFloat = 0.334, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Activations that let something of the negative through."""
def LinearRegressionOutput(data: NDArray, label: NDArray, grad_scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The data itself; its gradient is that of half the squared distance to ``label``, per number in an example."""
def LogisticRegressionOutput(data: NDArray, label: NDArray, grad_scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sigmoid of data; its gradient is that of the cross-entropy with ``label``, per number in an example."""
def MAERegressionOutput(data: NDArray, label: NDArray, grad_scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The data itself; its gradient is that of the absolute distance to ``label``, per number in an example."""
def MakeLoss(data: NDArray, grad_scale: float | SupportsFloat = 1.0, valid_thresh: float | SupportsFloat = 0.0, normalization: Literal['null', 'batch', 'valid'] | str = 'null', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Makes any array a loss: the data itself, with ``grad_scale`` as the gradient of each element."""
def Pad(data: NDArray, mode: Literal['constant', 'edge', 'reflect'] | str, pad_width: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, constant_value: float | SupportsFloat = 0.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Pads the last dimensions of a 4-D or 5-D array."""
def Pooling(data: NDArray, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pool_type: Literal['avg', 'lp', 'max', 'sum'] | str = 'max', global_pool: bool | int = False, cudnn_off: bool | int = False, pooling_convention: Literal['full', 'same', 'valid'] | str = 'valid', stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), p_value: int | SupportsIndex | None = None, count_include_pad: bool | int | None = None, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reduces windows of ``kernel``, ``stride`` apart (1 by default), to their max, avg, sum or Lp norm."""
def Pooling_v1(data: NDArray, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pool_type: Literal['avg', 'max', 'sum'] | str = 'max', global_pool: bool | int = False, pooling_convention: Literal['full', 'valid'] | str = 'valid', stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Pooling of images as MXNet 0.8 had it, for old Symbol files. Use ``Pooling``."""
def RNN(data: NDArray, parameters: NDArray, state: NDArray, state_cell: NDArray | None = None, sequence_length: NDArray | None = None, state_size: int | SupportsIndex = ..., num_layers: int | SupportsIndex = ..., bidirectional: bool | int = False, mode: Literal['rnn_relu', 'rnn_tanh', 'lstm', 'gru'] | str = ..., p: float | SupportsFloat = 0.0, state_outputs: bool | int = False, projection_size: int | SupportsIndex | None = None, lstm_state_clip_min: float | SupportsFloat | None = None, lstm_state_clip_max: float | SupportsFloat | None = None, lstm_state_clip_nan: bool | int = False, use_sequence_length: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Runs layers of recurrent cells over ``data`` of shape (steps, batch, features)."""
def ROIPooling(data: NDArray, rois: NDArray, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, spatial_scale: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The maxima over a grid of ``pooled_size`` (height, width) laid over each region of interest."""
def Reshape(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), reverse: bool | int = False, target_shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), keep_highest: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gives an array another shape with the same elements in the same order."""
def SVMOutput(data: NDArray, label: NDArray, margin: float | SupportsFloat = 1.0, regularization_coefficient: float | SupportsFloat = 1.0, use_linear: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The data itself; its gradient is that of the squared (``use_linear``: plain) hinge loss over the last axis."""
def SequenceLast(data: NDArray, sequence_length: NDArray | None = None, use_sequence_length: bool | int = False, axis: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The last element of each sequence: at ``sequence_length`` - 1, or at the end of the time ``axis`` (0 or 1)."""
def SequenceMask(data: NDArray, sequence_length: NDArray | None = None, use_sequence_length: bool | int = False, value: float | SupportsFloat = 0.0, axis: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Replaces what lies beyond the length of each sequence by ``value``. The time ``axis`` is 0 or 1."""
def SequenceReverse(data: NDArray, sequence_length: NDArray | None = None, use_sequence_length: bool | int = False, axis: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reverses each sequence over its length; what lies beyond stays. The time axis is 0."""
def SliceChannel(data: NDArray, num_outputs: int | SupportsIndex, axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Splits an array into ``num_outputs`` equal parts along ``axis``."""
def Softmax(data: NDArray, label: NDArray, grad_scale: float | SupportsFloat = 1.0, ignore_label: float | SupportsFloat = -1.0, multi_output: bool | int = False, use_ignore: bool | int = False, preserve_shape: bool | int = False, normalization: Literal['null', 'batch', 'valid'] | str = 'null', out_grad: bool | int = False, smooth_alpha: float | SupportsFloat = 0.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Softmax whose gradient is that of the cross-entropy with ``label``: class numbers, or probabilities like data."""
def SoftmaxActivation(data: NDArray, mode: Literal['channel', 'instance'] | str = 'instance', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The softmax along the last axis (``instance``) or along the channels, axis 1 (``channel``)."""
def SoftmaxOutput(data: NDArray, label: NDArray, grad_scale: float | SupportsFloat = 1.0, ignore_label: float | SupportsFloat = -1.0, multi_output: bool | int = False, use_ignore: bool | int = False, preserve_shape: bool | int = False, normalization: Literal['null', 'batch', 'valid'] | str = 'null', out_grad: bool | int = False, smooth_alpha: float | SupportsFloat = 0.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Softmax whose gradient is that of the cross-entropy with ``label``: class numbers, or probabilities like data."""
def SpatialTransformer(data: NDArray, loc: NDArray, target_shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (0, 0), transform_type: Literal['affine'] | str = ..., sampler_type: Literal['bilinear'] | str = ..., cudnn_off: bool | int | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Applies the affine map ``loc`` (batch, 6) to each picture; the results have ``target_shape`` (height, width)."""
def SwapAxis(data: NDArray, dim1: int | SupportsIndex = 0, dim2: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Exchanges two dimensions."""
def UpSampling(*data: NDArray | Sequence[NDArray], scale: int | SupportsIndex, num_filter: int | SupportsIndex = 0, sample_type: Literal['nearest', 'bilinear'] | str = ..., multi_input_mode: Literal['concat', 'sum'] | str = 'concat', num_args: int | SupportsIndex = ..., workspace: int | SupportsIndex = 512, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Enlarges pictures ``scale`` times: by repeating pixels (``'nearest'``) or by a deconvolution (``'bilinear'``)."""
def abs(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The absolute value."""
def adam_update(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, lr: float | SupportsFloat, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-08, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, lazy_update: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Adam, with ``g = clip(rescale_grad * grad + wd * weight)`` and no bias correction (fold that into ``lr``):"""
def add_n(*args: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum of arrays that all have one shape and dtype."""
def all_finite(data: NDArray, init_output: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 if all numbers are finite, else 0. ``init_output=False`` multiplies what is in ``out``."""
def amp_cast(data: NDArray, dtype: DTypeLike | None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Converts float16, bfloat16 and float32 to ``dtype``, for mixed precision; other arrays are copied as they are."""
def amp_multicast(*data: NDArray | Sequence[NDArray], num_outputs: int | SupportsIndex = ..., cast_narrow: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Converts the float16, bfloat16 and float32 arrays among the inputs to the widest type among them."""
def arccos(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The angle in [0, pi] with that cosine."""
def arccosh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of the hyperbolic cosine, for x >= 1."""
def arcsin(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The angle in [-pi/2, pi/2] with that sine."""
def arcsinh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of the hyperbolic sine."""
def arctan(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The angle in [-pi/2, pi/2] with that tangent."""
def arctanh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of the hyperbolic tangent, for -1 < x < 1."""
def argmax(data: NDArray, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The index of the largest element along ``axis`` (or in the flattened array), the first one of equals, as the dtype of the array."""
def argmax_channel(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The index of the largest element along axis 1."""
def argmin(data: NDArray, axis: int | SupportsIndex | None = None, keepdims: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The index of the smallest element along ``axis`` (or in the flattened array), the first one of equals, as the dtype of the array."""
def argsort(data: NDArray, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The indices that sort the array along ``axis`` (None: flattened). Equal elements keep their order."""
def batch_dot(lhs: NDArray, rhs: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, forward_stype: Literal['csr', 'default', 'row_sparse'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Matrix products of two batches: ``lhs`` (..., m, k) and ``rhs`` (..., k, n) give (..., m, n)."""
def batch_take(a: NDArray, indices: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """One element of each row of ``a``, by the int32 index of its column. Superseded by ``pick``."""
def broadcast_add(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum, element by element. Dimensions of size 1 broadcast."""
def broadcast_axes(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The array with the axes ``axis``, which must have size 1, repeated ``size`` times."""
def broadcast_axis(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The array with the axes ``axis``, which must have size 1, repeated ``size`` times."""
def broadcast_div(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The quotient, element by element; of integers it is truncated. Dimensions of size 1 broadcast."""
def broadcast_equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs == rhs``, else 0. Dimensions of size 1 broadcast."""
def broadcast_greater(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs > rhs``, else 0. Dimensions of size 1 broadcast."""
def broadcast_greater_equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs >= rhs``, else 0. Dimensions of size 1 broadcast."""
def broadcast_hypot(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``sqrt(lhs**2 + rhs**2)``, element by element. Dimensions of size 1 broadcast."""
def broadcast_lesser(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs < rhs``, else 0. Dimensions of size 1 broadcast."""
def broadcast_lesser_equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs <= rhs``, else 0. Dimensions of size 1 broadcast."""
def broadcast_like(lhs: NDArray, rhs: NDArray, lhs_axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, rhs_axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``lhs`` repeated along its dimensions of size 1 to the shape of ``rhs``."""
def broadcast_logical_and(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs and rhs`` holds, else 0; 0 counts as false. Dimensions of size 1 broadcast."""
def broadcast_logical_or(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs or rhs`` holds, else 0; 0 counts as false. Dimensions of size 1 broadcast."""
def broadcast_logical_xor(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs xor rhs`` holds, else 0; 0 counts as false. Dimensions of size 1 broadcast."""
def broadcast_maximum(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The larger number, element by element. Dimensions of size 1 broadcast."""
def broadcast_minimum(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The smaller number, element by element. Dimensions of size 1 broadcast."""
def broadcast_minus(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The difference, element by element. Dimensions of size 1 broadcast."""
def broadcast_mod(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The remainder of a division, element by element, with the sign of the divisor. Dimensions of size 1 broadcast."""
def broadcast_mul(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product, element by element. Dimensions of size 1 broadcast."""
def broadcast_not_equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs != rhs``, else 0. Dimensions of size 1 broadcast."""
def broadcast_plus(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum, element by element. Dimensions of size 1 broadcast."""
def broadcast_power(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The first array to the power of the second, element by element. Dimensions of size 1 broadcast."""
def broadcast_sub(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The difference, element by element. Dimensions of size 1 broadcast."""
def broadcast_to(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The array with its dimensions of size 1 repeated to fill ``shape``; a 0 there keeps the array's own size."""
def cast(data: NDArray, dtype: DTypeLike | None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy converted to ``dtype``. Fractions are cut off; integers that do not fit wrap around."""
def cast_storage(data: NDArray, stype: Literal['default', 'row_sparse', 'csr'] | str, out: NDArray | None = None, name: str | None = None) -> Any:
    """A copy of the array in the storage type ``stype``."""
def cbrt(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The cube root."""
def ceil(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The smallest whole number not below x. Its gradient is zero."""
def choose_element_0index(data: NDArray, index: NDArray, axis: int | SupportsIndex | None = -1, keepdims: bool | int = False, mode: Literal['clip', 'wrap'] | str = 'clip', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """One element along ``axis`` for every other position, by its index. Indices outside are clipped or wrapped."""
def clip(data: NDArray, a_min: float | SupportsFloat, a_max: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The numbers limited to the interval from ``a_min`` to ``a_max``."""
def col2im(data: NDArray, output_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Puts the columns of ``im2col`` back into pictures of ``output_size``; where patches overlap they are summed."""
def concat(*data: NDArray | Sequence[NDArray], dim: int | SupportsIndex = 1, num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Joins arrays along the dimension ``dim``; all other dimensions must agree."""
def cos(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The cosine of an angle in radians."""
def cosh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The hyperbolic cosine."""
def crop(data: NDArray, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
def ctc_loss(data: NDArray, label: NDArray, data_lengths: NDArray | None = None, label_lengths: NDArray | None = None, use_data_lengths: bool | int = False, use_label_lengths: bool | int = False, blank_label: Literal['first', 'last'] | str = 'first', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length)."""
def cumsum(a: NDArray, axis: int | SupportsIndex | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Running sums along ``axis``, or over the flattened array if none is given."""
def degrees(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """An angle in radians as degrees."""
def depth_to_space(data: NDArray, block_size: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Moves channels of an NCHW array into blocks of ``block_size`` x ``block_size`` pixels."""
def diag(data: NDArray, k: int | SupportsIndex = 0, axis1: int | SupportsIndex = 0, axis2: int | SupportsIndex = 1, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The k-th diagonal of the planes of ``axis1`` and ``axis2``; of a vector, the matrix that has it as diagonal."""
def dot(lhs: NDArray, rhs: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, forward_stype: Literal['csr', 'default', 'row_sparse'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product of two arrays: the sum over the last axis of ``lhs`` and the first axis of ``rhs``."""
def elemwise_add(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum, element by element. Both arrays must have the same shape."""
def elemwise_div(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The quotient, element by element; of integers it is truncated. Both arrays must have the same shape."""
def elemwise_mul(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product, element by element. Both arrays must have the same shape."""
def elemwise_sub(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The difference, element by element. Both arrays must have the same shape."""
def erf(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The Gauss error function."""
def erfinv(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of the Gauss error function, for -1 < x < 1."""
def exp(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """e to the power of the number."""
def expand_dims(data: NDArray, axis: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Inserts a dimension of size 1 before position ``axis``."""
def expm1(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``exp(x) - 1``, exact for small x."""
def fill_element_0index(lhs: NDArray, mhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of the matrix ``lhs`` in which each row has the value in ``mhs`` at the column in ``rhs``."""
def fix(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The nearest whole number towards zero. Its gradient is zero."""
def flatten(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Collapses all dimensions but the first into one."""
def flip(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reverses the order of elements along each given axis."""
def floor(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The largest whole number not above x. Its gradient is zero."""
def ftml_update(weight: NDArray, grad: NDArray, d: NDArray, v: NDArray, z: NDArray, lr: float | SupportsFloat, beta1: float | SupportsFloat = 0.6, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-08, t: int | SupportsIndex = ..., wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_grad: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Follow the moving leader (Zheng and Kwok, 2017): step ``t``, counted from 1."""
def ftrl_update(weight: NDArray, grad: NDArray, z: NDArray, n: NDArray, lr: float | SupportsFloat, lamda1: float | SupportsFloat = 0.01, beta: float | SupportsFloat = 1.0, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Follow the regularized leader (McMahan et al., 2013), with ``g = clip(rescale_grad * grad)``:"""
def gamma(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The gamma function."""
def gammaln(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The logarithm of the absolute value of the gamma function."""
def gather_nd(data: NDArray, indices: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The elements or slices of ``data`` at the points whose coordinates are the columns of ``indices``."""
def hard_sigmoid(data: NDArray, alpha: float | SupportsFloat = 0.2, beta: float | SupportsFloat = 0.5, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``max(0, min(1, alpha * x + beta))``, for arrays of a floating type."""
def identity(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy."""
def im2col(data: NDArray, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The patches that a convolution looks at, as columns: (batch, channels * kernel size, number of patches)."""
def khatri_rao(*args: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The Khatri-Rao product: each column of the result is the Kronecker product of the inputs' columns."""
def lamb_update_phase1(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-06, t: int | SupportsIndex = ..., bias_correction: bool | int = True, wd: float | SupportsFloat = ..., rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The direction of a LAMB step: Adam's plus ``wd * weight``. The step itself is lamb_update_phase2."""
def lamb_update_phase2(weight: NDArray, g: NDArray, r1: NDArray, r2: NDArray, lr: float | SupportsFloat, lower_bound: float | SupportsFloat = -1.0, upper_bound: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A LAMB step: ``weight - lr * r1 / r2 * g``, where ``r1`` is the norm of the weight, within the bounds if they are not negative, and ``r2`` that of ``g``. If one of them is 0, the step is ``lr * g``."""
def linalg_det(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The determinant of square matrices."""
def linalg_extractdiag(A: NDArray, offset: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A diagonal of square matrices; ``offset`` counts upwards from the main diagonal."""
def linalg_extracttrian(A: NDArray, offset: int | SupportsIndex = 0, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A triangle of square matrices as a vector: a lower one row by row, an upper one column by column."""
def linalg_gelqf(A: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The LQ factorization ``A = L Q`` of matrices with no more rows than columns; returns Q and L."""
def linalg_gemm(A: NDArray, B: NDArray, C: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, axis: int | SupportsIndex = -2, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Matrix product and sum: ``alpha * op(A) op(B) + beta * C``, where ``op`` transposes if told to."""
def linalg_gemm2(A: NDArray, B: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, alpha: float | SupportsFloat = 1.0, axis: int | SupportsIndex = -2, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Matrix product ``alpha * op(A) op(B)``, where ``op`` transposes if told to."""
def linalg_inverse(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of square matrices."""
def linalg_makediag(A: NDArray, offset: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square matrices with the rows of ``A`` on a diagonal; ``offset`` counts upwards from the main diagonal."""
def linalg_maketrian(A: NDArray, offset: int | SupportsIndex = 0, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square matrices with a triangle made of the elements of ``A``; the reverse of ``linalg_extracttrian``."""
def linalg_potrf(A: NDArray, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The Cholesky factor: the lower triangular L with ``A = L Lᵀ``, or the upper triangular U with ``A = Uᵀ U`` if not ``lower``. A must be symmetric and positive definite."""
def linalg_potri(A: NDArray, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of ``A Aᵀ``, where A is lower triangular, as ``linalg_potrf`` gives it; of ``Aᵀ A`` with an upper triangular one if not ``lower``."""
def linalg_slogdet(A: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The sign of the determinant of square matrices and the logarithm of its absolute value."""
def linalg_sumlogdiag(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum of the logarithms of the diagonal of square matrices."""
def linalg_syrk(A: NDArray, transpose: bool | int = False, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product of matrices with their transpose: ``alpha * A Aᵀ``, or ``alpha * Aᵀ A`` with ``transpose``."""
def linalg_trmm(A: NDArray, B: NDArray, transpose: bool | int = False, rightside: bool | int = False, lower: bool | int = True, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Multiplies with triangular matrices: ``alpha * op(A) B``, or ``alpha * B op(A)`` with ``rightside``."""
def linalg_trsm(A: NDArray, B: NDArray, transpose: bool | int = False, rightside: bool | int = False, lower: bool | int = True, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Solves with triangular matrices: ``op(A) X = alpha * B`` for X, or ``X op(A) = alpha * B`` with ``rightside``."""
def log(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The natural logarithm."""
def log10(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The logarithm to base 10."""
def log1p(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``log(1 + x)``, exact for small x."""
def log2(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The logarithm to base 2."""
def log_softmax(data: NDArray, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The logarithm of the softmax of ``data / temperature`` along ``axis``. ``dtype`` is the dtype of the result."""
def logical_not(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where the number is 0, else 0, in the dtype of the array."""
def make_loss(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy that is the end of a graph: its gradient is one, whatever gradient comes from above."""
def max(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The largest element along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def max_axis(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The largest element along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def mean(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The mean along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def min(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The smallest element along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def min_axis(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The smallest element along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def moments(data: NDArray, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The mean and the (population) variance along ``axes``, which must name at least one axis."""
def mp_lamb_update_phase1(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, weight32: NDArray, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-06, t: int | SupportsIndex = ..., bias_correction: bool | int = True, wd: float | SupportsFloat = ..., rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The direction of a LAMB step: Adam's plus ``wd * weight``. The step itself is lamb_update_phase2."""
def mp_lamb_update_phase2(weight: NDArray, g: NDArray, r1: NDArray, r2: NDArray, weight32: NDArray, lr: float | SupportsFloat, lower_bound: float | SupportsFloat = -1.0, upper_bound: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A LAMB step: ``weight - lr * r1 / r2 * g``, where ``r1`` is the norm of the weight, within the bounds if they are not negative, and ``r2`` that of ``g``. If one of them is 0, the step is ``lr * g``."""
def mp_nag_mom_update(weight: NDArray, grad: NDArray, mom: NDArray, weight32: NDArray, lr: float | SupportsFloat, momentum: float | SupportsFloat = 0.0, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Nesterov's accelerated gradient, with ``g = clip(rescale_grad * grad) + wd * weight``:"""
def mp_sgd_mom_update(weight: NDArray, grad: NDArray, mom: NDArray, weight32: NDArray, lr: float | SupportsFloat, momentum: float | SupportsFloat = 0.0, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, lazy_update: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gradient descent with momentum: ``mom = momentum * mom - lr * (g + wd * weight)``, ``weight + mom``."""
def mp_sgd_update(weight: NDArray, grad: NDArray, weight32: NDArray, lr: float | SupportsFloat, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, lazy_update: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gradient descent: ``weight * (1 - lr * wd) - lr * clip(rescale_grad * grad)``."""
def multi_all_finite(*data: NDArray | Sequence[NDArray], num_arrays: int | SupportsIndex = 1, init_output: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 if all numbers of all arrays are finite, else 0. ``init_output=False`` multiplies what is in ``out``."""
def multi_lars(lrs: NDArray, weights_sum_sq: NDArray, grads_sum_sq: NDArray, wds: NDArray, eta: float | SupportsFloat, eps: float | SupportsFloat, rescale_grad: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """LARS learning rates from sums of squares: ``lr * eta * |w| / (rescale_grad * |g| + wd * |w| + eps)``."""
def multi_mp_sgd_mom_update(*data: NDArray | Sequence[NDArray], lrs: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, wds: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, momentum: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Updates several weights with momentum, as sgd_mom_update does, each with its own rate and decay. On float32 copies of float16 weights."""
def multi_mp_sgd_update(*data: NDArray | Sequence[NDArray], lrs: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, wds: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Updates several weights by gradient descent, as sgd_update does, each with its own rate and decay. On float32 copies of float16 weights."""
def multi_sgd_mom_update(*data: NDArray | Sequence[NDArray], lrs: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, wds: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, momentum: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Updates several weights with momentum, as sgd_mom_update does, each with its own rate and decay."""
def multi_sgd_update(*data: NDArray | Sequence[NDArray], lrs: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, wds: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Updates several weights by gradient descent, as sgd_update does, each with its own rate and decay."""
def multi_sum_sq(*data: NDArray | Sequence[NDArray], num_arrays: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum of squares of each array, as one float32 array of that many numbers."""
def nag_mom_update(weight: NDArray, grad: NDArray, mom: NDArray, lr: float | SupportsFloat, momentum: float | SupportsFloat = 0.0, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Nesterov's accelerated gradient, with ``g = clip(rescale_grad * grad) + wd * weight``:"""
def nanprod(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product, with NaN as 1, along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def nansum(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum, with NaN as 0, along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def negative(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The number with the opposite sign."""
def norm(data: NDArray, ord: int | SupportsIndex = 2, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out_dtype: DTypeLike | None = None, keepdims: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The L1 (``ord=1``) or L2 norm along ``axis``; without one, of the whole array."""
def normal(loc: float | SupportsFloat = 0.0, scale: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``)."""
def one_hot(indices: NDArray, depth: int | SupportsIndex, on_value: float | SupportsFloat = 1.0, off_value: float | SupportsFloat = 0.0, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Adds a dimension of size ``depth`` that has ``on_value`` at the index and ``off_value`` elsewhere."""
def ones_like(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Ones of the array's shape and dtype."""
def pad(data: NDArray, mode: Literal['constant', 'edge', 'reflect'] | str, pad_width: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, constant_value: float | SupportsFloat = 0.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Pads the last dimensions of a 4-D or 5-D array."""
def pick(data: NDArray, index: NDArray, axis: int | SupportsIndex | None = -1, keepdims: bool | int = False, mode: Literal['clip', 'wrap'] | str = 'clip', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """One element along ``axis`` for every other position, by its index. Indices outside are clipped or wrapped."""
def preloaded_multi_mp_sgd_mom_update(*data: NDArray | Sequence[NDArray], momentum: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Updates several weights with momentum; the last two inputs are the learning rates and the weight decays. On float32 copies of float16 weights."""
def preloaded_multi_mp_sgd_update(*data: NDArray | Sequence[NDArray], rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Updates several weights by gradient descent; the last two inputs are the learning rates and the weight decays. On float32 copies of float16 weights."""
def preloaded_multi_sgd_mom_update(*data: NDArray | Sequence[NDArray], momentum: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Updates several weights with momentum; the last two inputs are the learning rates and the weight decays."""
def preloaded_multi_sgd_update(*data: NDArray | Sequence[NDArray], rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Updates several weights by gradient descent; the last two inputs are the learning rates and the weight decays."""
def prod(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def radians(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """An angle in degrees as radians."""
def random_exponential(lam: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the exponential distribution with rate ``lam``."""
def random_gamma(alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the gamma distribution with shape ``alpha`` and scale ``beta``."""
def random_generalized_negative_binomial(mu: float | SupportsFloat = 1.0, alpha: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k)."""
def random_negative_binomial(k: int | SupportsIndex = 1, p: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution: successes before ``k`` failures, where ``p`` is the probability to fail."""
def random_normal(loc: float | SupportsFloat = 0.0, scale: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``)."""
def random_pdf_dirichlet(sample: NDArray, alpha: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the Dirichlet distribution with concentration ``alpha`` at ``sample``, or its logarithm with ``is_log``."""
def random_pdf_exponential(sample: NDArray, lam: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the exponential distribution with rate ``lam`` at ``sample``, or its logarithm with ``is_log``."""
def random_pdf_gamma(sample: NDArray, alpha: NDArray, beta: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the gamma distribution with shape ``alpha`` and rate ``beta`` at ``sample``, or its logarithm with ``is_log``."""
def random_pdf_generalized_negative_binomial(sample: NDArray, mu: NDArray, alpha: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` at ``sample``, or its logarithm with ``is_log``."""
def random_pdf_negative_binomial(sample: NDArray, k: NDArray, p: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the negative binomial distribution (successes before ``k`` failures of probability ``p``) at ``sample``, or its logarithm with ``is_log``."""
def random_pdf_normal(sample: NDArray, mu: NDArray, sigma: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the normal distribution with mean ``mu`` and standard deviation ``sigma`` at ``sample``, or its logarithm with ``is_log``."""
def random_pdf_poisson(sample: NDArray, lam: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the Poisson distribution with rate ``lam`` at ``sample``, or its logarithm with ``is_log``."""
def random_pdf_uniform(sample: NDArray, low: NDArray, high: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the uniform distribution, 1 / (high - low) also outside of the interval, at ``sample``, or its logarithm with ``is_log``."""
def random_poisson(lam: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the Poisson distribution with rate ``lam``."""
def random_randint(low: int | SupportsIndex, high: int | SupportsIndex, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random integers from the half-open interval [low, high), each as likely as the others."""
def random_uniform(low: float | SupportsFloat = 0.0, high: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the uniform distribution on the half-open interval [low, high)."""
def ravel_multi_index(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The positions in a flattened array of ``shape`` of the points whose coordinates are the columns of ``data``."""
def rcbrt(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """One over the cube root."""
def reciprocal(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """One over the number."""
def relu(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``max(x, 0)``."""
def repeat(data: NDArray, repeats: int | SupportsIndex, axis: int | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Repeats each element ``repeats`` times along ``axis``; without an axis the array is flattened first."""
def reset_arrays(*data: NDArray | Sequence[NDArray], num_arrays: int | SupportsIndex = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Sets all numbers of all arrays to zero, in place."""
def reshape(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), reverse: bool | int = False, target_shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), keep_highest: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gives an array another shape with the same elements in the same order."""
def reshape_like(lhs: NDArray, rhs: NDArray, lhs_begin: int | SupportsIndex | None = None, lhs_end: int | SupportsIndex | None = None, rhs_begin: int | SupportsIndex | None = None, rhs_end: int | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gives ``lhs`` the shape of ``rhs``, or replaces its dimensions [begin, end) by those of ``rhs``."""
def reverse(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reverses the order of elements along each given axis."""
def rint(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The nearest whole number; n.5 becomes n. Its gradient is zero."""
def rmsprop_update(weight: NDArray, grad: NDArray, n: NDArray, lr: float | SupportsFloat, gamma1: float | SupportsFloat = 0.95, epsilon: float | SupportsFloat = 1e-08, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, clip_weights: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """RMSProp (Tieleman and Hinton), with ``g = clip(rescale_grad * grad + wd * weight)``:"""
def rmspropalex_update(weight: NDArray, grad: NDArray, n: NDArray, g: NDArray, delta: NDArray, lr: float | SupportsFloat, gamma1: float | SupportsFloat = 0.95, gamma2: float | SupportsFloat = 0.9, epsilon: float | SupportsFloat = 1e-08, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, clip_weights: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """RMSProp as Graves (2013) has it: centred by the running mean ``g`` of the gradient, with momentum ``gamma2``."""
def round(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The nearest whole number, halves away from zero. Its gradient is zero."""
def rsqrt(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """One over the square root."""
def sample_exponential(lam: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the exponential distribution with rate ``lam``, ``shape`` of them for each element of the parameters."""
def sample_gamma(alpha: NDArray, beta: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the gamma distribution with shape ``alpha`` and scale ``beta``, ``shape`` of them for each element of the parameters."""
def sample_generalized_negative_binomial(mu: NDArray, alpha: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k), ``shape`` of them for each element of the parameters."""
def sample_multinomial(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (), get_prob: bool | int = False, dtype: DTypeLike | None = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Draws indices by the probabilities in the last dimension of ``data``, ``shape`` of them for each distribution."""
def sample_negative_binomial(k: NDArray, p: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution: successes before ``k`` failures, where ``p`` is the probability to fail, ``shape`` of them for each element of the parameters."""
def sample_normal(mu: NDArray, sigma: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``), ``shape`` of them for each element of the parameters."""
def sample_poisson(lam: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the Poisson distribution with rate ``lam``, ``shape`` of them for each element of the parameters."""
def sample_uniform(low: NDArray, high: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the uniform distribution on the half-open interval [low, high), ``shape`` of them for each element of the parameters."""
def scatter_nd(data: NDArray, indices: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Zeros of ``shape`` with ``data`` at the points whose coordinates are the columns of ``indices``."""
def sgd_mom_update(weight: NDArray, grad: NDArray, mom: NDArray, lr: float | SupportsFloat, momentum: float | SupportsFloat = 0.0, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, lazy_update: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gradient descent with momentum: ``mom = momentum * mom - lr * (g + wd * weight)``, ``weight + mom``."""
def sgd_update(weight: NDArray, grad: NDArray, lr: float | SupportsFloat, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, lazy_update: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Gradient descent: ``weight * (1 - lr * wd) - lr * clip(rescale_grad * grad)``."""
def shape_array(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The size of each dimension, as int64."""
def shuffle(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The array with the elements of its first axis in random order."""
def sigmoid(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``1 / (1 + exp(-x))``."""
def sign(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
def signsgd_update(weight: NDArray, grad: NDArray, lr: float | SupportsFloat, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A step of size ``lr`` against the sign of the gradient: ``weight * (1 - lr * wd) - lr * sign(grad)``."""
def signum_update(weight: NDArray, grad: NDArray, mom: NDArray, lr: float | SupportsFloat, momentum: float | SupportsFloat = 0.0, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, wd_lh: float | SupportsFloat = 0.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A step of size ``lr`` along the sign of the momentum; ``wd_lh`` is weight decay apart from the momentum."""
def sin(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sine of an angle in radians."""
def sinh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The hyperbolic sine."""
def size_array(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The number of elements, as int64."""
def slice(data: NDArray, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
def slice_axis(data: NDArray, axis: int | SupportsIndex, begin: int | SupportsIndex, end: int | SupportsIndex | None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The part [begin, end) along one axis; negative positions count from the end, ``end=None`` means to the border."""
def slice_like(data: NDArray, shape_like: NDArray, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Cuts ``data`` to the size of ``shape_like``, along all axes or those in ``axes``."""
def smooth_l1(data: NDArray, scalar: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``(scalar * x)**2 / 2`` where ``|x| < 1 / scalar**2``, else ``|x| - 0.5 / scalar**2``."""
def softmax(data: NDArray, length: NDArray | None = None, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The softmax of ``data / temperature`` along ``axis``."""
def softmax_cross_entropy(data: NDArray, label: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The cross entropy of the softmax of ``data`` (batch, classes) with ``label`` (batch,), summed to shape (1,)."""
def softmin(data: NDArray, axis: int | SupportsIndex = -1, temperature: float | SupportsFloat | None = None, dtype: DTypeLike | None = None, use_length: bool | int | None = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The softmax of ``-data / temperature`` along ``axis``. ``dtype`` is the dtype of the result."""
def softsign(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``x / (1 + |x|)``."""
def sort(data: NDArray, axis: int | SupportsIndex | None = -1, is_ascend: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Sorts along ``axis``; None sorts the flattened array. Equal elements keep their order."""
def space_to_depth(data: NDArray, block_size: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Moves blocks of height and width of an NCHW array into channels, the inverse of ``depth_to_space``."""
def split(data: NDArray, num_outputs: int | SupportsIndex, axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Splits an array into ``num_outputs`` equal parts along ``axis``."""
def sqrt(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The square root."""
def square(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The square."""
def squeeze(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Removes dimensions of size 1: all of them, or those in ``axis``. One dimension always stays."""
def stack(*data: NDArray | Sequence[NDArray], axis: int | SupportsIndex = 0, num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Joins arrays of one shape along a new dimension."""
def stop_gradient(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy through which no gradient flows back."""
def sum(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def sum_axis(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def swapaxes(data: NDArray, dim1: int | SupportsIndex = 0, dim2: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Exchanges two dimensions."""
def take(a: NDArray, indices: NDArray, axis: int | SupportsIndex = 0, mode: Literal['clip', 'raise', 'wrap'] | str = 'clip', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The slices of ``a`` at ``indices`` along ``axis``; the result has the shape of the indices in place of that axis."""
def tan(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The tangent of an angle in radians."""
def tanh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The hyperbolic tangent."""
def tile(data: NDArray, reps: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Repeats the whole array ``reps`` times along each dimension, from the last one on if there are fewer numbers."""
def topk(data: NDArray, axis: int | SupportsIndex | None = -1, k: int | SupportsIndex = 1, ret_typ: Literal['both', 'indices', 'mask', 'value'] | str = 'indices', is_ascend: bool | int = False, dtype: DTypeLike | None = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """The ``k`` largest elements along ``axis`` (smallest if ``is_ascend``), in order; all of them if ``k`` < 1."""
def transpose(data: NDArray, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Permutes the dimensions by ``axes``; by default it reverses their order."""
def trunc(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The number without its fraction. Its gradient is zero."""
def uniform(low: float | SupportsFloat = 0.0, high: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the uniform distribution on the half-open interval [low, high)."""
def unravel_index(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The coordinates, as columns of a matrix, of positions in a flattened array of ``shape``."""
def where(condition: NDArray, x: NDArray, y: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Elements of ``x`` where the condition is not zero, of ``y`` elsewhere."""
def zeros_like(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Zeros of the array's shape and dtype."""
