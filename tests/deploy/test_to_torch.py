"""Networks as PyTorch source: the same numbers without mxnet, and source that people can read."""

import ast
import re
import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from to_torch_check import Case, SymbolCase, difference, run_alone
from to_torch_networks import (
    SSD,
    Bert,
    Shared,
    Stepped,
    Tagger,
    in_the_dialect_of_2016,
    lenet,
    made,
    parameters_of,
    pnet,
    resnet_symbol,
    words,
    zoo,
)

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.error import MXNetError
from mxnet.gluon import nn, rnn
from mxnet.tools import to_torch

BLOCKS = {
    "resnet18_v1": lambda: zoo("resnet18_v1", 64),
    "mobilenet_v2_0_25": lambda: zoo("mobilenet_v2_0_25", 64),
    "lstm": lambda: made(Tagger, words(50, (2, 7))),
    "gru": lambda: made(Tagger, words(50, (2, 7)), layer=rnn.GRU),
    "stepped": lambda: made(Stepped, mx.nd.ones((4, 2, 3)), mx.nd.ones((1, 2, 8))),
    "bert": lambda: made(Bert, words(100, (2, 7)), words(2, (2, 7), 1)),
    "ssd": lambda: made(SSD, mx.nd.random.normal(shape=(2, 3, 32, 32))),
    "shared": lambda: made(Shared, mx.nd.random.normal(shape=(2, 3, 8, 8))),
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """All networks translated, and run in one process that has no mxnet."""
    directory = tmp_path_factory.mktemp("to_torch")
    found = {}
    for name, make in BLOCKS.items():
        net, *inputs = make()
        found[name] = Case(net, directory / name, *inputs, steps=10, double=name != "ssd", training=name != "ssd")
    for name, (symbol, shape) in {
        "lenet": (lenet(), (4, 1, 28, 28)),
        "units": (resnet_symbol(), (4, 3, 16, 16)),
    }.items():
        labels = {"softmax_label": np.array([1, 0, 3, 9], np.float32)}
        params = parameters_of(symbol, data=shape)
        found[name] = SymbolCase(symbol, directory / name, params, {"data": shape}, labels)
    old = mx.sym.load_json(in_the_dialect_of_2016(pnet()))
    given = {"data": (2, 3, 15, 17)}
    found["pnet"] = SymbolCase(old, directory / "pnet", parameters_of(old, **given), given)
    net, x = zoo("resnet18_v1", 32)
    net.hybridize()
    net(x)
    net.export(str(directory / "exported"))
    symbol, params = (
        mx.sym.load(str(directory / "exported-symbol.json")),
        mx.nd.load(str(directory / "exported-0000.params")),
    )
    found["exported"] = SymbolCase(symbol, directory / "exported_torch", params, {"data": x.shape})
    run_alone(found.values(), directory)
    return found


@pytest.mark.parametrize("name", [*BLOCKS, "lenet", "units", "exported", "pnet"])
def test_the_same_numbers_without_mxnet(cases, name):
    found = cases[name].compare()
    print(name, found)
    assert found.pop("outputs") <= 1e-5
    assert all(value <= 1e-4 for value in found.values()), found


def model_text(case):
    return (case.path / "model.py").read_text()


def test_source_is_short_and_structured(cases):
    text = model_text(cases["resnet18_v1"])
    assert len(text.splitlines()) < 100
    tree = {n.name: n for n in ast.parse(text).body if isinstance(n, ast.ClassDef)}
    assert list(tree) == ["BasicBlockV1", "ResNetV1"]
    assert "BasicBlockV1(64, 128, stride=2, downsample=True)" in text
    assert "self.features = nn.Sequential(" in text
    bert = model_text(cases["bert"])
    assert "self.layers = nn.Sequential(*[EncoderLayer() for _ in range(3)])" in bert
    assert "self.decoder.weight = self.word_embed.weight" in bert
    assert len(bert.splitlines()) <= 200
    units = model_text(cases["units"])
    assert "self.stage2 = nn.Sequential(Unit(32, 64, stride=2, use_sc=True), Unit(64, 64), Unit(64, 64))" in units
    assert "(data - 127.5) * 0.0078125" in units
    exported = model_text(cases["exported"])
    assert "self.stage2 = nn.Sequential(Block(64, 128, stride=2, shortcut=True), Block(128, 128))" in exported
    shared = model_text(cases["shared"])
    assert shared.count("self.head(") == 2 and "Scale(2)" in shared


def test_source_has_no_numbered_names_and_no_long_lines(cases):
    for case in cases.values():
        text = model_text(case)
        assert max(map(len, text.splitlines())) <= 110
        names = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        assert not [n for n in names if re.fullmatch(r"[a-z]\d+|\w*\d{2,}", n)], names


def test_source_is_formatted_and_linted(cases):
    for case in cases.values():
        for command in (["check", "--isolated"], ["format", "--diff", "--isolated"]):
            for names, width in ((["model.py", "check.py", "__init__.py"], "110"), (["ops.py"], "120")):
                files = [str(case.path / n) for n in names if (case.path / n).exists()]
                line = [sys.executable, "-m", "ruff", *command, "--line-length", width, *files]
                done = subprocess.run(line, capture_output=True, text=True, check=False)
                assert not files or done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_source_is_typed(cases):
    for name in ("resnet18_v1", "units", "bert", "ssd", "lstm"):
        path = cases[name].path
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--config-file=", path.name], cwd=path.parent, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout


def loaded(path):
    """The model of a package, in this process."""
    code = f"import sys; sys.path.insert(0, {str(path.parent)!r}); from {path.name}.model import load; model = load()"
    scope = {}
    exec(code, scope)
    return scope["model"]


def test_export_and_other_batches(cases):
    for name in ("resnet18_v1", "bert"):
        case = cases[name]
        recorded = load_file(case.path / "check.safetensors")
        inputs = tuple(recorded[f"input_{i}"] for i in range(sum(k.startswith("input") for k in recorded)))
        model = loaded(case.path)
        exported = torch.export.export(model, inputs).module()
        torch.testing.assert_close(exported(*inputs), model(*inputs))
        first = model(*[i[:1] for i in inputs])
        torch.testing.assert_close(
            first, torch.utils._pytree.tree_map(lambda t: t[:1], model(*inputs)), rtol=1e-4, atol=1e-5
        )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch's own
def test_compile(cases):
    case = cases["resnet18_v1"]
    x = load_file(case.path / "check.safetensors")["input_0"]
    model = loaded(case.path)
    torch.testing.assert_close(torch.compile(model)(x), model(x), rtol=1e-3, atol=1e-4)


# ---- training goes on ------------------------------------------------------------------------------------------------


OPTIMIZERS = {
    "sgd": {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-3},
    "nag": {"learning_rate": 0.05, "momentum": 0.9},
    "adam": {"learning_rate": 0.01, "wd": 1e-3},
    "adagrad": {"learning_rate": 0.05, "wd": 1e-2},
    # With their small epsilons these magnify the rounding of gradients that are nearly zero.
    "adadelta": {"wd": 1e-3, "epsilon": 1e-3},
    "rmsprop": {"learning_rate": 0.0005, "epsilon": 1e-3},
    "rmsprop_centered": {"learning_rate": 0.001, "epsilon": 1e-4, "centered": True},
    "adamax": {"learning_rate": 0.005},
}


def test_a_modules_training_goes_on(tmp_path):
    rng = np.random.default_rng(1)
    data, labels = rng.standard_normal((4, 1, 28, 28)).astype(np.float32), np.array([1, 0, 3, 9], np.float32)
    symbol = lenet()
    batch = mx.io.DataBatch([mx.nd.array(data)], [mx.nd.array(labels)])

    def train(module, steps):
        for _ in range(steps):
            module.forward_backward(batch)
            module.update()

    modules, cases = {}, {}
    for name, settings in OPTIMIZERS.items():
        module = modules[name] = mx.mod.Module(symbol)
        module.bind([("data", data.shape)], [("softmax_label", labels.shape)])
        mx.random.seed(2)
        module.init_params(mx.init.Xavier())
        module.init_optimizer(optimizer=name.partition("_")[0], optimizer_params=settings)
        train(module, 5)
        params = {f"arg:{n}": a.copy() for n, a in module.get_params()[0].items()}
        given = {"data": data.shape}, {"softmax_label": labels}
        cases[name] = SymbolCase(symbol, tmp_path / name, params, *given, trainer=module, further=10)
    run_alone(cases.values(), tmp_path)
    # The inputs of the check are random ones: training goes on with them here, too.
    batch.data[0][:] = mx.nd.array(cases["sgd"].inputs["data"])
    for name, module in modules.items():
        train(module, 10)
        found = load_file(tmp_path / f"{name}.found.safetensors")
        continued = {k.removeprefix("continued."): v for k, v in found.items() if k.startswith("continued.")}
        assert len(continued) == 8
        for key, value in continued.items():
            bound = 1e-3 if name == "adadelta" else 1e-4  # a quotient of two small sums magnifies rounding
            assert difference(value, module.get_params()[0][key.replace(".", "_")]) <= bound, (name, key)


def test_a_trainers_states_go_along(tmp_path):
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu", in_units=3), nn.BatchNorm(in_channels=4), nn.Dense(2, in_units=4))
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
    x = mx.nd.random.normal(shape=(5, 3))

    def step():
        with autograd.record():
            loss = (net(x) ** 2).sum()
        loss.backward()
        trainer.step(5)

    step()
    mx.to_torch_source(net, tmp_path / "net", x, trainer=trainer)
    sys.path.insert(0, str(tmp_path))
    try:
        from net.model import load
        from net.optimizer import RESCALE, optimizer
    finally:
        sys.path.pop(0)
    model = load().train()
    made = optimizer(model)
    assert RESCALE == pytest.approx(0.2)
    for _ in range(3):
        step()
        made.zero_grad()
        (model(x.as_torch()).square().sum() * RESCALE).backward()
        made.step()
    assert difference(model(x.as_torch()).detach(), _training(net, x)) <= 1e-4


@pytest.mark.filterwarnings("ignore:.*bundled")
def test_digits_are_learned_here_and_there(tmp_path):
    """An epoch by Module, then one in plain torch, with the optimizer that came along: it goes on, and knows digits."""
    arrays = mx.test_utils.get_mnist()
    images, labels = arrays["train_data"][:2000], arrays["train_label"][:2000].astype(np.float32)
    module = mx.mod.Module(lenet())
    mx.random.seed(0)
    settings = {"learning_rate": 0.05, "momentum": 0.9}
    batches = mx.io.NDArrayIter(images, labels, 50, shuffle=True)
    module.fit(batches, optimizer="sgd", optimizer_params=settings, initializer=mx.init.Xavier(), num_epoch=1)
    params = {f"arg:{n}": a for n, a in module.get_params()[0].items()}
    mx.to_torch_source(
        lenet(), tmp_path / "digits_net", params=params, shapes={"data": (50, 1, 28, 28)}, trainer=module
    )
    model = loaded(tmp_path / "digits_net")
    from digits_net.optimizer import RESCALE, optimizer

    test = torch.from_numpy(arrays["test_data"][:500]), torch.from_numpy(arrays["test_label"][:500]).long()

    def accuracy():
        with torch.no_grad():
            return float((model(test[0]).argmax(1) == test[1]).float().mean())

    before, made = accuracy(), optimizer(model.train())
    for start in range(0, 2000, 50):
        x, y = (torch.from_numpy(a[start : start + 50]) for a in (images, labels))
        made.zero_grad()
        (model.loss(model(x), y) * RESCALE).backward()
        made.step()
    assert before > 0.7
    assert accuracy() > max(0.9, before - 0.02)


def _training(net, x):
    with autograd.train_mode():
        return net(x)


# ---- files and errors ------------------------------------------------------------------------------------------------


def test_the_command(tmp_path, capsys):
    symbol = lenet()
    symbol.save(str(tmp_path / "net-symbol.json"))
    mx.nd.save(str(tmp_path / "net-0000.params"), parameters_of(symbol, data=(2, 1, 28, 28)))
    files = [str(tmp_path / n) for n in ("net-symbol.json", "net-0000.params", "out")]
    assert to_torch.main([*files, "--shape", "data=2,1,28,28"]) == 0
    done = subprocess.run([sys.executable, str(tmp_path / "out" / "check.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "largest difference" in done.stdout
    names = sorted(p.name for p in (tmp_path / "out").iterdir())
    wanted = ["README.md", "__init__.py", "check.py", "check.safetensors", "model.py", "ops.py", "weights.safetensors"]
    assert [n for n in names if n != "__pycache__"] == wanted
    assert "mxnet" not in re.sub(r'""".*?"""', "", (tmp_path / "out" / "model.py").read_text(), flags=re.DOTALL)
    # again, over what is there
    assert to_torch.main([*files, "--shape", "data=2,1,28,28"]) == 0
    capsys.readouterr()
    assert to_torch.main(files) == 1
    assert "neither parameters nor shapes are given for data" in capsys.readouterr().err
    (tmp_path / "other").mkdir()
    for folder, name in (("other", "README.md"), ("out", "train.py")):
        own = tmp_path / folder / name
        own.write_text("mine")
        assert to_torch.main([*files[:2], str(own.parent), "--shape", "data=2,1,28,28"]) == 1
        assert f"({name})" in capsys.readouterr().err and own.read_text() == "mine"


def test_everything_that_is_missing_is_listed_and_nothing_written(tmp_path):
    data = mx.sym.Variable("data")
    y = mx.sym.sample_normal(data, data, name="draw")
    net = mx.sym.Group([mx.sym.random_uniform(shape=(2, 3), name="noise") + data, y])
    with pytest.raises(MXNetError) as found:
        mx.to_torch_source(net, tmp_path / "out", shapes={"data": (2, 3)})
    assert "noise (_random_uniform)" in str(found.value) and "draw (_sample_normal)" in str(found.value)
    assert not list(tmp_path.iterdir())


def test_control_flow_is_refused(tmp_path):
    step = mx.sym.contrib.foreach(lambda x, s: (x + s, x + s), mx.sym.var("data"), mx.sym.var("start"))[0]
    with pytest.raises(MXNetError, match="control flow"):
        mx.to_torch_source(step, tmp_path / "out", shapes={"data": (3, 2), "start": (2,)})


def test_what_is_given_must_fit(tmp_path):
    with pytest.raises(MXNetError, match="example inputs"):
        mx.to_torch_source(nn.Dense(2), tmp_path / "out")
    with pytest.raises(MXNetError, match="a Gluon block or a symbol, got a list"):
        mx.to_torch_source([], tmp_path / "out")
    with pytest.raises(MXNetError, match="there is no input image"):
        mx.to_torch_source(lenet(), tmp_path / "out", shapes={"image": (1, 1, 28, 28)})


def test_operators_without_parameters(tmp_path):
    """Proposals and pooling of regions: functions from our own kernels, and a network that has no weights."""
    rng = np.random.default_rng(0)
    scores, boxes, image = mx.sym.var("scores"), mx.sym.var("boxes"), mx.sym.var("image")
    regions = mx.sym.contrib.Proposal(
        scores, boxes, image, rpn_pre_nms_top_n=50, rpn_post_nms_top_n=10, scales=(8,), rpn_min_size=4
    )
    pooled = mx.sym.ROIPooling(mx.sym.var("features"), regions, pooled_size=(2, 2), spatial_scale=1 / 16)
    inputs = [rng.standard_normal((1, 2, 4, 5)), rng.random((1, 6, 4, 5)), rng.standard_normal((1, 12, 4, 5)) / 9]
    arrays = [mx.nd.array(a) for a in inputs] + [mx.nd.array([[64, 80, 1]])]
    mx.to_torch_source(pooled, tmp_path / "net", *arrays)
    done = subprocess.run([sys.executable, str(tmp_path / "net" / "check.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for line in (["check"], ["format", "--check"]):
        command = [
            sys.executable,
            "-m",
            "ruff",
            *line,
            "--isolated",
            "--line-length",
            "110",
            str(tmp_path / "net" / "model.py"),
        ]
        assert subprocess.run(command, capture_output=True).returncode == 0


def test_names_of_files_are_only_names(tmp_path):
    """A file cannot put anything but names into the source."""
    evil = 'x"); import os  # '
    data = mx.sym.Variable("data")
    symbol = mx.sym.FullyConnected(data, num_hidden=2, name=evil)
    symbol = mx.sym.Activation(symbol, act_type="relu", name="2 class")
    params = parameters_of(symbol, data=(2, 3))
    mx.to_torch_source(symbol, tmp_path / "net", params=params, shapes={"data": (2, 3)})
    tree = ast.parse((tmp_path / "net" / "model.py").read_text())
    imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported <= {"pathlib", "safetensors.torch", "torch", "torch.nn", "ops"}
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.Import) and n.names[0].name != "torch"]


def test_other_precisions_are_refused(tmp_path):
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.cast("float16")
    with pytest.raises(MXNetError, match=r"net.cast\('float32'\)"):
        mx.to_torch_source(net, tmp_path / "out", mx.nd.ones((1, 3), dtype="float16"))


def test_an_optimizer_without_a_counterpart_is_refused(tmp_path):
    net = nn.Dense(2, in_units=3)
    net.initialize()
    for name, reason in (("ftrl", "torch has none"), ("nadam", "with each step")):
        trainer = gluon.Trainer(net.collect_params(), name)
        with pytest.raises(MXNetError, match=reason):
            mx.to_torch_source(net, tmp_path / "net", (1, 3), trainer=trainer)
    assert not list(tmp_path.iterdir())
