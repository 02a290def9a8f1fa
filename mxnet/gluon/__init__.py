"""Gluon: networks as Python classes, run as they are written or hybridized into graphs."""

from . import block, loss, nn, parameter, trainer, utils
from .block import Block
from .hybrid_block import HybridBlock
from .parameter import Constant, DeferredInitializationError, Parameter, tensor_types
from .parameter_dict import ParameterDict
from .symbol_block import SymbolBlock
from .trainer import Trainer
