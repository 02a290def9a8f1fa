# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""


from . import batch_processor as batch_processor, estimator as estimator, event_handler as event_handler, utils as utils
from .batch_processor import BatchProcessor as BatchProcessor
from .estimator import Estimator as Estimator
from .event_handler import BatchBegin as BatchBegin, BatchEnd as BatchEnd, CheckpointHandler as CheckpointHandler, EarlyStoppingHandler as EarlyStoppingHandler, EpochBegin as EpochBegin, EpochEnd as EpochEnd, GradientUpdateHandler as GradientUpdateHandler, LoggingHandler as LoggingHandler, MetricHandler as MetricHandler, StoppingHandler as StoppingHandler, TrainBegin as TrainBegin, TrainEnd as TrainEnd, ValidationHandler as ValidationHandler
from .progress import ProgressBarHandler as ProgressBarHandler
__all__ = ['BatchBegin', 'BatchEnd', 'BatchProcessor', 'CheckpointHandler', 'EarlyStoppingHandler', 'EpochBegin', 'EpochEnd', 'Estimator', 'GradientUpdateHandler', 'LoggingHandler', 'MetricHandler', 'ProgressBarHandler', 'StoppingHandler', 'TrainBegin', 'TrainEnd', 'ValidationHandler', 'batch_processor', 'estimator', 'event_handler', 'utils']
