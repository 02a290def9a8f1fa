"""Differences of single calls that are meant: most are calls that the original refuses, for a reason of its own."""


def _accepted(text: str, reason: str, program: str = "") -> dict[str, str]:
    """An entry for calls that work here, and that the original refuses with such a message."""
    return {
        "kind": "error",
        "program": program,
        "text": rf"(?s)ours: no error\n.*the original: .*({text})",
        "reason": reason,
    }


def _refused(text: str, reason: str, program: str = "") -> dict[str, str]:
    """An entry for calls that are refused here with such a message, and that the original answers."""
    return {
        "kind": "error",
        "program": program,
        "text": rf"(?s)^ours: (?!no error).*({text}).*\n\s+the original: no error",
        "reason": reason,
    }


def _other_value(names: str, text: str, reason: str) -> dict[str, str]:
    """An entry for calls of such names, given as they are in the program, that have other values."""
    return {"kind": "value", "program": names, "where": "program", "text": text, "reason": reason}


#: A gradient in what is reported, and a result.
GRADIENT = r"^g\d?(\['\w+'\])?\n"
RESULT = r"^[wyz](\[\d\])?\n"


def _value(program: str, text: str, reason: str) -> dict[str, str]:
    """An entry for calls whose results differ."""
    return {"kind": "value", "program": rf"(?s){program}", "where": "program", "text": text, "reason": reason}


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
    {
        **_accepted(r"dimension do not match target dimension 4 vs \d", "data of any rank is normalized"),
        "program": r"BatchNorm_v1",
        "where": "program",
    },
    {
        **_accepted(r"_copyto inferring shapes failed", "its result has a shape in executors, too"),
        "program": r"_contrib_allclose",
        "where": "program",
    },
    {
        **_accepted(r"label_width \+ 1\)\) == -1", "boxes after the mark of the end are passed over"),
        "program": r"MultiBoxTarget",
        "where": "program",
    },
    _value(
        r"odd\([^\n]*1e30[^\n]*\n.*DeformablePSROIPooling",
        r"^g",
        "beside numbers of 1e30 only rounding is left of gradients",
    ),
    _accepted(
        r"temp\.size\(\) >= num_negative",
        "where fewer predictions can be negative examples than asked for, all of them are",
        r"MultiBoxTarget",
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
        "program": r"'(preloaded_)?_?multi_\w*update'",
        "text": r"(?s)ours: no error\n.*shape must have a valid ndim",
        "reason": "without out= the updated weights are returned, as by sgd_update",
    },
    _accepted(
        r"does not support computing the gradient of csr|kWriteInplace is expected for sparse|unknown type for MKLDNN",
        "works for more combinations of storage types, types and requests",
    ),
    {
        **_accepted(r"Incompatible attr in node \w+ at 1-th input", "of the second array only its storage type counts"),
        "program": r"_identity_with_attr_like_rhs",
        "where": "program",
    },
    _accepted(
        r"Invalid Parameter format for shape expect Shape\(tuple\) but value='\s*\[\d+\]",
        "an array of one number is taken where a number is asked for",
    ),
    _other_value(
        r"(?s)odd\([^\n]*1e30[^\n]*\n.*'(rmsprop\w*|adam\w*|ftml\w*|lamb\w*|multi_lamb\w*)_update",
        r"(?s)(the original|ours): .*(nan|inf)",
        "squares that overflow: what is left of them depends on the order of the steps",
    ),
    _other_value(
        r"(?s)x1 = nd\.array\(val\([^\n]*\n.*'_contrib_ROIAlign'",
        r"^[ygw]",
        "regions of an image with a negative number, such as -0.75, are not defined",
    ),
    _other_value(
        r"(?s)x1 = nd\.array\(val\([^\n]*\n.*'random_pdf_dirichlet'",
        r"(?s)^[yg].*(nan|inf)",
        "no distribution has negative parameters",
    ),
    _other_value(
        r"(?s)float16.*'(sinh|cosh|tan)'",
        r"(?s)^g.*the original: .*inf",
        "the gradient of float16 does not overflow on the way",
    ),
    _other_value(
        r"(?s)x1 = [^\n]*3\.0[^\n]*\n.*CTCLoss'.*blank_label='last'",
        GRADIENT,
        "a label that is the blank itself has no meaning",
    ),
    _other_value(
        r"(?s)-1\.0[^\n]*\n.*'gather_nd'",
        GRADIENT,
        "the gradient goes to where the numbers came from, also by negative indices; in the original it is lost",
    ),
    _other_value(
        r"(?s)float16.*'_sample_\w+'",
        RESULT,
        "parameters of float16 are rounded once; in the original at each step",
    ),
    _other_value(
        r"(?s)x1 = nd\.array\((val|odd)\([^\n]*\n.*'_?random_pdf_\w+'",
        r"(?s)^[yg].*(nan|inf)",
        "no distribution has negative parameters",
    ),
    _other_value(
        r"'Correlation'.*kernel_size=-",
        r"^[ywg]",
        "a kernel of negative size has no meaning",
    ),
    _refused(r"allclose: (atol|rtol) must be greater", "a tolerance is not negative"),
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
        r"sample_multinomial: probabilities must not be negative or infinite",
        "probabilities are checked; the original gives classes that do not exist",
    ),
    _refused(
        r"contrib.AdaptiveAvgPooling2D: output_size must be|adaptive_avg_pool2d_backward\(\): Expected grad_output to have non-zero",
        "a size is one positive number or two; the original reads others as it likes",
    ),
    _refused(
        r"(must have the same shape|must have shape|, expected \()[^\n]*\((\d+, )*0,?(, \d+)*\)",
        "an array without elements is not an array of unknown shape: it fits no other",
    ),
    _refused(
        r"CTCLoss: label has a class outside of|softmax_cross_entropy: index -?\d+ is out of bounds|"
        r"(fill|choose)_element_0index: index -?\d+ is out of bounds|scatter_nd: index -?\d+ is out of bounds|"
        r"index_copy: index_vector must be from|"
        r"image.crop: the part from|CTCLoss: label_lengths must be between|SequenceReverse: index out of range|SequenceLast: index",
        "indices are checked; the original reads or writes beside its memory",
    ),
    _refused(
        r"contrib.box_encode: samples and matches must have the shape|Correlation: data1 and data2 must have|"
        r"contrib.MultiBoxDetection: loc_pred must have shape|PSROIPooling: (data must have output_dim|rois name image|output_dim)|"
        r"contrib.DeformablePSROIPooling: (sample_per_part|output_dim)|BatchNorm: (gamma|beta|moving_\w+) must have shape|"
        r"contrib.interleaved_matmul_\w+: (the last dimension|attention must have)",
        "shapes that do not fit each other are refused; the original reads beside its memory",
    ),
    _refused(
        r"must have \d number\(s\), one per dimension of the kernel|im2col: kernel must be a height and a width|"
        r"Convolution_v1: pad must be at least 0|Crop: offset and h_w must be pairs|"
        r"(Reshape|reshape): the new shape must be given|attribute 'ctx' expects Context|rtol must be greater than|"
        r"_histogram: bin_cnt must be positive|scale_height and scale_width must be given together|p must be positive, got|"
        r"SpatialTransformer: target_shape must be|unravel_index: data must have one dimension|SoftmaxOutput: data must have at least 2 dimensions",
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
        r"^[yw](\[1\])?\n\s+ours: \S+\([\d, ]*\)( \d+){17}",
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
        r"'(\w*[pP]ower\w*|tan|tanh|sqrt|cbrt|exp|expm1|sigmoid|hard_sigmoid|smooth_l1|\w*[hH]ypot\w*|\w*[mM]od\w*|"
        r"_contrib_quadratic|norm|L2Normalization)'",
        GRADIENT + r"    ours: u?int\d+",
        "derivatives of integers are computed of the data and then cut; in the original of the integer result, or in steps",
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

_BY_NUMPY = "NumPy's own functions give, and refuse, what the installed NumPy does"
_NOT_FITTING = "what NumPy refuses and the original answers by chance is refused"

#: Those of functions of ``mx.np`` and ``mx.npx`` alone.
CALLS += [
    _accepted(
        r"AttributeError: 'ValueError' object has no attribute 'format'",
        "what NumPy computes may be called while recording, where no gradient is lost",
        r"autograd\.record",
    ),
    _accepted(
        r"RecursionError|The `out` parameter must have exactly one|'(int|float|bool)' object has no attribute 'ctx'",
        "ufuncs that only NumPy has work on arrays of mx.np",
        r"mnp\.(float_power|frexp|heaviside|modf|divmod|positive|signbit|spacing)\(",
    ),
    _accepted(r"'mxnet.ndarray.numpy._internal' has no attribute", "the original has lost them", r"deg2rad|rad2deg"),
    _accepted(
        r"Does not support converting <class 'numpy\.dtype",
        "functions whose result is a type work",
        r"mnp\.(result_type|min_scalar_type)\(",
    ),
    _accepted(
        r"Unknown DLDataType|complex128 is not supported",
        "results of types that only NumPy has are arrays of NumPy's",
        r"mnp\.(nancum(sum|prod)|roots)\(",
    ),
    _accepted(
        r"ValueError: (operands could not be broadcast|The truth value of an array with more|all the input arrays must|"
        r"zero-dimensional arrays cannot be concatenated)|"
        r"TypeError: only integer scalar arrays",
        _BY_NUMPY,
        r"mnp\.(trim_zeros|allclose|isclose|setxor1d|in1d|isin|size)\(",
    ),
    _accepted(r"object has no attribute 'shape'", "numbers and lists have a shape, as in NumPy", r"mnp\.shape\("),
    _accepted(
        r"'(int|float|bool)' object is not iterable|iteration over a 0-d array",
        _BY_NUMPY,
        r"mnp\.(histogramdd|trim_zeros)\(",
    ),
    _accepted(r"Index type only support int64", "places may be of any type of integers", r"mnp\.insert\("),
    _accepted(r"Shape size mismatch 0 v\.s\. \d", "arrays without elements are allowed everywhere"),
    _accepted(r"Failed to allocate CPU Memory", "rows without elements may be chosen", r"mnp\.random\.choice\("),
    _accepted(r"did not return an iterable", _BY_NUMPY, r"mnp\.(poly|roots)\("),
    _accepted(r"does not support boolean type", "booleans broadcast", r"mnp\.bitwise_(and|or|xor)\("),
    _accepted(r"inf norm handled in front-end", "the largest element, as a norm", r"mnp\.linalg\.norm\("),
    _accepted(
        r"begin and end must have the same length",
        "None as an end of a slice is the end of the axis",
        r"npx\.slice\(",
    ),
    _accepted(r"Invalid begin, end", "arrays without dimensions are taken, too", r"npx\.reshape_like\("),
    _accepted(
        r"Number of inputs to operator _backward_npi_r?copysign_scalar|Diagonal does not exist|"
        r"index = 0 must be in range \[0, 0\)",
        "gradients that the original has not: of copysign with a number, of diagflat, of arrays without dimensions",
        r"mnp\.(copysign|diagflat|amax|amin|max|min)\(|backward_of\(",
    ),
    _accepted(r"Incompatible attr in node", "arrays of any types may come together", r"mnp\.atleast_[123]d\("),
    _accepted(
        r"Invalid Parameter format for \w+ expect [\w ]* but value='\(?(True|False),?\)?'|parsed: '(alse|rue)'|"
        r"expect [\w ]* but value='\[( ?True|False)\]'",
        "True and False are 1 and 0 where a number is asked for",
    ),
    _accepted(
        r"Invalid Parameter format for (M|N|k|a_min|a_max|low|high) expect [\w ]* but value='\[-?\d+\.?\d*\]'|"
        r"expect Shape or None but value='\(array\(|The dimensions must be sequence of ints",
        "an array of one number is taken where a number is asked for",
    ),
    _accepted(
        r"kCustomOp(Forward|Backward)",
        "resize has a gradient, and takes what stands for a shape",
        r"mnp\.resize\(|backward_of\(",
    ),
    _accepted(r"in_attrs->at\(0\) == mshadow: :kBool", "numbers are true unless 0", r"npx\.constraint_check\("),
    _accepted(
        r"qshape\.ndim\(\) <= 1U", "quantiles may come in any shape, as in NumPy", r"mnp\.(percentile|quantile)\("
    ),
    _accepted(
        r"index = -\d must be in range \[0, \d\)", "axes may count from the end", r"mnp\.(flip|cumsum)\(.*axis=-1"
    ),
    _accepted(
        r"Only support the following output dtypes when input dtype is bool|"
        r"reduce operators do not support gradient calculation for input tensors of boolean",
        "sums, means and products of booleans have any type, and may be recorded",
    ),
    _accepted(
        r"is exactly (singular|zero)",
        "whether a matrix that is singular but for rounding is found out depends on the rounding",
        r"mnp\.linalg\.(solve|inv|tensorsolve|tensorinv)\(",
    ),
    _refused(r"is out of bounds for an axis of size", "indices out of range are refused", r"mnp\.(delete|insert)\("),
    _refused(
        r"axis -?\d is out of range for an array with [012] dimension",
        "an array of fewer dimensions has no such axis, as in NumPy",
        r"mnp\.(delete|unique|flip|fliplr|linalg\.norm)\(",
    ),
    _refused(r"attribute 'axes' expects Shape", "axes are a tuple; without them, none are given", r"npx\.dropout\("),
    _refused(r"order must be 'C', got 'F'", "the order of Fortran is refused; there it is ignored", r"reshape\("),
    _refused(r"sort: kind=\S+ is not supported", _NOT_FITTING, r"mnp\.(arg)?sort\("),
    _refused(
        r"a zero-size a(xis|rray) has no maximum or minimum",
        "of nothing there is no largest or smallest element, as in NumPy",
        r"mnp\.(amax|amin|max|min|argmax|argmin)\(",
    ),
    _refused(
        r"(boolean arrays are not supported|floating point (inputs|arrays) only|of a floating type only|cannot be combined)"
        r".*Given: [^;]*\((\d+, )*0(, \d+)*,?\)",
        "a type that a function does not take is refused whatever the size",
    ),
    _refused(
        r"boolean arrays are not supported.*Given: a \(1,\) bool",
        "a type that a function does not take is refused whatever the size",
        r"mnp\.(diff|ediff1d)\(",
    ),
    _refused(r"do not fit the size", "parameters must broadcast to the size, as in NumPy", r"mnp\.random\.\w+\("),
    _refused(
        r"Assigning to NDArrays",
        "while recording, writing to a variable is refused whatever the value",
        r"mnp\.nan_to_num\(.*copy=False",
    ),
    _refused(r"attribute 'UPLO' expects", _NOT_FITTING, r"mnp\.linalg\.(eigh|eigvalsh)\("),
    _refused(
        r"expects Shape\(tuple\).*got array\(\[\]|only size-1 arrays|iteration over a 0-d array",
        "shapes and axes are numbers, not arrays without elements or dimensions",
        r"mnp\.(moveaxis|roll|resize)\(",
    ),
    _refused(
        r"The truth value of an empty array is ambiguous|only 0-dimensional arrays can be converted|"
        r"zero-size array to reduction operation|Booleans unacceptable as partition index",
        _BY_NUMPY,
    ),
    _refused(
        r"iteration over a 0-d array",
        _BY_NUMPY,
        r"mnp\.nan\w+\(",
    ),
    _refused(r"normed, weights and density are not supported", _NOT_FITTING, r"mnp\.histogram\("),
    _refused(r"expected total dims >= 2", _NOT_FITTING, r"mnp\.rot90\("),
    _refused(r"input 'data' was not given", _NOT_FITTING, r"npx\.leaky_relu\("),
    _refused(r"tuple index out of range", _NOT_FITTING, r"mnp\.tensordot\("),
    _refused(r"must be batches of square matrices", _NOT_FITTING, r"mnp\.linalg\.cholesky\("),
    _refused(r"shape must be positive", "all parameters are looked at", r"mnp\.random\.chisquare\(.*size=3"),
    _refused(
        r"is computed by NumPy and has no gradient",
        "of an array without dimensions as of others: no gradient is lost without a word",
        r"mnp\.(poly|roots)\(",
    ),
    _refused(
        r"prepend and append options", "prepend=0 is refused; there it is ignored", r"mnp\.diff\(.*(prepend|append)=0"
    ),
    _refused(r"there must be something to choose from", _NOT_FITTING, r"mnp\.random\.choice\("),
    _refused(r"repeat must be at least 1", _NOT_FITTING, r"npx\.arange_like\(|_contrib_arange_like"),
    _refused(r"attribute 'msg' expects string", _NOT_FITTING, r"npx\.constraint_check\("),
    _value(
        r"\((0,|2, 0)\).*mnp\.(prod|product)\(",
        r"^y\n\s+ours: \w+\([^)]*\) 1( 1)*\n\s+the original: \w+\([^)]*\) 0( 0)*$",
        "the product of nothing is 1",
    ),
    _value(r"mnp\.random\.chisquare\(", r"^(y|g0)\n", "there the numbers are a quarter of what they should be"),
    _value(
        r"mnp\.(std|var|average)\(",
        r"^y(\[0\])?\n\s+ours: u?int8\(",
        "small integers do not overflow on the way to their mean and deviation",
    ),
    _value(
        r"dtype='u?int\d+'\)\n.*mnp\.(std|var)\(.*dtype=",
        r"^y\n",
        "the mean of integers is not cut to an integer first, nor do their squares overflow",
    ),
    _value(
        r"mnp\.linalg\.norm\(",
        r"^y\n\s+ours: u?int\d+\(",
        "the norm of integers is cut to one at the end; in the original at each step",
    ),
    _value(
        r"dtype='u?int\d+'\)\n.*mnp\.random\.(weibull|power|lognormal|normal|logistic|gumbel|uniform)\(",
        r"^y\n",
        "numbers beside integers keep their fractions",
    ),
    _value(
        r"x0 = mnp\.array\(\(?\w+\(\(\d+, \d.*mnp\.random\.choice\(x0",
        r"^(y|g0)\n",
        "all rows are as likely; in the original the last one takes the chances of all that are not there",
    ),
    _value(
        r"mnp\.(std|var|atleast_[123]d|average|linalg\.(pinv|eigh|eigvalsh)|random\.(uniform|power|gamma))\(",
        r"^g\d\n[^\n]*\n\s+the original: \w+\([^)]*\) -?0( -?0)*( \.\.\.)?$",
        "the gradient is the mathematical one, there it is 0",
    ),
    _value(
        r"mnp\.(prod|product|linalg\.norm)\(",
        r"^g0\n[^\n]*\n\s+the original: .*nan",
        "gradients of products with a factor 0 and of infinite norms; in the original they are nan",
    ),
    _value(
        r"mnp\.average\(.*returned=True",
        r"^y\[1\]\n",
        "the sum of the weights has the shape of the mean, as in NumPy",
    ),
    _value(r"mnp\.average\(.*weights=.*returned=True", r"^g1\n", "the returned sum of the weights has a gradient"),
    _value(r"mnp\.polydiv\(", r"^y\[1\]\n", _BY_NUMPY),
    _value(r"mnp\.histogramdd\(", r"^y\[1\]\[\d\]\n\s+ours: float32.*\n\s+the original: float64", _BY_NUMPY),
    _value(r"mnp\.nan(percentile|quantile)\(", r"^y\n\s+ours: float32.*\n\s+the original: float64", _BY_NUMPY),
    _value(
        r"odd\([^\n]*(1e30|inf)[^\n]*mnp\.mean\(.*dtype='int", r"^y\n\s+ours: int", "numbers that do not fit an integer"
    ),
    _value(
        r"int\d+'\)\n.*mnp\.(lcm|gcd)\(",
        r"^y\n\s+ours: u?int\d+\(",
        "integers that overflow are left to the machine",
    ),
    _value(
        r"mnp\.histogram\(x0, bins=x1",
        r"^y\[0\]",
        "edges that do not rise make no histogram",
    ),
    _value(
        r"mnp\.(heaviside|float_power|copysign)\(",
        r"^y\n\s+ours: float64.*\n\s+the original: float32",
        _BY_NUMPY,
    ),
    _value(
        r"odd\([^\n]*(1e6|1e30|inf).*mnp\.(mean|sum|average)\(",
        r"^y(\[0\])?\n",
        "numbers so far apart, or that overflow: what is left of the sum depends on its order",
    ),
    _refused(r"cannot be drawn from \d+ without replacement", _NOT_FITTING, r"mnp\.random\.choice\("),
    _accepted(r"cannot be interpreted as an integer", _BY_NUMPY, r"mnp\.nancum(prod|sum)\("),
    _value(
        r"mnp\.linalg\.(tensorinv|inv|tensorsolve|solve)\(",
        r"^g\d\n\s+ours: .*e\+1\d",
        "of matrices that are singular but for rounding only rounding is left",
    ),
    _refused(r"attribute 'nan' expects float, got None", _NOT_FITTING, r"mnp\.nan_to_num\("),
    _value(
        r"mnp\.(hamming|hanning|blackman)\(.*dtype='int",
        r"^y\n",
        "windows of integers are cut, 0.9999999 to 0",
    ),
    _value(
        r"mnp\.(around|round|round_)\(.*decimals=-1",
        r"^y\n\s+ours: u?int\d+\(",
        "integers are rounded to tens; in the original their last digit is cut off",
    ),
    _value(
        r"\(2, 3, 4\).*(mnp\.argsort\(.*axis=None|npx\.topk\()",
        r"^y\n",
        "equal elements keep their order; in the original not among more than 16",
    ),
    _value(r"mnp\.hypot\(", r"^g\d\n[^\n]*\n\s+the original: .*nan", "hypot(0, 0) has a gradient of 0, there nan"),
    _value(r"mnp\.rot90\(", r"^g0\n", "there the gradient is turned the wrong way"),
    _value(
        r"mnp\.linalg\.(svd|eigh)\(",
        r"^(y\[[012]\]|g0)\n",
        "singular vectors and eigenvectors are known but for their sign, and so is what is computed back from them",
    ),
    _value(r"mnp\.arctan2\((-?\d|0\.5|True)", r"^g0\n", "there the gradient is that of the other argument"),
    _value(r"mnp\.linalg\.(det|slogdet)\(", r"^g0\n[^\n]*\n\s+the original: .*(nan|inf)", "where products overflow"),
    _value(
        r"mnp\.(average\(.*weights=|std\(|var\()",
        r"^y\n\s+ours: .*inf.*\n\s+the original: .*nan",
        "an infinite mean or deviation is infinite; in the original, beside other numbers, nan",
    ),
    _value(
        r"mnp\.delete\(\w+, x1",
        r"^y\n",
        "in arrays of indices negative ones count from the end, as in NumPy; the original passes over them",
    ),
    _value(
        r"autograd\.record.*random\.shuffle\(x0",
        r"^x0\n",
        "an array that may not be shuffled, as it is recorded, stays as it is; the original refuses and shuffles it",
    ),
    _value(
        r"x0 = mnp\.array\(\(?\w+\(\((0,)?\),.*mnp\.(poly|roots)\(",
        r"^y( of mx\.np)?\n",
        "an array without dimensions is a polynomial of one coefficient, and what is empty an array of mx.np, too",
    ),
    _value(
        r"mnp\.\w+\((-?[\d.]+|True|\[1, 2, 3\]), [^\n]*x\d",
        r"^y of mx\.np\n\s+ours: bool\(\) 1\n\s+the original: None",
        "with an array of mx.np among the arguments the result is one, too; the original looks at some of them",
    ),
    _value(
        r" > 0\), dtype='bool'\)",
        r"^g\d\n\s+ours: bool\(",
        "gradients of booleans are left to the machine",
    ),
    _value(
        r"odd\([^\n]*(1e6|1e30|inf)[^\n]*mnp\.linalg\.(pinv|inv|solve|tensorinv)\(",
        r"^(y|g\d)\n",
        "of matrices whose numbers are so far apart only rounding is left",
    ),
]
