"""Samples of unary, binary, broadcasting, scalar, comparing and logical operators."""

from .common import S, rand

SAMPLES = [
    S("broadcast_add", rand(2, 3), rand(2, 1)),
    S("broadcast_add", rand(2, 3), rand(2, 4), error=True),
    S("_plus_scalar", rand(2, 3), scalar=2.5),
]
