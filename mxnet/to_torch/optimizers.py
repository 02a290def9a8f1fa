"""The optimizer of a Trainer or Module as one of torch's, with its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from .._core.files import reading
from ..error import MXNetNotImplementedError, MXNetTypeError, MXNetValueError
from ..gluon.trainer import Trainer
from ..module.base_module import BaseModule
from ..ndarray import NDArray
from ..optimizer import Optimizer
from ..optimizer.updater import Updater
from .functions import number
from .optimizer_classes import CLASSES
from .package import Translation
from .tree import Weight


class Saved:
    """An optimizer, and its states by the names of the parameters."""

    def __init__(self, optimizer: Optimizer, states: dict[str, Any], indices: dict[str, Any]):
        self.optimizer, self.states, self.indices = optimizer, states, indices


def saved_of(trainer: object) -> Saved:
    """What a Trainer or a Module has."""
    if isinstance(trainer, Saved):
        return trainer
    if isinstance(trainer, Trainer):
        trainer._prepare()
        updater = trainer._kvstore._updater if trainer._update_on_kvstore else trainer._updaters[0]
        names: dict[Any, str] = {i: p.name for i, p in enumerate(trainer._params)}
        optimizer: Any = trainer._optimizer
    elif isinstance(trainer, BaseModule):
        module: Any = trainer
        optimizer = module._optimizer
        if optimizer is None:
            raise MXNetValueError("the module has no optimizer yet: call init_optimizer() first")
        updater = module._updater or module._kvstore._updater
        names = dict(optimizer.idx2name)
        names |= {name: name for name in names.values()}
    else:
        raise MXNetTypeError(f"trainer must be a gluon.Trainer or a Module, got a {type(trainer).__name__}")
    states = {names[i]: s for i, s in updater.states.items() if i in names}
    numbered = {name: i for i, name in names.items() if not isinstance(i, str)}
    return Saved(optimizer, states, numbered or {name: name for name in names.values()})


def saved_in(path: object, params: Mapping[str, Any]) -> Saved:
    """What ``trainer.save_states`` wrote, for the parameters of a file that ``net.export`` wrote, in their order."""
    begun: Any = Optimizer.create_optimizer("sgd")
    updater = Updater(begun)
    with reading(path) as (stream, size):
        updater.set_states(stream.read(size))
    optimizer: Any = updater.optimizer
    if optimizer is begun:
        raise MXNetValueError(
            f"{path} has states without the optimizer's settings: load it to a Module or Trainer, and give that as "
            "trainer to mx.to_torch_source"
        )
    arrays = {name.partition(":")[2] or name: a for name, a in params.items()}
    names: dict[Any, str] = optimizer.idx2name or dict(enumerate(arrays))
    for index, state in updater.states.items():
        first = state[0] if isinstance(state, tuple | list) else state
        name = names.get(index, "")
        if name not in arrays or (first is not None and first.shape != arrays[name].shape):
            raise MXNetValueError(f"{path}: state {index} does not fit the parameter {name or 'of this number'}")
    return Saved(optimizer, {names[i]: s for i, s in updater.states.items()}, {n: i for i, n in names.items()})


@dataclass(frozen=True)
class Kind:
    """An optimizer of torch's for one of MXNet's."""

    name: str
    settings: Callable[[Any], dict[str, Any]]
    #: States from a state, the learning rate, the number of updates and the optimizer.
    convert: Callable[[Any, float, int, Any], dict[str, Any]]
    #: Is it a class in optimizer.py, which makes it compute the same?
    is_own: bool = False
    #: Is the weight decayed apart from the gradient?
    is_decoupled: bool = False


def _momentum(state: object, rate: float, count: int, optimizer: Any) -> dict[str, Any]:
    # MXNet's momentum has the rate in it: m = momentum * m - rate * g.
    return {} if state is None else {"momentum_buffer": _tensor(state) / -rate}


def _named(*names: str) -> Callable[[Any, float, int, Any], dict[str, Any]]:
    """States as they are, under torch's names, with the number of updates."""

    def convert(state: Any, rate: float, count: int, optimizer: Any) -> dict[str, Any]:
        parts = state if isinstance(state, tuple | list) else (state,)
        found = {name: _tensor(part) for name, part in zip(names, parts, strict=False)}
        return {"step": torch.tensor(float(count)), **found}

    return convert


