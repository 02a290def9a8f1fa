"""The most common mistakes: each raises (or warns, or gives) a message with what was given, expected, and to be done.

The table is the documentation: a mistake, and words that its message has to have.
"""

import os
import re
import warnings

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

MISTAKES = {}


def mistake(*words):
    """Enters a mistake into the table, with the words of its message."""

    def enter(function):
        MISTAKES[function.__name__] = function, words
        return function

    return enter


def dense(**options):
    net = nn.Dense(2, in_units=3, **options)
    net.initialize()
    return net


def module(label_names=None, **names):
    out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    return mx.mod.Module(out, label_names=label_names, **names)


def hybrid(forward):
    """A hybridized block with this ``hybrid_forward``."""
    net = type("Net", (gluon.HybridBlock,), {"hybrid_forward": forward})()
    net.hybridize()
    return net


# ---- old projects ----------------------------------------------------------------------------------------------------


@mistake("train_data must be an iterator", "got ndarray", "mx.io.NDArrayIter(data, label, batch_size)")
def arrays_to_fit(tmp_path):
    module().fit(np.ones((4, 3), "float32"), num_epoch=1)


@mistake("initializer must be an Initializer", "mx.init.Xavier()", "got 'xavier'")
def initializer_by_name(tmp_path):
    data = mx.io.NDArrayIter(np.ones((4, 3)), np.ones(4), batch_size=2)
    out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), name="softmax")
    mx.mod.Module(out).fit(data, num_epoch=1, initializer="xavier")


@mistake("softmax_label is not presented", "2 given parameters", "allow_missing=True", "label_names")
def a_label_taken_for_a_parameter(tmp_path):
    out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"), name="softmax")
    module = mx.mod.Module(out, label_names=None)
    module.bind([("data", (1, 3))], for_training=False)
    module.set_params({"fc_weight": nd.ones((2, 3)), "fc_bias": nd.ones(2)}, {})


@mistake("shape must be a dict", "{'data': (1, 3)}", "got (1, 3)")
def shape_without_a_name(tmp_path):
    mx.viz.print_summary(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), shape=(1, 3))


@mistake("has no input 'x'", "has no parameters for is 'data'", "input_names=['data']")
def inputs_by_other_names(tmp_path):
    net = dense()
    net.hybridize()
    net(nd.ones((1, 3)))
    net.export(str(tmp_path / "net"))
    gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["x"], str(tmp_path / "net-0000.params"))


@mistake("Parameter 'dense", "is missing in file", "SymbolBlock.imports('<prefix>-symbol.json'")
def exported_file_to_a_network_without_a_name_scope(tmp_path):
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3))
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 3)))
    net.export(str(tmp_path / "net"))
    net.load_parameters(str(tmp_path / "net-0000.params"))


# ---- networks --------------------------------------------------------------------------------------------------------


@mistake("FullyConnected", "it takes 3 inputs, and data has 5", "data (2, 5)", "in_units")
def wrong_shape_to_dense(tmp_path):
    dense()(nd.ones((2, 5)))


@mistake("Net.layer", "super().__init__() first")
def forgotten_super(tmp_path):
    def __init__(self):
        self.layer = nn.Dense(2)

    type("Net", (gluon.Block,), {"__init__": __init__})()


@mistake("list or dict of Parameters", "HybridSequential", "net.collect_params()")
def a_network_to_the_trainer(tmp_path):
    gluon.Trainer(nn.HybridSequential(), "sgd")


@mistake("got Tensor", "mx.nd.from_torch(x)")
def a_tensor_of_torch(tmp_path):
    import torch

    dense()(torch.ones(1, 3))


@mistake("Convolution", "(2, 28, 3, 3), got (2, 3, 3, 3)", "transpose((2, 0, 1))", "data (1, 28, 28, 3)")
def channels_last(tmp_path):
    net = nn.Conv2D(2, 3, in_channels=3)
    net.initialize()
    net(nd.ones((1, 28, 28, 3)))


