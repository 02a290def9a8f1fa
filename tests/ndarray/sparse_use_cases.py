"""Public functions and classes that are given sparse arrays, as text, like the programs of sparse_cases.py."""

# ruff: noqa: E501  (programs as they are)

SPARSE = ("C", "R")

# ---- autograd --------------------------------------------------------------------------------------------------------

_TWO_FUNCTIONS = (
    "x * 2",
    "x * x",
    "nd.square(x)",
    "nd.sum(x)",
    "nd.elemwise_add(x, D)",
    "x + x",
    "nd.sin(x)",
    "nd.exp(x)",
    "-x",
    "nd.dot(x, D2.T)",
)
AUTOGRAD = []
for _x in ("C", "R", "CZ", "RZ", "RF"):
    for _f in _TWO_FUNCTIONS:
        _record = f"x = {_x}; x.attach_grad()\nwith autograd.record():\n  y = {_f}\n"
        AUTOGRAD.append(_record + "y.backward(); result = [y, x.grad]")
        AUTOGRAD.append(_record + "result = autograd.grad(y, x)")
        AUTOGRAD.append(_record + "result = autograd.grad([y], [x])")
        AUTOGRAD.append(f"from mxnet.contrib import autograd as ca\nresult = ca.grad_and_loss(lambda x: {_f})({_x})")
        AUTOGRAD.append(f"from mxnet.contrib import autograd as ca\nresult = ca.grad(lambda x: {_f})({_x})")
    AUTOGRAD += [
        f"x = {_x}; x.attach_grad()\nwith autograd.record():\n  y = x * 2\ny.backward(D2); result = x.grad",
        f"x = {_x}; x.attach_grad()\nwith autograd.record():\n  y = x * 2\ny.backward({_x}); result = x.grad",
        f"x = {_x}; x.attach_grad()\nwith autograd.record():\n  y = x * 2\nautograd.backward([y], [D2]); result = x.grad",
        f"x = {_x}; x.attach_grad(stype='default')\nwith autograd.record():\n  y = x * 2\ny.backward(); result = x.grad",
        f"x = {_x}; x.attach_grad('add')\nfor i in range(2):\n  with autograd.record():\n    y = x * 2\n  y.backward()\nresult = x.grad",
        f"x = {_x}; g = nd.zeros_like(x); autograd.mark_variables([x], [g])\nwith autograd.record():\n  y = x * 2\ny.backward(); result = [x.grad, g]",
        f"x = {_x}; x.attach_grad()\nwith autograd.record():\n  y = x.tostype('default') * 2\ny.backward(); result = x.grad",
        f"x = D; x.attach_grad()\nwith autograd.record():\n  y = x * {_x}\ny.backward(); result = [y, x.grad]",
        f"x = D; x.attach_grad()\nwith autograd.record():\n  y = nd.elemwise_mul(x, {_x})\ny.backward(); result = [y, x.grad]",
        f"x = D; x.attach_grad()\nwith autograd.record():\n  y = x + {_x}\ny.backward(); result = [y, x.grad]",
        "class F(autograd.Function):\n  def forward(self, x):\n    self.save_for_backward(x)\n    return x * 2\n  def backward(self, dy):\n    return dy * 2\n"
        f"x = {_x}; x.attach_grad()\nwith autograd.record():\n  y = F()(x)\ny.backward(); result = [y, x.grad]",
        f"x = D; x.attach_grad()\nwith autograd.record():\n  y = x * 2\ny.backward({_x}); result = x.grad",
        f"x = {_x}; x.attach_grad(); result = [x.grad, x.detach(), x.grad.stype]",
        f"x = {_x}; x.attach_grad('null')\nresult = x.grad",
    ]

# ---- functions of mx.nd ----------------------------------------------------------------------------------------------

