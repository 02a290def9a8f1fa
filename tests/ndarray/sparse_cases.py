"""Programs on sparse arrays, as text, for the recorder and the test: each gives ``result`` or is refused.

``C``, ``C2``, ``CZ`` are csr matrices (CZ without elements), ``R``, ``R2``, ``RZ`` row-sparse ones, ``RF`` has all rows, ``D``,
``D2`` are dense, all of shape (4, 5).
"""

# ruff: noqa: E501  (programs as they are)

import numpy as np
import sparse_library_cases as sparse_library
import sparse_training_cases as sparse_training
import sparse_use_cases as sparse_uses

ONE = np.array([[1, 0, -2, 0, 0], [0, 0, 0, 0, 0], [0, 3, 0, 0.5, 0], [4, 0, 0, 0, -1.5]], np.float32)
TWO = np.array([[0.5, 2, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 0], [-3, 0, 0, 0, 0.25]], np.float32)
FULL = (np.arange(20, dtype=np.float32).reshape(4, 5) % 7) - 2.5
STYPES = {"csr": ("C", "C2", "CZ"), "row_sparse": ("R", "R2", "RZ"), "default": ("D", "D2", "DZ")}


def fixtures(mx):
    """The names that programs may use."""
    nd, zeros = mx.nd, np.zeros_like(ONE)
    space = {"mx": mx, "nd": nd, "np": np, "sparse": nd.sparse, "autograd": mx.autograd, "ONE": ONE, "TWO": TWO}
    for i, values in enumerate((ONE, TWO, zeros)):
        for stype, names in STYPES.items():
            space[names[i]] = nd.array(values).tostype(stype)
    space["F"] = nd.array(FULL)
    space["RF"] = nd.array(FULL).tostype("row_sparse")
    space["CF"] = nd.array(FULL).tostype("csr")
    return space


UNARY = """abs arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor gamma gammaln log log10
log1p log2 negative radians relu rint round rsqrt rcbrt reciprocal sigmoid sign sin sinh sqrt square tan tanh trunc zeros_like
ones_like identity BlockGrad make_loss erf softsign logical_not shape_array size_array softmax log_softmax transpose Flatten
_square_sum cast_storage_csr _copy isnan""".split()
BINARY = """elemwise_add elemwise_sub elemwise_mul elemwise_div broadcast_add broadcast_sub broadcast_mul broadcast_div
_maximum _minimum _power _hypot _equal _not_equal _greater _lesser broadcast_equal broadcast_maximum broadcast_power add_n
_grad_add""".split()
SCALAR = """_plus_scalar _minus_scalar _rminus_scalar _mul_scalar _div_scalar _rdiv_scalar _power_scalar _rpower_scalar
_maximum_scalar _minimum_scalar _mod_scalar _equal_scalar _not_equal_scalar _greater_scalar _greater_equal_scalar _lesser_scalar
_lesser_equal_scalar _hypot_scalar smooth_l1""".split()
SPARSE = ("C", "CZ", "R", "RZ")


def operators():
    """Each operator with each combination of storage types."""
    for op in UNARY:
        for x in SPARSE:
            space = "nd._internal" if op.startswith("_") else "nd"
            yield f"{space}.{op}({x})" if op != "_square_sum" else f"nd._internal._square_sum({x}, axis=1)"
    for op in BINARY:
        space = "nd._internal" if op.startswith("_") else "nd"
        for x in ("C", "R", "D", "CZ", "RZ", "RF"):
            for y in ("C2", "R2", "D2", "CZ", "RZ", "RF"):
                yield f"{space}.{op}({x}, {y})"
    for op in SCALAR:
        for x in SPARSE:
            for scalar in (2.0, 0.0, -1.5):
                space = "nd" if op == "smooth_l1" else "nd._internal"
                yield f"{space}.{op}({x}, scalar={scalar})"
    for op in ("sum", "mean", "norm", "max", "min", "prod", "nansum", "argmax"):
        for x in SPARSE:
            for attrs in (
                "",
                "axis=0",
                "axis=1",
                "axis=-1",
                "axis=(0, 1)",
                "axis=0, keepdims=True",
                "axis=1, keepdims=True",
            ):
                yield f"nd.{op}({x}{', ' if attrs else ''}{attrs})"
    for x in SPARSE:
        yield f"nd.sum({x}, axis=0, exclude=True)"
        yield f"nd.norm({x}, ord=1)"
        yield f"nd.norm({x}, ord=1, axis=1)"
        yield f"nd._internal._square_sum({x}, axis=0)"
        yield f"nd._internal._square_sum({x})"
        yield f"nd._internal._square_sum({x}, axis=1, keepdims=True)"
    for x in ("C", "CZ", "R", "RZ", "D"):
        for stype in STYPES:
            yield f"nd.cast_storage({x}, stype='{stype}')"
            yield f"{x}.tostype('{stype}')"
    yield from products()
    yield from others()


