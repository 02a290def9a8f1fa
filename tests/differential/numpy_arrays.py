"""Programs on arrays of mx.np."""

from math import prod

from .generate import ArrayGenerator, Generator

FLOATS = ("float32", "float32", "float32", "float64", "float16")
DTYPES = (*FLOATS, "int32", "int64", "uint8", "int8", "bool")
SHAPES = ((), (3,), (4,), (2, 3), (3, 2), (2, 2), (4, 2), (1, 3), (2, 1), (2, 3, 2), (6,), (0,), (0, 2))


class Numpy(ArrayGenerator):
    """Creation, views, masks, writes through views, in-place arithmetic, ``out=``, types, gradients, in np mode."""

    length = (6, 17)
    key_odds = (0.35, 0.75, 0.84, 0.9)
    filled = True
    weights = {"write": 5, "view": 5, "in_place": 3, "out": 3, "same": 2, "advanced": 3, "compute": 4, "record": 2.5}

    def start(self):
        self.arrays = {}
        self.leaves = []
        self.add("npx.set_np()")
        for _ in range(self.random.randint(2, 3)):
            self.step_create()
        self.bind(self.new(), f"mnp.array({self.numbers((2, 3))}, dtype='float32')", (2, 3), "float32")

    def step_create(self):
        name, shape, dtype = self.new(), self.random.choice(SHAPES), self.pick(*DTYPES)
        if self.chance(0.6):
            numbers = self.numbers(shape, 8.0 if dtype[0] == "f" else 1.0)
            if dtype in ("uint8", "bool"):
                numbers = f"abs({numbers}){' > 5' if dtype == 'bool' else ''}"
            text = f"mnp.array({numbers}, dtype='{dtype}')"
        elif self.chance(0.5):
            text = f"mnp.{self.pick('zeros', 'ones')}({shape}, dtype='{dtype}')"
        elif self.chance(0.5):
            text, dtype = f"mnp.arange({prod(shape)}).reshape({shape})", "float32"
        else:
            value = self.scalar() if dtype[0] == "f" else 1
            text = f"mnp.full({shape}, {value}, dtype='{dtype}')"
        self.bind(name, text, shape, dtype)

    def basic_key(self, shape):
        """A key and the shape of what it selects."""
        key, result = super().basic_key(shape)
        if self.chance(0.08):
            key.append("...")
        if self.chance(0.08):
            key.insert(0, "None")
            result.insert(0, 1)
        return ", ".join(key), tuple(result)

    def step_view(self):
        of = self.array(dims=1)
        shape, dtype = self.arrays[of]
        name, kind = self.new("v"), self.random.random()
        size = prod(shape)
        if kind < 0.55:
            key, result = self.basic_key(shape)
            self.bind(name, f"{of}[{key}]", result, dtype)
        elif kind < 0.75:
            wanted = self.pick((size,), (1, size), (-1,), (size, 1))
            self.bind(name, f"{of}.reshape({wanted})", (size,) if wanted == (-1,) else wanted, dtype)
        else:
            text, result = self.pick(
                (f"{of}.T", shape[::-1]),
                (f"{of}.transpose()", shape[::-1]),
                (f"mnp.expand_dims({of}, 0)", (1, *shape)),
                (f"{of}.squeeze()", tuple(n for n in shape if n != 1)),
                (f"mnp.ravel({of})", (size,)),
                (f"{of}.flatten()", (size,)),
                (f"mnp.swapaxes({of}, 0, -1)", (shape[-1], *shape[1:-1], shape[0]) if len(shape) > 1 else shape),
                (f"{of}.detach()", shape),
                (f"{of}.as_nd_ndarray().as_np_ndarray()", shape),
                (f"mnp.broadcast_to({of}, {(2, *shape)})", (2, *shape)),
                (f"mnp.split({of}, 1)[0]", shape),
                (f"mnp.atleast_2d({of})", shape if len(shape) > 1 else (1, *shape)),
            )
            self.bind(name, text, result, dtype)

    def step_same(self):
        of = self.array()
        shape, dtype = self.arrays[of]
        name = self.new("s")
        text = self.pick(
            f"{of}.copy()",
            f"mnp.array({of})",
            f"mnp.array({of}, dtype='{dtype}')",
            f"{of}.astype('{dtype}')",
            f"{of}.astype('{dtype}', copy=False)",
            f"mnp.asarray({of})" if self.chance(0.2) else f"mnp.copy({of})",
            f"{of}.as_in_ctx(mx.cpu(0))",
            f"{of} + 0",
            f"{of} * 1",
            f"+{of}" if self.chance(0.3) else f"mnp.where(mnp.ones({shape}, dtype='bool'), {of}, {of})",
            f"mnp.flip({of}, 0)" if shape else f"{of}",
            f"mnp.concatenate(({of},), axis=0)" if shape else f"{of}",
            f"npx.relu({of})" if dtype[0] == "f" else f"{of}",
            f"{of}.clip(-100, 100)" if dtype != "bool" else f"{of}",
            f"pickle.loads(pickle.dumps({of}))",
        )
        self.bind(name, text, shape, dtype)

    def value_for(self, shape, dtype):
        """Something that can be assigned to a selection of that shape."""
        kind = self.random.random()
        if dtype in ("bool", "uint8"):
            return self.pick("1", "0", "True")
        if kind < 0.4:
            return str(self.scalar())
        other = self.array(shape=shape)
        if kind < 0.6 and other:
            return f"{other}.asnumpy()" if self.chance(0.3) else f"{other}.copy()"
        if kind < 0.7 and len(shape) > 1:
            shape = shape[1:]
        text = self.numbers(shape)
        return self.pick(text, f"mnp.array({text})", f"mnp.array({text}, dtype='{dtype}')")

    def step_write(self):
        to = self.array(filled=False)
        shape, dtype = self.arrays[to]
        if not shape:
            self.add(f"{to}[()] = {self.value_for((), dtype)}")
            return
        key, selected = (":", shape) if self.chance(0.3) else self.basic_key(shape)
        self.add(f"{to}[{key}] = {self.value_for(selected, dtype)}")

    def step_advanced(self):
        to = self.array(dims=1)
        shape, dtype = self.arrays[to]
        kind, n = self.random.random(), self.scalar()
        items = [self.random.randrange(shape[0]) for _ in range(self.random.randint(1, 3))]
        index = self.pick(f"{items}", f"np.array({items})", f"mnp.array({items}, dtype='int32')")
        value = "1" if dtype in ("bool", "uint8") else None
        if kind < 0.25:
            self.add(f"{to}[{to} > {n if dtype[0] == 'f' else 0}] = {value or n}")
        elif kind < 0.35:
            self.add(f"{self.new('s')} = {to}[{to} > {n if dtype[0] == 'f' else 0}]")
        elif kind < 0.42:
            mask = [bool(self.random.randint(0, 1)) for _ in range(shape[0])]
            self.add(f"{to}[mnp.array({mask}, dtype='bool')] {self.pick('=', '+=')} {value or n}")
        elif kind < 0.6:
            self.add(f"{to}[{index}] = {value or self.value_for((len(items), *shape[1:]), dtype)}")
        elif kind < 0.7:
            self.bind(self.new("s"), f"{to}[{index}]", (len(items), *shape[1:]), dtype)
        elif kind < 0.8 and len(shape) > 1:
            columns = [self.random.randrange(shape[1]) for _ in items]
            self.add(f"{to}[{items}, {columns}] = {value or self.value_for((len(items), *shape[2:]), dtype)}")
        elif kind < 0.9:
            self.add(f"{to}[{index}] {self.pick('+=', '*=', '-=')} {self.random.randint(0, 3)}")
        else:
            self.add(f"{self.new('s')} = mnp.take({to}, mnp.array({items}, dtype='int32'), axis=0)")

    def step_in_place(self):
        to = self.array()
        shape, dtype = self.arrays[to]
        sign = self.pick("+=", "-=", "*=")
        other = self.array(shape=shape, dtype=dtype)
        if dtype[0] != "f":
            value = self.pick("1", "2", other)
        elif self.chance(0.2):
            sign, value = self.pick("/=", "**=", "%="), "2"
        else:
            value = self.pick(other, str(self.scalar()), f"{self.array(filled=False)}.copy()")
        self.add(f"{to} {sign} {value}")

    def step_out(self):
        to = self.array()
        shape, dtype = self.arrays[to]
        a = self.array(shape=shape, dtype=dtype)
        b = self.array(shape=shape) if self.chance(0.3) else self.array(shape=shape, dtype=dtype)
        place = to if self.chance(0.85) else self.array()
        text = self.pick(
            f"mnp.add({a}, {b}, out={place})",
            f"mnp.multiply({a}, {b}, out={place})",
            f"mnp.subtract({a}, 1, out={place})",
            f"mnp.negative({a}, out={place})",
            f"mnp.square({a}, out={place})",
            f"mnp.abs({a}, out={place})",
            f"mnp.maximum({a}, {b}, out={place})",
            f"mnp.clip({a}, 0, 2, out={place})",
            f"mnp.sin({a}, out={place})",
            f"mnp.add({a}, {self.scalar()}, out={place})",
            f"mnp.concatenate(({a},), axis=0, out={place})" if shape else f"mnp.exp({a} * 0, out={place})",
            f"mnp.sum({a}, axis=0, keepdims=True, out={place}[0:1])" if shape else f"mnp.sum({a}, out={place})",
            f"mnp.stack(({a}, {b}), out=mnp.zeros({(2, *shape)}, dtype='{dtype}'))",
        )
        if self.chance(0.4):
            self.add(f"{self.new('o')} = {text}")
        else:
            self.add(text)

    def step_compute(self):
        a = self.array(filled=self.chance(0.8))
        shape, dtype = self.arrays[a]
        b = self.array(shape=shape, filled=False)
        other = self.array(filled=False)
        axis = self.random.randrange(len(shape)) if shape else None
        text = self.pick(
            f"{a} + {b}",
            f"{a} * {b}",
            f"{a} - {self.pick(1, 0.5)}",
            f"{a} / {self.pick(b, 2)}",
            f"{a} + {other}",
            f"{a} * {other}",
            f"{a} ** 2",
            f"{a} % 3",
            f"{a} // 2" if self.chance(0.2) else f"mnp.floor({a})",
            f"{a} > {b}",
            f"{a} == {self.random.randint(0, 3)}",
            f"({a} > 0) & ({b} > 0)" if self.chance(0.3) else f"mnp.logical_not({a})",
            f"{a}.sum()",
            f"{a}.sum(axis={axis})",
            f"{a}.mean()",
            f"{a}.max()" if 0 not in shape else f"{a}.size",
            f"{a}.mean(axis={axis}, keepdims=True)",
            f"mnp.argmax({a})" if 0 not in shape else f"{a}.ndim",
            f"mnp.cumsum({a})",
            f"mnp.concatenate(({a}, {b}))" if shape else f"mnp.stack(({a}, {b}))",
            f"mnp.dot({a}, {b}.T)",
            f"mnp.where({a} > 0, {a}, {b})",
            f"mnp.tile({a}, 2)",
            f"mnp.repeat({a}, 2)",
            f"mnp.unique({a})" if 0 not in shape else f"len({a})",
            f"mnp.nonzero({a})",
            f"mnp.std({a})",
            f"{a}.tolist()",
            f"{a}.item()" if shape == () else f"{a}.shape",
            f"mnp.isnan({a})",
            f"np.sum({a})",
            f"np.concatenate([{a}, {b}])" if shape else f"np.add({a}, {b})",
            f"mnp.sort({a})" if shape else f"mnp.abs({a})",
            f"mnp.einsum('i->', {a}.reshape((-1,)))",
            f"mnp.mean({a}.astype('float32'), axis={axis})",
            f"mnp.linalg.norm({a})",
            f"mnp.equal({a}, {b}).all()",
            f"float({a}.sum())",
            f"bool(mnp.any({a}))" if dtype == "bool" or self.chance(0.3) else f"bool(({a} == {a}).all())",
            f"mnp.diff({a}.reshape((-1,)))" if dtype != "bool" else f"{a}.ndim",
            f"npx.one_hot({a}.reshape((-1,)), 4)" if dtype in ("int32", "float32") else f"mnp.ones_like({a})",
        )
        self.add(f"{self.new('r')} = {text}")

    def step_convert(self):
        a = self.array(filled=False)
        dtype = self.pick("float32", "float64", "float16", "int32", "int64", "bool")
        if dtype == "bool" or self.arrays[a][1][0] != "f" or self.chance(0.5):
            self.bind(self.new("t"), f"{a}.astype('{dtype}')", self.arrays[a][0], dtype)

    def step_file(self):
        a, b = self.array(filled=False), self.array()
        self.add(f"npx.save('arrays', {self.pick(f'[{a}, {b}]', f'dict(x={a}, y={b})')})")
        self.add(f"{self.new('f')} = npx.load('arrays')")

    def step_bridge(self):
        """The same memory as a classic array, as NumPy's, by DLPack."""
        a = self.array(dims=1)
        name = self.new("n")
        self.add(
            self.pick(
                f"{name} = {a}.as_nd_ndarray()\n{name}[:] = 1",
                f"{name} = {a}.asnumpy()\n{name}[:] = 1",
                f"{name} = {a}.as_nd_ndarray()\n{a}[:] = 0",
                f"{name} = {a}.as_nd_ndarray()[0]\n{name}[:] = 1" if self.chance(0.3) else f"{name} = len({a})",
                f"{name} = mnp.array(nd.ones((2,)))",
            )
        )

    def step_rows(self):
        a = self.array(dims=2)
        self.add(f"for _row in {a}:\n    _row {self.pick('+= 1', '*= 2', '[:] = 1')}")

    def step_record(self):
        """Gradients in np mode."""
        if not self.leaves or self.chance(0.3):
            name = self.new("x")
            shape = self.pick((), (3,), (2, 3), (2, 2))
            self.bind(name, f"mnp.array({self.numbers(shape)}, dtype='float32')", shape, "float32")
            self.add(f"{name}.attach_grad({self.pick('', '', repr('add'))})")
            self.leaves.append(name)
        x = self.random.choice(self.leaves)
        shape = self.arrays[x][0]
        other = self.array(dtype="float32")
        y = self.new("y")
        form = self.pick(
            f"({x} * {x}).sum()",
            f"({x} + {x}.mean())",
            f"mnp.sin({x}) * 2",
            f"{x}.reshape((-1,)) * 3",
            f"{x}[0] * 2" if shape else f"{x} * 2",
            f"{x}[1:] ** 2" if shape else f"{x} ** 2",
            f"{x} * {other}",
            f"mnp.where({x} > 0, {x}, {x} * 2)",
            f"{x}[{x} > 0]" if shape else f"{x} + 1",
            f"mnp.dot({x}, {x}.T)" if len(shape) == 2 else f"{x} - 1",
            f"mnp.concatenate(({x}, {x}))" if shape else f"mnp.stack(({x}, {x}))",
            f"npx.softmax({x})" if shape else f"npx.relu({x})",
            f"mnp.maximum({x}, 0)",
            f"{x}.detach() * {x}",
            f"mnp.max({x})",
            f"mnp.std({x})",
            f"{x}.T + 1",
            f"mnp.cumsum({x})",
            f"mnp.prod({x})",
            f"mnp.linalg.norm({x})",
            f"mnp.einsum('i,i->i', {x}.reshape((-1,)), {x}.reshape((-1,)))",
        )
        twice = self.pick("", "", f"\n    {y} = {y} * 2", f"\n    {y} = {y}.sum()")
        self.add(f"with autograd.record():\n    {y} = {form}{twice}")
        if self.chance(0.15):
            self.add(f"{x}[{':' if shape else '()'}] = 0.5")
        self.add(f"{y}.backward({self.pick('', '', f'mnp.ones_like({y})', 'retain_graph=True')})")
        self.add(f"{self.new('g')} = {x}.grad{self.pick('', '', '.copy()', ' * 2')}")
        if self.chance(0.4):
            self.add(self.pick(f"{x} -= 0.5 * {x}.grad", f"{x}.grad[{':' if shape else '()'}] = 0", f"{x} *= 0.5"))


