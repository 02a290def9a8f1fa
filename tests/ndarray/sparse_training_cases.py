"""Programs that learn with sparse gradients, as text, like those of sparse_cases.py."""

# ruff: noqa: E501  (programs as they are)

_GRAD = "G = sparse.row_sparse_array((np.array([[1, -2, 0, .5, 3], [.25, 0, -1, 2, -.5]], 'float32'), [1, 3]), shape=(4, 5)); "
_GRAD2 = "H = sparse.row_sparse_array((np.array([[.5, 1, 1, .5, -3]], 'float32'), [3]), shape=(4, 5)); "

AUTOGRAD = [
    "w = nd.array(ONE); w.attach_grad(stype='row_sparse'); result = w.grad",
    "w = nd.array(ONE); w.attach_grad(stype='csr'); result = w.grad",
    "C.attach_grad(); result = C.grad",
    "R.attach_grad(); result = R.grad",
    "R.attach_grad(stype='default'); result = R.grad",
]
_EMBED = "with autograd.record():\n  y = nd.Embedding(nd.array([[3, 1], [1, 0]]), w, input_dim=4, output_dim=5, sparse_grad={sparse})"
for _sparse in (True, False):
    for _stype in ("row_sparse", "default"):
        _start = f"w = nd.array(ONE); w.attach_grad(stype='{_stype}')\n" + _EMBED.format(sparse=_sparse)
        AUTOGRAD.append(_start + "\ny.backward(); result = w.grad")
        AUTOGRAD.append(_start + "\n  y = y * y\ny.backward(); result = w.grad")
AUTOGRAD += [
    "w = nd.array(ONE); w.attach_grad('add', stype='row_sparse')\nfor i in range(2):\n  with autograd.record():\n"
    "    y = nd.Embedding(nd.array([3, i]), w, input_dim=4, output_dim=5, sparse_grad=True)\n  y.backward()\nresult = w.grad",
    "w = nd.array(ONE).tostype('row_sparse'); w.attach_grad()\n"
    + _EMBED.format(sparse=True)
    + "\ny.backward(); result = [y, w.grad]",
    "w = nd.array(ONE.T.copy()); w.attach_grad(stype='row_sparse')\nwith autograd.record():\n  y = nd.dot(C, w)\ny.backward()\nresult = [y, w.grad]",
    "w = nd.array(ONE.T.copy()); w.attach_grad()\nwith autograd.record():\n  y = nd.dot(C, w)\ny.backward()\nresult = [y, w.grad]",
    "w = nd.array(ONE); w.attach_grad()\nwith autograd.record():\n  y = nd.dot(C, w, transpose_a=True)\ny.backward()\nresult = w.grad",
    "w = nd.array(ONE); w.attach_grad()\nwith autograd.record():\n  y = nd.dot(w, C2, transpose_b=True, forward_stype='default')\ny.backward()\nresult = w.grad",
    "w = nd.array(ONE.T.copy()); w.attach_grad(stype='row_sparse')\nwith autograd.record():\n  y = (nd.dot(C, w) ** 2).sum()\ny.backward()\nresult = w.grad",
    "M = nd.array([[1, 0, 2], [-1, 0, 3]]).tostype('csr'); w = nd.ones((3, 2)); w.attach_grad(stype='row_sparse')\nwith autograd.record():\n  y = (nd.dot(M, w) * 2).sum()\ny.backward()\nresult = w.grad",
    "R.attach_grad()\nwith autograd.record():\n  y = R * 2\ny.backward()\nresult = [y, R.grad]",
    "R.attach_grad()\nwith autograd.record():\n  y = nd.square(R)\ny.backward()\nresult = [y, R.grad]",
    "R.attach_grad()\nwith autograd.record():\n  y = nd.elemwise_add(R, R2)\ny.backward()\nresult = [y, R.grad]",
    "C.attach_grad()\nwith autograd.record():\n  y = nd.square(C)\ny.backward()\nresult = [y, C.grad]",
    "R.attach_grad()\nwith autograd.record():\n  y = nd.sparse.retain(R, nd.array([0, 3]))\ny.backward()\nresult = [y, R.grad]",
    "w = nd.array(ONE); w.attach_grad()\nwith autograd.record():\n  y = nd.cast_storage(w, stype='row_sparse') * 2\ny.backward()\nresult = w.grad",
    "R.attach_grad()\nwith autograd.record():\n  y = (R * D).sum()\ny.backward()\nresult = R.grad",
]

