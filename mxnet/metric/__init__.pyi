# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from .. import ndarray as ndarray
from ..base import claim_classes as claim_classes
from .arrays import check_label_shapes as check_label_shapes
from .base import CompositeEvalMetric as CompositeEvalMetric, CustomMetric as CustomMetric, EvalMetric as EvalMetric, alias as alias, create as create, np as np, register as register
from .classification import F1 as F1, MCC as MCC, PCC as PCC, Accuracy as Accuracy, TopKAccuracy as TopKAccuracy
from .losses import Caffe as Caffe, CrossEntropy as CrossEntropy, Loss as Loss, NegativeLogLikelihood as NegativeLogLikelihood, Perplexity as Perplexity, Torch as Torch
from .regression import MAE as MAE, MSE as MSE, RMSE as RMSE, PearsonCorrelation as PearsonCorrelation
from mxnet import registry as registry
from mxnet.base import numeric_types as numeric_types, string_types as string_types
__all__ = ['Accuracy', 'Caffe', 'CompositeEvalMetric', 'CrossEntropy', 'CustomMetric', 'EvalMetric', 'F1', 'Loss', 'MAE', 'MCC', 'MSE', 'NegativeLogLikelihood', 'PCC', 'PearsonCorrelation', 'Perplexity', 'RMSE', 'TopKAccuracy', 'Torch', 'alias', 'check_label_shapes', 'claim_classes', 'create', 'ndarray', 'np', 'numeric_types', 'register', 'registry', 'string_types']
