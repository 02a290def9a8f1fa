"""Which operators run in which precision, by target type: ``symbol_fp16`` and ``symbol_bf16``."""

from . import symbol_bf16, symbol_fp16

__all__ = ["symbol_bf16", "symbol_fp16"]
