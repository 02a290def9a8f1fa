"""LSTMs for the workloads: whole training steps of the fused layer and of a cell unrolled."""

from . import _gluon, sized

BATCH, HIDDEN = sized(32, 2), sized(200, 4)
LENGTH, UNROLLED = sized(35, 3), sized(30, 3)


def fused(mx):
    """Two layers of the fused LSTM."""
    network = mx.gluon.rnn.LSTM(HIDDEN, 2)
    data = mx.nd.random.uniform(shape=(LENGTH, BATCH, HIDDEN))
    target = mx.nd.random.uniform(shape=(LENGTH, BATCH, HIDDEN))
    return _gluon.train(mx, network, mx.gluon.loss.L2Loss(batch_axis=1), data, target, batch_axis=1)


def unrolled(mx, hybridize):
    """A cell, unrolled in Python when it is called, or when it is traced."""

    class Unrolled(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.cell = mx.gluon.rnn.LSTMCell(HIDDEN, input_size=HIDDEN)

        def hybrid_forward(self, F, x):
            begin = [F.zeros((BATCH, HIDDEN))] * 2
            outputs, _ = self.cell.unroll(UNROLLED, x, begin, layout="NTC", merge_outputs=True)
            return outputs

    data = mx.nd.random.uniform(shape=(BATCH, UNROLLED, HIDDEN))
    target = mx.nd.random.uniform(shape=(BATCH, UNROLLED, HIDDEN))
    return _gluon.train(mx, Unrolled(), mx.gluon.loss.L2Loss(), data, target, hybridize)


def torch_fused(torch):
    """As ``fused``."""

    class Network(torch.nn.LSTM):
        def forward(self, x):
            return super().forward(x)[0]

    data, target = torch.rand(LENGTH, BATCH, HIDDEN), torch.rand(LENGTH, BATCH, HIDDEN)
    network = Network(HIDDEN, HIDDEN, 2)
    return _gluon.torch_train(torch, network, torch.nn.functional.mse_loss, data, target)


def torch_unrolled(torch):
    """As ``unrolled``."""

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = torch.nn.LSTMCell(HIDDEN, HIDDEN)

        def forward(self, x):
            state = torch.zeros(BATCH, HIDDEN), torch.zeros(BATCH, HIDDEN)
            outputs = []
            for part in x.unbind(1):
                state = self.cell(part, state)
                outputs.append(state[0])
            return torch.stack(outputs, 1)

    data, target = torch.rand(BATCH, UNROLLED, HIDDEN), torch.rand(BATCH, UNROLLED, HIDDEN)
    return _gluon.torch_train(torch, Network(), torch.nn.functional.mse_loss, data, target)
