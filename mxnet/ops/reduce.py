"""Reductions: sum, mean, max, norm and their kin."""
