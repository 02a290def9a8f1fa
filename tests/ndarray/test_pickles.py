"""Pickles that the original wrote: their classes are found here, and what comes out works."""

import pickle

import numpy as np
import pytest
from paths import GOLDEN

import mxnet as mx

RECORDED = pickle.loads((GOLDEN / "pickles.pkl").read_bytes())
pytestmark = pytest.mark.filterwarnings("ignore:.*numpy.*:DeprecationWarning")


@pytest.fixture(params=[2, 4])
def load(request):
    return lambda name: pickle.loads(RECORDED[name, request.param])


def test_contexts(load):
    host, device, pinned = load("contexts")
    assert [repr(c) for c in (host, device, pinned)] == ["cpu(1)", "gpu(2)", "cpu_pinned(0)"]
    assert host == mx.cpu(1) and mx.cpu(1) == host and host != mx.cpu(0) and host != "cpu(1)"
    assert {mx.cpu(1): 3}[host] == 3 and host in [mx.cpu(1)]
    assert mx.nd.ones((2,), ctx=host).context is mx.cpu(1) and mx.Context(host) is mx.cpu(1)
    assert (mx.nd.ones((2,), host) + mx.nd.ones((2,), mx.cpu(1))).context is mx.cpu(1)
    assert mx.nd.ones((2,)).as_in_context(host).context is mx.cpu(1)
    with host as entered:
        assert mx.nd.ones((2,)).context is mx.cpu(1) is entered
    assert pickle.loads(pickle.dumps(host)) is mx.cpu(1)
    with pytest.raises(AttributeError):
        host.device_id = 3


def test_arrays(load):
    arrays = load("arrays")
    assert [a.dtype for a in arrays] == [np.float32, np.float16, np.int32, np.float64]
    for array in arrays:
        assert array.asnumpy().tolist() == [[0, 1, 2], [3, 4, 5]]
        array += 1


def test_parameters(load):
    parameter = load("parameter")
    assert parameter.list_ctx() == [mx.cpu(0), mx.cpu(1)] and parameter.grad_req == "write"
    parameter.set_data(mx.nd.array([3, 4]))
    with mx.autograd.record():
        loss = (parameter.data(mx.cpu(1)) * 2).sum()
    loss.backward()
    assert parameter.grad(mx.cpu(1)).asnumpy().tolist() == [2, 2]
    trainer = mx.gluon.Trainer([parameter], "sgd", {"learning_rate": 1})
    trainer.step(1, ignore_stale_grad=True)
    assert parameter.data(mx.cpu(0)).asnumpy().tolist() == [1, 2]
    deferred = load("deferred")
    deferred.shape = (3, 2)
    deferred._finish_deferred_init()
    assert deferred.data().asnumpy().tolist() == [[1, 1]] * 3 and deferred.list_ctx() == [mx.cpu(0)]
    constant = load("constant")
    assert constant.data().asnumpy().tolist() == [1, 2] and constant.grad_req == "null"


def test_optimizers_and_their_states(load):
    for updater in (load("updater"), mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9))):
        if not updater.states:
            updater.set_states(load("states"))
        weight = mx.nd.ones((2,))
        updater(0, mx.nd.ones((2,)), weight)
        np.testing.assert_allclose(weight.asnumpy(), 1 - 0.19, rtol=1e-6)
    updater.set_states(load("states and optimizer"))
    assert updater.optimizer.num_update == 1 and updater.optimizer.idx2name == {0: "a_weight"}
    scheduled = load("scheduled")
    assert (scheduled.learning_rate, scheduled.wd, type(scheduled)) == (1, 0.1, mx.optimizer.Adam)
    assert load("scheduler")(3) == pytest.approx(0.01)


def test_the_rest(load):
    assert load("symbol").list_arguments() == ["x", "fc_weight", "fc_bias"]
    xavier, constant, description = load("initializers")
    assert "xavier" in xavier.dumps() and description.attrs == {"a": "b"}
    array = mx.nd.zeros((2,))
    constant("a_weight", array)
    assert array.asnumpy().tolist() == [1, 1]
    batch = load("batch")
    description = batch.provide_data[0]
    assert (description.name, description.shape, description.layout) == ("x", (2,), "N")
    assert [v.tolist() if hasattr(v, "tolist") else v for v in load("data")[1]] == [[3, 4], 6]
    assert load("loss")(mx.nd.ones((2, 2)), mx.nd.zeros((2, 2))).asnumpy().tolist() == [0.5, 0.5]


def test_metrics_carry_on(load):
    for name, (metric, (label, value)) in load("metrics").items():
        assert metric.get()[0] == label
        assert metric.get()[1] == pytest.approx(value, nan_ok=True), name
        metric.reset()
