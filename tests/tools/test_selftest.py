"""``python -m mxnet.tools.selftest``, and operators on CUDA tensors that have no data."""

import json
import warnings

import pytest
import samples
import torch
from samples.common import find_function
from torch._subclasses.fake_tensor import FakeTensorMode

import mxnet as mx
from mxnet.tools import selftest


def test_the_cpu_agrees_with_itself(tmp_path, capsys):
    report = tmp_path / "report.json"
    assert selftest.main(["--quick", "--report", str(report)]) == 0
    assert "comparisons passed" in capsys.readouterr().out
    results = {r["check"]: r for r in json.loads(report.read_text())["results"]}
    assert results["operators"]["passed"] > 250
    assert results["programs"]["passed"] == 20
    assert [results[name]["failures"] for name in results] == [[]] * 5


def test_virtual_devices(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "2")
    results = selftest.run([mx.gpu(0), mx.gpu(1)], quick=True)
    assert [r.failures for r in results] == [[]] * 11
    assert results[-1].check == "several"
    assert results[-1].passed == 5


def test_a_device_that_computes_wrongly_is_found(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "1")
    run_sample, run_program = selftest._run_sample, selftest._random_program

    def wrong_sample(table, sample, context, half=False):
        found = run_sample(table, sample, context, half)
        return [a * 1.01 for a in found] if context.is_gpu and sample.op == "dot" else found

    def failing_program(seed, context):
        if context.is_gpu and seed == 3:
            raise RuntimeError("an illegal memory access was encountered")
        return run_program(seed, context)

    monkeypatch.setattr(selftest, "_run_sample", wrong_sample)
    monkeypatch.setattr(selftest, "_random_program", failing_program)
    report = tmp_path / "report.json"
    assert selftest.main(["--gpu", "0", "--report", str(report)]) == 1
    printed = capsys.readouterr().out
    assert "comparisons failed" in printed
    assert "program 3: RuntimeError: an illegal memory access" in printed
    results = {r["check"]: r["failures"] for r in json.loads(report.read_text())["results"]}
    assert {text.split("-")[0] for text in results["operators"]} == {"dot"}
    assert len(results["programs"]) == 1
    assert results["training"] == []


def test_numbers_of_gpus(capsys):
    with pytest.raises(SystemExit, match="takes numbers such as 0,1; got 'x'"):
        selftest.main(["--gpu", "x"])


#: What a torch without CUDA cannot do even on tensors without data, and what reads values.
CANNOT = (
    "not linked with support for cuda",
    "from the 'CUDA' backend",
    "CUDA generator",
    "not compiled with CUDA",
    "_local_scalar_dense",
    ".numpy() is not supported",
)
#: Families of which no sample can run that way: they read values, draw random numbers, or loop over views that torch
#: must have CUDA for.
WITHOUT = ("ctc", "hawkes", "rnn", "roi")
#: Operators that refuse a GPU on purpose, as their messages say.
ON_THE_CPU = ("OpenCV works on the CPU", "works on the CPU only")


@pytest.mark.skipif(
    torch.version.cuda is not None and not torch.cuda.is_available(), reason="torch's CUDA build asks for a driver"
)
@pytest.mark.parametrize("family", samples.families())
def test_operators_stay_on_a_cuda_device(family, monkeypatch):
    """Forward on CUDA tensors without data: no kernel mixes devices or returns its result on the host."""
    for name, value in {"device_count": 1, "is_available": True, "current_device": 0}.items():
        monkeypatch.setattr(torch.cuda, name, lambda value=value: value)
    computed, refused = 0, []
    for name, sample in samples.load(family):
        if sample.error or "ctx" in sample.attrs:
            continue
        mode = FakeTensorMode()
        with mode, mx.gpu(0), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Accessing the data pointer of FakeTensor")
            tensors = [None if a is None else mode.from_tensor(torch.from_numpy(a)) for a in sample.fresh_inputs()]
            arrays = [None if t is None else mx.nd.NDArray(t.to("cuda:0")) for t in tensors]
            attrs = dict(sample.attrs, out=[arrays[i] for i in sample.into]) if sample.into else sample.attrs
            try:
                with mx.autograd.train_mode() if sample.train else mx.autograd.predict_mode():
                    result = find_function(mx.nd, sample.op)(*arrays, **attrs)
            except Exception as error:
                if not any(text in str(error) for text in CANNOT + ON_THE_CPU):
                    refused.append(f"{name}: {error}")
                continue
        for output in result if isinstance(result, list | tuple) else [result]:
            assert output._data.device.type == "cuda", name
            assert output.context == mx.gpu(0), name
        computed += 1
    assert refused == []
    assert computed or family in WITHOUT
