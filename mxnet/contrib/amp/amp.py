"""Automatic mixed precision: operators that gain from it run in float16 or bfloat16, the others in float32.

    from mxnet.contrib import amp

    amp.init("bfloat16")                      # before the model is made
    trainer = gluon.Trainer(...)
    amp.init_trainer(trainer)
    with autograd.record():
        loss = loss_fn(net(data), label)
        with amp.scale_loss(loss, trainer) as scaled:
            autograd.backward(scaled)
    trainer.step(batch_size)                  # a step whose gradients have overflowed is skipped

For prediction, ``convert_model``, ``convert_symbol`` and ``convert_hybrid_block`` put the casts into a graph.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import torch

from ..._core.dtypes import NAME_OF, torch_dtype
from ..._core.signature import takes
from ...context import Context, cpu
from ...error import MXNetAssertionError, MXNetTypeError
from ...gluon.hybrid_block import HybridBlock
from ...gluon.symbol_block import SymbolBlock
from ...gluon.trainer import Trainer
from ...graph.node import Entry
from ...graph.rewrite.precision import Policy, cast_node, multicast_node, reduce_precision
from ...module import BucketingModule
from ...name import NameManager
from ...ndarray import NDArray, gate
from ...ops.registry import Kernel, OpDef, find
from ...optimizer import Optimizer
from ...symbol import Symbol, symbol, var
from .lists import symbol_bf16, symbol_fp16  # noqa: F401  (the original has them here)
from .lists.operators import CONDITIONAL, names
from .loss_scaler import LossScaler

__all__ = [
    "convert_bucketing_module",
    "convert_hybrid_block",
    "convert_model",
    "convert_symbol",
    "init",
    "init_trainer",
    "list_conditional_fp32_ops",
    "list_fp32_ops",
    "list_loss_output_functions",
    "list_lp16_fp32_ops",
    "list_lp16_ops",
    "list_lp16_use_fp32_params",
    "list_widest_type_cast",
    "scale_loss",
    "turn_off",
    "unscale",
]

Conditions = Collection[tuple[str, str, Sequence[str]]]
#: Has ``init`` been called? Packages look at this.
_amp_initialized = False
_amp_loss_scale_initialized = False
#: The scale of losses that operators such as SoftmaxOutput are, and of the first trainer.
_loss_scaler: LossScaler | None = None
_undo: list[Callable[[], None]] = []
#: Floating types that casts take part in: numbers of other types stay as they are.
_CAST = frozenset((torch.float32, torch.float16, torch.bfloat16))


def _target(target_dtype: object, text: str) -> torch.dtype:
    """The type that was asked for: float16 or bfloat16."""
    try:
        found = torch_dtype(target_dtype)
    except (TypeError, ValueError):
        found = None
    if found not in (torch.float16, torch.bfloat16):
        raise MXNetAssertionError(f"{text}, got {target_dtype!r}")
    return found


# ---- lists -----------------------------------------------------------------------------------------------------------


def _list(target_dtype: object, kind: str) -> list[str]:
    return names(NAME_OF[_target(target_dtype, "not supported type: expected 'float16' or 'bfloat16'")])[kind]


def list_lp16_ops(target_dtype: object) -> list[str]:
    """The operators that run in the target type by default."""
    return _list(target_dtype, "target")


def list_fp32_ops(target_dtype: object) -> list[str]:
    """The operators that run in float32 by default."""
    return _list(target_dtype, "float32")


def list_lp16_fp32_ops(target_dtype: object) -> list[str]:
    """The operators that run in the type of their inputs."""
    return _list(target_dtype, "either")


def list_conditional_fp32_ops(target_dtype: object) -> list[tuple[str, str, list[str]]]:
    """The operators that run in float32 where an attribute has one of some values."""
    _list(target_dtype, "target")
    return list(CONDITIONAL)


def list_widest_type_cast(target_dtype: object) -> list[str]:
    """The operators that run in the widest type of their inputs."""
    return _list(target_dtype, "widest")


def list_loss_output_functions(target_dtype: object) -> list[str]:
    """The operators that are losses."""
    return _list(target_dtype, "loss")


def list_lp16_use_fp32_params(target_dtype: object) -> dict[str, list[str]] | None:
    """The inputs that stay in float32, by operator; None for float16."""
    _list(target_dtype, "target")
    return symbol_bf16.BF16_USE_FP32_PARAMS if torch_dtype(target_dtype) is torch.bfloat16 else None


def _policy(
    target: torch.dtype, lower: Collection[str] | None, upper: Collection[str] | None, conditional: Conditions | None
) -> Policy:
    """The default policy for a type, with a user's lists in the place of some of its own."""
    default = names(NAME_OF[target])
    return Policy.of(
        target,
        default["target"] if lower is None else lower,
        default["float32"] if upper is None else upper,
        default["widest"],
        CONDITIONAL if conditional is None else conditional,
    )


