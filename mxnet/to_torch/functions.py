"""Operators as expressions of torch: a line each where a line says it, a function where shapes decide."""

from __future__ import annotations

from typing import Any

import torch

from ..ops.reduce import reduced_axes
from . import math_functions, shape_functions  # noqa: F401  (register their rules)
from .expressions import CALL, PRODUCT, RULES, SUM, UNARY, Expression, expression, number, rule
from .layers import Site, one
from .tree import Literal

_BINARY = {"add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT), "div": ("/", PRODUCT), "power": ("**", UNARY)}
_COMPARE = {
    "equal": "==",
    "not_equal": "!=",
    "greater": ">",
    "greater_equal": ">=",
    "lesser": "<",
    "lesser_equal": "<=",
}
_SCALAR = {
    "plus": ("+", SUM),
    "minus": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "power": ("**", UNARY),
}

TEXTS: dict[str, tuple[str, int, str]] = {}
for _name, (_sign, _level) in _BINARY.items():
    for _op in (f"elemwise_{_name}", f"broadcast_{_name}"):
        TEXTS[_op] = (f"{{0}} {_sign} {{1}}", _level, {"add": "total", "mul": "product"}.get(_name, "result"))
TEXTS["_power"] = TEXTS["broadcast_power"]
TEXTS["_grad_add"] = TEXTS["broadcast_add"]
_ARITHMETIC_NP = {"add": "+", "subtract": "-", "multiply": "*", "true_divide": "/", "power": "**", "matmul": "@"}
for _name, _sign in _ARITHMETIC_NP.items():
    _level = SUM if _sign in "+-" else UNARY if _sign == "**" else PRODUCT
    TEXTS[f"_npi_{_name}"] = (f"{{0}} {_sign} {{1}}", _level, "result")
for _name, _sign in _COMPARE.items():
    for _op in (f"_{_name}", f"broadcast_{_name}"):
        TEXTS[_op] = (f"({{0}} {_sign} {{1}}).to({{0}}.dtype)", CALL, "mask")
for _name in ("maximum", "minimum"):
    for _op in (f"_{_name}", f"broadcast_{_name}"):
        TEXTS[_op] = (f"torch.{_name}({{0}}, {{1}})", CALL, "result")
for _name in ("abs", "sign", "square", "sqrt", "rsqrt", "reciprocal", "exp", "expm1", "log", "log10", "log2", "log1p"):
    TEXTS[_name] = (f"{{0}}.{_name}()", CALL, _name)
for _name in ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "arcsinh", "arccosh", "arctanh"):
    TEXTS[_name] = (f"{{0}}.{_name}()", CALL, _name)
for _name in ("erf", "ceil", "floor", "trunc", "sigmoid", "tanh"):
    TEXTS[_name] = (f"{{0}}.{_name}()", CALL, _name)
for _name in ("exp", "log", "sqrt", "square", "sin", "cos", "tanh", "floor", "ceil", "absolute"):
    TEXTS[f"_npi_{_name}"] = (f"{{0}}.{_name}()", CALL, _name)
TEXTS |= {
    "negative": ("-{0}", UNARY, "negative"),
    "_mod": ("torch.remainder({0}, {1}).masked_fill({1} == 0, 0)", CALL, "rest"),
    "broadcast_mod": ("torch.remainder({0}, {1}).masked_fill({1} == 0, 0)", CALL, "rest"),
    "_npi_negative": ("-{0}", UNARY, "negative"),
    "fix": ("{0}.trunc()", CALL, "whole"),
    "relu": ("F.relu({0})", CALL, "active"),
    "_npx_relu": ("F.relu({0})", CALL, "active"),
    "_npx_sigmoid": ("{0}.sigmoid()", CALL, "sigmoid"),
    "softsign": ("F.softsign({0})", CALL, "active"),
    "degrees": ("torch.rad2deg({0})", CALL, "angle"),
    "radians": ("torch.deg2rad({0})", CALL, "angle"),
    "logical_not": ("({0} == 0).to({0}.dtype)", CALL, "mask"),
    "zeros_like": ("torch.zeros_like({0})", CALL, "zeros"),
    "ones_like": ("torch.ones_like({0})", CALL, "ones"),
    "_copy": ("{0}", CALL, "copy"),
    "amp_cast": ("{0}", CALL, "copy"),
    "_identity_with_attr_like_rhs": ("{0}", CALL, "copy"),
    "BlockGrad": ("{0}.detach()", CALL, "constant"),
    "Flatten": ("{0}.flatten(1)", CALL, ""),
    "_contrib_div_sqrt_dim": ("{0} / {0}.shape[-1] ** 0.5", PRODUCT, "scaled"),
    "batch_take": ("{0}.gather(1, {1}.long()[:, None])[:, 0]", CALL, "picked"),
    "shape_array": ("torch.tensor({0}.shape)", CALL, "shape"),
    "_contrib_arange_like": ("", CALL, ""),
    "where": ("torch.where({0} != 0, {1}, {2})", CALL, "chosen"),
}
del TEXTS["_contrib_arange_like"]

