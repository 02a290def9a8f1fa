"""One training step of LeNet through Module (forward, backward, SGD with momentum, accuracy), batch 256."""

from . import sized

BATCH = sized(256, 4)


def symbol(mx):
    sym = mx.sym
    x = sym.var("data")
    for filters in (20, 50):
        x = sym.Activation(sym.Convolution(x, num_filter=filters, kernel=(5, 5)), act_type="tanh")
        x = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")
    x = sym.Activation(sym.FullyConnected(sym.Flatten(x), num_hidden=500), act_type="tanh")
    return sym.SoftmaxOutput(sym.FullyConnected(x, num_hidden=10), name="softmax")


def mxnet_step(mx):
    module = mx.mod.Module(symbol(mx), context=mx.cpu())
    module.bind([("data", (BATCH, 1, 28, 28))], [("softmax_label", (BATCH,))])
    module.init_params(mx.init.Xavier())
    module.init_optimizer(optimizer_params={"learning_rate": 0.01, "momentum": 0.9})
    images = mx.nd.random.uniform(shape=(BATCH, 1, 28, 28))
    labels = mx.nd.floor(mx.nd.random.uniform(0, 10, shape=(BATCH,)))
    batch = mx.io.DataBatch([images], [labels])
    accuracy = mx.metric.Accuracy()

    def step():
        module.forward_backward(batch)
        module.update()
        module.update_metric(accuracy, batch.label)
        mx.nd.waitall()

    return step


def torch_step(torch):
    nn = torch.nn
    network = nn.Sequential(
        *[nn.Conv2d(1, 20, 5), nn.Tanh(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.Tanh(), nn.MaxPool2d(2)],
        *[nn.Flatten(), nn.Linear(800, 500), nn.Tanh(), nn.Linear(500, 10)],
    ).to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
    images, labels = torch.rand(BATCH, 1, 28, 28), torch.randint(0, 10, (BATCH,))

    def step():
        optimizer.zero_grad()
        scores = network(images)
        nn.functional.cross_entropy(scores, labels).backward()
        optimizer.step()
        (scores.argmax(1) == labels).sum().item()

    return step
