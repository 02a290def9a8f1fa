"""Symbol files: structure by the names of nodes, and by what repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from ..context import cpu
from ..error import MXNetError, MXNetValueError
from ..graph.infer import graph_shapes
from ..graph.node import Entry, Graph, Node
from ..ndarray import NDArray, array
from ..symbol import Symbol
from .losses import LABELLED
from .obstacles import obstacles, refuse
from .package import Translation
from .tree import Scope, Value, value_of


def of_symbol(
    symbol: Symbol,
    params: Mapping[str, Any],
    shapes: Mapping[str, Sequence[int]],
    inputs: Sequence[Any],
    seed: int,
) -> tuple[Translation, list[np.ndarray]]:
    """A symbol with its parameters: the translation, and what it gives for example inputs."""
    from .api import example, example_shape

    arrays = {name.split(":", 1)[-1]: a for name, a in params.items()}
    order = symbol._outputs.order
    variables = {n.name: n for n in order if n.is_variable}
    free = [name for name in variables if name not in arrays]
    labels = _labels(order, free)
    wanted = [name for name in free if name not in labels]
    given = dict(shapes)
    given.update(zip(wanted, inputs, strict=False))
    for name in wanted:
        text = variables[name].attrs.get("__shape__")
        if name not in given and text and "0" not in re.findall(r"-?\d+", text) and "-" not in text:
            given[name] = [int(n) for n in re.findall(r"\d+", text)]
    tensors = {n: _tensor(a) for n, a in arrays.items() if n in variables}
    missing = [name for name in wanted if name not in given]
    unknown = [name for name in given if name not in wanted]
    parts = [f"neither parameters nor shapes are given for {', '.join(missing)}"] if missing else []
    parts += [f"there is no input {', '.join(unknown)}; the inputs are {', '.join(wanted)}"] if unknown else []
    parts += _misfits(symbol, {n: example_shape(given[n]) for n in wanted if n in given}, tensors)
    if found := obstacles(order, tensors):
        refuse(found, *parts)
    if parts:
        raise MXNetValueError("; ".join(parts))
    rng = np.random.default_rng(seed)
    words = _words(order)
    examples = {name: example(given[name], rng, words.get(name)) for name in wanted}
    scope = scope_of(symbol._outputs, [(variables[n], 0) for n in wanted], set(tensors) | set(labels))
    translation = Translation(scope, symbol._outputs, examples, tensors, labels)
    return translation, _run(symbol, examples, tensors)


def _misfits(symbol: Symbol, inputs: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> list[str]:
    """The parameters whose shapes are not those that the inputs ask for."""
    try:
        shapes = graph_shapes(symbol._outputs, inputs)
    except MXNetError:  # the inputs do not fit: their error comes with the parameters' shapes in it, later
        return []
    wanted = {n.name: shapes.get((n, 0)) for n in symbol._outputs.order if n.is_variable}
    return [
        f"{name} has shape {tuple(tensor.shape)}, the network takes {tuple(shape)} here"
        for name, tensor in tensors.items()
        if (shape := wanted[name]) is not None and all(n >= 0 for n in shape) and tuple(shape) != tuple(tensor.shape)
    ]


def _tensor(value: object) -> torch.Tensor:
    if isinstance(value, torch.Tensor):
        return value.detach()
    return value.as_torch().detach() if isinstance(value, NDArray) else torch.from_numpy(np.asarray(value))


def _labels(order: Sequence[Node], free: Sequence[str]) -> list[str]:
    """The variables that only loss layers take, as their labels."""
    uses: dict[str, list[bool]] = {}
    for node in order:
        for place, entry in enumerate(node.inputs):
            if entry.node.is_variable:
                is_label = node.op is not None and node.op.name in LABELLED and place == 1
                uses.setdefault(entry.node.name, []).append(is_label)
    return [name for name in free if all(uses.get(name, [False]))]


def _words(order: Sequence[Node]) -> dict[str, int]:
    """Inputs that are numbers of words, and how many words there are."""
    return {
        node.inputs[0].node.name: int(node.parsed()["input_dim"])
        for node in order
        if node.op is not None and node.op.name == "Embedding" and node.inputs[0].node.is_variable
    }


def _run(symbol: Symbol, inputs: Mapping[str, np.ndarray], tensors: Mapping[str, torch.Tensor]) -> list[np.ndarray]:
    """What the symbol gives for prediction."""
    shapes: dict[str, Any] = {name: a.shape for name, a in inputs.items()}
    types = {name: a.dtype for name, a in inputs.items()}
    executor = symbol.simple_bind(cpu(), grad_req="null", type_dict=types, **shapes)
    for name, target in {**executor.arg_dict, **executor.aux_dict}.items():
        if name in inputs:
            target[:] = array(inputs[name], dtype=inputs[name].dtype)
        elif name in tensors:
            target[:] = array(tensors[name].numpy(), dtype=tensors[name].numpy().dtype)
    return [a.asnumpy() for a in executor.forward(is_train=False)]


# ---- groups of nodes -------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Group:
    """Nodes whose names begin alike."""

    name: str
    prefix: str
    nodes: list[Node] = field(default_factory=list)
    groups: list[_Group] = field(default_factory=list)

    def all_nodes(self) -> list[Node]:
        return [*self.nodes, *[n for g in self.groups for n in g.all_nodes()]]


class _Graph:
    """Who uses what."""

    def __init__(self, order: Sequence[Node], outputs: Sequence[Entry]):
        self.order = [n for n in order if not n.is_variable]
        self.place = {n: i for i, n in enumerate(self.order)}
        self.sources = {n: {e.node for e in n.inputs if not e.node.is_variable} for n in self.order}
        self.users: dict[Node, set[Node]] = {n: set() for n in self.order}
        for node in self.order:
            for source in self.sources[node]:
                self.users[source].add(node)
        self.outputs = {e.node for e in outputs}

    def is_convex(self, nodes: Iterable[Node]) -> bool:
        """Does no way lead out of these nodes and back into them?"""
        inside = set(nodes)
        last = max(self.place[n] for n in inside)
        wanted = [u for n in inside for u in self.users[n] if u not in inside]
        seen: set[Node] = set()
        while wanted:
            node = wanted.pop()
            if node in seen or self.place[node] > last:
                continue
            seen.add(node)
            for user in self.users[node]:
                if user in inside:
                    return False
                wanted.append(user)
        return True


_GENERATED = re.compile(r"(_?plus|_?mul|_?minus|_?div|_?[a-z]+(_[a-z]+)*)\d+$")


def _is_generated(node: Node, name: str) -> bool:
    """Was the name made from the operator's?"""
    assert node.op is not None
    known = {a.lower().strip("_") for a in (node.op.name, *node.op.aliases)}
    stem = re.sub(r"\d+$", "", name).strip("_").lower()
    return stem in known or stem in ("plus", "mul", "minus", "div") or stem.endswith("_scalar")


