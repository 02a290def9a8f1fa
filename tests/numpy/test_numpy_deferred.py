"""Shapes of parameters that functions of mx.np tell, as in the original; blocks whose graph takes no arrays."""

import pytest

import mxnet as mx
from mxnet import gluon, np, npx

X = (2, 3)
FUNCTIONS = {
    "concatenate": lambda F, x, w: F.np.concatenate([x, w], axis=0),
    "concatenate along the last": lambda F, x, w: F.np.concatenate([w, x], axis=-1),
    "vstack": lambda F, x, w: F.np.vstack([x, w]),
    "column_stack": lambda F, x, w: F.np.column_stack([x, w]),
    "dot": lambda F, x, w: F.np.dot(x, w),
    "dot with the transpose": lambda F, x, w: F.np.dot(x, w.T),
    "dot with moved axes": lambda F, x, w: F.np.dot(x, F.np.transpose(w, (1, 0))),
    "vdot": lambda F, x, w: F.np.vdot(x, w),
}
#: function, what is said of the shape, the shape that the original finds, None if it does not.
CASES = (
    ("concatenate", (4, -1), (4, 3)),
    ("concatenate", (-1, 3), None),
    ("concatenate along the last", (-1, 4), (2, 4)),
    ("vstack", (4, -1), (4, 3)),
    ("vstack", (-1,), (3,)),
    ("vstack", (-1, 4), None),
    ("column_stack", (-1, 4), (2, 4)),
    ("column_stack", (3, -1), None),
    ("dot", (-1, 4), (3, 4)),
    ("dot", (3, -1), None),
    ("dot with the transpose", (4, -1), (4, 3)),
    ("dot with the transpose", (-1,), (3,)),
    ("dot with moved axes", (4, -1), (4, 3)),
    ("vdot", (3, -1), (3, 2)),
    ("vdot", (-1,), (6,)),
    ("vdot", (-1, -1), None),
)


@pytest.fixture(autouse=True)
def numpy_semantics():
    npx.set_np()
    yield
    npx.reset_np()


class _WithWeight(gluon.HybridBlock):
    def __init__(self, function, shape):
        super().__init__()
        self._function = function
        self.weight = self.params.get("weight", shape=shape, init=mx.init.One(), allow_deferred_init=True)

    def hybrid_forward(self, F, x, weight):
        return self._function(F, x, weight)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize(("function", "said", "found"), CASES)
def test_shapes_of_parameters_are_told_by_the_input(function, said, found, hybridize):
    net = _WithWeight(FUNCTIONS[function], said)
    net.initialize()
    if hybridize:
        net.hybridize()
    if found is None:
        with pytest.raises(ValueError, match=r"(?i)shape|dimension|size"):
            net(np.ones(X))
    else:
        net(np.ones(X))
        assert net.weight.shape == found


class _Constant(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.np.random.uniform(size=(2, 3))


@pytest.mark.filterwarnings("ignore:The 0-th input to HybridBlock")
@pytest.mark.parametrize("hybridize", [False, True])
def test_a_graph_without_inputs_gives_arrays_of_mx_np(hybridize):
    net = _Constant()
    if hybridize:
        net.hybridize()
    result = net(np.ones(2))
    assert type(result) is np.ndarray and result.shape == (2, 3)
