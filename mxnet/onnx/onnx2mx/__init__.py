"""From ONNX to MXNet."""

from .model import GraphProto, get_model_metadata, import_model, import_to_gluon

__all__ = ["GraphProto", "get_model_metadata", "import_model", "import_to_gluon"]
