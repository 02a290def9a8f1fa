"""Samples of the interleaved products of attention."""

from .common import S, ints, rand

SAMPLES = [
    S("_contrib_interleaved_matmul_selfatt_qk", rand(4, 2, 18), heads=2),
    S("_contrib_interleaved_matmul_selfatt_qk", rand(3, 1, 12), heads=4),
    S("_contrib_interleaved_matmul_selfatt_qk", rand(1, 3, 9), heads=1),
    S("_contrib_interleaved_matmul_selfatt_qk", rand(3, 12), heads=1, error=True),
    S("_contrib_interleaved_matmul_selfatt_qk", rand(3, 1, 12), error=True),
    S("_contrib_interleaved_matmul_selfatt_valatt", rand(4, 2, 18), rand(4, 4, 4), heads=2),
    S("_contrib_interleaved_matmul_selfatt_valatt", rand(3, 1, 12), rand(4, 3, 3), heads=4),
    S("_contrib_interleaved_matmul_selfatt_valatt", rand(3, 1, 12), rand(4, 3), heads=4, error=True),
    S("_contrib_interleaved_matmul_encdec_qk", rand(3, 2, 6), rand(4, 2, 12), heads=2),
    S("_contrib_interleaved_matmul_encdec_qk", rand(5, 1, 4), rand(2, 1, 8), heads=1),
    S("_contrib_interleaved_matmul_encdec_qk", rand(5, 1, 4), rand(2, 1, 12), heads=1, error=True),
    S("_contrib_interleaved_matmul_encdec_valatt", rand(4, 2, 12), rand(4, 3, 4), heads=2),
    S("_contrib_interleaved_matmul_encdec_valatt", rand(2, 1, 8), rand(1, 5, 2), heads=1),
    S("_contrib_div_sqrt_dim", rand(2, 3)),
    S("_contrib_div_sqrt_dim", rand(2, 3, dtype="float64")),
    S("_contrib_div_sqrt_dim", rand(4, 2, 5, dtype="float16"), rtol=1e-2, atol=1e-3),
    S("_contrib_div_sqrt_dim", ints(2, 5, low=-20, high=20)),
]
