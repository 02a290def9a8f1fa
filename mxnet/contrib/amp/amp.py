"""Automatic mixed precision: packages import it and ask whether it is on; turning it on is not possible yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .loss_scaler import LossScaler  # noqa: F401  (the original has it here)

#: Has ``init`` been called? Packages look at this.
_amp_initialized = False


def _missing(name: str, purpose: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f"amp.{name} is not part of this release. Without automatic mixed precision: net.cast('float16'), and "
            "an optimizer with multi_precision=True"
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{purpose} Not part of this release: raises NotImplementedError."
    return function


init = _missing("init", "Turns automatic mixed precision on.")
init_trainer = _missing("init_trainer", "Makes a Trainer scale losses dynamically.")
scale_loss = _missing("scale_loss", "The loss, multiplied by the trainer's scale.")
unscale = _missing("unscale", "Divides the gradients by the trainer's scale.")
convert_symbol = _missing("convert_symbol", "A symbol with casts to a short type put in.")
convert_model = _missing("convert_model", "A symbol and its parameters with casts to a short type put in.")
convert_hybrid_block = _missing("convert_hybrid_block", "A block with casts to a short type put in.")
convert_bucketing_module = _missing("convert_bucketing_module", "A module with casts to a short type put in.")
list_lp16_ops = _missing("list_lp16_ops", "Operators that run in a short type.")
list_fp32_ops = _missing("list_fp32_ops", "Operators that run in float32.")
list_lp16_fp32_ops = _missing("list_lp16_fp32_ops", "Operators that run in either type.")
list_lp16_use_fp32_params = _missing("list_lp16_use_fp32_params", "Operators with parameters in float32.")
list_conditional_fp32_ops = _missing("list_conditional_fp32_ops", "Operators that run in float32 by attribute.")
list_widest_type_cast = _missing("list_widest_type_cast", "Operators that run in the widest type of their inputs.")
list_loss_output_functions = _missing("list_loss_output_functions", "Operators that are losses.")
