"""Attention: encoders and decoders in the idioms of GluonNLP, BERT, translation with an RNN and attention."""

from . import Network, sized, tokens

WORDS = sized(8000, 50)
UNITS, HEADS, LENGTH = sized(256, 8), sized(4, 2), sized(32, 4)
BERT_WORDS = sized(30522, 50)


def multi_head(mx, units=UNITS, heads=HEADS, causal=False):
    """Attention by ``batch_dot``, as GluonNLP's MultiHeadAttentionCell does it."""
    nn = mx.gluon.nn

    class MultiHead(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                for name in ("query", "key", "value", "out"):
                    setattr(self, name, nn.Dense(units, flatten=False, use_bias=False, in_units=units))
                self.dropout = nn.Dropout(0.1)

        def split(self, F, x):
            x = F.transpose(F.reshape(x, (0, 0, heads, -1)), axes=(0, 2, 1, 3))
            return F.reshape(x, (-1, 0, 0), reverse=True)

        def hybrid_forward(self, F, x, memory):
            query, key, value = (
                self.split(F, layer(data))
                for layer, data in ((self.query, x), (self.key, memory), (self.value, memory))
            )
            scores = F.batch_dot(F.contrib.div_sqrt_dim(query), key, transpose_b=True)
            if causal:
                steps = F.contrib.arange_like(F.slice_axis(scores, axis=0, begin=0, end=1), axis=1)
                mask = F.broadcast_lesser_equal(F.expand_dims(steps, 0), F.expand_dims(steps, 1))
                mask = F.broadcast_like(F.expand_dims(mask, 0), scores, lhs_axes=(0,), rhs_axes=(0,))
                scores = F.where(mask, scores, -1e18 * F.ones_like(scores))
            weights = self.dropout(F.softmax(scores, axis=-1))
            mixed = F.reshape(F.batch_dot(weights, value), (-1, heads, 0, 0), reverse=True)
            return self.out(F.reshape(F.transpose(mixed, axes=(0, 2, 1, 3)), (0, 0, -1)))

    return MultiHead()


def feed_forward(mx, units=UNITS, activation="relu"):
    """Two dense layers with a residual, normalized after it."""
    nn = mx.gluon.nn

    class FeedForward(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.wide = nn.Dense(units * 4, flatten=False, in_units=units)
                self.narrow = nn.Dense(units, flatten=False, in_units=units * 4)
                self.activation = nn.GELU() if activation == "gelu" else nn.Activation(activation)
                self.dropout, self.norm = nn.Dropout(0.1), nn.LayerNorm(in_channels=units)

        def hybrid_forward(self, F, x):
            return self.norm(x + self.dropout(self.narrow(self.activation(self.wide(x)))))

    return FeedForward()


def layers(mx, number, causal=False, cross=False):
    """Layers of an encoder, or of a decoder that also looks at a memory."""
    nn = mx.gluon.nn

    class Layer(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.attention = multi_head(mx, causal=causal)
                self.norm = nn.LayerNorm(in_channels=UNITS)
                if cross:
                    self.cross, self.cross_norm = multi_head(mx), nn.LayerNorm(in_channels=UNITS)
                self.last = feed_forward(mx)

        def hybrid_forward(self, F, x, memory=None):
            x = self.norm(x + self.attention(x, x))
            if cross:
                x = self.cross_norm(x + self.cross(x, memory))
            return self.last(x)

    block = nn.HybridSequential()
    block.add(*(Layer() for _ in range(number)))
    return block


def encoder(mx):
    """An encoder that classifies each word."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Embedding(WORDS, UNITS), layers(mx, sized(3, 1)), nn.Dense(20, flatten=False, in_units=UNITS))
    return net


def decoder(mx):
    """A language model: an encoder that must not look ahead, and a softmax over all words."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Embedding(WORDS, UNITS), layers(mx, sized(3, 1), causal=True))
    net.add(nn.Dense(WORDS, flatten=False, in_units=UNITS))
    return net


def translation(mx):
    """The whole Transformer, for translation."""
    nn = mx.gluon.nn

    class Transformer(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.source, self.target = nn.Embedding(WORDS, UNITS), nn.Embedding(WORDS, UNITS)
                self.encoder = layers(mx, 2)
                self.decoder = layers(mx, 2, causal=True, cross=True)
                self.words = nn.Dense(WORDS, flatten=False, in_units=UNITS)

        def hybrid_forward(self, F, source, target):
            memory, x = self.encoder(self.source(source)), self.target(target)
            for layer in self.decoder:
                x = layer(x, memory)
            return self.words(x)

    return Transformer()


def bert(number, units, heads):
    """BERT with the interleaved attention of GluonNLP 0.9 and later; sequences first inside."""

    def build(mx):
        nn = mx.gluon.nn

        class Layer(mx.gluon.HybridBlock):
            def __init__(self):
                super().__init__()
                with self.name_scope():
                    self.mixed = nn.Dense(units * 3, flatten=False, in_units=units)
                    self.out = nn.Dense(units, flatten=False, in_units=units)
                    self.dropout, self.norm = nn.Dropout(0.1), nn.LayerNorm(in_channels=units)
                    self.last = feed_forward(mx, units, "gelu")

            def hybrid_forward(self, F, x):
                mixed = self.mixed(x)
                scores = F.contrib.interleaved_matmul_selfatt_qk(mixed, heads=heads)
                weights = self.dropout(F.softmax(scores, axis=-1))
                x = x + self.out(F.contrib.interleaved_matmul_selfatt_valatt(mixed, weights, heads=heads))
                return self.last(self.norm(x))

        class BERT(mx.gluon.HybridBlock):
            def __init__(self):
                super().__init__()
                with self.name_scope():
                    self.words, self.types = nn.Embedding(BERT_WORDS, units), nn.Embedding(2, units)
                    self.positions = self.params.get("positions_weight", shape=(512, units))
                    self.norm, self.dropout = nn.LayerNorm(in_channels=units), nn.Dropout(0.1)
                    self.layers = nn.HybridSequential()
                    self.layers.add(*(Layer() for _ in range(number)))
                    self.pooler = nn.Dense(units, activation="tanh", in_units=units)
                    self.classes = nn.Dense(2, in_units=units)

            def hybrid_forward(self, F, words, types, positions):
                x = F.swapaxes(self.words(words) + self.types(types), 0, 1)
                near = F.expand_dims(F.slice_like(positions, F.swapaxes(words, 0, 1), axes=(0,)), 1)
                x = self.layers(self.dropout(self.norm(F.broadcast_add(x, near))))
                first = F.reshape(F.slice_axis(x, axis=0, begin=0, end=1), (-3, 0))
                return self.classes(self.pooler(first))

        return BERT()

    return build


def torch_bert(number, units, heads):
    """As a user of PyTorch writes it: ``TransformerEncoderLayer`` with its scaled dot product attention."""

    def build(torch):
        nn = torch.nn

        class BERT(nn.Module):
            def __init__(self):
                super().__init__()
                self.words, self.types = nn.Embedding(BERT_WORDS, units), nn.Embedding(2, units)
                self.positions = nn.Parameter(torch.rand(512, units) * 0.02)
                self.norm, self.dropout = nn.LayerNorm(units), nn.Dropout(0.1)
                make = nn.TransformerEncoderLayer
                self.layers = nn.ModuleList(
                    make(units, heads, 4 * units, 0.1, "gelu", batch_first=True) for _ in range(number)
                )
                self.pooler, self.classes = nn.Linear(units, units), nn.Linear(units, 2)

            def forward(self, words, types):
                words = words.long()
                x = self.words(words) + self.types(types.long()) + self.positions[: words.shape[1]]
                x = self.dropout(self.norm(x))
                for layer in self.layers:
                    x = layer(x)
                return self.classes(torch.tanh(self.pooler(x[:, 0])))

        return BERT()

    return build


def seq2seq(mx):
    """A GRU that reads, a GRU cell that writes and attends to what was read at each step, as in the book."""
    nn, rnn = mx.gluon.nn, mx.gluon.rnn
    hidden, length = sized(128, 4), sized(12, 3)

    class Seq2Seq(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.source, self.target = nn.Embedding(WORDS, hidden), nn.Embedding(WORDS, hidden)
                self.encoder = rnn.GRU(hidden, layout="NTC", bidirectional=True, input_size=hidden)
                self.memory = nn.Dense(hidden, flatten=False, in_units=2 * hidden)
                self.query = nn.Dense(hidden, flatten=False, in_units=hidden, use_bias=False)
                self.score = nn.Dense(1, flatten=False, in_units=hidden, use_bias=False)
                self.cell = rnn.GRUCell(hidden, input_size=2 * hidden)
                self.words = nn.Dense(WORDS, flatten=False, in_units=hidden)

        def hybrid_forward(self, F, source, target):
            memory = self.memory(self.encoder(self.source(source)))
            words = F.split(self.target(target), length, axis=1, squeeze_axis=True)
            state, outputs = F.squeeze(F.slice_axis(memory, axis=1, begin=-1, end=None), axis=1), []
            for word in words:
                scores = self.score(F.tanh(F.broadcast_add(memory, F.expand_dims(self.query(state), 1))))
                context = F.sum(F.broadcast_mul(F.softmax(scores, axis=1), memory), axis=1)
                state, _ = self.cell(F.concat(word, context, dim=1), [state])
                outputs.append(state)
            return self.words(F.stack(*outputs, axis=1))

    return Seq2Seq()


BASE, SMALL_ONE = sized((12, 768, 12), (1, 8, 2)), sized((2, 256, 4), (1, 8, 2))


def _pair(length):
    return tokens(BERT_WORDS, length), tokens(2, length)


def _bert(sizes, length, cases):
    return Network(bert(*sizes), _pair(sized(length, 4)), cases, torch=torch_bert(*sizes))


NETWORKS = {
    "encoder": Network(
        encoder, (tokens(WORDS, LENGTH),),
        "predict/hybrid/1 predict/eager/1 train/eager/8 train/hybrid/8 train/module/8",
    ),
    "decoder": Network(decoder, (tokens(WORDS, LENGTH),), "predict/hybrid/1 predict/eager/1 train/hybrid/8"),
    "translation": Network(
        translation, (tokens(WORDS, LENGTH), tokens(WORDS, LENGTH)), "predict/hybrid/1 train/hybrid/8"
    ),
    "bert_base_16": _bert(BASE, 16, "predict/hybrid/1 predict/eager/1 predict/hybrid/8"),
    "bert_base_128": _bert(BASE, 128, "predict/hybrid/1 train/hybrid/1"),
    "bert_base_384": _bert(BASE, 384, "predict/hybrid/1"),
    "bert_small_128": _bert(SMALL_ONE, 128, "predict/module/8 train/hybrid/8 train/eager/8"),
    "seq2seq": Network(
        seq2seq, (tokens(WORDS, sized(12, 3)), tokens(WORDS, sized(12, 3))),
        "predict/hybrid/1 predict/eager/1 train/eager/8 train/hybrid/8",
    ),
}  # fmt: skip
