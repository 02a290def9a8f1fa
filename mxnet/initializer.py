"""Initial values of parameters: classes that fill arrays, chosen by the parameter's name and attributes."""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ._core.literals import shorten
from ._core.signature import overridable
from .context import Context
from .error import MXNetAssertionError, MXNetError, MXNetTypeError, MXNetValueError
from .ndarray import NDArray, load, random as _random
from .registry import get_alias_func, get_create_func, get_register_func

__all__ = [
    "Bilinear",
    "Constant",
    "FusedRNN",
    "InitDesc",
    "Initializer",
    "LSTMBias",
    "Load",
    "MSRAPrelu",
    "Mixed",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "alias",
    "create",
    "register",
]


def _functions_for(array: NDArray) -> Any:
    """Where the random numbers of an array come from: those of ``mx.np`` are drawn in another way."""
    if array._numpy:
        from .numpy import random

        return random
    return _random


class InitDesc(str):
    """A parameter's name with its attributes and the initializer to fall back on."""

    attrs: dict[str, Any]
    global_init: Initializer | None

    def __new__(cls, name: str, attrs: Mapping[str, Any] | None = None, global_init: Initializer | None = None):
        desc = super().__new__(cls, name)
        desc.attrs = dict(attrs or {})
        desc.global_init = global_init
        return desc


def _same(a: object, b: object) -> bool:
    kinds = (NDArray, np.ndarray, list)
    return np.array_equal(np.asarray(a), np.asarray(b)) if isinstance(a, kinds) or isinstance(b, kinds) else a == b


def _root_mean_square(array: NDArray) -> str:
    return str(np.float32(np.sqrt(np.mean(np.square(array.asnumpy(), dtype="float64")))))


def _initialize_by(text: str, desc: InitDesc, arr: NDArray) -> None:
    """Fills an array as the text in a variable's ``__init__`` says."""
    try:
        create(text)._init_weight(desc, arr)
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError) as error:
        if isinstance(error, MXNetError):
            raise
        raise MXNetValueError(
            f"__init__ of {str(desc)!r}, {shorten(text)}, cannot be used: {type(error).__name__}: {error}"
        ) from error


