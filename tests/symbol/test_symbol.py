"""The Symbol object: names, composition, attributes, inference, files. Facts were read off the original."""

import copy
import pickle

import numpy as np
import pytest

import mxnet as mx


@pytest.fixture(autouse=True)
def fresh_names():
    with mx.name.NameManager():
        yield


def fully_connected(**kwargs):
    return mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc", **kwargs)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda d, e: d + 1, "_plusscalar0"),
        (lambda d, e: 1 - d, "_rminusscalar0"),
        (lambda d, e: d > e, "_greater0"),
        (lambda d, e: d * e, "_mul0"),
        (lambda d, e: -d, "_mulscalar0"),
        (lambda d, e: d**2, "_powerscalar0"),
        (lambda d, e: 2**d, "_rpower_scalar0"),
        (lambda d, e: d / e, "_div0"),
        (lambda d, e: 2 % d, "_rmodscalar0"),
        (lambda d, e: d == 2, "_equal_scalar0"),
        (lambda d, e: mx.sym.maximum(2, d), "_maximumscalar0"),
        (lambda d, e: mx.sym.power(2, d), "_rpowerscalar0"),
        (lambda d, e: mx.sym.hypot(d, e), "_hypot0"),
        (lambda d, e: d.sum(), "sum0"),
        (lambda d, e: mx.sym.contrib.box_iou(d, e), "box_iou0"),
        (lambda d, e: mx.sym.zeros((2,)), "_zeros0"),
        (lambda d, e: mx.sym.random.normal(d, e), "_sample_normal0"),
        (lambda d, e: mx.sym.random.shuffle(d), "_shuffle0"),
        (lambda d, e: d.split_v2(2), "_split_v20"),
    ],
)
def test_automatic_names(make, name):
    assert make(mx.sym.var("d"), mx.sym.var("e")).name == name


def test_missing_inputs_become_variables():
    assert mx.sym.FullyConnected(num_hidden=3, name="q").list_arguments() == ["q_data", "q_weight", "q_bias"]
    assert mx.sym.Concat(mx.sym.var("d"), num_args=3).list_arguments() == ["d", "concat0_arg1", "concat0_arg2"]
    assert fully_connected(no_bias=True).list_arguments() == ["data", "fc_weight"]
    with pytest.raises(mx.MXNetError, match="Not enough argument"):
        mx.sym.sgd_update(mx.sym.var("w"), lr=1)


def test_prefix_and_attr_scope():
    with mx.name.Prefix("net_"), mx.AttrScope(ctx_group="a", __lr_mult__="3"):
        symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3)
    assert symbol.name == "net_fullyconnected0"
    assert symbol.attr("ctx_group") == "a"
    assert symbol.attr_dict()["net_fullyconnected0_weight"] == {
        "__ctx_group__": "a",
        "ctx_group": "a",
        "__lr_mult__": "3",
        "lr_mult": "3",
        "num_hidden": "3",
    }
    with pytest.raises(ValueError, match="attribute 'lr_mult' must be a string, got int"):
        mx.AttrScope(lr_mult=3)


def test_outputs_by_number_and_name():
    parts = mx.sym.split(mx.sym.var("data"), num_outputs=3, name="s")
    assert len(parts) == 3
    assert [p.list_outputs() for p in parts] == [["s_output0"], ["s_output1"], ["s_output2"]]
    assert parts["s_output1"].list_outputs() == parts[1].list_outputs()
    assert parts[1:].list_outputs() == ["s_output1", "s_output2"]
    with pytest.raises(IndexError):
        parts[3]
    with pytest.raises(ValueError, match="Cannot find output"):
        parts["nope"]
    internals = fully_connected().get_internals()
    assert internals.list_outputs() == ["data", "fc_weight", "fc_bias", "fc_output"]
    assert internals["fc_weight"].name == "fc_weight"
    assert fully_connected().get_children().list_outputs() == ["data", "fc_weight", "fc_bias"]
    assert mx.sym.var("x").get_children() is None


