"""torchvision's trained weights for the networks of the model zoo: which network they fit, and under which names.

MXNet's own weights were published in a place that is no more. Those of torchvision are for the same architectures, and
were trained on images normalized in the same way (RGB from 0 to 1, less the mean (0.485, 0.456, 0.406), divided by
(0.229, 0.224, 0.225)). Three networks differ a little, and are built as torchvision's are (``adapt``) for its weights:
ResNet of 50 layers and more has the stride in the 3x3 convolution, MobileNetV2's last layer a bias.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch

from ...error import MXNetValueError
from ...ndarray import NDArray, array
from .. import nn
from ..block import Block
from .vision.densenet import densenet_spec
from .vision.resnet import BottleneckV1, resnet_spec
from .vision.squeezenet import _SPEC as squeezenet_spec
from .vision.vgg import vgg_spec

__all__ = ["FILES", "adapt", "convert", "layers"]

#: Networks -> torchvision's file of weights; its ending has the beginning of the SHA-256.
FILES = {
    "alexnet": "alexnet-owt-7be5be79.pth",
    "densenet121": "densenet121-a639ec97.pth",
    "densenet161": "densenet161-8d451a50.pth",
    "densenet169": "densenet169-b2777c0a.pth",
    "densenet201": "densenet201-c1103571.pth",
    "inceptionv3": "inception_v3_google-0cc3c7bd.pth",
    "mobilenetv2_1.0": "mobilenet_v2-b0353104.pth",
    "resnet18_v1": "resnet18-f37072fd.pth",
    "resnet34_v1": "resnet34-b627a593.pth",
    "resnet50_v1": "resnet50-0676ba61.pth",
    "resnet101_v1": "resnet101-63fe2227.pth",
    "resnet152_v1": "resnet152-394f9c45.pth",
    "squeezenet1.0": "squeezenet1_0-b66bff10.pth",
    "squeezenet1.1": "squeezenet1_1-b8a52dc0.pth",
    "vgg11": "vgg11-8a719046.pth",
    "vgg11_bn": "vgg11_bn-6002323d.pth",
    "vgg13": "vgg13-19584684.pth",
    "vgg13_bn": "vgg13_bn-abd245e5.pth",
    "vgg16": "vgg16-397923af.pth",
    "vgg16_bn": "vgg16_bn-6c64b313.pth",
    "vgg19": "vgg19-dcbb9e9d.pth",
    "vgg19_bn": "vgg19_bn-c79401a0.pth",
}
#: A layer that torchvision's network does not have, and that here lets everything through.
IDENTITY = ""


def adapt(net: Any, name: str) -> None:
    """Changes a new network of the model zoo to the one that torchvision's weights were trained with."""
    if name.startswith("resnet"):
        for stage in net.features:
            for block in stage if isinstance(stage, nn.HybridSequential) else ():
                if isinstance(block, BottleneckV1):
                    first, second = block.body[0]._kwargs, block.body[3]._kwargs
                    first["stride"], second["stride"] = second["stride"], first["stride"]
    elif name.startswith("mobilenetv2"):
        old = net.output[0]
        with net.output.name_scope():
            new = nn.Conv2D(old._channels, 1, use_bias=True, prefix="pred_")
        net.output._children["0"] = new


def layers(name: str) -> Iterator[str]:
    """torchvision's names of the layers with parameters, in the order in which they are in the model zoo's network."""
    family = "".join(c for c in name.partition("_")[0].rstrip("0123456789.") if c.isalpha()) or name
    return _FAMILIES[family](name)


def _alexnet(name: str) -> Iterator[str]:
    yield from (f"features.{i}" for i in (0, 3, 6, 8, 10))
    yield from (f"classifier.{i}" for i in (1, 4, 6))


def _vgg(name: str) -> Iterator[str]:
    depth, _, normalized = name.removeprefix("vgg").partition("_")
    at = 0
    for count in vgg_spec[int(depth)][0]:
        for _ in range(count):
            yield f"features.{at}"
            if normalized:
                yield f"features.{at + 1}"
            at += 3 if normalized else 2
        at += 1  # the pooling
    yield from (f"classifier.{i}" for i in (0, 3, 6))


