"""gluoncv2 0.0.64, the networks of imgclsmob for Gluon."""

from .patching import NUMPY

PATCHES = {"gluoncv2.*": (NUMPY,)}
