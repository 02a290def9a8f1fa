"""From scopes of nodes to modules: layers, containers, and classes with a forward."""

from __future__ import annotations

import keyword
import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from ..error import MXNetNotImplementedError
from ..graph.node import Node
from . import kernels, losses
from .expressions import RULES, Expression
from .functions import CONSTANT_ARRAYS, TEXTS, constant_array, expression_of
from .layers import LAYERS, Layer, Site, layer_of, recurrent
from .sizes import Sizes
from .tree import Body, Literal, Make, Name, Own, Proto, Scope, Statement, Value, Weight, flat, map_nested, value_of

_ZEROS = ("_zeros", "_zeros_without_dtype", "_npi_zeros")
#: What a file with variables only, and no values for them, may still say of them.
Problems = list[str]


def identifier(text: str, default: str = "layer") -> str:
    """A name as Python takes it, in small letters with underscores."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", "_", text)
    plain = re.sub(r"[\W_]+", "_", plain, flags=re.ASCII).strip("_").lower()
    if not plain or plain[0].isdigit():
        plain = f"{default}{plain}" if plain else default
    return f"{plain}_" if keyword.iskeyword(plain) or plain in _TAKEN else plain


#: What modules have already.
_TAKEN = {*dir(nn.Module), "training", "loss"}


class Builder:
    """Makes the modules of a network. What cannot be translated is collected in ``problems``."""

    def __init__(
        self,
        sizes: Sizes,
        dtypes: Mapping[Value, Any],
        parameters: Mapping[Node, Any],
        labels: Mapping[Node, Any],
    ):
        self.sizes, self.dtypes, self.parameters, self.labels = sizes, dtypes, parameters, labels
        self.shapes = sizes.shapes
        self.problems: Problems = []
        self.made: dict[Any, tuple[Make, list[int]]] = {}
        self.uses_ops: set[str] = set()
        #: Keys of blocks that are called in ways that differ: no class has two forwards, so their callers do the work.
        self.inline: set[Any] = set()
        #: The attributes that parameters are in their blocks, by the names of their variables.
        self.attributes: dict[str, str] = {}

    def site(self, node: Node) -> Site:
        """A node with what is known of it."""
        return Site(node, self.sizes, self.dtypes, self.parameters)

    # ---- containers --------------------------------------------------------------------------------------------------

    def sequence(self, scope: Scope) -> list[Make] | None:
        """The modules that do what a scope does, one after the other; None if it is not that simple."""
        if len(scope.inputs) != 1 or len(flat(scope.outputs)) != 1:
            return None
        current, found = scope.inputs[0], []
        for item in scope.items:
            if isinstance(item, Scope):
                if item.inputs != [current] or len(flat(item.outputs)) != 1 or item.style == "recurrent":
                    return None
                if item.key in self.inline:
                    return None
                inner = self.sequence(item) if item.style == "layer" else None
                found += [self.make(item)] if inner is None else inner
                (current,) = flat(item.outputs)
            else:
                if not item.inputs or value_of(item.inputs[0]) != current:
                    return None
                layer = self._layer(item, in_class=False)
                if layer is None or tuple(layer.takes) != (0,):
                    return None
                found += [layer.make] if layer.before_make is None else [layer.before_make, layer.make]
                current = (item, 0)
        if [current] != flat(scope.outputs):
            return None
        return found or [Make("nn.Identity")]

    def _layer(self, node: Node, in_class: bool) -> Layer | None:
        site = self.site(node)
        layer = layer_of(site, in_class)
        if layer is not None and layer.make.weights:
            used = {e.node for e in node.inputs} - {node.inputs[0].node}
            if any(n not in self.parameters for n in used):
                return None
        return layer

    def concurrent(self, scope: Scope) -> Make | None:
        """Branches whose results are joined."""
        *branches, last = scope.items
        if len(scope.inputs) != 1 or isinstance(last, Scope) or last.op.name != "Concat":
            return None
        if any(not isinstance(b, Scope) or b.inputs != scope.inputs or len(flat(b.outputs)) != 1 for b in branches):
            return None
        if any(b.key in self.inline for b in branches):
            return None
        if [value_of(e) for e in last.inputs] != [flat(b.outputs)[0] for b in branches]:
            return None
        axis = self.site(last).attrs["dim"]
        return Make("Concurrent", {"dim": axis}, [self.make(b) for b in branches])

    def make(self, scope: Scope) -> Make:
        """The module of a scope: the same one for the same block."""
        return self._make(scope)[0]

    def _make(self, scope: Scope) -> tuple[Make, list[int]]:
        """The module, and which of the scope's inputs it takes."""
        if scope.key is not None and scope.key in self.made:
            self._check_again(scope)
            return self.made[scope.key]
        made, takes = None, list(range(len(scope.inputs)))
        if scope.style in ("sequence", "layer"):
            items = self.sequence(scope)
            if items is not None:
                made = items[0] if len(items) == 1 else Make("nn.Sequential", items=items)
        elif scope.style == "concurrent":
            made = self.concurrent(scope)
        elif len(scope.items) == 1 and isinstance(scope.items[0], Scope):
            # A class around one block is that block.
            (only,) = scope.items
            is_same = only.inputs == scope.inputs and flat(only.outputs) == flat(scope.outputs)
            if is_same and only.style != "recurrent" and only.key not in self.inline:
                made, takes = self._make(only)
        elif len(scope.items) == 1 and isinstance(scope.items[0], Node):
            items = self.sequence(scope)
            made = items[0] if items is not None and len(items) == 1 else None
        if made is None:
            proto, takes = self.proto(scope)
            made = Make("", proto=proto)
        if scope.key is not None:
            self.made[scope.key] = made, takes
        return made, takes

    def _check_again(self, scope: Scope) -> None:
        """Is a block that is called again called in the same way? One class has one forward."""
        made, takes = self.made.pop(scope.key)
        again, takes_again = self._make(scope)
        self.made[scope.key] = made, takes
        if not self.problems and (takes, _text_of(made)) != (takes_again, _text_of(again)):
            raise _CalledDifferently(scope.key)

    # ---- classes -----------------------------------------------------------------------------------------------------

    def root(self, scope: Scope) -> Make:
        """The whole network, which is a class of its own."""
        for inner in scope.scopes():
            if inner.block is not None:
                self.attributes.update((p.name, name) for name, p in inner.block._reg_params.items())
        while True:
            try:
                proto, _ = self.proto(scope, is_root=True)
                return Make("", proto=proto)
            except _CalledDifferently as error:
                self.inline.add(error.key)
                self.made, self.problems, self.uses_ops = {}, [], set()

    def proto(self, scope: Scope, is_root: bool = False) -> tuple[Proto, list[int]]:
        """The class of a scope, and which of its inputs count."""
        writer = _ClassWriter(self, scope, is_root)
        return writer.proto, writer.takes


