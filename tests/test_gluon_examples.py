"""The Gluon examples, which are the programs of the tutorials, run and learn."""

import importlib.util
import pathlib

import numpy as np
import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_linear_regression(capsys):
    dense = load("gluon_linear_regression").main(["--epochs", "3"])
    np.testing.assert_allclose(dense.weight.data().asnumpy(), [[2, -3.4]], atol=0.01)
    np.testing.assert_allclose(dense.bias.data().asnumpy(), [4.2], atol=0.01)
    assert "epoch 2, average loss 0.0000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("model", "limit", "wanted"), [("softmax", "4000", 0.8), ("mlp", "4000", 0.85), ("lenet", "1000", 0.75)]
)
@pytest.mark.parametrize("hybridize", [False, True])
def test_digits(model, limit, wanted, hybridize):
    arguments = ["--model", model, "--epochs", "2", "--limit", limit, "--batch-size", "32", "--lr", "0.1"]
    assert load("gluon_digits").main(arguments + ["--hybridize"] * hybridize) > wanted


def test_custom_blocks(capsys):
    shapes = load("gluon_custom_blocks").main()
    assert shapes == {
        "MLP": (4, 10),
        "by hand": (4, 10),
        "fancy": (4, 256),
        "nested": (4, 10),
        "centered": (4, 10),
        "own": (4, 2),
    }
    assert "Parameter o_my_dense_weight (shape=(10, 5)" in capsys.readouterr().out


def test_parameters(capsys):
    load("gluon_parameters").main()
    printed = capsys.readouterr().out
    assert "init weight (4, 5)\n" in printed
    assert "one parameter in two layers: True" in printed
    assert "as saved: True\nas saved in the old way: True" in printed


def test_hybridize(capsys):
    load("gluon_hybridize").main(calls=10)
    printed = capsys.readouterr().out
    assert printed.startswith(
        "eager:\nF is mxnet.ndarray, x is a NDArray\nhybridized, first call:\nF is mxnet.symbol, x is a Symbol\n"
        "hybridized, second call:\n10 calls"
    )
    assert "exported: ['net-0000.params', 'net-symbol.json']" in printed
    assert "the same result: True" in printed


@pytest.mark.parametrize(
    ("network", "size", "parameters"),
    [
        ("lenet", 28, 171988),
        ("alexnet", 96, 21622154),
        ("vgg", 32, 28144010),
        ("nin", 96, 2015398),
        ("googlenet", 64, 5983802),
        ("resnet", 64, 11192202),
        ("densenet", 32, 9925962),
    ],
)
def test_architectures(network, size, parameters):
    shape, count = load("gluon_architectures").main([network, "--size", str(size)])
    assert shape == (1, 10)
    assert count == parameters
