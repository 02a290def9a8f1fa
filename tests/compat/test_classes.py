"""Classes say that they are from where the original has them, since programs print, pickle and look up those names."""

import importlib
import pickle

import pytest
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("classes.json")
# Bases of the original's classes that are the classes themselves here, and stand-ins for packages that were missing
OTHER = {
    *("mxnet.ndarray.ndarray:NDArrayBase", "mxnet.ndarray.register:NDArrayBase"),
    *("mxnet.symbol.symbol:SymbolBase", "mxnet.symbol.register:SymbolBase", "mxnet.test_utils:np_symbol"),
    *("mxnet.notebook.callback:Pandas_Failed_To_Import", "mxnet.notebook.callback:pd"),
    *("mxnet.notebook:Bokeh_Failed_To_Import", "mxnet.notebook:bokeh"),
}


def the_class(place):
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def test_classes_are_from_where_the_original_has_them():
    different = {}
    for place, expected in RECORDED.items():
        if place not in OTHER:
            found = the_class(place)
            if [found.__module__, found.__qualname__] != expected:
                different[place] = found.__module__, found.__qualname__
    assert not different


def test_classes_can_be_pickled_by_these_names():
    for place, (module, name) in RECORDED.items():
        # BatchEndParams has another name in its module; pointers of ctypes have none
        if place not in OTHER and name != "BatchEndParams" and not name.startswith("LP_"):
            found = the_class(place)
            assert pickle.loads(pickle.dumps(found)) is found, place
            assert getattr(importlib.import_module(module), name) is found, place


def test_what_programs_print():
    net = mx.gluon.nn.Dense(3)
    assert str(type(net.collect_params())) == "<class 'mxnet.gluon.parameter.ParameterDict'>"
    assert str(type(net.weight)) == "<class 'mxnet.gluon.parameter.Parameter'>"
    assert str(type(mx.metric.create("acc"))) == "<class 'mxnet.metric.Accuracy'>"
    assert str(mx.gluon.nn.Dense.__mro__[1]) == "<class 'mxnet.gluon.block.HybridBlock'>"
    with pytest.raises(mx.MXNetError) as caught:
        raise mx.MXNetError("message")
    assert f"{caught.type.__module__}.{caught.type.__name__}" == "mxnet.base.MXNetError"


@pytest.mark.parametrize(
    "make",
    [
        lambda: mx.metric.Accuracy(name="mine"),
        lambda: mx.image.ResizeAug(5),
        lambda: mx.gluon.Parameter("weight", shape=(2, 3)),
        lambda: mx.optimizer.get_updater(mx.optimizer.SGD()),
    ],
)
def test_instances_can_be_pickled(make):
    made = make()
    assert type(pickle.loads(pickle.dumps(made))) is type(made)
