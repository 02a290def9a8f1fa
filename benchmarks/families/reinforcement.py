"""Small networks asked one state at a time, and trained on small batches."""

from . import Network, image, sized, uniform


def atari(mx):
    """DQN's network for four frames of 84x84."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    for width, kernel, stride in ((32, 8, 4), (64, 4, 2), (64, 3, 1)):
        net.add(nn.Conv2D(sized(width, 4), kernel, stride, activation="relu"))
    net.add(nn.Dense(sized(512, 8), activation="relu"), nn.Dense(6))
    return net


def dueling(mx):
    """State values and advantages apart."""
    nn = mx.gluon.nn

    class Dueling(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.base, self.value, self.advantage = (nn.HybridSequential() for _ in range(3))
                self.base.add(nn.Dense(128, activation="relu"), nn.Dense(128, activation="relu"))
                self.value.add(nn.Dense(64, activation="relu"), nn.Dense(1))
                self.advantage.add(nn.Dense(64, activation="relu"), nn.Dense(4))

        def hybrid_forward(self, F, x):
            x = self.base(x)
            advantage = self.advantage(x)
            centered = F.broadcast_sub(advantage, F.mean(advantage, axis=1, keepdims=True))
            return F.broadcast_add(centered, self.value(x))

    return Dueling()


def actor_critic(mx):
    """The example's: shared layer, a policy and a value."""
    nn = mx.gluon.nn

    class ActorCritic(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.dense = nn.Dense(128, activation="relu")
                self.action, self.value = nn.Dense(2), nn.Dense(1)

        def hybrid_forward(self, F, x):
            x = self.dense(x)
            return F.concat(F.softmax(self.action(x)), self.value(x), dim=1)

    return ActorCritic()


def gaussian(mx):
    """A policy of continuous actions, with tanh and a bounded deviation; returns means and deviations."""
    nn = mx.gluon.nn

    class Policy(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.base = nn.HybridSequential()
                self.base.add(nn.Dense(64, activation="tanh"), nn.Dense(64, activation="tanh"))
                self.mean, self.deviation = nn.Dense(6), nn.Dense(6)

        def hybrid_forward(self, F, x):
            x = self.base(x)
            return F.concat(F.tanh(self.mean(x)), F.exp(F.clip(self.deviation(x), -5, 2)), dim=1)

    return Policy()


ACT = "predict/hybrid/1 predict/eager/1"
NETWORKS = {
    "atari": Network(atari, (image(4, 84),), ACT + " train/hybrid/8 train/eager/64", loss="l2"),
    "dueling": Network(dueling, (uniform(8),), ACT + " train/hybrid/64", loss="l2"),
    "actor_critic": Network(actor_critic, (uniform(4),), ACT + " predict/module/1 train/eager/1", loss="l2"),
    "gaussian": Network(gaussian, (uniform(17),), ACT + " train/hybrid/64", loss="l2"),
}
