"""Updates of many weights in one call, and the AdamW, LAMB and LARS rules that share them.

The rules work on lists of tensors by torch's foreach functions. A call takes the arrays of the first weight, then those
of the second, and so on: weight, gradient, states and, for mixed precision, the float32 copy of the weight.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .infer import same_shapes
from .optimizer_update import (
    Tensor,
    check_alike,
    check_floating,
    master_dtypes,
    prepare,
    round_to,
    running_moments,
    sgd,
    sgd_mom,
    the_target,
)
from .params import param
from .registry import OpDef, op, register
from .support import check_same_dtype, without_data
from .types import Attrs, Dtypes, Keywords

Tensors = list[Tensor]


class _Group:
    """The arrays of one update, checked: ``weights`` is what to change in place, float32 if there are master copies."""

    def __init__(self, data: Sequence[Tensor], count: int, states: int, master: bool, out: Any):
        names = ["weight", "grad", *(f"state {i + 1}" for i in range(states)), *(["weight32"] if master else [])]
        if count < 1 or len(data) != count * len(names):
            raise ValueError(
                f"expected {len(names)} arrays ({', '.join(names)}) for each of {count} weight(s), got {len(data)}"
            )
        columns = [list(data[i :: len(names)]) for i in range(len(names))]
        own, grads = columns[:2]
        given = (None,) * count if out is None else out if isinstance(out, tuple) else (out,)
        if len(given) != count:
            raise ValueError(f"out must have one array for each of the {count} weight(s), it has {len(given)}")
        self.states = columns[2 : 2 + states]
        self.targets = []
        for i, weight in enumerate(own):
            check_floating(weight)
            check_alike(weight, grads[i])
            check_alike(weight, *(c[i] for c in columns[2:]), dtype=torch.float32 if master else None)
            target = the_target(given[i], weight)
            if target is not weight and not master and not weight.is_meta:
                target.copy_(weight)
            self.targets.append(target)
        self.grads = [g.float() for g in grads] if master else grads
        self.weights = columns[-1] if master else self.targets

    def finish(self) -> Any:
        """What the operator returns, once ``weights`` are the new ones."""
        if self.weights is not self.targets and not self.targets[0].is_meta:
            torch._foreach_copy_(self.targets, self.weights)
        return self.targets[0] if len(self.targets) == 1 else tuple(self.targets)

    def rescale_gradients(self, rescale: float, clip: float) -> Tensors:
        """The gradients rescaled, then clipped unless ``clip`` is negative; new memory."""
        result = list(torch._foreach_mul(self.grads, rescale))
        if clip >= 0:
            torch._foreach_clamp_max_(result, clip)
            torch._foreach_clamp_min_(result, -clip)
        return result

    def moments(self, g: Tensors, beta1: float, beta2: float) -> tuple[Tensors, Tensors]:
        """Adam's running means of gradients and squares, updated."""
        mean, var = self.states
        torch._foreach_mul_(mean, beta1)
        torch._foreach_add_(mean, g, alpha=1.0 - beta1)
        torch._foreach_mul_(var, beta2)
        torch._foreach_addcmul_(var, g, g, value=1.0 - beta2)
        return mean, var


def _state_positions(count: str, states: int) -> Callable[[dict], list[int]]:
    """Where the states are: each weight comes with its gradient and then its states."""

    def positions(attrs: Attrs) -> list[int]:
        step = 2 + states
        return [i * step + 2 + k for i in range(attrs[count]) for k in range(states)]

    return positions


