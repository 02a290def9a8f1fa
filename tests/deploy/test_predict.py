"""Prediction with networks from files: the class for Python, and programs in C."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.predict import Predictor, load_ndarray_file
from mxnet.tools import predict_api

SOURCES = Path(__file__).parent / "predict"
# Python leaves memory to the end of the process; huge arrays that a test asks for are refused, as without memory.
SANITIZER = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=2000"


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A network in files, some data, and its output."""
    folder = tmp_path_factory.mktemp("network")
    data = mx.sym.var("data")
    hidden = mx.sym.Activation(mx.sym.FullyConnected(data, num_hidden=5, name="fc1"), act_type="tanh")
    normal = mx.sym.BatchNorm(hidden, fix_gamma=False, name="bn")
    out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(normal, num_hidden=3, name="fc2"), name="softmax")
    module = mx.mod.Module(out)
    module.bind([("data", (4, 6))], [("softmax_label", (4,))])
    module.init_params(mx.init.Uniform(1))
    module.save_checkpoint(str(folder / "net"), 0)
    values = np.random.RandomState(3).uniform(-1, 1, (4, 6)).astype(np.float32)
    module.forward(mx.io.DataBatch([mx.nd.array(values)]), is_train=False)
    return folder / "net-symbol.json", folder / "net-0000.params", values, module.get_outputs()[0].asnumpy()


def test_the_class_predicts_as_the_module(network):
    symbol, params, values, expected = network
    predictor = Predictor(symbol.read_text(), params.read_bytes(), {"data": (4, 6)})
    predictor.forward(data=values)
    np.testing.assert_allclose(predictor.get_output(0), expected, rtol=1e-5)
    predictor.reshape({"data": (1, 6)})
    predictor.forward(data=mx.nd.array(values[:1]))
    np.testing.assert_allclose(predictor.get_output(0), expected[:1], rtol=1e-5)
    by_name = Predictor(str(symbol), params.read_bytes(), {"data": (4, 6)}, "cpu", 0, outputs=["fc1"])
    by_name.forward(data=values)
    assert by_name.get_output(0).shape == (4, 5)
    doubles = Predictor(symbol.read_text(), b"", {"data": (4, 6)}, type_dict={"data": "float64"})
    doubles.forward(data=values)
    assert doubles.get_output(0).dtype == np.float64


def test_inputs_whose_type_nothing_tells_are_float32():
    data = mx.sym.var("data")
    network = mx.sym.FullyConnected(data / 255, num_hidden=1, name="fc")  # the division hides the type of the weight
    weight, bias = mx.nd.array([[1, 2]]), mx.nd.array([3])
    predictor = Predictor(network.tojson(), _content({"arg:fc_weight": weight, "arg:fc_bias": bias}), {"data": (1, 2)})
    predictor.forward(data=np.array([[255, 510]]))
    assert predictor.get_output(0).tolist() == [[8.0]]
    halves = {"arg:fc_weight": weight.astype("float16"), "arg:fc_bias": bias.astype("float16")}
    plain = mx.sym.FullyConnected(data, num_hidden=1, name="fc")
    assert Predictor(plain.tojson(), _content(halves), {"data": (1, 2)}).input("data").dtype == np.float16


def _content(arrays):
    with tempfile.TemporaryDirectory() as folder:
        mx.nd.save(f"{folder}/a.params", arrays)
        return Path(folder, "a.params").read_bytes()


def test_what_does_not_fit_is_refused(network):
    symbol, params, values, _ = network
    content = params.read_bytes()
    with pytest.raises(mx.MXNetError, match="no input 'date'"):
        Predictor(symbol.read_text(), content, {"date": (4, 6)})
    with pytest.raises(mx.MXNetError, match="operator fc1"):
        Predictor(symbol.read_text(), content, {"data": (4, 7)})
    with pytest.raises(mx.MXNetError):
        Predictor(symbol.read_text(), content[:-9], {"data": (4, 6)})
    predictor = Predictor(symbol.read_text(), content, {"data": (4, 6)})
    with pytest.raises(mx.MXNetError, match=r"input data has shape \(4, 6\)"):
        predictor.forward(data=values[:2])
    with pytest.raises(mx.MXNetError, match="no output 1"):
        predictor.get_output(1)


