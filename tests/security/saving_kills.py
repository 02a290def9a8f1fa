"""Saves of all kinds in processes that are killed: after each kill the files must be the old ones or the new ones.

``python saving_kills.py random FOLDER KILLS SEED [KIND ...]`` kills at random moments, ``steps FOLDER [KIND ...]``
before each operation on a file in turn, and ``full FOLDER [KIND ...]`` kills nobody: files cannot grow beyond some
size, as on a full disk. Prints a JSON object with what was found.

Each save has a number, which is in all its files. This process forks those that save, kills them, and looks.
"""

import itertools
import json
import logging
import os
import random
import re
import resource
import signal
import sys
import time
import warnings

import numpy as np

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon.contrib import estimator as E

SIZE = 30_000


def only(array):
    """The number that all elements of an array are."""
    values = np.unique(array.asnumpy())
    assert len(values) == 1, f"a mixture of {values[:5]}"
    return float(values[0])


def agreed(values):
    values = [float(value) for value in values]
    assert len(set(values)) == 1, f"files of different saves: {values}"
    return values[0]


class Kind:
    def __init__(self, folder):
        self.folder = os.path.join(folder, type(self).__name__)
        os.makedirs(self.folder, exist_ok=True)
        self.path = os.path.join(self.folder, "x")
        self.prepare()

    def prepare(self):
        pass

    def begin_again(self):
        """What a program does before it saves for the first time."""


class Arrays(Kind):
    ending = ".params"

    def save(self, number):
        size = SIZE + number % 7 * 1000
        nd.save(self.path + self.ending, {"a": nd.full((10,), number), "b": nd.full((size,), number)})

    def load(self):
        return agreed(only(array) for array in nd.load(self.path + self.ending).values())


class Safetensors(Arrays):
    ending = ".safetensors"


class OpenArrays(Arrays):
    """A file that the process has open while it saves."""

    def save(self, number):
        with open(self.path + self.ending, "ab"):
            super().save(number)


