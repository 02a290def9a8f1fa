"""Operators that are layers of torch: how they are made, and where their numbers come from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from ..error import MXNetNotImplementedError
from ..graph.node import Node
from ..ops.nn.layout import transposed_sizes
from .sizes import Sizes
from .tree import Make, Name, Value, Weight, value_of

Shape = tuple[int, ...]


@dataclass(eq=False)
class Site:
    """A node in its place: attributes, and shapes and dtypes of what it takes and gives."""

    node: Node
    sizes: Sizes
    dtypes: Mapping[Value, Any]
    #: The variables that are parameters or states, by node; all others are arguments.
    parameters: Mapping[Node, Any]
    #: What is known to be zeros, e.g. states to begin with.
    zeros: set[Node] = field(default_factory=set)

    def __post_init__(self) -> None:
        assert self.node.op is not None
        self.op = self.node.op.name
        self.shapes = self.sizes.shapes
        self.attrs: dict[str, Any] = self.node.op.with_defaults(self.node.parsed())

    def shape(self, i: int = 0) -> Shape:
        """The shape of an input."""
        return tuple(self.shapes[value_of(self.node.inputs[i])])

    def out_shape(self, i: int = 0) -> Shape:
        """The shape of an output."""
        return tuple(self.shapes[self.node, i])

    def dtype(self, i: int = 0) -> torch.dtype:
        """The dtype of an input; float32 where it is unknown."""
        return self.dtypes.get(value_of(self.node.inputs[i])) or torch.float32

    @property
    def ndim(self) -> int:
        """How many dimensions the first input has."""
        return len(self.shape())

    def has_parameters(self, *places: int) -> bool:
        """Are these inputs parameters of the network?"""
        return all(p < len(self.node.inputs) and self.node.inputs[p].node in self.parameters for p in places)

    def weight(self, place: int) -> Weight:
        """A parameter unchanged."""
        return Weight(self.node.inputs[place].node.name, self.shape(place))

    def refuse(self, reason: str) -> MXNetNotImplementedError:
        """An error about this node."""
        return MXNetNotImplementedError(f"{self.node.name} ({self.op}): {reason}")


@dataclass(eq=False)
class Layer:
    """How an operator is done by a module: what is done before it, as a text and as a module, and the module."""

    make: Make
    #: Which inputs are given to it.
    takes: Sequence[int] = (0,)
    before: str = "{0}"
    before_make: Make | None = None
    #: What is done with its result.
    after: str = "{0}"
    name: str = "layer"


def one(values: Sequence[int]) -> Any:
    """A size for all dimensions, if they are the same."""
    return values[0] if len(set(values)) == 1 else tuple(values)


def _full(values: Sequence[int], dims: int, default: int) -> tuple[int, ...]:
    return tuple(values[:dims]) if values else (default,) * dims


def _is_channels_first(site: Site) -> bool:
    layout = site.attrs.get("layout")
    return layout in (None, "None") or layout[1] == "C"


def _convolution(site: Site) -> Layer | None:
    a, has_bias = site.attrs, not site.attrs["no_bias"]
    if not site.has_parameters(1, *([2] if has_bias else [])) or not _is_channels_first(site):
        return None
    dims = len(a["kernel"])
    channels, weight = site.shape()[1], site.shape(1)
    args = {
        "in_channels": channels,
        "out_channels": weight[0],
        "kernel_size": one(a["kernel"]),
        "stride": one(_full(a["stride"], dims, 1)),
        "padding": one(_full(a["pad"], dims, 0)),
        "dilation": one(_full(a["dilate"], dims, 1)),
        "groups": a["num_group"],
        "bias": has_bias,
    }
    weights = {"weight": site.weight(1), **({"bias": site.weight(2)} if has_bias else {})}
    return Layer(Make(f"nn.Conv{dims}d", args, weights=weights), name="conv")


def _deconvolution(site: Site) -> Layer | None:
    a, has_bias = site.attrs, not site.attrs["no_bias"]
    if not site.has_parameters(1, *([2] if has_bias else [])) or not _is_channels_first(site):
        return None
    dims, sizes = len(a["kernel"]), site.shape()[2:]
    stride, dilate = _full(a["stride"], dims, 1), _full(a["dilate"], dims, 1)
    pad, extra = _full(a["pad"], dims, 0), _full(a["adj"], dims, 0)
    if a.get("target_shape") and any(a["target_shape"]):
        # The padding for these sizes; other sizes have another one, and torch's layers a fixed one.
        full = transposed_sizes(sizes, a["kernel"], stride, dilate)
        cut = [total - wanted for total, wanted in zip(full, site.out_shape()[2:], strict=True)]
        pad, extra = tuple((c + 1) // 2 for c in cut), tuple(c % 2 for c in cut)
    args = {
        "in_channels": site.shape()[1],
        "out_channels": site.out_shape()[1],
        "kernel_size": one(a["kernel"]),
        "stride": one(stride),
        "padding": one(pad),
        "output_padding": one(extra),
        "groups": a["num_group"],
        "bias": has_bias,
        "dilation": one(dilate),
    }
    weights = {"weight": site.weight(1), **({"bias": site.weight(2)} if has_bias else {})}
    return Layer(Make(f"nn.ConvTranspose{dims}d", args, weights=weights), name="deconv")


def _dense(site: Site) -> Layer | None:
    a, has_bias = site.attrs, not site.attrs["no_bias"]
    if not site.has_parameters(1, *([2] if has_bias else [])):
        return None
    out, features = site.shape(1)
    args = {"in_features": features, "out_features": out, "bias": has_bias}
    weights = {"weight": site.weight(1), **({"bias": site.weight(2)} if has_bias else {})}
    layer = Layer(Make("nn.Linear", args, weights=weights), name="fc")
    if a["flatten"] and site.ndim > 2:
        layer.before, layer.before_make = "{0}.flatten(1)", Make("nn.Flatten")
    return layer


def _batch_norm(site: Site) -> Layer | None:
    a = site.attrs
    if not site.has_parameters(1, 2, 3, 4) or a.get("output_mean_var"):
        return None
    axis = a.get("axis", 1) % site.ndim
    channels = site.shape()[axis]
    dims = {2: 1, 3: 1, 4: 2, 5: 3}.get(site.ndim)
    if dims is None:
        return None
    args = {
        "num_features": channels,
        "eps": _round(a["eps"]),
        "momentum": _round(1 - a["momentum"]),
        "fix_gamma": a["fix_gamma"],
        "use_global_stats": a["use_global_stats"],
    }
    gamma = Weight(None, (channels,), fill=1) if a["fix_gamma"] else site.weight(1)
    weights = {
        "weight": gamma,
        "bias": site.weight(2),
        "running_mean": site.weight(3),
        "running_var": site.weight(4),
        "num_batches_tracked": Weight(None, ()),
    }
    layer = Layer(Make(f"BatchNorm{dims}d", args, weights=weights), name="bn")
    if axis != 1:
        layer.before, layer.after = f"{{0}}.transpose(1, {axis})", f"{{0}}.transpose(1, {axis})"
    return layer


def _layer_norm(site: Site) -> Layer | None:
    if not site.has_parameters(1, 2) or site.attrs["output_mean_var"]:
        return None
    axis = site.attrs["axis"] % site.ndim
    args = {"normalized_shape": site.shape()[axis], "eps": _round(site.attrs["eps"])}
    make = Make("nn.LayerNorm", args, weights={"weight": site.weight(1), "bias": site.weight(2)})
    layer = Layer(make, name="norm")
    if axis != site.ndim - 1:
        layer.before, layer.after = f"{{0}}.transpose({axis}, -1)", f"{{0}}.transpose({axis}, -1)"
    return layer


def _instance_norm(site: Site) -> Layer | None:
    dims = site.ndim - 2
    if not site.has_parameters(1, 2) or dims not in (1, 2, 3):
        return None
    args = {"num_features": site.shape()[1], "eps": _round(site.attrs["eps"]), "affine": True}
    make = Make(f"nn.InstanceNorm{dims}d", args, weights={"weight": site.weight(1), "bias": site.weight(2)})
    return Layer(make, name="norm")


def _embedding(site: Site) -> Layer | None:
    if not site.has_parameters(1):
        return None
    rows, columns = site.shape(1)
    make = Make("nn.Embedding", {"num_embeddings": rows, "embedding_dim": columns}, weights={"weight": site.weight(1)})
    layer = Layer(make, name="embedding")
    if site.dtype() not in (torch.int32, torch.int64):
        layer.before, layer.before_make = "{0}.long()", Make("ToIndex")
    return layer


def _prelu(site: Site) -> Layer | None:
    if site.attrs["act_type"] != "prelu" or not site.has_parameters(1) or len(site.shape(1)) != 1:
        return None
    make = Make("nn.PReLU", {"num_parameters": site.shape(1)[0]}, weights={"weight": site.weight(1)})
    return Layer(make, name="prelu")


_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


def recurrent(site: Site, names: Sequence[Weight] | None = None, batch_first: bool = False) -> Layer | None:
    """The fused operator as nn.LSTM, nn.GRU or nn.RNN; ``names`` are its parts if the vector is put together."""
    a = site.attrs
    clipped = a["lstm_state_clip_min"] is not None or a["lstm_state_clip_max"] is not None
    if a["use_sequence_length"] or clipped or (names is None and not site.has_parameters(1)):
        return None
    mode, hidden, layers = a["mode"], a["state_size"], a["num_layers"]
    directions, projected = (2 if a["bidirectional"] else 1), a["projection_size"]
    features, rows = site.shape()[-1], _GATES[mode] * a["state_size"]
    weights: dict[str, Weight] = {}
    offset, parts = 0, list(names or ())

    def take(key: str, shape: Shape) -> None:
        nonlocal offset
        if parts:
            weights[key] = parts.pop(0)
        else:
            weights[key] = Weight(site.node.inputs[1].node.name, shape, offset)
        offset += math.prod(shape)

    endings = [(layer, "_reverse" if d else "") for layer in range(layers) for d in range(directions)]
    for layer, ending in endings:
        columns = features if layer == 0 else directions * (projected or hidden)
        take(f"weight_ih_l{layer}{ending}", (rows, columns))
        take(f"weight_hh_l{layer}{ending}", (rows, projected or hidden))
        if projected:
            take(f"weight_hr_l{layer}{ending}", (projected, hidden))
    for layer, ending in endings:
        take(f"bias_ih_l{layer}{ending}", (rows,))
        take(f"bias_hh_l{layer}{ending}", (rows,))
    args: dict[str, Any] = {"input_size": features, "hidden_size": hidden, "num_layers": layers}
    if mode == "rnn_relu":
        args["nonlinearity"] = "relu"
    args |= {"batch_first": batch_first, "dropout": _round(a["p"]) if layers > 1 else 0.0}
    args |= {"bidirectional": directions == 2}
    if projected:
        args["proj_size"] = projected
    kind = {"lstm": "nn.LSTM", "gru": "nn.GRU"}.get(mode, "nn.RNN")
    return Layer(Make(kind, args, weights=weights), name=kind[3:].lower())


# ---- without parameters ----------------------------------------------------------------------------------------------


def _round(number: float) -> float:
    """The number that was meant: 1 - 0.9 is 0.1."""
    return float(f"{number:.9g}")


def _pooling(site: Site) -> Layer | None:
    a, dims = site.attrs, site.ndim - 2
    kind = a["pool_type"]
    if dims not in (1, 2, 3) or kind not in ("max", "avg") or not _is_channels_first(site):
        return None
    if a["global_pool"]:
        name = {"max": f"nn.AdaptiveMaxPool{dims}d", "avg": f"nn.AdaptiveAvgPool{dims}d"}[kind]
        return Layer(Make(name, {"output_size": 1}), name="pool")
    kernel, stride = tuple(a["kernel"]), _full(a["stride"], dims, 1)
    pad = _full(a["pad"], dims, 0)
    full = a["pooling_convention"] == "full"
    if a["pooling_convention"] == "same" or any(2 * p > k for k, p in zip(kernel, pad, strict=True)):
        return None
    if full and any(s > k - p for k, s, p in zip(kernel, stride, pad, strict=True)):
        return None  # torch drops a window that begins in the padding
    if site.op == "Pooling_v1" and any(pad):
        return None
    sizes = site.shape()[2:]
    if dims == 3 and kind == "avg" and any(k > n for k, n in zip(kernel, sizes, strict=True)):
        return None
    args: dict[str, Any] = {"kernel_size": one(kernel), "stride": one(stride), "padding": one(pad)}
    args["ceil_mode"] = full
    if kind == "avg":
        args["count_include_pad"] = a.get("count_include_pad") is not False or not any(pad)
        if site.op == "Pooling_v1" and full:
            return None
    return Layer(Make(f"nn.{kind.title()}Pool{dims}d", args), name="pool")


def _dropout(site: Site) -> Layer | None:
    if site.attrs["axes"] or site.attrs["mode"] == "always":
        return None
    return Layer(Make("nn.Dropout", {"p": _round(site.attrs["p"])}), name="dropout")


_ACTIVATIONS = {"relu": "ReLU", "sigmoid": "Sigmoid", "tanh": "Tanh", "softrelu": "Softplus", "softsign": "Softsign"}


def _activation(site: Site) -> Layer | None:
    return Layer(Make(f"nn.{_ACTIVATIONS[site.attrs['act_type']]}"), name="act")


def _leaky(site: Site) -> Layer | None:
    kind, slope = site.attrs["act_type"], _round(site.attrs["slope"])
    if kind == "prelu":
        return _prelu(site)
    if kind == "leaky":
        return Layer(Make("nn.LeakyReLU", {"negative_slope": slope}), name="act")
    if kind == "elu":
        return Layer(Make("nn.ELU", {"alpha": slope}), name="act")
    return Layer(Make(f"nn.{kind.upper()}"), name="act") if kind in ("selu", "gelu") else None


def _clip(site: Site) -> Layer | None:
    return Layer(Make("nn.ReLU6"), name="act") if (site.attrs["a_min"], site.attrs["a_max"]) == (0, 6) else None


def _plain(name: str, layer: str = "act") -> Callable[[Site], Layer]:
    return lambda site: Layer(Make(f"nn.{name}"), name=layer)


def _softmax(site: Site) -> Layer | None:
    a = site.attrs
    if a.get("use_length") or a.get("temperature") not in (None, 1.0) or a.get("dtype") is not None:
        return None
    return Layer(Make("nn.LogSoftmax" if site.op == "log_softmax" else "nn.Softmax", {"dim": a["axis"]}), name="act")


def _adaptive(site: Site) -> Layer | None:
    size = site.attrs["output_size"]
    return Layer(Make("nn.AdaptiveAvgPool2d", {"output_size": one(size) if size else 1}), name="pool")


def _lrn(site: Site) -> Layer:
    a = site.attrs
    args = {"size": a["nsize"], "alpha": _round(a["alpha"]), "beta": _round(a["beta"]), "k": _round(a["knorm"])}
    return Layer(Make("nn.LocalResponseNorm", args), name="lrn")


LAYERS: dict[str, Callable[[Site], Layer | None]] = {
    "Convolution": _convolution,
    "Convolution_v1": _convolution,
    "Deconvolution": _deconvolution,
    "FullyConnected": _dense,
    "BatchNorm": _batch_norm,
    "BatchNorm_v1": _batch_norm,
    "_contrib_SyncBatchNorm": _batch_norm,
    "LayerNorm": _layer_norm,
    "InstanceNorm": _instance_norm,
    "LRN": _lrn,
    "Embedding": _embedding,
    "_contrib_SparseEmbedding": _embedding,
    "LeakyReLU": _leaky,
    "Pooling": _pooling,
    "Pooling_v1": _pooling,
    "Dropout": _dropout,
    "Activation": _activation,
    "clip": _clip,
    "relu": _plain("ReLU"),
    "_npx_relu": _plain("ReLU"),
    "sigmoid": _plain("Sigmoid"),
    "_npx_sigmoid": _plain("Sigmoid"),
    "tanh": _plain("Tanh"),
    "softsign": _plain("Softsign"),
    "Flatten": _plain("Flatten", "flatten"),
    "_copy": _plain("Identity", "identity"),
    "identity": _plain("Identity", "identity"),
    "softmax": _softmax,
    "log_softmax": _softmax,
    "_contrib_AdaptiveAvgPooling2D": _adaptive,
}

#: Layers without parameters that are made in a class too; all others are functions there.
_MADE = ("Pooling", "Pooling_v1", "Dropout")


def layer_of(site: Site, in_class: bool) -> Layer | None:
    """The module for a node, if there is one; in a class only what has parameters, pools or drops out."""
    make = LAYERS.get(site.op)
    layer = make(site) if make is not None and site.node.inputs and site.ndim > 1 else None
    if layer is None or (in_class and not layer.make.weights and site.op not in _MADE):
        return None
    needs_forward = layer.after != "{0}" or (layer.before != "{0}" and layer.before_make is None)
    return layer if in_class or not needs_forward else None


#: What the arguments of layers are if they are not given, in order. Those without a default are positional.
_REQUIRED = Name("required")
_CONV: dict[str, Any] = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1, "bias": True}
_NORM: dict[str, Any] = {"eps": 1e-5, "momentum": 0.1, "fix_gamma": False, "use_global_stats": False}
_POOL: dict[str, Any] = {"padding": 0, "ceil_mode": False, "count_include_pad": True}
_RNN: dict[str, Any] = {"num_layers": 1, "nonlinearity": "tanh", "batch_first": False, "dropout": 0.0}
DEFAULTS: dict[str, dict[str, Any]] = {
    **{f"nn.Conv{n}d": _CONV for n in (1, 2, 3)},
    **{f"nn.ConvTranspose{n}d": {**_CONV, "output_padding": 0} for n in (1, 2, 3)},
    **{f"BatchNorm{n}d": _NORM for n in (1, 2, 3)},
    **{f"nn.InstanceNorm{n}d": {"eps": 1e-5, "affine": False} for n in (1, 2, 3)},
    **{f"nn.{k}Pool{n}d": _POOL for k in ("Max", "Avg") for n in (1, 2, 3)},
    **{f"nn.{k}": {**_RNN, "bidirectional": False, "proj_size": 0} for k in ("LSTM", "GRU", "RNN")},
    "nn.Linear": {"bias": True},
    "nn.LayerNorm": {"eps": 1e-5},
    "nn.LeakyReLU": {"negative_slope": 0.01},
    "nn.ELU": {"alpha": 1.0},
    "nn.PReLU": {"num_parameters": 1},
}
#: Arguments that are written without their name.
POSITIONAL = {
    "in_channels",
    "out_channels",
    "kernel_size",
    "in_features",
    "out_features",
    "num_features",
    "normalized_shape",
    "num_embeddings",
    "embedding_dim",
    "input_size",
    "hidden_size",
    "output_size",
    "num_parameters",
    "negative_slope",
    "alpha",
    "p",
}
