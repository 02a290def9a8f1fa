"""The names that modules hold and what helpers with an underscore give, against what the original has and gives."""

import importlib
import inspect
import re
import subprocess
import sys

import namespace_cases as cases
import pytest
from compare import load_golden

import mxnet as mx
from mxnet._core import namespace as _namespace

RECORDED = load_golden("namespace.json.gz")

# What is not there, and why.
NAMES_LEFT_OUT = re.compile(
    r"quantiz|calibrate|[.](quant|np|npx|np_symbol|numpy\w*)$"  # int8 and mx.np: not yet
    r"|_copyto$|profiler_kvstore_handle$|_Failed_To_Import$"  # handles
    r"|[.](bokeh|h5py|pd)$"  # packages that may not be installed
    r"|^mxnet[.](cython|tvmop|_\w+)$|text._constants[.]\w+SHA1$"  # modules for C and TVM, tables of checksums
)
PRESENT = sorted(RECORDED["modules"])


@pytest.mark.parametrize("name", PRESENT)
def test_star_imports_bring_what_the_original_brings(name):
    found: dict = {}
    exec(f"from {name} import *", found)
    missing = [n for n in RECORDED["modules"][name][0] if n not in found]
    assert [n for n in missing if not NAMES_LEFT_OUT.search(f"{name}.{n}")] == []


def test_a_star_import_brings_no_part_that_only_we_have():
    """It would hide what a program has by such a name: ``import config; from mxnet import *``."""
    found: dict = {}
    mx.nd.ones(1)
    exec("from mxnet import *", found)
    known = {*RECORDED["modules"]["mxnet"][0], *_namespace._names("mxnet")[1]}
    assert [n for n, value in found.items() if inspect.ismodule(value) and n not in known] == []
    assert mx._core.config.NATIVE and mx._core.files.writing  # though they are there


@pytest.mark.parametrize("name", PRESENT)
def test_names_of_modules_mean_the_same_modules(name):
    module = importlib.import_module(name)
    aliases = {f"mxnet{head[1:]}": f"mxnet{there}" for head, there in _namespace._table().items() if head[0] == "="}
    for n, meant in RECORDED["modules"][name][2].items():
        if hasattr(module, n):
            assert getattr(module, n).__name__ == aliases.get(meant, meant), n


def test_most_of_the_other_names_are_there():
    wanted = [(name, n) for name in PRESENT for n in RECORDED["modules"][name][1]]
    missing = [f"{name}.{n}" for name, n in wanted if not hasattr(importlib.import_module(name), n)]
    assert len(missing) <= 0.11 * len(wanted), missing


IN_TABLE = [f"mxnet{head.rstrip('.')}" for head in _namespace._table() if head[0] == "."]


@pytest.mark.parametrize("name", IN_TABLE)
def test_every_name_of_the_table_exists(name):
    module = importlib.import_module(name)
    names = {
        n: there
        for n, there in _namespace._names(name)[0].items()
        if not there.startswith("optional:") or _namespace._is_installed(there)
    }
    for n in names:
        getattr(module, n)
    for n, there in names.items():
        if there and there[0] != "!":  # what the module defines itself is what the table would give
            assert vars(module)[n] is _namespace.resolve(name, n), n


def test_every_block_of_the_table_is_of_use():
    used = {n for name in IN_TABLE for n in _namespace._names(name)[0]}
    assert sorted(set(_namespace._homes()) - used) == []


@pytest.mark.parametrize("text", cases.calls())
def test_helpers_give_what_the_original_gives(text):
    assert cases.result(mx, text) == RECORDED["calls"][text]


def test_what_makes_no_sense_here_says_so():
    for call in (mx.nd._internal._backward_relu, mx.rtc.CudaModule, mx.library.load, mx.base._LIB.MXKVStoreCreate):
        with pytest.raises(
            NotImplementedError, match=call.__name__ if call.__name__ != "absent" else "MXKVStoreCreate"
        ):
            call(1)
    assert "autograd" in inspect.getdoc(mx.nd._internal._backward_relu)


