"""An LSTM language model for sentences of different lengths, with bucketing.

    python examples/bucketing_lstm.py --epochs 4
    python examples/bucketing_lstm.py --cell fused --layers 2 --save lm

A small grammar generates sentences in which subjects and verbs agree. Sentences are grouped into buckets by length;
each bucket has its own graph, and all graphs share their parameters. The perplexity of held-out sentences falls from
the size of the vocabulary (a random guess) to the uncertainty of the grammar.
"""

import argparse
import logging
import random

import mxnet as mx

SINGULAR = {"cat": "sleeps", "dog": "runs", "bird": "sings", "child": "waits", "teacher": "reads"}
PLURAL = {"cats": "sleep", "dogs": "run", "birds": "sing", "children": "wait", "teachers": "read"}
ADJECTIVES = ["small", "old", "happy", "quiet"]
PLACES = ["in the garden", "near the river", "behind the old house"]
BUCKETS = [5, 9, 16, 30]


def make_sentences(count, seed):
    """Sentences of words; the same seed gives the same ones."""
    rng = random.Random(seed)

    def clause():
        several = rng.random() < 0.5
        noun, verb = rng.choice(sorted((PLURAL if several else SINGULAR).items()))
        words = ["all" if several else "one", *rng.sample(ADJECTIVES, rng.choice((0, 0, 1, 2))), noun]
        if rng.random() < 0.3:
            words += rng.choice(PLACES).split()  # the verb must remember its subject over these words
        return [*words, verb]

    sentences = []
    for _ in range(count):
        words = clause()
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            words += [rng.choice(("and", "while")), *clause()]
        sentences.append([*words, "."])
    return sentences


def make_cell(kind, hidden, layers, dropout):
    """A stack of recurrent layers, or one fused node."""
    if kind == "fused":
        return mx.rnn.FusedRNNCell(hidden, num_layers=layers, mode="lstm", dropout=dropout, prefix="lstm_")
    make = {"lstm": mx.rnn.LSTMCell, "gru": mx.rnn.GRUCell, "rnn": mx.rnn.RNNCell}[kind]
    stack = mx.rnn.SequentialRNNCell()
    for i in range(layers):
        stack.add(make(hidden, prefix=f"{kind}_l{i}_"))
        if dropout and i < layers - 1:
            stack.add(mx.rnn.DropoutCell(dropout))
    return stack


def train(args):
    """Trains, prints the perplexity after each epoch and returns the list of them."""
    mx.random.seed(args.seed)
    random.seed(args.seed)  # the iterator shuffles with it
    sentences, vocabulary = mx.rnn.encode_sentences(
        make_sentences(args.sentences, args.seed), invalid_label=0, start_label=1
    )
    held_out, _ = mx.rnn.encode_sentences(make_sentences(args.sentences // 5, args.seed + 1), vocab=vocabulary)
    data = mx.rnn.BucketSentenceIter(sentences, args.batch_size, buckets=BUCKETS, invalid_label=0)
    check = mx.rnn.BucketSentenceIter(held_out, args.batch_size, buckets=BUCKETS, invalid_label=0)
    cell = make_cell(args.cell, args.hidden, args.layers, args.dropout)
    size = len(vocabulary)

    def network(length):
        words = mx.sym.Variable("data")
        label = mx.sym.Variable("softmax_label")
        embedded = mx.sym.Embedding(words, input_dim=size, output_dim=args.embed, name="embed")
        cell.reset()
        outputs, _ = cell.unroll(length, inputs=embedded, merge_outputs=True)
        scores = mx.sym.FullyConnected(mx.sym.reshape(outputs, shape=(-1, args.hidden)), num_hidden=size, name="pred")
        label = mx.sym.reshape(label, shape=(-1,))
        # Padding is neither learnt nor counted.
        loss = mx.sym.SoftmaxOutput(
            scores, label, use_ignore=True, ignore_label=0, normalization="valid", name="softmax"
        )
        return loss, ("data",), ("softmax_label",)

    model = mx.mod.BucketingModule(network, default_bucket_key=data.default_bucket_key, context=mx.cpu())
    print(f"{len(sentences)} sentences of {size} words; guessing would have perplexity {size}")
    history = []

    def tell(param):
        history.append(param.eval_metric.get()[1])
        print(f"epoch {param.epoch + 1}: perplexity {history[-1]:.2f}", flush=True)

    model.fit(
        data,
        eval_data=check,
        eval_metric=mx.metric.Perplexity(0),
        eval_end_callback=tell,
        epoch_end_callback=mx.rnn.do_rnn_checkpoint(cell, args.save) if args.save else None,
        optimizer="adam",
        optimizer_params={"learning_rate": args.learning_rate, "rescale_grad": 1.0},
        initializer=mx.init.Xavier(factor_type="in", magnitude=2.34),
        num_epoch=args.epochs,
    )
    return history


def main(arguments=None):
    """Reads the command line and trains."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--sentences", type=int, default=4000)
    parser.add_argument("--cell", choices=("lstm", "gru", "rnn", "fused"), default="lstm")
    parser.add_argument("--layers", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--embed", type=int, default=32)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--learning-rate", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--save", metavar="PREFIX", help="write a checkpoint after each epoch")
    parser.add_argument("--log", action="store_true", help="show what fit() logs")
    args = parser.parse_args(arguments)
    if args.log:
        logging.basicConfig(level=logging.INFO)
    return train(args)


if __name__ == "__main__":
    main()
