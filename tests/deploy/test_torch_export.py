"""Blocks as torch modules under torch.export, torch.compile, torch.jit.trace and AOTInductor; tools.convert."""

import copy
import inspect
import subprocess
import sys

import numpy as np
import pytest
import run_blocks
import torch
from torch.export import Dim

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn, rnn
from mxnet.tools.convert import Network, convert, main

BATCH = {0: Dim("batch")}


def small_network():
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(8, 3, padding=1, activation="relu"),
        nn.BatchNorm(),
        nn.MaxPool2D(),
        nn.Conv2D(16, 1, strides=2),
        nn.BatchNorm(scale=False),
        nn.Dropout(0.5),
        nn.Dense(10),
    )
    return initialized(net, (2, 3, 16, 16))


def initialized(net, *shapes):
    net.initialize(mx.init.Xavier())
    net(*[mx.nd.zeros(s) for s in shapes])
    return net


class Attention(gluon.HybridBlock):
    """A layer as those of BERT."""

    def __init__(self, units=16, heads=2):
        super().__init__()
        self._heads = heads
        with self.name_scope():
            self.embed = nn.Embedding(30, units)
            self.query, self.key, self.value, self.inner = (nn.Dense(units, flatten=False) for _ in range(4))
            self.norm, self.active, self.dropout = nn.LayerNorm(), nn.GELU(), nn.Dropout(0.1)

    def hybrid_forward(self, F, tokens, mask):
        def split(x):
            x = F.transpose(F.reshape(x, shape=(0, 0, self._heads, -1)), axes=(0, 2, 1, 3))
            return F.reshape(x, shape=(-1, 0, 0), reverse=True)

        x = self.embed(tokens)
        scores = F.batch_dot(split(self.query(x)), split(self.key(x)), transpose_b=True) / 4.0
        mixed = F.batch_dot(F.softmax(scores), split(self.value(x)))
        mixed = F.transpose(F.reshape(mixed, shape=(-1, self._heads, 0, 0), reverse=True), axes=(0, 2, 1, 3))
        x = self.norm(x + self.dropout(F.broadcast_mul(F.reshape(mixed, shape=(0, 0, -1)), F.expand_dims(mask, 2))))
        return self.active(self.inner(x)) * (tokens.expand_dims(2) > 3).broadcast_like(x)


def attention():
    return initialized(Attention(), (2, 5), (2, 5))


def symbol_block():
    data, label = mx.sym.var("data"), mx.sym.var("softmax_label")
    hidden = mx.sym.Activation(mx.sym.FullyConnected(data, num_hidden=8), act_type="tanh")
    out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(hidden, num_hidden=4), label)
    block = gluon.SymbolBlock(out, [data, label])
    block.initialize()
    block(mx.nd.zeros((2, 3)), mx.nd.zeros((2,)))
    return block


