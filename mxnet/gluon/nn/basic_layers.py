"""Containers, dense layers, dropout, normalization, embedding, and functions as layers."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from ... import ndarray, symbol
from ..._core.dtypes import torch_dtype
from ..._core.signature import takes
from ..._core.types import Array, DType, Init
from ...error import MXNetIndexError, MXNetTypeError, MXNetValueError
from ..block import Block
from ..hybrid_block import HybridBlock
from ..utils import MXNetAssertionError, _indent
from .activations import Activation

__all__ = [
    "BatchNorm",
    "BatchNormReLU",
    "Dense",
    "Dropout",
    "Embedding",
    "Flatten",
    "GroupNorm",
    "HybridLambda",
    "HybridSequential",
    "InstanceNorm",
    "Lambda",
    "LayerNorm",
    "Sequential",
]


class _Stack:
    """What Sequential and HybridSequential have in common: blocks in a row."""

    _in_summary = False
    _children: Any

    def add(self, *blocks: object) -> None:
        """Adds blocks at the end."""
        for block in blocks:
            if isinstance(block, type | list | tuple):
                given = "a list"
                if isinstance(block, type):
                    given = f"the class {block.__name__}: make a layer of it, {block.__name__}(...)"
                raise MXNetTypeError(f"add takes blocks, one or several: add(a, b), or add(*blocks), got {given}")
            self.register_child(block)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        lines = [f"  ({key}): {_indent(repr(block), 2)}" for key, block in self._children.items()]
        return "{}(\n{}\n)".format(type(self).__name__, "\n".join(lines))

    def __getitem__(self, key: Any) -> Any:
        layers = list(self._children.values())
        if isinstance(key, int) and not -len(layers) <= key < len(layers):
            raise MXNetIndexError(f"{self._name} has {len(layers)} layer(s), there is no layer {key}")  # type: ignore[attr-defined]
        layers = layers[key]
        if isinstance(layers, list):
            net = type(self)(prefix=self._prefix)  # type: ignore[attr-defined,call-arg]
            with net.name_scope():
                net.add(*layers)
            return net
        return layers

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._children.values()))

    def __len__(self) -> int:
        return len(self._children)


class Sequential(_Stack, Block):
    """Blocks one after the other; those that can be are hybridized each for itself.

    >>> net = gluon.nn.Sequential()
    >>> net.add(gluon.nn.Dense(4), gluon.nn.Dense(2))
    >>> net.initialize()
    >>> net(nd.ones((1, 3))).shape
    (1, 2)
    """

    def forward(self, x: Array) -> Any:
        """The result of the last block."""
        for block in self._children.values():
            x = block(x)
        return x

    def hybridize(self, active: bool = True, **kwargs: object) -> None:
        """Hybridizes the children that can be."""
        if self._children and all(isinstance(c, HybridBlock) for c in self._children.values()):
            warnings.warn(
                f"All children of this Sequential layer '{self.prefix}' are HybridBlocks. Consider using "
                "HybridSequential for the best performance.",
                stacklevel=2,
            )
        super().hybridize(active, **kwargs)


class HybridSequential(_Stack, HybridBlock):
    """Hybrid blocks one after the other, hybridized as one.

    >>> net = gluon.nn.HybridSequential()
    >>> net.add(gluon.nn.Dense(4), gluon.nn.Dense(2))
    >>> net.initialize()
    >>> net.hybridize()
    >>> net(nd.ones((1, 3))).shape
    (1, 2)
    """

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The result of the last block."""
        for block in self._children.values():
            x = block(x)
        return x


class Dense(HybridBlock):
    """``activation(x @ weight.T + bias)``; with ``flatten`` all axes but the first are one.

    >>> net = gluon.nn.Dense(2, activation="relu")
    >>> net.initialize(mx.init.One())
    >>> net(nd.array([[1, 2, 3]]))
    [[6. 6.]]
    <NDArray 1x2 @cpu(0)>
    """

    def __init__(
        self,
        units: int,
        activation: str | None = None,
        use_bias: bool = True,
        flatten: bool = True,
        dtype: Any = "float32",
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_units: int = 0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._flatten = flatten
        self._units = units
        self._in_units = in_units
        with self.name_scope():
            self.weight = self.params.get(
                "weight", shape=(units, in_units), init=weight_initializer, dtype=dtype, allow_deferred_init=True
            )
            if use_bias:
                self.bias = self.params.get(
                    "bias", shape=(units,), init=bias_initializer, dtype=dtype, allow_deferred_init=True
                )
            else:
                self.bias = None
            self.act = None if activation is None else Activation(activation, prefix=f"{activation}_")

    def hybrid_forward(self, F: ModuleType, x: Array, weight: Array, bias: Array | None = None) -> Array:
        """The layer's output."""
        out = F.FullyConnected(
            x, weight, bias, no_bias=bias is None, num_hidden=self._units, flatten=self._flatten, name="fwd"
        )
        return out if self.act is None else self.act(out)

    def __repr__(self) -> str:
        shape = self.weight.shape
        act = self.act if self.act else "linear"
        return f"{type(self).__name__}({shape[1] if shape[1] else None} -> {shape[0]}, {act})"


class Dropout(HybridBlock):
    """In training sets elements to 0 with probability ``rate`` and scales up the others; ``axes`` share one mask.

    >>> net = gluon.nn.Dropout(0.5)
    >>> net(nd.ones((1, 3)))
    [[1. 1. 1.]]
    <NDArray 1x3 @cpu(0)>
    """

    def __init__(self, rate: float, axes: tuple[int, ...] = (), **kwargs: Any):
        super().__init__(**kwargs)
        self._rate = rate
        self._axes = axes

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The layer's output."""
        if self._rate > 0:
            return F.Dropout(x, p=self._rate, axes=self._axes, name="fwd", cudnn_off=False)
        return F.identity(x)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p = {self._rate}, axes={self._axes})"


