"""Small programs around training whose results, or the classes of whose errors, are recorded from the original.

Run by the original's old Python as well. ``programs(mx)`` gives functions by name; ``outcome`` runs one.
"""

import collections
import itertools
import random

import numpy as np


def shown(value, mx):
    """A result as JSON has it."""
    if isinstance(value, mx.nd.NDArray):
        return [np.dtype(value.dtype).name, np.round(value.asnumpy().astype("float64"), 5).tolist()]
    if isinstance(value, (list, tuple)):
        return [shown(part, mx) for part in value]
    if isinstance(value, dict):
        return {str(key): shown(part, mx) for key, part in value.items()}
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return round(float(value), 6)
    return value if isinstance(value, (int, str, bool, type(None))) else str(value)


def outcome(function, mx):
    """What a program gives, or the names of its error's classes."""
    try:
        return {"gives": shown(function(), mx)}
    except Exception as error:
        return {"raises": [base.__name__ for base in type(error).__mro__[:-3]]}


def programs(mx):
    """All programs by name."""
    found = {}
    for family in (trainers, modules, batches, blocks, initializers, sentences, test_helpers, pipelines, updates):
        found.update(family(mx))
    return found


def _store(mx, kind):
    return mx.kv.create(kind[7:]) if kind and kind.startswith("object ") else kind


KINDS = (None, "local", "device", "object local", "object device", "teststore")


def trainers(mx):
    """Which path Gluon's Trainer takes for each kind of store, of update and number of devices."""
    gluon = mx.gluon

    def train(kind, on_store, devices, apart):
        contexts = [mx.cpu(i) for i in range(devices)]
        net = gluon.nn.Dense(2, in_units=3, prefix="d_")
        net.initialize(mx.init.One(), ctx=contexts)
        settings = {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}
        params = net.collect_params()
        trainer = gluon.Trainer(params, "sgd", settings, kvstore=_store(mx, kind), update_on_kvstore=on_store)
        for _ in range(2):
            with mx.autograd.record():
                losses = [net(mx.nd.array([[1, 2, 3.0]], ctx=c)).sum() for c in contexts]
            mx.autograd.backward(losses)
            if apart:
                trainer.allreduce_grads()
                trainer.update(2)
            else:
                trainer.step(2)
        optimizer = trainer.optimizer
        updater = trainer._kvstore._updater if trainer._update_on_kvstore else trainer._updaters[0]
        counts = {k: sorted(map(list, v.items())) for k, v in optimizer._all_index_update_counts.items()}
        return [
            trainer._kvstore is None,
            trainer._update_on_kvstore,
            [optimizer.num_update, optimizer.rescale_grad, counts, sorted(optimizer.param_dict)],
            sorted(map(str, updater.states)),
            [p.list_data() for p in params.values()],
            [p.list_grad() for p in params.values()],
        ]

    found = {}
    for kind, on_store, devices, apart in itertools.product(KINDS, (None, True, False), (1, 2), (False, True)):
        if on_store and kind not in ("object local", "object device") and (devices == 1 or kind is None):
            continue  # the original stumbles over its own None, ours says what is wrong
        name = "trainer %s %s %d %s" % (kind, on_store, devices, apart)
        found[name] = lambda args=(kind, on_store, devices, apart): train(*args)
    return found


def _network(mx):
    data = mx.sym.Variable("data")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), name="softmax")


def _bound(mx, devices=1, **how):
    module = mx.mod.Module(_network(mx), context=[mx.cpu(i) for i in range(devices)])
    module.bind([("data", (4, 3))], [("softmax_label", (4,))], **how)
    module.init_params(mx.init.One())
    return module


def _batch(mx, size=4):
    data = mx.nd.array(np.arange(size * 3).reshape(size, 3) / 10.0)
    return mx.io.DataBatch([data], [mx.nd.array(np.arange(size) % 2)])


