"""What programs reach that is no public name: each function gets ``mx`` and a folder, and returns plain values.

They run on the original as well, so they use old syntax only.
"""

import ctypes
import json
import os
import threading


def _ops(text):
    return [node["op"] for node in json.loads(text)["nodes"]]


def _kind(function):
    try:
        function()
    except Exception as error:
        return [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"][:1]
    return "fine"


def branches_with_variables_of_one_name(mx, folder):
    sym, nd = mx.sym, mx.nd
    found = sym.contrib.cond(sym.var("a") > 0, lambda: sym.var("b") * 2, lambda: sym.var("b") * 3)
    values = [found.eval(a=nd.array([a]), b=nd.array([5]))[0].asnumpy().tolist() for a in (1, -1)]
    return [found.list_arguments(), found.list_inputs(), values]


def an_embedding_of_ones_own(mx, folder):
    embedding = mx.contrib.text.embedding
    path = os.path.join(folder, "vectors.txt")
    with open(path, "w") as stream:
        stream.write("a 0.5 0.25\nb 1 2\n")

    class ReachedEmbedding(embedding._TokenEmbedding):
        def __init__(self, **kwargs):
            self._check_pretrained_file_names("reached.vec")
            super().__init__(**kwargs)
            self._load_embedding(path, " ", mx.nd.zeros)

    ReachedEmbedding.pretrained_file_name_sha1 = {"reached.vec": "29b9a6511cf4b5aae293c44a9ec1365b74f2a2f8"}
    embedding.register(ReachedEmbedding)
    made = embedding.create("ReachedEmbedding")
    names = [
        ReachedEmbedding._get_download_file_name("x"),
        embedding.GloVe._get_download_file_name("glove.6B.50d.txt"),
        os.path.basename(embedding.FastText._get_pretrained_file_url("wiki.simple.vec")),
        ReachedEmbedding._get_pretrained_file_url("reached.vec").split("/")[-3:],
    ]
    refused = _kind(lambda: ReachedEmbedding._check_pretrained_file_names("no"))
    return [made.idx_to_vec.asnumpy().tolist(), made.idx_to_token, names, refused]


def gradients_of_an_svrg_module(mx, folder):
    from mxnet.contrib.svrg_optimization.svrg_module import SVRGModule

    out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc1")
    out = mx.sym.LinearRegressionOutput(out, mx.sym.var("lin_label"), name="lro")
    module = SVRGModule(
        out, data_names=["data"], label_names=["lin_label"], update_freq=2, context=[mx.cpu(0), mx.cpu(1)]
    )
    found = [module._param_dict]
    module.bind([("data", (4, 2))], [("lin_label", (4,))])
    module.init_params(mx.init.One())
    module.init_optimizer("local")

    def kept():
        return [{key: value.asnumpy().tolist() for key, value in each.items()} for each in module._param_dict]

    arrays = [mx.nd.ones((1, 2), ctx=mx.cpu(i)) * (i + 1) for i in range(2)]
    found += [module._ctx_len, kept()]
    module._accumulate_kvstore("fc1_weight", arrays)
    found.append(kept())
    module._allocate_gradients("fc1_weight", arrays)
    found.append(kept())
    rule = module._svrg_grads_update_rule(mx.nd.ones(2), mx.nd.ones(2) * 2, mx.nd.ones(2) * 3)
    return [*found, rule.asnumpy().tolist(), type(module._optimizer).__name__]


def a_scope_for_each_thread(mx, folder):
    scope = mx.gluon.block._BlockScope

    class Named(object):
        _profiler_scope_name = ":"
        _empty_prefix = False

        def __init__(self, prefix):
            self.prefix = prefix

    found = []

    def name():
        found.append(mx.name.NameManager._current.value.get(None, "hello"))

    def inside():
        with scope(Named("spawned_")):
            name()

    with scope(Named("main_")):
        thread = threading.Thread(target=inside)
        thread.start()
        thread.join()
        name()
    net = mx.gluon.nn.Dense(1, prefix="net_")
    with net.name_scope():
        found += [scope._current.value is net._scope, scope.create(None, None, "hint")[0], net._scope._counter]
    return found


def the_default_context(mx, folder):
    default = mx.Context._default_ctx
    with mx.cpu(3):
        found = [str(default.value)]
    before, default.value = default.value, mx.cpu(2)
    found += [str(mx.nd.ones(1).context), str(mx.Context.default_ctx)]
    default.value = before
    return [*found, str(mx.current_context())]


def a_python_module_without_shapes(mx, folder):
    module = mx.mod.PythonModule(["data"], ["label"], ["out"])
    return _kind(lambda: module.bind([("data", (1,))], [("label", (1,))]))


def c_functions(mx, folder):
    from mxnet.base import _LIB, check_call, py_str

    version, count, names = ctypes.c_int(), ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    check_call(_LIB.MXGetVersion(ctypes.byref(version)))
    check_call(_LIB.MXListAllOpNames(ctypes.byref(count), ctypes.byref(names)))
    before, again, gpus = ctypes.c_int(), ctypes.c_int(), ctypes.c_int(7)
    check_call(_LIB.MXEngineSetBulkSize(ctypes.c_int(5), ctypes.byref(before)))
    check_call(_LIB.MXEngineSetBulkSize(before, ctypes.byref(again)))
    check_call(_LIB.MXGetGPUCount(ctypes.byref(gpus)))
    check_call(_LIB.MXRandomSeed(3))
    first = mx.nd.random.uniform(shape=2).asnumpy().tolist()
    mx.random.seed(3)
    check_call(_LIB.MXNDArrayWaitAll())
    listed = [py_str(names[i]) for i in range(count.value)]
    known = [name in listed for name in ("Convolution", "dot", "no operator")]
    return [version.value, known, again.value, first == mx.nd.random.uniform(shape=2).asnumpy().tolist()]


def graphs_for_a_backend(mx, folder):
    from mxnet.base import _LIB, c_str, c_str_array, check_call, mx_uint

    data = mx.sym.var("data")
    out = mx.sym.sin(mx.sym.exp(data * 2, name="e"), name="s") + mx.sym.cos(data, name="c")
    operators = ["exp", "sin"]
    found = []
    check_call(_LIB.MXSetSubgraphPropertyOpNames(c_str("default"), mx_uint(2), c_str_array(operators)))
    os.environ["MXNET_SUBGRAPH_BACKEND"] = "default"
    try:
        executor = out.bind(mx.cpu(), {"data": mx.nd.ones(2)})
        found.append(_ops(executor.get_optimized_symbol().tojson()))
    finally:
        del os.environ["MXNET_SUBGRAPH_BACKEND"]
        check_call(_LIB.MXRemoveSubgraphPropertyOpNames(c_str("default")))
    check_call(_LIB.MXSetSubgraphPropertyOpNamesV2(c_str("default_v2"), mx_uint(2), c_str_array(operators)))
    try:
        block = mx.gluon.SymbolBlock(out, data)
        block.hybridize(backend="default_v2")
        found.append(block(mx.nd.ones(2)).asnumpy().round(5).tolist())
        block.export(os.path.join(folder, "block"))
        with open(os.path.join(folder, "block-symbol.json")) as stream:
            found.append(_ops(stream.read()))
    finally:
        check_call(_LIB.MXRemoveSubgraphPropertyOpNamesV2(c_str("default_v2")))
    return found


CASES = [
    branches_with_variables_of_one_name,
    an_embedding_of_ones_own,
    gradients_of_an_svrg_module,
    a_scope_for_each_thread,
    the_default_context,
    a_python_module_without_shapes,
    c_functions,
    graphs_for_a_backend,
]
