"""Values of attributes that are refused when a call is written, as the original refuses them (golden/attributes)."""

import attribute_cases
import numpy as np
import pytest
import samples
from compare import load_golden
from samples.common import find_function

import mxnet as mx
from mxnet.ops import registry

RECORDED = load_golden("attributes.json.gz")
RANGES = ("should be greater", "exceed bound", "must be nonzero", "wrong dimensions", "Check failed", "not implemented")
# Taken by the original as text: a shape that is not known, the number before the letter, and what a negative number
# is without its sign, of which it then fails to make arrays.
REFUSED_EARLIER = {"None", "3L", "-1", "-2147483648"}
# The original reads their scale when they run.
READ_LATER = {"LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput"}
# The original runs out of memory, or for hours, with 2147483647 of them, or crashes when it runs with 0 of them.
BOUNDED = {"num_layers", "sections", "num_quantized_bins"}


def test_graphs_refuse_the_same_values():
    wrong = []
    for op, attrs, name, said in RECORDED:
        if registry.find(op) is None or (said or "").startswith("Cannot find argument"):
            continue
        try:
            attribute_cases.compose(mx, op, attrs)
            refused = None
        except mx.MXNetError as error:
            refused = str(error)
            if said is None and "there is no output 0" in refused:
                continue  # a node without outputs, which the file says to be one
        if (said is None) != (refused is None) and not (
            said is None and (attrs[name] in REFUSED_EARLIER or op in READ_LATER or name in BOUNDED)
        ):
            wrong.append((op, name, attrs[name], said, refused))
    assert not wrong, f"{len(wrong)} of {len(RECORDED)} values, e.g. {wrong[:5]}"


def test_arrays_and_symbols_refuse_values_out_of_range():
    first, tried = {}, 0
    for family in samples.families():
        for _, sample in samples.load(family):
            if not sample.error:
                first.setdefault(sample.op, sample)
    for op, attrs, name, said in RECORDED:
        if said is None or not any(text in said for text in RANGES) or registry.find(op) is None:
            continue
        if attrs[name] == "None" or name in ("num_args", "num_outputs"):
            continue  # counted by the functions themselves
        sample = first[op]
        given = {**sample.attrs, name: attrs[name]}
        arrays = [None if a is None else mx.nd.array(a, dtype=a.dtype) for a in sample.inputs]
        with pytest.raises(mx.MXNetError, match=name if "Check failed" not in said else "kernel"):
            find_function(mx.nd, op)(*arrays, **given)
        with pytest.raises(mx.MXNetError, match=name if "Check failed" not in said else "kernel"):
            find_function(mx.sym, op)(*[mx.sym.var(f"in{i}") for i in range(len(arrays))], **given)
        tried += 1
    assert tried > 100


def test_the_text_names_operator_attribute_and_bound():
    with pytest.raises(mx.MXNetError, match="FullyConnected: value -1 for Parameter num_hidden should be greater"):
        mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=-1)
    with pytest.raises(mx.MXNetError, match=r"Dropout: value 3 for Parameter p is out of bounds \[0, 1\]"):
        mx.sym.Dropout(mx.sym.var("x"), p=3)
    with pytest.raises(mx.MXNetError, match="Convolution: value 0 for Parameter num_filter"):
        mx.sym.Convolution(mx.sym.var("x"), num_filter=0, kernel=(1, 1))
    with pytest.raises(mx.MXNetError, match="Pooling: kernel must have 1 or 2 or 3 dimension"):
        mx.sym.Pooling(mx.sym.var("x"))


@pytest.mark.parametrize("array", [mx.np.array, np.array])
def test_a_number_in_an_array_without_axes(array):
    """The original reads attributes as text, and the text of such an array is that of its number."""
    x = mx.nd.arange(6).reshape((2, 3))
    two, real = array(2, dtype="int32"), array(2.0, dtype="float32")
    for number in (two, real):
        assert mx.nd.clip(x, 0, number).asnumpy().tolist() == [[0, 1, 2], [2, 2, 2]]
        assert mx.nd.LeakyReLU(x - 3, slope=number).asnumpy().tolist() == [[-6, -4, -2], [0, 1, 2]]
        assert mx.np.arange(number).asnumpy().tolist() == mx.nd.arange(number).asnumpy().tolist() == [0, 1]
    assert mx.nd.repeat(x, repeats=two).shape == (12,)
    assert mx.nd.one_hot(mx.nd.array([1]), two).asnumpy().tolist() == [[0, 1]]
    assert mx.npx.topk(mx.np.arange(6).reshape(2, 3), k=two).asnumpy().tolist() == [[2, 1], [2, 1]]
    assert mx.np.ones(two).shape == (2,)
    assert mx.sym.clip(mx.sym.Variable("a"), 0, real).attr("a_max") == "2.0"
    assert mx.np.full((2,), real).asnumpy().tolist() == [2, 2]
    for refused in (
        lambda: mx.nd.repeat(x, repeats=real),
        lambda: mx.npx.one_hot(mx.np.array([1]), real),
        lambda: mx.nd.clip(x, 0, array([2.0])),
        lambda: mx.nd.LeakyReLU(x, slope=array([2.0, 3.0])),
    ):
        with pytest.raises(mx.MXNetError):
            refused()


def test_the_number_in_an_array_is_read_each_time():
    x, most = mx.nd.arange(4), mx.np.array(2.0)
    assert mx.nd.clip(x, 0, most).asnumpy().tolist() == [0, 1, 2, 2]
    most[()] = 1
    assert mx.nd.clip(x, 0, most).asnumpy().tolist() == [0, 1, 1, 1]


def test_numbers_of_equal_bytes_are_told_apart():
    x = mx.nd.array([-1.0])
    assert mx.nd.LeakyReLU(x, slope=np.float32(1)).asscalar() == -1
    assert mx.nd.LeakyReLU(x, slope=np.int32(1065353216)).asscalar() == -1065353216
    assert mx.nd.LeakyReLU(x, slope=np.array(2.0)).asscalar() == -2
    assert mx.nd.LeakyReLU(x, slope=np.array(2**62)).asscalar() == -(2.0**62)
