"""What a step returned, as a short list of numbers that engines can be compared by."""

NUMBERS = 24


def digest(value):
    """For each array: its size, the mean of its magnitudes and some of its elements."""
    import numpy as np

    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return [part for one in value for part in digest(one)]
    if hasattr(value, "asnumpy"):
        value = value.asnumpy()
    elif hasattr(value, "detach"):
        value = value.detach().numpy()
    flat = np.asarray(value, "float64").ravel()
    if not flat.size:
        return [[0.0, 0.0]]
    chosen = flat[np.linspace(0, flat.size - 1, min(NUMBERS, flat.size)).astype(int)]
    return [[float(flat.size), float(np.abs(flat).mean()), *map(float, chosen)]]


def difference(ours, other):
    """The largest relative difference of two digests; infinite if they are of different arrays."""
    if [len(one) for one in ours] != [len(one) for one in other]:
        return float("inf")
    worst = 0.0
    for one, two in zip(ours, other):
        if one[0] != two[0]:
            return float("inf")
        scale = max(max(map(abs, two[1:])), 1e-6)
        for a, b in zip(one[1:], two[1:]):
            if a != b:  # also true of NaN
                gap = abs(a - b) / scale
                worst = max(worst, gap if gap == gap else float("inf"))
    return worst
