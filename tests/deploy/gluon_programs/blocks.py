"""Blocks with short cuts, branches and joins, and batch normalization of images and of vectors."""

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


class Residual(nn.Block):
    def __init__(self, channels, same_shape=True, **kwargs):
        super().__init__(**kwargs)
        self.same_shape = same_shape
        strides = 1 if same_shape else 2
        with self.name_scope():
            self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1, strides=strides)
            self.bn1 = nn.BatchNorm()
            self.conv2 = nn.Conv2D(channels, kernel_size=3, padding=1)
            self.bn2 = nn.BatchNorm()
            if not same_shape:
                self.conv3 = nn.Conv2D(channels, kernel_size=1, strides=strides)

    def forward(self, x):
        out = nd.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if not self.same_shape:
            x = self.conv3(x)
        return nd.relu(out + x)


class Branches(gluon.HybridBlock):
    def __init__(self, first, second, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.p1 = nn.Conv2D(first, kernel_size=1, activation="relu")
            self.p2 = nn.Conv2D(second, kernel_size=3, padding=1, activation="relu")
            self.p3 = nn.MaxPool2D(pool_size=3, padding=1, strides=1)

    def hybrid_forward(self, F, x):
        return F.concat(self.p1(x), self.p2(x), self.p3(x), dim=1)


def dense_part(units):
    out = nn.Sequential()
    out.add(nn.Flatten(), nn.Dense(units), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(10))
    return out


mx.random.seed(1)
arrays = mx.test_utils.get_mnist()
images, labels = arrays["train_data"][:1500], arrays["train_label"][:1500].astype("float32")
net = nn.Sequential()
with net.name_scope():
    net.add(nn.Conv2D(8, kernel_size=5, strides=2), nn.BatchNorm(axis=1), nn.Activation(activation="relu"))
    net.add(Residual(8), Branches(6, 8), Residual(16, same_shape=False), nn.GlobalAvgPool2D(), dense_part(32))
net.initialize(init=mx.init.Xavier())
softmax_loss = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.03, "momentum": 0.9, "wd": 1e-4})
data = gluon.data.DataLoader(gluon.data.ArrayDataset(images, labels), 50, shuffle=True)
for epoch in range(6):
    for x, y in data:
        with autograd.record():
            loss = softmax_loss(net(x), y)
        loss.backward()
        trainer.step(x.shape[0])
test = nd.array(arrays["test_data"][:500])
right = net(test).argmax(axis=1).asnumpy() == arrays["test_label"][:500]
print("result", np.mean(right))
