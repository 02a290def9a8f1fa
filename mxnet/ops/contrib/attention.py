"""Interleaved attention products."""
