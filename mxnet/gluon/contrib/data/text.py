"""Texts for language models: WikiText-2 and WikiText-103."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections import Counter
from typing import Any, ClassVar

import numpy as np

from ...._core.files import copy_at_most, most_unpacked, reading, writing
from ....base import data_dir
from ....error import MXNetFileError, MXNetValueError
from ....ndarray import array
from ...data.vision.datasets import File, _FetchedDataset
from . import _constants as C

__all__ = ["WikiText2", "WikiText103"]

_HOME = os.path.join(data_dir(), "datasets")


def _new_vocabulary(counter: Counter) -> object:
    from ....contrib.text.vocab import Vocabulary

    return Vocabulary(counter, reserved_tokens=[C.EOS_TOKEN])


class _LanguageModelDataset(_FetchedDataset):
    """A text as rows of numbers; the labels are the same text one token later."""

    def __init__(self, root: Any, vocabulary: Any):
        self._vocab = vocabulary
        self._counter: Counter = Counter()
        super().__init__(root, None)

    @property
    def vocabulary(self) -> Any:
        """What tells the numbers of the tokens."""
        return self._vocab

    @property
    def frequencies(self) -> Counter:
        """How often each token is in the text."""
        return self._counter

    def _numbers(self, text: str) -> np.ndarray:
        """The tokens of a text by their numbers; each line ends with a token of its own."""
        # only at line feeds: the texts have other characters that Unicode takes for ends of lines
        lines = [line.strip() for line in text.split("\n")]
        lines = [line for line in lines if line]
        self._counter = Counter(token for line in lines for token in line.split(" ") if token)
        if self._vocab is None:
            self._vocab = _new_vocabulary(self._counter)
        tokens = [token for line in lines for token in (*line.split(), C.EOS_TOKEN)]
        return np.asarray(self._vocab.to_indices(tokens), dtype=np.int32)


class _WikiText(_LanguageModelDataset):
    _archive: File
    _files: ClassVar[dict[str, File]]

    def __init__(self, root: Any, segment: str, vocab: Any, seq_len: int):
        if segment not in self._files:
            raise MXNetValueError(f"segment must be one of {', '.join(self._files)}, got {segment!r}")
        self._segment = segment
        self._seq_len = seq_len
        super().__init__(root, vocab)

    def _get_data(self) -> None:
        name, _ = self._files[self._segment]
        path = self._find(name)
        if path is None:
            archive, sha1 = self._archive
            packed = self._find(archive) or self._fetch(
                self._archive, f"{self._root} lacks {name}, and {archive} (SHA-1 {sha1}), which has it"
            )
            path = self._unpack(packed)
        with reading(path) as (stream, size):
            numbers = self._numbers(stream.read(size).decode("utf-8"))
        count = max(len(numbers) - 1, 0) // self._seq_len
        end = count * self._seq_len
        shape = (count, self._seq_len)
        self._data = array(numbers[:end].reshape(shape), dtype="int32")
        self._label = array(numbers[1 : end + 1].reshape(shape), dtype="int32")

    def _unpack(self, packed: str) -> str:
        """Takes the files of all segments out of the archive, whatever folder they are in."""
        wanted = {name for name, _ in self._files.values()}
        try:
            with zipfile.ZipFile(packed) as archive:
                left = most_unpacked(os.path.getsize(packed))
                for entry in archive.namelist():
                    if os.path.basename(entry) in wanted:
                        target = os.path.join(self._root, os.path.basename(entry))
                        with archive.open(entry) as source, writing(target) as stream:
                            left -= copy_at_most(source, stream, left, packed)
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
            if isinstance(error, MXNetFileError):
                raise
            raise MXNetFileError(f"{packed} is not a readable archive: {error}") from error
        path = self._find(self._files[self._segment][0])
        if path is None:
            raise MXNetFileError(f"{packed} does not have {self._files[self._segment][0]}")
        return path


class WikiText2(_WikiText):
    """WikiText-2, two million words of Wikipedia: samples are ``seq_len`` numbers, and those one word later.

    ``root`` is the directory with ``wiki.train.tokens`` and so on, or with the archive, which is downloaded if neither
    is there. ``segment`` is ``'train'``, ``'validation'`` or ``'test'``. ``vocab`` is a
    ``mx.contrib.text.vocab.Vocabulary``, by default one of all words. Lines end with ``<eos>``.
    """

    _namespace = "wikitext-2"
    _archive = ("wikitext-2-v1.zip", "3c914d17d80b1459be871a5039ac23e752a53cbe")
    _files: ClassVar[dict[str, File]] = {
        "train": ("wiki.train.tokens", "863f29c46ef9d167fff4940ec821195882fe29d1"),
        "validation": ("wiki.valid.tokens", "0418625c8b4da6e4b5c7a0b9e78d4ae8f7ee5422"),
        "test": ("wiki.test.tokens", "c7b8ce0aa086fb34dab808c5c49224211eb2b172"),
    }

    def __init__(self, root: Any = f"{_HOME}/wikitext-2", segment: str = "train", vocab: Any = None, seq_len: int = 35):
        super().__init__(root, segment, vocab, seq_len)


class WikiText103(_WikiText):
    """WikiText-103, a hundred million words of Wikipedia. The arguments are those of ``WikiText2``."""

    _namespace = "wikitext-103"
    _archive = ("wikitext-103-v1.zip", "0aec09a7537b58d4bb65362fee27650eeaba625a")
    _files: ClassVar[dict[str, File]] = {
        "train": ("wiki.train.tokens", "b7497e2dfe77e72cfef5e3dbc61b7b53712ac211"),
        "validation": ("wiki.valid.tokens", "c326ac59dc587676d58c422eb8a03e119582f92b"),
        "test": ("wiki.test.tokens", "8a5befc548865cec54ed4273cf87dbbad60d1e47"),
    }

    def __init__(
        self, root: Any = f"{_HOME}/wikitext-103", segment: str = "train", vocab: Any = None, seq_len: int = 35
    ):
        super().__init__(root, segment, vocab, seq_len)
