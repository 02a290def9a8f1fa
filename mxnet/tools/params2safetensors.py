"""Converts between MXNet's ``.params`` and ``.safetensors``: ``params2safetensors net-0000.params net.safetensors``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..error import MXNetError
from ..ndarray import load, save
from ..ndarray.safetensors import ENDING, save_safetensors

__all__ = ["convert", "main"]


def convert(source: str, target: str, metadata: dict[str, str] | None = None) -> int:
    """Reads one file and writes the other, each by its ending, and returns the number of arrays.

    Names stay as they are, with ``arg:`` and ``aux:`` before them if they have that.
    """
    arrays = load(source)
    if target.endswith(ENDING):
        save_safetensors(target, arrays, metadata)
    else:
        save(target, arrays)
    return len(arrays)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        "params2safetensors", description="Convert arrays between .params and .safetensors files, by the files' endings"
    )
    parser.add_argument("source", help="the file to read, e.g. net-0000.params")
    parser.add_argument("target", help="the file to write, e.g. net.safetensors")
    parser.add_argument(
        "--metadata", action="append", default=[], metavar="KEY=TEXT", help="a text to keep in a .safetensors file"
    )
    options = parser.parse_args(argv)
    metadata = dict(text.partition("=")[::2] for text in options.metadata)
    if "" in metadata or not all("=" in text for text in options.metadata):
        parser.error("--metadata takes KEY=TEXT")
    if metadata and not options.target.endswith(ENDING):
        parser.error(f"--metadata is for {ENDING} files only")
    try:
        count = convert(options.source, options.target, metadata)
    except MXNetError as error:
        print(f"params2safetensors: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"params2safetensors: interrupted, {options.target} was not written", file=sys.stderr)
        return 130
    print(f"{options.target}: {count} arrays")
    return 0


if __name__ == "__main__":
    sys.exit(main())