def _multi(
    name: str,
    rule: Callable[..., None],
    states: int,
    attributes: tuple[tuple, ...],
    *,
    doc: str,
    master: str | None = None,
    count: str = "num_weights",
    per_weight: tuple[str, ...] = ("lrs", "wds"),
    extra: int = 0,
) -> None:
    """Registers ``rule(group, *extra arrays, **attributes)`` as a multi-tensor operator, and its master-copy twin."""
    params = [param(*fact) for fact in (*attributes, (count, int, 1))]

    def define(name: str, with_master: bool) -> None:
        def kernel(*data: Tensor, _out: Any = None, **attrs: Any) -> Any:
            number = attrs.pop(count, 1)
            for each in per_weight:
                if len(attrs[each]) != number:
                    raise ValueError(f"{each} must have one number for each of the {number} weight(s)")
            own = len(data) - extra
            with torch.no_grad():
                group = _Group(data[:own], number, states, with_master, _out)
                if not data[0].is_meta:
                    rule(group, *data[own:], **attrs)
                return group.finish()

        text = doc + (" On float32 copies of float16 weights." if with_master else "")
        opdef = register(
            name,
            kernel,
            inputs=("data",),
            variadic="data",
            required=0,
            params=params,
            supplied=("_out",),
            outputs=lambda attrs: attrs[count],
            mutates=("data",),
            aux=_state_positions(count, states + with_master),
            doc=text,
        )
        if with_master:
            opdef.infer_dtype(_master_dtypes(count, states, extra))

    define(name, False)
    if master is not None:
        define(master, True)


