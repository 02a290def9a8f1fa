# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.context import Context
from mxnet.ndarray.ndarray import NDArray
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

def AdaptiveAvgPooling2D(data: NDArray, output_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Averages (batch, channel, height, width) data over a grid of ``output_size``: a number or (height, width)."""
def BatchNormWithReLU(data: NDArray, gamma: NDArray, beta: NDArray, moving_mean: NDArray, moving_var: NDArray, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, axis: int | SupportsIndex = 1, cudnn_off: bool | int = False, min_calib_range: float | SupportsFloat | None = None, max_calib_range: float | SupportsFloat | None = None, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``BatchNorm`` followed by relu, in one operator that keeps one array less for backward."""
def BilinearResize2D(data: NDArray, like: NDArray | None = None, height: int | SupportsIndex = 1, width: int | SupportsIndex = 1, scale_height: float | SupportsFloat | None = None, scale_width: float | SupportsFloat | None = None, mode: Literal['size', 'odd_scale', 'like', 'to_even_down', 'to_even_up', 'to_odd_down', 'to_odd_up'] | str = 'size', align_corners: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Resizes (batch, channel, height, width) data by bilinear interpolation."""
def CTCLoss(data: NDArray, label: NDArray, data_lengths: NDArray | None = None, label_lengths: NDArray | None = None, use_data_lengths: bool | int = False, use_label_lengths: bool | int = False, blank_label: Literal['first', 'last'] | str = 'first', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length)."""
def DeformableConvolution(data: NDArray, offset: NDArray, weight: NDArray, bias: NDArray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, num_deformable_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, layout: Literal['NCDHW', 'NCHW', 'NCW'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A 2-D convolution that reads each tap at a place moved by ``offset``, with bilinear interpolation."""
def DeformablePSROIPooling(data: NDArray, rois: NDArray, trans: NDArray | None = None, spatial_scale: float | SupportsFloat = ..., output_dim: int | SupportsIndex = ..., group_size: int | SupportsIndex = ..., pooled_size: int | SupportsIndex = ..., part_size: int | SupportsIndex = 0, sample_per_part: int | SupportsIndex = 1, trans_std: float | SupportsFloat = 0.0, no_trans: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Position sensitive averages of bilinear samples in cells that are moved: (regions, output_dim, pooled, pooled)."""
def ModulatedDeformableConvolution(data: NDArray, offset: NDArray, mask: NDArray, weight: NDArray, bias: NDArray | None = None, kernel: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., stride: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), dilate: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), pad: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = (), num_filter: int | SupportsIndex = ..., num_group: int | SupportsIndex = 1, num_deformable_group: int | SupportsIndex = 1, workspace: int | SupportsIndex = 1024, no_bias: bool | int = False, im2col_step: int | SupportsIndex = 64, layout: Literal['NCDHW', 'NCHW', 'NCW'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A deformable convolution whose taps are also multiplied by ``mask``."""
def MultiBoxDetection(cls_prob: NDArray, loc_pred: NDArray, anchor: NDArray, clip: bool | int = True, threshold: float | SupportsFloat = 0.01, background_id: int | SupportsIndex = 0, nms_threshold: float | SupportsFloat = 0.5, force_suppress: bool | int = False, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), nms_topk: int | SupportsIndex = -1, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Detections of SSD: rows (class, score, xmin, ymin, xmax, ymax), best first, for each anchor: (batch, n, 6)."""
def MultiBoxPrior(data: NDArray, sizes: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (1.0,), clip: bool | int = False, steps: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (-1.0, -1.0), offsets: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 0.5), out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Anchor boxes for each pixel of a feature map (batch, channel, height, width): (1, height * width * k, 4)."""
def MultiBoxTarget(anchor: NDArray, label: NDArray, cls_pred: NDArray, overlap_threshold: float | SupportsFloat = 0.5, ignore_label: float | SupportsFloat = -1.0, negative_mining_ratio: float | SupportsFloat = -1.0, negative_mining_thresh: float | SupportsFloat = 0.5, minimum_negative_samples: int | SupportsIndex = 0, variances: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.1, 0.1, 0.2, 0.2), out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Training targets of SSD: box offsets (batch, n * 4), their mask, and classes (batch, n) of the n anchors."""
def MultiProposal(cls_prob: NDArray, bbox_pred: NDArray, im_info: NDArray, rpn_pre_nms_top_n: int | SupportsIndex = 6000, rpn_post_nms_top_n: int | SupportsIndex = 300, threshold: float | SupportsFloat = 0.7, rpn_min_size: int | SupportsIndex = 16, scales: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (4.0, 8.0, 16.0, 32.0), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 1.0, 2.0), feature_stride: int | SupportsIndex = 16, output_score: bool | int = False, iou_loss: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Regions of interest: rows (image, xmin, ymin, xmax, ymax), ``rpn_post_nms_top_n`` of them for each image."""
def PSROIPooling(data: NDArray, rois: NDArray, spatial_scale: float | SupportsFloat, output_dim: int | SupportsIndex, pooled_size: int | SupportsIndex, group_size: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Position sensitive averages over regions: (regions, output_dim, pooled_size, pooled_size)."""
def Proposal(cls_prob: NDArray, bbox_pred: NDArray, im_info: NDArray, rpn_pre_nms_top_n: int | SupportsIndex = 6000, rpn_post_nms_top_n: int | SupportsIndex = 300, threshold: float | SupportsFloat = 0.7, rpn_min_size: int | SupportsIndex = 16, scales: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (4.0, 8.0, 16.0, 32.0), ratios: tuple[float, ...] | Sequence[SupportsFloat] | SupportsFloat = (0.5, 1.0, 2.0), feature_stride: int | SupportsIndex = 16, output_score: bool | int = False, iou_loss: bool | int = False, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """Regions of interest: rows (image, xmin, ymin, xmax, ymax), ``rpn_post_nms_top_n`` of them for each image."""
def ROIAlign(data: NDArray, rois: NDArray, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, spatial_scale: float | SupportsFloat, sample_ratio: int | SupportsIndex = -1, position_sensitive: bool | int = False, aligned: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Averages of bilinear samples in a grid over regions of interest: (regions, channel, height, width)."""
def RROIAlign(data: NDArray, rois: NDArray, pooled_size: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex, spatial_scale: float | SupportsFloat, sampling_ratio: int | SupportsIndex = -1, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """ROIAlign of rotated regions: rows (image, x, y, width, height, angle), with the centre and degrees."""
def SparseEmbedding(data: NDArray, weight: NDArray, input_dim: int | SupportsIndex, output_dim: int | SupportsIndex, dtype: DTypeLike | None = ..., deterministic: bool | int = False, sparse_grad: bool | int = False, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``Embedding`` whose gradient has only the rows that were used; its sums are always ``deterministic``."""
def SyncBatchNorm(data: NDArray, gamma: NDArray, beta: NDArray, moving_mean: NDArray, moving_var: NDArray, eps: float | SupportsFloat = 0.001, momentum: float | SupportsFloat = 0.9, fix_gamma: bool | int = True, use_global_stats: bool | int = False, output_mean_var: bool | int = False, ndev: int | SupportsIndex = 1, key: str = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> NDArray:
    """``BatchNorm`` of axis 1 with the statistics of all ``ndev`` devices that share the batch and the layer ``key``."""
def allclose(a: NDArray, b: NDArray, rtol: float | SupportsFloat = 1e-05, atol: float | SupportsFloat = 1e-08, equal_nan: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """1 if ``abs(a - b) <= atol + rtol * abs(b)`` everywhere, else 0, as uint8."""
def arange_like(data: NDArray, start: float | SupportsFloat = 0.0, step: float | SupportsFloat = 1.0, repeat: int | SupportsIndex = 1, ctx: Context | str | None = None, axis: int | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Numbers from ``start`` in steps of ``step``, each ``repeat`` times, in the shape of the data or of one axis."""
def bipartite_matching(data: NDArray, is_ascend: bool | int = False, threshold: float | SupportsFloat = ..., topk: int | SupportsIndex = -1, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Matches rows and columns of score matrices (..., rows, columns), the best pair first, each once."""
def boolean_mask(data: NDArray, index: NDArray, axis: int | SupportsIndex = 0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The rows of ``data`` where ``index``, a vector, is not 0. How many depends on the data."""
def box_decode(data: NDArray, anchors: NDArray, std0: float | SupportsFloat = 1.0, std1: float | SupportsFloat = 1.0, std2: float | SupportsFloat = 1.0, std3: float | SupportsFloat = 1.0, clip: float | SupportsFloat = -1.0, format: Literal['center', 'corner'] | str = 'center', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Corner boxes from predicted offsets (batch, n, 4) to anchors (1, n, 4), which are in the given format."""
def box_encode(samples: NDArray, matches: NDArray, anchors: NDArray, refs: NDArray, means: NDArray, stds: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """Regression targets of anchors (batch, n, 4) for the reference boxes (batch, m, 4) they match, and their mask."""
def box_iou(lhs: NDArray, rhs: NDArray, format: Literal['center', 'corner'] | str = 'corner', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Intersection over union of every box of ``lhs`` with every box of ``rhs``: shape lhs[:-1] + rhs[:-1]."""
def box_nms(data: NDArray, overlap_thresh: float | SupportsFloat = 0.5, valid_thresh: float | SupportsFloat = 0.0, topk: int | SupportsIndex = -1, coord_start: int | SupportsIndex = 2, score_index: int | SupportsIndex = 1, id_index: int | SupportsIndex = -1, background_id: int | SupportsIndex = -1, force_suppress: bool | int = False, in_format: Literal['center', 'corner'] | str = 'corner', out_format: Literal['center', 'corner'] | str = 'corner', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Non-maximum suppression: rows (..., boxes, width) sorted by score, overlapping ones removed, -1 in the rest."""
def box_non_maximum_suppression(data: NDArray, overlap_thresh: float | SupportsFloat = 0.5, valid_thresh: float | SupportsFloat = 0.0, topk: int | SupportsIndex = -1, coord_start: int | SupportsIndex = 2, score_index: int | SupportsIndex = 1, id_index: int | SupportsIndex = -1, background_id: int | SupportsIndex = -1, force_suppress: bool | int = False, in_format: Literal['center', 'corner'] | str = 'corner', out_format: Literal['center', 'corner'] | str = 'corner', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Non-maximum suppression: rows (..., boxes, width) sorted by score, overlapping ones removed, -1 in the rest."""
def count_sketch(data: NDArray, h: NDArray, s: NDArray, out_dim: int | SupportsIndex, processing_batch_size: int | SupportsIndex = 32, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Projects rows of ``data`` (n, d) to ``out_dim`` numbers: element ``i`` times ``s[i]`` is added to place ``h[i]``."""
def ctc_loss(data: NDArray, label: NDArray, data_lengths: NDArray | None = None, label_lengths: NDArray | None = None, use_data_lengths: bool | int = False, use_label_lengths: bool | int = False, blank_label: Literal['first', 'last'] | str = 'first', out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The CTC loss of each example, from ``data`` (steps, batch, classes) before softmax and ``label`` (batch, length)."""
def dgl_adjacency(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The adjacency matrix of a graph: ones of float32 where there are edges."""
def dgl_csr_neighbor_non_uniform_sample(csr_matrix: NDArray, probability: NDArray, *seed_arrays: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_hops: int | SupportsIndex = 1, num_neighbor: int | SupportsIndex = 2, max_num_vertices: int | SupportsIndex = 100, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Samples neighbors by the probabilities of vertices; between subgraphs and distances it gives these."""
def dgl_csr_neighbor_uniform_sample(csr_matrix: NDArray, *seed_arrays: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., num_hops: int | SupportsIndex = 1, num_neighbor: int | SupportsIndex = 2, max_num_vertices: int | SupportsIndex = 100, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Samples ``num_neighbor`` neighbors of each vertex, ``num_hops`` times, from each array of seeds."""
def dgl_graph_compact(*graph_data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., return_mapping: bool | int = ..., graph_sizes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """Numbers the columns of sampled subgraphs as their rows. Given are the graphs, then their arrays of vertices."""
def dgl_subgraph(graph: NDArray, *data: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., return_mapping: bool | int = ..., out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> Any:
    """The subgraph of each array of vertices. Edges are numbered anew; with ``return_mapping`` as many graphs follow that have the numbers of before."""
def div_sqrt_dim(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The data over the square root of its last dimension."""
def edge_id(data: NDArray, u: NDArray, v: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The values ``data[u[i], v[i]]`` of a CSR matrix, or -1 where it stores none."""
def fft(data: NDArray, compute_size: int | SupportsIndex = 128, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The Fourier transform of real data along its last dimension, as real, imaginary, real, imaginary, ..."""
def getnnz(data: NDArray, axis: int | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The number of stored values of a CSR matrix. Only CSR has such a number, a dense array has none."""
def gradientmultiplier(data: NDArray, scalar: float | SupportsFloat = 1.0, is_int: bool | int = True, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The data itself; its gradient is multiplied by ``scalar`` (a negative one reverses it)."""
def group_adagrad_update(weight: NDArray, grad: NDArray, history: NDArray, lr: float | SupportsFloat, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, epsilon: float | SupportsFloat = 1e-05, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """AdaGrad with one learning rate for each row: ``history``, shape (rows, 1), sums the rows' mean squares."""
def hawkesll(lda: NDArray, alpha: NDArray, beta: NDArray, state: NDArray, lags: NDArray, marks: NDArray, valid_length: NDArray, max_time: NDArray, out: NDArray | Sequence[NDArray] | None = None, name: str | None = None) -> list[NDArray]:
    """The log likelihood of K independent Hawkes processes with exponential decay, and their memory at ``max_time``."""
def ifft(data: NDArray, compute_size: int | SupportsIndex = 128, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The real part of the inverse Fourier transform, times its length, of real, imaginary, real, imaginary, ..."""
def index_array(data: NDArray, axes: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The index of each element as int64 in a new last dimension, along all axes or those given."""
def index_copy(old_tensor: NDArray, index_vector: NDArray, new_tensor: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """A copy of ``old_tensor`` whose row ``index_vector[i]`` is row ``i`` of ``new_tensor``."""
def interleaved_matmul_encdec_qk(queries: NDArray, keys_values: NDArray, heads: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Scores of encoder-decoder attention: (batch * heads, length of queries, length of keys)."""
def interleaved_matmul_encdec_valatt(keys_values: NDArray, attention: NDArray, heads: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Encoder-decoder attention's values weighted by ``attention``: (length of queries, batch, channels)."""
def interleaved_matmul_selfatt_qk(queries_keys_values: NDArray, heads: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Scores of self-attention: queries times keys over the root of the head size, (batch * heads, length, length)."""
def interleaved_matmul_selfatt_valatt(queries_keys_values: NDArray, attention: NDArray, heads: int | SupportsIndex, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Self-attention's values weighted by ``attention`` (batch * heads, length, length): (length, batch, channels)."""
def quadratic(data: NDArray, a: float | SupportsFloat = 0.0, b: float | SupportsFloat = 0.0, c: float | SupportsFloat = 0.0, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """``a * data**2 + b * data + c`` of each element; of integers it is computed as float32 and truncated."""
def round_ste(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """Rounds to the nearest whole number, halves away from zero; gradients pass through as if nothing had been done."""
def sign_ste(data: NDArray, out: NDArray | None = None, name: str | None = None) -> NDArray:
    """The sign of each element; gradients pass through as if nothing had been done."""
