"""Classes of the library that are given sparse arrays, as text, like the programs of sparse_cases.py."""

# ruff: noqa: E501  (programs as they are)

_RULES = """SGD(learning_rate=.1, {}); SGD(learning_rate=.1, momentum=.9, wd=.1, {}); Adam(learning_rate=.1, wd=.1, {}); RMSProp(learning_rate=.1, wd=.1);
RMSProp(learning_rate=.1, centered=True); Ftrl(learning_rate=.1, wd=.1, {}); AdaGrad(learning_rate=.1); NAG(learning_rate=.1, momentum=.9); AdaDelta(); Adamax();
Nadam(); Signum(learning_rate=.1); FTML(); DCASGD(learning_rate=.1); SGLD(learning_rate=.1); LBSGD(learning_rate=.1); LAMB(); Test()""".replace(
    "\n", " "
).split("; ")


def optimizers():
    """Each rule on weights and gradients of each storage type."""
    for rule in _RULES:
        lazy = ("", "lazy_update=False", "lazy_update=True") if "{}" in rule else ("",)
        for more in lazy:
            made = rule.format(more)
            if "Ftrl" in made and "lazy_update" in made:
                continue
            for weight in ("default", "row_sparse", "csr"):
                for grad in ("default", "row_sparse", "csr"):
                    if "csr" in (weight, grad) and not made.startswith(("SGD(", "Adam(", "AdaGrad(")):
                        continue
                    if weight == grad == "default":
                        continue
                    what = "w.stype" if made.startswith("SGLD") else "w"
                    yield (
                        f"w = nd.array(ONE + 1).tostype('{weight}'); g = nd.array(TWO).tostype('{grad}'); o = mx.optimizer.{made}\n"
                        f"s = o.create_state(0, w)\nfor i in range(2):\n  o.update(0, w, g, s)\nresult = {what}"
                    )
    for rule in (
        "SGD(learning_rate=.1, momentum=.9, multi_precision=True, {})",
        "Adam(learning_rate=.1, multi_precision=True, {})",
        "SGD(learning_rate=.1, multi_precision=True, {})",
    ):
        for more in ("lazy_update=False", "lazy_update=True"):
            for weight in ("default", "row_sparse"):
                for dtype in ("float16", "float32", "float64"):
                    yield (
                        f"w = nd.array(ONE + 1, dtype='{dtype}').tostype('{weight}'); g = nd.array(TWO, dtype='{dtype}').tostype('row_sparse')\n"
                        f"o = mx.optimizer.{rule.format(more)}\ns = o.create_state_multi_precision(0, w)\n"
                        "for i in range(2):\n  o.update_multi_precision(0, w, g, s)\nresult = w"
                    )
    for x in ("C", "R"):
        for call in (
            f"w = nd.ones((4, 5)); nd.sgd_update(w, {x}, lr=.1, out=w); result = w",
            f"w = nd.ones((4, 5)); result = nd.sgd_update(w, {x}, lr=.1)",
            f"w = nd.ones((4, 5)); nd.sgd_update(w, {x}, lr=.1, lazy_update=False, out=w); result = w",
            f"w = nd.ones((4, 5)); m = nd.ones((4, 5)); nd.sgd_mom_update(w, {x}, m, lr=.1, momentum=.9, out=w); result = [w, m]",
            f"w = nd.ones((4, 5)); m = nd.ones((4, 5)); nd.sgd_mom_update(w, {x}, m, lr=.1, momentum=.9, lazy_update=False, out=w); result = [w, m]",
            f"w = nd.ones((4, 5)); m, v = nd.ones((4, 5)), nd.ones((4, 5)); nd.adam_update(w, {x}, m, v, lr=.1, out=w); result = [w, m, v]",
            f"w = nd.ones((4, 5)); m, v = nd.ones((4, 5)), nd.ones((4, 5)); nd.adam_update(w, {x}, m, v, lr=.1, lazy_update=False, out=w); result = [w, m, v]",
            f"w = nd.ones((4, 5)); m, v = nd.ones((4, 5)), nd.ones((4, 5)); nd.ftrl_update(w, {x}, m, v, lr=.1, out=w); result = [w, m, v]",
            f"w = nd.ones((4, 5)); m = nd.ones((4, 5)); nd.rmsprop_update(w, {x}, m, lr=.1, out=w); result = [w, m]",
            f"w = nd.ones((4, 5)); m = nd.ones((4, 5)); nd.nag_mom_update(w, {x}, m, lr=.1, out=w); result = [w, m]",
            f"w = nd.ones((4, 5)); nd.signsgd_update(w, {x}, lr=.1, out=w); result = w",
            f"w = nd.ones((4, 5)); m = nd.ones((4, 5)); nd.signum_update(w, {x}, m, lr=.1, out=w); result = [w, m]",
            f"w = nd.ones((4, 5), dtype='float16'); m = nd.ones((4, 5)); nd.mp_sgd_update(w, {x}.astype('float16'), m, lr=.1, out=w); result = [w, m]",
            f"w = nd.ones((4, 5)); nd.multi_sgd_update(w, {x}, lrs=(.1,), wds=(0,), num_weights=1, out=[w]); result = w",
            f"w = {x}; nd.sgd_update(w, D2, lr=.1, out=w); result = w",
            f"w = {x}; nd.sgd_update(w, R2, lr=.1, out=w); result = w",
            f"w = {x}; nd.sgd_update(w, C2, lr=.1, out=w); result = w",
            f"w = {x}; m = nd.zeros_like(w); nd.sgd_mom_update(w, R2, m, lr=.1, momentum=.9, out=w); result = [w, m]",
            f"w = {x}; m, v = nd.zeros_like(w), nd.zeros_like(w); nd.adam_update(w, R2, m, v, lr=.1, out=w); result = [w, m, v]",
            f"u = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=.1)); w = nd.ones((4, 5)); u(0, {x}, w); result = w",
            f"u = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=.1)); u(0, {x}, {x}); result = {x}",
            f"u = mx.optimizer.get_updater(mx.optimizer.Adam()); w = nd.ones((4, 5)); u(0, {x}, w); t = u.get_states(); u.set_states(t); u(0, {x}, w); result = w",
        ):
            yield call