class _BatchNorm(HybridBlock):
    """Parameters and arguments of batch normalization; a subclass says which operator."""

    def __init__(
        self,
        axis: int = 1,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._kwargs = {
            "axis": axis,
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
        }
        self._axis = axis
        if in_channels != 0:
            self.in_channels = in_channels

        def get(name: str, init: Init, learned: bool) -> Any:
            return self.params.get(
                name,
                grad_req="write" if learned else "null",
                shape=(in_channels,),
                init=init,
                allow_deferred_init=True,
                differentiable=learned,
            )

        self.gamma = get("gamma", gamma_initializer, scale)
        self.beta = get("beta", beta_initializer, center)
        self.running_mean = get("running_mean", running_mean_initializer, False)
        self.running_var = get("running_var", running_variance_initializer, False)

    def cast(self, dtype: DType) -> None:
        """Converts the parameters, but never to half precision: float32 ones take inputs of that too."""
        if torch_dtype(dtype) in (torch_dtype("float16"), torch_dtype("bfloat16")):
            dtype = "float32"
        super().cast(dtype)

    def __repr__(self) -> str:
        content = ", ".join(f"{k}={v!r}" for k, v in self._kwargs.items())
        channels = self.gamma.shape[0]
        return f"{type(self).__name__}({content}, in_channels={channels if channels else None})"


class BatchNorm(_BatchNorm):
    """Normalizes each channel over the batch, then scales by gamma and shifts by beta (Ioffe and Szegedy, 2015).

    In training it keeps moving averages of mean and variance, by which it normalizes otherwise.

    >>> net = gluon.nn.BatchNorm()
    >>> net.initialize()
    >>> net(nd.ones((8, 3, 4, 4))).shape
    (8, 3, 4, 4)
    """

    def hybrid_forward(
        self, F: ModuleType, x: Array, gamma: Array, beta: Array, running_mean: Array, running_var: Array
    ) -> Array:
        """The layer's output."""
        return F.BatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)


class BatchNormReLU(_BatchNorm):
    """BatchNorm followed by ReLU."""

    def hybrid_forward(
        self, F: ModuleType, x: Array, gamma: Array, beta: Array, running_mean: Array, running_var: Array
    ) -> Array:
        """The layer's output."""
        return F.contrib.BatchNormWithReLU(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)


class Embedding(HybridBlock):
    """Maps numbers from 0 to ``input_dim - 1`` to learned vectors.

    With ``sparse_grad`` the gradient of the weight is row-sparse: it has only the rows that were used.

    >>> net = gluon.nn.Embedding(10, 4)
    >>> net.initialize()
    >>> net(nd.array([1, 5, 5])).shape
    (3, 4)
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: Any = "float32",
        weight_initializer: Any = None,
        sparse_grad: bool = False,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._kwargs = {"input_dim": input_dim, "output_dim": output_dim, "dtype": dtype, "sparse_grad": sparse_grad}
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            allow_deferred_init=True,
            grad_stype="row_sparse" if sparse_grad else "default",
        )

    def hybrid_forward(self, F: ModuleType, x: Array, weight: Array) -> Array:
        """The layer's output."""
        return F.Embedding(x, weight, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        return "{}({input_dim} -> {output_dim}, {dtype})".format(type(self).__name__, **self._kwargs)


class Flatten(HybridBlock):
    """All axes but the first merged.

    >>> gluon.nn.Flatten()(nd.ones((2, 3, 4))).shape
    (2, 12)
    """

    def hybrid_forward(self, F: ModuleType, x: Array) -> Array:
        """The layer's output."""
        return F.Flatten(x)

    def __repr__(self) -> str:
        return type(self).__name__


class _Norm(HybridBlock):
    """gamma and beta of a normalization without moving averages."""

    #: What the first argument is called, and stored as.
    _kind = "axis"

    def __init__(
        self,
        axis: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self._kwargs = {"eps": epsilon, self._kind: axis, "center": center, "scale": scale}
        setattr(self, f"_{self._kind}", axis)
        self._epsilon = epsilon
        self._center = center
        self._scale = scale
        for name, init, learned in (("gamma", gamma_initializer, scale), ("beta", beta_initializer, center)):
            grad_req = "write" if learned else "null"
            found = self.params.get(name, grad_req=grad_req, shape=(in_channels,), init=init, allow_deferred_init=True)
            setattr(self, name, found)

    def __repr__(self) -> str:
        content = ", ".join(f"{k}={v}" for k, v in self._kwargs.items())
        return f"{type(self).__name__}({content}, in_channels={self.gamma.shape[0]})"


class InstanceNorm(_Norm):
    """Normalizes each channel of each example for itself (Ulyanov et al., 2016)."""

    @takes(_Norm.__init__, scale=False)
    def __init__(self, **given: Any):
        super().__init__(**given)

    def hybrid_forward(self, F: ModuleType, x: Array, gamma: Array, beta: Array) -> Array:
        """The layer's output."""
        if self._axis == 1:
            return F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon)
        x = x.swapaxes(1, self._axis)
        return F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon).swapaxes(1, self._axis)


