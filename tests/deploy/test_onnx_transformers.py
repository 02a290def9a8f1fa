"""Networks of the transformers package, exported by torch's both exporters, come in as ours.

``make transformers`` gets the package into data/transformers, and runs this. Weights are random: nothing is fetched.
"""

import logging
import sys

import numpy as np
import pytest
import torch
from paths import ROOT

import mxnet as mx

pytest.importorskip("onnx")
PACKAGES = ROOT / "data" / "transformers"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PACKAGES.exists(), reason="transformers is missing: make transformers gets it"),
    pytest.mark.filterwarnings("ignore"),  # theirs
]

WORDS = {"vocab_size": 60}
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, **WORDS}
PICTURE = {"image_size": 32, "patch_size": 8}
#: Model, configuration, and what it takes.
NETWORKS = {
    "BertModel": ("BertConfig", {**SIZES, "max_position_embeddings": 64}, {}),
    "DistilBertModel": ("DistilBertConfig", {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64, **WORDS}, {}),
    "RobertaModel": ("RobertaConfig", {**SIZES, "max_position_embeddings": 34}, {}),
    "GPT2LMHeadModel": ("GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 2, **WORDS}, {"use_cache": False}),
    "LlamaForCausalLM": ("LlamaConfig", {**SIZES, "num_key_value_heads": 2}, {"use_cache": False}),
    "ViTModel": ("ViTConfig", {**SIZES, **PICTURE}, None),
    "ConvNextModel": ("ConvNextConfig", {"hidden_sizes": [8, 16, 24, 32], "depths": [1, 1, 1, 1]}, None),
}  # fmt: skip


class First(torch.nn.Module):
    """A network with tokens or pixels in and its first output out."""

    def __init__(self, net, options):
        super().__init__()
        self.net, self.options = net, options

    def forward(self, x):
        """One tensor."""
        return self.net(pixel_values=x)[0] if self.options is None else self.net(input_ids=x, **self.options)[0]


def exported(name, opset, tmp_path, monkeypatch, open_dimensions=None):
    """A network, what it was exported with, and a function that runs it as imported."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(PACKAGES)])
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(logging.root.manager, "disable", logging.WARNING)
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("onnxscript")
    config, sizes, options = NETWORKS[name]
    torch.manual_seed(0)
    net = First(getattr(transformers, name)(getattr(transformers, config)(**sizes)), options).eval()
    x = torch.randn(2, 3, 32, 32) if options is None else torch.randint(0, 60, (2, 7))
    path = str(tmp_path / "net.onnx")
    shapes = {"dynamic_shapes": (open_dimensions,)} if open_dimensions else {}
    with torch.no_grad():
        try:
            torch.onnx.export(net, (x,), path, opset_version=opset, dynamo=opset > 17, input_names=["x"], **shapes)
        except torch.onnx.errors.UnsupportedOperatorError as error:
            pytest.skip(f"torch's older exporter cannot: {error}")
    block = mx.onnx.import_to_gluon(path)

    def run(x):
        found = block(mx.nd.array(x.numpy(), dtype=x.numpy().dtype))
        return (found[0] if isinstance(found, list | tuple) else found).asnumpy()

    return net, x, run


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4 * np.abs(wanted).max())


@pytest.mark.parametrize("opset", [17, 18, 21])
@pytest.mark.parametrize("name", NETWORKS)
def test_networks_of_transformers(name, opset, tmp_path, monkeypatch):
    net, x, run = exported(name, opset, tmp_path, monkeypatch)
    with torch.no_grad():
        close(run(x), net(x).numpy())


@pytest.mark.parametrize(
    "name", ["BertModel", "DistilBertModel", "RobertaModel", "GPT2LMHeadModel", "LlamaForCausalLM"]
)
def test_open_batch_and_length(name, tmp_path, monkeypatch):
    """What torch exports with dynamic dimensions is imported with them: one model for texts of any length."""
    net, _, run = exported(name, 18, tmp_path, monkeypatch, {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO})
    for batch, length in ((2, 7), (3, 5)):
        x = torch.randint(0, 60, (batch, length))
        with torch.no_grad():
            close(run(x), net(x).numpy())
