"""Calls of helpers that packages import from the original's modules; read by record_namespace.py and test_namespace.py.

Only syntax that the original's Python understands.
"""

import ctypes
import importlib
import json
import re

import numpy as np

# Parts that have tests of their own, and modules that the original generates or writes for its C interface.
APART = re.compile(
    r"numpy|sparse|onnx|quantiz|[.]amp|gen_random|_ffi|_cy[23]|_api_internal|cython|tvmop|[.]space$|mxnet[.](tools|libmxnet)"
)

# One call a line, or a line and indented ones; b is mxnet.base, n is mxnet.ndarray.ndarray.
BASE = """
[b._as_list(x) for x in (3, [1], (2, 3), None, 'ab')]
[b._get_op_name_prefix(n) for n in ('_contrib_box_nms', '_linalg_gemm', 'FullyConnected', '_image_crop',
    '_sparse_dot', '_x')]
[b._is_np_op(n) for n in ('_np_sum', '_npi_add', '_npx_relu', 'sum', '_contrib_x')]
[b._output_is_list(n) for n in ('_npi_split', '_npi_hsplit', 'split', '_npi_add')]
[b._valid_error_name(n) for n in ('ValueError', 'mx.x.Err', 'a b', '', 'x-y')]
[b._find_error_type(s) for s in ('ValueError: bad', 'no type here', 'Check failed: x', '[12:00] a.cc:1: TypeError:
    y', 'ValueError bad', 'Some text: value', 'InternalError:')]
[b.c2pyerror(s)[1] for s in ('ValueError: x', 'x', 'Check failed: x', 'Traceback (most recent call last):\\n  File')]
[b._NP_OP_PREFIX, b._NP_EXT_OP_PREFIX, b._NP_INTERNAL_OP_PREFIX, b._OP_NAME_PREFIX_LIST, b._NP_OP_SUBMODULE_LIST]
[b._NP_EXT_OP_SUBMODULE_LIST, sorted(b._NP_OUTPUT_IS_LIST_OPERATORS)]
'ValueError' in b.error_types
[issubclass(b.error_types['ValueError'], ValueError), issubclass(b.error_types['InternalError'], mx.base.MXNetError)]
[b.basestring is str, b.long is int]
[getattr(b, k + 'Handle') is ctypes.c_void_p for k in 'NDArray Symbol Executor KVStore Op CachedOp DataIter
    RecordIO'.split()]
"""
NDARRAY = """
[n._DTYPE_NP_TO_MX[np.float32], n._DTYPE_NP_TO_MX[np.int64], n._DTYPE_NP_TO_MX[None], n._DTYPE_NP_TO_MX[np.bool_]]
sorted((k, v and np.dtype(v).name) for k, v in n._DTYPE_MX_TO_NP.items() if k < 12)
len(n._DTYPE_NP_TO_MX)
[n._GRAD_REQ_MAP, sorted(n._STORAGE_TYPE_STR_TO_ID.items()), sorted(n._STORAGE_TYPE_ID_TO_STR.items())]
[n._STORAGE_TYPE_UNDEFINED, n._STORAGE_TYPE_DEFAULT, n._STORAGE_TYPE_ROW_SPARSE, n._STORAGE_TYPE_CSR]
[getattr(n, '_NDARRAY_' + k) for k in 'BASIC_INDEXING ADVANCED_INDEXING EMPTY_TUPLE_INDEXING
    UNSUPPORTED_INDEXING'.split()]
[getattr(n, '_NDARRAY_' + k) for k in 'NO_ZERO_DIM_BOOL_ARRAY ZERO_DIM_BOOL_ARRAY_FALSE
    ZERO_DIM_BOOL_ARRAY_TRUE'.split()]
n._SIGNED_INT32_UPPER_LIMIT
n._broadcast_shapes([nd.zeros((2, 1)), nd.zeros((3,))])
n._broadcast_shapes([])
n._broadcast_shapes([nd.zeros((4,))])
n._broadcast_shapes([nd.zeros((2,)), nd.zeros((3,))])
[n._get_broadcast_shape(*s) for s in (((2, 1), (1, 3)), ((3,), (2, 3)), ((2, 3), (2, 3)), ((4, 1, 2), (3, 1)), ((),
    (2,)))]
n._get_broadcast_shape((2, 3), (2, 4))
[n._get_dim_size(*a) for a in ((0, 5, 1), (0, 5, 2), (5, 0, -1), (5, -1, -2), (1, 2, 3))]
n._get_dim_size(0, 5, -1)
n._get_dim_size(5, 0, 1)
n._get_dim_size(0, 5, 0)
n._get_dim_size(2, 2, 1)
[n._get_index_range(*a) for a in ((None, None, 5), (1, None, 5), (None, 3, 5), (-2, None, 5), (None, None, 5, -1),
    (4, 1, 5, -2), (-1, -4, 5, -1), (1, 9, 5), (None, None, 5, None), (0, -1, 5, 2), (3, None, 5, -1))]
n._get_index_range(1, 2, 5, 0)
n._get_index_range(7, None, 5)
n._get_index_range(-7, None, 5)
n._get_index_range(0, -9, 5)
n._get_index_range(0, 3, 0)
n._get_index_range(None, None, 0)
[n._get_slice_len(slice(*a), 7) for a in ((None,), (2, 5), (None, None, 2), (None, None, -1), (5, 1, -2), (6, 2))]
[str(n._int_to_slice(i)) for i in (0, 3, -1, -2)]
[n._is_advanced_index(i) for i in (1, [1], (1,), nd.zeros((1,)), np.zeros(1), None, np.int64(3))]
n._is_advanced_index(slice(None))
n._is_advanced_index(Ellipsis)
[n._shape_for_bcast(*a) for a in (((2, 3), 4, (0, 1)), ((2, 3), 2, ()), ((2, 3), 4, (1, 2)), ((5,), 3, (0, 2)))]
n._storage_type(nd.zeros((2,)).handle)
[n._ufunc_helper(*a) for a in ((2, 3, None, lambda a, b: a * b, None), )]
n._ufunc_helper(nd.ones((2,)), 3, None, None, lambda a, b: a * b).asnumpy().tolist()
n._ufunc_helper(3, nd.ones((2,)), None, None, lambda a, b: a - b).asnumpy().tolist()
n._ufunc_helper(3, nd.ones((2,)), None, None, lambda a, b: a - b, lambda a, b: b * 10 + a).asnumpy().tolist()
n._ufunc_helper(nd.ones((2,)), nd.ones((1,)), nd.broadcast_add, None, None).asnumpy().tolist()
n._ufunc_helper('a', nd.ones((2,)), None, None, None)
n._ufunc_helper(nd.ones((2,)), 'a', None, None, None)
"""
GLUON = """
g.rnn.rnn_cell._format_sequence(2, nd.ones((4, 2, 3)), 'NTC', False)[1::2]
[x.shape for x in g.rnn.rnn_cell._format_sequence(2, nd.ones((4, 2, 3)), 'NTC', False)[0]]
g.rnn.rnn_cell._format_sequence(None, [nd.ones((4, 3))] * 2, 'TNC', True)[0].shape
g.rnn.rnn_cell._cells_state_info([g.rnn.LSTMCell(3), g.rnn.GRUCell(4)], 2)
[s.shape for s in g.rnn.rnn_cell._cells_begin_state([g.rnn.LSTMCell(3), g.rnn.GRUCell(4)], batch_size=2)]
[x.asnumpy().tolist() for x in g.rnn.rnn_cell._reverse_sequences([nd.array([[1]]), nd.array([[2]]),
    nd.array([[3]])], 2)]
[x.asnumpy().tolist() for x in g.rnn.rnn_cell._reverse_sequences([nd.array([[1], [2]]), nd.array([[3], [4]])], 2,
    nd.array([1, 2]))]
g.rnn.rnn_cell._mask_sequence_variable_length(nd, nd.ones((2, 3, 1)), 3, nd.array([1, 2]), 1, True).asnumpy().tolist()
[s.shape for s in g.rnn.rnn_cell._get_begin_state(g.rnn.LSTMCell(3), nd, None, nd.ones((4, 2, 3)), 4)]
g.block._common_prefix(['abc', 'abd', 'ab']), g.block._common_prefix([]), g.block._common_prefix(['', 'a'])
[str(v) for v in g.block._gather_type_ctx_info([nd.ones((2,)), [mx.sym.var('x')], None])]
[str(v) for v in g.block._gather_type_ctx_info([None, 3, 'a'])]
g.nn.conv_layers._infer_weight_shape('Convolution', (0, 3, 0, 0), dict(kernel=(3, 3), num_filter=5,
    layout='NCHW'))[1:]
g.nn.conv_layers._infer_weight_shape('Deconvolution', (0, 4, 0, 0), dict(kernel=(3, 3), num_filter=6, layout='NCHW',
    num_group=2))[1:]
[c._get_conv_out_size(*a) for a in (((8, 9), (3, 3), (1, 1), (1, 1)), ((8, 9), (3, 2), (0, 1), (2, 1)), ((0, 9), (3,
    2), (0, 1), (2, 1)))]
g.utils._indent('a\nb', 2)
g.block._flatten([nd.ones((1,)), [nd.ones((1,))], None], 'input')[1]
"""
OTHER = """
mx.visualization._str2tuple('(3, 4)'), mx.visualization._str2tuple('[1,22]')
mx.util._sanity_check_params('f', ['a'], {'b': 1})
mx.util._sanity_check_params('f', ['a'], {'a': 1})
mx.nd.contrib._flatten([nd.ones((1,)), [nd.zeros((1,))]], 'in')[1]
mx.sym.contrib._flatten([mx.sym.var('x'), [mx.sym.var('y')]], 'in')[1]
mx.optimizer.optimizer._flatten_list([[1, 2], [3]]), mx.nd.contrib._flatten_list([[1, 2], [3]])
[len(mx.rnn.rnn_cell._normalize_sequence(3, mx.sym.var('x'), 'NTC', False)[0]),
    mx.rnn.rnn_cell._normalize_sequence(3, mx.sym.var('x'), 'NTC', None)[1]]
[scope(mx.autograd._RecordingStateScope(True, False)), scope(mx.autograd._RecordingStateScope(None, True))]
scope(mx.util._NumpyShapeScope(True))
scope(mx.engine._BulkScope(3))
mx.contrib.text.embedding.C.UNKNOWN_IDX
[mx.lr_scheduler.pi, mx.lr_scheduler.cos(0)]
mx.autograd.array is n.native_array
[mx.model.BASE_ESTIMATOR is object, mx.model.SKLEARN_INSTALLED]
mx.symbol.symbol.py_slice(1)
list(mx.runtime.Features())
mx.libinfo.__version__
[of('misc').FactorScheduler(10)(i) for i in (0, 5, 9, 10, 11, 20, 30, 5)]
list(map(of('misc').FactorScheduler(3, 0.5), range(8)))
sorted(vars(of('misc').FactorScheduler(2)).items())
of('misc').FactorScheduler(0)
of('misc').FactorScheduler(1, 1.0)
of('misc').LearningRateScheduler()(1)
of('ndarray_doc')._build_doc('relu', 'Computes.', ['data', 'a'], ['NDArray', 'float'], ['The input', 'slope'])
of('ndarray_doc')._build_doc('Concat', 'Joins.', ['data', 'num_args'], ['NDArray-or-Symbol[]', 'int'], ['arrays', 'n'],
    'num_args', 'NDArray')
of('symbol_doc')._build_doc('relu', 'Computes.', ['data', 'a'], ['NDArray', 'float'], ['The input', 'slope'])
of('symbol_doc')._build_doc('concat', 'Joins.', ['data', 'num_args'], ['NDArray-or-Symbol[]', 'int'], ['arrays', 'n'],
    'num_args')
of('symbol_doc').SymbolDoc.get_output_shape(mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=3, name='f'),
    data=(2, 5))
[c.__mro__[1].__name__ for m in ('ndarray_doc', 'symbol_doc') for k, c in sorted(vars(of(m)).items())
    if k[-3:] == 'Doc']
[float(np.squeeze(v)) for v in mx.test_utils._find_max_violation(np.ones(3), np.array([1., 1., 3.]), 1e-3, 1e-3)]
sorted(mx.test_utils._parse_location(mx.sym.var('a') + mx.sym.var('b'), [np.ones(2), nd.ones((2,))], mx.cpu()))
mx.test_utils._parse_aux_states(mx.sym.var('a'), None, mx.cpu())
of('notebook.callback')._extend([1, 2], [5, 6, 7, 8])
counted(mx.metric._BinaryClassificationMetrics())
counted(mx.metric._BinaryClassificationMetrics(), ([0, 1, 1], [[.9, .1], [.2, .8], [.7, .3]]))
counted(mx.metric._BinaryClassificationMetrics(), ([0, 1, 1], [[.9, .1], [.2, .8], [.7, .3]]), None, ([1, 0], [[.4, .6],
    [.2, .8]]))
counted(mx.metric._BinaryClassificationMetrics(), ([0, 1, 2], [[.9, .1], [.2, .8], [.7, .3]]))
counted(mx.metric._BinaryClassificationMetrics(), ([0, 1], [[.9, .1], [.2, .8], [.7, .3]]))
"""


