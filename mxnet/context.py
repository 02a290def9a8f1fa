"""Contexts: the device an array lives on.

``cpu(i)``, ``cpu_pinned(i)`` and ``cpu_shared(i)`` are host memory. ``gpu(i)`` is CUDA through torch. Where there is no
CUDA, ``MXNET_VIRTUAL_GPUS=N`` gives N devices backed by host memory that follow the same placement rules, so that
multi-device programs can be written and tested anywhere.
"""

from __future__ import annotations

import operator
import os
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from ._core import config
from .error import MXNetError, MXNetKeyError, MXNetTypeError, MXNetValueError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

__all__ = ["Context", "cpu", "cpu_pinned", "cpu_shared", "current_context", "gpu", "gpu_memory_info", "num_gpus"]

_stack = threading.local()
_ABSENT = object()


class _ContextType(type):
    def __call__(cls, device_type: str | Context, device_id: int = 0) -> Context:
        return cls.__new__(cls, device_type, device_id)  # type: ignore[call-overload]

    @property
    def _default_ctx(cls) -> _Default:
        return _Default()

    @property
    def default_ctx(cls) -> Context:
        """The context used where none is given; the old way to say ``with mx.gpu(0):`` for all that follows."""
        return current_context()

    @default_ctx.setter
    def default_ctx(cls, context: Context) -> None:
        if not isinstance(context, Context):
            raise MXNetTypeError(f"default_ctx must be a Context, got {context!r}")
        _stack.default = context


class _Default:
    """``Context._default_ctx.value``, by which programs set the default for all that follows."""

    @property
    def value(self) -> Context:
        return current_context()

    @value.setter
    def value(self, context: Context) -> None:
        Context.default_ctx = context


class Context(metaclass=_ContextType):
    """A device: ``Context('gpu', 1)``, ``Context(mx.cpu())``. Equal contexts are one object; use it in ``with``."""

    devtype2str: ClassVar[dict[int, str]] = {1: "cpu", 2: "gpu", 3: "cpu_pinned", 5: "cpu_shared"}
    devstr2type: ClassVar[dict[str, int]] = {"cpu": 1, "gpu": 2, "cpu_pinned": 3, "cpu_shared": 5}
    _known: ClassVar[dict[tuple[int, int], Context]] = {}

    device_typeid: int
    device_id: int
    is_gpu: bool

    def __new__(cls, device_type: str | Context = _ABSENT, device_id: int = 0) -> Context:  # type: ignore[assignment]
        if isinstance(device_type, Context):
            return as_context(device_type)
        if device_type is _ABSENT:  # only pickles of the original ask for that, and fill it in afterwards
            return object.__new__(_Unpickled)
        typeid = cls.devstr2type.get(device_type)
        if typeid is None:
            raise MXNetKeyError(f"unknown device type {device_type!r}: expected one of {', '.join(cls.devstr2type)}")
        return cls._of(typeid, device_id)

    @classmethod
    def _of(cls, typeid: int, device_id: int) -> Context:
        try:
            return cls._known[typeid, device_id]
        except KeyError:
            pass
        try:
            device_id = operator.index(device_id)
        except TypeError:
            raise MXNetTypeError(f"device_id must be a non-negative integer, got {device_id!r}") from None
        if device_id < 0:
            raise MXNetValueError(f"device_id must be a non-negative integer, got {device_id!r}")
        context = object.__new__(cls)
        for name, value in (("device_typeid", typeid), ("device_id", device_id), ("is_gpu", typeid == 2)):
            object.__setattr__(context, name, value)
        return cls._known.setdefault((typeid, device_id), context)

    @property
    def device_type(self) -> str:
        """``'cpu'``, ``'gpu'``, ``'cpu_pinned'`` or ``'cpu_shared'``."""
        return self.devtype2str[self.device_typeid]

    @property
    def torch_device(self) -> torch.device:
        """The torch device that backs this context."""
        return _torch_device(self, config.VIRTUAL_GPUS.text() if self.is_gpu else None)

    @classmethod
    def from_str(cls, text: str) -> Context:
        """Parses ``'cpu(0)'``, ``'gpu(1)'`` or ``'cpu'``, the form operators store."""
        kind, _, number = text.partition("(")
        try:
            return cls(kind, int(number.rstrip(")") or 0))
        except ValueError as error:
            raise MXNetValueError(f"{text!r} is not a context: expected e.g. 'cpu(0)' or 'gpu(1)'") from error

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Context cannot be changed: {name}")

    def __reduce__(self):
        return Context, (self.device_type, self.device_id)

    def __repr__(self) -> str:
        return f"{self.device_type}({self.device_id})"

    def __enter__(self) -> Context:
        if not hasattr(_stack, "contexts"):
            _stack.contexts = []
        _stack.contexts.append(self)
        return self

    def __exit__(self, *exception) -> None:
        _stack.contexts.pop()

    def empty_cache(self) -> None:
        """Gives cached memory of the device back to the driver, that of the host to the system."""
        if self.torch_device.type == "cuda":
            import torch

            torch.cuda.empty_cache()
        else:
            from .native.allocator import release_cached

            release_cached()


