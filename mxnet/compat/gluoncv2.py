"""gluoncv2 0.0.64, the networks of imgclsmob for Gluon."""

from .mending import NUMPY

MENDS = {"gluoncv2.*": (NUMPY,)}