@mistake("Convolution", "must have 4 dimensions", "it has 2", "(28, 28)")
def an_image_without_a_batch(tmp_path):
    net = nn.Conv2D(2, 3)
    net.initialize()
    net(nd.ones((28, 28)))


@mistake("kernel (7, 7)", "exceeds the padded size 5", "data (1, 3, 5, 5)")
def a_kernel_larger_than_the_image(tmp_path):
    net = nn.Conv2D(2, 7)
    net.initialize()
    net(nd.ones((1, 3, 5, 5)))


@mistake("LSTM takes data of 3 dimensions", "TNC", "expand_dims", "got (2, 5)")
def a_sequence_without_features(tmp_path):
    net = gluon.rnn.LSTM(4, input_size=3)
    net.initialize()
    net(nd.ones((2, 5)))


@mistake("has not been initialized", "net.initialize(mx.init.Xavier())", "load_parameters()")
def forgot_initialize(tmp_path):
    nn.Dense(2, in_units=3)(nd.ones((1, 3)))


@mistake("initialization was deferred", "pass one batch of data through the network", "in_units")
def parameters_before_the_first_batch(tmp_path):
    net = nn.Dense(2)
    net.initialize()
    net.weight.data()


@mistake("already initialized, ignoring", "force_reinit=True")
def initialized_twice(tmp_path):
    net = dense()
    net.initialize(mx.init.Xavier())


@mistake("expects {'relu', 'sigmoid'", "got 'rellu'")
def wrong_name_of_an_activation(tmp_path):
    dense(activation="rellu")(nd.ones((1, 3)))


@mistake("xaviar is not registered", "known: bilinear", "xavier")
def wrong_name_of_an_initializer(tmp_path):
    nn.Dense(2, in_units=3).initialize("xaviar")


@mistake("Model resnet19 is not supported", "Available options are", "resnet18_v1")
def wrong_name_of_a_network(tmp_path):
    gluon.model_zoo.vision.get_model("resnet19")


@mistake("got ndarray", "mx.nd.array(x)")
def numpy_into_a_network(tmp_path):
    dense()(np.ones((1, 3)))


@mistake("relu: input 'data' must be an NDArray, got ndarray", "mx.nd.array")
def numpy_into_an_operator(tmp_path):
    nd.relu(np.ones(3))


# ---- hybridize -------------------------------------------------------------------------------------------------------


@mistake("__bool__", "Symbol", "F.where, F.contrib.cond", "unhybridized")
def python_control_flow_in_hybridize(tmp_path):
    def forward(self, F, x):
        return x if x.sum() > 0 else -x

    hybrid(forward)(nd.ones(3))


@mistake("no attribute 'shape'", "x.reshape((0, -1))", "F.shape_array")
def shape_in_hybridize(tmp_path):
    hybrid(lambda self, F, x: x.reshape((x.shape[0], -1)))(nd.ones((3, 2)))


@mistake("Function asnumpy", "not implemented for Symbol", "operators of F", "unhybridized")
def asnumpy_in_hybridize(tmp_path):
    hybrid(lambda self, F, x: x * x.asnumpy().max())(nd.ones((3, 2)))


@mistake("relu: input 'data' must be an NDArray, got Symbol", "use F.relu, and not mx.nd.relu")
def nd_in_hybridize(tmp_path):
    hybrid(lambda self, F, x: mx.nd.relu(x))(nd.ones((3, 2)))


@mistake("first call block.hybridize() and then run forward", "before calling export")
def export_before_a_run(tmp_path):
    dense().export(str(tmp_path / "net"))


# ---- autograd and optimizers -----------------------------------------------------------------------------------------


@mistake("not in a computational graph", "autograd.record()")
def forgot_record(tmp_path):
    w = nd.ones(2)
    w.attach_grad()
    (w * 2).backward()