def test_composition_by_call():
    inner = mx.sym.FullyConnected(mx.sym.var("data2"), num_hidden=10, name="net2")
    composed = fully_connected()(data=inner, name="composed")
    assert composed.list_arguments() == ["data2", "net2_weight", "net2_bias", "fc_weight", "fc_bias"]
    assert composed.name == "composed"
    with pytest.raises(mx.MXNetError, match="nope"):
        fully_connected()(nope=inner)


def test_variables():
    variable = mx.sym.var("v", shape=(2, 0), dtype="float16", wd_mult=1, init=mx.init.One(), __mine__="x")
    assert variable.list_attr() == {
        "__shape__": "(2, 0)",
        "__dtype__": "2",
        "__wd_mult__": "1",
        "wd_mult": "1",
        "__init__": '["one", {}]',
        "__mine__": "x",
    }
    with pytest.raises(ValueError, match="double underscores"):
        mx.sym.var("v", mine="x")


def test_inference_in_both_directions():
    d, e = mx.sym.var("d"), mx.sym.var("e")
    assert (d + e).infer_shape_partial(d=(0, 3), e=(2, 0)) == ([(2, 3), (2, 3)], [(2, 3)], [])
    assert fully_connected().infer_shape(data=(2, 5)) == ([(2, 5), (3, 5), (3,)], [(2, 3)], [])
    assert fully_connected().infer_shape_partial(data=(0, 5)) == ([(0, 5), (3, 5), (3,)], [(0, 3)], [])
    assert fully_connected().infer_shape() == (None, None, None)
    assert fully_connected().infer_type(data="float16")[1] == [np.float16]
    norm = mx.sym.BatchNorm(d, name="bn")
    assert norm.infer_type(d="float16")[0] == [np.float16, np.float32, np.float32]
    with pytest.raises(mx.MXNetError, match=r"fc.*fc_weight.*\(3, 6\).*\(3, 5\)|fc.*\(3, 6\)"):
        fully_connected().infer_shape(data=(2, 5), fc_weight=(3, 6))
    with pytest.raises(mx.MXNetError, match="foo"):
        fully_connected().infer_shape(foo=(2, 3))


def test_where_tells_what_is_known_of_its_result():
    condition, zeros = mx.sym.var("condition"), mx.sym.zeros((0, 4))
    chosen = mx.sym.where(condition, zeros, zeros)
    assert chosen.infer_shape_partial(condition=(3, 4))[1] == [(0, 4)]
    dense = mx.sym.FullyConnected(chosen, mx.sym.var("weight"), no_bias=True, num_hidden=5) + mx.sym.var("other")
    shapes = dense.infer_shape(condition=(3, 4), other=(3, 5))
    assert shapes == ([(3, 4), (5, 4), (3, 5)], [(3, 5)], [])
    bound = dense.simple_bind(mx.cpu(), condition=(3, 4), other=(3, 5))
    assert bound.forward()[0].shape == (3, 5)
    with pytest.raises(mx.MXNetError, match="condition"):
        chosen.infer_shape(condition=(3, 5)) and (chosen + mx.sym.ones((3, 4))).infer_shape(condition=(3, 5))


@pytest.mark.parametrize(
    ("given", "shape", "expected"),
    [
        ((0, 7), (-1, 10), (0, 10)),
        ((0, 7), (-4, 5, -1, 0), (5, 0, 7)),
        ((0, 11), (7, -1), (7, 0)),
        ((0, 0), (6, 2), (6, 2)),
        ((0, 3, 4), (-1, 12), (0, 12)),
        ((0, 2, 3), (0, -2), (0, 2, 3)),
    ],
)
def test_reshaping_what_is_partly_unknown(given, shape, expected):
    symbol = mx.sym.reshape(mx.sym.var("d"), shape=shape)
    assert symbol.infer_shape_partial(d=given) == ([given], [expected], [])