# ---- training --------------------------------------------------------------------------------------------------------


def init(
    target_dtype: object = "float16",
    target_precision_ops: Collection[str] | None = None,
    conditional_fp32_ops: Conditions | None = None,
    fp32_ops: Collection[str] | None = None,
) -> None:
    """Turns mixed precision on, for arrays and for symbols that are made from now on; ``turn_off`` ends it.

    The lists of operators take the place of the default ones: see ``list_lp16_ops`` and its like. A second call has no
    effect.
    """
    global _amp_initialized, _loss_scaler
    target = _target(target_dtype, "AMP currently supports only float16 or bfloat16 as a target_dtype")
    if _amp_initialized:
        return
    logging.info("Using AMP")
    policy = _policy(target, target_precision_ops, fp32_ops, conditional_fp32_ops)
    scaler = _loss_scaler = LossScaler()
    losses = {op for name in list_loss_output_functions(target) if (op := find(name)) is not None}
    _undo.append(gate.intercept(lambda op, kernel: _casting(policy, op, kernel, scaler if op in losses else None)))
    _undo.append(symbol.intercept(lambda op, parsed, entries: _cast_inputs(policy, losses, op, parsed, entries)))
    _amp_initialized = True


def turn_off() -> None:
    """Ends what ``init`` began. Graphs that were made meanwhile keep their casts."""
    global _amp_initialized, _amp_loss_scale_initialized, _loss_scaler
    while _undo:
        _undo.pop()()
    _amp_initialized, _amp_loss_scale_initialized, _loss_scaler = False, False, None


def _casting(policy: Policy, op: OpDef, kernel: Kernel, scaler: LossScaler | None) -> Kernel:
    """The kernel of an operator with casts of its inputs; the gradient of a loss is multiplied by the scale."""
    wide = op in policy.widest
    if not (wide or op in policy.lower or op in policy.upper or op in policy.conditional or scaler):
        return kernel

    def run(*values: Any, **attrs: Any) -> Any:
        dtype = policy.input_dtype(op, attrs)
        if dtype is None and wide:
            found = {v.dtype for v in values if isinstance(v, torch.Tensor) and v.is_floating_point()}
            if len(found) > 1:
                dtype = max(found, key=_width)
        if dtype is not None:
            values = tuple(v.to(dtype) if isinstance(v, torch.Tensor) and v.dtype in _CAST else v for v in values)
        if scaler is not None:
            attrs["grad_scale"] = attrs.get("grad_scale", 1.0) * scaler.loss_scale
        return kernel(*values, **attrs)

    return run


def _width(dtype: torch.dtype) -> int:
    return torch.finfo(dtype).bits


def _cast_inputs(
    policy: Policy, losses: Collection[OpDef], op: OpDef, parsed: Mapping[str, Any], entries: list[Entry]
) -> list[Entry]:
    """The inputs of an operator that becomes part of a graph, with casts before them."""

    def name(hint: str) -> str:
        return NameManager.current.get(None, hint)

    if op in losses:
        logging.warning("%s does not support dynamic loss scaling in symbolic and hybridized execution.", op.name)
    dtype = policy.input_dtype(op, parsed)
    states = set(op.aux_positions(parsed))
    if dtype is not None:
        return [e if i in states else cast_node(name("amp_cast"), e, dtype) for i, e in enumerate(entries)]
    return multicast_node(name("amp_multicast"), entries) if op in policy.widest and entries else entries


def init_trainer(optimizer_or_trainer: Trainer) -> None:
    """Lets a Trainer scale losses: ``scale_loss`` gives it the scale, and a step that overflows is skipped."""
    global _amp_loss_scale_initialized
    if not _amp_initialized:
        raise MXNetAssertionError("AMP is not initialized: call amp.init() before the model is made")
    trainer = _trainer(optimizer_or_trainer)
    if _loss_scaler is not None and not _amp_loss_scale_initialized:
        _amp_loss_scale_initialized, scaler = True, _loss_scaler
    else:
        scaler = LossScaler()
    trainer._amp_loss_scaler, trainer._amp_original_scale = scaler, trainer._scale  # type: ignore[attr-defined]


def _trainer(given: object) -> Trainer:
    if isinstance(given, Optimizer):
        raise MXNetTypeError("AMP is currently only compatible with Gluon Trainer")
    if not isinstance(given, Trainer):
        raise MXNetTypeError(
            f"optimizer_or_trainer should be a Gluon Trainer or an optimizer, instead is {type(given)}"
        )
    return given


