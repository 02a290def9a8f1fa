"""Networks of floats to networks of 8-bit integers (``mx.contrib.quant`` is the same module).

``quantize_net`` is for Gluon, ``quantize_model`` for symbols with parameters. Both look at examples (``calib_data``) to
know in which range the values of each layer are.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from logging import Logger
from typing import Any

from .._core.signature import takes
from ..base import MXNetError
from ..context import Context, cpu
from ..gluon import HybridBlock, SymbolBlock
from ..graph.rewrite import quantize as rewrite
from ..io import DataDesc, DataIter
from ..module import Module
from ..ndarray import NDArray, array, contrib, load as nd_load, zeros
from ..symbol import Group, Symbol, load as sym_load, var
from ._calibration import (
    _as_data_iter as _as_data_iter,
    _collect_layer_histogram as _collect_layer_histogram,
    _collect_layer_output_min_max as _collect_layer_output_min_max,
    _collect_layer_statistics as _collect_layer_statistics,
    _DataIterWrapper as _DataIterWrapper,
    _get_optimal_threshold as _get_optimal_threshold,
    _get_optimal_thresholds as _get_optimal_thresholds,
    _LayerHistogramCollector as _LayerHistogramCollector,
    _LayerOutputMinMaxCollector as _LayerOutputMinMaxCollector,
    _smooth_distribution as _smooth_distribution,
    combine_histogram as combine_histogram,
)

Params = dict[str, NDArray]
_DTYPES = ("int8", "uint8", "auto")
_MODES = ("smart", "full")
_GRANULARITIES = ("tensor-wise", "channel-wise")
_BACKEND = "MKLDNN_QUANTIZE"


def _quantize_params(qsym: Symbol, params: Mapping[str, NDArray], th_dict: Mapping[str, tuple[Any, Any]]) -> Params:
    """The parameters that a quantized symbol takes: those called ``x_quantize`` as int8, with their ranges."""
    found: Params = {}
    for name in qsym.list_arguments():
        base = name.removesuffix("_quantize")
        if base != name and base in params:
            low, high = params[base].min().reshape((1,)), params[base].max().reshape((1,))
            integers = contrib.quantize(params[base], low, high, out_type="int8")
            found[name], found[f"{name}_min"], found[f"{name}_max"] = integers
        elif name in params:
            found[name] = params[name]
        else:
            for place, ending in enumerate(("_min", "_max")):
                layer = name.removesuffix(ending)
                if layer != name and layer in th_dict:
                    found[name] = array([th_dict[layer][place]])
    return found


def _quantize_symbol(
    sym: Symbol,
    ctx: Context,
    excluded_symbols: Collection[str] | None = None,
    excluded_operators: Collection[str] | None = None,
    offline_params: Collection[str] | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
) -> tuple[Symbol, list[str]]:
    """The symbol of integers, and the names of the layers whose ranges it wants."""
    if quantize_mode not in _MODES:
        raise ValueError(f"unknown quantize_mode {quantize_mode} received, expected `full` or `smart`")
    outputs = rewrite.quantize_graph(
        sym._outputs,
        list(excluded_symbols or ()),
        list(excluded_operators or ()),
        set(offline_params or ()),
        quantized_dtype,
        quantize_mode,
        quantize_granularity == "channel-wise",
    )
    return type(sym)(outputs), rewrite.calibration_layers(outputs)


def _calibrate_quantized_sym(qsym: Symbol, th_dict: Mapping[str, tuple[Any, Any]] | None) -> Symbol:
    """The quantized symbol with ranges of layers, by their names."""
    return type(qsym)(rewrite.set_ranges(qsym._outputs, th_dict)) if th_dict else qsym


def _load_sym(sym: object, logger: Logger | None = None) -> Symbol:
    """A symbol, or the one in a file."""
    if isinstance(sym, str):
        if logger is not None:
            logger.info(f"Loading symbol from file {sym}")
        return sym_load(sym)
    if isinstance(sym, Symbol):
        return sym
    raise ValueError(f"_load_sym only accepts Symbol or path to the symbol file, while received type {type(sym)}")


def _load_params(params: object, logger: Logger | None = None) -> tuple[Params, Params]:
    """Two dictionaries, arguments and states, as they are or from a file of a checkpoint."""
    if isinstance(params, str):
        if logger is not None:
            logger.info(f"Loading params from file {params}")
        found: tuple[Params, Params] = ({}, {})
        for name, value in nd_load(params).items():
            kind, _, rest = name.partition(":")
            if kind in ("arg", "aux"):
                found[kind == "aux"][rest] = value
        return found
    if isinstance(params, tuple | list) and len(params) == 2 and all(isinstance(each, dict) for each in params):
        return params[0], params[1]
    raise ValueError(
        "Unsupported params provided. Must be either a path to the param file or a pair of dictionaries "
        "representing arg_params and aux_params"
    )


def _check_names(given: object, what: str, of_what: str) -> None:
    if given is not None and not isinstance(given, list):
        raise ValueError(
            f"{what} must be a list of strings representing the names of the {of_what} that will not be quantized, "
            f"while received type {type(given)}"
        )


def _quantize(
    what: str,
    sym: Symbol,
    arg_params: Params,
    ctx: Context,
    excluded_sym_names: list[str] | None,
    excluded_op_names: list[str] | None,
    quantized_dtype: str,
    quantize_mode: str,
    quantize_granularity: str,
    logger: Logger | None,
) -> tuple[Symbol, list[str]]:
    """Checks the arguments of ``quantize_model`` and ``quantize_graph``, and quantizes the symbol."""
    _check_names(excluded_sym_names, "excluded_sym_names", "symbols")
    _check_names(excluded_op_names, "excluded_op_names", "operators")
    if quantized_dtype not in _DTYPES:
        raise ValueError(f"unknown quantized_dtype {quantized_dtype} received, expected `int8`, `uint8` or `auto`")
    if quantize_granularity not in _GRANULARITIES:
        raise ValueError(
            f"unknown quantize_granularity {quantize_granularity} received, expected `tensor-wise` or `channel-wise`."
        )
    if not isinstance(ctx, Context):
        raise ValueError(f"currently only supports single ctx, while received {ctx}")
    _log(logger, f"Quantizing {what}")
    excluded = excluded_sym_names, excluded_op_names
    return _quantize_symbol(sym, ctx, *excluded, arg_params, quantized_dtype, quantize_mode, quantize_granularity)


def _unknown_mode(calib_mode: str, modes: str) -> ValueError:
    return ValueError(f"unknown calibration mode {calib_mode} received, expected {modes}")


_ALL_MODES = "`none`, `naive`, `entropy` or `customize`"


def _log(logger: Logger | None, text: str) -> None:
    if logger:
        logger.info(text)


def quantize_model(
    sym: object,
    arg_params: Params,
    aux_params: Params,
    data_names: Sequence[str] = ("data",),
    label_names: Sequence[str] | None = ("softmax_label",),
    ctx: Context = cpu(),  # noqa: B008
    excluded_sym_names: list[str] | None = None,
    excluded_op_names: list[str] | None = None,
    calib_mode: str = "entropy",
    calib_data: object = None,
    num_calib_examples: int | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    logger: Logger | None = None,
) -> tuple[Symbol, Params, Params]:
    """A network of integers from a symbol (or its file) with parameters: symbol, arguments and states.

    Parameters
    ----------
    sym, arg_params, aux_params:
        The network of floats.
    data_names, label_names:
        Its inputs, as a Module takes them.
    excluded_sym_names, excluded_op_names:
        Lists of names of nodes and of operators that stay as they are.
    calib_mode:
        ``none``: ranges are found while the network runs, which takes time. ``naive``: the least and the greatest value
        that each layer gave for the examples. ``entropy``: the range that loses the least information.
    calib_data, num_calib_examples:
        A DataIter of examples, and how many of them to use.
    quantized_dtype:
        ``int8``, ``uint8``, or ``auto``: uint8 for layers that gave nothing below zero.
    quantize_mode:
        ``full``: everything that can be. ``smart``: layers with weights, and what lies between them.
    quantize_granularity:
        ``tensor-wise``, or ``channel-wise``: a range for each output of fused layers (``quantize_model_mkldnn``).
    """
    sym = _load_sym(sym, logger)
    excluded, kind = (excluded_sym_names, excluded_op_names), (quantized_dtype, quantize_mode, quantize_granularity)
    qsym, layers = _quantize("symbol", sym, arg_params, ctx, *excluded, *kind, logger)
    thresholds: Mapping[str, tuple[Any, Any]] = {}
    if calib_mode is not None and calib_mode != "none":
        if calib_data is None:
            raise ValueError(f"calib_data must be provided when calib_mode={calib_mode}")
        if not isinstance(calib_data, DataIter):
            raise ValueError(
                f"calib_data must be of DataIter type when calib_mode={calib_mode}, "
                f"while received type {type(calib_data)}"
            )
        if calib_mode not in ("naive", "entropy"):
            raise _unknown_mode(calib_mode, "`none`, `naive`, or `entropy`")
        module = _bound(sym, arg_params, aux_params, calib_data, data_names, label_names, ctx)
        if calib_mode == "naive":
            thresholds, count = _collect_layer_output_min_max(
                module, calib_data, quantized_dtype, layers, num_calib_examples, logger
            )
            _log(logger, f"Collected layer output min/max values from FP32 model using {count} examples")
        else:
            histograms, count = _collect_layer_histogram(module, calib_data, layers, num_calib_examples, logger)
            _log(logger, f"Collected layer outputs from FP32 model using {count} examples")
            _log(logger, "Calculating optimal thresholds for quantization")
            thresholds = _get_optimal_thresholds(histograms, quantized_dtype, logger=logger)
        qsym = _calibrate_quantized_sym(qsym, thresholds)
    _log(logger, "Quantizing parameters")
    return qsym, _quantize_params(qsym, arg_params, thresholds), aux_params


def _bound(
    sym: Symbol,
    arg_params: Params,
    aux_params: Params,
    data: Any,
    data_names: Sequence[str],
    label_names: Sequence[str] | None,
    ctx: Context,
) -> Module:
    """A module that can run the network of floats on such batches."""
    known = sym.list_arguments()
    labels = [name for name in label_names or () if name in known]
    shapes = [d for d in getattr(data, "provide_label", None) or () if d[0] in labels]
    module = Module(sym, data_names=list(data_names), label_names=labels or None, context=ctx)
    module.bind(for_training=False, data_shapes=data.provide_data, label_shapes=shapes or None)
    module.set_params(arg_params, aux_params)
    return module


@takes(quantize_model)
def quantize_model_mkldnn(
    sym: object, ctx: Context, logger: Logger | None, **given: Any
) -> tuple[Symbol, Params, Params]:
    """``quantize_model`` of a network whose layers are fused first: convolution, batch norm, activation, sum.

    Weights of convolutions stay floats in its parameters: they are folded and quantized when the network is run.
    """
    if not isinstance(ctx, Context) or ctx != cpu():
        raise ValueError("quantize_model_mkldnn only support Intel cpu platform with MKL-DNN Backend")
    fused = _load_sym(sym, logger).get_backend_symbol(_BACKEND)
    qsym, args, states = quantize_model(fused, ctx=ctx, logger=logger, **given)
    return qsym.get_backend_symbol(_BACKEND), args, states


#: What ``quantize_model`` takes for its calibration.
_CALIBRATION = ("data_names", "label_names", "calib_data", "num_calib_examples")


@takes(quantize_model, without=_CALIBRATION, quantize_mode="full")
def quantize_graph(
    sym: object,
    arg_params: Params,
    aux_params: Params,
    calib_mode: str,
    quantized_dtype: str,
    LayerOutputCollector: object = None,
    logger: Logger | None = None,
    **given: Any,
) -> tuple[Symbol, Params, Params, Any]:
    """The first half of ``quantize_model``: symbol, arguments and states, not calibrated, and a collector.

    Its method ``collect`` goes to ``Executor.set_monitor_callback`` of the network of floats; when that has seen the
    examples, ``calib_graph`` is the second half. With ``calib_mode="customize"`` the collector is your own
    ``LayerOutputCollector``: something with ``collect(name, array)``, whose ``min_max_dict`` has the ranges in the end.
    Its ``include_layer``, if None, is set to the names of the layers that count.
    """
    sym = _load_sym(sym, logger)
    qsym, layers = _quantize("graph", sym, arg_params, quantized_dtype=quantized_dtype, logger=logger, **given)
    collector: Any = None
    if calib_mode is not None and calib_mode != "none":
        if calib_mode == "entropy":
            collector = _LayerHistogramCollector(include_layer=layers, logger=logger)
            _log(logger, "Create a layer output collector for entropy calibration.")
        elif calib_mode == "naive":
            collector = _LayerOutputMinMaxCollector(quantized_dtype, layers, logger)
            _log(logger, "Create a layer output minmax collector for naive calibration")
        elif calib_mode == "customize" and LayerOutputCollector is not None:
            collector = LayerOutputCollector
            if getattr(collector, "include_layer", layers) is None:
                collector.include_layer = layers
            _log(logger, "Create a customize layer output minmax collector for calibration")
        else:
            raise _unknown_mode(calib_mode, _ALL_MODES)
        _log(logger, "Collector created, please use set_monitor_callback to collect calibration information.")
    _log(logger, "Quantizing parameters")
    return qsym, _quantize_params(qsym, arg_params, {}), aux_params, collector


def calib_graph(
    qsym: Any,
    arg_params: Params,
    aux_params: Params,
    collector: Any,
    calib_mode: str = "entropy",
    quantized_dtype: str = "int8",
    logger: Any = logging,
) -> tuple[Symbol, Params, Params]:
    """The second half of ``quantize_model``: enters what a collector has seen; ``arg_params`` are those of floats."""
    if calib_mode is None or calib_mode == "none":
        raise ValueError("please set calibration mode to naive or entropy.")
    if calib_mode == "entropy":
        _log(logger, "Calculating optimal thresholds for quantization")
        thresholds: Mapping[str, Any] = _get_optimal_thresholds(collector.hist_dict, quantized_dtype, logger=logger)
    elif calib_mode in ("naive", "customize"):
        thresholds = collector.min_max_dict
    else:
        raise _unknown_mode(calib_mode, _ALL_MODES)
    qsym = _calibrate_quantized_sym(_load_sym(qsym, logger), thresholds)
    _log(logger, "Quantizing parameters")
    return qsym, _quantize_params(qsym, arg_params, thresholds), aux_params


def quantize_net_v2(
    network: HybridBlock,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    exclude_layers: list[str] | None = None,
    exclude_layers_match: list[str] | None = None,
    exclude_operators: list[str] | None = None,
    calib_data: object = None,
    data_shapes: Sequence[Any] | None = None,
    calib_mode: str = "none",
    num_calib_examples: int | None = None,
    ctx: Context = cpu(),  # noqa: B008
    LayerOutputCollector: object = None,
    logger: Logger | None = None,
) -> SymbolBlock:
    """A network of integers, a SymbolBlock, from a HybridBlock of floats, which does not change.

    Parameters
    ----------
    network:
        A block with its parameters.
    exclude_layers, exclude_layers_match, exclude_operators:
        Names of nodes, parts of such names, and names of operators that stay as they are.
    calib_data:
        A DataIter or a gluon DataLoader with examples. Arrays of a batch that the network does not take, such as
        labels, are left out.
    data_shapes:
        A list of DataDesc (or of shapes), where there is no ``calib_data``.
    calib_mode:
        ``none``, ``naive``, ``entropy``, or ``customize`` with a ``LayerOutputCollector``; see ``quantize_model``.
    """
    if not isinstance(network, HybridBlock):
        raise ValueError(f"network must be a HybridBlock, got {type(network).__name__}")
    _log(logger, "Export HybridBlock")
    data, descriptions = _describe_data(calib_data, data_shapes)
    sym, count = _trace(network, descriptions, ctx)
    inputs = ["data"] if count == 1 else [f"data{i}" for i in range(count)]
    descriptions = [DataDesc(name, d.shape, d.dtype) for name, d in zip(inputs, descriptions, strict=False)]
    params = {p.name: p.data(ctx) for p in network.collect_params().values()}
    args = {name: params[name] for name in sym.list_arguments() if name in params}
    states = {name: params[name] for name in sym.list_auxiliary_states()}
    excluded = list(exclude_layers or ())
    nodes = [e.node.name for e in sym.get_internals()._outputs]
    excluded += [n for part in exclude_layers_match or () for n in dict.fromkeys(nodes) if part in n]
    _log(logger, f"These layers have been excluded {excluded}")
    fused = sym.get_backend_symbol(_BACKEND) if ctx.device_type == "cpu" else sym
    qsym, qargs, qstates, collector = quantize_graph(
        fused, args, states, ctx, excluded, list(exclude_operators or ()), calib_mode, quantized_dtype, quantize_mode,
        quantize_granularity, LayerOutputCollector, logger,
    )  # fmt: skip
    if collector is not None:
        if data is None:
            raise ValueError(f"calib_data must be provided when calib_mode={calib_mode}")
        data = _Renamed(data, descriptions)
        module = _bound(fused, args, states, data, inputs, None, ctx)
        seen = _collect_layer_statistics(module, data, collector, num_calib_examples, logger)
        _log(logger, f"Collected layer output values from FP32 model using {seen} examples")
        qsym, qargs, qstates = calib_graph(qsym, args, states, collector, calib_mode, quantized_dtype, logger)
    if ctx.device_type == "cpu":
        qsym = qsym.get_backend_symbol(_BACKEND)
    return _symbol_block(qsym, inputs, {**qargs, **qstates}, ctx)


def _symbol_block(symbol: Symbol, inputs: Sequence[str], values: Params, ctx: Context) -> SymbolBlock:
    """A block of a quantized symbol, with its parameters."""
    block = SymbolBlock(symbol, [var(name) for name in inputs])
    for name, parameter in block.collect_params().items():
        if name not in values:
            raise MXNetError(f"the quantized network has a parameter {name!r} without a value; this is a defect")
        parameter.cast(values[name].dtype)
        parameter._load_init(values[name], ctx, cast_dtype=True, dtype_source="saved")
    return block


class _Renamed(_DataIterWrapper):
    """Batches of an iterator with their first arrays only, under the names that the network has for them."""

    def __init__(self, data: DataIter, descriptions: list[DataDesc]):
        DataIter.__init__(self, data.batch_size)
        self._data: Any = data
        self.provide_data = descriptions

    def reset(self) -> None:
        """Starts again."""
        self._data.reset()

    def next(self) -> Any:
        """The next batch."""
        batch = self._data.next()
        batch.data = list(batch.data)[: len(self.provide_data)]
        batch.label = None
        return batch


def _describe_data(calib_data: object, data_shapes: Sequence[Any] | None) -> tuple[DataIter | None, list[DataDesc]]:
    """The iterator over examples, if there are any, and the names, shapes and types of the inputs."""
    if calib_data is not None:
        return _as_data_iter(calib_data)
    if not data_shapes:
        raise ValueError("data_shapes required")
    return None, [d if isinstance(d, DataDesc) else _description(i, d) for i, d in enumerate(data_shapes)]


def _description(number: int, shape: object) -> DataDesc:
    if isinstance(shape, tuple) and all(isinstance(n, int) for n in shape):
        return DataDesc("data" if number == 0 else f"data{number - 1}", shape)
    if isinstance(shape, tuple | list) and len(shape) in (2, 3) and isinstance(shape[0], str):
        return DataDesc(*shape)
    raise ValueError(f"data_shapes must be a list of DataDesc or of shapes, item {number} is {shape!r}")


def _trace(network: HybridBlock, descriptions: Sequence[DataDesc], ctx: Context) -> tuple[Symbol, int]:
    """The symbol of a network, and how many of the arrays it takes: it is tried with all, then with fewer."""
    for count in range(len(descriptions), 0, -1):
        arrays = [zeros(d.shape, ctx=ctx, dtype=d.dtype) for d in descriptions[:count]]
        try:
            network(*arrays)  # what waits for shapes is initialized
        except (TypeError, ValueError):
            if count == 1:
                raise
            continue
        names = ["data"] if count == 1 else [f"data{i}" for i in range(count)]
        found = network(*[var(name) for name in names])
        if isinstance(found, list | tuple):
            found = Group(list(found))
        return found, count
    raise ValueError("data_shapes required")


@takes(quantize_net_v2, without=("quantize_granularity", "LayerOutputCollector"))
def quantize_net(network: HybridBlock, **given: Any) -> SymbolBlock:
    """``quantize_net_v2`` with one range for each array (``tensor-wise``)."""
    return quantize_net_v2(network, quantize_granularity="tensor-wise", **given)