def _sum(state: object, rate: float, count: int, optimizer: Any) -> dict[str, Any]:
    # MXNet's root is of the sum and epsilon: the sum starts with epsilon, and torch's own is 0.
    return {"step": torch.tensor(float(count)), "sum": _tensor(state) + optimizer.float_stable_eps}


def _squares(state: Any, rate: float, count: int, optimizer: Any) -> dict[str, Any]:
    found = _named("square_avg", "grad_avg", "momentum_buffer")(state, rate, count, optimizer)
    if optimizer.centered:  # MXNet adds its step to the weight
        found["momentum_buffer"].neg_()
    return found


def _rmsprop(o: Any) -> dict[str, Any]:
    more = {"momentum": o.gamma2, "centered": True} if o.centered else {}
    return {"alpha": o.gamma1, "eps": o.epsilon, **more}


_KINDS: dict[str, Kind] = {
    "SGD": Kind("SGD", lambda o: {"momentum": o.momentum} if o.momentum else {}, _momentum),
    "NAG": Kind("SGD", lambda o: {"momentum": o.momentum, "nesterov": True} if o.momentum else {}, _momentum),
    "Adam": Kind("Adam", lambda o: {"betas": (o.beta1, o.beta2)}, _named("exp_avg", "exp_avg_sq"), is_own=True),
    "AdaGrad": Kind("Adagrad", lambda o: {"eps": 0}, _sum, is_decoupled=True),
    "AdaDelta": Kind(
        "Adadelta", lambda o: {"rho": o.rho, "eps": o.epsilon}, _named("square_avg", "acc_delta"), is_decoupled=True
    ),
    "RMSProp": Kind("RMSprop", _rmsprop, _squares, is_own=True),
    "Adamax": Kind("Adamax", lambda o: {"betas": (o.beta1, o.beta2), "eps": 0}, _named("exp_avg", "exp_inf")),
}
_KINDS["ccSGD"] = _KINDS["SGD"]
#: Why others have no counterpart.
_WITHOUT = {
    "Nadam": "the schedule of MXNet's Nadam goes on with each parameter, that of torch.optim.NAdam with each step",
}


def _tensor(state: object) -> torch.Tensor:
    if not isinstance(state, NDArray):
        raise MXNetNotImplementedError("states of float16 parameters with a float32 copy cannot be translated")
    return state.as_torch().detach().clone()


def _part(tensor: torch.Tensor, weight: Weight) -> torch.Tensor:
    if weight.offset is not None:
        size = 1
        for n in weight.shape:
            size *= n
        tensor = tensor.reshape(-1)[weight.offset : weight.offset + size]
    return tensor.reshape(weight.shape).contiguous()


def optimizer_files(trainer: object, translation: Translation, model: str) -> dict[str, Any]:
    """optimizer.py and optimizer.safetensors."""
    saved = saved_of(trainer)
    optimizer: Any = saved.optimizer
    kind = _KINDS.get(type(optimizer).__name__)
    if kind is None:
        name = type(optimizer).__name__
        reason = _WITHOUT.get(name, "torch has none that computes the same")
        raise MXNetNotImplementedError(
            f"the optimizer {name} cannot be translated: {reason}. "
            f"Those that can be: {', '.join(sorted(_KINDS))}. Without trainer= the network is translated alone"
        )
    if getattr(optimizer, "clip_weights", None):
        raise MXNetNotImplementedError("clip_weights of RMSProp cannot be translated: torch has no such setting")
    groups: dict[tuple[float, float], list[str]] = {}
    states: dict[str, torch.Tensor] = {}
    placed: set[tuple[str, int | None]] = set()
    for path, weight in translation.weights.items():
        if weight.variable is None or (weight.variable, weight.offset) in placed:
            continue
        index = saved.indices.get(weight.variable)
        if index is None or weight.variable not in saved.states:
            continue
        placed.add((weight.variable, weight.offset))
        rate, decay = optimizer._get_lr(index), optimizer._get_wd(index)
        rate = 1.0 if kind.name == "Adadelta" else rate  # it has none
        groups.setdefault((rate, decay), []).append(path)
        count = optimizer._index_update_count.get(index, optimizer.num_update)
        for key, value in kind.convert(saved.states[weight.variable], rate, count, optimizer).items():
            states[f"{path}/{key}"] = value if key == "step" else _part(value, weight)
    if not groups:
        raise MXNetValueError("the optimizer has no states of this network's parameters: train a step first")
    text = _source(model, kind, groups, optimizer)
    return {"optimizer.py": text, "optimizer.safetensors": states}