OPTIMIZERS = []
for _name, _params in (
    ("sgd", "learning_rate=.1"),
    ("sgd", "learning_rate=.1, wd=.1"),
    ("sgd", "learning_rate=.1, wd=.1, lazy_update=False"),
    ("sgd", "learning_rate=.1, momentum=.9, wd=.1"),
    ("sgd", "learning_rate=.1, momentum=.9, wd=.1, lazy_update=False"),
    ("sgd", "learning_rate=.1, momentum=.9, clip_gradient=.5, rescale_grad=.7"),
    ("adam", "learning_rate=.1, wd=.1"),
    ("adam", "learning_rate=.1, wd=.1, lazy_update=False"),
    ("adam", "learning_rate=.1, clip_gradient=.5, rescale_grad=.7"),
    ("adagrad", "learning_rate=.1"),
    ("adagrad", "learning_rate=.1, wd=.1"),
    ("adagrad", "learning_rate=.1, clip_gradient=.5, rescale_grad=.7"),
    ("ftrl", "learning_rate=.1, lamda1=.01"),
    ("ftrl", "learning_rate=.1, wd=.1, clip_gradient=.5"),
    ("groupadagrad", "learning_rate=.1"),
    ("rmsprop", "learning_rate=.1"),
    ("nag", "learning_rate=.1, momentum=.9"),
    ("nag", "learning_rate=.1, wd=.1"),
    ("lars", "momentum=.9, wd=.1"),
    ("lbsgd", "momentum=.9, wd=.1"),
    ("lbsgd", "wd=.1"),
    ("adadelta", "wd=.1"),
    ("signum", "learning_rate=.1, momentum=.9, wd=.1"),
    ("ftml", "learning_rate=.1"),
    ("adamax", "learning_rate=.1"),
    ("nadam", "learning_rate=.1"),
    ("lars", "learning_rate=.1"),
    ("lamb", "learning_rate=.1"),
):
    for _weight in ("nd.array(TWO)", "nd.array(TWO + 1).tostype('row_sparse')"):
        _make = f"o = mx.optimizer.create('{_name}', {_params}); u = mx.optimizer.get_updater(o)"
        OPTIMIZERS.append(
            f"{_GRAD}{_GRAD2}w = {_weight}; {_make}\nfor g in (G, H, G):\n  u(0, g, w)\n"
            "s = u.states[0]; s = [] if s is None else list(s) if isinstance(s, (list, tuple)) else [s]\n"
            "result = [w.tostype('default')] + [x.tostype('default') for x in s]"
        )

_STATE = "nd.ones((4, 5))"
UPDATES = [
    f"{_GRAD}w = nd.array(TWO + 1).tostype('{w}'); s = [nd.ones((4, 5)).tostype('{s}') for _ in range({count})]\n"
    f"nd.{op}(w, G, *s, out=w, lr=.1, {attrs}); result = [w] + s"
    for op, count, attrs in (
        ("sgd_update", 0, "wd=.1"),
        ("sgd_update", 0, "wd=.1, lazy_update=False"),
        ("sgd_mom_update", 1, "wd=.1, momentum=.9"),
        ("sgd_mom_update", 1, "wd=.1, momentum=.9, lazy_update=False"),
        ("adam_update", 2, "wd=.1"),
        ("adam_update", 2, "wd=.1, lazy_update=False, clip_gradient=1"),
        ("ftrl_update", 2, "wd=.1"),
        ("sparse.adagrad_update", 1, "epsilon=.1"),
        ("sparse.adagrad_update", 1, "epsilon=.1, clip_gradient=1, rescale_grad=2"),
    )
    for w in ("default", "row_sparse")
    for s in ("default", "row_sparse")
]

