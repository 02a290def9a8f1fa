"""Random numbers: ``mx.nd.random``."""
