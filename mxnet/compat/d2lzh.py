"""d2lzh 0.8 to 1.0, which comes with the first Chinese edition of Dive into Deep Learning."""

from .mending import FIGURES

MENDS = {"d2lzh.utils": (FIGURES,)}
