"""The Estimator: training and validation loops in one call, with handlers for what happens on the way."""

from . import batch_processor, estimator, event_handler, utils
from .batch_processor import *  # noqa: F403
from .estimator import *  # noqa: F403
from .event_handler import *  # noqa: F403
from .progress import ProgressBarHandler