_KV = "kv = mx.kv.create('{kind}')\n"
STORES = []
for _kind in ("local", "device"):
    _kv = _GRAD + _GRAD2 + _KV.format(kind=_kind)
    STORES += [
        _kv + "kv.init('a', R); kv.push('a', G); o = nd.zeros((4, 5)).tostype('row_sparse')\n"
        "kv.row_sparse_pull('a', out=o, row_ids=nd.array([1, 3, 3])); result = o",
        _kv + "kv.init('a', R); o = nd.zeros((4, 5)).tostype('row_sparse')\n"
        "kv.row_sparse_pull('a', out=o, row_ids=nd.array([0, 1])); result = o",
        _kv + "kv.init('a', R); kv.push('a', [G, H]); o = nd.zeros((4, 5)).tostype('row_sparse')\n"
        "kv.row_sparse_pull('a', out=o, row_ids=nd.array([0, 1, 2, 3])); result = o",
        _kv
        + "kv.init('a', R); kv.push('a', [G, H.copyto(mx.cpu(1))]); os = [nd.zeros((4, 5), c).tostype('row_sparse') "
        "for c in (mx.cpu(0), mx.cpu(1))]\nkv.row_sparse_pull('a', out=os, row_ids=[nd.array([1]), nd.array([3, 0])]); result = os",
        _kv + "kv.init('a', R); o = nd.ones((4, 5)); kv.pull('a', out=o); result = o",
        _kv + "kv.init('a', R); o = nd.ones((4, 5)); kv.pull('a', out=o, ignore_sparse=False); result = o",
        _kv + "kv.init('a', RF); kv.set_optimizer(mx.optimizer.SGD(learning_rate=.5)); kv.push('a', [G, H])\n"
        "o = nd.zeros((4, 5)).tostype('row_sparse'); kv.row_sparse_pull('a', out=o, row_ids=nd.array([0, 1, 2, 3])); result = o",
        _kv
        + "kv.init('a', D); kv.set_optimizer(mx.optimizer.Adam(learning_rate=.5)); kv.push('a', G); o = nd.zeros((4, 5))\n"
        "kv.pull('a', out=o); result = o",
        _kv
        + "kv.init('a', D); o = nd.zeros((4, 5)).tostype('row_sparse'); kv.row_sparse_pull('a', out=o, row_ids=nd.array([2])); result = o",
        _kv + "kv.init('a', R); kv.row_sparse_pull('a', out=nd.zeros((4, 5)), row_ids=nd.array([2])); result = 1",
        _kv + "kv.init('a', R); kv.row_sparse_pull('a', out=R, row_ids=nd.array([7])); result = 1",
    ]

_NET = "mx.random.seed(1); np.random.seed(1)\n{net}\nnet.initialize(mx.init.One())\ntr = mx.gluon.Trainer(net.collect_params(), '{opt}', {{{params}}})\n"
_LOOP = (
    "for b in ([[3, 1], [1, 0]], [[1, 1], [2, 2]], [[3, 3], [3, 3]]):\n  x = nd.array(b)\n  with autograd.record():\n"
    "    y = net(x); l = (y * (x.expand_dims(2) - 1)).sum()\n  l.backward(); tr.step(2)\n"
)
GLUON = []
for _opt, _params in (
    ("sgd", "'learning_rate': .1, 'momentum': .9, 'wd': .01"),
    ("adam", "'learning_rate': .1"),
    ("adagrad", "'learning_rate': .1"),
    ("ftrl", "'learning_rate': .1"),
    ("rmsprop", "'learning_rate': .1"),
):
    for _net in (
        "net = mx.gluon.nn.Embedding(6, 2, sparse_grad=True)",
        "net = mx.gluon.contrib.nn.SparseEmbedding(6, 2)",
    ):
        _weight = "net.weight.data()" if "contrib" not in _net else "net.weight.row_sparse_data(nd.arange(6))"
        GLUON.append(_NET.format(net=_net, opt=_opt, params=_params) + _LOOP + f"result = {_weight}.tostype('default')")
