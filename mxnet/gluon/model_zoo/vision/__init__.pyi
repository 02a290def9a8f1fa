# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import difflib
from typing import Any
from ....error import MXNetValueError as MXNetValueError
from ...hybrid_block import HybridBlock as HybridBlock
from ..model_store import _model_sha1 as _model_sha1
from . import densenet as densenet, inception as inception, mobilenet as mobilenet, resnet as resnet, squeezenet as squeezenet, vgg as vgg
from ._common import Network as _Network
from .alexnet import AlexNet as AlexNet, alexnet as alexnet
from .densenet import DenseNet as DenseNet, densenet121 as densenet121, densenet161 as densenet161, densenet169 as densenet169, densenet201 as densenet201
from .inception import Inception3 as Inception3, inception_v3 as inception_v3
from .mobilenet import MobileNet as MobileNet, MobileNetV2 as MobileNetV2, get_mobilenet as get_mobilenet, get_mobilenet_v2 as get_mobilenet_v2, mobilenet0_25 as mobilenet0_25, mobilenet0_5 as mobilenet0_5, mobilenet0_75 as mobilenet0_75, mobilenet1_0 as mobilenet1_0, mobilenet_v2_0_25 as mobilenet_v2_0_25, mobilenet_v2_0_5 as mobilenet_v2_0_5, mobilenet_v2_0_75 as mobilenet_v2_0_75, mobilenet_v2_1_0 as mobilenet_v2_1_0
from .resnet import BasicBlockV1 as BasicBlockV1, BasicBlockV2 as BasicBlockV2, BottleneckV1 as BottleneckV1, BottleneckV2 as BottleneckV2, ResNetV1 as ResNetV1, ResNetV2 as ResNetV2, get_resnet as get_resnet, resnet101_v1 as resnet101_v1, resnet101_v2 as resnet101_v2, resnet152_v1 as resnet152_v1, resnet152_v2 as resnet152_v2, resnet18_v1 as resnet18_v1, resnet18_v2 as resnet18_v2, resnet34_v1 as resnet34_v1, resnet34_v2 as resnet34_v2, resnet50_v1 as resnet50_v1, resnet50_v2 as resnet50_v2
from .squeezenet import SqueezeNet as SqueezeNet, squeezenet1_0 as squeezenet1_0, squeezenet1_1 as squeezenet1_1
from .vgg import VGG as VGG, get_vgg as get_vgg, vgg11 as vgg11, vgg11_bn as vgg11_bn, vgg13 as vgg13, vgg13_bn as vgg13_bn, vgg16 as vgg16, vgg16_bn as vgg16_bn, vgg19 as vgg19, vgg19_bn as vgg19_bn
_MODELS: dict[Any, Any]
def get_model(name: str, **kwargs: object) -> _Network:
    """A network by its name, e.g. "resnet50_v1", "mobilenetv2_0.75" or "inceptionv3"."""
__all__ = ['AlexNet', 'Any', 'BasicBlockV1', 'BasicBlockV2', 'BottleneckV1', 'BottleneckV2', 'DenseNet', 'HybridBlock', 'Inception3', 'MXNetValueError', 'MobileNet', 'MobileNetV2', 'ResNetV1', 'ResNetV2', 'SqueezeNet', 'VGG', 'alexnet', 'annotations', 'densenet', 'densenet121', 'densenet161', 'densenet169', 'densenet201', 'difflib', 'get_mobilenet', 'get_mobilenet_v2', 'get_model', 'get_resnet', 'get_vgg', 'inception', 'inception_v3', 'mobilenet', 'mobilenet0_25', 'mobilenet0_5', 'mobilenet0_75', 'mobilenet1_0', 'mobilenet_v2_0_25', 'mobilenet_v2_0_5', 'mobilenet_v2_0_75', 'mobilenet_v2_1_0', 'resnet', 'resnet101_v1', 'resnet101_v2', 'resnet152_v1', 'resnet152_v2', 'resnet18_v1', 'resnet18_v2', 'resnet34_v1', 'resnet34_v2', 'resnet50_v1', 'resnet50_v2', 'squeezenet', 'squeezenet1_0', 'squeezenet1_1', 'vgg', 'vgg11', 'vgg11_bn', 'vgg13', 'vgg13_bn', 'vgg16', 'vgg16_bn', 'vgg19', 'vgg19_bn']
