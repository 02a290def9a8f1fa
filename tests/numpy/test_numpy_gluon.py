"""Gluon in NumPy semantics: the book's programs learn, blocks give the same imperative and hybridized."""

import importlib
import json
import threading

import numpy as onp
import pytest
from compare import load_golden
from paths import EXAMPLES

import mxnet as mx
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn, rnn


@pytest.fixture(autouse=True)
def numpy_semantics(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    npx.set_np()
    yield
    npx.reset_np()


@pytest.fixture
def book():
    return importlib.import_module("numpy_book")


# ---- the book's programs ---------------------------------------------------------------------------------------------


def test_linear_regression(book):
    for w, b, losses in book.main(["linear"]):
        onp.testing.assert_allclose(w.asnumpy(), book.TRUE_W, atol=0.01)
        onp.testing.assert_allclose(b.asnumpy(), [book.TRUE_B], atol=0.01)
        assert losses[0] > losses[-1]
        assert losses[-1] < 0.001


@pytest.mark.parametrize(
    ("name", "limit", "wanted"), [("softmax", 2000, 0.75), ("mlp", 2000, 0.8), ("lenet", 1000, 0.75)]
)
def test_digits(book, name, limit, wanted):
    losses, accuracy = book.main([name, "--limit", str(limit)])
    assert losses == sorted(losses, reverse=True)
    assert accuracy > wanted


def test_language_model(book):
    perplexities, text = book.main(["language"])
    assert perplexities[0] > 5 > 1.5 > perplexities[-1]
    assert text.startswith("the time traveller for so it will")


def test_attention(book):
    losses, right, masked = book.main(["attention"])
    assert losses[0] > 10 * losses[-1]
    assert right > 0.9
    assert masked == 0


# ---- imperative and hybridized ---------------------------------------------------------------------------------------

X = onp.linspace(0.2, 0.9, 12, dtype="float32").reshape(3, 4)
#: Functions of F.np, F.npx and an array x, which are traced.
FUNCTIONS = """
F.np.sin(x)|F.np.add(x, 1)|F.np.add(1, x)|F.np.power(2, x)|x + x|x - 1|1 - x|x * x|x / 2|2 / x|x ** 2|x % 0.3|-x
abs(x)|x > 0.5|x == x|F.np.sum(x)|F.np.sum(x, axis=0)|x.sum()|x.mean(axis=1, keepdims=True)|F.np.max(x, axis=0)
F.np.argmax(x, axis=1)|F.np.var(x, axis=0)|F.np.cumsum(x, axis=1)|F.np.sort(x)|F.np.argsort(x)|F.np.dot(x, x.T)
F.np.matmul(x, x.T)|x @ x.T|F.np.einsum('ij,kj->ik', x, x)|F.np.tensordot(x, x, axes=2)|F.np.inner(x, x)
F.np.outer(x, x)|F.np.reshape(x, (2, -1))|x.reshape(4, 3)|x.reshape((-1,))|x.flatten()|F.np.transpose(x)|x.T
x.transpose(1, 0)|F.np.swapaxes(x, 0, 1)|F.np.expand_dims(x, 0)|F.np.squeeze(x)|F.np.stack([x, x])
F.np.concatenate([x, x], axis=1)|F.np.vstack([x, x])|F.np.split(x, 2, axis=1)[1]|F.np.where(x > 0.5, x, 0)
F.np.clip(x, 0.3, None)|F.np.where(x > 0.5, x, x * 2)|F.np.maximum(x, 0.5)|F.np.flip(x)|F.np.flip(x, 0)
F.np.roll(x, 1, 0)|F.np.tile(x, 2)|F.np.repeat(x, 2)|F.np.ones_like(x)|F.np.zeros((2, 3, 4)) + x|F.np.ones(()) + x
F.np.arange(4) + x|F.np.full((4,), 2) * x|F.np.linspace(0, 1, 4) * x|F.np.tril(x)|F.np.diag(x)|F.np.trace(x)
F.np.diff(x)|F.np.broadcast_to(x, (2, 3, 4))|F.np.atleast_3d(x)|F.np.around(x, 1)|F.np.log1p(x)|F.np.linalg.norm(x)
F.np.isnan(x)|F.np.logical_not(x)|F.np.average(x)|F.np.nan_to_num(x)|F.np.pad(x, ((1, 1), (0, 0)))|x.astype('float64')
x[0]|x[1:]|x[:, 1]|x[0, 1]|x[-1]|x[1:, :2]|F.npx.relu(x - 0.5)|F.npx.softmax(x)|F.npx.log_softmax(x, axis=0)
F.npx.sigmoid(x)|F.npx.topk(x, k=2)|F.npx.pick(x, F.np.argmax(x, axis=1))|F.npx.one_hot(F.np.argmax(x, axis=1), 4)
F.npx.reshape(x, (-2, 2, 2))|F.npx.batch_dot(x.reshape(1, 3, 4), x.reshape(1, 4, 3))
F.npx.layer_norm(x, F.np.ones(4), F.np.zeros(4))|F.npx.gammaln(x)|F.npx.erf(x)
F.npx.leaky_relu(x - 0.5, act_type='elu')|F.npx.activation(x, act_type='tanh')|F.npx.smooth_l1(x)|F.npx.arange_like(x)
x.mean()
""".replace("\n", "|").split("|")


class Traced(nn.HybridBlock):
    """A block that computes one of the functions."""

    def __init__(self, text):
        super().__init__()
        self.code = compile(text, "function", "eval")

    def hybrid_forward(self, F, x):
        return eval(self.code, {"F": F, "x": x})


def outputs_and_gradient(block, values=X):
    x = np.array(values)
    x.attach_grad()
    with autograd.record():
        y = block(x)
    if y.dtype == onp.float32 and y._var is not None:
        y.backward()
    return y, x.grad


@pytest.mark.parametrize("text", [text for text in FUNCTIONS if text])
def test_hybridized_is_imperative(text):
    block = Traced(text)
    wanted, gradient = outputs_and_gradient(block)
    block.hybridize()
    found, traced = outputs_and_gradient(block)
    assert type(found) is type(wanted) is np.ndarray
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    onp.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=1e-6)
    onp.testing.assert_allclose(traced.asnumpy(), gradient.asnumpy(), rtol=1e-6)
    symbol = block._cached_graph[1]
    again = mx.sym.load_json(symbol.tojson())
    assert again.tojson() == symbol.tojson()
    if "data" in symbol.list_inputs():
        _, shapes, _ = symbol.infer_shape(data=X.shape)
        assert shapes == [wanted.shape]


