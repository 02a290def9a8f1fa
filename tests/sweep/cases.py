"""Random calls of operators with kernels for each processor: convolutions, pooling, normalization, and chains of them.

A case is plain data (a dict of numbers and texts), so that it can be printed and run again. ``differences`` runs one in
float32 and in float64. In float64, with the channels first, there is no oneDNN, no Winograd and no kernel of our own.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import torch

import mxnet as mx
from mxnet import autograd, nd, sym

Case = dict[str, Any]
#: Errors are compared with the largest number of a result; those of Winograd's tiles are about 1e-5 of it.
TOLERANCE = 5e-5
_LAYOUTS = {1: "NCW", 2: "NHWC", 3: "NDHWC"}


# ---- how cases are drawn ---------------------------------------------------------------------------------------------


def _channels(rng: random.Random) -> int:
    return rng.choice([*range(1, 20), *range(1, 9), 31, 32, 33, 48, 63, 64, 65])


def _sizes(rng: random.Random, dims: int) -> list[int]:
    most = {1: 40, 2: 17, 3: 7}[dims]
    return [rng.choice([rng.randint(1, most), rng.randint(1, most), 1, 2, 4, 8]) for _ in range(dims)]


def _each(rng: random.Random, dims: int, values: list[int]) -> list[int]:
    """A number for each dimension, mostly the same one."""
    return [rng.choice(values)] * dims if rng.random() < 0.6 else [rng.choice(values) for _ in range(dims)]


def _memory(rng: random.Random) -> Case:
    """How data and head gradients lie in memory, and where random numbers start."""
    orders = ["first", "last", "last", "apart"]
    return {"memory": rng.choice(orders), "head_memory": rng.choice(orders), "seed": rng.randrange(1 << 30)}


def convolution(rng: random.Random, transposed: bool = False) -> Case:
    """A convolution, or a transposed one, in one to three dimensions."""
    dims = rng.choice([1, 2, 2, 2, 2, 3])
    sizes, kernel = _sizes(rng, dims), _each(rng, dims, [1, 1, 2, 3, 3, 4, 5])
    stride, dilate = _each(rng, dims, [1, 1, 2, 2, 3, 4]), _each(rng, dims, [1, 1, 1, 2, 3])
    pad = _each(rng, dims, [0, 0, 1, 1, 2])
    if dims == 2 and rng.random() < 0.2:
        kernel, stride, dilate, pad = [3, 3], [1, 1], [1, 1], [1, 1]
    channels, filters, groups = _channels(rng), _channels(rng), 1
    kind = rng.choice(["one", "one", "one", "some", "each"])
    if kind == "each":
        groups, filters = channels, channels * rng.choice([1, 1, 2])
    elif kind == "some":
        groups = rng.choice([2, 3, 4])
        channels, filters = -(-channels // groups) * groups, -(-filters // groups) * groups
    attrs: Case = {"kernel": kernel, "stride": stride, "dilate": dilate, "pad": pad, "num_filter": filters}
    attrs |= {"num_group": groups, "no_bias": rng.random() < 0.5}
    reach = [d * (k - 1) + 1 for d, k in zip(dilate, kernel, strict=True)]
    if transposed:
        attrs["adj"] = [rng.randrange(s) for s in stride]
        full = [(n - 1) * s + r + a for n, s, r, a in zip(sizes, stride, reach, attrs["adj"], strict=True)]
        if any(f <= 2 * p for f, p in zip(full, pad, strict=True)):
            return convolution(rng, transposed)
    elif any(r > n + 2 * p for r, n, p in zip(reach, sizes, pad, strict=True)):
        return convolution(rng, transposed)
    name = "Deconvolution" if transposed else "Convolution"
    return {"op": name, "attrs": attrs, "shape": [rng.randint(1, 5), channels, *sizes], **_layout(rng, dims)}


def _layout(rng: random.Random, dims: int) -> Case:
    return {"last": dims > 1 and rng.random() < 0.3, **_memory(rng)}


def deconvolution(rng: random.Random) -> Case:
    """A transposed convolution."""
    return convolution(rng, True)


def pooling(rng: random.Random) -> Case:
    """All kinds and conventions of pooling, in one to three dimensions."""
    dims = rng.choice([1, 2, 2, 2, 3])
    sizes, kind = _sizes(rng, dims), rng.choice(["max", "max", "avg", "sum", "lp"])
    attrs: Case = {"pool_type": kind}
    if kind == "lp":
        attrs["p_value"] = rng.choice([1, 2, 3])
    if rng.random() < 0.15:
        attrs["global_pool"] = True
    else:
        kernel = _each(rng, dims, [1, 2, 2, 3, 4, 5])
        pad = [rng.randrange(k) if rng.random() < 0.5 else 0 for k in kernel]
        attrs |= {"kernel": kernel, "stride": rng.choice([kernel, _each(rng, dims, [1, 2, 3])])}
        attrs["pooling_convention"] = rng.choice(["valid", "valid", "full", "same"])
        if attrs["pooling_convention"] == "same":
            pad = [0] * dims
        attrs["pad"] = pad
        if kind == "avg":
            attrs["count_include_pad"] = rng.random() < 0.5
        if any(k > n + 2 * p for k, n, p in zip(kernel, sizes, pad, strict=True)):
            return pooling(rng)
    batch, channels = rng.randint(1, 5), _channels(rng)
    if dims == 2 and rng.random() < 0.1:  # from this size on there are kernels of our own
        batch, channels, sizes = 4, 32, [64 + rng.randint(0, 5), 32 + rng.randint(0, 5)]
    return {"op": "Pooling", "attrs": attrs, "shape": [batch, channels, *sizes], **_layout(rng, dims)}


def normalization(rng: random.Random) -> Case:
    """Batch, layer, instance, group and local response norm. A large eps: else few numbers would blow up rounding."""
    name = rng.choice(["BatchNorm", "BatchNorm", "BatchNormWithReLU", "LayerNorm", "InstanceNorm", "GroupNorm", "LRN"])
    dims = 2 if name == "LRN" else rng.choice([1, 2, 2, 2, 3])
    channels, attrs = _channels(rng), {"eps": 0.1}
    if name.startswith("BatchNorm"):
        dims = rng.choice([0, dims])
        attrs |= {"axis": rng.choice([1, 1, 1, -1]), "fix_gamma": rng.random() < 0.3}
        attrs["use_global_stats"] = rng.random() < 0.3
    elif name == "LayerNorm":
        dims, attrs["axis"] = rng.randint(0, 2), rng.choice([-1, -1, 1])
    elif name == "GroupNorm":
        attrs["num_groups"] = rng.choice([g for g in (1, 2, 3, 4, channels) if channels % g == 0])
    elif name == "LRN":
        attrs = {"nsize": rng.choice([1, 3, 5])}
    shape = [rng.randint(1, 5), channels, *(_sizes(rng, dims) if dims else [])]
    return {"op": name, "attrs": attrs, "shape": shape, "last": False, **_memory(rng)}


def chain(rng: random.Random) -> Case:
    """Convolution, norm, sum and activation in a graph: for predictions they become one step."""
    while True:
        case = convolution(rng)
        if len(case["shape"]) == 4 and not case["last"]:
            break
    case |= {"op": "chain", "before": rng.random() < 0.2, "norm": rng.random() < 0.7, "add": rng.random() < 0.4}
    return case | {"activation": rng.choice([None, "relu", "relu", "leaky", "clip"]), "hybrid": rng.random() < 0.3}


KINDS = {f.__name__: f for f in (convolution, deconvolution, pooling, normalization, chain)}


def draw(kind: str, seed: int, count: int) -> list[Case]:
    """As many cases of a kind, the same ones for the same seed."""
    rng = random.Random(f"{kind} {seed}")
    return [KINDS[kind](rng) for _ in range(count)]


def neighbours(step: int = 1) -> list[Case]:
    """Every ``step``-th convolution like those whose gradient oneDNN 3.12 writes behind its memory."""
    found = []
    for batch in (1, 2, 3):
        for channels in range(1, 10):
            for filters in (1, 3, 8, 17):
                for height in range(1, 11):
                    for width in range(1, 11):
                        for stride in ([1, 2], [2, 1], [2, 2], [3, 2], [4, 4]):
                            attrs = {"kernel": [1, 1], "stride": stride, "num_filter": filters, "no_bias": True}
                            memory = {"last": False, "memory": "last", "head_memory": "last", "seed": len(found)}
                            shape = [batch, channels, height, width]
                            found.append({"op": "Convolution", "attrs": attrs, "shape": shape, **memory})
    return found[::step]


# ---- how they run ----------------------------------------------------------------------------------------------------


def _numbers(rng: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers from -2 to 2 in random order, no two of them near each other: no rounding decides a maximum."""
    count = math.prod(shape)
    return ((rng.permutation(count) + 0.5) * (4 / count) - 2).astype("float32").reshape(shape)


