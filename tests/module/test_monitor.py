"""The Monitor, against what the original finds in a small network."""

import ctypes
import logging
import re

import numpy as np
import pytest
import record_backward
import record_monitor as cases
import record_names
from compare import load_golden

import mxnet as mx
from mxnet._cached_op import CachedOp

RECORDED = load_golden("monitor.json")
BACKWARD = load_golden("backward.json.gz")
#: Nothing is written there by the original; its gamma that is fixed gets its 1 while the forward pass runs.
UNSET = {
    "pooling/Pooling-0": {"n_workspace"},
    "normalization/BatchNorm-0": {"in1", "n_gamma"},
    "normalization/_contrib_BatchNormWithReLU-0": {"in1", "n_gamma"},
}
#: Gradients that the original gets wrong.
MISTAKEN = ("selu_backward_output", "prelu_backward_output1")
NAMES = load_golden("names.json.gz")


def numbers(text):
    return [float(part) for part in text.replace("[", " ").replace("]", " ").split()]


@pytest.mark.parametrize("text", RECORDED)
def test_statistics_are_the_originals(text):
    for mine, recorded in zip(cases.run(mx, text), RECORDED[text], strict=True):
        assert [entry[:2] for entry in mine] == [entry[:2] for entry in recorded]
        for (_, name, a), (_, _, b) in zip(mine, recorded, strict=True):
            np.testing.assert_allclose(numbers(a), numbers(b), rtol=1e-5, atol=1e-7, err_msg=name)
            assert a.count("\t") == b.count("\t") and a.count("[") == b.count("[")


def test_toc_print(caplog):
    monitor = mx.mon.Monitor(1, stat_func=lambda x: x.sum(), pattern="fc1_bias|softmax_label")
    monitor.install(cases.executor(mx))
    monitor.tic()
    with caplog.at_level(logging.INFO):
        monitor.toc_print()
    assert caplog.messages[1] == "Batch:       1 softmax_label                  3.0\t"
    assert caplog.messages[0].startswith("Batch:       1 fc1_bias                       -")


def test_nothing_without_tic():
    monitor = mx.monitor.Monitor(1)
    bound = cases.executor(mx)
    monitor.install(bound)
    bound.forward()
    assert monitor.toc() == []
    assert monitor.toc_print() is None
    assert monitor.queue == []


def test_several_executors():
    monitor = mx.monitor.Monitor(1, pattern="fc1_bias")
    for _ in range(2):
        monitor.install(cases.executor(mx))
    monitor.tic()
    assert [name for _, name, _ in monitor.toc()] == ["fc1_bias", "fc1_bias"]


def test_inputs_of_operators():
    monitor = mx.monitor.Monitor(1, pattern="(fc1|act).*", monitor_all=True)
    bound = cases.executor(mx)
    monitor.install(bound)
    monitor.tic()
    bound.forward(is_train=True)
    names = [name for _, name, _ in monitor.toc()]
    assert names.index("fc1_weight") < names.index("fc1_output") < names.index("act_output")
    assert names.count("fc1_weight") >= 2  # as an input of fc1, and at the end with all arguments


def test_default_statistic():
    assert mx.monitor.Monitor(1).stat_func(mx.nd.array([[3, 4]])).asscalar() == pytest.approx(np.sqrt(12.5))


@pytest.mark.parametrize("wrong", [3, "text", [3]])
def test_what_a_statistic_may_be(wrong):
    monitor = mx.monitor.Monitor(1, stat_func=lambda x: wrong, pattern="fc1_bias")
    monitor.install(cases.executor(mx))
    monitor.tic()
    with pytest.raises(TypeError, match="stat_func must return an NDArray or a list of them, for fc1_bias"):
        monitor.toc()


@pytest.mark.parametrize("inputs", [False, True])
def test_hidden_values_and_gradients_are_the_originals(inputs):
    recorded = load_golden("monitor_hidden.json")[str(inputs)]
    found = cases.hidden(mx, inputs)
    # Names that were made up have a counter, which other tests have moved.
    plain, expected = ([re.sub(r"^_(\D+)\d+", r"_\1", name) for name, _ in told] for told in (found, recorded))
    assert plain == expected
    for (name, mine), (theirs, values) in zip(found, recorded, strict=True):
        if not name.startswith("_"):
            assert name == theirs
        if values is not None:
            np.testing.assert_allclose(mine, values, rtol=2e-4, atol=2e-5, err_msg=name)


