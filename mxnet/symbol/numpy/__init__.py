"""``mx.sym.np``: the functions of ``mx.np`` on symbols."""

from . import _symbol, linalg, random
from ._symbol import *  # noqa: F403
from ._symbol import _MORE, _Symbol

globals().update(_MORE)
__all__ = [*_symbol.__all__, *_MORE]
