"""Optimizers and updaters, against what the original did with the same weights and gradients."""

import os
import pickle
import warnings

import numpy as np
import optimizer_cases
import pytest
import torch
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("optimizers.npz")
CASES = {case: (name, arguments, half) for case, name, arguments, half in optimizer_cases.cases()}


def joined(arrays):
    return np.concatenate([array.ravel().astype("float32") for array in arrays])


def elements(state):
    return joined(optimizer_cases.flat(state) or [np.zeros(0)])


def one(value):
    return mx.nd.array([value])


# ---- the rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("together", [True, False], ids=["together", "alone"])
@pytest.mark.parametrize("case", CASES)
def test_five_steps_are_those_of_the_original(case, together):
    name, arguments, half = CASES[case]
    expected = RECORDED[case]
    if together and case + "/together" in RECORDED:
        expected = RECORDED[case + "/together"]
    found = joined(optimizer_cases.run(mx, name, arguments, half, together))
    assert found.shape == expected.shape
    tolerance = {"rtol": 2e-3, "atol": 2e-3} if half else {"rtol": 1e-4, "atol": 1e-5}
    np.testing.assert_allclose(found, expected, **tolerance)


def test_every_optimizer_of_the_original_is_there():
    names = """adadelta adagrad adam adamax ccsgd dcasgd ftml ftrl groupadagrad lamb lars lbsgd nadam nag rmsprop sgd
    sgld signum test"""
    assert set(names.split()) <= set(mx.optimizer.Optimizer.opt_registry)
    assert {kind for _, kind, _ in optimizer_cases.KINDS} >= set(names.split()) - {"sgld"}


def test_dcasgd_with_momentum():
    """The original fails here for weights of more than one element."""
    optimizer = mx.optimizer.DCASGD(momentum=0.5, lamda=0.1, learning_rate=0.1, wd=0.2)
    weight, momentum, previous = np.array([1.0, -2.0]), np.zeros(2), np.array([1.0, -2.0])
    array = mx.nd.array(weight)
    state = optimizer.create_state(0, array)
    for grad in (np.array([0.5, 1.0]), np.array([-1.0, 0.3])):
        momentum = 0.5 * momentum - 0.1 * (grad + 0.2 * weight + 0.1 * grad * grad * (weight - previous))
        previous = weight
        weight = weight + momentum
        optimizer.update(0, array, mx.nd.array(grad), state)
    np.testing.assert_allclose(array.asnumpy(), weight, rtol=1e-5)


@pytest.mark.filterwarnings("ignore:Accumulating with float16")
def test_float16_weights_are_the_originals_bit_by_bit():
    recorded = load_golden("optimizers_half.npz")["half"]
    for (name, arguments), expected in zip(optimizer_cases.HALF, recorded, strict=True):
        found = optimizer_cases.run_half(mx, name, arguments)
        assert np.array_equal(found, expected), (name, arguments, int((found != expected).sum()))


def test_sgld_moves_half_a_step_and_adds_noise_of_variance_lr():
    mx.random.seed(5)
    optimizer = mx.optimizer.SGLD(learning_rate=0.04, wd=0.5, rescale_grad=2.0)
    weight = mx.nd.ones((200, 500)) * 2
    optimizer.update(0, weight, mx.nd.ones((200, 500)) * 3, None)
    moved = weight.asnumpy() - 2
    assert abs(moved.mean() + 0.02 * (2 * 3 + 0.5 * 2)) < 0.003
    assert abs(moved.std() - 0.2) < 0.003
    mx.random.seed(5)
    again = mx.nd.ones((200, 500)) * 2
    optimizer.update(0, again, mx.nd.ones((200, 500)) * 3, None)
    assert (again.asnumpy() == weight.asnumpy()).all()


