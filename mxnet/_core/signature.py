"""Signatures that are written once: a function that passes its arguments on has the signature of the one it calls."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def merge_parameters(own: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Returns ``others`` with ``own`` in their places; new ones go before the next one that both have, or last.

    Parameters are identified by ``name``.
    """
    others = list(others)
    known, places, waiting = {p.name for p in others}, {}, []
    for p in own:
        waiting.append(p)
        if p.name in known:
            places[p.name], waiting = waiting, []
    return [p for other in others for p in places.get(other.name, [other])] + waiting


def overridable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator, for type checkers only: subclasses may define the method with arguments of their own."""
    return function


def takes(other: Callable, without: Iterable[str] = (), **defaults: Any) -> Callable[[Callable], Callable]:
    """Decorator: ``**given`` of the function are the arguments of ``other`` that it does not name itself.

    All of them arrive by name, with ``other``'s default, or that of ``defaults``, where the caller gave none. One that
    the function names without a default is ``other``'s, too.
    """

    without = frozenset(without)

    def decorate(function: Callable) -> Callable:
        mine, theirs = inspect.signature(function), inspect.signature(other)
        others = {name: p for name, p in theirs.parameters.items() if name not in without}
        own = [p if p.default is not p.empty else others.get(p.name, p) for p in mine.parameters.values()]
        more = [others.pop(p.name) for p in list(others.values()) if p.kind is p.VAR_KEYWORD]
        named = merge_parameters([p for p in own if p.kind is not p.VAR_KEYWORD], others.values())
        named = [p.replace(default=defaults.get(p.name, p.default)) for p in named]
        signature = (theirs if mine.return_annotation is mine.empty else mine).replace(parameters=[*named, *more])

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{function.__qualname__}: {error}") from None
            bound.apply_defaults()
            rest = bound.arguments.pop(more[0].name) if more else {}
            for name in rest.keys() & without:
                raise TypeError(f"{function.__qualname__}: got an unexpected keyword argument {name!r}")
            return function(**bound.arguments, **rest)

        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    return decorate
