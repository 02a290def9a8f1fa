"""Trainings that the recorder and the tests run alike: each gives what it logged, its events, files and results."""

import logging
import os
import re
import shutil
import tempfile
import warnings

import numpy as np

EVENTS = ("train_begin", "train_end", "epoch_begin", "epoch_end", "batch_begin", "batch_end")
HANDLERS = (
    "StoppingHandler MetricHandler ValidationHandler LoggingHandler CheckpointHandler EarlyStoppingHandler "
    "GradientUpdateHandler"
).split()


class Setting:
    """What the cases use: small data, networks, estimators that write into ``lines``, and a directory."""

    def __init__(self, mx, directory=""):
        self.mx, self.gluon = mx, mx.gluon
        self.E = mx.gluon.contrib.estimator
        self.lines = []
        self.directory = directory
        rng = np.random.RandomState(3)
        self.x = rng.normal(size=(20, 4)).astype("float32")
        self.y = (self.x.sum(1) > 0).astype("float32")
        self.loss = self.gluon.loss.SoftmaxCrossEntropyLoss()

    def loader(self, size=8):
        dataset = self.gluon.data.ArrayDataset(self.x, self.y)
        return self.gluon.data.DataLoader(dataset, batch_size=size)

    def net(self, contexts=None, hybrid=False):
        net = self.gluon.nn.HybridSequential(prefix="net_")
        with net.name_scope():
            net.add(self.gluon.nn.Dense(2))
        net.initialize(self.mx.init.One(), ctx=contexts or self.mx.cpu())
        if hybrid:
            net.hybridize()
        return net

    def estimator(self, contexts=None, metrics=2, hybrid=False, **kwargs):
        net = self.net(contexts, hybrid)
        trainer = self.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
        wanted = [self.mx.metric.Accuracy(), self.mx.metric.Loss()][:metrics]
        found = self.E.Estimator(
            net, self.loss, train_metrics=wanted, trainer=trainer, context=contexts or self.mx.cpu(), **kwargs
        )
        return self.listen(found)

    def listen(self, estimator):
        lines = self.lines

        class Lines(logging.Handler):
            def emit(self, record):
                lines.append("log " + record.getMessage())

        estimator.logger.handlers = [Lines()]
        return estimator

    def recorder(self, tag, priority=None):
        """A handler that writes down every event."""
        E, lines = self.E, self.lines

        def shapes(value):
            return [list(a.shape) for a in value]

        class Recorder(E.TrainBegin, E.TrainEnd, E.EpochBegin, E.EpochEnd, E.BatchBegin, E.BatchEnd):
            pass

        def method(event):
            def call(self, estimator, *args, **kwargs):
                given = ["%s=%s" % (key, shapes(kwargs[key])) for key in sorted(kwargs)]
                lines.append(" ".join(["event", tag, event, str(len(args)), *given]))

            return call

        for event in EVENTS:
            setattr(Recorder, event, method(event))
        found = Recorder()
        if priority is not None:
            found.priority = priority
        return found

    def watched(self):
        """The library's handlers as subclasses that write down the order in which they are called."""
        found = {}
        for name in HANDLERS:
            found[name] = self._watched(name)
        return found

    def _watched(self, name):
        base, lines = getattr(self.E, name), self.lines

        def method(event):
            def call(self, estimator, *args, **kwargs):
                result = getattr(base, event)(self, estimator, *args, **kwargs)
                lines.append("called %s %s %s" % (name, event, result))
                return result

            return call

        return type(name, (base,), {e: method(e) for e in EVENTS if e in vars(base)})

    def lister(self, directory):
        """A handler that lists a directory."""
        E, setting = self.E, self

        class Lister(E.BatchEnd, E.EpochEnd):
            priority = 10

            def batch_end(self, estimator, *args, **kwargs):
                setting.files(directory)

            def epoch_end(self, estimator, *args, **kwargs):
                setting.files(directory)

        return Lister()

    def files(self, directory):
        self.lines.append("files " + " ".join(sorted(os.listdir(directory))))

    def place(self, name):
        return os.path.join(self.directory, name)

    def results(self, estimator):
        for metric in list(estimator.train_metrics) + list(estimator.val_metrics):
            self.lines.append("metric %s %.4f" % metric.get())
        for key, parameter in sorted(estimator.net.collect_params().items()):
            for data in parameter.list_data():
                self.lines.append("%s %s" % (key, " ".join("%.4f" % v for v in data.asnumpy().ravel())))

    def attempt(self, function):
        try:
            self.lines.append("result %s" % (function(),))
        except Exception as error:
            kinds = [k for k in (ValueError, TypeError, AssertionError, Exception) if isinstance(error, k)]
            self.lines.append("%s: %s" % (kinds[0].__name__, error))


