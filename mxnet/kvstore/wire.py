"""The wire format of optimizers and their states: names, numbers and tensors. Nothing received can run as code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np
import torch

from .. import lr_scheduler, optimizer as opt
from .._core.dtypes import torch_dtype
from .._core.literals import shorten
from ..context import cpu
from ..error import MXNetError, MXNetTypeError, MXNetValueError
from ..ndarray import NDArray
from ..ndarray.ndarray import wrap
from .collective import Collective

__all__ = [
    "bytes_of",
    "gather_states",
    "optimizer_text",
    "pack_states",
    "read_optimizer_text",
    "text_of",
    "unpack_states",
]

#: What an optimizer has that is not sent: arguments that the receiver has no use for.
_LOCAL = {"param_dict", "sym_info", "lr_mult", "wd_mult", "lr_scheduler", "_index_update_count"}


def bytes_of(text: str) -> torch.Tensor:
    """A text as a tensor of bytes."""
    return torch.frombuffer(bytearray(text.encode()), dtype=torch.uint8) if text else torch.zeros(0, dtype=torch.uint8)


def text_of(tensor: torch.Tensor) -> str:
    """The text in a tensor of bytes."""
    return tensor.numpy().tobytes().decode()


# ---- plain values --------------------------------------------------------------------------------------------------


def _plain(value: object, name: str) -> Any:
    """A value in the terms of JSON; dicts as pairs, since their keys may be numbers."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value)
    if isinstance(value, tuple):
        return {"tuple": [_plain(part, name) for part in value]}
    if isinstance(value, list):
        return [_plain(part, name) for part in value]
    if isinstance(value, dict):
        return {"dict": [[_plain(k, name), _plain(v, name)] for k, v in value.items()]}
    raise MXNetTypeError(
        f"{name} is a {type(value).__name__}, which cannot be sent to the servers of a distributed store: optimizers "
        "travel as their registered name and attributes that are numbers, texts, lists and dicts. With "
        "update_on_kvstore=False the optimizer stays in the worker."
    )


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_value(part) for part in plain]
    if isinstance(plain, dict):
        if set(plain) == {"tuple"}:
            return tuple(_value(part) for part in plain["tuple"])
        if set(plain) == {"dict"}:
            return {_value(k): _value(v) for k, v in plain["dict"]}
        raise MXNetValueError(f"what was received is not an attribute of an optimizer: {sorted(plain)[:5]}")
    return plain


# ---- optimizers ----------------------------------------------------------------------------------------------------


def optimizer_text(optimizer: opt.Optimizer) -> str:
    """The optimizer as JSON: its registered name and its attributes."""
    name = type(optimizer).__name__.lower()
    if opt.Optimizer.opt_registry.get(name) is not type(optimizer):
        raise MXNetTypeError(
            f"the optimizer {type(optimizer).__name__} is not registered: what travels to the servers of a distributed "
            "store is an optimizer's registered name (@mx.optimizer.register), and never code"
        )
    attributes = {k: _plain(v, f"{name}.{k}") for k, v in vars(optimizer).items() if k not in _LOCAL}
    # the factors of parameters, by their index: the parameters themselves stay here
    lr_mult, wd_mult = dict(optimizer.lr_mult), dict(optimizer.wd_mult)
    for index, param in optimizer.param_dict.items():
        lr_mult[index], wd_mult[index] = param.lr_mult, param.wd_mult
    attributes |= {"lr_mult": _plain(lr_mult, "lr_mult"), "wd_mult": _plain(wd_mult, "wd_mult")}
    scheduler = optimizer.lr_scheduler
    parsed = None
    if scheduler is not None:
        kind = type(scheduler).__name__
        if getattr(lr_scheduler, kind, None) is not type(scheduler):
            raise MXNetTypeError(
                f"the learning rate scheduler {kind} is not one of mx.lr_scheduler: only these can be sent to the "
                "servers of a distributed store, by their name"
            )
        parsed = [kind, {k: _plain(v, f"{kind}.{k}") for k, v in vars(scheduler).items()}]
    return json.dumps({"name": name, "attributes": attributes, "scheduler": parsed})


@contextmanager
def _naming_errors(what: str) -> Iterator[None]:
    """Turns errors of parsing a malformed message into one that says what was expected."""
    try:
        yield
    except MXNetError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, RuntimeError) as error:
        text = shorten(str(error), 200)
        raise MXNetValueError(f"what arrived is not {what}: {type(error).__name__}: {text}") from error


@_naming_errors("an optimizer")
def read_optimizer_text(text: str) -> opt.Optimizer:
    """The optimizer that ``optimizer_text`` described."""
    parsed = json.loads(text)
    klass = opt.Optimizer.opt_registry.get(parsed["name"])
    if klass is None:
        raise MXNetError(
            f"the optimizer {parsed['name']!r} is not registered in this server: a server knows the optimizers of "
            "MXNet only. With update_on_kvstore=False a custom optimizer runs in the workers."
        )
    optimizer = klass()
    _set(optimizer, parsed["attributes"])
    if parsed["scheduler"] is not None:
        kind, attributes = parsed["scheduler"]
        if kind not in lr_scheduler.__all__:
            raise MXNetError(f"there is no learning rate scheduler {kind!r}")
        scheduler = object.__new__(getattr(lr_scheduler, kind))
        vars(scheduler).update({str(k): _value(v) for k, v in attributes.items()})
        optimizer.lr_scheduler = scheduler
    return optimizer


