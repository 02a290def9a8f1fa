"""Python literals in text of others: numbers, True, False, None, strings, and tuples or lists of them.

Files hold attributes and shapes as such text. What ``ast.literal_eval`` does with text that is meant to do harm depends
on its size only by Python's stack and memory; here both are bounded.
"""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "MAX_TEXT", "fits_its_parts", "parse_json", "parse_literal", "shorten"]

#: Characters of a text.
MAX_TEXT = 1 << 20
#: Tuples in tuples.
MAX_DEPTH = 16
#: Characters of a number: more than any integer or float needs.
MAX_DIGITS = 400

#: Bytes that Python takes, roughly, for what begins with such a mark, and for what is made of it.
_COSTS = {"{": 240, "[": 180, ":": 60, '"': 30, ",": 8}

_TOKEN = re.compile(
    r"""\s*(?:(?P<int>[+-]?\s*[0-9]+L?)(?![0-9.eE])
    | (?P<float>[+-]?\s*(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<word>True|False|None)\b
    | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    | (?P<mark>[][(),]))\s*""",
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"True": True, "False": False, "None": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_CLOSING = {"(": ")", "[": "]"}


def fits_its_parts(needed: int, size: int) -> bool:
    """May reading take so many bytes for the parts of a file of a size? Nothing that people save has tinier parts."""
    return needed <= (48 << 20) + 8 * size


def parse_json(text: str, **options: Any) -> Any:
    """``json.loads`` of a text of others; ``ValueError`` also for one that has too many parts for its size."""
    if not fits_its_parts(sum(cost * text.count(mark) for mark, cost in _COSTS.items()), len(text)):
        raise ValueError(f"a JSON text of {len(text)} characters with this many parts is not read")
    return json.loads(text, **options)


def parse_literal(text: str) -> Any:
    """The value of a literal; ``ValueError`` for any other text and beyond the limits. ``1, 2`` is a tuple, too."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"text of {len(text)} characters; at most {MAX_TEXT} are read")
    # Each open tuple: its opening mark, its items, and whether a comma was the last.
    opened: list[tuple[str, list[Any]]] = [("", [])]
    commas, expects_value = [False], True
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            if not text[position:].strip():
                break
            raise ValueError(f"{shorten(text[position:])} is not a literal")
        position = match.end()
        kind, token = match.lastgroup, match[match.lastgroup or 0]
        if kind != "mark" or token in _CLOSING:
            if not expects_value:
                raise ValueError(f"a comma is missing before {shorten(token)}")
            if kind == "mark":
                if len(opened) > MAX_DEPTH:
                    raise ValueError(f"tuples nested more than {MAX_DEPTH} deep")
                opened.append((token, []))
                commas.append(False)
            else:
                opened[-1][1].append(_scalar(str(kind), token))
                expects_value = False
        elif token == ",":
            if expects_value:
                raise ValueError("a comma without a value before it")
            commas[-1] = expects_value = True
        else:
            opening, items = opened.pop()
            comma = commas.pop()
            if _CLOSING.get(opening) != token or (expects_value and items and not comma):
                raise ValueError(f"{token} closes nothing")
            opened[-1][1].append(_close(opening, items, comma))
            expects_value = False
    if len(opened) != 1 or not opened[0][1]:
        raise ValueError("a value was expected" if len(opened) == 1 else f"{opened[-1][0]} is not closed")
    return _close("(", opened[0][1], commas[0])


def _close(opening: str, items: list[Any], comma: bool) -> Any:
    if opening == "[":
        return items
    return items[0] if len(items) == 1 and not comma else tuple(items)


def _scalar(kind: str, token: str) -> Any:
    if kind == "word":
        return _WORDS[token]
    if kind == "string":
        return re.sub(r"\\(.)", _unescape, token[1:-1], flags=re.DOTALL) if "\\" in token else token[1:-1]
    if len(token) > MAX_DIGITS:
        raise ValueError(f"a number of {len(token)} characters")
    token = "".join(token.split())
    return int(token.removesuffix("L")) if kind == "int" else float(token)


def _unescape(match: re.Match) -> str:
    if match[1] not in _ESCAPES:
        raise ValueError(f"the escape {match[0]!r} is not known")
    return _ESCAPES[match[1]]


def shorten(value: object, length: int = 80) -> str:
    """``repr`` of a value for a message, of which no more is shown than that many characters."""
    text = value if isinstance(value, str) else repr(value)
    rest = len(text) - length
    text = repr(text[:length]) if isinstance(value, str) else text[:length]
    return text if rest <= 0 else f"{text}... ({rest} more characters)"