#: Functions that give integers for integers.
_OF_INTEGERS = {
    *(
        "negative",
        "abs",
        "sign",
        "square",
        "relu",
        "_copy",
        "amp_cast",
        "BlockGrad",
        "Flatten",
        "zeros_like",
        "ones_like",
    ),
    *("_identity_with_attr_like_rhs", "_maximum", "_minimum", "broadcast_maximum", "broadcast_minimum", "shape_array"),
    *("batch_take", "ceil", "floor", "trunc", "fix"),
}


# ---- one by one ------------------------------------------------------------------------------------------------------


def _axes(axis: Any, ndim: int, exclude: bool = False) -> tuple[int, ...]:
    axes = tuple(range(ndim)) if axis in (None, ()) else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(a % ndim for a in axes)
    return tuple(i for i in range(ndim) if i not in axes) if exclude else axes


@rule("Activation")
def _activation(site: Site) -> Expression:
    kind = site.attrs["act_type"]
    text = {"relu": "F.relu({0})", "softrelu": "F.softplus({0})", "softsign": "F.softsign({0})"}
    return expression(site, text.get(kind, f"{{0}}.{kind}()"), hint="active")


@rule("LeakyReLU")
def _leaky(site: Site) -> Expression | None:
    kind, slope = site.attrs["act_type"], number(site.attrs["slope"])
    if kind == "prelu":
        fits = len(site.shape(1)) == 1 and site.shape(1)[0] in (1, *site.shape()[1:2])
        return Expression("F.prelu({0}, {1})", [0, 1]) if fits else None
    if kind in ("gelu", "selu"):
        return Expression(f"F.{kind}({{0}})", [0])
    if kind in ("leaky", "elu"):
        return Expression(f"F.{'leaky_relu' if kind == 'leaky' else 'elu'}({{0}}, {{1}})", [0, Literal(slope, "slope")])
    lower, upper = site.attrs["lower_bound"], site.attrs["upper_bound"]
    return Expression(f"F.rrelu({{0}}, {number(lower)}, {number(upper)}, self.training)", [0])


@rule("clip")
def _clip(site: Site) -> Expression | None:
    if not site.dtype().is_floating_point or site.attrs["a_min"] > site.attrs["a_max"]:
        return None
    low, high = number(site.attrs["a_min"]), number(site.attrs["a_max"])
    return Expression("{0}.clamp({1}, {2})", [0, Literal(low, "low"), Literal(high, "high")])


@rule("smooth_l1")
def _smooth_l1(site: Site) -> Expression | None:
    if not site.attrs["scalar"] or not site.dtype().is_floating_point:
        return None
    beta = number(1 / site.attrs["scalar"] ** 2)
    text = "F.smooth_l1_loss({0}, torch.zeros_like({0}), reduction='none', beta={1})".replace("'", '"')
    return Expression(text, [0, Literal(beta, "beta")])


@rule("hard_sigmoid")
def _hard_sigmoid(site: Site) -> Expression:
    a, b = number(site.attrs["alpha"]), number(site.attrs["beta"])
    return Expression(f"({{0}} * {a} + {b}).clamp(0, 1)", [0])


@rule("softmax", "log_softmax", "softmin")
def _softmax(site: Site) -> Expression | None:
    a = site.attrs
    text = "{0}"
    if site.op == "softmin":
        text = "(-{0})"
    if a.get("temperature") not in (None, 1.0):
        text = f"({text} / {number(a['temperature'])})"
    name = "log_softmax" if site.op == "log_softmax" else "softmax"
    if a.get("use_length"):
        if name != "softmax" or site.op == "softmin" or a.get("dtype") is not None:
            return None
        text = f"masked_softmax({text}, {{1}}, {a['axis'] % site.ndim})"
        return Expression(text, [0, 1], hint="weights", needs=("masked_softmax",))
    other = a.get("dtype")
    if other is not None and other is not site.dtype():
        if other.itemsize < site.dtype().itemsize:
            return None
        text = f"{text}.to({other})"
    return Expression(f"{text}.{name}(dim={a['axis']})", [0], hint="weights" if name == "softmax" else "logs")