FUNCTIONS = []
for _x, _y, _z in (("C", "C2", "CZ"), ("R", "R2", "RZ")):
    for _f in "maximum minimum power modulo equal not_equal greater greater_equal lesser lesser_equal logical_and logical_or logical_xor add subtract multiply divide true_divide hypot arctan2".split():
        FUNCTIONS += [f"nd.{_f}({_x}, {_y})", f"nd.{_f}({_x}, D)", f"nd.{_f}(D, {_x})", f"nd.{_f}({_x}, 2)"]
        if _f not in ("hypot", "arctan2"):
            FUNCTIONS += [f"nd.{_f}(2, {_x})", f"nd.{_f}({_x}, 0)"]
    FUNCTIONS += [
        f"nd.concatenate([{_x}, {_y}])",
        f"nd.concatenate([{_x}])",
        f"nd.concatenate([{_x}, D])",
        f"nd.concatenate([{_x}, {_y}], axis=1)",
        f"nd.stack({_x}, {_y}, axis=1)",
        f"nd.moveaxis({_x}, 0, 1)",
        f"nd.split_v2({_x}, 2)",
        f"nd.histogram({_x}, bins=3, range=(0, 3))",
        f"nd.histogram({_x}, bins=3)",
        f"nd.onehot_encode(nd.array([0, 1, 2, 3]), {_x})",
        f"nd.waitall(); nd.ElementWiseSum({_x}, {_y}, D)",
        f"nd.contrib.isfinite({_x})",
        f"nd.contrib.isnan({_x})",
        f"nd.contrib.isinf({_x})",
        f"nd.contrib.quadratic({_x}, a=1, b=2, c=0)",
        f"nd.contrib.quadratic({_x}, a=1, b=2, c=3)",
        f"nd.contrib.foreach(lambda x, s: (x * 2, s), {_x}, [])[0]",
        "nd.contrib.foreach(lambda x, s: (x * 2, s + x), D, nd.zeros(5))[0]",
        f"nd.contrib.boolean_mask({_x}, nd.array([1, 0, 1, 0]))",
        f"nd.contrib.index_copy(D, nd.array([0, 1]), {_x}[0:2])",
        f"nd.contrib.index_array({_x})",
        f"nd.contrib.arange_like({_x}, axis=0)",
        f"nd.contrib.div_sqrt_dim({_x})",
        f"nd.contrib.fft({_x})",
        f"nd.contrib.count_sketch({_x}, nd.zeros(5), nd.ones(5), out_dim=3)",
        f"nd.contrib.BilinearResize2D({_x})",
        f"nd.contrib.AdaptiveAvgPooling2D({_x})",
        f"nd.contrib.bipartite_matching({_x}, threshold=0.1)",
        f"nd.contrib.cond({_x}.sum() > 0, lambda: {_x}, lambda: {_x})",
        f"nd.multi_sum_sq({_x}, {_y}, num_arrays=2)",
        f"nd.multi_all_finite({_x}, {_y}, num_arrays=2)",
        f"nd.reset_arrays({_x}, {_y}, num_arrays=2), {_x}, {_y}",
        f"nd.amp_cast({_x}, dtype='float16')",
        f"nd.amp_multicast({_x}, {_y}, num_outputs=2)",
        f"nd.Cast({_x}, dtype='float16')",
        f"nd.cast({_x}, 'float32')",
        f"nd.linalg.gemm2({_x}, {_y}, transpose_b=True)",
        f"nd.linalg.syrk({_x})",
        f"nd.linalg.sumlogdiag({_x}[0:4])",
        f"nd.random.normal({_x}, 1).shape",
        f"nd.random.normal(nd.abs({_x}), nd.abs({_y}) + 1).stype",
        f"nd.random.poisson(nd.abs({_x})).stype",
        f"nd.random.uniform_like({_x}).stype",
        f"nd.random.multinomial(nd.abs({_x}) + 0.1).shape",
        f"nd.random.shuffle({_x}).stype",
        f"nd.Dropout({_x}).stype",
        f"nd.BatchNorm({_x}, nd.ones(5), nd.zeros(5), nd.zeros(5), nd.ones(5))",
        f"nd.BatchNorm({_x}, nd.ones(5), nd.zeros(5), nd.zeros(5), nd.ones(5), fix_gamma=False, axis=1)",
        f"nd.BatchNorm(D, {_x}[0:1], nd.zeros(5), nd.zeros(5), nd.ones(5))",
        f"nd.LayerNorm({_x}, nd.ones(5), nd.zeros(5))",
        f"nd.L2Normalization({_x})",
        f"nd.Activation({_x}, act_type='relu')",
        f"nd.Activation({_x}, act_type='sigmoid')",
        f"nd.LeakyReLU({_x})",
        f"nd.SoftmaxActivation({_x})",
        f"nd.softmax_cross_entropy({_x}, nd.array([0, 1, 2, 3]))",
        f"nd.SVMOutput({_x}, nd.array([0, 1, 2, 3]))",
        f"nd.MakeLoss({_x})",
        f"nd.FullyConnected({_x}, nd.ones((3, 5)), nd.ones((3, 1)), num_hidden=3)",
        "nd.FullyConnected(D, nd.ones((3, 5)), nd.ones((3, 1)), num_hidden=3)",
        "nd.FullyConnected(D, nd.ones((3, 5)), nd.ones((3, 1)).tostype('row_sparse'), num_hidden=3)",
        f"nd.FullyConnected({_x}, nd.ones((3, 5)).tostype('row_sparse'), nd.ones((3, 1)).tostype('row_sparse'), num_hidden=3)",
        f"nd.FullyConnected({_x}, nd.ones((3, 5)), nd.ones((1, 3)), num_hidden=3)",
        f"nd.FullyConnected({_x}, nd.ones((3, 5)), nd.arange(3).tostype('row_sparse'), num_hidden=3)",
        f"nd.FullyConnected({_x}, {_x}, num_hidden=4, no_bias=True)",
        f"nd.khatri_rao({_x}, {_y})",
        f"nd.SequenceMask({_x})",
        f"nd.SequenceReverse({_x}.tostype('default').reshape((4, 5, 1)))",
        f"nd.scatter_nd({_x}[0:1], nd.array([[0]]), shape=(2, 5))",
        f"nd.gather_nd({_x}, nd.array([[0, 1], [1, 2]]))",
        f"nd.batch_take({_x}, nd.array([0, 1, 2, 3]))",
        f"nd.pick({_x}, nd.array([0, 1, 2, 3]))",
        f"nd.one_hot({_x}, 3).shape",
        f"nd.diag({_x})",
        f"nd.ravel_multi_index({_x}.astype('int64')[0:2], shape=(9, 9))",
        f"nd.topk({_x}, k=2)",
        f"nd.sort({_x})",
        f"nd.argsort({_x})",
        f"nd.broadcast_axis({_x}[0:1], axis=0, size=3)",
        f"nd.broadcast_to({_x}[0:1], shape=(3, 5))",
        f"nd.broadcast_like({_x}, D)",
        f"nd.reshape_like({_x}, D)",
        f"nd.reshape_like(D, {_x})",
        f"nd.slice_like({_x}, nd.ones((2, 2)))",
        f"nd.ones_like({_x})",
        f"nd.zeros_like({_x})",
        f"nd.shape_array({_x})",
        f"nd.SliceChannel({_x}, num_outputs=5)",
        f"nd.squeeze({_x}[0:1])",
        f"nd.reverse({_x}, axis=0)",
        f"nd.Pad({_x}, mode='constant', pad_width=(0, 0))",
        f"nd.identity({_x})",
        f"nd.Flatten({_x})",
        f"nd.repeat({_x}, repeats=2)",
        f"nd.sparse.sum({_x}, axis=0)",
        f"nd.sparse.mean({_x}, axis=0)",
        f"nd.sparse.norm({_x})",
        f"nd.sparse.where({_x}, D, D2)",
        f"nd.sparse.concat({_x}, {_y}, dim=0)",
        f"nd.sparse.slice({_x}, begin=(0,), end=(2,))",
        f"nd.sparse.square({_x}, name='a')",
        f"nd.sparse.add_n({_x}, {_y}, {_z})",
        f"nd.sparse.add_n({_x}, D, {_z})",
        f"nd.sparse.add_n(D, {_x})",
        f"nd.sparse.add_n(C, R, {_x})",
        "nd.sparse.add_n(R, C, D, R2)",
        f"nd.sparse.add_n(D, D2, {_x}, {_y}, RF)",
        f"nd.sparse.ElementWiseSum({_x}, {_x})",
        f"nd.sparse.broadcast_add({_x}, D[0:1])",
        f"nd.sparse.make_loss({_x})",
        f"nd.sparse.stop_gradient({_x})",
        f"nd.sparse.clip({_x}, -1, 1)",
        f"nd._internal._scatter_elemwise_div({_x}, D)",
        f"nd._internal._scatter_elemwise_div({_x}, {_y})",
        f"nd._internal._scatter_elemwise_div({_x}, RF)",
        f"nd._internal._scatter_elemwise_div({_x}, CF)",
        f"nd._internal._scatter_elemwise_div(D, {_x})",
        f"nd._internal._scatter_plus_scalar({_x}, scalar=1)",
        f"nd._internal._scatter_minus_scalar({_x}, scalar=1)",
        f"nd._internal._scatter_plus_scalar({_z}, scalar=1)",
        f"nd._internal._scatter_minus_scalar({_z}, scalar=1)",
        "nd._internal._scatter_set_nd(D, D2[0], nd.array([[0]]), shape=(4, 5))",
        f"nd._internal._identity_with_attr_like_rhs({_x}, {_y})",
        f"nd._internal._identity_with_attr_like_rhs({_x}, D)",
        f"nd._internal._identity_with_attr_like_rhs(D, {_x})",
    ]