def products():
    """dot by storage types, transposes and forward_stype."""
    for x in ("C", "CZ", "R", "D", "CF"):
        for y in ("C2", "R2", "RZ", "RF", "D2", "CZ"):
            for a, b in ((True, False), (False, True), (True, True)):
                yield f"nd.dot({x}, {y}, transpose_a={a}, transpose_b={b})"
    right = {
        "nd.array(np.arange(15).reshape(5, 3) - 7)": "default",
        "nd.array(np.arange(15).reshape(5, 3) - 7).tostype('row_sparse')": "row_sparse",
        "sparse.row_sparse_array((np.ones((2, 3)), [1, 4]), shape=(5, 3))": "rows",
        "nd.array(np.arange(15).reshape(5, 3) % 2).tostype('csr')": "csr",
        "nd.arange(5)": "vector",
        "nd.ones((5, 2, 2))": "cube",
    }
    for x in ("C", "CZ", "R", "D"):
        for y in right:
            yield f"nd.dot({x}, {y})"
            for stype in STYPES:
                yield f"nd.dot({x}, {y}, forward_stype='{stype}')"
    for x in ("C", "CZ", "D"):
        for stype in STYPES:
            yield f"nd.dot({x}, D2, transpose_a=True, forward_stype='{stype}')"
            yield f"nd.dot(D2, {x}, transpose_b=True, forward_stype='{stype}')"
            yield f"nd.dot(nd.arange(12).reshape((3, 4)), {x}, forward_stype='{stype}')"
    yield "nd.dot(C, nd.arange(4), transpose_a=True)"
    yield "nd.dot(C.astype('float64'), nd.ones((5, 2), dtype='float64'))"
    yield "nd.dot(C.astype('float64'), nd.ones((5, 2)))"
    yield "nd.dot(C, nd.ones((4, 2)))"
    yield "nd.dot(nd.arange(5), C, transpose_b=True)"
    yield "nd.dot(nd.arange(4), C)"
    yield "nd.dot(nd.ones((2, 4)).tostype('row_sparse'), C)"
    yield "nd.batch_dot(nd.ones((1, 4, 5)), nd.ones((1, 5, 2)), forward_stype='csr')"
    for x in ("C", "R", "D"):
        for w in ("nd.ones((3, 5)).tostype('row_sparse')", "nd.ones((3, 5))", "nd.ones((3, 5)).tostype('csr')"):
            yield f"nd.FullyConnected({x}, {w}, nd.arange(3), num_hidden=3)"
            yield f"nd.FullyConnected({x}, {w}, num_hidden=3, no_bias=True)"


