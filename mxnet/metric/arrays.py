"""Labels and predictions as metrics take them: NDArrays, NumPy arrays or torch tensors, single or in lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy
import torch

from ..error import MXNetTypeError, MXNetValueError
from ..ndarray import NDArray

ARRAYS = (NDArray, numpy.ndarray, torch.Tensor)


def check_label_shapes(labels: Any, preds: Any, wrap: bool = False, shape: bool = False) -> tuple[Any, Any]:
    """Checks that there are as many labels as predictions (``shape``: that their shapes are equal) and returns both.

    With ``wrap``, single arrays come back as lists of one.
    """
    mine, theirs = (tuple(labels.shape), tuple(preds.shape)) if shape else (len(labels), len(preds))
    if mine != theirs:
        hint = (
            ": no labels were given. A metric compares predictions with labels; an iterator has them if they are given "
        )
        hint += "to it, e.g. NDArrayIter(data, label); predict() works without"
        hint = hint if mine == 0 else ""
        raise MXNetValueError(f"Shape of labels {mine} does not match shape of predictions {theirs}{hint}")
    return (as_list(labels), as_list(preds)) if wrap else (labels, preds)


def as_list(arrays: object) -> Any:
    """A single array as a list of one."""
    return [arrays] if isinstance(arrays, ARRAYS) else arrays


def as_tensor(array: object) -> torch.Tensor:
    """The array's own memory as a tensor; a dense copy of a sparse one."""
    if isinstance(array, NDArray):
        return array._dense
    if isinstance(array, torch.Tensor):
        return array.detach()
    if isinstance(array, numpy.ndarray | numpy.generic | list | float | int):
        return torch.as_tensor(numpy.ascontiguousarray(array))
    raise MXNetTypeError(f"a metric takes NDArrays or NumPy arrays, got {type(array).__name__}")


def as_numpy(array: object) -> numpy.ndarray:
    """The array for a function that wants NumPy."""
    return array.asnumpy() if isinstance(array, NDArray) else numpy.asarray(array)


def pairs(labels: Any, preds: Any) -> Iterable[tuple[torch.Tensor, torch.Tensor]]:
    """Labels and predictions by twos, as tensors on the device of the prediction, where most of the data is."""
    labels, preds = check_label_shapes(as_list(labels), as_list(preds))
    for label, pred in zip(labels, preds, strict=True):
        pred_data, label_data = as_tensor(pred), as_tensor(label)
        if label_data.device != pred_data.device:
            label_data = label_data.to(pred_data.device, non_blocking=True)
        yield label_data, pred_data


def real(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor in a type to compute in: float32 and float64 stay, half precision and integers are widened."""
    if tensor.dtype in (torch.float32, torch.float64):
        return tensor
    return tensor.to(torch.float32 if tensor.is_floating_point() else torch.float64)


def classes_of(pred: torch.Tensor, axis: int) -> torch.Tensor:
    """The class of highest score, the first of equals."""
    if not -pred.dim() <= axis < pred.dim():
        raise MXNetValueError(
            f"axis {axis} of the classes is out of range for predictions of shape {tuple(pred.shape)}"
        )
    if pred.is_cuda or pred.dtype is torch.bfloat16:
        return pred.argmax(axis)
    # NumPy's argmax of a contiguous axis is 20 times as fast as torch's.
    return torch.as_tensor(pred.movedim(axis, -1).contiguous().numpy().argmax(-1))


def flat_classes(label: torch.Tensor, pred: torch.Tensor, axis: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Classes one by one; predictions of the label's shape are classes already."""
    classes = pred if pred.shape == label.shape else classes_of(pred, axis)
    if classes.numel() != label.numel():
        raise MXNetValueError(f"Shape of labels {label.numel()} does not match shape of predictions {classes.numel()}")
    return label.reshape(-1).to(torch.int64), classes.reshape(-1).to(torch.int64)


def matches(label: torch.Tensor, pred: torch.Tensor, axis: int) -> torch.Tensor | int:
    """How many predicted classes are those of the label, as ``flat_classes`` reads them."""
    if label.is_cuda or pred.is_cuda or torch.bfloat16 in (label.dtype, pred.dtype):
        expected, predicted = flat_classes(label, pred, axis)
        return (expected == predicted).sum()
    if pred.dim() != 2 or axis not in (1, -1) or pred.shape == label.shape:
        wanted, classes = (t.numpy() for t in flat_classes(label, pred, axis))
    else:  # the usual case, by NumPy: its calls on small arrays cost a fifth of torch's
        wanted, classes = label.reshape(-1).to(torch.int64).numpy(), pred.numpy().argmax(1)
        if wanted.size != classes.size:
            raise MXNetValueError(f"Shape of labels {wanted.size} does not match shape of predictions {classes.size}")
    return int(numpy.count_nonzero(wanted == classes))


def on_host(left: torch.Tensor, right: torch.Tensor) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Two vectors of one length and dtype as NumPy arrays, by one transfer if they are on a device."""
    if left.is_cuda:
        both = torch.stack([left, right]).cpu().numpy()
        return both[0], both[1]
    return left.numpy(), right.numpy()