def test_a_training_run_as_tables():
    pandas = pytest.importorskip("pandas", reason="an optional package")
    from mxnet.notebook import callback

    logger = callback.PandasLogger(batch_size=8, frequent=2)
    metric = mx.metric.create(["acc", "mse"])
    for i in range(5):
        metric.update([mx.nd.array([0, 1])], [mx.nd.array([[1, 0], [0.4, 0.6]])])
        logger.train_cb(mx.model.BatchEndParam(epoch=0, nbatch=i, eval_metric=metric, locals=None))
    logger.eval_cb(mx.model.BatchEndParam(epoch=0, nbatch=4, eval_metric=metric, locals=None))
    logger.epoch_cb(0, None, {}, {})
    logger.append_metrics({"more": 1}, "eval")
    columns = {"records_per_sec", "batches_per_sec", "accuracy", "epoch", "mse", "elapsed", "minibatch_count"}
    assert set(logger.train_df.columns) == columns and list(logger.train_df["minibatch_count"]) == [0, 2, 4]
    assert list(logger.train_df["accuracy"]) == [1.0] * 3 and pandas.isna(logger.eval_df["accuracy"][0])  # reset
    assert list(logger.train_df["batches_per_sec"] / logger.train_df["records_per_sec"]) == [8.0] * 3
    assert list(logger.epoch_df.columns) == ["epoch_time", "elapsed"] and len(logger.eval_df) == 2
    both = callback.args_wrapper(logger, logger)
    assert both["batch_end_callback"] == [logger.train_cb] * 2


def test_the_same_module_under_two_names():
    import mxnet.contrib.ndarray
    import mxnet.contrib.symbol

    assert mxnet.contrib.ndarray is mx.nd.contrib and mxnet.contrib.symbol is mx.sym.contrib
    assert mx.nd.contrib.__name__ == mx.nd.contrib.__spec__.name == "mxnet.ndarray.contrib"


def test_names_that_do_not_exist():
    for module in (mx, mx.autograd, mx.test_utils, mx.contrib, mx.gluon):
        with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'nonsense'"):
            module.nonsense  # noqa: B018
    with pytest.raises(ImportError):
        importlib.import_module("mxnet.nonsense")


def test_what_is_in_a_package_shows():
    assert {"nd", "gluon", "cpu", "test_utils", "mod"} <= set(dir(mx))
    assert {"data", "rnn", "nn"} <= set(dir(mx.gluon))
    assert "record" in dir(mx.autograd) and not {"NDArray", "ctypes"} & set(dir(mx.autograd))  # as help() shows it


def test_a_package_that_is_missing_is_left_out(monkeypatch):
    monkeypatch.setattr(_namespace, "_is_installed", lambda there: False)
    _namespace._names.cache_clear()
    monkeypatch.delitem(vars(mx.test_utils), "ss", raising=False)
    try:
        assert "ss" not in _namespace._names("mxnet.test_utils")[1]
        with pytest.raises(AttributeError, match=r"scipy.stats, which is not installed"):
            mx.test_utils.ss  # noqa: B018
    finally:
        _namespace._names.cache_clear()


def test_importing_stays_light():
    program = """
import sys, mxnet
assert not {'torch', 'numpy', 'mxnet.base'} & set(sys.modules), 'import mxnet loads nothing'
import mxnet.gluon, mxnet.autograd, mxnet.image
late = {'cv2', 'scipy', 'requests', 'mxnet.test_utils', 'mxnet.gluon.model_zoo', 'mxnet.gluon.data', 'mxnet.module'}
assert not late & set(sys.modules), late & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_features_tell_whether_there_are_distributed_stores():
    import torch

    there = torch.distributed.is_available() and torch.distributed.is_gloo_available()
    assert mx.runtime.Features().is_enabled("DIST_KVSTORE") is there


def test_features_tell_what_torch_has():
    import torch

    features = mx.runtime.Features()
    assert features.is_enabled("CUDA") is torch.cuda.is_available()
    assert features.is_enabled("MKLDNN") is torch.backends.mkldnn.is_available()
    assert features.is_enabled("BLAS_MKL") is torch.backends.mkl.is_available()
    assert sum(feature.enabled for name, feature in features.items() if name.startswith("BLAS_")) <= 1
    avx2 = torch.backends.cpu.get_cpu_capability() != "DEFAULT"
    assert features.is_enabled("CPU_AVX2") is features.is_enabled("F16C") is avx2
    assert not any(features.is_enabled(name) for name in ("SIGNAL_HANDLER", "CUDA_RTC", "TVM_OP", "TENSORRT"))
    assert mx.nd.zeros((2**31 + 8,), dtype="int8")[2**31 + 3 :].shape == (5,)  # INT64_TENSOR_SIZE; never written to
    assert features.is_enabled("INT64_TENSOR_SIZE")
