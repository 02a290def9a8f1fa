"""The lists for float16."""

from .operators import CONDITIONAL, names

_names = names("float16")
#: Run in float16.
FP16_FUNCS = _names["target"]
#: Run in the type of their inputs.
FP16_FP32_FUNCS = _names["either"]
#: Run in float32.
FP32_FUNCS = _names["float32"]
#: Run in float32 where an attribute has one of these values.
CONDITIONAL_FP32_FUNCS = list(CONDITIONAL)
#: Run in the widest type of their inputs.
WIDEST_TYPE_CASTS = _names["widest"]
#: Outputs that are losses.
LOSS_OUTPUT_FUNCTIONS = _names["loss"]
