"""Runs a Gluon block on symbols, and remembers which block made which nodes."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from .. import symbol
from ..error import MXNetError
from ..gluon.block import Block
from ..gluon.contrib.nn import Concurrent, HybridConcurrent
from ..gluon.hybrid_block import HybridBlock
from ..gluon.nn import HybridSequential, Sequential
from ..gluon.rnn.rnn_layer import _RNNLayer
from ..graph.node import Node
from ..symbol import Symbol
from .tree import Scope, Value, flat, value_of

_LIBRARY = ("mxnet.gluon.nn", "mxnet.gluon.contrib.nn")


def trace(block: Block, names: Sequence[str]) -> tuple[Scope, list[Value]]:
    """The scope of a block that is called with variables of these names, and these variables."""
    variables = [symbol.var(name) for name in names]
    recorder = _Recorder()
    handles = []
    for child in _descendants(block):
        handles.append(child.register_forward_pre_hook(recorder.enter))
        handles.append(child.register_forward_hook(recorder.leave))
    try:
        block(*variables)
    except NotImplementedError:
        raise
    except Exception as error:
        raise MXNetError(
            f"{block.name} ({type(block).__name__}) does not run on symbols, so that there is no graph to translate: "
            f"{type(error).__name__}: {error}. Write its hybrid_forward with the functions of F only, or rewrite its "
            "source by python -m mxnet.tools.to_torch --source"
        ) from error
    finally:
        for handle in handles:
            handle.detach()
    given = [value_of(v._outputs[0]) for v in variables]
    root = _root(recorder, block, given)
    _prune(root)
    return root, given


def _root(recorder: _Recorder, block: Block, given: list[Value]) -> Scope:
    """The scope of the whole network; a recurrent layer, which makes its states outside, gets a class around it."""
    top = recorder.top
    if len(top.items) == 1 and top.items[0].style != "recurrent":
        return top.items[0]
    scope = next(i for i in top.items if isinstance(i, Scope) and i.block is block)
    top.kind, top.doc, top.outputs = scope.kind, scope.doc, scope.outputs
    top.inputs, top.input_names = given, scope.input_names[: len(given)]
    return top


def _descendants(block: Block) -> list[Block]:
    found: dict[int, Block] = {}

    def visit(one: Block) -> None:
        if id(one) not in found:
            found[id(one)] = one
            for child in one._children.values():
                visit(child)

    visit(block)
    return list(found.values())


class _Recorder:
    """Nodes belong to the block in whose call they are made: to the innermost one."""

    def __init__(self) -> None:
        self.top = Scope("", "")
        self.stack = [self.top]
        self.owned: set[Node] = set()

    def claim(self, values: Sequence[Value]) -> None:
        """Assigns the nodes of these values that have no scope yet to the current one."""
        scope = self.stack[-1]
        given = set(scope.inputs)
        for head, index in values:
            if head in self.owned or head.is_variable or (head, index) in given:
                continue
            self.owned.add(head)
            path = [(head, iter(head.inputs))]
            while path:
                node, rest = path[-1]
                for entry in rest:
                    child = entry.node
                    if child not in self.owned and not child.is_variable and value_of(entry) not in given:
                        self.owned.add(child)
                        path.append((child, iter(child.inputs)))
                        break
                else:
                    path.pop()
                    scope.items.append(node)

    def enter(self, block: Block, args: tuple) -> None:
        values = _values(args)
        self.claim(flat(values))
        parent = self.stack[-1]
        path = _path(parent.block, block)
        scope = Scope(
            type(block).__name__.lstrip("_"),
            path[-1] if path else block.name,
            _style(block),
            key=id(block),
            path=path,
            doc=_first_line(block),
            block=block,
            inputs=flat(values),
            input_names=_argument_names(block, values),
        )
        parent.items.append(scope)
        self.stack.append(scope)

    def leave(self, block: Block, args: tuple, out: object) -> None:
        scope = self.stack[-1]
        scope.outputs = _values(out)
        self.claim(flat(scope.outputs))
        self.stack.pop()


def _values(form: object) -> Any:
    """Values in the place of symbols; what is no symbol (a number, None) is left out."""
    if isinstance(form, Symbol):
        values = [value_of(e) for e in form._outputs]
        return values[0] if len(values) == 1 else values
    if isinstance(form, list):
        return [_values(part) for part in form]
    return tuple(_values(part) for part in form) if isinstance(form, tuple) else None


def _style(block: Block) -> str:
    kind: Any = type(block)
    if isinstance(block, _RNNLayer):
        return "recurrent"
    if isinstance(block, HybridBlock):
        if kind.hybrid_forward is HybridConcurrent.hybrid_forward:
            return "concurrent"
        if kind.hybrid_forward is HybridSequential.hybrid_forward and kind.forward is HybridBlock.forward:
            return "sequence"
    elif kind.forward is Sequential.forward:
        return "sequence"
    elif kind.forward is Concurrent.forward:
        return "concurrent"
    return "layer" if kind.__module__.startswith(_LIBRARY) else "class"


def _first_line(block: Block) -> str:
    """The first line of the docstring of a user's class."""
    text = (type(block).__doc__ or "").strip().partition("\n\n")[0]
    line = " ".join(text.split())
    kind = type(block)
    if kind.__module__.startswith(_LIBRARY) or kind.__doc__ in (b.__doc__ for b in kind.__bases__):
        return ""
    return line if len(line) <= 90 and '"""' not in line and "\\" not in line else ""


