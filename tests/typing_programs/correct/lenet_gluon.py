"""LeNet in Gluon on several contexts, hybridized, with metrics and a learning rate schedule."""

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn
from mxnet.gluon.data.vision import datasets, transforms

ctx = [mx.gpu(i) for i in range(mx.context.num_gpus())] or [mx.cpu()]

net = nn.HybridSequential(prefix="lenet_")
with net.name_scope():
    net.add(nn.Conv2D(channels=6, kernel_size=5, padding=2, activation="sigmoid"))
    net.add(nn.AvgPool2D(pool_size=2, strides=2))
    net.add(
        nn.Conv2D(16, (5, 5), activation="sigmoid", weight_initializer=mx.init.Xavier()),
        nn.BatchNorm(axis=1, momentum=0.9),
        nn.MaxPool2D(2, 2),
        nn.Flatten(),
        nn.Dense(120, activation="relu", in_units=0),
        nn.Dropout(0.5),
        nn.Dense(10),
    )
net.initialize(init=init.Xavier(), ctx=ctx, force_reinit=True)
net.hybridize(static_alloc=True, static_shape=True)
net.summary(nd.ones((1, 1, 28, 28)))

batch_size = 64
transform = transforms.Compose([transforms.Resize(28), transforms.ToTensor(), transforms.Normalize(0.13, 0.31)])
train = datasets.FashionMNIST(train=True).transform_first(transform)
train_data = gluon.data.DataLoader(train, batch_size=batch_size, shuffle=True, num_workers=4, last_batch="discard")

schedule = mx.lr_scheduler.FactorScheduler(step=500, factor=0.9, base_lr=0.1)
trainer = gluon.Trainer(
    net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9, "lr_scheduler": schedule}, kvstore="device"
)
softmax_loss = gluon.loss.SoftmaxCrossEntropyLoss()
metric = mx.metric.Accuracy()

for epoch in range(2):
    metric.reset()
    for i, (data, label) in enumerate(train_data):
        data_list = gluon.utils.split_and_load(data, ctx)
        label_list = gluon.utils.split_and_load(label, ctx)
        with autograd.record():
            outputs = [net(X) for X in data_list]
            losses = [softmax_loss(out, y) for out, y in zip(outputs, label_list)]
        for loss in losses:
            loss.backward()
        trainer.step(batch_size)
        metric.update(label_list, outputs)
    name, acc = metric.get()
    print(f"[epoch {epoch}] {name}={acc} lr={trainer.learning_rate}")
    trainer.set_learning_rate(trainer.learning_rate * 0.9)

net.save_parameters("lenet.params")
net.load_parameters("lenet.params", ctx=mx.cpu())
print(net[0].weight.data().shape, net[0].weight.grad().norm().asscalar(), len(net))
for key, param in net.collect_params(".*weight").items():
    print(key, param.shape, param.list_ctx())
net.collect_params().reset_ctx(mx.cpu())
net.collect_params().setattr("grad_req", "null")
vgg = gluon.model_zoo.vision.vgg11(pretrained=False, classes=10)
resnet = gluon.model_zoo.vision.get_model("resnet18_v1", pretrained=False)
vgg.initialize()