def test_gradients_of_an_input_that_is_read_twice():
    x = mx.sym.Variable("x")
    bound = mx.sym.MakeLoss(mx.sym.broadcast_mul(x, x, name="square")).simple_bind(mx.cpu(), x=(2,))
    bound.arg_dict["x"][:] = [3, 4]
    told = {}
    bound.set_monitor_callback(lambda name, array: told.update({name: array.asnumpy().tolist()}))
    bound.forward(is_train=True)
    bound.backward()
    assert told["square_backward_output0"] == told["square_backward_output1"] == [3, 4]
    assert bound.grad_dict["x"].asnumpy().tolist() == [6, 8]


def test_watching_does_not_move_the_averages_twice():
    def average(watched):
        bound = mx.sym.BatchNorm(mx.sym.Variable("x"), name="bn").simple_bind(mx.cpu(), x=(4, 2))
        bound.arg_dict["x"][:] = np.arange(8).reshape(4, 2)
        if watched:
            bound.set_monitor_callback(lambda name, array: None)
        bound.forward(is_train=True)
        bound.backward(mx.nd.ones((4, 2)))
        return bound.aux_dict["bn_moving_mean"].asnumpy().tolist()

    assert average(True) == average(False) != [0, 0]


@pytest.mark.parametrize(("key", "sample"), [pytest.param(*c, id=c[0]) for c in record_names.first_samples()])
def test_names_are_the_originals(key, sample):
    """Of inputs and outputs: ``relu0_input0``, ``relu0_0`` for a hook where the original has no name for them."""
    if key not in NAMES:
        pytest.skip("the original does not run this operator in graphs")
    hooked, watched = record_names.told(mx, CachedOp, sample)
    assert hooked == NAMES[key][0]
    # The original also tells of hidden results, and of nodes that its oneDNN backend made of others.
    if not any("sg_mkldnn" in name for name in NAMES[key][1]):
        assert watched == NAMES[key][1][: len(watched)]


def _hidden(net, name, **data):
    bound = net.simple_bind(mx.cpu(), **{key: np.shape(value) for key, value in data.items()})
    for key, value in data.items():
        bound.arg_dict[key][:] = np.array(value)
    told = {}
    bound.set_monitor_callback(lambda key, array: told.update({key: array.asnumpy()}))
    bound.forward()
    return told[name]


def test_what_ctc_loss_and_roi_pooling_compute_besides():
    """The original's numbers: the gradient of the data, and where the maxima are."""
    numbers = np.random.RandomState(0)
    net = mx.sym.CTCLoss(mx.sym.var("data"), mx.sym.var("label"), name="ctc")
    found = _hidden(net, "ctc_output1", data=numbers.rand(4, 2, 3), label=[[1, 2], [2, 0]])
    expected = [-0.0425, -0.2836, 0.3261, -0.2563, 0.2961, -0.0398, 0.0376, -0.241, 0.2034, -0.0587, 0.4109, -0.3522]
    assert found.shape == (4, 2, 3)
    np.testing.assert_allclose(found.ravel()[:12], expected, atol=1e-4)
    net = mx.sym.ROIPooling(mx.sym.var("data"), mx.sym.var("rois"), pooled_size=(2, 2), spatial_scale=1.0, name="roi")
    data = np.arange(64).reshape(2, 2, 4, 4) % 7
    found = _hidden(net, "roi_maxidx", data=data, rois=[[1, 0, 0, 3, 3], [1, 1, 1, 2, 3], [2, 0, 0, 1, 1]])
    assert found.dtype == np.float32 and found[2].min() == found[2].max() == -1
    assert found[:2].astype(int).tolist() == [
        [[[33, 34], [41, 47]], [[48, 55], [61, 62]]],
        [[[41, 38], [41, 46]], [[53, 54], [61, 62]]],
    ]


