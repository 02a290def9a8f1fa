"""How blocks get their names, and the container that holds the children of a block."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..name import NameManager, Prefix
from .parameter_dict import ParameterDict

if TYPE_CHECKING:
    from .block import Block


class _Current(threading.local):
    #: The scope that new blocks are named in.
    value: _BlockScope | None = None

    def __init__(self) -> None:
        self.outer: list[tuple[_BlockScope | None, NameManager]] = []


class _BlockScope:
    """``with net.name_scope():`` blocks made inside are numbered anew, and their names begin with the net's.

    It does not keep the block, which is freed as soon as nobody else has it.
    """

    _current = _Current()

    def __init__(self, block: Block):
        self._prefix, self._params = block.prefix, getattr(block, "_params", ParameterDict(block.prefix))
        #: A block with an empty prefix leaves its children to the scope around it.
        self._transparent = block._empty_prefix
        self._counter: dict[str, int] = {}

    @staticmethod
    def create(prefix: str | None, params: ParameterDict | None, hint: str) -> tuple[str, ParameterDict]:
        """The prefix and the parameters of a new block."""
        current = _BlockScope._current.value
        if current is None:
            if prefix is None:
                prefix = NameManager.current.get(None, hint) + "_"  # type: ignore[attr-defined]
            return prefix, ParameterDict(prefix) if params is None else ParameterDict(params.prefix, params)
        if prefix is None:
            number = current._counter.get(hint, 0)
            current._counter[hint] = number + 1
            prefix = f"{hint}{number}_"
        if params is None:
            params = ParameterDict(current._params.prefix + prefix, current._params._shared)
        else:
            params = ParameterDict(params.prefix, params)
        return current._prefix + prefix, params

    def __enter__(self) -> _BlockScope:
        if not self._transparent:
            names = Prefix(self._prefix)
            self._current.outer.append((self._current.value, names))
            names.__enter__()
            self._current.value = self
        return self

    def __exit__(self, *exception: object) -> None:
        if not self._transparent:
            self._current.value, names = self._current.outer.pop()
            names.__exit__(*exception)


class _ChildName(str):
    """The name of a child that can be used as the child itself, as old programs do: ``for b in self._children``."""

    _block: Block

    def __call__(self, *args: Any) -> Any:
        return self._block(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._block, name)


class _Children(OrderedDict):
    """The children of a block by name. It takes the list idioms of old programs too: ``append``, numbers, iteration."""

    _as_list = False

    def append(self, block: Block) -> None:
        """Adds a child under the next number; from then on iteration gives the blocks themselves."""
        self[str(len(self))] = block
        self._as_list = True

    def __getitem__(self, key: object) -> Any:
        return list(self.values())[key] if isinstance(key, int | slice) else super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        if self._as_list:
            yield from self.values()
            return
        for name, block in self.items():
            key = _ChildName(name)
            key._block = block
            yield key
