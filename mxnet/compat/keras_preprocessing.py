"""Keras-Preprocessing 1.1, which keras-mxnet requires."""

from .mending import NUMPY

MENDS = {"keras_preprocessing.sequence": (NUMPY,)}