# ---- layers ----------------------------------------------------------------------------------------------------------

LAYERS = {
    "dense": (lambda: nn.Dense(3), (2, 4)),
    "dense3": (lambda: nn.Dense(3, flatten=False, activation="tanh"), (2, 3, 4)),
    "conv": (lambda: nn.Conv2D(3, 3, padding=1), (2, 2, 5, 5)),
    "transposed": (lambda: nn.Conv2DTranspose(3, 2), (1, 2, 5, 5)),
    "pool": (lambda: nn.MaxPool2D(), (1, 2, 4, 4)),
    "global": (lambda: nn.GlobalAvgPool2D(), (1, 2, 4, 4)),
    "batch_norm": (lambda: nn.BatchNorm(), (2, 3, 4, 4)),
    "layer_norm": (lambda: nn.LayerNorm(), (2, 3)),
    "group_norm": (lambda: nn.GroupNorm(), (2, 4, 3)),
    "instance_norm": (lambda: nn.InstanceNorm(axis=2), (2, 3, 4)),
    "prelu": (lambda: nn.PReLU(), (2, 3)),
    "gelu": (lambda: nn.GELU(), (2, 3)),
    "flatten": (lambda: nn.Flatten(), (2, 3, 4)),
    "lambda": (lambda: nn.HybridLambda(lambda F, x: F.np.sin(x)), (2, 3)),
    "lstm": (lambda: rnn.LSTM(4, 2), (5, 2, 3)),
    "gru": (lambda: rnn.GRU(4, layout="NTC"), (2, 5, 3)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_give_what_they_give_on_classic_arrays(name):
    make, shape = LAYERS[name]
    values = onp.random.default_rng(3).uniform(0.1, 1, shape).astype("float32")
    layer = make()
    layer.initialize(init.Xavier() if name not in ("batch_norm", "prelu") else None)
    imperative, gradient = outputs_and_gradient(layer, values)
    layer.hybridize()
    hybrid, traced = outputs_and_gradient(layer, values)
    assert type(imperative) is type(hybrid) is np.ndarray
    onp.testing.assert_allclose(hybrid.asnumpy(), imperative.asnumpy(), rtol=1e-5, atol=1e-6)
    onp.testing.assert_allclose(traced.asnumpy(), gradient.asnumpy(), rtol=1e-5, atol=1e-6)
    parameters = {key: p.data().asnumpy() for key, p in layer.collect_params().items()}
    assert all(type(p.data()) is np.ndarray for p in layer.collect_params().values())
    if name == "lambda":
        return
    npx.reset_np()
    classic = make()
    classic.initialize()
    classic(mx.nd.array(values))
    for mine, theirs in zip(classic.collect_params().values(), parameters.values(), strict=True):
        mine.set_data(mx.nd.array(theirs))
    with autograd.train_mode():
        wanted = classic(mx.nd.array(values))
    assert type(wanted) is mx.nd.NDArray
    if name != "batch_norm":
        onp.testing.assert_allclose(imperative.asnumpy(), wanted.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("cell", [rnn.RNNCell, rnn.LSTMCell, rnn.GRUCell])
def test_cells(cell):
    made = cell(4)
    made.initialize()
    x = np.random.normal(size=(5, 2, 3))
    output, states = made(x[0], made.begin_state(2))
    assert type(output) is np.ndarray
    assert all(type(s) is np.ndarray for s in states)
    outputs, states = made.unroll(5, x, layout="TNC", merge_outputs=True)
    assert type(outputs) is np.ndarray
    assert outputs.shape == (5, 2, 4)
    onp.testing.assert_allclose(outputs[0].asnumpy(), output.asnumpy(), rtol=1e-5, atol=1e-6)


_P, _Y = (
    onp.linspace(0.1, 0.9, 12, dtype="float32").reshape(4, 3),
    onp.linspace(0.8, 0.2, 12, dtype="float32").reshape(4, 3),
)
LOSSES = """L2Loss L1Loss SigmoidBCELoss KLDivLoss HuberLoss HingeLoss SquaredHingeLoss LogisticLoss
PoissonNLLLoss""".split()


@pytest.mark.parametrize("name", LOSSES)
def test_losses(name):
    loss = getattr(gluon.loss, name)()
    found = loss(np.array(_P), np.array(_Y))
    assert type(found) is np.ndarray
    loss.hybridize()
    onp.testing.assert_allclose(loss(np.array(_P), np.array(_Y)).asnumpy(), found.asnumpy(), rtol=1e-6)
    npx.reset_np()
    wanted = getattr(gluon.loss, name)()(mx.nd.array(_P), mx.nd.array(_Y))
    onp.testing.assert_allclose(found.asnumpy().reshape(wanted.shape), wanted.asnumpy(), rtol=1e-6)


def test_softmax_cross_entropy():
    labels = np.array([0, 1, 2, 1])
    found = gluon.loss.SoftmaxCELoss()(np.array(_P), labels)
    wanted = -npx.pick(npx.log_softmax(np.array(_P)), labels)
    onp.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize(
    "name", ["sgd", "nag", "adam", "adagrad", "rmsprop", "adadelta", "ftrl", "signum", "lamb", "ftml"]
)
def test_optimizers(name):
    def trained(kind, ones):
        net = nn.Dense(2)
        net.initialize(init.One())
        trainer = gluon.Trainer(net.collect_params(), name)
        for _ in range(3):
            with autograd.record():
                loss = (net(ones((2, 3))) ** 2).sum()
            loss.backward()
            trainer.step(2)
        assert type(net.weight.data()) is kind
        return net.weight.data().asnumpy()

    found = trained(np.ndarray, np.ones)
    npx.reset_np()
    onp.testing.assert_allclose(found, trained(mx.nd.NDArray, mx.nd.ones), rtol=1e-6)


# ---- files and data --------------------------------------------------------------------------------------------------


def test_export_and_imports(tmp_path):
    net = nn.HybridSequential()
    net.add(nn.Dense(3, activation="relu"), nn.HybridLambda(lambda F, x: F.np.sum(x, axis=1) + F.np.ones(())))
    net.initialize()
    net.hybridize()
    x = np.random.normal(size=(2, 4))
    wanted = net(x)
    net.export(str(tmp_path / "net"))
    assert '"is_np_shape": ["int", 1]' in (tmp_path / "net-symbol.json").read_text().replace("\n", "")
    again = gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params"))
    assert type(again(x)) is np.ndarray
    assert (again(x) == wanted).all()
    net.save_parameters(str(tmp_path / "weights"))
    other = nn.HybridSequential()
    other.add(nn.Dense(3, activation="relu"), nn.HybridLambda(lambda F, x: F.np.sum(x, axis=1) + F.np.ones(())))
    other.load_parameters(str(tmp_path / "weights"))
    assert (other(x) == wanted).all()


@pytest.mark.parametrize("workers", [0, 2])
def test_data_loader(workers):
    features, labels = np.arange(20).reshape(10, 2), np.arange(10)
    batches = list(gluon.data.DataLoader(gluon.data.ArrayDataset(features, labels), 4, num_workers=workers))
    assert next((type(x), x.shape, y.shape) for x, y in batches) == (np.ndarray, (4, 2), (4,))
    assert onp.concatenate([y.asnumpy() for _, y in batches]).tolist() == list(range(10))
    plain = next(iter(gluon.data.DataLoader(gluon.data.SimpleDataset([1.0, 2.0]), 2, num_workers=workers)))
    assert type(plain) is np.ndarray


def test_transforms():
    image = np.array(onp.arange(48).reshape(4, 4, 3), dtype="uint8")
    chain = gluon.data.vision.transforms.Compose(
        [gluon.data.vision.transforms.Resize(2), gluon.data.vision.transforms.ToTensor()]
    )
    found = chain(image)
    assert type(found) is np.ndarray
    assert found.shape == (3, 2, 2)


def test_metrics():
    metric = mx.metric.Accuracy()
    metric.update([np.array([0, 1, 1])], [np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]])])
    assert metric.get()[1] == pytest.approx(2 / 3)


