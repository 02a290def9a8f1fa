"""Custom networks and layers: subclasses of nn.Block.

python examples/gluon_custom_blocks.py
"""

from mxnet import nd
from mxnet.gluon import nn


class MLP(nn.Block):
    """Two dense layers as attributes: they are registered by themselves."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.dense0 = nn.Dense(256)
            self.dense1 = nn.Dense(10)

    def forward(self, x):
        return self.dense1(nd.relu(self.dense0(x)))


class MySequential(nn.Block):
    """What nn.Sequential does, in a few lines."""

    def add(self, block):
        self._children.append(block)

    def forward(self, x):
        for block in self._children:
            x = block(x)
        return x


class FancyMLP(nn.Block):
    """Uses one layer twice, and a constant that is not learned."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.dense = nn.Dense(256)
            self.weight = nd.random_uniform(shape=(256, 20))

    def forward(self, x):
        x = nd.relu(self.dense(x))
        x = nd.relu(nd.dot(x, self.weight) + 1)
        return nd.relu(self.dense(x))


class RecMLP(nn.Block):
    """A network in a network."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.net = nn.Sequential()
        with self.name_scope():
            self.net.add(nn.Dense(256, activation="relu"))
            self.net.add(nn.Dense(128, activation="relu"))
            self.dense = nn.Dense(64)

    def forward(self, x):
        return nd.relu(self.dense(self.net(x)))


class CenteredLayer(nn.Block):
    """A layer without parameters."""

    def forward(self, x):
        return x - x.mean()


class MyDense(nn.Block):
    """A layer with parameters."""

    def __init__(self, units, in_units, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.weight = self.params.get("weight", shape=(in_units, units))
            self.bias = self.params.get("bias", shape=(units,), init="zeros")

    def forward(self, x):
        linear = nd.dot(x, self.weight.data()) + self.bias.data()
        return nd.relu(linear)


def networks():
    """Each network, with the number of inputs it takes."""
    by_hand = MySequential()
    with by_hand.name_scope():
        by_hand.add(nn.Dense(256, activation="relu"))
        by_hand.add(nn.Dense(10))
    nested = nn.Sequential()
    nested.add(RecMLP())
    nested.add(nn.Dense(10))
    centered = nn.Sequential()
    with centered.name_scope():
        centered.add(nn.Dense(128))
        centered.add(nn.Dense(10))
        centered.add(CenteredLayer())
    dense = nn.Sequential()
    with dense.name_scope():
        dense.add(MyDense(32, in_units=20))
        dense.add(MyDense(2, in_units=32))
    return {"MLP": MLP(), "by hand": by_hand, "fancy": FancyMLP(), "nested": nested, "centered": centered, "own": dense}


def main():
    """Runs each network once and returns the shapes of what they give."""
    x = nd.random.uniform(shape=(4, 20))
    shapes = {}
    for name, net in networks().items():
        net.initialize()
        y = net(x)
        shapes[name] = y.shape
        print(f"--- {name}: {x.shape} -> {y.shape}\n{net}\n{net.collect_params()}")
    print("params of a layer with a prefix of its own:", MyDense(5, in_units=10, prefix="o_my_dense_").params)
    return shapes


if __name__ == "__main__":
    main()
