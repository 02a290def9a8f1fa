"""mx.contrib.svrg_optimization: gradients and steps against the formula in NumPy, and the original's numbers."""

import numpy as np
import pytest

import mxnet as mx
from mxnet.contrib.svrg_optimization.svrg_module import SVRGModule
from mxnet.contrib.svrg_optimization.svrg_optimizer import _SVRGOptimizer

SIZE, RATE = 8, 0.025
START = np.array([0.1, 0.2, 0.3]), 0.5
#: The original's weights after the first epoch of ``data(24)``.
ONE_EPOCH = [0.211939, 0.332814, 0.502481]


def data(count):
    random = np.random.RandomState(0)
    x = random.randn(count, 3)
    return x, x @ [1.0, 2.0, 3.0] + 0.1 * random.randn(count)


def iterator(count):
    return mx.io.NDArrayIter(*data(count), SIZE, label_name="label")


def module(**options):
    options = {"update_freq": 1, **options}
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=1, name="fc")
    net = mx.sym.LinearRegressionOutput(net, mx.sym.Variable("label"))
    return SVRGModule(net, label_names=["label"], **options)


def start():
    return {"fc_weight": mx.nd.array([START[0]]), "fc_bias": mx.nd.array([START[1]])}


def batches(count):
    """The batches, the last one filled up from the beginning."""
    x, y = data(count)
    order = np.arange(-(-count // SIZE) * SIZE) % count
    return [(x[rows], y[rows]) for rows in order.reshape(-1, SIZE)]


def gradient(weight, bias, x, y):
    error = x @ weight + bias - y
    return error @ x, error.sum()


def trained(count, epochs, every):
    """Weight and bias by the formula."""
    weight, bias = np.array(START[0]), START[1]
    for epoch in range(epochs):
        if epoch % every == 0:
            kept = weight, bias
            parts = [gradient(*kept, *batch) for batch in batches(count)]
            whole = [sum(p[i] for p in parts) / (count / SIZE) for i in range(2)]
        for batch in batches(count):
            now, then = gradient(weight, bias, *batch), gradient(*kept, *batch)
            weight = weight - RATE / SIZE * (now[0] - then[0] + whole[0])
            bias = bias - RATE / SIZE * (now[1] - then[1] + whole[1])
    return weight, bias


@pytest.mark.parametrize("every", [1, 2, 3])
@pytest.mark.parametrize("count", [24, 21])
@pytest.mark.parametrize("devices", [1, 2])
def test_training(count, every, devices):
    made = module(update_freq=every, context=[mx.cpu(i) for i in range(devices)])
    made.fit(
        iterator(count),
        eval_metric="mse",
        optimizer_params={"learning_rate": RATE},
        num_epoch=4,
        arg_params=start(),
    )
    weight, bias = trained(count, 4, every)
    params, _ = made.get_params()
    np.testing.assert_allclose(params["fc_weight"].asnumpy()[0], weight, rtol=1e-4)
    np.testing.assert_allclose(params["fc_bias"].asnumpy(), [bias], rtol=1e-4)


def test_by_hand_as_the_original():
    made, source = module(), iterator(24)
    made.bind(source.provide_data, source.provide_label)
    made.init_params(arg_params=start())
    made.init_optimizer(optimizer_params={"learning_rate": RATE})
    made.update_full_grads(source)
    for batch in source:
        made.forward_backward(batch)
        made.update()
    weight = made.get_params()[0]["fc_weight"].asnumpy()[0]
    np.testing.assert_allclose(weight, trained(24, 1, 1)[0], rtol=1e-5)
    np.testing.assert_allclose(weight, ONE_EPOCH, rtol=1e-5)


def test_without_full_gradients_it_is_a_module():
    source, results = iterator(24), []
    for make in (module, lambda: mx.mod.Module(module().symbol, label_names=["label"])):
        made = make()
        made.bind(source.provide_data, source.provide_label)
        made.init_params(arg_params=start())
        made.init_optimizer(optimizer_params={"learning_rate": RATE})
        source.reset()
        for batch in source:
            made.forward_backward(batch)
            made.update()
        results.append(made.get_params()[0]["fc_weight"].asnumpy())
    np.testing.assert_array_equal(*results)


def test_prediction_and_other_shapes():
    made = module()
    made.bind([("data", (8, 3))], [("label", (8,))])
    made.init_params(arg_params=start())
    made.reshape([("data", (5, 3))], [("label", (5,))])
    made.forward(mx.io.DataBatch([mx.nd.ones((5, 3))], [mx.nd.ones((5,))]), is_train=False)
    np.testing.assert_allclose(made.get_outputs()[0].asnumpy(), np.full((5, 1), 1.1), rtol=1e-6)


@pytest.mark.parametrize("every, error", [(None, TypeError), (1.5, TypeError), (0, ValueError), (-1, ValueError)])
def test_wrong_frequencies(every, error):
    with pytest.raises(error, match="update_freq"):
        module(update_freq=every)


def test_the_optimizer_updates_parameters_and_assigns_gradients_over_all_data():
    optimizer = _SVRGOptimizer("sgd", param_idx2name={0: "weight", 1: "weight_full"}, learning_rate=0.5, momentum=0.9)
    assert type(optimizer.default_opt) is mx.optimizer.SGD and optimizer.default_opt.momentum == 0.9
    assert optimizer.default_opt.lr == optimizer.learning_rate == 0.5
    store, found = mx.kv.create("local"), mx.nd.zeros(3)
    store.set_optimizer(optimizer)
    for key, wanted in ((0, (-0.5, -1.45)), (1, (1.0, 1.0))):
        store.init(key, mx.nd.zeros(3))
        for value in wanted:
            store.push(key, mx.nd.ones(3))
            store.pull(key, out=found)
            np.testing.assert_allclose(found.asnumpy(), [value] * 3, rtol=1e-6)
    optimizer.set_learning_rate(0.25)
    assert optimizer.default_opt.learning_rate == 0.25
    given = mx.optimizer.Adam(learning_rate=0.3)
    assert _SVRGOptimizer(given).default_opt is given
    made, source = module(), iterator(24)
    made.bind(source.provide_data, source.provide_label)
    made.init_params(arg_params=start())
    made.init_optimizer("local", "nag", {"learning_rate": 0.1, "momentum": 0.9})
    assert type(made._optimizer) is _SVRGOptimizer and type(made._optimizer.default_opt) is mx.optimizer.NAG
    assert made._optimizer.default_opt.rescale_grad == 1 / SIZE
