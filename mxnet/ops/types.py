"""The types in signatures of kernels and of their rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

Shape = tuple[int, ...]
#: Shapes by input; None is one of which nothing is known.
Shapes = dict[str, Shape | None]
Dtype = torch.dtype | None
#: Dtypes by input.
Dtypes = dict[str, Dtype]
#: All attributes of a call by name, parsed.
Attrs = Mapping[str, Any]
#: Keyword arguments, such as attributes as users give them.
Keywords = dict[str, Any]
#: Takes and returns tensors; or anything that is called with an operator's inputs and attributes.
Kernel = Callable[..., Any]
#: What ``torch.autograd.Function`` hands from forward to backward: it has the attributes that forward sets.
Ctx = Any
#: What ``backward`` of a ``torch.autograd.Function`` returns: a gradient for each argument of forward.
Gradients = torch.Tensor | tuple[torch.Tensor | None, ...] | None
#: A dtype as users give it: NumPy's type, its name, or a Python type.
DtypeLike = Any
#: A shape as users give it, where it may be left out.
OpenShape = Any
#: The size of a sample as NumPy takes it.
Size = int | Sequence[int] | None
