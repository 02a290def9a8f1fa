# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import math
from typing import Any
import torch
from .._core.signature import takes
from ..error import MXNetAssertionError, MXNetValueError
from .arrays import as_list, as_tensor, pairs, real
from .base import EvalMetric, Names, alias, register
class Perplexity(EvalMetric):
    """The exponential of the mean negative log-probability of the labels; those equal to ``ignore_label`` are left out."""
    def __init__(self, ignore_label: int | None, axis: int=-1, name: Any='perplexity', output_names: Names=None, label_names: Names=None) -> None: ...
    def update(self, labels: object, preds: object) -> None:
        """Adds a batch of labels (classes) and predictions (probabilities of each)."""
    def _value(self, total: float, count: float) -> float: ...
    axis: int
    ignore_label: int | None
class _LogLikelihood(EvalMetric):
    """The mean negative log-probability of the labels; ``eps`` is added to each probability."""
    def __init__(self, eps: float=1e-12, name: Any='cross-entropy', output_names: Names=None, label_names: Names=None) -> None: ...
    def update(self, labels: object, preds: object) -> None:
        """Adds a batch of labels (classes) and predictions (probabilities by sample and class)."""
    eps: float
class CrossEntropy(_LogLikelihood):
    """The cross entropy: the mean negative log-probability of the labels."""
class NegativeLogLikelihood(_LogLikelihood):
    """The mean negative log-likelihood of the labels."""
    def __init__(self, eps: float = 1e-12, name: Any = 'nll-loss', output_names: Names = None, label_names: Names = None) -> None: ...
class Loss(EvalMetric):
    """The mean of the outputs, for networks whose outputs are losses."""
    def __init__(self, name: Any='loss', output_names: Names=None, label_names: Names=None) -> None: ...
    def update(self, _: object, preds: object) -> None:
        """Adds a batch of losses; labels are not used."""
class Torch(Loss):
    """The mean of the outputs, under the name of criteria of the old Torch plug-in."""
    def __init__(self, name: Any='torch', output_names: Names=None, label_names: Names=None) -> None: ...
class Caffe(Loss):
    """The mean of the outputs, under the name of criteria of the old Caffe plug-in."""
    def __init__(self, name: Any='caffe', output_names: Names=None, label_names: Names=None) -> None: ...
