"""Initializers, against arrays, moments and texts recorded from the original."""

import logging

import numpy as np
import pytest
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("initializer.json")
init = mx.init


def made(text):
    return eval(text, dict(vars(init), mx=mx, np=np))


def fill(initializer, name, shape, dtype="float32"):
    array = mx.nd.full(shape, 7, dtype=dtype)
    initializer(name, array)
    return array.asnumpy()


@pytest.mark.parametrize(("name", "described", "shape", "expected"), RECORDED["names"])
def test_the_name_decides(name, described, shape, expected):
    desc = init.InitDesc(name) if described else name
    if isinstance(expected, str):
        with pytest.raises(ValueError, match=f'Unknown initialization pattern for {name}. .* "weight", "bias"'):
            fill(init.Constant(3), desc, shape)
    else:
        assert fill(init.Constant(3), desc, shape).ravel().tolist() == expected


@pytest.mark.parametrize(("text", "name", "shape", "attrs", "expected"), RECORDED["exact"])
def test_exact_values(text, name, shape, attrs, expected):
    found = fill(made(text), init.InitDesc(name, attrs), shape)
    np.testing.assert_allclose(found.ravel(), expected, rtol=1e-6)


@pytest.mark.parametrize(("text", "shape", "mean", "std", "low", "high"), RECORDED["random"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_moments(text, shape, mean, std, low, high, dtype):
    mx.random.seed(7)
    found = fill(made(text), "a_weight", shape, dtype).astype("float64")
    assert abs(found.mean() - mean) < 5 * std * np.sqrt(2 / found.size)
    assert found.std() == pytest.approx(std, rel=0.02)
    # The extremes of a uniform distribution lie at its bounds; those of a normal one vary.
    slack = 0.01 if "Uniform" in text or "'uniform'" in text or text == "Xavier()" else 0.35
    assert found.min() == pytest.approx(low, rel=slack)
    assert found.max() == pytest.approx(high, rel=slack)


def test_random_numbers_follow_the_seed():
    for text in ("Uniform()", "Normal()", "Xavier()", "Orthogonal()"):
        mx.random.seed(3)
        one = fill(made(text), "a_weight", (4, 5))
        two = fill(made(text), "a_weight", (4, 5))
        mx.random.seed(3)
        assert (fill(made(text), "a_weight", (4, 5)) == one).all()
        assert (one != two).any()


@pytest.mark.parametrize("rand_type", ["uniform", "normal"])
@pytest.mark.parametrize("shape", [(4, 9), (9, 4), (4, 3, 2, 2)])
def test_orthogonal(shape, rand_type):
    x = fill(init.Orthogonal(scale=1.5, rand_type=rand_type), "a_weight", shape).reshape(shape[0], -1)
    gram = x @ x.T if x.shape[0] <= x.shape[1] else x.T @ x
    np.testing.assert_allclose(gram, 2.25 * np.eye(len(gram)), atol=1e-5)


@pytest.mark.parametrize("text", RECORDED["dumps"])
def test_as_text_and_back(text):
    initializer = made(text)
    assert initializer.dumps() == RECORDED["dumps"][text]
    again = init.create(initializer.dumps())
    assert again == initializer
    assert hash(again) == hash(initializer)
    assert again.dumps() == initializer.dumps()


def test_registered_names():
    known = mx.registry.get_registry(init.Initializer)
    assert {k: v.__name__ for k, v in known.items() if v.__module__ == "mxnet.initializer"} == RECORDED["registered"]


def test_create():
    assert init.create("xavier", magnitude=2).magnitude == 2
    assert init.create("Normal", 2).sigma == 2
    assert init.create(initializer="normal").sigma == 0.01
    assert init.create({"initializer": "normal", "sigma": 3}).sigma == 3
    assert init.create('{"initializer": "normal", "sigma": 3}').sigma == 3
    normal = init.Normal(4)
    assert init.create(normal) is normal
    for wrong in ((3,), ("nothing",), (), (normal, 3), ('["normal", {}]', 3)):
        with pytest.raises(mx.MXNetError):
            init.create(*wrong)


def test_equality():
    assert init.Normal(1) == init.Normal(1)
    assert init.Normal(1) != init.Normal(2)
    assert init.Normal() != init.Uniform()
    assert init.Normal() != "normal"
    assert init.Constant(mx.nd.array([1, 2])) == init.Constant(np.array([1, 2]))
    assert init.Constant(mx.nd.array([1, 2])) != init.Constant(1)


def test_own_initializers():
    @init.register
    @init.alias("fives_of_test")
    class FiveOfTest(init.Initializer):
        """As in the books."""

        def __init__(self, value=5):
            super().__init__(value=value)
            self.value = value

        def _init_weight(self, name, arr):
            arr[:] = self.value

        def _init_default(self, name, arr):
            arr[:] = -1

    assert fill(FiveOfTest(), init.InitDesc("w_weight"), (2,)).tolist() == [5, 5]
    assert fill(FiveOfTest(), init.InitDesc("other"), (2,)).tolist() == [-1, -1]
    assert FiveOfTest(6).dumps() == '["fiveoftest", {"value": 6}]'
    assert init.create("fives_of_test") == FiveOfTest()
    attrs = {"__init__": FiveOfTest(8).dumps()}
    assert fill(init.Zero(), init.InitDesc("any", attrs), (2,)).tolist() == [8, 8]
    with pytest.warns(UserWarning, match="overriding existing initializer"):
        init.register(type("FiveOfTest", (init.Initializer,), {}))
    with pytest.raises(TypeError, match="subclass of Initializer"):
        init.register(int)
    with pytest.raises(NotImplementedError):
        fill(init.Initializer(), "w_weight", (2,))


def test_variables_carry_initializers():
    assert mx.sym.Variable("a", init=init.Normal(3)).attr_dict() == {"a": {"__init__": '["normal", {"sigma": 3}]'}}
    assert mx.sym.Variable("a", init="normal").attr_dict() == {"a": {"__init__": "normal"}}
    symbol = mx.sym.FullyConnected(mx.sym.Variable("x"), mx.sym.Variable("w", init=init.Constant(4)), num_hidden=2)
    attrs = mx.sym.load_json(symbol.tojson()).attr_dict()["w"]
    assert fill(init.Zero(), init.InitDesc("w", attrs), (2,)).tolist() == [4, 4]


def test_description():
    desc = init.InitDesc("fc_weight", {"lr_mult": "2"})
    assert desc == "fc_weight" and isinstance(desc, str)
    assert desc.attrs == {"lr_mult": "2"} and desc.global_init is None
    initializer = init.Zero()
    initializer(desc, mx.nd.ones((2,)))
    assert desc.global_init is initializer
    assert init.InitDesc("a").attrs == {}


def test_load(tmp_path, caplog):
    path = str(tmp_path / "some.params")
    mx.nd.save(path, {"arg:w": mx.nd.array([1, 2]), "aux:m": mx.nd.array([3])})
    loaded = init.Load(path, default_init=init.One(), verbose=True)
    with caplog.at_level(logging.INFO):
        assert fill(loaded, "w", (2,)).tolist() == [1, 2]
        assert fill(loaded, "m", (1,)).tolist() == [3]
        assert fill(loaded, "z_weight", (1,)).tolist() == [1]
    assert caplog.messages == [
        "Initialized w by loading",
        "Initialized m by loading",
        "Initialized z_weight by default",
    ]
    with pytest.raises(AssertionError, match=r"Shape mismatch, target \(3,\) vs loaded \(2,\)"):
        fill(loaded, "w", (3,))
    with pytest.raises(AssertionError, match=r"Cannot Initialize z\. Not found in loaded param"):
        fill(init.Load({"arg:w": mx.nd.array([1])}), "z", (3,))
    with pytest.raises(TypeError, match="dict"):
        init.Load([mx.nd.array([1])])


def test_mixed():
    with pytest.raises(ValueError, match="Parameter name b did not match any pattern"):
        fill(init.Mixed(["a"], [init.Zero()]), "b", (2,))
    with pytest.raises(AssertionError, match="1 patterns and 0 initializers"):
        init.Mixed(["a"], [])


def test_verbosity(caplog):
    initializer = init.Constant(5)
    assert initializer.set_verbosity(True) is initializer
    with caplog.at_level(logging.INFO):
        fill(initializer, init.InitDesc("a_weight"), (4, 3))
        fill(initializer, init.InitDesc("a_bias"), (4, 3))
        fill(initializer, init.InitDesc("a", {"__init__": "ones"}), (4, 3))
        fill(initializer, "a_weight", (4, 3))
        initializer.set_verbosity(True, lambda array: f"{array.size} numbers")
        fill(initializer, init.InitDesc("a_weight"), (4, 3))
        initializer.set_verbosity(False)
        fill(initializer, init.InitDesc("a_weight"), (4, 3))
    assert caplog.messages == [
        "Initialized a_weight as weight: 5.0",
        "Initialized a_bias as bias: 0.0",
        "Initialized a as ones: 1.0",
        "Initialized a_weight as weight: 12 numbers",
    ]


def test_quantized_weights():
    x = fill(init.Zero(), init.InitDesc("fc_weight_quantize"), (50, 50), "int8")
    assert x.min() >= -127 and x.max() <= 127 and x.std() > 50


@pytest.mark.parametrize(
    ("text", "shape", "message"),
    [
        ("Xavier()", (3,), "Xavier initializer cannot be applied to vector a_weight. It requires at least 2D."),
        ("MSRAPrelu()", (3,), "MSRAPrelu initializer cannot be applied to vector a_weight"),
        ("Orthogonal()", (3,), "Orthogonal initializer cannot be applied to vector"),
        ("Bilinear()", (3,), "Bilinear initializer needs a weight of shape"),
        ("Bilinear()", (3, 4), "Bilinear initializer needs a weight of shape"),
        ("Xavier('other')", (3, 2), "Unknown random type 'other'"),
        ("Xavier('uniform', 'other')", (3, 2), "Incorrect factor type 'other'"),
        ("Orthogonal(1, 'other')", (3, 2), "rand_type must be uniform or normal"),
        ("Constant(mx.nd.array([1, 2]))", (2, 3), "broadcast"),
    ],
)
def test_what_does_not_fit(text, shape, message):
    with pytest.raises(ValueError, match=message):
        fill(made(text), "a_weight", shape)


def test_a_name_is_text():
    with pytest.raises(TypeError, match="name must be string"):
        init.Zero()(3, mx.nd.ones((2,)))
    with pytest.raises(ValueError, match="6 numbers of an affine transform"):
        fill(init.Zero(), "stn_loc_bias", (4,))


class ByHand(init.Initializer):
    """As of examples that upsample: decides by itself, and calls what the base has."""

    def __call__(self, name, arr):
        if name.startswith("upsample"):
            self._init_bilinear(name, arr)
        elif name.startswith("loc"):
            self._init_loc_bias(name, arr)
        else:
            self._init_quantized_bias(name, arr)


def test_a_subclass_calls_what_the_base_has():
    row = np.array([0.25, 0.75, 0.75, 0.25])
    np.testing.assert_allclose(
        fill(ByHand(), "upsample_weight", (2, 1, 4, 4)), np.outer(row, row) * np.ones((2, 1, 1, 1))
    )
    assert fill(ByHand(), "loc_bias", (6,)).tolist() == [1, 0, 0, 0, 1, 0]
    assert fill(ByHand(), "other", (2,)).tolist() == [0, 0]


def test_a_subclass_overrides_how_plain_names_are_filled():
    class Ours(init.Zero):
        def _init_bilinear(self, _, arr):
            arr[:] = 3

        _init_loc_bias = _init_bilinear

    assert fill(Ours(), "upsampling_1", (2,)).tolist() == fill(Ours(), "stn_loc_bias", (2,)).tolist() == [3, 3]


def test_an_initializer_that_does_not_exist():
    with pytest.raises(AssertionError, match="nosuch is not registered"):
        init.create("nosuch")