class _CalledDifferently(Exception):
    """A block is called again, in another way."""

    def __init__(self, key: Any):
        self.key = key


class _ClassWriter:
    """Writes children and forward of one class."""

    def __init__(self, builder: Builder, scope: Scope, is_root: bool):
        self.builder = builder
        self.proto = Proto(scope.kind or "Net", doc=scope.doc)
        names = _unique([identifier(n, "x") for n in scope.input_names])
        self.body = self.proto.body = Body(names, [builder.shapes.get(v) for v in scope.inputs])
        self.values: dict[Value, int] = {v: i for i, v in reversed(list(enumerate(scope.inputs)))}
        self.body.count = len(scope.inputs)
        self.scope = scope
        self.attributes: dict[Any, str] = {}
        #: Arrays of one number, which are made where they are first used.
        self.constants: set[Value] = set()
        self.is_root = is_root
        self.items(scope, _schedule(scope.items), None)
        outputs = list(dict.fromkeys(flat(scope.outputs))) if not is_root else scope.outputs
        self.body.outputs = map_nested(outputs, self.operand) if outputs else outputs
        if isinstance(self.body.outputs, list) and (not is_root or len(self.body.outputs) == 1):
            self.body.outputs = tuple(self.body.outputs) if len(self.body.outputs) > 1 else self.body.outputs[0]
        self.body.out_shapes = map_nested(outputs, lambda v: builder.shapes.get(v))
        self.takes = list(range(len(scope.inputs)))
        if builder.problems:  # there are values that nothing computes, and nothing will be written
            return
        _drop_dead(self.body, self.proto)
        used = _used_values(self.body)
        self.takes = [i for i in range(len(scope.inputs)) if is_root or i in used]
        _keep_arguments(self.body, self.takes)

    # ---- names -------------------------------------------------------------------------------------------------------

    def attribute(self, hint: str, make: Make) -> str:
        """Gives a child a name."""
        name, number = identifier(hint), 1
        while name in self.proto.children:
            number += 1
            name = f"{identifier(hint)}_{number}" if hint[-1:].isdigit() else f"{identifier(hint)}{number}"
        self.proto.children[name] = make
        return name

    def node_name(self, node: Node, default: str) -> str:
        """The name that a node's layer gets: its own one, without what its scope and the library added."""
        name = node.name.removeprefix(self.scope.prefix).removesuffix("_fwd").strip("_")
        assert node.op is not None
        if self.scope.block is not None or not name or re.fullmatch(rf"{node.op.name.lower()}\d*", name):
            return default
        return name

    def layer_name(self, node: Node, layer: Layer) -> str:
        """The name for a layer: what its parameters' names in the block have in common, or the node's own."""
        names = {v: self.builder.attributes.get(w.variable or "", "") for v, w in layer.make.weights.items()}
        stems = {n.removesuffix(f"_{v}") for v, n in names.items() if n.endswith(f"_{v}")}
        if len(stems) == 1 and all(n.endswith(f"_{v}") for v, n in names.items()):
            return stems.pop()
        return self.node_name(node, layer.name)

    def child(self, scope: Scope, make: Make) -> str:
        """The expression for a child block: ``conv``, or ``features[3]`` for one inside of a container."""
        key = scope.key if scope.key is not None else id(scope)
        if key in self.attributes:
            return self.attributes[key]
        path = [p for p in scope.path] or [scope.name]
        if len(path) == 1 and path[0].isdigit():
            path = [scope.kind]
        if len(path) > 1 and not path[0].isdigit() and all(p.isdigit() for p in path[1:]):
            name = identifier(path[0])
            container = self.proto.children.setdefault(name, Make("nn.ModuleList"))
            if container.name == "nn.ModuleList":
                text = f"{name}[{len(container.items)}]"
                container.items.append(make)
                self.attributes[key] = text
                return text
        if len(path) > 1:
            path = ["_".join(p for p in path if not p.isdigit()) or scope.kind]
        text = self.attributes[key] = self.attribute(path[0], make)
        return text

    # ---- values ------------------------------------------------------------------------------------------------------

    def operand(self, value: Value, near: Sequence[Value] = ()) -> Any:
        """The number of a value, or the parameter that it is; ``near`` are values that are used with it."""
        if value in self.constants:
            self.constants.remove(value)
            self.constant(value, [v for v in (*near, *self.scope.inputs) if v in self.values])
        if value in self.values:
            return self.values[value]
        node = value[0]
        if node in self.builder.parameters:
            return Own(self.parameter(node))
        what = "a label, which only loss heads take" if node in self.builder.labels else "not known here"
        self.builder.problems.append(f"{node.name}: this input is {what}")
        return 0

    def constant(self, value: Value, near: Sequence[Value]) -> None:
        """Writes an array that no input is needed for: on the device of what is there, with its sizes."""
        shapes, dtypes, sizes = self.builder.shapes, self.builder.dtypes, self.builder.sizes
        operands: list[Any] = []
        parts = []
        for axis, size in enumerate(shapes[value]):
            place = sizes.find(value, axis, near) if sizes.varies(value, axis) else None
            operands.append(Literal(size, "size") if place is None else self.operand(place[0]))
            parts.append(f"{{{axis}}}" if place is None else f"{{{axis}}}.shape[{place[1]}]")
        site = self.builder.site(value[0])
        dtype = dtypes.get(value) or torch.float32
        text, is_float = constant_array(site, ", ".join(parts), dtype), dtype is torch.float32
        like = next((v for v in near if dtypes.get(v) is torch.float32), None) if is_float else None
        if like is not None and ", device=@device" in text:  # of the same type, whatever the network is converted to
            text = text.replace("torch.", f"{{{len(operands)}}}.new_", 1).replace(", device=@device", "")
            operands.append(self.operand(like))
        self.add(Statement([self.new(value)], text, operands, "zeros" if "zeros" in text else "constant"))

    def parameter(self, node: Node) -> str:
        """The attribute for a parameter that operators use directly."""
        if node in self.attributes:
            return self.attributes[node]
        shape = tuple(self.builder.shapes[node, 0])
        kind = "buffer" if self.builder.parameters[node] == "state" else "nn.Parameter"
        make = Make(kind, {f"d{i}": n for i, n in enumerate(shape)}, weights={"": Weight(node.name, shape)})
        hint = node.name.removeprefix(self.scope.prefix)
        block = self.scope.block
        if block is not None:
            hint = self.builder.attributes.get(node.name) or hint.rsplit("_", 1)[-1]
        self.attributes[node] = self.attribute(hint, make)
        return self.attributes[node]

    def new(self, value: Value | None = None) -> int:
        number = self.body.count
        self.body.count += 1
        if value is not None:
            self.values[value] = number
        return number

    def add(self, statement: Statement) -> None:
        if "@device" in statement.text:
            statement.operands.append(0)
            statement.text = statement.text.replace("@device", f"{{{len(statement.operands) - 1}}}.device")
        self.body.statements.append(statement)

    # ---- items -------------------------------------------------------------------------------------------------------

    def items(self, scope: Scope, items: list[Any], name: str | None) -> None:
        for item in items:
            try:
                if isinstance(item, Scope):
                    self.call(item)
                else:
                    self.node(item, name)
            except MXNetNotImplementedError as error:
                self.builder.problems.append(str(error))
                if not isinstance(item, Scope):
                    for i in range(item.num_outputs()):
                        self.new((item, i))
                else:
                    for value in flat(item.outputs):
                        self.new(value)

    def call(self, scope: Scope) -> None:
        """A call of a child."""
        if scope.style == "recurrent":
            return self.recurrent(scope)
        if scope.key in self.builder.inline:
            return self.items(scope, scope.items, None)
        if not scope.items and all(v in scope.inputs for v in flat(scope.outputs)):
            return None  # the identity
        if scope.style == "layer":
            inner = self.builder.sequence(scope)
            if inner is None or len(inner) > 1:
                name = scope.path[-1] if scope.path and not scope.path[-1].isdigit() else scope.kind
                return self.items(scope, scope.items, name)
            make, takes = self.builder._make(scope)
        else:
            make, takes = self.builder._make(scope)
        text = self.child(scope, make)
        operands = [self.operand(scope.inputs[i], scope.inputs) for i in takes]
        outs = [self.new(v) for v in dict.fromkeys(flat(scope.outputs))]
        inside = ", ".join(f"{{{i}}}" for i in range(len(operands)))
        hint = re.sub(r"s?\[\d+\]", "", text)
        self.add(Statement(outs, f"self.{text}({inside})", operands, identifier(hint), child=text))
        return None

    def node(self, node: Node, name: str | None = None) -> None:
        """One operator."""
        assert node.op is not None
        site = self.builder.site(node)
        if node.op.name in CONSTANT_ARRAYS:
            self.constants.add((node, 0))
            return
        if losses.is_head(site):
            expression = losses.head(site, self.builder.labels)
            self.expression(node, expression, [0])
            if self.is_root:
                place = next((i for i, v in enumerate(flat(self.scope.outputs)) if v == (node, 0)), None)
                if place is not None:
                    self.proto.loss.append(losses.loss_of(site, place, self.builder.labels))
            return
        if node.op.name == "RNN":
            layer = recurrent(site)
            if layer is not None:
                states = [] if self._are_zeros([value_of(e) for e in node.inputs[2:]]) else list(node.inputs[2:])
                outs = [(node, i) for i in range(node.num_outputs())]
                hint = self.node_name(node, layer.name)
                return self.rnn(node, layer, hint, value_of(node.inputs[0]), [value_of(e) for e in states], outs)
        layer = self.builder._layer(node, in_class=True)
        if layer is not None:
            hint = name or self.layer_name(node, layer)
            key: Any = (layer.make.name, tuple(w.variable for w in layer.make.weights.values()))
            if not layer.make.weights:  # one module for all that have no name of their own
                key = (layer.make.name, repr(layer.make.args), hint if hint == layer.name else node)
            if key not in self.attributes:
                self.attributes[key] = self.attribute(hint, layer.make)
            text = self.attributes[key]
            operand = self.operand(value_of(node.inputs[0]))
            if layer.before != "{0}":
                before = self.new()
                self.add(Statement([before], layer.before, [operand], "="))
                operand = before
            result = self.new((node, 0) if layer.after == "{0}" else None)
            self.add(Statement([result], f"self.{text}({{0}})", [operand], identifier(text), child=text))
            if layer.after != "{0}":
                self.add(Statement([self.new((node, 0))], layer.after, [result], "="))
            return
        if site.op == "amp_multicast" and len({site.dtype(i) for i in range(len(node.inputs))}) == 1:
            self.values.update({(node, i): self.operand(value_of(e)) for i, e in enumerate(node.inputs)})
            return
        expression_ = expression_of(site)
        if expression_ is None:
            expression_ = kernels.call(site)
            self.builder.uses_ops.update(expression_.needs)
        self.expression(node, expression_, list(range(node.num_outputs())))

    def expression(self, node: Node, expression: Expression, outs: list[int]) -> None:
        near = [value_of(e) for e in node.inputs]
        operands = [self.operand(near[o], near) if isinstance(o, int) else o for o in expression.operands]
        if expression.text == "{0}" and isinstance(operands[0], int):
            self.values[node, 0] = operands[0]  # the same value under another name
            return
        assert node.op is not None
        hint = expression.hint or "="  # the same value in another form keeps its name
        if self.scope.block is None:
            own = self.node_name(node, "")
            hint = identifier(own) if own and not own.startswith(("_", "plus", "mul", "minus")) else hint
        self.builder.uses_ops.update(expression.needs)
        numbers = [self.new((node, i)) for i in outs]
        self.add(Statement(numbers, expression.text, operands, hint, expression.level))

    # ---- recurrent layers --------------------------------------------------------------------------------------------

    def _are_zeros(self, states: list[Value]) -> bool:
        return all(n.op is not None and n.op.name in _ZEROS for n, _ in states)

    def recurrent(self, scope: Scope) -> None:
        """A Gluon layer as one of torch's."""
        node = next(n for n in scope.nodes() if n.op is not None and n.op.name == "RNN")
        vector = node.inputs[1].node
        parts = None
        if not vector.is_variable:
            variables = [e.node.inputs[0].node for e in vector.inputs]
            parts = [Weight(v.name, tuple(self.builder.shapes[v, 0])) for v in variables]
        first = scope.block._layout == "NTC"
        layer = recurrent(self.builder.site(node), parts, first)
        if layer is None:
            raise self.builder.site(node).refuse("sequence lengths and clipped states of recurrent layers")
        states = [] if self._are_zeros(scope.inputs[1:]) else scope.inputs[1:]
        outs = flat(scope.outputs)
        hint = scope.path[-1] if scope.path and not scope.path[-1].isdigit() else layer.name
        self.rnn(node, layer, hint, scope.inputs[0], states, outs, scope.key)

    def rnn(
        self,
        node: Node,
        layer: Layer,
        hint: str,
        data: Value,
        states: list[Value],
        outs: list[Value],
        key: object = None,
    ) -> None:
        """A call of nn.LSTM, nn.GRU or nn.RNN, with the states that are given and wanted."""
        if key is not None and key in self.attributes:
            text = self.attributes[key]
        else:
            text = self.attribute(hint, layer.make)
            if key is not None:
                self.attributes[key] = text
        operands = [self.operand(data), *[self.operand(s) for s in states]]
        given = {0: "", 1: ", {1}", 2: ", ({1}, {2})"}[len(states)]
        numbers = [self.new(v) for v in outs]
        is_lstm = layer.make.name == "nn.LSTM"
        form = "{0}, _" if len(numbers) == 1 else "{0}, ({1}, {2})" if is_lstm else "{0}, {1}"
        statement = Statement(numbers, f"self.{text}({{0}}{given})", operands, hint="output", child=text, form=form)
        self.add(statement)


