"""Statistical tests of random number generators."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from .compare import to_numpy

Generator = Callable[[int], Any]


def mean_check(generator: Generator, mu: float, sigma: float, nsamples: int = 1000000) -> bool:
    """Is the mean of ``generator(nsamples)`` within three standard errors of ``mu``?"""
    error = 3 * sigma / np.sqrt(nsamples)
    return bool(abs(to_numpy(generator(nsamples)).astype(np.float64).mean() - mu) < error)


def var_check(generator: Generator, sigma: float, nsamples: int = 1000000) -> bool:
    """Is the variance of ``generator(nsamples)``, taken as normal, within three standard errors of ``sigma ** 2``?"""
    error = 3 * np.sqrt(2 * sigma**4 / (nsamples - 1))
    return bool(abs(to_numpy(generator(nsamples)).astype(np.float64).var(ddof=1) - sigma**2) < error)


def gen_buckets_probs_with_ppf(
    ppf: Callable[[float], float], nbuckets: int
) -> tuple[list[tuple[float, float]], list[float]]:
    """Buckets of equal probability from a quantile function, for ``chi_square_check``."""
    assert nbuckets > 0, f"the number of buckets must be positive, got {nbuckets}"
    edges = [ppf(i / nbuckets) for i in range(nbuckets + 1)]
    return list(itertools.pairwise(edges)), [1.0 / nbuckets] * nbuckets


def chi_square_check(
    generator: Generator, buckets: Sequence[Any], probs: Sequence[float], nsamples: int = 1000000
) -> tuple[float, np.ndarray, np.ndarray]:
    """Pearson's chi-square test of a generator.

    ``buckets`` are ranges ``(low, high)`` of a continuous distribution, or the values of a discrete one; ``probs`` are
    their probabilities. Returns the p value, the observed and the expected frequencies.
    """
    assert isinstance(buckets, list) and buckets, "buckets must be a list of values or of (low, high) tuples"
    if len(buckets) != len(probs):
        raise ValueError(f"{len(buckets)} buckets were given with {len(probs)} probabilities")
    bounded = math.isfinite(sum(probs))
    if bounded and abs(sum(probs) - 1.0) > 1e-6:
        raise ValueError(f"the probabilities of all buckets must add up to 1, they add up to {sum(probs)}")
    samples = to_numpy(generator(nsamples)).reshape(-1)
    assert len(samples) == nsamples, f"the generator gave {len(samples)} numbers, {nsamples} were asked for"
    if isinstance(buckets[0], tuple | list):
        observed = [((samples >= low) & (samples < high)).sum() for low, high in buckets]
    else:
        observed = [(samples == value).sum() for value in buckets]
    frequencies = np.array(observed, dtype=np.int64)
    expected = nsamples * np.array(probs, dtype=np.float64)
    if not bounded:  # widths of buckets without an end, as tests of MXNet give them: there is nothing to compare with
        warnings.warn("chi_square_check: the probabilities are not finite, nothing is tested", stacklevel=2)
        return 1.0, frequencies, np.nan_to_num(expected).clip(0, np.iinfo(np.int32).max).astype(np.int32)
    statistic = float(((frequencies - expected) ** 2 / expected).sum())
    # The survival function of the chi-square distribution with len(buckets) - 1 degrees of freedom.
    halves = torch.tensor([(len(buckets) - 1) / 2, statistic / 2], dtype=torch.float64)
    p = float(torch.special.gammaincc(halves[0], halves[1])) if len(buckets) > 1 else 1.0
    return p, frequencies, expected.astype(np.int32)


def verify_generator(
    generator: Generator,
    buckets: Sequence[Any],
    probs: Sequence[float],
    nsamples: int = 1000000,
    nrepeat: int = 5,
    success_rate: float = 0.2,
    alpha: float = 0.05,
) -> list[float]:
    """Repeats ``chi_square_check`` and raises AssertionError if p > ``alpha`` too seldom. Returns the p values."""
    results = [chi_square_check(generator, buckets, probs, nsamples) for _ in range(nrepeat)]
    values = [p for p, _, _ in results]
    if sum(p > alpha for p in values) < nrepeat * success_rate:
        raise AssertionError(
            f"Generator test fails, Chi-square p={values}, obs_freq={[r[1] for r in results]}, "
            f"expected_freq={results[0][2]}.\nbuckets={buckets}, probs={probs}"
        )
    return values
