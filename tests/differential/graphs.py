"""Programs on symbols: executors whose weights change between runs, and modules."""

from .generate import Generator


class Network:
    """A random symbol, as lines, with the shapes it needs."""

    def __init__(self, generator, batch, *, image=None, head=True):
        self.made = 0
        self.of = generator
        self.lines = ["data = mx.sym.var('data')"]
        self.batch = batch
        self.image = generator.chance(0.55) if image is None else image
        if self.image:
            size = generator.pick(2, 3, 4, 5)
            self.inner = (generator.pick(2, 3, 4, 8, 16, 33), size, size)
        else:
            self.inner = (generator.pick(2, 3, 5, 8),)
        self.data_shape = (batch, *self.inner)
        self.convolutions = 0
        top = "data"
        for _ in range(generator.random.randint(1, 4)):
            top = self._layer(top)
        self.label_shape = None
        if head:
            top = self._head(top)
        self.top = top

    def _add(self, text, name=None):
        self.made += 1
        variable = f"n{self.made}"
        self.lines.append(f"{variable} = {text}")
        return variable

    def _name(self, kind):
        return f"name='{kind}{self.made}'"

    def _layer(self, top):
        pick, chance = self.of.pick, self.of.chance
        if len(self.inner) == 3:
            channels, height, _ = self.inner
            kind = self.of.random.random()
            if kind < 0.5:
                wanted = pick(2, 3, 4, 8, 16, 17, 32, 64, 70)
                bias = pick("", ", no_bias=True")
                if chance(0.5):
                    stride = ", stride=(2, 2)" if chance(0.2) else ""
                    top = self._add(
                        f"mx.sym.Convolution({top}, kernel=(1, 1), num_filter={wanted}{bias}{stride}, {self._name('conv')})"
                    )
                    size = (height - 1) // 2 + 1 if stride else height
                else:
                    top = self._add(
                        f"mx.sym.Convolution({top}, kernel=(3, 3), pad=(1, 1), num_filter={wanted}{bias}, {self._name('conv')})"
                    )
                    size = height
                self.inner = (wanted, size, size)
                if chance(0.5):
                    top = self._norm(top)
                if chance(0.6):
                    top = self._activation(top)
                return top
            if kind < 0.65:
                return self._norm(top)
            if kind < 0.75 and height > 1:
                how = pick("max", "avg")
                self.inner = (channels, height // 2, height // 2)
                return self._add(f"mx.sym.Pooling({top}, kernel=(2, 2), stride=(2, 2), pool_type='{how}')")
            if kind < 0.8:
                self.inner = (channels, 1, 1)
                return self._add(
                    f"mx.sym.Pooling({top}, global_pool=True, kernel=(1, 1), pool_type='{pick('max', 'avg')}')"
                )
        else:
            if self.of.chance(0.45):
                wanted = pick(2, 3, 4, 6)
                self.inner = (wanted,)
                flat = pick("", ", no_bias=True")
                return self._add(f"mx.sym.FullyConnected({top}, num_hidden={wanted}{flat}, {self._name('fc')})")
            if self.of.chance(0.2):
                return self._norm(top)
        kind = self.of.random.random()
        if kind < 0.3:
            return self._activation(top)
        if kind < 0.4:
            return self._add(f"mx.sym.Dropout({top}, p=0)")
        if kind < 0.55:
            return self._add(f"{top} + {self._activation(top)}")
        if kind < 0.65:
            self.inner = (2 * self.inner[0], *self.inner[1:])
            return self._add(f"mx.sym.concat({top}, {top} * 2, dim=1)")
        if kind < 0.7:
            return self._add(f"mx.sym.BlockGrad({top}) + {top}")
        if kind < 0.8:
            return self._add(
                f"mx.sym.broadcast_mul({top}, mx.sym.var('scale{self.made}_weight', shape={(1,) * (len(self.inner) + 1)}))"
            )
        if kind < 0.9:
            return self._add(f"{top} * {pick(0.5, 2)} + {pick(1, -1)}")
        if len(self.inner) == 3:
            channels, height, width = self.inner
            self.inner = (channels * height * width,)
            return self._add(f"mx.sym.Flatten({top})")
        return self._activation(top)

    def _norm(self, top):
        more = self.of.pick("", ", fix_gamma=False", ", fix_gamma=False, momentum=0.5", ", use_global_stats=True")
        return self._add(f"mx.sym.BatchNorm({top}, eps={self.of.pick(0.001, 0.1)}{more}, {self._name('bn')})")

    def _activation(self, top):
        return self._add(
            f"mx.sym.Activation({top}, act_type='{self.of.pick('relu', 'relu', 'tanh', 'sigmoid', 'softrelu')}')"
        )

    def _head(self, top):
        kind = self.of.random.random()
        if len(self.inner) == 3 and kind < 0.7:
            wanted = self.of.pick(2, 3)
            top = self._add(f"mx.sym.FullyConnected({top}, num_hidden={wanted}, {self._name('fc')})")
            self.inner = (wanted,)
        if len(self.inner) == 1 and kind < 0.4:
            self.label_shape = (self.batch,)
            return self._add(f"mx.sym.SoftmaxOutput({top}, mx.sym.var('label'), name='softmax')")
        if len(self.inner) == 1 and kind < 0.6:
            self.label_shape = (self.batch, *self.inner)
            return self._add(f"mx.sym.LinearRegressionOutput({top}, mx.sym.var('label'), name='lin')")
        if kind < 0.75:
            return self._add(f"mx.sym.MakeLoss(mx.sym.square({top}), name='loss')")
        return top

    @property
    def loss(self):
        """Does it need no head gradient?"""
        last = self.lines[-1]
        return any(word in last for word in ("Output(", "MakeLoss("))

    def shapes(self, batch=None):
        """The keywords of simple_bind."""
        batch = batch or self.batch
        text = f"data={(batch, *self.data_shape[1:])}"
        if self.label_shape:
            text += f", label={(batch, *self.label_shape[1:])}"
        return text


class Executors(Generator):
    """Graphs bound to arrays; every way to change a weight between runs."""

    length = (6, 14)
    weights = {"forward": 6, "backward": 4, "weight": 6, "keep": 2, "input": 2, "output": 1}

    def start(self):
        self.live = self.chance(0.15)  # keep outputs as they are, not copies: the next run writes to them
        self.net = Network(self, self.pick(1, 2, 3))
        for line in self.net.lines:
            self.add(line)
        self.executors = []
        request = self.pick("write", "write", "add", "null" if self.chance(0.2) else "write")
        # In one step, or the shrinker finds programs that read outputs before they are there.
        step = f"ex = {self.net.top}.simple_bind(mx.cpu(), grad_req='{request}', {self.net.shapes()})"
        self.executors.append("ex")
        step += f"; fill(ex.arg_dict, {self.random.randint(0, 20)}, 16.0); fill(ex.aux_dict, 3)"
        if self.net.label_shape and len(self.net.label_shape) == 1:
            step += "; ex.arg_dict['label'][:] = 1"
        self.add(f"{step}; ex.forward(is_train=False)")
        self.add("weights = [n for n in sorted(ex.arg_dict) if n not in ('data', 'label')] or ['data']")

    def step_forward(self):
        ex = self.random.choice(self.executors)
        mode = self.pick("is_train=False", "is_train=False", "is_train=True", "")
        if self.chance(0.15) and ex == "ex":
            mode = ", ".join(filter(None, [mode, f"data=nd.array({self.numbers(self.net.data_shape)})"]))
        self.add(f"{ex}.forward({mode})")
        if self.chance(0.4):
            self.add(f"{self.new('o')} = {ex}.outputs[0]{'' if self.live else '.copy()'}")

    def step_backward(self):
        ex = self.random.choice(self.executors)
        self.add(f"{ex}.forward(is_train=True)")
        if self.net.loss and self.chance(0.8):
            self.add(f"{ex}.backward()")
        else:
            head = self.new("h")
            self.add(f"{head} = nd.array(val({ex}.outputs[0].shape, {self.random.randint(0, 20)}))")
            self.add(f"{ex}.backward({self.pick(head, f'[{head}]')})")
            if self.chance(0.4):
                self.add(f"{head}[:] = 0")

    def weight(self):
        """An expression for one of the weights, the same index for its gradient."""
        return self.random.randint(0, 4)

    def step_weight(self):
        i = self.weight()
        ex = self.random.choice(self.executors)
        w = f"{ex}.arg_dict[weights[{i} % len(weights)]]"
        g = f"{ex}.grad_dict[weights[{i} % len(weights)]]"
        name = self.new("w")
        self.add(
            self.pick(
                f"{w}[:] = {self.pick(0, 0.5, 0.25)}",
                f"{w}[:] = val({w}.shape, {self.random.randint(0, 20)}, 16.0)",
                f"{w}[0] = 0.5",
                f"{name} = {w}\n{name} *= 0.5",
                f"{name} = {w}\n{name} += 0.25",
                f"{name} = {w}.reshape((-1,))\n{name}[0:1] = 1",
                f"{name} = {w}[0]\n{name}[:] = 0.25",
                f"{name} = {w}\nnd.sgd_update({name}, {g}, lr=0.25, out={name})",
                f"{name} = {w}\nnd.sgd_update({name}, nd.ones_like({name}), lr=0.25, out={name})",
                f"{name} = {w}\n{name}m = nd.zeros_like({name})\n"
                f"nd.sgd_mom_update({name}, nd.ones_like({name}), {name}m, lr=0.25, momentum=0.5, out={name})",
                f"{name} = {w}\n{name}m, {name}v = nd.zeros_like({name}), nd.zeros_like({name})\n"
                f"nd.adam_update({name}, nd.ones_like({name}), {name}m, {name}v, lr=0.25, out={name})",
                f"{name} = {w}\nnd.multi_sgd_update({name}, nd.ones_like({name}), lrs=(0.25,), wds=(0,), num_weights=1, out={name})",
                f"nd.array(val({w}.shape, 4, 16.0)).copyto({w})",
                f"(nd.ones({w}.shape) * 0.5).copyto({w})",
                f"{ex}.copy_params_from({{weights[{i} % len(weights)]: nd.array(val({w}.shape, 9, 16.0))}})",
                f"nd.elemwise_add({w}, nd.ones({w}.shape), out={w})",
                f"nd.zeros({w}.shape, out={w})",
                f"fill({ex}.aux_dict, {self.random.randint(0, 9)})",
                f"for _a in {ex}.aux_arrays:\n    _a *= 2",
                f"mx.init.Constant(0.25)(mx.init.InitDesc('some_weight'), {w})",
                f"{name} = nd.from_dlpack({w}.to_dlpack_for_write())\n{name}[:] = 0.125",
                f"nd.save('w', [{w}])\n{w}[:] = nd.load('w')[0] * 2",
                f"mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5))({i}, {g}, {w})",
                f"{ex}.arg_arrays[{i} % len({ex}.arg_arrays)][:] = 0.5",
            )
        )

    def step_input(self):
        ex = self.random.choice(self.executors)
        self.add(
            self.pick(
                f"{ex}.arg_dict['data'][:] = val({ex}.arg_dict['data'].shape, {self.random.randint(0, 20)})",
                f"{ex}.arg_dict['data'][0] = 1",
                f"{self.new('d')} = {ex}.arg_dict['data']",
                f"fill({{'data': {ex}.arg_dict['data']}}, {self.random.randint(0, 20)}, 16.0)",
            )
        )

    def step_keep(self):
        ex = self.random.choice(self.executors)
        self.add(
            f"{self.new('k')} = {ex}."
            + self.pick(
                *(
                    ("outputs[0]", "outputs[0][0]", "outputs[0].reshape((-1,))", "outputs", "output_dict")
                    if self.live
                    else ()
                ),
                "outputs[0].copy()",
                "grad_arrays",
                "grad_arrays[0]",
                "grad_dict",
                f"grad_dict[weights[{self.weight()} % len(weights)]].reshape((-1,))",
            )
        )

    def step_output(self):
        ex = self.random.choice(self.executors)
        self.add(f"{ex}.outputs[0][:] = {self.pick(0, 1)}")

    def step_gradient(self):
        ex = self.random.choice(self.executors)
        self.add(
            self.pick(
                f"for _g in {ex}.grad_arrays:\n    if _g is not None:\n        _g[:] = {self.pick(0, 1)}",
                f"{ex}.grad_dict[weights[{self.weight()} % len(weights)]][0] = 5",
            )
        )

    def step_another(self):
        """A second executor on the same arrays, or of another size."""
        if len(self.executors) > 2:
            return
        name = self.new("ex")
        top = self.net.top
        kind = self.random.random()
        if kind < 0.4:
            request = self.pick("write", "add", "null")
            grads = "{_k: _v for _k, _v in ex.grad_dict.items() if _v is not None}"
            step = f"{name} = {top}.bind(mx.cpu(), ex.arg_dict, {grads}, '{request}', ex.aux_dict)"
        elif kind < 0.6:
            step = f"{name} = {top}.bind(mx.cpu(), ex.arg_dict, aux_states=ex.aux_dict)"
        elif kind < 0.8:
            batch = self.pick(1, 2, 3, 4)
            step = f"{name} = ex.reshape(allow_up_sizing=True, {self.net.shapes(batch)})"
            step += f"; fill({{_k: _v for _k, _v in {name}.arg_dict.items() if _k in ('data', 'label')}}, 2)"
            if self.net.label_shape and len(self.net.label_shape) == 1:
                step += f"; {name}.arg_dict['label'][:] = 0"
        else:
            step = f"{name} = {top}.simple_bind(mx.cpu(), shared_exec=ex, {self.net.shapes()})"
            step += f"; fill({name}.arg_dict, 5, 16.0); fill({name}.aux_dict, 5)"
        self.add(f"{step}; {name}.forward(is_train=False)")
        self.executors.append(name)

    def step_internal(self):
        if self.chance(0.5):
            self.add(f"ev = {self.net.top}.eval(ctx=mx.cpu(), **ex.arg_dict)")


class Modules(Generator):
    """Module, shared modules and buckets: borrowed batches, outputs that are kept, optimizers and their states."""

    length = (6, 14)
    weights = {"train": 6, "predict": 4, "params": 3, "outputs": 3, "batch": 2}

    def start(self):
        self.bucketing, self.inputs, self.live = self.chance(0.25), False, self.chance(0.15)
        self.batch = self.pick(1, 2, 4)
        if self.bucketing:
            self._buckets()
        else:
            self._plain()
        self.add(
            "args, auxs = "
            f"{self.modules[0]}.get_params()\nfill(args, {self.random.randint(0, 20)}, 16.0)\nfill(auxs, 2)\n"
            f"{self.modules[0]}.set_params(args, auxs)"
        )
        self.batches = []
        for _ in range(2):
            self._new_batch()
        if self.chance(0.9):
            self.step_optimizer()
        self.step_predict()

    def _plain(self):
        self.net = Network(self, self.batch)
        for line in self.net.lines:
            self.add(line)
        labels = "label_names=['label']" if self.net.label_shape else "label_names=None"
        self.add(f"mod = mx.mod.Module({self.net.top}, data_names=['data'], {labels})")
        self.inputs = self.chance(0.4)
        inputs = ", inputs_need_grad=True" if self.inputs else ""
        request = self.pick("", "", ", grad_req='add'")
        self.add(f"mod.bind({self._bind_shapes()}{inputs}{request})")
        self.add(f"mod.init_params(mx.init.{self.pick('One()', 'Zero()', 'Constant(0.25)')})")
        self.modules = ["mod"]

    def _bind_shapes(self, batch=None):
        batch = batch or self.batch
        text = f"data_shapes=[('data', {(batch, *self.net.data_shape[1:])})]"
        if self.net.label_shape:
            text += f", label_shapes=[('label', {(batch, *self.net.label_shape[1:])})]"
        return text

    def _buckets(self):
        self.net = None
        hidden = self.pick(2, 3)
        self.add(
            "def gen(n):\n    data = mx.sym.var('data')\n"
            "    e = mx.sym.reshape(data, shape=(-1, 2))\n"
            f"    e = mx.sym.FullyConnected(e, num_hidden={hidden}, name='fc')\n"
            f"    e = mx.sym.sum(mx.sym.reshape(e, shape=(-1, n, {hidden})), axis=1)\n"
            f"    out = {self.pick('mx.sym.BatchNorm(e, fix_gamma=False, eps=0.1, name=' + repr('bn') + ')', 'e * 2')}\n"
            "    return mx.sym.LinearRegressionOutput(out, mx.sym.var('label'), name='lin'), ('data',), ('label',)"
        )
        self.hidden = hidden
        self.add("mod = mx.mod.BucketingModule(gen, default_bucket_key=3)")
        shapes = f"data_shapes=[('data', ({self.batch}, 3, 2))], label_shapes=[('label', ({self.batch}, {hidden}))]"
        self.add(f"mod.bind({shapes})")
        self.add("mod.init_params(mx.init.Constant(0.25))")
        self.modules = ["mod"]

    def _new_batch(self):
        name, x, y = self.new("batch"), self.new("x"), self.new("y")
        if self.bucketing:
            key = self.pick(1, 2, 3)
            shapes = ((self.batch, key, 2), (self.batch, self.hidden))
            more = f", bucket_key={key}, provide_data=[('data', {shapes[0]})], provide_label=[('label', {shapes[1]})]"
        else:
            batch = self.batch if self.chance(0.85) else self.pick(1, 3)
            shapes = ((batch, *self.net.data_shape[1:]), self.net.label_shape and (batch, *self.net.label_shape[1:]))
            more = ""
        self.add(f"{x} = nd.array({self.numbers(shapes[0])})")
        if shapes[1] is None:
            labels = "None"
        else:
            labels = f"[{y}]"
            self.add(f"{y} = nd.array({self.numbers(shapes[1]) if len(shapes[1]) > 1 else [1] * shapes[1][0]})")
        self.add(f"{name} = mx.io.DataBatch(data=[{x}], label={labels}{more})")
        self.batches.append((name, x))

    def module(self):
        return self.random.choice(self.modules)

    def step_optimizer(self):
        name, more = self.pick(
            ("sgd", "'learning_rate': 0.125"),
            ("sgd", "'learning_rate': 0.125, 'momentum': 0.5"),
            ("adam", "'learning_rate': 0.125, 'epsilon': 0.0625"),
            ("rmsprop", "'learning_rate': 0.125, 'epsilon': 0.0625"),
            ("adagrad", "'learning_rate': 0.125, 'eps': 0.0625"),
            ("nag", "'learning_rate': 0.125, 'momentum': 0.5"),
            ("sgd", "'learning_rate': 0.25, 'wd': 0.125, 'clip_gradient': 1.0"),
        )
        store = self.pick("", "kvstore=None, ", "kvstore='local', ", "kvstore='device', ")
        again = ", force_init=True" if self.chance(0.5) else ""
        self.add(f"mod.init_optimizer({store}optimizer='{name}', optimizer_params={{{more}}}{again})")

    def step_predict(self):
        mod, (batch, x) = self.module(), self.random.choice(self.batches)
        self.add(f"{mod}.forward({batch}, is_train={self.pick(False, False, True)})")
        self._maybe_change(x)
        if self.chance(0.6):
            self.add(f"{self.new('o')} = {mod}.get_outputs()[0]" + (self.pick("", "[0]") if self.live else ".copy()"))

    def _maybe_change(self, x):
        if self.chance(0.3):
            self.add(f"{x}[{self.pick(':', '0')}] = {self.pick(0, 1, 0.5)}")

    def step_train(self):
        mod, (batch, x) = self.module(), self.random.choice(self.batches)
        if self.net is None or self.net.loss:
            head = ""
        else:
            head = f"[nd.array(val({mod}.get_outputs()[0].shape, {self.random.randint(0, 9)}))]"
        if self.chance(0.3) and not head:
            self.add(f"{mod}.forward_backward({batch})")
        else:
            self.add(f"{mod}.forward({batch}, is_train=True)")
            self._maybe_change(x)
            self.add(f"{mod}.backward({head})")
        if self.chance(0.6 if self.inputs else 0.02):
            self.add(f"{self.new('g')} = {mod}.get_input_grads()[0]{'' if self.live else '.copy()'}")
        if self.chance(0.8):
            self.add(f"{mod}.update()")
            if self.chance(0.5):
                self.step_predict()

    def step_outputs(self):
        mod, (batch, _) = self.module(), self.random.choice(self.batches)
        self.add(f"{mod}.forward({batch}, is_train=False)")  # a module that shares memory may have used theirs
        self.add(f"{self.new('o')} = " + self.copied(f"{mod}.get_outputs()"))

    def copied(self, arrays):
        """A list of arrays, or of copies of them."""
        return arrays if self.live else f"[_a.copy() for _a in {arrays}]"

    def step_batch(self):
        if self.chance(0.5):
            self._new_batch()
        else:
            self._maybe_change(self.random.choice(self.batches)[1])

    def step_params(self):
        mod = self.module()
        self.add(
            self.pick(
                f"args, auxs = {mod}.get_params()",
                f"args, auxs = {mod}.get_params()\nfill(args, {self.random.randint(0, 20)}, 16.0)",
                f"{mod}.set_params(args, auxs)",
                f"{mod}.set_params(args, auxs, force_init=False)",
                f"fill(args, {self.random.randint(0, 20)}, 16.0)\n{mod}.set_params(args, auxs)",
                f"{mod}.init_params(mx.init.Constant(0.5), force_init=True)",
                f"{mod}.init_params(arg_params=args, aux_params=auxs, force_init=True)",
                f"{mod}.save_params('p')\n{mod}.load_params('p')",
                f"for _k in args:\n    args[_k] *= 0.5\n{mod}.set_params(args, auxs)",
                f"{self.new('p')} = {mod}.get_params()[0]",
            )
        )

    def step_direct(self):
        """The arrays behind a module."""
        if self.bucketing:
            return
        mod = self.module()
        group = f"{mod}._exec_group.execs[0]"
        self.add(
            self.pick(
                f"{group}.arg_arrays[-1][:] = 0.5",
                f"for _w in {group}.arg_arrays[1:]:\n    _w *= 0.5",
                f"{self.new('k')} = {group}.grad_arrays",
                f"{self.new('k')} = {self.copied(group + '.outputs')}",
                f"{self.new('k')} = {group}.arg_dict['data'].copy()",
            )
        )

    def step_states(self):
        if not self.bucketing:
            mod = self.module()
            self.add(f"{mod}.save_optimizer_states('s')")
            if self.chance(0.7):
                self.step_train()
            self.add(f"{mod}.load_optimizer_states('s')")

    def step_shared(self):
        """Another module on the same parameters."""
        if self.bucketing or len(self.modules) > 1:
            return
        name = self.new("mod")
        labels = "label_names=['label']" if self.net.label_shape else "label_names=None"
        self.add(f"{name} = mx.mod.Module({self.net.top}, data_names=['data'], {labels})")
        training = self.pick("", ", for_training=False")
        self.add(f"{name}.bind({self._bind_shapes(self.pick(self.batch, 1, 3))}{training}, shared_module=mod)")
        if self.chance(0.5):
            self.add(f"{name}.borrow_optimizer(mod)")
        self.modules.append(name)

    def step_reshape(self):
        if not self.bucketing:
            self.add(f"mod.reshape({self._bind_shapes(self.pick(1, 2, 3, 4))})")

    def step_score(self):
        x, y = self.new("x"), self.new("y")
        if self.bucketing or not self.net.label_shape:
            return
        count = 2 * self.batch
        label = (
            f"val({(count, *self.net.label_shape[1:])}, 3)" if len(self.net.label_shape) > 1 else f"np.ones({count})"
        )
        self.add(f"{x} = val({(count, *self.net.data_shape[1:])}, 2)")
        self.add(f"{y} = mx.io.NDArrayIter({x}, {label}, {self.batch}, label_name='label')")
        self.add(
            self.pick(
                f"{self.new('p')} = mod.predict({y})",
                f"{self.new('p')} = mod.score({y}, 'mse')[0][1]",
                f"{self.new('p')} = [_o[0][0]{'' if self.live else '.copy()'} for _o in mod.iter_predict({y})]",
                f"mod.fit({y}, num_epoch=1, optimizer_params={{'learning_rate': 0.0625}}, eval_metric='mse', force_init=False)",
            )
        )

    def step_monitor(self):
        if self.bucketing:
            return
        self.add("monitor = mx.mon.Monitor(1, stat_func=lambda a: a.abs().mean())\nmod.install_monitor(monitor)")
        batch = self.random.choice(self.batches)[0]
        self.add(f"monitor.tic()\nmod.forward({batch}, is_train=False)\nseen = told(monitor.toc())")
