"""Constants and types of ``mx.np``."""

import builtins

import numpy as onp

__all__ = """
NAN NINF NZERO NaN PINF PZERO _STR_2_DTYPE_ bool bool_ e finfo float16 float32 float64 inf int32 int64 int8
nan newaxis pi uint8
""".split()

bool = builtins.bool
float16, float32, float64 = onp.float16, onp.float32, onp.float64
uint8, int8, int32, int64, bool_ = onp.uint8, onp.int8, onp.int32, onp.int64, onp.bool_
NAN = NaN = nan = onp.nan
PINF = inf = onp.inf
NINF, PZERO, NZERO = -onp.inf, 0.0, -0.0
pi, e, newaxis, finfo = onp.pi, onp.e, onp.newaxis, onp.finfo
_STR_2_DTYPE_ = {
    **{kind.__name__: kind for kind in (float16, float32, float64, uint8, int8, int32, int64)},
    "float": float64,
    "int": int64,
    "bool": bool_,
    "bool_": bool_,
    "None": None,
}
