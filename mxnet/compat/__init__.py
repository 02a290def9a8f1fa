"""Old packages built on MXNet, on current Python and NumPy: their modules are patched while they are imported.

Published wheels stay as they are on disk; what they ask of NumPy, torch or Python's library and do not find any more
is rewritten in the few modules that need it, each listed in the file of its package here, and no other code sees a
change. ``MXNET_COMPAT=0`` turns all of it off. ``docs/compat.md`` has the list with its reasons.
"""

import os
import sys

from .._core import config

TYPE_CHECKING = False  # as typing has it, without loading it
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any

#: The packages that are patched, by the name they are imported by; each has a file of that name here.
PACKAGES = (
    "d2l",
    "d2lzh",
    "gluonbook",
    "gluoncv",
    "gluoncv2",
    "gluonnlp",
    "gluonts",
    "insightface",
    "keras",
    "keras_preprocessing",
    "mxboard",
    "sockeye",
    "xfer",
)


class _Finder:
    """Finds the modules to be patched, and leaves all others, after a look at the name, to the rest."""

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "ModuleSpec | None":
        if name.partition(".")[0] not in PACKAGES:
            return None
        from . import loading

        return loading.find_patched(name, path, self)


def install() -> None:
    """For ``mxnet/__init__.py``: from now on packages are patched as they are imported."""
    if not config.COMPAT.get():
        return
    sys.meta_path.insert(0, _Finder())
    if config.COMPAT.is_word():
        from . import scripts

        program = getattr(sys.modules.get("__main__"), "__file__", None)
        scripts.install(os.path.dirname(os.path.abspath(program)) if program else os.getcwd())
    early = [name for name in PACKAGES if name in sys.modules]
    if early:  # a package that imports mxnet somewhere in the middle has modules that were loaded as they are
        from . import loading

        loading.patch_loaded(early)


def warn_of_the_original(folder: str) -> None:
    """For ``mxnet/__init__.py``: says so if pip has laid files of the original into the same folder."""
    library = os.path.join(folder, "libmxnet.dll" if os.name == "nt" else "libmxnet.so")
    if os.path.exists(library):
        import warnings

        warnings.warn(
            f"{library} is a file of the original MXNet, which was installed into the same folder as mxnext: modules "
            "of the two may be mixed. 'python -m mxnet.tools.diagnose' says how to fix it, and "
            "'python -m mxnet.tools.provide' keeps pip from doing it again",
            stacklevel=3,
        )
