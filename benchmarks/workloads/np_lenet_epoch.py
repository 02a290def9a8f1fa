"""An epoch of the book's LeNet in the manner of mx.np, 2048 images."""

from . import _book

SHAPE = (1, 28, 28)


def mxnet_step(mx):
    def layers(nn):
        return [
            nn.Conv2D(channels=6, kernel_size=5, padding=2, activation="sigmoid"),
            nn.AvgPool2D(pool_size=2, strides=2),
            nn.Conv2D(channels=16, kernel_size=5, activation="sigmoid"),
            nn.AvgPool2D(pool_size=2, strides=2),
            nn.Dense(120, activation="sigmoid"),
            nn.Dense(84, activation="sigmoid"),
            nn.Dense(10),
        ]

    return _book.mxnet_epoch(mx, layers, SHAPE)


def torch_step(torch):
    nn = torch.nn
    network = nn.Sequential(
        *[nn.Conv2d(1, 6, 5, padding=2), nn.Sigmoid(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Sigmoid()],
        *[nn.AvgPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.Sigmoid(), nn.Linear(120, 84), nn.Sigmoid()],
        nn.Linear(84, 10),
    )
    return _book.torch_epoch(torch, network, SHAPE)
