# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import datasets as datasets, transforms as transforms
from .datasets import CIFAR10 as CIFAR10, CIFAR100 as CIFAR100, MNIST as MNIST, FashionMNIST as FashionMNIST, ImageFolderDataset as ImageFolderDataset, ImageListDataset as ImageListDataset, ImageRecordDataset as ImageRecordDataset
__all__ = ['CIFAR10', 'CIFAR100', 'FashionMNIST', 'ImageFolderDataset', 'ImageListDataset', 'ImageRecordDataset', 'MNIST', 'datasets', 'transforms']