@rule("SoftmaxActivation")
def _softmax_activation(site: Site) -> Expression | None:
    if site.attrs["mode"] == "channel":
        return Expression("{0}.softmax(dim=1)", [0], hint="weights")
    if site.ndim == 2:
        return Expression("{0}.softmax(dim=1)", [0], hint="weights")
    return None


@rule("Dropout")
def _dropout(site: Site) -> Expression | None:
    p, axes = number(site.attrs["p"]), site.attrs["axes"]
    training = "True" if site.attrs["mode"] == "always" else "self.training"
    if not axes:
        return Expression(f"F.dropout({{0}}, {p}, {training})", [0])
    kept = ", ".join("1" if i in axes else f"{{0}}.shape[{i}]" for i in range(site.ndim))
    return Expression(f"{{0}} * F.dropout({{0}}.new_ones({kept}), {p}, {training})", [0], PRODUCT)


@rule("Concat", "_npi_concatenate", "_rnn_param_concat")
def _concat(site: Site) -> Expression:
    count = len(site.node.inputs)
    axis = site.attrs.get("dim", site.attrs.get("axis", 1))
    inside = ", ".join(f"{{{i}}}" for i in range(count))
    return Expression(f"torch.cat([{inside}], dim={axis})", list(range(count)), hint="joined")


@rule("stack", "_npi_stack")
def _stack(site: Site) -> Expression:
    count = len(site.node.inputs)
    inside = ", ".join(f"{{{i}}}" for i in range(count))
    return Expression(f"torch.stack([{inside}], dim={site.attrs['axis']})", list(range(count)), hint="stacked")


@rule("add_n")
def _add_n(site: Site) -> Expression:
    count = len(site.node.inputs)
    return Expression(" + ".join(f"{{{i}}}" for i in range(count)), list(range(count)), SUM, "total")


_REDUCE = {"sum": "sum", "mean": "mean", "max": "amax", "min": "amin", "_np_sum": "sum", "_npi_mean": "mean"}


@rule(*_REDUCE)
def _reduce(site: Site) -> Expression | None:
    a = site.attrs
    if not site.dtype().is_floating_point or not site.ndim:
        return None
    given = a.get("axis")
    given = (given,) if isinstance(given, int) else given
    axes = tuple(reduced_axes(site.ndim, given, a.get("exclude", False)))
    if not axes:
        return Expression("{0}", [0])
    keep = ", keepdim=True" if a.get("keepdims") else ""
    name = _REDUCE[site.op]
    whole = len(axes) == site.ndim
    if whole and not keep:
        text = f"{{0}}.{name}()"
        if site.out_shape() == (1,):
            text += ".reshape(1)"
    else:
        dims = one(axes) if len(axes) == 1 else axes
        text = f"{{0}}.{name}({dims}{keep})"
    return Expression(text, [0], hint=site.op.strip("_").removeprefix("np_").removeprefix("npi_"))


@rule("norm")
def _norm(site: Site) -> Expression | None:
    a = site.attrs
    if a["out_dtype"] is not None or a["ord"] not in (1, 2):
        return None
    axes = _axes(a["axis"], site.ndim)
    dims = one(axes) if len(axes) == 1 else axes
    text = f"torch.linalg.vector_norm({{0}}, {a['ord']}, {dims}{', keepdim=True' if a['keepdims'] else ''})"
    return Expression(text + (".reshape(1)" if site.out_shape() == (1,) and site.ndim != 1 else ""), [0], hint="norm")


@rule("argmax", "argmin")
def _arg(site: Site) -> Expression | None:
    if site.attrs["axis"] is None:
        return None
    keep = ", keepdim=True" if site.attrs["keepdims"] else ""
    return Expression(f"{{0}}.{site.op}({site.attrs['axis']}{keep}).to({{0}}.dtype)", [0], hint="best")


@rule("dot")
def _dot(site: Site) -> Expression | None:
    if site.ndim > 2 or len(site.shape(1)) != 2 or site.ndim < 2:
        return None
    left = "{0}.T" if site.attrs["transpose_a"] else "{0}"
    right = "{1}.T" if site.attrs["transpose_b"] else "{1}"
    return Expression(f"{left} @ {right}", [0, 1], PRODUCT, "product")


