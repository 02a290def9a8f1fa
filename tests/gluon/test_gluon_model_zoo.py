"""The model zoo against the original: names, shapes, graphs, outputs and gradients, files of weights."""

import functools
import hashlib
import http.server
import inspect
import json
import logging
import lzma
import pickle
import threading
import zipfile

import gluon_model_zoo_cases as cases
import numpy as np
import pytest
from compare import load_golden
from paths import GOLDEN

import mxnet as mx
from mxnet import autograd, gluon, init, nd
from mxnet.gluon.model_zoo import model_store, vision

STRUCTURE = json.loads(lzma.decompress((GOLDEN / "gluon_model_zoo.json.xz").read_bytes()))
VALUES = load_golden("gluon_model_zoo.npz")
MODELS = [name for name in STRUCTURE if name not in cases.OTHERS]


# ---- networks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STRUCTURE)
def test_structure(name):
    found = cases.structure(mx, name)
    for key, wanted in STRUCTURE[name].items():
        assert found[key] == wanted, key


def error(found, wanted):
    """The largest error, relative to the largest value."""
    assert found.shape == wanted.shape
    return np.abs(found - wanted).max() / np.abs(wanted).max()


def gradient_errors(found, wanted):
    """Errors of norm and projection of each gradient, relative to its norm, unless that is as good as nothing."""
    assert found.shape == wanted.shape
    norms = wanted[:, :1]
    return np.abs(found - wanted) / np.maximum(norms, 1e-3 * norms.max())


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in cases.LARGE else n for n in MODELS])
def test_values(name, hybridize):
    found = cases.results(mx, name, hybridize)
    wanted = {key.split(" ", 1)[1]: VALUES[key] for key in VALUES if key.split(" ")[0] == name}
    assert found.keys() == wanted.keys()
    assert error(found["prediction"], wanted["prediction"]) < 1e-5
    errors = gradient_errors(found["gradients"], wanted["gradients"])
    # In so many layers rounding, even that of another number of threads, decides of some early unit whether it is
    # active: then all gradients differ by 1e-3 or so, else by 1e-6.
    assert errors.max() < 3e-2 and np.median(errors) < 1e-3
    if name in cases.TRAINED:
        assert error(found["training output"], wanted["training output"]) < 1e-3
        assert error(found["training states"], wanted["training states"]) < 1e-5
        # Few values in each channel: rounding decides here and there whether a unit is active. Single precision
        # differs from double as much, here and in the original.
        errors = gradient_errors(found["training gradients"], wanted["training gradients"])
        assert errors.max() < 0.3 and np.median(errors) < 3e-2


def test_every_model_is_recorded():
    assert sorted(MODELS) == sorted(model_store._model_sha1) == list(vision._MODELS)


def test_get_model():
    assert type(vision.get_model("ResNet18_v1", classes=3)) is vision.ResNetV1
    assert vision.get_model("inceptionv3", prefix="i_").prefix == "i_"
    with pytest.raises(ValueError, match=r"Model nonsense is not supported\. Available options are alexnet, dense"):
        vision.get_model("nonsense")


def test_constructors_can_be_inspected_and_pickled():
    from mxnet.gluon.model_zoo.vision import mobilenet

    assert str(inspect.signature(vision.resnet50_v2)).startswith("(**kwargs")
    assert vision.mobilenet0_5.__name__ == "mobilenet0_5" and vision.mobilenet0_5.__module__ == mobilenet.__name__
    assert "ResNet V2 of 50 layers" in vision.resnet50_v2.__doc__
    assert pickle.loads(pickle.dumps(vision.vgg11_bn)) is vision.vgg11_bn
    assert list(inspect.signature(vision.get_vgg).parameters) == ["num_layers", "pretrained", "ctx", "root", "kwargs"]
    assert vision.vgg11_bn(batch_norm=False).features[1].__class__ is gluon.nn.BatchNorm
    with pytest.raises(TypeError, match="multiplier"):
        vision.mobilenet0_5(multiplier=1)


def test_impossible_arguments():
    from mxnet.gluon.model_zoo.vision import densenet

    with pytest.raises(AssertionError, match=r"Invalid resnet version: 3. Options are 1 and 2."):
        vision.get_resnet(3, 18)
    with pytest.raises(AssertionError, match="Invalid number of layers: 19"):
        vision.get_resnet(1, 19)
    with pytest.raises(AssertionError, match="one number more"):
        vision.ResNetV1(vision.BasicBlockV1, [1, 1], [4, 8])
    with pytest.raises(AssertionError, match="2 stages"):
        vision.VGG([1, 1], [4])
    with pytest.raises(AssertionError, match=r"Unsupported SqueezeNet version 1.2"):
        vision.SqueezeNet("1.2")
    with pytest.raises(KeyError):
        vision.get_vgg(12)
    with pytest.raises(KeyError):
        densenet.get_densenet(120)
    with pytest.raises(TypeError, match="foo"):
        vision.resnet18_v1(foo=1)
    with pytest.raises(ValueError, match=r"Pretrained model for mobilenet0.30 is not available"):
        vision.get_mobilenet(0.3, pretrained=True)


