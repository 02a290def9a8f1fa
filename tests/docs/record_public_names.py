"""Records the public functions and classes of all modules of the original, and their public members.

<python with mxnet 1.9.1> tests/docs/record_public_names.py
"""

import gzip
import importlib
import inspect
import json
import pathlib
import pkgutil
import re

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
# Bindings to its C library and its compilers, and scripts, which hold nothing for users.
INNER = re.compile(r"[.]_|libmxnet|[.]cython|tvmop|_api_internal|[.](space|setup)$|mxnet[.]tools")


def public(module):
    """The names of functions and classes of MXNet in a module, and of what those classes define, as Class.name."""
    found = []
    for name in dir(module):
        value = getattr(module, name, None)
        home = getattr(value, "__module__", None) or ""
        if name.startswith("_") or not callable(value) or not home.startswith("mxnet"):
            continue
        found.append(name)
        if inspect.isclass(value):
            found += ["%s.%s" % (name, member) for member in vars(value) if not member.startswith("_")]
    return sorted(found)


names = {}
for info in pkgutil.walk_packages(mx.__path__, "mxnet.", onerror=lambda name: None):
    if not INNER.search(info.name):
        try:
            names[info.name] = public(importlib.import_module(info.name))
        except ImportError:  # needs a package that is not installed
            continue
names["mxnet"] = public(mx)
with gzip.GzipFile(str(GOLDEN / "public_names.json.gz"), "wb", mtime=0) as file:
    file.write(json.dumps(names, sort_keys=True).encode())
print(len(names), "modules,", sum(map(len, names.values())), "names")
