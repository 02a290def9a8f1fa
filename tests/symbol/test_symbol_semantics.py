"""What symbols answer to all kinds of use, against the original; its pickles."""

import pickle

import numpy as np
import pytest
from compare import load_golden
from symbol_semantics_cases import CASES, run

import mxnet as mx

RECORDED = load_golden("symbol_semantics.json")


@pytest.mark.filterwarnings("ignore:unknown backend")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_answers_are_the_originals(case):
    """Of errors the class must be the recorded one or derived from it."""
    for number, (mine, theirs) in enumerate(zip(run(mx, case), RECORDED[case.__name__], strict=True)):
        if isinstance(theirs, list) and isinstance(mine, list):
            assert theirs[0] in mine, number
        else:
            assert mine == theirs, number


def test_shapes_of_numpy_numbers():
    layer = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=4, name="fc")
    for shape in (np.array([2, 3]), [np.int64(2), np.int32(3)], [2, 3]):
        assert layer.infer_shape(x=shape)[1] == [(2, 4)]
        assert layer.simple_bind(mx.cpu(), x=shape).arg_dict["fc_weight"].shape == (4, 3)
    with pytest.raises(TypeError):
        layer.infer_shape(x=(2.0, 3))


def test_pickles_of_the_original():
    text = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=4, name="fc").tojson()
    # As the original writes it: the class, made of None, and its JSON as the state.
    start = b"\x80\x02cmxnet.symbol.symbol\nSymbol\nq\x00N\x85q\x01Rq\x02}q\x03X\x06\x00\x00\x00handleq\x04X"
    pickled = start + len(text).to_bytes(4, "little") + text.encode() + b"q\x05sb."
    symbol = pickle.loads(pickled)
    assert symbol.tojson() == text
    assert pickle.dumps(symbol, 2) == pickled


def test_operators_of_the_first_releases_start_with_defaults():
    """A copy forward, ones backward, as in the original."""
    for base in (mx.operator.NumpyOp, mx.operator.NDArrayOp):
        bound = base()(mx.sym.var("x"), name="op").simple_bind(mx.cpu(), x=(2,))
        bound.arg_dict["x"][:] = [3, 4]
        assert bound.forward(is_train=True)[0].asnumpy().tolist() == [3, 4]
        bound.backward(mx.nd.array([5, 6]))
        assert bound.grad_dict["x"].asnumpy().tolist() == [1, 1]
    with pytest.raises(NotImplementedError, match="must be a NumpyOp or an NDArrayOp"):
        mx.operator.PythonOp()(mx.sym.var("x"))