def modules(mx):
    """Which path a Module takes for each kind of store, what its optimizer sees, and how it calls one of a user's."""

    def train(kind, devices):
        module = _bound(mx, devices)
        settings = {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}
        module.init_optimizer(kvstore=_store(mx, kind), optimizer_params=settings)
        for _ in range(2):
            module.forward(_batch(mx))
            module.backward()
            module.update()
        optimizer = module._optimizer
        updater = module._updater or module._kvstore._updater
        return [
            [module._kvstore is None, module._update_on_kvstore, module._updater is None],
            [optimizer.idx2name, optimizer.num_update, optimizer.wd_mult, optimizer.lr_mult, optimizer.rescale_grad],
            {k: sorted(map(str, v.items())) for k, v in optimizer._all_index_update_counts.items()},
            sorted(map(str, updater.states)),
            module.get_params(),
        ]

    def users(kind, devices):
        seen = []

        class Mine(mx.optimizer.Optimizer):
            def create_state(self, index, weight):
                seen.append(["state", index])

            def update(self, index, weight, grad, state):
                seen.append(["update", index])
                weight -= grad

        module = _bound(mx, devices)
        module.init_optimizer(kvstore=kind, optimizer=Mine())
        module.forward(_batch(mx))
        module.backward()
        module.update()
        return [seen, module.get_params()]

    def multiplied():
        module = _bound(mx)
        optimizer = mx.optimizer.SGD(learning_rate=0.1, rescale_grad=0.25)
        module.init_optimizer(optimizer=optimizer)
        optimizer.set_lr_mult({"fc_weight": 0.0, 1: 0.5})
        module.forward(_batch(mx))
        module.backward()
        module.update()
        return [module.get_params(), optimizer.idx2name, optimizer.lr_mult, optimizer.wd_mult]

    def set_params(given, how):
        module = _bound(mx)
        module.set_params({name: mx.nd.full(shape, 2) for name, shape in given.items()}, {}, **how)
        return module.get_params()

    found = {"module multipliers": multiplied}
    for kind, devices in itertools.product(KINDS[:-1], (1, 2)):
        found["module %s %d" % (kind, devices)] = lambda args=(kind, devices): train(*args)
    for kind, devices in itertools.product((None, "local"), (1, 2)):
        found["user's optimizer %s %d" % (kind, devices)] = lambda args=(kind, devices): users(*args)
    for given in ({"fc_weight": (2, 3)}, {"fc_weight": (2, 3), "fc_bias": (2,), "z": (1,)}, {"fc_weight": (3, 3)}):
        for missing, extra in itertools.product((False, True), (False, True)):
            name = "set_params %s %s %s" % (sorted(given.items()), missing, extra)
            how = {"allow_missing": missing, "allow_extra": extra}
            found[name] = lambda args=(given, how): set_params(*args)
    return found