def scope_of(outputs: Sequence[Entry], inputs: Sequence[Value], closed: set[str], kind: str = "Net") -> Scope:
    """The scope of a whole symbol; ``closed`` are the names of variables that are parameters or labels."""
    order = Graph.of(outputs).order
    graph = _Graph(order, outputs)
    names = {n: re.sub(r"_fwd$", "", n.name) for n in graph.order}
    common = _common(list(names.values()))
    root = _Group("", common, list(graph.order))
    free = {n for n in graph.order if _is_generated(n, names[n][len(common) :])}
    _divide(root, graph, names, free)
    _adopt(root, graph, free)
    _sink(root, graph)
    heads = [value_of(e) for e in outputs]
    scope = _to_scope(root, graph, closed, heads, kind)
    scope.inputs = list(inputs)
    scope.input_names = [v[0].name for v in inputs]
    scope.outputs = heads[0] if len(heads) == 1 else tuple(heads)
    return scope


def _common(names: Sequence[str]) -> str:
    """The beginning, up to an underscore, that nearly all names share."""
    if len(names) < 3:
        return ""
    firsts = [n.split("_", 1)[0] + "_" for n in names if "_" in n.strip("_") and not n.startswith("_")]
    for first in sorted(set(firsts), key=firsts.count, reverse=True)[:1]:
        with_it = [n for n in names if n.startswith(first)]
        if len(with_it) >= 0.9 * len(names) and all(len(n) > len(first) for n in with_it):
            return first
    return ""