def test_adamw_is_torchs():
    generator = torch.Generator().manual_seed(0)
    start = torch.randn(4, 3, generator=generator)
    theirs = torch.nn.Parameter(start.clone())
    reference = torch.optim.AdamW([theirs], lr=0.05, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.1)
    weight = mx.nd.array(start.numpy())
    updater = mx.optimizer.get_updater(
        mx.optimizer.create("adamw", learning_rate=0.05, beta2=0.99, epsilon=1e-8, wd=0.1)
    )
    for _ in range(4):
        grad = torch.randn(4, 3, generator=generator)
        theirs.grad = grad
        reference.step()
        updater(0, mx.nd.array(grad.numpy()), weight)
    np.testing.assert_allclose(weight.asnumpy(), theirs.detach().numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("sgd", {}), ("sgd", {"momentum": 0.9}), ("adam", {}), ("lars", {"momentum": 0.9}), ("nag", {"momentum": 0.9})],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("clip", [None, 0.1])
@pytest.mark.parametrize("rescale", [1.0, 0.25])
def test_fused_steps_equal_the_operators(name, arguments, dtype, clip, rescale, monkeypatch):
    """Many weights, with rates and decays of their own, in all memory layouts, some of which do not fit."""
    rng = np.random.RandomState(0)
    shapes = [(3, 4, 2, 2), (5,), (4, 6), (0,), (3, 4, 2, 2), (2, 3, 4, 4)]
    values = [(rng.normal(0, 1, s), rng.normal(0, 1, s)) for s in shapes]

    def run():
        optimizer = mx.optimizer.create(
            name, wd=0.1, clip_gradient=clip, rescale_grad=rescale, learning_rate=0.1, **arguments
        )
        optimizer.set_lr_mult({1: 2.0, 4: 0.5})
        optimizer.set_wd_mult({1: 0.0})
        updater = mx.optimizer.get_updater(optimizer)
        weights = [mx.nd.array(w, dtype=dtype) for w, _ in values]
        grads = [mx.nd.array(g, dtype=dtype) for _, g in values]
        for i in (0, 4):  # weights and states channels last, one of the gradients not
            weights[i]._data = weights[i]._data.contiguous(memory_format=torch.channels_last)
        grads[0]._data = grads[0]._data.contiguous(memory_format=torch.channels_last)
        grads[2]._data = grads[2]._data.t().contiguous().t()
        before = [g.asnumpy() for g in grads]
        for _ in range(3):
            updater(list(range(len(shapes))), grads, weights)
        assert all((g.asnumpy() == b).all() for g, b in zip(grads, before, strict=True)), "gradients stay as they are"
        return joined([w.asnumpy() for w in weights]), joined([elements(s) for s in updater.states.values()])

    fused = run()
    from mxnet.ops import fused_update as functions

    monkeypatch.setattr(functions, "_fused_sgd", None)
    monkeypatch.setattr(functions, "_fused_adam", None)
    for a, b in zip(fused, run(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("name", "arguments"), [("sgd", {"momentum": 0.9}), ("adam", {}), ("adagrad", {})])
def test_an_update_is_seen_by_the_versions_of_tensors(name, arguments):
    """Programs that keep something made from a parameter look at its version."""
    updater = mx.optimizer.get_updater(mx.optimizer.create(name, **arguments))
    weight = mx.nd.ones((2, 3))
    tensor, before = weight._data, weight._data._version
    updater(0, mx.nd.ones((2, 3)), weight)
    assert weight._data is tensor
    assert tensor._version > before


# ---- what optimizers have in common ---------------------------------------------------------------------------------


def test_create_and_register():
    assert type(mx.optimizer.create("SGD", learning_rate=0.3)) is mx.optimizer.SGD
    assert mx.optimizer.optimizer.SGD is mx.optimizer.SGD
    assert mx.optimizer.SGD.__module__ == mx.optimizer.LARS.__module__ == "mxnet.optimizer.optimizer"
    with pytest.raises(ValueError, match="Cannot find optimizer nope"):
        mx.optimizer.create("nope")
    with pytest.raises(TypeError, match="by its name"):
        mx.optimizer.create(mx.optimizer.SGD())
    with pytest.raises(TypeError, match="foo"):
        mx.optimizer.SGD(foo=1)

    @mx.optimizer.register
    class MyOwn(mx.optimizer.Optimizer):
        def update(self, index, weight, grad, state):
            weight -= self._get_lr(index) * grad

    try:
        weight = one(1.0)
        mx.optimizer.get_updater(mx.optimizer.create("myown", learning_rate=0.5))([0], [one(1.0)], [weight])
        assert weight.asscalar() == 0.5
        with pytest.warns(UserWarning, match="New optimizer .* is overriding existing optimizer"):
            mx.optimizer.register(MyOwn)
    finally:
        del mx.optimizer.Optimizer.opt_registry["myown"]


def test_learning_rate_and_scheduler(capsys):
    assert mx.optimizer.SGD().learning_rate == 0.01
    optimizer = mx.optimizer.SGD(learning_rate=0.5)
    optimizer.set_learning_rate(0.2)
    assert optimizer.learning_rate == optimizer.lr == 0.2
    optimizer = mx.optimizer.SGD(lr_scheduler=mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.3))
    assert optimizer.lr is None
    assert optimizer.learning_rate == 0.3
    with pytest.raises(UserWarning, match="LRScheduler of the optimizer has already been defined"):
        optimizer.set_learning_rate(1)
    assert not capsys.readouterr().out
    optimizer = mx.optimizer.SGD(learning_rate=0.5, lr_scheduler=mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.3))
    assert optimizer.learning_rate == optimizer.lr_scheduler.base_lr == 0.5
    assert "has been overwritten by ``learning_rate``" in capsys.readouterr().out
    for _ in range(3):
        optimizer.update(0, one(1.0), one(1.0), None)
    assert optimizer.learning_rate == 0.125
    with pytest.raises(DeprecationWarning):
        optimizer.set_lr_scale({})


