"""Every public name has a docstring, and those of operators name each argument."""

import importlib
import inspect
import pkgutil
import re
import warnings

import pytest

import mxnet as mx
from mxnet import ops

# Inner parts: kernels (test_registry.py looks after their words), converters that are found by their names, and what
# loads on its own as a program or a library.
INNER = re.compile(r"[.]_|^mxnet[.](ops|graph|native)\b|converters|libmxnet|^mxnet[.]tools[.]")


def modules():
    walked = pkgutil.walk_packages(mx.__path__, "mxnet.")
    return ["mxnet", *sorted(info.name for info in walked if not INNER.search(info.name))]


def members(cls):
    """The public functions and properties that a class defines itself."""
    for name, value in vars(cls).items():
        kinds = (property, classmethod, staticmethod)
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, kinds)):
            yield name, value if isinstance(value, property) else getattr(cls, name)


def undocumented(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of modules that are there for old programs
        module = importlib.import_module(name)
    if not inspect.getdoc(module):
        yield name
    for key in dir(module):
        value = getattr(module, key, None)
        home = getattr(value, "__module__", None) or ""
        if key.startswith("_") or not callable(value) or not home.startswith("mxnet") or INNER.search(home):
            continue
        if home == "mxnet.signature":  # a decorator that was made, not a function for users
            continue
        if not inspect.getdoc(value):
            yield f"{name}.{key}"
        if inspect.isclass(value):
            yield from (f"{name}.{key}.{member}" for member, what in members(value) if not inspect.getdoc(what))


def test_every_public_name_has_a_docstring():
    names = modules()
    assert len(names) > 150
    missing = sorted({found for name in names for found in undocumented(name)})
    assert missing == []


@pytest.mark.parametrize("namespace", [mx.nd, mx.sym], ids=["nd", "sym"])
def test_operators_name_their_arguments(namespace):
    for name, op in ops.names().items():
        function = getattr(namespace, name, None)
        if function is None or name.startswith("_"):
            continue
        text = inspect.getdoc(function)
        assert text.split("\n")[0].strip(), name
        for attribute in op.params:
            assert attribute in text, (name, attribute)
