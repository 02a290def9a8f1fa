# mypy: disable-error-code="override, misc"
"""Made by docs/stubs.py (make stubs) of what the module is at run time; do not edit."""

from collections.abc import Sequence
from mxnet.ndarray.ndarray import NDArray
from numpy.typing import DTypeLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

def ElementWiseSum(*args: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> Any:
    """The sum of arrays that all have one shape and dtype."""
def Embedding(data: NDArray, weight: NDArray, input_dim: int | SupportsIndex, output_dim: int | SupportsIndex, dtype: DTypeLike | None = ..., sparse_grad: bool | int = False, out: NDArray | None = None, name: str | None = None) -> Any:
    """The rows of ``weight`` for the indices in ``data``, which are clipped to [0, input_dim)."""
def FullyConnected(data: NDArray, weight: NDArray, bias: NDArray | None = None, num_hidden: int | SupportsIndex = ..., no_bias: bool | int = False, flatten: bool | int = True, out: NDArray | None = None, name: str | None = None) -> Any:
    """Applies a linear map: ``data @ weight.T + bias``."""
def LinearRegressionOutput(data: NDArray, label: NDArray, grad_scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> Any:
    """The data itself; its gradient is that of half the squared distance to ``label``, per number in an example."""
def LogisticRegressionOutput(data: NDArray, label: NDArray, grad_scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> Any:
    """The sigmoid of data; its gradient is that of the cross-entropy with ``label``, per number in an example."""
def MAERegressionOutput(data: NDArray, label: NDArray, grad_scale: float | SupportsFloat = 1.0, out: NDArray | None = None, name: str | None = None) -> Any:
    """The data itself; its gradient is that of the absolute distance to ``label``, per number in an example."""
def _contrib_round_ste(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """Rounds to the nearest whole number, halves away from zero; gradients pass through as if nothing had been done."""
def _contrib_sign_ste(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The sign of each element; gradients pass through as if nothing had been done."""
def abs(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The absolute value."""
def adagrad_update(weight: NDArray, grad: NDArray, history: NDArray, lr: float | SupportsFloat, epsilon: float | SupportsFloat = 1.00000001e-07, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> Any:
    """AdaGrad on rows: ``history += g * g``, ``weight - lr * (g / sqrt(history + epsilon) + wd * weight)``."""
def adam_update(weight: NDArray, grad: NDArray, mean: NDArray, var: NDArray, lr: float | SupportsFloat, beta1: float | SupportsFloat = 0.9, beta2: float | SupportsFloat = 0.999, epsilon: float | SupportsFloat = 1e-08, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, lazy_update: bool | int = True, out: NDArray | None = None, name: str | None = None) -> Any:
    """Adam, with ``g = clip(rescale_grad * grad + wd * weight)`` and no bias correction (fold that into ``lr``):"""
def add_n(*args: NDArray | Sequence[NDArray], num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> Any:
    """The sum of arrays that all have one shape and dtype."""
def arccos(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The angle in [0, pi] with that cosine."""
def arccosh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The inverse of the hyperbolic cosine, for x >= 1."""
def arcsin(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The angle in [-pi/2, pi/2] with that sine."""
def arcsinh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The inverse of the hyperbolic sine."""
def arctan(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The angle in [-pi/2, pi/2] with that tangent."""
def arctanh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The inverse of the hyperbolic tangent, for -1 < x < 1."""
def broadcast_add(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The sum, element by element. Dimensions of size 1 broadcast."""
def broadcast_div(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The quotient, element by element; of integers it is truncated. Dimensions of size 1 broadcast."""
def broadcast_minus(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The difference, element by element. Dimensions of size 1 broadcast."""
def broadcast_mul(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The product, element by element. Dimensions of size 1 broadcast."""
def broadcast_plus(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The sum, element by element. Dimensions of size 1 broadcast."""
def broadcast_sub(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The difference, element by element. Dimensions of size 1 broadcast."""
def cast_storage(data: NDArray, stype: Literal['default', 'row_sparse', 'csr'] | str, out: NDArray | None = None, name: str | None = None) -> Any:
    """A copy of the array in the storage type ``stype``."""
def cbrt(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The cube root."""
def ceil(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The smallest whole number not below x. Its gradient is zero."""
def clip(data: NDArray, a_min: float | SupportsFloat, a_max: float | SupportsFloat, out: NDArray | None = None, name: str | None = None) -> Any:
    """The numbers limited to the interval from ``a_min`` to ``a_max``."""
def concat(*data: NDArray | Sequence[NDArray], dim: int | SupportsIndex = 1, num_args: int | SupportsIndex = ..., out: NDArray | None = None, name: str | None = None) -> Any:
    """Joins arrays along the dimension ``dim``; all other dimensions must agree."""
def cos(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The cosine of an angle in radians."""
def cosh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The hyperbolic cosine."""
def degrees(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """An angle in radians as degrees."""
def dot(lhs: NDArray, rhs: NDArray, transpose_a: bool | int = False, transpose_b: bool | int = False, forward_stype: Literal['csr', 'default', 'row_sparse'] | str | None = None, out: NDArray | None = None, name: str | None = None) -> Any:
    """The product of two arrays: the sum over the last axis of ``lhs`` and the first axis of ``rhs``."""
def elemwise_add(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The sum, element by element. Both arrays must have the same shape."""
def elemwise_div(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The quotient, element by element; of integers it is truncated. Both arrays must have the same shape."""
def elemwise_mul(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The product, element by element. Both arrays must have the same shape."""
def elemwise_sub(lhs: NDArray, rhs: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The difference, element by element. Both arrays must have the same shape."""
def exp(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """e to the power of the number."""
def expm1(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """``exp(x) - 1``, exact for small x."""
def fix(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The nearest whole number towards zero. Its gradient is zero."""
def floor(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The largest whole number not above x. Its gradient is zero."""
def ftrl_update(weight: NDArray, grad: NDArray, z: NDArray, n: NDArray, lr: float | SupportsFloat, lamda1: float | SupportsFloat = 0.01, beta: float | SupportsFloat = 1.0, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, out: NDArray | None = None, name: str | None = None) -> Any:
    """Follow the regularized leader (McMahan et al., 2013), with ``g = clip(rescale_grad * grad)``:"""
def gamma(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The gamma function."""
def gammaln(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The logarithm of the absolute value of the gamma function."""
def log(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The natural logarithm."""
def log10(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The logarithm to base 10."""
def log1p(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """``log(1 + x)``, exact for small x."""
def log2(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The logarithm to base 2."""
def make_loss(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """A copy that is the end of a graph: its gradient is one, whatever gradient comes from above."""
def mean(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> Any:
    """The mean along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def negative(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The number with the opposite sign."""
def norm(data: NDArray, ord: int | SupportsIndex = 2, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, out_dtype: DTypeLike | None = None, keepdims: bool | int = False, out: NDArray | None = None, name: str | None = None) -> Any:
    """The L1 (``ord=1``) or L2 norm along ``axis``; without one, of the whole array."""
def radians(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """An angle in degrees as radians."""
def relu(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """``max(x, 0)``."""
def retain(data: NDArray, indices: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The rows of a row-sparse array with the numbers ``indices``; all others become zero."""
def rint(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The nearest whole number; n.5 becomes n. Its gradient is zero."""
def round(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The nearest whole number, halves away from zero. Its gradient is zero."""
def rsqrt(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """One over the square root."""
def sgd_mom_update(weight: NDArray, grad: NDArray, mom: NDArray, lr: float | SupportsFloat, momentum: float | SupportsFloat = 0.0, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, lazy_update: bool | int = True, out: NDArray | None = None, name: str | None = None) -> Any:
    """Gradient descent with momentum: ``mom = momentum * mom - lr * (g + wd * weight)``, ``weight + mom``."""
def sgd_update(weight: NDArray, grad: NDArray, lr: float | SupportsFloat, wd: float | SupportsFloat = 0.0, rescale_grad: float | SupportsFloat = 1.0, clip_gradient: float | SupportsFloat = -1.0, lazy_update: bool | int = True, out: NDArray | None = None, name: str | None = None) -> Any:
    """Gradient descent: ``weight * (1 - lr * wd) - lr * clip(rescale_grad * grad)``."""
def sigmoid(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """``1 / (1 + exp(-x))``."""
def sign(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """-1, 0 or 1 by the sign; 0 for NaN. Its gradient is zero."""
def sin(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The sine of an angle in radians."""
def sinh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The hyperbolic sine."""
def slice(data: NDArray, begin: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, end: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None, step: tuple[int | None, ...] | Sequence[SupportsIndex | None] | SupportsIndex | None = (), out: NDArray | None = None, name: str | None = None) -> Any:
    """The part ``data[begin[0]:end[0]:step[0], ...]``, by Python's rules; None means from or to the border."""
def sqrt(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The square root."""
def square(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The square."""
def stop_gradient(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """A copy through which no gradient flows back."""
def sum(data: NDArray, axis: tuple[int, ...] | Sequence[SupportsIndex] | SupportsIndex | None = None, keepdims: bool | int = False, exclude: bool | int = False, out: NDArray | None = None, name: str | None = None) -> Any:
    """The sum along ``axis``, or along all others with ``exclude``; without an axis, of the whole array."""
def tan(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The tangent of an angle in radians."""
def tanh(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The hyperbolic tangent."""
def trunc(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """The number without its fraction. Its gradient is zero."""
def where(condition: NDArray, x: NDArray, y: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """Elements of ``x`` where the condition is not zero, of ``y`` elsewhere."""
def zeros_like(data: NDArray, out: NDArray | None = None, name: str | None = None) -> Any:
    """Zeros of the array's shape and dtype."""
