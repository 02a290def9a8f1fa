"""Densities of the distributions: ``_random_pdf_normal`` and others, as functions of samples and parameters."""

import math
from collections.abc import Callable

import torch

from ..gradients import constant_in
from ..params import param
from ..registry import OpDef, register
from ..support import without_data
from ..types import Attrs, Shapes
from ..unary import log_gamma
from .distributions import FLOATS

Density = Callable[..., torch.Tensor]


def pdf(
    name: str,
    inputs: tuple[str, ...],
    log_density: Density,
    what: str,
    vector: bool = False,
    smooth: bool = True,
    density: Density | None = None,
) -> OpDef:
    """Registers a density by its logarithm; ``density`` computes it where parameters make it negative.

    ``vector``: the last dimension of samples and parameters is one sample. ``smooth=False``: the samples are integers,
    or the density does not depend on them, so that their gradient is 0.
    """

    def kernel(sample: torch.Tensor, *parameters: torch.Tensor, is_log: bool = False) -> torch.Tensor:
        dtype, shape = sample.dtype, parameters[0].shape
        if dtype not in (*FLOATS, torch.bfloat16):
            raise TypeError("only floating types are supported; convert the inputs with astype('float32')")
        if any(p.dtype is not dtype for p in parameters):
            raise TypeError("samples and parameters must have the same dtype; convert with astype()")
        if any(p.shape != shape for p in parameters):
            raise ValueError("all parameters must have the same shape")
        inner = 1 if vector else 0
        outer = len(shape) - inner
        if outer < 0 or sample.dim() < len(shape) or sample.shape[:outer] != shape[:outer]:
            raise ValueError(f"the shape of sample must begin with {tuple(shape[: max(outer, 0)])}, the parameters'")
        if vector and sample.shape[-1] != shape[-1]:
            raise ValueError(f"the last dimension of sample must be {shape[-1]}, as that of the parameters")
        if sample.is_meta:
            return without_data(sample, (sample.shape[:-1] or (1,)) if vector else sample.shape)
        columns = (*shape[:outer], *[1] * (sample.dim() - len(shape)), *shape[outer:])
        precise = torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
        values = [p.to(precise).reshape(columns) for p in parameters]
        samples = (sample if smooth else sample.detach()).to(precise)
        if density is not None and not is_log:
            result = density(samples, *values).to(dtype)
        else:
            result = log_density(samples, *values)
            result = (result if is_log else result.exp()).to(dtype)
        return result if smooth else constant_in(result, sample)

    opdef = register(
        f"_random_pdf_{name}",
        kernel,
        aliases=(f"random_pdf_{name}",),
        inputs=("sample", *inputs),
        params=[param("is_log", bool, False)],
        doc=f"""The density of {what} at ``sample``, or its logarithm with ``is_log``.

        The parameters have one shape, with which the shape of ``sample`` must begin.
        """,
    )

    @opdef.infer_args
    def _(shapes: Shapes, attrs: Attrs) -> None:
        known = next((shapes[n] for n in inputs if shapes[n] is not None), None)
        for parameter in inputs:
            shapes[parameter] = shapes[parameter] or known

    return opdef


def _uniform(x: torch.Tensor, low: torch.Tensor, high: torch.Tensor) -> torch.Tensor:
    return (high - low).log().neg().expand(x.shape)


def _uniform_density(x: torch.Tensor, low: torch.Tensor, high: torch.Tensor) -> torch.Tensor:
    return (high - low).reciprocal().expand(x.shape)


def _normal(x: torch.Tensor, mu: torch.Tensor, sigma: torch.Tensor) -> torch.Tensor:
    return -0.5 * ((x - mu) / sigma).square() - sigma.log() - 0.5 * math.log(2 * math.pi)


def _normal_density(x: torch.Tensor, mu: torch.Tensor, sigma: torch.Tensor) -> torch.Tensor:
    return (-0.5 * ((x - mu) / sigma).square()).exp() / (sigma * math.sqrt(2 * math.pi))


def _gamma(x: torch.Tensor, alpha: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return alpha * beta.log() + (alpha - 1) * x.log() - beta * x - log_gamma(alpha)


def _exponential(x: torch.Tensor, lam: torch.Tensor) -> torch.Tensor:
    return lam.log() - lam * x


def _exponential_density(x: torch.Tensor, lam: torch.Tensor) -> torch.Tensor:
    return lam * (-lam * x).exp()


def _poisson(x: torch.Tensor, lam: torch.Tensor) -> torch.Tensor:
    return x * lam.log() - lam - log_gamma(x + 1)


def _negative_binomial(x: torch.Tensor, k: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    return log_gamma(x + k) - log_gamma(x + 1) - log_gamma(k) + k * p.log() + x * (-p).log1p()


def _generalized_negative_binomial(x: torch.Tensor, mu: torch.Tensor, alpha: torch.Tensor) -> torch.Tensor:
    return _negative_binomial(x, 1 / alpha, 1 / (mu * alpha + 1))


def _dirichlet(x: torch.Tensor, alpha: torch.Tensor) -> torch.Tensor:
    result = ((alpha - 1) * x.log()).sum(-1) + log_gamma(alpha.sum(-1)) - log_gamma(alpha).sum(-1)
    return result.reshape(1) if x.dim() == 1 else result


pdf(
    "uniform",
    ("low", "high"),
    _uniform,
    "the uniform distribution, 1 / (high - low) also outside of the interval,",
    smooth=False,
    density=_uniform_density,
)
pdf(
    "normal",
    ("mu", "sigma"),
    _normal,
    "the normal distribution with mean ``mu`` and standard deviation ``sigma``",
    density=_normal_density,
)
pdf("gamma", ("alpha", "beta"), _gamma, "the gamma distribution with shape ``alpha`` and rate ``beta``")
pdf(
    "exponential",
    ("lam",),
    _exponential,
    "the exponential distribution with rate ``lam``",
    density=_exponential_density,
)
pdf("poisson", ("lam",), _poisson, "the Poisson distribution with rate ``lam``", smooth=False)
pdf(
    "negative_binomial",
    ("k", "p"),
    _negative_binomial,
    "the negative binomial distribution (successes before ``k`` failures of probability ``p``)",
    smooth=False,
)
pdf(
    "generalized_negative_binomial",
    ("mu", "alpha"),
    _generalized_negative_binomial,
    "the negative binomial distribution with mean ``mu`` and dispersion ``alpha``",
    smooth=False,
)
pdf("dirichlet", ("alpha",), _dirichlet, "the Dirichlet distribution with concentration ``alpha``", vector=True)
