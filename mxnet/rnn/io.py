"""Sentences for language models: encoded as numbers, and in batches of similar length."""

from __future__ import annotations

import bisect
import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..error import MXNetAssertionError, MXNetValueError
from ..io import DataBatch, DataDesc, DataIter
from ..ndarray import NDArray, array

__all__ = ["BucketSentenceIter", "encode_sentences"]


def encode_sentences(
    sentences: Iterable[Iterable[Any]],
    vocab: dict[Any, int] | None = None,
    invalid_label: int = -1,
    invalid_key: object = "\n",
    start_label: int = 0,
    unknown_token: object = None,
) -> tuple[list[list[int]], dict[Any, int]]:
    """Sentences of tokens as lists of numbers, and the vocabulary: a dict from tokens to numbers.

    Without ``vocab`` one is made: tokens are numbered from ``start_label`` on as they appear, ``invalid_label`` is left
    out and stands for ``invalid_key``. With it unknown tokens are an error, unless there is an ``unknown_token``: then,
    as in the original, each of them gets the next number from ``start_label`` on, whether that is in use or not, and
    the vocabulary has the last of these numbers for ``unknown_token``.
    """
    known: dict[Any, int] = {invalid_key: invalid_label} if vocab is None else vocab
    number = start_label
    encoded = []
    for sentence in sentences:
        codes = []
        for word in sentence:
            if word not in known:
                if vocab is not None and not unknown_token:
                    raise MXNetAssertionError(f"Unknown token {word}")
                if number == invalid_label:
                    number += 1
                word = unknown_token or word
                known[word] = number
                number += 1
            codes.append(known[word])
        encoded.append(codes)
    return encoded, known


class BucketSentenceIter(DataIter):
    """Batches of encoded sentences of about the same length; the label of each token is the one after it.

    Sentences go to the shortest bucket that is long enough and are filled up with ``invalid_label``; those that fit no
    bucket are left out. Without ``buckets`` each length of which there is a batch is one. The examples of a bucket that
    fill no batch are left out of an epoch; each epoch shuffles all of them, by Python's and NumPy's generators.
    A batch's ``bucket_key`` is the length of its bucket, ``default_bucket_key`` that of the longest one. ``layout`` is
    ``'NT'`` (batch, time) or ``'TN'``.
    """

    def __init__(
        self,
        sentences: Sequence[Sequence[int]],
        batch_size: int,
        buckets: list[int] | None = None,
        invalid_label: int = -1,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
        layout: str = "NT",
    ):
        super().__init__()
        if not buckets:
            counts = np.bincount([len(s) for s in sentences]) if len(sentences) else np.zeros(0, int)
            buckets = np.flatnonzero(counts >= batch_size).tolist()
        buckets = sorted(buckets)
        rows: list[list[Sequence[int]]] = [[] for _ in buckets]
        discarded = 0
        for sentence in sentences:
            bucket = bisect.bisect_left(buckets, len(sentence))
            if bucket == len(buckets):
                discarded += 1
            else:
                rows[bucket].append(sentence)
        print(f"WARNING: discarded {discarded} sentences longer than the largest bucket.")
        self.buckets = [length for length, found in zip(buckets, rows, strict=True) if found]
        if not self.buckets:
            raise MXNetValueError(
                "BucketSentenceIter: no sentence fits a bucket; give longer buckets or more sentences"
            )
        self.data = [
            _pad_rows(found, length, invalid_label, dtype) for length, found in zip(buckets, rows, strict=True) if found
        ]

        self.batch_size = batch_size
        self.data_name = data_name
        self.label_name = label_name
        self.dtype = dtype
        self.invalid_label = invalid_label
        self.layout = layout
        self.major_axis = layout.find("N")
        self.default_bucket_key = max(self.buckets)
        self.provide_data = self._describe(data_name, self.default_bucket_key)
        self.provide_label = self._describe(label_name, self.default_bucket_key)

        self.nddata: list[NDArray] = []
        self.ndlabel: list[NDArray] = []
        #: The batches of an epoch: bucket and first row of each.
        self.idx = [
            (bucket, start)
            for bucket, values in enumerate(self.data)
            for start in range(0, len(values) - batch_size + 1, batch_size)
        ]
        self.curr_idx = 0
        self.reset()

    def _describe(self, name: str, length: int) -> list[DataDesc]:
        if self.major_axis == 0:
            shape = (self.batch_size, length)
        elif self.major_axis == 1:
            shape = (length, self.batch_size)
        else:
            raise MXNetValueError(f"Invalid layout {self.layout}: Must be NT (batch major) or TN (time major)")
        return [DataDesc(name, shape, layout=self.layout)]

    def reset(self) -> None:
        """Starts a new epoch, in another order."""
        self.curr_idx = 0
        random.shuffle(self.idx)
        self.nddata, self.ndlabel = [], []
        for values in self.data:
            np.random.shuffle(values)
            label = np.full_like(values, self.invalid_label)
            label[:, :-1] = values[:, 1:]
            self.nddata.append(array(values, dtype=self.dtype))
            self.ndlabel.append(array(label, dtype=self.dtype))

    def next(self) -> DataBatch:
        """The next batch; raises ``StopIteration`` at the end."""
        if self.curr_idx == len(self.idx):
            raise StopIteration
        bucket, start = self.idx[self.curr_idx]
        self.curr_idx += 1
        # Slices share memory with this epoch's arrays. Each row is given out once, so it may be written to.
        data = self.nddata[bucket][start : start + self.batch_size]
        label = self.ndlabel[bucket][start : start + self.batch_size]
        if self.major_axis == 1:
            data, label = data.T, label.T
        length = self.buckets[bucket]
        return DataBatch(
            [data],
            [label],
            pad=0,
            bucket_key=length,
            provide_data=self._describe(self.data_name, length),
            provide_label=self._describe(self.label_name, length),
        )


def _pad_rows(sentences: list[Sequence[int]], length: int, invalid_label: int, dtype: str) -> np.ndarray:
    """Sentences as the rows of an array, filled up to a length."""
    values = np.full((len(sentences), length), invalid_label, dtype=dtype)
    for row, sentence in zip(values, sentences, strict=True):
        row[: len(sentence)] = sentence
    return values