def _master_dtypes(count: str, states: int, extra: int) -> Callable:
    def rule(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
        width, own = states + 3, len(dtypes) - extra
        names = list(dtypes)
        for i, name in enumerate(names):
            low = i < own and i % width < 2
            dtypes[name] = dtypes[name] or (dtypes[names[i - i % width]] if low else torch.float32)
        return [dtypes[names[i * width]] for i in range(attrs[count])]

    return rule


_LRS = (("lrs", tuple[float, ...]), ("wds", tuple[float, ...]))
_SCALING = (("rescale_grad", float, 1.0), ("clip_gradient", float, -1.0))
_MOMENTUM = (("momentum", float, 0.0),)


def _multi_sgd(
    group: _Group,
    *,
    lrs: Any,
    wds: Any,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    if isinstance(lrs[0], float) and group.weights[0].device.type == "cpu":
        # launches cost nothing here, passes over memory do
        shared = dict(rescale_grad=rescale_grad, clip_gradient=clip_gradient)
        if group.states:
            shared["momentum"] = momentum
        rule = sgd_mom if group.states else sgd
        for weight, grad, *state, lr, wd in zip(group.weights, group.grads, *group.states, lrs, wds, strict=True):
            rule(weight, weight, grad, *state, lr=lr, wd=wd, **shared)
        return
    steps = group.rescale_gradients(rescale_grad, clip_gradient)
    torch._foreach_add_(steps, torch._foreach_mul(group.weights, wds))
    torch._foreach_mul_(steps, lrs)
    if group.states:
        torch._foreach_mul_(group.states[0], momentum)
        torch._foreach_sub_(group.states[0], steps)
        torch._foreach_add_(group.weights, group.states[0])
    else:
        torch._foreach_sub_(group.weights, steps)


def _preloaded_sgd(group: _Group, lrs: Tensor, wds: Tensor, **attrs: Any) -> None:
    count = len(group.weights)
    if lrs.numel() != count or wds.numel() != count:
        raise ValueError(f"the last two arrays, learning rates and weight decays, must have {count} element(s) each")
    if lrs.dtype is not torch.float32 or wds.dtype is not torch.float32:
        raise TypeError("the last two arrays, learning rates and weight decays, must be float32")
    if lrs.device.type == "cpu":
        _multi_sgd(group, lrs=lrs.reshape(-1).tolist(), wds=wds.reshape(-1).tolist(), **attrs)
    else:  # elements of an array, not numbers: reading them would wait for the device
        _multi_sgd(group, lrs=lrs.reshape(-1).unbind(), wds=wds.reshape(-1).unbind(), **attrs)


for _states, _infix, _attributes in ((0, "", _SCALING), (1, "mom_", (*_MOMENTUM, *_SCALING))):
    _words = "with momentum" if _states else "by gradient descent"
    _multi(
        f"multi_sgd_{_infix}update",
        _multi_sgd,
        _states,
        (*_LRS, *_attributes),
        master=f"multi_mp_sgd_{_infix}update",
        doc=f"Updates several weights {_words}, as sgd_{_infix}update does, each with its own rate and decay.",
    )
    _multi(
        f"preloaded_multi_sgd_{_infix}update",
        _preloaded_sgd,
        _states,
        _attributes,
        master=f"preloaded_multi_mp_sgd_{_infix}update",
        doc=f"Updates several weights {_words}; the last two inputs are the learning rates and the weight decays.",
        per_weight=(),
        extra=2,
    )


# ---- AdamW ----------------------------------------------------------------------------------------------------------


def _adamw(
    group: _Group,
    rescale: Tensor,
    *,
    lrs: Sequence[float],
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wds: Sequence[float],
    etas: Sequence[float],
    clip_gradient: float = -1.0,
    in_place: bool = False,
) -> None:
    if rescale.dtype is not torch.float32:
        raise TypeError("the scale, the last array, must be float32")
    if rescale.is_meta:
        return
    scale = float(rescale.reshape(-1)[0])
    if scale == 0.0 or not math.isfinite(scale):
        return  # a gradient that overflowed: the loss scaler wants no step
    grads = group.rescale_gradients(scale, clip_gradient)
    if in_place:
        torch._foreach_copy_(group.grads, grads)
    mean, var = group.moments(grads, beta1, beta2)
    denominators = torch._foreach_sqrt(var)
    torch._foreach_add_(denominators, epsilon)
    torch._foreach_mul_(group.weights, [1.0 - eta * wd for eta, wd in zip(etas, wds, strict=True)])
    torch._foreach_addcdiv_(group.weights, mean, denominators, [-eta * lr for eta, lr in zip(etas, lrs, strict=True)])


_BETAS = (("beta1", float, 0.9), ("beta2", float, 0.999))
_ADAMW_DOC = """AdamW: ``weight -= eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight)``.

``mean`` and ``var`` are running means of the clipped, rescaled gradient and of its square. The scale is an array of one
element, the last input; where it is 0, infinite or NaN nothing is updated."""
_multi(
    "_multi_adamw_update",
    _adamw,
    2,
    (_LRS[0], *_BETAS, ("epsilon", float, 1e-8), _LRS[1], ("etas", tuple[float, ...]), _SCALING[1]),
    master="_multi_mp_adamw_update",
    doc=_ADAMW_DOC.replace("AdamW:", "AdamW for several weights:"),
    per_weight=("lrs", "wds", "etas"),
    extra=1,
)


def _one_adamw(name: str, names: tuple[str, ...], master: bool) -> OpDef:
    def kernel(*arrays: Tensor, lr: float, eta: float, wd: float = 0.0, _out: Any = None, **attrs: Any) -> Tensor:
        with torch.no_grad():
            group = _Group(arrays[:-1], 1, 2, master, _out)
            if not arrays[0].is_meta:
                _adamw(group, arrays[-1], lrs=(lr,), wds=(wd,), etas=(eta,), in_place=not master, **attrs)
            return group.finish()

    facts = (("lr", float), *_BETAS, ("epsilon", float, 1e-8), ("wd", float, 0.0), ("eta", float), _SCALING[1])
    params = [param(*fact) for fact in facts]
    # The original leaves the rescaled, clipped gradient in grad, except with a float32 copy.
    text = _ADAMW_DOC + (" On the float32 copy of a float16 weight." if master else "")
    written = names[2 if master else 1 : -1]
    return register(name, kernel, inputs=names, params=params, supplied=("_out",), mutates=written, doc=text)


_one_adamw("_adamw_update", ("weight", "grad", "mean", "var", "rescale_grad"), False)
_mp_adamw = _one_adamw("_mp_adamw_update", ("weight", "grad", "mean", "var", "weight32", "rescale_grad"), True)
_mp_adamw.infer_dtype(master_dtypes)


# ---- LAMB and LARS --------------------------------------------------------------------------------------------------


def _lamb_direction(
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    *,
    t: int,
    wd: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    bias_correction: bool = True,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    kind = mean.dtype
    if grad.dtype is kind:
        g = prepare(grad, rescale_grad, clip_gradient)
    else:  # scaled, it is a gradient in half precision again; clipped as what it becomes
        g = prepare((grad.to(kind) * rescale_grad).to(grad.dtype).to(kind), 1.0, clip_gradient)
    running_moments(mean, var, g, beta1, beta2)
    first, second = (_correction(b, t, kind) if bias_correction else 1.0 for b in (beta1, beta2))
    divisor = _over(var, second).sqrt_().add_(round_to(epsilon, kind))
    return torch.div(_over(mean, first), divisor, out=g).add_(weight * round_to(wd, kind))


def _correction(beta: float, t: int, kind: torch.dtype) -> float:
    """``1 - beta ** t``, by a power of this type; the difference is of it in half precision only, as in MXNet."""
    correction = 1.0 - round_to(round_to(beta, torch.float32) ** t, kind)
    return round_to(correction, kind) if kind is torch.float16 else correction


def _over(numbers: Tensor, divisor: float) -> Tensor:
    """``numbers / divisor``, rounded once; torch would round the divisor first."""
    if round_to(divisor, numbers.dtype) == divisor:
        return numbers / divisor
    return (numbers.double() / divisor).to(numbers.dtype)


def _lamb_rate(r1: Tensor, r2: Tensor, lower: float, upper: float, lr: float = 1.0) -> Tensor:
    """``lr`` times the trust ratio of weight norm ``r1`` and direction norm ``r2``, 1 where one of them is 0."""
    if lower >= 0 or upper >= 0:
        r1 = r1.clamp(lower if lower >= 0 else None, upper if upper >= 0 else None)
    return torch.where((r1 == 0) | (r2 == 0), lr, r1 * lr / r2)


def _lamb_phase1(name: str, names: tuple[str, ...], master: bool) -> OpDef:
    def kernel(*arrays: Tensor, **attrs: Any) -> Tensor:
        weight, grad, *states = arrays
        check_floating(weight)
        check_alike(weight, grad)
        check_alike(weight, *states, dtype=torch.float32 if master else None)
        if weight.is_meta:
            return without_data(weight, dtype=states[0].dtype)
        with torch.no_grad():
            if master:
                return _lamb_direction(states[2], grad, states[0], states[1], **attrs)
            return _lamb_direction(weight, grad, *states, **attrs)

    facts = (*_BETAS, ("epsilon", float, 1e-6), ("t", int), ("bias_correction", bool, True), ("wd", float), *_SCALING)
    text = "The direction of a LAMB step: Adam's plus ``wd * weight``. The step itself is lamb_update_phase2."
    params = [param(*fact) for fact in facts]
    return register(name, kernel, inputs=names, params=params, mutates=("mean", "var"), doc=text)


def _lamb_phase2(name: str, names: tuple[str, ...], master: bool) -> OpDef:
    def kernel(
        weight: Tensor,
        g: Tensor,
        r1: Tensor,
        r2: Tensor,
        weight32: Tensor | None = None,
        *,
        lr: float,
        lower_bound: float = -1.0,
        upper_bound: float = -1.0,
        _out: Any = None,
    ) -> Tensor:
        check_floating(weight)
        own = weight32 if weight32 is not None else weight
        check_alike(weight, g, own, dtype=torch.float32 if master else None)
        if r1.numel() != 1 or r2.numel() != 1:
            raise ValueError("r1 and r2, the norms of weight and direction, must have one element each")
        check_same_dtype(g, r1, r2)
        if weight.is_meta:
            return without_data(weight)
        with torch.no_grad():
            target = the_target(_out, weight)
            rate = _lamb_rate(r1.reshape(()), r2.reshape(()), lower_bound, upper_bound, round_to(lr, g.dtype))
            changed = torch.sub(own, g * rate, out=own if master else target)
            return target.copy_(changed) if master else changed

    facts = (("lr", float), ("lower_bound", float, -1.0), ("upper_bound", float, -1.0))
    text = (
        "A LAMB step: ``weight - lr * r1 / r2 * g``, where ``r1`` is the norm of the weight, within the bounds if they "
    )
    text += "are not negative, and ``r2`` that of ``g``. If one of them is 0, the step is ``lr * g``."
    params = [param(*fact) for fact in facts]
    return register(name, kernel, inputs=names, params=params, supplied=("_out",), mutates=names[4:], doc=text)


_lamb_phase1("lamb_update_phase1", ("weight", "grad", "mean", "var"), False)
_mp_phase1 = _lamb_phase1("mp_lamb_update_phase1", ("weight", "grad", "mean", "var", "weight32"), True)
_lamb_phase2("lamb_update_phase2", ("weight", "g", "r1", "r2"), False)
_mp_phase2 = _lamb_phase2("mp_lamb_update_phase2", ("weight", "g", "r1", "r2", "weight32"), True)


@_mp_phase1.infer_dtype
def _phase1_dtypes(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    master_dtypes(dtypes, attrs)
    return [torch.float32]


@_mp_phase2.infer_dtype
def _phase2_dtypes(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    for name in ("g", "r1", "r2", "weight32"):
        dtypes[name] = dtypes[name] or torch.float32
    return [dtypes["weight"]]


def _multi_lamb(
    group: _Group,
    *,
    learning_rates: Sequence[float],
    wds: Sequence[float],
    step_count: Sequence[int],
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    **attrs: Any,
) -> None:
    directions = [
        _lamb_direction(*arrays, t=t, wd=wd, **attrs)
        for *arrays, t, wd in zip(group.weights, group.grads, *group.states, step_count, wds, strict=True)
    ]
    weight_norms, norms = torch._foreach_norm(group.weights), torch._foreach_norm(directions)
    rates = [_lamb_rate(a, b, lower_bound, upper_bound) for a, b in zip(weight_norms, norms, strict=True)]
    torch._foreach_mul_(directions, rates)
    torch._foreach_mul_(directions, learning_rates)
    torch._foreach_sub_(group.weights, directions)


_multi(
    "_multi_lamb_update",
    _multi_lamb,
    2,
    (
        ("learning_rates", tuple[float, ...]),
        *_BETAS,
        ("epsilon", float, 1e-6),
        ("wds", tuple[float, ...]),
        ("rescale_grad", float, 1.0),
        ("lower_bound", float, -1.0),
        ("upper_bound", float, -1.0),
        ("clip_gradient", float, -1.0),
        ("bias_correction", bool, True),
        ("step_count", tuple[int, ...]),
    ),
    master="_multi_mp_lamb_update",
    count="num_tensors",
    per_weight=("learning_rates", "wds", "step_count"),
    doc="LAMB steps of several weights, both phases in one.",
)


@op("multi_lars")
def multi_lars(
    lrs: Tensor,
    weights_sum_sq: Tensor,
    grads_sum_sq: Tensor,
    wds: Tensor,
    *,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
) -> Tensor:
    """LARS learning rates from sums of squares: ``lr * eta * |w| / (rescale_grad * |g| + wd * |w| + eps)``.

    Where ``|w|`` or ``|g|`` is 0, ``lr`` itself.
    """
    check_alike(lrs, weights_sum_sq, grads_sum_sq, wds)
    w, g = weights_sum_sq.sqrt(), grads_sum_sq.sqrt()
    return lrs * torch.where((w > 0) & (g > 0), eta * w / (rescale_grad * g + wds * w + eps), 1.0)


multi_lars.infer_back(same_shapes)


@op("_contrib_group_adagrad_update", mutates=("history",))
def group_adagrad_update(
    weight: Tensor,
    grad: Tensor,
    history: Tensor,
    *,
    lr: float,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-5,
    _out: Any = None,
) -> Tensor:
    """AdaGrad with one learning rate for each row: ``history``, shape (rows, 1), sums the rows' mean squares."""
    check_floating(weight)
    check_alike(weight, grad)
    if weight.dim() != 2 or history.shape != (weight.shape[0], 1):
        raise ValueError("weight must have two dimensions, and history the shape (rows of the weight, 1)")
    with torch.no_grad():
        target = the_target(_out, weight)
        g = prepare(grad, rescale_grad, clip_gradient)
        history.add_(g.square().mean(1, keepdim=True))
        return torch.addcdiv(weight, g, (history + epsilon).sqrt_(), value=-lr, out=target)


@group_adagrad_update.infer_args
def _group_adagrad_shapes(shapes: Keywords, attrs: Any) -> None:
    weight = shapes["weight"] = shapes["weight"] or shapes["grad"]
    shapes["grad"] = shapes["grad"] or weight
    if weight is not None and shapes["history"] is None:
        shapes["history"] = (weight[0], 1)
