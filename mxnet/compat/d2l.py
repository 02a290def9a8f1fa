"""d2l 0.10 to 0.16, which comes with Dive into Deep Learning: its MXNet edition."""

from .mending import FIGURES

MENDS = {"d2l.d2l": (FIGURES,), "d2l.mxnet": (FIGURES,)}
