"""A perceptron with dropout, a metric, decaying rates and transforms."""

import mxnet as mx
from mxnet import autograd, gluon, init
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms

to_tensor = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.13, 0.31)])
train = gluon.data.vision.MNIST(train=True).transform_first(to_tensor)
test = gluon.data.vision.MNIST(train=False).transform_first(to_tensor)
train_data = gluon.data.DataLoader(train, batch_size=50, shuffle=True, last_batch="discard")
test_data = gluon.data.DataLoader(test, batch_size=100)
ctx = [mx.cpu()]
net = nn.HybridSequential()
with net.name_scope():
    net.add(nn.Flatten())
    net.add(nn.Dense(128, activation="relu"))
    net.add(nn.Dropout(0.2))
    net.add(nn.Dense(64, activation="relu"), nn.Dropout(0.5), nn.Dense(10))
net.initialize(init.Xavier(magnitude=2.24), ctx=ctx)
net.hybridize()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 2e-3})
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
metric = mx.metric.Accuracy()
for epoch in range(4):
    metric.reset()
    for data, label in train_data:
        datas = gluon.utils.split_and_load(data, ctx)
        labels = gluon.utils.split_and_load(label, ctx)
        with autograd.record():
            outputs = [net(x) for x in datas]
            losses = [loss_fn(output, y) for output, y in zip(outputs, labels)]
        for loss in losses:
            loss.backward()
        trainer.step(data.shape[0])
        metric.update(labels, outputs)
    trainer.set_learning_rate(trainer.learning_rate * 0.8)
metric = mx.metric.Accuracy()
for data, label in test_data:
    metric.update([label], [net(data)])
name, value = metric.get()
print("result", value)
