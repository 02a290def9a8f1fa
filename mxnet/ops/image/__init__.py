"""Image operators."""

from . import codecs, transforms

__all__ = ["codecs", "transforms"]
