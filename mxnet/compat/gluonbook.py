"""gluonbook 0.8, as d2lzh was called before."""

from .patching import FIGURES

PATCHES = {"gluonbook.utils": (FIGURES,)}
