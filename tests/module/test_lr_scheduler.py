"""Learning rates, against those recorded from the original."""

import logging
import pickle

import pytest
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("lr_scheduler.json")


def made(text):
    return eval(text, dict(vars(mx.lr_scheduler)))


@pytest.mark.parametrize("case", RECORDED["rates"])
def test_rates_and_logs_are_the_originals(case, caplog):
    scheduler = made(case.split(" | ")[0])
    with caplog.at_level(logging.DEBUG):
        for update, rate, base_lr in RECORDED["rates"][case]:
            assert scheduler(update) == pytest.approx(rate, rel=1e-12), update
            assert scheduler.base_lr == pytest.approx(base_lr, rel=1e-12), update
    assert [f"{r.levelname} {r.getMessage()}" for r in caplog.records] == RECORDED["logs"][case]


@pytest.mark.parametrize("text", RECORDED["state"])
def test_attributes_are_the_originals(text):
    """Optimizers and users read and set them: ``scheduler.base_lr = optimizer.lr``."""
    scheduler = made(text)
    assert vars(scheduler) == RECORDED["state"][text]
    assert vars(pickle.loads(pickle.dumps(scheduler))) == vars(scheduler)


@pytest.mark.parametrize("text", RECORDED["wrong"])
def test_wrong_arguments(text):
    assert RECORDED["wrong"][text] is not None
    with pytest.raises(NotImplementedError if text.endswith("(3)") else mx.MXNetError):
        made(text)


def test_own_schedulers():
    class Halving(mx.lr_scheduler.LRScheduler):
        def __call__(self, num_update):
            if num_update < self.warmup_steps:
                return self.get_warmup_lr(num_update)
            return self.base_lr / 2 ** (num_update - self.warmup_steps)

    scheduler = Halving(base_lr=1.0, warmup_steps=2, warmup_begin_lr=0.5)
    assert [scheduler(n) for n in range(5)] == [0.5, 0.75, 1.0, 0.5, 0.25]
