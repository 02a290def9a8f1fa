"""The statements of Python 2 that Python 3 cannot read, written for Python 3: ``print`` and ``except A, e``."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from .rewriting import lines_of

__all__ = ["divisions", "readable"]

#: How many characters are read for a file; a script of 2000 lines with 500 prints takes 40 million.
_LIMIT = 200_000_000


def readable(source: str) -> str:
    """The source with these statements changed; unchanged if it is Python 3. Raises SyntaxError for anything else."""
    before, original, work = None, source, 0
    while True:
        work += len(source)  # each statement costs a reading of all of it
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            place = error.lineno or 1, error.offset or 1
            message = error.msg or ""
            changed = source
            if message.startswith("Missing parentheses in call to 'print'"):
                changed = _print(source, *place)
            elif message.startswith("multiple exception types must be parenthesized"):
                changed = _except(source, place[0])
            if place == before or changed == source or work > _LIMIT:
                raise
            source, before = changed, place
        else:
            here = None if source is original else next(filter(_is_print, ast.walk(tree)), None)
            if here is None or work > _LIMIT:
                return source
            line = lines_of(source)[here.lineno - 1]  # type: ignore[attr-defined]
            column = len(line.encode()[: here.col_offset].decode())  # type: ignore[attr-defined]
            source = _print(source, here.lineno, column + 1)  # type: ignore[attr-defined]


def _is_print(node: ast.AST) -> bool:
    """Is it a ``print`` or ``print >>file, a`` that Python 3 can read, and that prints nothing there?"""
    if not isinstance(node, ast.Expr):
        return False
    value = node.value.elts[0] if isinstance(node.value, ast.Tuple) and node.value.elts else node.value
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.RShift):
        value = value.left
    return isinstance(value, ast.Name) and value.id == "print"


def divisions(source: str) -> list[int]:
    """The lines with divisions: of integers they have another result in Python 3."""
    if re.search(r"^from __future__ import .*\bdivision\b", source, flags=re.M):
        return []
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.BinOp | ast.AugAssign))
    return sorted({node.lineno for node in found if isinstance(node.op, ast.Div)})


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    """The words of the source, up to where Python 3 cannot read them."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(source, newline="").readline)
    except tokenize.TokenError as error:
        raise SyntaxError(str(error)) from error


def _print(source: str, line: int, column: int) -> str:
    """``print >>file, a, b,`` as a call."""
    lines = lines_of(source)
    rest = "".join([lines[line - 1][column - 1 :], *lines[line:]])
    words: list[tokenize.TokenInfo] = []
    commas, depth = [], 0
    for token in _tokens(rest):
        if token.type in (tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER) or (
            token.string == ";" and not depth
        ):
            break
        depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        if token.string == "," and not depth:
            commas.append(len(words))
        words.append(token)
    starts = [0]
    for text in lines_of(rest):
        starts.append(starts[-1] + len(text))

    def between(first: int, last: int) -> str:
        """What stands from one word to before another."""
        if first >= last:
            return ""
        (row, begin), (end_row, end) = words[first].start, words[last - 1].end
        return rest[starts[row - 1] + begin : starts[end_row - 1] + end]

    first, more = 1, ""
    if len(words) > 1 and words[1].string == ">>":
        first = commas.pop(0) + 1 if commas else len(words)
        more = f"file={between(2, first - 1 if first < len(words) or words[-1].string == ',' else first)}"
    last = len(words)
    if commas and commas[-1] == last - 1:
        last, more = last - 1, ", ".join(filter(None, ['end=" "', more]))
    row, end = words[-1].end
    call = f"print({', '.join(filter(None, [between(first, last), more]))})"
    return "".join([*lines[: line - 1], lines[line - 1][: column - 1], call, rest[starts[row - 1] + end :]])


def _except(source: str, line: int) -> str:
    """``except A, e:`` as ``except A as e:``."""
    lines = lines_of(source)
    lines[line - 1] = re.sub(r"^(\s*except\s.+?),\s*(\w+)(\s*:)", r"\1 as \2\3", lines[line - 1])
    return "".join(lines)