def _batch_product(site: Site) -> Expression:
    left = "{0}.transpose(-2, -1)" if site.attrs["transpose_a"] else "{0}"
    right = "{1}.transpose(-2, -1)" if site.attrs["transpose_b"] else "{1}"
    return Expression(f"{left} @ {right}", [0, 1], PRODUCT, "product")


rule("batch_dot")(_batch_product)


@rule("_linalg_gemm2")
def _gemm2(site: Site) -> Expression | None:
    if site.attrs.get("axis", -2) != -2:
        return None
    made = _batch_product(site)
    alpha = number(site.attrs["alpha"])
    if alpha != 1:
        made.text = f"{alpha} * ({made.text})"
    return made


@rule("L2Normalization")
def _l2(site: Site) -> Expression:
    mode, eps = site.attrs["mode"], number(site.attrs["eps"])
    axes: Any = {"channel": 1, "spatial": tuple(range(2, site.ndim))}.get(mode, tuple(range(1, site.ndim)))
    axes = axes[0] if isinstance(axes, tuple) and len(axes) == 1 else axes
    return Expression(f"{{0}} * ({{0}}.square().sum({axes}, keepdim=True) + {eps}).rsqrt()", [0], PRODUCT, "normal")


@rule("UpSampling")
def _upsampling(site: Site) -> Expression | None:
    if site.attrs["sample_type"] != "nearest" or len(site.node.inputs) != 1:
        return None
    scale = Literal(site.attrs["scale"], "scale")
    return Expression("F.interpolate({0}, scale_factor={1})", [0, scale], hint="enlarged")


@rule("_contrib_BilinearResize2D")
def _resize(site: Site) -> Expression | None:
    a = site.attrs
    corners = f', mode="bilinear", align_corners={a["align_corners"]})'
    if a["mode"] == "like":
        return Expression(f"F.interpolate({{0}}, {{1}}.shape[2:]{corners}", [0, 1], hint="resized")
    if a["mode"] != "size" or (1 in site.out_shape()[2:] and not a["align_corners"]):
        return None
    if a["scale_height"] is not None:
        size = ", ".join(
            f"int({{0}}.shape[{i + 2}] * {number(a[k])})" for i, k in enumerate(("scale_height", "scale_width"))
        )
        return Expression(f"F.interpolate({{0}}, ({size}){corners}", [0], hint="resized")
    return Expression(f"F.interpolate({{0}}, ({a['height']}, {a['width']}){corners}", [0], hint="resized")


@rule("_contrib_AdaptiveAvgPooling2D")
def _adaptive(site: Site) -> Expression:
    size = site.attrs["output_size"]
    return Expression(f"F.adaptive_avg_pool2d({{0}}, {one(size) if size else 1})", [0], hint="pooled")


@rule("Pad")
def _pad(site: Site) -> Expression:
    widths = list(site.attrs["pad_width"])
    pairs = [widths[i : i + 2] for i in range(0, len(widths), 2)][::-1]
    mode = {"constant": "constant", "edge": "replicate", "reflect": "reflect"}[site.attrs["mode"]]
    while len(pairs) > 1 and pairs[-1] == [0, 0]:
        pairs.pop()
    amounts = tuple(n for pair in pairs for n in pair)
    more = f', "{mode}"' if mode != "constant" else ""
    value = number(site.attrs["constant_value"])
    if mode == "constant" and value:
        more = f", value={value}"
    return Expression(f"F.pad({{0}}, {amounts}{more})", [0], hint="padded")


@rule("Cast")
def _cast(site: Site) -> Expression:
    kind = site.attrs["dtype"]
    short = {torch.float32: ".float()", torch.int64: ".long()", torch.float16: ".half()", torch.float64: ".double()"}
    return Expression("{0}" + short.get(kind, f".to({kind})"), [0])


@rule("take")
def _take(site: Site) -> Expression | None:
    axis = site.attrs["axis"] % site.ndim
    index = "{1}" if site.dtype(1) is torch.int64 else "{1}.long()"
    if site.attrs["mode"] != "clip":
        return None
    return Expression(f"{{0}}[{':, ' * axis}{index}.clamp(0, {{0}}.shape[{axis}] - 1)]", [0, 1], hint="taken")


