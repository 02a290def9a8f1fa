"""Differences of single calls that are meant: most are calls that the original refuses, for a reason of its own."""


def _accepted(text: str, reason: str) -> dict[str, str]:
    """An entry for calls that work here, and that the original refuses with such a message."""
    return {
        "kind": "error",
        "program": "",
        "text": rf"(?s)ours: no error\n.*the original: .*({text})",
        "reason": reason,
    }


def _refused(text: str, reason: str) -> dict[str, str]:
    """An entry for calls that are refused here with such a message, and that the original runs."""
    return {
        "kind": "error",
        "program": "",
        "text": rf"(?s)ours: \w+: [^\n]*({text}).*the original: no error",
        "reason": reason,
    }


def _other_value(names: str, text: str, reason: str) -> dict[str, str]:
    """An entry for calls of such names, given as they are in the program, that have other values."""
    return {"kind": "value", "program": names, "where": "program", "text": text, "reason": reason}


#: A gradient in what is reported, and a result.
GRADIENT = r"^g\d?(\['\w+'\])?\n"
RESULT = r"^[wyz](\[\d\])?\n"

#: What all of them have in common: a call of one operator.
CALL = r"find_function\(|Call\(|y = (mnp|npx)\."

CALLS: list[dict[str, str]] = [
    _accepted(
        r"Unknown type enum|Other DTypes are not supported|only supports? (floating point types|32-bit and 64-bit)|"
        r"does not support combination of|int\d* is not supported|Do not support `float16`|TBlob\.get_with_shape|"
        r"Type inconsistent, Provided|requires uniform type|data type 'bfloat16' not understood|Unknown type_flag=-1|"
        r"Invalid Input: '(int|uint|bool)\w*', valid values are|out\.type_flag_ == kFloat",
        "an operator takes all the types that it can compute with",
    ),
    _accepted(
        r"is non-differentiable because it didn't register FGradient|doesn't support calculate data gradient|"
        r"doesn't support gradient|Because the following gradient",
        "what has no gradient gets zeros; it may be recorded",
    ),
    _accepted(
        r"Error in operator \S*_backward: .*Incompatible attr in node",
        "the gradient of an operator with an integer and a number has the type of the integer",
    ),
    _accepted(
        r"AttributeError: 'ValueError' object has no attribute 'format'|RecursionError|"
        r"module 'mxnet.ndarray.numpy._internal' has no attribute|object has no attribute '(ctx|shape)'|"
        r"Does not support converting <class 'numpy|The `out` parameter must have exactly one",
        "functions that the original passes on to NumPy, and stumbles over, work",
    ),
    _accepted(
        r"Check failed: req\[hawkesll: :kIATimes\] == OpReqType::kNullOp|Cannot take gradient wrt label",
        "what has no gradient gets zeros; it may be recorded",
    ),
    _accepted(
        r"Not enough argument to call operator (sgd_update|signsgd_update|lamb_update_phase2|fill_element_0index|"
        r"_onehot_encode|choose_element_0index|\w+_update)\b|ComposeKeyword argument name src not found",
        "symbols of update operators and of OpenCV's can be composed",
    ),
    _accepted(
        r"Operator not implemented: operator = (_square_sum|cast_storage)\s+input storage types = \[default, \]",
        "sums of squares and copies take dense arrays, too",
    ),
    _accepted(
        r"InferStorageType pass cannot decide storage type|Inconsistent storage types detected in state",
        "works for more combinations of storage types and requests",
    ),
    _accepted(
        r"InferType pass cannot decide dtypes for the following arguments",
        "an operator takes all the types that it can compute with",
    ),
    _accepted(
        r"This operation does not support (float16|int8 or uint8)|only supports MKL-DNN Backend|"
        r"imresize doesn't support fp16|Only FP32 is supported on CPU|Unsupported data type \d",
        "an operator takes all the types that it can compute with",
    ),
    _accepted(r"Too many reduction axes from", "arrays have any number of dimensions, also where gradients are summed"),
    _accepted(
        r"Shape size mismatch 0 v\.s\.|Shape dim size cannot be a negative value -1",
        "arrays without elements are allowed everywhere; the original takes a 0 in a shape for unknown",
    ),
    _accepted(
        r"eshape == dshape: Shape of Tensors are not consistent with target, eshape: \(\d+,0\)",
        "arrays without elements are allowed everywhere; the original takes a 0 in a shape for unknown",
    ),
    _accepted(
        r"Operator not implemented: operator = \w+\s+input storage types = \[[^\]]*(row_sparse|csr)|"
        r"Check failed: csr\.shape\(\)\[0\] == output\.shape\(\)\[0\]",
        "works for more combinations of storage types and requests",
    ),
    _accepted(
        r"The last dimension of input image must be the channel dimension",
        "images of any number of channels can be flipped",
    ),
    _accepted(r"only implemented in GPU", "deformable convolutions run on the CPU, too"),
    _accepted(r"Cannot interpret '\d' as a data type", "the numbers of dtypes are known"),
    {
        "kind": "error",
        "program": r"_image_resize'",
        "where": "program",
        "text": r"(?s)ours: no error\n.*Check failed: from\.Size\(\) == to\.Size\(\)",
        "reason": "resized images have a gradient",
    },
    {
        "kind": "error",
        "program": r"_split_v2.*sections=-",
        "where": "program",
        "text": r"(?s)ours: no error\n.*(expected axis size of 1|Check failed: start <= end|Shape inconsistent, Provided)",
        "reason": "a negative number of sections is none",
    },
    {
        "kind": "error",
        "program": r"'_scatter_elemwise_div'",
        "text": r"(?s)ours: no error\n.*Incompatible attr in node\s+at 1-th input",
        "reason": "divisors are broadcast",
    },
    _accepted(r"bad optional access", "use_length=None is the default"),
    _accepted(r"AddTo is not supported for data", "gradients of RNN may be added up"),
    _accepted(
        r"(Label|Data) length array must be a vector",
        "lengths that are asked for and not given are arguments of their own",
    ),
    _accepted(
        r"\(-1073741824 vs\. -1\) : Input tensor of maketrian",
        "arrays without elements are allowed everywhere; the original takes a 0 in a shape for unknown",
    ),
    {
        "kind": "error",
        "program": r"'(preloaded_)?multi_(mp_)?sgd_(mom_)?update'",
        "text": r"(?s)ours: no error\n.*shape must have a valid ndim",
        "reason": "without out= the updated weights are returned, as by sgd_update",
    },
    _refused(r"images can be resized as uint8, float32 or float64", "OpenCV resizes images of bytes and of floats"),
    _accepted(
        r"Invalid Parameter format for axis expect int or None but value='', in operator _backward_topk",
        "sort has a gradient without an axis, too",
    ),
    _accepted(r"3D kernel not implemented", "Pooling_v1 with global_pool does not look at the kernel"),
    _accepted(r"mkldnn_pooling\.cc[^\n]*\n[^\n]*pad_\w\[\d\] < kernel", "pooling takes padding as wide as its kernel"),
    {
        "kind": "error",
        "program": r"'cumsum'.*axis=-\d",
        "where": "program",
        "text": r"(?s)ours: no error\n.*index = -\d must be in range",
        "reason": "an axis may be counted from the end",
    },
    {
        "kind": "error",
        "program": r"'_contrib_boolean_mask'",
        "where": "program",
        "text": r"(?s)ours: no error\n.*InferShape pass cannot decide shapes",
        "reason": "a mask can be bound, its result gets its shape when it runs",
    },
    {
        "kind": "error",
        "program": r"'gather_nd'",
        "where": "program",
        "text": r"(?s)ours: no error\n.*index -?\d+\.\d+ is out of bounds",
        "reason": "an index with a fraction is cut before it is checked",
    },
    {
        "kind": "error",
        "program": r"(?s)(\.astype\('(u?int\d+|bool)'\)|array\(whole|box_iou|bipartite_matching|MultiBox(Prior|Detection))"
        r".*_e\.backward\([^\n]*\Z",
        "where": "program",
        "text": r"(?s)ours: no error\n.*(head_gradient is required|operands shape mismatch from)",
        "reason": "what has no gradient, as most functions of integers, needs no head gradient",
    },
    _refused(
        r"_sample_multinomial: probabilities must not be negative or infinite",
        "probabilities are checked; the original gives classes that do not exist",
    ),
    _refused(
        r"_contrib_AdaptiveAvgPooling2D: output_size must be|adaptive_avg_pool2d_backward\(\): Expected grad_output to have non-zero",
        "a size is one positive number or two; the original reads others as it likes",
    ),
    _refused(
        r"(must have the same shape|must have shape|, expected \()[^\n]*\((\d+, )*0,?(, \d+)*\)",
        "an array without elements is not an array of unknown shape: it fits no other",
    ),
    _refused(
        r"CTCLoss: label has a class outside of|softmax_cross_entropy: index -?\d+ is out of bounds|"
        r"(fill|choose)_element_0index: index -?\d+ is out of bounds|scatter_nd: index -?\d+ is out of bounds|"
        r"_image_crop: the part from|CTCLoss: label_lengths must be between|SequenceReverse: index out of range|SequenceLast: index",
        "indices are checked; the original reads or writes beside its memory",
    ),
    _refused(
        r"_contrib_box_encode: samples and matches must have the shape|Correlation: data1 and data2 must have|"
        r"_contrib_MultiBoxDetection: loc_pred must have shape|PSROIPooling: (data must have output_dim|rois name image)|"
        r"_contrib_DeformablePSROIPooling: (sample_per_part|output_dim)|BatchNorm: moving_\w+ must have shape|"
        r"_contrib_interleaved_matmul_\w+: (the last dimension|attention must have)",
        "shapes that do not fit each other are refused; the original reads beside its memory",
    ),
    _refused(
        r"must have \d number\(s\), one per dimension of the kernel|Crop: offset and h_w must be pairs|"
        r"(Reshape|reshape): the new shape must be given|attribute 'ctx' expects Context|rtol must be greater than|"
        r"_histogram: bin_cnt must be positive|scale_height and scale_width must be given together|p must be positive, got|"
        r"SpatialTransformer: target_shape must be|_unravel_index: data must have one dimension|SoftmaxOutput: data must have at least 2 dimensions",
        "attributes and shapes that have no meaning are refused; the original ignores them, or gives numbers without one",
    ),
    _accepted(r"is only available for GPU", "Fourier transforms run on the CPU, too"),
    _accepted(r"Cannot find argument 'sparse_grad'", "SparseEmbedding knows the attribute of Embedding"),
    _accepted(
        r"Required parameter num_(arrays|outputs|args) of int is not presented|arg_vec\.size\(\) <= n_req",
        "operators with any number of inputs count them",
    ),
    {
        "kind": "value",
        "program": r"(_image_(random_)?(to_tensor|flip|brightness|contrast|saturation|hue|lighting|color)|_image_adjust)\w*",
        "where": "program",
        "text": r"^g",
        "reason": "the gradient of an image operator is its gradient; in the original a copy of the head gradient",
    },
    _other_value(
        r"_image_random_(saturation|color_jitter)",
        RESULT + "|^stypes",
        "a pixel's gray is that of all its colours; the original takes its blue alone",
    ),
    _other_value(
        r"(_image_resize|_cvimresize)'.*interp=[24]\b",
        RESULT + r"    ours: uint8",
        "cubic interpolation rounds as today's OpenCV does",
    ),
    _other_value(
        r"'(_power|_Power|broadcast_power|_power_scalar|_PowerScalar|_rpower_scalar|_RPowerScalar)'",
        r"(?s)^g.*the original: .*(nan|inf)",
        "a power with exponent 0 is constant, and so is one of 0: the original says nan",
    ),
    _other_value(r"'rsqrt'", r"(?s)^g.*-inf.*the original: .*\binf", "the sign of an infinity at -0.0"),
    _other_value(
        r"'relu'|Activation.*relu",
        r"(?s)^[gy].*the original: .*nan",
        "relu of nan, and its gradient, are not defined",
    ),
    _other_value(r"LeakyReLU.*selu", GRADIENT, "the gradient of selu is its gradient; in the original another one"),
    _other_value(
        r"(?s)linalg_(trmm|trsm|inverse|syevd|potrf|potri|det|slogdet|gelqf).*'add'|'add'.*linalg_(trmm|trsm|inverse|syevd|gelqf)",
        GRADIENT,
        "gradients of linear algebra are added where that is asked for; in the original they are lost",
    ),
    _other_value(
        r"(?s)(val|odd)\(.*linalg_gelqf",
        GRADIENT,
        "rows that depend on each other have no orthogonal basis of their own",
    ),
    _other_value(
        r"(?s)odd\(.*linalg_syevd",
        r"^[wy]\[0\]",
        "eigenvectors have any sign, and any direction where eigenvalues are equal",
    ),
    _other_value(
        r"linalg_(det|slogdet|trsm|inverse|potri|syevd)",
        r"(?s)(inf|nan|e\+)",
        "matrices that are singular, or have numbers that are out of all proportion: the results are rounding",
    ),
    _other_value(
        r"(?s)float16.*'(softmax|softmin|log_softmax)'.*dtype=('float(32|64)'|None)",
        r"^[gyw]",
        "with a dtype, a softmax of float16 is computed in that; in the original in float16",
    ),
    _other_value(
        r"'(softmax|softmin|log_softmax)'.*dtype='float16'",
        GRADIENT,
        "the gradient of a softmax with dtype='float16' is that before rounding",
    ),
    _other_value(
        r"'(sort|topk)'", r"^g.* \.\.\.\n", "which of equal numbers comes first is left to the sort, beyond 16"
    ),
    _other_value(
        r"'(argsort|topk)'(?!.*'value')",
        r"^[yw](\[1\])?\n.* \.\.\.\n",
        "which of equal numbers comes first is left to the sort, beyond 16",
    ),
    _other_value(
        r"(sample|random)_(\w*negative_binomial|gamma|poisson)",
        r"(?s)^[wy].*(nan|e\+)",
        "parameters that no distribution has give nan; in the original whatever an endless sum ends at",
    ),
    _other_value(
        r"(?s)(int|whole).*sample_generalized_negative_binomial",
        "^[wyx]",
        "integer parameters are numbers; the original divides them as integers",
    ),
    _other_value(
        r"(?s)(val|odd)\(.*'gather_nd'",
        GRADIENT,
        "the gradient goes to where the numbers came from; in the original beside its memory",
    ),
    _other_value(
        r"(?s)(x1 = [^\n]*(val|odd|whole)\((?!\([^)]*\), 0, 4)|1e30).*(CTC|ctc_)",
        "",
        "labels that are no classes, and infinite losses",
    ),
    _other_value(
        r"(?s)x1 = [^\n]*(val|odd|whole)\((?!\([^)]*\), 0, 4).*'SequenceReverse'",
        "",
        "lengths of sequences that are none",
    ),
    _other_value(
        r"all_finite.*init_output=(0|False)", RESULT, "an answer that nothing was written to is yes; in the original no"
    ),
    _other_value(
        r"'norm'",
        RESULT + r"    ours: u?int",
        "the norm of integers is cut to one at the end; in the original at each step",
    ),
    _other_value(
        r"'(cosh|sinh|exp|expm1|gamma|gammaln|tan|_rdiv_scalar|_RDivScalar|reciprocal|erfinv)'",
        RESULT + r"    ours: (u?int\d+[^\n]*e\+|uint8)",
        "integers that overflow are left to the machine",
    ),
    _other_value(
        r"'(_mod_scalar|_rmod_scalar|_ModScalar|_RModScalar)'.*1e\+",
        RESULT + r"    ours: u?int\d+",
        "integers that overflow are left to the machine",
    ),
    _other_value(
        r"'(\w*[pP]ower\w*|log10|log2|log1p|log|erf|erfinv|exp|expm1|sqrt|rsqrt|cbrt|rcbrt|reciprocal|sin|cos|tan|sinh|cosh|tanh|"
        r"arc\w+|degrees|radians|gamma|gammaln|sigmoid|softsign|hard_sigmoid|smooth_l1|\w*[dD]iv\w*|\w*[hH]ypot\w*|"
        r"\w*[mM]od\w*|_contrib_quadratic|norm|L2Normalization)'",
        GRADIENT + r"    ours: u?int\d+",
        "of integers a derivative is not whole: the product with the head gradient is cut, in the original each factor",
    ),
    _other_value(
        r"y = (mnp|npx)\.",
        GRADIENT + r"    ours: u?int\d+",
        "integers that overflow are left to the machine, and so are their gradients",
    ),
    _other_value(r"'\w*[pP]ower\w*'", RESULT + r"    ours: u?int8", "integers that overflow are left to the machine"),
    _other_value(
        r"(?s)np\.inf.*'sigmoid'", RESULT + r"    ours: int", "integers that overflow are left to the machine"
    ),
    _other_value(r"'bool'", GRADIENT + r"    ours: bool", "truth values have no gradient"),
    _other_value(
        r"'gammaln'", r"(?s)^g.*the original: .*e\+30\d", "infinite where the original has its largest float64"
    ),
    _other_value(
        r"'_(mp_)?adamw_update'",
        RESULT + r"[^\n]*\n    the original: float\d+\([\d, ]+\)( 0)+$",
        "an update that is left out returns the weight; in the original memory that nobody wrote",
    ),
    _other_value(
        r"(?s)(val|odd)\(.*(sample|random)_\w*(negative_binomial|gamma|poisson)",
        r"^[yw](\[0\])?\n.* \.\.\.\n",
        "parameters that no distribution has give nan; in the original whatever an endless sum ends at",
    ),
    _other_value(
        r"'_contrib_boolean_mask'",
        r"(?s)^g.*the original: \S+\([\d, ]+\)( -?0)+$",
        "the gradient of a mask is added where that is asked for; the original drops it",
    ),
    _other_value(
        r"amp_cast", r"^[yw].*\n    ours: u?int", "csr arrays keep their numbers when they are cast to integers"
    ),
    _other_value(
        r"'GridGenerator'|'SpatialTransformer'",
        r"(?s)^g.*(the original: .*nan|e\+30)",
        "a grid of one column has a gradient",
    ),
    _other_value(r"_split_v2.*sections=-", "^[wyz]", "a negative number of sections is none"),
    _other_value(r"_contrib_dgl_", r"^names", "symbols of graph operators have as many inputs as num_args says"),
    _other_value(
        r"_arange|arange_like",
        r"^[yw](\[0\])?\n    ours: float16",
        "progressions in float16 have fractions; in the original none",
    ),
    _other_value(
        r"_image_flip",
        r"the original: unreadable",
        "arrays without elements are allowed everywhere; the original takes a 0 in a shape for unknown",
    ),
    {
        "kind": "value",
        "program": r"'(nan)?prod'|mnp\.nanprod",
        "where": "program",
        "text": r"(?s)^g.*the original: .*(nan| \.\.\.)",
        "reason": "the gradient of a product with one zero is the product of the others; in the original nan",
    },
    {
        "kind": "value",
        "program": r"SoftmaxActivation(?!.*mode='channel')",
        "where": "program",
        "text": r"^g",
        "reason": "the gradient is that of the result; in the original, of data with more than two axes, of another one",
    },
    {
        "kind": "value",
        "program": r"(gelqf|RegressionOutput|make_loss)[\s\S]*'add'|'add'[\s\S]*(gelqf|RegressionOutput|make_loss)",
        "where": "program",
        "text": r"^g",
        "reason": "grad_req='add' adds the gradient once, to what was there",
    },
]
