"""Counting the tokens of a text."""

from __future__ import annotations

import collections
import re

__all__ = ["count_tokens_from_str"]


def count_tokens_from_str(
    source_str: str,
    token_delim: str = " ",
    seq_delim: str = "\n",
    to_lower: bool = False,
    counter_to_update: collections.Counter | None = None,
) -> collections.Counter:
    """Counts the tokens between two delimiters, which are regular expressions; empty ones do not count.

    The counts are added to ``counter_to_update`` if one is given, which is also returned.
    """
    counter = collections.Counter() if counter_to_update is None else counter_to_update
    text = source_str.lower() if to_lower else source_str
    counter.update(token for token in re.split(f"{token_delim}|{seq_delim}", text) if token)
    return counter