def test_own_parameters_and_constants():
    class Block(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(4, 3))
            self.constant = self.params.get_constant("constant", np.arange(3))

        def hybrid_forward(self, F, x, weight, constant):
            return F.npx.relu(F.np.dot(x, weight)) + constant

    block = Block()
    block.initialize()
    wanted = block(np.ones((2, 4)))
    block.hybridize()
    assert (block(np.ones((2, 4))) == wanted).all()
    assert type(block.weight.grad()) is np.ndarray


def test_function_with_a_gradient_of_its_own():
    class Square(autograd.Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x

        def backward(self, dy):
            (x,) = self.saved_tensors
            assert type(dy) is np.ndarray
            return dy * x * 10

    x = np.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = Square()(x)
    y.backward()
    assert type(y) is np.ndarray
    assert x.grad.tolist() == [10, 20]
    with autograd.record():
        z = (x**3).sum()
    (first,) = autograd.grad(z, [x])
    assert type(first) is np.ndarray


# ---- the two kinds stay apart ----------------------------------------------------------------------------------------


def test_classic_operators_refuse_arrays_of_np_outside_of_blocks():
    x = np.ones((2, 3))
    for call in (lambda: mx.nd.relu(x), lambda: mx.nd.sum(x, axis=0), lambda: mx.nd.dot(mx.nd.ones((2, 2)), x)):
        with pytest.raises(TypeError, match="legacy operator"):
            call()
    with pytest.raises(TypeError, match="numpy operator"):
        npx.relu(mx.nd.ones(2))
    nn.Dense(2).initialize()
    with pytest.raises(TypeError, match="legacy"):
        mx.sym.relu(mx.sym.var("x").as_np_ndarray())


def test_a_block_that_fails_leaves_the_kinds_apart():
    class Fails(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Fails()(np.ones(2))
    with pytest.raises(TypeError, match="legacy"):
        mx.nd.relu(np.ones(2))


def test_a_network_in_another_thread():
    net = nn.Dense(2)
    net.initialize()
    x, found = np.ones((1, 3)), []
    wanted = net(x)
    thread = threading.Thread(target=lambda: found.append(net(x)))  # where semantics are classic
    thread.start()
    thread.join()
    assert (found[0] == wanted).all()


# ---- initial weights -------------------------------------------------------------------------------------------------

import numpy_initializer_cases  # noqa: E402

WEIGHTS = load_golden("numpy_initializers.json")


@pytest.mark.parametrize("case", numpy_initializer_cases.cases(), ids=lambda case: " ".join(map(str, case)))
def test_initial_weights_are_the_originals(case):
    npx.reset_np()
    weights, next_number = numpy_initializer_cases.run(mx, *case)
    recorded, recorded_next = WEIGHTS[" ".join(map(str, case))]
    npx.set_np()  # as the fixture leaves it
    assert len(weights) == len(recorded)
    for mine, theirs in zip(weights, recorded, strict=True):
        onp.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-7)
    assert next_number == pytest.approx(recorded_next, abs=1e-7)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("dtype", ["int32", "int64", "float64", "float16", "bool"])
def test_weights_of_examples_may_have_another_type(hybridize, dtype):
    pred, weights = onp.random.uniform(0.1, 0.9, (3, 4)).astype("float32"), [[1], [0], [1]]
    dense, classes = np.array([[0.0, 1, 1, 0]] * 3), np.array([0, 1, 3])
    for loss, label in (
        (gluon.loss.L2Loss(), dense),
        (gluon.loss.SigmoidBCELoss(), dense),
        (gluon.loss.SigmoidBCELoss(from_sigmoid=True), dense),
        (gluon.loss.SoftmaxCELoss(), classes),
    ):
        loss.hybridize(hybridize)
        found = loss(np.array(pred), label, np.array(weights, dtype=dtype))
        assert found.dtype == ("float64" if dtype == "float64" else "float32")
        wanted = loss(np.array(pred), label, np.array(weights, dtype="float32"))
        onp.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=1e-6)
        assert found[1] == 0


