"""Operators on image coordinates: samplers, transformers, ROI pooling, upsampling, correlation."""
