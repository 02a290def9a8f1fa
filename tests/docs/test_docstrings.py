"""Every public name has a docstring, and those of operators name each argument."""

import contextlib
import doctest
import importlib
import inspect
import io
import pkgutil
import re
import warnings

import numpy as np
import pytest
import run_blocks

import mxnet as mx
from mxnet import ops
from mxnet.ops.derive import examples

# Inner parts: kernels (test_registry.py looks after their words), converters that are found by their names, and what
# loads on its own as a program or a library.
INNER = re.compile(r"[.]_|^mxnet[.](ops|graph|native)\b|converters|libmxnet|^mxnet[.]tools[.]")


def modules():
    walked = pkgutil.walk_packages(mx.__path__, "mxnet.")
    return ["mxnet", *sorted(info.name for info in walked if not INNER.search(info.name))]


def members(cls):
    """The public functions and properties that a class defines itself."""
    for name, value in vars(cls).items():
        kinds = (property, classmethod, staticmethod)
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, kinds)):
            yield name, value if isinstance(value, property) else getattr(cls, name)


def undocumented(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of modules that are there for old programs
        module = importlib.import_module(name)
    if not inspect.getdoc(module):
        yield name
    for key in dir(module):
        value = getattr(module, key, None)
        home = getattr(value, "__module__", None) or ""
        if key.startswith("_") or not callable(value) or not home.startswith("mxnet") or INNER.search(home):
            continue
        if home == "mxnet._core.signature":  # a decorator that was made, not a function for users
            continue
        if not inspect.getdoc(value):
            yield f"{name}.{key}"
        if inspect.isclass(value):
            yield from (f"{name}.{key}.{member}" for member, what in members(value) if not inspect.getdoc(what))


def test_every_public_name_has_a_docstring():
    names = modules()
    assert len(names) > 150
    missing = sorted({found for name in names for found in undocumented(name)})
    assert missing == []


@pytest.mark.parametrize("namespace", [mx.nd, mx.sym], ids=["nd", "sym"])
def test_operators_name_their_arguments(namespace):
    for name, op in ops.names().items():
        function = getattr(namespace, name, None)
        if function is None or name.startswith("_"):
            continue
        text = inspect.getdoc(function)
        assert text.split("\n")[0].strip(), name
        for attribute in op.params:
            assert attribute in text, (name, attribute)


def sessions():
    """All docstrings with examples but those of NumPy's own functions, and the name of what they explain."""
    found = {}
    for name in modules():
        module = importlib.import_module(name)
        for key in dir(module):
            value = getattr(module, key, None)
            if not callable(value) or not (getattr(value, "__module__", None) or "").startswith("mxnet"):
                continue
            parts = [value, *(what for _, what in members(value))] if inspect.isclass(value) else [value]
            for part in parts:
                text = inspect.getdoc(part) or ""
                if ">>> " in text and not text.startswith("NumPy's own"):
                    found.setdefault(text, f"{name}.{key}")
    return found


def test_examples_print_what_they_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        found = sessions()
    assert len(found) > 200
    wrong = []
    for text, where in found.items():
        given = {"mx": mx, "nd": mx.nd, "autograd": mx.autograd, "gluon": mx.gluon, "np": np}
        for example in doctest.DocTestParser().get_examples(text):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(example.source, where, "single"), given)
            if not run_blocks.agrees(printed.getvalue(), example.want):
                wrong.append((where, example.source, printed.getvalue(), example.want))
    assert wrong == []


def test_examples_are_of_operators():
    names = {op.name for op in ops.names().values()}
    assert len(examples()) > 140 and set(examples()) <= names
    assert all(session.startswith(">>> ") for session in examples().values())


# What beginners look up first has an example.
LOOKED_UP = """gluon.Trainer gluon.Parameter gluon.data.DataLoader gluon.data.ArrayDataset gluon.loss.L2Loss
    gluon.loss.SoftmaxCrossEntropyLoss gluon.nn.BatchNorm gluon.nn.Conv2D gluon.nn.Dense gluon.nn.Dropout
    gluon.nn.Embedding gluon.nn.HybridSequential gluon.nn.MaxPool2D gluon.nn.Sequential gluon.rnn.GRU gluon.rnn.LSTM
    gluon.utils.split_and_load autograd.record io.NDArrayIter kv.create lr_scheduler.FactorScheduler metric.Accuracy
    nd.Activation nd.BatchNorm nd.Concat nd.Convolution nd.Embedding nd.FullyConnected nd.Pooling nd.SoftmaxOutput
    nd.arange nd.argmax nd.array nd.broadcast_add nd.clip nd.dot nd.gather_nd nd.one_hot nd.pick nd.reshape_like
    nd.save nd.slice nd.softmax nd.split nd.stack nd.sum nd.take nd.topk nd.transpose nd.where sym.Group sym.Variable"""


@pytest.mark.parametrize("name", LOOKED_UP.split())
def test_what_is_looked_up_has_an_example(name):
    value = mx
    for part in name.split("."):
        value = getattr(value, part)
    assert ">>> " in inspect.getdoc(value)
