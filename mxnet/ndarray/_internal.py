"""Operators whose names begin with an underscore."""

__all__: list[str] = []
