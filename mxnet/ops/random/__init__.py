"""Random operators."""

from . import distributions, pdf, sample

__all__ = ["distributions", "pdf", "sample"]
