"""The functions of ``mx.nd.random`` and ``mx.sym.random``, which differ in what they are given and give back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from ...base import _Null, numeric_types
from ...context import Context
from ...error import MXNetArgumentError, MXNetValueError
from ..types import DtypeLike, Keywords, OpenShape

#: The functions that both modules have.
NAMES = (
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "shuffle",
    "uniform",
)


def without_null(**attributes: Any) -> Keywords:
    """Those that were not left out."""
    return {name: value for name, value in attributes.items() if value is not _Null}


def named_type(dtype: DtypeLike) -> Any:
    """The type asked for: None is float64, as NumPy reads it, and not the same as none given."""
    return "float64" if dtype is None else dtype


#: NDArray or Symbol.
Array = TypeVar("Array")


class Functions(ABC, Generic[Array]):
    """Distributions by numbers, or by arrays of one shape, for each element of which ``shape`` numbers are drawn."""

    #: NDArray or Symbol.
    array: type

    @abstractmethod
    def create(
        self, operator: str, attributes: Keywords, shape: Any, dtype: DtypeLike, ctx: Context | None, out: Any
    ) -> Any:
        """Calls an operator without inputs."""

    @abstractmethod
    def call(self, operator: str, *inputs: Any, out: Any = None, **attributes: Any) -> Any:
        """Calls an operator on arrays."""

    def _are_arrays(self, name: str, first: Any, *others: Any) -> bool:
        """Are the parameters of a distribution arrays? All or none of them must be."""
        arrays = isinstance(first, self.array)
        for other in others:
            if isinstance(other, self.array) is not arrays:
                raise MXNetArgumentError(
                    f"{name}: distribution parameters must all have the same type, "
                    f"but got both {type(first).__name__} and {type(other).__name__}"
                )
        return arrays

    def _draw(
        self,
        name: str,
        parameters: Keywords,
        shape: Any,
        dtype: DtypeLike,
        ctx: Context | None,
        out: Any,
        kwargs: Keywords,
    ) -> Any:
        dtype = named_type(dtype)
        first, *others = parameters.values()
        if self._are_arrays(name, first, *others):
            return self.call(
                f"_sample_{name}", first, *others, out=out, **without_null(shape=shape, dtype=dtype), **kwargs
            )
        for value in (first, *others):
            if not isinstance(value, numeric_types):
                raise MXNetValueError(
                    f"{name}: distribution parameters must be either {self.array.__name__} or numbers, "
                    f"but got {type(value).__name__}"
                )
        return self.create(f"_random_{name}", {**parameters, **kwargs}, shape, dtype, ctx, out)

    def uniform(
        self,
        low: Array | float = 0,
        high: Array | float = 1,
        shape: OpenShape = _Null,
        dtype: DtypeLike = _Null,
        ctx: Context | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Array:
        """Numbers from the uniform distribution on the half-open interval [low, high)."""
        return self._draw("uniform", {"low": low, "high": high}, shape, dtype, ctx, out, kwargs)

    def normal(
        self,
        loc: Array | float = 0,
        scale: Array | float = 1,
        shape: OpenShape = _Null,
        dtype: DtypeLike = _Null,
        ctx: Context | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Array:
        """Numbers from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
        return self._draw("normal", {"loc": loc, "scale": scale}, shape, dtype, ctx, out, kwargs)

    def randn(self, *shape: int, **kwargs: Any) -> Array:
        """Numbers from the normal distribution: ``randn(2, 3, loc=0, scale=1, dtype=...)``."""
        return self.normal(kwargs.pop("loc", 0), kwargs.pop("scale", 1), shape or _Null, **kwargs)

    def poisson(
        self,
        lam: Array | float = 1,
        shape: OpenShape = _Null,
        dtype: DtypeLike = _Null,
        ctx: Context | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Array:
        """Numbers from the Poisson distribution with rate ``lam``, in a floating type."""
        return self._draw("poisson", {"lam": lam}, shape, dtype, ctx, out, kwargs)

    def exponential(
        self,
        scale: Array | float = 1,
        shape: OpenShape = _Null,
        dtype: DtypeLike = _Null,
        ctx: Context | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Array:
        """Numbers from the exponential distribution with mean ``scale``."""
        if isinstance(scale, numeric_types):
            if not float(scale) > 0:
                raise MXNetValueError(f"exponential: scale must be positive, got {scale}")
            rate: Any = 1.0 / float(scale)
        else:
            rate = self.rate_of(scale) if isinstance(scale, self.array) else scale
        return self._draw("exponential", {"lam": rate}, shape, dtype, ctx, out, kwargs)

    def rate_of(self, scale: Any) -> Any:
        """1 / scale, of an array."""
        return self.call("_rdiv_scalar", scale, scalar=1.0)

    def gamma(
        self,
        alpha: Array | float = 1,
        beta: Array | float = 1,
        shape: OpenShape = _Null,
        dtype: DtypeLike = _Null,
        ctx: Context | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Array:
        """Numbers from the gamma distribution with shape ``alpha`` and scale ``beta``."""
        return self._draw("gamma", {"alpha": alpha, "beta": beta}, shape, dtype, ctx, out, kwargs)

    def negative_binomial(
        self,
        k: Array | float = 1,
        p: Array | float = 1,
        shape: OpenShape = _Null,
        dtype: DtypeLike = _Null,
        ctx: Context | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Array:
        """Numbers from the negative binomial distribution: successes before ``k`` failures of probability ``p``."""
        return self._draw("negative_binomial", {"k": k, "p": p}, shape, dtype, ctx, out, kwargs)

    def generalized_negative_binomial(
        self,
        mu: Array | float = 1,
        alpha: Array | float = 1,
        shape: OpenShape = _Null,
        dtype: DtypeLike = _Null,
        ctx: Context | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Array:
        """Numbers from the negative binomial distribution with mean ``mu`` and dispersion ``alpha`` (1/k)."""
        return self._draw("generalized_negative_binomial", {"mu": mu, "alpha": alpha}, shape, dtype, ctx, out, kwargs)

    def randint(
        self,
        low: int,
        high: int,
        shape: OpenShape = _Null,
        dtype: DtypeLike = _Null,
        ctx: Context | None = None,
        out: Any = None,
        **kwargs: Any,
    ) -> Array:
        """Integers from the half-open interval [low, high), as int32 or int64."""
        self._are_arrays("randint", low, high)
        return self.create("_random_randint", {"low": low, "high": high, **kwargs}, shape, named_type(dtype), ctx, out)

    def multinomial(
        self,
        data: Array | float,
        shape: OpenShape = _Null,
        get_prob: bool = False,
        out: Any = None,
        dtype: DtypeLike = "int32",
        **kwargs: Any,
    ) -> Any:
        """Indices drawn by the probabilities in the last dimension of ``data``, ``shape`` for each distribution.

        With ``get_prob`` the result is the indices and the logarithms of their probabilities.
        """
        attributes = {**without_null(shape=shape), "get_prob": get_prob, "dtype": dtype, **kwargs}
        return self.call("_sample_multinomial", data, out=out, **attributes)

    def shuffle(self, data: Array | float, **kwargs: Any) -> Array:
        """A copy with the elements of the first axis in random order."""
        return self.call("_shuffle", data, **kwargs)
