"""Pooling of regions of interest and deformable convolution."""