def test_factors_by_name_index_symbol_and_parameter():
    data, weight = mx.sym.Variable("data"), mx.sym.Variable("w", lr_mult=2, wd_mult=3)
    net = mx.sym.FullyConnected(data, weight=weight, num_hidden=2, name="fc")
    names = {0: "w", 1: "fc_bias", 2: "bn_gamma", 3: "q_weight", 4: "x_beta"}
    optimizer = mx.optimizer.SGD(sym=net, param_idx2name=names, learning_rate=0.01, wd=1.0)
    assert optimizer.lr_mult == {"w": 2.0}
    assert optimizer.wd_mult == {"w": 3.0, "fc_bias": 0.0, "x_beta": 0.0}
    optimizer.set_lr_mult({"fc_bias": 5, 7: 3})
    optimizer.set_wd_mult({"fc_bias": 6})
    assert optimizer._get_lrs([0, 1, 2, 7, "z"]) == pytest.approx([0.02, 0.05, 0.01, 0.03, 0.01])
    assert optimizer._get_wds([0, 1, 2, 3, 4, 9]) == [3.0, 6, 1.0, 1.0, 0.0, 1.0]
    assert optimizer._get_lr(0) == pytest.approx(0.02)
    assert optimizer._get_wd(1) == 6

    class Parameter:
        lr_mult, wd_mult = 10.0, 0.5

    optimizer = mx.optimizer.SGD(param_dict={3: Parameter()}, learning_rate=0.1, wd=0.2)
    assert optimizer._get_lrs([3, 4]) == [1.0, 0.1]
    assert optimizer._get_wds([3, 4]) == [0.1, 0.2]
    with pytest.raises(AssertionError, match="param_idx2name should be a dict"):
        mx.optimizer.Optimizer(param_idx2name=3)