FUNCTIONS += [
    "nd._internal._zeros(shape=(2, 3), ctx='cpu(0)', dtype='float32', out=sparse.zeros('csr', (2, 3)))",
    "nd._internal._zeros(shape=(2, 3), ctx='cpu(0)', dtype='float32', out=sparse.zeros('row_sparse', (2, 3)))",
    "nd._internal._ones(shape=(2, 3), ctx='cpu(0)', dtype='float32', out=sparse.zeros('row_sparse', (2, 3)))",
    "nd._internal._random_uniform(shape=(2, 3), out=sparse.zeros('row_sparse', (2, 3))).stype",
    "nd._internal._random_normal(shape=(2, 3), out=sparse.zeros('row_sparse', (2, 3))).stype",
    "nd._internal._random_uniform(shape=(2, 3), out=sparse.zeros('csr', (2, 3))).stype",
    "nd.contrib.SparseEmbedding(nd.array([[0, 3], [1, 1]]), R, input_dim=4, output_dim=5, deterministic=True)",
    "nd.contrib.SparseEmbedding(nd.array([[0, 3], [1, 1]]), R, input_dim=4, output_dim=5, deterministic=False, dtype='float32')",
    "nd.contrib.SparseEmbedding(nd.array([[0, 3], [1, 1]]), D, input_dim=4, output_dim=5, deterministic=True)",
]
_EDGES = "np.array([[np.inf, 0, -np.inf], [0, 0, 0], [np.nan, -0.0, 1e30], [-1, 0, 1]], 'float32')"
for _f in """abs arcsin arcsinh arctan arctanh cbrt ceil degrees expm1 fix floor log1p radians relu rint round sign sin sinh sqrt
square tan tanh trunc negative arccos arccosh cos cosh exp gamma gammaln log log10 log2 rsqrt rcbrt reciprocal sigmoid erf""".split():
    FUNCTIONS += [f"nd.{_f}(nd.array({_EDGES}).tostype('{s}'))" for s in ("csr", "row_sparse")]