class Initializer:
    """The base of initializers. Call one with a name (better: an InitDesc) and the array to fill.

    The end of the name decides: ``weight`` is filled by ``_init_weight``, which subclasses define; ``bias`` and
    ``beta`` become 0 and ``gamma`` 1. An ``__init__`` attribute in the InitDesc overrides all of it.
    """

    def __init__(self, **kwargs: Any):
        self._kwargs = kwargs
        self._verbose = False
        self._print_func: Callable[[NDArray], str] | None = None

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        mine, theirs = self._kwargs, other._kwargs  # type: ignore[attr-defined]
        return mine.keys() == theirs.keys() and all(_same(value, theirs[key]) for key, value in mine.items())

    def __hash__(self) -> int:
        return hash(type(self))

    def set_verbosity(self, verbose: bool = False, print_func: Callable[[NDArray], str] | None = None) -> Initializer:
        """Logs what is initialized, with ``print_func(array)`` for each array."""
        self._verbose = verbose
        self._print_func = print_func or _root_mean_square
        return self

    def dumps(self) -> str:
        """The initializer as JSON text, as stored in Symbol files."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])

    def __call__(self, desc: str, arr: NDArray) -> None:
        """Fills ``arr``."""
        if not isinstance(desc, InitDesc):
            if not isinstance(desc, str):
                raise MXNetTypeError(f"name must be string, got {type(desc).__name__}")
            self._by_old_name(desc, arr)
            return
        if desc.global_init is None:
            desc.global_init = self
        own = desc.attrs.get("__init__", "")
        if own:
            _initialize_by(own, desc, arr)
            self._log(desc, own, arr)
            return
        for ending, method in _BY_ENDING.items():
            if desc.endswith(ending):
                getattr(self, method)(desc, arr)
                self._log(desc, ending, arr)
                return
        self._init_default(desc, arr)

    def _by_old_name(self, name: str, arr: NDArray) -> None:
        """Plain names follow the older, wider rules."""
        if name.startswith("upsampling"):
            self._init_bilinear(name, arr)
        elif name.startswith("stn_loc") and name.endswith("weight"):
            self._init_zero(name, arr)
        elif name.startswith("stn_loc") and name.endswith("bias"):
            self._init_loc_bias(name, arr)
        else:
            for ending, method in _BY_OLD_ENDING.items():
                if name.endswith(ending):
                    getattr(self, method)(name, arr)
                    return
            self._init_default(name, arr)

    def _log(self, desc: str, kind: str, arr: NDArray) -> None:
        if self._verbose and self._print_func is not None:
            logging.info("Initialized %s as %s: %s", desc, kind, self._print_func(arr))

    @overridable
    def _init_zero(self, _: str, arr: NDArray) -> None:
        arr[:] = 0.0

    @overridable
    def _init_one(self, _: str, arr: NDArray) -> None:
        arr[:] = 1.0

    # Names that subclasses written for MXNet override or call.
    _init_bias = _init_beta = _init_quantized_bias = _init_zero
    _init_gamma = _init_one

    @overridable
    def _init_bilinear(self, name: str, arr: NDArray) -> None:
        Bilinear()._init_weight(name, arr)

    @overridable
    def _init_loc_bias(self, name: str, arr: NDArray) -> None:
        if arr.shape != (6,):
            raise MXNetValueError(f"{name} must hold the 6 numbers of an affine transform, it has {arr.shape}")
        arr[:] = np.array([1.0, 0, 0, 0, 1.0, 0])

    def _init_quantized_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = _functions_for(arr).randint(-127, 127, arr.shape, "int32")

    @overridable
    def _init_weight(self, name: str, arr: NDArray) -> None:
        raise NotImplementedError(f"{type(self).__name__} must define _init_weight(self, name, arr)")

    @overridable
    def _init_default(self, name: str, _: NDArray) -> None:
        raise MXNetValueError(
            f'Unknown initialization pattern for {name}. Default initialization is now limited to "weight", "bias", '
            '"gamma" (1.0), and "beta" (0.0). Please use mx.sym.Variable(init=mx.init.*) to set initialization pattern'
        )


_BY_ENDING = {
    "weight": "_init_weight",
    "bias": "_init_bias",
    "gamma": "_init_gamma",
    "beta": "_init_beta",
    "min": "_init_zero",
    "max": "_init_one",
    "weight_quantize": "_init_quantized_weight",
    "bias_quantize": "_init_quantized_bias",
}
_BY_OLD_ENDING = {
    "bias": "_init_bias",
    "gamma": "_init_gamma",
    "beta": "_init_beta",
    "weight": "_init_weight",
    "moving_mean": "_init_zero",
    "moving_inv_var": "_init_zero",
    "moving_avg": "_init_zero",
    "moving_var": "_init_one",
    "min": "_init_zero",
    "max": "_init_one",
}

register = get_register_func(Initializer, "initializer")
alias = get_alias_func(Initializer, "initializer")
create = get_create_func(Initializer, "initializer")


class Load:
    """Fills arrays from saved parameters (a dict or a file), others by ``default_init``."""

    def __init__(self, param: str | Mapping[str, NDArray], default_init: Any = None, verbose: bool = False):
        params = load(param) if isinstance(param, str) else param
        if not isinstance(params, Mapping):
            raise MXNetTypeError("Load takes a dict of arrays or a file of one")
        self.param = {k[4:] if k.startswith(("arg:", "aux:")) else k: v for k, v in params.items()}
        self.default_init = default_init
        self.verbose = verbose

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fills ``arr``."""
        found = self.param.get(name)
        if found is not None:
            if found.shape != arr.shape:
                raise MXNetAssertionError(
                    f"Parameter {name} cannot be initialized from loading. Shape mismatch, target {arr.shape} vs "
                    f"loaded {found.shape}"
                )
            arr.as_nd_ndarray()[:] = found.as_nd_ndarray()
        elif self.default_init is None:
            raise MXNetAssertionError(
                f"Cannot Initialize {name}. Not found in loaded param and no default Initializer is provided."
            )
        else:
            self.default_init(name, arr)
        if self.verbose:
            logging.info("Initialized %s by %s", name, "default" if found is None else "loading")


class Mixed:
    """Chooses the initializer whose pattern is the first to match the parameter's name.

    >>> net = gluon.nn.Dense(2, in_units=3)
    >>> net.initialize(mx.init.Mixed(["bias", ".*"], [mx.init.Zero(), mx.init.Normal(0.01)]))
    """

    def __init__(self, patterns: Sequence[str], initializers: Sequence[Any]):
        if len(patterns) != len(initializers):
            raise MXNetAssertionError(f"{len(patterns)} patterns and {len(initializers)} initializers were given")
        self.map = [(re.compile(p), i) for p, i in zip(patterns, initializers, strict=True)]

    def __call__(self, name: str, arr: NDArray) -> None:
        """Fills ``arr``."""
        for pattern, initializer in self.map:
            if pattern.match(name):
                initializer(name, arr)
                return
        raise MXNetValueError(
            f'Parameter name {name} did not match any pattern. Consider adding a ".*" pattern at the end with a '
            "default Initializer."
        )


