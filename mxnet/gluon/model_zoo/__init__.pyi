# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import model_store as model_store, vision as vision
__all__ = ['model_store', 'vision']