@contextlib.contextmanager
def scale_loss(loss: object, optimizer_or_trainer: Trainer) -> Iterator[Any]:
    """``with scale_loss(loss, trainer) as scaled:`` gives the loss, or each of a list, times the trainer's scale."""
    trainer = _trainer(optimizer_or_trainer)
    scaler = getattr(trainer, "_amp_loss_scaler", None)
    if scaler is None:
        raise AttributeError("Trainer has no attribute '_amp_loss_scaler': call amp.init_trainer(trainer) first")
    trainer._scale = trainer._amp_original_scale / scaler.loss_scale  # type: ignore[attr-defined]
    yield [one * scaler.loss_scale for one in loss] if isinstance(loss, list | tuple) else loss * scaler.loss_scale


def unscale(optimizer_or_trainer: Trainer) -> None:
    """Divides the gradients by the scale, for programs that look at them, to clip them for example."""
    trainer = _trainer(optimizer_or_trainer)
    for param in trainer._params:
        if param.grad_req != "null":
            for grad in param.list_grad():
                grad *= trainer._scale
    trainer._scale = 1.0


# ---- graphs for prediction -------------------------------------------------------------------------------------------


def _check_lists(target: torch.dtype, lower: Any, upper: Any, conditional: Any, excluded: Any) -> None:
    for what, given in (("target_dtype_ops", lower), ("fp32_ops", upper), ("excluded_sym_names", excluded)):
        if given is not None and not isinstance(given, list):
            raise MXNetAssertionError(f"{what} should be a list of strs")
    if conditional is not None and not isinstance(conditional, list):
        raise MXNetAssertionError("conditional_fp32_ops should be a list")
    default = names(NAME_OF[target])
    lists = {
        "target_dtype_ops": set(default["target"] if lower is None else lower),
        "fp32_ops": set(default["float32"] if upper is None else upper),
        "conditional_fp32_ops": {case[0] for case in (CONDITIONAL if conditional is None else conditional)},
    }
    known = {*default["target"], *default["float32"], *default["either"]}
    for what in ("target_dtype_ops", "fp32_ops"):
        wrong = sorted(lists[what] - known)
        if wrong:
            raise MXNetAssertionError(
                f"Can only choose ops from one of the three lists for lp16_ops and fp32_ops: amp.list_lp16_ops, "
                f"amp.list_fp32_ops, amp.list_lp16_fp32_ops; {what} has {', '.join(wrong)}"
            )
    titles = list(lists)
    for i, one in enumerate(titles):
        for other in titles[i + 1 :]:
            both = lists[one] & lists[other]
            if both:
                raise MXNetAssertionError(f"Ops cannot be in two or more lists. Common ops in {one} and {other} {both}")


def convert_symbol(
    sym: Symbol,
    target_dtype: object = "float16",
    target_dtype_ops: list[str] | None = None,
    fp32_ops: list[str] | None = None,
    conditional_fp32_ops: list[tuple[str, str, list[str]]] | None = None,
    excluded_sym_names: list[str] | None = None,
    data_names: list[str] | None = None,
    cast_optional_params: bool = False,
) -> Symbol:
    """A symbol with casts, so that operators run in the target type where that pays and in float32 where it must.

    The lists of operators take the place of the default ones; the operators named in ``excluded_sym_names`` run in
    float32. With ``data_names`` parameters, which are all other variables, say their type; ``cast_optional_params``
    gives those that are only used in the target type that type, instead of a cast after each.
    """
    target = _target(target_dtype, "Only target_dtype float16 and bfloat16 are supported currently")
    if not isinstance(sym, Symbol):
        raise MXNetAssertionError(f"First argument to convert_symbol should be a Symbol, got {type(sym).__name__}")
    _check_lists(target, target_dtype_ops, fp32_ops, conditional_fp32_ops, excluded_sym_names)
    policy = _policy(target, target_dtype_ops, fp32_ops, conditional_fp32_ops)
    excluded = excluded_sym_names or []
    known = None
    if data_names is not None:
        inputs = sym.list_inputs()
        unknown = [name for name in data_names if name not in inputs]
        if unknown:
            raise MXNetTypeError(f"data_names: there is no input {unknown[0]!r}; known: {', '.join(inputs)}")
        short = _only_lowered(sym, policy, excluded) if cast_optional_params else set()
        known = {n: target if n in short else torch.float32 for n in inputs if n not in data_names}
    return type(sym)(reduce_precision(sym._outputs, policy, excluded, known))


def _only_lowered(sym: Symbol, policy: Policy, excluded: Collection[str]) -> set[str]:
    """The variables that are only used by operators that run in the target type."""
    used: dict[str, bool] = {}
    for node in sym._outputs.order:
        for entry in node.inputs:
            if entry.node.is_variable:
                lowered = node.op in policy.lower and node.name not in excluded
                used[entry.node.name] = used.get(entry.node.name, True) and lowered
    heads = {entry.node.name for entry in sym._outputs}
    return {name for name, lowered in used.items() if lowered and name not in heads}


