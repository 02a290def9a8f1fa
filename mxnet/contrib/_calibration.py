"""What a network of floats does with examples: ranges and histograms of its layers, and thresholds by them."""

from __future__ import annotations

import ctypes
from collections.abc import Collection
from typing import Any

import numpy as np

from ..base import py_str
from ..io import DataBatch, DataDesc, DataIter
from ..ndarray import NDArray, array, contrib
from ..ops.quantization.calibrate import smooth

#: counts, bounds of the bins, least and greatest value, and the greatest magnitude that the bins reach
Histogram = tuple[np.ndarray, np.ndarray, float, float, float]
_BINS = 8001


def _values(name: Any, arr: Any, include_layer: Collection[str] | None) -> tuple[str, np.ndarray] | None:
    """Converts what a monitor reports to text and numbers; None for a layer that is not wanted."""
    layer = str(py_str(name))
    if include_layer is not None and layer not in include_layer:
        return None
    if isinstance(arr, int | ctypes.c_void_p):
        arr = NDArray(ctypes.cast(arr, ctypes.c_void_p), writable=False)
    values = arr.asnumpy() if isinstance(arr, NDArray) else np.asarray(arr)
    if not values.size:
        raise ValueError(f"layer {layer} gave an array of shape {values.shape}, which has no range")
    if np.isnan(values).any():
        raise ValueError(f"layer {layer} gave values that are no numbers (nan): calibration would be meaningless")
    return layer, values


class _LayerHistogramCollector:
    """Counts the values of layers in ``hist_dict``, for ``calib_mode="entropy"``."""

    def __init__(self, num_bins: int = _BINS, include_layer: Collection[str] | None = None, logger: Any = None):
        self.hist_dict: dict[str, Histogram] = {}
        self.num_bins = num_bins
        self.include_layer = include_layer
        self.logger = logger

    def collect(self, name: Any, arr: Any) -> None:
        """Adds an array; this is what a monitor calls."""
        found = _values(name, arr, self.include_layer)
        if found is None:
            return
        layer, values = found
        if self.logger:
            self.logger.debug(f"Collecting layer {layer} histogram of shape {values.shape}")
        low, high = values.min(), values.max()
        reach = max(abs(low), abs(high))
        if layer in self.hist_dict:
            self.hist_dict[layer] = combine_histogram(self.hist_dict[layer], values, low, high, reach)
        else:
            counts, edges = np.histogram(values, bins=self.num_bins, range=(-reach, reach))
            self.hist_dict[layer] = (counts, edges, low, high, reach)


class _LayerOutputMinMaxCollector:
    """Keeps the least and the greatest value of layers in ``min_max_dict``, for ``calib_mode="naive"``."""

    def __init__(self, quantized_dtype: str, include_layer: Collection[str] | None = None, logger: Any = None):
        self.min_max_dict: dict[str, tuple[float, float]] = {}
        self.quantized_dtype = quantized_dtype
        self.include_layer = include_layer
        self.logger = logger

    def collect(self, name: Any, arr: Any) -> None:
        """Adds an array; this is what a monitor calls."""
        found = _values(name, arr, self.include_layer)
        if found is None:
            return
        layer, values = found
        low, high = float(values.min()), float(values.max())
        if layer in self.min_max_dict:
            before = self.min_max_dict[layer]
            low, high = min(before[0], low), max(before[1], high)
        self.min_max_dict[layer] = (low, high)
        if self.logger:
            self.logger.debug(f"Collecting layer {layer} min_range={low:f}, max_range={high:f}")


