# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from typing import Any

from functools import partial as _partial
from ...ops.numpy.extension import images as _images
from ..gate import invoke as _invoke
from ..numpy.array import ndarray as _ndarray
FUNCTIONS: dict[Any, Any]
from mxnet.numpy_extension.image import adjust_lighting as adjust_lighting, crop as crop, flip_left_right as flip_left_right, flip_top_bottom as flip_top_bottom, normalize as normalize, random_brightness as random_brightness, random_color_jitter as random_color_jitter, random_contrast as random_contrast, random_flip_left_right as random_flip_left_right, random_flip_top_bottom as random_flip_top_bottom, random_hue as random_hue, random_lighting as random_lighting, random_saturation as random_saturation, resize as resize, to_tensor as to_tensor
__all__ = ['adjust_lighting', 'crop', 'flip_left_right', 'flip_top_bottom', 'normalize', 'random_brightness', 'random_color_jitter', 'random_contrast', 'random_flip_left_right', 'random_flip_top_bottom', 'random_hue', 'random_lighting', 'random_saturation', 'resize', 'to_tensor']
