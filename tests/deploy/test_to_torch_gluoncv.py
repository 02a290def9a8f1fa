"""GluonCV's networks as PyTorch source: classifiers, detectors, segmentation and poses."""

import sys

import pytest
from paths import ROOT
from safetensors.torch import load_file
from to_torch_check import run_alone

import mxnet as mx

PACKAGES = ROOT / "data" / "packages"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PACKAGES / "gluoncv").exists(), reason="GluonCV is missing: make packages gets it"),
    pytest.mark.filterwarnings("ignore"),  # of the package, which is old
]

#: Sizes of the pictures. Detectors whose boxes are sorted by nearly equal scores are compared by what is sure.
NETWORKS = {
    "cifar_resnet20_v1": 32,
    "cifar_resnext29_16x64d": 32,
    "cifar_wideresnet16_10": 32,
    "resnet18_v1b": 64,
    "resnet50_v1d": 64,
    "resnext50_32x4d": 64,
    "se_resnet18_v1": 64,
    "se_resnext50_32x4d": 64,
    "senet_154": 64,
    "resnest14": 64,
    "mobilenetv3_small": 64,
    "mobilenetv3_large": 64,
    "shufflenet_v1": 64,
    "shufflenet_v2": 64,
    "googlenet": 224,
    "xception": 96,
    "darknet53": 64,
    "mobilenetv2_0.5": 64,
    "vgg11_bn": 32,
    "resnest26": 64,
    "resnet34_v1b": 64,
    "resnet50_v1s": 64,
    "cifar_residualattentionnet56": 32,
    "dla34": 64,
    "hrnet_w18_small_v1_c": 64,
    "residualattentionnet56": 224,
    "simple_pose_resnet18_v1b": 64,
    "mobile_pose_resnet18_v1b": 64,
    "ssd_300_vgg16_atrous_voc": 300,
    "yolo3_darknet53_voc": 128,
    "yolo3_mobilenet1.0_voc": 128,
    "center_net_resnet18_v1b_voc": 128,
    "faster_rcnn_resnet50_v1b_voc": 128,
    "center_net_resnet18_v1b_dcnv2_voc": 128,
    "simple_pose_resnet50_v1d": 64,
    "fcn_resnet50_voc": 96,
    "fcn_resnet101_voc": 96,
    "psp_resnet50_ade": 480,
    "deeplab_resnet50_ade": 480,
    "icnet_resnet50_citys": 480,
    "danet_resnet50_citys": 96,
}
SORTED = ("ssd", "yolo3", "faster_rcnn", "center_net")


class Written:
    """A package, as the runner takes it."""

    def __init__(self, path):
        self.path = path

    def task(self):
        return {"path": str(self.path)}


@pytest.mark.parametrize("name", NETWORKS)
def test_gluoncv(tmp_path, monkeypatch, name):
    monkeypatch.setattr(sys, "path", [str(PACKAGES), *sys.path])
    from gluoncv import model_zoo

    mx.random.seed(1)
    bases = {"pretrained_base": False} if "_voc" in name or "_ade" in name or "_citys" in name else {}
    net = model_zoo.get_model(name, pretrained=False, **bases)
    net.initialize(mx.init.Xavier(magnitude=2))
    size = NETWORKS[name]
    path = tmp_path / name.replace(".", "_")
    mx.to_torch_source(net, path, (1, 3, size, size))
    run_alone([Written(path)], tmp_path)
    expected, found = load_file(path / "check.safetensors"), load_file(f"{path}.found.safetensors")
    lines = (path / "model.py").read_text().splitlines()
    worst = 0.0
    for key, value in found.items():
        difference = (value.double() - expected[key].double()).abs()
        scale = max(float(expected[key].abs().max()), 1e-6)
        if name.startswith(SORTED):  # boxes whose scores are equal up to rounding may change places
            difference = difference[
                difference <= difference.flatten().kthvalue(-(-difference.numel() * 99 // 100)).values
            ]
        worst = max(worst, float(difference.max()) / scale)
    print(f"{name}: {len(lines)} lines, {worst:.1e}")
    assert worst <= 1e-5
    assert max(map(len, lines)) <= 110
    if name == "ssd_300_vgg16_atrous_voc":
        assert len(lines) <= 250
