"""Records where each public class of the original says that it is from, into classes.json.

<python with mxnet 1.9.1> tests/compat/record_classes.py
"""

import importlib
import inspect
import json
import pathlib
import pkgutil

import namespace_cases as cases

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"


def classes():
    """``module:name`` of each class that a public module holds, with its ``__module__`` and ``__qualname__``."""
    found = {}
    walked = pkgutil.walk_packages(mx.__path__, "mxnet.", onerror=lambda name: None)
    for name in ["mxnet", *sorted(info.name for info in walked)]:
        if cases.APART.search(name) or "._" in name or ".gen_" in name:
            continue
        try:
            module = importlib.import_module(name)
        except ImportError:  # needs a package that is not installed
            continue
        for key, value in vars(module).items():
            if inspect.isclass(value) and not key.startswith("_") and value.__module__.startswith("mxnet"):
                found["%s:%s" % (name, key)] = [value.__module__, value.__qualname__]
    return found


record = classes()
(GOLDEN / "classes.json").write_text(json.dumps(record, indent=0, sort_keys=True) + "\n")
print(len(record), "classes")