def others():
    """Selection, joining, embedding, losses."""
    for x in ("R", "RZ", "RF", "C", "D"):
        for rows in ("[0, 3]", "[1]", "[3, 0]", "[0, 1, 2, 3]", "[2, 2]"):
            yield f"nd.sparse.retain({x}, nd.array({rows}, dtype='int64'))"
        yield f"nd.sparse.retain({x}, nd.array([0, 3]))"
        yield f"nd.sparse.retain({x}, nd.array([7], dtype='int64'))"
    yield "R.retain(nd.array([0, 1], dtype='int32'))"
    for x in ("C", "CZ", "R", "RF"):
        for a, b in ((0, 1), (-1, 1), (1, 2), (-5, 5), (-1, 0), (0.5, 3)):
            yield f"nd.clip({x}, a_min={a}, a_max={b})"
        for begin, end in (
            ("(1,)", "(3,)"),
            ("(0, 1)", "(4, 4)"),
            ("(1, 0)", "(2, 5)"),
            ("(0, 2)", "(3, 3)"),
            ("(-2,)", "(None,)"),
        ):
            yield f"nd.slice({x}, begin={begin}, end={end})"
        yield f"nd.slice({x}, begin=(0,), end=(4,), step=(2,))"
        yield f"nd.slice({x}, begin=(3,), end=(1,))"
        yield f"nd.slice({x}, begin=(0,), end=(9,))"
        yield f"nd.slice_axis({x}, axis=0, begin=1, end=3)"
        yield f"nd.slice_axis({x}, axis=1, begin=1, end=3)"
        yield f"nd.take({x}, nd.array([0, 2]))"
        yield f"nd.take(nd.arange(20).reshape((4, 5)), {x}.astype('int32'))"
        yield f"nd.where({x}, D, D2)"
        yield f"nd.where({x}, {x}, {x})"
        yield f"nd.where(D, {x}, D2)"
        yield f"nd.where({x}, nd.ones((4, 5)), nd.zeros((4, 5)))"
        yield f"nd.where(nd.array([1, 0, 1, 0]), {x}, D2)"
        for dim in (0, 1):
            for y in ("C2", "D2", "R2", "CZ"):
                yield f"nd.concat({x}, {y}, dim={dim})"
            yield f"nd.concat({x}, {x}, {x}, dim={dim})"
        yield f"nd.concat({x}, dim=0)"
        for op in ("broadcast_add", "broadcast_sub", "broadcast_mul", "broadcast_div"):
            for y in (
                "nd.arange(5).reshape((1, 5))",
                "nd.arange(4).reshape((4, 1)) + 1",
                "nd.arange(5) + 2",
                "nd.array([2])",
                "nd.array([[2]])",
            ):
                yield f"nd.{op}({x}, {y})"
                yield f"nd.{op}({y}, {x})"
        yield f"{x} * nd.arange(5).reshape((1, 5))"
        yield f"nd.elemwise_mul({x}, nd.arange(5).reshape((1, 5)))"
        for op in ("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput"):
            yield f"nd.{op}(D, {x})"
            yield f"nd.{op}({x}, D)"
        yield f"nd.SoftmaxOutput({x}, nd.array([0, 1, 2, 3]))"
        yield f"nd.reshape({x}, shape=(5, 4))"
        yield f"nd.expand_dims({x}, axis=0)"
        yield f"nd.tile({x}, reps=(2, 1))"
        yield f"nd.stack({x}, {x})"
        yield f"nd.Cast({x}, dtype='float64')"
        yield f"nd.Cast({x}, dtype='int32')"
        yield f"nd.sparse.add({x}, {x})"
        yield f"nd.sparse.subtract({x}, {x})"
        yield f"nd.sparse.multiply({x}, {x})"
        yield f"nd.sparse.divide({x}, {x})"
        yield f"nd.sparse.add({x}, 2)"
        yield f"nd.sparse.multiply({x}, 2)"
        yield f"nd.sparse.divide({x}, 2)"
        yield f"nd.sparse.subtract(2, {x})"
        yield f"nd.add_n({x}, {x}, {x})"
        yield f"nd.add_n({x}, D, {x})"
        yield f"nd.add_n(D, {x}, {x}, {x}, D2)"
        yield f"nd.contrib.round_ste({x})"
        yield f"nd.contrib.sign_ste({x})"
        yield f"nd.contrib.getnnz({x})"
        yield f"nd.contrib.getnnz({x}, axis=0)"
        yield f"nd.contrib.getnnz({x}, axis=1)"
        yield f"nd.contrib.edge_id({x}, nd.array([0, 0, 2, 3]), nd.array([0, 1, 3, 4]))"
        yield f"nd.contrib.dgl_adjacency({x})"
        yield f"nd._internal._scatter_plus_scalar({x}, scalar=2)"
        yield f"nd._internal._scatter_minus_scalar({x}, scalar=2)"
        yield f"nd._internal._scatter_elemwise_div({x}, D2 + 1)"
        yield f"nd._internal._scatter_elemwise_div({x}, {x})"
        yield f"nd.all_finite({x})"
        yield f"nd._internal._identity_with_attr_like_rhs({x}, {x})"
    yield "nd.add_n(R, R2, RZ)"
    yield "nd.add_n(R, C, D)"
    yield "nd.add_n(C, C2)"
    for w in ("D", "R", "RF", "RZ", "C"):
        for more in ("", ", sparse_grad=True"):
            yield f"nd.Embedding(nd.array([[0, 3], [1, 1]]), {w}, input_dim=4, output_dim=5{more})"
        yield f"nd.contrib.SparseEmbedding(nd.array([[0, 3], [1, 1]]), {w}, input_dim=4, output_dim=5)"
    yield "nd.Embedding(nd.array([[0, 9], [1, -1]]), R, input_dim=4, output_dim=5)"
    yield "nd.Embedding(nd.array([0, 2, 1]), nd.cast_storage(nd.arange(20).reshape((4, 5)), stype='row_sparse'), input_dim=4, output_dim=5)"


