"""``mx.io``: iterators that feed batches to training and prediction."""

from . import io, utils
from .io import (
    CSVIter,
    DataBatch,
    DataDesc,
    DataIter,
    ImageDetRecordIter,
    ImageRecordInt8Iter,
    ImageRecordIter,
    ImageRecordIter_v1,
    ImageRecordUInt8Iter,
    ImageRecordUInt8Iter_v1,
    LibSVMIter,
    MNISTIter,
    MXDataIter,
    NDArrayIter,
    PrefetchingIter,
    ResizeIter,
)
