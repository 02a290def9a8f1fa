"""What old programs ask of NumPy and Python and no longer find, and what is in its place.

``scripts.py`` gives it to the modules of a program while they are imported, ``mxnet.tools.modernize`` writes it into
them.
"""

from .patching import ABSTRACT, NUMPY_NAMES

#: By module, what replaces each removed name. Names without a dot are Python's own.
NAMES: dict[str, dict[str, str]] = {
    "numpy": {
        **{name: there.replace("np.", "numpy.") for name, there in NUMPY_NAMES.items()},
        "complex_": "numpy.complex128",
        "cumproduct": "numpy.cumprod",
        "row_stack": "numpy.vstack",
        "round_": "numpy.round",
        "trapz": "numpy.trapezoid",
    },
    "collections": {
        name: f"collections.abc.{name}"
        for name in (
            *ABSTRACT,
            "Container",
            "MutableSequence",
            "MutableSet",
            "Set",
            "KeysView",
            "ValuesView",
            "ItemsView",
        )
    },
    "string": {
        "letters": "string.ascii_letters",
        "lowercase": "string.ascii_lowercase",
        "uppercase": "string.ascii_uppercase",
    },
    "time": {"clock": "time.perf_counter"},
    "inspect": {"getargspec": "inspect.getfullargspec"},
    "base64": {"encodestring": "base64.encodebytes", "decodestring": "base64.decodebytes"},
    "fractions": {"gcd": "math.gcd"},
}
#: Removed modules, and those that have what programs use of them.
MODULES = {
    "imp": "mxnet.compat.imp",
    "distutils.version": "mxnet.compat.distutils",
    "distutils.util": "mxnet.compat.distutils",
    "scipy.misc": "mxnet.compat.scipy_misc",
    "sklearn.cross_validation": "sklearn.model_selection",
    "cPickle": "pickle",
    "ConfigParser": "configparser",
    "Queue": "queue",
    "cStringIO": "io",
    "StringIO": "io",
}
#: Functions that Python 3 calls by another name.
BUILTINS = {
    "xrange": "range",
    "raw_input": "input",
    "unicode": "str",
    "basestring": "str",
    "long": "int",
    "unichr": "chr",
}
#: By type, methods that Python 3 does not have.
METHODS = {"dict": {"iteritems": "items", "iterkeys": "keys", "itervalues": "values"}}
