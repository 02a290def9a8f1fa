"""Recurrent cells of every kind, as cases for record_networks.py (with the original) and test_rnn_cells.py.

A case is a function of the mxnet module that gives a symbol; its entry tells the shapes of the inputs.
"""

from network_cases import Case, pair, value

STEPS = 3
DATA = {"data": (2, STEPS, 5)}
TNC = {"data": (STEPS, 2, 5)}
LIST = {"t%d" % i: (2, 5) for i in range(STEPS)}
IMAGES = {"t%d" % i: (2, 3, 6, 6) for i in range(STEPS)}


def flat(items):
    return [s for item in items for s in (flat(item) if isinstance(item, (list, tuple)) else [item])]


def unrolled(make, shapes, run=True, **options):
    """The outputs and states of a cell unrolled over the inputs, as a group."""

    def build(mx):
        names = sorted(shapes)
        inputs = mx.sym.var("data") if names == ["data"] else [mx.sym.var(n) for n in names]
        outputs, states = make(mx).unroll(STEPS, inputs, **options)
        return mx.sym.Group(flat([outputs, states]))

    return Case(build, shapes, run=run)


def twice(make, shapes, **options):
    """A cell unrolled two times, as bucketing does: names are counted anew or go on."""

    def build(mx):
        cell = make(mx)
        first, _ = cell.unroll(2, mx.sym.var("first"), **options)
        second, _ = cell.unroll(3, mx.sym.var("second"), **options)
        return mx.sym.Group(flat([first, second]))

    return Case(build, shapes)


def stack(mx, *cells):
    whole = mx.rnn.SequentialRNNCell()
    for cell in cells:
        whole.add(cell)
    return whole


def rnn(mx):
    return mx.rnn.RNNCell(4)


def lstm(mx):
    return mx.rnn.LSTMCell(4)


def gru(mx):
    return mx.rnn.GRUCell(4)


def both(mx, **options):
    return mx.rnn.BidirectionalCell(mx.rnn.RNNCell(4, prefix="l_"), mx.rnn.LSTMCell(4, prefix="r_"), **options)


def fused(**options):
    return lambda mx: mx.rnn.FusedRNNCell(4, **options)


def unfused(**options):
    return lambda mx: mx.rnn.FusedRNNCell(4, **options).unfuse()


def stepped(mx):
    cell = stack(mx, mx.rnn.LSTMCell(4, prefix="a_"), mx.rnn.DropoutCell(0.0), mx.rnn.GRUCell(3, prefix="b_"))
    states = cell.begin_state(func=mx.sym.Variable)
    output = None
    for name in sorted(LIST):
        output, states = cell(mx.sym.var(name), states)
    return mx.sym.Group([output, *states])


def shared(mx):
    params = mx.rnn.RNNParams("both_")
    left = mx.rnn.RNNCell(4, prefix="a_", params=params).unroll(2, mx.sym.var("left"), merge_outputs=True)[0]
    right = mx.rnn.RNNCell(4, prefix="b_", params=params).unroll(2, mx.sym.var("right"), merge_outputs=True)[0]
    return left + right


def from_ones(mx):
    cell = mx.rnn.FusedRNNCell(4, mode="lstm", get_next_state=True, forget_bias=2.0)
    outputs, states = cell.unroll(STEPS, mx.sym.var("data"), begin_state=cell.begin_state(func=mx.sym.ones))
    return mx.sym.Group([outputs, *states])


def given_states(mx):
    states = [mx.sym.var("h"), mx.sym.var("c")]
    outputs, after = mx.rnn.LSTMCell(4, forget_bias=0.5).unroll(STEPS, mx.sym.var("data"), states, merge_outputs=True)
    return mx.sym.Group([outputs, *after])


def wild_conv(mx):
    return mx.rnn.ConvLSTMCell(
        (1, 3, 6, 6),
        2,
        h2h_kernel=(5, 3),
        h2h_dilate=(1, 2),
        i2h_kernel=(2, 2),
        i2h_stride=(2, 2),
        i2h_pad=(0, 1),
        activation="tanh",
        i2h_weight_initializer=mx.init.One(),
        h2h_bias_initializer="ones",
        prefix="wild_",
    )


WEIGHTS = {
    "rnn": rnn,
    "lstm": lstm,
    "gru": gru,
    "stack": lambda mx: stack(
        mx, mx.rnn.LSTMCell(4, prefix="a_"), mx.rnn.DropoutCell(0.1), mx.rnn.RNNCell(3, prefix="b_")
    ),
    "both": both,
    "fused_lstm": fused(num_layers=2, bidirectional=True),
    "fused_gru": fused(mode="gru", prefix="x_", num_layers=2),
    "fused_relu": fused(mode="rnn_relu"),
    "zoneout": lambda mx: mx.rnn.ZoneoutCell(lstm(mx), 0.1),
    "residual": lambda mx: mx.rnn.ResidualCell(mx.rnn.FusedRNNCell(5, prefix="r_")),
    "conv": lambda mx: mx.rnn.ConvLSTMCell((1, 3, 6, 6), 2),
}