_METRICS = "Accuracy(); TopKAccuracy(top_k=2); MAE(); MSE(); RMSE(); CrossEntropy(); NegativeLogLikelihood(); Perplexity(None); PearsonCorrelation(); Loss(); F1(); MCC(); PCC(); CustomMetric(lambda l, p: float(abs(l - p).sum()))"


def functions():
    """Metrics, initializers, Gluon's helpers and losses, data sets, stores, test_utils."""
    for x in ("C", "R"):
        for metric in _METRICS.split("; "):
            labels = (
                "nd.array([0, 1, 2, 3])"
                if metric.split("(")[0]
                in (
                    "Accuracy",
                    "TopKAccuracy",
                    "CrossEntropy",
                    "NegativeLogLikelihood",
                    "Perplexity",
                    "F1",
                    "MCC",
                    "PCC",
                )
                else "D"
            )
            yield f"m = mx.metric.{metric}; m.update([{labels}], [{x}]); result = m.get()[1]"
            if labels == "D":
                yield f"m = mx.metric.{metric}; m.update([{x}], [D2]); result = m.get()[1]"
        for init in "Zero() One() Constant(2) Uniform() Normal() Xavier() Orthogonal() Bilinear() MSRAPrelu()".split():
            what = "a" if init in ("Zero()", "One()", "Constant(2)") else "a.stype"
            yield f"a = {x}; mx.init.{init}('w_weight', a); result = {what}"
            yield f"a = {x}; mx.init.{init}(mx.init.InitDesc('w_weight'), a); result = {what}"
        for call in (
            f"result = mx.gluon.utils.clip_global_norm([{x}, D], 1.0); result = [result, {x}, D]",
            f"result = mx.gluon.utils.clip_global_norm([{x}], 100.0); result = [result, {x}]",
            f"result = mx.gluon.utils.clip_global_norm([{x}], 1.0, check_isfinite=False); result = [result, {x}]",
            f"result = mx.gluon.utils.split_data({x}, 2)",
            f"result = mx.gluon.utils.split_data({x}, 3, even_split=False)",
            f"result = mx.gluon.utils.split_data({x}, 1)",
            f"result = mx.gluon.utils.split_and_load({x}, [mx.cpu(0), mx.cpu(1)])",
            f"result = mx.gluon.utils.split_and_load({x}, [mx.cpu(0)])",
            f"result = mx.gluon.loss.L2Loss()(D, {x})",
            f"result = mx.gluon.loss.L2Loss()({x}, D)",
            f"result = mx.gluon.loss.L1Loss()({x}, D)",
            f"result = mx.gluon.loss.SoftmaxCrossEntropyLoss()({x}, nd.array([0, 1, 2, 3]))",
            f"result = mx.gluon.loss.SigmoidBinaryCrossEntropyLoss()({x}, D)",
            f"result = mx.gluon.loss.HuberLoss()({x}, D)",
            f"result = mx.gluon.loss.HingeLoss()({x}, D)",
            f"result = mx.gluon.loss.KLDivLoss()({x}, D)",
            f"l = mx.gluon.loss.L2Loss(); l.hybridize(); result = l({x}, D)",
            f"n = mx.gluon.nn.Dense(3); n.initialize(mx.init.One()); result = n({x})",
            f"n = mx.gluon.nn.Dense(3); n.initialize(mx.init.One()); n.hybridize(); result = n({x})",
            f"n = mx.gluon.nn.Dense(3, activation='relu', flatten=False); n.initialize(mx.init.One()); result = n({x})",
            f"n = mx.gluon.nn.BatchNorm(); n.initialize(); result = n({x})",
            f"n = mx.gluon.nn.Activation('relu'); result = n({x})",
            f"n = mx.gluon.nn.HybridLambda(lambda F, x: F.square(x)); result = n({x})",
            f"n = mx.gluon.nn.HybridLambda(lambda F, x: F.square(x)); n.hybridize(); result = n({x})",
            f"n = mx.gluon.nn.HybridLambda(lambda F, x: F.square(x) * 2 + x); n.hybridize(); result = n({x})",
            f"n = mx.gluon.nn.HybridLambda(lambda F, x: F.dot(x, F.ones((5, 2)))); n.hybridize(); result = n({x})",
            f"n = mx.gluon.nn.HybridLambda(lambda F, x: F.square(x)); n.hybridize(static_alloc=True, static_shape=True); result = n({x})",
            f"n = mx.gluon.nn.Lambda('tanh'); result = n({x})",
            f"n = mx.gluon.nn.Embedding(5, 2); n.initialize(mx.init.One()); result = n({x}[0:1])",
            f"d = mx.gluon.data.ArrayDataset({x}, nd.arange(4)); result = d[1]",
            f"d = mx.gluon.data.SimpleDataset({x}); result = d[1]",
            f"d = mx.gluon.data.DataLoader(mx.gluon.data.ArrayDataset({x}, nd.arange(4)), batch_size=2); result = list(d)[0]",
            f"d = mx.gluon.data.DataLoader({x}, batch_size=2); result = list(d)[0]",
            f"p = mx.gluon.Parameter('w', shape=(4, 5), stype='row_sparse', grad_stype='row_sparse'); p.initialize(mx.init.One()); p.set_data({x}); result = p.row_sparse_data(nd.array([0, 1, 2, 3]))",
            f"p = mx.gluon.Parameter('w', shape=(4, 5)); p.initialize(mx.init.One()); p.set_data({x}); result = p.data()",
            f"p = mx.gluon.Parameter('w', shape=(4, 5), init=mx.init.One()); p.initialize(); p.grad()[:] = {x}; result = p.grad()",
            f"p = mx.gluon.Constant('w', {x}); p.initialize(); result = p.data()",
        ):
            yield call
        for kind in ("local", "device"):
            start = f"kv = mx.kv.create('{kind}'); "
            for call in (
                f"kv.init('a', {x}); o = nd.zeros_like({x}); kv.pull('a', out=o, ignore_sparse=False); result = o",
                f"kv.init('a', {x}); o = nd.zeros_like({x}); kv.pull('a', out=o); result = o",
                f"kv.init('a', {x}); kv.push('a', {x}); o = nd.zeros((4, 5)); kv.pull('a', out=o, ignore_sparse=False); result = o",
                f"kv.init('a', D); kv.push('a', {x}); o = nd.zeros((4, 5)); kv.pull('a', out=o); result = o",
                f"kv.init('a', D); kv.push('a', [{x}, {x}]); o = nd.zeros((4, 5)); kv.pull('a', out=o); result = o",
                f"kv.init('a', {x}); kv.push('a', [{x}, {x}]); o = nd.zeros_like({x}); kv.pull('a', out=o, ignore_sparse=False); result = o",
                f"kv.init('a', {x}); kv.push('a', D); o = nd.zeros_like({x}); kv.pull('a', out=o, ignore_sparse=False); result = o",
                f"kv.init('a', D); kv.set_optimizer(mx.optimizer.SGD(learning_rate=.1)); kv.push('a', {x}); o = nd.zeros((4, 5)); kv.pull('a', out=o); result = o",
                f"kv.init('a', {x}); kv.set_optimizer(mx.optimizer.SGD(learning_rate=.1)); kv.push('a', {x}); o = nd.zeros_like({x}); kv.row_sparse_pull('a', out=o, row_ids=nd.array([0, 1, 2, 3])); result = o",
                f"kv.init('a', D); kv.pushpull('a', {x}, out=D2); result = D2",
                f"kv.init('a', D); o = nd.zeros_like({x}); kv.pull('a', out=o); result = o",
                f"kv.broadcast('a', {x}, out=D2); result = D2",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=nd.array([0, 3])); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=nd.array([0, 3], dtype='int64')); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=nd.array([3, 0, 3])); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=nd.array([[3, 0], [3, 1]])); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=nd.array([])); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=[0, 1]); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=np.array([0, 1])); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=None); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('a', out=o); result = o",
                f"kv.init('a', {x}); kv.row_sparse_pull('a', row_ids=nd.array([0])); result = 1",
                f"kv.init('a', {x}); o = sparse.zeros('row_sparse', (4, 5)); kv.row_sparse_pull('b', out=o, row_ids=nd.array([0])); result = o",
                f"kv.init('a', {x}); o = sparse.zeros('csr', (4, 5)); kv.row_sparse_pull('a', out=o, row_ids=nd.array([0])); result = o",
                f"kv.init('a', {x}); o = [sparse.zeros('row_sparse', (4, 5)) for _ in range(3)]; kv.row_sparse_pull('a', out=o, row_ids=nd.array([0, 2])); result = o",
                f"kv.init('a', {x}); o = [sparse.zeros('row_sparse', (4, 5)) for _ in range(3)]; kv.row_sparse_pull('a', out=o, row_ids=[nd.array([0, 2]), nd.array([1]), nd.array([3])]); result = o",
                f"kv.init('a', {x}); o = [sparse.zeros('row_sparse', (4, 5)) for _ in range(3)]; kv.row_sparse_pull('a', out=o, row_ids=[nd.array([0, 2]), nd.array([1])]); result = o",
                f"kv.init('a', {x}); o = [sparse.zeros('row_sparse', (4, 5)) for _ in range(3)]; kv.row_sparse_pull('a', out=o, row_ids=[nd.array([0, 2])]); result = o",
            ):
                if kind == "device" and "pull('a', out=o" not in call:
                    continue
                yield start + call
    for kind in ("local", "device"):
        start = f"kv = mx.kv.create('{kind}'); ks = ['a', 'b', 'c']; kv.init(ks, [R, RF, R2]); o = [[sparse.zeros('row_sparse', (4, 5)) for _ in range(4)] for _ in ks]; "
        for ids in (
            "[[nd.array([i, j % 4]) for i in range(4)] for j in range(3)]",
            "[nd.array([0, 1]), nd.array([2]), nd.array([3])]",
            "nd.array([1, 3])",
            "[nd.array([1, 3])]",
            "[[nd.array([1, 3])]] * 3",
            "[[nd.array([1, 3])] * 3] * 3",
            "[[nd.array([1, 3])] * 4] * 2",
        ):
            yield start + f"kv.row_sparse_pull(ks, out=o, row_ids={ids}); result = o"
        yield (
            start
            + "o = [each[0] for each in o]; kv.row_sparse_pull(ks, out=o, row_ids=[nd.array([0, 1]), nd.array([2]), nd.array([3])]); result = o"
        )
        yield start + "o = [each[0] for each in o]; kv.row_sparse_pull(ks, out=o, row_ids=nd.array([0, 1])); result = o"
        yield (
            start
            + "o = [each[0] for each in o]; kv.row_sparse_pull(ks, out=o, row_ids=[nd.array([0, 1])] * 2); result = o"
        )
        yield start + "kv.row_sparse_pull(ks, out=o[0], row_ids=nd.array([0, 1])); result = o"
        yield start + "kv.row_sparse_pull(['a', 'z', 'c'], out=o, row_ids=nd.array([0, 1])); result = o"
        for ids in ("[7]", "[-1]", "[0.5]"):
            yield start + f"kv.row_sparse_pull('a', out=o[0][0], row_ids=nd.array({ids})); result = o[0][0]"