@rule("pick")
def _pick(site: Site) -> Expression | None:
    a = site.attrs
    if a["mode"] != "clip" or a["axis"] is None or len(site.shape(1)) != site.ndim - 1:
        return None
    axis = a["axis"]
    index = f"{{1}}.long().clamp(0, {{0}}.shape[{axis}] - 1).unsqueeze({axis})"
    return Expression(f"{{0}}.gather({axis}, {index})" + ("" if a["keepdims"] else f".squeeze({axis})"), [0, 1])


@rule("one_hot")
def _one_hot(site: Site) -> Expression | None:
    if site.attrs["on_value"] != 1 or site.attrs["off_value"] != 0:
        return None
    return Expression(f"F.one_hot({{0}}.long(), {site.attrs['depth']}).to({site.attrs['dtype']})", [0], hint="one_hot")


@rule("Embedding", "_contrib_SparseEmbedding")
def _embedding(site: Site) -> Expression:
    return Expression("F.embedding({0}.long(), {1})", [0, 1], hint="embedded")


@rule("FullyConnected")
def _dense(site: Site) -> Expression | None:
    if site.ndim < 2:
        return None
    data = "{0}.flatten(1)" if site.attrs["flatten"] and site.ndim > 2 else "{0}"
    more = "" if site.attrs["no_bias"] else ", {2}"
    return Expression(f"F.linear({data}, {{1}}{more})", list(range(len(site.node.inputs))))


@rule("Convolution")
def _convolution(site: Site) -> Expression | None:
    """With a weight that is computed."""
    a, dims = site.attrs, len(site.attrs["kernel"])
    if a.get("layout") not in (None, "NCW", "NCHW", "NCDHW"):
        return None
    parts = ["{0}", "{1}", *([] if a["no_bias"] else ["{2}"])]
    pairs = (("stride", "stride", 1), ("pad", "padding", 0), ("dilate", "dilation", 1))
    for old, new, default in pairs:
        value = one(a[old]) if a[old] else default
        parts += [f"{new}={value}"] if value != default else []
    parts += [f"groups={a['num_group']}"] if a["num_group"] != 1 else []
    return Expression(f"F.conv{dims}d({', '.join(parts)})", list(range(len(site.node.inputs))), hint="conv")


@rule("LayerNorm")
def _layer_norm(site: Site) -> Expression | None:
    if site.attrs["axis"] not in (-1, site.ndim - 1) or site.attrs["output_mean_var"]:
        return None
    return Expression(f"F.layer_norm({{0}}, {{1}}.shape, {{1}}, {{2}}, {number(site.attrs['eps'])})", [0, 1, 2])


@rule("GroupNorm")
def _group_norm(site: Site) -> Expression | None:
    if site.attrs["output_mean_var"]:
        return None
    groups = site.attrs["num_groups"]
    size, eps = site.shape()[1] // groups, number(site.attrs["eps"])
    scale = ", ".join(f"{{{i}}}.repeat_interleave({{3}})" if size > 1 else f"{{{i}}}" for i in (1, 2))
    return Expression(f"F.group_norm({{0}}, {groups}, {scale}, {eps})", [0, 1, 2, Literal(size, "size")], hint="normal")


@rule("_arange")
def _arange(site: Site) -> Expression | None:
    a = site.attrs
    if a["repeat"] != 1 or a["infer_range"] or (a["stop"] is None and a["start"] is None):
        return None
    start, stop, step = (number(a[k]) for k in ("start", "stop", "step"))
    if stop is None:
        start, stop = 0, start
    inside = ", ".join(map(str, [start, stop, step] if step != 1 else [start, stop] if start else [stop]))
    return Expression(f"torch.arange({inside}, dtype={a['dtype']}{_DEVICE})", [], hint="steps")


#: Marks that the tensor is to be made where the others are.
_DEVICE = ", device=@device"


#: Operators that give an array of one number.
CONSTANT_ARRAYS = ("_zeros", "_zeros_without_dtype", "_ones", "_full", "_npi_zeros", "_npi_ones")


def constant_array(site: Site, sizes: str, dtype: torch.dtype) -> str:
    """The text for an array of one number, of these sizes."""
    kind = "" if dtype is torch.float32 else f", dtype={dtype}"
    name = site.op.removeprefix("_npi_").lstrip("_").removesuffix("_without_dtype")
    if name == "full":
        sizes = f"({sizes},), {number(site.attrs['value'])}"
    elif not sizes:
        sizes = "()"
    return f"torch.{name}({sizes}{kind}{_DEVICE})"


