# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from mxnet.context import Context
from numpy.typing import DTypeLike
from typing import Literal, SupportsFloat, SupportsIndex

import math
from collections.abc import Callable, Sequence
from typing import Any
from .._core.nested import as_limit, flat, map_nested, shaped_like, two_parts
from ..attribute import AttrScope
from ..base import check_call
from ..error import MXNetAssertionError, MXNetTypeError, MXNetValueError
from ..graph.node import Entry, Graph, Node
from ..name import NameManager
from ..ops.methods import adamw_functions
from ..ops.registry import get
from .attributes import hidden_key
from .operators import apply
from .random import uniform
from .symbol import Symbol, var
Nested = Any
_MARK: str
_COPY: tuple[Any, ...]
def _unique(name: str) -> str:
    """A name for a new subgraph; one inside another is called ``outer$inner``."""
class _Subgraph:
    """What was composed under one subgraph name: its outputs, and for each of its variables what feeds it."""
    def __init__(self, outputs: Sequence[Symbol], name: str) -> None: ...
    def sources(self) -> list[Entry]:
        """What feeds each variable, in their order."""
    feeds: dict[Node, Entry]
    outputs: Any
    variables: Any
def _unique_inputs(graph: _Subgraph) -> None: ...
def _flat(value: object, what: str) -> list[Symbol]: ...
def _placeholders(symbols: Sequence[Symbol]) -> list[Symbol]: ...
def _copy_inside(symbol: Symbol, name: str) -> Symbol:
    """An output of a subgraph must be an operator of it: anything else is copied inside."""
def _node(kind: str, inputs: Sequence[Entry], subgraphs: Sequence[_Subgraph], **attrs: Any) -> list[Symbol]: ...
def foreach(body: Callable[[Nested, Nested], tuple[Nested, Nested]], data: Nested, init_states: Nested, name: str='foreach') -> tuple[Nested, Nested]:
    """Runs ``outputs, states = body(slice, states)`` for each slice of the data along its first axis."""
def _loop_arguments(loop_vars: Nested, symbols: Sequence[Symbol]) -> list[Nested]: ...
def _trace_condition(cond: Callable[..., Symbol], loop_vars: Nested, variables: Sequence[Symbol], name: str) -> tuple[list[Symbol], _Subgraph]:
    """Composes the condition of a loop; returns what stands for the loop variables, and the subgraph."""
def _trace_step(func: Callable[..., tuple[Nested, Nested]], loop_vars: Nested, variables: Sequence[Symbol], name: str) -> tuple[list[Symbol], _Subgraph, Nested, int]:
    """Composes the body of a loop; returns its placeholders, the subgraph, its outputs and how many these are."""
def while_loop(cond: Callable[..., Symbol], func: Callable[..., tuple[Nested, Nested]], loop_vars: Nested, max_iterations: int | None=None, name: str='while_loop') -> tuple[Nested, Nested]:
    """Runs ``outputs, loop_vars = func(*loop_vars)`` while ``cond(*loop_vars)`` holds."""
def cond(pred: Symbol, then_func: Callable[[], Nested], else_func: Callable[[], Nested], name: str='cond') -> Nested:
    """The outputs of ``then_func()`` if ``pred`` is true, else those of ``else_func()``; only one of them runs."""
def isnan(data: Symbol) -> Symbol:
    """1 where an element is not a number, else 0."""
def isinf(data: Symbol) -> Symbol:
    """1 where an element is infinite, else 0."""
def isfinite(data: Symbol) -> Symbol:
    """1 where an element is neither infinite nor NaN, else 0."""
def rand_zipfian(true_classes: Symbol, num_sampled: int, range_max: int) -> tuple[Symbol, Symbol, Symbol]:
    """Draws candidate classes from an approximately log-uniform distribution over ``[0, range_max)``."""
def _scale(rescale_grad: Symbol | float, like: Symbol) -> Symbol: ...
def _adamw(operator: str, *inputs: Symbol, out: object=None, **attrs: object) -> Symbol: ...
def adamw_update(weight: Any, grad: Any, mean: Any, var: Any, rescale_grad: Any, lr: float, eta: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0, clip_gradient: float = -1, out: Any = None, name: str | None = None, **kwargs: Any) -> Any:
    """One step of AdamW; ``mean`` and ``var`` are changed."""
