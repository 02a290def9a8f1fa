"""Custom: operators written in Python, eagerly, in graphs and in files."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, nd


class Scaled(mx.operator.CustomOp):
    """y = scale * x**2, counting its forward passes in an auxiliary state."""

    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, is_train, req, in_data, out_data, aux):
        assert not autograd.is_recording()
        assert autograd.is_training() == bool(is_train)
        self.assign(out_data[0], req[0], self.scale * in_data[0] * in_data[0])
        aux[0][:] += 1

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * 2 * self.scale * in_data[0])


@mx.operator.register("test_scaled")
class ScaledProp(mx.operator.CustomOpProp):
    """Tells about Scaled."""

    def __init__(self, scale="1"):
        super().__init__(need_top_grad=True)
        self.scale = float(scale)

    def list_arguments(self):
        return ["data"]

    def list_outputs(self):
        return ["squared"]

    def list_auxiliary_states(self):
        return ["count"]

    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0]], [(1,)]

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Scaled(self.scale)


@mx.operator.register("test_two")
class TwoProp(mx.operator.CustomOpProp):
    """Two inputs and two outputs: their sum and their difference."""

    def list_arguments(self):
        return ["a", "b"]

    def list_outputs(self):
        return ["sum", "difference"]

    def create_operator(self, ctx, in_shapes, in_dtypes):
        class Two(mx.operator.CustomOp):
            def forward(self, is_train, req, in_data, out_data, aux):
                self.assign(out_data[0], req[0], in_data[0] + in_data[1])
                self.assign(out_data[1], req[1], in_data[0] - in_data[1])

            def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
                self.assign(in_grad[0], req[0], out_grad[0] + out_grad[1])
                self.assign(in_grad[1], req[1], out_grad[0] - out_grad[1])

        return Two()


def test_eager():
    x, count = nd.array([[1.0, 2.0]]), nd.zeros((1,))
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, count, op_type="test_scaled", scale=3)
    y.backward(nd.array([[1.0, 10.0]]))
    np.testing.assert_array_equal(y.asnumpy(), [[3, 12]])
    np.testing.assert_array_equal(x.grad.asnumpy(), [[6, 120]])
    assert count.asscalar() == 1


def test_several_outputs_and_inputs_by_name():
    a, b = nd.array([3.0]), nd.array([2.0])
    total, difference = nd.Custom(b=b, a=a, op_type="test_two")
    assert (total.asscalar(), difference.asscalar()) == (5, 1)


def test_symbol():
    symbol = mx.sym.Custom(mx.sym.var("data"), op_type="test_scaled", scale=2, name="s")
    assert symbol.list_arguments() == ["data"]
    assert symbol.list_auxiliary_states() == ["s_count"]
    assert symbol.list_outputs() == ["s_squared"]
    assert symbol.infer_shape(data=(2, 3)) == ([(2, 3)], [(2, 3)], [(1,)])
    for again in (symbol, mx.sym.load_json(symbol.tojson())):
        executor = again.simple_bind(mx.cpu(), data=(1, 2))
        executor.arg_dict["data"][:] = nd.array([[1, 2]])
        np.testing.assert_array_equal(executor.forward(is_train=True)[0].asnumpy(), [[2, 8]])
        executor.backward(nd.ones((1, 2)))
        np.testing.assert_array_equal(executor.grad_dict["data"].asnumpy(), [[4, 8]])
        assert executor.aux_dict["s_count"].asscalar() == 1


def test_two_outputs_in_a_graph():
    symbol = mx.sym.Custom(mx.sym.var("x"), mx.sym.var("x2"), op_type="test_two", name="t")
    assert symbol.list_outputs() == ["t_sum", "t_difference"]
    outputs = (symbol[0] * symbol[1]).eval(ctx=mx.cpu(), x=nd.array([3.0]), x2=nd.array([2.0]))
    assert outputs[0].asscalar() == 5


def test_errors():
    x = nd.ones((2,))
    with pytest.raises(mx.MXNetError, match=r"cannot find custom operator 'nope'.*mx\.operator\.register"):
        nd.Custom(x, op_type="nope")
    with pytest.raises(mx.MXNetError, match="op_type"):
        nd.Custom(x)
    with pytest.raises(mx.MXNetError, match=r"ScaledProp.*foo"):
        nd.Custom(x, nd.ones((1,)), op_type="test_scaled", foo=1)
    with pytest.raises(mx.MXNetError, match="subclass of CustomOpProp"):
        mx.operator.register("bad")(Scaled)


@pytest.mark.parametrize("kind", [ValueError, TypeError, KeyError, AssertionError, Exception])
@pytest.mark.parametrize("where", ["forward", "backward"])
def test_an_error_of_the_users_names_the_operator(where, kind):
    @mx.operator.register("test_broken")
    class BrokenProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):
            class Broken(mx.operator.CustomOp):
                def forward(self, is_train, req, in_data, out_data, aux):
                    if where == "forward":
                        raise kind("my own mistake")
                    self.assign(out_data[0], req[0], in_data[0])

                def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
                    raise kind("my own mistake")

            return Broken()

    x = nd.ones((2,))
    x.attach_grad()
    with pytest.raises(mx.MXNetError, match=rf"{where} of custom operator 'test_broken'.*my own mistake") as caught:
        with mx.autograd.record():
            y = nd.Custom(x, op_type="test_broken")
        y.backward()
    cause = caught.value
    while cause.__cause__ is not None:
        cause = cause.__cause__
    assert type(cause) is kind
    bound = mx.sym.Custom(mx.sym.var("x"), op_type="test_broken").bind(mx.cpu(), {"x": x}, {"x": nd.zeros((2,))})
    with pytest.raises(mx.MXNetError, match="my own mistake"):
        bound.forward(is_train=True)
        bound.backward(nd.ones((2,)))


def test_arguments_of_operators_can_be_listed():
    arguments = mx.operator.get_operator_arguments("FullyConnected")
    assert arguments.names == ["data", "weight", "bias", "num_hidden", "no_bias", "flatten"]
    assert arguments.narg == 6
    assert arguments.types[3:] == ["int, required", "boolean, optional, default=0", "boolean, optional, default=1"]
    types = dict(zip(*mx.operator.get_operator_arguments("Pooling")[1:], strict=True))
    assert types["stride"] == "Shape(tuple), optional, default=[]"
    assert types["pool_type"] == "{'avg', 'lp', 'max', 'sum'},optional, default='max'"
    assert types["p_value"] == "int or None, optional, default='None'"
    assert types["layout"] == "{None, 'NCDHW', 'NCHW', 'NCW', 'NDHWC', 'NHWC', 'NWC'},optional, default='None'"
    types = dict(zip(*mx.operator.get_operator_arguments("LeakyReLU")[1:], strict=True))
    assert types["upper_bound"] == "float, optional, default=0.333999991"
    assert mx.operator.get_operator_arguments("stack").types[0] == "NDArray-or-Symbol[]"
    assert "Custom" in mx.operator.get_all_registered_operators()


class LegacyMixin:
    """y = x**2 in the style of the first releases."""

    def forward(self, in_data, out_data):
        out_data[0][:] = in_data[0] * in_data[0]

    def backward(self, out_grad, in_data, out_data, in_grad):
        in_grad[0][:] = 2 * in_data[0] * out_grad[0]


@pytest.mark.parametrize("base", [mx.operator.NumpyOp, mx.operator.NDArrayOp])
def test_operators_of_the_first_releases(base):
    square = type("Square", (LegacyMixin, base), {})()
    symbol = square(data=mx.sym.var("x"), name="square")
    assert symbol.list_arguments() == ["x"]
    assert symbol.list_outputs() == ["square_output"]
    executor = symbol.simple_bind(mx.cpu(), x=(2,))
    executor.arg_dict["x"][:] = nd.array([2, 3])
    assert executor.forward(is_train=True)[0].asnumpy().tolist() == [4, 9]
    executor.backward(nd.array([1, 10]))
    assert executor.grad_dict["x"].asnumpy().tolist() == [4, 60]
