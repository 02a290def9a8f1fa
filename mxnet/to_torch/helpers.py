"""What programs translated from MXNet use, and torch lacks."""

from __future__ import annotations

import gzip
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

Fill = Callable[[Tensor], Any]


# ---- initializers ----------------------------------------------------------------------------------------------------


def initialize(net: nn.Module, fill: Fill) -> None:
    """Fills weights by ``fill``, biases by 0 and scales by 1; lazy layers once they know their size. Sets eval mode."""

    def start(module: nn.Module) -> None:
        with torch.no_grad():
            for name, parameter in module.named_parameters(recurse=False):
                if name.startswith("bias"):
                    parameter.zero_()
                elif isinstance(module, (nn.modules.batchnorm._NormBase, nn.LayerNorm, nn.GroupNorm)):
                    parameter.fill_(1)
                elif not isinstance(module, nn.PReLU):
                    fill(parameter)

    def start_once(module: nn.Module, _: Any) -> None:
        waiting.pop(module).remove()
        start(module)

    waiting = {}
    for module in net.modules():
        if any(nn.parameter.is_lazy(p) for p in module.parameters(recurse=False)):
            waiting[module] = module.register_forward_pre_hook(start_once)
        else:
            start(module)
    net.eval()


def uniform(scale: float = 0.07) -> Fill:
    """MXNet's Uniform."""
    return lambda weight: nn.init.uniform_(weight, -scale, scale)


def normal(sigma: float = 0.01) -> Fill:
    """MXNet's Normal."""
    return lambda weight: nn.init.normal_(weight, 0, sigma)


def constant(value: float = 0.0) -> Fill:
    """MXNet's Constant, Zero and One."""
    return lambda weight: nn.init.constant_(weight, value)


def xavier(rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3) -> Fill:
    """MXNet's Xavier, which counts inputs and outputs with the size of the kernel."""

    def fill(weight: Tensor) -> Tensor:
        area = math.prod(weight.shape[2:])
        fan_in, fan_out = weight.shape[1] * area, weight.shape[0] * area
        factor = {"avg": (fan_in + fan_out) / 2, "in": fan_in, "out": fan_out}[factor_type]
        scale = math.sqrt(magnitude / factor)
        return weight.uniform_(-scale, scale) if rnd_type == "uniform" else weight.normal_(0, scale)

    return fill


def msra_prelu(factor_type: str = "avg", slope: float = 0.25) -> Fill:
    """MXNet's MSRAPrelu."""
    return xavier("gaussian", factor_type, 2 / (1 + slope**2))


def orthogonal(scale: float = 1.414) -> Fill:
    """MXNet's Orthogonal."""
    return lambda weight: nn.init.orthogonal_(weight, scale)


# ---- layers ----------------------------------------------------------------------------------------------------------


class _FlatLinear(nn.Linear):
    """A dense layer that takes all but the first axis as one."""

    def forward(self, input: Tensor) -> Tensor:
        return nn.functional.linear(input.flatten(1), self.weight, self.bias)


class Dense(nn.LazyLinear):
    """As above, for as many inputs as the first one has."""

    cls_to_become = _FlatLinear

    def initialize_parameters(self, input: Tensor) -> None:
        super().initialize_parameters(input.flatten(1))

    def forward(self, input: Tensor) -> Tensor:  # its class has changed when it runs
        return nn.functional.linear(input.flatten(1), self.weight, self.bias)


class _AnyBatchNorm(nn.modules.batchnorm._BatchNorm):
    """Batch normalization of the second axis, however many there are."""

    def _check_input_dim(self, input: Tensor) -> None:
        pass


class BatchNorm(nn.modules.batchnorm._LazyNormBase, _AnyBatchNorm):
    """As above, for as many channels as its first input has. The running variance is torch's, the unbiased one."""

    cls_to_become = _AnyBatchNorm


# ---- training --------------------------------------------------------------------------------------------------------


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """For all parameters of the optimizer."""
    for group in optimizer.param_groups:
        group["lr"] = rate


