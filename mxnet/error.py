"""The exceptions MXNext raises: all are ``MXNetError``, most are also the Python type one would expect."""

__all__ = ["MXNetError", "InternalError", "register", "register_error"]


class MXNetError(RuntimeError):
    """The base of every error raised by this package."""

    __module__ = "mxnet.base"  # where programs import it from; tracebacks show it
    #: Does the text tell already which layer it is from? See ``tracebacks.py``.
    names_layer = False

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython shows: without those of this package."""
        from ._core.tracebacks import render

        return render(self)


class InternalError(MXNetError):
    """A broken promise of the package itself; please report it."""


class MXNetValueError(MXNetError, ValueError):
    """A value, most often a shape, that does not fit."""


class MXNetTypeError(MXNetError, TypeError):
    """A value of the wrong type, or an argument nobody knows."""


class MXNetKeyError(MXNetValueError, KeyError):
    """A word that is none of those to choose from, where the original looks it up."""

    __str__ = RuntimeError.__str__  # a KeyError would show the text as Python writes strings


class MXNetIndexError(MXNetError, IndexError):
    """An index or axis out of range."""


class MXNetAttributeError(MXNetError, AttributeError):
    """A name that does not exist."""


class MXNetAssertionError(MXNetError, AssertionError):
    """Something that the state of an object does not allow, or that cannot be meant; the original asserts it."""


class MXNetArgumentError(MXNetTypeError, MXNetAssertionError):
    """Something else where an array, or a symbol, is taken; the original asserts it."""


class MXNetDtypeError(MXNetTypeError, MXNetKeyError):
    """A dtype that arrays cannot have; the original looks it up in a table."""


class MXNetNotImplementedError(MXNetError, NotImplementedError):
    """Something that exists by name only, or not for these inputs; the text says what is missing."""


class MXNetFileError(MXNetError, OSError):
    """A file that cannot be read or written, or is not what it claims to be."""


class MXNetFileNotFoundError(MXNetFileError, FileNotFoundError):
    """A file that does not exist."""


_registry: dict[str, type] = {
    "MXNetError": MXNetError,
    "ValueError": MXNetValueError,
    "TypeError": MXNetTypeError,
    "IndexError": MXNetIndexError,
    "KeyError": MXNetKeyError,
    "AttributeError": MXNetAttributeError,
}


def register_error(func_name=None, cls=None):
    """Registers an exception class under a name; usable as a decorator, with or without the name."""
    if isinstance(func_name, type):
        func_name, cls = func_name.__name__, func_name

    def add(kind: type) -> type:
        _registry[func_name or kind.__name__] = kind
        return kind

    return add if cls is None else add(cls)


register = register_error
register(InternalError)
