"""Programs with modules and FeedForward that the recorder and the tests share. Read by the original's packages too.

Each case returns something JSON can hold: numbers to compare with a tolerance, texts to compare as they are. All
parameters are given, so that nothing depends on random numbers.
"""

import logging
import re
import warnings

import numpy as np

X = (np.arange(50).reshape(10, 5) % 7).astype("float32") / 7
Y = (np.arange(10) % 3).astype("float32")


def ramp(*shape):
    """Parameters of that shape."""
    return ((np.arange(int(np.prod(shape))) * 7 % 11).reshape(shape).astype("float32") - 5) / 10


def mlp(mx):
    data = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(data, name="softmax")


def norm_net(mx):
    data = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc1")
    data = mx.sym.BatchNorm(data, name="bn", fix_gamma=False)
    data = mx.sym.FullyConnected(mx.sym.Activation(data, act_type="relu", name="relu"), num_hidden=3, name="fc2")
    return mx.sym.SoftmaxOutput(data, name="softmax")


def params(mx, symbol, **shapes):
    """Parameters and auxiliary states for a symbol."""
    arg_shapes, _, aux_shapes = symbol.infer_shape(**shapes)
    args = {n: mx.nd.array(ramp(*s)) for n, s in zip(symbol.list_arguments(), arg_shapes) if n not in shapes}
    args = {n: a for n, a in args.items() if not n.endswith("label")}
    states = symbol.list_auxiliary_states()
    aux = {n: mx.nd.zeros(s) if n.endswith("mean") else mx.nd.ones(s) for n, s in zip(states, aux_shapes)}
    return args, aux


def batch(mx, start, stop, **kwargs):
    return mx.io.DataBatch([mx.nd.array(X[start:stop])], [mx.nd.array(Y[start:stop])], **kwargs)


def numbers(arrays):
    """Arrays, by name or not, as lists."""
    if isinstance(arrays, dict):
        return {k: numbers(v) for k, v in sorted(arrays.items())}
    if isinstance(arrays, (list, tuple)):
        return [numbers(a) for a in arrays]
    return np.round(arrays.asnumpy().astype("float64"), 6).tolist()


def bound(mx, symbol=None, size=4, bind=None, contexts=None, **kwargs):
    """A module with parameters."""
    symbol = symbol if symbol is not None else mlp(mx)
    module = mx.mod.Module(symbol, context=contexts or mx.cpu(), **kwargs)
    module.bind([("data", (size, 5))], [("softmax_label", (size,))], **(bind or {}))
    args, aux = params(mx, symbol, data=(size, 5))
    module.init_params(arg_params=args, aux_params=aux)
    return module


def trained(mx, module, steps=3, size=4, optimizer="sgd", **settings):
    """Parameters, outputs and states after some steps."""
    kvstore = settings.pop("kvstore", "local")
    module.init_optimizer(kvstore, optimizer, dict({"learning_rate": 0.1, "wd": 0.01}, **settings))
    for i in range(steps):
        module.forward_backward(batch(mx, i, i + size))
        module.update()
    module.forward(batch(mx, 0, size), is_train=False)
    return [numbers(module.get_params()), numbers(module.get_outputs())]


# ---- training ------------------------------------------------------------------------------------------------------


def train_plain(mx):
    return trained(mx, bound(mx))


def train_momentum(mx):
    return trained(mx, bound(mx), momentum=0.9)


def train_adam(mx):
    return trained(mx, bound(mx), optimizer="adam")


def train_store_object(mx):
    return trained(mx, bound(mx), momentum=0.9, kvstore=mx.kv.create("local"))


def two(mx):
    return [mx.cpu(0), mx.cpu(1)]


def train_two_local(mx):
    return trained(mx, bound(mx, size=6, contexts=two(mx)), size=6, momentum=0.9)


def train_two_device(mx):
    return trained(mx, bound(mx, size=6, contexts=two(mx)), size=6, kvstore="device")


def train_two_alone(mx):
    module = bound(mx, size=6, contexts=two(mx))
    found = trained(mx, module, size=6, kvstore=None)
    return [found[0], numbers(module._exec_group.param_arrays), sorted(module._updater.states)]


