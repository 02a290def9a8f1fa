"""Settings of MXNet's that are settings of torch here, for the whole process: determinism, and cuDNN's tuning."""

from __future__ import annotations

import os

import torch

from . import config

if config.ENFORCE_DETERMINISM.get():
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it torch refuses products on a GPU
    torch.use_deterministic_algorithms(True)
elif config.CUDNN_AUTOTUNE_DEFAULT.get():
    torch.backends.cudnn.benchmark = True