def _resnet(name: str) -> Iterator[str]:
    kind, blocks, channels = resnet_spec[int(name.removeprefix("resnet").partition("_")[0])]
    yield from ("conv1", "bn1")
    for stage, count in enumerate(blocks, 1):
        for block in range(count):
            for i in range(1, 3 if kind == "basic_block" else 4):
                yield from (f"layer{stage}.{block}.conv{i}", f"layer{stage}.{block}.bn{i}")
            if block == 0 and channels[stage] != channels[stage - 1]:
                yield from (f"layer{stage}.0.downsample.{i}" for i in (0, 1))
    yield "fc"


def _densenet(name: str) -> Iterator[str]:
    yield from ("features.conv0", "features.norm0")
    counts = densenet_spec[int(name.removeprefix("densenet"))][2]
    for stage, count in enumerate(counts, 1):
        for layer in range(1, count + 1):
            yield from (
                f"features.denseblock{stage}.denselayer{layer}.{part}{i}" for i in (1, 2) for part in ("norm", "conv")
            )
        if stage < len(counts):
            yield from (f"features.transition{stage}.{part}" for part in ("norm", "conv"))
    yield from ("features.norm5", "classifier")


def _squeezenet(name: str) -> Iterator[str]:
    yield "features.0"
    modules = (None, *squeezenet_spec[name.removeprefix("squeezenet")][2])
    for at, squeeze in enumerate(modules, 2):
        if squeeze is not None:
            yield from (f"features.{at}.{part}" for part in ("squeeze", "expand1x1", "expand3x3"))
    yield "classifier.1"


def _mobilenetv2(name: str) -> Iterator[str]:
    yield from ("features.0.0", "features.0.1", IDENTITY, IDENTITY)
    yield from (f"features.1.conv.{i}" for i in ("0.0", "0.1", "1", "2"))
    for block in range(2, 18):
        yield from (f"features.{block}.conv.{i}" for i in ("0.0", "0.1", "1.0", "1.1", "2", "3"))
    yield from ("features.18.0", "features.18.1", "classifier.1")


# The convolutions of torchvision's Inception, module by module.
_INCEPTION = {
    "5bcd": "1x1 5x5_1 5x5_2 3x3dbl_1 3x3dbl_2 3x3dbl_3 _pool",
    "6a": "3x3 3x3dbl_1 3x3dbl_2 3x3dbl_3",
    "6bcde": "1x1 7x7_1 7x7_2 7x7_3 7x7dbl_1 7x7dbl_2 7x7dbl_3 7x7dbl_4 7x7dbl_5 _pool",
    "7a": "3x3_1 3x3_2 7x7x3_1 7x7x3_2 7x7x3_3 7x7x3_4",
    "7bc": "1x1 3x3_1 3x3_2a 3x3_2b 3x3dbl_1 3x3dbl_2 3x3dbl_3a 3x3dbl_3b _pool",
}


def _inception(name: str) -> Iterator[str]:
    modules = [f"Conv2d_{i}" for i in ("1a_3x3", "2a_3x3", "2b_3x3", "3b_1x1", "4a_3x3")]
    for kind, branches in _INCEPTION.items():
        modules += (f"Mixed_{kind[0]}{letter}.branch{branch}" for letter in kind[1:] for branch in branches.split())
    for module in modules:
        yield from (f"{module}.conv", f"{module}.bn")
    yield "fc"


_FAMILIES = {
    "alexnet": _alexnet,
    "densenet": _densenet,
    "inceptionv": _inception,
    "mobilenetv": _mobilenetv2,
    "resnet": _resnet,
    "squeezenet": _squeezenet,
    "vgg": _vgg,
}
_OF_NORMALIZATION = {"gamma": "weight", "beta": "bias", "running_mean": "running_mean", "running_var": "running_var"}


def _with_parameters(block: Block, prefix: str = "") -> Iterator[tuple[str, Block]]:
    """The layers of a network that have parameters, in the order of their definition, with their paths."""
    if isinstance(block, nn.Conv2D | nn.BatchNorm | nn.Dense):
        yield prefix, block
    for name, child in block._children.items():
        yield from _with_parameters(child, f"{prefix}{name}.")