@mistake("differentiate the same graph twice", "retain_graph=True")
def backward_twice(tmp_path):
    w = nd.ones(2)
    w.attach_grad()
    with autograd.record():
        y = w * w
    y.backward()
    y.backward()


@mistake("not in a computational graph", "attach_grad() before record()")
def forgot_attach_grad(tmp_path):
    w = nd.ones(2)
    with autograd.record():
        y = w * w
    y.backward()


@mistake("already in a computational graph", "out side of a record section")
def written_in_place_while_recorded(tmp_path):
    w = nd.ones(2)
    w.attach_grad()
    with autograd.record():
        w += 1


@mistake("has not been updated by backward since last `step`", "subset", "ignore_stale_grad=True")
def stale_gradient(tmp_path):
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=2), nn.Dense(2, in_units=2))
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    with autograd.record():
        loss = net[0](nd.ones((1, 2))).sum()
    loss.backward()
    trainer.step(1)


@mistake("Cannot find optimizer sgdd", "known: ada", "sgd,")
def wrong_name_of_an_optimizer(tmp_path):
    gluon.Trainer(dense().collect_params(), "sgdd")


@mistake("SGD: unexpected keyword argument 'lr'", "Did you mean 'learning_rate'?", "momentum")
def wrong_argument_of_an_optimizer(tmp_path):
    gluon.Trainer(dense().collect_params(), "sgd", {"lr": 0.1})


@mistake("step(0)", "divided by the batch size", "expected 1 or more")
def step_of_no_batch(tmp_path):
    gluon.Trainer(dense().collect_params(), "sgd").step(0)


@mistake("must be a list or dict of Parameters", "got list of", "NDArray")
def arrays_into_a_trainer(tmp_path):
    gluon.Trainer([nd.ones(2)], "sgd")


@mistake("Cannot get gradient array", "grad_req='null'")
def gradient_of_a_frozen_parameter(tmp_path):
    net = nn.Dense(2, in_units=3)
    net.weight.grad_req = "null"
    net.initialize()
    net.weight.grad()


# ---- losses and metrics ----------------------------------------------------------------------------------------------


@mistake("index has shape (5,), expected (4,)", "class number for each example", "data (4, 3)")
def labels_of_another_batch(tmp_path):
    gluon.loss.SoftmaxCrossEntropyLoss()(nd.ones((4, 3)), nd.ones((5,)))


@mistake("index has shape (4, 3), expected (4,)", "one-hot", "sparse_label=False")
def one_hot_labels(tmp_path):
    gluon.loss.SoftmaxCrossEntropyLoss()(nd.ones((4, 3)), nd.ones((4, 3)))


@mistake("label has shape (4,), the prediction (4, 3)", "SoftmaxCrossEntropyLoss")
def class_numbers_into_a_regression(tmp_path):
    gluon.loss.L2Loss()(nd.ones((4, 3)), nd.ones((4,)))


@mistake("acuracy is not registered", "known: acc, accuracy")
def wrong_name_of_a_metric(tmp_path):
    mx.metric.create("acuracy")


# ---- arrays ----------------------------------------------------------------------------------------------------------


@mistake("gpu(0) is not available", "sees 0 GPU(s)", "mx.cpu()", "MXNET_VIRTUAL_GPUS")
def gpu_without_cuda(tmp_path):
    nd.ones(2, ctx=mx.gpu())


@mistake("gpu(0)", "cpu(0)", "as_in_context")
def contexts_mixed(tmp_path):
    nd.ones(2, ctx=mx.gpu()) + nd.ones(2)


@mistake("ambiguous", "shape (3,)", "asscalar()")
def truth_of_an_array(tmp_path):
    if nd.ones(3) > 0:
        raise AssertionError("no array is true")


@mistake("not a scalar", "shape (3,), expected one element", "asnumpy()")
def a_number_of_an_array(tmp_path):
    float(nd.ones(3))


@mistake("broadcast_add", "lhs (2, 3)", "rhs (3, 2)", "along axis 1 lhs has size 3 and rhs 2")
def shapes_that_do_not_broadcast(tmp_path):
    nd.ones((2, 3)) + nd.ones((3, 2))


