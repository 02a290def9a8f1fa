# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from ..util import is_np_array as is_np_array
from . import detection as detection, image as image
from .augmenters import Augmenter as Augmenter, BrightnessJitterAug as BrightnessJitterAug, CastAug as CastAug, CenterCropAug as CenterCropAug, ColorJitterAug as ColorJitterAug, ColorNormalizeAug as ColorNormalizeAug, ContrastJitterAug as ContrastJitterAug, CreateAugmenter as CreateAugmenter, ForceResizeAug as ForceResizeAug, HorizontalFlipAug as HorizontalFlipAug, HueJitterAug as HueJitterAug, LightingAug as LightingAug, RandomCropAug as RandomCropAug, RandomGrayAug as RandomGrayAug, RandomOrderAug as RandomOrderAug, RandomSizedCropAug as RandomSizedCropAug, ResizeAug as ResizeAug, SaturationJitterAug as SaturationJitterAug, SequentialAug as SequentialAug
from .detection import ImageDetIter as ImageDetIter
from .detection_augmenters import CreateDetAugmenter as CreateDetAugmenter, CreateMultiRandCropAugmenter as CreateMultiRandCropAugmenter, DetAugmenter as DetAugmenter, DetBorrowAug as DetBorrowAug, DetHorizontalFlipAug as DetHorizontalFlipAug, DetRandomCropAug as DetRandomCropAug, DetRandomPadAug as DetRandomPadAug, DetRandomSelectAug as DetRandomSelectAug
from .functions import center_crop as center_crop, color_normalize as color_normalize, copyMakeBorder as copyMakeBorder, fixed_crop as fixed_crop, imdecode as imdecode, imread as imread, imresize as imresize, imrotate as imrotate, random_crop as random_crop, random_rotate as random_rotate, random_size_crop as random_size_crop, resize_short as resize_short, scale_down as scale_down
from .image import ImageIter as ImageIter
from . import detection as det
from mxnet import io as io, ndarray as nd, recordio as recordio
from mxnet.base import numeric_types as numeric_types
__all__ = ['Augmenter', 'BrightnessJitterAug', 'CastAug', 'CenterCropAug', 'ColorJitterAug', 'ColorNormalizeAug', 'ContrastJitterAug', 'CreateAugmenter', 'CreateDetAugmenter', 'CreateMultiRandCropAugmenter', 'DetAugmenter', 'DetBorrowAug', 'DetHorizontalFlipAug', 'DetRandomCropAug', 'DetRandomPadAug', 'DetRandomSelectAug', 'ForceResizeAug', 'HorizontalFlipAug', 'HueJitterAug', 'ImageDetIter', 'ImageIter', 'LightingAug', 'RandomCropAug', 'RandomGrayAug', 'RandomOrderAug', 'RandomSizedCropAug', 'ResizeAug', 'SaturationJitterAug', 'SequentialAug', 'center_crop', 'color_normalize', 'copyMakeBorder', 'det', 'detection', 'fixed_crop', 'image', 'imdecode', 'imread', 'imresize', 'imrotate', 'io', 'is_np_array', 'nd', 'numeric_types', 'random_crop', 'random_rotate', 'random_size_crop', 'recordio', 'resize_short', 'scale_down']
