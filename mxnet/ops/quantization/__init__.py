"""Operators on 8-bit integers, and what converts floats to them and back."""

from . import calibrate, convert, fused, layers, rnn

__all__ = ["calibrate", "convert", "fused", "layers", "rnn"]