def plain(s):
    e = s.estimator()
    e.fit(s.loader(), s.loader(), epochs=2, event_handlers=[s.recorder("a")])
    s.results(e)


def batches(s):
    e = s.estimator()
    e.fit(s.loader(), batches=4, event_handlers=[s.recorder("a"), s.E.LoggingHandler(log_interval=1)])
    s.results(e)


def order(s):
    e = s.estimator(metrics=1)
    kinds = s.watched()
    handlers = [
        s.recorder("zero"),
        s.recorder("first", -3000),
        s.recorder("late", 5),
        kinds["EarlyStoppingHandler"](e.train_metrics[0], mode="max"),
        kinds["CheckpointHandler"](s.place("order")),
        kinds["LoggingHandler"](metrics=e.train_metrics),
        kinds["GradientUpdateHandler"](),
        kinds["MetricHandler"](e.train_metrics),
        kinds["ValidationHandler"](s.loader(), e.evaluate, event_handlers=[s.recorder("inner")]),
        kinds["StoppingHandler"](7),
    ]
    e.fit(s.loader(10), s.loader(), epochs=1, event_handlers=handlers)
    s.results(e)


def contexts(s):
    e = s.estimator(contexts=[s.mx.cpu(0), s.mx.cpu(1)])
    e.fit(s.loader(8), s.loader(), epochs=2, event_handlers=[s.recorder("c")])
    s.results(e)
    s.attempt(lambda: e.fit(s.loader(5), epochs=1))
    s.attempt(lambda: e.evaluate(s.loader(5)))


def logging_intervals(s):
    for interval, what in ((2, "train"), (1, "both"), ("epoch", "val")):
        e = s.estimator()
        metrics = {"train": e.train_metrics, "both": e.train_metrics + e.val_metrics, "val": e.val_metrics}[what]
        e.fit(s.loader(4), s.loader(), epochs=2, event_handlers=[s.E.LoggingHandler(interval, metrics=metrics)])


def evaluate(s):
    e = s.estimator()
    e.evaluate(s.loader(), event_handlers=s.recorder("v"))
    s.results(e)
    handlers = [s.E.MetricHandler(e.val_metrics), s.E.LoggingHandler(1, metrics=e.val_metrics)]
    e.fit(s.loader(), epochs=1)
    e.evaluate(s.loader(), event_handlers=handlers)
    s.attempt(lambda: e.evaluate(s.loader(), event_handlers=[s.E.MetricHandler(e.train_metrics)]))


def validation(s):
    e = s.estimator()
    handler = s.E.ValidationHandler(s.loader(), e.evaluate, batch_period=2, epoch_period=2)
    e.fit(s.loader(), s.loader(), epochs=2, event_handlers=[handler])

    def own(**kwargs):
        s.lines.append("own %s %s" % (sorted(kwargs), kwargs["batch_axis"]))

    e.fit(s.loader(), epochs=1, event_handlers=[s.E.ValidationHandler(s.loader(), own, epoch_period=None)])
    e.fit(s.loader(), epochs=1, event_handlers=[s.E.ValidationHandler(s.loader(), own)])