def test_numbers_in_graphs_say_whether_they_are_integers():
    x = mx.sym.var("x").as_np_ndarray()
    made = [
        (x * 2.5, "2.5", "False"),
        (x * 2, "2.0", "True"),
        (2 + x, "2.0", "True"),
        (2 * x, "2.0", "False"),
        (2 - x, "2.0", "False"),
        (-x, "-1.0", "False"),
        (mx.sym.np.subtract(x, True), "1.0", "True"),
        (mx.sym.np.maximum(1, x), "1.0", "False"),
        (x > 1.5, "1.5", "False"),
    ]
    for symbol, scalar, is_int in made:
        assert json.loads(symbol.tojson())["nodes"][-1]["attrs"] == {"scalar": scalar, "is_int": is_int}

    class Mixed(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return x * 2.5, x * 2, 2.5 - x, x > 1.5, x / 2.5, F.np.subtract(x, True)

    net, given = Mixed(), np.array([1, 2, 3], dtype="int32")
    eager = net(given)
    assert [y.dtype for y in eager] == ["int32", "int32", "int32", "bool", "float32", "int32"]
    assert eager[0].tolist() == [2, 4, 6], "outside of graphs numbers take the type of the array"
    net.hybridize()
    traced = net(given)
    assert [y.dtype for y in traced] == ["float64", "int32", "float64", "bool", "float32", "int32"]
    assert traced[0].tolist() == [2.5, 5, 7.5] and traced[2].tolist() == [1.5, 0.5, -0.5]
    assert traced[3].tolist() == [False, True, True]


NORMS = [
    *[((2, 3), {"ord": order}) for order in ("fro", "nuc", 1, -1, 2, -2, onp.inf, -onp.inf)],
    *[((4,), {"ord": order}) for order in (0, 1, 2, 3, -1, onp.inf, -onp.inf)],
    *[((2, 3, 4), {"ord": order, "axis": (2, 0), "keepdims": True}) for order in ("nuc", 2, -2, 1)],
]


@pytest.mark.parametrize("shape, given", NORMS)
def test_norms_in_graphs_know_the_shape_when_they_run(shape, given):
    class Norm(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.np.linalg.norm(x, **given)

    net, x = Norm(), np.array(onp.random.RandomState(3).uniform(-1, 1, shape), dtype="float32")
    results = []
    for _ in range(2):
        x.attach_grad()
        with autograd.record():
            y = net(x)
        gradient = given["ord"] != 0
        if gradient:
            y.backward()
        onp.testing.assert_allclose(y.asnumpy(), onp.linalg.norm(x.asnumpy(), **given), rtol=1e-5)
        results.append(x.grad.asnumpy() if gradient else 0)
        net.hybridize()
    onp.testing.assert_allclose(results[0], results[1], rtol=1e-4, atol=1e-6)
    graph = net(mx.sym.var("x").as_np_ndarray())
    assert graph.infer_shape(x=shape)[1] == [y.shape]


def test_a_norm_of_a_file_of_the_original():
    head = mx.sym.np.linalg.norm(mx.sym.var("x").as_np_ndarray(), ord=3)
    text = json.loads(head.tojson())
    text["nodes"][-1]["attrs"] = {"axis": "(1,)", "flag": "-1", "keepdims": "True", "ord": "1"}
    graph = mx.sym.load_json(json.dumps(text)).as_np_ndarray()
    found = graph.bind(mx.cpu(), {"x": np.array([[1.0, -2], [3, 4]])}).forward()[0]
    assert found.tolist() == [[3], [7]]


@pytest.mark.parametrize("hybridize", [False, True])
def test_functions_whose_inputs_or_shapes_depend_on_arguments(hybridize):
    class Many(gluon.HybridBlock):
        def hybrid_forward(self, F, x, y):
            ends = [F.np.ediff1d(x, end, begin) for end in (None, 9.0, y) for begin in (None, 7.0, y)]
            return [*ends, F.np.resize(x, (4, 4)), F.np.resize(x, 2)]

    net = Many()
    net.hybridize(hybridize)
    x, y = onp.arange(6.0, dtype="float32").reshape(2, 3) ** 2, onp.array([5.0, 6.0], "float32")
    found = net(np.array(x), np.array(y))
    wanted = [onp.ediff1d(x, end, begin) for end in (None, onp.float32(9), y) for begin in (None, onp.float32(7), y)]
    wanted += [onp.resize(x, (4, 4)), onp.resize(x, 2)]
    for ours, theirs in zip(found, wanted, strict=True):
        onp.testing.assert_array_equal(ours.asnumpy(), theirs)


def test_a_symbol_has_no_length_and_no_rows():
    x = mx.sym.var("x").as_np_ndarray()
    with pytest.raises(TypeError, match="does not support len"):
        len(x)
    with pytest.raises(TypeError, match="is not iterable"):
        list(x + 1)

    class Rows(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return x * len(x)

    net = Rows()
    assert net(np.ones(3)).tolist() == [3, 3, 3]
    net.hybridize()
    with pytest.raises(TypeError, match="does not support len"):
        net(np.ones(3))
