"""The lists for bfloat16."""

from .operators import CONDITIONAL, names

_names = names("bfloat16")
_NORM = ["", "gamma", "beta", "moving_mean", "moving_var"]
#: Run in bfloat16.
BF16_FUNCS = _names["target"]
#: Run in the type of their inputs.
BF16_FP32_FUNCS = _names["either"]
#: Run in float32.
FP32_FUNCS = _names["float32"]
#: Run in float32 where an attribute has one of these values.
CONDITIONAL_FP32_FUNCS = list(CONDITIONAL)
#: Run in the widest type of their inputs.
WIDEST_TYPE_CASTS = _names["widest"]
#: Outputs that are losses.
LOSS_OUTPUT_FUNCTIONS = _names["loss"]
#: Inputs that stay in float32, by operator.
BF16_USE_FP32_PARAMS = {"BatchNormWithReLU": _NORM, "BatchNorm": _NORM}
