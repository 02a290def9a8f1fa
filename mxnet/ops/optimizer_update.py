"""Update rules of optimizers: from weight, gradient and states to the new weight; states are written in place.

A rule is a function ``rule(target, weight, grad, *states, **attributes)`` that writes the new weight into ``target``,
which may be ``weight`` itself (``out=weight``). From it come the operator and a mixed precision twin, whose weight and
gradient are float16 and which keeps a float32 copy of the weight. Updates of many weights in one call, and those that
need norms or a rescaling array (LAMB, AdamW, LARS), are in ``multi_update.py``.
"""

import inspect
from collections.abc import Callable
from typing import Any

import torch

from . import fused_update
from .fused_update import prepare, round_to
from .infer import unify
from .params import REQUIRED, Fraction, param
from .registry import OpDef, register
from .support import without_data
from .types import Dtypes, Keywords

Tensor = torch.Tensor
Rule = Callable[..., None]


def check_floating(*tensors: Tensor) -> None:
    """Refuses integer weights and gradients, as an update of them would be cut to integers."""
    for tensor in tensors:
        if not tensor.is_floating_point():
            raise TypeError("weights, gradients and states must have a floating dtype")


def check_alike(weight: Tensor, *others: Tensor, dtype: torch.dtype | None = None) -> None:
    """All of them must have the weight's shape and dtype (or the one given): torch would broadcast and promote."""
    for other in others:
        if other.shape != weight.shape:
            raise ValueError("weight, gradient and states must have the same shape")
        if other.dtype is not (dtype or weight.dtype):
            raise TypeError("weight, gradient and states must have the same dtype")


def check_target(target: Tensor, weight: Tensor) -> Tensor:
    """``out=`` must fit the weight."""
    if target.shape != weight.shape or target.dtype is not weight.dtype:
        raise ValueError("out must have the shape and dtype of the weight")
    return target


def the_target(given: Any, weight: Tensor) -> Tensor:
    """Where the new weight goes: into ``out=``, else into new memory."""
    if given is None:
        return without_data(weight) if weight.is_meta else torch.empty_like(weight)
    return check_target(given[0] if isinstance(given, tuple) else given, weight)


def _start_from(target: Tensor, weight: Tensor) -> Tensor:
    """``target`` holding the weight, for rules that work in place."""
    return target if target is weight else target.copy_(weight)


def _same_everywhere(shapes: Keywords, outputs: list[Any], attrs: Any) -> None:
    shape = None
    for name, known in [*shapes.items(), ("output", outputs[0])]:
        shape = unify(shape, known, name)
    for name in shapes:
        shapes[name] = shape


def _kernel(rule: Rule) -> Callable[..., Tensor]:
    def kernel(weight: Tensor, grad: Tensor, *more: Tensor, _out: Any = None, **attrs: Any) -> Tensor:
        check_floating(weight)
        check_alike(weight, grad, *more)
        if weight.is_meta:
            return without_data(weight)
        with torch.no_grad():
            target = the_target(_out, weight)
            rule(target, weight, grad, *more, **attrs)
        return target

    return kernel


def _master_kernel(rule: Rule, states: int) -> Callable[..., Tensor]:
    def kernel(weight: Tensor, grad: Tensor, *more: Tensor, _out: Any = None, **attrs: Any) -> Tensor:
        master = more[states]
        check_floating(weight)
        check_alike(weight, grad)
        check_alike(weight, *more, dtype=torch.float32)
        if weight.is_meta:
            return without_data(weight)
        with torch.no_grad():
            target = the_target(_out, weight)
            rule(master, master, grad.float(), *more[:states], **attrs)
            return target.copy_(master)

    return kernel


