"""The imperative examples, which are the programs of the tutorials, run and learn."""

import importlib
import pathlib

import numpy as np
import pytest
from paths import EXAMPLES

from mxnet import autograd, nd


@pytest.fixture(autouse=True)
def _examples(monkeypatch, tmp_path):
    """Examples are found as when they are run, and write into a directory of their own."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.chdir(tmp_path)


def load(name):
    return importlib.import_module(name)


def is_png(path):
    return pathlib.Path(path).read_bytes().startswith(b"\x89PNG")


# ---- from scratch ----------------------------------------------------------------------------------------------------


def test_linear_regression_from_scratch(capsys):
    net, losses = load("from_scratch").main(["linear"])
    np.testing.assert_allclose(net.w.asnumpy().ravel(), [2, -3.4], atol=0.01)
    np.testing.assert_allclose(net.b.asnumpy(), [4.2], atol=0.01)
    assert losses[0] > 1 > 0.001 > losses[-1]
    assert "should be [2, -3.4], b 4." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("network", "limit", "epochs", "wanted"),
    [("softmax", 2000, 3, 0.82), ("mlp", 2000, 4, 0.87), ("dropout", 2000, 4, 0.83), ("batch_norm", 1000, 2, 0.8)],
)
def test_digits_from_scratch(network, limit, epochs, wanted):
    _, losses, accuracy = load("from_scratch").main([network, "--limit", str(limit), "--epochs", str(epochs)])
    assert losses == sorted(losses, reverse=True)
    assert accuracy > wanted


def test_batch_norm_from_scratch_is_the_operator():
    X = nd.random.normal(3, 2, shape=(4, 3, 5, 5))
    own = load("from_scratch").BatchNorm(3)
    gamma, beta, mean, variance = nd.ones(3), nd.zeros(3), nd.zeros(3), nd.ones(3)
    gamma.attach_grad()

    def both():
        wanted = nd.BatchNorm(X, gamma, beta, mean, variance, eps=1e-5, fix_gamma=False)
        np.testing.assert_allclose(own(X).asnumpy(), wanted.asnumpy(), rtol=1e-4, atol=1e-5)
        return wanted

    with autograd.record():
        wanted = both()
    wanted.backward()  # the operator updates its averages here
    np.testing.assert_allclose(own.moving_mean.asnumpy().ravel(), mean.asnumpy(), rtol=1e-5)
    np.testing.assert_allclose(own.moving_variance.asnumpy().ravel(), variance.asnumpy(), rtol=1e-4)
    both()


def test_weight_decay():
    results = load("weight_decay").main(["--epochs", "25"])
    for way in ("from scratch", "by Gluon"):
        (plain, plain_size), (decayed, decayed_size) = (results[f"{way}, weight decay {wd}"] for wd in (0, 3))
        assert plain[-1, 0] < 0.01 and plain[-1, 1] > 10  # learned by heart
        assert decayed[-1, 1] < 0.05
        assert plain_size > 10 > 0.2 > decayed_size
    assert is_png("runs/weight_decay.png")


def test_optimizers():
    module = load("optimizers")
    results = module.main([])
    assert list(results) == list(module.OPTIMIZERS)
    for losses, trainer_losses, apart in results.values():
        assert losses[-1] < losses[1] or losses[-1] < 1e-3 < losses[0]
        np.testing.assert_allclose(trainer_losses, losses, rtol=1e-4, atol=1e-6)
        assert apart < 1e-5
    assert all(results[name][0][-1] < 0.001 for name in ("sgd", "momentum", "adagrad", "rmsprop", "adam"))
    assert is_png("runs/optimizers.png")
    with pytest.raises(SystemExit):
        module.main(["sgdd"])


# ---- with Gluon ------------------------------------------------------------------------------------------------------


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


def test_quantize_digits(capsys, tmp_path):
    options = ["--epochs", "6", "--limit", "3000", "--examples", "256", "--out", str(tmp_path)]
    rows = load("quantize_digits").main(options)
    assert (tmp_path / "quantize.png").read_bytes().startswith(b"\x89PNG")
    (_, accuracy, _, size), *quantized = rows
    assert accuracy > 80
    assert all(abs(row[1] - accuracy) < 1 for row in quantized)
    assert quantized[1][3] < size / 3.5
    assert "quantize_model" in capsys.readouterr().out


@pytest.mark.slow
def test_quantize_resnet(tmp_path):
    options = ["--model", "resnet18", "--epochs", "2", "--limit", "1200", "--lr", "0.05", "--batch-size", "32"]
    options += ["--calib-mode", "naive", "--out", str(tmp_path)]
    (_, accuracy, _, size), *quantized = load("quantize_digits").main(options)
    assert accuracy > 80
    assert all(abs(row[1] - accuracy) <= 1 for row in quantized)
    assert quantized[1][3] < size / 3.9


def test_amp_digits(tmp_path):
    rows = load("amp_digits").main(["--epochs", "6", "--limit", "1500", "--out", str(tmp_path)])
    assert [row[0] for row in rows] == ["float32", "bfloat16", "float16"]
    assert rows[0][1] > 75
    assert all(abs(row[1] - rows[0][1]) < 5 for row in rows)
    assert rows[2][3] < 2**16  # it started too large
    assert (tmp_path / "amp.png").read_bytes().startswith(b"\x89PNG")


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
    ("network", "size", "parameters", "falls_to"),
    [
        ("lenet", 28, 171988, 1.5),
        ("alexnet", 96, 21622154, 2.28),
        ("vgg", 32, 28144010, 2.28),
        ("nin", 96, 2015398, 2.3),
        ("googlenet", 64, 5983802, 2.2),
        ("resnet", 64, 11192202, 0.1),
        ("densenet", 32, 9925962, 0.1),
    ],
)
def test_architectures(network, size, parameters, falls_to):
    options = ["--size", str(size), "--batch-size", "8", "--steps", "8"]
    shape, count, losses = load("gluon_architectures").main([network, *options])
    assert shape == (8, 10)
    assert count == parameters
    assert losses[0] > 2.2
    assert min(losses[1:]) < falls_to  # the last one depends on the processor's rounding


def test_multi_device(monkeypatch, capsys):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    accuracy, losses, apart = load("gluon_multi_device").main(["--limit", "1000"])
    assert losses[-1] < losses[0] / 2
    assert accuracy > 0.75
    assert apart < 1e-3
    assert "gpu(1) has its copy of the parameters: gpu(1)" in capsys.readouterr().out


def test_image_augmentation(capsys):
    img, made = load("image_augmentation").main(["--count", "4"])
    original = img.asnumpy().astype("float32")
    assert original.shape == (320, 280, 3)
    flips = [x.asnumpy() for x in made["HorizontalFlipAug(0.5)"]]
    kinds = {(x == original).all() for x in flips}
    assert all((x == original).all() or (x == original[:, ::-1]).all() for x in flips) and len(kinds) == 2
    crops = made["RandomCropAug(200 × 200)"]
    assert {x.shape for x in crops} == {(200, 200, 3)}
    assert len({x.mean().asscalar() for x in crops}) == 4
    bright = made["BrightnessJitterAug(0.5)"][0].asnumpy()
    dark = (original > 0) & (original < 100)  # where nothing is clipped
    factors = bright[dark] / original[dark]
    assert np.ptp(factors) < 1e-4 and 0.5 <= factors.mean() <= 1.5
    assert "as one batch: (32, 3, 200, 200), float32" in capsys.readouterr().out
    assert is_png("runs/augmentation.png")


def test_fine_tuning():
    first, tuned, untuned = load("fine_tuning").main([])
    assert first > 0.75
    assert tuned > 0.45
    assert tuned > untuned + 0.1