_STORED = "result = [[a.stype for a in b.data] + [a.stype for a in b.label] for b in it]"
_READ = "result = [[a.stype for a in b.data] + [a.stype for a in b.label] + [b.pad] for b in it] + [a.data[0] for a in [it.reset()] and it] + [it.provide_data[0].shape]"


def iterators():
    """Batches of sparse data."""
    for x in ("C", "R", "sp.csr_matrix(ONE)", "C[0:3]"):
        for label in ("None", "nd.arange({n})", "{x}", "np.arange({n})"):
            count = 3 if "0:3" in x else 4
            made = label.format(n=count, x=x)
            for more in (
                "batch_size=2",
                "batch_size=2, shuffle=True",
                "batch_size=2, last_batch_handle='discard'",
                "batch_size=3, last_batch_handle='discard'",
                "batch_size=3",
                "batch_size=3, last_batch_handle='pad'",
                "batch_size=3, last_batch_handle='roll_over'",
                "batch_size=5",
            ):
                if label != "None" and "shuffle" not in more and more != "batch_size=2":
                    continue
                read = _STORED if "shuffle" in more else _READ
                yield f"import scipy.sparse as sp\nit = mx.io.NDArrayIter({x}, {made}, {more})\n{read}"
                if "last_batch" not in more:
                    yield f"import scipy.sparse as sp\nit = mx.io.NDArrayIter({x}, {made}, {more}, last_batch_handle='discard')\n{read}"
        yield f"import scipy.sparse as sp\nit = mx.io.NDArrayIter({{'a': {x}, 'b': nd.ones(({count}, 2))}}, None, 2, last_batch_handle='discard')\n{_READ}"
        yield f"import scipy.sparse as sp\nit = mx.io.NDArrayIter([{x}, {x}], None, 2, last_batch_handle='discard')\n{_READ}"
        yield f"import scipy.sparse as sp\nit = mx.io.NDArrayIter(nd.ones(({count}, 2)), {x}, 2, last_batch_handle='discard')\n{_READ}"
        yield f"import scipy.sparse as sp\nit = mx.io.ResizeIter(mx.io.NDArrayIter({x}, None, 2, last_batch_handle='discard'), 3)\nresult = [b.data[0] for b in it]"
        yield f"import scipy.sparse as sp\nit = mx.io.PrefetchingIter(mx.io.NDArrayIter({x}, None, 2, last_batch_handle='discard'))\nresult = [b.data[0] for b in it]"
    for x in ("C", "R"):
        yield f"result = [a.stype for a in mx.io.DataBatch([{x}], None).data]"
        yield f"result = str(mx.io.DataBatch([{x}], None))"