def _cast_params(sym: Symbol, params: Mapping[str, NDArray]) -> dict[str, NDArray]:
    """Parameters in the types that a converted symbol says they have."""
    attrs = sym.attr_dict()
    flags = {str(flag): dtype for dtype, flag in ((torch.float16, 2), (torch.bfloat16, 12))}
    made = {}
    for name, array in params.items():
        dtype = flags.get(attrs.get(name, {}).get("__dtype__", ""))
        short = dtype is not None and array.stype == "default"
        made[name] = array.astype(NAME_OF[dtype]) if short else array.copy()  # type: ignore[index]
    return made


@takes(convert_symbol, without=("data_names",))
def convert_model(
    sym: Symbol,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    target_dtype: object,
    **lists: Any,
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """A symbol with casts (see ``convert_symbol``) and its parameters, for prediction."""
    if not isinstance(sym, Symbol):
        raise MXNetAssertionError(f"First argument to convert_model should be Symbol, got {type(sym).__name__}")
    for what, params in (("Second", arg_params), ("Third", aux_params)):
        if not isinstance(params, Mapping):
            raise MXNetAssertionError(f"{what} argument to convert_model should be a dict of name to ndarray")
    given = {*arg_params, *aux_params}
    data = [name for name in sym.list_inputs() if name not in given]
    made = convert_symbol(sym, target_dtype, data_names=data, **lists)
    return made, _cast_params(made, arg_params), _cast_params(made, aux_params)


@takes(convert_symbol, without=("sym", "data_names"))
def convert_hybrid_block(
    block: HybridBlock,
    target_dtype: object,
    ctx: Context | Sequence[Context] | None = None,
    cast_optional_params: bool = False,
    **lists: Any,
) -> SymbolBlock:
    """A hybridized block that has run, with casts (see ``convert_symbol``), for prediction.

    ``ctx`` is where its parameters are to be: where they are now, unless it is given.
    """
    if not isinstance(block, HybridBlock):
        raise MXNetAssertionError(f"block input should be a HybridBlock, got {type(block).__name__}")
    if not block._cached_graph:
        raise RuntimeError(
            "Please first call block.hybridize() and then run forward with this block at least once before calling "
            "export."
        )
    inputs, out = block._cached_graph
    data = [one.name for one in inputs]
    made = convert_symbol(out, target_dtype, data_names=data, cast_optional_params=cast_optional_params, **lists)
    params = {p.name: p._reduce() for p in block.collect_params().values()}
    cast = _cast_params(made, {name: array for name, array in params.items() if name in made.list_inputs()})
    converted = SymbolBlock(made, [var(name) for name in data])
    places = ctx or next((p.list_ctx() for p in block.collect_params().values()), cpu())
    for name, param in converted.collect_params().items():
        param._load_init(cast[name], places, cast_dtype=True, dtype_source="saved")
    return converted


@takes(convert_symbol, without=("sym", "data_names"))
def convert_bucketing_module(
    bucketing_mod: BucketingModule,
    target_dtype: object,
    **lists: Any,
) -> BucketingModule:
    """A BucketingModule whose symbols have casts (see ``convert_symbol``), with the parameters of the given one."""
    if not isinstance(bucketing_mod, BucketingModule):
        raise MXNetAssertionError("Input to this function should be a BucketingModule object")
    if not (bucketing_mod.binded and bucketing_mod.params_initialized):
        raise MXNetAssertionError("BucketingModule should be binded and its parameters initialized first")

    def generate(*args: Any, **kwargs: Any) -> tuple[Symbol, Any, Any]:
        sym, data_names, label_names = bucketing_mod._sym_gen(*args, **kwargs)
        inputs = [*(data_names or []), *(n for n in label_names or [] if n in sym.list_inputs())]
        return convert_symbol(sym, target_dtype, data_names=inputs, **lists), data_names, label_names

    arg_params, aux_params = bucketing_mod.get_params()
    made = BucketingModule(
        generate,
        bucketing_mod._default_bucket_key,
        bucketing_mod.logger,
        bucketing_mod._context,
        bucketing_mod._work_load_list,
        bucketing_mod._fixed_param_names,
        bucketing_mod._state_names,
        bucketing_mod._group2ctxs,
        bucketing_mod._compression_params,
    )
    sym = made._call_sym_gen(made._default_bucket_key)[0]
    shapes = bucketing_mod.data_shapes, bucketing_mod.label_shapes
    made.bind(*shapes, for_training=bucketing_mod.for_training, grad_req=bucketing_mod._grad_req)
    made.set_params(_cast_params(sym, arg_params), _cast_params(sym, aux_params))
    return made
