"""``.safetensors`` files: round trips, the other library's files, metadata, hostile bytes, the converter."""

import json
import struct
import subprocess
import sys

import numpy as np
import pytest
import safetensors.torch
import torch

import mxnet as mx
from mxnet import nd
from mxnet.gluon import nn
from mxnet.ndarray.safetensors import load_safetensors, read_metadata, save_safetensors
from mxnet.tools.params2safetensors import main

DTYPES = ["float32", "float64", "float16", "bfloat16", "uint8", "int8", "int32", "int64", "bool"]


def arrays():
    """One array of each type, of odd sizes, so that none is aligned by chance; and odd shapes."""
    found = {f"arg:{d}": nd.array(np.arange(7) % 2 + i, dtype="float32").astype(d) for i, d in enumerate(DTYPES)}
    found["aux:mean"] = nd.array([[0.5, np.nan, np.inf]])
    found["empty"] = nd.NDArray(torch.zeros(0, 3))
    found["scalar"] = nd.NDArray(torch.tensor(3.5))
    found["a name, ä"] = nd.ones((2, 1, 2), dtype="int8")
    return found


def equal(one, other):
    assert one.keys() == other.keys()
    for name, array in one.items():
        assert array._data.dtype is other[name]._data.dtype and array.shape == other[name].shape, name
        np.testing.assert_array_equal(array._data.double().numpy(), other[name]._data.double().numpy(), err_msg=name)


def test_round_trip_and_the_other_library(tmp_path):
    path = tmp_path / "all.safetensors"
    nd.save(path, arrays())
    equal(nd.load(path), arrays())
    theirs = safetensors.torch.load_file(path)
    equal({k: nd.NDArray(v) for k, v in theirs.items()}, arrays())
    safetensors.torch.save_file(theirs, path, {"made by": "torch"})
    equal(nd.load(str(path)), arrays())
    assert read_metadata(path) == {"made by": "torch"}


def test_lists_and_single_arrays(tmp_path):
    path = str(tmp_path / "list.safetensors")
    given = [nd.array([1.0, 2]), nd.array([3], dtype="int32")] + [nd.array([i]) for i in range(10)]
    nd.save(path, given)
    found = nd.load(path)
    assert isinstance(found, list) and len(found) == 12 and found[11].asscalar() == 9
    equal(*[{str(i): a for i, a in enumerate(listed)} for listed in (found, given)])
    nd.save(path, given[0])
    assert nd.load(path)[0].asnumpy().tolist() == [1, 2]
    nd.save(path, {})
    assert nd.load(path) == {}


def test_views_strides_and_shared_memory(tmp_path):
    path = str(tmp_path / "views.safetensors")
    base = nd.array(np.arange(12, dtype="float32").reshape(3, 4))
    strided = nd.NDArray(base.as_torch().t())
    nd.save(path, {"whole": base, "again": base, "row": base[1], "strided": strided})
    found = nd.load(path)
    np.testing.assert_array_equal(found["strided"].asnumpy(), base.asnumpy().T)
    np.testing.assert_array_equal(found["row"].asnumpy(), base[1].asnumpy())
    found["whole"][:] = 0  # each has memory of its own
    np.testing.assert_array_equal(found["again"].asnumpy(), base.asnumpy())


def test_what_is_loaded_does_not_depend_on_the_file(tmp_path):
    path = tmp_path / "x.safetensors"
    nd.save(path, {"x": nd.array([1.0, 2, 3])})
    found = nd.load(path)
    content = bytearray(path.read_bytes())
    content[-12:] = bytes(12)
    path.write_bytes(content)
    assert found["x"].asnumpy().tolist() == [1, 2, 3]
    found["x"][:] = 5
    assert nd.load(path)["x"].asnumpy().tolist() == [0, 0, 0]


def test_metadata_and_bad_arguments(tmp_path):
    path = str(tmp_path / "x.safetensors")
    save_safetensors(path, {"x": nd.ones(2)}, {"license": "Apache-2.0"})
    assert read_metadata(path) == {"format": "pt", "license": "Apache-2.0"}
    with safetensors.safe_open(path, "numpy") as file:
        assert file.metadata()["license"] == "Apache-2.0"
    with pytest.raises(TypeError, match="texts by name"):
        save_safetensors(path, {"x": nd.ones(2)}, {"epoch": 3})
    with pytest.raises(ValueError, match="cannot be called __metadata__"):
        nd.save(path, {"__metadata__": nd.ones(2)})
    for wrong in ({"x": np.ones(2)}, {1: nd.ones(2)}, "x", [1]):
        with pytest.raises(TypeError, match="save only accept"):
            nd.save(path, wrong)
    assert load_safetensors(path)["x"].shape == (2,)  # the failed attempts left the file alone
    with pytest.raises(mx.MXNetError, match=r"cannot read .*missing"):
        nd.load(str(tmp_path / "missing.safetensors"))


def test_remote_files():
    pytest.importorskip("fsspec")
    path = "memory://folder/x.safetensors"
    save_safetensors(path, arrays(), {"here": "there"})
    equal(nd.load(path), arrays())
    assert read_metadata(path) == {"format": "pt", "here": "there"}
    nd.save(path, [nd.ones(1)])
    assert isinstance(nd.load(path), list)