def train_two_loads(mx):
    module = bound(mx, size=6, contexts=two(mx), work_load_list=[1, 2])
    slices = [[s.start, s.stop] for s in module._exec_group.slices]
    return [trained(mx, module, size=6), slices, numbers(module.get_outputs(merge_multi_context=False))]


def train_norm(mx):
    return trained(mx, bound(mx, norm_net(mx)), momentum=0.5)


def train_norm_two(mx):
    return trained(mx, bound(mx, norm_net(mx), size=6, contexts=two(mx)), size=6)


def train_fixed(mx):
    return trained(mx, bound(mx, norm_net(mx), fixed_param_names=["fc1_bias", "bn_beta"]), momentum=0.5)


def train_multipliers(mx):
    data = mx.sym.var("data")
    weight = mx.sym.var("fc_weight", lr_mult=0.5, wd_mult=3)
    data = mx.sym.FullyConnected(data, weight, num_hidden=3, name="fc")
    return trained(mx, bound(mx, mx.sym.SoftmaxOutput(data, name="softmax")))


def gradients_add(mx):
    module = bound(mx, bind={"grad_req": "add", "inputs_need_grad": True})
    for i in range(2):
        module.forward_backward(batch(mx, i, i + 4))
    return [numbers(module._exec_group.grad_arrays), numbers(module.get_input_grads())]


def gradients_of_inputs(mx):
    module = bound(mx, size=6, contexts=two(mx), bind={"inputs_need_grad": True})
    module.forward_backward(batch(mx, 0, 6))
    return [numbers(module.get_input_grads()), numbers(module.get_input_grads(merge_multi_context=False))]


def gradients_from_outside(mx):
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    module = mx.mod.Module(symbol, label_names=None, context=two(mx))
    module.bind([("data", (6, 5))])
    module.init_params(arg_params=params(mx, symbol, data=(6, 5))[0])
    module.forward(mx.io.DataBatch([mx.nd.array(X[:6])]), is_train=True)
    module.backward([mx.nd.array(ramp(6, 3))])
    return numbers(module._exec_group.grad_arrays)


def requests(mx):
    found = []
    for request in ("add", "null", {"fc_weight": "write"}, {"data": "write", "fc_bias": "add"}, ["write"] * 4):
        for need in (False, True):
            group = bound(mx, bind={"grad_req": request, "inputs_need_grad": need})._exec_group
            found.append(group.grad_req)
    return found