@mistake("same dtype", "astype()", "float32", "float64")
def dtypes_mixed(tmp_path):
    nd.ones(2) + nd.ones(2, dtype="float64")


@mistake("floating point", "astype()", "data (1, 3) int32")
def integers_into_a_layer(tmp_path):
    dense()(nd.ones((1, 3), dtype="int32"))


@mistake("shape (2, 3) has 6 elements", "new shape (4, 2) has 8")
def reshape_to_another_size(tmp_path):
    nd.ones((2, 3)).reshape((4, 2))


@mistake("legacy ndarray", "as_np_ndarray()", "mx.nd")
def np_and_nd_mixed(tmp_path):
    nd.ones(2) + mx.np.ones(2)


@mistake("unknown argument 'num_hiden'", "Did you mean 'num_hidden'?")
def misspelt_argument(tmp_path):
    nd.FullyConnected(nd.ones((1, 2)), nd.ones((2, 2)), nd.ones(2), num_hiden=2)


# ---- files -----------------------------------------------------------------------------------------------------------


@mistake("cannot read", "none.params", "No such file")
def missing_file(tmp_path):
    nd.load(str(tmp_path / "none.params"))


@mistake("not a file of NDArrays", "expected 0x112", "nd.save, save_parameters or save_checkpoint")
def wrong_file(tmp_path):
    (tmp_path / "x.params").write_text("a text, and not a file of arrays")
    dense().load_parameters(str(tmp_path / "x.params"))


@mistake("'1.weight' is missing in file", "contains parameters: '0.weight'", "allow_missing=True")
def missing_weights(tmp_path):
    small, large = nn.HybridSequential(), nn.HybridSequential()
    small.add(dense())
    large.add(dense(), dense())
    small.save_parameters(str(tmp_path / "a"))
    large.load_parameters(str(tmp_path / "a"))


@mistake("shape incompatible expected (4, 3) vs saved (2, 3)", "sizes that it was saved with")
def weights_of_other_sizes(tmp_path):
    dense().save_parameters(str(tmp_path / "a"))
    nn.Dense(4, in_units=3).load_parameters(str(tmp_path / "a"))


@mistake("is missing in file", "Module.save_checkpoint", "SymbolBlock.imports('<prefix>-symbol.json', ['data']")
def a_file_of_a_module_into_gluon(tmp_path):
    net = module()
    net.bind([("data", (1, 3))])
    net.init_params()
    net.save_checkpoint(str(tmp_path / "net"), 0)
    dense().load_parameters(str(tmp_path / "net-0000.params"))


@mistake("keys start with 'arg:' or 'aux:', 'weight' does not", "load_parameters", "export()")
def a_file_of_gluon_into_a_module(tmp_path):
    dense().save_parameters(str(tmp_path / "a"))
    net = module()
    net.bind([("data", (1, 3))])
    net.load_params(str(tmp_path / "a"))


@mistake("could not be fetched", "Put the file resnet18_v1-a0666292.params", "mxnet.tools.fetch resnet18_v1")
def pretrained_without_a_network(tmp_path):
    gluon.model_zoo.vision.resnet18_v1(pretrained=True, root=str(tmp_path))


@mistake("is not an image that OpenCV can decode", "a.jpg")
def a_file_that_is_no_image(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"no image")
    mx.image.imread(str(tmp_path / "a.jpg"))


# ---- data, modules, key-value stores ---------------------------------------------------------------------------------


class Broken(gluon.data.Dataset):
    """A data set that fails, or ends its process."""

    def __init__(self, ends):
        self.ends = ends

    def __len__(self):
        return 4

    def __getitem__(self, index):
        if index == 2:
            if self.ends:
                os._exit(3)
            raise ValueError(f"sample {index} is broken")
        return np.zeros(2)