@rule("_contrib_arange_like")
def _arange_like(site: Site) -> Expression | None:
    a = site.attrs
    if a["axis"] is None or a["repeat"] != 1 or (a["start"], a["step"]) != (0, 1):
        return None
    axis = a["axis"]
    return Expression(f"torch.arange({{0}}.shape[{axis}], dtype={{0}}.dtype, device={{0}}.device)", [0], hint="steps")


@rule("SequenceMask")
def _sequence_mask(site: Site) -> Expression | None:
    a = site.attrs
    if not a["use_sequence_length"]:
        return Expression("{0}", [0])
    if site.ndim < 2:
        return None
    value = f", {number(a['value'])}" if a["value"] else ""
    text = f"sequence_mask({{0}}, {{1}}, {a['axis']}{value})"
    return Expression(text, [0, 1], hint="masked", needs=("sequence_mask",))


@rule("SequenceLast")
def _sequence_last(site: Site) -> Expression | None:
    if site.attrs["use_sequence_length"]:
        return None
    return Expression("{0}[-1]" if site.attrs["axis"] == 0 else "{0}[:, -1]", [0], hint="last")


@rule("SequenceReverse")
def _sequence_reverse(site: Site) -> Expression | None:
    return None if site.attrs["use_sequence_length"] else Expression("{0}.flip(0)", [0], hint="reversed")


@rule("depth_to_space")
def _depth_to_space(site: Site) -> Expression | None:
    return None


@rule("MakeLoss", "make_loss")
def _make_loss(site: Site) -> Expression:
    return Expression("{0}", [0])


@rule("_contrib_BatchNormWithReLU")
def _refuse(site: Site) -> Expression | None:
    return None


def _scalar_form(site: Site) -> Expression | None:
    name = site.op
    if name.startswith("_npi_") and name.endswith("_scalar"):
        plain = {"add": "plus", "subtract": "minus", "multiply": "mul", "true_divide": "div", "power": "power"}
        plain |= {"rsubtract": "rminus", "rtrue_divide": "rdiv", "rpower": "rpower"}
        kind = plain.get(name[5:-7])
        if kind is None:
            return None
        name = f"_{kind}_scalar"
    if not name.endswith("_scalar"):
        return None
    kind, value = name[1:-7], number(site.attrs["scalar"])
    operand = Literal(value, "scale" if kind == "mul" else "constant")
    if not site.dtype().is_floating_point:
        # Numbers become integers of the array's type, as in C: those that are none would have to be converted.
        whole = isinstance(value, int) and abs(value) < 100
        if site.dtype() in (torch.bool, torch.uint8, torch.int8) or not whole:
            return None
        if kind not in ("plus", "minus", "mul", "rminus", *_COMPARE):
            return None
    if kind in _SCALAR:
        sign, level = _SCALAR[kind]
        return Expression(f"{{0}} {sign} {{1}}", [0, operand], level, "scaled")
    if kind[0] == "r" and kind[1:] in _SCALAR:
        sign, level = _SCALAR[kind[1:]]
        return Expression(f"{{1}} {sign} {{0}}", [0, operand], level, "scaled")
    if kind in _COMPARE:
        return Expression(f"({{0}} {_COMPARE[kind]} {{1}}).to({{0}}.dtype)", [0, operand], CALL, "mask")
    if kind in ("maximum", "minimum"):
        return Expression(f"{{0}}.clamp({'min' if kind == 'maximum' else 'max'}={{1}})", [0, operand])
    return None


def expression_of(site: Site) -> Expression | None:
    """A node as an expression, if torch has one."""
    rule = RULES.get(site.op)
    if rule is not None:
        return rule(site)
    known = TEXTS.get(site.op)
    if known is None:
        return _scalar_form(site)
    text, level, hint = known
    if not site.ndim or (site.op == "Flatten" and site.ndim < 2):
        return None
    if site.dtype() is torch.bool:
        return None
    if not site.dtype().is_floating_point and " / " in text:
        return expression(site, 'torch.div({0}, {1}, rounding_mode="trunc")', CALL, "quotient")
    if not site.dtype().is_floating_point and " ** " in text:
        return None
    if site.op == "where" and site.shape(0) != site.shape(1):
        return None
    if not site.dtype().is_floating_point and site.op not in _OF_INTEGERS and " " not in text.replace(", ", ""):
        return None  # MXNet's result is an integer, too, which is a float that is cut off
    return expression(site, text, level, hint)
