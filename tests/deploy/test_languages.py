"""The programs in other languages under examples/languages: each tells real digits as Python does.

``make languages`` installs what they need and runs this.
"""

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from paths import ROOT

from mxnet.tools import predict_api

pytestmark = pytest.mark.slow
LANGUAGES = ROOT / "examples" / "languages"
JAVASCRIPT = LANGUAGES / "javascript"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = "is missing: make languages installs it"
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "MXNET_PYTHON": sys.executable, "CHROMIUM": CHROMIUM or ""}


def needs(*programs, package=None):
    """Skips a test where a program, or a package of npm's, is not there."""
    missing = [program for program in programs if not program or not shutil.which(program)]
    if package and not (JAVASCRIPT / "node_modules" / package).exists():
        missing.append(package)
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(map(str, missing))} {MISSING}")


needs_library = pytest.mark.skipif(not predict_api.LIBRARY.exists(), reason="libmxnet_predict.so was not built")


def run(*command, code=0, **options):
    """What a program prints; its errors are shown if it fails."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, env=ENVIRONMENT, timeout=900, **options
    )
    assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr[-4000:]}"
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """A trained network with digits, in a folder."""
    folder = tmp_path_factory.mktemp("languages")
    print(run(sys.executable, LANGUAGES / "make_model.py", "--folder", folder, "--epochs", "2"))
    return folder


@pytest.fixture(scope="session")
def expected(model):
    """What Python takes the digits for. It knows most of them, or comparing would say nothing."""
    found = json.loads((model / "expected.json").read_text())
    assert len(found) == 10
    assert sum(one["class"] == one["digit"] for one in found.values()) >= 9
    return found


def pictures(model):
    return sorted(model.glob("digit-*.pgm"))


def same(output, expected):
    """Whether lines such as ``digit-3.pgm: 3 (0.999123)`` say what Python says."""
    found = {name: (int(best), float(share)) for name, best, share in re.findall(r"(\S+): (\d) \(([\d.]+)\)", output)}
    assert set(found) == set(expected), output
    for name, (best, share) in found.items():
        assert best == expected[name]["class"], name
        assert abs(share - expected[name]["probability"]) < 1e-4, name


def flags():
    return run(sys.executable, "-m", "mxnet.tools.predict_api", "--cflags", "--libs").split()


def compiled(folder, compiler, source, *more):
    program = folder / "classify"
    run(compiler, *more, "-O2", "-Wall", "-Wextra", "-Werror", LANGUAGES / source, *flags(), "-o", program)
    return program


@needs("cc")
@needs_library
def test_c(model, expected, tmp_path):
    program = compiled(tmp_path, "cc", "c/classify.c")
    same(run(program, model, *pictures(model)), expected)
    assert "not a PGM picture" in run(program, model, model / "digits.onnx", code=1)
    assert "cannot be read" in run(program, tmp_path, *pictures(model), code=1)


@needs("c++")
@needs_library
def test_cpp(model, expected, tmp_path):
    program = compiled(tmp_path, "c++", "cpp/classify.cpp", "-std=c++17")
    same(run(program, model, *pictures(model)), expected)
    assert "not a PGM picture" in run(program, model, model / "digits.onnx", code=1)


@needs("node", package="onnxruntime-web")
def test_javascript_in_node(model, expected):
    same(run("node", JAVASCRIPT / "classify.mjs", model, *pictures(model)), expected)


@needs("Rscript")
def test_r(model, expected):
    if subprocess.run(["Rscript", "-e", "library(reticulate)"], capture_output=True).returncode:
        pytest.skip(f"reticulate {MISSING}")
    script = LANGUAGES / "r" / "classify.R"
    same(run("Rscript", script, model, *pictures(model)), expected)
    assert "not a PGM picture" in run("Rscript", script, model, model / "digits.onnx", code=1)


@needs("octave", "mkoctfile")
@needs_library
def test_octave(model, expected, tmp_path):
    folder = LANGUAGES / "octave"
    run("mkoctfile", "--mex", folder / "mxnet_predict.c", *flags(), "-o", tmp_path / "mxnet_predict.mex", cwd=tmp_path)
    octave = ["octave", "--no-gui", "--quiet", "--path", tmp_path]
    same(run(*octave, folder / "classify.m", model, *pictures(model)), expected)
    network = f'"{model}/digits-symbol.json", "{model}/digits-0000.params", "data"'
    refused = run(*octave, "--eval", f"mxnet_predict ({network}, ones (27, 28, 1, 2));", code=1)
    assert "FullyConnected" in refused
    assert "real array" in run(*octave, "--eval", f'mxnet_predict ({network}, "text");', code=1)
    first = pictures(model)[0]
    same(run(*octave, folder / "classify.m", model, first), {first.name: expected[first.name]})
    wrong = f"mxnet_predict ({network}, ones (28, 28, 1, 3), [28 28 1 4]);"
    assert "3136 elements, 2352 were given" in run(*octave, "--eval", wrong, code=1)
    calls = (f"ones (28, 28, 1, {n}), [28 28 1 {n}]" for n in (3, 1, 3))
    shapes = "; ".join(f"disp (size (mxnet_predict ({network}, {call})))" for call in calls)
    assert run(*octave, "--eval", shapes).split() == ["10", "3", "10", "1", "10", "3"]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def site(model, tmp_path):
    """The address of a server of files that has the page and the network."""
    (tmp_path / "page").symlink_to(JAVASCRIPT)
    (tmp_path / "model").symlink_to(model)
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@needs("node", CHROMIUM, package="playwright-core")
@needs("node", CHROMIUM, package="onnxruntime-web")
def test_javascript_in_a_page(model, expected, site, tmp_path):
    picture = Path(os.environ.get("MXNET_TEST_SCREENSHOT", tmp_path / "page.png"))
    address = f"{site}/page/?model=/model/digits.onnx"
    found = json.loads(run("node", JAVASCRIPT / "draw.mjs", address, model, picture))
    assert found["errors"] == []
    for name, probabilities in found["probabilities"].items():
        best = max(range(10), key=probabilities.__getitem__)
        assert best == expected[name]["class"], name
        assert abs(probabilities[best] - expected[name]["probability"]) < 1e-4, name
    assert len(found["probabilities"]) == 10
    right = [digit for digit, answer in found["drawn"].items() if int(digit) == answer]
    assert len(right) >= 3, found["drawn"]  # of four: how sure the network is of the others depends on its training
    assert re.fullmatch(r"\d", found["sampled"])
    assert "cannot be loaded" in found["refusal"]
    assert picture.stat().st_size > 5000