def _divide(group: _Group, graph: _Graph, names: Mapping[Node, str], free: set[Node]) -> None:
    """Makes groups of nodes that share another word at the beginning of their names."""
    found: dict[str, list[Node]] = {}
    for node in group.nodes:
        rest = names[node].removeprefix(group.prefix)
        word, separator, _ = rest.partition("_")
        if separator and word and not word.isdigit() and node not in free and node.inputs:
            found.setdefault(word, []).append(node)
    heads = {n for n in group.nodes if n.op is not None and n.op.name in LABELLED}
    for word, nodes in found.items():
        nodes = [n for n in nodes if n not in heads]
        if len(nodes) < 2 or len(nodes) == len(group.nodes):
            continue
        inside = set(nodes)
        # Generated names belong to whom they stand between.
        extended = _with_free(inside, graph, free & set(group.nodes))
        if not graph.is_convex(extended):
            continue
        made = _Group(word, f"{group.prefix}{word}_", [n for n in graph.order if n in extended])
        group.groups.append(made)
        group.nodes = [n for n in group.nodes if n not in extended]
        _divide(made, graph, names, free)


def _with_free(inside: set[Node], graph: _Graph, free: set[Node]) -> set[Node]:
    """Nodes with generated names that stand between nodes of a group."""
    extended = set(inside)
    changed = True
    while changed:
        changed = False
        for node in free - extended:
            before = graph.sources[node] & extended
            if before and graph.users[node] & extended:
                extended.add(node)
                changed = True
    return extended


def _adopt(group: _Group, graph: _Graph, free: set[Node]) -> None:
    """Nodes with generated names go to the group whose last result they take, if it takes the others as well."""
    for inner in group.groups:
        _adopt(inner, graph, free)
    for node in [n for n in group.nodes if n in free]:
        sources = sorted(graph.sources[node], key=graph.place.__getitem__)
        if len(sources) < 2:
            continue
        home: _Group | None = next((g for g in group.groups if sources[-1] in g.all_nodes()), None)
        if home is None:
            continue
        inside = set(home.all_nodes())
        taken = {s for n in inside for s in graph.sources[n]}
        if all(s in inside or s in taken for s in sources) and graph.is_convex(inside | {node}):
            while True:  # as deep as its last source is
                deeper = next((g for g in home.groups if sources[-1] in g.all_nodes()), None)
                if deeper is None:
                    break
                within = set(deeper.all_nodes())
                taken = {s for n in within for s in graph.sources[n]}
                if not all(s in within or s in taken for s in sources) or not graph.is_convex(within | {node}):
                    break
                home = deeper
            home.nodes.append(node)
            home.nodes.sort(key=graph.place.__getitem__)
            group.nodes.remove(node)


def _sink(group: _Group, graph: _Graph) -> None:
    """Arrays of one number, which need no inputs, go where they are used."""
    for node in [n for n in group.nodes if not n.inputs and n not in graph.outputs]:
        home = next((g for g in group.groups if graph.users[node] <= set(g.all_nodes())), None)
        if home is not None:
            group.nodes.remove(node)
            home.nodes.insert(0, node)
    for inner in group.groups:
        _sink(inner, graph)


# ---- scopes ----------------------------------------------------------------------------------------------------------


