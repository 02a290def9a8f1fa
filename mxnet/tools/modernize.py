"""Shows what to change in an old program for current Python and NumPy: ``python -m mxnet.tools.modernize folder``.

Without an option it lists the lines with reasons; ``--diff`` shows the changes, ``--write`` makes them. Comments and
formatting stay as they are. What only a person can decide is listed. Links in folders are left alone: they may lead
anywhere. The exit status is 1 if something is to be changed.
"""

from __future__ import annotations

import argparse
import difflib
import io
import os
import sys
import tokenize
from collections.abc import Iterator

from .._core.files import writing
from ..compat.python2 import divisions, readable
from ..compat.rewriting import changes, lines_of, rewritten

__all__ = ["main"]

#: Folders with code of others.
_SKIPPED = {".git", ".hg", ".venv", "venv", "env", "site-packages", "node_modules", "__pycache__", "build", "dist"}


def _files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED)
            found = (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))
            yield from (path for path in found if os.path.isfile(path) and not os.path.islink(path))


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m mxnet.tools.modernize", description=__doc__.split("\n\n")[0])
    parser.add_argument("paths", nargs="+", help="folders, or files")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--diff", action="store_true", help="show the changes")
    way.add_argument("--write", action="store_true", help="make the changes")
    options = parser.parse_args(arguments)
    missing = [path for path in options.paths if not os.path.exists(path)]
    if missing:
        parser.error(f"there is no {missing[0]}")
    total = 0
    for path in _files(options.paths):
        total += _modernize(path, options.diff, options.write)
    if not total:
        print("nothing to change")
    return 1 if total and not options.write else 0


def _modernize(path: str, diff: bool, write: bool) -> int:
    """Handles one file; how many places are to be changed."""
    with open(path, "rb") as stream:
        content = stream.read()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        original = content.decode(encoding)
        source = readable(original)
        found = changes(source)
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError) as error:
        reason = getattr(error, "msg", None) or str(error) or type(error).__name__
        print(f"{path}:{getattr(error, 'lineno', None) or 1}: this is not Python 3 ({reason}), to be changed by hand")
        return 1
    if source != original:
        by_hand = divisions(source)
        print(f"{path}: this is Python 2" + (": --write changes its statements" if not (diff or write) else ""))
        for line in by_hand:
            print(f"{path}:{line}: Python 2 rounds the quotient of integers down; write // if they are, by hand")
    if diff or write:
        new = rewritten(source, found)
        if diff and new != original:
            lines = lines_of(original), lines_of(new)
            sys.stdout.writelines(difflib.unified_diff(*lines, path, path))
        if write and new != original:
            with writing(path) as out:
                out.write(new.encode(encoding))
        found_here = [change for change in found if change.text is None]
    else:
        found_here = found
    for change in found_here:
        print(f"{path}:{change.line}: {change.why}" + (", to be changed by hand" if change.text is None else ""))
    places = sum(change.text is not None for change in found) + (source != original)
    if write and places:
        print(f"{path}: {places} place(s) changed")
    return len(found) + (source != original)


if __name__ == "__main__":
    sys.exit(main())
