"""Checking symbols, optimizers and blocks: against expected values, finite differences and each other.

Everything here works on what a Symbol itself offers (``bind``, ``simple_bind``, ``list_arguments``, ...), so nothing of
``mx.sym`` is imported.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..context import Context, current_context
from ..ndarray import NDArray, array
from .compare import (
    assert_almost_equal,
    compare_ndarray_tuple,
    default_atols,
    default_numeric_eps,
    default_rtols,
    to_numpy,
)

Location = Sequence[Any] | Mapping[str, Any]


# ---- from what callers give to NDArrays by name --------------------------------------------------------------------


def _as_arrays(values: Mapping[str, Any], ctx: Context, dtype: object) -> dict[str, NDArray]:
    result = {}
    for name, value in values.items():
        wanted = to_numpy(value).dtype if isinstance(dtype, str) and dtype == "asnumpy" else dtype
        result[name] = array(to_numpy(value), ctx=ctx, dtype=value.dtype if isinstance(value, NDArray) else wanted)
    return result


def _by_name(values: Location, names: Sequence[str], what: str) -> dict[str, Any]:
    assert isinstance(values, dict | list | tuple), f"{what} must be a list or a dict, got {type(values).__name__}"
    if isinstance(values, dict):
        if set(values) != set(names):
            raise ValueError(f"{what} has the names {sorted(values)}, the symbol has {sorted(names)}")
        return {name: values[name] for name in names}
    if len(values) != len(names):
        raise ValueError(f"{what} has {len(values)} array(s), the symbol takes {len(names)}: {', '.join(names)}")
    return dict(zip(names, values, strict=True))


def _parse_location(sym: Any, location: Location, ctx: Context, dtype: Any = np.float32) -> dict[str, NDArray]:
    return _as_arrays(_by_name(location, sym.list_arguments(), "location"), ctx, dtype)


def _parse_aux_states(
    sym: Any, aux_states: Location | None, ctx: Context, dtype: Any = np.float32
) -> dict[str, NDArray] | None:
    if aux_states is None:
        return None
    return _as_arrays(_by_name(aux_states, sym.list_auxiliary_states(), "aux_states"), ctx, dtype)


def _expected_by_name(values: Location, names: Sequence[str]) -> dict[str, Any]:
    """Expected values by name; fewer than there are names may be given."""
    return dict(values) if isinstance(values, Mapping) else dict(zip(names, values, strict=False))


def _requests(grad_req: Any, names: Sequence[str]) -> dict[str, str]:
    if isinstance(grad_req, str):
        return dict.fromkeys(names, grad_req)
    if isinstance(grad_req, Mapping):
        return {name: grad_req.get(name, "null") for name in names}
    return dict(zip(names, grad_req, strict=True))


def simple_forward(sym: Any, ctx: Context | None = None, is_train: bool = False, **inputs: Any) -> Any:
    """Runs a symbol on NumPy arrays given by name; gives a NumPy array, or a list if there are several outputs."""
    context = ctx or current_context()
    executor = sym.bind(context, args=_as_arrays(inputs, context, np.float32))
    executor.forward(is_train=is_train)
    outputs = [output.asnumpy() for output in executor.outputs]
    return outputs[0] if len(outputs) == 1 else outputs


# ---- against expected values -----------------------------------------------------------------------------------------


def check_symbolic_forward(
    sym: Any,
    location: Location,
    expected: Location,
    rtol: Any = None,
    atol: Any = None,
    aux_states: Location | None = None,
    ctx: Context | None = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> list[NDArray]:
    """Compares a symbol's outputs at ``location`` with ``expected`` (lists in order, or dicts by name)."""
    context = ctx or current_context()
    arguments = _parse_location(sym, location, context, dtype)
    states = _parse_aux_states(sym, aux_states, context, dtype)
    wanted = _expected_by_name(expected, sym.list_outputs())
    executor = sym.bind(context, args=arguments, args_grad=None, aux_states=states)
    executor.forward(is_train=False)
    for name, output in zip(sym.list_outputs(), executor.outputs, strict=True):
        if name in wanted:
            names = (f"EXPECTED_{name}", f"FORWARD_{name}")
            assert_almost_equal(wanted[name], output, rtol, atol, names, equal_nan=equal_nan)
    return executor.outputs