def _ordered(values: np.ndarray, order: str) -> torch.Tensor:
    """The array with the channels second in shape, and first, last or scattered in memory."""
    tensor = torch.from_numpy(np.array(values))
    if order == "last" and tensor.dim() > 2:
        return tensor.movedim(1, -1).contiguous().movedim(-1, 1)
    if order == "apart":
        return torch.stack([tensor, tensor], -1)[..., 0]
    return tensor


def _inputs(case: Case) -> dict[str, np.ndarray]:
    """All inputs of an operator but data, as float32, with the channels second."""
    op = getattr(sym, {"chain": "Convolution"}.get(case["op"], case["op"]), None) or getattr(sym.contrib, case["op"])
    symbol = op(sym.var("data"), name="x", **case["attrs"])
    shapes, _, aux = symbol.infer_shape(data=tuple(case["shape"]))
    names = [*symbol.list_arguments(), *symbol.list_auxiliary_states()]
    rng = np.random.RandomState(case["seed"])
    found = {name: _numbers(rng, shape) for name, shape in zip(names, [*shapes, *aux], strict=True)}
    for name in found:
        if name.endswith("var") or case["attrs"].get("pool_type") == "lp":  # a root of nearly 0 would blow up rounding
            found[name] = abs(found[name]) + 0.5
    return found