for _f in (
    "_div_scalar(x, scalar=0)",
    "_mul_scalar(x, scalar=float('inf'))",
    "_div_scalar(x, scalar=float('nan'))",
    "_mul_scalar(x, scalar=0)",
    "_power_scalar(x, scalar=0)",
    "_mod_scalar(x, scalar=0)",
):
    FUNCTIONS += [f"nd._internal.{_f.replace('x', a, 1)}" for a in ("C", "R", "D")]

# ---- files, copies, indices ------------------------------------------------------------------------------------------

FILES = []
for _x in ("C", "R", "CZ", "RZ"):
    FILES += [
        f"import tempfile, os\np = os.path.join(tempfile.mkdtemp(), 'a'); nd.save(p, {_x}); result = nd.load(p)",
        f"import tempfile, os\np = os.path.join(tempfile.mkdtemp(), 'a'); nd.save(p, [{_x}, D]); result = nd.load(p)",
        f"import tempfile, os\np = os.path.join(tempfile.mkdtemp(), 'a'); nd.save(p, {{'x': {_x}, 'y': D}}); result = nd.load(p)['x']",
        f"import pickle\nresult = pickle.loads(pickle.dumps({_x}))",
        f"import copy\nresult = copy.deepcopy({_x})",
        f"import copy\nresult = copy.copy({_x})",
        f"result = np.array({_x}.asnumpy())",
        f"result = {_x}.as_np_ndarray()",
        f"result = {_x}.as_nd_ndarray()",
        f"result = mx.np.array({_x})",
        f"result = mx.np.sum({_x})",
        f"result = nd.array({_x})",
        f"result = nd.array([{_x}, {_x}])",
        f"result = {_x}.copyto(nd.zeros((4, 5)))",
        f"result = nd.zeros((4, 5)); result[:] = {_x}",
        f"result = nd.zeros((4, 5)); result[0:4] = {_x}",
        f"result = nd.zeros((2, 4, 5)); result[0] = {_x}",
        f"result = D[{_x}]",
        f"result = bool(({_x}.asnumpy() == {_x}.tostype('default').asnumpy()).all())",
        f"result = nd.zeros((4, 5)); result += {_x}",
        f"result = nd.ones((4, 5)); result *= {_x}",
        f"result = nd.ones((4, 5)); result -= {_x}",
        f"result = {_x}.asscipy().todense() if {_x}.stype == 'csr' else None",
        f"result = {_x}[np.int64(1)]",
        f"result = {_x}[1]",
        f"result = {_x}[-1]",
        f"result = {_x}[4]",
        f"result = {_x}[nd.array([1])]",
        f"result = {_x}[True]",
        f"result = {_x}[None]",
        f"result = {_x}[0:2]",
        f"result = {_x}[:, :]",
        f"result = {_x}[1, 2]",
        f"{_x}[1] = 3; result = {_x}",
        f"{_x}[0:2] = 3; result = {_x}",
        f"{_x}[1] = D[1]; result = {_x}",
        f"{_x}[:] = 0; result = {_x}",
        f"{_x}[:] = True; result = {_x}",
        f"{_x}[:] = [[1] * 5] * 4; result = {_x}",
        f"{_x}[:] = D; result = {_x}",
        f"result = [a for a in {_x}][0]",
        f"result = {_x} in [{_x}]",
        f"result = {_x}.sparse",
        f"result = str({_x})",
        f"result = {_x}.to_dlpack_for_write()",
        f"result = nd.from_numpy({_x})",
        f"result = len({_x})",
        f"result = {_x}.context",
        f"result = {_x}.as_in_ctx(mx.cpu(1)).context",
        f"result = {_x}.as_in_ctx(mx.cpu(1))",
        f"result = {_x}.copyto(mx.cpu(1))",
        f"result = {_x}.astype('float16')",
        f"result = {_x}.astype(np.uint8)",
        f"result = {_x}.zeros_like()",
        f"result = {_x}.broadcast_axes(axis=0, size=4)",
        f"result = {_x}.reshape_like(D)",
        f"result = {_x}.log_softmax()",
        f"result = {_x}.softmin()",
        f"result = {_x}.split_v2(2)",
        f"result = {_x}.space_to_depth(1)",
        f"result = {_x}.nanprod()",
        f"result = {_x}.argmin(axis=0)",
        f"result = {_x}.argmax_channel()",
        f"result = {_x}.argsort()",
        f"result = {_x}.arccosh()",
        f"result = {_x}.log10()",
        f"result = {_x}.arctanh()",
        f"result = {_x}.backward()",
        f"result = {_x}.stype",
    ]

