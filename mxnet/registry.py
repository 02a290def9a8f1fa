"""Registries of classes by name, for things that users name in strings: optimizers, initializers, metrics."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from ._core.hints import meant
from ._core.literals import parse_json, shorten
from .error import MXNetAssertionError, MXNetError, MXNetTypeError, MXNetValueError

__all__ = ["get_alias_func", "get_create_func", "get_register_func", "get_registry"]

_REGISTRY: dict[type, dict[str, type]] = {}
Kind = TypeVar("Kind", bound=type)


class Register(Protocol):
    """A decorator that gives the class back that it registers."""

    def __call__(self, klass: Kind, name: str | None = None) -> Kind:
        """Registers a class."""


def get_registry(base_class: type) -> dict[str, type]:
    """A copy of the registry of a base class: lower-case name to class."""
    return dict(_REGISTRY.setdefault(base_class, {}))


def get_register_func(base_class: type, nickname: str) -> Register:
    """The decorator that registers subclasses of ``base_class`` under their (lower-case) names."""
    registry = _REGISTRY.setdefault(base_class, {})

    def register(klass: Kind, name: str | None = None) -> Kind:
        if not (isinstance(klass, type) and issubclass(klass, base_class)):
            raise MXNetTypeError(f"Can only register subclass of {base_class.__name__}, got {klass!r}")
        key = (name or klass.__name__).lower()
        before = registry.get(key)
        if before is not None and before is not klass:
            warnings.warn(
                f"New {nickname} {klass.__module__}.{klass.__name__} registered with name {key} is overriding existing "
                f"{nickname} {before.__module__}.{before.__name__}",
                stacklevel=2,
            )
        registry[key] = klass
        return klass

    register.__doc__ = f"Registers a {nickname} class under its lower-case name."
    return register


def get_alias_func(base_class: type, nickname: str) -> Callable[..., Callable[[Kind], Kind]]:
    """The decorator that registers further names."""
    register = get_register_func(base_class, nickname)

    def alias(*aliases: str) -> Callable[[Kind], Kind]:
        def decorate(klass: Kind) -> Kind:
            for name in aliases:
                register(klass, name)
            return klass

        return decorate

    alias.__doc__ = f"Registers a {nickname} class under further names."
    return alias


def get_create_func(base_class: type, nickname: str) -> Callable[..., Any]:
    """The function that makes an instance from a name, an instance, or the JSON text of ``dumps()``."""
    registry = _REGISTRY.setdefault(base_class, {})

    def create(*args: Any, **kwargs: Any) -> Any:
        if args:
            name, args = args[0], args[1:]
        elif nickname in kwargs:
            name = kwargs.pop(nickname)
        else:
            raise MXNetTypeError(f"create needs a name: {nickname}=...")
        if isinstance(name, base_class):
            if args or kwargs:
                raise MXNetTypeError(f"{nickname} is already an instance. Additional arguments are invalid")
            return name
        if isinstance(name, dict):
            return create(**name)
        if not isinstance(name, str):
            raise MXNetAssertionError(f"{nickname} must be of string type, got {type(name).__name__}")
        if name.startswith("["):
            if args or kwargs:
                raise MXNetTypeError(f"{nickname} given as JSON takes no further arguments")
            return from_json(name)
        if name.startswith("{"):
            if args or kwargs:
                raise MXNetTypeError(f"{nickname} given as JSON takes no further arguments")
            return from_json(name)
        key = name.lower()
        if key not in registry:
            raise MXNetAssertionError(
                f"{name[:200]} is not registered. Please register with {nickname}.register first"
                f"{meant(key, registry)}; known: "
                f"{', '.join(sorted(known for known in registry if known[0] != '_'))}"
            )
        return registry[key](*args, **kwargs)

    def from_json(text: str) -> Any:
        try:
            told = parse_json(text)
            return create(**told) if isinstance(told, dict) else create(told[0], **told[1])
        except (ValueError, TypeError, LookupError, RecursionError, MemoryError, AssertionError) as error:
            if isinstance(error, MXNetError):
                raise
            raise MXNetValueError(f"this JSON is not a {nickname}: {shorten(text)}: {error}") from error

    create.__doc__ = f"Makes a {nickname} from its name and arguments."
    return create