@mistake("sample 2 is broken")
def an_error_in_a_worker(tmp_path):
    list(gluon.data.DataLoader(Broken(False), 2, num_workers=1))


@mistake("worker", "exit code 3")
def a_worker_that_crashes(tmp_path):
    list(gluon.data.DataLoader(Broken(True), 2, num_workers=1))


@mistake("samples of different shapes ((2,), (3,)", "do not make a batch")
def samples_of_several_shapes(tmp_path):
    list(gluon.data.DataLoader([np.zeros(2), np.zeros(3)], 2))


@mistake("samples of different shapes ((2,), (3,))", "batchify_fn")
def arrays_of_several_shapes(tmp_path):
    list(gluon.data.DataLoader(gluon.data.SimpleDataset([nd.ones(2), nd.ones(3)]), 2))


@mistake("exhausted", "call reset() before the next epoch")
def an_exhausted_iterator(tmp_path):
    data = mx.io.NDArrayIter(np.zeros((4, 2)), batch_size=2)
    assert len(list(data)) == 2
    data.next()


@mistake("(5, 2) cannot be evenly split into 2", "multiple of 2", "even_split=False")
def indivisible_batch(tmp_path):
    gluon.utils.split_data(nd.ones((5, 2)), 2)


@mistake("call bind() and init_params() first")
def forward_before_bind(tmp_path):
    module().forward(mx.io.DataBatch([nd.ones((1, 3))]))


@mistake("call bind(), init_params() and init_optimizer() first")
def update_before_init_optimizer(tmp_path):
    net = module()
    net.bind([("data", (1, 3))])
    net.init_params()
    net.update()


@mistake("data_names=['image']", "is not found", "Did you mean one of", "data")
def wrong_name_of_the_data(tmp_path):
    module(data_names=["image"])


@mistake("there is no argument 'softmax_label'", "sm_label", "label_names=")
def wrong_name_of_the_label(tmp_path):
    out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), name="sm")
    mx.mod.Module(out).fit(mx.io.NDArrayIter(np.zeros((4, 3)), np.zeros(4), 2), num_epoch=1)


@mistake("simple_bind", "the shapes of data", "give the shapes of all inputs by name")
def bound_without_shapes(tmp_path):
    mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2).simple_bind(mx.cpu())


@mistake("Duplicate names", "argument a")
def two_variables_of_one_name(tmp_path):
    (mx.sym.var("a") + mx.sym.var("a")).simple_bind(mx.cpu(), a=(1,))


@mistake("key 'a' has not been inited", "call init('a', array) first")
def push_before_init(tmp_path):
    mx.kv.create("local").push("a", nd.ones(2))


# ---- hybrid_forward, states, files that are swapped ------------------------------------------------------------------


@mistake(
    "hybrid_forward() missing 1 required positional argument: 'y'", "(self, F, x, y)", "called with (3, 2) float32"
)
def one_input_of_two(tmp_path):
    net = type("Net", (gluon.HybridBlock,), {"hybrid_forward": lambda self, F, x, y: x + y})
    net.hybrid_forward.__qualname__ = "Net.hybrid_forward"
    net()(nd.ones((3, 2)))


@mistake("unexpected keyword argument 'w'", "each parameter of the block under the name of its attribute: w")
def a_parameter_by_another_name(tmp_path):
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.w = self.params.get("w", shape=(2, 3))

        def hybrid_forward(self, F, x, weight):
            return F.dot(x, weight)

    net = Net()
    net.initialize()
    net(nd.ones((3, 2)))


@mistake("missing 1 required positional argument: 'states'", "forward(self, inputs, states)")
def a_cell_without_states(tmp_path):
    cell = gluon.rnn.LSTMCell(8, input_size=5)
    cell.initialize()
    cell(nd.ones((2, 5)))


@mistake("LSTM needs 2 state(s), of shape (1, 2, 8) and (1, 2, 8), got 1", "begin_state(batch_size)")
def one_state_of_two(tmp_path):
    layer = gluon.rnn.LSTM(8, input_size=5)
    layer.initialize()
    layer(nd.ones((7, 2, 5)), nd.ones((1, 2, 8)))


