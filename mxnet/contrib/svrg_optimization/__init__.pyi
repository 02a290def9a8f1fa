# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from .svrg_module import SVRGModule as SVRGModule
from . import svrg_optimizer as svrg_optimizer
__all__ = ['SVRGModule', 'svrg_optimizer']
