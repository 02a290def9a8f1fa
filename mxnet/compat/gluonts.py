"""GluonTS 0.8 to 0.16, its part on MXNet (gluonts.mx)."""

from .mending import DISTUTILS, NUMPY

MENDS = {
    "gluonts.mx.model.seq2seq._mq_dnn_estimator": (DISTUTILS,),
    "gluonts.shell.env": (DISTUTILS,),
    "gluonts.dataset.repository._tsf_reader": (DISTUTILS,),
    "gluonts.zebras._period": (NUMPY,),
}
