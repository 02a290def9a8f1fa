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
    _accepted(r"is only available for GPU", "Fourier transforms run on the CPU, too"),
    _accepted(r"Cannot find argument 'sparse_grad'", "SparseEmbedding knows the attribute of Embedding"),
    _accepted(
        r"Required parameter num_(arrays|outputs|args) of int is not presented|arg_vec\.size\(\) <= n_req",
        "operators with any number of inputs count them",
    ),
    {
        "kind": "value",
        "program": r"(_image_(random_)?(flip|brightness|contrast|saturation|hue|lighting|color)|_image_adjust)\w*",
        "where": "program",
        "text": r"^g",
        "reason": "the gradient of an image operator is its gradient; in the original a copy of the head gradient",
    },
    {
        "kind": "value",
        "program": r"'nanprod'|mnp\.nanprod",
        "where": "program",
        "text": r"(?s)^g.*the original: .*nan",
        "reason": "the gradient of a product with one zero is the product of the others; in the original nan",
    },
    {
        "kind": "value",
        "program": r"SoftmaxActivation.*mode='instance'",
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
    {
        "kind": "value",
        "program": r"\.(astype\('(u?int\d+|bool)'\)|array\(whole)",
        "where": "program",
        "text": r"^g.*\n\s*ours: (u?int\d+|bool)",
        "reason": "gradients of integers: where the result is not whole, or overflows, they are left to the machine",
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
        r"Invalid Parameter format for (M|N|k|a_min|a_max|low|high) expect [\w ]* but value='\[-?\d+\]'|"
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
        r"without elements has no largest or smallest one",
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
    _refused(r"repeat must be at least 1", _NOT_FITTING, r"npx\.arange_like\("),
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
        r"npx\.arange_like\(.*step=0\.5",
        r"^y\n\s+ours: (float16|u?int\d+)\(",
        "a step keeps its fraction until the end",
    ),
    _value(
        r"mnp\.average\(.*returned=True",
        r"^y\[1\]\n",
        "the sum of the weights has the shape of the mean, as in NumPy",
    ),
    _value(r"mnp\.average\(.*weights=.*returned=True", r"^g1\n", "the returned sum of the weights has a gradient"),
    _value(r"mnp\.polydiv\(", r"^y\[1\]\n", _BY_NUMPY),
    _value(r"mnp\.nan(percentile|quantile)\(", r"^y\n\s+ours: float32.*\n\s+the original: float64", _BY_NUMPY),
    _value(
        r"odd\([^\n]*(1e30|inf)[^\n]*mnp\.mean\(.*dtype='int", r"^y\n\s+ours: int", "numbers that do not fit an integer"
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