def _call(case: Case, dtype: str) -> list[np.ndarray]:
    """Result and gradients of an operator, with the channels second."""
    found, last = _inputs(case), case["last"] and dtype == "float32"
    dims, attrs = len(case["shape"]) - 2, dict(case["attrs"])
    arrays = []
    for name, values in found.items():
        order = case["memory"] if name == "data" and dtype == "float32" else "first"
        tensor = _ordered(values, order).to(getattr(torch, dtype))
        if last and tensor.dim() > 2:
            tensor = tensor.movedim(1, -1)
        arrays.append(nd.from_torch(tensor))
    if last:
        attrs["layout"] = _LAYOUTS[dims]
    is_norm_and_relu = case["op"] == "BatchNormWithReLU"
    if is_norm_and_relu and dtype == "float64":
        op = nd.BatchNorm
    else:
        op = getattr(nd.contrib if is_norm_and_relu else nd, case["op"])
    trained = [a for a, name in zip(arrays, found, strict=True) if not name.endswith(("moving_mean", "moving_var"))]
    for array in trained:
        array.attach_grad()
    with autograd.record():
        result = op(*arrays, **attrs)
        if is_norm_and_relu and dtype == "float64":
            result = nd.relu(result)
    shown = result.asnumpy()
    if last:
        shown = np.moveaxis(shown, -1, 1)
    head = _numbers(np.random.RandomState(case["seed"] + 1), shown.shape) + 0.3  # so that no sum of them is just noise
    if is_norm_and_relu:
        head = head * _far_from_zero(case)
    head_tensor = _ordered(head, case["head_memory"] if dtype == "float32" else "first").to(getattr(torch, dtype))
    result.backward(nd.from_torch(head_tensor.movedim(1, -1) if last else head_tensor))
    grads = [np.moveaxis(a.grad.asnumpy(), -1, 1) if last and a.ndim > 2 else a.grad.asnumpy() for a in trained]
    states = [
        a.asnumpy() for a, name in zip(arrays, found, strict=True) if name.endswith(("moving_mean", "moving_var"))
    ]
    return [shown, *grads, *states]


