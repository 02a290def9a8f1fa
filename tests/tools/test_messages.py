"""Messages of errors that newcomers meet: they name what was given, by names that users know, and what to do."""

import re
import subprocess
import sys

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.error import MXNetError
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import model_store, torchvision


def module():
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    made = mx.mod.Module(mx.sym.SoftmaxOutput(symbol, name="softmax"))
    made.bind([("data", (2, 5))], [("softmax_label", (2,))])
    made.init_params()
    return made


def test_data_of_another_width_is_to_blame_not_the_weight():
    wide = mx.io.NDArrayIter(np.ones((4, 7)), np.ones(4), batch_size=2)
    for call in (
        lambda: module().forward(mx.io.DataBatch([nd.ones((2, 7))], [nd.ones(2)])),
        lambda: module().predict(wide),
        lambda: module().score(wide, "acc"),
    ):
        with pytest.raises(ValueError, match=re.escape("'data' has (2, 7), it was bound for (2, 5)")) as caught:
            call()
        assert "partial_shaping" not in str(caught.value) and "fc_weight" in str(caught.value)
    more = module()  # another number of examples is no mistake
    more.forward(mx.io.DataBatch([nd.ones((3, 5))], [nd.ones(3)]))
    assert more.get_outputs()[0].shape == (3, 3)


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("kind", [gluon.rnn.LSTM, gluon.rnn.GRU, gluon.rnn.RNN])
def test_recurrent_layers_speak_of_the_layout(kind, hybrid):
    layer = kind(8)
    layer.initialize()
    if hybrid:
        layer.hybridize()
    with pytest.raises(ValueError, match=r"In the layout TNC .* is 10 examples of 4 steps.* layout='NTC'"):
        layer(nd.ones((4, 10, 6)), layer.begin_state(4))
    output, _ = layer(nd.ones((10, 4, 6)), layer.begin_state(4))
    assert output.shape == (10, 4, 8)


def test_score_without_labels():
    with pytest.raises(ValueError, match=r"no labels were given.*NDArrayIter\(data, label\)"):
        module().score(mx.io.NDArrayIter(np.ones((4, 5)), batch_size=2), "acc")


def test_imports_with_a_wrong_name(tmp_path):
    net = nn.Dense(4, prefix="fc_")
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 3)))
    net.export(str(tmp_path / "net"))
    files = str(tmp_path / "net-symbol.json"), str(tmp_path / "net-0000.params")
    with pytest.raises(MXNetError, match=r"has no input 'input'.*input_names=\['data'\]") as caught:
        gluon.SymbolBlock.imports(files[0], ["input"], files[1])
    assert "mxnet.io" not in str(caught.value)
    with pytest.raises(MXNetError, match=r"has no input 'input'.*'data', 'fc_weight', 'fc_bias'"):
        gluon.SymbolBlock.imports(files[0], ["input"])
    both = gluon.SymbolBlock.imports(files[0], ["data", "unused"], files[1])  # the graph may leave an input out
    with pytest.warns(UserWarning, match="not used by any computation"):
        assert both(nd.ones((1, 3)), nd.ones(1)).shape == (1, 4)


@pytest.mark.parametrize(
    "content, words",
    [
        (b"<!DOCTYPE html><html><body>Not Found</body></html>", "this is an HTML page"),
        (b"\n  <html><head></head><body>404</body></html>", "this is an HTML page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
        (b"PK\x03\x04" + bytes(40), "a ZIP archive"),
        (b"\x1f\x8b\x08" + bytes(40), "a compressed file"),
        (b"\x93NUMPY" + bytes(40), "numpy.load"),
        (b'{"nodes": [], "arg_nodes": []}', "mx.sym.load"),
        (b"", "the file is empty"),
    ],
)
def test_files_that_are_something_else(tmp_path, content, words):
    path = str(tmp_path / "net.params")
    with open(path, "wb") as stream:
        stream.write(content)
    for load in (nd.load, nn.Dense(2).load_parameters):
        with pytest.raises(MXNetError, match=re.escape(words)) as caught:
            load(path)
        assert path in str(caught.value)
    if content.lstrip().startswith(b"<"):
        with pytest.raises(MXNetError, match=r"this is an HTML page.*not a Symbol file"):
            mx.sym.load(path)


def test_a_file_that_was_cut(tmp_path):
    path = tmp_path / "net.params"
    nd.save(str(path), {"w": nd.ones((4, 3))})
    path.write_bytes(path.read_bytes()[:80])
    with pytest.raises(MXNetError, match="the file ends within") as caught:
        nd.load(str(path))
    assert ",," not in str(caught.value) and ", ," not in str(caught.value)


def test_set_data_names_the_parameter():
    net = nn.Dense(4, in_units=3, prefix="fc_")
    net.initialize()
    with pytest.raises(
        AssertionError, match=r"'fc_weight': the new shape \(3, 4\) is incompatible with its shape \(4, 3\)"
    ):
        net.weight.set_data(nd.ones((3, 4)))


def test_names_of_operators_are_those_of_users():
    with pytest.raises(MXNetError) as caught:
        gluon.loss.SoftmaxCELoss()(nd.ones((2, 3)), nd.ones(4))
    assert str(caught.value).startswith("softmax cross-entropy: index has shape (4,), expected (2,)")
    for call, name in (
        (lambda: mx.np.add(mx.np.ones((2, 3)), mx.np.ones(4)), "np.add: "),
        (lambda: mx.np.matmul(mx.np.ones((2, 3)), mx.np.ones((2, 3))), "np.matmul: "),
        (lambda: mx.np.concatenate([mx.np.ones((2, 3)), mx.np.ones((4, 4))], axis=1), "np.concatenate: "),
    ):
        with pytest.raises(MXNetError) as caught:
            call()
        assert str(caught.value).startswith(name) and "_npi" not in str(caught.value) and ".." not in str(caught.value)


def test_python_proposes_public_names_only(tmp_path):
    program = "import mxnet as mx\ne = mx.sym.exp(mx.sym.var('x')).simple_bind(mx.cpu(), x=(1,))\ne.{}\n"
    for wrong, right in (("shapes", "reshape"), ("output", "outputs"), ("forwards", "forward")):
        path = tmp_path / "program.py"
        path.write_text(program.format(wrong))
        text = subprocess.run([sys.executable, path], capture_output=True, text=True).stderr
        assert f"Did you mean: '{right}'?" in text and "'_" not in text, text


def test_advice_for_weights_is_a_command_that_works():
    for name in model_store._model_sha1:
        text = model_store._from_torchvision(name)
        assert (f"mxnet.tools.fetch {name} --from torchvision" in text) is (name in torchvision.FILES)


def test_simple_bind_without_shapes():
    with pytest.raises(
        ValueError, match=r"shapes of data, fc_weight, fc_bias are not known, none was given: .*data=\("
    ):
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc").simple_bind(mx.cpu())


def test_a_network_that_is_not_initialized_as_torch():
    with pytest.raises(MXNetError, match=r"call initialize\(\) before as_torch\(\)"):
        nn.Dense(3).as_torch()
