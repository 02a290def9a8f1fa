"""Records the original's learning rates, into lr_scheduler.json. The tests evaluate the same texts.

<python with mxnet 1.9.1> tests/module/record_lr_scheduler.py
"""

import json
import logging
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

SCHEDULERS = (
    "FactorScheduler(3)",
    "FactorScheduler(step=3, factor=0.5)",
    "FactorScheduler(step=2, factor=0.1, stop_factor_lr=0.002)",
    "FactorScheduler(step=4, factor=0.5, base_lr=1.0, warmup_steps=5, warmup_begin_lr=0.1)",
    "FactorScheduler(step=4, factor=0.5, base_lr=1.0, warmup_steps=5, warmup_begin_lr=0.1, warmup_mode='constant')",
    "MultiFactorScheduler([2, 5, 9], 0.1)",
    "MultiFactorScheduler(step=[4], factor=0.5, base_lr=2, warmup_steps=6)",
    "MultiFactorScheduler([3, 4, 12], 0.9, base_lr=1, warmup_steps=2, warmup_begin_lr=0.5, warmup_mode='constant')",
    "PolyScheduler(10)",
    "PolyScheduler(10, 1.0, pwr=1)",
    "PolyScheduler(12, base_lr=2, pwr=3, final_lr=0.1, warmup_steps=4)",
    "PolyScheduler(1)",
    "CosineScheduler(10)",
    "CosineScheduler(10, base_lr=1, final_lr=0.1)",
    "CosineScheduler(12, 3, final_lr=0.1, warmup_begin_lr=0.1, warmup_steps=5)",
    "CosineScheduler(12, 3, warmup_steps=5, warmup_begin_lr=1, warmup_mode='constant')",
)
UPDATES = {"one by one": list(range(0, 16)), "with jumps": [1, 1, 4, 4, 9, 30, 31], "from late on": [14, 15, 15, 100]}
WRONG = (
    "FactorScheduler(0)",
    "FactorScheduler(1, factor=2)",
    "MultiFactorScheduler([])",
    "MultiFactorScheduler([0, 1])",
    "MultiFactorScheduler([3, 2])",
    "MultiFactorScheduler([2, 2])",
    "MultiFactorScheduler((1, 2))",
    "MultiFactorScheduler([1, 2], factor=1.5)",
    "PolyScheduler(0)",
    "PolyScheduler(1.5)",
    "CosineScheduler(0)",
    "CosineScheduler(1.5)",
    "LRScheduler(0.1, warmup_steps=-1)",
    "LRScheduler(0.1, warmup_steps=1.5)",
    "LRScheduler(0.1, warmup_begin_lr=1)",
    "LRScheduler(0.1, warmup_steps=2, warmup_mode='other')",
    "LRScheduler()(3)",
)


def attempt(text):
    """The type of error, or None."""
    try:
        eval(text, dict(vars(mx.lr_scheduler)))
    except Exception as error:
        return type(error).__name__
    return None


class Messages(logging.Handler):
    def __init__(self):
        super().__init__()
        self.found = []

    def emit(self, record):
        self.found.append("%s %s" % (record.levelname, record.getMessage()))


if __name__ == "__main__":
    rates, logs = {}, {}
    logging.getLogger().setLevel(logging.DEBUG)
    for text in SCHEDULERS:
        for order, updates in UPDATES.items():
            scheduler = eval(text, dict(vars(mx.lr_scheduler)))
            handler = Messages()
            logging.getLogger().addHandler(handler)
            rates["%s | %s" % (text, order)] = [[n, scheduler(n), scheduler.base_lr] for n in updates]
            logging.getLogger().removeHandler(handler)
            logs["%s | %s" % (text, order)] = handler.found
    wrong = {text: attempt(text) for text in WRONG}
    state = {text: vars(eval(text, dict(vars(mx.lr_scheduler)))) for text in SCHEDULERS}
    lines = ",\n".join("  %s: %s" % (json.dumps(k), json.dumps(v)) for k, v in rates.items())
    rest = json.dumps({"logs": logs, "wrong": wrong, "state": state}, indent=1)[2:]
    (GOLDEN / "lr_scheduler.json").write_text('{\n "rates": {\n%s\n },\n%s\n' % (lines, rest))