def _far_from_zero(case: Case) -> np.ndarray:
    """Where a relu cuts or does not, whatever the rounding."""
    arrays = [nd.array(v, dtype="float64") for v in _inputs(case).values()]
    with autograd.train_mode():
        return abs(nd.BatchNorm(*arrays, **case["attrs"]).asnumpy()) > 1e-3


def _graph(case: Case) -> mx.sym.Symbol:
    x = sym.var("data")
    if case["before"]:
        x = sym.relu(sym.BatchNorm(x, name="before", fix_gamma=False))
    y = sym.Convolution(x, name="conv", **case["attrs"])
    if case["norm"]:
        y = sym.BatchNorm(y, name="norm", fix_gamma=False)
    if case["add"]:
        y = y + sym.var("other")
    if case["activation"] == "leaky":
        return sym.LeakyReLU(y, slope=0.1)
    if case["activation"] == "clip":
        return sym.clip(y, -50.0, 50.0)
    return sym.relu(y) if case["activation"] == "relu" else y


def _predict(case: Case, dtype: str) -> list[np.ndarray]:
    """What a graph predicts, twice, so that prepared weights are used."""
    graph, rng = _graph(case), np.random.RandomState(case["seed"])
    known = {"data": tuple(case["shape"])}
    if case["add"]:
        known["other"] = sym.Convolution(sym.var("data"), **case["attrs"]).infer_shape(**known)[1][0]
    shapes, _, aux = graph.infer_shape(**known)
    names = [*graph.list_arguments(), *graph.list_auxiliary_states()]
    values = {}
    for name, shape in zip(names, [*shapes, *aux], strict=True):
        numbers = _numbers(rng, shape)
        numbers = abs(numbers) + 0.5 if name.endswith("var") else numbers
        order = case["memory"] if name in known and dtype == "float32" else "first"
        values[name] = nd.from_torch(_ordered(numbers, order).to(getattr(torch, dtype)))
    if case["hybrid"]:
        inputs = [name for name in names if name in known]
        block = mx.gluon.SymbolBlock(graph, [sym.var(name) for name in inputs])
        for name, parameter in block.collect_params().items():
            parameter.cast(dtype)
            parameter.initialize()
            parameter.set_data(values[name])
        block.hybridize()
        return [block(*[values[name] for name in inputs]).asnumpy() for _ in range(2)]
    count = len(graph.list_arguments())
    states = {name: values[name] for name in names[count:]}
    executor = graph.bind(mx.cpu(), {name: values[name] for name in names[:count]}, aux_states=states, grad_req="null")
    return [executor.forward(is_train=False)[0].asnumpy() for _ in range(2)]


def differences(case: Case) -> list[str]:
    """What is wrong with a case; nothing if its numbers are those of float64 but for rounding."""
    run = _predict if case["op"] == "chain" else _call
    found = []
    for place, (ours, right) in enumerate(zip(run(case, "float32"), run(case, "float64"), strict=True)):
        if ours.shape != right.shape:
            found.append(f"result {place} has shape {ours.shape}, not {right.shape}")
            continue
        # The maximum of a window without data is the lowest number, which is another one in float64.
        ours, right = [np.where(values < -1e30, 0, values) for values in (ours, right)]
        error, largest = abs(ours - right).max(initial=0), abs(right).max(initial=1)
        if not error <= TOLERANCE * largest:
            found.append(f"result {place} of shape {right.shape} is off by {error:.3g}, largest {largest:.3g}")
    return found
