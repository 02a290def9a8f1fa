"""MXNext: Apache MXNet 1.x alive, on PyTorch's engine. ``import mxnet as mx`` and carry on.

Submodules load on first use: ``import mxnet.recordio`` alone does not load torch.
"""

from . import compat
from ._core import config as _config, namespace as _namespace, openmp as _openmp, tracebacks as _tracebacks

__version__ = "1.9.1"
mxnext_version = "0.2.0"

_namespace.install(__name__)
compat.install()
_openmp.install()
_tracebacks.install()
compat.warn_of_the_original(__path__[0])

if _config.DMLC_ROLE.text() in ("server", "scheduler"):  # this process is to serve others, and then to end
    from .kvstore_server import _init_kvstore_server_module

    _init_kvstore_server_module()

if _config.CHECK.get():
    from . import _checks

    _checks.turn(True)

if _config.PROFILER_AUTOSTART.get():
    from . import profiler

    profiler.set_state("run")
