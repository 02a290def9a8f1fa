"""What an argument, attribute or module of another name is called here, for errors about names that do not exist.

Errors of this package use ``nearest``. Python's own errors, about attributes and arguments of our objects or about what
current Python and NumPy no longer have, get a ``hint`` where ``tracebacks.py`` prints them.
"""

from __future__ import annotations

import difflib
import inspect
import re
import sys
from collections.abc import Iterable
from types import FrameType, ModuleType
from typing import Any

#: Names of arguments in other libraries, or in other parts of MXNet, and those to try instead.
_ARGUMENTS = {
    "axis": "dim",
    "batch_first": "layout",
    "class_num": "classes",
    "context": "ctx",
    "ctx": "context",
    "device": "ctx context",
    "dim": "axis",
    "dropout": "rate",
    "epochs": "num_epoch",
    "in_features": "in_units",
    "input_dim": "in_units",
    "k": "top_k",
    "keepdim": "keepdims",
    "kernel": "kernel_size",
    "learning_rate": "optimizer_params",
    "lr": "learning_rate optimizer_params",
    "num_classes": "classes",
    "num_filter": "channels",
    "num_hidden": "units hidden_size",
    "onnx_file": "onnx_file_path",
    "out_features": "units",
    "p": "rate",
    "size": "shape",
    "weight_decay": "wd",
}
#: Names of attributes in other libraries, and what to write here.
_ATTRIBUTES = {
    "BatchNorm1d": "BatchNorm",
    "BatchNorm2d": "BatchNorm",
    "Linear": "Dense",
    "MSELoss": "L2Loss",
    "Module": "Block or HybridBlock",
    "ReLU": "Activation('relu')",
    "Sigmoid": "Activation('sigmoid')",
    "Softmax": "F.softmax(x); SoftmaxCrossEntropyLoss contains it",
    "Tanh": "Activation('tanh')",
    "cat": "concat(*arrays, dim=0)",
    "compile": "a gluon.Trainer and a loss; only mx.mod.Module has fit()",
    "cpu": "as_in_context(mx.cpu())",
    "cuda": "as_in_context(mx.gpu()); for a network collect_params().reset_ctx(mx.gpu())",
    "device": "context",
    "dot": "mx.nd.dot(a, b)",
    "eval": "not needed, networks predict outside autograd.record()",
    "fit": "a loop with autograd.record() and gluon.Trainer; only mx.mod.Module has fit()",
    "load_state_dict": "load_parameters(filename)",
    "named_parameters": "collect_params().items()",
    "numpy": "asnumpy()",
    "parameters": "collect_params()",
    "permute": "transpose(axes)",
    "rand": "mx.nd.random.uniform(shape=(2, 3))",
    "randn": "mx.nd.random.randn(2, 3)",
    "requires_grad": "attach_grad()",
    "requires_grad_": "attach_grad()",
    "state_dict": "save_parameters(filename), or collect_params()",
    "tensor": "mx.nd.array(...)",
    "to": "as_in_context(ctx) or astype(dtype); for a network collect_params().reset_ctx(ctx) or cast(dtype)",
    "train": "autograd.record(): networks train inside it and predict outside",
    "unsqueeze": "expand_dims(axis)",
    "view": "reshape(shape)",
    "zero_grad": "not needed, backward() overwrites gradients; with grad_req='add' net.collect_params().zero_grad()",
}
#: Attributes that cannot be assigned to.
_SETTERS = {
    "dtype": "astype(dtype) returns an array of another dtype",
    "grad": "write into it, x.grad[:] = value, after x.attach_grad()",
    "learning_rate": "call set_learning_rate(value)",
    "shape": "reshape(shape) returns an array of another shape",
}
#: Other texts of Python's errors.
_TEXTS = {
    r"'DataBatch' object is not subscriptable|cannot unpack non-iterable DataBatch": "a batch has lists of arrays: "
    "batch.data[0] and batch.label[0]",
    r"'DataLoader' object is not (an iterator|subscriptable)": "for batch in loader: ..., or next(iter(loader))",
    r"object of type '\w*Iter\w*' has no len\(\)": "iterators of mx.io are read to the end: sum(1 for batch in it), "
    "then it.reset()",
    r"passed to (NDArray|ndarray)\.__format__|a real number is required, not (NDArray|ndarray)": "format a number: "
    "x.asscalar(), or x.item() of mx.np, for an array of one element",
    r"'Parameter' and '|' and 'Parameter'|'Parameter' object is not": "the array of a Parameter is data()",
    r"Block\.__call__\(\) got an unexpected keyword": "pass the inputs of a block by position",
}
_RUN = (
    "python -m mxnet.tools.run <program> runs old programs on current Python and NumPy; python -m mxnet.tools."
    "modernize <folder> shows what to change"
)
_KEYWORD = re.compile(r"^(?:([\w.]+)(?:\(\))?:? )?got an unexpected keyword argument '(\w+)'")


