"""Texts: counting tokens, their numbers, and their vectors."""

from . import embedding, utils, vocab