@pytest.mark.parametrize(
    ("op", "attrs", "shape", "hidden"),
    [
        ("LRN", {"nsize": 3, "alpha": 0.5}, (2, 4, 2, 2), {"tmp_norm": (2, 4, 2, 2)}),
        ("L2Normalization", {"mode": "instance"}, (2, 3, 2, 2), {"norm": (2,)}),
        ("L2Normalization", {"mode": "channel"}, (2, 3, 2, 2), {"norm": (2, 1, 2, 2)}),
        ("L2Normalization", {"mode": "spatial"}, (2, 3, 2, 2), {"norm": (2, 3)}),
        ("InstanceNorm", {}, (2, 3, 2), {"mean": (2, 3), "var": (2, 3)}),
    ],
)
def test_statistics_of_normalizations_are_told(op, attrs, shape, hidden):
    """The names and shapes are the original's."""
    bound = getattr(mx.sym, op)(mx.sym.var("data"), name="n", **attrs).simple_bind(mx.cpu(), data=shape)
    data = np.random.RandomState(0).uniform(-1, 1, shape).astype("float32")
    bound.arg_dict["data"][:] = data
    told = {}
    bound.set_monitor_callback(lambda name, array: told.update({name: array.asnumpy()}))
    bound.forward()
    assert {name: value.shape for name, value in told.items()} == {
        "n_output": shape,
        **{f"n_{name}": found for name, found in hidden.items()},
    }
    if op == "LRN":
        np.testing.assert_allclose(told["n_output"], data * told["n_tmp_norm"] ** -0.75, rtol=1e-5)
    elif op == "InstanceNorm":
        np.testing.assert_allclose(told["n_mean"], data.mean(2), rtol=1e-5)
        np.testing.assert_allclose(told["n_var"], data.var(2), rtol=1e-5)
    else:
        norm = told["n_norm"].reshape(told["n_norm"].shape + (1,) * (4 - told["n_norm"].ndim))
        np.testing.assert_allclose(told["n_output"], data / norm, rtol=1e-5)


def test_a_callback_that_was_written_for_handles():
    """As the original's own monitor does it, and many copies of it."""
    told = []

    def callback(*told_of):
        *names, handle = told_of
        handle = ctypes.cast(handle, mx.base.NDArrayHandle)
        told.append((*map(mx.base.py_str, names), mx.nd.NDArray(handle, writable=False).asnumpy().tolist()))

    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    executor = net.bind(mx.cpu(), [mx.nd.ones((1, 3)), mx.nd.ones((2, 3)), mx.nd.array([0, 1])])
    executor.set_monitor_callback(callback)
    executor.forward()
    assert told.pop() == ("fc_output", [[3, 4]])
    block = mx.gluon.nn.Dense(2, prefix="dense_")
    block.initialize(mx.init.One())
    block.hybridize()
    block(mx.nd.ones((1, 3)))
    block.register_op_hook(callback)
    block(mx.nd.ones((1, 3)))
    assert told == [("dense_fwd_output", "FullyConnected", [[3, 3]])]
    with pytest.raises(TypeError, match="got c_void_p"):
        mx.nd.NDArray(ctypes.c_void_p(1))


@pytest.mark.parametrize(("key", "run"), [pytest.param(*case, id=case[0]) for case in record_backward.cases()])
def test_the_backward_pass_is_the_originals(key, run):
    """The names of what its operators take and give, in order, and which values told before they are."""
    if key not in BACKWARD:
        pytest.skip("the original does not run this operator in graphs, has no gradient of it or crashes")
    forward, recorded, *sizes = BACKWARD[key]
    mine_forward, mine, *mine_sizes = run(mx)
    hidden = {name for name in forward if name not in mine_forward}  # results that are not computed here
    if hidden:
        of_hidden = {*hidden, "zeros_without_dtype_output"}
        recorded = [r for r in recorded if r[0] not in of_hidden and not (r[1] and of_hidden >= {*r[1].split("|")})]
    assert [name for name, _ in mine] == [name for name, _ in recorded]
    known = {*forward, *(name for name, _ in recorded), *(f"head{i}" for i in range(9))}
    known -= UNSET.get(key, set()) | hidden
    for (name, equals), (_, same) in zip(mine, recorded, strict=True):
        if not re.search(r"output\d*$", name):  # the gradients are compared elsewhere
            ours, theirs = ({n for n in (t or "").split("|") if n.removesuffix("!") in known} for t in (equals, same))
            assert ours == theirs or not theirs, name
    for (name, _), ours, theirs in zip(mine, *mine_sizes, *sizes, strict=True) if sizes else ():
        if theirs and name not in MISTAKEN and not (ours == 0 and "_backward_output" in name):  # nobody asked for it
            # of a norm over two numbers rounding is left
            assert ours == pytest.approx(theirs, rel=1e-3, abs=1e-5), name


def _told_in_backward(net, **shapes):
    bound = net.simple_bind(mx.cpu(), **shapes)
    told = []
    bound.set_monitor_callback(lambda name, array: told.append((name, array.asnumpy())), monitor_all=True)
    outputs = bound.forward(is_train=True)
    told.clear()
    bound.backward([mx.nd.ones(output.shape, dtype=output.dtype) for output in outputs])
    return [(name, value) for name, value in told if not name.startswith("_head_grad")], bound


