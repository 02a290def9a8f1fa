"""Helpers that the spatial operators share: attribute tuples, named layouts, and the memory layout the CPU likes."""

from collections.abc import Callable, Collection, Sequence

import torch

from ..._core.tracing import is_traced
from ..gradients import constant_in
from ..infer import Shape, unify
from ..support import memoize as memoize
from ..types import Attrs, Shapes

#: The memory layout with channels last, by the number of dimensions.
CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def check_floating(*tensors: torch.Tensor | None) -> None:
    """Refuses integers, and inputs of different dtypes."""
    first = tensors[0]
    assert first is not None
    if not first.is_floating_point():
        raise TypeError("it takes floating point inputs only; convert them with astype()")
    for tensor in tensors[1:]:
        if tensor is not None and tensor.dtype is not first.dtype:
            raise TypeError("all inputs must have the same dtype; convert them with astype()")


def check_bias(bias: torch.Tensor | None, no_bias: bool) -> None:
    """A bias must be there unless ``no_bias`` says that it is not."""
    if no_bias is (bias is not None):
        raise ValueError(
            "no_bias=True was given together with a bias"
            if no_bias
            else "bias was not given; without one, pass no_bias=True"
        )


def weights_active(attrs: Attrs) -> tuple[str, ...]:
    """The inputs of an operator with an optional bias."""
    return ("data", "weight") if attrs["no_bias"] else ("data", "weight", "bias")


def per_dimension(value: tuple[int, ...], dims: int, default: int, name: str, least: int) -> tuple[int, ...]:
    """An attribute such as ``stride`` with one number per spatial dimension; empty means the default."""
    if not value:
        return (default,) * dims
    if len(value) != dims:
        raise ValueError(f"{name} must have {dims} number(s), one per dimension of the kernel, got {value}")
    if min(value) < least:
        raise ValueError(f"{name} must be at least {least} in every dimension, got {value}")
    return value


def window_of(ranks: Collection[int], *others: str) -> Callable[[Attrs], None]:
    """A check of attributes: the kernel has one of these numbers of dimensions, and so have the others, if given."""

    def check(attrs: Attrs) -> None:
        kernel = attrs["kernel"]
        if len(kernel) not in ranks and not attrs.get("global_pool"):
            raise ValueError(f"kernel must have {' or '.join(map(str, ranks))} dimension(s), got {kernel}")
        for name in others:
            if attrs[name] and len(attrs[name]) != len(kernel):
                raise ValueError(
                    f"{name} must have {len(kernel)} number(s), one per dimension of the kernel, got {attrs[name]}"
                )

    return check


def window_counts(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    pad: Sequence[int],
    dilate: Sequence[int] | None = None,
    convention: str = "valid",
) -> tuple[int, ...]:
    """The number of windows along each dimension: the spatial size of a convolution, or of pooling.

    ``valid`` counts whole windows, ``full`` the last partial one as well, ``same`` is size / stride, rounded up.
    """
    rows = zip(sizes, kernel, stride, pad, dilate or (1,) * len(kernel), strict=True)
    if convention == "same":
        return tuple([-(-n // s) for n, _, s, _, _ in rows])
    if convention == "full":
        return tuple([1 - (d * (k - 1) + 1 - n - 2 * p) // s for n, k, s, p, d in rows])
    return tuple([1 + (n + 2 * p - d * (k - 1) - 1) // s for n, k, s, p, d in rows])


def transposed_sizes(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    dilate: Sequence[int],
    pad: Sequence[int] | None = None,
    adj: Sequence[int] | None = None,
) -> tuple[int, ...]:
    """The spatial size of a transposed convolution; without ``pad``, before padding is cut off."""
    zeros = (0,) * len(kernel)
    rows = zip(sizes, kernel, stride, dilate, pad or zeros, adj or zeros, strict=True)
    return tuple([s * (n - 1) + d * (k - 1) + 1 - 2 * p + a for n, k, s, d, p, a in rows])


def channels_last(layout: str | None, dims: int) -> bool:
    """Does the layout have the channels at the end? Refuses a layout for another number of dimensions."""
    if layout is None:
        return False
    known = _LAYOUTS[dims]
    if layout not in known:
        raise ValueError(f"layout {layout} does not fit {dims} spatial dimension(s), expected {' or '.join(known)}")
    return layout == known[1]


def channels_first_view(tensor: torch.Tensor) -> torch.Tensor:
    """A channels-last array seen as channels-first: no copy, and torch knows the strides as its channels_last."""
    return tensor.movedim(-1, 1)


def channels_last_view(tensor: torch.Tensor) -> torch.Tensor:
    """The inverse of ``channels_first_view``."""
    return tensor.movedim(1, -1)


def for_cpu(data: torch.Tensor) -> torch.Tensor:
    """The same array, laid out channels_last if it is a batch of images or of volumes on the CPU.

    oneDNN convolves that without reordering, and pooling, batch norm and elementwise operators keep the layout of what
    they get, so that a network pays for one conversion at its first convolution.
    """
    layout = CHANNELS_LAST.get(data.dim())
    if layout is None or data.dtype is torch.float64 or not data.is_cpu or is_traced():
        return data
    if data.shape[1] == 1:
        # One channel is contiguous in both senses, and torch would take it for NCHW: say it by the strides.
        return data.contiguous().squeeze(1).unsqueeze(-1).movedim(-1, 1)
    return data.contiguous(memory_format=layout)


def is_channels_last_1d(data: torch.Tensor) -> bool:
    """Are these sequences (batch, channels, width) on the CPU in the memory order (batch, width, channels)?

    PyTorch has no such format of its own: as images of height 1 they are channels_last.
    """
    if data.dim() != 3 or not data.is_cpu or data.is_contiguous() or is_traced():
        return False
    return data.unsqueeze(2).is_contiguous(memory_format=torch.channels_last)


def no_view(result: torch.Tensor) -> torch.Tensor:
    """The same memory as a tensor that is no view: autograd forbids to overwrite views that a Function has made."""
    return torch.ops.aten._unsafe_view(result, result.shape)


def remove_height(images: torch.Tensor) -> torch.Tensor:
    """(batch, channels, 1, width) as (batch, channels, width), for results that nobody else reads.

    For autograd it is no view: to overwrite a view, as a following relu does, costs a copy in the backward pass.
    """
    return torch.ops.aten._unsafe_view(images, (*images.shape[:2], images.shape[3]))


def constant_in_graph(value: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    """A side result (a mean) that may be the head of ``backward`` but passes nothing on to what it came from."""
    return constant_in(value.detach(), source) if source.requires_grad else value


def data_like_output(then: Callable | None = None) -> Callable:
    """An ``infer_back`` rule: data and first output have one shape; ``then`` is the rule for the other inputs."""

    def rule(shapes: Shapes, outputs: list[Shape | None], attrs: Attrs) -> None:
        shapes["data"] = unify(shapes["data"], outputs[0], "data")
        if then is not None:
            then(shapes, attrs)

    return rule