# ---- parts that are not in order -------------------------------------------------------------------------------------

UNORDERED = []
_MAKE = {
    "sorted": "A = sparse.csr_matrix((np.array([1, 2, 3, 4], 'float32'), [2, 0, 3, 1], [0, 2, 2, 4]), shape=(3, 4))",
    "twice": "A = sparse.csr_matrix((np.array([1, 2, 3, 4], 'float32'), [1, 1, 0, 3], [0, 2, 3, 4]), shape=(3, 4))",
    "rows": "A = sparse.row_sparse_array((np.arange(8, dtype='float32').reshape(2, 4) + 1, [2, 0]), shape=(3, 4))",
    "rows twice": "A = sparse.row_sparse_array((np.arange(8, dtype='float32').reshape(2, 4) + 1, [1, 1]), shape=(3, 4))",
    "zeros": "A = sparse.csr_matrix((np.array([0, 2, 0, 4], 'float32'), [0, 2, 1, 3], [0, 2, 2, 4]), shape=(3, 4))",
    "rows zeros": "A = sparse.row_sparse_array((np.zeros((2, 4), 'float32'), [0, 2]), shape=(3, 4))",
}
_USES = """A; A.asnumpy(); A.tostype('default'); A * 2; nd.square(A); nd.sum(A); nd.sum(A, axis=0); nd.sum(A, axis=1); nd.mean(A); nd.norm(A); A + A; A - A; A * A
nd.elemwise_add(A, nd.ones((3, 4))); nd.elemwise_mul(A, nd.ones((3, 4))); nd.dot(A, nd.ones((4, 2))); nd.dot(A, nd.ones((3, 2)), transpose_a=True)
nd.dot(nd.ones((2, 3)), A); A[0:2]; A.copy(); A.astype('float64'); A.copyto(nd.zeros((3, 4))); nd.add_n(A, A); nd.concat(A, A, dim=0); A == A; A.check_format()
A.check_format(False); A.asscipy().todense(); nd.sparse.retain(A, nd.array([0, 1])); nd.Embedding(nd.array([0, 1, 2]), A, input_dim=3, output_dim=4)
nd.take(A, nd.array([0, 1])); nd.where(A, nd.ones((3, 4)), nd.zeros((3, 4))); nd.broadcast_mul(A, nd.ones((1, 4))); nd.contrib.getnnz(A); A.data; A.indices
nd.slice(A, begin=(0, 1), end=(3, 3)); nd.FullyConnected(A, nd.ones((2, 4)), no_bias=True, num_hidden=2); -A; nd.clip(A, -1, 1); nd.max(A); nd.exp(A)""".replace(
    "\n", "; "
).split("; ")
for _make in _MAKE.values():
    UNORDERED += [f"{_make}; result = {use}" for use in _USES]
    UNORDERED += [
        f"{_make}; import pickle; result = pickle.loads(pickle.dumps(A))",
        f"{_make}\nimport tempfile, os\np = os.path.join(tempfile.mkdtemp(), 'a'); nd.save(p, A); result = nd.load(p)",
        f"{_make}; w = nd.ones((3, 4)); nd.sgd_update(w, A, lr=0.1, out=w); result = w",
        f"{_make}; w = nd.ones((3, 4)); m = nd.ones((3, 4)); nd.sgd_mom_update(w, A, m, lr=0.1, momentum=0.9, out=w); result = [w, m]",
        f"{_make}; w = nd.ones((3, 4)); mx.optimizer.SGD(learning_rate=.1).update(0, w, A, None); result = w",
        f"{_make}; o = mx.optimizer.Adam(learning_rate=.1); w = nd.ones((3, 4)); o.update(0, w, A, o.create_state(0, w)); result = w",
    ]
