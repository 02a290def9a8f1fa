"""The operators behind ``mx.np`` and ``mx.npx``: NumPy's meaning and type rules, as MXNet 1.9.1 has them.

Their names begin with ``_np_``, ``_npi_`` or ``_npx_``. Many are other operators under a second name: ``names.py``.
"""

from . import creation, elementwise, linalg, names, random, rearrange, reduce, select

__all__ = ["creation", "elementwise", "linalg", "names", "random", "rearrange", "reduce", "select"]
