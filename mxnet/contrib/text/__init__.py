"""Texts: counting tokens, and their numbers."""

from . import utils, vocab
