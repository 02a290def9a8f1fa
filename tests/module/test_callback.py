"""Callbacks of training, against what the original logs, and loggers."""

import json
import logging
import re
import sys
import types

import callback_cases as cases
import pytest
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("callback.json")


@pytest.mark.parametrize("name", cases.CASES)
def test_logs_are_the_originals(name):
    found = json.loads(json.dumps(cases.run(mx, name)))
    recorded = RECORDED["logs"][name]
    assert found[0] == recorded[0]
    assert str(found[1:]) == str(recorded[1:])  # as text, since NaN is not equal to itself


@pytest.mark.parametrize("text", cases.CHECKPOINTS)
def test_modules_are_saved_when_the_original_saves_them(text):
    assert cases.checkpoints(mx, text) == RECORDED["checkpoints"][text]


def test_do_checkpoint(tmp_path):
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    params = {"fc_weight": mx.nd.ones((2, 3)), "fc_bias": mx.nd.zeros((2,))}
    callback = mx.callback.do_checkpoint(str(tmp_path / "net"), period=2)
    for epoch in range(4):
        callback(epoch, net, params, {})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["net-0002.params", "net-0004.params", "net-symbol.json"]
    loaded = mx.nd.load(str(tmp_path / "net-0004.params"))
    assert loaded["arg:fc_weight"].asnumpy().tolist() == [[1, 1, 1]] * 2
    assert mx.sym.load(str(tmp_path / "net-symbol.json")).list_arguments() == net.list_arguments()


def test_speedometer_starts_again_with_an_epoch():
    speed = mx.callback.Speedometer(4, 2)
    for batch in (0, 1, 2, 0):
        speed(cases.Param(0, batch, None, None))
    assert speed.init and speed.last_count == 0


def test_logger_in_colours(capsys):
    logger = mx.log.get_logger("mxnet.test.colours", level=mx.log.DEBUG)
    assert mx.log.get_logger("mxnet.test.colours") is logger
    assert logger.level == logging.DEBUG and len(logger.handlers) == 1
    logger.handlers[0].setStream(sys.stderr)  # the one that is captured
    logger.propagate = False
    logger.info("hello %d", 3)
    logger.warning("careful")
    logger.debug("details")
    logger.log(35, "own level")
    lines = capsys.readouterr().err.splitlines()
    place = rf"\d{{4}} \d\d:\d\d:\d\d \d+ {re.escape(__file__)}:test_logger_in_colours:\d+\]"
    for line, colour, letter, message in zip(
        lines, (32, 31, 34, 31), "IWDU", ("hello 3", "careful", "details", "own level"), strict=True
    ):
        assert re.fullmatch(rf"\x1b\[{colour}m{letter}{place}\x1b\[0m {message}", line), line
    try:
        raise KeyError("lost")
    except KeyError:
        logger.exception("failed")
    assert capsys.readouterr().err.splitlines()[-1] == "KeyError: 'lost'"


def test_logger_to_a_file(tmp_path):
    path = tmp_path / "some.log"
    path.write_text("before\n")
    logger = mx.log.get_logger("mxnet.test.appended", str(path), level=mx.log.INFO)
    logger.propagate = False
    logger.info("after")
    logger.handlers[0].close()
    assert path.read_text() == "before\nafter\n"
    logger = mx.log.get_logger("mxnet.test.replaced", str(path), "w", level=mx.log.ERROR)
    logger.propagate = False
    logger.info("not important")
    logger.error("bad")
    logger.handlers[0].close()
    assert path.read_text() == "bad\n"


def test_loggers_by_name():
    root = logging.getLogger()
    before = list(root.handlers), root.level
    assert mx.log.get_logger() is root
    assert (list(root.handlers), root.level) == before
    with pytest.warns(DeprecationWarning, match="Use get_logger instead"):
        assert mx.log.getLogger("mxnet.test.old") is mx.log.get_logger("mxnet.test.old")
    assert mx.log.get_logger("mxnet.test.old").level == mx.log.WARNING


def test_metrics_for_tensorboard(monkeypatch, tmp_path):
    """The scalars and their steps are those that the original gives to the writer of mxboard."""
    written = []
    writer = types.SimpleNamespace(add_scalar=lambda *args, **kwargs: written.append((*args, kwargs)))
    found = types.SimpleNamespace(SummaryWriter=lambda directory: writer)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", found)
    metric = mx.metric.Accuracy()
    metric.update([mx.nd.array([0, 1])], [mx.nd.array([[0.9, 0.1], [0.2, 0.8]])])
    for prefix in (None, "train"):
        callback = mx.contrib.tensorboard.LogMetricsCallback(str(tmp_path), prefix=prefix)
        for epoch, given in ((0, metric), (3, metric), (3, None)):
            callback(types.SimpleNamespace(epoch=epoch, nbatch=7, eval_metric=given, locals=None))
    steps = [{"global_step": 0}, {"global_step": 3}]
    names = ("accuracy", "accuracy", "train-accuracy", "train-accuracy")
    assert written == [(name, 1.0, step) for name, step in zip(names, steps * 2, strict=True)]


def test_tensorboard_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(ImportError, match="pip install tensorboard"):
        mx.contrib.tensorboard.LogMetricsCallback("logs")
