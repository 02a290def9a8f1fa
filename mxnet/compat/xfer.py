"""Xfer (xfer-ml) 1."""

from .mending import NUMPY

MENDS = {"xfer.*": (NUMPY,)}