class NumpyBlocks(Generator):
    """Gluon in np mode: blocks, parameters, trainers, losses."""

    length = (5, 12)
    weights = {"train": 5, "predict": 4, "change": 4}

    def start(self):
        self.trainer = None
        width = self.width = self.pick(2, 3, 4)
        self.add("npx.set_np()")
        self.add("net = gluon.nn.HybridSequential()")
        made = 0
        for _ in range(self.random.randint(1, 3)):
            made += 1
            self.add(
                "net.add("
                + self.pick(
                    f"gluon.nn.Dense({self.pick(2, 3)}, activation={self.pick(None, repr('relu'), repr('tanh'))})",
                    "gluon.nn.BatchNorm(epsilon=0.1)",
                    "gluon.nn.LayerNorm(epsilon=0.1)",
                    "gluon.nn.Dropout(0)",
                    "NumpyScale()",
                    "gluon.nn.LeakyReLU(0.25)",
                    "gluon.nn.HybridLambda(lambda F, x: x * 2 + 1)",
                )
                + ")"
            )
        self.add(f"net.add(gluon.nn.Dense({self.pick(1, 2)}))")
        self.add(f"x = mnp.array({self.numbers((self.pick(1, 2, 3), width))}, dtype='float32')")
        self.add("net.initialize(mx.init.Constant(0.25))")
        if self.chance(0.6):
            self.add(f"net.hybridize({self.pick('', 'static_alloc=True', 'static_alloc=True, static_shape=True')})")
        self.add("out = net(x)\nparams = list(net.collect_params().values())")
        self.add(
            "for _i, _p in enumerate(params):\n    _v = val(_p.shape, _i, 16.0)\n"
            "    _p.set_data(mnp.array(abs(_v) if _p.name.endswith(('var', 'gamma')) else _v, dtype='float32'))"
        )

    def step_predict(self):
        self.add(f"{self.pick('out', self.new('o'))} = net({self.pick('x', 'x * 2', 'x[0:1]')})")

    def step_train(self):
        if self.trainer is None or self.chance(0.1):
            self.trainer = self.new("trainer")
            made = self.pick(
                "'sgd', {'learning_rate': 0.125, 'momentum': 0.5}",
                "'adam', {'learning_rate': 0.125, 'epsilon': 0.0625}",
                "'rmsprop', {'learning_rate': 0.125, 'epsilon': 0.0625}",
                "'nag', {'learning_rate': 0.125, 'momentum': 0.5}",
                "'adagrad', {'learning_rate': 0.125, 'eps': 0.0625}",
            )
            store = self.pick("", ", kvstore=None", ", kvstore='local'", ", update_on_kvstore=False")
            self.add(f"{self.trainer} = gluon.Trainer(net.collect_params(), {made}{store})")
        loss = self.new("loss")
        form = self.pick(
            "_y.sum()",
            "(_y * _y).mean()",
            "_y * mnp.array(val(_y.shape, 3), dtype='float32')",
            "gluon.loss.L2Loss()(_y, mnp.zeros_like(_y))",
            "gluon.loss.L1Loss()(_y, mnp.ones_like(_y) * 0.3)",
            "gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=False)(_y, mnp.ones_like(_y) * 0.5)",
        )
        self.add(f"with autograd.record():\n    _y = net(x)\n    {loss} = {form}")
        self.add(f"{loss}.backward()")
        if self.chance(0.8):
            self.add(f"{self.trainer}.step({self.pick(1, 2)})")
        if self.chance(0.2):
            self.add(f"{self.trainer}.save_states('t')\n{self.trainer}.load_states('t')")

    def step_change(self):
        p = f"params[{self.random.randint(0, 5)} % len(params)]"
        name, seed = self.new("w"), self.random.randint(0, 20)
        self.add(
            self.pick(
                f"{p}.set_data(mnp.array(val({p}.shape, {seed}, 16.0), dtype='float32'))",
                f"{p}.data()[:] = 0.5",
                f"{p}.data()[0] = 0.5",
                f"{name} = {p}.data()\n{name} *= 0.5",
                f"{name} = {p}.data().reshape((-1,))\n{name}[0:1] = 1",
                f"{name} = {p}.data()\n{name}[:] = {name} - 0.125 * {p}.grad()",
                f"{name} = {p}.data().as_nd_ndarray()\n{name}[:] = 0.25",
                "net.save_parameters('p')\nfor _p in params:\n    _p.data()[:] = 0.25\nout = net(x)\nnet.load_parameters('p')",
                f"{p}.grad_req = '{self.pick('write', 'add', 'null')}'",
                "net.collect_params().zero_grad()",
                "net.initialize(mx.init.Constant(0.5), force_reinit=True)",
                f"{p}.grad()[:] = 1",
                "gluon.utils.clip_global_norm([_p.grad() for _p in params if _p.grad_req != 'null'], 1.0)",
                f"mnp.add({p}.data(), 1, out={p}.data())",
            )
        )

    def step_input(self):
        self.add(
            self.pick(
                "x[0] = 1",
                "x.attach_grad()",
                "x *= 0.5",
                f"x = mnp.array({self.numbers((2, self.width))}, dtype='float32')",
            )
        )

    def step_keep(self):
        p = f"params[{self.random.randint(0, 5)} % len(params)]"
        self.add(f"{self.new('k')} = {self.pick(f'{p}.data()', f'{p}.grad()', f'{p}.data()[0]', 'out.reshape((-1,))')}")

    def step_hybridize(self):
        self.add(f"net.hybridize({self.pick('', 'False', 'static_alloc=True')})")
