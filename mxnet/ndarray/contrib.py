"""Contributed operators: ``mx.nd.contrib``."""