def _set(optimizer: opt.Optimizer, attributes: dict[str, Any]) -> None:
    known = vars(optimizer)
    for name, value in attributes.items():
        if name not in known:
            raise MXNetError(f"the optimizer {type(optimizer).__name__} has no attribute {name!r} here")
        known[name] = _value(value)
    # counts that begin anew, as the dict of counts in use is one of those by device
    optimizer._index_update_count = optimizer._all_index_update_counts.setdefault(0, {})


# ---- states --------------------------------------------------------------------------------------------------------


def _describe_state(state: object, tensors: list[torch.Tensor]) -> Any:
    """A state in the terms of JSON, its tensors put into a list."""
    if isinstance(state, NDArray):
        tensor = state._data.detach().cpu().contiguous()
        tensors.append(tensor)
        return {"shape": list(tensor.shape), "dtype": str(tensor.dtype).removeprefix("torch.")}
    if isinstance(state, list | tuple):
        return {"tuple" if isinstance(state, tuple) else "list": [_describe_state(part, tensors) for part in state]}
    if state is None or isinstance(state, bool | int | float | str):
        return {"value": state}
    raise MXNetTypeError(f"an optimizer's state of type {type(state).__name__} cannot be sent to other processes")


def _restore_state(parsed: Any, tensors: list[torch.Tensor]) -> Any:
    if "shape" in parsed:
        return wrap(tensors.pop(0), cpu())
    if "tuple" in parsed:
        return tuple(_restore_state(part, tensors) for part in parsed["tuple"])
    if "list" in parsed:
        return [_restore_state(part, tensors) for part in parsed["list"]]
    return parsed["value"]


def _kinds(parsed: Any) -> Iterator[tuple[list[int], torch.dtype]]:
    """Shape and type of each tensor of a state."""
    if "shape" in parsed:
        yield [int(n) for n in parsed["shape"]], torch_dtype(str(parsed["dtype"]))
    for part in parsed.get("tuple", parsed.get("list", ())):
        yield from _kinds(part)


def pack_states(states: dict[Any, Any], counts: dict[Any, int]) -> torch.Tensor:
    """States and the numbers of updates, by key, as one tensor of bytes."""
    tensors: list[torch.Tensor] = []
    entries = [[key, _describe_state(state, tensors)] for key, state in states.items()]
    text = bytes_of(json.dumps({"states": entries, "counts": list(counts.items())}))
    parts = [torch.tensor([text.numel()]).view(torch.uint8), text]
    return torch.cat([*parts, *(tensor.reshape(-1).view(torch.uint8) for tensor in tensors)])


@_naming_errors("the states of an optimizer")
def unpack_states(packed: torch.Tensor) -> tuple[dict[Any, Any], dict[Any, int]]:
    """The states and numbers of updates that ``pack_states`` packed."""
    size = int(packed[:8].clone().view(torch.int64)) if packed.numel() >= 8 else -1
    if not 0 <= size <= packed.numel() - 8:
        raise MXNetError("states of an optimizer arrived incomplete")
    parsed, begin = json.loads(text_of(packed[8 : 8 + size])), 8 + size
    states = {}
    for key, description in parsed["states"]:
        tensors: list[torch.Tensor] = []
        for shape, dtype in _kinds(description):
            length = prod(shape) * dtype.itemsize
            if min(shape, default=0) < 0 or begin + length > packed.numel():
                raise MXNetError("states of an optimizer arrived incomplete")
            tensors.append(packed[begin : begin + length].clone().view(dtype).view(shape))
            begin += length
        states[key] = _restore_state(description, tensors)
    return states, {key: int(count) for key, count in parsed["counts"]}


def gather_states(workers: Collective, what: str, states: dict[Any, Any]) -> list[dict[Any, Any]]:
    """The states that each process has, by key: a dict for each process."""
    tensors: list[torch.Tensor] = []
    parsed = json.dumps([[key, _describe_state(state, tensors)] for key, state in states.items()])
    everybody = []
    sent: list[tuple[int, torch.Tensor]] = []
    for rank, text in enumerate(workers.gather(what, bytes_of(parsed))):
        entries = json.loads(text_of(text)) if text.numel() else []
        if rank != workers.rank:
            mine = [torch.empty(shape, dtype=dtype) for _, each in entries for shape, dtype in _kinds(each)]
        else:
            mine = tensors
        sent += [(rank, tensor) for tensor in mine]
        everybody.append((entries, mine))
    workers.copy(what, sent)
    result = []
    for entries, received in everybody:
        rest = list(received)
        result.append({key: _restore_state(description, rest) for key, description in entries})
    return result
