"""d2lzh 0.8 to 1.0, which comes with the first Chinese edition of Dive into Deep Learning."""

from .patching import FIGURES

PATCHES = {"d2lzh.utils": (FIGURES,)}