def test_updates_are_counted_for_each_device():
    optimizer = mx.optimizer.SGD()
    optimizer._update_count([0, 1])
    optimizer._update_count(0)
    assert optimizer._all_index_update_counts == {0: {0: 2, 1: 1}}
    assert optimizer.num_update == 2
    optimizer._set_current_context(1)
    optimizer._update_count(5)
    assert optimizer._all_index_update_counts == {0: {0: 2, 1: 1}, 1: {5: 1}}
    assert optimizer.num_update == 2
    optimizer = mx.optimizer.SGD(begin_num_update=10)
    optimizer._update_count(3)
    assert optimizer.num_update == 11


def test_states_of_float16_weights():
    weight = mx.nd.ones((2,), dtype="float16")
    for name, order in (("sgd", 1), ("nag", 1), ("lars", 1), ("adam", 0), ("rmsprop", 0), ("lbsgd", 0), ("lamb", 0)):
        optimizer = mx.optimizer.create(name, multi_precision=True)
        state = optimizer.create_state_multi_precision(0, weight)
        assert state[order].dtype == np.float32
        with pytest.warns(UserWarning, match="Accumulating with float16 in optimizer can lead to poor accuracy"):
            mx.optimizer.create(name).create_state_multi_precision(0, weight)


@pytest.mark.parametrize(
    "name, more, expected",  # as the original gives it
    [
        ("sgd", {"momentum": 0.9, "multi_precision": True}, [0.98828125, 1.0, 1.0, 0.98828125]),
        ("sgd", {"momentum": 0.9}, [0.98828125, 1.0, 1.0, 0.98828125]),
        ("adam", {"multi_precision": True}, [0.60009765625, 1.0, 1.0, 0.60009765625]),
        ("adam", {}, [0.611328125, 1.0, 1.0, 0.611328125]),
    ],
)
@pytest.mark.filterwarnings("ignore:Accumulating with float16")
def test_row_sparse_float16_weights(name, more, expected):
    kv = mx.kv.create("local")
    kv.set_optimizer(mx.optimizer.create(name, learning_rate=0.1, **more))
    kv.init("w", mx.nd.ones((4, 2)).astype("float16").tostype("row_sparse"))
    rows = (np.full((2, 2), 0.013, dtype="float16"), [0, 3])
    for _ in range(4):
        kv.push("w", mx.nd.sparse.row_sparse_array(rows, shape=(4, 2), dtype="float16"))
    out = mx.nd.sparse.zeros("row_sparse", (4, 2), dtype="float16")
    kv.row_sparse_pull("w", out=out, row_ids=mx.nd.arange(4, dtype="int64"))
    np.testing.assert_allclose(out.tostype("default").asnumpy()[:, 1], expected, rtol=1e-3)


def test_an_optimizer_of_ones_own_updates_row_sparse_float16_weights():
    class Plain(mx.optimizer.Optimizer):
        def update(self, index, weight, grad, state):
            assert weight.dtype == grad.dtype == np.float32
            weight -= 0.0001 * grad.tostype("default")

    updater = mx.optimizer.get_updater(Plain(multi_precision=True))
    weight = mx.nd.ones((3, 2)).astype("float16").tostype("row_sparse")
    grad = mx.nd.sparse.row_sparse_array((np.ones((1, 2)), [1]), shape=(3, 2), dtype="float16")
    for _ in range(20):  # each is less than float16 can tell
        updater(0, grad, weight)
    np.testing.assert_allclose(weight.tostype("default").asnumpy()[:, 0], [1, 0.998, 1], rtol=1e-3)


