"""``mx.npx``: what deep learning needs and NumPy does not have, on arrays of ``mx.np``."""

from ..context import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus
from ..ndarray import numpy_extension as _arrays
from ..ndarray.functions import waitall
from ..util import get_cuda_compute_capability, is_np_array, is_np_shape, reset_np, set_np
from . import image, random, utils
from .utils import load, save

globals().update(_arrays.FUNCTIONS)
__all__: list[str] = []  # as in the original: ``from mxnet.numpy_extension import *`` brings nothing