def check_symbolic_backward(
    sym: Any,
    location: Location,
    out_grads: Location | None,
    expected: Location,
    rtol: Any = None,
    atol: Any = None,
    aux_states: Location | None = None,
    grad_req: Any = "write",
    ctx: Context | None = None,
    grad_stypes: Mapping[str, str] | None = None,
    equal_nan: bool = False,
    dtype: Any = np.float32,
) -> dict[str, NDArray]:
    """Compares the gradients of a symbol's arguments, for head gradients ``out_grads``, with ``expected``.

    Buffers start with random numbers: ``'write'`` must overwrite them, ``'add'`` add to them, ``'null'`` leave them.
    """
    context = ctx or current_context()
    arguments = _parse_location(sym, location, context, dtype)
    states = _parse_aux_states(sym, aux_states, context, dtype)
    names = sym.list_arguments()
    wanted = _expected_by_name(expected, names)
    before = {name: np.random.normal(size=arguments[name].shape) for name in wanted}
    buffers = {name: array(value, ctx=context, dtype=arguments[name].dtype) for name, value in before.items()}
    for name, stype in (grad_stypes or {}).items():
        if name in buffers:
            buffers[name] = buffers[name].tostype(stype)
    before = {name: buffer.asnumpy() for name, buffer in buffers.items()}
    requests = _requests(grad_req, names)
    executor = sym.bind(context, args=arguments, args_grad=buffers, aux_states=states, grad_req=requests)
    executor.forward(is_train=True)
    executor.backward(_head_gradients(sym, out_grads, context, executor.outputs))
    for name, value in wanted.items():
        found, names_shown = buffers[name].asnumpy(), (f"EXPECTED_{name}", f"BACKWARD_{name}")
        if requests[name] == "null":
            assert_almost_equal(before[name], found, rtol, atol, names_shown, equal_nan=equal_nan)
            continue
        if requests[name] == "add":
            found = found - before[name]
        assert_almost_equal(value, found, rtol, atol, names_shown, equal_nan=equal_nan)
    return buffers


def _head_gradients(sym: Any, given: Location | None, ctx: Context, outputs: Sequence[NDArray]) -> Any:
    if given is None:
        return None
    values = _by_name(given, sym.list_outputs(), "out_grads")
    kinds = {name: output.dtype for name, output in zip(sym.list_outputs(), outputs, strict=True)}
    return [array(to_numpy(value), ctx=ctx, dtype=kinds[name]) for name, value in values.items()]


# ---- against finite differences --------------------------------------------------------------------------------------


def _finite_differences(
    evaluate: Callable[[], float], buffers: Mapping[str, NDArray], eps: float
) -> dict[str, np.ndarray]:
    """Central differences of ``evaluate`` by each element of the arrays it reads."""
    gradients = {}
    for name, buffer in buffers.items():
        start = buffer.asnumpy()
        gradient = np.zeros(start.shape, np.float64)
        moved = start.copy()
        for i in np.ndindex(*start.shape):
            values = []
            for step in (eps / 2, -eps / 2):
                moved[i] = start[i] + step
                buffer[:] = moved
                values.append(evaluate())
            moved[i] = start[i]
            gradient[i] = (values[0] - values[1]) / eps
        buffer[:] = start
        gradients[name] = gradient
    return gradients


def numeric_grad(
    executor: Any,
    location: Mapping[str, Any],
    aux_states: Mapping[str, Any] | None = None,
    eps: float = 1e-4,
    use_forward_train: bool = True,
    dtype: Any = np.float32,
) -> dict[str, np.ndarray]:
    """Finite-difference gradients of the sum of an executor's outputs, by argument name."""
    _check_float(dtype)
    for name, value in location.items():
        executor.arg_dict[name][:] = to_numpy(value)

    def evaluate() -> float:
        for name, value in (aux_states or {}).items():
            executor.aux_dict[name][:] = to_numpy(value)
        executor.forward(is_train=use_forward_train)
        return sum(float(output.asnumpy().astype(np.float64).sum()) for output in executor.outputs)

    floating = {n: executor.arg_dict[n] for n in location if np.dtype(executor.arg_dict[n].dtype).kind == "f"}
    found = _finite_differences(evaluate, floating, eps)
    return {name: gradient.astype(dtype) for name, gradient in found.items()}


def _check_float(dtype: Any) -> None:
    kinds = (np.float16, np.float32, np.float64)
    assert dtype in kinds, f"dtype must be float16, float32 or float64, got {dtype!r}"