def reshaped(mx):
    module = bound(mx)
    module.init_optimizer(optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
    found = []
    for start, stop in ((0, 4), (0, 6), (4, 6), (0, 4), (2, 8)):
        module.forward_backward(batch(mx, start, stop))
        module.update()
        shapes = [[d.name, list(d.shape), d.layout] for d in module.data_shapes + module.label_shapes]
        found.append([shapes, module.output_shapes[0][1][0], numbers(module.get_outputs())])
    module.reshape([("data", (3, 5))], [("softmax_label", (3,))])
    module.forward(batch(mx, 0, 3), is_train=False)
    return [found, numbers(module.get_outputs()), numbers(module.get_params()[0])]


def batch_axis(mx):
    """Batches in the second axis, and an output without a batch."""
    data = mx.sym.var("data")
    symbol = mx.sym.Group([mx.sym.BlockGrad(data * 2, name="twice", attr={"__layout__": "TNC"}), mx.sym.sum(data)])
    module = mx.mod.Module(symbol, label_names=None, context=two(mx))
    module.bind([mx.io.DataDesc("data", (3, 4, 2), layout="TNC")], for_training=False)
    module.init_params()
    module.forward(mx.io.DataBatch([mx.nd.array(ramp(3, 4, 2))]))
    parts = module.get_outputs(merge_multi_context=False)
    return [numbers(parts[0]), numbers(module.get_outputs()[0])]


def shared(mx):
    first, second = bound(mx), mx.mod.Module(mlp(mx))
    first.init_optimizer(optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
    second.bind([("data", (2, 5))], [("softmax_label", (2,))], shared_module=first)
    found = [second.params_initialized, second.optimizer_initialized]
    for i in range(3):
        for module, size in ((first, 4), (second, 2)):
            module.forward_backward(batch(mx, i, i + size))
            module.update()
    first.forward(batch(mx, 0, 4), is_train=False)
    return [found, numbers(first.get_params()[0]), numbers(second.get_params()[0]), numbers(first.get_outputs())]


def predictions(mx):
    module = bound(mx)
    data = mx.io.NDArrayIter(X, Y, 4)
    return [
        numbers(module.predict(data)),
        numbers(module.predict(data, num_batch=1, always_output_list=True)),
        numbers(module.predict(data, merge_batches=False)),
        [[list(o.shape) for o in outs] + [i, b.pad] for outs, i, b in module.iter_predict(data)],
        [[name, round(value, 6)] for name, value in module.score(data, ["acc", "ce"])],
        [[name, round(value, 6)] for name, value in module.score(data, "acc", num_batch=2)],
    ]


# ---- other modules -------------------------------------------------------------------------------------------------


def bucket(mx):
    def generate(key):
        data = mx.sym.slice_axis(mx.sym.var("data"), axis=1, begin=0, end=2)
        data = mx.sym.FullyConnected(data, num_hidden=3, name="fc")
        return mx.sym.SoftmaxOutput(data * (1 + key / 10.0), name="softmax"), ("data",), ("softmax_label",)

    return generate


def bucket_batch(mx, key, size=4):
    return mx.io.DataBatch(
        [mx.nd.array(X[:size, :key])],
        [mx.nd.array(Y[:size])],
        bucket_key=key,
        provide_data=[("data", (size, key))],
        provide_label=[("softmax_label", (size,))],
    )


def buckets(mx):
    module = mx.mod.BucketingModule(bucket(mx), default_bucket_key=5)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params(
        arg_params={"fc_weight": mx.nd.array(ramp(3, 2)), "fc_bias": mx.nd.array(ramp(3))}, aux_params={}
    )
    module.init_optimizer(optimizer_params={"learning_rate": 0.1, "momentum": 0.5})
    found = []
    for key in (5, 3, 4, 3, 5, 2):
        module.forward_backward(bucket_batch(mx, key))
        module.update()
        found.append([key, module._curr_bucket_key, list(module.data_shapes[0].shape), numbers(module.get_outputs())])
    module.forward(bucket_batch(mx, 3, 6), is_train=False)
    found.append([list(module.data_shapes[0].shape), numbers(module.get_outputs())])
    return [found, sorted(module._buckets), numbers(module.get_params())]


def sequence(mx):
    first = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc1")
    second = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc2"), name="softmax")
    chain = mx.mod.SequentialModule()
    chain.add(mx.mod.Module(first, label_names=None)).add(mx.mod.Module(second), take_labels=True, auto_wiring=True)
    chain.bind([("data", (4, 5))], [("softmax_label", (4,))])
    args = dict(params(mx, first, data=(4, 5))[0], **params(mx, second, data=(4, 4))[0])
    chain.init_params(arg_params=args)
    found = trained(mx, chain, momentum=0.9)
    data = mx.io.NDArrayIter(X, Y, 4)
    return [found, chain.score(data, "acc")[0][1], numbers(chain.predict(data)), chain.output_shapes[0][1][1]]


def python_loss(mx):
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    loss = mx.mod.PythonLossModule(grad_func=lambda scores, labels: scores - labels.reshape((-1, 1)))
    chain = mx.mod.SequentialModule().add(mx.mod.Module(symbol, label_names=None))
    chain.add(loss, take_labels=True, auto_wiring=True)
    chain.bind([("data", (4, 5))], [("softmax_label", (4,))])
    chain.init_params(arg_params=params(mx, symbol, data=(4, 5))[0])
    return [trained(mx, chain), numbers(loss.get_input_grads()), loss.output_names, loss.data_names]


# ---- what happens in which order -----------------------------------------------------------------------------------


class Log(logging.Handler):
    """Collects what is logged, without times and speeds."""

    def __init__(self, events):
        logging.Handler.__init__(self)
        self.events = events

    def emit(self, record):
        text = re.sub(r"Speed: [\d.]+", "Speed: ?", record.getMessage())
        self.events.append("%s: %s" % (record.levelname, re.sub(r"Time cost=[\d.]+", "Time cost=?", text)))


def logger_to(events):
    logger = logging.getLogger("module_cases")
    logger.handlers = [Log(events)]
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return logger


def traced(mx, name, events, inner):
    """An iterator that notes what is called."""

    class Traced(mx.io.DataIter):
        def __init__(self):
            mx.io.DataIter.__init__(self, inner.batch_size)

        provide_data = property(lambda self: inner.provide_data)
        provide_label = property(lambda self: inner.provide_label)

        def reset(self):
            events.append(name + " reset")
            inner.reset()

        def next(self):
            events.append(name + " next")
            return inner.next()

    return Traced()


def traced_metric(mx, events):
    class Traced(mx.metric.EvalMetric):
        def __init__(self):
            mx.metric.EvalMetric.__init__(self, "traced")

        def update(self, labels, preds):
            events.append("update %s %s" % ([list(a.shape) for a in labels], [list(a.shape) for a in preds]))
            self.sum_metric += 1
            self.num_inst += 1

        def reset(self):
            events.append("metric reset")
            mx.metric.EvalMetric.reset(self)

    return Traced()


def callbacks(events):
    return {
        "batch_end_callback": [
            lambda p: events.append("batch end %d %d %s" % (p.epoch, p.nbatch, type(p).__name__)),
            lambda p: events.append(sorted({"self", "train_data", "data_batch", "epoch"} & set(p.locals))),
        ],
        "epoch_end_callback": lambda e, s, a, x: events.append("epoch end %d %s %s" % (e, sorted(a), sorted(x))),
        "eval_batch_end_callback": lambda p: events.append("eval batch %d %d" % (p.epoch, p.nbatch)),
        "eval_end_callback": lambda p: events.append("eval end %d %d" % (p.epoch, p.nbatch)),
    }


def fit_events(mx):
    events = []
    module = mx.mod.Module(mlp(mx), logger=logger_to(events))
    train = traced(mx, "train", events, mx.io.NDArrayIter(X, Y, 4))
    score = traced(mx, "eval", events, mx.io.NDArrayIter(X, Y, 4, last_batch_handle="discard"))
    args = params(mx, mlp(mx), data=(4, 5))[0]
    module.fit(train, score, traced_metric(mx, events), num_epoch=2, arg_params=args, **callbacks(events))
    events.append("again")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        module.fit(train, num_epoch=3, begin_epoch=2, optimizer_params={"learning_rate": 5})
    events += [str(w.message) for w in caught if w.category is UserWarning]
    return [events, numbers(module.get_params()[0])]


def speedometer_log(mx):
    events = []
    module = mx.mod.Module(mlp(mx), logger=logger_to(events))
    root = logging.getLogger()
    handler, level = Log(events), root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        module.fit(
            mx.io.NDArrayIter(X, Y, 1),
            mx.io.NDArrayIter(X, Y, 2),
            num_epoch=2,
            eval_metric=["acc", "ce"],
            arg_params=params(mx, mlp(mx), data=(1, 5))[0],
            batch_end_callback=mx.callback.Speedometer(1, 4),
        )
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    return events


def model_events(mx):
    events = []
    args, aux = params(mx, norm_net(mx), data=(4, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = mx.model.FeedForward(
            norm_net(mx), num_epoch=2, arg_params=args, aux_params=aux, learning_rate=0.1, momentum=0.9
        )
    train = traced(mx, "train", events, mx.io.NDArrayIter(X, Y, 4))
    score = traced(mx, "eval", events, mx.io.NDArrayIter(X, Y, 4))
    calls = callbacks(events)
    calls["batch_end_callback"] = calls["batch_end_callback"][0]
    model.fit(train, eval_data=score, eval_metric=traced_metric(mx, events), logger=logger_to(events), **calls)
    outputs = model.predict(X)
    found = [events, np.round(outputs, 6).tolist(), numbers(model.arg_params), numbers(model.aux_params)]
    both = model.predict(mx.io.NDArrayIter(X, Y, 4), return_data=True)
    return [*found, [list(a.shape) for a in both], model.score(mx.io.NDArrayIter(X, Y, 4)), outputs.shape[0]]


def model_epoch_size(mx):
    events = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = mx.model.FeedForward(
            mlp(mx), num_epoch=3, epoch_size=3, ctx=two(mx), arg_params=params(mx, mlp(mx), data=(4, 5))[0]
        )
    calls = callbacks(events)
    calls["batch_end_callback"] = calls["batch_end_callback"][0]
    model.fit(mx.io.NDArrayIter(X, Y, 5), logger=logger_to(events), work_load_list=[2, 3], **calls)
    return [events, numbers(model.arg_params)]


def stores(mx):
    """Which store is made for what is asked, and whether it updates."""
    small, large = {"a": mx.nd.zeros((2,))}, {"a": mx.nd.zeros((4097, 4096))}
    found = []
    for kind, devices, arrays in (
        (None, 1, small),
        ("local", 1, small),
        ("local", 2, small),
        ("device", 1, small),
        ("device", 2, small),
        ("local", 2, large),
        ("device", 2, large),
        (mx.kv.create("local"), 1, small),
    ):
        store, update = mx.model._create_kvstore(kind, devices, arrays)
        found.append([store is not None and store.type, bool(update)])
    return found


def slices(mx):
    split = mx.executor_manager._split_input_slice
    return [[[s.start, s.stop] for s in split(n, w)] for n, w in ((10, [1, 2]), (7, [1, 1, 1]), (5, [0.5, 0.5]))]


# ---- errors --------------------------------------------------------------------------------------------------------


def errors(mx):
    """What is refused, and by which type of error."""
    Module, data, labels = mx.mod.Module, [("data", (4, 5))], [("softmax_label", (4,))]

    def unbound():
        return Module(mlp(mx))

    def without_params():
        module = unbound()
        module.bind(data, labels)
        return module

    args = params(mx, mlp(mx), data=(4, 5))[0]
    loss = mx.mod.PythonLossModule
    chain = mx.mod.SequentialModule
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        feed = mx.model.FeedForward
        programs = {
            "no number of epochs": lambda: unbound().fit(mx.io.NDArrayIter(X, Y, 4)),
            "forward before bind": lambda: unbound().forward(batch(mx, 0, 4)),
            "forward before init_params": lambda: without_params().forward(batch(mx, 0, 4)),
            "params before bind": lambda: unbound().init_params(),
            "get_params before init_params": lambda: without_params().get_params(),
            "shapes before bind": lambda: unbound().data_shapes,
            "reshape before bind": lambda: unbound().reshape(data),
            "optimizer before params": lambda: without_params().init_optimizer(),
            "update before optimizer": lambda: bound(mx).update(),
            "states before optimizer": lambda: bound(mx).save_optimizer_states("/nowhere"),
            "score before params": lambda: without_params().score(mx.io.NDArrayIter(X, Y, 4), "acc"),
            "data name": lambda: Module(mlp(mx), data_names=["dat"]),
            "state name": lambda: Module(mlp(mx), state_names=["dat"]),
            "fixed name": lambda: Module(mlp(mx), fixed_param_names=["dat"]),
            "work loads": lambda: Module(mlp(mx), context=two(mx), work_load_list=[1]),
            "shape of another name": lambda: unbound().bind([("dat", (4, 5))], labels),
            "gradient of inputs without training": lambda: unbound().bind(
                data, for_training=False, inputs_need_grad=True
            ),
            "too small a batch": lambda: Module(mlp(mx), context=two(mx)).bind(
                [("data", (1, 5))], [("softmax_label", (1,))]
            ),
            "unequal batches": lambda: unbound().bind(data, [("softmax_label", (3,))]),
            "a list of few requests": lambda: bound(mx, bind={"grad_req": ["write"]}),
            "a request that is no text": lambda: bound(mx, bind={"grad_req": 3}),
            "missing parameter": lambda: without_params().init_params(arg_params={"fc_bias": args["fc_bias"]}),
            "neither value nor initializer": lambda: without_params().init_params(None),
            "unknown parameter": lambda: bound(mx).set_params({"q": args["fc_bias"]}, {}, allow_missing=True),
            "no such optimizer": lambda: bound(mx).init_optimizer(optimizer="foo"),
            "optimizer of a wrong type": lambda: bound(mx).init_optimizer(optimizer=3),
            "store of a wrong type": lambda: bound(mx).init_optimizer(kvstore=3),
            "borrow nothing": lambda: bound(mx).borrow_optimizer(bound(mx)),
            "share nothing": lambda: unbound().bind(data, labels, shared_module=unbound()),
            "backward without training": lambda: bound(mx, bind={"for_training": False}).backward(),
            "gradients not asked for": lambda: bound(mx).get_input_grads(),
            "merged states": lambda: bound(mx).get_states(),
            "predict a number": lambda: bound(mx).predict(3),
            "no default bucket": lambda: mx.mod.BucketingModule(bucket(mx)),
            "bucket before bind": lambda: mx.mod.BucketingModule(bucket(mx), 5).switch_bucket(3, data),
            "load without sym_gen": lambda: mx.mod.BucketingModule.load("/nowhere", 1),
            "meta": lambda: chain().add(unbound(), foo=1),
            "empty chain": lambda: chain().bind(data),
            "loss without gradient": lambda: loss()._backward_impl(),
            "loss with head gradient": lambda: loss().backward([1]),
            "loss with two inputs": lambda: loss(data_names=("a", "b")),
            "base module": lambda: mx.mod.BaseModule().forward(None),
            "no labels for a model": lambda: feed(mlp(mx), num_epoch=1).fit(X),
            "unequal arrays": lambda: feed(mlp(mx), num_epoch=1).fit(X, Y[:5]),
            "two labels": lambda: feed(mlp(mx), num_epoch=1).fit(X, np.zeros((10, 2))),
            "data of a wrong type": lambda: feed(mlp(mx), num_epoch=1).fit(3, Y),
            "eval data of a wrong type": lambda: feed(mlp(mx), num_epoch=1).fit(X, Y, eval_data=X),
            "prediction of an untrained model": lambda: feed(mlp(mx)).predict(X),
        }
        found = {}
        for name, program in programs.items():
            try:
                program()
                found[name] = "nothing"
            except Exception as error:
                found[name] = next(
                    k.__name__
                    for k in (AssertionError, AttributeError, TypeError, ValueError, NotImplementedError, RuntimeError)
                    if isinstance(error, k)
                )
    return found


CASES = [
    train_plain,
    train_momentum,
    train_adam,
    train_store_object,
    train_two_local,
    train_two_device,
    train_two_alone,
    train_two_loads,
    train_norm,
    train_norm_two,
    train_fixed,
    train_multipliers,
    gradients_add,
    gradients_of_inputs,
    gradients_from_outside,
    requests,
    reshaped,
    batch_axis,
    shared,
    predictions,
    buckets,
    sequence,
    python_loss,
    fit_events,
    speedometer_log,
    model_events,
    model_epoch_size,
    stores,
    slices,
    errors,
]


# ---- checkpoints ---------------------------------------------------------------------------------------------------

#: The states of the optimizer are saved once by a module that updates alone and once by a store.
CHECKPOINTS = {"local": "local", "store": "store"}


def checkpoint_module(mx, kind):
    """A module that has been trained a little, to be saved."""
    module = bound(mx, norm_net(mx))
    store = mx.kv.create("local") if kind == "store" else "local"
    module.init_optimizer(store, optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
    return steps(mx, module, 0, 3)


def steps(mx, module, begin, end):
    for i in range(begin, end):
        module.forward_backward(batch(mx, i, i + 4))
        module.update()
    return module


def resumed(mx, prefix, kind):
    """Outputs and parameters after loading the checkpoint, and after two more steps from there."""
    module = mx.mod.Module.load(prefix, 3, load_optimizer_states=True)
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    store = mx.kv.create("local") if kind == "store" else "local"
    module.init_optimizer(store, optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
    module.forward(batch(mx, 2, 6), is_train=False)
    outputs = numbers(module.get_outputs())
    steps(mx, module, 3, 5)
    return [outputs, numbers(module.get_params())]