def test_mismatches_are_errors_that_say_what():
    optimizer = mx.optimizer.SGD()
    with pytest.raises(mx.MXNetError, match=r"SGD: parameter 7: .*\(2,\) float32 on cpu\(0\) and \(3,\) float32"):
        optimizer.update(7, mx.nd.ones((2,)), mx.nd.ones((3,)), None)
    with pytest.raises(mx.MXNetError, match="same shape, dtype and context"):
        optimizer.update([0], [mx.nd.ones((2,))], [mx.nd.ones((2,), dtype="float16")], [None])
    with pytest.raises(mx.MXNetError, match=r"on cpu\(0\) and .* on cpu\(1\)"):
        optimizer.update(0, mx.nd.ones((2,)), mx.nd.ones((2,), mx.cpu(1)), None)
    with pytest.raises(mx.MXNetError, match="floating"):
        optimizer.update(0, mx.nd.ones((2,), dtype="int32"), mx.nd.ones((2,), dtype="int32"), None)
    with pytest.raises(mx.MXNetError, match="GroupAdaGrad"):
        mx.optimizer.create("groupadagrad").create_state(0, mx.nd.ones((2,)))
    with pytest.raises(NotImplementedError):
        mx.optimizer.Optimizer().update(0, None, None, None)
    assert mx.optimizer.Optimizer().create_state(0, None) is None


def test_a_weight_in_a_recorded_graph_is_not_updated():
    weight = mx.nd.ones((2,))
    weight.attach_grad()
    updater = mx.optimizer.get_updater(mx.optimizer.SGD())
    with mx.autograd.record():
        (weight * 2).sum()
        with pytest.raises(mx.MXNetError, match="computational graph"):
            updater(0, mx.nd.ones((2,)), weight)


# ---- updaters -------------------------------------------------------------------------------------------------------


def test_a_users_update_is_called_even_for_lists():
    calls = []

    class Mine(mx.optimizer.SGD):
        def update(self, index, weight, grad, state):
            calls.append((index, weight.dtype))

    updater = mx.optimizer.get_updater(Mine(momentum=0.9, multi_precision=True))
    half = mx.nd.ones((2,), dtype="float16")
    updater([0, 1], [one(1.0), half], [one(1.0), half])
    updater(2, one(1.0), one(1.0))
    assert calls == [(0, np.float32), (1, np.float32), (2, np.float32)]


def test_a_users_optimizer_may_take_several_weights_at_once():
    calls = []

    class Mine(mx.optimizer.Optimizer):
        def __init__(self):
            super().__init__()
            self.aggregate_num = 2

        def update(self, index, weight, grad, state):
            calls.append(index)
            assert type(weight) is type(grad) is type(state) is tuple

    half = mx.nd.ones((2,), dtype="float16")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        mx.optimizer.get_updater(Mine())(
            [0, 1, 2, 3], [one(1.0), one(1.0), half, one(1.0)], [one(1.0)] * 2 + [half, one(1.0)]
        )
    assert calls == [(0, 1), (3,), (2,)]


def test_updater_keeps_states_by_index():
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.9, learning_rate=0.1))
    weight = one(1.0)
    updater(b"name", one(1.0), weight)
    updater("name", one(1.0), weight)
    assert list(updater.states) == ["name"]
    assert updater.states["name"].asscalar() == pytest.approx(-0.19)
    assert weight.asscalar() == pytest.approx(0.71)
    updater([], [], [])