def check_numeric_gradient(
    sym: Any,
    location: Location,
    aux_states: Location | None = None,
    numeric_eps: float | None = None,
    rtol: Any = None,
    atol: Any = None,
    grad_nodes: Any = None,
    use_forward_train: bool = True,
    ctx: Context | None = None,
    grad_stype_dict: Mapping[str, str] | None = None,
    dtype: Any = np.float32,
) -> None:
    """Compares a symbol's gradients at ``location`` with finite differences of a random projection of its outputs.

    ``grad_nodes`` names the arguments to check, or maps them to ``'write'``, ``'add'`` or ``'null'``; all by default.
    """
    _check_float(dtype)
    context = ctx or current_context()
    arguments = _parse_location(sym, location, context, dtype)
    start = _parse_aux_states(sym, aux_states, context, dtype) or {}
    names = sym.list_arguments()
    if grad_nodes is None:
        requests = {n: "write" for n in names if np.dtype(arguments[n].dtype).kind == "f"}
    elif isinstance(grad_nodes, list | tuple):
        requests = dict.fromkeys(grad_nodes, "write")
    elif isinstance(grad_nodes, Mapping):
        requests = dict(grad_nodes)
    else:
        raise ValueError(f"grad_nodes must be a list or a dict of argument names, got {type(grad_nodes).__name__}")

    buffers = {n: array(np.random.normal(size=arguments[n].shape), ctx=context, dtype=dtype) for n in requests}
    buffers.update((n, buffers[n].tostype(stype)) for n, stype in (grad_stype_dict or {}).items() if n in buffers)
    before = {n: buffer.asnumpy() for n, buffer in buffers.items()}
    states = {n: state.copy() for n, state in start.items()}
    executor = sym.bind(
        context, args=arguments, args_grad=buffers, grad_req=_requests(requests, names), aux_states=states
    )
    executor.forward(is_train=True)
    # Away from zero, so that every output takes part with a weight that can be seen.
    weights = [np.random.uniform(0.5, 1.5, o.shape) * np.random.choice([-1.0, 1.0], o.shape) for o in executor.outputs]
    weights = [w.astype(o.dtype) for w, o in zip(weights, executor.outputs, strict=True)]
    executor.backward([array(w, ctx=context, dtype=w.dtype) for w in weights])

    def evaluate() -> float:
        for n, state in start.items():
            states[n][:] = state
        executor.forward(is_train=use_forward_train)
        outputs = [o.asnumpy().astype(np.float64) for o in executor.outputs]
        return sum(float((o * w).sum()) for o, w in zip(outputs, weights, strict=True))

    found = {n: buffer.asnumpy() for n, buffer in buffers.items()}
    eps = default_numeric_eps()[np.dtype(dtype)] if numeric_eps is None else numeric_eps
    active = {n: arguments[n] for n, request in requests.items() if request != "null"}
    numeric = _finite_differences(evaluate, active, eps)
    for name, request in requests.items():
        shown = (f"NUMERICAL_{name}", f"BACKWARD_{name}")
        if request == "null":
            assert_almost_equal(before[name], found[name], rtol, atol, shown)
        else:
            value = found[name] - before[name] if request == "add" else found[name]
            assert_almost_equal(numeric[name].astype(dtype), value, rtol, atol, shown)


# ---- against each other ----------------------------------------------------------------------------------------------