def convert(
    name: str, state: Mapping[str, torch.Tensor], net: Any, images_are_transformed: bool = True
) -> dict[str, NDArray]:
    """The parameters of ``net``, a network of that name after ``adapt``, by torchvision's ``state_dict``.

    torchvision's Inception with trained weights takes images normalized as all the others' and transforms them itself:
    its first layer does that here. ``images_are_transformed=False`` leaves it as in the state dict.
    """
    left = {key: value for key, value in state.items() if not key.endswith("num_batches_tracked")}
    left = {key: value for key, value in left.items() if not key.startswith("AuxLogits.")}
    for key, value in left.items():
        if not isinstance(value, torch.Tensor):
            raise MXNetValueError(f"weights for {name}: {key} is {type(value).__name__}, expected a tensor")
    ours, theirs = list(_with_parameters(net)), list(layers(name))
    assert len(ours) == len(theirs), f"{name} has {len(ours)} layers with parameters here, and {len(theirs)} by names"
    found: dict[str, torch.Tensor] = {}
    channels = 0  # of what the layer before gives
    for (path, layer), their in zip(ours, theirs, strict=True):
        if their == IDENTITY:
            found |= {path + key: value for key, value in _identity(layer, channels).items()}
            continue
        if isinstance(layer, nn.BatchNorm):
            found |= {path + key: _take(left, f"{their}.{there}", name) for key, there in _OF_NORMALIZATION.items()}
            continue
        weight = _take(left, f"{their}.weight", name)
        channels = weight.shape[0]
        if isinstance(layer, nn.Conv2D) and weight.dim() == 2:  # the same, over an image of one pixel
            weight = weight[:, :, None, None]
        found[f"{path}weight"] = weight
        if layer.bias is not None:  # type: ignore[attr-defined]
            bias = left.pop(f"{their}.bias", None)  # a convolution that is normalized has none there
            found[f"{path}bias"] = torch.zeros(channels) if bias is None else bias
    if left:
        raise MXNetValueError(
            f"weights for {name}: {_some(left)} are not of torchvision's {name}, or of another version"
        )
    if name == "inceptionv3" and images_are_transformed:
        _transform_images(found)
    for key, parameter in net._collect_params_with_prefix().items():
        shape, wanted = tuple(found[key].shape), tuple(parameter.shape)
        if len(shape) != len(wanted) or any(
            size not in (0, -1, given) for size, given in zip(wanted, shape, strict=True)
        ):
            raise MXNetValueError(f"weights for {name}: {key} has the shape {wanted}, the file has {shape} for it")
    return {key: array(value.detach().float().numpy(), dtype="float32") for key, value in found.items()}


def _take(left: dict[str, torch.Tensor], key: str, name: str) -> torch.Tensor:
    if key not in left:
        raise MXNetValueError(
            f"weights for {name}: {key} is missing; expected torchvision's state_dict, found {_some(left)}"
        )
    return left.pop(key)


def _some(keys: Mapping[str, object]) -> str:
    names = list(keys)
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "") or "nothing"


def _identity(layer: Block, channels: int) -> dict[str, torch.Tensor]:
    if isinstance(layer, nn.BatchNorm):
        ones, zeros = torch.ones(channels), torch.zeros(channels)
        return {"gamma": ones, "beta": zeros, "running_mean": zeros, "running_var": ones - layer._kwargs["eps"]}
    return {"weight": torch.eye(channels)[:, :, None, None]}


def _transform_images(found: dict[str, torch.Tensor]) -> None:
    """Folds ``(std * x + mean - 0.5) / 0.5`` of each channel into the first convolution and its normalization."""
    mean, std = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    weight = found["features.0.0.weight"]
    moved = (weight * ((mean - 0.5) / 0.5)[None, :, None, None]).sum((1, 2, 3))  # it has no padding: all see the same
    found["features.0.0.weight"] = weight * (std / 0.5)[None, :, None, None]
    found["features.0.1.running_mean"] = found["features.0.1.running_mean"] - moved
