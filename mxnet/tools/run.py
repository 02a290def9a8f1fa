"""Runs an old program of your own on today's Python and NumPy: ``python -m mxnet.tools.run script.py [arguments]``.

The modules below the script's folder find what NumPy and Python's library had before: ``np.int``, ragged ``np.array``,
``collections.Mapping``, ``distutils.version``, ``imp``, ``time.clock`` and so on. Nothing is written, and no other
package sees a difference. ``python -m mxnet.tools.modernize`` shows the lines to change.
"""

from __future__ import annotations

import os
import runpy
import sys

from ..compat import scripts

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Runs the script with its arguments."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or given[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if given else 2
    script = given[0]
    if not os.path.isfile(script):
        print(f"run: there is no file {script!r}", file=sys.stderr)
        return 2
    folder = os.path.dirname(os.path.abspath(script))
    sys.argv = list(given)
    if sys.path and sys.path[0] in ("", os.getcwd()):  # what python -m has put there
        del sys.path[0]
    sys.path.insert(0, folder)
    undo = scripts.install(folder)
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        undo()
    return 0


if __name__ == "__main__":
    sys.exit(main())