def test_array_files_are_read_from_bytes(tmp_path):
    mx.nd.save(str(tmp_path / "a"), {"mean": mx.nd.array([[1, 2]])})
    mx.nd.save(str(tmp_path / "b"), [mx.nd.array([3])])
    assert load_ndarray_file((tmp_path / "a").read_bytes())["mean"].tolist() == [[1, 2]]
    assert load_ndarray_file((tmp_path / "b").read_bytes())[0].tolist() == [3]


needs_library = pytest.mark.skipif(
    not predict_api.LIBRARY.exists() or not shutil.which("cc"), reason="there is no C compiler or no library"
)


def _compiled(folder, source, *flags):
    program = folder / "program"
    wanted = subprocess.run(
        [sys.executable, "-m", "mxnet.tools.predict_api", "--cflags", "--libs"],
        capture_output=True,
        text=True,
        check=True,
    )
    subprocess.run(
        [
            "cc",
            *flags,
            "-Wall",
            "-Wextra",
            "-Werror",
            SOURCES / source,
            *wanted.stdout.split(),
            "-lpthread",
            "-o",
            program,
        ],
        check=True,
    )
    return program


@needs_library
@pytest.mark.parametrize("flags", [("-O1", "-g", "-fsanitize=address"), ("-O2",)], ids=["sanitized", "optimized"])
def test_a_program_in_c_predicts(network, tmp_path, flags):
    symbol, params, values, expected = network
    done = subprocess.run(
        [_compiled(tmp_path, "predict.c", *flags), symbol, params, "4", "6"],
        input=values.tobytes(),
        capture_output=True,
        env=_environment(),
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    np.testing.assert_allclose(np.frombuffer(done.stdout, np.float32).reshape(4, 3), expected, rtol=1e-5)
    listed = dict(line.split()[::2] for line in done.stderr.decode().splitlines() if line.startswith(("arg:", "aux:")))
    saved = mx.nd.load(str(params))
    assert sorted(listed) == sorted(saved)
    for name, total in listed.items():
        assert abs(float(total) - saved[name].asnumpy().sum()) < 1e-2


def _environment():
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "ASAN_OPTIONS": SANITIZER, "OMP_NUM_THREADS": "1"}


@needs_library
@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=pytest.mark.slow)])
def test_damaged_networks_and_wrong_shapes_from_c(network, tmp_path, count):
    symbol, params, _, _ = network
    program = _compiled(tmp_path, "fuzz.c", "-O1", "-g", "-fsanitize=address,undefined")
    command = [program, symbol, params, str(count), "1"]
    done = subprocess.run(command, capture_output=True, text=True, env=_environment(), timeout=3000)
    assert done.returncode == 0, f"{done.returncode}: {done.stdout} {done.stderr[-4000:]}"
    taken, refused = map(int, done.stdout.split())
    assert taken + refused == count
    assert taken > count / 20
    assert refused > count / 4


@needs_library
def test_the_library_in_a_python_program(network):
    symbol, params, values, expected = network
    library = ctypes.CDLL(str(predict_api.LIBRARY))
    library.MXGetLastError.restype = ctypes.c_char_p
    handle, content = ctypes.c_void_p(), params.read_bytes()
    names = (ctypes.c_char_p * 1)(b"data")
    offsets, shape = (ctypes.c_uint32 * 2)(0, 2), (ctypes.c_uint32 * 2)(4, 6)
    call = [symbol.read_bytes(), content, len(content), 1, 0, 1, names, offsets, shape, ctypes.byref(handle)]
    assert library.MXPredCreate(*call) == 0, library.MXGetLastError()
    floats = values.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    assert library.MXPredSetInput(handle, b"data", floats, 24) == 0
    assert library.MXPredForward(handle) == 0
    result = np.empty((4, 3), np.float32)
    pointer = result.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    assert library.MXPredGetOutput(handle, 0, pointer, 12) == 0
    np.testing.assert_allclose(result, expected, rtol=1e-5)
    assert library.MXPredGetOutput(handle, 0, pointer, 11) == -1
    assert b"12 elements, 11 were given" in library.MXGetLastError()
    assert library.MXPredFree(handle) == 0


def test_the_tool_says_how_to_link(capsys):
    assert predict_api.main(["--header"]) == 0
    assert capsys.readouterr().out.strip().endswith("mxnet/c_predict_api.h")
    assert predict_api.main([]) == 2
