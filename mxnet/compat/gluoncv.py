"""GluonCV 0.4 to 0.10.5."""

from .patching import DISTUTILS, NUMPY, PYTHON, Patch

TORCH = Patch(
    "GluonCV refuses to be imported if there is a torch that is not older than 2",
    functions={"_require_pytorch_version": "def _require_pytorch_version(*versions):\n    import torch"},
)
PILLOW = Patch("Pillow 10 removed ANTIALIAS, its older name of LANCZOS", names={"Image.ANTIALIAS": "Image.LANCZOS"})

PATCHES = {"gluoncv.*": (DISTUTILS, NUMPY, PYTHON, PILLOW), "gluoncv.check": (TORCH,)}
