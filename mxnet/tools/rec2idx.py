"""Makes the index of a record file: ``rec2idx data.rec data.idx``. Its keys are 0, 1, 2, ..."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from .._core.files import writing
from ..error import MXNetError
from ..recordio import MXRecordIO

__all__ = ["main", "write_index"]


def write_index(record: str, index: str, skip_damaged: bool = False) -> tuple[int, int]:
    """Writes the index of a record file, and returns the numbers of its records and of damaged places.

    A damaged record is an error, unless ``skip_damaged`` says to leave it out.
    """
    count = 0
    with MXRecordIO(record, "r", on_error="skip" if skip_damaged else "raise") as reader, writing(index) as stream:
        for _ in reader:
            stream.write(b"%d\t%d\n" % (count, reader._start))
            count += 1
        return count, reader.skipped


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser("rec2idx", description="Make the index file of a record file")
    parser.add_argument("record", help="the record file, e.g. data.rec")
    parser.add_argument("index", nargs="?", help="the index file to write; by default beside it, e.g. data.idx")
    parser.add_argument("--skip-damaged", action="store_true", help="leave damaged records out instead of stopping")
    options = parser.parse_args(argv)
    index = options.index or os.path.splitext(options.record)[0] + ".idx"
    try:
        count, skipped = write_index(options.record, index, options.skip_damaged)
    except MXNetError as error:
        print(f"rec2idx: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"rec2idx: interrupted, {index} was not written", file=sys.stderr)
        return 130
    print(f"{index}: {count} records" + (f", {skipped} damaged places left out" if skipped else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
