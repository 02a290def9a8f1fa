"""The threshold that loses the least information when a histogram of floats becomes 8-bit integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ... import native
from ..params import Count
from ..registry import op
from ..types import Dtypes, Keywords

Tensor = torch.Tensor
_SMALL = 1e-4


def smooth(counts: np.ndarray, eps: float = _SMALL) -> np.ndarray | None:
    """A distribution with ``eps`` for each zero, taken off the others; None if there is not enough to take."""
    zeros = counts == 0
    absent = int(zeros.sum())
    present = counts.size - absent
    if not present or eps * absent >= present:
        return None
    small = np.float32(eps) * np.float32(absent) / np.float32(present)
    return np.where(zeros, np.float32(eps), counts.astype(np.float32) - small)


def _sum(values: np.ndarray) -> np.float32:
    """One after the other in float32, as MXNet adds: which of two thresholds is better may be a matter of rounding."""
    return np.add.accumulate(values, dtype=np.float32)[-1]


def _divergence(hist: np.ndarray, before: np.ndarray, middle: int, reach: int, bins: int) -> float:
    """How much is lost (Kullback-Leibler) if what is ``reach`` away from the middle is the farthest to be told apart.

    ``before[i]`` is the sum of the first ``i`` counts. What lies outside of the window counts for its ends. The first
    place of the window is left empty in what is quantized, as in MXNet.
    """
    first, end = max(middle - reach, 0), min(middle + reach + 1, hist.size)
    window = hist[first:end].copy()
    window[0] = 0
    reference = window.copy()
    reference[0] = before[first + 1]
    reference[-1] += before[-1] - before[end]
    starts = np.arange(bins) * (window.size // bins)
    lengths = np.diff(starts, append=window.size)
    counts = np.maximum(np.add.reduceat((window != 0).astype(np.float32), starts), np.float32(1))
    levels = np.add.reduceat(window, starts) / counts
    p, q = smooth(reference), smooth(np.where(reference != 0, np.repeat(levels, lengths), np.float32(0)))
    if p is None or q is None or (p <= 0).any() or (q <= 0).any():
        return np.inf
    p, q = p / _sum(p), q / _sum(q)
    return float(_sum(p * np.log(p / q)))


def divergences(hist: np.ndarray, before: np.ndarray, bins: int) -> Sequence[float]:
    """The divergence for each reach, from the least that has ``bins`` places."""
    middle = hist.size // 2
    library = native.library()
    if library is None:
        return [_divergence(hist, before, middle, reach, bins) for reach in range(bins // 2, middle + 1)]
    threads = native.threads(hist.size * hist.size)
    out = torch.empty(middle + 1 - bins // 2)
    scratch = torch.empty(threads * 2 * hist.size)
    library.entropy_divergences(
        torch.from_numpy(hist), torch.from_numpy(before), scratch, out, hist.size, bins, threads
    )
    return out.tolist()


def best_threshold(hist: np.ndarray, edges: np.ndarray, bins: int) -> tuple[float, float]:
    """The threshold with the least divergence, and that."""
    hist = np.ascontiguousarray(hist, np.float32)
    if hist.ndim != 1 or edges.shape != (hist.size + 1,):
        raise ValueError(f"hist must be a vector, hist_edges one longer; got {hist.shape} and {edges.shape}")
    if hist.size < bins:
        raise ValueError(f"a histogram of {hist.size} bins is too coarse for num_quantized_bins={bins}")
    middle = hist.size // 2
    before = np.concatenate([[0.0], np.cumsum(hist, dtype=np.float64)]).astype(np.float32)
    reaches = range(bins // 2, middle + 1)
    found = divergences(hist, before, bins)
    best = int(np.argmin(found))
    return float(edges[min(middle + reaches[best] + 1, hist.size)]), found[best]


@op("_contrib_calibrate_entropy", outputs=2, output_names=("threshold", "divergence"), gradient="zero")
def calibrate_entropy(hist: Tensor, hist_edges: Tensor, *, num_quantized_bins: Count = 255) -> tuple[Tensor, Tensor]:
    """The threshold at which to cut floats with this histogram, and the divergence of what remains from what was.

    ``hist`` has an odd number of counts, symmetric around zero; ``hist_edges`` their bounds, one more.
    """
    for name, each in (("hist", hist), ("hist_edges", hist_edges)):
        if each.dtype is not torch.float32 and not each.is_meta:
            raise TypeError(f"{name} must be float32; convert it with astype()")
    if hist.is_meta:
        return hist.new_empty((1,)), hist.new_empty((1,))
    found = best_threshold(hist.cpu().numpy(), hist_edges.cpu().numpy(), num_quantized_bins)
    return hist.new_tensor([found[0]]), hist.new_tensor([found[1]])


@calibrate_entropy.infer_dtype
def _(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    dtypes["hist"] = dtypes["hist_edges"] = torch.float32
    return [torch.float32, torch.float32]


@calibrate_entropy.infer_shape
def _(shapes: Keywords, attrs: Any) -> list[Any]:
    return [(1,), (1,)]
