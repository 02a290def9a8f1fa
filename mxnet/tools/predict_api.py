"""Prints how to compile and link C and C++ programs that predict: ``c_predict_api.h`` and ``libmxnet_predict.so``.

cc program.c $(python -m mxnet.tools.predict_api --cflags --libs) -o program
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import mxnet.predict

FOLDER = Path(mxnet.predict.__file__).parent
HEADER = FOLDER / "include" / "mxnet" / "c_predict_api.h"
LIBRARY = FOLDER / "libmxnet_predict.so"


def flags(compiling: bool, linking: bool) -> list[str]:
    """The compiler's flags."""
    found = [f"-I{HEADER.parents[1]}"] if compiling else []
    return found + ([f"-L{FOLDER}", "-lmxnet_predict", f"-Wl,-rpath,{FOLDER}"] if linking else [])


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m mxnet.tools.predict_api", description=__doc__.split("\n")[0])
    parser.add_argument("--cflags", action="store_true", help="flags to compile with")
    parser.add_argument("--libs", action="store_true", help="flags to link with")
    parser.add_argument("--header", action="store_true", help="where the header is")
    given = parser.parse_args(arguments)
    if not (given.cflags or given.libs or given.header):
        parser.print_help()
        return 2
    if given.libs and not LIBRARY.exists():
        print(
            f"{LIBRARY.name} was not built: install the package where there is a C compiler and a Python with a shared "
            "library (Debian: python3-dev)",
            file=sys.stderr,
        )
        return 1
    print(" ".join(([str(HEADER)] if given.header else []) + flags(given.cflags, given.libs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