def test_blocks_stand_alone():
    x = nd.array(cases.values((2, 4, 6, 6), 0))
    for block in (vision.BasicBlockV1, vision.BottleneckV1, vision.BasicBlockV2, vision.BottleneckV2):
        down, same = block(8, 2, True, in_channels=4), block(4, 1, in_channels=4)
        for net, shape in ((down, (2, 8, 3, 3)), (same, (2, 4, 6, 6))):
            net.initialize()
            eager = net(x)
            net.hybridize()
            assert eager.shape == shape
            np.testing.assert_allclose(net(x).asnumpy(), eager.asnumpy(), rtol=1e-5, atol=1e-6)


def test_inception_side_output():
    from mxnet.gluon.model_zoo.vision import inception

    net = inception.make_aux(5)
    net.initialize()
    assert net(nd.ones((2, 16, 17, 17))).shape == (2, 5)
    assert net.prefix == ""


# ---- files -----------------------------------------------------------------------------------------------------------


def test_parameters_round_trip(tmp_path):
    first, x = cases.exported(mx)
    first.save_parameters(str(tmp_path / "w.params"))
    second = vision.get_mobilenet(0.06, classes=4)
    second.load_parameters(str(tmp_path / "w.params"))
    assert (second(x) == first(x)).asnumpy().all()


@pytest.mark.parametrize("own", [False, True], ids=["original", "own"])
def test_export(own, tmp_path):
    net, x = cases.exported(mx)
    wanted = np.load(GOLDEN / "gluon_model_zoo_export.npy")
    prefix = str(GOLDEN / "gluon_model_zoo_export")
    if own:
        net.hybridize()
        net(x)
        net.export(str(tmp_path / "net"))
        with open(f"{prefix}-symbol.json") as theirs:
            assert json.loads((tmp_path / "net-symbol.json").read_text())["nodes"] == json.load(theirs)["nodes"]
        prefix = str(tmp_path / "net")
    block = gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
    np.testing.assert_allclose(block(x).asnumpy(), wanted, rtol=1e-5, atol=1e-6)
    module = mx.mod.Module.load(prefix, 0, label_names=None)
    module.bind([("data", x.shape)], for_training=False)
    module.forward(mx.io.DataBatch([x]))
    np.testing.assert_allclose(module.get_outputs()[0].asnumpy(), wanted, rtol=1e-5, atol=1e-6)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        self.server.asked.append(self.path)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A web server with the weights of mobilenet0.25 in the layout of MXNet's own; yields (directory, paths asked)."""
    net = vision.mobilenet0_25()
    net.initialize()
    net(nd.zeros((1, 3, 32, 32)))
    cases.fill(mx, net)
    content = tmp_path / "weights.params"
    net.save_parameters(str(content))
    sha1 = hashlib.sha1(content.read_bytes()).hexdigest()
    monkeypatch.setitem(model_store._model_sha1, "mobilenet0.25", sha1)
    served = tmp_path / "repository"
    archive = served / "gluon" / "models" / f"mobilenet0.25-{sha1[:8]}.zip"
    archive.parent.mkdir(parents=True)
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("../outside.txt", "nobody should unpack this")
        target.write(content, f"mobilenet0.25-{sha1[:8]}.params")
    handler = functools.partial(Quiet, directory=str(served))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("MXNET_GLUON_REPO", f"http://127.0.0.1:{server.server_port}")
        yield archive, server.asked
        server.shutdown()
        thread.join()


def test_pretrained(repository, tmp_path, monkeypatch, caplog):
    archive, asked = repository
    root = tmp_path / "deep" / "models"
    x = nd.array(cases.values((1, 3, 32, 32), 0))
    net = vision.mobilenet0_25(pretrained=True, root=str(root))
    assert len(asked) == 1
    assert [p.name for p in root.iterdir()] == [f"{archive.stem}.params"], "nothing else is left behind"
    assert not (tmp_path / "deep" / "outside.txt").exists()
    plain = vision.mobilenet0_25()
    plain.load_parameters(str(root / f"{archive.stem}.params"))
    assert (net(x) == plain(x)).asnumpy().all()

    vision.get_model("mobilenet0.25", pretrained=True, root=str(root))
    assert len(asked) == 1, "what is there is not fetched again"

    (root / f"{archive.stem}.params").write_bytes(b"damaged")
    with caplog.at_level(logging.WARNING):
        again = vision.mobilenet0_25(pretrained=True, root=str(root))
    assert "Mismatch in the content of model file detected" in caplog.text and len(asked) == 2
    assert (again(x) == net(x)).asnumpy().all()

    model_store.purge(str(root))
    assert not list(root.iterdir())
    monkeypatch.setenv("MXNET_GLUON_REPO", archive.parents[2].as_uri() + "/")
    assert model_store.get_model_file("mobilenet0.25", root=str(root)) == str(root / f"{archive.stem}.params")
    assert len(asked) == 2, "a file: address works too"