METHODS = """a.data; a.indices; a.stype; a.dtype; a.shape; a.size; a.ndim; a.context; repr(a); a.asnumpy(); len(a); a[0]; a[-1]; a[1:3]
a[0:4]; a[3:1]; a[1:]; a[:]; a[...]; a[9]; a[-4]; a[-5]; a[1:9]; a[-3:-1]; a[2:2]; a[::2]; a[(1, 2)]; a[0:2, 1:3]; a[[0, 1]]
a.astype('float64'); a.astype('int32'); a.astype('float32', copy=False) is a; a.copy(); a.copyto(mx.cpu(0)); a.tostype('default'); a.T
a.as_in_context(mx.cpu(0)) is a; a.reshape((5, 4)); a.reshape(20); a.sum(); a.mean(); a.norm(); a.abs(); a.sign(); a.sqrt(); a.square()
a.broadcast_to((4, 5)); a.expand_dims(0); a.flatten(); a.transpose(); a.asscalar(); a.slice(begin=(1,), end=(2,)); a.zeros_like()
a.slice_axis(axis=0, begin=0, end=1); a.split(num_outputs=2); a.max(); a.clip(0, 1); a.round(); a.exp(); a.ones_like(); a.take(nd.array([0]))
a == a; a != a; a == 0; a != 0; a > 0; a >= 0; a < 0; a <= 1; a > b; a == b; a == D; D == a; 1 > a; a + 0; a + 1; 1 + a; a - 1; 1 - a
a * 2; 2 * a; a / 2; 1 / a; a ** 2; 2 ** a; a % 2; -a; abs(a); a + b; a - b; a * b; a / b; a ** b; a + D; a - D; a * D; a / D; D + a; D - a
D * a; D / a; a + nd.ones((1, 5)); a * nd.ones((1, 5)); bool(a); float(a); a.asscipy().toarray(); a.grad; a.detach()
a.check_format(); a.check_format(full_check=False); a.wait_to_read(); a.retain(nd.array([0])); a.handle is None; a.size; a.fresh_grad
a._num_aux; a._aux_types; a.indptr; a.tolist(); a.item(); a.diag(); a.sparse; a.writable; a.log(); a.dot(D2.T)
a.sum(axis=0); a.mean(axis=1); a.tile(2); a.repeat(2); a.pad(mode='constant', pad_width=(0, 0)); a.topk(); a.argmax(); a.sort()
a.softmax(); a.relu(); a.sin(); a.cos(); a.pick(nd.zeros(4)); a.one_hot(3); a.norm(axis=0); a.nansum(); a.prod(); a.swapaxes(0, 1)
a.broadcast_like(D); a.slice_like(D); a.squeeze(); a.tanh(); a.radians(); a.floor(); a.trunc(); a.fix(); a.rint(); a.ceil(); a.expm1()
a.log1p(); a.rsqrt(); a.cbrt(); a.flip(axis=0); a.depth_to_space(1); a.shape_array(); a.size_array(); a.to_dlpack_for_read()
a.reciprocal(); a.degrees(); a.arcsin(); a.arctan(); a.sinh(); a.sigmoid(); a.gamma(); a.min(axis=1); a.as_nd_ndarray() is a""".replace(
    "\n", "; "
).split("; ")