def test_states_move_to_the_device_of_the_weight(monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    updater = mx.optimizer.get_updater(mx.optimizer.Adam())
    updater(0, one(1.0), one(1.0))
    other = mx.optimizer.get_updater(mx.optimizer.Adam())
    other.set_states(updater.get_states())
    weight = mx.nd.ones((1,), mx.gpu(1))
    other(0, mx.nd.ones((1,), mx.gpu(1)), weight)
    assert {state.context for state in other.states[0]} == {mx.gpu(1)}
    assert other.optimizer._all_index_update_counts == {0: {}, 1: {0: 1}}


@pytest.mark.parametrize(("name", "arguments"), optimizer_cases.STATES, ids=[s[0] for s in optimizer_cases.STATES])
@pytest.mark.parametrize("dump", [False, True], ids=["states", "with optimizer"])
def test_files_of_the_original_are_read(name, arguments, dump):
    mine = optimizer_cases.updater_with_states(mx, name, arguments)
    theirs = mx.optimizer.get_updater(mx.optimizer.Test())
    theirs.set_states(RECORDED[f"states/{name}/{dump:d}"].tobytes())
    assert theirs.states.keys() == mine.states.keys() == theirs.states_synced.keys()
    for index, state in mine.states.items():
        np.testing.assert_allclose(elements(theirs.states[index]), elements(state), rtol=1e-3, atol=1e-5)
    if not dump:
        return
    assert type(theirs.optimizer) is type(mine.optimizer)
    skip = {"lr_scheduler", "cumgrads"}
    found, expected = ({k: v for k, v in vars(u.optimizer).items() if k not in skip} for u in (theirs, mine))
    assert found.keys() == expected.keys()
    assert found.pop("m_schedule", 1.0) == pytest.approx(expected.pop("m_schedule", 1.0))
    assert found == expected
    assert theirs.optimizer._index_update_count is theirs.optimizer._all_index_update_counts[0]
    if mine.optimizer.lr_scheduler is not None:
        assert vars(theirs.optimizer.lr_scheduler) == vars(mine.optimizer.lr_scheduler)


@pytest.mark.parametrize(("name", "arguments"), optimizer_cases.STATES, ids=[s[0] for s in optimizer_cases.STATES])
def test_states_survive_the_trip(name, arguments):
    before = optimizer_cases.updater_with_states(mx, name, arguments)
    after = mx.optimizer.get_updater(mx.optimizer.Test())
    after.set_states(before.get_states(dump_optimizer=True))
    weights = [mx.nd.ones((2, 3)), mx.nd.ones((2, 3))]
    for updater, weight in zip((before, after), weights, strict=True):
        updater.states[2] = None if name == "sgld" else updater.states[2]
        if name not in ("sgld", "sgd"):
            updater(2, mx.nd.ones((2, 3)), weight)
    assert (weights[0].asnumpy() == weights[1].asnumpy()).all()


def test_pickled_states_name_only_what_the_original_has():
    """So that the original can read them: its class paths, and a protocol that it knows."""
    import pickletools

    updater = optimizer_cases.updater_with_states(mx, "lars", {"momentum": 0.9, "scheduler": True})
    data = updater.get_states(dump_optimizer=True)
    operations = [(code.name, argument) for code, argument, _ in pickletools.genops(data)]
    assert max(code.proto for code, _, _ in pickletools.genops(data)) <= 4
    texts = {argument for name, argument in operations if name == "SHORT_BINUNICODE"}
    modules = {text for text in texts if text.startswith("mxnet") or text == "builtins"}
    assert modules == {"mxnet.ndarray.ndarray", "mxnet.optimizer.optimizer", "mxnet.lr_scheduler", "builtins"}


CALLED = []


def harm(*arguments):
    CALLED.append(arguments)


class Evil:
    def __init__(self, *call):
        self.call = call

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize(
    "call",
    [
        (harm, (1,)),
        (os.system, ("exit 3",)),
        (eval, ("1 + 1",)),
        (getattr, ("text", "upper")),
        (pickle.loads, (b"N.",)),
        (np.load, ("x",)),
        (mx.nd.load, ("x",)),
        (mx.optimizer.get_updater, (None,)),
        (__import__, ("os",)),
        (warnings.warn, ("no",)),
    ],
    ids=lambda c: c[0].__name__,
)
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_malicious_states_are_refused(call, protocol):
    updater = mx.optimizer.get_updater(mx.optimizer.SGD())
    for data in (Evil(*call), {0: Evil(*call)}, ({}, Evil(*call))):
        with pytest.raises(mx.MXNetError, match="has no place there"):
            updater.set_states(pickle.dumps(data, protocol))
    assert CALLED == []
    assert updater.states == {}


def test_states_cannot_change_classes():
    """BUILD on a class would set its attributes."""
    attack = (
        b"\x80\x04\x8c\x12mxnet.lr_scheduler\x8c\x0fFactorScheduler\x93"  # the class
        b"N}\x8c\x08__call__K\x01s\x86b."  # its state: no __dict__, slots {"__call__": 1}
    )
    before = mx.lr_scheduler.FactorScheduler.__call__
    with pytest.raises(mx.MXNetError):
        mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(attack)
    assert mx.lr_scheduler.FactorScheduler.__call__ is before


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"junk",
        b"\x80\x04",
        pickle.dumps([1]),
        pickle.dumps({0: b"x"}),
        pickle.dumps(({}, 3)),
        pickle.dumps(mx.nd.ones(2)),
        "x",
    ],
    ids=range(8),
)
def test_broken_states_are_refused(data):
    with pytest.raises(mx.MXNetError):
        mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(data)