class _Unpickled(Context):
    """A context from a pickle of the original, which cannot come back as the one object that stands for its device.

    It is equal to that object, and whatever takes a context takes it for that.
    """

    def __setstate__(self, state: dict[str, int]) -> None:
        context = Context._of(state["device_typeid"], state["device_id"])
        for name in ("device_typeid", "device_id", "is_gpu"):
            object.__setattr__(self, name, getattr(context, name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Context) and as_context(other) is as_context(self)

    def __hash__(self) -> int:
        return hash(as_context(self))

    def __enter__(self) -> Context:
        return as_context(self).__enter__()


@lru_cache(maxsize=256)
def _torch_device(context: Context, virtual: str | None) -> torch.device:
    import torch

    if not context.is_gpu:
        return torch.device("cpu")
    real = torch.cuda.device_count()
    if context.device_id < real:
        return torch.device("cuda", context.device_id)
    count = real or config.VIRTUAL_GPUS.parse(virtual)
    if context.device_id < count:
        return torch.device("cpu")
    raise MXNetError(
        f"{context} is not available: this process sees {count} GPU(s). Use mx.cpu(), or set "
        "MXNET_VIRTUAL_GPUS=N to get N host-backed devices for writing and testing multi-device programs."
    )


def cpu(device_id: int = 0) -> Context:
    """The host. Its device_id is kept but means nothing: all cores are used.

    >>> nd.ones(2, ctx=mx.cpu()).context
    cpu(0)
    """
    return Context._of(1, device_id)


def gpu(device_id: int = 0) -> Context:
    """The GPU with that number."""
    return Context._of(2, device_id)


def cpu_pinned(device_id: int = 0) -> Context:
    """Host memory that is page-locked for fast copies to a GPU."""
    return Context._of(3, device_id)


def cpu_shared(device_id: int = 0) -> Context:
    """Host memory shared between processes."""
    return Context._of(5, device_id)


def check_together(what: str, first: Context, name: str, second: Context) -> None:
    """Refuses two arrays of which one is on a GPU and the other elsewhere; hosts are all one."""
    if second is not first and (first.is_gpu or second.is_gpu):
        raise MXNetValueError(f"{what} is on {first}, {name} on {second}. Move one of them with as_in_context() first.")


def num_gpus() -> int:
    """How many GPUs there are: CUDA's, or else the virtual ones of ``MXNET_VIRTUAL_GPUS``.

    >>> mx.context.num_gpus() >= 0
    True
    """
    import torch

    return torch.cuda.device_count() or config.VIRTUAL_GPUS.get()


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Free and total memory of a GPU in bytes. A virtual GPU reports the host's."""
    device = gpu(device_id).torch_device
    if device.type == "cuda":
        import torch

        return torch.cuda.mem_get_info(device)
    page = os.sysconf("SC_PAGE_SIZE")
    return page * os.sysconf("SC_AVPHYS_PAGES"), page * os.sysconf("SC_PHYS_PAGES")


def current_context() -> Context:
    """The context of the innermost ``with`` block; outside of any the default one, ``cpu(0)`` unless changed."""
    contexts = getattr(_stack, "contexts", None)
    return contexts[-1] if contexts else getattr(_stack, "default", _DEFAULT)


def as_context(value: object) -> Context:
    """The context that a ``ctx`` argument means: a Context, its text, or None for the current one."""
    if value.__class__ is Context:
        return value  # type: ignore[return-value]
    if value is None or value == "":
        return current_context()
    if isinstance(value, Context):
        return Context._of(value.device_typeid, value.device_id)
    if isinstance(value, str):
        return Context.from_str(value)
    advice = "; a shape of several dimensions is a tuple, such as (2, 3)" if isinstance(value, int) else ""
    raise MXNetTypeError(f"ctx must be a Context such as mx.cpu() or mx.gpu(0), got {value!r}{advice}")


_DEFAULT = cpu()


def as_contexts(ctx: Context | Sequence[Context] | None) -> list[Context]:
    """A ``ctx`` argument, one or several, as a list."""
    if ctx is None:
        return [current_context()]
    found = [ctx] if isinstance(ctx, Context) else ctx
    if not isinstance(found, list | tuple) or not found or not all(isinstance(c, Context) for c in found):
        raise MXNetTypeError(f"ctx must be a Context or a list of them, such as mx.cpu() or [mx.cpu()], got {ctx!r}")
    return list(found)
