"""Programs on Gluon networks: every way to change a parameter, between prediction and training."""

from .generate import Generator


class Blocks(Generator):
    """Blocks, hybridized or not, on one or two contexts."""

    length = (6, 15)
    weights = {"predict": 5, "train": 5, "change": 5, "keep": 2, "hybridize": 1.5, "input": 1.5}

    def start(self):
        self.contexts = ["mx.cpu(0)", "mx.cpu(1)"] if self.chance(0.15) else ["mx.cpu(0)"]
        self.image = self.chance(0.45)
        self.batch = self.pick(1, 2, 3)
        self.layers = 0
        self.trainer = None
        lines = self.image_net() if self.image else self.flat_net()
        for line in lines:
            self.add(line)
        where = "" if len(self.contexts) == 1 else f", ctx=[{', '.join(self.contexts)}]"
        self.add(f"net.initialize(mx.init.{self.pick('One()', 'Zero()', 'Constant(0.25)')}{where})")
        self.add(f"x = nd.array({self.numbers(self.data_shape)})")
        if self.chance(0.6):
            self.add(f"net.hybridize({self.pick('', '', 'static_alloc=True', 'static_alloc=True, static_shape=True')})")
        self.add("out = net(x)")
        self.add(
            "for _i, _p in enumerate(net.collect_params().values()):\n"
            f"    _p.set_data(nd.array(abs(val(_p.shape, _i, 16.0)) if _p.name.endswith(('var', 'gamma')) else "
            f"val(_p.shape, _i + {self.random.randint(0, 20)}, 16.0)))"
        )
        self.add("params = list(net.collect_params().values())")
        self.step_predict()

    def name(self):
        self.layers += 1
        return f"prefix='l{self.layers}_'"

    def flat_net(self):
        width = self.pick(2, 3, 4)
        self.data_shape = (self.batch, width)
        if self.chance(0.15):
            return [f"net = Plain({width}, prefix='net_')"]
        lines = ["net = gluon.nn.HybridSequential(prefix='net_')"]
        if self.chance(0.25):
            lines.append(f"net.add(gluon.nn.Dense({width}, in_units={width}, use_bias=False, {self.name()}))")
        for _ in range(self.random.randint(1, 4)):
            units = self.pick(2, 3, 4)
            known = self.pick(f", in_units={width}", "")
            options = [
                f"gluon.nn.Dense({units}{known}, activation={self.pick(None, repr('relu'), repr('tanh'))}, {self.name()})",
                f"gluon.nn.Dense({units}{known}, use_bias=False, {self.name()})",
                f"Residual({width}, {self.name()})",
                f"gluon.nn.BatchNorm(epsilon=0.1, {self.name()})",
                f"gluon.nn.LayerNorm(epsilon=0.1, {self.name()})",
                "gluon.nn.Activation('relu')",
                "gluon.nn.Dropout(0)",
                "gluon.nn.LeakyReLU(0.25)",
                "gluon.nn.HybridLambda(lambda F, x: x * 2 + 1)",
            ]
            if lines[1:2] == [f"net.add(gluon.nn.Dense({width}, in_units={width}, use_bias=False, prefix='l1_'))"]:
                options = [
                    f"gluon.nn.Dense({width}, in_units={width}, use_bias=False, params=net[0].params, prefix='l1_')"
                ]
            layer = self.random.choice(options)
            if "Dense" in layer and "shared" not in layer:
                width = units
            lines.append(f"net.add({layer})")
        lines.append(f"net.add(gluon.nn.Dense({self.pick(1, 2, 3)}, {self.name()}))")
        return lines

    def image_net(self):
        channels, size = self.pick(1, 2, 3, 4, 8), self.pick(3, 4, 5)
        self.data_shape = (self.batch, channels, size, size)
        lines = ["net = gluon.nn.HybridSequential(prefix='net_')"]
        for _ in range(self.random.randint(1, 3)):
            wanted = self.pick(2, 3, 8, 16, 32, 64)
            kernel = self.pick("kernel_size=1", "kernel_size=3, padding=1", "kernel_size=1, strides=2")
            bias = self.pick("", ", use_bias=False", ", activation='relu'")
            lines.append(f"net.add(gluon.nn.Conv2D({wanted}, {kernel}{bias}, {self.name()}))")
            if self.chance(0.6):
                lines.append(f"net.add(gluon.nn.BatchNorm(epsilon={self.pick(0.001, 0.1)}, {self.name()}))")
            if self.chance(0.6):
                lines.append("net.add(gluon.nn.Activation('relu'))")
            if self.chance(0.2):
                lines.append("net.add(gluon.nn.Dropout(0))")
        if self.chance(0.4):
            lines.append(f"net.add(gluon.nn.{self.pick('GlobalAvgPool2D', 'GlobalMaxPool2D', 'Flatten')}())")
        if self.chance(0.6):
            lines.append(f"net.add(gluon.nn.Dense({self.pick(1, 2, 3)}, {self.name()}))")
        return lines

    def step_predict(self):
        name = self.pick("out", self.new("o"))
        if len(self.contexts) > 1:
            self.add(f"{name} = net(x.as_in_context({self.pick(*self.contexts)}))")
        elif self.chance(0.15):
            with_mode = self.pick("autograd.predict_mode()", "autograd.train_mode()")
            self.add(f"with {with_mode}:\n    {name} = net(x)")
        else:
            self.add(f"{name} = net({self.pick('x', 'x', 'x', 'x * 2', 'x[0:1]')})")

    def make_trainer(self):
        optimizer, more = self.pick(
            ("sgd", "'learning_rate': 0.125"),
            ("sgd", "'learning_rate': 0.125, 'momentum': 0.5"),
            ("adam", "'learning_rate': 0.125, 'epsilon': 0.0625"),
            ("adagrad", "'learning_rate': 0.125, 'eps': 0.0625"),
            ("rmsprop", "'learning_rate': 0.125, 'epsilon': 0.0625"),
            ("nag", "'learning_rate': 0.125, 'momentum': 0.5"),
            ("adadelta", "'rho': 0.5, 'epsilon': 0.0625"),
            ("sgd", "'learning_rate': 0.25, 'wd': 0.125, 'clip_gradient': 1.0"),
        )
        store = self.pick("", "", ", kvstore=None", ", kvstore='local'", ", kvstore='device'")
        late = ", update_on_kvstore=False" if self.chance(0.15) else ""
        self.trainer = self.new("trainer")
        self.add(f"{self.trainer} = gluon.Trainer(net.collect_params(), '{optimizer}', {{{more}}}{store}{late})")

    def step_train(self):
        if self.trainer is None or self.chance(0.08):
            self.make_trainer()
        loss = self.new("loss")
        weights = f"nd.array(val(_y.shape, {self.random.randint(0, 20)}), ctx=_y.context).astype(_y.dtype)"
        form = self.pick(f"({{}} * {weights}).sum()", f"({{}} * {{}} * {weights}).mean()", f"{{}} * {weights}", "{}")
        if len(self.contexts) > 1:
            call = form.replace("{}", "_y")
            self.add(
                f"{loss} = []\nwith autograd.record():\n    for _c in [{', '.join(self.contexts)}]:\n"
                f"        _y = net(x.as_in_context(_c))\n        {loss}.append({call})\nautograd.backward({loss})"
            )
        else:
            self.add(f"with autograd.record():\n    _y = net(x)\n    {loss} = {form.replace('{}', '_y')}")
            if self.chance(0.15):
                self.step_change()
            self.add(f"{loss}.backward({'retain_graph=True' if self.chance(0.1) else ''})")
        if self.chance(0.8):
            ignore = ", ignore_stale_grad=True" if self.chance(0.5) else ""
            self.add(f"{self.trainer}.step({self.pick(1, 2)}{ignore})")

    def step_keep(self):
        i = self.random.randint(0, 5)
        p = f"params[{i} % len(params)]"
        self.add(
            f"{self.new('k')} = "
            + self.pick(
                f"{p}.data()",
                f"{p}.grad()",
                f"{p}.list_grad()",
                f"{p}.data().reshape((-1,))",
                f"{p}.grad()[0]",
                f"{p}.data()[0]",
                f"{p}.data().detach()",
                "out.reshape((-1,))",
                "out[0]",
                f"{p}.grad_req == 'write', {p}.shape",
            )
        )

    def step_change(self):
        i = self.random.randint(0, 5)
        p = f"params[{i} % len(params)]"
        name = self.new("w")
        seed = self.random.randint(0, 20)
        self.add(
            self.pick(
                f"{p}.set_data(nd.array(val({p}.shape, {seed}, 16.0)))",
                f"{name} = nd.array(val({p}.shape, {seed}, 16.0))\n{p}.set_data({name})\n{name}[:] = 0",
                f"{p}.data()[:] = {self.pick(0, 0.5)}",
                f"{p}.data()[:] = val({p}.shape, {seed}, 16.0)",
                f"{p}.data()[0] = 0.5",
                f"{name} = {p}.data()\n{name} *= 0.5",
                f"{name} = {p}.data()\n{name} += 0.25",
                f"{name} = {p}.data().reshape((-1,))\n{name}[0:1] = 1",
                f"{name} = {p}.data()\nnd.sgd_update({name}, nd.ones_like({name}), lr=0.25, out={name})",
                f"{name} = {p}.data()\nnd.sgd_update({name}, {p}.grad(), lr=0.25, out={name})",
                f"{name} = {p}.data()\n{name}m, {name}v = nd.zeros_like({name}), nd.zeros_like({name})\n"
                f"nd.adam_update({name}, nd.ones_like({name}), {name}m, {name}v, lr=0.25, out={name})",
                f"{name} = {p}.data()\n{name}[:] = {name} - 0.125 * {p}.grad()",
                f"nd.array(val({p}.shape, {seed}, 16.0)).copyto({p}.data())",
                "net.save_parameters('p')\nfor _p in params:\n    _p.data()[:] = 0.25\nout = net(x)\nnet.load_parameters('p')",
                "net.save_parameters('p')",
                "net.load_parameters('p')",
                f"net.initialize(mx.init.Constant({self.pick(0.25, 0.5)}), force_reinit=True)",
                f"{p}.initialize(mx.init.Constant(0.5), force_reinit=True)",
                f"{p}.grad_req = '{self.pick('write', 'add', 'null')}'",
                "net.collect_params().setattr('grad_req', 'add')",
                "net.collect_params().zero_grad()",
                f"{p}.zero_grad()",
                f"{p}.grad()[:] = {self.pick(0, 1)}",
                "net.cast('float64')\nnet.cast('float32')",
                "net.cast('float64')\nx = x.astype('float64')" if self.chance(0.3) else f"{p}.cast('float32')",
                f"{name} = nd.from_dlpack({p}.data().to_dlpack_for_write())\n{name}[:] = 0.125",
                "net.collect_params().reset_ctx(mx.cpu(0))",
                "gluon.utils.clip_global_norm([_p.grad() for _p in params if _p.grad_req != 'null'], 1.0)",
                "net.collect_params('.*weight').initialize(mx.init.One(), force_reinit=True)",
            )
        )

    def step_trainer(self):
        if self.trainer is None:
            return
        self.add(
            self.pick(
                f"{self.trainer}.set_learning_rate(0.5)",
                f"{self.trainer}.save_states('t')",
                f"{self.trainer}.save_states('t')\n{self.trainer}.load_states('t')",
                f"{self.trainer}.allreduce_grads()",
                f"{self.trainer}.update(1)",
                f"{self.trainer}.step(4)",
            )
        )

    def step_hybridize(self):
        self.add(
            f"net.hybridize({self.pick('', 'False', 'static_alloc=True', 'static_alloc=True, static_shape=True')})"
        )

    def step_input(self):
        self.add(
            self.pick(
                f"x[:] = {self.numbers(self.data_shape)}",
                "x[0] = 1",
                f"x = nd.array({self.numbers((self.pick(1, 2, 4), *self.data_shape[1:]))})",
                "x.attach_grad()",
                "out[:] = 0",
            )
        )

    def step_export(self):
        if self.chance(0.4) and "Plain" not in self.steps[0]:
            self.add("net.hybridize()\nout = net(x)\nnet.export('net')")
            self.add(f"{self.new('blk')} = gluon.SymbolBlock.imports('net-symbol.json', ['data'], 'net-0000.params')")
            self.add(f"{self.new('o')} = blk{self._names - 1}(x)")