def test_truncated_states_are_refused():
    data = optimizer_cases.updater_with_states(mx, "adam", {"scheduler": True}).get_states(True)
    for end in range(0, len(data), 37):
        with pytest.raises(mx.MXNetError):
            mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(data[:end])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_states_of_all_pickle_protocols_are_read(protocol):
    before = optimizer_cases.updater_with_states(mx, "adam", {"scheduler": True})
    data = pickle.dumps((before.states, before.optimizer), protocol)
    after = mx.optimizer.get_updater(mx.optimizer.Test())
    after.set_states(data)
    assert type(after.optimizer) is mx.optimizer.Adam
    assert (elements(after.states[1]) == elements(before.states[1])).all()


def test_numpy_values_in_a_saved_optimizer_are_read():
    optimizer = mx.optimizer.SGD(learning_rate=np.float32(0.5), wd=np.float64(0.1))
    optimizer.extra = np.arange(3), np.dtype("float16"), {1, 2}
    before = mx.optimizer.get_updater(optimizer)
    after = mx.optimizer.get_updater(mx.optimizer.SGD())
    after.set_states(before.get_states(dump_optimizer=True))
    assert after.optimizer.lr == np.float32(0.5)
    assert (after.optimizer.extra[0] == np.arange(3)).all()
    assert after.optimizer.extra[1:] == optimizer.extra[1:]


@pytest.mark.parametrize("name", ["sgd", "adam", "rmsprop", "lbsgd"])
def test_a_subclass_may_decide_on_the_rates_of_each_parameter(name):
    """As Keras's optimizers do, whose plurals are for one parameter at a time."""
    base = type(mx.optimizer.create(name))

    class Own(base):
        def _get_lr(self, index):
            return np.float32(0.5) / (1 + index)

        def _get_lrs(self, indices):
            return [self._get_lr(0)] * self.aggregate_num

        def _get_wd(self, index):
            return 0.1 * index

    found, expected = [], []
    for optimizer, results in ((Own(), found), (None, expected)):
        weights = [mx.nd.array([1.0, -2.0]) for _ in range(3)]
        grads = [mx.nd.array([0.5, 0.25]) for _ in range(3)]
        if optimizer is None:
            for i in range(3):
                updater = mx.optimizer.get_updater(base(learning_rate=0.5 / (1 + i), wd=0.1 * i))
                updater(i, grads[i], weights[i])
        else:
            mx.optimizer.get_updater(optimizer)([0, 1, 2], grads, weights)
        results += [weight.asnumpy() for weight in weights]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_lbsgd_says_how_it_runs(caplog):
    with caplog.at_level("INFO"):
        mx.optimizer.create("lbsgd", batch_scale=2)
    assert caplog.messages == [
        "Running Large-Batch SGD Algorithm",
        "(Batch_scale=2.000000, warmup_epochs=5, warmup_strategy=linear, updates_per_epoch=32)",
    ]
