"""Densities of the random distributions."""