def cells():
    class Unrolled(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.cell = rnn.LSTMCell(6)

        def hybrid_forward(self, F, x):
            return self.cell.unroll(4, x, merge_outputs=True)[0]

    return initialized(Unrolled(), (2, 4, 3))


NETWORKS = {
    "convolutions": (small_network, [(2, 3, 16, 16)]),
    "attention": (attention, [(2, 5), (2, 5)]),
    "symbol": (symbol_block, [(2, 3), (2,)]),
    "cells": (cells, [(2, 4, 3)]),
    "lstm": (lambda: initialized(rnn.LSTM(8, 2, layout="NTC"), (2, 7, 5)), [(2, 7, 5)]),
    "gru": (lambda: initialized(rnn.GRU(8, layout="NTC", bidirectional=True), (2, 7, 5)), [(2, 7, 5)]),
}


def zoo(name, size):
    def make():
        mx.random.seed(3)
        return initialized(gluon.model_zoo.vision.get_model(name, classes=10), (1, 3, size, size))

    return make, [(2, 3, size, size)]


#: One network of each family.
FAMILIES = {
    "resnet18_v1": 32,
    "resnet18_v2": 32,
    "mobilenet0.25": 32,
    "mobilenetv2_0.25": 32,
    "squeezenet1.1": 224,
    "densenet121": 224,
    "alexnet": 64,
    "vgg11_bn": 32,
    "inceptionv3": 299,
}


def random_inputs(shapes, more=0, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randn((s[0] + more, *s[1:]), generator=generator).abs() * 5 for s in shapes)


def assert_same(found, expected):
    tolerance = 1e-4 * float(expected.abs().max())
    torch.testing.assert_close(found, expected, rtol=0, atol=tolerance)


def check_batches(run, module, shapes, batches=(0, 1, 3)):
    for more in batches:
        inputs = random_inputs(shapes, more)
        with torch.no_grad():
            assert_same(run(*inputs), module(*inputs))


def operators(program):
    return {str(n.target).split(".")[0] for n in program.graph.nodes if n.op == "call_function"}


@pytest.fixture(autouse=True)
def forget_compilations():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


pytestmark = [
    pytest.mark.filterwarnings("ignore:Dynamo detected a call to a `functools.lru_cache`:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning"),  # in torch.compile itself
    pytest.mark.filterwarnings("ignore:.*treespec.*:FutureWarning"),
    # torch.jit.trace still works, whatever torch says of it; older versions have another category
    pytest.mark.filterwarnings("ignore:.*torch.jit.*deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*torch.jit.*deprecated:FutureWarning"),
]


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("strict", [False, True])
def test_export(name, strict):
    make, shapes = NETWORKS[name]
    module = make().as_torch().eval()
    if strict:  # torch looks at the code, which knows no names and, of recurrent layers, one batch size
        program = torch.export.export(module, random_inputs(shapes), strict=True)
        check_batches(program.module(), module, shapes, [0])
        return
    names = list(inspect.signature(module.forward).parameters)[: len(shapes)]
    program = torch.export.export(module, random_inputs(shapes), dynamic_shapes=dict.fromkeys(names, BATCH))
    check_batches(program.module(), module, shapes)
    assert all(op.startswith(("aten", "<built-in")) for op in operators(program))


def test_exported_graphs_are_clean():
    module = small_network().as_torch().eval()
    program = torch.export.export(module, (torch.ones(2, 3, 16, 16),), dynamic_shapes={"x": BATCH})
    expected = {"conv2d", "relu", "batch_norm", "max_pool2d", "flatten", "linear"}
    assert {str(n.target).split(".")[1] for n in program.graph.nodes if n.op == "call_function"} == expected


@pytest.mark.parametrize("name", ["resnet18_v2", "vgg11_bn"])
def test_export_of_the_model_zoo(name):
    check_zoo(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_export_of_every_family(name):
    check_zoo(name)


def check_zoo(name):
    make, shapes = zoo(name, FAMILIES[name])
    module = make().as_torch().eval()
    program = torch.export.export(module, random_inputs(shapes), dynamic_shapes={"x": BATCH})
    check_batches(program.module(), module, shapes, [0, 1])


@pytest.mark.parametrize("name", NETWORKS)
def test_trace_save_and_load(name, tmp_path):
    make, shapes = NETWORKS[name]
    module = make().as_torch().eval()
    inputs = random_inputs(shapes)
    with torch.no_grad():
        module(*inputs)  # folds weights, which the traced module must not have
    traced = torch.jit.trace(module, inputs)
    torch.jit.save(traced, tmp_path / "net.pt")
    check_batches(torch.jit.load(tmp_path / "net.pt"), module, shapes)


def test_trace_is_for_prediction():
    with pytest.raises(mx.MXNetError, match=r"call eval\(\) first"):
        torch.jit.trace(small_network().as_torch().train(), torch.ones(2, 3, 16, 16))


def test_trace_refuses_what_looks_at_numbers():
    class Masked(gluon.HybridBlock):
        def hybrid_forward(self, F, x, chosen):
            return F.contrib.boolean_mask(x, chosen)

    with pytest.raises(mx.MXNetError, match=r"what depends on numbers: .*boolean_mask"):
        torch.jit.trace(Masked().as_torch().eval(), (torch.ones(3, 2), torch.ones(3)))


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compile(name, backend):
    make, shapes = NETWORKS[name]
    module = make().as_torch().eval()
    check_batches(torch.compile(module, backend=backend, fullgraph=True), module, shapes, [0, 1])


def test_compiled_training_learns_the_same():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(8, 3), nn.BatchNorm(), nn.Activation("relu"), nn.BatchNorm(scale=False), nn.Dense(4))
    initialized(net, (2, 3, 8, 8))
    plain, twin = net.as_torch().train(), copy.deepcopy(net.as_torch()).train()
    compiled = torch.compile(twin, backend="aot_eager", fullgraph=True)
    data = torch.randn((4, 3, 8, 8), generator=torch.Generator().manual_seed(0))
    for _ in range(2):
        for run, module in ((plain, plain), (compiled, twin)):
            module.zero_grad()
            run(data).square().sum().backward()
            with torch.no_grad():
                for parameter in module.parameters():
                    if parameter.grad is not None:
                        parameter -= 1e-3 * parameter.grad
    # a fixed gamma has the gradient 0 in MXNet, and none in a graph of torch's
    for (name, a), (_, b) in zip(plain.state_dict().items(), twin.state_dict().items(), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-4, msg=name)
    assert float(twin.get_buffer("1.running_mean").abs().max()) > 0


def test_dropout_of_a_compiled_module_is_random():
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.5))
    compiled = torch.compile(net.as_torch().train(), backend="aot_eager", fullgraph=True)
    first, second = compiled(torch.ones(1000)), compiled(torch.ones(1000))
    assert not torch.equal(first, second) and 0.8 < float(first.mean()) < 1.2
    assert set(first.tolist()) == {0.0, 2.0}


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORKS)
def test_inductor(name):
    make, shapes = NETWORKS[name]
    module = make().as_torch().eval()
    check_batches(torch.compile(module, fullgraph=True), module, shapes, [0, 1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["convolutions", "attention"])
def test_aot_inductor(name, tmp_path):
    make, shapes = NETWORKS[name]
    module = make().as_torch().eval()
    names = list(inspect.signature(module.forward).parameters)
    batch = {0: Dim("batch", max=64)}
    with torch.no_grad():
        program = torch.export.export(module, random_inputs(shapes), dynamic_shapes=dict.fromkeys(names, batch))
        path = torch._inductor.aoti_compile_and_package(program, package_path=str(tmp_path / "net.pt2"))
    check_batches(torch._inductor.aoti_load_package(path), module, shapes)


@pytest.mark.slow
def test_what_the_page_shows(tmp_path, monkeypatch):
    """The block of docs/torch.md that needs a C++ compiler."""
    monkeypatch.chdir(tmp_path)
    example = torch.ones(2, 3, 16, 16)
    module = small_network().as_torch().eval()
    batch = {0: Dim("batch")}
    with torch.no_grad():
        given = {"torch": torch, "module": module}
        given["program"] = torch.export.export(module, (example,), dynamic_shapes={"data": batch})
        exec(run_blocks.program("torch.md", "tests/deploy/test_torch_export.py"), given)
        packaged = torch._inductor.aoti_load_package("net.so.pt2")
        for found in (given["faster"], packaged):
            assert_same(found(example), module(example))


def test_make_fx_and_fake_tensors_see_no_kernels_in_c():
    module = small_network().as_torch().eval()
    data = torch.randn(2, 3, 16, 16)
    from torch.fx.experimental.proxy_tensor import make_fx

    graph = make_fx(module)(data)
    with torch.no_grad():
        assert_same(graph(data), module(data))


def test_names_of_arguments():
    assert list(inspect.signature(symbol_block().as_torch().forward).parameters) == ["data", "softmax_label"]
    assert list(inspect.signature(attention().as_torch().forward).parameters) == ["tokens", "mask"]
    dense = initialized(nn.Dense(2), (1, 3)).as_torch()
    assert list(inspect.signature(dense.forward).parameters) == ["x"]
    data = torch.ones(1, 3)
    torch.testing.assert_close(dense(x=data), dense(data))
    with pytest.raises(mx.MXNetError, match="takes \\(x\\), got y as well"):
        dense(data, y=data)
    with pytest.raises(mx.MXNetError, match="needs the argument 'x'"):
        dense(y=data)


def test_states_of_recurrent_layers_are_arguments():
    layer = initialized(rnn.LSTM(4, layout="NTC"), (2, 3, 5))
    module = layer.as_torch().eval()
    data, states = torch.randn(2, 3, 5), [torch.randn(1, 2, 4), torch.randn(1, 2, 4)]
    program = torch.export.export(module, (data, states))
    found, expected = program.module()(data, states), module(data, states)
    torch.testing.assert_close(found[0], expected[0])
    torch.testing.assert_close(list(found[1]), list(expected[1]))


def test_plain_blocks_and_lists():
    class Plain(gluon.Block):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.dense = nn.Dense(2)

        def forward(self, x, pair):
            return self.dense(x) + pair[0], [pair[1], x]

    net = Plain()
    net.initialize()
    net(mx.nd.zeros((2, 3)), [mx.nd.zeros((2, 2))] * 2)
    module = net.as_torch().eval()
    inputs = torch.randn(2, 3), [torch.randn(2, 2), torch.randn(2, 2)]
    torch.testing.assert_close(torch.export.export(module, inputs).module()(*inputs), module(*inputs))


def test_what_cannot_be_a_graph_is_named():
    class Branch(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.contrib.cond(F.sum(x) > 0, lambda: x * 2, lambda: x * 3)

    class Python(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return x * x.shape[0]

    for net, message in ((Branch(), r"cannot hold .*\(_cond\)"), (Python(), "does not run on symbols")):
        net.initialize()
        with pytest.raises(mx.MXNetError, match=message):
            torch.export.export(net.as_torch().eval(), (torch.ones(2, 2),))
    dense = nn.Dense(2)
    dense.initialize()
    with pytest.raises(ValueError, match="uninitialized parameter"):  # says torch
        torch.export.export(dense.as_torch().eval(), (torch.ones(2, 2),))


# ---- the tool --------------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    """Files of a Gluon network, and of a Module with a loss head."""
    net = small_network()
    net.hybridize()
    net(mx.nd.zeros((2, 3, 16, 16)))
    net.export(str(tmp_path / "net"))
    out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc"), name="softmax")
    module = mx.mod.Module(out)
    module.bind([("data", (2, 3))], [("softmax_label", (2,))])
    module.init_params(mx.init.Xavier())
    module.save_checkpoint(str(tmp_path / "mlp"), 0)
    return tmp_path


@pytest.mark.parametrize("ending", ["onnx", "pt2", "safetensors"])
@pytest.mark.parametrize("name, shape", [("net", (1, 3, 16, 16)), ("mlp", (2, 3))])
def test_convert(saved, ending, name, shape):
    if ending != "pt2":
        pytest.importorskip("onnxruntime" if ending == "onnx" else "safetensors")
    lines = []
    files = [str(saved / f) for f in (f"{name}-symbol.json", f"{name}-0000.params", f"{name}.{ending}")]
    assert convert(*files, {"data": shape}, dynamic_batch=True, report=lines.append) < 1e-4
    assert files[2] in lines[-1]


@pytest.mark.parametrize("ending", ["onnx", "pt2"])
def test_convert_gives_inputs_that_the_network_takes(tmp_path, ending):
    if ending == "onnx":
        pytest.importorskip("onnxruntime")
    words = gluon.nn.HybridSequential()
    words.add(gluon.nn.Embedding(50, 4), gluon.rnn.GRU(3, layout="NTC", input_size=4))
    half = gluon.nn.Dense(4, in_units=3)
    half.cast("float16")
    for name, net, data in (
        ("words", words, mx.nd.array([[1, 2]])),
        ("half", half, mx.nd.ones((2, 3), dtype="float16")),
    ):
        net.initialize(mx.init.Uniform(1))
        net.hybridize()
        net(data)
        net.export(str(tmp_path / name))
        files = [str(tmp_path / f) for f in (f"{name}-symbol.json", f"{name}-0000.params", f"{name}.{ending}")]
        assert convert(*files, {"data": data.shape}, report=lambda _: None) < 1e-2
        (given,) = Network(*files[:2], {"data": data.shape}).inputs(0, more=20)
        assert given.dtype == data.dtype
        assert name == "half" or len(np.unique(given)) > 10  # numbers of words, not only 0


def test_symbol_block_from_files(saved):
    block = gluon.SymbolBlock.imports(str(saved / "net-symbol.json"), ["data"], str(saved / "net-0000.params"))
    module = block.as_torch().eval()
    shapes = [(2, 3, 16, 16)]
    program = torch.export.export(module, random_inputs(shapes), dynamic_shapes={"data": BATCH})
    check_batches(program.module(), module, shapes)


def test_convert_says_what_is_wrong(saved, capsys, monkeypatch):
    files = [str(saved / "mlp-symbol.json"), str(saved / "mlp-0000.params")]
    for target, shape, message in (
        ("net.pt2", [], "--shape NAME=1,3,224,224 for data, softmax_label"),
        ("net.pt2", ["--shape", "date=2,3"], "there is no input date"),
        ("net.xyz", ["--shape", "data=2,3"], "ends in none of .onnx, .pt2, .pte, .safetensors"),
        ("net.pt2", ["--shape", "data=2,3", "--rtol", "-1"], "gives other numbers than here"),
    ):
        assert main([*files, str(saved / target), *shape]) == 1
        assert message in capsys.readouterr().err
    for module in [m for m in sys.modules if m.startswith("executorch")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "executorch", None)
    assert main([*files, str(saved / "net.pte"), "--shape", "data=2,3"]) == 1
    assert "pip install executorch" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*files, "net.pt2", "--shape", "data=2,-3"])


def test_the_command(saved):
    command = [sys.executable, "-m", "mxnet.tools.convert", saved / "mlp-symbol.json", saved / "mlp-0000.params"]
    done = subprocess.run([*command, saved / "mlp.pt2", "--shape", "data=2,3"], capture_output=True, text=True)
    assert done.returncode == 0 and "as computed here" in done.stdout, done.stderr
    found = torch.export.load(saved / "mlp.pt2").module()(torch.zeros(2, 3))
    np.testing.assert_allclose(found.sum(1).detach().numpy(), 1, rtol=1e-5)
