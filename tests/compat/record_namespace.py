"""Records what the original's modules hold and what their helpers give, into namespace.json.gz.

<python with mxnet 1.9.1> tests/compat/record_namespace.py
"""

import gzip
import importlib
import json
import pathlib
import pkgutil
import types

import namespace_cases as cases

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"


def modules():
    """Each module: the names that a star import brings, the others it holds, and which of them are which modules."""
    found = {}
    walked = pkgutil.walk_packages(mx.__path__, "mxnet.", onerror=lambda name: None)
    for name in ["mxnet", *sorted(info.name for info in walked)]:
        if cases.APART.search(name):
            continue
        try:
            module, got = importlib.import_module(name), {}
        except ImportError:  # needs a package that is not installed
            continue
        exec("from %s import *" % name, got)
        star = sorted(n for n in got if n != "__builtins__")
        other = sorted(n for n in dir(module) if n not in got and not n.startswith("__"))
        values = {n: getattr(module, n, None) for n in [*star, *other]}
        found[name] = [star, other, {n: v.__name__ for n, v in values.items() if isinstance(v, types.ModuleType)}]
    return found


record = {"modules": modules(), "calls": {text: cases.result(mx, text) for text in cases.calls()}}
with gzip.GzipFile(str(GOLDEN / "namespace.json.gz"), "wb", mtime=0) as file:
    file.write(json.dumps(record, sort_keys=True).encode())
print(len(record["modules"]), "modules,", len(record["calls"]), "calls")