def test_parameters_of_networks(tmp_path):
    def network():
        net = nn.HybridSequential(prefix="net_")
        with net.name_scope():
            net.add(nn.Dense(4, in_units=3), nn.BatchNorm(in_channels=4), nn.Dense(2, in_units=4))
        net.initialize(mx.init.Xavier())
        return net

    net, other = network(), network()
    x = nd.array(np.random.default_rng(1).normal(size=(5, 3)))
    path = str(tmp_path / "net.safetensors")
    net.save_parameters(path)
    assert safetensors.torch.load_file(path).keys() == net._collect_params_with_prefix().keys()
    other.load_parameters(path)
    np.testing.assert_array_equal(other(x).asnumpy(), net(x).asnumpy())
    module = network().as_torch()
    module.load_state_dict(safetensors.torch.load_file(path))
    np.testing.assert_allclose(module.eval()(torch.tensor(x.asnumpy())).detach(), net(x).asnumpy(), rtol=1e-5)
    # an exported network, arg: and aux: in the names
    net.hybridize()
    net(x)
    net.export(str(tmp_path / "net"))
    assert main([str(tmp_path / "net-0000.params"), path]) == 0
    assert {name[:4] for name in nd.load(path)} == {"arg:", "aux:"}
    block = mx.gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data"], path)
    np.testing.assert_allclose(block(x).asnumpy(), net(x).asnumpy(), rtol=1e-5)
    other = network()
    other.load_parameters(path)
    np.testing.assert_allclose(other(x).asnumpy(), net(x).asnumpy(), rtol=1e-5)


def test_the_converter_goes_both_ways(tmp_path, capsys):
    first, second, third = (str(tmp_path / name) for name in ("a.params", "b.safetensors", "c.params"))
    given = arrays()
    nd.save(first, given)
    assert main([first, second, "--metadata", "note=a=b"]) == 0
    assert read_metadata(second)["note"] == "a=b"
    assert main([second, third]) == 0
    equal(nd.load(third), given)
    assert capsys.readouterr().out == f"{second}: 13 arrays\n{third}: 13 arrays\n"
    with open(second, "r+b") as file:
        file.truncate(40)
    assert main([second, third]) == 1
    assert "not a valid safetensors file" in capsys.readouterr().err
    equal(nd.load(third), given)
    for wrong in (["x"], [first, third, "--metadata", "a=b"], [first, second, "--metadata", "a"]):
        with pytest.raises(SystemExit):
            main(wrong)
    run = subprocess.run(
        [sys.executable, "-m", "mxnet.tools.params2safetensors", first, second], capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    equal(nd.load(second), given)


def with_header(header, data=b"\0" * 16):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


ENTRY = {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"abc",
        struct.pack("<Q", 2**63) + b"{}",
        struct.pack("<Q", 1000) + b"{}",
        with_header(b"{"),
        with_header(b"[]"),
        with_header(b"\xff\xfe{}"),
        with_header({"x": ENTRY}, b"\0" * 15),
        with_header({"x": ENTRY}, b"\0" * 17),
        with_header({"x": {**ENTRY, "data_offsets": [0, 2**62]}}),
        with_header({"x": {**ENTRY, "data_offsets": [16, 0]}}),
        with_header({"x": {**ENTRY, "data_offsets": [-16, 0]}}),
        with_header({"x": {**ENTRY, "shape": [2**40, 2**40]}}),
        with_header({"x": {**ENTRY, "shape": [-4]}}),
        with_header({"x": {**ENTRY, "shape": [3]}}),
        with_header({"x": {**ENTRY, "dtype": "F31"}}),
        with_header({"x": {**ENTRY, "dtype": "U16", "shape": [8]}}),
        with_header({"x": {"dtype": "F32"}}),
        with_header({"x": ENTRY, "y": ENTRY}),
        with_header({"x": {**ENTRY, "shape": [2], "data_offsets": [8, 16]}}),
        with_header({"__metadata__": {"mxnet.list": "1"}, "x": ENTRY}),
        with_header({"__metadata__": 3, "x": ENTRY}),
    ],
)
@pytest.mark.parametrize("place", ["local", "remote"])
def test_hostile_files(tmp_path, content, place):
    if place == "local":
        path = str(tmp_path / "bad.safetensors")
        with open(path, "wb") as file:
            file.write(content)
    else:
        fsspec = pytest.importorskip("fsspec")
        path = "memory://bad.safetensors"
        with fsspec.open(path, "wb") as file:
            file.write(content)
    with pytest.raises(mx.MXNetError, match=r"bad\.safetensors"):
        nd.load(path)


def test_mutations_never_crash(tmp_path):
    path = tmp_path / "x.safetensors"
    nd.save(path, {**arrays(), "weight": nd.array(np.arange(6).reshape(2, 3))})
    good = path.read_bytes()
    header = 8 + struct.unpack("<Q", good[:8])[0]
    rng = np.random.default_rng(0)
    refused = 0
    for i in range(400):
        content = bytearray(good)
        if i % 4 == 0:
            del content[rng.integers(len(content)) :]
        elif i % 4 == 1:  # digits of offsets and shapes
            digits = [at for at in range(8, header) if 48 <= content[at] <= 57]
            content[digits[rng.integers(len(digits))]] = 48 + rng.integers(10)
        else:
            for _ in range(rng.integers(1, 5)):
                content[rng.integers(header if i % 4 == 2 else len(content))] = rng.integers(256)
        path.write_bytes(content)
        try:
            found = nd.load(path)
        except mx.MXNetError as error:
            assert str(path) in str(error)
            refused += 1
        else:
            for array in found.values():
                array.asnumpy()
    assert 200 < refused < 400