def test_errors_at_the_call():
    d = mx.sym.var("d")
    with pytest.raises(mx.MXNetError, match=r"num_hiden.*num_hidden"):
        mx.sym.FullyConnected(d, num_hiden=3)
    with pytest.raises(mx.MXNetError, match=r"num_hidden.*required"):
        mx.sym.FullyConnected(d)
    with pytest.raises(mx.MXNetError, match="must be Symbol"):
        mx.sym.FullyConnected(3, num_hidden=3)
    with pytest.raises(mx.MXNetError, match="single one is required"):
        mx.sym.FullyConnected(mx.sym.split(d, num_outputs=2), num_hidden=3)
    with pytest.raises(NotImplementedError):
        bool(d)
    with pytest.raises(TypeError):
        hash(d)
    with pytest.raises(TypeError, match="not supported"):
        d == None  # noqa: B015, E711
    with pytest.raises(mx.MXNetError, match=r"Module.*group2ctx"):
        fully_connected().simple_bind([mx.cpu(0), mx.cpu(1)], data=(1, 2))


def test_copies_and_files(tmp_path):
    symbol = mx.sym.Group([fully_connected(), mx.sym.var("x") + 1])
    path = str(tmp_path / "net-symbol.json")
    symbol.save(path)
    again = [copy.copy(symbol), copy.deepcopy(symbol), pickle.loads(pickle.dumps(symbol)), mx.sym.load(path)]
    for other in again:
        assert other.tojson() == symbol.tojson()
    (tmp_path / "broken.json").write_text('{"nodes": 3}')
    with pytest.raises(mx.MXNetError, match=r"broken\.json"):
        mx.sym.load(str(tmp_path / "broken.json"))


def test_random_numbers_in_a_graph():
    mx.random.seed(1)
    symbol = mx.sym.random.uniform(2, 3, shape=(1000,))
    values = symbol.eval(ctx=mx.cpu())[0].asnumpy()
    assert 2 <= values.min() < 2.1 and 2.9 < values.max() < 3
    with pytest.raises(TypeError, match="same type"):
        mx.sym.random.normal(mx.sym.var("loc"), 1)


def test_eval_and_executor_see_what_is_written():
    a = mx.nd.array([1.0, 2.0])
    executor = (mx.sym.var("a") * 2).bind(mx.cpu(), {"a": a})
    first = executor.forward()[0]
    assert first.asnumpy().tolist() == [2, 4]
    a[:] = 5
    executor.forward()
    assert first.asnumpy().tolist() == [10, 10]
    assert (mx.sym.var("a") * 2).eval(ctx=mx.cpu(), a=a)[0].asnumpy().tolist() == [10, 10]


def test_backends():
    symbol = fully_connected()
    assert symbol.optimize_for("default").tojson() == symbol.tojson()
    assert symbol.optimize_for("MKLDNN").tojson() != symbol.tojson()  # test_quantization.py has what it gives
    for backend in ("MKLDNN", "MKLDNN_QUANTIZE", "default", "inductor"):
        assert symbol.get_backend_symbol(backend).tojson() == symbol.optimize_for(backend).tojson()
    with pytest.raises(mx.MXNetError, match="nope"):
        symbol.get_backend_symbol("nope")
    with pytest.warns(UserWarning, match="unknown backend 'TensorRT', the graph runs without it"):
        symbol.optimize_for("TensorRT")


def test_numbers_of_numpy_in_attributes():
    data = mx.sym.var("data")
    split = mx.sym.split_v2(data, (np.int64(1), np.int32(3)), axis=1)
    reshaped = mx.sym.reshape(data, shape=[np.int64(2), -1])
    assert split.list_attr()["indices"] == "(0, 1, 3)"
    assert reshaped.list_attr()["shape"] == "(2, -1)"
    assert split.infer_shape(data=(2, 5))[1] == [(2, 1), (2, 2), (2, 2)]


