"""Linear algebra: ``mx.nd.linalg``."""
