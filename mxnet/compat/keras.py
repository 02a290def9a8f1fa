"""keras-mxnet 2.2, which is imported as keras; a Keras without the backend for MXNet is not touched."""

from .patching import DISTUTILS, NUMPY, PYTHON, Patch

YAML = Patch("PyYAML 6 wants to be told what a file may contain", names={"yaml.load": "yaml.full_load"})
H5PY = Patch(
    "h5py 3 gives texts of files as str, and not as bytes",
    names={"val.dtype.type == np.string_": "val.dtype.type in (np.bytes_, np.object_) or not val.size"}
    | {
        f"{text}.decode": f"(lambda coding, text={text}: text if isinstance(text, str) else text.decode(coding))"
        for text in (
            "model_config",
            "training_config",
            "n",
            "x",
            *(
                f"{holder}['{name}']"
                for holder in ("model_weights_group", "f.attrs")
                for name in ("keras_version", "backend")
            ),
        )
    },
)

MARK = "backend/mxnet_backend.py"
PATCHES = {
    "keras.*": (DISTUTILS, NUMPY, PYTHON),
    "keras.engine.saving": (H5PY, YAML),
    "keras.utils.io_utils": (H5PY,),
}