STATEMENTS = """a[:] = 0; a[:] = 2; a[:] = b; a[:] = D2; a[:] = TWO; a[:] = TWO.tolist(); a[0] = 1; a[1:2] = 1; a[:] = C2; a[:] = R2; a[:] = a
a[...] = 3; a[:] = np.float32(3); a[0:4] = D2; a[:] = D2.astype('float64'); a[:] = np.ones((5, 4)); a += 1; a *= 2; a += b; a *= b; a -= b; a /= 2
a += D; a *= D; b.copyto(a); D2.copyto(a); C2.copyto(a); R2.copyto(a); RZ.copyto(a); a.copyto(a); nd.square(D2, out=a); nd.square(b, out=a); a[:] = []; b.astype('float64').copyto(a); a[:] = b.astype('float64'); nd.square(C2, out=a); nd.square(R2, out=a); nd.elemwise_mul(R2, R2, out=a)
nd.elemwise_add(a, b, out=a); nd.sgd_update(a, b, out=a, lr=0.1); a._sync_copyfrom(TWO); a.data[:] = 7; a.indices[:] = 0; a.attach_grad()
a.__setitem__(slice(None), nd.ones((4, 5)).astype('int32')); nd.zeros_like(a, out=a); a.data = nd.ones(6)""".replace(
    "\n", "; "
).split("; ")

