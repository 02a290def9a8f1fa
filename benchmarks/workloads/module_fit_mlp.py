"""One epoch of Module.fit: the MLP 784-128-64-10 on 60 000 pictures of MNIST's size, batch 100, SGD and accuracy."""

import logging

import numpy as np

BATCH = 100


def data():
    random = np.random.RandomState(0)
    images = random.rand(60000, 784).astype(np.float32)
    return images, random.randint(0, 10, 60000).astype(np.float32)


def symbol(mx):
    sym = mx.sym
    x = sym.var("data")
    for i, hidden in enumerate((128, 64), 1):
        x = sym.FullyConnected(x, num_hidden=hidden, name=f"fc{i}")
        x = sym.Activation(x, act_type="relu", name=f"relu{i}")
    return sym.SoftmaxOutput(sym.FullyConnected(x, num_hidden=10, name="fc3"), name="softmax")


def mxnet_step(mx):
    logging.getLogger().setLevel(logging.WARNING)
    images, labels = data()
    batches = mx.io.NDArrayIter(images, labels, BATCH, shuffle=True)
    module = mx.mod.Module(symbol(mx), context=mx.cpu())
    speed = mx.callback.Speedometer(BATCH, 200)

    def step():
        batches.reset()
        module.fit(batches, num_epoch=1, optimizer_params={"learning_rate": 0.1}, batch_end_callback=speed)
        mx.nd.waitall()

    return step


def torch_step(torch):
    nn = torch.nn
    network = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    images, labels = map(torch.from_numpy, data())
    labels = labels.long()

    def step():
        order = torch.randperm(len(images))
        right = 0
        for start in range(0, len(images), BATCH):
            chosen = order[start : start + BATCH]
            x, y = images[chosen], labels[chosen]
            optimizer.zero_grad()
            scores = network(x)
            nn.functional.cross_entropy(scores, y).backward()
            optimizer.step()
            right += (scores.argmax(1) == y).sum()
        return right.item()

    return step