def mp_adamw_update(weight: Any, grad: Any, mean: Any, var: Any, weight32: Any, rescale_grad: Any, lr: float, eta: float, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, wd: float = 0, clip_gradient: float = -1, out: Any = None, name: str | None = None, **kwargs: Any) -> Any:
    """One step of AdamW for a float16 weight with its float32 master copy; see ``adamw_update``."""
def AdaptiveAvgPooling2D(data: Symbol | None = None, output_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = (), out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Averages (batch, channel, height, width) data over a grid of ``output_size``: a number or (height, width)."""
def BatchNormWithReLU(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, moving_mean: Symbol | None = None, moving_var: Symbol | None = None, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, axis: int | SupportsIndex = 1, cudnn_off: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``BatchNorm`` followed by relu, in one operator that keeps one array less for backward."""
def BilinearResize2D(data: Symbol | None = None, like: Symbol | None = None, height: int | SupportsIndex = 1, width: int | SupportsIndex = 1, scale_height: float | SupportsFloat | None = None, scale_width: float | SupportsFloat | None = None, mode: Literal['size', 'odd_scale', 'like', 'to_even_down', 'to_even_up', 'to_odd_down', 'to_odd_up'] | str = 'size', align_corners: bool | int = True, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Resizes (batch, channel, height, width) data by bilinear interpolation."""
def CTCLoss(data: Symbol | None = None, label: Symbol | None = None, data_lengths: Symbol | None = None, label_lengths: Symbol | None = None, use_data_lengths: bool | int = False, use_label_lengths: bool | int = False, blank_label: Literal['first', 'last'] | str = 'first', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length)."""
def DeformableConvolution(data: Symbol | None = None, offset: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, num_deformable_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW'] | str | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """A 2-D convolution that reads each tap at a place moved by ``offset``, with bilinear interpolation."""
def DeformablePSROIPooling(data: Symbol | None = None, rois: Symbol | None = None, trans: Symbol | None = None, spatial_scale: float | SupportsFloat = ..., output_dim: int | SupportsIndex = ..., group_size: int | SupportsIndex = ..., pooled_size: int | SupportsIndex = ..., part_size: int | SupportsIndex = 0, sample_per_part: int | SupportsIndex = 1, trans_std: float | SupportsFloat = 0.0, no_trans: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Position sensitive averages of bilinear samples in cells that are moved: (regions, output_dim, pooled, pooled)."""
def ModulatedDeformableConvolution(data: Symbol | None = None, offset: Symbol | None = None, mask: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, num_deformable_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, im2col_step: int | SupportsIndex = 64, layout: Literal['NCDHW', 'NCHW', 'NCW'] | str | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """A deformable convolution whose taps are also multiplied by ``mask``."""
def MultiBoxDetection(cls_prob: Symbol | None = None, loc_pred: Symbol | None = None, anchor: Symbol | None = None, clip: bool | int = True, threshold: float | SupportsFloat = 0.01, background_id: int | SupportsIndex = 0, nms_threshold: float | SupportsFloat = 0.5, force_suppress: bool | int = False, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), nms_topk: int | SupportsIndex = -1, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Detections of SSD: rows (class, score, xmin, ymin, xmax, ymax), best first, for each anchor: (batch, n, 6)."""
def MultiBoxPrior(data: Symbol | None = None, sizes: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), clip: bool | int = False, steps: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (-1.0, -1.0), offsets: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 0.5), out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Anchor boxes for each pixel of a feature map (batch, channel, height, width): (1, height * width * k, 4)."""
def MultiBoxTarget(anchor: Symbol | None = None, label: Symbol | None = None, cls_pred: Symbol | None = None, overlap_threshold: float | SupportsFloat = 0.5, ignore_label: float | SupportsFloat = -1.0, negative_mining_ratio: float | SupportsFloat = -1.0, negative_mining_thresh: float | SupportsFloat = 0.5, minimum_negative_samples: int | SupportsIndex = 0, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Training targets of SSD: box offsets (batch, n * 4), their mask, and classes (batch, n) of the n anchors."""
def MultiProposal(cls_prob: Symbol | None = None, bbox_pred: Symbol | None = None, im_info: Symbol | None = None, rpn_pre_nms_top_n: int | SupportsIndex = 6000, rpn_post_nms_top_n: int | SupportsIndex = 300, threshold: float | SupportsFloat = 0.7, rpn_min_size: int | SupportsIndex = 16, scales: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (4.0, 8.0, 16.0, 32.0), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 1.0, 2.0), feature_stride: int | SupportsIndex = 16, output_score: bool | int = False, iou_loss: bool | int = False, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Regions of interest: rows (image, xmin, ymin, xmax, ymax), ``rpn_post_nms_top_n`` of them for each image."""
def PSROIPooling(data: Symbol | None = None, rois: Symbol | None = None, spatial_scale: float | SupportsFloat = ..., output_dim: int | SupportsIndex = ..., pooled_size: int | SupportsIndex = ..., group_size: int | SupportsIndex = 0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Position sensitive averages over regions: (regions, output_dim, pooled_size, pooled_size)."""
def Proposal(cls_prob: Symbol | None = None, bbox_pred: Symbol | None = None, im_info: Symbol | None = None, rpn_pre_nms_top_n: int | SupportsIndex = 6000, rpn_post_nms_top_n: int | SupportsIndex = 300, threshold: float | SupportsFloat = 0.7, rpn_min_size: int | SupportsIndex = 16, scales: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (4.0, 8.0, 16.0, 32.0), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 1.0, 2.0), feature_stride: int | SupportsIndex = 16, output_score: bool | int = False, iou_loss: bool | int = False, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Regions of interest: rows (image, xmin, ymin, xmax, ymax), ``rpn_post_nms_top_n`` of them for each image."""
def ROIAlign(data: Symbol | None = None, rois: Symbol | None = None, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., spatial_scale: float | SupportsFloat = ..., sample_ratio: int | SupportsIndex = -1, position_sensitive: bool | int = False, aligned: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Averages of bilinear samples in a grid over regions of interest: (regions, channel, height, width)."""
def RROIAlign(data: Symbol | None = None, rois: Symbol | None = None, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., spatial_scale: float | SupportsFloat = ..., sampling_ratio: int | SupportsIndex = -1, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """ROIAlign of rotated regions: rows (image, x, y, width, height, angle), with the centre and degrees."""
def SparseEmbedding(data: Symbol | None = None, weight: Symbol | None = None, input_dim: int | SupportsIndex = ..., output_dim: int | SupportsIndex = ..., dtype: DTypeLike | None = ..., deterministic: bool | int = False, sparse_grad: bool | int = False, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``Embedding`` whose gradient has only the rows that were used; its sums are always ``deterministic``."""
def SyncBatchNorm(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, moving_mean: Symbol | None = None, moving_var: Symbol | None = None, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, ndev: int | SupportsIndex = 1, key: str = ..., out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``BatchNorm`` of axis 1 with the statistics of all ``ndev`` devices that share the batch and the layer ``key``."""
def allclose(a: Symbol | None = None, b: Symbol | None = None, rtol: float | SupportsFloat = 1e-05, atol: float | SupportsFloat = 1e-08, equal_nan: bool | int = True, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """1 if ``abs(a - b) <= atol + rtol * abs(b)`` everywhere, else 0, as uint8."""
def arange_like(data: Symbol | None = None, start: float | SupportsFloat = 0.0, step: float | SupportsFloat = 1.0, repeat: int | SupportsIndex = 1, ctx: Context | str | None = None, axis: int | SupportsIndex | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Numbers from ``start`` in steps of ``step``, each ``repeat`` times, in the shape of the data or of one axis."""
def bipartite_matching(data: Symbol | None = None, is_ascend: bool | int = False, threshold: float | SupportsFloat = ..., topk: int | SupportsIndex = -1, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Matches rows and columns of score matrices (..., rows, columns), the best pair first, each once."""
def boolean_mask(data: Symbol | None = None, index: Symbol | None = None, axis: int | SupportsIndex = 0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The rows of ``data`` where ``index``, a vector, is not 0. How many depends on the data."""
def box_decode(data: Symbol | None = None, anchors: Symbol | None = None, std0: float | SupportsFloat = 1.0, std1: float | SupportsFloat = 1.0, std2: float | SupportsFloat = 1.0, std3: float | SupportsFloat = 1.0, clip: float | SupportsFloat = -1.0, format: Literal['center', 'corner'] | str = 'center', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Corner boxes from predicted offsets (batch, n, 4) to anchors (1, n, 4), which are in the given format."""
def box_encode(samples: Symbol | None = None, matches: Symbol | None = None, anchors: Symbol | None = None, refs: Symbol | None = None, means: Symbol | None = None, stds: Symbol | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Regression targets of anchors (batch, n, 4) for the reference boxes (batch, m, 4) they match, and their mask."""
def box_iou(lhs: Symbol | None = None, rhs: Symbol | None = None, format: Literal['center', 'corner'] | str = 'corner', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Intersection over union of every box of ``lhs`` with every box of ``rhs``: shape lhs[:-1] + rhs[:-1]."""
def box_nms(data: Symbol | None = None, overlap_thresh: float | SupportsFloat = 0.5, valid_thresh: float | SupportsFloat = 0.0, topk: int | SupportsIndex = -1, coord_start: int | SupportsIndex = 2, score_index: int | SupportsIndex = 1, id_index: int | SupportsIndex = -1, background_id: int | SupportsIndex = -1, force_suppress: bool | int = False, in_format: Literal['center', 'corner'] | str = 'corner', out_format: Literal['center', 'corner'] | str = 'corner', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Non-maximum suppression: rows (..., boxes, width) sorted by score, overlapping ones removed, -1 in the rest."""
def box_non_maximum_suppression(data: Symbol | None = None, overlap_thresh: float | SupportsFloat = 0.5, valid_thresh: float | SupportsFloat = 0.0, topk: int | SupportsIndex = -1, coord_start: int | SupportsIndex = 2, score_index: int | SupportsIndex = 1, id_index: int | SupportsIndex = -1, background_id: int | SupportsIndex = -1, force_suppress: bool | int = False, in_format: Literal['center', 'corner'] | str = 'corner', out_format: Literal['center', 'corner'] | str = 'corner', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Non-maximum suppression: rows (..., boxes, width) sorted by score, overlapping ones removed, -1 in the rest."""
def calibrate_entropy(hist: Symbol | None = None, hist_edges: Symbol | None = None, num_quantized_bins: int | SupportsIndex = 255, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The threshold at which to cut floats with this histogram, and the divergence of what remains from what was."""
def count_sketch(data: Symbol | None = None, h: Symbol | None = None, s: Symbol | None = None, out_dim: int | SupportsIndex = ..., processing_batch_size: int | SupportsIndex = 32, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Projects rows of ``data`` (n, d) to ``out_dim`` numbers: element ``i`` times ``s[i]`` is added to place ``h[i]``."""
def ctc_loss(data: Symbol | None = None, label: Symbol | None = None, data_lengths: Symbol | None = None, label_lengths: Symbol | None = None, use_data_lengths: bool | int = False, use_label_lengths: bool | int = False, blank_label: Literal['first', 'last'] | str = 'first', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length)."""
def dequantize(data: Symbol | None = None, min_range: Symbol | None = None, max_range: Symbol | None = None, out_type: Literal['float32'] | str = 'float32', out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """8-bit integers as the floats that they stand for: ``data * max(abs(range)) / 127.5``, or 255.5 for uint8."""
def dgl_adjacency(data: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The adjacency matrix of a graph: ones of float32 where there are edges."""
def dgl_csr_neighbor_non_uniform_sample(csr_matrix: Symbol | None = None, probability: Symbol | None = None, *seed_arrays: Symbol | Sequence[Symbol], num_args: int | SupportsIndex = ..., num_hops: int | SupportsIndex = 1, num_neighbor: int | SupportsIndex = 2, max_num_vertices: int | SupportsIndex = 100, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples neighbors by the probabilities of vertices; between subgraphs and distances it gives these."""
def dgl_csr_neighbor_uniform_sample(csr_matrix: Symbol | None = None, *seed_arrays: Symbol | Sequence[Symbol], num_args: int | SupportsIndex = ..., num_hops: int | SupportsIndex = 1, num_neighbor: int | SupportsIndex = 2, max_num_vertices: int | SupportsIndex = 100, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Samples ``num_neighbor`` neighbors of each vertex, ``num_hops`` times, from each array of seeds."""
def dgl_graph_compact(*graph_data: Symbol | Sequence[Symbol], num_args: int | SupportsIndex = ..., return_mapping: bool | int = ..., graph_sizes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Numbers the columns of sampled subgraphs as their rows. Given are the graphs, then their arrays of vertices."""
def dgl_subgraph(graph: Symbol | None = None, *data: Symbol | Sequence[Symbol], num_args: int | SupportsIndex = ..., return_mapping: bool | int = ..., out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The subgraph of each array of vertices. Edges are numbered anew; with ``return_mapping`` as many graphs follow that have the numbers of before."""
def div_sqrt_dim(data: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The data over the square root of its last dimension."""
def edge_id(data: Symbol | None = None, u: Symbol | None = None, v: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The values ``data[u[i], v[i]]`` of a CSR matrix, or -1 where it stores none."""
def fft(data: Symbol | None = None, compute_size: int | SupportsIndex = 128, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The Fourier transform of real data along its last dimension, as real, imaginary, real, imaginary, ..."""
def getnnz(data: Symbol | None = None, axis: int | SupportsIndex | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The number of stored values of a CSR matrix. Only CSR has such a number, a dense array has none."""
def gradientmultiplier(data: Symbol | None = None, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The data itself; its gradient is multiplied by ``scalar`` (a negative one reverses it), cut for integers."""
def group_adagrad_update(weight: Symbol | None = None, grad: Symbol | None = None, history: Symbol | None = None, lr: float | SupportsFloat = ..., rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, epsilon: float | SupportsFloat = 1e-05, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """AdaGrad with one learning rate for each row: ``history``, shape (rows, 1), sums the rows' mean squares."""
def hawkesll(lda: Symbol | None = None, alpha: Symbol | None = None, beta: Symbol | None = None, state: Symbol | None = None, lags: Symbol | None = None, marks: Symbol | None = None, valid_length: Symbol | None = None, max_time: Symbol | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The log likelihood of K independent Hawkes processes with exponential decay, and their memory at ``max_time``."""
def ifft(data: Symbol | None = None, compute_size: int | SupportsIndex = 128, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The real part of the inverse Fourier transform, times its length, of real, imaginary, real, imaginary, ..."""
def index_array(data: Symbol | None = None, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The index of each element as int64 in a new last dimension, along all axes or those given."""
def index_copy(old_tensor: Symbol | None = None, index_vector: Symbol | None = None, new_tensor: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """A copy of ``old_tensor`` whose row ``index_vector[i]`` is row ``i`` of ``new_tensor``."""
def interleaved_matmul_encdec_qk(queries: Symbol | None = None, keys_values: Symbol | None = None, heads: int | SupportsIndex = ..., out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Scores of encoder-decoder attention: (batch * heads, length of queries, length of keys)."""
def interleaved_matmul_encdec_valatt(keys_values: Symbol | None = None, attention: Symbol | None = None, heads: int | SupportsIndex = ..., out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Encoder-decoder attention's values weighted by ``attention``: (length of queries, batch, channels)."""
def interleaved_matmul_selfatt_qk(queries_keys_values: Symbol | None = None, heads: int | SupportsIndex = ..., out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Scores of self-attention: queries times keys over the root of the head size, (batch * heads, length, length)."""
def interleaved_matmul_selfatt_valatt(queries_keys_values: Symbol | None = None, attention: Symbol | None = None, heads: int | SupportsIndex = ..., out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Self-attention's values weighted by ``attention`` (batch * heads, length, length): (length, batch, channels)."""
def quadratic(data: Symbol | None = None, a: float | SupportsFloat = 0.0, b: float | SupportsFloat = 0.0, c: float | SupportsFloat = 0.0, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``a * data**2 + b * data + c`` of each element; of integers it is computed as float32 and truncated."""
def quantize(data: Symbol | None = None, min_range: Symbol | None = None, max_range: Symbol | None = None, out_type: Literal['int8', 'uint8'] | str = 'uint8', out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """float32 as 8-bit integers, by a range that is given: ``data * 127 / max(abs(range))``, or 255 for uint8."""
def quantize_asym(data: Symbol | None = None, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """float32 as uint8 with a shift: ``data * scale + shift``, rounded, over all of the range."""
def quantize_v2(data: Symbol | None = None, out_type: Literal['auto', 'int8', 'uint8'] | str = 'int8', min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """float32 as 8-bit integers, by the range that calibration found, or else that of the data."""
def quantized_act(data: Symbol | None = None, min_data: Symbol | None = None, max_data: Symbol | None = None, act_type: Literal['relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'] | str = ..., out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``Activation`` of 8-bit integers; only ``relu`` can be computed without leaving them."""
def quantized_batch_norm(data: Symbol | None = None, gamma: Symbol | None = None, beta: Symbol | None = None, moving_mean: Symbol | None = None, moving_var: Symbol | None = None, min_data: Symbol | None = None, max_data: Symbol | None = None, eps: float | SupportsFloat = 0.0010000000474974513, momentum: float | SupportsFloat = 0.899999976, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, axis: int | SupportsIndex = 1, cudnn_off: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``BatchNorm`` of 8-bit integers by the moving averages, as int8 in the range that calibration has found."""
def quantized_concat(*data: Symbol | Sequence[Symbol], num_args: int | SupportsIndex, dim: int | SupportsIndex = 1, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``Concat`` of ``num_args`` arrays of 8-bit integers, which least and greatest value of each follow."""
def quantized_conv(data: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, min_data: Symbol | None = None, max_data: Symbol | None = None, min_weight: Symbol | None = None, max_weight: Symbol | None = None, min_bias: Symbol | None = None, max_bias: Symbol | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, cudnn_tune: Literal['fastest', 'limited_workspace', 'off'] | str | None = None, cudnn_off: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC'] | str | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``Convolution`` of 8-bit integers: exact sums as int32."""
def quantized_elemwise_add(lhs: Symbol | None = None, rhs: Symbol | None = None, lhs_min: Symbol | None = None, lhs_max: Symbol | None = None, rhs_min: Symbol | None = None, rhs_max: Symbol | None = None, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sum of 8-bit integers: int32, or 8 bits where calibration has found a range (uint8 if both inputs are)."""
def quantized_elemwise_mul(lhs: Symbol | None = None, rhs: Symbol | None = None, lhs_min: Symbol | None = None, lhs_max: Symbol | None = None, rhs_min: Symbol | None = None, rhs_max: Symbol | None = None, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, enable_float_output: bool | int = False, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The product of arrays of int8: int32, or floats, or int8 where calibration has found a range (towards 0)."""
def quantized_embedding(data: Symbol | None = None, weight: Symbol | None = None, min_weight: Symbol | None = None, max_weight: Symbol | None = None, input_dim: int | SupportsIndex = ..., output_dim: int | SupportsIndex = ..., dtype: DTypeLike | None = ..., sparse_grad: bool | int = False, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``Embedding`` with a weight of int8: the rows that ``data`` names; too small and too large ones are clipped."""
def quantized_flatten(data: Symbol | None = None, min_data: Symbol | None = None, max_data: Symbol | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``Flatten`` of integers: all dimensions but the first become one."""
def quantized_fully_connected(data: Symbol | None = None, weight: Symbol | None = None, bias: Symbol | None = None, min_data: Symbol | None = None, max_data: Symbol | None = None, min_weight: Symbol | None = None, max_weight: Symbol | None = None, min_bias: Symbol | None = None, max_bias: Symbol | None = None, num_hidden: int | SupportsIndex = ..., no_bias: bool | int = False, flatten: bool | int = True, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``FullyConnected`` of 8-bit integers: exact sums as int32. The bias is brought to their steps, towards zero."""
def quantized_pooling(data: Symbol | None = None, min_data: Symbol | None = None, max_data: Symbol | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pool_type: Literal['avg', 'lp', 'max', 'sum'] | str = 'max', global_pool: bool | int = False, cudnn_off: bool | int = False, pooling_convention: Literal['full', 'same', 'valid'] | str = 'valid', stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), p_value: int | SupportsIndex | None = None, count_include_pad: bool | int | None = None, layout: Literal['NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'] | str | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``Pooling`` of 8-bit images or volumes, maximum or average; an average is rounded."""
def quantized_rnn(data: Symbol | None = None, parameters: Symbol | None = None, state: Symbol | None = None, state_cell: Symbol | None = None, data_scale: Symbol | None = None, data_shift: Symbol | None = None, state_size: int | SupportsIndex = ..., num_layers: int | SupportsIndex = ..., bidirectional: bool | int = False, mode: Literal['rnn_relu', 'rnn_tanh', 'lstm', 'gru'] | str = ..., p: float | SupportsFloat = 0.0, state_outputs: bool | int = False, projection_size: int | SupportsIndex | None = None, lstm_state_clip_min: float | SupportsFloat | None = None, lstm_state_clip_max: float | SupportsFloat | None = None, lstm_state_clip_nan: bool | int = False, use_sequence_length: bool | int = False, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """``RNN`` with mode ``lstm`` for uint8, as ``quantize_asym`` gives it: ``(data - data_shift) / data_scale``."""
def requantize(data: Symbol | None = None, min_range: Symbol | None = None, max_range: Symbol | None = None, out_type: Literal['auto', 'int8', 'uint8'] | str = 'int8', min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: Symbol | Sequence[Symbol] | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """int32, the sums of a quantized layer, as 8-bit integers, by the range that calibration found or that of the data."""
def round_ste(data: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """Rounds to the nearest whole number, halves away from zero; gradients pass through as if nothing had been done."""
def sign_ste(data: Symbol | None = None, out: Symbol | None = None, name: str | None = None, attr: dict[str, str] | None = None) -> Symbol:
    """The sign of each element; gradients pass through as if nothing had been done."""
__all__ = ['adamw_update', 'cond', 'foreach', 'isfinite', 'isinf', 'isnan', 'mp_adamw_update', 'rand_zipfian', 'while_loop', 'interleaved_matmul_selfatt_qk', 'interleaved_matmul_selfatt_valatt', 'interleaved_matmul_encdec_qk', 'interleaved_matmul_encdec_valatt', 'div_sqrt_dim', 'box_iou', 'box_nms', 'box_non_maximum_suppression', 'bipartite_matching', 'box_encode', 'box_decode', 'BatchNormWithReLU', 'SyncBatchNorm', 'SparseEmbedding', 'CTCLoss', 'ctc_loss', 'round_ste', 'sign_ste', 'gradientmultiplier', 'hawkesll', 'ROIAlign', 'RROIAlign', 'PSROIPooling', 'DeformablePSROIPooling', 'DeformableConvolution', 'ModulatedDeformableConvolution', 'quadratic', 'allclose', 'arange_like', 'index_array', 'boolean_mask', 'index_copy', 'count_sketch', 'fft', 'ifft', 'getnnz', 'edge_id', 'MultiBoxPrior', 'MultiBoxTarget', 'MultiBoxDetection', 'Proposal', 'MultiProposal', 'AdaptiveAvgPooling2D', 'BilinearResize2D', 'group_adagrad_update', 'calibrate_entropy', 'quantize', 'quantize_v2', 'quantize_asym', 'dequantize', 'requantize', 'quantized_conv', 'quantized_fully_connected', 'quantized_pooling', 'quantized_act', 'quantized_flatten', 'quantized_embedding', 'quantized_concat', 'quantized_elemwise_add', 'quantized_elemwise_mul', 'quantized_batch_norm', 'quantized_rnn', 'dgl_csr_neighbor_uniform_sample', 'dgl_csr_neighbor_non_uniform_sample', 'dgl_subgraph', 'dgl_graph_compact', 'dgl_adjacency']
