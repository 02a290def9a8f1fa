"""The interface of key-value stores, and the registry that ``create`` looks them up in."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from .._core import config
from ..error import MXNetTypeError, MXNetValueError
from ..ndarray import NDArray

if TYPE_CHECKING:  # a registered store is one as well, by what it can do
    from .kvstore import KVStore

#: A key, and the arrays of a key or of several: one, or one for each device, or a list of these for each key.
Key = int | str
Keys = Key | Sequence[Key]
Arrays = NDArray | Sequence["Arrays"]
#: An updater: takes a key, what was pushed and what is stored, and changes the latter.
Update = Callable[[Any, NDArray, NDArray], object]

__all__ = ["KVStoreBase", "TestStore", "create"]


class KVStoreBase:
    """The base of key-value stores. A custom store defines ``broadcast`` and ``pushpull``; register it to
    have ``mx.kv.create`` find it by the lower-case name of its class."""

    OPTIMIZER: ClassVar[str] = "optimizer"
    kv_registry: ClassVar[dict[str, type[Any]]] = {}

    def broadcast(self, key: Keys, value: Arrays, out: Arrays, priority: int = 0) -> None:
        """Copies the value of the root worker to ``out`` on all devices and workers."""
        raise self._missing("broadcast")

    def pushpull(self, key: Keys, value: Arrays, out: Arrays | None = None, priority: int = 0) -> None:
        """Sums ``value`` over devices and workers into ``out``, or in place."""
        raise self._missing("pushpull")

    def set_optimizer(self, optimizer: Any) -> None:
        """Lets the store update the values it holds."""
        raise self._missing("set_optimizer")

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Can the store do something, ``'optimizer'`` for one: update the values it holds?"""
        raise NotImplementedError(f"this store does not say whether it is capable of {capability!r}")

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Writes the optimizer's states to a file."""
        raise self._missing("save_optimizer_states")

    def load_optimizer_states(self, fname: str) -> None:
        """Reads the optimizer's states from a file."""
        raise self._missing("load_optimizer_states")

    @property
    def type(self) -> str:
        """The kind of the store."""
        raise self._missing("type")

    @property
    def rank(self) -> int:
        """The number of this worker."""
        raise self._missing("rank")

    @property
    def num_workers(self) -> int:
        """How many workers there are."""
        raise self._missing("num_workers")

    def _missing(self, name: str) -> NotImplementedError:
        return NotImplementedError(f"{self.__class__.__name__} has no {name}")

    @staticmethod
    def register(klass: Any) -> Any:
        """Decorator: makes a store known to ``mx.kv.create`` under the lower-case name of its class."""
        if not isinstance(klass, type):
            raise MXNetTypeError(f"register takes a class, got {klass!r}")
        name = klass.__name__.lower()
        before = KVStoreBase.kv_registry.get(name)
        if before is not None and before is not klass:
            warnings.warn(
                f"WARNING: New kvstore {klass.__module__}.{klass.__name__} is overriding existing kvstore "
                f"{before.__module__}.{before.__name__}",
                stacklevel=2,
            )
        KVStoreBase.kv_registry[name] = klass
        return klass


@KVStoreBase.register
class TestStore(KVStoreBase):
    """A store that does no more than it must, for tests of code that uses stores."""

    __test__ = False  # not a test of pytest's

    def broadcast(self, key: Keys, value: Any, out: Any, priority: int = 0) -> None:
        """Copies the value to each output."""
        for array in out if isinstance(out, list) else [out]:
            array[:] = value

    def pushpull(self, key: Keys, value: Any, out: Any = None, priority: int = 0) -> None:
        """Sums the values into the outputs, or into the values themselves."""
        values = value if isinstance(value, list) else [value]
        total = values[0].copy()
        for other in values[1:]:
            total += other.as_in_context(total.context)
        targets = values if out is None else out if isinstance(out, list) else [out]
        for array in targets:
            array[:] = total

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Nothing but sums: not even ``'optimizer'``."""
        return check_capability(capability, False)

    @property
    def type(self) -> str:
        """``'teststore'``."""
        return "teststore"

    @property
    def rank(self) -> int:
        """0: the only worker."""
        return 0

    @property
    def num_workers(self) -> int:
        """1."""
        return 1


def check_capability(capability: str, answer: bool) -> bool:
    """Returns ``answer`` if the capability is one that stores are asked for; raises MXNetValueError otherwise."""
    if capability.lower() != KVStoreBase.OPTIMIZER:
        raise MXNetValueError(f"Unknown capability: {capability}")
    return answer


#: Stores of other packages, by the package that has them.
_OTHERS = {"horovod": "horovod", "byteps": "byteps"}


def create(name: str = "local") -> KVStore:
    """A store by name: ``'local'`` sums on the host, ``'device'`` and ``'nccl'`` on the devices; or a registered one.

    ``'dist_sync'`` and ``'dist_device_sync'`` join the processes of a job that go in step, ``'dist_async'`` those that
    do not; ``'p3'`` and ``'nccl'`` are ``'dist_device_sync'`` where the environment describes several workers.

    >>> kv = mx.kv.create("local")
    >>> kv.init("w", nd.zeros(2))
    >>> kv.push("w", [nd.ones(2), nd.ones(2)])
    >>> out = nd.zeros(2)
    >>> kv.pull("w", out=out)
    >>> out
    [2. 2.]
    <NDArray 2 @cpu(0)>
    """
    if not isinstance(name, str):
        raise MXNetTypeError(f"name must be a string, got {type(name).__name__}")
    name = name.lower()
    if name in KVStoreBase.kv_registry:
        return KVStoreBase.kv_registry[name]()
    if name in _OTHERS:
        raise MXNetValueError(
            f"the store {name!r} comes with the package {_OTHERS[name]}, built for MXNet: install it and import what "
            "it registers by KVStoreBase.register. Without it, 'dist_sync' sums over processes as well."
        )
    if "dist" in name or (name in ("p3", "nccl") and _several_workers()):
        kind = name.replace("_device", "").replace("_p3", "")
        if kind not in ("dist", "dist_sync", "dist_async", "p3", "nccl"):
            raise MXNetValueError(
                f"Unknown KVStore type {name!r}; there are local, device, nccl, p3, dist_sync, dist_device_sync, "
                "dist_sync_device and dist_async"
            )
        if kind == "dist_async":
            from .dist_async import AsyncKVStore

            return AsyncKVStore(name)
        from .dist_sync import SyncKVStore

        return SyncKVStore(name)
    from .kvstore import KVStore

    return KVStore(name)


def _several_workers() -> bool:
    """Whether the environment describes more than one worker."""
    scheduled = config.DMLC_PS_ROOT_URI.get() is not None
    return ((config.DMLC_NUM_WORKER if scheduled else config.WORLD_SIZE).get() or 1) > 1


def set_kvstore_handle(handle: Any) -> Any:
    """The store that a handle stands for: here it is the handle itself, or a name to create one by."""
    return create(handle) if isinstance(handle, str) else handle
