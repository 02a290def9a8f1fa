# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from mxnet.ndarray.ndarray import NDArray
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

def _CachedOp(*data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_outputs: int | SupportsIndex = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Runs a graph as one node."""
def _CustomFunction(*data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_outputs: int | SupportsIndex = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Stands for a call of an ``autograd.Function``, which a graph shows but cannot run."""
def _Div(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The quotient, element by element; of integers it is truncated. Both arrays must have the same shape."""
def _DivScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Divides each element by a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs == rhs``, else 0. Both arrays must have the same shape."""
def _EqualScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs == rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Greater(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs > rhs``, else 0. Both arrays must have the same shape."""
def _GreaterEqualScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs >= rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _GreaterScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs > rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Greater_Equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs >= rhs``, else 0. Both arrays must have the same shape."""
def _Hypot(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``sqrt(lhs**2 + rhs**2)``, element by element. Both arrays must have the same shape."""
def _HypotScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``sqrt(lhs**2 + rhs**2)``, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Lesser(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs < rhs``, else 0. Both arrays must have the same shape."""
def _LesserEqualScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs <= rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _LesserScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs < rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Lesser_Equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs <= rhs``, else 0. Both arrays must have the same shape."""
def _LogicalAndScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs and rhs`` holds, else 0; 0 counts as false. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _LogicalOrScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs or rhs`` holds, else 0; 0 counts as false. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _LogicalXorScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs xor rhs`` holds, else 0; 0 counts as false. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Logical_And(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs and rhs`` holds, else 0; 0 counts as false. Both arrays must have the same shape."""
def _Logical_Or(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs or rhs`` holds, else 0; 0 counts as false. Both arrays must have the same shape."""
def _Logical_Xor(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs xor rhs`` holds, else 0; 0 counts as false. Both arrays must have the same shape."""
def _Maximum(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The larger number, element by element. Both arrays must have the same shape."""
def _MaximumScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The larger number, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Minimum(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The smaller number, element by element. Both arrays must have the same shape."""
def _MinimumScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The smaller number, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Minus(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The difference, element by element. Both arrays must have the same shape."""
def _MinusScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Subtracts a number from each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Mod(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The remainder of a division, element by element, with the sign of the divisor. Both arrays must have the same shape."""
def _ModScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The remainder of dividing each element by a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Mul(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product, element by element. Both arrays must have the same shape."""
def _MulScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Multiplies each element by a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _NotEqualScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs != rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Not_Equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs != rhs``, else 0. Both arrays must have the same shape."""
def _Plus(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum, element by element. Both arrays must have the same shape."""
def _PlusScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Adds a number to each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _Power(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The first array to the power of the second, element by element. Both arrays must have the same shape."""
def _PowerScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Each element to the power of a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _RDivScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Divides a number by each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _RMinusScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Subtracts each element from a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _RModScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The remainder of dividing a number by each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _RPowerScalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A number to the power of each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _adamw_update(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, rescale_grad: NDArray, lr: float | SupportsFloat, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-08, wd: float | SupportsFloat = 0.0, eta: float | SupportsFloat = ..., clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """AdamW: ``weight -= eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight)``."""
def _add(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum, element by element. Both arrays must have the same shape."""
def _arange(start: float | SupportsFloat, stop: float | SupportsFloat | None = None, step: float | SupportsFloat = 1.0, repeat: int | SupportsIndex = 1, infer_range: bool | int = False, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Numbers from ``start`` up to but without ``stop``, each ``repeat`` times; a single number is the stop."""
def _backward_gather_nd(data: NDArray, indices: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The gradient of ``gather_nd``: as ``scatter_nd``, but values of a point that occurs twice are added up."""
def _cond(*data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_outputs: int | SupportsIndex = ..., cond_input_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., then_input_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., else_input_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Runs one of two branches."""
def _contrib_AdaptiveAvgPooling2D(data: NDArray, output_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Averages (batch, channel, height, width) data over a grid of ``output_size``: a number or (height, width)."""
def _contrib_BatchNormWithReLU(data: NDArray, gamma: NDArray, beta: NDArray, moving_mean: NDArray, moving_var: NDArray, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, axis: int | SupportsIndex = 1, cudnn_off: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``BatchNorm`` followed by relu, in one operator that keeps one array less for backward."""
def _contrib_BilinearResize2D(data: NDArray, like: NDArray | None = None, height: int | SupportsIndex = 1, width: int | SupportsIndex = 1, scale_height: float | SupportsFloat | None = None, scale_width: float | SupportsFloat | None = None, mode: Literal['size', 'odd_scale', 'like', 'to_even_down', 'to_even_up', 'to_odd_down', 'to_odd_up'] | str = 'size', align_corners: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Resizes (batch, channel, height, width) data by bilinear interpolation."""
def _contrib_CTCLoss(data: NDArray, label: NDArray, data_lengths: NDArray | None = None, label_lengths: NDArray | None = None, use_data_lengths: bool | int = False, use_label_lengths: bool | int = False, blank_label: Literal['first', 'last'] | str = 'first', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length)."""
def _contrib_DeformableConvolution(data: NDArray, offset: NDArray, weight: NDArray, bias: NDArray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, num_deformable_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A 2-D convolution that reads each tap at a place moved by ``offset``, with bilinear interpolation."""
def _contrib_DeformablePSROIPooling(data: NDArray, rois: NDArray, trans: NDArray | None = None, spatial_scale: float | SupportsFloat = ..., output_dim: int | SupportsIndex = ..., group_size: int | SupportsIndex = ..., pooled_size: int | SupportsIndex = ..., part_size: int | SupportsIndex = 0, sample_per_part: int | SupportsIndex = 1, trans_std: float | SupportsFloat = 0.0, no_trans: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Position sensitive averages of bilinear samples in cells that are moved: (regions, output_dim, pooled, pooled)."""
def _contrib_ModulatedDeformableConvolution(data: NDArray, offset: NDArray, mask: NDArray, weight: NDArray, bias: NDArray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, num_deformable_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, im2col_step: int | SupportsIndex = 64, layout: Literal['NCDHW', 'NCHW', 'NCW'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A deformable convolution whose taps are also multiplied by ``mask``."""
def _contrib_MultiBoxDetection(cls_prob: NDArray, loc_pred: NDArray, anchor: NDArray, clip: bool | int = True, threshold: float | SupportsFloat = 0.01, background_id: int | SupportsIndex = 0, nms_threshold: float | SupportsFloat = 0.5, force_suppress: bool | int = False, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), nms_topk: int | SupportsIndex = -1, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Detections of SSD: rows (class, score, xmin, ymin, xmax, ymax), best first, for each anchor: (batch, n, 6)."""
def _contrib_MultiBoxPrior(data: NDArray, sizes: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), clip: bool | int = False, steps: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (-1.0, -1.0), offsets: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 0.5), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Anchor boxes for each pixel of a feature map (batch, channel, height, width): (1, height * width * k, 4)."""
def _contrib_MultiBoxTarget(anchor: NDArray, label: NDArray, cls_pred: NDArray, overlap_threshold: float | SupportsFloat = 0.5, ignore_label: float | SupportsFloat = -1.0, negative_mining_ratio: float | SupportsFloat = -1.0, negative_mining_thresh: float | SupportsFloat = 0.5, minimum_negative_samples: int | SupportsIndex = 0, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Training targets of SSD: box offsets (batch, n * 4), their mask, and classes (batch, n) of the n anchors."""
def _contrib_MultiProposal(cls_prob: NDArray, bbox_pred: NDArray, im_info: NDArray, rpn_pre_nms_top_n: int | SupportsIndex = 6000, rpn_post_nms_top_n: int | SupportsIndex = 300, threshold: float | SupportsFloat = 0.7, rpn_min_size: int | SupportsIndex = 16, scales: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (4.0, 8.0, 16.0, 32.0), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 1.0, 2.0), feature_stride: int | SupportsIndex = 16, output_score: bool | int = False, iou_loss: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Regions of interest: rows (image, xmin, ymin, xmax, ymax), ``rpn_post_nms_top_n`` of them for each image."""
def _contrib_PSROIPooling(data: NDArray, rois: NDArray, spatial_scale: float | SupportsFloat, output_dim: int | SupportsIndex, pooled_size: int | SupportsIndex, group_size: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Position sensitive averages over regions: (regions, output_dim, pooled_size, pooled_size)."""
def _contrib_Proposal(cls_prob: NDArray, bbox_pred: NDArray, im_info: NDArray, rpn_pre_nms_top_n: int | SupportsIndex = 6000, rpn_post_nms_top_n: int | SupportsIndex = 300, threshold: float | SupportsFloat = 0.7, rpn_min_size: int | SupportsIndex = 16, scales: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (4.0, 8.0, 16.0, 32.0), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 1.0, 2.0), feature_stride: int | SupportsIndex = 16, output_score: bool | int = False, iou_loss: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Regions of interest: rows (image, xmin, ymin, xmax, ymax), ``rpn_post_nms_top_n`` of them for each image."""
def _contrib_ROIAlign(data: NDArray, rois: NDArray, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, spatial_scale: float | SupportsFloat, sample_ratio: int | SupportsIndex = -1, position_sensitive: bool | int = False, aligned: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Averages of bilinear samples in a grid over regions of interest: (regions, channel, height, width)."""
def _contrib_RROIAlign(data: NDArray, rois: NDArray, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, spatial_scale: float | SupportsFloat, sampling_ratio: int | SupportsIndex = -1, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """ROIAlign of rotated regions: rows (image, x, y, width, height, angle), with the centre and degrees."""
def _contrib_SparseEmbedding(data: NDArray, weight: NDArray, input_dim: int | SupportsIndex, output_dim: int | SupportsIndex, dtype: DTypeLike | None = ..., deterministic: bool | int = False, sparse_grad: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``Embedding`` whose gradient has only the rows that were used; its sums are always ``deterministic``."""
def _contrib_SyncBatchNorm(data: NDArray, gamma: NDArray, beta: NDArray, moving_mean: NDArray, moving_var: NDArray, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, ndev: int | SupportsIndex = 1, key: str = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``BatchNorm`` of axis 1 with the statistics of all ``ndev`` devices that share the batch and the layer ``key``."""
def _contrib_allclose(a: NDArray, b: NDArray, rtol: float | SupportsFloat = 1e-05, atol: float | SupportsFloat = 1e-08, equal_nan: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 if ``abs(a - b) <= atol + rtol * abs(b)`` everywhere, else 0, as uint8."""
def _contrib_arange_like(data: NDArray, start: float | SupportsFloat = 0.0, step: float | SupportsFloat = 1.0, repeat: int | SupportsIndex = 1, ctx: Context | str | None = None, axis: int | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Numbers from ``start`` in steps of ``step``, each ``repeat`` times, in the shape of the data or of one axis."""
def _contrib_bipartite_matching(data: NDArray, is_ascend: bool | int = False, threshold: float | SupportsFloat = ..., topk: int | SupportsIndex = -1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Matches rows and columns of score matrices (..., rows, columns), the best pair first, each once."""
def _contrib_boolean_mask(data: NDArray, index: NDArray, axis: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The rows of ``data`` where ``index``, a vector, is not 0. How many depends on the data."""
def _contrib_box_decode(data: NDArray, anchors: NDArray, std0: float | SupportsFloat = 1.0, std1: float | SupportsFloat = 1.0, std2: float | SupportsFloat = 1.0, std3: float | SupportsFloat = 1.0, clip: float | SupportsFloat = -1.0, format: Literal['center', 'corner'] | str = 'center', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Corner boxes from predicted offsets (batch, n, 4) to anchors (1, n, 4), which are in the given format."""
def _contrib_box_encode(samples: NDArray, matches: NDArray, anchors: NDArray, refs: NDArray, means: NDArray, stds: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Regression targets of anchors (batch, n, 4) for the reference boxes (batch, m, 4) they match, and their mask."""
def _contrib_box_iou(lhs: NDArray, rhs: NDArray, format: Literal['center', 'corner'] | str = 'corner', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Intersection over union of every box of ``lhs`` with every box of ``rhs``: shape lhs[:-1] + rhs[:-1]."""
def _contrib_box_nms(data: NDArray, overlap_thresh: float | SupportsFloat = 0.5, valid_thresh: float | SupportsFloat = 0.0, topk: int | SupportsIndex = -1, coord_start: int | SupportsIndex = 2, score_index: int | SupportsIndex = 1, id_index: int | SupportsIndex = -1, background_id: int | SupportsIndex = -1, force_suppress: bool | int = False, in_format: Literal['center', 'corner'] | str = 'corner', out_format: Literal['center', 'corner'] | str = 'corner', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Non-maximum suppression: rows (..., boxes, width) sorted by score, overlapping ones removed, -1 in the rest."""
def _contrib_box_non_maximum_suppression(data: NDArray, overlap_thresh: float | SupportsFloat = 0.5, valid_thresh: float | SupportsFloat = 0.0, topk: int | SupportsIndex = -1, coord_start: int | SupportsIndex = 2, score_index: int | SupportsIndex = 1, id_index: int | SupportsIndex = -1, background_id: int | SupportsIndex = -1, force_suppress: bool | int = False, in_format: Literal['center', 'corner'] | str = 'corner', out_format: Literal['center', 'corner'] | str = 'corner', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Non-maximum suppression: rows (..., boxes, width) sorted by score, overlapping ones removed, -1 in the rest."""
def _contrib_calibrate_entropy(hist: NDArray, hist_edges: NDArray, num_quantized_bins: int | SupportsIndex = 255, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The threshold at which to cut floats with this histogram, and the divergence of what remains from what was."""
def _contrib_count_sketch(data: NDArray, h: NDArray, s: NDArray, out_dim: int | SupportsIndex, processing_batch_size: int | SupportsIndex = 32, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Projects rows of ``data`` (n, d) to ``out_dim`` numbers: element ``i`` times ``s[i]`` is added to place ``h[i]``."""
def _contrib_ctc_loss(data: NDArray, label: NDArray, data_lengths: NDArray | None = None, label_lengths: NDArray | None = None, use_data_lengths: bool | int = False, use_label_lengths: bool | int = False, blank_label: Literal['first', 'last'] | str = 'first', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length)."""
def _contrib_dequantize(data: NDArray, min_range: NDArray, max_range: NDArray, out_type: Literal['float32'] | str = 'float32', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """8-bit integers as the floats that they stand for: ``data * max(abs(range)) / 127.5``, or 255.5 for uint8."""
def _contrib_dgl_adjacency(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The adjacency matrix of a graph: ones of float32 where there are edges."""
def _contrib_dgl_csr_neighbor_non_uniform_sample(csr_matrix: NDArray, probability: NDArray, *seed_arrays: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_hops: int | SupportsIndex = 1, num_neighbor: int | SupportsIndex = 2, max_num_vertices: int | SupportsIndex = 100, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Samples neighbors by the probabilities of vertices; between subgraphs and distances it gives these."""
def _contrib_dgl_csr_neighbor_uniform_sample(csr_matrix: NDArray, *seed_arrays: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_hops: int | SupportsIndex = 1, num_neighbor: int | SupportsIndex = 2, max_num_vertices: int | SupportsIndex = 100, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Samples ``num_neighbor`` neighbors of each vertex, ``num_hops`` times, from each array of seeds."""
def _contrib_dgl_graph_compact(*graph_data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., return_mapping: bool | int = ..., graph_sizes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Numbers the columns of sampled subgraphs as their rows. Given are the graphs, then their arrays of vertices."""
def _contrib_dgl_subgraph(graph: NDArray, *data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., return_mapping: bool | int = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """The subgraph of each array of vertices. Edges are numbered anew; with ``return_mapping`` as many graphs follow that have the numbers of before."""
def _contrib_div_sqrt_dim(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The data over the square root of its last dimension."""
def _contrib_edge_id(data: NDArray, u: NDArray, v: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The values ``data[u[i], v[i]]`` of a CSR matrix, or -1 where it stores none."""
def _contrib_fft(data: NDArray, compute_size: int | SupportsIndex = 128, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The Fourier transform of real data along its last dimension, as real, imaginary, real, imaginary, ..."""
def _contrib_getnnz(data: NDArray, axis: int | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The number of stored values of a CSR matrix. Only CSR has such a number, a dense array has none."""
def _contrib_gradientmultiplier(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The data itself; its gradient is multiplied by ``scalar`` (a negative one reverses it), cut for integers."""
def _contrib_group_adagrad_update(weight: NDArray, grad: NDArray, history: NDArray, lr: float | SupportsFloat, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, epsilon: float | SupportsFloat = 1e-05, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """AdaGrad with one learning rate for each row: ``history``, shape (rows, 1), sums the rows' mean squares."""
def _contrib_hawkesll(lda: NDArray, alpha: NDArray, beta: NDArray, state: NDArray, lags: NDArray, marks: NDArray, valid_length: NDArray, max_time: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The log likelihood of K independent Hawkes processes with exponential decay, and their memory at ``max_time``."""
def _contrib_ifft(data: NDArray, compute_size: int | SupportsIndex = 128, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The real part of the inverse Fourier transform, times its length, of real, imaginary, real, imaginary, ..."""
def _contrib_index_array(data: NDArray, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The index of each element as int64 in a new last dimension, along all axes or those given."""
def _contrib_index_copy(old_tensor: NDArray, index_vector: NDArray, new_tensor: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of ``old_tensor`` whose row ``index_vector[i]`` is row ``i`` of ``new_tensor``."""
def _contrib_interleaved_matmul_encdec_qk(queries: NDArray, keys_values: NDArray, heads: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Scores of encoder-decoder attention: (batch * heads, length of queries, length of keys)."""
def _contrib_interleaved_matmul_encdec_valatt(keys_values: NDArray, attention: NDArray, heads: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Encoder-decoder attention's values weighted by ``attention``: (length of queries, batch, channels)."""
def _contrib_interleaved_matmul_selfatt_qk(queries_keys_values: NDArray, heads: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Scores of self-attention: queries times keys over the root of the head size, (batch * heads, length, length)."""
def _contrib_interleaved_matmul_selfatt_valatt(queries_keys_values: NDArray, attention: NDArray, heads: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Self-attention's values weighted by ``attention`` (batch * heads, length, length): (length, batch, channels)."""
def _contrib_quadratic(data: NDArray, a: float | SupportsFloat = 0.0, b: float | SupportsFloat = 0.0, c: float | SupportsFloat = 0.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``a * data**2 + b * data + c`` of each element; of integers it is computed as float32 and truncated."""
def _contrib_quantize(data: NDArray, min_range: NDArray, max_range: NDArray, out_type: Literal['int8', 'uint8'] | str = 'uint8', out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """float32 as 8-bit integers, by a range that is given: ``data * 127 / max(abs(range))``, or 255 for uint8."""
def _contrib_quantize_asym(data: NDArray, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """float32 as uint8 with a shift: ``data * scale + shift``, rounded, over all of the range."""
def _contrib_quantize_v2(data: NDArray, out_type: Literal['auto', 'int8', 'uint8'] | str = 'int8', min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """float32 as 8-bit integers, by the range that calibration found, or else that of the data."""
def _contrib_quantized_act(data: NDArray, min_data: NDArray, max_data: NDArray, act_type: Literal['relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'] | str, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """``Activation`` of 8-bit integers; only ``relu`` can be computed without leaving them."""
def _contrib_quantized_batch_norm(data: NDArray, gamma: NDArray, beta: NDArray, moving_mean: NDArray, moving_var: NDArray, min_data: NDArray, max_data: NDArray, eps: float | SupportsFloat = 0.0010000000474974513, momentum: float | SupportsFloat = 0.899999976, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, axis: int | SupportsIndex = 1, cudnn_off: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """``BatchNorm`` of 8-bit integers by the moving averages, as int8 in the range that calibration has found."""
def _contrib_quantized_concat(*data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex, dim: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """``Concat`` of ``num_args`` arrays of 8-bit integers, which least and greatest value of each follow."""
def _contrib_quantized_conv(data: NDArray, weight: NDArray, bias: NDArray | None = None, min_data: NDArray | None = None, max_data: NDArray | None = None, min_weight: NDArray | None = None, max_weight: NDArray | None = None, min_bias: NDArray | None = None, max_bias: NDArray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC'] | str | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """``Convolution`` of 8-bit integers: exact sums as int32."""
def _contrib_quantized_elemwise_add(lhs: NDArray, rhs: NDArray, lhs_min: NDArray, lhs_max: NDArray, rhs_min: NDArray, rhs_max: NDArray, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The sum of 8-bit integers: int32, or 8 bits where calibration has found a range (uint8 if both inputs are)."""
def _contrib_quantized_elemwise_mul(lhs: NDArray, rhs: NDArray, lhs_min: NDArray, lhs_max: NDArray, rhs_min: NDArray, rhs_max: NDArray, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, enable_float_output: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """The product of arrays of int8: int32, or floats, or int8 where calibration has found a range (towards 0)."""
def _contrib_quantized_embedding(data: NDArray, weight: NDArray, min_weight: NDArray, max_weight: NDArray, input_dim: int | SupportsIndex, output_dim: int | SupportsIndex, dtype: DTypeLike | None = ..., sparse_grad: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """``Embedding`` with a weight of int8: the rows that ``data`` names; too small and too large ones are clipped."""
def _contrib_quantized_flatten(data: NDArray, min_data: NDArray, max_data: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """``Flatten`` of integers: all dimensions but the first become one."""
def _contrib_quantized_fully_connected(data: NDArray, weight: NDArray, bias: NDArray | None = None, min_data: NDArray | None = None, max_data: NDArray | None = None, min_weight: NDArray | None = None, max_weight: NDArray | None = None, min_bias: NDArray | None = None, max_bias: NDArray | None = None, num_hidden: int | SupportsIndex = ..., no_bias: bool | int = False, flatten: bool | int = True, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """``FullyConnected`` of 8-bit integers: exact sums as int32. The bias is brought to their steps, towards zero."""
def _contrib_quantized_pooling(data: NDArray, min_data: NDArray, max_data: NDArray, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pool_type: Literal['avg', 'lp', 'max', 'sum'] | str = 'max', global_pool: bool | int = False, cudnn_off: bool | int = False, pooling_convention: Literal['full', 'same', 'valid'] | str = 'valid', stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), p_value: int | SupportsIndex | None = None, count_include_pad: bool | int | None = None, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'] | str | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """``Pooling`` of 8-bit images or volumes, maximum or average; an average is rounded."""
def _contrib_quantized_rnn(data: NDArray, parameters: NDArray, state: NDArray, state_cell: NDArray, data_scale: NDArray, data_shift: NDArray, state_size: int | SupportsIndex, num_layers: int | SupportsIndex, bidirectional: bool | int = False, mode: Literal['rnn_relu', 'rnn_tanh', 'lstm', 'gru'] | str = ..., p: float | SupportsFloat = 0.0, state_outputs: bool | int = False, projection_size: int | SupportsIndex | None = None, lstm_state_clip_min: float | SupportsFloat | None = None, lstm_state_clip_max: float | SupportsFloat | None = None, lstm_state_clip_nan: bool | int = False, use_sequence_length: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``RNN`` with mode ``lstm`` for uint8, as ``quantize_asym`` gives it: ``(data - data_shift) / data_scale``."""
def _contrib_requantize(data: NDArray, min_range: NDArray, max_range: NDArray, out_type: Literal['auto', 'int8', 'uint8'] | str = 'int8', min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """int32, the sums of a quantized layer, as 8-bit integers, by the range that calibration found or that of the data."""
def _contrib_round_ste(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds to the nearest whole number, halves away from zero; gradients pass through as if nothing had been done."""
def _contrib_sign_ste(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sign of each element; gradients pass through as if nothing had been done."""
def _copy(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy."""
def _crop_assign(lhs: NDArray, rhs: NDArray, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of ``lhs`` in which a slice is replaced by ``rhs``."""
def _crop_assign_scalar(data: NDArray, scalar: float | SupportsFloat = 0.0, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of ``data`` in which every element of a slice is ``scalar``."""
def _cvcopyMakeBorder(src: NDArray, top: int | SupportsIndex, bot: int | SupportsIndex, left: int | SupportsIndex, right: int | SupportsIndex, type: int | SupportsIndex = 0, value: float | SupportsFloat = 0.0, values: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Pads an image (height, width, channel) by so many pixels on each side."""
def _cvimdecode(buf: NDArray, flag: int | SupportsIndex = 1, to_rgb: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Decodes an image from its file's bytes, a uint8 array, to uint8 (height, width, channel)."""
def _cvimread(filename: str, flag: int | SupportsIndex = 1, to_rgb: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Reads an image file to uint8 (height, width, channel); ``flag`` and ``to_rgb`` as in _cvimdecode."""
def _cvimresize(src: NDArray, w: int | SupportsIndex, h: int | SupportsIndex, interp: int | SupportsIndex = 1, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Resizes an image (height, width, channel) to width ``w`` and height ``h``; ``interp`` is OpenCV's number."""
def _div(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The quotient, element by element; of integers it is truncated. Both arrays must have the same shape."""
def _div_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Divides each element by a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs == rhs``, else 0. Both arrays must have the same shape."""
def _equal_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs == rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _eye(N: int | SupportsIndex, M: int | SupportsIndex = 0, k: int | SupportsIndex = 0, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A matrix of N rows and M columns (0: as many as rows) with ones on the k-th diagonal, zeros elsewhere."""
def _foreach(*data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_outputs: int | SupportsIndex = ..., num_out_data: int | SupportsIndex = ..., in_state_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., in_data_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., remain_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Runs the body once for each slice of the data along the first axis, carrying states along."""
def _full(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., value: float | SupportsFloat = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """An array in which every element is ``value``."""
def _grad_add(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum, element by element. Both arrays must have the same shape."""
def _greater(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs > rhs``, else 0. Both arrays must have the same shape."""
def _greater_equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs >= rhs``, else 0. Both arrays must have the same shape."""
def _greater_equal_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs >= rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _greater_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs > rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _histogram(data: NDArray, bins: NDArray | None = None, bin_cnt: int | SupportsIndex | None = None, range: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Counts (int64) of the elements in each bin, and the edges of the bins."""
def _hypot(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``sqrt(lhs**2 + rhs**2)``, element by element. Both arrays must have the same shape."""
def _hypot_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``sqrt(lhs**2 + rhs**2)``, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _identity_with_attr_like_rhs(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of ``lhs``, which must have the shape and dtype of ``rhs``."""
def _image_adjust_lighting(data: NDArray, alpha: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Adds the principal components of colors, times three numbers ``alpha``, to an image: AlexNet's lighting."""
def _image_crop(data: NDArray, x: int | SupportsIndex, y: int | SupportsIndex, width: int | SupportsIndex, height: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The part of an image (height, width, channel), or of each one of a batch, from (x, y) of size width x height."""
def _image_flip_left_right(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The image (height, width, channel) turned left to right."""
def _image_flip_top_bottom(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The image (height, width, channel) turned upside down."""
def _image_normalize(data: NDArray, mean: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.0, 0.0, 0.0, 0.0), std: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0, 1.0, 1.0, 1.0), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``(data - mean) / std`` of each channel of (channel, height, width) data, or a batch, with 1 or 3 channels."""
def _image_random_brightness(data: NDArray, min_factor: float | SupportsFloat, max_factor: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Changes the brightness of an image by a random factor from the given range: all values times the factor."""
def _image_random_color_jitter(data: NDArray, brightness: float | SupportsFloat, contrast: float | SupportsFloat, saturation: float | SupportsFloat, hue: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Changes brightness, contrast, saturation and hue in random order, by factors from 1 - value to 1 + value each."""
def _image_random_contrast(data: NDArray, min_factor: float | SupportsFloat, max_factor: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Changes the contrast of an image by a random factor from the given range: the differences from the mean gray times the factor."""
def _image_random_flip_left_right(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The image (height, width, channel), turned left to right half of the time."""
def _image_random_flip_top_bottom(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The image (height, width, channel), turned upside down half of the time."""
def _image_random_hue(data: NDArray, min_factor: float | SupportsFloat, max_factor: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Changes the hue of an image by a random factor from the given range: the hue turned by that part of a circle, so that 1 leaves it as it is."""
def _image_random_lighting(data: NDArray, alpha_std: float | SupportsFloat = 0.05, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """AlexNet's lighting by three normal numbers of deviation ``alpha_std``."""
def _image_random_saturation(data: NDArray, min_factor: float | SupportsFloat, max_factor: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Changes the saturation of an image by a random factor from the given range: the differences from each pixel's gray times the factor."""
def _image_resize(data: NDArray, size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), keep_ratio: bool | int = False, interp: int | SupportsIndex = 1, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Resizes an image (height, width, channel), or a batch, to ``size``: (width, height), or one number for both."""
def _image_to_tensor(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """An image (height, width, channel), or a batch, from 0 to 255, as float32 (channel, height, width) from 0 to 1."""
def _imdecode(mean: NDArray, index: int | SupportsIndex = 0, x0: int | SupportsIndex = 0, y0: int | SupportsIndex = 0, x1: int | SupportsIndex = 0, y1: int | SupportsIndex = 0, c: int | SupportsIndex = 3, size: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The decoder of the first releases, which cannot be called any more; use mx.image.imdecode or _cvimdecode."""
def _lesser(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs < rhs``, else 0. Both arrays must have the same shape."""
def _lesser_equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs <= rhs``, else 0. Both arrays must have the same shape."""
def _lesser_equal_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs <= rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _lesser_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs < rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _linalg_det(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The determinant of square matrices."""
def _linalg_extractdiag(A: NDArray, offset: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A diagonal of square matrices; ``offset`` counts upwards from the main diagonal."""
def _linalg_extracttrian(A: NDArray, offset: int | SupportsIndex = 0, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A triangle of square matrices as a vector: a lower one row by row, an upper one column by column."""
def _linalg_gelqf(A: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The LQ factorization ``A = L Q`` of matrices with no more rows than columns; returns Q and L."""
def _linalg_gemm(A: NDArray, B: NDArray, C: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, axis: int | SupportsIndex = -2, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Matrix product and sum: ``alpha * op(A) op(B) + beta * C``, where ``op`` transposes if told to."""
def _linalg_gemm2(A: NDArray, B: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, alpha: float | SupportsFloat = 1.0, axis: int | SupportsIndex = -2, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Matrix product ``alpha * op(A) op(B)``, where ``op`` transposes if told to."""
def _linalg_inverse(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of square matrices."""
def _linalg_makediag(A: NDArray, offset: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square matrices with the rows of ``A`` on a diagonal; ``offset`` counts upwards from the main diagonal."""
def _linalg_maketrian(A: NDArray, offset: int | SupportsIndex = 0, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Square matrices with a triangle made of the elements of ``A``; the reverse of ``linalg_extracttrian``."""
def _linalg_potrf(A: NDArray, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The Cholesky factor: the lower triangular L with ``A = L Lᵀ``, or the upper triangular U with ``A = Uᵀ U`` if not ``lower``. A must be symmetric and positive definite."""
def _linalg_potri(A: NDArray, lower: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The inverse of ``A Aᵀ``, where A is lower triangular, as ``linalg_potrf`` gives it; of ``Aᵀ A`` with an upper triangular one if not ``lower``."""
def _linalg_slogdet(A: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The sign of the determinant of square matrices and the logarithm of its absolute value."""
def _linalg_sumlogdiag(A: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum of the logarithms of the diagonal of square matrices."""
def _linalg_syevd(A: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The eigendecomposition of symmetric matrices; returns U and L with ``U A = diag(L) U``."""
def _linalg_syrk(A: NDArray, transpose: bool | int = False, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product of matrices with their transpose: ``alpha * A Aᵀ``, or ``alpha * Aᵀ A`` with ``transpose``."""
def _linalg_trmm(A: NDArray, B: NDArray, transpose: bool | int = False, rightside: bool | int = False, lower: bool | int = True, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Multiplies with triangular matrices: ``alpha * op(A) B``, or ``alpha * B op(A)`` with ``rightside``."""
def _linalg_trsm(A: NDArray, B: NDArray, transpose: bool | int = False, rightside: bool | int = False, lower: bool | int = True, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Solves with triangular matrices: ``op(A) X = alpha * B`` for X, or ``X op(A) = alpha * B`` with ``rightside``."""
def _linspace(start: float | SupportsFloat, stop: float | SupportsFloat, num: int | SupportsIndex, endpoint: bool | int = True, ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, which is the last of them if ``endpoint`` says so."""
def _log_softmax_pick(data: NDArray, index: NDArray, axis: int | SupportsIndex = -1, keepdims: bool | int = False, scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``pick(log_softmax(data, axis), index, axis, keepdims) * scale``, without an array of all the logarithms."""
def _logical_and(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs and rhs`` holds, else 0; 0 counts as false. Both arrays must have the same shape."""
def _logical_and_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs and rhs`` holds, else 0; 0 counts as false. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _logical_or(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs or rhs`` holds, else 0; 0 counts as false. Both arrays must have the same shape."""
def _logical_or_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs or rhs`` holds, else 0; 0 counts as false. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _logical_xor(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs xor rhs`` holds, else 0; 0 counts as false. Both arrays must have the same shape."""
def _logical_xor_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs xor rhs`` holds, else 0; 0 counts as false. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _maximum(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The larger number, element by element. Both arrays must have the same shape."""
def _maximum_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The larger number, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _minimum(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The smaller number, element by element. Both arrays must have the same shape."""
def _minimum_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The smaller number, element by element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _minus(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The difference, element by element. Both arrays must have the same shape."""
def _minus_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Subtracts a number from each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _mod(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The remainder of a division, element by element, with the sign of the divisor. Both arrays must have the same shape."""
def _mod_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The remainder of dividing each element by a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _mp_adamw_update(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, weight32: NDArray, rescale_grad: NDArray, lr: float | SupportsFloat, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-08, wd: float | SupportsFloat = 0.0, eta: float | SupportsFloat = ..., clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """AdamW: ``weight -= eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight)``."""
def _mul(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The product, element by element. Both arrays must have the same shape."""
def _mul_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Multiplies each element by a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _multi_adamw_update(*data: NDArray | Sequence[NDArray], lrs: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-08, wds: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = ..., etas: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = ..., clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """AdamW for several weights: ``weight -= eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight)``."""
def _multi_lamb_update(*data: NDArray | Sequence[NDArray], learning_rates: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-06, wds: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = ..., rescale_grad: float | SupportsFloat = 1.0, lower_bound: float | SupportsFloat = -1.0, upper_bound: float | SupportsFloat = -1.0, clip_gradient: float | SupportsFloat = -1.0, bias_correction: bool | int = True, step_count: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., num_tensors: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """LAMB steps of several weights, both phases in one."""
def _multi_mp_adamw_update(*data: NDArray | Sequence[NDArray], lrs: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-08, wds: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = ..., etas: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = ..., clip_gradient: float | SupportsFloat = -1.0, num_weights: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """AdamW for several weights: ``weight -= eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight)``."""
def _multi_mp_lamb_update(*data: NDArray | Sequence[NDArray], learning_rates: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-06, wds: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = ..., rescale_grad: float | SupportsFloat = 1.0, lower_bound: float | SupportsFloat = -1.0, upper_bound: float | SupportsFloat = -1.0, clip_gradient: float | SupportsFloat = -1.0, bias_correction: bool | int = True, step_count: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., num_tensors: int | SupportsIndex = 1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """LAMB steps of several weights, both phases in one. On float32 copies of float16 weights."""
def _not_equal(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs != rhs``, else 0. Both arrays must have the same shape."""
def _not_equal_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 where ``lhs != rhs``, else 0. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _onehot_encode(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """One-hot rows for the indices ``lhs``, of the shape of ``rhs``. Superseded by ``one_hot``."""
def _ones(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """An array of ones."""
def _plus(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum, element by element. Both arrays must have the same shape."""
def _plus_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Adds a number to each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _power(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The first array to the power of the second, element by element. Both arrays must have the same shape."""
def _power_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Each element to the power of a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _random_exponential(lam: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the exponential distribution with rate ``lam``."""
def _random_exponential_like(data: NDArray, lam: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the exponential distribution with rate ``lam``, with the shape and dtype of ``data``."""
def _random_gamma(alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the gamma distribution with shape ``alpha`` and scale ``beta``."""
def _random_gamma_like(data: NDArray, alpha: float | SupportsFloat = 1.0, beta: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the gamma distribution with shape ``alpha`` and scale ``beta``, with the shape and dtype of ``data``."""
def _random_generalized_negative_binomial(mu: float | SupportsFloat = 1.0, alpha: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k)."""
def _random_generalized_negative_binomial_like(data: NDArray, mu: float | SupportsFloat = 1.0, alpha: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k), with the shape and dtype of ``data``."""
def _random_negative_binomial(k: int | SupportsIndex = 1, p: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution: successes before ``k`` failures, where ``p`` is the probability to fail."""
def _random_negative_binomial_like(data: NDArray, k: int | SupportsIndex = 1, p: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution: successes before ``k`` failures, where ``p`` is the probability to fail, with the shape and dtype of ``data``."""
def _random_normal(loc: float | SupportsFloat = 0.0, scale: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``)."""
def _random_normal_like(data: NDArray, loc: float | SupportsFloat = 0.0, scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``), with the shape and dtype of ``data``."""
def _random_pdf_dirichlet(sample: NDArray, alpha: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the Dirichlet distribution with concentration ``alpha`` at ``sample``, or its logarithm with ``is_log``."""
def _random_pdf_exponential(sample: NDArray, lam: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the exponential distribution with rate ``lam`` at ``sample``, or its logarithm with ``is_log``."""
def _random_pdf_gamma(sample: NDArray, alpha: NDArray, beta: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the gamma distribution with shape ``alpha`` and rate ``beta`` at ``sample``, or its logarithm with ``is_log``."""
def _random_pdf_generalized_negative_binomial(sample: NDArray, mu: NDArray, alpha: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` at ``sample``, or its logarithm with ``is_log``."""
def _random_pdf_negative_binomial(sample: NDArray, k: NDArray, p: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the negative binomial distribution (successes before ``k`` failures of probability ``p``) at ``sample``, or its logarithm with ``is_log``."""
def _random_pdf_normal(sample: NDArray, mu: NDArray, sigma: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the normal distribution with mean ``mu`` and standard deviation ``sigma`` at ``sample``, or its logarithm with ``is_log``."""
def _random_pdf_poisson(sample: NDArray, lam: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the Poisson distribution with rate ``lam`` at ``sample``, or its logarithm with ``is_log``."""
def _random_pdf_uniform(sample: NDArray, low: NDArray, high: NDArray, is_log: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The density of the uniform distribution, 1 / (high - low) also outside of the interval, at ``sample``, or its logarithm with ``is_log``."""
def _random_poisson(lam: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the Poisson distribution with rate ``lam``."""
def _random_poisson_like(data: NDArray, lam: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the Poisson distribution with rate ``lam``, with the shape and dtype of ``data``."""
def _random_randint(low: int | SupportsIndex, high: int | SupportsIndex, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random integers from the half-open interval [low, high), each as likely as the others."""
def _random_uniform(low: float | SupportsFloat = 0.0, high: float | SupportsFloat = 1.0, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the uniform distribution on the half-open interval [low, high)."""
def _random_uniform_like(data: NDArray, low: float | SupportsFloat = 0.0, high: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the uniform distribution on the half-open interval [low, high), with the shape and dtype of ``data``."""
def _ravel_multi_index(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The positions in a flattened array of ``shape`` of the points whose coordinates are the columns of ``data``."""
def _rdiv_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Divides a number by each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _rminus_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Subtracts each element from a number. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _rmod_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The remainder of dividing a number by each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _rnn_param_concat(*data: NDArray | Sequence[NDArray], dim: int | SupportsIndex = 1, num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Joins the parameters of a recurrent layer into the one vector that RNN takes."""
def _rpower_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A number to the power of each element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _sample_exponential(lam: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the exponential distribution with rate ``lam``, ``shape`` of them for each element of the parameters."""
def _sample_gamma(alpha: NDArray, beta: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the gamma distribution with shape ``alpha`` and scale ``beta``, ``shape`` of them for each element of the parameters."""
def _sample_generalized_negative_binomial(mu: NDArray, alpha: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k), ``shape`` of them for each element of the parameters."""
def _sample_multinomial(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (), get_prob: bool | int = False, dtype: DTypeLike | None = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Draws indices by the probabilities in the last dimension of ``data``, ``shape`` of them for each distribution."""
def _sample_negative_binomial(k: NDArray, p: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the negative binomial distribution: successes before ``k`` failures, where ``p`` is the probability to fail, ``shape`` of them for each element of the parameters."""
def _sample_normal(mu: NDArray, sigma: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the normal distribution with mean ``loc`` (``mu``) and standard deviation ``scale`` (``sigma``), ``shape`` of them for each element of the parameters."""
def _sample_poisson(lam: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the Poisson distribution with rate ``lam``, ``shape`` of them for each element of the parameters."""
def _sample_uniform(low: NDArray, high: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dtype: DTypeLike | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Random numbers from the uniform distribution on the half-open interval [low, high), ``shape`` of them for each element of the parameters."""
def _sample_unique_zipfian(range_max: int | SupportsIndex, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Draws classes without replacement from a Zipfian distribution; also returns how many trials that took."""
def _scatter_elemwise_div(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The quotient, element by element; of integers it is truncated. Both arrays must have the same shape."""
def _scatter_minus_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Subtracts a number from each stored element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _scatter_plus_scalar(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Adds a number to each stored element. The number is first converted to the dtype of the array; with ``is_int=False`` integers become float64."""
def _scatter_set_nd(lhs: NDArray, rhs: NDArray, indices: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of ``lhs`` with ``rhs`` at the points whose coordinates are the columns of ``indices``."""
def _set_value(src: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Fills the array given as ``out`` with the number ``src``."""
def _sg_mkldnn_conv(*data: NDArray | Sequence[NDArray], with_bn: bool | int = False, with_act: bool | int = False, with_sum: bool | int = False, with_postsum_act: bool | int = False, quantized: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """A convolution with batch norm, activation, a sum with another array and an activation of that, as far as given."""
def _sg_mkldnn_fully_connected(*data: NDArray | Sequence[NDArray], quantized: bool | int = False, enable_float_output: bool | int = False, with_eltwise: bool | int = False, channel_wise_quantize: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """A dense layer with a function of its results."""
def _sg_mkldnn_selfatt_qk(*data: NDArray | Sequence[NDArray], heads: int | SupportsIndex, quantized: bool | int = False, enable_float_output: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Scores of self-attention from an interleaved projection; ``quantized``: from integers, followed by their range."""
def _sg_mkldnn_selfatt_valatt(*data: NDArray | Sequence[NDArray], heads: int | SupportsIndex, quantized: bool | int = False, enable_float_output: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Values of an interleaved projection weighted by attention; integers are followed by both ranges."""
def _shuffle(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The array with the elements of its first axis in random order."""
def _slice_assign(lhs: NDArray, rhs: NDArray, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of ``lhs`` in which a slice is replaced by ``rhs``."""
def _slice_assign_scalar(data: NDArray, scalar: float | SupportsFloat = 0.0, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = ..., step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of ``data`` in which every element of a slice is ``scalar``."""
def _sparse_adagrad_update(weight: NDArray, grad: NDArray, history: NDArray, lr: float | SupportsFloat, epsilon: float | SupportsFloat = 1.00000001e-07, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """AdaGrad on rows: ``history += g * g``, ``weight - lr * (g / sqrt(history + epsilon) + wd * weight)``."""
def _sparse_retain(data: NDArray, indices: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The rows of a row-sparse array with the numbers ``indices``; all others become zero."""
def _split_v2(data: NDArray, indices: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, axis: int | SupportsIndex = 1, squeeze_axis: bool | int = False, sections: int | SupportsIndex = 0, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Splits an array along ``axis`` into parts that start at ``indices``, or into ``sections`` nearly equal parts."""
def _square_sum(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sum of squares along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def _sub(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The difference, element by element. Both arrays must have the same shape."""
def _unravel_index(data: NDArray, shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The coordinates, as columns of a matrix, of positions in a flattened array of ``shape``."""
def _while_loop(*data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_outputs: int | SupportsIndex = ..., num_out_data: int | SupportsIndex = ..., max_iterations: int | SupportsIndex = ..., cond_input_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., func_input_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., func_var_locs: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Runs the function while the condition holds, at most ``max_iterations`` times."""
def _zeros(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), ctx: Context | str | None = None, dtype: DTypeLike | None = ..., out: NDArray | None = None, name: str | None = None) -> NDArray:
    """An array of zeros."""
def _zeros_without_dtype(shape: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, ctx: Context | str | None = None, dtype: int | SupportsIndex = -1, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """An array of zeros whose dtype is given by its number in files, -1 for that of what it is combined with."""
__all__ = ['_backward_gather_nd', '_sg_mkldnn_conv', '_sg_mkldnn_fully_connected', '_sg_mkldnn_selfatt_qk', '_sg_mkldnn_selfatt_valatt', '_CachedOp', '_CustomFunction', '_contrib_interleaved_matmul_selfatt_qk', '_contrib_interleaved_matmul_selfatt_valatt', '_contrib_interleaved_matmul_encdec_qk', '_contrib_interleaved_matmul_encdec_valatt', '_contrib_div_sqrt_dim', '_contrib_box_iou', '_contrib_box_nms', '_contrib_box_non_maximum_suppression', '_contrib_bipartite_matching', '_contrib_box_encode', '_contrib_box_decode', '_copy', '_identity_with_attr_like_rhs', '_contrib_BatchNormWithReLU', '_contrib_SyncBatchNorm', '_scatter_set_nd', '_onehot_encode', '_contrib_SparseEmbedding', '_ravel_multi_index', '_unravel_index', '_set_value', '_log_softmax_pick', '_contrib_CTCLoss', '_contrib_ctc_loss', '_rnn_param_concat', '_split_v2', '_contrib_round_ste', '_contrib_sign_ste', '_contrib_gradientmultiplier', '_contrib_hawkesll', '_contrib_ROIAlign', '_contrib_RROIAlign', '_contrib_PSROIPooling', '_contrib_DeformablePSROIPooling', '_contrib_DeformableConvolution', '_contrib_ModulatedDeformableConvolution', '_zeros', '_ones', '_zeros_without_dtype', '_full', '_eye', '_arange', '_linspace', '_contrib_quadratic', '_contrib_allclose', '_contrib_arange_like', '_contrib_index_array', '_contrib_boolean_mask', '_contrib_index_copy', '_contrib_count_sketch', '_contrib_fft', '_contrib_ifft', '_contrib_getnnz', '_contrib_edge_id', '_contrib_MultiBoxPrior', '_contrib_MultiBoxTarget', '_contrib_MultiBoxDetection', '_contrib_Proposal', '_contrib_MultiProposal', '_contrib_AdaptiveAvgPooling2D', '_contrib_BilinearResize2D', '_foreach', '_while_loop', '_cond', '_add', '_plus', '_Plus', '_grad_add', '_plus_scalar', '_PlusScalar', '_scatter_plus_scalar', '_sub', '_minus', '_Minus', '_minus_scalar', '_MinusScalar', '_rminus_scalar', '_RMinusScalar', '_scatter_minus_scalar', '_mul', '_Mul', '_mul_scalar', '_MulScalar', '_div', '_Div', '_scatter_elemwise_div', '_div_scalar', '_DivScalar', '_rdiv_scalar', '_RDivScalar', '_mod', '_Mod', '_mod_scalar', '_ModScalar', '_rmod_scalar', '_RModScalar', '_power', '_Power', '_power_scalar', '_PowerScalar', '_rpower_scalar', '_RPowerScalar', '_maximum', '_Maximum', '_maximum_scalar', '_MaximumScalar', '_minimum', '_Minimum', '_minimum_scalar', '_MinimumScalar', '_hypot', '_Hypot', '_hypot_scalar', '_HypotScalar', '_equal', '_Equal', '_equal_scalar', '_EqualScalar', '_not_equal', '_Not_Equal', '_not_equal_scalar', '_NotEqualScalar', '_greater', '_Greater', '_greater_scalar', '_GreaterScalar', '_greater_equal', '_Greater_Equal', '_greater_equal_scalar', '_GreaterEqualScalar', '_lesser', '_Lesser', '_lesser_scalar', '_LesserScalar', '_lesser_equal', '_Lesser_Equal', '_lesser_equal_scalar', '_LesserEqualScalar', '_logical_and', '_Logical_And', '_logical_and_scalar', '_LogicalAndScalar', '_logical_or', '_Logical_Or', '_logical_or_scalar', '_LogicalOrScalar', '_logical_xor', '_Logical_Xor', '_logical_xor_scalar', '_LogicalXorScalar', '_cvimdecode', '_cvimread', '_cvimresize', '_cvcopyMakeBorder', '_imdecode', '_image_to_tensor', '_image_normalize', '_image_resize', '_image_crop', '_image_flip_left_right', '_image_random_flip_left_right', '_image_flip_top_bottom', '_image_random_flip_top_bottom', '_image_random_brightness', '_image_random_contrast', '_image_random_saturation', '_image_random_hue', '_image_random_color_jitter', '_image_adjust_lighting', '_image_random_lighting', '_linalg_gemm', '_linalg_gemm2', '_linalg_syrk', '_linalg_trmm', '_linalg_trsm', '_linalg_potrf', '_linalg_potri', '_linalg_gelqf', '_linalg_syevd', '_linalg_inverse', '_linalg_det', '_linalg_slogdet', '_linalg_sumlogdiag', '_linalg_extractdiag', '_linalg_makediag', '_linalg_extracttrian', '_linalg_maketrian', '_multi_adamw_update', '_multi_mp_adamw_update', '_adamw_update', '_mp_adamw_update', '_multi_lamb_update', '_multi_mp_lamb_update', '_contrib_group_adagrad_update', '_histogram', '_contrib_calibrate_entropy', '_contrib_quantize', '_contrib_quantize_v2', '_contrib_quantize_asym', '_contrib_dequantize', '_contrib_requantize', '_contrib_quantized_conv', '_contrib_quantized_fully_connected', '_contrib_quantized_pooling', '_contrib_quantized_act', '_contrib_quantized_flatten', '_contrib_quantized_embedding', '_contrib_quantized_concat', '_contrib_quantized_elemwise_add', '_contrib_quantized_elemwise_mul', '_contrib_quantized_batch_norm', '_contrib_quantized_rnn', '_random_uniform', '_random_uniform_like', '_sample_uniform', '_random_normal', '_random_normal_like', '_sample_normal', '_random_gamma', '_random_gamma_like', '_sample_gamma', '_random_exponential', '_random_exponential_like', '_sample_exponential', '_random_poisson', '_random_poisson_like', '_sample_poisson', '_random_negative_binomial', '_random_negative_binomial_like', '_sample_negative_binomial', '_random_generalized_negative_binomial', '_random_generalized_negative_binomial_like', '_sample_generalized_negative_binomial', '_random_randint', '_random_pdf_uniform', '_random_pdf_normal', '_random_pdf_gamma', '_random_pdf_exponential', '_random_pdf_poisson', '_random_pdf_negative_binomial', '_random_pdf_generalized_negative_binomial', '_random_pdf_dirichlet', '_sample_multinomial', '_shuffle', '_sample_unique_zipfian', '_square_sum', '_slice_assign', '_crop_assign', '_slice_assign_scalar', '_crop_assign_scalar', '_contrib_dgl_csr_neighbor_uniform_sample', '_contrib_dgl_csr_neighbor_non_uniform_sample', '_contrib_dgl_subgraph', '_contrib_dgl_graph_compact', '_contrib_dgl_adjacency', '_sparse_retain', '_sparse_adagrad_update']