_OPERATOR = """
class Op(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.kinds = [a.stype for a in in_data] + [a.stype for a in out_data]
        {forward}
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        {backward}
@mx.operator.register('sparse_use_{n}')
class Prop(mx.operator.CustomOpProp):
    def __init__(self):
        super().__init__(True)
    def list_arguments(self):
        return {arguments}
    def infer_shape(self, s):
        return s, [s[0]], []
{more}
    def create_operator(self, ctx, shapes, dtypes):
        return Op()
"""
_STORAGE = """
    def infer_storage_type(self, s):
        return s, ['{out}'], []
    def infer_storage_type_backward(self, og, i, o, ig, aux):
        return og, i, o, {ig}, aux
"""


def custom():
    """Operators in Python with sparse inputs."""
    number = 0
    for x in ("C", "R"):
        kind = {"C": "csr", "R": "row_sparse"}[x]
        for more, forward, backward in (
            (
                "",
                "self.assign(out_data[0], req[0], in_data[0] * 2)",
                "self.assign(in_grad[0], req[0], out_grad[0] * 2)",
            ),
            (
                _STORAGE.format(out="default", ig="['default']"),
                "self.assign(out_data[0], req[0], (in_data[0] * 2).tostype('default'))",
                "self.assign(in_grad[0], req[0], out_grad[0] * 2)",
            ),
            (
                _STORAGE.format(out=kind, ig=f"['{kind}']"),
                "self.assign(out_data[0], req[0], in_data[0] * 2)",
                "self.assign(in_grad[0], req[0], out_grad[0] * 2)",
            ),
            (
                _STORAGE.format(out=kind, ig="['default']"),
                "self.assign(out_data[0], req[0], in_data[0] * 2)",
                "self.assign(in_grad[0], req[0], out_grad[0] * 2)",
            ),
        ):
            number += 1
            text = _OPERATOR.format(n=number, forward=forward, backward=backward, more=more, arguments="['data']")
            yield text + f"result = nd.Custom({x}, op_type='sparse_use_{number}')"
            yield text + f"result = nd.Custom(D, op_type='sparse_use_{number}')"
            yield (
                text
                + f"x = {x}; x.attach_grad()\nwith autograd.record():\n  y = nd.Custom(x, op_type='sparse_use_{number}')\ny.backward(); result = [y, x.grad]"
            )
            yield (
                text
                + f"y = mx.sym.Custom(mx.sym.var('x', stype='{kind}'), op_type='sparse_use_{number}'); e = y.bind(mx.cpu(), {{'x': {x}}}); result = e.forward()"
            )
            yield (
                text
                + f"y = mx.sym.Custom(mx.sym.var('x', stype='{kind}'), op_type='sparse_use_{number}'); e = y.bind(mx.cpu(), {{'x': {x}}}, args_grad={{'x': nd.zeros_like({x})}}); e.forward(is_train=True); e.backward(nd.ones((4, 5))); result = [e.outputs, e.grad_dict['x']]"
            )