def stopping(s):
    class Stop(s.E.BatchEnd, s.E.EpochEnd):
        def __init__(self, event):
            self.event = event

        def batch_end(self, estimator, *args, **kwargs):
            return self.event == "batch"

        def epoch_end(self, estimator, *args, **kwargs):
            return self.event == "epoch"

    for event in ("batch", "epoch"):
        s.estimator().fit(s.loader(), epochs=2, event_handlers=[Stop(event), s.recorder(event)])
    s.estimator().fit(s.loader(), epochs=2, event_handlers=[s.E.StoppingHandler(1)])


def checkpoints(s):
    e = s.estimator(hybrid=True)
    d = s.place("often")
    handler = s.E.CheckpointHandler(d, "m", verbose=1, batch_period=2, max_checkpoints=2)
    e.fit(s.loader(), s.loader(), epochs=4, event_handlers=[handler, s.lister(d)])
    e = s.estimator()
    d = os.path.join(s.place("deep"), "er")
    e.fit(s.loader(), epochs=3, event_handlers=[s.E.CheckpointHandler(d, epoch_period=2), s.lister(d)])


def best(s):
    for which, mode in ((0, "max"), (1, "min"), (1, "auto")):
        e = s.estimator(hybrid=True)
        d = s.place("best-%d-%s" % (which, mode))
        handler = s.E.CheckpointHandler(d, monitor=e.val_metrics[which], verbose=1, save_best=True, mode=mode)
        e.fit(s.loader(), s.loader(), epochs=3, event_handlers=[handler])
        s.files(d)
    e = s.estimator()
    other = s.mx.metric.Accuracy()
    handler = s.E.CheckpointHandler(s.place("other"), monitor=other, save_best=True, mode="max")
    e.fit(s.loader(), epochs=1, event_handlers=[handler])
    s.files(s.place("other"))


def resume(s):
    d = s.place("resumed")
    for epochs in (3, 5, 5):
        e = s.estimator(hybrid=True)
        handler = s.E.CheckpointHandler(d, resume_from_checkpoint=True, verbose=epochs - 3)
        s.attempt(lambda: e.fit(s.loader(), s.loader(), epochs=epochs, event_handlers=[handler]))  # noqa: B023
        s.files(d)
        if s.lines[-2] == "result None":
            s.results(e)
    d = s.place("resumed-batches")
    for number in (4, 7, 7, 4):
        e = s.estimator(hybrid=True)
        handler = s.E.CheckpointHandler(d, "b", None, 1, False, "auto", None, 2, 5, True)
        s.attempt(lambda: e.fit(s.loader(), s.loader(), batches=number, event_handlers=[handler]))  # noqa: B023
        s.files(d)


def early(s):
    for which, kwargs in (
        (2, {"min_delta": 0.01, "patience": 1}),
        (1, {"mode": "min", "min_delta": 5}),
        (1, {"mode": "min", "patience": 2}),
        (3, {"mode": "min", "min_delta": 0.1}),
        (0, {"mode": "max", "baseline": 2.0, "patience": 1}),
        (0, {"mode": "max", "baseline": 2.0, "patience": 3}),
    ):
        e = s.estimator()
        metric = (e.train_metrics + e.val_metrics)[which]
        e.fit(s.loader(), s.loader(), epochs=6, event_handlers=[s.E.EarlyStoppingHandler(metric, **kwargs)])


def defaults(s):
    losses = s.gluon.loss
    for loss in (s.loss, losses.L2Loss(), losses.SigmoidBCELoss(), losses.CTCLoss()):
        e = s.E.Estimator(s.net(), loss)
        s.lines.append("%s | %s" % ([m.name for m in e.train_metrics], [m.name for m in e.val_metrics]))
    metric = s.mx.metric
    composite = metric.CompositeEvalMetric([metric.Accuracy(), metric.F1()])
    for train, val in (
        ([metric.Accuracy(), metric.TopKAccuracy(2), metric.Accuracy(name="mine")], metric.F1()),
        (composite, None),
        (None, metric.F1()),
        ([], []),
    ):
        e = s.listen(s.E.Estimator(s.net(), s.loss, train_metrics=train, val_metrics=val))
        s.lines.append("%s | %s" % ([m.name for m in e.train_metrics], [m.name for m in e.val_metrics]))
        e.fit(s.loader(), s.loader(), epochs=1)
    s.lines.append("%s %s %s" % (e.context, type(e.trainer.optimizer).__name__, e.trainer.learning_rate))
    net = s.gluon.nn.Dense(2, in_units=4)
    e = s.E.Estimator(net, s.loss, context=[s.mx.cpu(0), s.mx.cpu(1)], initializer=s.mx.init.Constant(3))
    s.lines.append("%s %s" % (net.weight.list_ctx(), net.weight.data(s.mx.cpu(1)).asnumpy().tolist()))


