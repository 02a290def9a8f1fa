"""One training step of a sparse embedding, 1 000 000 x 64, batch 1024, lazy Adam."""

import numpy as np

from . import sized

ROWS, WIDTH, BATCH = sized(1000000, 100), sized(64, 4), sized(1024, 8)


def batches():
    rng = np.random.RandomState(0)
    return [rng.randint(0, ROWS, BATCH) for _ in range(10)]


def mxnet_step(mx):
    net = mx.gluon.nn.Embedding(ROWS, WIDTH, sparse_grad=True)
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    numbers = [mx.nd.array(batch) for batch in batches()]
    count = iter(range(1 << 40))

    def step():
        batch = numbers[next(count) % len(numbers)]
        with mx.autograd.record():
            loss = (net(batch) ** 2).sum()
        loss.backward()
        trainer.step(BATCH)
        loss.wait_to_read()
        mx.nd.waitall()

    return step


def torch_step(torch):
    net = torch.nn.Embedding(ROWS, WIDTH, sparse=True)
    optimizer = torch.optim.SparseAdam(net.parameters(), lr=0.01)
    numbers = [torch.from_numpy(batch) for batch in batches()]
    count = iter(range(1 << 40))

    def step():
        optimizer.zero_grad()
        (net(numbers[next(count) % len(numbers)]) ** 2).sum().backward()
        optimizer.step()

    return step
