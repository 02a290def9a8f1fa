"""Graphs that mixed precision converts, and calls under it, for ``record_amp.py`` and ``test_amp.py``."""


def graphs(mx):
    """Symbols by name; each is made anew."""
    S, V = mx.sym, mx.sym.var

    def fc(name="fc", data=None, units=3):
        return S.FullyConnected(V("data") if data is None else data, num_hidden=units, name=name)

    def ex(name="ex"):
        return S.exp(fc(), name=name)

    def shared(then, data=None):
        data = V("data") if data is None else data
        return then(data, fc(data=data))

    def unknown(name="b", other="v"):
        return S.broadcast_add(fc(), V(other), name=name)

    def small():
        c = S.Convolution(V("data"), kernel=(3, 3), num_filter=4, name="conv")
        r = S.Activation(S.BatchNorm(c, name="bn"), act_type="relu", name="relu")
        f = S.FullyConnected(r, num_hidden=3, name="fc")
        a = S.elemwise_add(f, S.FullyConnected(r, num_hidden=3, name="fc2"), name="plus")
        return S.SoftmaxOutput(S.broadcast_add(a, S.exp(f, name="ex"), name="badd"), name="softmax")

    def mixed():
        scaled = S.broadcast_mul(V("v"), S.exp(V("q"), name="exq"), name="scaled")
        return S.broadcast_add(S.BatchNorm(fc(), name="bn"), scaled, name="b")

    def attention():
        with mx.name.NameManager():  # what has no name gets the same one each time
            return transformer()

    def transformer():
        x = V("data")
        q, k, v = (S.FullyConnected(x, num_hidden=4, flatten=False, name=n) for n in "qkv")
        weights = S.softmax(S.batch_dot(q, k, transpose_b=True, name="scores") / 2, name="weights")
        out = S.batch_dot(weights, v, name="read")
        return S.LayerNorm(S.FullyConnected(out, num_hidden=4, flatten=False, name="o") + x, name="norm")

    return {
        "small": small,
        "mixed": mixed,
        "attention": attention,
        "head": fc,
        "widest_variable": unknown,
        "widest_short_variable": lambda: S.broadcast_add(fc(), V("v", dtype="float16"), name="b"),
        "where": lambda: S.where(V("c"), fc(), ex(), name="w"),
        "parts": lambda: fc("fc2", S.SliceChannel(S.exp(V("data"), name="e"), num_outputs=2, name="s")[1]),
        "cast_up": lambda: S.exp(S.Cast(fc(), dtype="float32", name="ca"), name="ex"),
        "cast_down": lambda: S.exp(S.Cast(V("data"), dtype="float16", name="ca"), name="ex"),
        "same": lambda: S.elemwise_add(S.BatchNorm(fc(), name="bn"), S.relu(fc("fc2"), name="r"), name="ea"),
        "argmax": lambda: S.broadcast_mul(S.argmax(fc(), axis=1, name="am"), V("u"), name="m"),
        "shape": lambda: S.broadcast_add(S.shape_array(fc(), name="sa"), fc("fc2"), name="b"),
        "dot": lambda: S.dot(S.softmax(fc(), name="sm"), V("z"), name="d"),
        "loss": lambda: S.LinearRegressionOutput(fc(), V("label"), name="lro"),
        "other": lambda: S.contrib.quadratic(fc(), a=1.0, name="qd"),
        "rnn": lambda: S.RNN(V("data"), V("p"), V("s0"), state_size=2, num_layers=1, mode="gru", name="rnn"),
        "exp_of_unknown": lambda: S.exp(unknown(), name="ex"),
        "fc_of_unknown": lambda: fc("fc2", unknown()),
        "widest_of_unknown": lambda: S.broadcast_mul(unknown(), unknown("b3", "v2"), name="m"),
        "two_variables": lambda: S.broadcast_mul(V("a"), V("b2"), name="m"),
        "variable_head": lambda: S.Group([V("a"), fc()]),
        "norm_of_variable": lambda: S.BatchNorm(V("data"), name="bn"),
        "concat": lambda: S.concat(fc(), V("k"), fc("fc2"), name="cc"),
        "stack": lambda: S.stack(fc(), S.exp(fc("fc2"), name="ex"), name="st"),
        "softrelu": lambda: S.Activation(V("a"), act_type="softrelu", name="ac"),
        "elu": lambda: S.LeakyReLU(fc(), act_type="elu", name="lr"),
        "zeros": lambda: S.broadcast_add(fc(), S.zeros((2, 3), name="zz"), name="b"),
        "numbers": lambda: S.exp(S.smooth_l1(S.clip(fc(), 0, 1, name="c"), scalar=1, name="p"), name="e"),
        "heads": lambda: S.SliceChannel(fc(), num_outputs=3, name="s"),
        "topk": lambda: S.topk(fc(), ret_typ="both", k=1, name="tk"),
        "statistics": lambda: S.BatchNorm(fc(), output_mean_var=True, name="bn"),
        "like": lambda: S.broadcast_add(S.broadcast_like(fc(), ex(), name="bl"), fc("fc3"), name="b"),
        "make_loss": lambda: S.make_loss(fc(), name="ml"),
        "pool": lambda: S.Pooling(
            S.Convolution(V("data"), kernel=(1, 1), num_filter=2, name="c"), kernel=(2, 2), name="p"
        ),
        "embedding": lambda: fc("fc2", S.Embedding(V("data"), input_dim=5, output_dim=3, name="emb")),
        "deconvolution": lambda: S.Deconvolution(V("data"), kernel=(2, 2), num_filter=2, name="dc"),
        "cast_before": lambda: S.elemwise_add(
            V("data"), S.FullyConnected(V("data"), num_hidden=3, name="fc"), name="p"
        ),
        "shared_cast": lambda: shared(lambda data, f: S.elemwise_add(data, f, name="p")),
        "shared_twice": lambda: shared(lambda data, f: S.Group([f, S.elemwise_add(data, data, name="p")])),
        "shared_wider": lambda: shared(
            lambda data, f: S.Group([f, S.elemwise_add(data, S.exp(data, name="e"), name="p")])
        ),
        "shared_later": lambda: shared(lambda data, f: S.Group([S.elemwise_add(data, V("x"), name="p"), f])),
        "wide_and_cast": lambda: shared(lambda e, f: S.elemwise_add(f, e, name="p"), S.exp(V("data"), name="e")),
        "reshape_like": lambda: S.broadcast_add(S.reshape_like(fc(), fc("fc2"), name="rl"), fc("fc3"), name="b"),
        "sequence_mask": lambda: S.broadcast_add(
            S.SequenceMask(fc(), V("v"), use_sequence_length=True, name="m"), fc("fc2"), name="b"
        ),
        "norms": lambda: S.L2Normalization(S.LayerNorm(fc(), name="ln"), name="l2"),
    }