def check_consistency(
    sym: Any,
    ctx_list: Sequence[Mapping[str, Any]],
    scale: float = 1.0,
    grad_req: Any = "write",
    arg_params: Mapping[str, Any] | None = None,
    aux_params: Mapping[str, Any] | None = None,
    rtol: Any = None,
    atol: Any = None,
    raise_on_err: bool = True,
    ground_truth: Mapping[str, Any] | None = None,
    equal_nan: bool = False,
    use_uniform: bool = False,
    rand_type: Any = np.float64,
) -> dict[str, NDArray]:
    """Runs a symbol under several contexts and dtypes and compares outputs and gradients.

    Each item of ``ctx_list`` has a ``'ctx'``, the shapes of inputs by name and perhaps a ``'type_dict'``. The reference
    is ``ground_truth``, or the run with the most precise dtype. Returns the reference by name.
    """
    assert len(ctx_list) > 1, "check_consistency compares runs: give at least two"
    symbols = [sym] * len(ctx_list) if not isinstance(sym, list | tuple) else list(sym)
    assert len(symbols) == len(ctx_list), f"{len(symbols)} symbols were given for {len(ctx_list)} runs"
    outputs, arguments = symbols[0].list_outputs(), symbols[0].list_arguments()
    requests = grad_req if isinstance(grad_req, str) else _requests(grad_req, arguments)
    runs = [s.simple_bind(grad_req=requests, **dict(spec)) for s, spec in zip(symbols, ctx_list, strict=True)]
    given = dict(arg_params or {})
    for name, buffer in runs[0].arg_dict.items():
        if name not in given:
            draw = np.random.uniform(-0.92, 0.92, buffer.shape) if use_uniform else np.random.normal(size=buffer.shape)
            given[name] = (draw * scale).astype(rand_type)
    for run in runs:
        for name, buffer in run.arg_dict.items():
            buffer[:] = to_numpy(given[name]).astype(buffer.dtype)
        for name, buffer in run.aux_dict.items():
            buffer[:] = to_numpy((aux_params or {}).get(name, 0)).astype(buffer.dtype)
        # An argument that is only added to must start from nothing.
        for buffer in run.grad_dict.values():
            if buffer is not None:
                buffer[:] = 0
    precision = [np.dtype(run.outputs[0].dtype).itemsize for run in _forward(runs, train=False)]
    best = int(np.argmax(precision))
    reference = dict(ground_truth or {})
    _compare_runs(runs, best, outputs, reference, rtol, atol, raise_on_err, equal_nan, lambda r: r.outputs)
    if requests != "null":
        for run in _forward(runs, train=True):
            run.backward([o.copy() for o in run.outputs])
        names = [n for n in arguments if runs[best].grad_dict.get(n) is not None]
        train: dict[str, Any] = dict(ground_truth or {})
        _compare_runs(runs, best, outputs, train, rtol, atol, raise_on_err, equal_nan, lambda r: r.outputs)
        _compare_runs(
            runs, best, names, train, rtol, atol, raise_on_err, equal_nan, lambda r: [r.grad_dict[n] for n in names]
        )
        reference = train
    return reference


def _forward(runs: Sequence[Any], train: bool) -> Sequence[Any]:
    for run in runs:
        run.forward(is_train=train)
    return runs


def _compare_runs(
    runs: Sequence[Any],
    best: int,
    names: Sequence[str],
    reference: dict[str, Any],
    rtol: Any,
    atol: Any,
    raise_on_err: bool,
    equal_nan: bool,
    arrays_of: Callable[[Any], Sequence[NDArray]],
) -> None:
    """Compares the named arrays of all runs with the reference, which the best run completes."""
    for name, value in zip(names, arrays_of(runs[best]), strict=True):
        reference.setdefault(name, value.copy())
    for i, run in enumerate(runs):
        for name, value in zip(names, arrays_of(run), strict=True):
            truth = to_numpy(reference[name])
            kind = min((np.dtype(o.dtype) for o in (value, run.outputs[0])), key=lambda d: d.itemsize)
            relative = default_rtols()[kind] if rtol is None else rtol[kind] if isinstance(rtol, Mapping) else rtol
            absolute = default_atols()[kind] if atol is None else atol[kind] if isinstance(atol, Mapping) else atol
            shown = (f"run{i}_{name}", f"reference_{name}")
            try:
                assert_almost_equal(value.asnumpy(), truth, relative, absolute, shown, equal_nan=equal_nan)
            except AssertionError as error:
                if raise_on_err:
                    raise
                print(f"run {i} differs: {error}")


def check_speed(
    sym: Any,
    location: Mapping[str, Any] | None = None,
    ctx: Context | None = None,
    N: int = 20,
    grad_req: Any = None,
    typ: str = "whole",
    **kwargs: Any,
) -> float:
    """Seconds per run of a symbol: forward and backward (``typ='whole'``) or ``'forward'`` only.

    Inputs come from ``location``, or are random with the shapes given as keyword arguments.
    """
    if typ not in ("whole", "forward"):
        raise ValueError('typ can only be "whole" or "forward".')
    context = ctx or current_context()
    shapes = {k: np.shape(to_numpy(v)) for k, v in location.items()} if location is not None else kwargs
    executor = sym.simple_bind(ctx=context, grad_req=grad_req or "write", **shapes)
    for name, buffer in executor.arg_dict.items():
        value = np.random.normal(size=buffer.shape) if location is None else to_numpy(location[name])
        buffer[:] = value.astype(buffer.dtype)

    def run() -> None:
        executor.forward(is_train=typ == "whole")
        if typ == "whole":
            executor.backward(executor.outputs)

    run()  # the first run also plans and allocates
    executor.outputs[0].wait_to_read()
    start = time.perf_counter()
    for _ in range(N):
        run()
    executor.outputs[0].wait_to_read()
    return (time.perf_counter() - start) / N


