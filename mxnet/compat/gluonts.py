"""GluonTS 0.4 to 0.17, its part on MXNet (gluonts.mx, in older ones gluonts.model)."""

from .patching import DISTUTILS, NUMPY, PYTHON, Patch

PANDAS = Patch(
    "pandas 1.1 removed the bases of its offsets of months and of years",
    names={f"offsets.{of}Offset": f"(offsets.{of}End, offsets.{of}Begin)" for of in ("Month", "Year")},
)

PATCHES = {"gluonts.*": (DISTUTILS, NUMPY, PYTHON, PANDAS)}
