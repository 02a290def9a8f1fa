# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import contrib as contrib, optimizer as optimizer
from .optimizer import AdaDelta as AdaDelta, AdaGrad as AdaGrad, Adam as Adam, Adamax as Adamax, DCASGD as DCASGD, FTML as FTML, Ftrl as Ftrl, LAMB as LAMB, LARS as LARS, LBSGD as LBSGD, NAG as NAG, NDabs as NDabs, Nadam as Nadam, Optimizer as Optimizer, RMSProp as RMSProp, SGD as SGD, SGLD as SGLD, Signum as Signum, Test as Test, Updater as Updater, ccSGD as ccSGD, create as create, get_updater as get_updater, register as register
__all__ = ['AdaDelta', 'AdaGrad', 'Adam', 'Adamax', 'DCASGD', 'FTML', 'Ftrl', 'LAMB', 'LARS', 'LBSGD', 'NAG', 'NDabs', 'Nadam', 'Optimizer', 'RMSProp', 'SGD', 'SGLD', 'Signum', 'Test', 'Updater', 'ccSGD', 'contrib', 'create', 'get_updater', 'optimizer', 'register']