def _to_scope(group: _Group, graph: _Graph, closed: set[str], heads: Sequence[Value], kind: str) -> Scope:
    scope = Scope(kind, group.name, prefix=group.prefix, path=(group.name,) if group.name else ())
    inner = {id(g): _to_scope(g, graph, closed, heads, _kind(g.name)) for g in group.groups}
    scope.items = _topological_order(group, graph, inner)
    scope.items = _repeats(scope.items, graph, closed, heads)
    _connect(scope, graph, closed, heads)
    if group.name and all(isinstance(i, Scope) for i in scope.items):
        scope.style = "sequence"
    elif group.name and _is_chain(scope):
        scope.style = "sequence"
    return scope


def _kind(name: str) -> str:
    stem = re.sub(r"\d+$", "", name)
    return "".join(part.title() for part in stem.split("_")) or "Block"


def _is_chain(scope: Scope) -> bool:
    current = scope.inputs[0] if len(scope.inputs) == 1 else None
    for item in scope.items:
        values = item.inputs if isinstance(item, Scope) else [value_of(item.inputs[0])] if item.inputs else []
        if values != [current] or current is None:
            return False
        current = _result(item)
    return True


def _result(item: Any) -> Value | None:
    if not isinstance(item, Scope):
        return (item, 0)
    out = item.outputs
    return out if isinstance(out, tuple) and len(out) == 2 and isinstance(out[0], Node) else None


def _topological_order(group: _Group, graph: _Graph, inner: Mapping[int, Scope]) -> list[Any]:
    """Nodes and groups, each after what it needs."""
    owner: dict[Node, Any] = {n: n for n in group.nodes}
    for one in group.groups:
        owner.update(dict.fromkeys(one.all_nodes(), inner[id(one)]))
    needs: dict[Any, set[Any]] = {}
    for node, item in owner.items():
        needs.setdefault(item, set()).update(
            owner[s] for s in graph.sources[node] if s in owner and owner[s] is not item
        )
    first = {item: min(graph.place[n] for n, i in owner.items() if i is item) for item in needs}
    done: list[Any] = []
    left = sorted(needs, key=first.__getitem__)
    while left:
        item = next((i for i in left if all(n in done for n in needs[i])), None)
        if item is None:
            raise MXNetValueError(f"the groups in {group.prefix or 'the symbol'} need each other")
        left.remove(item)
        done.append(item)
    return done


def _connect(scope: Scope, graph: _Graph, closed: set[str], heads: Sequence[Value]) -> None:
    """Sets what a scope takes and gives."""
    nodes = list(scope.nodes())
    inside = set(nodes)
    takes: dict[Value, None] = {}
    for node in nodes:
        for entry in node.inputs:
            is_closed = entry.node.is_variable and entry.node.name in closed
            if entry.node not in inside and not is_closed:
                takes[value_of(entry)] = None
    gives: dict[Value, None] = {}
    for node in nodes:
        for user in sorted(graph.users[node] - inside, key=graph.place.__getitem__):
            gives.update(dict.fromkeys(value_of(e) for e in user.inputs if e.node is node))
    gives.update(dict.fromkeys(v for v in heads if v[0] in inside))
    scope.inputs = list(takes)
    scope.input_names = ["x"] if len(takes) == 1 else [_short(v[0].name) for v in takes]
    scope.outputs = next(iter(gives)) if len(gives) == 1 else tuple(gives)


def _short(name: str) -> str:
    return re.sub(r"\d+$", "", re.sub(r"_(fwd|output)$", "", name).rsplit("_", 1)[-1]) or "x"


# ---- repeated parts --------------------------------------------------------------------------------------------------