CONSTRUCTORS = """sparse.csr_matrix(ONE); sparse.csr_matrix(ONE.tolist()); sparse.csr_matrix(D); sparse.csr_matrix(C); sparse.csr_matrix((3, 4))
sparse.csr_matrix((3, 4), dtype='float64'); sparse.csr_matrix(([1, 2, 3], [1, 0, 2], [0, 1, 2, 2, 3]), shape=(4, 5))
sparse.csr_matrix(([1, 2, 3], [1, 0, 2], [0, 1, 2, 2, 3])); sparse.csr_matrix((np.array([1, 2], 'int32'), [1, 0], [0, 1, 2]))
sparse.csr_matrix((np.array([1, 2], 'float64'), [1, 0], [0, 1, 2])); sparse.csr_matrix((nd.array([1, 2]), nd.array([1, 0]), nd.array([0, 1, 2])))
sparse.csr_matrix(([1.5, 2.5], ([0, 1], [2, 0]))); sparse.csr_matrix(([1.5, 2.5], ([0, 1], [2, 0])), shape=(3, 3))
sparse.csr_matrix(([1.5, 2.5], ([1, 0], [2, 0])), shape=(3, 3)); sparse.csr_matrix(([1.5, 2.5, 4], ([1, 1, 0], [2, 2, 0])), shape=(3, 3))
sparse.csr_matrix(([1.5, 2.5, 4], ([1, 1, 0], [2, 1, 0])), shape=(3, 3)); sparse.csr_matrix(ONE.astype('float64')); sparse.csr_matrix(ONE.astype('int32'))
sparse.csr_matrix(ONE, dtype='float16'); sparse.csr_matrix(ONE, shape=(4, 5)); sparse.csr_matrix(ONE, shape=(5, 4)); sparse.csr_matrix(R); sparse.csr_matrix(3)
sparse.csr_matrix([1, 2]); sparse.csr_matrix(np.ones((2, 2, 2))); sparse.csr_matrix(sp.csr_matrix(ONE)); sparse.csr_matrix(sp.coo_matrix(ONE))
sparse.csr_matrix(sp.csc_matrix(ONE)); sparse.csr_matrix((ONE[:2], [0, 3]), shape=(4, 5)); sparse.csr_matrix(([1, 2], [0, 1], [0, 1]), shape=(2, 2))
sparse.csr_matrix(([1, 2], [0, 9], [0, 1, 2]), shape=(2, 2)); sparse.csr_matrix(([1, 2], [0, -1], [0, 1, 2]), shape=(2, 2)).check_format()
sparse.csr_matrix(([1, 2], [0, 1], [0, 2, 1]), shape=(2, 2)).check_format(); sparse.csr_matrix(([1, 2], [0, 1], [1, 1, 2]), shape=(2, 2)).check_format()
sparse.csr_matrix(([1, 2], [1, 0], [0, 2, 2]), shape=(2, 2)).check_format(); sparse.csr_matrix(([1, 2], [0, 5], [0, 1, 2]), shape=(2, 2)).check_format()
sparse.csr_matrix(([1, 2], [0, 1], [0, 1, 5]), shape=(2, 2)).check_format(full_check=False); sparse.csr_matrix(([], [], [0, 0, 0]), shape=(2, 2))
sparse.csr_matrix(([1, 2], [1, 1], [0, 2, 2]), shape=(2, 2)).check_format(); sparse.csr_matrix(([1, 2, 3], [0, 1], [0, 1, 2]), shape=(2, 2)).check_format()
sparse.csr_matrix(([1, 2, 3], [1, 0, 2], [0, 1, 2, 2, 3]), shape=(4, 5), dtype='float64'); sparse.csr_matrix(([1, 2], [0.0, 1.0], [0, 1, 2]))
sparse.row_sparse_array(ONE); sparse.row_sparse_array(D); sparse.row_sparse_array(R); sparse.row_sparse_array(C); sparse.row_sparse_array((4, 3))
sparse.row_sparse_array((4, 3, 2)); sparse.row_sparse_array((ONE[:2], [0, 3]), shape=(4, 5)); sparse.row_sparse_array((ONE[:2], [0, 3]))
sparse.row_sparse_array((ONE[:2], [3, 0]), shape=(4, 5)); sparse.row_sparse_array((nd.array(ONE[:2]), nd.array([1, 2])), shape=(4, 5))
sparse.row_sparse_array((ONE[:2].astype('float64'), [0, 3]), shape=(4, 5)); sparse.row_sparse_array((ONE[:2], [0, 3]), shape=(4, 5), dtype='float16')
sparse.row_sparse_array(([[[1, 2]]], [1]), shape=(3, 1, 2)); sparse.row_sparse_array((ONE[:2], [0, 7]), shape=(4, 5)).check_format()
sparse.row_sparse_array((ONE[:2], [3, 0]), shape=(4, 5)).check_format(); sparse.row_sparse_array((ONE[:2], [1, 1]), shape=(4, 5)).check_format()
sparse.row_sparse_array((ONE[:2], [-1, 1]), shape=(4, 5)).check_format(); sparse.row_sparse_array((ONE[:2], [1]), shape=(4, 5)).check_format()
sparse.row_sparse_array(ONE, shape=(4, 5)); sparse.row_sparse_array(ONE, shape=(5, 4)); sparse.row_sparse_array([1, 2]); sparse.row_sparse_array(3)
sparse.row_sparse_array(sp.csr_matrix(ONE)); sparse.row_sparse_array(np.arange(4)); sparse.row_sparse_array(np.ones((2, 2)).astype('int32'))
sparse.row_sparse_array((ONE[:2], [0, 3]), shape=(4, 4)); sparse.zeros('csr', (2, 3)); sparse.zeros('row_sparse', (2, 3)); sparse.zeros('default', (2, 3))
sparse.zeros('csr', (2, 3), dtype='float64'); sparse.zeros('csr', (2, 3, 4)); sparse.zeros('x', (2, 3)); sparse.zeros('row_sparse', (2, 3, 4)); sparse.zeros('csr', 3)
sparse.empty('csr', (2, 3)); sparse.empty('row_sparse', (2, 3)); sparse.empty('default', (2, 3)).shape; sparse.array(C); sparse.array(R); sparse.array(D)
sparse.array(ONE); sparse.array(sp.csr_matrix(ONE)); sparse.array(sp.csr_matrix(ONE.astype('float64'))); sparse.array(C, dtype='float64')
sparse.array(sp.coo_matrix(ONE)); nd.array(C); nd.array(R); nd.array(sp.csr_matrix(ONE)); nd.zeros((2, 3), stype='csr'); nd.zeros((2, 3), stype='row_sparse')
nd.empty((2, 3), stype='csr'); nd.ones((2, 3), stype='csr'); nd.full((2, 3), 1).stype; nd.array(C, dtype='int32'); sparse.zeros('row_sparse', 3)
sparse.row_sparse_array((3,)); sparse.csr_matrix((0, 3)); nd.load_frombuffer; mx.nd.array(sp.csc_matrix(ONE)); sparse.csr_matrix(None)
sparse.BaseSparseNDArray; sparse.CSRNDArray(None); sparse.zeros('csr', (0, 3)); sparse.row_sparse_array((ONE[:2], [0, 3]), shape=(4,))""".replace(
    "\n", "; "
).split("; ")


