"""Each line marked ``# error`` is a mistake that a type checker finds."""

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn

x = nd.ones((2, 3, 8, 8))
data = mx.sym.Variable("data")
nd.Convolution(x, x, x, kernal=(3, 3), num_filter=3)  # error: the attribute is kernel
nd.FullyConnected(x, x, x, num_hidden="ten")  # error: a number
nd.FullyConnected(x, x, x, num_hidden=2.5)  # error: a whole number
mx.sym.FullyConnected(data, num_hiden=10)  # error: num_hidden
mx.sym.FullyConnected(data, num_hidden=[10])  # error: a number
mx.sym.Pooling(data, kernel="big")  # error: a tuple
nd.Activation(x, act_typ="relu")  # error: act_type
nd.Activation([1, 2], act_type="relu")  # error: an array
nd.Convolutoin(x, kernel=(3, 3))  # error: Convolution
mx.sym.SoftmaxOut(data)  # error: SoftmaxOutput
x.summ(axis=1)  # error: sum
x.sum(axes=1)  # error: axis
x.mean(axis="rows")  # error: a number
nn.Conv2D(3, kernel_size=3, stride=2)  # error: strides
nn.Dense(10, actvation="relu")  # error: activation
nn.Dense("ten")  # error: a number
gluon.rnn.LSTM(10, dropuot=0.5)  # error: dropout
gluon.nn.Densse(10)  # error: Dense
mx.np.ones((2, 3)).sum(axes=1)  # error: axis
mx.np.arrange(3)  # error: arange
mx.np.sum([1, 2, 3])  # error: an array
mx.optimizer.Adam(beta3=0.9)  # error: beta1 or beta2
mx.cpuu()  # error: cpu
mx.nd.random.normall(0, 1)  # error: normal
mx.nd.contrib.box_nmss(x)  # error: box_nms
mx.mod.Module(data).bind(data_shape=[("data", (1, 2))])  # error: data_shapes
