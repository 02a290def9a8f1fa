"""A CustomOp, an autograd.Function, and higher derivatives."""

import numpy as np

import mxnet as mx
from mxnet import autograd, nd


class Softmax(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].asnumpy()
        y = np.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
        self.assign(out_data[0], req[0], mx.nd.array(y))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        label = in_data[1].asnumpy().ravel().astype(np.int32)
        y = out_data[0].asnumpy()
        y[np.arange(label.shape[0]), label] -= 1.0
        self.assign(in_grad[0], req[0], mx.nd.array(y))


@mx.operator.register("my_softmax")
class SoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(SoftmaxProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, in_shape):
        return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Softmax()


class Sigmoid(autograd.Function):
    def forward(self, x):
        y = 1 / (1 + nd.exp(-x))
        self.save_for_backward(y)
        return y

    def backward(self, dy):
        (y,) = self.saved_tensors
        return dy * y * (1 - y)


data, label = nd.random.uniform(shape=(4, 3)), nd.array([0, 1, 2, 0])
data.attach_grad()
with autograd.record():
    out = nd.Custom(data, label, op_type="my_softmax")
    z = Sigmoid()(data)
    both = out.sum() + z.sum()
autograd.backward([both])
print(data.grad, out.asnumpy())

net = mx.sym.Custom(data=mx.sym.Variable("data"), label=mx.sym.Variable("l"), name="softmax", op_type="my_softmax")
print(net.list_arguments())
x = nd.array([1.0, 2.0])
x.attach_grad(grad_req="add")
with autograd.record(train_mode=False):
    y = x**3
    (dx,) = autograd.grad(y, [x], create_graph=True, retain_graph=True)
dx.backward(nd.ones_like(dx))
with autograd.pause(), autograd.predict_mode():
    print(autograd.is_recording(), autograd.is_training(), nd.Dropout(x, p=0.5), nd.BlockGrad(y), x.grad)
print(mx.nd.contrib.box_iou(nd.ones((1, 4)), nd.ones((1, 4))), mx.nd.linalg.gemm2(nd.ones((2, 2)), nd.ones((2, 2))))
outs, states = mx.nd.contrib.foreach(lambda d, s: (d + s, d + s), nd.ones((3, 2)), nd.zeros((2,)))
anchors = mx.contrib.nd.MultiBoxPrior(nd.ones((1, 3, 8, 8)), sizes=[0.75, 0.5], ratios=[1, 2, 0.5])
print(nd.sparse.csr_matrix(nd.ones((2, 2))).tostype("default"), nd.random.shuffle(x), nd.random.multinomial(x / 3))
csr = nd.array([[0, 1], [2, 0]]).tostype("csr")
print(
    csr.indices, csr.indptr, csr.data, nd.sparse.dot(csr, nd.ones((2, 1))), nd.zeros((2, 2), stype="row_sparse").indices
)
