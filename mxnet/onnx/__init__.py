"""ONNX: networks from MXNet to ONNX files and back. Needs the package onnx: ``pip install mxnext[onnx]``."""

from .mx2onnx import export_model, get_operator_support

__all__ = ["export_model", "get_operator_support"]
