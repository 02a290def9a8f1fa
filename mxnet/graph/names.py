"""What MXNet calls the inputs and outputs of an operator where values are watched: by a Monitor, by an op hook.

An operator there may lack names for its inputs or outputs; these tables say which do.
"""

from __future__ import annotations

from ..ops.infer import same_shapes
from .node import Node, argument_names

#: Operators of one input that has a name, though functions of single numbers have none.
_NAMED_INPUT = frozenset(
    "Dropout L2Normalization LRN MakeLoss _contrib_quadratic _image_normalize _linalg_potrf _linalg_potri "
    "reverse".split()
)
#: Other operators of one input without a name.
_UNNAMED_INPUT = frozenset(
    "Flatten Reshape _contrib_AdaptiveAvgPooling2D _contrib_arange_like _contrib_bipartite_matching _contrib_box_nms "
    "_image_crop _image_resize argmax argmax_channel argmin argsort broadcast_axis broadcast_to expand_dims max mean "
    "min nanprod nansum norm prod shape_array size_array slice slice_axis softmin sort sum topk transpose".split()
)
#: What variadic inputs are called, where it is not arg0, arg1, ...
_VARIADIC = {"amp_multicast": "data_", "multi_all_finite": "array_", "multi_sum_sq": "array_"}
#: Layers (their names begin with a capital letter) have names for their outputs, all but these; other operators have
#: none, but for those after them.
_UNNAMED_OUTPUT = frozenset(
    "BlockGrad CTCLoss Cast Embedding Flatten LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput "
    "Reshape _contrib_AdaptiveAvgPooling2D _contrib_BilinearResize2D _contrib_SparseEmbedding".split()
)
_NAMED_OUTPUT = frozenset(
    "_contrib_index_array _contrib_interleaved_matmul_encdec_qk _contrib_interleaved_matmul_encdec_valatt "
    "_contrib_interleaved_matmul_selfatt_qk _contrib_interleaved_matmul_selfatt_valatt _rnn_param_concat col2im "
    "elemwise_add im2col softmax softmin".split()
)


def watched_inputs(node: Node) -> list[str]:
    """The inputs of a node: ``fc1_weight``, ``relu0_input0``."""
    op = node.op
    assert op is not None
    names = argument_names(op, node.parsed(), len(node.inputs))
    if op.name in _VARIADIC:
        names = [f"{_VARIADIC[op.name]}{i}" for i in range(len(node.inputs))]
    elif len(node.inputs) == 1 and op.variadic is None:
        plain = op.rules.get("back") is same_shapes and op.name not in _NAMED_INPUT
        if plain or op.name in _UNNAMED_INPUT:
            names = ["input0"]
    return [f"{node.name}_{name}" for name in names[: len(node.inputs)]]


def hooked_outputs(node: Node) -> list[str]:
    """The outputs of a node as op hooks are told of them: ``fc1_output``, but ``relu0_0``."""
    op = node.op
    assert op is not None
    layer = op.name.removeprefix("_contrib_")[:1].isupper() and op.name not in _UNNAMED_OUTPUT
    if layer or op.output_names or op.name in _NAMED_OUTPUT:
        return node.output_names()
    return [f"{node.name}_{i}" for i in range(node.num_outputs())]
