"""Networks as PyTorch source: ``mx.to_torch_source(net, "out", x)`` writes a package that needs torch only."""

from .api import to_torch_source

__all__ = ["to_torch_source"]
