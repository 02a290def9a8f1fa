"""Image operators: ``mx.sym.image``."""
