"""Recurrent layers and cells of every kind, on sequences of vectors or of maps."""

from . import Network, sized, uniform

HIDDEN, LENGTH = sized(200, 4), sized(35, 3)


def layer(name, **options):
    """A fused layer, batch first."""

    def build(mx):
        net = mx.gluon.nn.HybridSequential()
        net.add(getattr(mx.gluon.rnn, name)(HIDDEN, layout="NTC", input_size=HIDDEN, **options))
        return net

    return build


def unrolled(make):
    """A cell that ``make(rnn, contrib_rnn)`` returns, unrolled over the sequence."""

    def build(mx):
        class Unrolled(mx.gluon.HybridBlock):
            def __init__(self):
                super().__init__()
                with self.name_scope():
                    self.cell = make(mx.gluon.rnn, mx.gluon.contrib.rnn)

            def hybrid_forward(self, F, x):
                outputs, _ = self.cell.unroll(LENGTH, x, layout="NTC", merge_outputs=True)
                return outputs

        return Unrolled()

    return build


def stack(rnn, _):
    """Layers of the kind that GluonNLP has for translation: dropout, residual, zoneout."""
    cells = rnn.HybridSequentialRNNCell()
    cells.add(rnn.LSTMCell(HIDDEN, input_size=HIDDEN))
    cells.add(rnn.DropoutCell(0.2))
    cells.add(rnn.ResidualCell(rnn.GRUCell(HIDDEN, input_size=HIDDEN)))
    cells.add(rnn.ZoneoutCell(rnn.RNNCell(HIDDEN, input_size=HIDDEN), 0.1, 0.1))
    return cells


def bidirectional(rnn, _):
    """Two cells, one of them backwards."""
    return rnn.BidirectionalCell(rnn.LSTMCell(HIDDEN, input_size=HIDDEN), rnn.GRUCell(HIDDEN, input_size=HIDDEN))


SIDE, FRAMES = sized(32, 8), sized(8, 3)
SEQUENCE = uniform(LENGTH, HIDDEN)


def conv_lstm(mx):
    """ConvLSTM over a few frames."""

    class Frames(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                cell = mx.gluon.contrib.rnn.Conv2DLSTMCell
                self.cell = cell((8, SIDE, SIDE), sized(16, 2), 3, 3, (1, 1))

        def hybrid_forward(self, F, x):
            outputs, _ = self.cell.unroll(FRAMES, x, layout="NTC", merge_outputs=True)
            return outputs

    return Frames()


BOTH = "predict/hybrid/1 train/hybrid/8"
NETWORKS = {
    "rnn_relu": Network(layer("RNN", num_layers=2), (SEQUENCE,), BOTH, loss="l2"),
    "lstm": Network(
        layer("LSTM", num_layers=2), (SEQUENCE,), "predict/hybrid/1 predict/hybrid/64 train/eager/8 train/hybrid/64",
        loss="l2",
    ),
    "gru": Network(layer("GRU", num_layers=2), (SEQUENCE,), BOTH, loss="l2"),
    "bi_lstm": Network(layer("LSTM", bidirectional=True), (SEQUENCE,), BOTH, loss="l2"),
    "lstm_cell": Network(
        unrolled(lambda rnn, _: rnn.LSTMCell(HIDDEN, input_size=HIDDEN)), (SEQUENCE,),
        "predict/hybrid/1 train/eager/8 train/hybrid/8 train/module/8", loss="l2",
    ),
    "gru_cell": Network(
        unrolled(lambda rnn, _: rnn.GRUCell(HIDDEN, input_size=HIDDEN)), (SEQUENCE,), "train/eager/8 " + BOTH, loss="l2"
    ),
    "rnn_cell": Network(unrolled(lambda rnn, _: rnn.RNNCell(HIDDEN, input_size=HIDDEN)), (SEQUENCE,), BOTH, loss="l2"),
    "stack": Network(unrolled(stack), (SEQUENCE,), "predict/hybrid/8 train/hybrid/8", loss="l2", twin=False),
    "bidirectional_cell": Network(unrolled(bidirectional), (SEQUENCE,), "predict/eager/1 train/hybrid/8", loss="l2"),
    "lstmp_cell": Network(
        unrolled(lambda _, contrib: contrib.LSTMPCell(HIDDEN, HIDDEN // 2, input_size=HIDDEN)), (SEQUENCE,),
        "train/hybrid/8", loss="l2",
    ),
    "conv_lstm": Network(conv_lstm, (uniform(FRAMES, 8, SIDE, SIDE),), BOTH, loss="l2"),
}  # fmt: skip