def update(name: str, master: str | None = None) -> Callable[[Rule], Rule]:
    """Decorator: registers a rule as operator ``name`` and, if wanted, as its mixed precision twin ``master``."""

    def decorate(rule: Rule) -> Rule:
        parameters = list(inspect.signature(rule, eval_str=True).parameters.values())[1:]
        inputs = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        attributes = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
        _register(name, _kernel(rule), inputs, attributes, rule.__doc__ or "")
        if master is not None:
            doc = (rule.__doc__ or "").rstrip() + "\n\nOf a float16 weight, computed on the float32 copy ``weight32``."
            inputs = [*inputs, inspect.Parameter("weight32", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
            opdef = _register(master, _master_kernel(rule, len(inputs) - 3), inputs, attributes, doc)
            opdef.infer_dtype(master_dtypes)
        return rule

    return decorate


def _register(name: str, kernel: Callable, inputs: list, attributes: list, doc: str) -> OpDef:
    names = tuple(p.name for p in inputs)
    params = [param(p.name, p.annotation, REQUIRED if p.default is p.empty else p.default) for p in attributes]
    facts: Any = {"inputs": names, "params": params, "mutates": names[2:], "supplied": ("_out",)}
    opdef = register(name, kernel, doc=inspect.cleandoc(doc), **facts)
    opdef.infer_back(_same_everywhere)
    return opdef


def master_dtypes(dtypes: Dtypes, attrs: Any) -> list[torch.dtype | None]:
    """Dtypes of a mixed precision update: weight and gradient have one, all else is float32."""
    kind = dtypes["weight"] or dtypes["grad"]
    for name in dtypes:
        dtypes[name] = dtypes[name] or (kind if name in ("weight", "grad") else torch.float32)
    return [kind]


@update("sgd_update", "mp_sgd_update")
def sgd(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
) -> None:
    """Gradient descent: ``weight * (1 - lr * wd) - lr * clip(rescale_grad * grad)``.

    A negative ``clip_gradient`` means no clipping. ``lazy_update`` matters for sparse gradients only.
    """
    if target is weight and not fused_update.sgd([(weight, grad)], [lr], [wd], 0.0, rescale_grad, clip_gradient):
        return
    if clip_gradient >= 0:
        grad, rescale_grad = prepare(grad, rescale_grad, clip_gradient), 1.0
    if weight.dtype is torch.float16:  # every product is rounded, and so is every number
        grad = prepare(grad, rescale_grad, clip_gradient)
        keep = round_to(
            1.0 - round_to(round_to(lr, weight.dtype) * round_to(wd, weight.dtype), weight.dtype), weight.dtype
        )
        torch.sub(weight * keep, grad.mul_(round_to(lr, weight.dtype)), out=target)
    elif wd != 0.0:
        torch.mul(weight, 1.0 - lr * wd, out=target)
        target.add_(grad, alpha=-lr * rescale_grad)
    else:
        torch.add(weight, grad, alpha=-lr * rescale_grad, out=target)


@update("sgd_mom_update", "mp_sgd_mom_update")
def sgd_mom(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
) -> None:
    """Gradient descent with momentum: ``mom = momentum * mom - lr * (g + wd * weight)``, ``weight + mom``.

    ``g`` is the rescaled, then clipped gradient; a negative ``clip_gradient`` means no clipping.
    """
    row = (_start_from(target, weight), grad, mom)
    if not fused_update.sgd([row], [lr], [wd], momentum, rescale_grad, clip_gradient):
        return
    if clip_gradient >= 0:
        grad, rescale_grad = prepare(grad, rescale_grad, clip_gradient), 1.0
    if target.dtype is torch.float16:  # as in sgd
        kind = target.dtype
        decay = target * round_to(round_to(lr, kind) * round_to(wd, kind), kind)
        mom.mul_(round_to(momentum, kind)).sub_(decay).sub_(prepare(grad, rescale_grad, -1.0).mul_(round_to(lr, kind)))
    else:
        mom.mul_(momentum).add_(grad, alpha=-lr * rescale_grad)
        if wd != 0.0:
            mom.add_(target, alpha=-lr * wd)
    target.add_(mom)


@update("nag_mom_update", "mp_nag_mom_update")
def _nag(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    """Nesterov's accelerated gradient, with ``g = clip(rescale_grad * grad) + wd * weight``:

    ``mom = momentum * mom - lr * g``, ``weight + momentum * mom - lr * g``. In place, the momentum that is kept decays
    by the new weight, as in MXNet.
    """
    # In MXNet's order, since float16 is rounded after each step.
    kind = weight.dtype
    lr, wd, kept, twice = (round_to(n, kind) for n in (lr, wd, momentum, 1.0 + round_to(momentum, kind)))
    step = prepare(grad, rescale_grad, clip_gradient)
    old = mom * kept
    new = torch.sub(old, (step if wd == 0.0 else step + weight * wd).mul(lr))
    torch.add(weight - old, new.mul_(twice), out=target)
    torch.sub(old, (step if wd == 0.0 else step + weight * wd).mul_(lr), out=mom)


@update("signsgd_update")
def _signsgd(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    *,
    lr: float,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    """A step of size ``lr`` against the sign of the gradient: ``weight * (1 - lr * wd) - lr * sign(grad)``.

    Neither ``rescale_grad`` nor ``clip_gradient`` changes the sign, even if it is 0 or negative, as in the original.
    """
    sign = grad.sign()
    torch.mul(weight, 1.0 - lr * wd, out=target)
    target.add_(sign, alpha=-lr)


@update("signum_update")
def _signum(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    mom: Tensor,
    *,
    lr: float,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
) -> None:
    """A step of size ``lr`` along the sign of the momentum; ``wd_lh`` is weight decay apart from the momentum.

    ``mom = momentum * mom - (1 - momentum) * (g + wd * weight)``, ``weight * (1 - lr * wd_lh) + lr * sign(mom)``.
    """
    step = prepare(grad, rescale_grad, clip_gradient)
    momentum = round_to(momentum, mom.dtype)
    mom.mul_(momentum).add_(step, alpha=momentum - 1.0)
    if wd != 0.0:
        mom.add_(weight, alpha=(momentum - 1.0) * wd)
    torch.mul(weight, 1.0 - lr * wd_lh, out=target)
    target.add_(torch.sign(mom, out=step), alpha=lr)


@update("adam_update")
def _adam(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    mean: Tensor,
    var: Tensor,
    *,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
) -> None:
    """Adam, with ``g = clip(rescale_grad * grad + wd * weight)`` and no bias correction (fold that into ``lr``):

    ``mean`` and ``var`` are running means of ``g`` and ``g**2``; ``weight - lr * mean / (sqrt(var) + epsilon)``.
    """
    row = (_start_from(target, weight), grad, mean, var)
    if not fused_update.adam([row], [lr], [wd], beta1, beta2, epsilon, rescale_grad, clip_gradient):
        return
    g = prepare(grad, rescale_grad, clip_gradient, weight, wd)
    running_moments(mean, var, g, beta1, beta2)
    if weight.dtype is torch.float16:
        divisor = torch.sqrt(var, out=g).add_(round_to(epsilon, weight.dtype))
        torch.sub(weight, (mean * round_to(lr, weight.dtype)).div_(divisor), out=target)
        return
    torch.addcdiv(weight, mean, torch.sqrt(var, out=g).add_(epsilon), value=-lr, out=target)


def running_moments(mean: Tensor, var: Tensor, g: Tensor, beta1: float, beta2: float) -> None:
    """Running means of a gradient and of its square, rounded after each step as MXNet does."""
    beta1, beta2 = round_to(beta1, mean.dtype), round_to(beta2, mean.dtype)
    mean.mul_(beta1).add_(g * (1.0 - beta1))
    var.mul_(beta2).add_((g * (1.0 - beta2)).mul_(g))


@update("ftml_update")
def _ftml(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    d: Tensor,
    v: Tensor,
    z: Tensor,
    *,
    lr: float,
    beta1: Fraction = 0.6,
    beta2: Fraction = 0.999,
    epsilon: float = 1e-8,
    t: int,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
) -> None:
    """Follow the moving leader (Zheng and Kwok, 2017): step ``t``, counted from 1."""
    # In MXNet's order, since float16 is rounded after each step.
    kind = weight.dtype
    lr, beta1, beta2, epsilon = (round_to(n, kind) for n in (lr, beta1, beta2, epsilon))
    first, second = (round_to(1.0 - round_to(b**t, kind), kind) for b in (beta1, beta2))
    g = prepare(grad, rescale_grad, clip_grad, weight, wd)
    v.mul_(beta2).add_(g.square().mul_(round_to(1.0 - beta2, kind)))
    new_d = torch.div(v, second).sqrt_().add_(epsilon).mul_(round_to(first / lr, kind))
    sigma = new_d - d.mul_(beta1)
    z.mul_(beta1).add_(g * round_to(1.0 - beta1, kind)).sub_(sigma.mul_(weight))
    d.copy_(new_d)
    torch.div(z, new_d, out=target).neg_()


@update("ftrl_update")
def _ftrl(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    z: Tensor,
    n: Tensor,
    *,
    lr: float,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> None:
    """Follow the regularized leader (McMahan et al., 2013), with ``g = clip(rescale_grad * grad)``:

    ``z += g - (sqrt(n + g**2) - sqrt(n)) * weight / lr``, ``n += g**2``; the weight is 0 where ``abs(z) <= lamda1``,
    else ``(sign(z) * lamda1 - z) / ((beta + sqrt(n)) / lr + wd)``.
    """
    g = prepare(grad, rescale_grad, clip_gradient)
    root = n.sqrt()
    n.addcmul_(g, g)
    new_root = n.sqrt()
    z.add_(g).addcmul_(root.sub_(new_root), weight, value=1.0 / lr)
    shrunk = torch.nn.functional.softshrink(z, lamda1) if lamda1 >= 0 else z - lamda1 * z.sign()
    torch.div(shrunk, new_root.add_(beta).div_(lr).add_(wd), out=target).neg_()


@update("rmsprop_update")
def _rmsprop(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    n: Tensor,
    *,
    lr: float,
    gamma1: float = 0.95,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> None:
    """RMSProp (Tieleman and Hinton), with ``g = clip(rescale_grad * grad + wd * weight)``:

    ``n = gamma1 * n + (1 - gamma1) * g**2``, ``weight - lr * g / sqrt(n + epsilon)``, clipped by ``clip_weights``.
    """
    g = prepare(grad, rescale_grad, clip_gradient, weight, wd)
    gamma1 = round_to(gamma1, n.dtype)
    n.mul_(gamma1).addcmul_(g, g, value=1.0 - gamma1)
    torch.addcdiv(weight, g, torch.add(n, epsilon).sqrt_(), value=-lr, out=target)
    if clip_weights >= 0:
        target.clamp_(-clip_weights, clip_weights)


@update("rmspropalex_update")
def _rmspropalex(
    target: Tensor,
    weight: Tensor,
    grad: Tensor,
    n: Tensor,
    g: Tensor,
    delta: Tensor,
    *,
    lr: float,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
) -> None:
    """RMSProp as Graves (2013) has it: centred by the running mean ``g`` of the gradient, with momentum ``gamma2``."""
    step = prepare(grad, rescale_grad, clip_gradient, weight, wd)
    gamma1 = round_to(gamma1, n.dtype)
    n.mul_(gamma1).addcmul_(step, step, value=1.0 - gamma1)
    g.mul_(gamma1).add_(step, alpha=1.0 - gamma1)
    spread = torch.addcmul(n, g, g, value=-1.0).add_(epsilon).sqrt_()
    delta.mul_(gamma2).addcdiv_(step, spread, value=-lr)
    torch.add(weight, delta, out=target)
    if clip_weights >= 0:
        target.clamp_(-clip_weights, clip_weights)
