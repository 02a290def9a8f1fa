"""``mx.image``: reading, changing and feeding images, on OpenCV."""

from ..util import is_np_array
from . import detection, image
from .augmenters import *  # noqa: F403
from .detection import ImageDetIter
from .detection_augmenters import *  # noqa: F403
from .functions import *  # noqa: F403
from .image import ImageIter
