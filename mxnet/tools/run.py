"""Runs an old program on current Python and NumPy: ``python -m mxnet.tools.run script.py [arguments]``.

The modules below the script's folder find what NumPy and Python's library had before: ``np.int``, ragged ``np.array``,
``collections.Mapping``, ``distutils.version``, ``imp``, ``time.clock`` and so on. Nothing is written, and no other
package sees a difference. ``python -m mxnet.tools.modernize`` shows the lines to change.
"""

from __future__ import annotations

import argparse
import builtins
import os
import runpy
import sys

from ..compat import scripts
from ..compat.old_names import BUILTINS

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Runs the script with its arguments."""
    parser = argparse.ArgumentParser(prog="python -m mxnet.tools.run", description=__doc__.split(":")[0])
    parser.add_argument("script", help="the program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program gets")
    options = parser.parse_args(arguments)
    script = options.script
    if not os.path.isfile(script):
        parser.error(f"there is no file {script!r}")
    folder = os.path.dirname(os.path.abspath(script))
    sys.argv = [script, *options.arguments]
    if sys.path and sys.path[0] in ("", os.getcwd()):  # what python -m has put there
        del sys.path[0]
    sys.path.insert(0, folder)
    undo = scripts.install(folder)
    try:
        runpy.run_path(script, {old: getattr(builtins, new) for old, new in BUILTINS.items()}, "__main__")
    except SyntaxError as error:
        error.add_note(
            f"This is not Python 3: python -m mxnet.tools.modernize {folder} --write changes print and except."
        )
        raise
    except AttributeError as error:
        if error.name == "tostring":  # types in C take no new names
            error.add_note(
                "tostring() of arrays is tobytes() now: python -m mxnet.tools.modernize . --write changes it"
            )
        raise
    finally:
        undo()
    return 0


if __name__ == "__main__":
    sys.exit(main())
