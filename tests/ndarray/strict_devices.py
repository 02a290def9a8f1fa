"""Virtual devices as strict as real ones: an operator that reads the memory of another device fails.

On a virtual GPU all memory is the host's, so that a missing copy would go unnoticed. Here each storage is tagged with
the context of the arrays in it, results inherit the tag of their inputs, and torch's dispatcher is watched.
"""

import contextlib

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from mxnet.ndarray.ndarray import NDArray

COPIES = {
    torch.ops.aten._to_copy.default,
    torch.ops.aten.copy_.default,
    torch.ops.aten.clone.default,
    torch.ops.aten._foreach_copy_.default,
}


def place(context):
    return str(context) if context.is_gpu else "the host"


def tag(tensor):
    return getattr(tensor.untyped_storage(), "_test_place", None)


class Watch(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func in COPIES:
            return func(*args, **kwargs)
        each = "_foreach_" in str(func)  # one call for many tensors, each of which may be elsewhere
        calls = list(zip(*[a for a in args if isinstance(a, list | tuple)], strict=True)) if each else [(args, kwargs)]
        for call in calls:
            places = {tag(t) for t in tree_leaves(call) if isinstance(t, torch.Tensor) and t.dim()} - {None}
            assert len(places) < 2, f"{func} reads memory of {' and '.join(sorted(places))}"
        result = func(*args, **kwargs)
        if not each and len(places) == 1:
            for made in tree_leaves(result):
                if isinstance(made, torch.Tensor) and tag(made) is None:
                    made.untyped_storage()._test_place = next(iter(places))
        return result


@contextlib.contextmanager
def strict_devices():
    """Within it no operator reads the memory of two devices, and no array lies in that of another."""

    def set_attribute(array, name, value):
        object.__setattr__(array, name, value)
        own = array.__dict__
        if name in ("_data", "_ctx") and "_data" in own and "_ctx" in own:
            storage, here = own["_data"].untyped_storage(), place(own["_ctx"])
            there = getattr(storage, "_test_place", here)
            assert there == here, f"an array on {here} lies in the memory of {there}"
            storage._test_place = here

    NDArray.__setattr__ = set_attribute
    try:
        with Watch():
            yield
    finally:
        del NDArray.__setattr__