def _text(value: object) -> str:
    return f"({', '.join(_text(v) for v in value)})" if isinstance(value, tuple) else str(number(value))


def _source(model: str, kind: Kind, groups: dict[tuple[float, float], list[str]], optimizer: Any) -> str:
    more = "".join(f", {k}={_text(v)}" for k, v in kind.settings(optimizer).items())
    decays = kind.is_decoupled and any(decay for _, decay in groups)
    is_own = kind.is_own or decays
    name = kind.name if is_own else f"torch.optim.{kind.name}"
    rates = sorted(groups, key=lambda key: -len(groups[key]))
    rate, decay = rates[0]
    lines = [
        '"""The optimizer as it was in MXNet, with its states."""',
        "",
        "from pathlib import Path",
        *(["from typing import Any"] if is_own else []),
        "",
        "import torch",
        "from safetensors.torch import load_file",
        "",
        f"from .model import {model}",
        "",
    ]
    scale = number(optimizer.rescale_grad)
    lines += [
        "#: What MXNet multiplied gradients by: the loss times this one is to be differentiated.",
        f"RESCALE = {scale}",
    ]
    if optimizer.clip_gradient is not None and optimizer.clip_gradient > 0:
        lines += [
            "#: Before each step: torch.nn.utils.clip_grad_value_(model.parameters(), CLIP)",
            f"CLIP = {number(optimizer.clip_gradient)}",
        ]
    if optimizer.lr_scheduler is not None:
        lines.append(
            f"# The learning rate came from a {type(optimizer.lr_scheduler).__name__}: this is where it stood."
        )
    if kind.name == "Adam":
        lines.append(f"EPSILON = {number(optimizer.epsilon)}")
    others = rates[1:]
    tests = []
    for other in others:
        names = groups[other]
        if all(n.endswith("bias") for n in names) and not any(
            n.endswith("bias") for k in rates if k != other for n in groups[k]
        ):
            tests.append('name.endswith("bias")')
        else:
            lines += [f"GROUP_{len(tests)} = {{", *[f'    "{n}",' for n in names], "}"]
            tests.append(f"name in GROUP_{len(tests)}")
    if is_own:
        lines += ["", "", *CLASSES[kind.name].strip("\n").split("\n")]
    lines += ["", "", f"def optimizer(model: {model}) -> {name}:"]
    lines.append('    """For ``model.train()``: steps go on where MXNet\'s ended."""')
    lines.append("    trained = {name: p for name, p in model.named_parameters() if p.requires_grad}")
    key = "decay" if decays else "weight_decay"
    base = f"lr={number(rate)}{more}" + (f", weight_decay={number(decay)}" if decay and not decays else "")

    def of(parameters: str) -> str:
        return f'[{{"params": {parameters}, "decay": {number(decay)}}}]' if decays else parameters

    if not others:
        lines.append(f"    made = {name}({of('list(trained.values())' if decays else 'trained.values()')}, {base})")
    else:
        either = " or ".join(tests)
        lines.append(f"    usual = [p for name, p in trained.items() if not ({either})]")
        lines.append(f"    made = {name}({of('usual')}, {base})")
        for (own_rate, own_decay), test in zip(others, tests, strict=True):
            lines.append(f"    others = [p for name, p in trained.items() if {test}]")
            own = f'"lr": {number(own_rate)}, "{key}": {number(own_decay)}'
            lines.append(f'    made.add_param_group({{"params": others, {own}}})')
    lines += [
        '    for key, value in load_file(Path(__file__).with_name("optimizer.safetensors")).items():',
        '        name, _, state = key.partition("/")',
        "        made.state[trained[name]][state] = value",
        "    return made",
    ]
    return "\n".join(lines) + "\n"