class Metric:
    """A mean over examples, as MXNet's metrics keep it."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name or type(self).__name__.lower()
        self.reset()

    def reset(self) -> None:
        """Forgets all examples."""
        self.total, self.count = 0.0, 0

    def update(self, labels: Any, outputs: Any) -> None:
        """Adds the examples of a batch, or of several."""
        if not isinstance(labels, Sequence):
            labels, outputs = [labels], [outputs]
        for label, output in zip(labels, outputs, strict=True):
            values = self.values(torch.as_tensor(label), torch.as_tensor(output).detach())
            self.total, self.count = self.total + float(values.sum()), self.count + values.numel()

    def values(self, label: Tensor, output: Tensor) -> Tensor:
        """The numbers of a batch that the mean is of."""
        raise NotImplementedError

    def get(self) -> tuple[str, float]:
        """The name and the mean."""
        return self.name, self.total / self.count if self.count else math.nan


class Accuracy(Metric):
    """The share of right answers."""

    def values(self, label: Tensor, output: Tensor) -> Tensor:
        """1 for each right answer, else 0."""
        if output.shape != label.shape:
            output = output.argmax(1)
        return (output.flatten() == label.flatten()).double()


class TopKAccuracy(Metric):
    """The share of answers that are among the best ``top_k``."""

    def __init__(self, top_k: int = 1, name: str | None = None) -> None:
        super().__init__(name or f"top_k_accuracy_{top_k}")
        self.top_k = top_k

    def values(self, label: Tensor, output: Tensor) -> Tensor:
        """1 for each answer among the best, else 0."""
        return (output.topk(self.top_k, 1).indices == label.view(-1, 1)).any(1).double()


class MAE(Metric):
    """The mean absolute error, a value per batch."""

    def values(self, label: Tensor, output: Tensor) -> Tensor:
        """The mean of the batch."""
        return (label.view(len(label), -1) - output.view(len(output), -1)).abs().double().mean()


class MSE(Metric):
    """The mean squared error, a value per batch."""

    def values(self, label: Tensor, output: Tensor) -> Tensor:
        """The mean of the batch."""
        return (label.view(len(label), -1) - output.view(len(output), -1)).square().double().mean()


class Loss(Metric):
    """The mean of a loss: ``update(None, loss)``."""

    def update(self, labels: Any, outputs: Any) -> None:
        """Adds the losses of a batch; there are no labels."""
        for output in outputs if isinstance(outputs, Sequence) else [outputs]:
            self.total, self.count = self.total + float(output.sum()), self.count + output.numel()


# ---- data ------------------------------------------------------------------------------------------------------------


class ArrayDataset(torch.utils.data.Dataset[Any]):
    """Rows of arrays, or of other datasets."""

    def __init__(self, *arrays: Any) -> None:
        self.arrays = arrays

    def __len__(self) -> int:
        return len(self.arrays[0])

    def __getitem__(self, index: Any) -> Any:
        row = tuple(a[index] for a in self.arrays)
        return row if len(row) > 1 else row[0]

    def transform(self, function: Callable[..., Any], lazy: bool = True) -> Transformed:
        """With a function of a row, at each access."""
        return Transformed(self, function)

    def transform_first(self, function: Callable[..., Any], lazy: bool = True) -> Transformed:
        """With a function of the first item of a row, at each access."""
        return Transformed(self, lambda first, *rest: (function(first), *rest))


class Transformed(ArrayDataset):
    """A dataset with a function of its rows."""

    def __init__(self, data: Any, function: Callable[..., Any]) -> None:
        super().__init__(data)
        self.function = function

    def __getitem__(self, index: Any) -> Any:
        row = self.arrays[0][index]
        return self.function(*row) if isinstance(row, tuple) else self.function(row)


class MNIST(ArrayDataset):
    """Digits from the four files of MNIST, as tensors of height x width x 1 bytes, with their labels."""

    name = "mnist"

    def __init__(
        self, root: str | None = None, train: bool = True, transform: Callable[..., Any] | None = None
    ) -> None:
        home = os.environ.get("MXNET_HOME", os.path.join("~", ".mxnet"))
        folder = Path(root or os.path.join(home, "datasets", self.name)).expanduser()
        part = "train" if train else "t10k"
        images = self.read(folder / f"{part}-images-idx3-ubyte", 16).reshape(-1, 28, 28, 1)
        labels = self.read(folder / f"{part}-labels-idx1-ubyte", 8)
        super().__init__(torch.from_numpy(images), torch.from_numpy(labels).int())
        self.function = transform

    @staticmethod
    def read(path: Path, header: int) -> np.ndarray[Any, Any]:
        """The numbers of a file, which may be compressed."""
        packed = path.with_name(path.name + ".gz")
        if packed.exists():
            with gzip.open(packed) as stream:
                content = stream.read()
        else:
            content = path.read_bytes()
        return np.frombuffer(content, np.uint8, offset=header).copy()

    def __getitem__(self, index: Any) -> Any:
        row = super().__getitem__(index)
        return row if self.function is None else self.function(*row)


class FashionMNIST(MNIST):
    """Clothes, in files of the same format."""

    name = "fashion-mnist"


def get_mnist(path: Any = None) -> dict[str, np.ndarray[Any, Any]]:
    """The digits of a directory (``data``) as arrays: images of 1 x 28 x 28 numbers from 0 to 1, and labels."""
    found = {}
    for part, train in (("train", True), ("test", False)):
        digits = MNIST(str(path or "data"), train)
        found[f"{part}_data"] = digits.arrays[0].numpy().transpose(0, 3, 1, 2).astype(np.float32) / 255
        found[f"{part}_label"] = digits.arrays[1].numpy()
    return found


class ToTensor:
    """Bytes as numbers from 0 to 1, channels first."""

    def __call__(self, image: Any) -> Tensor:
        return torch.as_tensor(image).movedim(-1, -3).float() / 255


class Normalize:
    """Subtracts a mean and divides by a deviation, for each channel."""

    def __init__(self, mean: Any = 0.0, std: Any = 1.0) -> None:
        self.mean, self.std = (torch.as_tensor(v, dtype=torch.float32).view(-1, 1, 1) for v in (mean, std))

    def __call__(self, image: Tensor) -> Tensor:
        return (image - self.mean) / self.std


class Compose:
    """Functions one after the other."""

    def __init__(self, functions: Sequence[Callable[..., Any]]) -> None:
        self.functions = functions

    def __call__(self, value: Any) -> Any:
        for function in self.functions:
            value = function(value)
        return value


def split_and_load(data: Tensor, devices: Sequence[Any], batch_axis: int = 0, even_split: bool = True) -> list[Tensor]:
    """A part of a batch for each device."""
    parts = data.tensor_split(len(devices), batch_axis)
    return [part.to(device) for part, device in zip(parts, devices, strict=True)]
