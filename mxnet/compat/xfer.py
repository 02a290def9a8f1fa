"""Xfer (xfer-ml) 1."""

from .patching import NUMPY

PATCHES = {"xfer.*": (NUMPY,)}
