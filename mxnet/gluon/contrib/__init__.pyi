# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import cnn as cnn, data as data, estimator as estimator, nn as nn, rnn as rnn, torch_block as torch_block
__all__ = ['cnn', 'data', 'estimator', 'nn', 'rnn', 'torch_block']
