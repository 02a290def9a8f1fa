# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import io as io, utils as utils
from .io import CSVIter as CSVIter, DataBatch as DataBatch, DataDesc as DataDesc, DataIter as DataIter, ImageDetRecordIter as ImageDetRecordIter, ImageRecordInt8Iter as ImageRecordInt8Iter, ImageRecordIter as ImageRecordIter, ImageRecordIter_v1 as ImageRecordIter_v1, ImageRecordUInt8Iter as ImageRecordUInt8Iter, ImageRecordUInt8Iter_v1 as ImageRecordUInt8Iter_v1, LibSVMIter as LibSVMIter, MNISTIter as MNISTIter, MXDataIter as MXDataIter, NDArrayIter as NDArrayIter, PrefetchingIter as PrefetchingIter, ResizeIter as ResizeIter
__all__ = ['CSVIter', 'DataBatch', 'DataDesc', 'DataIter', 'ImageDetRecordIter', 'ImageRecordInt8Iter', 'ImageRecordIter', 'ImageRecordIter_v1', 'ImageRecordUInt8Iter', 'ImageRecordUInt8Iter_v1', 'LibSVMIter', 'MNISTIter', 'MXDataIter', 'NDArrayIter', 'PrefetchingIter', 'ResizeIter', 'io', 'utils']
