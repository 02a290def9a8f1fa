# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import base_module as base_module, bucketing_module as bucketing_module, executor_group as executor_group, module as module, python_module as python_module, sequential_module as sequential_module
from .base_module import BaseModule as BaseModule
from .bucketing_module import BucketingModule as BucketingModule
from .module import Module as Module
from .python_module import PythonLossModule as PythonLossModule, PythonModule as PythonModule
from .sequential_module import SequentialModule as SequentialModule
__all__ = ['BaseModule', 'BucketingModule', 'Module', 'PythonLossModule', 'PythonModule', 'SequentialModule', 'base_module', 'bucketing_module', 'executor_group', 'module', 'python_module', 'sequential_module']
