"""What operators do with sparse inputs: their entries by storage type (docs/developer/sparse.md)."""

from ..sparse_values import (
    CSR,
    RowSparse,
    Sparse,
    convert,
    dense,
    from_dense,
    from_gradient,
    place_in_graph,
    stype_of,
    zeros,
)
from . import elementwise, graphs, products, reduce, selection, update
from .dispatch import OPERATORS, add_kernel, find_kernel, makes_sparse, result_storage, run, storage

__all__ = [
    "CSR",
    "OPERATORS",
    "RowSparse",
    "Sparse",
    "convert",
    "dense",
    "elementwise",
    "from_dense",
    "from_gradient",
    "graphs",
    "makes_sparse",
    "placed",
    "products",
    "reduce",
    "result_storage",
    "run",
    "selection",
    "storage",
    "stype_of",
    "update",
    "zeros",
]