class Anything:
    """An object with the attributes it is given."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


def batches(mx):
    """Batches that are not DataBatches, and shapes in odd forms."""
    ones, desc = mx.nd.ones, mx.io.DataDesc

    def forward(batch, **how):
        module = _bound(mx)
        module.forward(batch, **how)
        return [module.get_outputs(), module.data_shapes]

    def bind(data, labels):
        module = mx.mod.Module(_network(mx))
        module.bind(data, labels)
        module.init_params(mx.init.One())
        module.forward(_batch(mx), is_train=False)
        return [module.data_shapes, module.label_shapes, module.get_outputs(), module.output_shapes]

    def provided(size):
        told = {"provide_data": [("data", (size, 3))], "provide_label": [("softmax_label", (size,))]}
        return mx.io.DataBatch([ones((2, 3))], [ones((2,))], **told)

    found = {
        "batch without provide_data": lambda: forward(Anything(data=[ones((4, 3))], label=[ones((4,))])),
        "smaller batch without provide_data": lambda: forward(Anything(data=[ones((2, 3))], label=[ones((2,))])),
        "batch without label": lambda: forward(Anything(data=[ones((4, 3))]), is_train=False),
        "batch of tuples": lambda: forward(mx.io.DataBatch((ones((4, 3)),), (ones((4,)),))),
        "batch that says its shapes": lambda: forward(provided(2)),
        "batch that says wrong shapes": lambda: forward(provided(4)),
        "batch with too many": lambda: forward(mx.io.DataBatch([ones((4, 3))] * 2, [ones((4,))])),
        "batch with none": lambda: forward(mx.io.DataBatch([], [ones((4,))])),
        "iterator without data": lambda: mx.io.NDArrayIter(None, batch_size=1),
    }
    for name, data, labels in (
        ("pairs", [("data", (4, 3))], [("softmax_label", (4,))]),
        ("lists", [["data", [4, 3]]], [["softmax_label", [4]]]),
        ("three", [("data", (4, 3), "float32")], [("softmax_label", (4,), np.float32)]),
        ("four", [("data", (4, 3), "float32", "NC")], None),
        ("five", [("data", (4, 3), "float32", "NC", 1)], None),
        ("tuples", (("data", (4, 3)),), (("softmax_label", (4,)),)),
        ("no labels", [("data", (4, 3))], []),
        ("another name", [("dat", (4, 3))], None),
        ("descriptions", [desc("data", (4, 3), "float32", "NT")], [desc("softmax_label", (4,))]),
        ("one too many", [("data", (4, 3)), ("x", (1,))], None),
        ("a name only", [("data",)], None),
        ("text", "data", None),
        ("nothing", None, None),
        ("a pair", ("data", (4, 3)), None),
        ("sizes that differ", [("data", (4, 3))], [("softmax_label", (5,))]),
    ):
        found["bind " + name] = lambda args=(data, labels): bind(*args)
    return found


def blocks(mx):
    """Hybridized blocks called with None, and with lists."""
    gluon, nd = mx.gluon, mx.nd

    class Maybe(gluon.HybridBlock):
        def hybrid_forward(self, F, x, factor=None):
            return x + 1 if factor is None else x * factor

    class Listed(gluon.HybridBlock):
        def hybrid_forward(self, F, arrays):
            return F.add_n(*[a for a in arrays if a is not None])

    class Nested(gluon.HybridBlock):
        def hybrid_forward(self, F, a, b):
            return a + b[0] + b[1][0] * b[1][1], [b[0], [a, b[1][0]]]

    def calls(kind, hybrid, arguments):
        block = kind()
        if hybrid:
            block.hybridize()
        found = []
        for each in arguments:
            try:
                found.append(shown(block(*each), mx))
            except ValueError:
                found.append("ValueError")
        return found

    x, y = nd.array([[1, 2, 3.0]]), nd.array([[2.0, 3, 4]])
    found = {}
    for name, arguments in (
        ("left out, then None", [(x,), (x, None)]),
        ("None, then left out", [(x, None), (x,)]),
        ("given, then None", [(x, y), (x, None)]),
        ("given, then left out", [(x, y), (x,), (x, y)]),
        ("None, then given", [(x, None), (x, y)]),
        ("left out, then given", [(x,), (x, y)]),
    ):
        for hybrid in (False, True):
            found["%s %s" % (name, hybrid)] = lambda args=(Maybe, hybrid, arguments): calls(*args)
    for name, arguments in (
        ("lists", [([x, y],), ([y, y],)]),
        ("lists of other lengths", [([x, y],), ([x],)]),
        ("lists with None", [([x, None, y],), ([y, None, y],)]),
        ("lists with None elsewhere", [([x, None],), ([None, x],)]),
    ):
        for hybrid in (False, True):
            found["%s %s" % (name, hybrid)] = lambda args=(Listed, hybrid, arguments): calls(*args)
    for hybrid in (False, True):
        arguments = [(x, [x, [y, x]]), (x, (x, (y, y))), (x, [x, [y, x, x]])]
        found["nested %s" % hybrid] = lambda args=(Nested, hybrid, arguments): calls(*args)
    return found


def initializers(mx):
    """Initializers as text, called by names and by descriptions."""
    init, nd = mx.init, mx.nd
    made = {
        "zero": lambda: init.Zero(),
        "a number": lambda: init.Constant(3),
        "an NDArray": lambda: init.Constant(nd.array([1, 2.0])),
        "a NumPy array": lambda: init.Constant(np.array([1, 2.0])),
        "bilinear": lambda: init.Bilinear(),
        "LSTM": lambda: init.LSTMBias(2.0),
        "mixed": lambda: init.Mixed(["bias", ".*"], [init.Zero(), init.One()]),
        "loaded": lambda: init.Load({"a": nd.ones(2)}),
        "Xavier": lambda: init.Xavier("gaussian", "in", 2),
        "fused": lambda: init.FusedRNN(init.One(), 2, 1, "lstm"),
    }

    def call(make, name, shape):
        array = nd.full(shape, 7.0)
        make()(name, array)
        return array

    def described(attributes):
        array = nd.full((2,), 7.0)
        init.Zero()(init.InitDesc("w_bias", attributes), array)
        return array

    found = {
        "described by an initializer": lambda: described({"__init__": init.One().dumps()}),
        "described by a name": lambda: described({"__init__": "one"}),
        "described by nothing": lambda: described({"__init__": ""}),
        "called with a number": lambda: call(init.Zero, 3, (2,)),
        "mixed without initializers": lambda: init.Mixed(["a"], []),
        "loaded with another shape": lambda: call(made["loaded"], "a", (3,)),
    }
    names = ("a_weight", "a_bias", "a_gamma", "a_beta", "a_running_mean", "a_moving_var", "a_min", "zzz", "a")
    for kind, make in made.items():
        found["dumps " + kind] = lambda make=make: make().dumps()
        if kind in ("zero", "a number", "mixed", "loaded", "LSTM"):
            for name in names:
                found["%s for %s" % (kind, name)] = lambda args=(make, name): call(
                    *args, shape=(2,) if args[1] == "a" else (2, 2)
                )
    return found


def sentences(mx):
    """Generated calls of the text helpers."""
    generator, words = random.Random(5), ["a", "b", "c", "Dd", "e", "<unk>", "  ", "x\ty", ""]
    text, choice = mx.contrib.text, generator.choice
    found = {}

    def encode(given, how):
        vocab = dict(how["vocab"]) if "vocab" in how else None
        return mx.rnn.encode_sentences(given, **dict(how, vocab=vocab))

    def count(given, how):
        if "counter_to_update" in how:
            how = dict(how, counter_to_update=collections.Counter(how["counter_to_update"]))
        return sorted(map(list, text.utils.count_tokens_from_str(given, **how).items()))

    def vocabulary(counter, how):
        made = text.vocab.Vocabulary(counter, **how)
        return [made.idx_to_token, made.token_to_idx, made.reserved_tokens, made.to_indices(["a", "zz"]), len(made)]

    for i in range(60):
        given = [[choice(words) for _ in range(generator.randint(0, 5))] for _ in range(generator.randint(0, 4))]
        options = {
            "vocab": choice([{"a": 0, "b": 7, "\n": 0}, {"a": 1}, {"a": 3, "b": 1}]),
            "invalid_label": choice([-1, 0, 5]),
            "invalid_key": choice(["\n", "a", "<unk>"]),
            "start_label": choice([0, 1, -1]),
            "unknown_token": choice([None, "<unk>", "zz", "a"]),
        }
        how = {name: options[name] for name in sorted(options) if generator.random() < 0.4}
        found["encode_sentences %d" % i] = lambda args=(given, how): encode(*args)
        options = {
            "token_delim": choice([" ", "\t", "a", ".", "|"]),
            "seq_delim": choice(["\n", "b", ".", "[b]"]),
            "to_lower": True,
            "counter_to_update": {"a": 3},
        }
        how = {name: options[name] for name in sorted(options) if generator.random() < 0.4}
        line = " ".join(choice([*words, "\n"]) for _ in range(8))
        found["count_tokens_from_str %d" % i] = lambda args=(line, how): count(*args)
        counter = collections.Counter(
            {w: generator.randint(1, 4) for w in generator.sample(words, generator.randint(0, 6))}
        )
        how = {
            "most_freq_count": choice([None, 0, 1, 2, 10]),
            "min_freq": choice([1, 2, 3, 0]),
            "unknown_token": choice(["<unk>", "u"]),
            "reserved_tokens": choice([None, [], ["p"], ["p", "p"], ["<unk>"], ["a"], ["p", "q"]]),
        }
        found["Vocabulary %d" % i] = lambda args=(counter, how): vocabulary(*args)
    return found


def test_helpers(mx):
    """The helpers of ``mx.test_utils``."""
    helpers, sym, random_state = mx.test_utils, mx.sym, np.random.RandomState(0)
    values = random_state.rand(3, 4).astype("float32")
    x, y = sym.Variable("x"), sym.Variable("y")

    def message(a, b, **how):
        try:
            helpers.assert_almost_equal(a, b, **how)
        except AssertionError as error:
            return str(error).split(" ACTUAL")[0].replace(" nan ", " inf ")  # the size of what is no number
        return "equal"

    def seeded(call):
        np.random.seed(3)
        return call()

    found = {
        "equal arrays": lambda: message(values, values),
        "one number apart": lambda: message(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.5, 3.0])),
        "a number and NaN": lambda: message(np.array([1.0, np.nan]), np.array([1.0, 2.0])),
        "a number and infinity": lambda: message(np.array([1.0, np.inf]), np.array([1.0, 2.0]), rtol=0.1, atol=0.1),
        "two numbers": lambda: message(1.0, 1.1),
        "other names": lambda: message(np.array([1.0]), np.array([2.0]), names=("x", "y"), rtol=0, atol=0.5),
        "default tolerances": lambda: [
            helpers.get_rtol(),
            helpers.get_atol(),
            helpers.get_etol(),
            helpers.get_rtol(0.5),
        ],
        "almost_equal of float16": lambda: bool(helpers.almost_equal(values.astype("float16"), values)),
        "shapes": lambda: seeded(
            lambda: [helpers.rand_shape_2d(), helpers.rand_shape_3d(4, 5, 6), helpers.rand_coord_2d(0, 5, 0, 5)]
        ),
        "shapes of n": lambda: seeded(
            lambda: [int(i) for i in helpers.rand_shape_nd(4) + helpers.rand_shape_nd(3, 5, True)]
        ),
        "random_arrays": lambda: seeded(lambda: [a.tolist() for a in helpers.random_arrays((2,), (3,))]),
        "np_reduce": lambda: [
            helpers.np_reduce(values, 1, True, np.sum).tolist(),
            float(helpers.np_reduce(values, None, False, np.max)),
        ],
        "numeric gradient": lambda: helpers.check_numeric_gradient(
            sym.sin(x) * y, {"x": values, "y": values}, grad_nodes=["x"]
        ),
        "wrong gradient": lambda: helpers.check_numeric_gradient(sym.BlockGrad(x), [values]),
        "forward": lambda: helpers.check_symbolic_forward(x * 2, [values], [values * 2]),
        "wrong forward": lambda: helpers.check_symbolic_forward(x * 2, [values], [values * 3]),
        "backward": lambda: list(helpers.check_symbolic_backward(x * 2, [values], [values], [values * 2])),
        "wrong backward": lambda: helpers.check_symbolic_backward(x * 2, [values], [values], [values * 3]),
        "unknown argument": lambda: helpers.check_symbolic_forward(x, {"z": values}, [values]),
        "consistency": lambda: len(helpers.check_consistency(sym.sin(x), [{"ctx": mx.cpu(), "x": (2, 3)}] * 2)),
        "inconsistency": lambda: helpers.check_consistency(
            [sym.sin(x), sym.cos(x)], [{"ctx": mx.cpu(), "x": (2, 3)}] * 2
        ),
        "simple_forward": lambda: helpers.simple_forward(x * 2, x=values).tolist(),
        "no exception": lambda: helpers.assert_exception(lambda: 1, ValueError),
        "optimizers that differ": lambda: helpers.compare_optimizer(
            mx.optimizer.SGD(learning_rate=0.1), mx.optimizer.SGD(learning_rate=0.2), [(2, 3)], "float32"
        ),
    }
    return found


def pipelines(mx):
    """Data sets and loaders, splitting and clipping."""
    data, nd, utils = mx.gluon.data, mx.nd, mx.gluon.utils

    def numbers(count=5):
        return data.ArrayDataset(nd.array(np.arange(count * 2).reshape(count, 2)), np.arange(count, dtype="float32"))

    def plain(value):
        return value.asnumpy().tolist() if hasattr(value, "asnumpy") else value

    def loaded(**how):
        loader = data.DataLoader(numbers(), 2, **how)
        return [[[plain(part) for part in batch] for batch in loader] for _ in range(2)] + [len(loader)]

    def clipped(arrays, limit, **how):
        arrays = [nd.array(values, ctx=mx.cpu(i % 2)) for i, values in enumerate(arrays)]
        norm = utils.clip_global_norm(arrays, limit, **how)
        return [type(norm).__name__, str(plain(norm)), [str(plain(a)) for a in arrays]]

    class Broken(data.Dataset):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            if index == 2:
                raise KeyError("the third is broken")
            return index

    simple, x = data.SimpleDataset(list(range(7))), nd.arange(12).reshape((6, 2))
    found = {
        "transform": lambda: [float(v) for v in numbers().transform(lambda a, b: (a.sum().asscalar(), b + 1))[1]],
        "filter": lambda: [simple.filter(lambda v: v % 2)[i] for i in range(3)],
        "shard": lambda: [[simple.shard(3, i)[j] for j in range(len(simple.shard(3, i)))] for i in range(3)],
        "shard out of range": lambda: simple.shard(2, 2),
        "take": lambda: [len(simple.take(n)) for n in (0, 2, 9, None)],
        "take fewer than none": lambda: len(simple.take(-1)),
        "arrays of other lengths": lambda: data.ArrayDataset([1, 2], [1]),
        "batches without a size": lambda: data.DataLoader(simple),
        "a sampler to shuffle": lambda: data.DataLoader(simple, 2, shuffle=True, sampler=data.SequentialSampler(3)),
        "no time": lambda: data.DataLoader(simple, 2, timeout=0),
        "sample what is no sampler": lambda: simple.sample([1]),
        "loader of processes": lambda: loaded(num_workers=2),
        "loader of threads": lambda: loaded(num_workers=2, thread_pool=True),
        "pinned": lambda: [str(b[0].context) for b in data.DataLoader(numbers(), 2, pin_memory=True)],
        "an error": lambda: list(data.DataLoader(Broken(), 1)),
        "an error in a process": lambda: list(data.DataLoader(Broken(), 1, num_workers=1)),
        "an error in a thread": lambda: list(data.DataLoader(Broken(), 1, num_workers=1, thread_pool=True)),
        "split_and_load": lambda: utils.split_and_load(x, [mx.cpu(0), mx.cpu(1)]),
        "split_and_load of NumPy": lambda: utils.split_and_load(x.asnumpy(), [mx.cpu(0), mx.cpu(1)]),
        "split_and_load of odd": lambda: utils.split_and_load(nd.ones((3, 1)), [mx.cpu(0), mx.cpu(1)]),
        "an estimator elsewhere": lambda: mx.gluon.contrib.estimator.Estimator(
            mx.gluon.nn.Dense(2, in_units=3), mx.gluon.loss.L2Loss(), context=[mx.cpu(), mx.gpu(9)]
        ),
        "an estimator anywhere": lambda: str(
            mx.gluon.contrib.estimator.Estimator(
                mx.gluon.nn.Dense(2, in_units=3), mx.gluon.loss.L2Loss(), context=[]
            ).context
        ),
        "no retries": lambda: utils.download("http://127.0.0.1:9/x", "nothing", retries=-1),
    }
    for last in ("keep", "discard", "rollover", "else"):
        found["last batch " + last] = lambda last=last: loaded(last_batch=last)
    for parts, axis, even in ((2, 0, True), (4, 0, True), (4, 0, False), (7, 0, False), (2, 1, True), (1, 0, True)):
        found["split %d %d %s" % (parts, axis, even)] = lambda args=(parts, axis, even): utils.split_data(x, *args)
    for name, arrays, limit in (
        ("all", [[3.0, 4.0], [0.0]], 1),
        ("nothing", [[3.0, 4.0]], 100),
        ("NaN", [[np.nan, 1.0]], 1),
        ("infinity", [[np.inf, 1.0]], 1),
        ("no arrays", [], 1),
        ("zeros", [[0.0, 0.0]], 1),
    ):
        for check in (True, False):
            how = {"check_isfinite": check}
            found["clip %s %s" % (name, check)] = lambda args=(arrays, limit), how=how: clipped(*args, **how)
    return found


def updates(mx):
    """Updates in place, also where weight and gradient are one array."""
    nd = mx.nd

    def operator(name, states, same, in_place, how):
        weight = nd.array([1, 2, 3.0])
        grad = weight if same else nd.array([0.5, -1, 2])
        kept = [nd.array([0.1, 0.2, 0.3]) * (i + 1) for i in range(states)]
        result = getattr(nd, name)(weight, grad, *kept, lr=0.1, wd=0.3, out=weight if in_place else None, **how)
        return [result, weight, grad, kept]

    def optimizer(name, how):
        made = mx.optimizer.create(name, learning_rate=0.1, wd=0.1, **how)
        updater, weight, other = mx.optimizer.get_updater(made), nd.array([1, 2, 3.0]), nd.array([3, 2, 1.0])
        for _ in range(2):
            updater(0, weight, weight)
            updater([1, 2], [other, nd.ones(3)], [other, weight])
        return [weight, other]

    found = {}
    for name, states, how in (
        ("sgd_update", 0, {}),
        ("sgd_mom_update", 1, {"momentum": 0.9}),
        ("sgd_mom_update", 1, {"momentum": 0.0}),
        ("sgd_mom_update", 1, {"momentum": 0.9, "rescale_grad": 0.0}),
        ("nag_mom_update", 1, {"momentum": 0.9}),
        ("adam_update", 2, {}),
        ("signsgd_update", 0, {}),
        ("signum_update", 1, {"momentum": 0.9}),
        ("rmsprop_update", 1, {}),
        ("rmspropalex_update", 3, {"epsilon": 1.0}),
    ):
        for clip, same, in_place in itertools.product((-1, 0.8), (False, True), (False, True)):
            if name == "nag_mom_update" and same and in_place:
                continue  # the original reads a gradient that it has overwritten
            given = dict(how, clip_gradient=clip)
            key = "%s %s %s %s" % (name, sorted(given.items()), same, in_place)
            found[key] = lambda args=(name, states, same, in_place, given): operator(*args)
    for name, how in (
        ("sgd", {}),
        ("sgd", {"momentum": 0.9}),
        ("adam", {}),
        ("rmsprop", {}),
        ("adagrad", {}),
        ("lamb", {}),
    ):
        found["optimizer %s %s on one array" % (name, sorted(how))] = lambda args=(name, how): optimizer(*args)
    return found
