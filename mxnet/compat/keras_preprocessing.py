"""Keras-Preprocessing 1.1, which keras-mxnet requires."""

from .patching import NUMPY

PATCHES = {"keras_preprocessing.sequence": (NUMPY,)}
