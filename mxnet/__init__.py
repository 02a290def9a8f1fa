"""MXNext: Apache MXNet 1.x alive, on PyTorch's engine. ``import mxnet as mx`` and carry on.

Submodules load on first use: ``import mxnet.recordio`` alone does not load torch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "1.9.1"
mxnext_version = "0.1.0"

# Public name -> where it comes from: a submodule, or a submodule and a name in it.
_SUBMODULES = {
    "autograd": "autograd",
    "base": "base",
    "context": "context",
    "contrib": "contrib",
    "dlpack": "dlpack",
    "engine": "engine",
    "error": "error",
    "nd": "ndarray",
    "ndarray": "ndarray",
    "random": "random",
    "runtime": "runtime",
    "rnd": "random",
    "rnn": "rnn",
    "test_utils": "test_utils",
    "sym": "symbol",
    "symbol": "symbol",
    "name": "name",
    "attribute": "attribute",
    "executor": "executor",
    "operator": "operator",
    "util": "util",
    "callback": "callback",
    "init": "initializer",
    "initializer": "initializer",
    "io": "io",
    "libinfo": "libinfo",
    "log": "log",
    "kv": "kvstore",
    "kvstore": "kvstore",
    "kvstore_server": "kvstore_server",
    "lr_scheduler": "lr_scheduler",
    "metric": "metric",
    "mod": "module",
    "model": "model",
    "module": "module",
    "executor_manager": "executor_manager",
    "gluon": "gluon",
    "mon": "monitor",
    "monitor": "monitor",
    "optimizer": "optimizer",
    "profiler": "profiler",
    "registry": "registry",
    "image": "image",
    "img": "image",
    "recordio": "recordio",
    "visualization": "visualization",
    "viz": "visualization",
}
_NAMES = {
    "AttrScope": "attribute",
    "Context": "context",
    "MXNetError": "error",
    "cpu": "context",
    "cpu_pinned": "context",
    "cpu_shared": "context",
    "current_context": "context",
    "gpu": "context",
    "gpu_memory_info": "context",
    "num_gpus": "context",
    **dict.fromkeys(
        (
            "is_np_array",
            "is_np_shape",
            "np_array",
            "np_shape",
            "set_np_shape",
            "use_np",
            "use_np_array",
            "use_np_shape",
        ),
        "util",
    ),
}

if TYPE_CHECKING:
    from . import autograd, base, context, error, ndarray, ndarray as nd, random
    from .context import Context, cpu, cpu_pinned, cpu_shared, current_context, gpu, gpu_memory_info, num_gpus
    from .error import MXNetError


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        value = importlib.import_module(f"{__name__}.{_SUBMODULES[name]}")
    elif name in _NAMES:
        value = getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES, *_NAMES})
