"""Programs on key-value stores, optimizers and iterators."""

from .generate import Generator

OPTIMIZERS = (
    "SGD(learning_rate=0.125)",
    "SGD(learning_rate=0.125, momentum=0.5)",
    "SGD(learning_rate=0.125, momentum=0.5, wd=0.125, clip_gradient=1.0, rescale_grad=0.5)",
    "Adam(learning_rate=0.125)",
    "NAG(learning_rate=0.125, momentum=0.5)",
    "RMSProp(learning_rate=0.125)",
    "RMSProp(learning_rate=0.125, centered=True)",
    "AdaGrad(learning_rate=0.125)",
    "AdaDelta(rho=0.5)",
    "Ftrl(learning_rate=0.125)",
    "Adamax(learning_rate=0.125)",
    "Nadam(learning_rate=0.125)",
    "Signum(learning_rate=0.125, momentum=0.5)",
    "FTML(learning_rate=0.125)",
    "DCASGD(learning_rate=0.125)",
    "LBSGD(learning_rate=0.125)",
    "LAMB(learning_rate=0.125)",
    "LARS(learning_rate=0.125, eta=0.5)",
    "SGD(learning_rate=0.125, lr_scheduler=mx.lr_scheduler.FactorScheduler(1, 0.5))",
    "Test()",
)


class Stores(Generator):
    """init, push, pull and pushpull with one or several arrays and keys, with an updater or without."""

    length = (6, 16)
    weights = {"push": 5, "pull": 5, "write": 4, "pushpull": 2}

    def start(self):
        self.size = self.pick((3,), (2, 2), (2, 3))
        self.arrays, self.contexts, self.bases = [], {}, {}
        self.together = self.pick(2, 2, 3)  # the original crashes if a key gets more arrays than it did first
        self.add(f"kv = mx.kv.create('{self.pick('local', 'device', 'local')}')")
        for _ in range(4):
            name = self.new()
            self.contexts[name] = self.pick("mx.cpu(0)", "mx.cpu(0)", "mx.cpu(1)")
            self.add(f"{name} = nd.array({self.numbers(self.size)}, ctx={self.contexts[name]})")
            self.arrays.append(name)
        self.names = self.chance(0.3)
        for key in (1, 2, 3):
            self.add(f"kv.init({self.key(key)}, {self.pick(self.random.choice(self.arrays), f'nd.ones({self.size})')})")
        if self.chance(0.4):  # before any push: what was pushed before is the stored array itself, in the original
            self.updater()

    def key(self, number=None):
        number = number or self.random.randint(1, 3)
        return f"'k{number}'" if self.names else str(number)

    def array(self):
        return self.random.choice(self.arrays)

    def several(self):
        return f"[{', '.join(self.apart(self.together))}]"

    def apart(self, count):
        """So many arrays that do not share memory."""
        found = {}
        for name in self.random.sample(self.arrays, len(self.arrays)):
            found.setdefault(self.bases.get(name, name), name)
        return list(found.values())[:count]

    def value(self):
        return self.array() if self.chance(0.5) else self.several()

    def step_push(self):
        kind = self.random.random()
        if kind < 0.75:
            self.add(f"kv.push({self.key()}, {self.value()})")
        else:
            first, second = self.random.sample((1, 2, 3), 2)
            keys = f"[{self.key(first)}, {self.key(second)}]"
            values = self.pick(f"[{self.array()}, {self.array()}]", f"[{self.several()}, {self.several()}]")
            self.add(f"kv.push({keys}, {values})")

    def step_pull(self):
        kind = self.random.random()
        if kind < 0.75:
            self.add(f"kv.pull({self.key()}, out={self.value()})")
        else:
            first, second = self.random.sample((1, 2, 3), 2)
            pair = ", ".join(self.apart(2))
            self.add(f"kv.pull([{self.key(first)}, {self.key(second)}], out=[{pair}])")

    def step_pushpull(self):
        self.add(f"kv.pushpull({self.key()}, {self.value()}, out={self.value()})")

    def step_broadcast(self):
        if self.chance(0.3):
            self.add(f"kv.broadcast({self.pick(repr('b1'), 9, self.key())}, {self.array()}, out={self.value()})")

    def step_write(self):
        name = self.array()
        self.add(
            self.pick(
                f"{name}[:] = {self.scalar()}",
                f"{name}[0] = {self.scalar()}",
                f"{name} += 1",
                f"{name} *= 2",
                f"{name}[:] = {self.numbers(self.size)}",
                f"{name}.reshape((-1,))[0:2] = 7",
            )
        )

    def step_view(self):
        """A view or another name that takes part in pushes and pulls."""
        of = self.array()
        name = self.new("v")
        self.contexts[name] = self.contexts[of]
        self.bases[name] = self.bases.get(of, of)
        self.add(f"{name} = {of}{self.pick('', '[:]', f'.reshape({self.size})', '.copy()', '.detach()')}")
        self.arrays.append(name)

    def updater(self):
        self.add(
            self.pick(
                f"kv.set_optimizer(mx.optimizer.{self.random.choice(OPTIMIZERS[:8])})",
                "def _add(key, new, stored):\n    stored += new * 2\nkv._set_updater(_add)",
                "def _keep(key, new, stored):\n    global kept, pushed\n    kept, pushed = stored, new\n    stored[:] = new\n"
                "kv._set_updater(_keep)",
                "def _double(key, new, stored):\n    new *= 2\n    stored -= new\nkv._set_updater(_double)",
            )
        )

    def step_states(self):
        if self.chance(0.5) and any("set_optimizer" in step for step in self.steps):
            self.add(self.pick("kv.save_optimizer_states('s')", "kv.load_optimizer_states('s')"))


