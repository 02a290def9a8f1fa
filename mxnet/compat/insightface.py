"""InsightFace 0.1 and 0.2, on MXNet; later ones run ONNX networks."""

from .patching import NUMPY

PATCHES = {"insightface.*": (NUMPY,)}