def test_many_gradients_are_added_up_under_another_name():
    x = mx.sym.exp(mx.sym.var("x"), name="e")
    functions = "sin cos tanh sigmoid square sqrt log arctan".split()
    told, bound = _told_in_backward(mx.sym.Group([getattr(mx.sym, f)(x, name=f) for f in functions]), x=(2,))
    names = [name for name, _ in told]
    assert names[:3] == ["arctan_backward_lhs", "arctan_backward_rhs", "arctan_backward_output"]
    assert [n for n in names if n.startswith("sum")] == ["sum_grad_final_input0", "sum_grad_final_output"]
    values = dict(told)
    total = sum(values[f"{f}_backward_output"] for f in functions)
    np.testing.assert_allclose(values["sum_grad_final_output"], total, rtol=1e-5)
    np.testing.assert_allclose(values["e_backward_output"], bound.grad_dict["x"].asnumpy())


class _Scale(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * in_data[1])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * in_data[1])
        self.assign(in_grad[1], req[1], out_grad[0] * in_data[0])


@mx.operator.register("scale_of_test_monitor")
class _ScaleProp(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ["data", "scale"]

    def infer_shape(self, shapes):
        return [shapes[0], shapes[0]], [shapes[0]], []

    def create_operator(self, context, shapes, dtypes):
        return _Scale()


def test_the_gradient_of_a_custom_operator_has_its_name():
    """As the original has it."""
    net = mx.sym.exp(mx.sym.var("x"), name="e")
    net = mx.sym.Custom(net, mx.sym.var("z"), op_type="scale_of_test_monitor", name="c")
    told, _ = _told_in_backward(mx.sym.sin(net, name="s"), x=(2, 2), z=(2, 2))
    assert " ".join(name for name, _ in told) == (
        "s_backward_lhs s_backward_rhs s_backward_output c_input0 c_input1 z c_input2 c_input3 c_output0 c_output1 "
        "e_backward_lhs e_backward_rhs e_backward_output"
    )


def test_backward_of_integers_is_told():
    x = mx.sym.var("x", dtype="int32")
    told, bound = _told_in_backward(mx.sym.broadcast_mul(x, x, name="square"), x=(2,))
    assert [name for name, _ in told][-3:] == ["sum_grad_arg0", "sum_grad_arg1", "sum_grad_output"]
    assert {value.dtype for _, value in told} == {np.dtype("int32")} == {np.dtype(bound.grad_dict["x"].dtype)}


@pytest.mark.parametrize(
    ("op", "attrs", "shape", "expected"),
    [
        ("SwapAxis", {"dim1": 0, "dim2": 1}, (2, 2), "b_backward_output n_backward_data"),
        ("InstanceNorm", {}, (2, 2, 2), "b_backward_output n_backward_data n_backward_gamma n_backward_beta"),
        ("SequenceMask", {}, (2, 2, 2), "b_backward_output n_backward_data"),
        ("SliceChannel", {"num_outputs": 2}, (2, 2), "b_backward_output zeros_without_dtype_output n_backward_data"),
        ("MakeLoss", {}, (2, 2), "n_backward_data"),
        ("SVMOutput", {}, (2, 2), "n_backward_data n_backward_label"),
        ("Dropout", {"p": 0.5}, (2, 2), "b_backward_output n_backward_output"),
    ],
)
def test_gradients_of_old_operators_behind_a_blocked_one(op, attrs, shape, expected):
    """The original's names of results; when it tells of what such operators are given, it crashes."""
    net = getattr(mx.sym, op)(mx.sym.exp(mx.sym.var("x"), name="e"), name="n", **attrs)
    bound = mx.sym.BlockGrad(net[0], name="b").simple_bind(mx.cpu(), x=shape)
    told = []
    bound.set_monitor_callback(lambda name, array: told.append(name))
    outputs = bound.forward(is_train=True)
    told.clear()
    bound.backward([mx.nd.ones(output.shape) for output in outputs])
    assert " ".join(told) == f"{expected} e_backward_output"
    bound.set_monitor_callback(lambda name, array: told.append(name), monitor_all=True)
    bound.forward(is_train=True)
    told.clear()
    bound.backward([mx.nd.ones(output.shape) for output in outputs])
    assert {*expected.split()} < {*told}
