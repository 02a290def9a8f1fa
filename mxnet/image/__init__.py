"""``mx.image``: reading, changing and feeding images, on OpenCV."""

from ..util import is_np_array
from . import detection, image
from .detection import *  # noqa: F403
from .image import *  # noqa: F403
from .image import copyMakeBorder
