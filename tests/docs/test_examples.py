"""The examples run, each as a program of its own, with few epochs on the digits that ship with the package."""

import os
import re
import subprocess
import sys

import pytest
from paths import EXAMPLES

import mxnet as mx


def run(name, *arguments, cwd, **environment):
    """What an example prints, and what it logs."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "error", **environment},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, done.stderr


def accuracy_in(text):
    return float(re.search(r"test accuracy ([\d.]+)%", text).group(1))


def test_train_digits(tmp_path):
    printed, bars = run("train_digits.py", "--limit", 1000, "--epochs", 3, "--mlp-epochs", 3, cwd=tmp_path)
    assert printed.startswith("900 digits to learn from, 100 held out, 1000 to test on\nLeNet, by Gluon\n")
    lenet, mlp = map(float, re.findall(r"test accuracy ([\d.]+)%", printed))
    assert lenet > 65 and mlp > 65
    assert printed.count("loaded again, they predict the same") == 2
    assert re.search(r"epoch  3/3: 100%.*900/900 .*loss [\d.]+, held out [\d.]+%", bars)
    folder = tmp_path / "runs" / "train"
    assert (folder / "report.png").read_bytes().startswith(b"\x89PNG")
    net = mx.gluon.SymbolBlock.imports(str(folder / "lenet-symbol.json"), ["data"], str(folder / "lenet-0003.params"))
    assert net(mx.nd.zeros((2, 1, 28, 28))).shape == (2, 10)
    symbol, args, _ = mx.model.load_checkpoint(str(folder / "mlp"), 3)
    assert symbol.list_outputs() == ["softmax_output"]
    assert args["fc1_weight"].shape == (128, 784)


@pytest.mark.slow
def test_make_train_learns(tmp_path):
    printed, _ = run("train_digits.py", cwd=tmp_path)
    lenet, mlp = map(float, re.findall(r"test accuracy ([\d.]+)%", printed))
    assert lenet >= 97 and mlp >= 97


def test_mnist_mlp_module(tmp_path):
    printed, logged = run("mnist_mlp_module.py", "--epochs", 2, cwd=tmp_path)
    assert accuracy_in(printed) > 85
    assert re.search(r"Epoch\[0\] Batch \[0-20\]\tSpeed: [\d.]+ samples/sec\taccuracy=0\.\d+", logged)
    assert re.search(r"Epoch\[1\] Validation-accuracy=0\.\d+", logged)
    assert (tmp_path / "runs" / "mlp-0002.states").exists()
    _, logged = run("mnist_mlp_module.py", "--resume", 2, "--epochs", 3, cwd=tmp_path)
    assert "Epoch[2] Train-accuracy=" in logged and "Epoch[1]" not in logged
    symbol, args, _ = mx.model.load_checkpoint(str(tmp_path / "runs" / "mlp"), 3)
    assert symbol.list_outputs() == ["softmax_output"]
    assert args["fc1_weight"].shape == (128, 784)


def test_mnist_mlp_module_on_two_devices(tmp_path):
    arguments = ("--epochs", 1, "--gpus", 2)
    printed, _ = run("mnist_mlp_module.py", *arguments, cwd=tmp_path, MXNET_VIRTUAL_GPUS="2")
    assert accuracy_in(printed) > 80


def test_linear_regression_feedforward(tmp_path):
    printed, _ = run("linear_regression_feedforward.py", "--epochs", 20, cwd=tmp_path)
    assert abs(float(re.search(r"y = ([\d.]+) x", printed).group(1)) - 5) < 0.5
    assert (tmp_path / "runs" / "line.png").read_bytes().startswith(b"\x89PNG")


def test_ctx_group(tmp_path):
    printed, _ = run("ctx_group.py", cwd=tmp_path)
    assert re.search(r"stage1 fc1_weight +\(128, 200\) +on cpu\(0\)", printed)
    assert re.search(r"stage2 fc2_weight +\(64, 128\) +on gpu\(0\)", printed)
    assert "mx.mod.Module" in printed
    first, last = map(float, re.search(r"loss ([\d.]+) at first, ([\d.]+) after", printed).groups())
    assert last < first / 2


def test_symbol_composition(tmp_path):
    printed, _ = run("symbol_composition.py", cwd=tmp_path)
    assert "['data', 'fc1_weight', 'fc1_bias', 'fc2_weight', 'fc2_bias', 'out_label']" in printed
    assert "['data2', 'net2_weight', 'net2_bias', 'fc1_weight', 'fc1_bias']" in printed
    assert "{'data': (100, 100), 'fc1_weight': (10, 100), 'fc1_bias': (10,)}" in printed
    assert "4 * 2 = [8. 8. 8.]" in printed