class Scaled(gluon.HybridBlock):
    """A network whose graph holds a number."""

    number = 1.0

    def __init__(self):
        super().__init__(prefix="scaled_")
        self.weight = self.params.get("weight", shape=(4, SIZE // 4))

    def hybrid_forward(self, F, x, weight):
        return F.dot(x, weight, transpose_b=True) * self.number


class Network(Kind):
    def prepare(self):
        self.net = Scaled()
        self.net.initialize()
        self.trainer = gluon.Trainer(self.net.collect_params(), "sgd", {"momentum": 0.9})
        self.x = nd.ones((1, SIZE // 4))
        with mx.autograd.record():
            loss = self.net(self.x).sum()
        loss.backward()
        self.trainer.step(1)

    def set(self, number):
        self.net.weight.set_data(nd.full(self.net.weight.shape, number))
        self.trainer.set_learning_rate(number)
        for state in self.trainer._updaters[0].states.values():
            state[:] = number

    def trainer_number(self, path):
        self.trainer.load_states(path)
        states = [only(state) for state in self.trainer._updaters[0].states.values()]
        return agreed([self.trainer.learning_rate, *states])


class Parameters(Network):
    def save(self, number):
        self.set(number)
        self.net.save_parameters(self.path + ".params")

    def load(self):
        self.net.load_parameters(self.path + ".params")
        return only(self.net.weight.data())


class States(Network):
    def save(self, number):
        self.set(number)
        self.trainer.save_states(self.path + ".states")

    def load(self):
        return self.trainer_number(self.path + ".states")


def number_of(symbol):
    return re.search(r'"scalar": "([^"]+)"', symbol.tojson())[1]


class Export(Network):
    def save(self, number):
        self.set(number)
        self.net.number = float(number)
        self.net.hybridize()
        self.net(self.x)
        self.net.export(self.path)

    def load(self):
        symbol, arguments, _ = mx.model.load_checkpoint(self.path, 0)
        return agreed([number_of(symbol), *(only(array) for array in arguments.values())])


class Checkpoint(Kind):
    def save(self, number):
        arguments = {"a": nd.full((SIZE,), number), "b": nd.full((3,), number)}
        symbol = (mx.sym.var("a") + mx.sym.var("b")) * float(number)
        mx.model.save_checkpoint(self.path, 1, symbol, arguments, {})

    def load(self):
        symbol, arguments, _ = mx.model.load_checkpoint(self.path, 1)
        return agreed([number_of(symbol), *(only(array) for array in arguments.values())])


class Module(Kind):
    def prepare(self):
        out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=8, no_bias=True, name="fc")
        self.module = mx.mod.Module(mx.sym.LinearRegressionOutput(out, name="softmax"), label_names=["softmax_label"])
        self.module.bind([("data", (1, 2000))], [("softmax_label", (1, 8))])
        self.module.init_params()
        self.module.init_optimizer("local", "sgd", {"momentum": 0.9})
        self.module.forward_backward(mx.io.DataBatch([nd.ones((1, 2000))], [nd.ones((1, 8))]))
        self.module.update()

    def save(self, number):
        self.module.set_params({"fc_weight": nd.full((8, 2000), number)}, {})
        for state in self.module._updater.states.values():
            state[:] = number
        self.module.save_checkpoint(self.path, 1, save_optimizer_states=True)

    def load(self):
        _, arguments, _ = mx.model.load_checkpoint(self.path, 1)
        self.module.load_optimizer_states(self.path + "-0001.states")
        states = [only(state) for state in self.module._updater.states.values()]
        return agreed([only(arguments["fc_weight"]), *states])


class Handler(Network):
    """CheckpointHandler: a new pair of files for each epoch, of which two are kept, and one that is overwritten."""

    def prepare(self):
        super().prepare()
        loss = gluon.loss.L2Loss()
        self.estimator = E.Estimator(self.net, loss, mx.metric.Loss(), trainer=self.trainer)
        self.monitor = mx.metric.Loss()
        self.handler = self.new(False)

    def begin_again(self):
        self.handler.train_begin(self.estimator)

    def new(self, resume):
        return E.CheckpointHandler(
            self.folder, "x", self.monitor, save_best=True, mode="max", max_checkpoints=2, resume_from_checkpoint=resume
        )

    def save(self, number):
        self.set(number)
        self.monitor.reset()
        self.monitor.update(None, [nd.array([number])])
        self.handler.current_epoch = number
        self.handler.epoch_end(self.estimator)

    def load(self):
        self.estimator.max_epoch, self.estimator.max_batch = 1 << 30, None
        handler = self.new(True)
        handler.train_begin(self.estimator)
        states = [only(state) for state in self.trainer._updaters[0].states.values()]
        number = agreed([only(self.net.weight.data()), self.trainer.learning_rate, handler.trained_epoch, *states])
        self.net.load_parameters(os.path.join(self.folder, "x-best.params"))
        agreed([only(self.net.weight.data()), self.trainer_number(os.path.join(self.folder, "x-best.states"))])
        return number


class Records(Kind):
    count = 150

    def content(self, number, key):
        return b"%d:%d:" % (number, key) + b"x" * ((number * 37 + key * 11) % 300)

    def save(self, number):
        with mx.recordio.MXIndexedRecordIO(self.path + ".idx", self.path + ".rec", "w") as writer:
            for key in np.random.default_rng(number).permutation(self.count).tolist():
                writer.write_idx(key, self.content(number, key))

    def load(self):
        with mx.recordio.MXIndexedRecordIO(self.path + ".idx", self.path + ".rec", "r") as reader:
            number = int(reader.read_idx(0).split(b":")[0])
            assert sorted(reader.keys) == list(range(self.count))
            for key in range(self.count):
                found = reader.read_idx(key)
                assert found == self.content(number, key), f"key {key} gives {found[:20]} in save {number}"
        return number


KINDS = {
    kind.__name__: kind
    for kind in (Arrays, OpenArrays, Safetensors, Parameters, States, Export, Checkpoint, Module, Handler, Records)
}


def left_over(kind):
    return [name for name in os.listdir(kind.folder) if name.endswith((".tmp", ".part"))]


def wrong_after_kill(kind, oldest, newest):
    """What is wrong with the files after a kill, or None. ``newest`` is the last save that was begun."""
    try:
        number = kind.load()
        if not oldest <= number <= newest:
            return f"save {number} was found, not one from {oldest} to {newest}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    return None


def forked(run):
    """The number of a process that runs a function until it is killed, and what its first save begins with: a byte."""
    begun, told = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            run(lambda: os.write(told, b"x"))
        finally:
            os._exit(3)
    os.close(told)
    os.read(begun, 1)
    os.close(begun)
    return process


def kill_at_random(kind, number, rng):
    """Saves until killed; returns the number of the last save that may have begun."""

    def run(begin):
        begin()
        for i in range(number, number + 1000):
            kind.save(i)

    process = forked(run)
    time.sleep(rng.uniform(0, 0.02))
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return number + 999


def kill_before(kind, number, step):
    """One save, killed before an operation on a file; False if it has fewer."""

    def run(begin):
        count = [0]

        def watch(event, arguments):
            if event in ("open", "os.rename", "os.remove", "os.chmod", "os.chown", "os.listxattr", "os.truncate"):
                count[0] += 1
                if count[0] == step:
                    os.kill(os.getpid(), signal.SIGKILL)

        begin()
        sys.addaudithook(watch)
        kind.save(number)
        os._exit(0)

    process = forked(run)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL


def main(how, folder, *rest):
    warnings.simplefilter("ignore")
    logging.disable()
    failures, tally = [], {}
    kills, seed = (int(rest[0]), int(rest[1])) if how == "random" else (10**6, 0)
    names = rest[2 if how == "random" else 0 :] or list(KINDS)
    kinds = [KINDS[name](folder) for name in names]
    rng = random.Random(seed)

    def after(kind, oldest, newest, what, looks=True):
        """Looks at the files after a kill, saves again, and looks for what is left over."""
        found = tally.setdefault(type(kind).__name__, {"kills": 0, "wrong": 0, "left over at the kill": 0})
        found["kills"] += 1
        found["left over at the kill"] += bool(left_over(kind))
        wrong = wrong_after_kill(kind, oldest, newest) if looks else None
        kind.begin_again()
        kind.save(newest + 1)
        if wrong is None and left_over(kind):
            wrong = f"after the next save there is {left_over(kind)}"
        if wrong is None:
            wrong = wrong_after_kill(kind, newest + 1, newest + 1)
        for name in left_over(kind):
            os.unlink(os.path.join(kind.folder, name))
        if wrong:
            found["wrong"] += 1
            failures.append(f"{type(kind).__name__}, {what}: {wrong}")
        return newest + 1

    for kind in kinds:
        kind.save(1)
    if how == "random":
        numbers = dict.fromkeys(range(len(kinds)), 1)
        for kill in range(kills):
            place = kill % len(kinds)
            newest = kill_at_random(kinds[place], numbers[place] + 1, rng)
            numbers[place] = after(kinds[place], numbers[place], newest, f"kill {kill}")
    elif how == "steps":
        for kind, looks in itertools.product(kinds, (True, False)):
            number, step = int(kind.load()), 1
            while kill_before(kind, number + 1, step):
                number = after(kind, number, number + 1, f"killed before operation {step}", looks)
                step += 1
    else:
        for kind in kinds:
            number, refused = 1, 0
            for limit in (0, 100, 500, 3_000, 10_000, 50_000):
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
                try:
                    kind.save(number + 1)
                    number += 1
                except mx.MXNetError as error:
                    refused += "File too large" in str(error) and kind.folder in str(error)
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                wrong = left_over(kind) or wrong_after_kill(kind, number, number)
                if wrong:
                    failures.append(f"{type(kind).__name__}, files of at most {limit} bytes: {wrong}")
            tally[type(kind).__name__] = {"saved": number, "refused": refused}
    sys.stdout.flush()
    print(json.dumps({"failures": failures, "tally": tally}))


if __name__ == "__main__":
    main(*sys.argv[1:])
