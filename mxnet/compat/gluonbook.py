"""gluonbook 0.8, as d2lzh was called before."""

from .mending import FIGURES

MENDS = {"gluonbook.utils": (FIGURES,)}
