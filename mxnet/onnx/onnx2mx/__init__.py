"""From ONNX to MXNet."""

from .model import get_model_metadata, import_model, import_to_gluon

__all__ = ["get_model_metadata", "import_model", "import_to_gluon"]