def _text_of(make: Make) -> Any:
    """What a module does: two calls of one block that have the same are calls of one module."""
    if make.proto is None:
        return make.name, make.args, list(make.weights.values()), [_text_of(i) for i in make.items]
    body = make.proto.body

    def operand(o: Any) -> Any:
        return o if isinstance(o, int) else (type(o).__name__, o.name if isinstance(o, Own) else o.value)

    rows = [(s.text, s.form, s.outs, [operand(o) for o in s.operands]) for s in body.statements]
    children = {n: _text_of(m) for n, m in make.proto.children.items()}
    return len(body.arguments), rows, map_nested(body.outputs, operand), children


def is_written(op_name: str) -> bool:
    """Has this operator lines of its own in the tables? Others are copied from their kernels."""
    tables: tuple[Container[str], ...] = (RULES, TEXTS, LAYERS, losses.HEADS, CONSTANT_ARRAYS, ("RNN", "amp_multicast"))
    return any(op_name in table for table in tables) or op_name.endswith("_scalar")


def _schedule(items: list[Any]) -> list[Any]:
    """The items in an order in which what belongs together stands together: each soon after what it needs."""
    made: dict[Value, Any] = {}
    for item in items:
        outs = flat(item.outputs) if isinstance(item, Scope) else [(item, i) for i in range(item.num_outputs())]
        made.update({v: item for v in outs if v not in made})
    needs = {}
    for item in items:
        takes = item.inputs if isinstance(item, Scope) else [value_of(e) for e in item.inputs]
        needs[item] = {made[v] for v in takes if v in made and made[v] is not item}
    users: dict[Any, list[Any]] = {item: [] for item in items}
    for item in items:
        for source in needs[item]:
            users[source].append(item)
    place = {item: i for i, item in enumerate(items)}
    ready_at = {item: 0 for item in items if not needs[item]}
    done: dict[Any, None] = {}
    last: Any = None
    while ready_at:
        following = [u for u in users.get(last, ()) if u in ready_at and not isinstance(u, Scope)]
        if following:
            item = min(following, key=place.__getitem__)
        else:
            item = min(ready_at, key=lambda i: (ready_at[i], isinstance(i, Scope), place[i]))
        del ready_at[item]
        done[item] = None
        for user in users[item]:
            if user not in done and all(n in done for n in needs[user]):
                ready_at.setdefault(user, len(done))
        last = item
    return list(done) if len(done) == len(items) else items


