"""Evaluation metrics: what a model is worth, gathered batch by batch.

Each metric keeps two pairs of sums: local ones, since the last ``reset_local()`` (``get``), and global ones, since the
last ``reset()`` (``get_global``).
"""

from .. import ndarray  # packages take it from here
from ..base import claim_classes
from .arrays import check_label_shapes
from .base import CompositeEvalMetric, CustomMetric, EvalMetric, alias, create, np, register
from .classification import F1, MCC, PCC, Accuracy, TopKAccuracy
from .losses import Caffe, CrossEntropy, Loss, NegativeLogLikelihood, Perplexity, Torch
from .regression import MAE, MSE, RMSE, PearsonCorrelation

__all__ = [
    "Accuracy",
    "Caffe",
    "CompositeEvalMetric",
    "CrossEntropy",
    "CustomMetric",
    "EvalMetric",
    "F1",
    "Loss",
    "MAE",
    "MCC",
    "MSE",
    "NegativeLogLikelihood",
    "PCC",
    "PearsonCorrelation",
    "Perplexity",
    "RMSE",
    "TopKAccuracy",
    "Torch",
    "alias",
    "check_label_shapes",
    "create",
    "np",
    "register",
]

claim_classes(globals(), __all__)
