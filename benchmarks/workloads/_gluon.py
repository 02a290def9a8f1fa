"""What the Gluon workloads share: whole training steps and predictions, on either MXNet and on torch."""

RATE, MOMENTUM = 0.01, 0.9


def train(mx, network, loss, data, label, hybridize=True, batch_axis=0):
    """A step: forward, loss, backward, an update by SGD with momentum."""
    gluon, autograd = mx.gluon, mx.autograd
    network.initialize(mx.init.Xavier())
    if hybridize:
        network.hybridize(static_alloc=True, static_shape=True)
        loss.hybridize(static_alloc=True, static_shape=True)
    trainer = gluon.Trainer(network.collect_params(), "sgd", {"learning_rate": RATE, "momentum": MOMENTUM})
    size = data.shape[batch_axis]

    def step():
        with autograd.record():
            value = loss(network(data), label)
        value.backward()
        trainer.step(size)
        mx.nd.waitall()

    return step


def classify(mx, network, shape, classes, hybridize=True):
    """A training step of a network that tells classes apart."""
    data = mx.nd.random.uniform(shape=shape)
    label = mx.nd.floor(mx.nd.random.uniform(0, classes, shape=(shape[0],)))
    return train(mx, network, mx.gluon.loss.SoftmaxCrossEntropyLoss(), data, label, hybridize)


def predict(mx, network, shape):
    """A prediction of a hybridized network."""
    network.initialize(mx.init.Xavier())
    network.hybridize(static_alloc=True, static_shape=True)
    data = mx.nd.random.uniform(shape=shape)

    def step():
        network(data).wait_to_read()

    return step


def torch_train(torch, network, loss, data, label):
    """As ``train``, in the layout that the data comes in."""
    optimizer = torch.optim.SGD(network.train().parameters(), lr=RATE, momentum=MOMENTUM)

    def step():
        optimizer.zero_grad()
        loss(network(data), label).backward()
        optimizer.step()

    return step


def torch_classify(torch, network, shape, classes):
    """As ``classify``; images are channels_last, the better layout of all these networks."""
    data, label = torch.rand(shape), torch.randint(0, classes, (shape[0],))
    if len(shape) == 4:
        network = network.to(memory_format=torch.channels_last)
        data = data.contiguous(memory_format=torch.channels_last)
    return torch_train(torch, network, torch.nn.functional.cross_entropy, data, label)


def torch_predict(torch, network, shape):
    """As ``predict``, channels_last."""
    network = network.eval().to(memory_format=torch.channels_last)
    data = torch.rand(shape).contiguous(memory_format=torch.channels_last)

    def step():
        with torch.inference_mode():
            network(data)

    return step
