"""The names that modules hold and what helpers with an underscore give, against what the original has and gives."""

import gzip
import importlib
import inspect
import json
import pathlib
import re
import subprocess
import sys

import pytest

import mxnet as mx
from mxnet import _namespace

GOLDEN = pathlib.Path(__file__).parent / "golden"
sys.path.insert(0, str(GOLDEN))

import namespace_cases as cases  # noqa: E402

RECORDED = json.loads(gzip.decompress((GOLDEN / "namespace.json.gz").read_bytes()))

# What is not there, and why.
MODULES_LEFT_OUT = {
    "mxnet.misc": "two schedulers that mxnet.lr_scheduler replaced in 2015",
    "mxnet.ndarray_doc": "texts for help(), which each operator has at its definition",
    "mxnet.symbol_doc": "the same",
    "mxnet.notebook": "charts in notebooks, on pandas and bokeh",
    "mxnet.notebook.callback": "the same",
}
NAMES_LEFT_OUT = re.compile(
    r"quantiz|calibrate|_sg_mkldnn|[.](quant|np|npx|np_symbol|onnx|numpy\w*)$"  # int8, mx.np and onnx: not yet
    r"|_copyto$|[.]h5py$|profiler_kvstore_handle$"  # handles
    # modules left out, and tables of checksums
    r"|^mxnet[.](cython|tvmop|ndarray_doc|symbol_doc|notebook|_\w+)$|text._constants[.]"
)
PRESENT = sorted(set(RECORDED["modules"]) - set(MODULES_LEFT_OUT))


def test_modules_left_out_are_few():
    assert set(RECORDED["modules"]) > set(MODULES_LEFT_OUT)
    assert len(MODULES_LEFT_OUT) <= 0.05 * len(RECORDED["modules"])
    for name in MODULES_LEFT_OUT:
        with pytest.raises(ImportError):
            importlib.import_module(name)


@pytest.mark.parametrize("name", PRESENT)
def test_star_imports_bring_what_the_original_brings(name):
    found: dict = {}
    exec(f"from {name} import *", found)
    missing = [n for n in RECORDED["modules"][name][0] if n not in found]
    assert [n for n in missing if not NAMES_LEFT_OUT.search(f"{name}.{n}")] == []


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
    assert len(missing) <= 0.125 * len(wanted), missing


IN_TABLE = [f"mxnet{head.rstrip('.')}" for head in _namespace._table() if head[0] == "."]


@pytest.mark.parametrize("name", IN_TABLE)
def test_every_name_of_the_table_exists(name):
    module = importlib.import_module(name)
    for n in _namespace._names(name)[0]:
        getattr(module, n)
    for n, there in _namespace._names(name)[0].items():
        if there and there[0] != "!":  # what the module defines itself is what the table would give
            assert vars(module)[n] is _namespace.resolve(name, n), n


def test_every_block_of_the_table_is_of_use():
    used = {n for name in IN_TABLE for n in _namespace._names(name)[0]}
    assert sorted(set(_namespace._homes()) - used) == []


@pytest.mark.parametrize("text", cases.calls())
def test_helpers_give_what_the_original_gives(text):
    assert cases.result(mx, text) == RECORDED["calls"][text]


def test_what_makes_no_sense_here_says_so():
    for call in (mx.nd._internal._backward_relu, mx.rtc.CudaModule, mx.library.load, mx.base._LIB.MXGetVersion):
        with pytest.raises(NotImplementedError, match=call.__name__ if call.__name__ != "absent" else "MXGetVersion"):
            call(1)
    assert "autograd" in inspect.getdoc(mx.nd._internal._backward_relu)


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
    monkeypatch.setattr(_namespace, "_installed", lambda there: False)
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


@pytest.mark.parametrize("kind", ("dist_sync", "dist_async"))
def test_features_tell_whether_there_are_distributed_stores(kind):
    try:
        mx.kv.create(kind)
    except NotImplementedError:
        there = False
    else:
        there = True
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
