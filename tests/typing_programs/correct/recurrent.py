"""Recurrent layers and cells: a language model with truncated back propagation."""

import math
import time

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn


def recurrent(mode, num_hidden, num_layers, dropout, num_embed):
    if mode == "lstm":
        return rnn.LSTM(num_hidden, num_layers, dropout=dropout, input_size=num_embed)
    if mode == "gru":
        return rnn.GRU(num_hidden, num_layers, dropout=dropout, input_size=num_embed)
    return rnn.RNN(num_hidden, num_layers, activation="relu", bidirectional=False, layout="TNC")


class RNNModel(gluon.Block):
    def __init__(self, mode, vocab_size, num_embed, num_hidden, num_layers, dropout=0.5, tie_weights=False, **kwargs):
        super(RNNModel, self).__init__(**kwargs)
        with self.name_scope():
            self.drop = nn.Dropout(dropout)
            self.encoder = nn.Embedding(vocab_size, num_embed, weight_initializer=mx.init.Uniform(0.1))
            self.rnn = recurrent(mode, num_hidden, num_layers, dropout, num_embed)
            self.decoder = nn.Dense(vocab_size, in_units=num_hidden)
            self.num_hidden = num_hidden

    def forward(self, inputs, hidden):
        emb = self.drop(self.encoder(inputs))
        output, hidden = self.rnn(emb, hidden)
        return self.decoder(self.drop(output).reshape((-1, self.num_hidden))), hidden

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


def detach(hidden):
    return [detach(h) for h in hidden] if isinstance(hidden, (tuple, list)) else hidden.detach()


model = RNNModel("lstm", 1000, 64, 128, 2)
model.collect_params().initialize(mx.init.Xavier(), ctx=mx.cpu())
trainer = gluon.Trainer(model.collect_params(), mx.optimizer.SGD(learning_rate=1.0, momentum=0, wd=0))
loss = gluon.loss.SoftmaxCrossEntropyLoss()
data = nd.random.randint(0, 1000, shape=(35 * 10, 20)).astype("float32")
hidden = model.begin_state(func=mx.nd.zeros, batch_size=20, ctx=mx.cpu())
start, total = time.time(), 0.0
for i in range(0, data.shape[0] - 1, 35):
    hidden = detach(hidden)
    with autograd.record():
        output, hidden = model(data[i : i + 35], hidden)
        L = loss(output, data[i : i + 35].reshape((-1,)))
        L.backward()
    grads = [p.grad(mx.cpu()) for p in model.collect_params().values()]
    gluon.utils.clip_global_norm(grads, 0.25 * 35 * 20)
    trainer.step(20)
    total += nd.sum(L).asscalar()
print(math.exp(total / 7000), time.time() - start)

cell = rnn.SequentialRNNCell()
cell.add(rnn.LSTMCell(hidden_size=10))
cell.add(rnn.ResidualCell(rnn.GRUCell(10, input_size=10)))
cell.add(rnn.DropoutCell(0.5))
cell.initialize()
outputs, states = cell.unroll(5, nd.ones((2, 5, 10)), layout="NTC", merge_outputs=True)
print(outputs.shape, len(states))

stack = mx.rnn.SequentialRNNCell()
stack.add(mx.rnn.LSTMCell(num_hidden=20, prefix="lstm_l0_"))
embed = mx.sym.Embedding(data=mx.sym.Variable("data"), input_dim=100, output_dim=20, name="embed")
unrolled, _ = stack.unroll(5, inputs=embed, merge_outputs=True)
pred = mx.sym.FullyConnected(mx.sym.Reshape(unrolled, shape=(-1, 20)), num_hidden=100, name="pred")
bucketing = mx.mod.BucketingModule(lambda key: (pred, ("data",), ("softmax_label",)), default_bucket_key=10)