def _argument_names(block: Block, values: Any) -> list[str]:
    """Names of the arguments, one for each value that was given."""
    function: Any = block.forward
    names = []
    if isinstance(block, HybridBlock) and type(block).forward is HybridBlock.forward:
        function = block.hybrid_forward
    try:
        parameters = [
            p.name
            for p in inspect.signature(function).parameters.values()
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        parameters = []
    if function == getattr(block, "hybrid_forward", None):
        parameters = parameters[1:]
    for place, part in enumerate(values):
        name = parameters[place] if place < len(parameters) else "more" if len(values) == 1 else f"input_{place}"
        inside = flat(part)
        names += [name] if len(inside) == 1 else [f"{name}_{i}" for i in range(len(inside))]
    return names


def _path(parent: Block | None, block: Block) -> tuple[str, ...]:
    """The names by which a block is reached from another one."""
    if parent is None:
        return ()
    rows: list[tuple[tuple[str, ...], Block]] = [((), parent)]
    seen = {id(parent)}
    while rows:
        way, one = rows.pop(0)
        for name, child in one._children.items():
            if child is block:
                return (*way, name)
            if id(child) not in seen:
                seen.add(id(child))
                rows.append(((*way, name), child))
    return ()


def _prune(root: Scope) -> None:
    """Removes what does not lead to the outputs of the network, and hands on what inner scopes use of others."""
    live: set[Node] = set()
    wanted = [v[0] for v in flat(root.outputs)]
    while wanted:
        node = wanted.pop()
        if node not in live:
            live.add(node)
            wanted.extend(e.node for e in node.inputs)

    def visit(scope: Scope) -> bool:
        """Is there something in it that counts?"""
        scope.items = [i for i in scope.items if (visit(i) if isinstance(i, Scope) else i in live)]
        kept = [v for v in flat(scope.outputs) if v[0] in live]
        if len(kept) < len(flat(scope.outputs)):
            scope.outputs = kept[0] if len(kept) == 1 else tuple(kept)
        named = [(v, n) for v, n in zip(scope.inputs, scope.input_names, strict=True) if v[0] in live]
        if scope is not root:
            scope.inputs, scope.input_names = [v for v, _ in named], [n for _, n in named]
        return bool(scope.items) or any(v[0] in live for v in flat(scope.outputs))

    visit(root)
    _connect(root)


def _connect(root: Scope) -> None:
    """Gives every scope inputs for what it uses, and outputs for what others use of it."""
    uses: dict[Value, list[Scope]] = {}
    home: dict[Node, tuple[Scope, ...]] = {}
    for scope, way in _with_ways(root, ()):
        for item in scope.items:
            if not isinstance(item, Scope):
                home[item] = way
                for entry in item.inputs:
                    uses.setdefault(value_of(entry), []).append(scope)
            else:
                for value in item.inputs:
                    uses.setdefault(value, []).append(scope)
        for value in flat(scope.outputs):
            uses.setdefault(value, []).append(scope)
    ways = dict(_with_ways(root, ()))
    for value, users in uses.items():
        node = value[0]
        inside = home.get(node, ())
        for user in users:
            way = ways[user]
            if node.is_variable:
                continue
            for outer in way:  # scopes that the value has to be brought into
                if outer not in inside and value not in outer.inputs:
                    outer.inputs.append(value)
                    outer.input_names.append(_hint(node))
            for own in inside:  # scopes that it has to be brought out of
                if own not in way and value not in flat(own.outputs):
                    rest = (
                        own.outputs if isinstance(own.outputs, tuple) and not _single(own.outputs) else (own.outputs,)
                    )
                    own.outputs = (*[r for r in rest if r is not None], value)


def _single(outputs: object) -> bool:
    return isinstance(outputs, tuple) and len(outputs) == 2 and isinstance(outputs[0], Node)


def _hint(node: Node) -> str:
    return node.name.rsplit("_", 1)[-1].strip("0123456789") or "value"


def _with_ways(scope: Scope, way: tuple[Scope, ...]) -> list[tuple[Scope, tuple[Scope, ...]]]:
    way = (*way, scope)
    found = [(scope, way)]
    for item in scope.items:
        if isinstance(item, Scope):
            found += _with_ways(item, way)
    return found
