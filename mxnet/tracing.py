"""Is torch looking on? Kernels are then plain compositions of torch's operators, which it can record."""

from __future__ import annotations

import torch

_KINDS = torch._C._TorchDispatchModeKey.FAKE, torch._C._TorchDispatchModeKey.PROXY


def is_traced() -> bool:
    """Do torch.compile, torch.export, torch.jit.trace, make_fx or fake tensors see what is computed?

    Then there may be no memory behind tensors, sizes may be symbols, and what Python decides is decided for good: no
    kernels in C, no choice of a memory layout, nothing kept from one call for the next.
    """
    if torch.compiler.is_compiling() or torch._C._is_tracing():
        return True
    return torch._C._len_torch_dispatch_stack() > 0 and any(torch._C._get_dispatch_mode(k) is not None for k in _KINDS)
