"""Packages built on MXNet, as they are published: `make packages` gets them, `make slow` then runs this.

They are found in the directory that MXNET_TEST_PACKAGES names. What their networks compute has been compared with the
original by hand; here eager and hybridized runs must agree, and training must learn.
"""

import builtins
import importlib
import os

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def packages(monkeypatch):
    path = os.environ.get("MXNET_TEST_PACKAGES")
    if not path:
        pytest.skip("MXNET_TEST_PACKAGES is to name the directory that `make packages` fills")
    monkeypatch.syspath_prepend(path)
    for name in ("bool", "int", "float", "object"):  # NumPy had these when the packages were written
        if not hasattr(np, name):
            monkeypatch.setattr(np, name, getattr(builtins, name), raising=False)


NETWORKS = {
    "cifar_resnet20_v1": (32, 32),
    "resnext50_32x4d": (64, 64),
    "xception": (96, 96),
    "ssd_300_vgg16_atrous_voc": (300, 300),
    "yolo3_darknet53_voc": (96, 96),
    "center_net_resnet18_v1b_voc": (128, 128),
    "fcn_resnet50_voc": (96, 96),
    "simple_pose_resnet18_v1b": (128, 96),
}


def arrays(value):
    return [array for part in value for array in arrays(part)] if isinstance(value, list | tuple) else [value]


@pytest.mark.parametrize("name", NETWORKS)
def test_gluoncv(name):
    from gluoncv import model_zoo

    mx.random.seed(0)
    options = {"pretrained_base": False} if name.endswith(("voc", "v1b")) else {}
    net = model_zoo.get_model(name, pretrained=False, **options)
    net.initialize(mx.init.Xavier())
    images = mx.nd.random.uniform(shape=(1, 3, *NETWORKS[name]))
    eager = [array.asnumpy() for array in arrays(net(images))]
    net.hybridize()
    hybrid = [array.asnumpy() for array in arrays(net(images))]
    assert len(eager) == len(hybrid)
    for a, b in zip(eager, hybrid, strict=True):
        assert np.isfinite(a).all()
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3 * np.abs(a).max())


@pytest.mark.parametrize("hybrid", [False, True])
def test_gluoncv_trains_a_detector(hybrid):
    import gluoncv
    from gluoncv.model_zoo.ssd.target import SSDTargetGenerator

    mx.random.seed(0)
    net = gluoncv.model_zoo.get_model("ssd_300_vgg16_atrous_voc", pretrained=False, pretrained_base=False)
    net.initialize(mx.init.Xavier())
    if hybrid:
        net.hybridize()
    images = mx.nd.random.uniform(shape=(1, 3, 300, 300))
    with autograd.train_mode():
        _, _, anchors = net(images)
    boxes, classes = mx.nd.array([[[0.1, 0.1, 0.5, 0.6], [0.4, 0.3, 0.9, 0.9]]]), mx.nd.array([[[3], [7]]])
    generate = SSDTargetGenerator(iou_thresh=0.5, stds=(0.1, 0.1, 0.2, 0.2), negative_mining_ratio=-1)
    class_targets, box_targets, _ = generate(anchors, None, boxes, classes)
    criterion = gluoncv.loss.SSDMultiBoxLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-4, "momentum": 0.9})
    losses = []
    for _ in range(8):
        with autograd.record():
            scores, offsets, _ = net(images)
            total, _, _ = criterion(scores, offsets, class_targets, box_targets)
            autograd.backward(total)
        trainer.step(1)
        losses.append(float(total[0].asnumpy().sum()))
    assert np.isfinite(losses).all()
    assert losses[-1] < 0.8 * losses[0], losses


@pytest.mark.parametrize("name", ["deepar.DeepAREstimator", "tft.TemporalFusionTransformerEstimator"])
def test_gluonts(name):
    from gluonts.dataset.common import ListDataset
    from gluonts.mx.trainer import Trainer

    module, kind = name.split(".")
    estimator = getattr(importlib.import_module(f"gluonts.mx.model.{module}"), kind)
    mx.random.seed(0)
    np.random.seed(0)
    waves = [{"start": "2020-01-01 00:00", "target": np.sin(np.arange(300) / 5 + i) + 5} for i in range(4)]
    data = ListDataset(waves, freq="h")
    trainer = Trainer(epochs=6, num_batches_per_epoch=20, learning_rate=0.01)
    predictor = estimator(freq="h", prediction_length=12, context_length=24, trainer=trainer).train(data)
    forecast = next(iter(predictor.predict(data)))
    expected = np.sin(np.arange(300, 312) / 5) + 5
    assert np.abs(forecast.quantile(0.5) - expected).mean() < 0.5, (forecast.quantile(0.5), expected)


EXPORTED = {
    "cifar_resnet20_v1": (32, 32),
    "cifar_wideresnet16_10": (32, 32),
    "cifar_resnext29_16x64d": (32, 32),
    "resnext50_32x4d": (64, 64),
    "se_resnext50_32x4d": (64, 64),
    "resnet18_v1b": (64, 64),
    "resnet50_v1d": (64, 64),
    "mobilenetv3_small": (64, 64),
    "senet_154": (224, 224),
    "resnest50": (64, 64),
    "darknet53": (64, 64),
    "googlenet": (224, 224),
    "xception": (96, 96),
    "nasnet_4_1056": (64, 64),
    "hrnet_w18_small_v1_c": (64, 64),
    "ssd_300_vgg16_atrous_voc": (300, 300),
    "yolo3_darknet53_voc": (96, 96),
    "yolo3_mobilenet1.0_voc": (96, 96),
    "center_net_resnet18_v1b_voc": (128, 128),
    "faster_rcnn_resnet50_v1b_voc": (128, 128),
    "fcn_resnet50_voc": (96, 96),
    "simple_pose_resnet18_v1b": (128, 96),
    "mobile_pose_mobilenet1.0": (128, 96),
    "alpha_pose_resnet101_v1b_coco": (128, 96),
}


@pytest.mark.parametrize("name", EXPORTED)
def test_gluoncv_to_onnx(name, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    from gluoncv import model_zoo

    mx.random.seed(0)
    options = {"pretrained_base": False} if name.endswith(("voc", "v1b", "coco", "mobilenet1.0")) else {}
    net = model_zoo.get_model(name, pretrained=False, **options)
    net.initialize(mx.init.Xavier())
    images = mx.nd.random.uniform(shape=(1, 3, *EXPORTED[name]))
    wanted = [array.asnumpy() for array in arrays(net(images))]
    path = mx.onnx.export_model(net, None, [images.shape], np.float32, str(tmp_path / "net.onnx"))
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    found = session.run(None, {session.get_inputs()[0].name: images.asnumpy()})
    assert len(found) == len(wanted)
    if name.startswith("center_net"):  # all scores are alike without training, and which boxes come first is open
        found, wanted = found[1:2], wanted[1:2]
    for a, b in zip(found, wanted, strict=True):
        assert np.abs(a - b).max() <= 1e-4 * max(np.abs(b).max(), 1e-3)
