"""What symbols answer to all kinds of use: each function yields calls, whose results or errors are recorded as text."""

import contextlib
import io
import threading


def told(call):
    """The result of a call as text, or the class of its error and those it is one of."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return str(call())
    except Exception as error:
        return [kind.__name__ for kind in type(error).__mro__]


def shapes_given_and_own(mx):
    x, y = mx.sym.var("x", shape=(2, 3)), mx.sym.var("y", shape=(2, 0))
    layer = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc")
    for given in ((2, 3), (2, 4), (0, 3), (0, 0, 0), (3, 7, 1)):
        yield lambda given=given: x.infer_shape(x=given)
        yield lambda given=given: (x + 1).infer_shape_partial(x=given)
    yield y.infer_shape
    yield y.infer_shape_partial
    yield (x + y).infer_shape
    yield lambda: (x + 1).simple_bind(mx.cpu(), x=(3, 7)).arg_dict["x"].shape
    yield lambda: (x + 1).eval(x=mx.nd.ones((3, 7)))[0].shape
    yield layer.infer_shape
    yield layer.infer_shape_partial
    yield lambda: layer.infer_shape_partial(data=(0, 3))
    yield lambda: layer.infer_shape_partial(fc_weight=(4, 7))
    yield lambda: layer.infer_shape(data=(2, 3), fc_weight=(0, 0))
    yield lambda: layer.infer_shape(data=(2, 3), fc_weight=(4, 0))
    yield lambda: layer.infer_shape(data=(2, 3), fc_weight=(5, 0))
    yield lambda: layer.infer_shape(data=(2, 3), other=(1,))
    yield lambda: layer.infer_shape((2, 3), (4, 3), (4,), (5,))
    yield lambda: layer.infer_shape(data=None)
    yield lambda: layer.infer_type(data="float16")
    yield lambda: layer.infer_type(other="float16")
    yield lambda: mx.sym.Convolution(mx.sym.var("d"), kernel=(3, 3), num_filter=2, name="c").infer_shape(
        d=(1, 4, 5, 5), c_weight=(0, 0, 3, 3)
    )
    grouped = mx.sym.Convolution(mx.sym.var("d"), kernel=(3, 3), num_filter=4, num_group=2)
    for given in ((0, 0, 4, 4), (1, 0, 0, 4), (0, 4, 4, 0)):
        yield lambda given=given: grouped.infer_shape_partial(d=given)


def dtypes_of_some(mx):
    x, y = mx.sym.var("x"), mx.sym.var("y")
    yield lambda: mx.sym.SoftmaxOutput(x, y).infer_type_partial(y="float64")
    yield lambda: mx.sym.SoftmaxOutput(x, y).infer_type_partial(x="float64")
    yield lambda: mx.sym.where(x, y, y).infer_type_partial(y="float16")
    yield lambda: mx.sym.gather_nd(x, y).infer_type_partial(x="float16")
    yield lambda: mx.sym.Concat(x, y).infer_type_partial(y="float16")
    yield lambda: mx.sym.BatchNorm(x, name="b").infer_type(x="float16")
    yield lambda: (x + y).infer_type(x="float32", y="float64")
    yield lambda: (mx.sym.zeros((2,), dtype="float64") + x).infer_type()
    yield lambda: mx.sym.Group([x + 1, y * 2]).infer_type(x="float64")
    yield lambda: mx.sym.Group([x + 1, y * 2]).infer_type_partial(x="float64")
    yield lambda: (mx.sym.var("q", dtype="float16") + 1).infer_type(q="float32")


def creation_with_unknown_dimensions(mx):
    x = mx.sym.var("x")
    for made in (
        mx.sym.zeros((0, 5)),
        mx.sym.ones((0, 0)),
        mx.sym.full((3, 0), 2.0),
        mx.sym.random.uniform(shape=(0, 5)) * 0,
        mx.sym.zeros((0,)),
    ):
        yield lambda made=made: (made + x).infer_shape(x=(3, 5))
        yield lambda made=made: (made + x).eval(x=mx.nd.ones((3, 5)))[0].shape
        yield made.infer_shape
        yield made.infer_shape_partial
    yield lambda: (mx.sym.zeros((0, 5)) + x).simple_bind(mx.cpu(), x=(3, 5)).forward()[0].shape


def binding(mx):
    layer = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=4, name="fc")
    norm = mx.sym.BatchNorm(mx.sym.var("x"), name="bn")
    arrays = {"x": mx.nd.ones((2, 3)), "fc_weight": mx.nd.ones((4, 3)), "fc_bias": mx.nd.ones((4,))}
    norms = {"x": mx.nd.ones((2, 3)), "bn_gamma": mx.nd.ones(3), "bn_beta": mx.nd.ones(3)}
    twice = mx.sym.var("x") + mx.sym.var("x")

    def run(executor):
        return [o.shape for o in executor.forward()]

    yield lambda: run(layer.simple_bind(mx.cpu(), x=(2, 3), other=(3,)))
    yield lambda: run(layer.simple_bind(mx.cpu(), x=(2, 3), fc_weight=(0, 0)))
    yield lambda: layer.simple_bind(mx.cpu())
    yield lambda: layer.simple_bind(mx.cpu(), x=(2, 3), fc_weight=(5, 3))
    yield lambda: run(layer.bind(mx.cpu(), dict(arrays, other=mx.nd.ones(3))))
    yield lambda: layer.bind(mx.cpu(), {"x": arrays["x"]})
    yield lambda: layer.bind(mx.cpu(), [arrays["x"]])
    yield lambda: layer.bind(mx.cpu(), arrays, args_grad=[mx.nd.zeros((2, 3))])
    yield lambda: run(layer.bind(mx.cpu(), arrays, args_grad={"other": mx.nd.zeros((2, 2))}))
    yield lambda: layer.bind(mx.cpu(), arrays, grad_req="other")
    yield lambda: layer.bind(mx.cpu(), arrays, aux_states=[mx.nd.ones(3)])
    yield lambda: run(layer.bind(mx.cpu(), arrays, aux_states={"other": mx.nd.ones(3)}))
    yield lambda: layer.bind(mx.cpu(), None)
    yield lambda: layer.bind("cpu", arrays)
    yield lambda: norm.bind(mx.cpu(), norms)
    yield lambda: norm.bind(mx.cpu(), norms, aux_states=[mx.nd.ones(3)])
    yield lambda: run(norm.bind(mx.cpu(), norms, aux_states=[mx.nd.ones(3), mx.nd.ones(3)]))
    yield lambda: twice.bind(mx.cpu(), [mx.nd.ones(2), mx.nd.ones(2)])
    yield lambda: twice.bind(mx.cpu(), {"x": mx.nd.ones(2)})
    yield lambda: twice.simple_bind(mx.cpu(), x=(2,))
    yield lambda: twice.infer_shape(x=(2,))


def foreach(mx):
    d, s, w, loop = mx.sym.var("d"), mx.sym.var("s"), mx.sym.var("w"), mx.sym.contrib.foreach
    for states in ([s], [], [[s], [w]], (s, w), [s, [w]], s):
        yield lambda states=states: loop(lambda x, kept: (x * 2, kept), d, states)
    yield lambda: loop(lambda x, kept: ([x, [x * 2, x + 1]], kept), d, [s])
    yield lambda: loop(lambda x, kept: ([], [kept[0] + x]), d, [s])
    yield lambda: loop(lambda x, kept: (None, [kept[0] + x]), d, [s])
    yield lambda: loop(lambda x, kept: (x, None), d, None)
    yield lambda: loop(lambda x, kept: (x, []), d, [])
    yield lambda: loop(lambda x, kept: (x, None), d, [])
    yield lambda: loop(lambda x, kept: (x[0] + x[1][0], kept), [d, [w]], [s])
    yield lambda: loop(lambda x, kept: (x, kept, 1), d, [s])
    yield lambda: loop(lambda x, kept: (x, [kept[0], kept[0]]), d, [s])
    yield lambda: loop(lambda x, kept: (x, kept[0]), d, [s])
    yield lambda: loop(lambda x, kept: (1, kept), d, [s])
    yield lambda: loop(lambda x, kept: (s * 2, kept), d, [s])
    yield lambda: loop(lambda x, kept: (x * 2, kept), 3, [s])
    yield lambda: loop(lambda x, kept: (x * 2, kept), [], [s])
    yield lambda: loop(lambda x, kept: (x * w, [kept[0] + w]), d, [s])[0].list_arguments()


def while_loop(mx):
    i, s, loop = mx.sym.var("i"), mx.sym.var("s"), mx.sym.contrib.while_loop

    def small(*given):
        return given[0] < 5

    yield lambda: loop(small, lambda i, s: (i, [i + 1, s]), [i, s], 4)
    yield lambda: loop(small, lambda i, s: (None, [i + 1, s]), [i, s], 4)
    yield lambda: loop(small, lambda i, s: ([], [i + 1, s]), (i, s), 4)
    yield lambda: loop(small, lambda i, s: ([i, [s]], [i + 1, s]), [i, s], 4)
    yield lambda: loop(small, lambda i: (i, i + 1), i, 4)
    yield lambda: loop(small, lambda i: (i, [i + 1]), i, 4)
    yield lambda: loop(small, lambda i: (i, i + 1), [i], 4)
    yield lambda: loop(small, lambda i, s: (i, [i + 1, [s[0] + 1]]), [i, [s]], 4)
    yield lambda: loop(small, lambda i, s: (i, None), [i, s], 4)
    yield lambda: loop(small, lambda i, s: (i, [i]), [i, s], 4)
    yield lambda: loop(small, lambda i, s: (i, [i, s]), [i, s])
    yield lambda: loop(small, lambda i, s: (i, [i, s]), [i, s], "many")
    yield lambda: loop(small, lambda: (i, []), [], 4)
    yield lambda: loop(small, lambda i, s: i, [i, s], 4)
    yield lambda: loop(lambda i, s: [i < 5], lambda i, s: (i, [i, s]), [i, s], 4)
    yield lambda: loop(small, lambda i, s: (i, [i + 1, i]), [i, s], 4)


def cond(mx):
    a, b, p, choose = mx.sym.var("a"), mx.sym.var("b"), mx.sym.var("p"), mx.sym.contrib.cond
    c, parts = a * b, mx.sym.SliceChannel(a, num_outputs=2)
    yield lambda: choose(p, lambda: [a + 1, [b]], lambda: [b, [a * 2]])
    yield lambda: choose(p, lambda: (a + 1, b), lambda: (b, a * 2))
    yield lambda: choose(p, lambda: a + 1, lambda: [a + 1])
    yield lambda: choose(p, lambda: [], lambda: [])
    yield lambda: choose(p, lambda: None, lambda: None)
    yield lambda: choose(p, lambda: [a + 1, a], lambda: [a + 1])
    yield lambda: choose(1, lambda: a + 1, lambda: a)
    yield lambda: choose(c < 1, lambda: c + a, lambda: c * 2).list_arguments()
    yield lambda: choose(p, lambda: p + a, lambda: p).list_arguments()
    yield lambda: choose(p, lambda: a, lambda: a).list_arguments()
    yield lambda: choose(p, lambda: parts[0] + parts[1], lambda: parts[1]).list_arguments()
    yield lambda: choose(p, lambda: choose(a, lambda: b, lambda: c), lambda: c).list_arguments()


def eager_control_flow(mx):
    nd, d, s = mx.nd, mx.nd.arange(6).reshape((3, 2)), mx.nd.ones(2)
    for states in ([s], [], [[s], [s * 2]], (s, s * 2), [s, [s]]):
        yield lambda states=states: nd.contrib.foreach(lambda x, kept: (x * 2, kept), d, states)
    yield lambda: nd.contrib.foreach(lambda x, kept: ([x, [x * 2]], kept), d, [s])
    yield lambda: nd.contrib.foreach(lambda x, kept: (None, kept), d, [s])
    yield lambda: nd.contrib.foreach(lambda x, kept: (1, kept), d, [s])
    yield lambda: nd.contrib.foreach(lambda x, kept: (x, kept), 3, [s])
    yield lambda: nd.contrib.foreach(lambda x, kept: (x, kept, 1), d, [s])
    i = nd.array([0.0])
    yield lambda: nd.contrib.while_loop(lambda i: i < 3, lambda i: ([i, [i]], [i + 1]), [i], 3)
    yield lambda: nd.contrib.while_loop(lambda i: i < 3, lambda i: (None, i + 1), i, 3)
    yield lambda: nd.contrib.while_loop(lambda i, j: i < 3, lambda i, j: (i, [i + 1, [j[0]]]), [i, [i]], 3)
    yield lambda: nd.contrib.while_loop(lambda i: i < 3, lambda i: (1, i + 1), i, 3)
    yield lambda: nd.contrib.while_loop(lambda i: i < 3, lambda i: (i, i + 1), i, "many")


def scopes(mx):
    def sorted_attributes(symbol):
        return sorted(symbol.list_attr().items())

    def nested():
        with mx.AttrScope(ctx_group="a"), mx.AttrScope(ctx_group="b", lr_mult="2"):
            v = mx.sym.var("v", attr={"lr_mult": "3"})
            return sorted_attributes(v), sorted_attributes(v + 1)

    def reused():
        scope, seen = mx.AttrScope(foo="1"), []
        with mx.AttrScope(bar="2"), scope:
            seen.append(sorted(mx.AttrScope.current.get(None).items()))
        seen.append(sorted(scope.get(None).items()))
        with scope:
            seen.append(sorted(mx.AttrScope.current.get(None).items()))
        return [*seen, sorted(mx.AttrScope.current.get(None).items())]

    def elsewhere(make):
        found = []
        thread = threading.Thread(target=lambda: found.append(make()))
        thread.start()
        thread.join()
        return found

    def attributes_of_a_thread():
        with mx.AttrScope(__x__="1"):
            return elsewhere(lambda: sorted_attributes(mx.sym.var("v")))

    def names_of_a_thread():
        x = mx.sym.var("x")
        with mx.name.Prefix("p_"):
            return elsewhere(lambda: (x + 1).name[0]), (x + 1).name, mx.sym.relu(x, name="r").name

    def names_counted_on():
        manager, x, seen = mx.name.NameManager(), mx.sym.var("x"), []
        for _ in range(2):
            with manager:
                seen.append((x + 1).name)
                with mx.name.NameManager():
                    seen.append((x + 1).name)
                with manager:
                    seen.append((x + 1).name)
        return seen

    yield from (nested, reused, attributes_of_a_thread, names_of_a_thread, names_counted_on)
    yield lambda: mx.AttrScope(x=1)
    yield lambda: mx.sym.var("x", attr={"a": 1})
    yield lambda: mx.sym.var("x", other="1")
    yield lambda: mx.name.NameManager._current.value is mx.name.NameManager.current
    yield lambda: mx.AttrScope._current.value is mx.AttrScope.current


def composition(mx):
    x, y, z = mx.sym.var("x"), mx.sym.var("y"), mx.sym.var("z")
    layer = mx.sym.FullyConnected(x, num_hidden=4, name="fc")
    relu = mx.sym.Activation(layer, act_type="relu", name="act")
    group, norm = mx.sym.Group([layer, relu, x]), mx.sym.BatchNorm(x, name="bn")
    yield lambda: layer(x=y * 2).list_arguments()
    yield lambda: layer(q=y)
    yield lambda: layer(y, fc_weight=z)
    yield lambda: layer(x=1)
    yield lambda: layer(x=mx.sym.Group([y, z]))
    yield lambda: relu(x=y, name="new").get_internals().list_outputs()
    yield lambda: x(name="q").name
    yield lambda: mx.sym.Group([layer, relu])(x=y, name="n").list_outputs()
    yield lambda: norm(bn_moving_mean=y).list_auxiliary_states()
    yield lambda: norm(x=norm).list_auxiliary_states()
    for index in (1, 3, -1, 1.0, "fc_output", "fc", slice(0, 2), slice(1, 1), slice(5, None), slice(None, None, 2)):
        yield lambda index=index: group[index].list_outputs()
    yield lambda: group.get_children().list_outputs()
    yield lambda: relu.get_internals()["x"].name
    yield lambda: relu.get_internals()["x_output"]
    yield lambda: sorted(relu.attr_dict().items())
    yield lambda: mx.sym.Group([])
    yield lambda: mx.sym.Group([x, 1])
    yield lambda: x._set_attr(other=1)
    for backend in ("MKLDNN", "ONEDNN", "TensorRT", "other"):
        yield lambda backend=backend: layer.get_backend_symbol(backend).list_arguments()
        yield lambda backend=backend: layer.optimize_for(backend).list_arguments()
    yield lambda: layer.optimize_for(None)
    yield lambda: layer.optimize_for("MKLDNN", args=5)
    yield lambda: layer.optimize_for("MKLDNN", ctx="cpu")


def numpy_shapes(mx):
    x = mx.sym.var("x")

    def inside(call):
        with mx.util.np_shape(True):
            return call()

    yield lambda: inside(lambda: (mx.sym.zeros((0, 3), name="z") + x).tojson()[-90:])
    yield lambda: inside(lambda: (mx.sym.zeros((0, 3)) + x).infer_shape())
    yield lambda: inside(lambda: (mx.sym.zeros((0, 3)) + x).infer_shape_partial(x=(-1, 3)))
    yield lambda: inside(lambda: (x + 1).infer_shape_partial())
    yield lambda: inside(lambda: (x + 1).infer_shape(x=()))
    yield lambda: inside(lambda: (x + 1).infer_shape_partial(x=(-1, 0)))
    yield lambda: inside(lambda: mx.sym.FullyConnected(x, num_hidden=2).infer_shape_partial(x=(-1, 3)))
    yield lambda: mx.sym.load_json(inside((x + 1).tojson)).tojson()[-60:]


CASES = (
    shapes_given_and_own,
    dtypes_of_some,
    creation_with_unknown_dimensions,
    binding,
    foreach,
    while_loop,
    cond,
    eager_control_flow,
    scopes,
    composition,
    numpy_shapes,
)


def run(mx, case):
    """What each of a case's calls tells, names counted from 0."""
    with mx.name.NameManager():
        return [told(call) for call in case(mx)]