GLUON += [
    "net = mx.gluon.contrib.nn.SparseEmbedding(6, 2); net.initialize(); result = net(nd.array([1]))",
    "net = mx.gluon.contrib.nn.SparseEmbedding(6, 2); net.initialize(); result = net.weight.data()",
    "p = mx.gluon.Parameter('w', shape=(4, 5), stype='row_sparse'); p.initialize(init='ones'); result = p.data()",
    "p = mx.gluon.Parameter('w', shape=(4, 5), grad_stype='row_sparse'); p.initialize(init='ones'); result = [p.data(), p.grad()]",
    "p = mx.gluon.Parameter('w', shape=(4, 5), stype='row_sparse'); p.initialize(init='ones'); result = p.grad()",
    "p = mx.gluon.Parameter('w', shape=(4, 5)); p.initialize(init='ones'); result = p.row_sparse_data(nd.array([1]))",
    "p = mx.gluon.Parameter('w', shape=(4, 5), stype='row_sparse', grad_stype='row_sparse'); p.initialize(init='ones')\n"
    "t = mx.gluon.Trainer([p], 'sgd'); result = [p.row_sparse_data(nd.array([1, 3, 3])), p.list_row_sparse_data(nd.array([2]))]",
    "p = mx.gluon.Parameter('w', shape=(4, 5), grad_stype='row_sparse'); p.initialize(init='ones'); p.zero_grad(); result = p.grad()",
    "net = mx.gluon.nn.Embedding(6, 2, sparse_grad=True); net.initialize(mx.init.One()); net.hybridize()\n"
    "with autograd.record():\n  y = net(nd.array([1, 4, 4]))\ny.backward(); result = net.weight.grad()",
]

_MODULE = (
    "x = mx.sym.var('data', stype='csr'); w = mx.sym.var('w_weight', stype='{stype}', shape=(5, 2))\n"
    "y = mx.sym.LinearRegressionOutput(mx.sym.sparse.dot(x, w), mx.sym.var('label'), name='out')\n"
)
MODULE = [
    _MODULE.format(stype=stype)
    + "e = y.simple_bind(mx.cpu(), data=(4, 5), label=(4, 2)); result = [a for a in e.arg_arrays] + e.grad_arrays"
    for stype in ("default", "row_sparse")
]
for _opt in ("sgd", "adam"):
    MODULE.append(
        _MODULE.format(stype="default") + "m = mx.mod.Module(y, data_names=['data'], label_names=['label'])\n"
        "m.bind([('data', (4, 5))], [('label', (4, 2))]); m.init_params(mx.init.One())\n"
        f"m.init_optimizer(optimizer='{_opt}', optimizer_params={{'learning_rate': .1}})\n"
        "b = mx.io.DataBatch([C], [nd.array(ONE[:, :2])])\n"
        "for i in range(3): m.forward_backward(b); m.update()\n"
        "result = [m.get_params()[0]['w_weight'].tostype('default'), m.get_outputs()[0]]"
    )
    MODULE.append(
        _MODULE.format(stype="row_sparse") + "m = mx.mod.Module(y, data_names=['data'], label_names=['label'])\n"
        "m.bind([('data', (4, 5))], [('label', (4, 2))]); m.init_params(mx.init.One())\n"
        f"m.init_optimizer(optimizer='{_opt}', optimizer_params={{'learning_rate': .1}}, kvstore='local')\n"
        "b = mx.io.DataBatch([C], [nd.array(ONE[:, :2])])\n"
        "for i in range(3):\n  m.prepare(b, sparse_row_id_fn=lambda batch: {'w_weight': batch.data[0].indices})\n"
        "  m.forward_backward(b); m.update()\n"
        "result = [m.get_params()[0]['w_weight'].tostype('default'), m.get_outputs()[0]]"
    )


def cases():
    """All programs."""
    return [*AUTOGRAD, *OPTIMIZERS, *UPDATES, *STORES, *GLUON, *MODULE]
