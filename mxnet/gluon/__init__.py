"""Gluon: networks as Python classes, run as they are written or hybridized into graphs."""

from . import block, loss, nn, parameter, trainer, utils
from .block import Block, HybridBlock, SymbolBlock
from .parameter import Constant, DeferredInitializationError, Parameter, ParameterDict, tensor_types
from .trainer import Trainer
