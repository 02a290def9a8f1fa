"""Operators on 8-bit integers, and what converts floats to them and back."""

from . import calibrate, convert, layers, rnn

__all__ = ["calibrate", "convert", "layers", "rnn"]
