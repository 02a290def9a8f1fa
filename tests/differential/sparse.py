"""Programs on arrays with sparse storage: conversions, writes, gradients, optimizers, stores."""

from .generate import Generator
from .stores import OPTIMIZERS

SPARSE = ("row_sparse", "csr")


class Sparse(Generator):
    """Row-sparse and csr arrays among dense ones, all of one shape."""

    length = (6, 15)
    weights = {"compute": 4, "write": 4, "convert": 3, "create": 2, "dot": 2, "update": 2, "train": 2, "member": 2}

    def start(self):
        self.size = self.pick((3, 2), (4, 2), (4, 3), (2, 3))
        self.arrays = {}
        self.trained, self.stores, self.updaters = [], 0, []
        for stype in ("row_sparse", "csr", "default"):
            self.create(stype)

    def create(self, stype):
        name = self.new({"row_sparse": "r", "csr": "c", "default": "d"}[stype])
        rows, columns = self.size
        kind = self.random.random()
        dtype = ", dtype='float32'" if self.chance(0.95) else ""
        chosen = sorted(self.random.sample(range(rows), self.random.randint(1, rows)))
        if stype == "default":
            text = f"nd.array({self.numbers(self.size)})"
        elif kind < 0.15:
            text = f"nd.sparse.zeros('{stype}', {self.size})"
        elif kind < 0.4:
            text = f"nd.array(thin({self.numbers(self.size)}, {self.random.randint(2, 3)})).tostype('{stype}')"
        elif stype == "row_sparse":
            numbers = self.numbers((len(chosen), columns))
            text = self.pick(
                f"nd.sparse.row_sparse_array(({numbers}, {chosen}), shape={self.size}{dtype})",
                f"nd.sparse.row_sparse_array((nd.array({numbers}), nd.array({chosen})), shape={self.size})",
                f"nd.sparse.row_sparse_array(thin({self.numbers(self.size)}, 2){dtype})",
            )
        else:
            counts = [self.random.randint(0, columns) for _ in range(rows)]
            ends = [sum(counts[:i]) for i in range(rows + 1)]
            indices = [i for count in counts for i in sorted(self.random.sample(range(columns), count))]
            text = self.pick(
                f"nd.sparse.csr_matrix(({self.numbers((ends[-1],))}, {indices}, {ends}), shape={self.size}{dtype})",
                f"nd.sparse.csr_matrix(thin({self.numbers(self.size)}, 2){dtype})",
            )
        self.add(f"{name} = {text}")
        self.arrays[name] = stype
        return name

    def array(self, *stypes):
        """The name of an array of one of these storage types."""
        found = [name for name, stype in self.arrays.items() if not stypes or stype in stypes]
        return self.random.choice(found)

    def step_create(self):
        self.create(self.pick("row_sparse", "row_sparse", "csr", "default"))

    def step_convert(self):
        a = self.array()
        stype = self.pick("row_sparse", "csr", "default")
        text, kind = self.pick(
            (f"{a}.tostype('{stype}')", stype),
            (f"nd.cast_storage({a}, '{stype}')", stype),
            (f"{a}.copy()", self.arrays[a]),
            (f"{a}.astype('float64').astype('float32')", self.arrays[a]),
            (f"{a}.astype('float32', copy=False)", self.arrays[a]),
            (f"{a}.as_in_context(mx.cpu(1)).as_in_context(mx.cpu(0))", self.arrays[a]),
            (f"{a}.copyto(mx.cpu(0))", self.arrays[a]),
            (f"nd.sparse.array({a})", self.arrays[a]),
            (f"nd.sparse.zeros('{stype}', {self.size})", stype),
            (f"nd.zeros_like({a})", self.arrays[a]),
            (a, self.arrays[a]),
        )
        name = self.new("t")
        if self.arrays[a] != "default" and stype not in ("default", self.arrays[a]) and kind == stype:
            self.add(f"{name} = {text}")  # one sparse storage does not become the other
        else:
            self.add(f"{name} = {text}")
            self.arrays[name] = kind

    def step_compute(self):
        a, b = self.array(), self.array()
        same = self.array(self.arrays[a])
        r, d = self.array("row_sparse"), self.array("default")
        n = self.pick(2, 0.5, -1)
        rows = sorted(self.random.sample(range(self.size[0]), self.random.randint(1, self.size[0])))
        text = self.pick(
            f"{a} + {b}",
            f"{a} - {same}",
            f"{a} * {b}",
            f"{a} * {same}",
            f"{a} * {n}",
            f"{a} / 2",
            f"{a} + {n}",
            f"-{a}",
            f"nd.square({a})",
            f"nd.abs({a})",
            f"nd.sign({a})",
            f"nd.relu({a})",
            f"nd.sin({a})",
            f"nd.cos({a})",
            f"nd.sqrt(nd.abs({a}))",
            f"nd.floor({a})",
            f"nd.clip({a}, -1, 1)",
            f"nd.clip({a}, 0.5, 1)",
            f"nd.sparse.retain({r}, nd.array({rows}))",
            f"nd.add_n({a}, {b}, {same})",
            f"nd.elemwise_add({a}, {b})",
            f"nd.elemwise_mul({a}, {same})",
            f"nd.broadcast_add({d}, {d}[0:1])",
            f"{self.array('csr')} * {d}[0:1]",
            f"nd.broadcast_mul({self.array('csr')}, {d}[0:1])",
            f"nd.sum({self.array('csr')}, axis={self.pick(0, 1)})",
            f"nd.mean({self.array('csr')}, axis={self.pick(0, 1)})",
            f"nd.sum({a})",
            f"nd.norm({a})",
            f"nd.sparse.where({self.array('csr', 'default')}, {d}, {d} * 2)",
            f"nd.concat({a}, {same}, dim=0)",
            f"{a}[0:2]",
            f"{a}[1]",
            f"{a}.slice_axis(axis=0, begin=0, end=2)",
            f"nd.slice({a}, begin=(0, 0), end=(2, 1))",
            f"nd.make_loss({a})",
            f"nd.identity({a})",
            f"{a} > {n}",
            f"{a} == {same}",
            f"nd.where({a} > 0, {d}, {d})" if self.arrays[a] == "default" else f"{a}.asscipy().toarray()",
        )
        self.add(f"{self.new('s')} = {text}")

    def step_dot(self):
        c, d = self.array("csr", "csr", "default"), self.array()
        text = self.pick(
            f"nd.dot({c}, {d}, transpose_b=True)",
            f"nd.dot({c}, {d}, transpose_a=True)",
            f"nd.sparse.dot({c}, nd.array({self.numbers((self.size[1], 2))}))",
            f"nd.sparse.dot({c}, nd.array(thin({self.numbers((self.size[1], 2))}, 2)).tostype('row_sparse'))",
            f"nd.dot({c}, nd.array(thin({self.numbers((self.size[0], 2))}, 2)).tostype('row_sparse'), transpose_a=True)",
            f"nd.dot({c}, nd.array({self.numbers((self.size[0], 2))}), transpose_a=True"
            f"{self.pick('', ', forward_stype=' + repr('row_sparse'), ', forward_stype=' + repr('default'))})",
            f"nd.dot(nd.array({self.numbers((2, self.size[0]))}), {c})",
        )
        self.add(f"{self.new('p')} = {text}")

    def step_write(self):
        a, b = self.array(), self.array()
        d = self.array("default")
        s, same = self.array(*SPARSE), self.array(self.arrays[a])
        self.add(
            self.pick(
                f"{a}[:] = {b}",
                f"{d}[:] = {b}",
                f"{a}[:] = {self.numbers(self.size)}",
                f"{a}[:] = 0",
                f"{a}[:] = 1.5",
                f"{b}.copyto({a})",
                f"{b}.copyto({d})",
                f"{self.array(self.arrays[a])}.copyto({a})",
                f"{s}.data[:] = 2",
                f"_d = {s}.data\n_d *= 2",
                f"{d} += {b}",
                f"{a} += {self.array(self.arrays[a])}",
                f"{a} *= 2",
                f"{a} += 1",
                f"{d}[0] = 3",
                f"nd.elemwise_add({a}, {same}, out={self.array(self.arrays[a])})",
                f"nd.square({a}, out={self.array(self.arrays[a])})",
                f"nd.square({a}, out={d})",
                f"nd.identity({a}, out={self.array(self.arrays[a])})",
                f"nd.cast_storage({d}, '{self.arrays[a]}', out={a})",
                f"nd.sparse.retain({self.array('row_sparse')}, nd.array([0, 1]), out={self.array('row_sparse')})",
                f"nd.zeros({self.size}, out={d})",
            )
        )

    def step_member(self):
        s = self.array(*SPARSE)
        self.add(
            f"{self.new('m')} = "
            + self.pick(
                f"{s}.data", f"{s}.indices", f"{s}.data.shape", f"{s}.shape, {s}.size, {s}.ndim", f"{s}.asnumpy()"
            )
        )

    def step_file(self):
        a, b = self.array(), self.array()
        self.add(f"nd.save('arrays', {self.pick(f'[{a}, {b}]', f'dict(x={a}, y={b})')})")
        self.add(f"{self.new('f')} = nd.load('arrays')")
        if self.chance(0.3):
            self.add(f"{self.new('f')} = pickle.loads(pickle.dumps({a}))")

    def step_update(self):
        """Optimizers on gradients with rows only for some."""
        if not self.updaters or self.chance(0.2):
            name = self.new("opt")
            lazy = self.pick("", ", lazy_update=True", ", lazy_update=False")
            made = self.pick(
                f"SGD(learning_rate=0.125, momentum=0.5, wd=0.125{lazy})",
                f"SGD(learning_rate=0.125{lazy})",
                f"Adam(learning_rate=0.125, epsilon=0.0625, wd=0.125{lazy})",
                "AdaGrad(learning_rate=0.125, eps=0.0625, wd=0)",
                "Ftrl(learning_rate=0.125, wd=0.125)",
                "GroupAdaGrad(learning_rate=0.125)"
                if self.chance(0.2)
                else "SGD(learning_rate=0.5, clip_gradient=0.5)",
                self.random.choice(OPTIMIZERS) if self.chance(0.3) else "Signum(learning_rate=0.125)",
            )
            self.add(f"{name} = mx.optimizer.{made}")
            self.add(f"upd{name} = mx.optimizer.get_updater({name})")
            self.updaters.append(name)
        name = self.random.choice(self.updaters)
        key = self.random.randint(0, 1)
        if self.chance(0.3) or not any(n.startswith("full") for n in self.arrays):
            w = self.new("full")
            self.add(f"{w} = nd.array({self.numbers(self.size)} + 0.0625).tostype('row_sparse')")
            self.arrays[w] = "row_sparse"
        w = self.random.choice([n for n in self.arrays if n.startswith(("full", "d"))])
        if self.chance(0.05):
            w = self.array("row_sparse", "default")
        g = self.array("row_sparse", "row_sparse", "default")
        self.add(f"upd{name}({key}, {g}, {w})")
        if self.chance(0.2):
            self.add(
                f"_s = upd{name}.get_states()\nupd{name}.set_states(_s)\n{self.new('k')} = plain(upd{name}.states)"
            )

    def step_train(self):
        """Gradients with sparse storage."""
        rows, columns = self.size
        if not self.trained or self.chance(0.3):
            w = self.new("w")
            numbers = self.numbers(self.size)
            made = self.pick(
                f"nd.array({numbers})",
                f"nd.array({numbers}).tostype('row_sparse')",
                f"nd.array(thin({numbers}, 2)).tostype('row_sparse')",
            )
            self.add(f"{w} = {made}")
            stype = self.pick("stype='row_sparse'", "stype='row_sparse'", "stype='default'")
            if self.chance(0.2):
                stype = "'add', stype='default'"
            self.add(f"{w}.attach_grad({stype})")
            self.trained.append((w, "row_sparse" in stype))
        w, by_rows = self.random.choice(self.trained)
        ids = [self.random.randrange(rows) for _ in range(self.random.randint(1, 3))]
        y = self.new("y")
        form = self.pick(
            f"nd.Embedding(nd.array({ids}), {w}, input_dim={rows}, output_dim={columns}, sparse_grad={by_rows})",
            f"nd.Embedding(nd.array({ids}), {w}, input_dim={rows}, output_dim={columns}, sparse_grad={by_rows})",
            f"nd.sparse.dot({self.array('csr')}, nd.sparse.retain({w}, nd.array([0, 1])), transpose_a=True)"
            if self.chance(0.1)
            else f"nd.dot({self.array('csr')}, {w}, transpose_a=True)",
            f"nd.dot(nd.array(thin({self.numbers((2, rows))}, 2)).tostype('csr'), {w})",
            f"nd.take({w}, nd.array({ids}))",
            f"{w} * 2",
            f"nd.square({w})",
            f"{w} * {self.array('default')}",
        )
        twice = " * 2" if self.chance(0.3) else ""
        self.add(f"with autograd.record():\n    {y} = {form}{twice}\n{y}.backward()")
        self.add(f"{self.new('g')} = {w}.grad{self.pick('', '', '.copy()', '.tostype(' + repr('default') + ')')}")
        if self.chance(0.4):
            self.add(
                self.pick(
                    f"nd.sgd_update({w}, {w}.grad, lr=0.25, out={w})",
                    f"{w}[:] = {w} - 0.5 * {w}.grad",
                    f"{w}.grad[:] = 0",
                    f"_m = nd.zeros_like({w})\nnd.sgd_mom_update({w}, {w}.grad, _m, lr=0.25, momentum=0.5, out={w})",
                    f"{w}[0] = 1",
                )
            )

    def step_store(self):
        rows = self.size[0]
        if not self.stores:
            self.stores = 1
            self.add(f"kv = mx.kv.create('{self.pick('local', 'device')}')")
            self.add(f"kv.init('a', {self.array('row_sparse')})\nkv.init('b', {self.array('row_sparse', 'default')})")
            if self.chance(0.4):
                self.add(f"kv.set_optimizer(mx.optimizer.{self.pick(*OPTIMIZERS[:3], OPTIMIZERS[7])})")
        ids = sorted({self.random.randrange(rows) for _ in range(2)})
        r = self.array("row_sparse")
        self.add(
            self.pick(
                f"kv.push('a', {r})",
                f"kv.push('a', [{r}, {self.array('row_sparse')}])",
                f"kv.push('b', {self.array('row_sparse', 'default')})",
                f"kv.row_sparse_pull('a', out={r}, row_ids=nd.array({ids}))",
                f"kv.row_sparse_pull('a', out=[{r}], row_ids=[nd.array({ids})])",
                f"kv.pull('a', out={r}, ignore_sparse=False)",
                f"kv.pull('b', out={self.array('default')})",
                f"kv.pull('a', out={r})",
                f"kv.pushpull('b', {self.array('default')}, out={self.array('default')})",
            )
        )

    def step_net(self):
        """A network with an embedding of sparse gradients, in training."""
        if not any(step.startswith("net =") for step in self.steps):
            rows, columns = self.size
            self.add(
                "net = gluon.nn.HybridSequential(prefix='net_')\n"
                f"net.add(gluon.nn.Embedding({rows}, {columns}, sparse_grad={self.pick(True, True, False)}, prefix='e_'))\n"
                f"net.add(gluon.nn.Dense(2, in_units={columns}, flatten=False, prefix='d_'))\nnet.initialize(mx.init.One())"
            )
            if self.chance(0.5):
                self.add("net.hybridize()")
            made = self.pick(
                "'sgd', {'learning_rate': 0.125, 'momentum': 0.5, 'wd': 0.125}",
                "'adam', {'learning_rate': 0.125, 'epsilon': 0.0625}",
                "'adam', {'learning_rate': 0.125, 'epsilon': 0.0625, 'lazy_update': False}",
                "'adagrad', {'learning_rate': 0.125, 'eps': 0.0625}",
                "'ftrl', {'learning_rate': 0.125}",
                "'sgd', {'learning_rate': 0.125}",
            )
            store = self.pick("", ", kvstore=None", ", kvstore='local'", ", update_on_kvstore=False")
            self.add(f"trainer = gluon.Trainer(net.collect_params(), {made}{store})")
        ids = [self.random.randrange(self.size[0]) for _ in range(2)]
        self.add(
            f"with autograd.record():\n    _y = net(nd.array({ids}))\n    _y = (_y * _y).sum()\n_y.backward()\n"
            f"{self.new('g')} = [_p.grad() for _p in net.collect_params().values()]"
        )
        self.add(
            self.pick(
                "trainer.step(1)",
                "trainer.step(2)",
                "trainer.allreduce_grads()\ntrainer.update(1)",
                "trainer.step(1)\ntrainer.save_states('t')\ntrainer.load_states('t')",
            )
        )
        if self.chance(0.3):
            self.add(f"out = net(nd.array({ids}))")