def same_symbol_structure(sym1: Any, sym2: Any) -> bool:
    """Do two symbols have the same operators in the same order, as far as the shorter one goes?"""
    nodes = [json.loads(s.tojson())["nodes"] for s in (sym1, sym2)]
    return all(a["op"] == b["op"] for a, b in zip(*nodes, strict=False))


def compare_optimizer(
    opt1: Any,
    opt2: Any,
    shape: Any,
    dtype: Any,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    ntensors: int = 1,
) -> None:
    """Raises AssertionError unless two optimizers make the same step from the same weights and gradients.

    ``ntensors > 1`` updates a list of tensors at once; ``shape`` may then be a list of shapes.
    """
    shapes = list(shape) if isinstance(shape, list) else [shape] * ntensors
    weights = [np.random.uniform(-1.0, 1.0, s) for s in shapes]
    slopes = [np.random.uniform(-1.0, 1.0, s) for s in shapes]
    if g_stype != "default":
        slopes = [slope * (np.random.rand(len(slope)) < 0.5).reshape(-1, *[1] * (slope.ndim - 1)) for slope in slopes]
    results = []
    for optimizer in (opt1, opt2):
        kinds = ((weights, w_stype), (slopes, g_stype))
        w, g = ([array(v, dtype=dtype).tostype(stype) for v in values] for values, stype in kinds)
        states = [optimizer.create_state_multi_precision(i, v) for i, v in enumerate(w)]
        if len(w) == 1 and not isinstance(shape, list):
            optimizer.update_multi_precision(0, w[0], g[0], states[0])
        else:
            optimizer.update_multi_precision(list(range(len(w))), w, g, states)
        results.append((tuple(w), tuple(states)))
    (w1, states1), (w2, states2) = results
    if compare_states:
        compare_ndarray_tuple(states1, states2, rtol=rtol, atol=atol)
    compare_ndarray_tuple(w1, w2, rtol=rtol, atol=atol)


def check_gluon_hybridize_consistency(
    net_builder: Callable[..., Any],
    data_l: Sequence[Any],
    numpy_func: Callable[..., Any] | None = None,
    test_grad: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-4,
) -> None:
    """Raises AssertionError unless a HybridBlock gives the same outputs and gradients hybridized and not.

    ``net_builder(prefix=..., params=...)`` makes the block. ``numpy_func`` computes the expected output from NumPy
    arrays.
    """
    from .. import autograd

    runs: list[tuple[np.ndarray, list[np.ndarray], dict[str, np.ndarray]]] = []
    shared = None
    for hybridize in (False, True):
        net = net_builder(prefix="net_", params=shared)
        if shared is None:
            net.initialize()
            net(*data_l)  # settles shapes that were left to the first batch
            shared = net.collect_params()
        if hybridize:
            net.hybridize()
        inputs = [data.copy() for data in data_l]
        for value in inputs:
            value.attach_grad()
        if test_grad:
            with autograd.record(train_mode=False):
                output = net(*inputs)
            output.backward(train_mode=False)
            gradients = {name: p.grad().asnumpy() for name, p in net.collect_params().items() if p.grad_req != "null"}
            runs.append((output.asnumpy(), [value.grad.asnumpy() for value in inputs], gradients))
        else:
            runs.append((net(*inputs).asnumpy(), [], {}))
        if numpy_func is not None:
            assert_almost_equal(runs[-1][0], numpy_func(*[to_numpy(data) for data in data_l]), rtol, atol)
    (plain, plain_inputs, plain_params), (fast, fast_inputs, fast_params) = runs
    assert_almost_equal(fast, plain, rtol, atol, ("hybridized", "eager"))
    for i, (a, b) in enumerate(zip(fast_inputs, plain_inputs, strict=True)):
        assert_almost_equal(a, b, rtol, atol, (f"hybridized_grad{i}", f"eager_grad{i}"))
    for name, value in plain_params.items():
        assert_almost_equal(fast_params[name], value, rtol, atol, (f"hybridized_{name}", f"eager_{name}"))
