"""Sample inputs per operator family. Pure NumPy, so that the recorder can read them beside the original MXNet."""

import importlib
import pkgutil


def families():
    """The names of all sample tables."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name != "common")


def load(family):
    """The samples of one family, each with its id."""
    table = importlib.import_module(f"{__name__}.{family}").SAMPLES
    counts, result = {}, []
    for sample in table:
        n = counts[sample.op] = counts.get(sample.op, -1) + 1
        result.append((f"{sample.op}-{n}", sample))
    return result
