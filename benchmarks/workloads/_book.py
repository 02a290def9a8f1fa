"""An epoch of training as books in the manner of mx.np write it: data loader, accuracy, trainer."""

from . import sized

COUNT, BATCH = sized(2048, 16), sized(256, 8)


def mxnet_epoch(mx, build, shape):
    """``build(nn)`` gives the layers."""
    np, gluon, autograd = mx.np, mx.gluon, mx.autograd

    def in_numpy(function):
        # only here: other workloads run in the same process
        mx.npx.set_np()
        try:
            return function()
        finally:
            mx.npx.reset_np()

    def prepare():
        network = gluon.nn.Sequential()
        network.add(*build(gluon.nn))
        network.initialize(mx.init.Xavier())
        images = np.random.uniform(size=(COUNT, *shape))
        labels = np.random.randint(0, 10, size=(COUNT,)).astype("int32")
        loader = gluon.data.DataLoader(gluon.data.ArrayDataset(images, labels), BATCH, shuffle=True)
        trainer = gluon.Trainer(network.collect_params(), "sgd", {"learning_rate": 0.1})
        return network, loader, trainer, gluon.loss.SoftmaxCrossEntropyLoss()

    network, loader, trainer, loss = in_numpy(prepare)

    def epoch():
        total = right = 0.0
        for x, y in loader:
            with autograd.record():
                guess = network(x)
                value = loss(guess, y)
            value.backward()
            trainer.step(x.shape[0])
            total += float(value.sum())
            right += float((guess.argmax(axis=1).astype("int32") == y).sum())
        return total, right

    return lambda: in_numpy(epoch)


def torch_epoch(torch, network, shape):
    """As ``mxnet_epoch``."""
    images, labels = torch.rand((COUNT, *shape)), torch.randint(0, 10, (COUNT,))
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, labels), BATCH, shuffle=True)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)

    def epoch():
        total = right = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            guess = network(x)
            value = torch.nn.functional.cross_entropy(guess, y)
            value.backward()
            optimizer.step()
            total += value.item() * len(y)
            right += float((guess.argmax(1) == y).sum())

    return epoch