@register
@alias("zeros")
class Zero(Initializer):
    """Zeros."""

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 0


@register
@alias("ones")
class One(Initializer):
    """Ones."""

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = 1


@register
class Constant(Initializer):
    """One value for all, or an array of the parameter's shape."""

    def __init__(self, value: Any):
        super().__init__(value=value)
        self.value = value

    def _init_weight(self, _: str, arr: NDArray) -> None:
        arr[:] = self.value

    def dumps(self) -> str:
        """The initializer as JSON text."""
        value = self._kwargs["value"]
        if isinstance(value, NDArray):
            value = value.asnumpy()
        return json.dumps(["constant", {"value": value.tolist() if isinstance(value, np.ndarray) else value}])


@register
class Uniform(Initializer):
    """Uniform in [-scale, scale]."""

    def __init__(self, scale: float = 0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def _init_weight(self, _: str, arr: NDArray) -> None:
        _functions_for(arr).uniform(-self.scale, self.scale, arr.shape, out=arr)


@register
class Normal(Initializer):
    """Normal with mean 0 and standard deviation sigma."""

    def __init__(self, sigma: float = 0.01):
        super().__init__(sigma=sigma)
        self.sigma = sigma

    def _init_weight(self, _: str, arr: NDArray) -> None:
        _functions_for(arr).normal(0, self.sigma, arr.shape, out=arr)


def check_initializer(given: object) -> None:
    """Raises for what cannot fill arrays; None and callables such as Mixed and Load can."""
    if given is not None and (isinstance(given, type) or not callable(given)):
        kind = f"the class {given.__name__}" if isinstance(given, type) else repr(given)
        advice = "; contexts are passed as ctx=" if isinstance(given, Context) else ""
        raise MXNetTypeError(f"initializer must be an Initializer, such as mx.init.Xavier(), got {kind}{advice}")


def _check_dimensions(initializer: Initializer, name: str, arr: NDArray) -> None:
    if arr.ndim < 2:
        raise MXNetValueError(
            f"{type(initializer).__name__} initializer cannot be applied to vector {name}. It requires at least 2D."
        )


@register
class Orthogonal(Initializer):
    """Orthogonal matrices (Saxe et al., 2013) times scale, from uniform or normal numbers."""

    def __init__(self, scale: float = 1.414, rand_type: str = "uniform"):
        super().__init__(scale=scale, rand_type=rand_type)
        self.scale = scale
        self.rand_type = rand_type

    def _init_weight(self, name: str, arr: NDArray) -> None:
        _check_dimensions(self, name, arr)
        rows = arr.shape[0]
        columns = int(np.prod(arr.shape[1:]))
        if self.rand_type == "uniform":
            start = _random.uniform(-1.0, 1.0, (rows, columns)).asnumpy()
        elif self.rand_type == "normal":
            start = _random.normal(0.0, 1.0, (rows, columns)).asnumpy()
        else:
            raise MXNetValueError(f"rand_type must be uniform or normal, got {self.rand_type!r}")
        u, _s, v = np.linalg.svd(start, full_matrices=False)
        basis = u if u.shape == start.shape else v
        arr[:] = (self.scale * basis).reshape(arr.shape).astype(arr.dtype)


@register
class Xavier(Initializer):
    """Keeps the scale of gradients the same in all layers (Glorot and Bengio, 2010).

    ``rnd_type`` is uniform or gaussian, ``factor_type`` is avg, in or out, ``magnitude`` the square of the scale.

    >>> net = gluon.nn.Dense(2, in_units=3)
    >>> net.initialize(mx.init.Xavier(magnitude=2.24))
    >>> net.weight.shape
    (2, 3)
    """

    def __init__(self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3):
        super().__init__(rnd_type=rnd_type, factor_type=factor_type, magnitude=magnitude)
        self.rnd_type = rnd_type
        self.factor_type = factor_type
        self.magnitude = float(magnitude)

    def _init_weight(self, name: str, arr: NDArray) -> None:
        shape = arr.shape
        _check_dimensions(self, name, arr)
        window = float(np.prod(shape[2:])) if len(shape) > 2 else 1.0
        fan_in, fan_out = shape[1] * window, shape[0] * window
        factors = {"avg": (fan_in + fan_out) / 2.0, "in": fan_in, "out": fan_out}
        if self.factor_type not in factors:
            raise MXNetValueError(f"Incorrect factor type {self.factor_type!r}: expected avg, in or out")
        scale = math.sqrt(self.magnitude / factors[self.factor_type])
        if self.rnd_type == "uniform":
            _functions_for(arr).uniform(-scale, scale, arr.shape, out=arr)
        elif self.rnd_type == "gaussian":
            _functions_for(arr).normal(0, scale, arr.shape, out=arr)
        else:
            raise MXNetValueError(f"Unknown random type {self.rnd_type!r}: expected uniform or gaussian")


@register
class MSRAPrelu(Xavier):
    """For layers followed by (P)ReLU of the given slope (He et al., 2015)."""

    def __init__(self, factor_type: str = "avg", slope: float = 0.25):
        super().__init__("gaussian", factor_type, 2.0 / (1 + slope**2))
        self._kwargs = {"factor_type": factor_type, "slope": slope}


@register
class Bilinear(Initializer):
    """The weights by which a Deconvolution upsamples bilinearly."""

    def __init__(self) -> None:
        super().__init__()

    def _init_weight(self, name: str, arr: NDArray) -> None:
        if arr.ndim != 4:
            raise MXNetValueError(
                "Bilinear initializer needs a weight of shape (filters, channels, height, width), "
                f"{name} has {arr.shape}"
            )
        height, width = arr.shape[-2:]
        half = math.ceil(width / 2.0)
        center = (2 * half - 1 - half % 2) / (2.0 * half)
        x = 1 - np.abs(np.arange(width) / half - center)
        y = 1 - np.abs(np.arange(height) / half - center)
        arr[:] = np.broadcast_to(np.outer(y, x), arr.shape).astype("float32")


@register
class LSTMBias(Initializer):
    """Zero but for the forget gate, which gets ``forget_bias`` (gates in the order i, f, c, o).

    Give it to the bias itself, ``Variable("lstm_i2h_bias", init=LSTMBias())``: as the initializer of a whole network it
    would set other biases to 0, like any other initializer.
    """

    def __init__(self, forget_bias: float = 1.0):
        super().__init__(forget_bias=forget_bias)
        self.forget_bias = forget_bias

    def _init_weight(self, name: str, arr: NDArray) -> None:
        hidden = arr.shape[0] // 4
        values = np.zeros(arr.shape, "float32")
        values[hidden : 2 * hidden] = self.forget_bias
        arr[:] = values


@register
class FusedRNN(Initializer):
    """Initializes the flat parameter vector of a fused RNN cell by an initializer for its parts."""

    def __init__(
        self,
        init: Any,
        num_hidden: int,
        num_layers: int,
        mode: str,
        bidirectional: bool = False,
        forget_bias: float = 1.0,
    ):
        inner = create(init) if isinstance(init, str) else init
        super().__init__(
            init=None if inner is None else inner.dumps(),
            num_hidden=num_hidden,
            num_layers=num_layers,
            mode=mode,
            bidirectional=bidirectional,
            forget_bias=forget_bias,
        )
        self._init = inner
        self._num_hidden = num_hidden
        self._num_layers = num_layers
        self._mode = mode
        self._bidirectional = bidirectional
        self._forget_bias = forget_bias

    def _init_weight(self, desc: str, arr: NDArray) -> None:
        from .rnn import rnn_cell

        cell = rnn_cell.FusedRNNCell(
            self._num_hidden,
            self._num_layers,
            self._mode,
            self._bidirectional,
            forget_bias=self._forget_bias,
            prefix="",
        )
        arr = arr.as_nd_ndarray()  # as the cells of mx.rnn are
        parts = cell.unpack_weights({"parameters": arr})
        fallback = getattr(desc, "global_init", None)
        for name, part in parts.items():
            part_desc = InitDesc(name, global_init=fallback)
            if self._mode == "lstm" and name.endswith("_f_bias"):
                part[:] = self._forget_bias
            elif self._init is None:
                if fallback is None:
                    raise MXNetValueError("FusedRNN without an initializer needs a global one")
                fallback(part_desc, part)
            else:
                self._init(part_desc, part)
        arr[:] = cell.pack_weights(parts)["parameters"]
