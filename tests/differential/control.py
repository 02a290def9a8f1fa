"""Programs with control flow, custom operators and monitors, eager, in graphs and in hybridized blocks."""

from .generate import Generator


class Control(Generator):
    """foreach, while_loop, cond and CustomOps; what they are given is written to between the passes."""

    length = (4, 10)
    weights = {"loop": 5, "custom": 4, "write": 3, "executor": 3, "block": 2, "run": 3}

    def start(self):
        self.rows, self.width = self.random.randint(1, 4), self.pick(1, 2, 3)
        self.executors, self.blocks, self.watched = [], [], set()
        self.add(f"x = nd.array({self.numbers((self.rows, self.width))})")
        self.add(f"s = nd.array({self.numbers((self.width,))})")
        self.add(f"w = nd.array({self.numbers((self.width,))})")
        for name in "xsw":
            if self.chance(0.8):
                self.add(f"{name}.attach_grad({self.pick('', '', repr('add'))})")

    def body(self, module):
        """A function for foreach: of a row and a state."""
        return self.pick(
            "lambda d, t: (d + t, d + t)",
            "lambda d, t: (d * t, t * 0.5)",
            "lambda d, t: (d * w, t + d)",
            "lambda d, t: ([d, t], t + 1)",
            f"lambda d, t: ({module}.tanh(d) + t, {module}.relu(t))",
            "lambda d, t: (d, d)",
            "lambda d, t: (t, t)",
            "lambda d, t: (d + w * t, t)",
            f"lambda d, t: ({module}.Custom(d, op_type='twice'), t + d)",
        )

    def form(self, module="nd"):
        """An expression with control flow over x, s and w."""
        kind = self.random.random()
        contrib = f"{module}.contrib"
        if kind < 0.4:
            return f"{contrib}.foreach({self.body(module)}, x, s)"
        if kind < 0.5:
            return f"{contrib}.foreach(lambda d, t: (d + t[0] * t[1], [t[1], d]), x, [s, w])"
        if kind < 0.58:
            return f"{contrib}.foreach(lambda d, t: ([d[0] + d[1] + t[0]], [t[0] + 1]), [x, x * 2], [s])"
        if kind < 0.8:
            limit, most = self.random.randint(0 if module == "nd" else 1, 4), self.random.randint(3, 5)
            func = self.pick(
                "(v + 1, [i + 1, v * 2])", "(v * w, [i + 1, v + w])", "([v, v + 1], [i + 1, v])", "([], [i + 1, v * w])"
            )
            return (
                f"{contrib}.while_loop(cond=lambda i, v: i < {limit}, func=lambda i, v: {func}, "
                f"loop_vars=[{module}.zeros((1,)), s], max_iterations={most})"
            )
        then, other = self.pick(("s + w", "s - w"), ("s * 2", "s"), ("[s, w]", "[w, s]"), ("s * w", "w"))
        test = self.pick("s.sum() > 0", "(s * w).sum() < 1", "x.sum() > 2")
        return f"{contrib}.cond({test}, lambda: {then}, lambda: {other})"

    def step_loop(self):
        y = self.new("y")
        self.add(f"with autograd.record():\n    {y} = {self.form()}")
        if self.chance(0.25):
            self.step_write()
        heads = self.pick(f"first({y})", f"first({y}) * 2", f"everything({y})")
        if "* 2" in heads:
            self.add(f"with autograd.record():\n    {y}z = {heads}\n{y}z.backward()")
        else:
            self.add(f"autograd.backward({heads}{self.pick('', ', retain_graph=True')})")

    def step_eager(self):
        self.add(f"{self.new('e')} = {self.form()}")

    def step_custom(self):
        y = self.new("y")
        form = self.pick(
            "nd.Custom(x, op_type='twice')",
            "nd.Custom(x, op_type='inplace')",
            "nd.Custom(s, w, op_type='pair')",
            "nd.Custom(s, w, op_type='pair')[0] * w",
            "nd.Custom(x * 2, op_type='twice') + nd.Custom(x, op_type='inplace')",
            "nd.Custom(s, op_type='counting')",
            "nd.Custom(s, w, op_type='scaled', factor=3)",
            "nd.Custom(x, op_type='keeps')",
            "nd.Custom(nd.Custom(x, op_type='keeps'), op_type='twice')",
        )
        self.add(f"with autograd.record({self.pick('', '', 'train_mode=False')}):\n    {y} = {form}")
        if self.chance(0.25):
            self.step_write()
        self.add(f"autograd.backward(everything({y}))" if self.chance(0.7) else f"first({y}).backward()")
        if self.chance(0.3):
            self.add(f"{self.new('k')} = x.grad")

    def step_write(self):
        name = self.pick("x", "s", "w")
        self.add(
            self.pick(
                f"{name}[:] = {self.scalar()}",
                f"{name}[0] = {self.scalar()}",
                f"{name} *= 0.5",
                f"{name} += 1",
                f"{name}.grad[:] = 1",
                f"{name} -= 0.5 * {name}.grad",
            )
        )

    def symbol(self):
        """The text of a symbol over x, s and w."""
        kind = self.random.random()
        if kind < 0.55:
            text = self.form("mx.sym")
        else:
            text = self.pick(
                "mx.sym.Custom(x, op_type='twice', name='c')",
                "mx.sym.Custom(x, op_type='inplace', name='c') + 1",
                "mx.sym.Custom(s, w, op_type='pair', name='c')",
                "mx.sym.Custom(s, op_type='counting', name='c')",
                "mx.sym.Custom(x * 2, op_type='keeps', name='c')",
                "mx.sym.Custom(s, w, op_type='scaled', factor=2, name='c') * w",
                "mx.sym.broadcast_add(mx.sym.Custom(x, op_type='twice', name='c'), mx.sym.reshape(s, shape=(1, -1)))",
            )
        return text

    def step_executor(self):
        name = self.new("ex")
        text = f"mx.sym.Group(symbols({self.symbol()}))"
        request = self.pick("write", "write", "add")
        step = (
            f"_x, _s, _w = x, s, w\nx, s, w = mx.sym.var('x'), mx.sym.var('s'), mx.sym.var('w')\n"
            f"try:\n    {name}s = {text}\nfinally:\n    x, s, w = _x, _s, _w\n"
            f"_a = {{_k: _v for _k, _v in dict(x=x, s=s, w=w).items() if _k in {name}s.list_arguments()}}\n"
            f"{name} = {name}s.bind(mx.cpu(), _a, {{_k: nd.zeros_like(_v) for _k, _v in _a.items()}}, '{request}', "
            f"{{_k: nd.ones((1,)) for _k in {name}s.list_auxiliary_states()}})\n{name}.forward(is_train=False)"
        )
        self.add(step)
        self.executors.append(name)
        if self.chance(0.3) and ".cond(" not in text:
            self.add(f"{name}m = mx.mon.Monitor(1, stat_func=lambda a: a.abs().mean())\n{name}m.install({name})")
            self.watched.add(name)
        self.step_run()

    def step_run(self):
        if not self.executors:
            return
        name = self.random.choice(self.executors)
        if name in self.watched:
            self.add(f"{name}m.tic()")
        if self.chance(0.4):
            self.add(f"{name}.forward(is_train={self.pick(True, False)})")
            self.add(f"{self.new('o')} = [_a.copy() for _a in {name}.outputs]")
        else:
            self.add(
                f"{name}.forward(is_train=True)\n"
                f"{name}.backward([nd.array(val(_a.shape, {self.random.randint(0, 9)})) for _a in {name}.outputs])"
            )
        if name in self.watched:
            self.add(f"{self.new('seen')} = told({name}m.toc())")

    def step_block(self):
        name = self.new("net")
        kind = self.pick("Looped", "Guarded", "Customized", "Whiled")
        self.add(f"{name} = {kind}({self.width}, prefix='{name}_')\n{name}.initialize(mx.init.Constant(0.5))")
        if self.chance(0.7):
            self.add(f"{name}.hybridize({self.pick('', '', 'static_alloc=True')})")
        self.add(f"{name}out = {name}(x)")
        self.blocks.append(name)
        self.step_train()

    def step_train(self):
        if not self.blocks:
            return
        name = self.random.choice(self.blocks)
        kind = self.random.random()
        if kind < 0.6:
            self.add(f"with autograd.record():\n    {name}y = {name}(x)\n{name}y.backward()")
        elif kind < 0.8:
            self.add(f"{self.new('o')} = {name}(x)")
        else:
            self.add(f"for _p in {name}.collect_params().values():\n    _p.data()[:] = _p.data() - 0.25 * _p.grad()")
