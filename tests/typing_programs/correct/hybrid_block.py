"""Blocks of one's own: hybrid_forward with parameters, a loss, an initializer, a plain Block with control flow."""

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn


class Residual(nn.HybridBlock):
    def __init__(self, num_channels, use_1x1conv=False, strides=1, act="relu", **kwargs):
        super().__init__(**kwargs)
        self.act = act
        with self.name_scope():
            self.conv1 = nn.Conv2D(num_channels, kernel_size=3, padding=1, strides=strides)
            self.conv2 = nn.Conv2D(num_channels, kernel_size=3, padding=1)
            self.bn1 = nn.BatchNorm()
            self.conv3 = nn.Conv2D(num_channels, kernel_size=1, strides=strides) if use_1x1conv else None

    def hybrid_forward(self, F, X):
        Y = F.Activation(self.bn1(self.conv1(X)), act_type=self.act)
        Y = self.conv2(Y)
        if self.conv3:
            X = self.conv3(X)
        return F.relu(Y + X)


class Attention(gluon.HybridBlock):
    def __init__(self, units, in_units=0, dropout=0.0, prefix=None, params=None):
        super(Attention, self).__init__(prefix=prefix, params=params)
        self._units = units
        with self.name_scope():
            self.weight = self.params.get("weight", shape=(units, in_units), allow_deferred_init=True)
            self.scale = self.params.get_constant("scale", nd.ones((1,)))
            self.dropout = nn.Dropout(dropout)

    def hybrid_forward(self, F, query, key, weight=None, scale=None):
        score = F.batch_dot(
            F.FullyConnected(query, weight, num_hidden=self._units, no_bias=True), key, transpose_b=True
        )
        return self.dropout(F.softmax(F.broadcast_mul(score, scale), axis=-1))


class Fancy(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.rand_weight = self.params.get_constant("rand_weight", nd.random.uniform(shape=(20, 20)))
        self.dense = nn.Dense(20, activation="relu")

    def forward(self, x):
        x = self.dense(x)
        x = nd.relu(nd.dot(x, self.rand_weight.data()) + 1)
        while x.norm().asscalar() > 1:
            x /= 2
        if x.norm().asscalar() < 0.8:
            x *= 10
        return x.sum()


class MyInit(mx.init.Initializer):
    def _init_weight(self, name, data):
        data[:] = nd.random.uniform(low=-10, high=10, shape=data.shape)
        data *= data.abs() >= 5


class Huber(gluon.loss.Loss):
    def __init__(self, rho=1.0, weight=None, batch_axis=0, **kwargs):
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    def hybrid_forward(self, F, pred, label, sample_weight=None):
        error = F.abs(label - pred)
        return F.mean(F.where(error > self._rho, error, F.square(error)), axis=self._batch_axis, exclude=True)


net = nn.HybridSequential()
net.add(Residual(64), Residual(128, use_1x1conv=True, strides=2), nn.GlobalAvgPool2D(), nn.Dense(10))
net.initialize(MyInit())
net.hybridize()
X = nd.random.uniform(shape=(4, 3, 6, 6))
print(net(X).shape, Fancy()(nd.ones((2, 20))), Huber()(nd.ones((2, 3)), nd.zeros((2, 3))).mean().asscalar())
net.apply(lambda block: print(block.name))
lambdas = nn.HybridLambda(lambda F, x: F.LeakyReLU(x, act_type="gelu"))
attention = Attention(8, dropout=0.1)
attention.initialize(ctx=mx.cpu())
print(attention.weight.shape, attention.collect_params())
net.cast("float16")
