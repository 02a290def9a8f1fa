"""The tokenizer of BERT in Python, for a GluonNLP whose compiled one could not be built."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator

__all__ = [
    "BasicTokenizer",
    "WordpieceTokenizer",
    "is_chinese_char",
    "is_control",
    "is_punctuation",
    "is_whitespace",
    "whitespace_tokenize",
]

# The blocks of Unicode with Chinese characters, each of which is a word to BERT.
_CHINESE = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F)),
    *((0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)


def is_control(ch: str, cat: str) -> bool:
    """Is it a control character, by its category in Unicode? Tab, newline and carriage return count as white space."""
    return ch not in "\t\n\r" and cat in ("Cc", "Cf")


def is_whitespace(ch: str, cat: str) -> bool:
    """Is it a space, a tab, a newline, a carriage return, or another character of Unicode's class of spaces?"""
    return ch in " \t\n\r" or cat == "Zs"


def is_punctuation(ch: str, cat: str) -> bool:
    """Is it punctuation? So are all characters of ASCII that are neither letters, digits nor spaces, such as ``$``."""
    return (33 <= ord(ch) <= 126 and not ch.isalnum()) or cat.startswith("P")


def is_chinese_char(ch: str) -> bool:
    """Is it a Chinese character?"""
    return any(first <= ord(ch) <= last for first, last in _CHINESE)


def whitespace_tokenize(text: str) -> list[str]:
    """The words between white space."""
    return text.split()


def _clean(text: str) -> Iterator[str]:
    for char in text:
        category = unicodedata.category(char)
        if char in "\x00\ufffd" or is_control(char, category):
            continue
        if is_whitespace(char, category):
            yield " "
        elif is_chinese_char(char):
            yield f" {char} "
        else:
            yield char


class BasicTokenizer:
    """Splits a text at white space, punctuation and Chinese characters; in lower case and without accents."""

    def __init__(self, lower: bool = True):
        self.lower = lower

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text."""
        text = "".join(_clean(text)).strip()
        text = unicodedata.normalize("NFD", text.lower() if self.lower else text)
        letters = ((char, unicodedata.category(char)) for char in text)
        marked = (f" {char} " if is_punctuation(char, cat) else char for char, cat in letters if cat != "Mn")
        return "".join(marked).split()


class WordpieceTokenizer:
    """Splits words into the longest pieces that a vocabulary has: ``unaffable`` into ``un ##aff ##able``."""

    def __init__(self, vocab: Container[str], unk_token: str = "[UNK]", max_input_chars_per_word: int = 200):
        self.vocab, self.unk_token, self.max_input_chars_per_word = vocab, unk_token, max_input_chars_per_word

    def _pieces(self, word: str) -> list[str]:
        pieces: list[str] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if prefix + word[start:end] in self.vocab), None)
            if end is None:
                return [self.unk_token]
            pieces.append(prefix + word[start:end])
            start = end
        return pieces

    def tokenize(self, text: str) -> list[str]:
        """The pieces of all words of a text."""
        return [
            piece
            for word in whitespace_tokenize(text)
            for piece in (self._pieces(word) if len(word) <= self.max_input_chars_per_word else [self.unk_token])
        ]