_BAD = (
    "sparse.csr_matrix(([1, 2, 3], [0, 1, 1], [0, 2, 1, 3]), shape=(3, 4))",
    "sparse.csr_matrix(([1, 2, 3], [0, 1, 1], [0, 2, 2]), shape=(3, 4))",
    "sparse.csr_matrix(([1, 2, 3], [0, 1, 4], [0, 2, 2, 3]), shape=(3, 4))",
    "sparse.csr_matrix(([1, 2, 3], [0, 1, -1], [0, 2, 2, 3]), shape=(3, 4))",
    "sparse.csr_matrix(([1, 2, 3], [0, 1, 1], [1, 2, 2, 3]), shape=(3, 4))",
    "sparse.csr_matrix(([1, 2, 3], [0, 1, 1], [0, 2, 2, 4]), shape=(3, 4))",
    "sparse.csr_matrix(([1, 2, 3], [1, 0, 1], [0, 2, 2, 3]), shape=(3, 4))",
    "sparse.csr_matrix(([1, 2], [0, 1, 1], [0, 2, 2, 3]), shape=(3, 4))",
    "sparse.csr_matrix(([1, 2, 3], [0, 1, 1], [0, 2, 2, 3, 3]), shape=(3, 4))",
    "sparse.row_sparse_array((np.ones((2, 4)), [0, 3]), shape=(3, 4))",
    "sparse.row_sparse_array((np.ones((2, 4)), [-1, 0]), shape=(3, 4))",
    "sparse.row_sparse_array((np.ones((2, 4)), [1, 0]), shape=(3, 4))",
    "sparse.row_sparse_array((np.ones((2, 4)), [1, 1]), shape=(3, 4))",
    "sparse.row_sparse_array((np.ones((2, 4)), [0, 1, 2]), shape=(3, 4))",
    "sparse.row_sparse_array((np.ones((2, 4)), [0.5, 1]), shape=(3, 4))",
    "sparse.row_sparse_array((np.ones((2, 3)), [0, 1]), shape=(3, 4))",
)
for _bad in _BAD:
    UNORDERED += [
        f"A = {_bad}; result = A.shape",
        f"{_bad}.check_format(full_check=False); result = 1",
        f"{_bad}.check_format(full_check=True); result = 1",
    ]


def cases():
    """All programs."""
    found = dict.fromkeys(AUTOGRAD)
    found.update(dict.fromkeys(f"result = {text}" if "result" not in text else text for text in FUNCTIONS))
    found.update(dict.fromkeys([*FILES, *UNORDERED]))
    return list(found)
