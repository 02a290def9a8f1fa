"""Parameters by name: what ``net.collect_params()`` gives."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from .. import initializer
from .._core.dtypes import torch_dtype
from .._core.hints import meant
from .._core.signature import takes
from .._core.types import Devices, Path
from ..context import Context
from ..error import MXNetKeyError, MXNetValueError
from ..ndarray import NDArray, load, save
from .parameter import Constant, Parameter
from .utils import MXNetAssertionError, _brief_print_list, _indent

_NAMING = (
    "For more info on naming, please see https://mxnet.io/api/python/docs/tutorials/packages/gluon/blocks/naming.html"
)


def _unify(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...] | None:
    """What two shapes say together; None if they contradict."""
    if len(one) != len(other):
        return None
    found = []
    for a, b in zip(one, other, strict=True):
        if a in (0, -1) or b in (0, -1):
            found.append(max(a, b))
        elif a == b:
            found.append(a)
        else:
            return None
    return tuple(found)


def _module_file(arrays: Mapping[str, object], filename: Path) -> str:
    """What to do with a file that was not written by save_parameters."""
    if not any(name.startswith(("arg:", "aux:")) for name in arrays):
        return ""
    return (
        " The file has the names of a symbol (arg:, aux:), as Module.save_checkpoint and HybridBlock.export write: "
        f"SymbolBlock.imports('<prefix>-symbol.json', ['data'], {str(filename or '<prefix>-0000.params')!r}) loads it."
    )


class ParameterDict:
    """Parameters by name. ``get`` makes one, or gives the one of that name, also out of the shared dict, if any."""

    __module__ = "mxnet.gluon.parameter"  # the module of the original, which programs and pickles name

    def __init__(self, prefix: str = "", shared: ParameterDict | None = None):
        self._prefix = prefix
        self._shared = shared
        self._params: OrderedDict[str, Parameter] = OrderedDict()

    def __repr__(self) -> str:
        name = f"{self._prefix} " if self._prefix else ""
        content = "\n".join(_indent(f"  {p}", 2) for p in self.values())
        return f"{name}(\n{content}\n)"

    def __getitem__(self, key: str) -> Parameter:
        try:
            return self._params[key]
        except KeyError:
            known = ", ".join(self._params) or "none yet"
            raise MXNetKeyError(
                f"there is no parameter {key!r}{meant(str(key), self._params)}; known: {known}"
            ) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._params)

    def __contains__(self, key: object) -> bool:
        return key in self._params

    def __len__(self) -> int:
        return len(self._params)

    def __bool__(self) -> bool:
        return True  # as in the original, where a dict has no length

    def items(self) -> Any:
        """Pairs of name and parameter."""
        return self._params.items()

    def keys(self) -> Any:
        """The full names."""
        return self._params.keys()

    def values(self) -> Any:
        """The parameters."""
        return self._params.values()

    @property
    def prefix(self) -> str:
        """What the names given to ``get`` are preceded by."""
        return self._prefix

    def _get_impl(self, name: str) -> Parameter | None:
        found = self._params.get(name)
        if found is None and self._shared is not None:
            found = self._shared._params.get(name)
            if found is not None:
                self._params[name] = found
        return found

    def get(self, name: str, **kwargs: Any) -> Parameter:
        """The parameter called prefix + ``name``, made with ``kwargs`` if it does not exist; else they must agree."""
        name = self._prefix + name
        param = self._get_impl(name)
        if param is None:
            param = self._params[name] = Parameter(name, **kwargs)
            return param
        for key, value in kwargs.items():
            existing = getattr(param, key, None)
            if existing is None:
                setattr(param, key, value)
            elif value is not None and not self._agrees(param, key, value, existing):
                raise MXNetAssertionError(
                    f"Cannot retrieve Parameter '{name}' because desired attribute does not match with stored for "
                    f"attribute '{key}': desired '{value}' vs stored '{existing}'."
                )
        return param

    @staticmethod
    def _agrees(param: Parameter, key: str, value: Any, existing: Any) -> bool:
        if key == "shape":
            wanted = (int(value),) if isinstance(value, int | np.integer) else tuple(value)
            together = _unify(wanted, existing)
            if together is None:
                return False
            param._shape = together
            return True
        if key == "dtype":
            return torch_dtype(value) is torch_dtype(existing)
        return bool(value == existing)

    def get_constant(self, name: str, value: object = None) -> Constant:
        """The constant called prefix + ``name``, made of ``value`` if it does not exist."""
        name = self._prefix + name
        param = self._get_impl(name)
        if param is None:
            if value is None:
                raise KeyError(
                    f"No constant named '{name}'. Please specify value if you want to create a new constant."
                )
            param = self._params[name] = Constant(name, value)
        elif not isinstance(param, Constant):
            raise MXNetAssertionError(f"Parameter '{name}' already exists but it is not a constant.")
        elif value is not None:
            given = value.asnumpy() if isinstance(value, NDArray) else np.asarray(value)
            if given.shape != param.value.shape or not (given == param.value.asnumpy()).all():
                raise MXNetAssertionError(f"Constant '{name}' already exists but it's value doesn't match new value")
        return param

    def update(self, other: ParameterDict) -> None:
        """Takes over the parameters of another dict."""
        for name, param in other.items():
            if name in self._params and self._params[name] is not param:
                raise MXNetAssertionError(
                    f"Cannot update self with other because they have different Parameters with the same name '{name}'"
                )
        self._params.update(other.items())

    def initialize(
        self,
        init: Any = initializer.Uniform(),  # noqa: B008  (the original's signature)
        ctx: Devices = None,
        verbose: bool = False,
        force_reinit: bool = False,
    ) -> None:
        """Initializes all parameters, those without an initializer of their own by ``init``."""
        if not isinstance(init, str):
            initializer.check_initializer(init)
        if verbose:
            init.set_verbosity(verbose=verbose)
        for param in self.values():
            param.initialize(None, ctx, init, force_reinit=force_reinit)

    def zero_grad(self) -> None:
        """Sets all gradients to 0."""
        for param in self.values():
            if param._grad_stype != "default":
                param.zero_grad()
        dense = [param for param in self.values() if param._grad is not None and param._grad_stype == "default"]
        grads = [g._data for param in dense for g in param._grad]
        if grads:
            torch._foreach_zero_(grads)

    def reset_ctx(self, ctx: Devices) -> None:
        """Moves all parameters to other contexts."""
        for param in self.values():
            param.reset_ctx(ctx)

    def list_ctx(self) -> list[Context]:
        """All contexts that some parameter is on."""
        return list(dict.fromkeys(c for param in self.values() for c in param.list_ctx()))

    def setattr(self, name: str, value: object) -> None:
        """Sets an attribute of all parameters: ``params.setattr('grad_req', 'null')``."""
        for param in self.values():
            setattr(param, name, value)

    # ---- files -----------------------------------------------------------------------------------------------------

    def save(self, filename: Path, strip_prefix: str = "") -> None:
        """Saves all parameters under their names, without ``strip_prefix``."""
        arrays = {}
        for name, param in self.items():
            if not name.startswith(strip_prefix):
                raise MXNetValueError(
                    f"Prefix '{strip_prefix}' is to be striped before saving, but Parameter's name '{name}' does not "
                    f"start with '{strip_prefix}'. this may be due to your Block shares parameters from other Blocks "
                    f"or you forgot to use 'with name_scope()' when creating child blocks. {_NAMING}"
                )
            arrays[name[len(strip_prefix) :]] = param._reduce()
        save(filename, arrays)

    def load_dict(
        self,
        param_dict: Mapping[str, NDArray],
        ctx: Devices = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        restore_prefix: str = "",
        filename: Path | None = None,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Takes over arrays by name; the names may begin with ``arg:`` or ``aux:``."""
        source = "param_dict" if filename is None else f"file: {filename}"
        if not isinstance(param_dict, Mapping):
            raise MXNetValueError(f"{source} has arrays without names; parameters are loaded by their names")
        arrays = {restore_prefix + (k[4:] if k[:4] in ("arg:", "aux:") else k): v for k, v in param_dict.items()}
        for name in () if allow_missing else self.keys():
            if name not in arrays:
                raise MXNetAssertionError(
                    f"Parameter '{name.removeprefix(restore_prefix)}' is missing in {source}, which contains "
                    "parameters: "
                    f"{_brief_print_list(arrays)}. Please make sure source and target networks have the same prefix."
                    f"{_NAMING}{_module_file(param_dict, filename)}"
                )
        for name in () if ignore_extra else arrays:
            if name not in self._params:
                raise MXNetAssertionError(
                    f"Parameter '{name.removeprefix(restore_prefix)}' loaded from {source} is not present in "
                    "ParameterDict, choices are: "
                    f"{_brief_print_list(self._params)}. Set ignore_extra to True to ignore. Please make sure source "
                    f"and target networks have the same prefix.{_NAMING}"
                )
        for name, value in arrays.items():
            if name in self._params:
                self._params[name]._load_init(value, ctx, cast_dtype, dtype_source)

    @takes(load_dict, without=("param_dict", "filename"))
    def load(self, filename: Path, ctx: Devices, restore_prefix: str, **given: Any) -> None:
        """Loads parameters from a file; ``restore_prefix`` comes before the names in it."""
        for name in self.keys() if restore_prefix else ():
            if not name.startswith(restore_prefix):
                raise MXNetAssertionError(
                    f"restore_prefix is '{restore_prefix}' but Parameters name '{name}' does not start with "
                    f"'{restore_prefix}'. {_NAMING}"
                )
        self.load_dict(load(filename), ctx, restore_prefix=restore_prefix, filename=filename, **given)
