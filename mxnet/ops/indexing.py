"""Operators that pick, gather, scatter and slice elements."""
