"""Convolutions over one axis (texts, sound) and over three (videos)."""

from . import Network, sized, tokens, uniform

WORDS = sized(20000, 50)


def text_cnn(mx):
    """The book's TextCNN: two embeddings, convolutions of three widths, the maximum over time."""
    nn = mx.gluon.nn

    class TextCNN(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.embedding, self.constant = nn.Embedding(WORDS, 100), nn.Embedding(WORDS, 100)
                self.dropout, self.decoder = nn.Dropout(0.5), nn.Dense(2)
                self.pool, self.convs = nn.GlobalMaxPool1D(), nn.HybridSequential()
                self.convs.add(*(nn.Conv1D(100, kernel, activation="relu") for kernel in (3, 4, 5)))

        def hybrid_forward(self, F, x):
            words = F.concat(self.embedding(x), self.constant(x), dim=2)
            words = F.transpose(words, axes=(0, 2, 1))
            encoded = [F.flatten(self.pool(conv(words))) for conv in self.convs]
            return self.decoder(self.dropout(F.concat(*encoded, dim=1)))

    return TextCNN()


def wavenet(mx):
    """Causal dilated convolutions with gates, residuals and skips."""
    nn = mx.gluon.nn

    class Gated(mx.gluon.HybridBlock):
        def __init__(self, channels, dilation):
            super().__init__()
            self.dilation = dilation
            with self.name_scope():
                self.filter = nn.Conv1D(channels, 2, padding=dilation, dilation=dilation)
                self.gate = nn.Conv1D(channels, 2, padding=dilation, dilation=dilation)
                self.residual, self.skip = nn.Conv1D(channels, 1), nn.Conv1D(channels, 1)

        def hybrid_forward(self, F, x):
            z = F.tanh(self.filter(x)) * F.sigmoid(self.gate(x))
            z = F.slice_axis(z, axis=2, begin=0, end=-self.dilation)
            return x + self.residual(z), self.skip(z)

    class WaveNet(mx.gluon.HybridBlock):
        def __init__(self, channels=64):
            super().__init__()
            with self.name_scope():
                self.first, self.layers = nn.Conv1D(channels, 1), nn.HybridSequential()
                self.layers.add(*(Gated(channels, 2**power) for power in range(sized(9, 3))))
                self.last = nn.HybridSequential()
                self.last.add(nn.Activation("relu"), nn.Conv1D(channels, 1, activation="relu"), nn.Conv1D(256, 1))

        def hybrid_forward(self, F, x):
            x, skips = self.first(x), 0
            for layer in self.layers:
                x, skip = layer(x)
                skips = skips + skip
            return self.last(skips + x)

    return WaveNet()


def character_cnn(mx):
    """Zhang's network of characters: six convolutions, three dense layers."""
    nn = mx.gluon.nn
    net, width = nn.HybridSequential(), sized(256, 8)
    for kernel, pooled in ((7, True), (7, True), (3, False), (3, False), (3, True)):
        net.add(nn.Conv1D(width, kernel, activation="relu"))
        if pooled:
            net.add(nn.MaxPool1D(3, 3))
    net.add(nn.Dense(sized(1024, 16), activation="relu"), nn.Dropout(0.5), nn.Dense(4))
    return net


def c3d(mx):
    """C3D with half of the filters, for clips of 16 images."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    for width, pool in ((32, (1, 2, 2)), (64, 2), (128, 2), (256, 2)):
        net.add(nn.Conv3D(sized(width, 4), 3, padding=1, activation="relu"), nn.MaxPool3D(pool, pool))
    net.add(nn.Dense(sized(512, 8), activation="relu"), nn.Dropout(0.5), nn.Dense(101))
    return net


def r3d(mx):
    """Convolutions over space, then over time, each normalized: R(2+1)D without its depth."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    for width, stride in ((32, 1), (64, 2), (128, 2)):
        net.add(nn.Conv3D(width, (1, 3, 3), (1, stride, stride), (0, 1, 1), use_bias=False), nn.BatchNorm())
        net.add(nn.Activation("relu"), nn.Conv3D(width, (3, 1, 1), (stride, 1, 1), (1, 0, 0), use_bias=False))
        net.add(nn.BatchNorm(), nn.Activation("relu"))
    net.add(nn.GlobalAvgPool3D(), nn.Dense(101))
    return net


CLIP = uniform(3, 16, sized(56, 16), sized(56, 16))
NETWORKS = {
    "text_cnn": Network(
        text_cnn,
        (tokens(WORDS, sized(500, 20)),),
        "predict/hybrid/1 predict/hybrid/64 train/eager/64 train/hybrid/64 train/module/8",
    ),
    "wavenet": Network(wavenet, (uniform(1, sized(1024, 32)),), "predict/hybrid/1 train/hybrid/8", loss="pixels"),
    "character_cnn": Network(
        character_cnn, (uniform(70, sized(1014, 150)),), "predict/hybrid/1 train/hybrid/8", loss="softmax"
    ),
    "c3d": Network(c3d, (CLIP,), "predict/hybrid/1 train/hybrid/8"),
    "r3d": Network(r3d, (CLIP,), "predict/hybrid/1 train/hybrid/1"),
}
