"""Programs of Gluon translated to torch: their text, and that they learn the same."""

import gzip
import os
import re
import struct
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from paths import EXAMPLES

import mxnet as mx
from mxnet.error import MXNetError
from mxnet.to_torch import helpers
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
from torch_helpers import Accuracy, initialize, xavier


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
    initialize(net.to(torch.device("cpu")), xavier())
    trainer = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=1e-3)
    loss_fn = lambda output, label: ((output - label.view_as(output)) ** 2 / 2).flatten(1).mean(1)
    x, y = torch.randn((8, 4)), torch.ones((8, 5))
    first = None
    for _ in range(30):
        loss = loss_fn(net(x), y)
        (loss.sum() / 8).backward()
        trainer.step()
        trainer.zero_grad()
        first = first or loss.mean().item()
    metric = Accuracy()
    return first, loss.mean().item()
'''


def test_a_class_and_its_training_loop():
    text, before, left = translate_source(NET)
    assert text == EXPECTED
    assert (before, left) == (12, 0)


def test_the_translated_class_learns(monkeypatch):
    text, _, _ = translate_source(NET)
    monkeypatch.setitem(sys.modules, "torch_helpers", helpers)
    scope = {}
    exec(compile(text, "net", "exec"), scope)
    first, last = scope["main"]()
    assert last < first


#: Programs as in books and courses, each of which prints a number, and how far the numbers may be apart.
PROGRAMS = {"regression": 1e-4, "softmax": 0.05, "dropout": 0.05, "blocks": 0.08, "by_hand": 0.05}
QUICK = ("regression", "dropout")


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """A directory with some of the bundled digits in the files of MNIST, where programs look for them."""
    folder = tmp_path_factory.mktemp("digits")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that they are the bundled ones
        arrays = mx.test_utils.get_mnist()
    for part, name, count in (("train", "train", 2000), ("t10k", "test", 500)):
        images = (arrays[f"{name}_data"][:count] * 255).round().astype(np.uint8)
        labels = arrays[f"{name}_label"][:count].astype(np.uint8)
        for place in (folder / "data", folder / "datasets" / "mnist"):
            place.mkdir(parents=True, exist_ok=True)
            with gzip.open(place / f"{part}-images-idx3-ubyte.gz", "wb") as stream:
                stream.write(struct.pack(">4I", 2051, count, 28, 28) + images.tobytes())
            with gzip.open(place / f"{part}-labels-idx1-ubyte.gz", "wb") as stream:
                stream.write(struct.pack(">2I", 2049, count) + labels.tobytes())
    return folder


def results_of(program, folder, blocked, arguments=()):
    """What a program prints, in a process of its own: without mxnet if it is ``blocked``."""
    start = "import runpy, sys, warnings; warnings.simplefilter('ignore'); "
    start += "sys.path.insert(0, sys.argv[1]); del sys.argv[:2]; "
    start += "sys.modules['mxnet'] = None; " if blocked else ""
    start += "runpy.run_path(sys.argv[0], run_name='__main__')"
    command = [sys.executable, *(["-I"] if blocked else []), "-c", start, str(program.parent), str(program), *arguments]
    environment = {**os.environ, "MXNET_HOME": str(folder), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.slow) for n in PROGRAMS])
def test_programs_learn_as_well_without_mxnet(digits, tmp_path, name):
    source = Path(__file__).parent / "gluon_programs" / f"{name}.py"
    target = tmp_path / f"{name}.py"
    told = translate_file(source, target)
    print(told)
    assert "100 % translated; 0 place(s)" in told
    ours, theirs = (float(results_of(p, digits, p is target).split("result ")[1]) for p in (source, target))
    print(f"{name}: {ours:.4f} by MXNext, {theirs:.4f} by PyTorch")
    assert ours == pytest.approx(theirs, abs=PROGRAMS[name])
    assert ours < 2e-4 if name == "regression" else ours > 0.7


#: Examples with their arguments, the number that they print last, and how far the numbers may be apart.
RUNS = {
    "gluon_linear_regression": ([], r"epoch 4.*? ([\d.e-]+)$", 1e-4),
    "weight_decay": (["--epochs", "30"], r"by Gluon +weight decay 3: .* L2 norm of w ([\d.]+)", 0.05),
    "gluon_digits": (["--model", "mlp", "--epochs", "3", "--limit", "2000"], r"epoch 2.*test accuracy ([\d.]+)", 6),
    "gluon_digits lenet": (
        ["--model", "lenet", "--epochs", "3", "--lr", "0.05"],
        r"epoch 2.*test accuracy ([\d.]+)",
        6,
    ),
    "gluon_digits softmax": (["--model", "softmax", "--epochs", "2"], r"epoch 1.*test accuracy ([\d.]+)", 6),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_examples_learn_as_well_without_mxnet(digits, tmp_path, name):
    arguments, pattern, bound = RUNS[name]
    for module in ("digits", "drawing"):
        translate_file(EXAMPLES / f"{module}.py", tmp_path / f"{module}.py")
    name = name.split()[0]
    print(translate_file(EXAMPLES / f"{name}.py", tmp_path / f"{name}.py"))
    told = [results_of(folder / f"{name}.py", digits, folder is tmp_path, arguments) for folder in (EXAMPLES, tmp_path)]
    ours, theirs = (float(re.findall(pattern, text, re.MULTILINE)[-1]) for text in told)
    print(f"{name}: {ours} by MXNext, {theirs} by PyTorch")
    assert ours == pytest.approx(theirs, abs=bound)


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
