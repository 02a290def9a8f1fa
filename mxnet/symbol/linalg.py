"""Linear algebra: ``mx.sym.linalg``."""
