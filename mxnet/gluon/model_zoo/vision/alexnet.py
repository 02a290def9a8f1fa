"""AlexNet (Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014)."""

from __future__ import annotations

from typing import Any

from ... import nn
from ._common import Network, loads, with_weights

__all__ = ["AlexNet", "alexnet"]


class AlexNet(Network):
    """Five convolutions and three dense layers. ``classes`` is the number of outputs."""

    def __init__(self, classes: int = 1000, **kwargs: Any):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix="")
            with self.features.name_scope():
                self.features.add(
                    nn.Conv2D(64, kernel_size=11, strides=4, padding=2, activation="relu"),
                    nn.MaxPool2D(pool_size=3, strides=2),
                    nn.Conv2D(192, kernel_size=5, padding=2, activation="relu"),
                    nn.MaxPool2D(pool_size=3, strides=2),
                    nn.Conv2D(384, kernel_size=3, padding=1, activation="relu"),
                    nn.Conv2D(256, kernel_size=3, padding=1, activation="relu"),
                    nn.Conv2D(256, kernel_size=3, padding=1, activation="relu"),
                    nn.MaxPool2D(pool_size=3, strides=2),
                    nn.Flatten(),
                    nn.Dense(4096, activation="relu"),
                    nn.Dropout(0.5),
                    nn.Dense(4096, activation="relu"),
                    nn.Dropout(0.5),
                )
            self.output = nn.Dense(classes)


@loads
def alexnet(pretrained: bool, **given: Any) -> AlexNet:
    """AlexNet; ``pretrained`` loads its weights from the directory ``root``, or downloads them to it, into ``ctx``."""
    return with_weights(AlexNet, "alexnet", pretrained, **given)
