"""Signatures that are written once: functions and operators that take the arguments of others."""

import inspect

import pytest

import mxnet as mx
from mxnet._core.signature import merge_parameters, takes
from mxnet.ops.registry import _read_signature


def base(a, b=1, *, c=2, **more):
    return a, b, c, more


def test_a_function_takes_the_arguments_of_another():
    @takes(base, b=5)
    def more(**given):
        """Its own text."""
        return base(**given)

    assert str(inspect.signature(more)) == "(a, b=5, *, c=2, **more)"
    assert more.__name__ == "more" and more.__doc__ == "Its own text."
    assert more(1) == (1, 5, 2, {}) and more(1, 2, c=3, d=4) == (1, 2, 3, {"d": 4})


def test_own_arguments_come_before_the_next_that_both_have():
    def other(a, b=1, c=2):
        return a, b, c

    @takes(other, without=("c",))
    def mine(new, b, last=3, **given):
        return new, b, last, given

    assert str(inspect.signature(mine)) == "(a, new, b=1, last=3)"  # b is the other's, with its default
    assert mine("a", "new") == ("new", 1, 3, {"a": "a"})


def test_wrong_arguments_are_refused_by_the_name_of_the_function():
    @takes(base, without=("b",))
    def less(**given):
        return given

    with pytest.raises(TypeError, match="less: missing a required argument: 'a'"):
        less()
    with pytest.raises(TypeError, match="less: got an unexpected keyword argument 'b'"):
        less(1, b=2)
    with pytest.raises(TypeError, match=r"LSTM.__init__: missing a required argument: 'hidden_size'"):
        mx.gluon.rnn.LSTM()


def test_the_return_annotation_is_the_own_one_if_there_is_one():
    def other(a: int) -> str:
        return str(a)

    @takes(other)
    def same(**given):
        return other(**given)

    @takes(other)
    def different(**given) -> bytes:
        return other(**given).encode()

    assert inspect.signature(same).return_annotation is str
    assert inspect.signature(different).return_annotation is bytes


def test_merging_keeps_the_order_of_the_others():
    class Named:
        def __init__(self, name):
            self.name = name

    own, others = [Named(n) for n in "xbyz"], [Named(n) for n in "abc"]
    assert [p.name for p in merge_parameters(own, others)] == list("axbcyz")
    assert merge_parameters(own, others)[2] is own[1]


def test_operators_with_the_attributes_of_another():
    known = mx.ops.registry.get
    assert list(known("Convolution_v1").params) == list(known("Convolution").params)
    assert known("Convolution_v1").params["layout"].kind != known("Convolution").params["layout"].kind
    assert list(known("_contrib_SyncBatchNorm").params)[-2:] == ["ndev", "key"]
    with pytest.raises(TypeError, match=r"cannot take .*more without"):
        _read_signature("x", lambda data, **more: data, None)


@pytest.mark.parametrize("make", (mx.gluon.nn.Conv1D, mx.gluon.nn.Conv3DTranspose, mx.gluon.nn.GroupNorm))
def test_layers_tell_what_they_take(make):
    shown = inspect.signature(make)
    assert "given" not in shown.parameters and shown == inspect.signature(make).replace()
    if make is mx.gluon.nn.Conv1D:
        assert shown.parameters["strides"].default == 1 and shown.parameters["layout"].default == "NCW"
    if make is mx.gluon.nn.Conv3DTranspose:
        assert shown.parameters["output_padding"].default == (0, 0, 0)
        with pytest.raises(TypeError, match=r"Conv3DTranspose.__init__"):
            make()