def calls():
    """All calls."""
    blocks = (block.replace("\n    ", " ").strip() for block in (BASE, NDARRAY, GLUON, OTHER))
    return [line for block in blocks for line in block.splitlines()]


def result(mx, text):
    """What a call gives, as JSON has it; of an error the kinds that it is, of those that programs catch."""

    def scope(manager):
        with manager:
            return [mx.autograd.is_recording(), mx.autograd.is_training(), mx.util.is_np_shape()]

    def counted(counts, *batches):
        for batch in batches:
            if batch is None:
                counts.local_reset_stats()
            else:
                counts.update_binary_stats(*map(mx.nd.array, batch))
        kinds = ("precision", "recall", "fscore", "total_examples")
        values = [getattr(counts, where + kind) for kind in kinds for where in ("", "global_")]
        values += [counts.matthewscc(), counts.matthewscc(use_global=True)]
        return [sorted((k, int(v)) for k, v in vars(counts).items()), [round(float(value), 6) for value in values]]

    from mxnet import gluon, nd
    from mxnet.gluon.contrib.rnn import conv_rnn_cell

    names = {"mx": mx, "nd": nd, "b": mx.base, "n": nd.ndarray, "g": gluon, "c": conv_rnn_cell, "scope": scope}
    names["counted"] = counted
    names.update(np=np, ctypes=ctypes, of=lambda name: importlib.import_module("mxnet." + name))
    try:
        value = eval(text, names)
    except Exception as error:
        kinds = (ValueError, TypeError, AssertionError, NotImplementedError, IndexError)
        return {"error": [kind.__name__ for kind in kinds if isinstance(error, kind)]}
    return json.loads(json.dumps(value, default=str))