@mistake("hybrid_forward returned None", "return missing")
def no_return(tmp_path):
    hybrid(lambda self, F, x: None)(nd.ones(3))


@mistake("expected a Symbol or a number", "get_constant")
def an_array_in_hybrid_forward(tmp_path):
    hybrid(lambda self, F, x: x + nd.ones(3))(nd.ones(3))


@mistake("chooses one of its outputs, not elements", "slice_axis")
def an_index_in_hybrid_forward(tmp_path):
    hybrid(lambda self, F, x: x[:, 0])(nd.ones((3, 2)))


@mistake("exp: argument data must be Symbol instances, but got NDArray", "mx.sym.var")
def an_array_to_an_operator_of_symbols(tmp_path):
    mx.sym.exp(nd.ones(1000))


@mistake("this is not JSON text", "-symbol.json", "nd.load reads parameters")
def parameters_as_a_symbol(tmp_path):
    nd.save(str(tmp_path / "net.params"), {"a": nd.ones(3)})
    mx.sym.load(str(tmp_path / "net.params"))


@mistake("has no record 7", "its 1 key(s): 0")
def a_record_that_is_not_there(tmp_path):
    files = str(tmp_path / "a.idx"), str(tmp_path / "a.rec")
    writer = mx.recordio.MXIndexedRecordIO(*files, "w")
    writer.write_idx(0, b"a")
    writer.close()
    mx.recordio.MXIndexedRecordIO(*files, "r").read_idx(7)


@mistake("'no/such/folder' is not a directory", "images for each class")
def a_missing_folder_of_images(tmp_path):
    gluon.data.vision.ImageFolderDataset("no/such/folder")


@mistake("Data must define __len__(self)")
def a_dataset_without_a_length(tmp_path):
    class Data(gluon.data.Dataset):
        def __getitem__(self, i):
            return i

    gluon.data.DataLoader(Data(), 2)


@mistake("has 1 layer(s), there is no layer 3")
def a_layer_too_far(tmp_path):
    net = nn.Sequential()
    net.add(nn.Dense(2))
    net[3]


@mistake("call initialize() of the network first", "net.initialize(mx.init.Xavier())")
def a_trainer_before_initialize(tmp_path):
    gluon.Trainer(nn.Dense(2).collect_params(), "sgd")


@mistake("a shape of several dimensions is a tuple, such as (2, 3)")
def a_shape_in_two_arguments(tmp_path):
    nd.zeros(2, 3)


@mistake("random.normal: unknown argument 'size'", "loc, scale, shape")
def the_name_that_numpy_has(tmp_path):
    nd.random.normal(size=(2, 3))


@mistake("input 0 has (2, 3) and input 1 (2, 4)")
def different_shapes_to_stack(tmp_path):
    nd.stack(nd.ones((2, 3)), nd.ones((2, 4)))


def test_there_are_enough():
    assert len(MISTAKES) >= 40


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(name, tmp_path, monkeypatch):
    function, words = MISTAKES[name]
    if name == "contexts_mixed":
        monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "1")
    elif name == "gpu_without_cuda" and mx.num_gpus():
        pytest.skip("there is a GPU")
    monkeypatch.setenv("MXNET_GLUON_REPO", "http://127.0.0.1:9/")  # where nobody answers
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            function(tmp_path)
            said = ""
        except Exception as error:
            said = f"{error}"
    said += " ".join(str(warning.message) for warning in warned)
    missing = [word for word in words if word not in re.sub(r"\s+", " ", said)]
    assert not missing, f"{missing} not in: {said}"


NET = "net = nn.Dense(3); net.initialize(); net(nd.ones((2, 3))); "
CELL = "cell = gluon.rnn.GRUCell(4); cell.initialize(); "
SYMBOL = "s = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=2, name='fc'); "
MODULE = SYMBOL + "m = mx.mod.Module(s, label_names=None); m.bind([('data', (2, 3))]); m.init_params(); "


