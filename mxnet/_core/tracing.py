"""Is torch looking on? Kernels are then plain compositions of torch's operators, which it can record."""

from __future__ import annotations

from torch._C import _get_dispatch_mode, _is_tracing, _len_torch_dispatch_stack, _TorchDispatchModeKey
from torch.compiler import is_compiling

_KINDS = _TorchDispatchModeKey.FAKE, _TorchDispatchModeKey.PROXY


def is_traced() -> bool:
    """Do torch.compile, torch.export, torch.jit.trace, make_fx or fake tensors see what is computed?

    Then tensors may have no memory, sizes may be symbols, and what Python decides is decided for good: no
    kernels in C, no choice of a memory layout, nothing kept from one call for the next.
    """
    # Operators ask this often: names of the module, and what is usual first.
    if is_compiling() or _is_tracing():
        return True
    return _len_torch_dispatch_stack() > 0 and any(_get_dispatch_mode(kind) is not None for kind in _KINDS)
