"""Stochastic variance reduced gradients: ``SVRGModule``."""

from .svrg_module import SVRGModule

__all__ = ["SVRGModule"]
