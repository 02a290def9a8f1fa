"""Operators whose names begin with an underscore."""
