"""Random numbers: ``mx.sym.random``."""