def graphs():
    """Executors and hybridized blocks."""
    for stype, x in (("csr", "C"), ("row_sparse", "R")):
        var = f"v = mx.sym.var('x', stype='{stype}'); "
        for expression in (
            "mx.sym.square(v)",
            "v * 2",
            "v + 1",
            "v + v",
            "mx.sym.sparse.retain(v, mx.sym.var('i'))",
            "mx.sym.dot(v, mx.sym.var('w'))",
            "mx.sym.exp(v)",
            "mx.sym.relu(mx.sym.square(v) - v)",
            "mx.sym.add_n(v, v, v)",
            "mx.sym.add_n(v, mx.sym.var('d'))",
            "mx.sym.cast_storage(v, stype='default')",
            "mx.sym.sum(v)",
            "mx.sym.BatchNorm(v, name='bn')",
            "mx.sym.Activation(v, act_type='relu')",
            "mx.sym._internal._scatter_plus_scalar(v, scalar=2)",
            "mx.sym._internal._scatter_minus_scalar(v, scalar=2)",
            "mx.sym._internal._scatter_elemwise_div(v, mx.sym.var('d'))",
            "mx.sym.contrib.quadratic(v, a=1, b=2, c=0)",
            "mx.sym.contrib.quadratic(v, a=1, b=2, c=3)",
            "mx.sym.elemwise_mul(v, mx.sym.var('d'))",
            "mx.sym.elemwise_add(v, mx.sym.var('d'))",
            "mx.sym.broadcast_mul(v, mx.sym.var('d'))",
            "mx.sym.concat(v, v, dim=0)",
            "mx.sym.slice(v, begin=(1,), end=(3,))",
            "mx.sym.clip(v, -1, 1)",
            "mx.sym.Cast(v, dtype='float64')",
            "mx.sym.FullyConnected(v, num_hidden=3, name='fc')",
            "mx.sym.make_loss(v)",
            "mx.sym.BlockGrad(v)",
            "mx.sym.identity(v)",
            "mx.sym.LinearRegressionOutput(mx.sym.var('d'), v)",
            "mx.sym.sparse.zeros_like(v)",
            "mx.sym.norm(v)",
            "mx.sym.where(v, mx.sym.var('d'), mx.sym.var('d2'))",
            "mx.sym.take(v, mx.sym.var('i'))",
        ):
            values = f"{{'x': {x}, 'w': D2.T, 'd': D2, 'd2': F, 'i': nd.array([0, 3]), 'bn_gamma': nd.ones(5), 'bn_beta': nd.zeros(5), 'fc_weight': nd.ones((3, 5)), 'fc_bias': nd.ones(3)}}"
            start = var + f"y = {expression}; known = {values}; args = {{n: known[n] for n in y.list_arguments()}}; "
            yield (
                start
                + "e = y.bind(mx.cpu(), args, aux_states=[nd.zeros(5), nd.ones(5)][:len(y.list_auxiliary_states())]); result = e.forward()"
            )
            yield (
                start
                + "e = y.bind(mx.cpu(), args, args_grad={n: nd.zeros_like(a) for n, a in args.items()}, aux_states=[nd.zeros(5), nd.ones(5)][:len(y.list_auxiliary_states())]); o = e.forward(is_train=True); e.backward([nd.ones(a.shape) for a in o]); result = [o, [e.grad_dict[n] for n in sorted(args)]]"
            )
            yield (
                start
                + "e = y.simple_bind(mx.cpu(), **{n: a.shape for n, a in args.items()}); result = [[a.stype for a in e.outputs], [a.stype for a in e.arg_arrays], [a if a is None else a.stype for a in e.grad_arrays]]"
            )
            yield start + f"result = y.infer_storage_type(x='{stype}') if hasattr(y, 'infer_storage_type') else None"
            plain = start.replace(f", stype='{stype}'", "")
            yield (
                plain
                + "e = y.bind(mx.cpu(), args, aux_states=[nd.zeros(5), nd.ones(5)][:len(y.list_auxiliary_states())]); result = e.forward()"
            )
            yield (
                plain
                + "e = y.simple_bind(mx.cpu(), **{n: a.shape for n, a in args.items()}); e.copy_params_from(args, allow_extra_params=True); result = e.forward()"
            )
            yield (
                start
                + "e = y.simple_bind(mx.cpu(), **{n: a.shape for n, a in args.items()}); e.copy_params_from(args, allow_extra_params=True); result = e.forward()"
            )
        yield var + f"result = (v * 2).eval(x={x})"
        yield var + "result = (v * 2).attr_dict()"
        yield var + f"e = (v * 2).bind(mx.cpu(), {{'x': {x}}}); e.forward(); e.forward(x={x}2); result = e.outputs"
        yield var + f"e = (v * 2).bind(mx.cpu(), {{'x': {x}}}); e.forward(x=D); result = e.outputs"
        yield f"e = (mx.sym.var('x') * 2).bind(mx.cpu(), {{'x': D}}); e.forward(x={x}); result = e.outputs"
        yield var + f"e = (v * 2).bind(mx.cpu(), {{'x': {x}}}); e = e.reshape(x=(4, 5)); result = e.forward(x={x})"
        yield var + f"e = (v * 2).simple_bind(mx.cpu(), x=(4, 5)); e.forward(x={x}); result = e.outputs"
        yield f"result = mx.nd.square({x}, out=nd.zeros((4, 5)))"
        yield f"mx.sym.square(mx.sym.var('x'), out={x}); result = {x}"
        yield f"result = mx.sym.square(mx.sym.var('x'), out={x}, name='q').list_outputs()"


