"""``mx.sym.sparse``: the operators that know sparse storage. They are the same as elsewhere."""

from ..ops.sparse import OPERATORS

__all__ = sorted(OPERATORS)


def __getattr__(name: str) -> object:
    if name in OPERATORS:
        from . import _internal, op

        for module, known in ((op, name), (_internal, name), (_internal, f"_sparse_{name}")):
            if hasattr(module, known):
                return getattr(module, known)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
