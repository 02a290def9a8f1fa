"""Samples of the densities of the random distributions."""

import numpy as np

from .common import S, ints, rand


def positive(*shape, **kwargs):
    return rand(*shape, low=0.3, high=3.0, **kwargs)


def simplex(*shape, **kwargs):
    """Probabilities that sum to 1 along the last dimension."""
    dtype = kwargs.pop("dtype", "float32")
    values = positive(*shape, dtype="float64", **kwargs)
    return np.round(values / values.sum(-1, keepdims=True), 6).astype(dtype)


F64, F16 = "float64", "float16"


def both(name, *inputs, **kwargs):
    """A density and its logarithm."""
    return [S(name, *inputs, **kwargs), S(name, *inputs, is_log=True, **kwargs)]


def counts(*shape, **kwargs):
    return ints(*shape, **kwargs).astype("float32") + 0.5


# The gradient of integer samples is 0 by definition, which no numeric check would find.
SAMPLES = [
    *both("_random_pdf_uniform", rand(2, 3), rand(2), rand(2, low=2, high=3)),
    S("_random_pdf_uniform", rand(2, dtype=F64), rand(2, dtype=F64), rand(2, low=2, high=3, dtype=F64)),
    S("_random_pdf_uniform", rand(2, 3), rand(2), rand(3), error=True),
    *both("_random_pdf_normal", rand(2, 3), rand(2), positive(2)),
    # Parameters that no distribution has.
    S("_random_pdf_uniform", rand(2, 3), rand(2, low=2, high=3), rand(2)),
    S("_random_pdf_normal", rand(2, 3), rand(2), -positive(2)),
    S("_random_pdf_exponential", positive(2, 3), -positive(2)),
    S("_random_pdf_normal", rand(2, 3, 2, dtype=F64), rand(2, 3, dtype=F64), positive(2, 3, dtype=F64)),
    S("_random_pdf_normal", rand(2, 3, 2), rand(2), positive(2), is_log=True),
    S("random_pdf_normal", rand(2, 3, dtype=F16), rand(2, dtype=F16), positive(2, dtype=F16), rtol=1e-2, atol=1e-2),
    S("_random_pdf_normal", rand(2), rand(1), positive(1), error=True),
    S("_random_pdf_normal", rand(2), rand(1, 2), positive(1, 2), error=True),
    S("_random_pdf_normal", rand(2, dtype=F64), rand(2), positive(2), error=True),
    S("_random_pdf_normal", ints(2), ints(2), ints(2), error=True),
    *both("_random_pdf_gamma", positive(2, 3), positive(2), positive(2, seed=1)),
    S("random_pdf_gamma", positive(2, 3, dtype=F64), positive(2, 3, dtype=F64), positive(2, 3, seed=1, dtype=F64)),
    S("_random_pdf_gamma", positive(2, 3), positive(3), positive(3), error=True),
    *both("_random_pdf_exponential", positive(2, 3), positive(2)),
    S("random_pdf_exponential", -positive(2, 3, dtype=F64), positive(2, 3, dtype=F64)),
    S("_random_pdf_exponential", positive(2), positive(3), error=True),
    *both("_random_pdf_poisson", counts(2, 3), positive(2), grad=(1,)),
    S("_random_pdf_poisson", counts(2, 3), positive(2), numeric=False),
    S("random_pdf_poisson", counts(2, 3).astype(F64), positive(2, dtype=F64), numeric=False),
    S("_random_pdf_poisson", positive(2), positive(3), error=True),
    *both("_random_pdf_negative_binomial", counts(2, 3), positive(2), rand(2, low=0.2, high=0.8), grad=(1, 2)),
    S("_random_pdf_negative_binomial", counts(2, 3), positive(2), rand(2, low=0.2, high=0.8), numeric=False),
    S(
        "random_pdf_negative_binomial",
        counts(2).astype(F64),
        positive(2, dtype=F64),
        rand(2, low=0.2, high=0.8, dtype=F64),
        numeric=False,
    ),
    S("_random_pdf_negative_binomial", positive(2), positive(3), positive(3), error=True),
    *both("_random_pdf_generalized_negative_binomial", counts(2, 3), positive(2), positive(2, seed=1), grad=(1, 2)),
    S(
        "_random_pdf_generalized_negative_binomial",
        counts(2, 3),
        positive(2),
        positive(2, seed=1),
        numeric=False,
        rtol=1e-4,
    ),
    S(
        "random_pdf_generalized_negative_binomial",
        counts(2).astype(F64),
        positive(2, dtype=F64),
        positive(2, seed=1, dtype=F64),
        numeric=False,
    ),
    S("_random_pdf_generalized_negative_binomial", positive(2), positive(3), positive(3), error=True),
    *both("_random_pdf_dirichlet", simplex(2, 3), positive(2, 3)),
    *both("_random_pdf_dirichlet", simplex(2, 4, 3), positive(2, 3)),
    S("_random_pdf_dirichlet", simplex(3), positive(3)),
    S("random_pdf_dirichlet", simplex(2, 3, dtype=F64), positive(3, dtype=F64)),
    S("_random_pdf_dirichlet", simplex(1, 3), positive(1, 2), error=True),
    S("_random_pdf_dirichlet", simplex(2, 3), positive(3, 3), error=True),
]
