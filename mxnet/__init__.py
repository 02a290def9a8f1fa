"""MXNext: Apache MXNet 1.x alive, on PyTorch's engine. ``import mxnet as mx`` and carry on.

Submodules load on first use: ``import mxnet.recordio`` alone does not load torch.
"""

from . import _namespace, compat, config, openmp, tracebacks

__version__ = "1.9.1"
mxnext_version = "0.1.0"

TYPE_CHECKING = False  # as typing has it, without loading it
if TYPE_CHECKING:  # what namespace.txt says, for tools that read the source
    from . import (
        attribute,
        autograd,
        base,
        callback,
        context,
        contrib,
        dlpack,
        engine,
        error,
        executor,
        executor_manager,
        gluon,
        image,
        image as img,
        initializer,
        initializer as init,
        io,
        kvstore,
        kvstore as kv,
        kvstore_server,
        libinfo,
        log,
        lr_scheduler,
        metric,
        model,
        module,
        module as mod,
        monitor,
        monitor as mon,
        name,
        ndarray,
        ndarray as nd,
        onnx,
        operator,
        optimizer,
        profiler,
        random,
        random as rnd,
        recordio,
        registry,
        rnn,
        runtime,
        symbol,
        symbol as sym,
        test_utils,
        util,
        visualization,
        visualization as viz,
    )
    from .attribute import AttrScope
    from .context import Context, cpu, cpu_pinned, cpu_shared, current_context, gpu, gpu_memory_info, num_gpus
    from .error import MXNetError
    from .util import is_np_array, is_np_shape, np_array, np_shape, set_np_shape, use_np, use_np_array, use_np_shape

del TYPE_CHECKING
_namespace.install(__name__)
compat.install()
openmp.install()
tracebacks.install()
compat.warn_of_the_original(__path__[0])

if config.DMLC_ROLE.text() in ("server", "scheduler"):  # this process is to serve others, and then to end
    from .kvstore_server import _init_kvstore_server_module

    _init_kvstore_server_module()

if config.CHECK.get():
    from . import checks

    checks.turn(True)

if config.PROFILER_AUTOSTART.get():
    from . import profiler

    profiler.set_state("run")
