"""Where an error happened, as people are shown it: the layer it is from, and the lines of their own program.

The lines of this package in a traceback are of use to those who work on it. For errors that it raises on purpose, and
for those of users' functions that it called, they are left out where Python or IPython print an uncaught traceback;
``MXNET_FULL_TRACEBACK=1`` shows them. An error that nobody meant, a bug of this package, is shown in full. The error
itself keeps all of it: debuggers, pytest, ``logging`` and ``traceback`` see what they always see.
"""

import os
import sys
from itertools import pairwise
from types import TracebackType

from ..error import MXNetError, MXNetTypeError
from . import config

TYPE_CHECKING = False  # as typing has it, without loading it
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_STANDARD = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_INSTALLED = f"{os.sep}site-packages{os.sep}"
_LIBRARIES = tuple(f"{_INSTALLED}{name}{os.sep}" for name in ("torch", "numpy", "cv2", "requests", "urllib3"))


def install() -> None:
    """For ``mxnet/__init__.py``: from now on Python shows errors of this package in short."""
    previous = sys.excepthook
    if config.FULL_TRACEBACK.get() or previous is not sys.__excepthook__:  # another library's hook: it gets everything
        return

    def show(kind: "type[BaseException]", error: BaseException, traceback: "TracebackType | None") -> None:
        with _Hint(error, traceback) as is_meant, Shortened(error, traceback, is_meant) as short:
            previous(kind, error, short)

    sys.excepthook = show


class _Hint:
    """Inside, one of Python's own errors says what is meant instead, with public names of our objects only."""

    def __init__(self, error: BaseException, traceback: "TracebackType | None"):
        self._error = error
        self._before = error.args, getattr(error, "name", None)
        self._note = self._text = ""
        if isinstance(error, AttributeError | ImportError | TypeError) and not isinstance(error, MXNetError):
            from .hints import Keyword, hint

            wrong = Keyword.of(error, [entry.tb_frame for entry, own in _entries(traceback) if own])
            self._note, self._text = ("", wrong.text) if wrong else (hint(error), "")

    def __enter__(self) -> bool:
        """Returns whether the error is about what the user's line has passed."""
        if self._text:
            self._error.args = (self._text,)
        if self._note:
            if isinstance(self._error, AttributeError):
                self._error.name = ""  # without a name Python proposes nothing
            self._error.add_note(self._note)
        return bool(self._text)

    def __exit__(self, *exception: object) -> None:
        if self._text:
            self._error.args = self._before[0]
        if self._note:
            if isinstance(self._error, AttributeError):
                self._error.name = self._before[1]
            self._error.__notes__.pop()


def render(error: MXNetError) -> "list[str]":
    """The lines that IPython shows for an error."""
    from IPython import get_ipython

    formatter = get_ipython().InteractiveTB
    if config.FULL_TRACEBACK.get():
        return formatter.structured_traceback(type(error), error, error.__traceback__)
    with Shortened(error, error.__traceback__) as short:
        return formatter.structured_traceback(type(error), error, short)


def warn_user(message: str, kind: "type[Warning]" = UserWarning) -> None:
    """Warns of the line of the user's program that led here."""
    import warnings

    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)


