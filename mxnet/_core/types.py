"""The types of arguments that recur in signatures.

They are texts, for type checkers and readers only: nothing is imported for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import numpy as np
    import torch
    from numpy.typing import DTypeLike

    from ..context import Context
    from ..initializer import Initializer
    from ..ndarray import NDArray
    from ..symbol import Symbol

#: What layers and losses compute with: arrays, or symbols while they are traced.
Array: TypeAlias = "NDArray | Symbol"
#: A list of them, such as the states of a recurrent cell.
Arrays: TypeAlias = "Sequence[NDArray | Symbol]"
#: The name of a dtype, NumPy's or torch's; None is the default.
DType: TypeAlias = "DTypeLike | torch.dtype"
#: One context, several, or None for the current one.
Devices: TypeAlias = "Context | Sequence[Context] | None"
Device: TypeAlias = "Context | None"
#: One size, or a size for each axis.
ShapeLike: TypeAlias = "int | Sequence[int]"
#: The name of a file, or what ``os.fspath`` turns into one.
Path: TypeAlias = "str | os.PathLike[str]"
Scalar: TypeAlias = "float | np.generic"
#: An initializer, or its name.
Init: TypeAlias = "Initializer | str | None"
#: What optimizers update together, and the learning rates and weight decays for them.
Tensors: TypeAlias = "Sequence[torch.Tensor]"
Floats: TypeAlias = "Sequence[float]"
