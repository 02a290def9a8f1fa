# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import sampler as sampler, text as text
from .sampler import IntervalSampler as IntervalSampler, SplitSampler as SplitSampler
__all__ = ['IntervalSampler', 'SplitSampler', 'sampler', 'text']
