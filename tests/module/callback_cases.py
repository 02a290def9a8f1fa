"""Callbacks that are run by the original and by this package; read by record_callback.py and the tests.

Only syntax that the original's Python understands.
"""

import collections
import logging
import types

Param = collections.namedtuple("Param", "epoch nbatch eval_metric locals")


class Clock:
    """Half a second later each time."""

    now = 100.0

    def __call__(self):
        self.now += 0.5
        return self.now


class Stopped(Clock):
    def __call__(self):
        return self.now


class Messages(logging.Handler):
    def __init__(self):
        super().__init__()
        self.found = []

    def emit(self, record):
        self.found.append([record.levelname, record.getMessage()])


def metric(mx, names):
    return None if names is None else mx.metric.create(names)


def feed(mx, metric, right):
    if metric is not None:
        metric.update([mx.nd.array([0, 1])], [mx.nd.array([0, right])])


class Module:
    """What module_checkpoint needs of a module: it tells how it was called."""

    def save_checkpoint(self, prefix, epoch, save_optimizer_states=False):
        logging.info("saved %s %s %s", prefix, epoch, save_optimizer_states)


# callback as text, names of metrics, clock
CASES = {
    "speed": ("Speedometer(32, 2)", "acc", Clock),
    "speed of two metrics": ("Speedometer(batch_size=4, frequent=3)", ["acc", "mae"], Clock),
    "speed without reset": ("Speedometer(32, 2, auto_reset=False)", ["acc", "mae"], Clock),
    "speed every batch": ("Speedometer(10, frequent=1)", "mae", Clock),
    "speed without a metric": ("Speedometer(32, 2)", None, Clock),
    "speed in no time": ("Speedometer(32, 2)", "acc", Stopped),
    "bar": ("ProgressBar(total=6, length=20)", "acc", Clock),
    "bar that overflows": ("ProgressBar(4, 7)", None, Clock),
    "wide bar": ("ProgressBar(9)", None, Clock),
    "training": ("log_train_metric(2)", "acc", Clock),
    "training with reset": ("log_train_metric(3, auto_reset=True)", ["acc", "mae"], Clock),
    "training without a metric": ("log_train_metric(1)", None, Clock),
    "validation": ("LogValidationMetricsCallback()", ["acc", "mae"], Clock),
    "validation without a metric": ("LogValidationMetricsCallback()", None, Clock),
}
CHECKPOINTS = (
    "module_checkpoint(module, 'm')",
    "module_checkpoint(module, 'm', 2, True)",
    "module_checkpoint(module, 'm', period=0)",
    "module_checkpoint(module, 'm', save_optimizer_states=True)",
    "module_checkpoint(module, 'm', 2.5)",
)


def logged(action):
    """The messages that an action logs."""
    handler, root = Messages(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        action()
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    return handler.found


def run(mx, name):
    """What is logged over two epochs of six batches, and the metric at the end."""
    text, names, clock = CASES[name]
    found = metric(mx, names)

    def train():
        callback = eval(text, dict(vars(mx.callback)))
        for epoch in range(2):
            if found is not None:
                found.reset()
            for batch in range(6):
                feed(mx, found, batch % 2)
                callback(Param(epoch, batch, found, None))

    plain, mx.callback.time = mx.callback.time, types.SimpleNamespace(time=clock())
    try:
        messages = logged(train)
    finally:
        mx.callback.time = plain
    if found is None:
        return [messages]
    return [messages, [[k, float(v)] for k, v in found.get_name_value() + found.get_global_name_value()]]


def checkpoints(mx, text):
    """How a module is saved over five epochs."""
    callback = eval(text, dict(vars(mx.callback), module=Module()))

    def train():
        for epoch in range(5):
            callback(epoch, None, {}, {})

    return logged(train)
