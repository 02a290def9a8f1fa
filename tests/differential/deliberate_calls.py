"""Differences of single calls that are meant: most are calls that the original refuses, for a reason of its own."""


def _accepted(text: str, reason: str) -> dict[str, str]:
    """An entry for calls that work here, and that the original refuses with such a message."""
    return {
        "kind": "error",
        "program": "",
        "text": rf"(?s)ours: no error\n.*the original: .*({text})",
        "reason": reason,
    }


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