def nearest(name: str, possible: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Which of the possible names is probably meant."""
    possible = list(possible)
    known = [other for other in _ARGUMENTS.get(name, "").split() if other in possible]
    known += [other for other in possible if other.endswith(f"_{name}")]  # a parameter without its prefix
    return next(iter([*known, *difflib.get_close_matches(name, possible, 1, cutoff)]), None)


def did_you_mean(name: str, possible: Iterable[str], cutoff: float = 0.6) -> str:
    """`` Did you mean 'axis'?``, or nothing."""
    near = nearest(name, possible, cutoff)
    return f" Did you mean {near!r}?" if near else ""


def meant(name: str, possible: Iterable[str]) -> str:
    """`` (did you mean 'adam'?)``, or nothing."""
    near = nearest(name, possible)
    return f" (did you mean {near!r}?)" if near else ""


def hint(error: BaseException) -> str:
    """What to add to one of Python's own errors; nothing if there is nothing to say."""
    if isinstance(error, AttributeError):
        setter = re.match(r"property '(\w+)' of '(?:NDArray|ndarray|Trainer)' object has no setter", str(error))
        removed = re.match(r"module '(\w+)' has no attribute '(\w+)'", str(error))
        if setter:
            return _SETTERS.get(setter[1], "")
        if removed and removed[2] in _gone(sys.modules.get(removed[1])):
            return _RUN
        return _attribute(error, str(error.name), error.obj)
    if isinstance(error, ModuleNotFoundError):
        from ..compat.old_names import MODULES

        return _RUN if error.name in MODULES else ""
    if isinstance(error, ImportError):
        found = re.match(r"cannot import name '(\w+)' from '(mxnet[\w.]*)'", str(error))
        if found is None or found[2] not in sys.modules or sys.version_info >= (3, 12):
            return ""  # since Python 3.12 it is said
        return did_you_mean(found[1], _public(sys.modules[found[2]])).strip()
    if isinstance(error, TypeError):
        return next((text for pattern, text in _TEXTS.items() if re.search(pattern, str(error))), "")
    return ""


def _attribute(error: AttributeError, name: str, obj: Any) -> str:
    if isinstance(obj, ModuleType) or not type(obj).__module__.startswith("mxnet"):
        if not isinstance(obj, ModuleType) or not obj.__name__.startswith("mxnet"):
            return _RUN if name in _gone(obj) else ""
    if name.startswith("_") or "Did you mean" in str(error) or not str(error).endswith(name.join("''")):
        return ""  # the text has better advice
    if name in _ATTRIBUTES:
        return f"in MXNet: {_ATTRIBUTES[name]}"
    if isinstance(obj, ModuleType):
        return ""  # Python proposes public names
    public = _public(obj)
    if type(obj).__name__ in ("Parameter", "Constant") and name in _public(sys.modules["mxnet.ndarray"].NDArray):
        return f"the array of a Parameter is data(): data().{name}"
    near = difflib.get_close_matches(name, public, 1)
    return f"Did you mean: {near[0]!r}?" if near else "dir() lists the available names"


def _public(obj: Any) -> list[str]:
    return [name for name in dir(obj) if not name.startswith("_")]


def _gone(obj: Any) -> Iterable[str]:
    """What current Python or NumPy no longer has in a module or an object."""
    from ..compat.old_names import METHODS, NAMES

    return NAMES.get(obj.__name__, ()) if isinstance(obj, ModuleType) else METHODS.get(type(obj).__name__, ())


class Keyword:
    """An argument that a function or class of this package does not have."""

    def __init__(self, name: str, wrong: str, known: Iterable[str]):
        self.text = f"{name}: unexpected keyword argument {wrong!r}.{did_you_mean(wrong, known, 0.5)} "
        self.text += f"It takes {', '.join(known) or 'no arguments'}"

    @classmethod
    def of_class(cls, error: TypeError, owner: type) -> Keyword | None:
        """What is wrong if an error is about arguments of a class, or of one of its bases; None if it is not."""
        found = _KEYWORD.match(str(error))
        return None if found is None else cls(owner.__name__, found[2], _arguments(owner))

    @classmethod
    def of(cls, error: BaseException, frames: list[FrameType]) -> Keyword | None:
        """The same for any error; ``frames`` are those of this package, below the user's line, from the outermost."""
        found = _KEYWORD.match(str(error)) if isinstance(error, TypeError) else None
        if found is None or not isinstance(error, TypeError) or str(error).startswith("Block.__call__"):
            return None
        passed = [frame for frame in frames if found[2] in _rest(frame)]
        for frame in passed:
            if frame.f_code.co_name == "__init__":
                return cls.of_class(error, type(frame.f_locals[frame.f_code.co_varnames[0]]))
        if len(passed) < len([f for f in frames if not f.f_code.co_filename.endswith("signature.py")]):
            return None  # an argument that the package itself has passed
        function, _, method = (found[1] or "").partition(".")
        for name, module in list(sys.modules.items()):
            owner = vars(module).get(function) if name.startswith("mxnet") else None
            if inspect.isclass(owner) and method == "__init__":
                return cls(function, found[2], _arguments(owner))
            target = vars(owner).get(method) if inspect.isclass(owner) else owner
            if inspect.isfunction(target):
                return cls(found[1], found[2], _names(target))
        return None


def _rest(frame: FrameType) -> dict[str, Any]:
    """What a running function was given for ``**kwargs``."""
    code = frame.f_code
    if not code.co_flags & inspect.CO_VARKEYWORDS:
        return {}
    index = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    rest = frame.f_locals.get(code.co_varnames[index], {})
    return rest if isinstance(rest, dict) else {}


def _names(function: Any) -> list[str]:
    """The arguments of a function, without ``self``."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name != "self"]


def _arguments(owner: type) -> list[str]:
    """The arguments of a class and of those that it passes others on to."""
    found: dict[str, None] = {}
    for base in owner.__mro__[:-1]:
        init = vars(base).get("__init__")
        if inspect.isfunction(init):
            found.update(dict.fromkeys(_names(init)))
            if not any(p.kind is p.VAR_KEYWORD for p in inspect.signature(init).parameters.values()):
                break
    return list(found)
