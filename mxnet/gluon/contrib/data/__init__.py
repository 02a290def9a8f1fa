"""Further datasets and samplers."""

from . import sampler, text
from .sampler import *  # noqa: F403