def combine_histogram(old_hist: Histogram, arr: np.ndarray, new_min: float, new_max: float, new_th: float) -> Histogram:
    """A histogram with the values of another array: where that reaches further, so do the bins, of the same width."""
    counts, edges, low, high, reach = old_hist
    if new_th > reach:
        bins = len(counts)
        width = 2 * reach / bins
        more = int((new_th - reach) // width + 1) if width else 0
        reach = more * width + reach if width else new_th
        wider, edges = np.histogram(arr, bins=2 * more + bins, range=(-reach, reach))
        if width:
            wider[more : more + bins] += counts
        else:  # nothing but zeros so far
            wider[bins // 2] += counts.sum()
        counts = wider
    else:
        counts = counts + np.histogram(arr, bins=len(counts), range=(-reach, reach))[0]
    return counts, edges, min(low, new_min), max(high, new_max), reach


def _smooth_distribution(p: np.ndarray, eps: float = 0.0001) -> np.ndarray:
    """A distribution with ``eps`` for each zero, taken off the others."""
    if not np.any(p):
        raise ValueError("The discrete probability distribution is malformed. All entries are 0.")
    found = smooth(np.asarray(p), eps)
    if found is None or (found <= 0).any():
        raise AssertionError(f"there are too many zeros in the distribution, or eps={eps} is too large for it")
    return found


def _get_optimal_threshold(
    hist_data: Histogram, quantized_dtype: str, num_quantized_bins: int = 255
) -> tuple[float, float, np.ndarray, np.ndarray]:
    """The threshold that changes the distribution the least: least and greatest value, threshold and divergence."""
    counts, edges, low, high, _ = hist_data
    if low >= 0 and quantized_dtype in ("auto", "uint8"):
        num_quantized_bins = num_quantized_bins * 2 + 1  # all of the bins are for the positive half
    threshold, divergence = contrib.calibrate_entropy(
        array(counts, dtype="float32"), array(edges, dtype="float32"), num_quantized_bins=num_quantized_bins
    )
    return low, high, threshold.asnumpy(), divergence.asnumpy()


def _get_optimal_thresholds(
    hist_dict: dict[str, Histogram], quantized_dtype: str, num_quantized_bins: int = 255, logger: Any = None
) -> dict[str, tuple[Any, Any]]:
    """The ranges for all layers by their histograms, which are taken out of ``hist_dict``."""
    if logger is not None:
        logger.info(
            "Calculating optimal thresholds for quantization using KL divergence with "
            f"num_quantized_bins={num_quantized_bins}"
        )
    found: dict[str, tuple[Any, Any]] = {}
    for name in list(hist_dict):
        low, high, threshold, divergence = _get_optimal_threshold(
            hist_dict.pop(name), quantized_dtype, num_quantized_bins
        )
        positive = low >= 0 and quantized_dtype in ("auto", "uint8")
        found[name] = (0, threshold) if positive else (-threshold, threshold)
        if logger is not None:
            logger.debug(
                f"layer={name}, min_val={low:f}, max_val={high:f}, th={threshold[0]:f}, divergence={divergence[0]:f}"
            )
    return found


class _DataIterWrapper(DataIter):
    """A DataIter of anything that gives batches: arrays, or lists of them, such as a gluon DataLoader does."""

    def __init__(self, calib_data: Any):
        super().__init__()
        self._data = calib_data
        try:
            self._iter = iter(calib_data)
            first = next(iter(calib_data), None)
        except TypeError as error:
            raise TypeError(f"calib_data is not a valid iterator. {error}") from None
        if first is None:
            raise ValueError("calib_data gives no batches: calibration needs examples")
        first = [first] if isinstance(first, NDArray) else list(first)
        names = ["data", *(f"data{i}" for i in range(len(first) - 1))]
        self.provide_data = [DataDesc(name, each.shape, each.dtype) for name, each in zip(names, first, strict=True)]
        self.batch_size = first[0].shape[0]
        self.reset()

    def reset(self) -> None:
        """Starts again."""
        self._iter = iter(self._data)

    def next(self) -> DataBatch:
        """The next batch, without the arrays (labels) that ``provide_data`` does not list."""
        found = next(self._iter)
        found = [found] if isinstance(found, NDArray) else list(found)
        return DataBatch(data=found[: len(self.provide_data)])


def _as_data_iter(calib_data: Any) -> tuple[DataIter, list[DataDesc]]:
    """A DataIter, and the shapes of its data."""
    iterator: Any = calib_data if isinstance(calib_data, DataIter) else _DataIterWrapper(calib_data)
    return iterator, list(iterator.provide_data)


def _collect_layer_statistics(
    mod: Any, data: DataIter, collector: Any, max_num_examples: int | None = None, logger: Any = None
) -> int:
    """Runs a Module on batches, with a collector that watches; how many examples there were."""
    if not isinstance(data, DataIter):
        raise ValueError(f"Only supports data as a type of DataIter, while received type {type(data)}")
    mod._exec_group.execs[0].set_monitor_callback(collector.collect, monitor_all=True)
    batches = examples = 0
    for batch in data:
        mod.forward(data_batch=batch, is_train=False)
        batches += 1
        examples += data.batch_size
        if max_num_examples is not None and examples >= max_num_examples:
            break
    if not batches:
        raise ValueError("calib_data gave no batches; call its reset() if it has been used before")
    if logger is not None:
        logger.info(f"Collected statistics from {batches} batches with batch_size={data.batch_size}")
    return examples


def _collect_layer_output_min_max(
    mod: Any,
    data: DataIter,
    quantized_dtype: str,
    include_layer: Collection[str] | None = None,
    max_num_examples: int | None = None,
    logger: Any = None,
) -> tuple[dict[str, tuple[float, float]], int]:
    """The ranges of layers by their names, and the number of examples."""
    collector = _LayerOutputMinMaxCollector(quantized_dtype, include_layer, logger)
    count = _collect_layer_statistics(mod, data, collector, max_num_examples, logger)
    return collector.min_max_dict, count


def _collect_layer_histogram(
    mod: Any,
    data: DataIter,
    include_layer: Collection[str] | None = None,
    max_num_examples: int | None = None,
    logger: Any = None,
) -> tuple[dict[str, Histogram], int]:
    """The histograms of layers by their names, and the number of examples."""
    collector = _LayerHistogramCollector(include_layer=include_layer, logger=logger)
    count = _collect_layer_statistics(mod, data, collector, max_num_examples, logger)
    return collector.hist_dict, count