#: How each graph is converted: keyword arguments of ``convert_symbol``.
OPTIONS = {
    "float16": {"target_dtype": "float16"},
    "bfloat16": {"target_dtype": "bfloat16"},
    "excluded": {"target_dtype": "float16", "excluded_sym_names": ["fc", "ex", "bn"]},
    "parameters": {"target_dtype": "float16", "data_names": ["data"]},
    "short_parameters": {"target_dtype": "float16", "data_names": ["data"], "cast_optional_params": True},
    "own_lists": {"target_dtype": "float16", "target_dtype_ops": ["exp"], "fp32_ops": ["FullyConnected"]},
}


def described(symbol, json):
    """The nodes of a symbol as text, without what differs from process to process."""
    graph = json.loads(symbol.tojson(remove_amp_cast=False))
    nodes = [[n["op"], n["name"], n.get("attrs", {}), [i[:2] for i in n["inputs"]]] for n in graph["nodes"]]
    return [nodes, [h[:2] for h in graph["heads"]]]


def calls(mx):
    """Calls under ``amp.init('bfloat16')``, each a function of nothing that gives an array."""
    nd = mx.nd
    x, w, b = nd.ones((2, 3)), nd.ones((4, 3)), nd.ones(4)

    def fc():
        return nd.FullyConnected(x, w, b, num_hidden=4)

    return {
        "fc": fc,
        "conv": lambda: nd.Convolution(
            nd.ones((1, 1, 4, 4)), nd.ones((2, 1, 3, 3)), nd.ones(2), kernel=(3, 3), num_filter=2
        ),
        "exp": lambda: nd.exp(fc()),
        "same": lambda: fc() + fc(),
        "wider": lambda: fc() + nd.ones((2, 4)),
        "broadcast": lambda: nd.broadcast_add(fc(), nd.ones((2, 4))),
        "relu": lambda: nd.relu(fc()),
        "sum": lambda: fc().sum(),
        "softmax": lambda: nd.softmax(fc()),
        "number": lambda: fc() * 2,
        "method": lambda: fc().exp(),
        "softrelu": lambda: nd.Activation(fc(), act_type="softrelu"),
        "activation": lambda: nd.Activation(fc(), act_type="relu"),
        "dot": lambda: nd.dot(fc(), nd.ones((4, 2))),
        "double": lambda: nd.FullyConnected(*[a.astype("float64") for a in (x, w, b)], num_hidden=4),
        "integers": lambda: nd.exp(nd.ones((2,), dtype="int32")),
        "embedding": lambda: nd.Embedding(nd.array([1, 2]), w, input_dim=4, output_dim=3),
        "add_n": lambda: nd.add_n(fc(), nd.ones((2, 4))),
        "where": lambda: nd.where(nd.ones((2, 4)), fc(), nd.ones((2, 4))),
        "loss": lambda: nd.SoftmaxOutput(fc(), nd.array([0, 1])),
        "split": lambda: nd.split(fc(), 2)[0],
        "keywords": lambda: nd.FullyConnected(data=x, weight=w, bias=b, num_hidden=4),
        "gemm": lambda: nd.linalg.gemm2(fc(), nd.ones((4, 2))),
        "no_bias": lambda: nd.FullyConnected(x, w, no_bias=True, num_hidden=4),
    }
