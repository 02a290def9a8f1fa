"""Programs on arrays: writes and views, and gradients."""

from math import prod

from .generate import ArrayGenerator, Generator

FLOATS = ("float32", "float32", "float32", "float32", "float64", "float16")
DTYPES = (*FLOATS, "int32", "int64", "uint8", "int8")


class Arrays(ArrayGenerator):
    """Creation, views, writes through views, in-place arithmetic, ``out=``, copies, conversions, files."""

    length = (6, 18)
    weights = {"write": 5, "view": 5, "in_place": 3, "out": 3, "same": 3, "advanced": 3, "create": 1.5, "copyto": 2}

    def start(self):
        self.arrays = {}
        for _ in range(self.random.randint(2, 3)):
            self.step_create()

    def step_create(self):
        name, shape, dtype = self.new(), self.shape(), self.pick(*DTYPES)
        size = prod(shape)
        if self.chance(0.7):
            given = "" if dtype == "float32" else f", dtype='{dtype}'"
            text = f"nd.array({self.numbers(shape, 8.0 if dtype.startswith('f') else 1.0)}{given})"
            if dtype == "uint8":
                text = f"nd.array(abs({self.numbers(shape, 1.0)}), dtype='uint8')"
        elif self.chance(0.5):
            text = f"nd.{self.pick('zeros', 'ones')}({shape}, dtype='{dtype}')"
        elif self.chance(0.5):
            text, dtype = f"nd.arange({size}).reshape({shape})", "float32"
        else:
            text = f"nd.full({shape}, {self.scalar() if dtype.startswith('f') else 3}, dtype='{dtype}')"
        self.bind(name, text, shape, dtype)

    def step_empty(self):
        if self.chance(0.1):
            shape = self.pick((0,), (0, 3), (2, 0))
            self.bind(self.new("z"), f"nd.array(np.zeros({shape}))", shape, "float32")

    def basic_key(self, shape):
        """A key and the shape of what it selects (of one element: (1,))."""
        key, result = super().basic_key(shape)
        return ", ".join(key), tuple(result) or (1,)

    def reshaped(self, shape):
        """Another shape of as many elements."""
        size = prod(shape)
        options = [(size,), (1, size), (size, 1), (-1,), (0, -1)]
        options += [(n, size // n) for n in (2, 3, 4) if size and size % n == 0]
        wanted = self.pick(*options)
        known = {(-1,): (size,), (0, -1): (shape[0], size // shape[0] if shape[0] else 0)}.get(wanted, wanted)
        return wanted, known

    def step_view(self):
        of = self.array(dims=1)
        shape, dtype = self.arrays[of]
        name = self.new("v")
        kind = self.random.random()
        if kind < 0.55:
            key, result = self.basic_key(shape)
            self.bind(name, f"{of}[{key}]", result, dtype)
        elif kind < 0.9:
            wanted, known = self.reshaped(shape)
            self.bind(name, f"{of}.reshape({wanted})", known, dtype)
        else:
            self.bind(name, of, shape, dtype)

    def step_same(self):
        """Operators whose result equals their input: is it a copy or the same memory?"""
        of = self.array(dims=1)
        shape, dtype = self.arrays[of]
        axes = tuple(range(len(shape)))
        text, result = self.pick(
            (f"{of}.copy()", shape),
            (f"nd.identity({of})", shape),
            (f"nd.BlockGrad({of})", shape),
            (f"nd.Dropout({of}, p=0.5)", shape),
            (f"nd.cast({of}, dtype='{dtype}')", shape),
            (f"{of}.astype('{dtype}')", shape),
            (f"{of}.astype('{dtype}', copy=False)", shape),
            (f"{of}.expand_dims(0)", (1, *shape)),
            (f"nd.expand_dims({of}, axis=-1)", (*shape, 1)),
            (f"nd.squeeze({of}.expand_dims(0), axis=0)", shape),
            (f"{of}.flatten()", (shape[0], prod(shape[1:]))),
            (f"nd.reshape({of}, shape=(-1,))", (prod(shape),)),
            (f"{of}.reshape_like({of})", shape),
            (f"{of}.broadcast_to({shape})", shape),
            (f"nd.transpose({of}, axes={axes})", shape),
            (f"{of}.transpose()", shape[::-1]),
            (f"{of}.T", shape[::-1]),
            (f"{of}.swapaxes(0, {len(shape) - 1})", (shape[-1], *shape[1:-1], shape[0]) if len(shape) > 1 else shape),
            (f"nd.concat({of}, dim=0)", shape),
            (f"nd.add_n({of})", shape),
            (f"nd.stack({of}, axis=0)", (1, *shape)),
            (f"nd.tile({of}, reps=(1,))", shape),
            (f"nd.repeat({of}, repeats=1, axis=0)", shape),
            (f"{of}.slice_axis(axis=0, begin=0, end=None)", shape),
            (f"nd.slice({of}, begin=(0,), end=({shape[0]},))", shape),
            (f"{of}.clip(-100, 100)", shape),
            (f"{of}.detach()", shape),
            (f"nd.array({of})", shape),
            (f"nd.array({of}, dtype='{dtype}')", shape),
            (f"nd.from_numpy({of}.asnumpy())", shape),
            (f"{of}.as_in_context(mx.cpu(0))", shape),
            (f"{of}.as_in_context(mx.cpu(1)).as_in_context(mx.cpu(0))", shape),
            (f"{of}.asnumpy()", None),
            (f"+{of}" if self.chance(0.2) else f"-{of}", shape),
            (f"{of} + 0", shape),
            (f"{of} * 1", shape),
            (f"{of} ** 1", shape),
            (f"nd.maximum({of}, {of})", shape),
            (f"nd.split({of}, num_outputs=1, axis=0)", shape),
            (f"nd.sum({of}, axis=())", None),
            (f"[_r for _r in {of}]", None),
            (f"pickle.loads(pickle.dumps({of}))", shape),
            (f"nd.flip({of}, axis=0)", shape),
        )
        name = self.new("s")
        if result is None:
            self.add(f"{name} = {text}")
        else:
            self.bind(name, text, result, dtype)

    def value_for(self, shape, dtype, own=None):
        """Something that can be assigned to a selection of that shape."""
        kind = self.random.random()
        if kind < 0.35:
            return str(self.scalar())
        if kind < 0.55:
            other = self.array(shape=shape)
            if other:
                # An array that overlaps the selection is overwritten while it is read, in the original.
                return f"{other}.asnumpy()" if self.chance(0.3) else f"{other}.copy()"
        if kind < 0.65 and own:
            return f"{own} + 1" if own in self.arrays and self.arrays[own][0] == shape else str(self.scalar())
        if kind < 0.75 and len(shape) > 1:
            shape = shape[1:]  # is broadcast
        text = self.numbers(shape)
        return self.pick(text, f"nd.array({text})", f"nd.array({text}, dtype='{dtype}')", f"({text}).tolist()")

    def step_write(self):
        to = self.array(dims=1)
        shape, dtype = self.arrays[to]
        key, selected = (":", shape) if self.chance(0.3) else self.basic_key(shape)
        if dtype == "uint8":
            value = str(self.random.randint(0, 5))
        else:
            value = self.value_for(selected, dtype, to)
            other = self.array(shape=shape)
            if key == ":" and other and self.chance(0.3):
                value = other
        self.add(f"{to}[{key}] = {value}")

    def index(self, size, like=""):
        """A list of indices, as text, in one of the forms a program may have them; and how many."""
        count = self.random.randint(1, 3)
        items = [self.random.randrange(size) for _ in range(count)]
        form = self.pick(
            "{}", "np.array({})", "nd.array({})", "nd.array({}, dtype='int32')", "nd.array({}, dtype='int64')"
        )
        return form.format(items), count

    def step_advanced(self):
        to = self.array(dims=1)
        shape, dtype = self.arrays[to]
        if 0 in shape:
            return
        kind = self.random.random()
        mask = f"{to} > {self.scalar()}"
        value = str(abs(self.scalar())) if dtype == "uint8" else None
        if kind < 0.2 and shape[0] >= 2:
            self.add(f"{to}[{mask}] = {value or self.scalar()}")
        elif kind < 0.27 and shape[0] >= 2:
            self.add(f"{to}[{to}.asnumpy() > {self.scalar()}] = {value or self.scalar()}")
        elif kind < 0.32 and shape[0] >= 2:
            name = self.new("s")
            self.add(f"{name} = {to}[{mask}]")
        elif kind < 0.37:
            name = self.new("s")
            self.bind(name, f"nd.where({mask}, {to}, nd.zeros_like({to}))", shape, dtype)
        elif kind < 0.6:
            key, count = self.index(shape[0])
            value = value or self.value_for((count, *shape[1:]), dtype)
            self.add(f"{to}[{key}] = {value}")
        elif kind < 0.7 and len(shape) > 1:
            key, count = self.index(shape[1])
            value = value or self.value_for((shape[0], count, *shape[2:]), dtype)
            self.add(f"{to}[:, {key}] = {value}")
        elif kind < 0.8 and len(shape) > 1:
            rows = [self.random.randrange(shape[0]) for _ in range(2)]
            columns = [self.random.randrange(shape[1]) for _ in range(2)]
            value = value or self.value_for((2, *shape[2:]), dtype)
            self.add(f"{to}[{rows}, {columns}] = {value}")
        elif kind < 0.9:
            key, count = self.index(shape[0])
            self.bind(self.new("s"), f"{to}[{key}]", (count, *shape[1:]), dtype)
        else:
            key, count = self.index(shape[0])
            self.add(f"{to}[{key}] {self.pick('+=', '*=', '-=')} {self.random.randint(0, 3)}")

    def step_in_place(self):
        to = self.array()
        shape, dtype = self.arrays[to]
        sign = self.pick("+=", "-=", "*=")
        other = self.array(shape=shape, dtype=dtype)
        if dtype[0] != "f":
            value = self.pick("1", "2", other)
        elif self.chance(0.2):
            sign, value = self.pick("/=", "**="), "2"
        else:
            value = other if self.chance(0.5) else str(self.scalar())
            if self.chance(0.15):
                value = self.array()  # maybe of another shape or dtype
        if self.chance(0.25) and shape:
            key, _ = self.basic_key(shape)
            value = str(self.random.randint(0, 3))
            self.add(f"{to}[{key}] {sign} {value}")
        else:
            self.add(f"{to} {sign} {value}")

    def step_out(self):
        to = self.array(dims=1)
        shape, dtype = self.arrays[to]
        a = self.array(shape=shape, dtype=dtype)
        b = self.array(shape=shape, dtype=dtype)
        place = to
        if self.chance(0.15):
            place = f"{to}.reshape({shape})"
        elif self.chance(0.15):
            place = f"{to}[:]"
        elif self.chance(0.1):
            place = self.array()
        text = self.pick(
            f"nd.elemwise_add({a}, {b}, out={place})",
            f"nd.broadcast_mul({a}, {b}, out={place})",
            f"nd.relu({a}, out={place})",
            f"nd.identity({a}, out={place})",
            f"nd.negative({a}, out={place})",
            f"nd.concat({a}, dim=0, out={place})",
            f"nd.zeros_like({a}, out={place})",
            f"nd.ones({shape}, out={place})",
            f"nd.reshape({a}, shape={shape}, out={place})",
            f"nd.transpose({a}, out={place})",
            f"nd.clip({a}, 0, 2, out={place})",
            f"nd.where({a}, {a}, {b}, out={place})",
            f"nd.sgd_update({a}, {b}, lr=0.5, out={place})",
            f"nd.sum({a}, axis=0, keepdims=True, out={place}[0:1])",
            f"nd.slice_axis({a}, axis=0, begin=0, end=1, out={place}[0:1])",
            f"nd.add_n({a}, {b}, {a}, out={place})",
            f"nd.cast({a}, dtype='{dtype}', out={place})",
        )
        if self.chance(0.4):
            self.bind(self.new("o"), text, shape, dtype)
        else:
            self.add(text)

    def step_copyto(self):
        a = self.array(dims=1)
        shape, dtype = self.arrays[a]
        b = self.array(shape=shape) if self.chance(0.8) else self.array()
        if self.chance(0.15):
            self.bind(self.new("c"), f"{a}.copyto(mx.cpu(1)).as_in_context(mx.cpu())", shape, dtype)
        elif self.chance(0.3) and 0 not in shape:
            wide = self.array(dims=2)
            if wide and self.arrays[wide][0][1:] == shape:
                self.add(f"{a}.copyto({wide}[0])")
            else:
                self.add(f"{a}[0:1].copyto({b}[0:1])")
        else:
            self.add(f"{a}.copyto({b})")

    def step_convert(self):
        a = self.array()
        shape, _ = self.arrays[a]
        dtype = self.pick("float32", "float64", "float16", "int32", "int64")
        self.bind(self.new("t"), f"{a}.astype('{dtype}')", shape, dtype)

    def step_compute(self):
        a = self.array(dims=1)
        shape, dtype = self.arrays[a]
        b = self.array(shape=shape, dtype=dtype)
        other = self.array()
        text, result, kind = self.pick(
            (f"{a} + {b}", shape, dtype),
            (f"{a} * {b} - {self.random.randint(0, 3)}", shape, dtype),
            (f"{a} > {b}", shape, dtype),
            (f"{a} == {self.random.randint(0, 3)}", shape, dtype),
            (f"{a}.sum(axis=0)", shape[1:] or (1,), dtype),
            (f"{a}.max()", (1,), dtype),
            (f"nd.argmax({a}, axis=0)", shape[1:] or (1,), "float32"),
            (f"nd.concat({a}, {b}, dim=0)", (2 * shape[0], *shape[1:]), dtype),
            (f"nd.stack({a}, {b})", (2, *shape), dtype),
            (f"nd.broadcast_add({a}, {a}.sum(axis=0, keepdims=True))", shape, dtype),
            (f"{a} + {other}", shape, dtype),
            (f"nd.take({a}, nd.array([0, 0]))", (2, *shape[1:]), dtype),
            (f"nd.tile({a}, reps=2)", (*shape[:-1], 2 * shape[-1]), dtype),
            (f"nd.reverse({a}, axis=0)", shape, dtype),
            (f"nd.one_hot({a}[0:1].reshape((-1,)), 4)", None, None),
            (f"nd.gather_nd({a}, nd.array([[0, 0]]))", (2, *shape[1:]), dtype),
            (f"{a}.asnumpy().tolist()", None, None),
            (f"bool(({a} == {a}).min())", None, None),
            (f"len({a}), {a}.shape, {a}.size, {a}.ndim", None, None),
            (f"{a}[0:1].reshape((-1,))[0].asscalar()", None, None),
        )
        name = self.new("r")
        if result is None:
            self.add(f"{name} = {text}")
        else:
            self.bind(name, text, result, kind)

    def step_rows(self):
        a = self.array(dims=2)
        if a:
            self.add(f"for _row in {a}:\n    _row {self.pick('+= 1', '*= 2', '[:] = 3')}")

    def step_shift(self):
        a = self.array(dims=1)
        if self.arrays[a][0][0] > 1:
            self.add(f"{a}[1:] = {a}[:-1] + 0" if self.chance(0.7) else f"{a}[:-1] = {a}[1:]")

    def step_file(self):
        a, b = self.array(), self.array()
        name = self.new("f")
        if self.chance(0.5):
            self.add(f"nd.save('arrays', [{a}, {b}])")
        else:
            self.add(f"nd.save('arrays', {{'x': {a}, 'y': {b}}})")
        self.add(f"{name} = nd.load('arrays')")

    def step_number(self):
        """An array that shares memory with NumPy's, as far as the original does."""
        a = self.array(dims=1)
        shape, dtype = self.arrays[a]
        name = self.new("n")
        self.add(f"{name} = {a}.asnumpy()")
        self.add(f"{name}[:] = {self.random.randint(0, 3)}")
        if self.chance(0.3):
            self.bind(self.new("d"), f"nd.from_dlpack({a}.to_dlpack_for_write())", shape, dtype)


class Gradients(Generator):
    """Recorded programs: several passes, gradients that are kept, written, added to, shared."""

    length = (5, 14)
    weights = {"record": 6, "backward": 7, "write": 3, "keep": 3, "attach": 1.5, "gradient_write": 2}

    def start(self):
        self.leaves, self.results, self.scalars = {}, [], []
        self.main = self.pick((4,), (2, 3), (2, 2), (3, 2), (2, 2, 2))
        for _ in range(self.random.randint(2, 3)):
            name = self.new("x")
            self.leaves[name] = self.main
            self.add(f"{name} = nd.array({self.numbers(self.main)})")
            self.attach(name)
        if self.chance(0.5):
            name = self.new("w")
            shape = (self.main[-1],)
            self.leaves[name] = shape
            self.add(f"{name} = nd.array({self.numbers(shape)})")
            self.attach(name)
        self.step_record()
        self.step_backward()

    def attach(self, name):
        request = self.pick("", "", "", "'add'", "'null'" if self.chance(0.3) else "")
        self.add(f"{name}.attach_grad({request})")

    def leaf(self, shape=None):
        found = [name for name, known in self.leaves.items() if shape in (None, known)]
        return self.random.choice(found)

    def step_attach(self):
        self.attach(self.leaf())

    def expression(self, values):
        """An expression over recorded values, each with a shape; and the shape of the result."""
        a, shape = self.random.choice(values)
        alike = [name for name, known in values if known == shape]
        b = self.random.choice(alike)
        size = prod(shape)
        n = self.pick(2, 3, 0.5, -1)
        narrow = [name for name, known in values if len(shape) > 1 and known == shape[-1:]]
        options = [
            (f"{a} + {b}", shape),
            (f"{a} * {b}", shape),
            (f"{a} - {b} * {n}", shape),
            (f"{a} * {n}", shape),
            (f"{a} * {a}", shape),
            (f"{a}.reshape((-1,))", (size,)),
            (f"{a}.reshape((-1,)) + {b}.reshape((-1,))", (size,)),
            (f"{a}.reshape({self.main})" if size == prod(self.main) else f"{a} + 1", None),
            (f"{a}[0]", shape[1:] or (1,)),
            (f"{a}[0:1]", (1, *shape[1:])),
            (f"{a}[1:]", (shape[0] - 1, *shape[1:])) if shape[0] > 1 else (f"{a} + 2", shape),
            (f"{a}.transpose()", shape[::-1]),
            (f"{a}.detach() * {b}", shape),
            (f"nd.BlockGrad({a}) + {b}", shape),
            (f"nd.identity({a})", shape),
            (f"nd.relu({a})", shape),
            (f"nd.square({a})", shape),
            (f"nd.tanh({a})", shape),
            (f"{a}.sum(axis=0)", shape[1:] or (1,)),
            (f"{a}.sum()", (1,)),
            (f"{a}.mean()", (1,)),
            (f"nd.concat({a}, {b}, dim=0)", (2 * shape[0], *shape[1:])),
            (f"nd.stack({a}, {b}).sum(axis=0)", shape),
            (f"nd.add_n({a}, {b}, {a})", shape),
            (f"Square()({a})", shape),
            (f"nd.where({a} > 0, {a}, {b})", shape),
            (f"nd.maximum({a}, {b})", shape),
            (f"nd.expand_dims({a}, axis=0)", (1, *shape)),
            (f"{a}.flatten()", (shape[0], prod(shape[1:]))),
            (f"nd.Dropout({a}, p=0)", shape),
            (f"nd.take({a}, nd.array([0, 0]))", (2, *shape[1:])),
            (f"{a}.clip(-1, 1)", shape),
            (f"{a}.astype('float64').astype('float32')", shape),
            (f"nd.split({a}, num_outputs={shape[0]}, axis=0)[0]" if shape[0] > 1 else f"{a} * 4", None),
        ]
        if narrow:
            options.append((f"nd.broadcast_mul({a}, {narrow[0]}.reshape({(1,) * (len(shape) - 1) + (-1,)}))", shape))
        if len(shape) == 2:
            options.append((f"nd.dot({a}, {b}, transpose_b=True)", (shape[0], shape[0])))
        text, result = self.random.choice(options)
        return text, result

    def step_record(self):
        values = list(self.leaves.items())
        if self.chance(0.15) and self.results:
            values += self.results[-2:]  # recorded on top of an earlier pass
        lines = [f"with autograd.{self.pick('record()', 'record()', 'record(train_mode=False)')}:"]
        made = []
        for _ in range(self.random.randint(1, 4)):
            name = self.new("y")
            kind = self.random.random()
            if kind < 0.06:
                lines += ["    with autograd.pause():", f"        {name} = {self.random.choice(values)[0]} * 2"]
                continue
            if kind < 0.1:
                a, shape = self.random.choice(values)
                lines.append(f"    {name}, {name}b = Mix()({a}, {a})")
                made.append((name + "b", shape))
            else:
                text, shape = self.expression(values)
                lines.append(f"    {name} = {text}")
            if shape is not None:
                made.append((name, shape))
                values.append((name, shape))
        self.add("\n".join(lines))
        self.results += made

    def step_backward(self):
        if not self.results:
            return
        name, shape = self.random.choice(self.results[-4:])
        retain = "retain_graph=True" if self.chance(0.4) else ""
        kind = self.random.random()
        if kind < 0.45:
            self.add(f"{name}.backward({retain})")
        elif kind < 0.7:
            head = self.new("h")
            self.add(f"{head} = nd.array({self.numbers(shape)})")
            self.add(f"{name}.backward({', '.join(filter(None, [head, retain]))})")
            if self.chance(0.5):
                self.add(f"{head}[:] = {self.random.randint(0, 3)}")
        elif kind < 0.85:
            other, other_shape = self.random.choice([r for r in self.results[-5:] if r[0] != name] or self.results)
            heads = self.pick("", f", [nd.ones({shape}), None]", f", [None, nd.array({self.numbers(other_shape)})]")
            self.add(f"autograd.backward([{name}, {other}]{heads}{', ' + retain if retain else ''})")
        else:
            wanted = sorted({self.leaf() for _ in range(2)})
            head = self.pick("", "", f", head_grads=nd.array({self.numbers(shape)})")
            more = f", {retain}" if retain else ""
            self.add(f"{self.new('g')} = autograd.grad({name}, [{', '.join(wanted)}]{head}{more})")

    def step_write(self):
        name = self.leaf()
        shape = self.leaves[name]
        key = self.pick(":", "0", "0:1")
        text = self.pick(
            f"{name}[{key}] = {self.scalar()}",
            f"{name}[:] = {self.numbers(shape)}",
            f"{name} {self.pick('+=', '-=')} 1",
            f"{name} *= 0.5",
            f"{name}.reshape((-1,))[0:2] = 1",
            f"nd.sgd_update({name}, {name}.grad, lr=0.5, out={name})",
            f"{name}[:] = {name} - 0.5 * {name}.grad",
            f"{name} -= 0.5 * {name}.grad",
            f"nd.zeros_like({name}, out={name})",
        )
        if self.results and self.chance(0.2):
            text = f"{self.random.choice(self.results)[0]}[:] = {self.scalar()}"
        self.add(text)

    def step_keep(self):
        """A gradient under another name, a view of it, a copy."""
        name = self.leaf()
        self.add(
            f"{self.new('k')} = {name}.grad"
            + self.pick("", "", "[0]", "[0:1]", ".reshape((-1,))", ".detach()", ".copy()", " * 2", "[:]")
        )

    def step_gradient_write(self):
        name = self.leaf()
        other = self.leaf()
        self.add(
            self.pick(
                f"{name}.grad[:] = {self.scalar()}",
                f"{name}.grad[0] = {self.scalar()}",
                f"{name}.grad.reshape((-1,))[0:2] = 5",
                f"_g = {name}.grad\n_g *= 0",
                f"{name}.zero_grad()" if self.chance(0.1) else f"_g = {name}.grad\n_g += 1",
                f"{self.new('n')} = gluon.utils.clip_global_norm([{name}.grad, {other}.grad], 1.0)"
                if name != other
                else f"{self.new('n')} = gluon.utils.clip_global_norm([{name}.grad], 1.0)",
                f"{name}.grad.copyto({self.leaf(self.leaves[name])}.grad)",
                f"{name}.grad[:] = {self.leaf(self.leaves[name])}.grad",
            )
        )

    def step_mark(self):
        a, b = self.leaf(), self.leaf()
        first, second = self.new("b"), self.new("b")
        self.add(f"{first} = nd.zeros({self.leaves[a]})")
        if self.chance(0.3):
            self.add(f"{second} = {first}")
        else:
            self.add(f"{second} = nd.ones({self.leaves[b]})")
        request = self.pick("", ", 'add'", ", 'write'")
        self.add(f"autograd.mark_variables([{a}, {b}], [{first}, {second}]{request})")

    def step_alias(self):
        """A leaf that is a view of another or shares its memory."""
        of = self.leaf()
        name = self.new("x")
        text, shape = self.pick(
            (f"{of}.reshape((-1,))", (prod(self.leaves[of]),)),
            (f"{of}[:]", self.leaves[of]),
            (f"{of}.detach()", self.leaves[of]),
            (f"{of}[0:1]", (1, *self.leaves[of][1:])),
        )
        self.add(f"{name} = {text}")
        self.leaves[name] = shape
        self.attach(name)

    def step_predict(self):
        name = self.leaf()
        self.add(f"{self.new('p')} = {self.expression(list(self.leaves.items()))[0]}")
        self.add(f"{self.new('q')} = {name}.grad is None")
