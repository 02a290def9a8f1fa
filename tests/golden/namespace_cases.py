"""Calls of helpers that packages import from the original's modules; read by record_namespace.py and test_namespace.py.

Only syntax that the original's Python understands.
"""

import ctypes

import numpy as np

# Each is a program whose last line is the result; ``m(path)`` is the module mxnet.path.
BASE = """
[b._as_list(x) for x in (3, [1], (2, 3), None, 'ab')]
[b._get_op_name_prefix(n) for n in ('_contrib_box_nms', '_linalg_gemm', 'FullyConnected', '_image_crop', '_sparse_dot', '_x')]
[b._is_np_op(n) for n in ('_np_sum', '_npi_add', '_npx_relu', 'sum', '_contrib_x')]
[b._output_is_list(n) for n in ('_npi_split', '_npi_hsplit', 'split', '_npi_add')]
[b._valid_error_name(n) for n in ('ValueError', 'mx.x.Err', 'a b', '', 'x-y')]
[b._find_error_type(s) for s in ('ValueError: bad', 'no type here', 'Check failed: x', '[12:00] a.cc:1: TypeError: y', 'ValueError bad', 'Some text: value', 'InternalError:')]
[b._NP_OP_PREFIX, b._NP_EXT_OP_PREFIX, b._NP_INTERNAL_OP_PREFIX, b._OP_NAME_PREFIX_LIST, b._NP_OP_SUBMODULE_LIST]
[b._NP_EXT_OP_SUBMODULE_LIST, sorted(b._NP_OUTPUT_IS_LIST_OPERATORS)]
sorted(b.error_types)
[b.error_types['ValueError'] is ValueError, issubclass(b.error_types['InternalError'], mx.base.MXNetError)]
[b.basestring is str, b.long is int]
[getattr(b, k + 'Handle') is ctypes.c_void_p for k in 'NDArray Symbol Executor KVStore Op CachedOp DataIter RecordIO'.split()]
"""
NDARRAY = """
[n._DTYPE_NP_TO_MX[np.float32], n._DTYPE_NP_TO_MX[np.int64], n._DTYPE_NP_TO_MX[None], n._DTYPE_NP_TO_MX[np.bool_]]
sorted((k, str(v)) for k, v in n._DTYPE_MX_TO_NP.items())
len(n._DTYPE_NP_TO_MX)
[n._GRAD_REQ_MAP, sorted(n._STORAGE_TYPE_STR_TO_ID.items()), sorted(n._STORAGE_TYPE_ID_TO_STR.items())]
[n._STORAGE_TYPE_UNDEFINED, n._STORAGE_TYPE_DEFAULT, n._STORAGE_TYPE_ROW_SPARSE, n._STORAGE_TYPE_CSR]
[getattr(n, '_NDARRAY_' + k) for k in 'BASIC_INDEXING ADVANCED_INDEXING EMPTY_TUPLE_INDEXING UNSUPPORTED_INDEXING'.split()]
[getattr(n, '_NDARRAY_' + k) for k in 'NO_ZERO_DIM_BOOL_ARRAY ZERO_DIM_BOOL_ARRAY_FALSE ZERO_DIM_BOOL_ARRAY_TRUE'.split()]
n._SIGNED_INT32_UPPER_LIMIT
n._broadcast_shapes([nd.zeros((2, 1)), nd.zeros((3,))])
n._broadcast_shapes([])
n._broadcast_shapes([nd.zeros((4,))])
n._broadcast_shapes([nd.zeros((2,)), nd.zeros((3,))])
[n._get_broadcast_shape(*s) for s in (((2, 1), (1, 3)), ((3,), (2, 3)), ((2, 3), (2, 3)), ((4, 1, 2), (3, 1)), ((), (2,)))]
n._get_broadcast_shape((2, 3), (2, 4))
[n._get_dim_size(*a) for a in ((0, 5, 1), (0, 5, 2), (5, 0, -1), (5, -1, -2), (1, 2, 3))]
n._get_dim_size(0, 5, -1)
n._get_dim_size(5, 0, 1)
n._get_dim_size(0, 5, 0)
n._get_dim_size(2, 2, 1)
[n._get_index_range(*a) for a in ((None, None, 5), (1, None, 5), (None, 3, 5), (-2, None, 5), (None, None, 5, -1), (4, 1, 5, -2), (-1, -4, 5, -1), (1, 9, 5), (None, None, 5, None), (0, -1, 5, 2), (3, None, 5, -1))]
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
n._int64_enabled()
n._storage_type(nd.zeros((2,)).handle)
[n._ufunc_helper(*a) for a in ((2, 3, None, lambda a, b: a * b, None), )]
n._ufunc_helper(nd.ones((2,)), 3, None, None, lambda a, b: a * b).asnumpy().tolist()
n._ufunc_helper(3, nd.ones((2,)), None, None, lambda a, b: a - b).asnumpy().tolist()
n._ufunc_helper(3, nd.ones((2,)), None, None, lambda a, b: a - b, lambda a, b: b * 10 + a).asnumpy().tolist()
n._ufunc_helper(nd.ones((2,)), nd.ones((1,)), nd.broadcast_add, None, None).asnumpy().tolist()
n._ufunc_helper('a', nd.ones((2,)), None, None, None)
n._ufunc_helper(nd.ones((2,)), 'a', None, None, None)
"""