@pytest.mark.parametrize(
    "program, words",
    [
        ("gluon.model_zoo.vision.get_model('resnet55')", ("'resnet", "Available options are alexnet, ")),
        ("gluon.model_zoo.vision.get_model('ResNet-50')", ("Did you mean", "resnet50_v1")),
        ("nn.Sequential(nn.Dense(3), nn.Dense(4))", ("add layers with add()", "got Dense")),
        ("nn.Sequential([nn.Dense(3)])", ("add layers with add()", "got list")),
        ("nn.Sequential().add([nn.Dense(3)])", ("add(*blocks)", "got a list")),
        ("nn.Sequential().add(nn.Dense)", ("the class Dense", "Dense(...)")),
        ("nn.HybridLambda(lambda x: x)", ("F and arrays", "got lambda(x)")),
        ("nn.Dense(3).initialize(mx.init.Xavier)", ("such as mx.init.Xavier()", "the class Xavier")),
        ("nn.Dense(3).initialize(mx.cpu())", ("contexts are passed as ctx=",)),
        ("nn.Dense(3).initialize(ctx='cpu')", ("ctx must be a Context", "got 'cpu'")),
        (NET + "net.weight.set_data([1, 2])", ("set_data takes an array", "got list")),
        (NET + "net.params['weight']", ("no parameter 'weight'", "did you mean", "_bias")),
        (NET + "net.summary((2, 3))", ("summary takes arrays", "got 2")),
        ("gluon.loss.L2Loss(nd.ones(3), nd.ones(3))", ("is a class", "loss(pred, label)")),
        (CELL + "cell(nd.ones((2, 5)), nd.ones((2, 4)))", ("takes a list of 1 state(s)", "array of shape (2, 4)")),
        (CELL + "cell.begin_state()", ("begin_state(batch_size=32)",)),
        ("gluon.utils.split_and_load(nd.ones((4, 3)), 2)", ("ctx must be a Context or a list", "got 2")),
        ("gluon.data.vision.transforms.Compose(nn.Dense(3))", ("a list of transforms", "got Dense")),
        ("mx.mod.Module(nn.Dense(3))", ("Module takes a Symbol, got Dense", "gluon.Trainer")),
        ("mx.mod.Module('model.json')", ("Module takes a Symbol, got str", "mx.sym.load")),
        (SYMBOL + "mx.mod.Module(s, context=0)", ("ctx must be a Context or a list", "got 0")),
        (SYMBOL + "mx.mod.Module(s, label_names=None).bind((2, 3))", ("[('data', (32, 10))]", "got (2, 3)")),
        (SYMBOL + "mx.mod.Module(s, label_names=None).bind({'data': (2, 3)})", ("[('data', (32, 10))]",)),
        (MODULE + "m.forward(nd.ones((2, 3)))", ("mx.io.DataBatch([array])", "got NDArray")),
        (MODULE + "m.init_params(mx.init.Xavier, force_init=True)", ("such as mx.init.Xavier()", "the class Xavier")),
        (SYMBOL + "s.infer_shape(data=3)", ("a tuple of integers", "got 3")),
        (SYMBOL + "s.simple_bind(mx.cpu(), data=(2, 3)).forward(nd.ones((2, 3)))", ("is_train", "forward(data=array)")),
        ("nd.softmax(nd.ones(3), 1)", ("passed by name",)),
        ("nd.softmax(nd.ones(3), dim=1)", ("unknown argument 'dim'", "Did you mean 'axis'?")),
        (
            "nd.Convolution(nd.ones((1, 3, 8, 8)), nd.ones((2, 3, 3, 3)), kernel=(3, 3), num_filter=2)",
            ("no_bias=True",),
        ),
        ("mx.optimizer.create('adamm')", ("did you mean 'adam'?", "known: ada")),
        ("mx.optimizer.create(mx.optimizer.SGD)", ("the class SGD", "mx.optimizer.SGD()")),
        ("mx.metric.create('acuracy')", ("did you mean 'accuracy'?",)),
    ],
)
def test_small_mistakes(program, words):
    with pytest.raises(mx.MXNetError) as caught:
        exec(program, {"mx": mx, "nd": nd, "nn": nn, "gluon": gluon})
    said = str(caught.value)
    assert [word for word in words if word not in said] == [], said