def weights(mx, make):
    """A cell, and values for its parameters and for something else."""
    cell = make(mx)
    images = isinstance(cell, mx.rnn.BaseConvRNNCell)
    shapes = IMAGES if images else LIST
    outputs, _ = cell.unroll(STEPS, [mx.sym.var(n) for n in sorted(shapes)], merge_outputs=True)
    found, _, _ = outputs.infer_shape(**shapes)
    args = {n: value(n, s) for n, s in zip(outputs.list_arguments(), found) if n not in shapes}
    args["other"] = value("other", (2,))
    return cell, {n: mx.nd.array(args[n]) for n in sorted(args)}


def unpacked(mx, make):
    """The unpacked weights in their order: names, shapes and some numbers; then the names once packed again."""
    cell, args = weights(mx, make)
    parts = cell.unpack_weights(args)
    first = [[n, list(a.shape), [float(v) for v in a.asnumpy().ravel()[:2]]] for n, a in parts.items()]
    return {"parts": first, "packed": list(cell.pack_weights(parts))}


CASES = {
    "rnn": unrolled(rnn, DATA),
    "rnn_relu_merged": unrolled(lambda mx: mx.rnn.RNNCell(4, "relu", prefix="a_"), DATA, merge_outputs=True),
    "rnn_tnc": unrolled(rnn, TNC, layout="TNC", merge_outputs=True),
    "rnn_list": unrolled(rnn, LIST, merge_outputs=False),
    "rnn_list_merged": unrolled(rnn, LIST, merge_outputs=True),
    "rnn_softsign": unrolled(lambda mx: mx.rnn.RNNCell(4, activation="softsign"), DATA, run=False),
    "rnn_function": unrolled(lambda mx: mx.rnn.RNNCell(4, activation=mx.sym.sigmoid), DATA),
    "rnn_twice": twice(rnn, {"first": (2, 2, 5), "second": (2, 3, 5)}),
    "lstm": unrolled(lstm, DATA),
    "lstm_merged": unrolled(lstm, DATA, merge_outputs=True),
    "lstm_list": unrolled(lstm, LIST, merge_outputs=True),
    "lstm_states": Case(given_states, {"data": (2, STEPS, 5), "h": (2, 4), "c": (2, 4)}, run=True),
    "gru": unrolled(gru, DATA),
    "gru_tnc": unrolled(gru, TNC, layout="TNC", merge_outputs=True),
    "stack": unrolled(
        lambda mx: stack(
            mx, mx.rnn.RNNCell(4, prefix="a_"), mx.rnn.DropoutCell(0.3), mx.rnn.GRUCell(3, prefix="b_"), both(mx)
        ),
        DATA,
        run=False,
    ),
    "stack_merged": unrolled(
        lambda mx: stack(mx, mx.rnn.LSTMCell(4, prefix="a_"), mx.rnn.GRUCell(3, prefix="b_")), DATA, merge_outputs=True
    ),
    "stack_fused": unrolled(
        lambda mx: stack(
            mx, mx.rnn.FusedRNNCell(4, prefix="a_"), mx.rnn.DropoutCell(0.3), mx.rnn.RNNCell(3, prefix="b_")
        ),
        DATA,
        run=False,
    ),
    "stack_fused_list": unrolled(
        lambda mx: stack(mx, mx.rnn.FusedRNNCell(4, prefix="a_"), mx.rnn.FusedRNNCell(3, prefix="b_", mode="gru")),
        TNC,
        layout="TNC",
        merge_outputs=False,
    ),
    "stack_twice": twice(
        lambda mx: stack(mx, mx.rnn.LSTMCell(4, prefix="a_"), mx.rnn.GRUCell(3, prefix="b_")),
        {"first": (2, 2, 5), "second": (2, 3, 5)},
        merge_outputs=True,
    ),
    "stepped": Case(
        stepped,
        pair(LIST, {"a_begin_state_0": (2, 4), "a_begin_state_1": (2, 4), "b_begin_state_0": (2, 3)}),
        run=True,
    ),
    "both": unrolled(both, DATA),
    "both_merged": unrolled(lambda mx: both(mx, output_prefix="o_"), DATA, merge_outputs=True),
    "both_list": unrolled(both, TNC, layout="TNC", merge_outputs=False),
    "both_tnc": unrolled(both, TNC, layout="TNC", merge_outputs=True),
    "both_fused": unrolled(
        lambda mx: mx.rnn.BidirectionalCell(
            mx.rnn.FusedRNNCell(4, prefix="l_"), mx.rnn.FusedRNNCell(4, prefix="r_", mode="rnn_relu")
        ),
        DATA,
    ),
    "both_mixed": unrolled(
        lambda mx: mx.rnn.BidirectionalCell(mx.rnn.RNNCell(4, prefix="l_"), mx.rnn.FusedRNNCell(4, prefix="r_")), DATA
    ),
    "dropout": unrolled(lambda mx: mx.rnn.DropoutCell(0.5), DATA, run=False),
    "dropout_none": unrolled(lambda mx: mx.rnn.DropoutCell(0.0), DATA),
    "dropout_list": unrolled(lambda mx: mx.rnn.DropoutCell(0.5), LIST, run=False),
    "dropout_list_merged": unrolled(lambda mx: mx.rnn.DropoutCell(0.5), LIST, run=False, merge_outputs=True),
    "dropout_split": unrolled(lambda mx: mx.rnn.DropoutCell(0.5), DATA, run=False, merge_outputs=False),
    "zoneout": unrolled(lambda mx: mx.rnn.ZoneoutCell(rnn(mx), 0.3, 0.2), DATA, run=False),
    "zoneout_outputs": unrolled(lambda mx: mx.rnn.ZoneoutCell(lstm(mx), 0.3), DATA, run=False, merge_outputs=True),
    "zoneout_states": unrolled(lambda mx: mx.rnn.ZoneoutCell(lstm(mx), zoneout_states=0.3), DATA, run=False),
    "zoneout_twice": twice(lambda mx: mx.rnn.ZoneoutCell(rnn(mx), 0.3, 0.2), {"first": (2, 2, 5), "second": (2, 3, 5)}),
    "residual": unrolled(lambda mx: mx.rnn.ResidualCell(mx.rnn.RNNCell(5)), DATA),
    "residual_merged": unrolled(lambda mx: mx.rnn.ResidualCell(mx.rnn.GRUCell(5)), DATA, merge_outputs=True),
    "residual_list": unrolled(lambda mx: mx.rnn.ResidualCell(mx.rnn.RNNCell(5)), LIST),
    "residual_fused": unrolled(
        lambda mx: mx.rnn.ResidualCell(mx.rnn.FusedRNNCell(5, get_next_state=True)), TNC, layout="TNC"
    ),
    "residual_twice": twice(
        lambda mx: mx.rnn.ResidualCell(mx.rnn.LSTMCell(5)), {"first": (2, 2, 5), "second": (2, 3, 5)}
    ),
    "fused_lstm": unrolled(fused(num_layers=2, get_next_state=True), DATA),
    "fused_lstm_both": unrolled(fused(num_layers=2, bidirectional=True, get_next_state=True), DATA, merge_outputs=True),
    "fused_gru": unrolled(fused(mode="gru", bidirectional=True), TNC, layout="TNC", merge_outputs=True),
    "fused_gru_layers": unrolled(fused(mode="gru", num_layers=2, prefix="g_"), DATA),
    "fused_rnn_list": unrolled(fused(mode="rnn_tanh", prefix="q_", get_next_state=True), LIST, merge_outputs=False),
    "fused_relu": unrolled(fused(mode="rnn_relu", num_layers=2), LIST),
    "fused_dropout": unrolled(fused(num_layers=2, dropout=0.5), DATA, run=False),
    "fused_ones": Case(from_ones, DATA, run=True),
    "unfused_lstm": unrolled(unfused(num_layers=2, bidirectional=True, forget_bias=2.0), DATA),
    "unfused_gru": unrolled(unfused(mode="gru", num_layers=2, prefix="g_"), DATA, merge_outputs=True),
    "unfused_tanh": unrolled(unfused(mode="rnn_tanh"), DATA, merge_outputs=True),
    "unfused_relu_dropout": unrolled(unfused(mode="rnn_relu", num_layers=3, dropout=0.5), DATA, run=False),
    "shared": Case(shared, {"left": (2, 2, 5), "right": (2, 2, 5)}, run=True),
    "conv_rnn": unrolled(lambda mx: mx.rnn.ConvRNNCell((1, 3, 6, 6), 2), IMAGES),
    "conv_lstm": unrolled(lambda mx: mx.rnn.ConvLSTMCell((1, 3, 6, 6), 2), IMAGES, merge_outputs=True),
    "conv_gru": unrolled(lambda mx: mx.rnn.ConvGRUCell((1, 3, 6, 6), 2), {"data": (2, STEPS, 3, 6, 6)}),
    "conv_wild": unrolled(wild_conv, IMAGES),
}