class LayerNorm(_Norm):
    """Normalizes along one axis, the last by default, of each example (Ba et al., 2016).

    >>> net = gluon.nn.LayerNorm()
    >>> net.initialize()
    >>> net(nd.array([[1, 3]]))
    [[-0.999995  0.999995]]
    <NDArray 1x2 @cpu(0)>
    """

    @takes(_Norm.__init__, without=("kwargs",), axis=-1)
    def __init__(self, prefix: str | None = None, params: Any = None, **given: Any):
        super().__init__(prefix=prefix, params=params, **given)

    def hybrid_forward(self, F: ModuleType, data: object, gamma: Array, beta: Array) -> Array:
        """The layer's output."""
        return F.LayerNorm(data, gamma=gamma, beta=beta, axis=self._axis, eps=self._epsilon)


class GroupNorm(_Norm):
    """Normalizes groups of channels of each example (Wu and He, 2018)."""

    _kind = "num_groups"

    @takes(_Norm.__init__, without=("axis", "in_channels", "kwargs"))
    def __init__(
        self, num_groups: int = 1, epsilon: float = 1e-5, prefix: str | None = None, params: Any = None, **given: Any
    ):
        super().__init__(num_groups, epsilon, in_channels=num_groups, prefix=prefix, params=params, **given)

    def hybrid_forward(self, F: ModuleType, data: object, gamma: Array, beta: Array) -> Array:
        """The layer's output."""
        return F.GroupNorm(data, gamma=gamma, beta=beta, num_groups=self._num_groups, eps=self._epsilon)

    def __repr__(self) -> str:
        return "{}({})".format(type(self).__name__, ", ".join(f"{k}={v}" for k, v in self._kwargs.items()))


def _name_of(function: str | Callable, where: str, *modules: object) -> str:
    """The name of a function; as a name it must be that of an operator that the modules have."""
    if isinstance(function, str):
        if not all(hasattr(module, function) for module in modules):
            raise MXNetAssertionError(f"Function name {function} is not found in {where}.")
        return function
    if not callable(function):
        raise MXNetValueError(f"Unrecognized function in lambda: {function} of type {type(function)}")
    return getattr(function, "__name__", type(function).__name__)


class Lambda(Block):
    """A function of arrays, or an operator by its name, as a block.

    >>> gluon.nn.Lambda(lambda x: x * 2)(nd.array([1, 2]))
    [2. 4.]
    <NDArray 2 @cpu(0)>
    """

    def __init__(self, function: str | Callable, prefix: str | None = None):
        super().__init__(prefix=prefix)
        self._func_name = _name_of(function, "ndarray", ndarray)
        self._func_impl = getattr(ndarray, function) if isinstance(function, str) else function

    def forward(self, *args: object) -> Any:
        """The result of the function."""
        return self._func_impl(*args)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_name})"


def _check_function(function: Callable) -> None:
    """Rejects a function that cannot be called with F and an array."""
    signature = inspect.signature(function)
    try:
        signature.bind(None, None)
    except TypeError:
        name = function.__name__.strip("<>")
        raise MXNetTypeError(
            f"the function of a HybridLambda takes F and arrays, (F, x, ...), got {name}{signature}"
        ) from None


class HybridLambda(HybridBlock):
    """A function ``f(F, x, ...)``, or an operator by its name, as a hybrid block.

    >>> gluon.nn.HybridLambda("tanh")(nd.array([0, 1]))
    [0.        0.7615942]
    <NDArray 2 @cpu(0)>
    """

    def __init__(self, function: str | Callable, prefix: str | None = None):
        super().__init__(prefix=prefix)
        if inspect.isfunction(function):
            _check_function(function)
        self._func_name = _name_of(function, "symbol/ndarray", symbol, ndarray)
        self._func = (lambda F, *args: getattr(F, function)(*args)) if isinstance(function, str) else function

    def hybrid_forward(self, F: ModuleType, x: Array, *args: object) -> Array:
        """The result of the function."""
        return self._func(F, x, *args)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_name})"