class Optimizers(Generator):
    """Optimizers and updaters on arrays that share memory."""

    length = (5, 14)
    weights = {"update": 7, "write": 3, "view": 2, "states": 1.5}

    def start(self):
        self.size = self.pick((3,), (2, 2), (4, 2))
        self.arrays, self.gradients, self.updaters = [], [], []
        for _ in range(2):
            self.arrays.append(self.new("w"))
            self.add(f"{self.arrays[-1]} = nd.array({self.numbers(self.size)})")
            self.gradients.append(self.new("g"))
            self.add(f"{self.gradients[-1]} = nd.array({self.numbers(self.size)})")
        self.step_make()

    def step_make(self):
        if len(self.updaters) > 1:
            return
        name = self.new("opt")
        self.add(f"{name} = mx.optimizer.{self.random.choice(OPTIMIZERS)}")
        self.add(f"upd{name} = mx.optimizer.get_updater({name})")
        self.updaters.append(name)

    def step_update(self):
        name, index = self.random.choice(self.updaters), self.random.randint(0, 1)
        w, g = self.random.choice(self.arrays), self.random.choice(self.gradients)
        kind = self.random.random()
        if kind < 0.65:
            self.add(f"upd{name}({index}, {g}, {w})")
        elif kind < 0.8:
            self.add(
                f"upd{name}([0, 1], [{self.random.choice(self.gradients)}, {g}], [{self.arrays[0]}, {self.arrays[1]}])"
            )
        else:
            state = self.new("st")
            self.add(f"{state} = {name}.create_state_multi_precision({index}, {w})")
            self.add(f"{name}.update_multi_precision({index}, {w}, {g}, {state})")
            if self.chance(0.5):
                self.add(f"{name}.update({index}, {w}, {g}, {state})")

    def step_write(self):
        name = self.random.choice(self.arrays + self.gradients)
        self.add(
            self.pick(f"{name}[:] = {self.scalar()}", f"{name}[0] = {self.scalar()}", f"{name} *= 0.5", f"{name} += 1")
        )

    def step_view(self):
        # A weight that is its own gradient is overwritten while it is read, in the original.
        group = self.pick(self.arrays, self.gradients)
        of = self.random.choice(group)
        name = self.new("v")
        self.add(f"{name} = {of}{self.pick('[:]', f'.reshape({self.size})', '.copy()', '')}")
        group.append(name)

    def step_states(self):
        name = self.random.choice(self.updaters)
        self.add(
            self.pick(
                f"_s = upd{name}.get_states(dump_optimizer={self.pick(True, False)})",
                f"upd{name}.set_states(_s if '_s' in globals() else upd{name}.get_states())",
                f"{self.new('k')} = upd{name}.states",
                f"{name}.set_learning_rate(0.5)",
                f"{name}.set_lr_mult({{0: 0.5}})",
                f"{name}.set_wd_mult({{0: 0.5}})",
                f"upd{name} = pickle.loads(pickle.dumps(upd{name}))",
                f"{self.new('c')} = {name}.num_update",
            )
        )

    def step_operator(self):
        w, g = self.random.choice(self.arrays), self.random.choice(self.gradients)
        m = self.new("m")
        self.add(f"{m} = nd.zeros({self.size})")
        out = self.pick(
            f", out={w}", f", out={w}", ""
        )  # what the inputs become is undefined if out= is one of the others
        kept = f"{self.new('r')} = " if self.chance(0.4) else ""
        self.add(
            kept
            + self.pick(
                f"nd.sgd_update({w}, {g}, lr=0.25{out})",
                f"nd.sgd_mom_update({w}, {g}, {m}, lr=0.25, momentum=0.5{out})",
                f"nd.adam_update({w}, {g}, {m}, nd.zeros({self.size}), lr=0.25{out})",
                f"nd.signsgd_update({w}, {g}, lr=0.25{out})",
                f"nd.multi_sgd_update({w}, {g}, lrs=(0.25,), wds=(0.5,), num_weights=1{out})",
                f"nd.nag_mom_update({w}, {g}, {m}, lr=0.25, momentum=0.5{out})",
                f"nd.rmsprop_update({w}, {g}, {m}, lr=0.25{out})",
            )
        )