def _repeats(items: list[Any], graph: _Graph, closed: set[str], heads: Sequence[Value]) -> list[Any]:
    """Where branches part and join again more than once in the same way, that is a block."""
    if len(items) < 6 or any(isinstance(i, Scope) for i in items):
        return items
    atoms = _atoms(items, graph, heads)
    wide = [a for a in atoms if len(a) > 1]
    if len(wide) < 2:
        return items
    joins = {a[-1].op.name for a in wide}
    followed = []
    for i, atom in enumerate(atoms):
        if len(atom) > 1:
            following = atoms[i + 1] if i + 1 < len(atoms) else []
            followed.append(len(following) == 1 and following[0].op.name in ("Activation", "relu", "LeakyReLU"))
    with_activation = all(followed) and len(joins) == 1
    found: list[Any] = []
    place = 0
    while place < len(atoms):
        atom = atoms[place]
        if len(atom) == 1:
            found += atom
            place += 1
            continue
        nodes = list(atom)
        if with_activation:
            place += 1
            nodes += atoms[place]
        scope = Scope("Block", "blocks", items=list(nodes))
        scope.items = _branches(atom, graph, closed, heads) + nodes[len(atom) :]
        _connect(scope, graph, closed, heads)
        found.append(scope)
        place += 1
    return _rows(found, graph, closed, heads)


def _rows(items: list[Any], graph: _Graph, closed: set[str], heads: Sequence[Value]) -> list[Any]:
    """Blocks in a row become one container."""
    found: list[Any] = []
    row: list[Scope] = []

    def finish() -> None:
        if len(row) > 1:
            scope = Scope("Blocks", "blocks", "sequence", items=list(row))
            _connect(scope, graph, closed, heads)
            found.append(scope)
        else:
            found.extend(row)
        row.clear()

    for item in items:
        if isinstance(item, Scope) and len(item.inputs) == 1 and _result(item) is not None:
            row.append(item)
        else:
            finish()
            found.append(item)
    finish()
    return found


def _atoms(items: Sequence[Any], graph: _Graph, heads: Sequence[Value]) -> list[list[Any]]:
    """The nodes cut at each place where one value is all that is handed on."""
    inside = set(items)
    last: dict[Value, int] = {}
    for i, node in enumerate(items):
        for entry in node.inputs:
            if not entry.node.is_variable:
                last[value_of(entry)] = i
    for node in items:
        for user in graph.users[node] - inside:
            last.update({value_of(e): len(items) for e in user.inputs if e.node is node})
    last.update({v: len(items) for v in heads if v[0] in inside})
    found: list[list[Any]] = [[]]
    live = {v for v in last if v[0] not in inside}
    for i, node in enumerate(items):
        found[-1].append(node)
        live |= {(node, k) for k in range(node.num_outputs()) if (node, k) in last}
        live = {v for v in live if last[v] > i}
        if len(live) == 1 and next(iter(live))[0] is node:
            found.append([])
    return [a for a in found if a]


def _branches(atom: Sequence[Node], graph: _Graph, closed: set[str], heads: Sequence[Value]) -> list[Any]:
    """The two ways of a sum as ``body`` and ``shortcut``, if each is a chain from where they part."""
    *rest, join = atom
    if join.op is None or join.op.name not in ("elemwise_add", "broadcast_add", "_grad_add") or len(join.inputs) != 2:
        return list(atom)
    ways = []
    for entry in join.inputs:
        way: list[Node] = []
        node = entry.node
        while node in rest:
            if way and len(graph.users[node]) != 1:
                return list(atom)
            way.append(node)
            data = [e.node for e in node.inputs if not (e.node.is_variable and e.node.name in closed)]
            if len(data) != 1:
                return list(atom)
            node = data[0]
        ways.append((node, list(reversed(way))))
    (start, first), (other, second) = ways
    if start is not other or set(first) & set(second) or len(first) + len(second) != len(rest):
        return list(atom)
    found: list[Any] = []
    body, shortcut = (first, second) if len(first) >= len(second) else (second, first)
    for name, nodes in (("body", body), ("shortcut", shortcut)):
        if nodes:
            scope = Scope(name.title(), name, "sequence", path=(name,), items=list(nodes))
            _connect(scope, graph, closed, heads)
            found.append(scope)
    return [*found, join]
