# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import batches as batches, dataloader as dataloader, dataset as dataset, sampler as sampler, vision as vision
from .dataloader import DataLoader as DataLoader
from .dataset import ArrayDataset as ArrayDataset, Dataset as Dataset, RecordFileDataset as RecordFileDataset, SimpleDataset as SimpleDataset
from .sampler import BatchSampler as BatchSampler, FilterSampler as FilterSampler, RandomSampler as RandomSampler, Sampler as Sampler, SequentialSampler as SequentialSampler
__all__ = ['ArrayDataset', 'BatchSampler', 'DataLoader', 'Dataset', 'FilterSampler', 'RandomSampler', 'RecordFileDataset', 'Sampler', 'SequentialSampler', 'SimpleDataset', 'batches', 'dataloader', 'dataset', 'sampler', 'vision']