def test_pretrained_context(repository, tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    net = vision.mobilenet0_25(pretrained=True, ctx=mx.gpu(1), root=str(tmp_path))
    assert {ctx for p in net.collect_params().values() for ctx in p.list_ctx()} == {mx.gpu(1)}
    assert net(nd.zeros((1, 3, 32, 32), ctx=mx.gpu(1))).context == mx.gpu(1)


@pytest.mark.parametrize("fault", ["hash", "no member", "no archive", "missing"])
def test_bad_download_says_what_to_do(repository, tmp_path, fault):
    archive, _ = repository
    if fault == "missing":
        archive.unlink()
    elif fault == "no archive":
        archive.write_bytes(b"<html>not found</html>")
    else:
        with zipfile.ZipFile(archive, "w") as target:
            target.writestr(f"{archive.stem}.params" if fault == "hash" else "readme.txt", b"something else")
    root = tmp_path / "models"
    with pytest.raises(mx.MXNetError) as caught:
        vision.mobilenet0_25(pretrained=True, root=str(root))
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, OSError)
    text = str(caught.value)
    reason = {"hash": "different hash", "no member": "readme.txt", "no archive": "zip", "missing": "404"}[fault]
    for part in (reason, f"{archive.stem}.params", repr(str(root)), f"gluon/models/{archive.name}", "MXNET_GLUON_REPO"):
        assert part in text
    assert not list(root.iterdir()), "nothing half done is left behind"


def test_model_store():
    assert model_store.short_hash("alexnet") == "44335d1f"
    with pytest.raises(ValueError, match=r"Pretrained model for foo is not available."):
        model_store.short_hash("foo")
    with pytest.raises(ValueError, match=r"Pretrained model for foo is not available."):
        model_store.get_model_file("foo")


# ---- idioms ----------------------------------------------------------------------------------------------------------


def test_fine_tuning(tmp_path):
    """The way of the books: trained features, a new output that learns faster."""
    pretrained_net = vision.resnet18_v2(classes=5, prefix="pretrained_")
    pretrained_net.initialize()
    pretrained_net(nd.zeros((1, 3, 32, 32)))
    finetune_net = vision.resnet18_v2(classes=2)
    finetune_net.features = pretrained_net.features
    finetune_net.output.initialize(init.Xavier())
    for parameter in finetune_net.output.collect_params().values():
        parameter.lr_mult = 10
    parameters = finetune_net.collect_params()
    parameters.reset_ctx(mx.cpu())
    feature = parameters["pretrained_conv0_weight"]
    output = finetune_net.output.weight
    assert feature is pretrained_net.features[1].weight
    x, label = nd.array(cases.values((4, 3, 32, 32), 0)), nd.array([0, 1, 0, 1])
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    finetune_net.hybridize()
    rates = {"learning_rate": 0.01, "wd": 0.001}
    trainer = gluon.Trainer(parameters, "sgd", rates)
    losses = []
    for _ in range(4):
        before = {p: p.data().asnumpy() for p in (feature, output)}
        with autograd.record():
            found = loss(finetune_net(x), label)
        found.backward()
        trainer.step(4)
        losses.append(found.mean().asscalar())
        for parameter, times in ((feature, 1), (output, 10)):
            gradient = parameter.grad().asnumpy() / 4 + 0.001 * before[parameter]
            wanted = before[parameter] - 0.01 * times * gradient
            np.testing.assert_allclose(parameter.data().asnumpy(), wanted, rtol=1e-5, atol=1e-7)
    assert losses[-1] < losses[0]
    assert (pretrained_net.features(x) == finetune_net.features(x)).asnumpy().all()


def test_features_of_a_layer():
    """Parts of a network are networks: what styles and detectors are made of."""
    net = vision.vgg11(classes=3)
    net.initialize()
    part = gluon.nn.HybridSequential(prefix="part_")
    part.add(*net.features[:8])
    x = nd.ones((1, 3, 32, 32))
    wanted = x
    for layer in net.features[:8]:
        wanted = layer(wanted)
    part.hybridize()
    assert wanted.shape == (1, 256, 8, 8)
    np.testing.assert_allclose(part(x).asnumpy(), wanted.asnumpy(), rtol=1e-5, atol=1e-6)
