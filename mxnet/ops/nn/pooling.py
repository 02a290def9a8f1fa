"""Pooling: max, average, sum, Lp; valid, full and same; global."""