def training():
    """Modules and Gluon with sparse weights."""
    fm = """
x = mx.sym.var('data', stype='csr'); v = mx.sym.var('v', shape=(5, 2), stype='row_sparse', init=mx.init.One()); w = mx.sym.var('w', shape=(5, 1), stype='row_sparse', init=mx.init.One())
b = mx.sym.var('b', shape=(1,), init=mx.init.Zero())
w1 = mx.sym.broadcast_add(mx.sym.dot(x, w), b); v_s = mx.sym._internal._square_sum(data=v, axis=1, keepdims=True)
x_s = mx.sym.square(data=x); bd = 0.5 * mx.sym.negative(data=mx.sym.dot(x_s, v_s))
w2 = 0.5 * mx.sym.square(data=mx.sym.dot(x, v)); s = mx.sym.Concat(w1, w2, dim=1); q = mx.sym.sum(data=s, axis=1, keepdims=True)
y = mx.sym.LinearRegressionOutput(data=mx.sym.broadcast_add(q, bd), label=mx.sym.var('softmax_label'))
it = mx.io.NDArrayIter(C, nd.arange(4).reshape((4, 1)), 2, label_name='softmax_label', last_batch_handle='discard')
m = mx.mod.Module(y, data_names=['data'], label_names=['softmax_label'])
m.bind(data_shapes=it.provide_data, label_shapes=it.provide_label)
m.init_params(); {optimizer}
for batch in it:
  m.prepare(batch, sparse_row_id_fn={fn})
  m.forward_backward(batch); m.update()
result = [m.get_params()[0][n] for n in ('v', 'w', 'b')] + [m.get_outputs()[0]]
"""
    ids = "lambda b: {'v': b.data[0].indices, 'w': b.data[0].indices}"
    for optimizer in (
        "m.init_optimizer(optimizer='sgd', optimizer_params={'learning_rate': .01})",
        "m.init_optimizer(optimizer='adam', kvstore=None)",
        "m.init_optimizer(optimizer='sgd', kvstore=mx.kv.create('local'), optimizer_params={'learning_rate': .01, 'momentum': .9})",
        "m.init_optimizer(optimizer='adagrad', kvstore='device')",
    ):
        for fn in (ids, "None"):
            yield fm.format(optimizer=optimizer, fn=fn)
    gluon = """
class Net(mx.gluon.Block):
  def __init__(self):
    super().__init__()
    self.w = self.params.get('w', shape=(5, 2), stype={stype}, grad_stype={grad}, init=mx.init.One())
  def forward(self, x):
    return nd.dot(x, {use})
n = Net(); n.initialize(); t = mx.gluon.Trainer(n.collect_params(), '{rule}', {{'learning_rate': .1}}, kvstore={kv})
for i in range(2):
  with autograd.record():
    y = n(C)
  y.backward(); t.step(4)
result = [y, n.w.grad(), {read}]
"""
    for rule in ("sgd", "adam", "adagrad", "rmsprop", "ftrl"):
        for kv in ("'local'", "'device'", "None"):
            yield gluon.format(
                stype="'default'", grad="'row_sparse'", use="self.w.data()", rule=rule, kv=kv, read="n.w.data()"
            )
            yield gluon.format(
                stype="'row_sparse'",
                grad="'row_sparse'",
                use="self.w.row_sparse_data(x.indices)",
                rule=rule,
                kv=kv,
                read="n.w.row_sparse_data(nd.arange(5))",
            )
    yield gluon.format(
        stype="'row_sparse'",
        grad="'default'",
        use="self.w.row_sparse_data(x.indices)",
        rule="sgd",
        kv="'local'",
        read="n.w.row_sparse_data(nd.arange(5))",
    )
    for call in (
        "p.data()",
        "p.list_data()",
        "p.row_sparse_data(nd.array([0]))",
        "p.list_row_sparse_data(nd.array([0]))",
        "p.grad()",
        "p.zero_grad(); result = p.grad()",
        "p.cast('float64'); result = p.grad()",
        "p.reset_ctx(mx.cpu(1)); result = p.list_ctx()",
        "p.var().attr('__storage_type__')",
        "p.set_data(D); result = 1",
        "p.stype",
        "p.grad_stype",
        "p._reduce()",
    ):
        for stype, grad in (
            ("row_sparse", "row_sparse"),
            ("default", "row_sparse"),
            ("row_sparse", "default"),
            ("default", "csr"),
            ("csr", "default"),
        ):
            body = call if "result" in call else f"result = {call}"
            yield f"p = mx.gluon.Parameter('w', shape=(4, 5), stype='{stype}', grad_stype='{grad}'); p.initialize(mx.init.One()); {body}"
    for x in ("C", "R"):
        for call in (
            f"mx.test_utils.assert_almost_equal({x}, {x}); result = 1",
            f"mx.test_utils.assert_almost_equal({x}, ONE); result = 1",
            f"mx.test_utils.assert_almost_equal({x}, D2); result = 1",
            f"result = mx.test_utils.same({x}, {x})",
            f"result = mx.test_utils.almost_equal({x}.asnumpy(), ONE)",
            f"result = mx.test_utils.same_array({x}, {x})",
            f"mx.test_utils.assert_exception(lambda: {x}.reshape((5, 4)), Exception); result = 1",
            f"result = mx.test_utils.assign_each({x}.asnumpy(), lambda v: v + 1)",
            f"result = mx.test_utils.rand_ndarray((4, 5), {x}.stype).stype",
            f"result = mx.test_utils.rand_ndarray((4, 5), {x}.stype, density=0.0)",
            f"result = mx.test_utils.create_sparse_array((4, 5), {x}.stype, data_init=0.5, density=1.0)",
            f"result = mx.test_utils.create_sparse_array_zd((4, 5), {x}.stype, 0)",
            f"result = mx.test_utils.rand_sparse_ndarray((4, 5), {x}.stype)[0].stype",
            f"v = mx.sym.var('x'); mx.test_utils.check_symbolic_forward(v * 2, {{'x': {x}}}, [ONE * 2]); result = 1",
            f"v = mx.sym.var('x', stype={x}.stype); mx.test_utils.check_symbolic_forward(v * 2, {{'x': {x}}}, [ONE * 2]); result = 1",
            f"v = mx.sym.var('x', stype={x}.stype); mx.test_utils.check_symbolic_backward(v * 2, {{'x': {x}}}, [D2], {{'x': TWO * 2}}); result = 1",
            f"v = mx.sym.var('x', stype={x}.stype); mx.test_utils.check_symbolic_backward(v * 2, {{'x': {x}}}, [D2], {{'x': TWO * 2}}, grad_stypes={{'x': 'default'}}); result = 1",
            f"v = mx.sym.var('x', stype={x}.stype); mx.test_utils.check_numeric_gradient(v * 2, {{'x': {x}}}); result = 1",
            f"v = mx.sym.var('x', stype={x}.stype); mx.test_utils.check_numeric_gradient(mx.sym.square(v), [{x}], grad_stype_dict={{'x': {x}.stype}}); result = 1",
            f"result = mx.test_utils.simple_forward(mx.sym.var('x') * 2, x={x})",
            f"import tempfile, os\np = os.path.join(tempfile.mkdtemp(), 'a'); mx.model.save_checkpoint(p, 1, mx.sym.var('x') * 2, {{'x': {x}}}, {{}}); result = mx.model.load_checkpoint(p, 1)[1]['x']",
        ):
            yield call


def cases():
    """All programs."""
    made = [*optimizers(), *functions(), *iterators(), *custom(), *graphs(), *training()]
    return list(dict.fromkeys(made))
