"""``mx.contrib.onnx``: the older place of ``mx.onnx``, with the names that it had."""

from ...onnx.mx2onnx import export_model
from ...onnx.onnx2mx import get_model_metadata, import_model, import_to_gluon

export_model_, import_model_ = export_model, import_model
import_to_gluon_, get_model_metadata_ = import_to_gluon, get_model_metadata

__all__ = [
    "export_model", "export_model_", "get_model_metadata", "get_model_metadata_", "import_model", "import_model_",
    "import_to_gluon", "import_to_gluon_",
]  # fmt: skip
