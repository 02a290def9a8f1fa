"""From MXNet to ONNX."""

from .model import export_model, get_operator_support

__all__ = ["export_model", "get_operator_support"]
