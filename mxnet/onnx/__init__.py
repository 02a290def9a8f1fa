"""ONNX: networks from MXNet to ONNX files and back. Needs the package onnx: ``pip install onnx``."""

from .mx2onnx import export_model, get_operator_support
from .onnx2mx import get_model_metadata, import_model, import_to_gluon

__all__ = ["export_model", "get_model_metadata", "get_operator_support", "import_model", "import_to_gluon"]