def test_one_name_is_a_list_of_one():
    assert module(data_names="data").data_names == ["data"]


@pytest.mark.parametrize(
    "program, words",
    [
        ("nn.Dense(10, input_dim=3)", ("Dense: unexpected keyword argument 'input_dim'. Did you mean 'in_units'?",)),
        (
            "nn.Conv2D(10, 3, stride=2)",
            ("Conv2D: unexpected", "Did you mean 'strides'?", "lines inside of mxnet are hid"),
        ),
        ("mx.optimizer.SGD(momentun=0.9)", ("SGD: unexpected", "Did you mean 'momentum'?", "clip_gradient")),
        ("mx.metric.create('top_k_acc', k=3)", ("TopKAccuracy: unexpected", "Did you mean 'top_k'?")),
        ("mx.io.NDArrayIter(np.ones(4), batchsize=2)", ("NDArrayIter: unexpected", "Did you mean 'batch_size'?")),
        ("module().fit(None, epochs=1)", ("fit: unexpected", "Did you mean 'num_epoch'?")),
        ("gluon.Trainer({}, 'sgd', learning_rate=1)", ("Trainer: unexpected", "Did you mean 'optimizer_params'?")),
        (
            "dense()(x=nd.ones((2, 3)))",
            ("Block.__call__() got an unexpected", "pass the inputs of a block by position"),
        ),
        ("nd.ones((2, 3)).view(6)", ("no attribute 'view'", "in MXNet: reshape(shape)")),
        ("dense().parameters()", ("no attribute 'parameters'", "in MXNet: collect_params()")),
        ("dense().weight.asnumpy()", ("the array of a Parameter is data(): data().asnumpy",)),
        ("dense().weight + 1", ("unsupported operand", "the array of a Parameter is data()")),
        ("nn.Linear(3, 4)", ("no attribute 'Linear'", "in MXNet: Dense")),
        ("x = nd.ones(3); x.shape = (1, 3)", ("no setter", "reshape(shape) returns")),
        ("'{:.2f}'.format(nd.ones(1))", ("unsupported format", "x.asscalar()")),
        ("d, l = next(iter(mx.io.NDArrayIter(np.ones(4))))", ("non-iterable DataBatch", "batch.data[0]")),
        ("from mxnet.gluon.nn import Conv2d", ("cannot import name 'Conv2d'", "Did you mean", "Conv2D")),
        ("np.int", ("has no attribute 'int'", "python -m mxnet.tools.run")),
        ("{}.iteritems()", ("'dict' object has no attribute 'iteritems'", "python -m mxnet.tools.modernize")),
        ("import cPickle", ("No module named", "mxnet.tools.run")),
        ("def f(a): pass\nf(b=1)", ("got an unexpected keyword argument 'b'",)),
        ("dict().nothing", ("no attribute 'nothing'",)),
    ],
)
def test_errors_of_python_about_our_objects(program, words, capsys):
    """What a program prints; the error itself stays as it was."""
    import sys

    try:
        exec(compile(program, "program.py", "exec"), {**globals(), "np": np})
    except Exception as error:
        before = str(error), getattr(error, "name", None), getattr(error, "__notes__", [])
        sys.excepthook(type(error), error, error.__traceback__.tb_next)
        assert (str(error), getattr(error, "name", None), getattr(error, "__notes__", [])) == before
    shown = capsys.readouterr().err
    assert [word for word in words if word not in shown] == [], shown
    assert len(shown.splitlines()) <= 12, shown
