"""One training step of a 784-256-10 perceptron written with plain arrays and autograd, batch 256."""

BATCH, RATE = 256, 0.01


def mxnet_step(mx):
    nd, autograd = mx.nd, mx.autograd
    x = nd.random.uniform(shape=(BATCH, 784))
    y = nd.floor(nd.random.uniform(0, 10, shape=(BATCH,)))
    params = [
        nd.random.normal(scale=0.05, shape=(784, 256)),
        nd.zeros((256,)),
        nd.random.normal(scale=0.05, shape=(256, 10)),
        nd.zeros((10,)),
    ]
    for param in params:
        param.attach_grad()
    w1, b1, w2, b2 = params

    def step():
        with autograd.record():
            scores = nd.dot(nd.relu(nd.dot(x, w1) + b1), w2) + b2
            loss = -nd.pick(nd.log_softmax(scores), y)
        loss.backward()
        for param in params:
            param[:] = param - RATE * param.grad / BATCH
        params[0].wait_to_read()
        params[3].wait_to_read()

    return step


def torch_step(torch):
    x, y = torch.rand(BATCH, 784), torch.randint(0, 10, (BATCH, 1))
    params = [torch.randn(784, 256) * 0.05, torch.zeros(256), torch.randn(256, 10) * 0.05, torch.zeros(10)]
    for param in params:
        param.requires_grad_()
    w1, b1, w2, b2 = params

    def step():
        scores = torch.mm(torch.relu(torch.mm(x, w1) + b1), w2) + b2
        loss = -torch.log_softmax(scores, -1).gather(1, y)
        loss.sum().backward()
        with torch.no_grad():
            for param in params:
                param -= RATE * param.grad / BATCH
                param.grad.zero_()

    return step
