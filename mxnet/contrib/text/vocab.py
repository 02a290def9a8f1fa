"""Tokens and their numbers."""

from __future__ import annotations

import collections
from collections.abc import Hashable
from typing import Any

import numpy as np

from ...error import MXNetAssertionError, MXNetValueError

__all__ = ["Vocabulary"]

UNKNOWN_IDX = 0


class Vocabulary:
    """Numbers for tokens: 0 for what is not known, then those of ``reserved_tokens``, then the others by frequency.

    Of the tokens in ``counter`` those that occur ``min_freq`` times are taken, at most ``most_freq_count`` of them; of
    the same frequency the lesser one is first.
    """

    def __init__(
        self,
        counter: collections.Counter | None = None,
        most_freq_count: int | None = None,
        min_freq: int = 1,
        unknown_token: Hashable = "<unk>",
        reserved_tokens: list | None = None,
    ):
        if min_freq < 1:
            raise MXNetAssertionError("`min_freq` must be set to a positive value.")
        reserved = list(reserved_tokens or [])
        if unknown_token in reserved:
            raise MXNetAssertionError("`reserved_token` cannot contain `unknown_token`.")
        if len(set(reserved)) != len(reserved):
            raise MXNetAssertionError("`reserved_tokens` cannot contain duplicate reserved tokens.")
        self._unknown_token = unknown_token
        self._reserved_tokens = None if reserved_tokens is None else reserved
        self._idx_to_token = [unknown_token, *reserved]
        if counter is not None:
            self._idx_to_token += self._frequent(counter, most_freq_count, min_freq)
        self._token_to_idx = {token: number for number, token in enumerate(self._idx_to_token)}

    def _frequent(self, counter: collections.Counter, most_freq_count: int | None, min_freq: int) -> list:
        if not isinstance(counter, collections.Counter):
            raise MXNetAssertionError("`counter` must be an instance of collections.Counter.")
        known = set(self._idx_to_token)
        ordered = sorted(sorted(counter.items()), key=lambda item: -item[1])
        found = [token for token, count in ordered if count >= min_freq and token not in known]
        return found[:most_freq_count]

    def __len__(self) -> int:
        return len(self._idx_to_token)

    @property
    def token_to_idx(self) -> dict:
        """Numbers by token."""
        return self._token_to_idx

    @property
    def idx_to_token(self) -> list:
        """Tokens by number."""
        return self._idx_to_token

    @property
    def unknown_token(self) -> Hashable:
        """What stands for a token that is not known; its number is 0."""
        return self._unknown_token

    @property
    def reserved_tokens(self) -> list | None:
        """The tokens that have a number in any case."""
        return self._reserved_tokens

    def to_indices(self, tokens: object) -> Any:
        """The number of a token, or a list of those of a list."""
        if isinstance(tokens, list):
            number = self._token_to_idx.get
            return [number(token, 0) for token in tokens]
        return self._token_to_idx.get(tokens, 0)

    def to_tokens(self, indices: Any) -> Any:
        """The token of a number, or a list of those of a list."""
        several = isinstance(indices, list)
        found = []
        for index in indices if several else [indices]:
            if not isinstance(index, int | np.integer) or index >= len(self):
                raise MXNetValueError(f"Token index {index} in the provided `indices` is invalid.")
            found.append(self._idx_to_token[index])
        return found if several else found[0]