class Iterators(Generator):
    """Iterators, batches that are kept or written to."""

    length = (6, 16)
    weights = {"next": 7, "write": 3, "reset": 3, "keep": 2}

    def start(self):
        self.rows = self.random.randint(2, 7)
        self.batch = self.random.randint(1, 4)
        self.batches, self.ahead = [], False
        shape = self.pick((self.rows,), (self.rows, 2), (self.rows, 2, 2))
        make = self.pick("{}", "nd.array({})")
        self.add(f"x = {make.format(self.numbers(shape))}")
        self.add(f"y = {make.format(f'np.arange({self.rows}) * 1.0')}")
        handle = self.pick("pad", "discard", "roll_over")
        data, label = self.pick(
            ("x", "y"), ("x", "None"), ("{'a': x, 'b': x}", "{'l': y}"), ("[x, x]", "[y]"), ("[x, y]", "y")
        )
        self.add(f"it = mx.io.NDArrayIter({data}, {label}, batch_size={self.batch}, last_batch_handle='{handle}')")
        kind = self.random.random()
        if kind < 0.2:
            self.add(f"it = mx.io.ResizeIter(it, {self.random.randint(1, 6)}{self.pick('', ', reset_internal=False')})")
        elif kind < 0.4:
            self.add("it = mx.io.PrefetchingIter(it)")
            self.ahead = True
        elif kind < 0.5 and len(shape) > 1:
            self.add("np.savetxt('data.csv', np.asarray(x.asnumpy() if hasattr(x, 'asnumpy') else x).reshape((-1, 2)))")
            self.add(f"it = mx.io.CSVIter(data_csv='data.csv', data_shape=(2,), batch_size={self.batch})")
        self.step_next()

    def step_next(self):
        if self.chance(0.8):
            name = self.new("batch")
            self.batches.append(name)
            self.add(f"{name} = {self.pick('it.next()', 'next(it)')}")
        else:
            self.add(f"{self.new('more')} = it.iter_next()")
            part = self.pick("getdata()", "getlabel()", "getpad()", "getindex()")
            self.add(f"{self.new('part')} = it.{part}")

    def step_loop(self):
        self.add(f"{self.new('all')} = [(_b.data, _b.label, _b.pad) for _b in it]")
        if self.chance(0.7):
            self.add("it.reset()")

    def step_reset(self):
        self.add(self.pick("it.reset()", "it.reset()", "it.hard_reset()" if self.chance(0.2) else "it.reset()"))

    def step_write(self):
        if self.chance(0.4) or not self.batches:
            if not self.ahead:  # else it depends on time which batch sees it
                self.add(self.pick("x[:] = 0", "x[0] = 9", "y[:] = 5"))
        else:
            name = self.random.choice(self.batches)
            self.add(f"{name}.{self.pick('data', 'label')}[0][:] = {self.random.randint(0, 9)}")

    def step_keep(self):
        if self.batches:
            name = self.random.choice(self.batches)
            self.add(f"{self.new('k')} = {name}.data[0]{self.pick('', '[0]', '.reshape((-1,))')}")

    def step_describe(self):
        self.add(
            f"{self.new('d')} = "
            + self.pick(
                "[tuple(d.shape) for d in it.provide_data]",
                "[tuple(d.shape) for d in it.provide_label]",
                "it.batch_size",
            )
        )