def _unique(names: list[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        own, number = name, 1
        while own in found:
            number += 1
            own = f"{name}{number}"
        found.append(own)
    return found


def _used_values(body: Body) -> set[int]:
    used = set(v for v in flat(body.outputs) if isinstance(v, int))
    for statement in body.statements:
        used.update(o for o in statement.operands if isinstance(o, int))
    return used


def _drop_dead(body: Body, proto: Proto) -> None:
    """Removes statements whose results are unused, and children that are not called any more."""
    while True:
        used = _used_values(body)
        kept = [s for s in body.statements if any(o in used for o in s.outs)]
        if len(kept) == len(body.statements):
            break
        body.statements = kept
    used_own = {o.name for s in body.statements for o in s.operands if isinstance(o, Own)}
    used_own |= {o.name for o in flat(body.outputs) if isinstance(o, Own)}
    called = {s.child.partition("[")[0] for s in body.statements if s.child is not None}
    proto.children = {n: m for n, m in proto.children.items() if n in called or n in used_own}


def _keep_arguments(body: Body, kept: list[int]) -> None:
    """Removes arguments and numbers the values anew."""
    numbers = {old: new for new, old in enumerate(kept)}
    body.arguments = [body.arguments[i] for i in kept]
    body.shapes = [body.shapes[i] for i in kept]
    for statement in body.statements:
        for out in statement.outs:
            numbers[out] = len(numbers)
    for statement in body.statements:
        statement.outs = [numbers[o] for o in statement.outs]
        statement.operands = [numbers[o] if isinstance(o, int) else o for o in statement.operands]
    body.outputs = map_nested(body.outputs, lambda v: numbers[v] if isinstance(v, int) else v)
    body.count = len(numbers)


__all__ = ["Builder", "Name", "identifier"]
