"""What every operator must have: the original's signature, words for help(), samples, and its fluent method."""

import re

import numpy as np
import pytest
import samples
from compare import load_golden
from paths import TESTS

import mxnet as mx
from mxnet import ops
from mxnet.ops.derive import NUMPY
from mxnet.ops.methods import FLUENT
from mxnet.ops.params import REQUIRED

SIGNATURES = load_golden("signatures.json")
NAMES = ops.names()
OPERATORS = sorted({op.name for op in NAMES.values()})

# Arguments of control flow operators that are graphs, not arrays: they travel with the node of the symbol.
GRAPHS = {"_foreach": ["fn"], "_while_loop": ["cond", "func"], "_cond": ["cond", "then_branch", "else_branch"]}
# Operators that take other attributes than the original declares for them.
DECLARED_OTHERWISE = dict.fromkeys(("_linspace", "_npi_linspace"), "start stop num endpoint ctx dtype")
# The original takes it, and does not say so in its help.
DECLARED_OTHERWISE |= dict.fromkeys(("_linalg_potrf", "linalg_potrf", "_linalg_potri", "linalg_potri"), "lower")
# Its help has sparse_grad, which it refuses; ours takes both.
DECLARED_OTHERWISE["_contrib_SparseEmbedding"] = "input_dim output_dim dtype deterministic sparse_grad"
DECLARED_OTHERWISE["_npi_norm"] = "axis ord keepdims flag"  # it declares none, and takes these
DECLARED_OTHERWISE["_npi_concatenate"] = "num_args axis"  # it declares dim, and refuses that
# Operators whose result cannot be recorded (random, or the original has none on a CPU): the file that tests them.
_BY_FILE = {
    "ops/test_cross_entropy.py": "_log_softmax_pick",
    "ops/test_control_flow.py": "_cond _foreach _while_loop",
    "ops/test_custom_op.py": "Custom",
    "ndarray/test_get_symbol.py": "_CachedOp _CustomFunction",
    "ops/test_image_ops.py": "_imdecode",
    "ops/test_contrib_ops.py": "_contrib_count_sketch _contrib_edge_id _contrib_fft _contrib_ifft",
    "ops/test_dropout.py": "Dropout",
    "graph/test_graph_sampling.py": """_contrib_dgl_adjacency _contrib_dgl_csr_neighbor_non_uniform_sample
        _contrib_dgl_csr_neighbor_uniform_sample _contrib_dgl_graph_compact _contrib_dgl_subgraph""",
    "ndarray/sparse_cases.py": "_sparse_retain",
    "ndarray/sparse_training_cases.py": "_sparse_adagrad_update",
    "ops/test_elementwise.py": "_square_sum reset_arrays",
    "ops/test_loss_heads.py": "IdentityAttachKLSparseReg",
    "ops/test_optimizer_update.py": "_contrib_group_adagrad_update mp_lamb_update_phase2",
    "graph/test_quantization.py": """_contrib_quantize_asym _contrib_quantized_elemwise_mul _contrib_quantized_rnn
        _sg_mkldnn_conv _sg_mkldnn_fully_connected""",
    "graph/test_quantized_attention.py": "_sg_mkldnn_selfatt_qk _sg_mkldnn_selfatt_valatt",
    "ops/test_random.py": """_random_exponential _random_exponential_like _random_gamma _random_gamma_like
        _random_generalized_negative_binomial _random_generalized_negative_binomial_like _random_negative_binomial
        _random_negative_binomial_like _random_normal _random_normal_like _random_poisson _random_poisson_like
        _random_randint _random_uniform _random_uniform_like _sample_exponential _sample_gamma
        _sample_generalized_negative_binomial _sample_multinomial _sample_negative_binomial _sample_normal
        _sample_poisson _sample_uniform _sample_unique_zipfian _shuffle""",
    "ops/test_shape.py": "_scatter_set_nd _set_value _zeros_without_dtype",
}
#: Operators that the original does not have. Graphs never hold them: files of ours stay readable for it.
OWN = {"_log_softmax_pick", "_backward_gather_nd"}
#: Operators of the original that have no signature: nodes that stand for a graph, and for a function in Python.
UNSIGNED = {
    "_CachedOp",
    "_CustomFunction",
    "_sg_mkldnn_conv",
    "_sg_mkldnn_fully_connected",
    "_sg_mkldnn_selfatt_qk",
    "_sg_mkldnn_selfatt_valatt",
}
TESTED_IN = {name: file for file, names in _BY_FILE.items() for name in names.split()}


