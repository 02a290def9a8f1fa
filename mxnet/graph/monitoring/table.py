"""What monitors get of operators: the names of inputs and outputs, and which operators compute the gradient.

``GRADIENT_TAKES`` says what MXNet's operator for the gradient takes, or is a function of the attributes that says it:
``head`` gradients, ``inputs``, ``outputs`` or one of them by its name, after its port's name if that is not input0,
input1, ...: ``lhs=head rhs=data``. Several such operators are separated by ``;``, with the ending of their names before
and the inputs whose gradients they compute after: ``head index -> data; index_backward: zero -> index``. ``zero``:
zeros of the shape of each input, ``copy``: a copy of the head gradient for each input, ``no-mask``: zeros as the
gradient of a result that users do not see. Where the gradients of all results are zero, so are those of the inputs,
but for ``always head data``. An operator that is not listed takes ``head``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...ops.infer import same_shapes
from ...ops.registry import OpDef
from ..hidden_outputs import has_workspace


def _pooling(attrs: Mapping[str, Any]) -> str:
    return "always head " + ("no-workspace data output workspace" if has_workspace(attrs) else "data output")


def _rnn(attrs: Mapping[str, Any]) -> str:
    states = " state_output head1" if attrs["state_outputs"] else ""
    cells = " statecell_output head2" if attrs["state_outputs"] else ""
    return f"always data parameters state output head0{states}" + (
        f" state_cell{cells}" if attrs["mode"] == "lstm" else ""
    )


_BY_TAKES = {
    "head inputs": """
        _contrib_boolean_mask _contrib_index_copy _contrib_interleaved_matmul_encdec_qk
        _contrib_interleaved_matmul_encdec_valatt _contrib_interleaved_matmul_selfatt_qk
        _contrib_interleaved_matmul_selfatt_valatt _contrib_quadratic _hypot _image_normalize _linalg_gemm
        _linalg_gemm2 _linalg_sumlogdiag _linalg_syrk _linalg_trmm _maximum _minimum _mod _np_dot _npi_add
        _npi_arctan2 _npi_bitwise_and _npi_bitwise_or _npi_bitwise_xor _npi_copysign _npi_einsum _npi_hypot
        _npi_lcm _npi_ldexp _npi_matmul _npi_mod _npi_multiply _npi_nan_to_num _npi_polyval _npi_power
        _npi_subtract _npi_tensordot _npi_tensordot_int_axes _npi_true_divide _power _scatter_elemwise_div
        broadcast_div broadcast_hypot broadcast_maximum broadcast_minimum broadcast_mod broadcast_mul
        broadcast_power dot elemwise_div elemwise_mul softmax_cross_entropy""",
    "lhs=head rhs=inputs": """
        _npi_absolute _npi_arccos _npi_arccosh _npi_arcsin _npi_arcsinh _npi_arctan _npi_arctanh _npi_cos
        _npi_cosh _npi_degrees _npi_expm1 _npi_log _npi_log10 _npi_log1p _npi_log2 _npi_radians _npi_reciprocal
        _npi_sign _npi_sin _npi_sinh _npi_square abs arccos arccosh arcsin arcsinh arctan arctanh cos cosh
        degrees erf expm1 gamma gammaln log log10 log1p log2 radians rcbrt reciprocal rsqrt sign sin sinh
        softsign square""",
    "lhs=head rhs=data": """
        _hypot_scalar _maximum_scalar _minimum_scalar _mod_scalar _npi_arctan2_scalar _npi_copysign_scalar
        _npi_ldexp_scalar _npi_mod_scalar _npi_power_scalar _npi_rarctan2_scalar _npi_rcopysign_scalar
        _npi_rldexp_scalar _npi_rmod_scalar _npi_rtrue_divide_scalar _power_scalar _rdiv_scalar _rmod_scalar
        smooth_l1""",
    "lhs=head rhs=output": """
        _npi_cbrt _npi_exp _npi_rpower_scalar _npi_sqrt _npi_tan _npi_tanh _npx_relu _npx_sigmoid _rpower_scalar
        cbrt erfinv exp relu sigmoid sqrt tan tanh""",
    "always head inputs output": """
        LeakyReLU _linalg_potri _linalg_trsm _random_pdf_dirichlet _random_pdf_exponential _random_pdf_gamma
        _random_pdf_generalized_negative_binomial _random_pdf_negative_binomial _random_pdf_normal
        _random_pdf_poisson _random_pdf_uniform""",
    "always head inputs": "Concat Convolution Deconvolution _contrib_hawkesll _rnn_param_concat",
    "always head outputs": "_linalg_det _linalg_gelqf _linalg_syevd _npi_det _npi_svd",
    "head data output": "max min nanprod nansum prod",
    "head inputs output": "_np_max _np_min _np_prod _npi_solve norm",
    "always head0 mean var inputs workspace": """
        BatchNorm BatchNorm_v1 _contrib_BatchNormWithReLU _contrib_SyncBatchNorm""",
    "data=head": "_np_roll _npi_rot90 depth_to_space space_to_depth",
    "head data": "Embedding _contrib_SparseEmbedding clip hard_sigmoid",
    "head output": "SoftmaxActivation _linalg_inverse _linalg_potrf _npi_tensorinv",
    "always data=head indices=indices -> data; backward_indices: zero -> indices": """
        _backward_gather_nd gather_nd scatter_nd""",
    "always head": "UpSampling _contrib_bipartite_matching _split_v2",
    "head -> lhs; rhs_backward: zero -> rhs": "_identity_with_attr_like_rhs broadcast_like reshape_like",
    "label output": "LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput",
    "a=head": "_np_moveaxis _np_transpose",
    "always cond_backward: zero -> condition; head condition -> x y": "_npi_where where",
    "always head data gamma mean std": "GroupNorm LayerNorm",
    "always head no-output1 outputs": "CTCLoss _contrib_box_nms",
    "head1 outputs": "_linalg_slogdet _npi_slogdet",
    "ograd=head output=output": "log_softmax softmin",
    "always backward_lhs: lhs=head rhs=rhs -> lhs; backward_rhs: lhs=lhs rhs=head -> rhs": "batch_dot",
    "always cond_backward: zero -> condition; head condition -> x": "_npi_where_lscalar",
    "always cond_backward: zero -> condition; head condition -> y": "_npi_where_rscalar",
    "always copy": "add_n",
    "always head data outputs": "moments",
    "always head data tmp_norm": "LRN",
    "always head data weight": "FullyConnected",
    "always head mask": "Dropout",
    "always head rois": "_contrib_ROIAlign",
    "data": "make_loss",
    "head index -> data; index_backward: zero -> index": "pick",
    "head indices": "take",
    "head no-output1 inputs outputs": "_npi_average",
    "head no-output1 no-output2 no-output3 data output": "_npi_norm",
    "head outputs": "sort",
    "inputs": "MakeLoss",
    "inputs outputs": "SVMOutput",
    "output label": "SoftmaxOutput",
}
GRADIENT_TAKES: dict[str, str | Callable[[Mapping[str, Any]], str]] = {
    **{name: takes for takes, names in _BY_TAKES.items() for name in names.split()},
    "Activation": lambda attrs: "always head output" + (" data" if attrs["act_type"] != "relu" else ""),
    "Pooling": _pooling,
    "RNN": _rnn,
    "amp_multicast": lambda attrs: "always " + " ".join(f"grad_{i}=head{i}" for i in range(attrs["num_outputs"])),
    "softmax": lambda attrs: f"ograd=head {'data=data length=length ' if attrs['use_length'] else ''}output=output",
    "topk": "head0 outputs",
}
#: Gradients are called as the inputs are (``split0_backward_data``), not output or output0, ...
NAMED_GRADIENTS = frozenset(
    """
    BatchNorm_v1 BilinearSampler Convolution_v1 Correlation Crop GridGenerator InstanceNorm L2Normalization MakeLoss
    Pad Pooling_v1 ROIPooling SVMOutput SequenceLast SequenceMask SequenceReverse SliceChannel SpatialTransformer
    SwapAxis _contrib_DeformableConvolution _contrib_DeformablePSROIPooling _contrib_ModulatedDeformableConvolution
    _contrib_PSROIPooling _contrib_SyncBatchNorm
    """.split()
)
#: Operators whose gradient passes through unchanged: MXNet has no operator for it.
PASSES_GRADIENT = frozenset(("_contrib_round_ste", "_contrib_sign_ste", "_grad_add", "elemwise_add"))
#: What variadic inputs are called, with a number.
_VARIADIC = {"multi_all_finite": "array_", "multi_sum_sq": "array_", "amp_multicast": "data_"}
#: Has MXNet a name for the single input (``fc1_data``, but ``relu0_input0``)? Where it is not as usual for the kind.
_NAMED_INPUT = {
    **dict.fromkeys(
        """
        Dropout L2Normalization LRN MakeLoss _contrib_quadratic _image_normalize _linalg_potrf _linalg_potri
        _npi_absolute _npi_arccos _npi_arccosh _npi_arcsin _npi_arcsinh _npi_arctan _npi_arctanh _npi_cbrt
        _npi_ceil _npi_cos _npi_cosh _npi_degrees _npi_equal_scalar _npi_exp _npi_expm1 _npi_fix _npi_floor
        _npi_greater_equal_scalar _npi_greater_scalar _npi_isfinite _npi_isinf _npi_isnan _npi_isneginf
        _npi_isposinf _npi_less_equal_scalar _npi_less_scalar _npi_log _npi_log10 _npi_log1p _npi_log2
        _npi_logical_not _npi_negative _npi_not_equal_scalar _npi_radians _npi_reciprocal _npi_rint _npi_sign
        _npi_sin _npi_sinh _npi_sqrt _npi_square _npi_tan _npi_tanh _npi_trunc reverse
        """.split(),
        True,
    ),
    **dict.fromkeys(
        """
        Flatten Reshape _contrib_AdaptiveAvgPooling2D _contrib_arange_like _contrib_bipartite_matching
        _contrib_box_nms _image_crop _image_resize _npi_argmax _npi_argmin _square_sum argmax argmax_channel
        argmin argsort broadcast_axis broadcast_to expand_dims max mean min nanprod nansum norm prod shape_array
        size_array slice slice_axis softmin sort sum topk transpose
        """.split(),
        False,
    ),
}
#: Has it one for the outputs (``fc1_output``, but ``relu0_0``)?
_NAMED_OUTPUT = {
    **dict.fromkeys(
        """
        _contrib_index_array _contrib_interleaved_matmul_encdec_qk _contrib_interleaved_matmul_encdec_valatt
        _contrib_interleaved_matmul_selfatt_qk _contrib_interleaved_matmul_selfatt_valatt _rnn_param_concat
        col2im elemwise_add im2col softmax softmin
        """.split(),
        True,
    ),
    **dict.fromkeys(
        """
        BlockGrad CTCLoss Cast Embedding Flatten LinearRegressionOutput LogisticRegressionOutput
        MAERegressionOutput Reshape _contrib_AdaptiveAvgPooling2D _contrib_BilinearResize2D
        _contrib_SparseEmbedding
        """.split(),
        False,
    ),
}


def gradient_takes(op: OpDef, parsed: Mapping[str, Any]) -> str:
    """What MXNet's operator for the gradient takes, under these attributes."""
    kind = op.gradient_kind(parsed)
    if kind in ("zero", "stops"):
        return "zero"
    if op.name == "Custom":
        return f"always : {'' if kind == 'loss' else 'head '}inputs outputs"
    takes = GRADIENT_TAKES.get(op.name, "head")
    return takes(op.with_defaults(parsed)) if callable(takes) else takes


def variadic_name(op: OpDef) -> str | None:
    """What variadic inputs are called, where that is not ``arg``."""
    return _VARIADIC.get(op.name)


def has_named_input(op: OpDef) -> bool:
    """Has the single input a name? That of functions of single numbers has none."""
    named = _NAMED_INPUT.get(op.name)
    return op.rules.get("back") is not same_shapes if named is None else named


def has_named_outputs(op: OpDef) -> bool:
    """Have the outputs names? Those of layers have, whose names begin with a capital letter."""
    named = _NAMED_OUTPUT.get(op.name)
    return op.name.removeprefix("_contrib_")[:1].isupper() if named is None else named
