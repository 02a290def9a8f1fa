"""Normalization: batch, layer, group, instance, L2 and local response."""