def comparable(value):
    """A default in a form in which the original's text and our object are equal if they mean the same."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(np.float32(value))
    if isinstance(value, tuple):
        return tuple(comparable(v) for v in value)
    return value


def parsed(param, text):
    """The original's default as our attribute type reads it."""
    text = text.replace("[", "(").replace("]", ")") if text.startswith("[") else text
    if text.startswith("(") and "," not in text and text != "()":
        text = text.replace(")", ",)")
    return param.parse(text, "default")


@pytest.mark.parametrize("name", list(SIGNATURES))
def test_signature_is_the_original_one(name):
    if name not in NAMES:
        pytest.fail("the operator is missing")
    op, expected = NAMES[name], SIGNATURES[name]
    # The original has states that it does not declare as arguments.
    states = () if callable(op.aux) else op.aux
    declared = [i for i in op.inputs if i not in states or i in expected["inputs"]]
    given = GRAPHS.get(name, []) + [f"*{i}" if i == op.variadic else i for i in declared]
    assert given == expected["inputs"]
    if name in DECLARED_OTHERWISE:
        assert list(op.params) == DECLARED_OTHERWISE[name].split()
        return
    attrs = expected["attrs"]
    if op.variadic is not None:
        # These take attributes by name only. Some accept a count of their inputs that they do not declare.
        assert sorted(set(op.params) - {op.count}) == sorted(set(attrs) - {op.count})
        attrs = {a: text for a, text in attrs.items() if a != op.count}
    else:
        assert list(op.params) == list(attrs), "attributes and their order"
    for attribute, text in attrs.items():
        param = op.params[attribute]
        if text == "?":
            continue
        if text == "required":
            assert param.default is REQUIRED, f"{attribute} is required"
        else:
            assert param.default is not REQUIRED, f"{attribute} has the default {text}"
            if text in ("None", "", "cpu") and param.default is None:  # the current context, which is the host at first
                continue
            assert comparable(param.default) == comparable(parsed(param, text)), f"{attribute}: {text}"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_operator_is_one_of_the_originals(name):
    assert (name in SIGNATURES) is not (name in OWN | UNSIGNED)


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_explains_itself(name):
    assert len(NAMES[name].doc.split()) > 1, "help() must say what the operator does"


@pytest.fixture(scope="module")
def sampled():
    return {NAMES[s.op].name for family in samples.families() for _, s in samples.load(family) if s.op in NAMES}


# Those of mx.np are tested by its functions: tests/numpy/test_numpy.py.
@pytest.mark.parametrize("name", [name for name in OPERATORS if not name.startswith(NUMPY) or name == "_np_cumsum"])
def test_operator_has_samples(name, sampled):
    if name not in TESTED_IN:
        assert name in sampled, "no sample table in tests/samples has it"
        return
    assert name not in sampled, "it has samples: take it off the list"
    path = TESTS / TESTED_IN[name]
    prefixes = ("_", "_random_", "_sample_", "_contrib_", "_sparse_")
    names = {n.removeprefix(p) for n in (name, *NAMES[name].aliases) for p in prefixes}
    text = path.read_text()
    if name.endswith("_like") and "}_like" in text:  # made from the name of the plain operator
        names |= {n.removesuffix("_like") for n in names}
    assert names & set(re.findall(r"\w+", text)), f"{path.name} does not mention {name}"


def test_list_of_operators_without_samples_is_up_to_date():
    assert set(TESTED_IN) <= set(OPERATORS)


@pytest.mark.parametrize("name", sorted(FLUENT))
def test_fluent_method(name):
    method = getattr(mx.nd.NDArray, name, None)
    assert callable(method)
    assert method.__doc__


def test_registering_a_name_twice_is_refused():
    with pytest.raises(mx.MXNetError, match="registered twice"):
        ops.register("sin", lambda data: data, inputs=("data",))
