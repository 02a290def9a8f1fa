"""Models of words and of characters: recurrent layers and a softmax over the vocabulary."""

from . import Network, sized, tokens

LENGTH = sized(35, 3)


def model(layer, words, embedded, hidden, number, dropout=0.2):
    """Embedding, recurrent layers, decoder; batch first."""
    hidden, embedded = sized(hidden, 4), sized(embedded, 4)

    def build(mx):
        nn, rnn = mx.gluon.nn, mx.gluon.rnn
        net = nn.HybridSequential()
        net.add(nn.Embedding(words, embedded), nn.Dropout(dropout))
        net.add(getattr(rnn, layer)(hidden, number, layout="NTC", dropout=dropout, input_size=embedded))
        net.add(nn.Dropout(dropout), nn.Dense(words, flatten=False, in_units=hidden))
        return net

    return build


def tied(words, hidden):
    """The decoder has the weights of the embedding, as in GluonNLP's standard models."""

    def build(mx):
        nn, rnn = mx.gluon.nn, mx.gluon.rnn
        net = nn.HybridSequential()
        embedding = nn.Embedding(words, hidden)
        net.add(embedding, rnn.LSTM(hidden, 2, layout="NTC", input_size=hidden))
        net.add(nn.Dense(words, flatten=False, in_units=hidden, params=embedding.params))
        return net

    return build


def _words(number):
    return sized(number, 30)


def _network(layer, words, embedded, hidden, number, cases):
    words = _words(words)
    return Network(model(layer, words, embedded, hidden, number), (tokens(words, LENGTH),), cases)


NETWORKS = {
    "word_lstm": _network("LSTM", 10000, 200, 200, 2, "predict/hybrid/1 train/eager/8 train/hybrid/8 train/module/8"),
    "word_gru": _network("GRU", 10000, 200, 200, 1, "predict/hybrid/8 train/hybrid/8"),
    "large_softmax": _network("LSTM", 33278, 128, 128, 1, "predict/hybrid/1 train/hybrid/8"),
    "tied": Network(tied(_words(10000), sized(200, 4)), (tokens(_words(10000), LENGTH),), "train/hybrid/8"),
    "character_lstm": _network("LSTM", 96, 32, 256, 2, "predict/eager/1 predict/hybrid/1 train/hybrid/64"),
    "character_rnn": _network("RNN", 1027, 256, 256, 1, "train/eager/64 train/hybrid/8"),
}
