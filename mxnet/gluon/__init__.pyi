# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import block as block, loss as loss, nn as nn, parameter as parameter, trainer as trainer, utils as utils
from .block import Block as Block
from .hybrid_block import HybridBlock as HybridBlock
from .parameter import Constant as Constant, DeferredInitializationError as DeferredInitializationError, Parameter as Parameter, tensor_types as tensor_types
from .parameter_dict import ParameterDict as ParameterDict
from .symbol_block import SymbolBlock as SymbolBlock
from .trainer import Trainer as Trainer
from . import contrib as contrib, data as data, model_zoo as model_zoo, rnn as rnn
__all__ = ['Block', 'Constant', 'DeferredInitializationError', 'HybridBlock', 'Parameter', 'ParameterDict', 'SymbolBlock', 'Trainer', 'block', 'contrib', 'data', 'loss', 'model_zoo', 'nn', 'parameter', 'rnn', 'tensor_types', 'trainer', 'utils']