def test_gradients_stay_where_they_are():
    """They are copied into their arrays; new memory each time would lie scattered among the activations."""
    net = mx.sym.MakeLoss(mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, name="fc"))
    executor = net.simple_bind(mx.cpu(), data=(2, 3))
    before = {name: grad._data.data_ptr() for name, grad in executor.grad_dict.items()}
    for value in (1, 2):
        executor.forward(is_train=True, data=mx.nd.full((2, 3), value))
        executor.backward()
        assert {name: grad._data.data_ptr() for name, grad in executor.grad_dict.items()} == before
        assert (executor.grad_dict["fc_weight"].asnumpy() == 2 * value).all()


@pytest.mark.parametrize(
    ("attrs", "data", "out", "expected"),
    [
        (dict(kernel=(3, 3)), (0, 3, 0, 0), (2, 4, 8, 8), (2, 3, 10, 10)),
        (dict(kernel=(3, 3), pad=(1, 1), dilate=(2, 2)), (0, 3, 0, 0), (2, 4, 8, 8), (2, 3, 10, 10)),
        (dict(kernel=(3, 3), stride=(1, 2)), (0, 3, 0, 0), (2, 4, 8, 8), (2, 3, 10, 0)),
        (dict(kernel=(1, 1), stride=(2, 2)), (0, 3, 0, 0), (2, 4, 8, 8), (2, 3, 0, 0)),
        (dict(kernel=(3,)), (0, 3, 0), (2, 4, 8), (2, 3, 10)),
        (dict(kernel=(3, 3), layout="NHWC"), (0, 0, 0, 4), (2, 5, 5, 0), (2, 7, 7, 4)),
        (dict(kernel=(3, 3)), (0, 3, 0, 0), (0, 0, 8, 0), (0, 3, 10, 0)),
    ],
)
def test_convolutions_tell_the_size_of_data_where_the_stride_is_one(attrs, data, out, expected):
    net = mx.sym.Convolution(mx.sym.var("a"), num_filter=4, name="c", **attrs) + mx.sym.var("b")
    assert net.infer_shape_partial(a=data, b=out)[0][0] == expected


def test_a_convolution_of_data_of_another_rank():
    with pytest.raises(mx.MXNetError, match=r"c.*4 dimensions"):
        mx.sym.Convolution(mx.sym.var("a"), kernel=(3, 3), num_filter=2, name="c").infer_shape(a=(2, 3, 4))


def test_functions_of_symbols_and_numbers_refuse_the_rest():
    a = mx.sym.var("a")
    for function in (mx.sym.pow, mx.sym.maximum, mx.sym.minimum, mx.sym.hypot):
        for pair in ((a, "2"), ("2", a), (a, None), (a, [2])):
            with pytest.raises(TypeError, match="symbols and numbers"):
                function(*pair)
    with pytest.raises(ValueError, match="not both"):
        a.infer_shape((2,), a=(2,))


def test_the_current_name_manager_and_scope_can_be_set():
    """As programs from before there was ``with`` for them do; what the class has for it is used by others, too."""
    from mxnet.base import _MXClassPropertyMetaClass, classproperty, with_metaclass

    plain, manager = mx.name.NameManager.current, mx.name.Prefix("a_")
    mx.name.NameManager.current = manager
    try:
        assert mx.name.NameManager.current is mx.name.Prefix.current is manager
        assert (mx.sym.var("x") + 1).name == "a__plusscalar0"
        with mx.name.Prefix("b_"):
            assert (mx.sym.var("x") + 1).name == "b__plusscalar0"
        assert mx.name.NameManager.current is manager
        with pytest.raises(TypeError, match=r"NameManager.current must be a NameManager, got 3"):
            mx.name.NameManager.current = 3
    finally:
        mx.name.NameManager.current = plain

    class Settings(with_metaclass(_MXClassPropertyMetaClass, object)):
        value = 1

        @classproperty
        def number(cls):
            return cls.value

        @number.setter
        def number(cls, value):
            cls.value = value

        @classproperty
        def fixed(cls):
            return 5

    Settings.number = 7
    assert (Settings.number, Settings.value, Settings().number) == (7, 7, 7)
    Settings().number = 9
    assert Settings.value == 9
    with pytest.raises(mx.MXNetError, match=r"Settings.fixed has no setter"):
        Settings.fixed = 3
