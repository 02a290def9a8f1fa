# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


import logging
import random
from collections.abc import Iterator, Sequence
from typing import Any
import numpy as np
from .._core.signature import takes
from ..base import claim_classes
from ..error import MXNetValueError
from ..ndarray import NDArray
from .augmenters import IMAGENET_MEAN, IMAGENET_STD, color_statistics
from .detection_augmenters import CreateMultiRandCropAugmenter as CreateMultiRandCropAugmenter, DetAugmenter as DetAugmenter, DetBorrowAug as DetBorrowAug, DetHorizontalFlipAug as DetHorizontalFlipAug, DetRandomCropAug as DetRandomCropAug, DetRandomPadAug as DetRandomPadAug, DetRandomSelectAug as DetRandomSelectAug
from .detection_augmenters import CreateDetAugmenter, __all__ as _augmenters
from .functions import require
from .image import ImageIter
class ImageDetIter(ImageIter):
    """Batches of images and the boxes of their objects, from the same sources as ``ImageIter``."""
    @staticmethod
    def _augmenters(data_shape: Sequence[int], resize: int = 0, rand_crop: float = 0, rand_pad: float = 0, rand_gray: float = 0, rand_mirror: bool = False, mean: Any = None, std: Any = None, brightness: float = 0, contrast: float = 0, saturation: float = 0, pca_noise: float = 0, hue: float = 0, inter_method: int = 2, min_object_covered: Any = 0.1, aspect_ratio_range: Any = (0.75, 1.33), area_range: Any = (0.05, 3.0), min_eject_coverage: Any = 0.3, max_attempts: Any = 50, pad_val: Any = (127, 127, 127)) -> list[DetAugmenter]:
        """The list of augmenters for detection on images of ``data_shape`` that common options ask for."""
    def __init__(self, batch_size: int, data_shape: Sequence[int], path_imgrec: Any = None, path_imglist: Any = None, path_root: Any = None, path_imgidx: Any = None, shuffle: bool = False, part_index: int = 0, num_parts: int = 1, aug_list: Any = None, imglist: Any = None, data_name: str = 'data', label_name: str = 'label', last_batch_handle: str = 'pad', **kwargs: Any) -> None: ...
    def _estimate_label_shape(self) -> tuple[int, int]:
        """The greatest number of objects of all images, and the number of values for each."""
    def _check_valid_label(self, label: np.ndarray) -> None:
        """Raises an error unless there is an object with all its values, and a box with an area."""
    def _parse_label(self, label: object) -> np.ndarray:
        """The objects in a flat label, apart from those without an area."""
    def reshape(self, data_shape: Sequence[int] | None=None, label_shape: Sequence[int] | None=None) -> None:
        """Changes the shape of images, or gives the labels room for more objects."""
    def check_label_shape(self, label_shape: Sequence[int]) -> None:
        """Raises an error if the labels there are would not fit into a shape (objects, values)."""
    def sync_label_shape(self, it: ImageDetIter, verbose: bool=False) -> ImageDetIter:
        """Gives this and another iterator, say for validation, room for as many objects as either needs."""
    def augmentation_transform(self, data: NDArray, label: np.ndarray) -> tuple[NDArray, np.ndarray]:
        """Applies the augmenters to an image and its objects."""
    def _prepare(self, image: NDArray, label: object) -> tuple[NDArray, Any]: ...
    def _label(self, label: np.ndarray) -> np.ndarray: ...
    def draw_next(self, color: tuple[int, int, int] | None=None, thickness: int=2, mean: object=None, std: object=None, clip: bool=True, waitKey: int | None=None, window_name: str='draw_next', id2labels: object=None) -> Iterator[np.ndarray]:
        """Gives image after image, uint8 (height, width, BGR), with the boxes of its objects drawn, for a look at them."""
    label_shape: Any
__all__ = ['CreateDetAugmenter', 'CreateMultiRandCropAugmenter', 'DetAugmenter', 'DetBorrowAug', 'DetHorizontalFlipAug', 'DetRandomCropAug', 'DetRandomPadAug', 'DetRandomSelectAug', 'ImageDetIter', 'ImageIter', 'logging', 'np', 'random']