def cases():
    """All programs."""
    seen = {}
    for text in operators():
        seen[f"result = {text}"] = 1
    for text in METHODS:
        for a, b in (("C", "C2"), ("R", "R2")):
            seen[f"a, b = {a}, {b}; result = {text}"] = 1
    for text in STATEMENTS:
        for a, b in (("C", "C2"), ("R", "R2"), ("CZ", "C"), ("RZ", "R"), ("D", "C2"), ("D", "R2")):
            seen[f"a, b = {a}, {b}; {text}; result = a"] = 1
    for text in CONSTRUCTORS:
        seen[f"import scipy.sparse as sp; result = {text}"] = 1
    return [*seen, *sparse_training.cases(), *sparse_uses.cases(), *sparse_library.cases()]


def describe(value):
    """What is compared: for arrays the storage type, dtype, shape and elements."""
    stype = getattr(value, "stype", None)
    if isinstance(value, (list, tuple)):
        return [describe(v) for v in value]
    if isinstance(stype, str) and hasattr(value, "asnumpy"):
        found = {"stype": stype, "dtype": np.dtype(value.dtype).name, "shape": list(value.shape)}
        dense = value.asnumpy()
        found["values"] = dense.astype(np.float64).ravel().tolist()
        if stype != "default":
            found["data"] = value.data.asnumpy().astype(np.float64).ravel().tolist()
            found["indices"] = value.indices.asnumpy().tolist()
        if stype == "csr":
            found["indptr"] = value.indptr.asnumpy().tolist()
        return found
    if isinstance(value, np.ndarray):
        return {"numpy": value.astype(np.float64).ravel().tolist(), "shape": list(value.shape)}
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    return str(value) if type(value).__name__ == "Context" else type(value).__name__


def run(mx, text, dense=False):
    """What a program gives, or the name of its error; ``dense``: with dense arrays in the place of the sparse ones."""
    space = fixtures(mx)
    if dense:
        space.update({k: v.tostype("default") for k, v in space.items() if isinstance(v, mx.nd.NDArray)})
    try:
        exec(text, space)  # programs of this file
        return describe(space["result"])
    except Exception as error:
        names = [kind.__name__ for kind in type(error).__mro__]
        return {"error": "MXNetError" if "MXNetError" in names else names[0], "text": str(error).split("\n")[0][:200]}