def processors(s):
    class Own(s.E.BatchProcessor):
        def fit_batch(self, estimator, train_batch, batch_axis=0):
            s.lines.append("fit_batch %d" % batch_axis)
            return super(Own, self).fit_batch(estimator, train_batch, batch_axis)

        def evaluate_batch(self, estimator, val_batch, batch_axis=0):
            s.lines.append("evaluate_batch %d" % batch_axis)
            return super(Own, self).evaluate_batch(estimator, val_batch, batch_axis)

    e = s.estimator(batch_processor=Own())
    e.fit(s.loader(10), s.loader(10), epochs=1)
    net = s.net()
    e = s.estimator(val_net=net, val_loss=s.gluon.loss.SoftmaxCrossEntropyLoss(weight=2.0))
    e.fit(s.loader(10), s.loader(10), epochs=1)
    s.results(e)


def errors(s):
    E, mx = s.E, s.mx
    net, loss = s.net(), s.loss
    bad = "bad"
    for make in (
        lambda: E.Estimator(net, bad),
        lambda: E.Estimator(net, loss, val_loss=bad),
        lambda: E.Estimator(net, loss, train_metrics=["acc"]),
        lambda: E.Estimator(net, loss, train_metrics="acc"),
        lambda: E.Estimator(net, loss, trainer="sgd"),
        lambda: E.Estimator(net, loss, context="cpu"),
        lambda: E.Estimator(net, loss, context=["cpu"]),
        lambda: s.estimator(batch_processor=3),
        lambda: s.estimator().fit(s.loader(), epochs=1, event_handlers=[3]),
        lambda: s.estimator().fit(s.loader(), batches=4, epochs=3),
        lambda: s.estimator().fit(s.loader()),
        lambda: s.estimator().fit([s.x, s.y], epochs=1),
        lambda: s.estimator().evaluate(mx.io.NDArrayIter(s.x, s.y, 4)),
        lambda: s.estimator().fit(s.loader(), epochs=1, event_handlers=[E.MetricHandler([mx.metric.Accuracy()])]),
        lambda: E.LoggingHandler("x"),
        lambda: E.LoggingHandler(1.5),
        lambda: E.LoggingHandler(metrics="x"),
        lambda: E.MetricHandler(["x"]),
        lambda: E.CheckpointHandler(s.place("e"), save_best=True),
        lambda: E.CheckpointHandler(s.place("e"), save_best=True, monitor="acc"),
        lambda: E.EarlyStoppingHandler("acc"),
    ):
        s.attempt(make)


CASES = (
    plain,
    batches,
    order,
    contexts,
    logging_intervals,
    evaluate,
    validation,
    stopping,
    checkpoints,
    best,
    resume,
    early,
    defaults,
    processors,
    errors,
)


def run(mx, case):
    """The lines of a case, with times masked and its directory called DIR."""
    setting = Setting(mx, tempfile.mkdtemp())
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            case(setting)
    finally:
        shutil.rmtree(setting.directory)
    lines = setting.lines + sorted(
        "%s: %s" % (w.category.__name__, w.message)
        for w in caught
        if w.category is not DeprecationWarning and w.category is not ResourceWarning
    )
    lines = [line.replace(setting.directory, "DIR") for line in lines]
    return [re.sub(r"(Finished in|interval:|using total) [0-9.]+s", r"\1 Ts", line) for line in lines]