class Shortened:
    """``with Shortened(error, traceback) as short:`` inside, the error has only lines outside of this package."""

    def __init__(self, error: BaseException, traceback: "TracebackType | None", is_meant: bool = False):
        self._error, self._traceback, self._meant = error, traceback, is_meant
        self._before = error.__traceback__, error.__cause__, error.__context__, error.__suppress_context__

    def __enter__(self) -> "TracebackType | None":
        error = self._error
        entries = list(_entries(self._traceback))
        kept = [entry for entry, own in entries if not own]
        short: TracebackType | None = None
        for entry in reversed(kept):
            short = TracebackType(short, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
        if not kept or len(kept) == len(entries) or not (self._meant or _is_meant(error, *entries[-1])):
            return self._traceback
        error.__traceback__ = short
        reason = first = _reason(error)
        while reason is not None and [own for _, own in _entries(reason.__traceback__, reason is not first)][-1:] == [
            True
        ]:
            reason = _reason(reason)  # another library's own error, which the message describes
        if reason is not first:
            error.__cause__, error.__context__, error.__suppress_context__ = None, reason, False
        count = len(entries) - len(kept)
        lines = "1 line inside of mxnet is" if count == 1 else f"{count} lines inside of mxnet are"
        error.add_note(f"({lines} hidden; MXNET_FULL_TRACEBACK=1 shows {'it' if count == 1 else 'them'})")
        return short

    def __exit__(self, *exception: object) -> None:
        error = self._error
        if error.__traceback__ is not self._before[0]:
            error.__notes__.pop()
        error.__traceback__, error.__cause__, error.__context__, error.__suppress_context__ = self._before


def format_error(error: BaseException) -> str:
    """Returns the text that is shown for an error of another process."""
    from traceback import format_exception

    if config.FULL_TRACEBACK.get():
        return "".join(format_exception(error)).rstrip()
    with Shortened(error, error.__traceback__):
        return "".join(format_exception(error)).rstrip()


def _is_meant(error: BaseException, last: TracebackType, own: bool) -> bool:
    """Whether an error was raised on purpose, or is of the user's program, and not a failure in this package."""
    if isinstance(error, MXNetError) or not own:
        return True
    from opcode import opmap

    return last.tb_frame.f_code.co_code[last.tb_lasti] == opmap["RAISE_VARARGS"]


def _reason(error: BaseException) -> BaseException | None:
    """The error before it that Python shows, if there is one."""
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _entries(traceback: "TracebackType | None", own: bool = False) -> "Iterable[tuple[TracebackType, bool]]":
    """The lines of a traceback, from the outermost, and whether they are ours or of what ours have called.

    ``own``: what the outermost was called by is ours.
    """
    while traceback is not None:
        frame = traceback.tb_frame
        file = frame.f_code.co_filename
        # dataclasses have functions of ours without a file; python -m gives a module another name
        ours = file.startswith(PACKAGE) or str(frame.f_globals.get("__name__")).startswith("mxnet.")
        own = ours or (own and _is_library(file))
        yield traceback, own
        traceback = traceback.tb_next


def _is_library(file: str) -> bool:
    """Is it code that ours call? Users' lines may call it as well: then it is shown."""
    if _INSTALLED in file:
        return any(name in file for name in _LIBRARIES)
    return file.startswith((_STANDARD, "<frozen "))


# ---- layers ----------------------------------------------------------------------------------------------------------


def layer_path(blocks: "Sequence[Any]") -> str:
    """Blocks that call each other, by the names their parents have for them: ``net0.features.0 (Dense 'dense0')``."""
    return _path([_own_name(blocks[0]), *(_key(parent, child) for parent, child in pairwise(blocks))], blocks[-1])


def _own_name(block: "Any") -> str:
    return block.name or type(block).__name__


def _key(parent: "Any", child: "Any") -> str:
    """The name that a block has for one that it calls."""
    return next((key for key, other in parent._children.items() if other is child), _own_name(child))


def _path(keys: "Iterable[str]", block: "Any") -> str:
    return f"{'.'.join(keys)} ({type(block).__name__} {block.name!r})"


def add_layer(error: MXNetError, block: "Any", args: "Sequence[Any]") -> None:
    """Adds to an error's text that it is from a call of a block, which those above it call in turn."""
    if error.names_layer or len(error.args) != 1 or not isinstance(error.args[0], str):
        return
    call = _Layers.of(error)
    call.enter(block, args)
    error.args = (call.text(),)


def explain_arguments(error: TypeError, block: "Any", args: "Sequence[Any]") -> MXNetError | None:
    """The error for a block whose ``forward`` or ``hybrid_forward`` cannot be called so; None if it is another's."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    called = str(error).partition("()")[0].rpartition(".")[2]
    if last is None or called not in ("forward", "hybrid_forward"):
        return None
    if not last.tb_frame.f_code.co_filename.startswith(os.path.join(PACKAGE, "gluon")):
        return None
    from inspect import signature

    names = ", ".join(
        str(p.replace(annotation=p.empty)) for p in signature(getattr(type(block), called)).parameters.values()
    )
    text = f"{error}. It is defined as {called}({names})"
    if called == "hybrid_forward":
        text += "; it gets F, the inputs, and each parameter of the block under the name of its attribute"
        if block._reg_params:
            text += f": {', '.join(block._reg_params)}"
    return MXNetTypeError(text)


class _Layers:
    """The blocks that an error has passed through so far, and the words that describe them."""

    def __init__(self, error: MXNetError):
        self._error = error.args[0].rstrip("\n")
        self._keys: list[str] = []
        self._inner = self._outer = ""
        self._latest: Any = None

    @classmethod
    def of(cls, error: MXNetError) -> "_Layers":
        """Those of an error."""
        found = error.__dict__.get("layers")
        if found is None or found._latest is None:
            found = error.layers = cls(error)  # type: ignore[attr-defined]
        return found

    def enter(self, block: "Any", args: "Sequence[Any]") -> None:
        """One more block that called the others."""
        shown = f"called with {_format_arguments(args)}"
        if self._latest is None:
            self._inner = f"({type(block).__name__} {block.name!r}), {shown}"
        else:
            self._keys.insert(0, _key(block, self._latest))
            self._outer = f"in {_path([_own_name(block)], block)}, {shown}"
        self._latest = block

    def text(self) -> str:
        """The error's text, and where it is from."""
        path = ".".join([_own_name(self._latest), *self._keys])
        return "\n".join([self._error, f"in layer {path} {self._inner}", *([self._outer] if self._outer else [])])

    def __reduce__(self) -> "Any":
        return _words_only, ()  # a process that gets the error does not get the blocks


def _words_only() -> None:
    """What is left of the layers of an error in another process: the words in its text."""


def _format_arguments(args: "Sequence[Any]") -> str:
    """Formats arguments for an error: shapes and dtypes of arrays, types of the rest."""

    def one(value: "Any") -> str:
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple) and hasattr(value, "dtype"):
            return f"{tuple(shape)} {getattr(value.dtype, '__name__', value.dtype)}"
        if isinstance(value, list | tuple):
            return f"[{', '.join(map(one, value[:4]))}{', ...' if len(value) > 4 else ''}]"
        return type(value).__name__

    return ", ".join(map(one, args)) or "no arguments"
