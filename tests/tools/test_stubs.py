"""The stubs: are they those of the package as it is, and what do type checkers and editors make of users' programs?"""

import ast
import contextlib
import importlib
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import warnings
from pathlib import Path
from types import FunctionType

import jedi
import numpy as np
import numpy_sweep_cases as numpy_sweep
import pytest
import samples
from paths import ROOT

import mxnet as mx

PROGRAMS = ROOT / "tests" / "typing_programs"
SITE = "lib/python{}.{}/site-packages".format(*sys.version_info) if sys.platform != "win32" else "Lib/site-packages"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the programs, beside an environment into which the package is installed as a wheel would be."""
    folder = tmp_path_factory.mktemp("typing")
    venv.create(folder / "venv", with_pip=False)
    site = folder / "venv" / SITE
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["mxnet"]
    for pattern in ("**/*.py", *data):
        for file in (ROOT / "mxnet").glob(pattern):
            target = site / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    shutil.copytree(PROGRAMS, folder / "programs")
    for name, lines in {"nd": operator_calls("nd"), "sym": operator_calls("sym"), "np": numpy_calls()}.items():
        assert len(lines) > 1000
        (folder / "programs" / "correct" / f"calls_of_{name}.py").write_text("\n".join(lines) + "\n")
    return folder


def operator_calls(name):
    """The samples of all operators as lines of a program, but for numbers that are given as text."""
    found = [
        "from math import inf, nan",
        f"from mxnet import {name}",
        "x = nd.ones((1,))" if name == "nd" else 'x = sym.var("x")',
    ]
    for family in samples.families():
        for _, sample in samples.load(family):
            given = [f"{key}={value!r}" for key, value in sample.attrs.items()]
            if not sample.error and not re.search(r"='inf'|=array|=np\.", " ".join(given)):
                home = f"{name}._internal" if sample.op.startswith("_") else name
                inputs = ["None" if array is None else "x" for array in sample.inputs]
                found.append(f"{home}.{sample.op}({', '.join([*inputs, *given])})")
    return list(dict.fromkeys(found))


def numpy_calls():
    """Calls of the functions of mx.np and mx.npx, those that some arrays can be given to."""
    found = ["import mxnet as mx", "import numpy as onp", "from mxnet import np, npx"]
    found += [f"{letter} = np.ones((2, 3))" for letter in numpy_sweep.VALUES]
    mx.npx.set_np()
    try:
        return found + [
            call for call in numpy_sweep.calls() if "setitem" not in call and "shuffle" not in call and runs(call)
        ]
    finally:
        mx.npx.reset_np()


def runs(call):
    for variant in numpy_sweep.variants(call):
        arrays = {n: mx.np.array(numpy_sweep.values(n, *kind), dtype=kind[1]) for n, kind in variant.items()}
        with warnings.catch_warnings(), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")
            exec(call, {"np": mx.np, "npx": mx.npx, "mx": mx, "onp": np, **arrays})
            return True
    return False


def python_of(place):
    return str(place / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))


def lines_of_mypy(place):
    command = [sys.executable, "-m", "mypy", "--python-executable", python_of(place), "--check-untyped-defs", "."]
    ran = subprocess.run(command, cwd=place / "programs", capture_output=True, text=True, timeout=500)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    found = re.findall(r"^(.+?):(\d+): error: (.*)$", ran.stdout, flags=re.M)
    return [(Path(file).as_posix(), int(line), message) for file, line, message in found]


def lines_of_pyright(place):
    if shutil.which("node") is None:
        pytest.skip("pyright needs Node.js")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", python_of(place), "."]
    ran = subprocess.run(command, cwd=place / "programs", capture_output=True, text=True, timeout=500)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    found = [d for d in json.loads(ran.stdout)["generalDiagnostics"] if d["severity"] == "error"]
    files = (Path(d["file"]).relative_to((place / "programs").resolve()).as_posix() for d in found)
    return [(file, d["range"]["start"]["line"] + 1, d["message"]) for file, d in zip(files, found, strict=True)]


@pytest.fixture(scope="module", params=[lines_of_mypy, lines_of_pyright], ids=["mypy", "pyright"])
def errors(request, place):
    return request.param(place)


def test_the_stubs_are_those_of_the_package():
    ran = subprocess.run(
        [sys.executable, ROOT / "docs" / "stubs.py", "--check"], capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, f"make stubs writes these anew:\n{ran.stdout}{ran.stderr}"


def test_correct_programs_have_no_errors(errors):
    assert len(list((PROGRAMS / "correct").glob("*.py"))) >= 10
    assert [error for error in errors if error[0].startswith("correct/")] == []


def test_mistakes_are_found(errors):
    source = (PROGRAMS / "mistaken" / "mistakes.py").read_text().splitlines()
    marked = {number for number, line in enumerate(source, 1) if "# error: " in line}
    assert len(marked) > 20
    assert {line for file, line, _ in errors if file == "mistaken/mistakes.py"} == marked


# ---- what an editor shows --------------------------------------------------------------------------------------------

BEFORE = """import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn
x = mx.nd.ones((2, 3))
r = mx.nd.random.normal(shape=(2, 3))
z = mx.np.random.normal(size=(2, 3))
s = mx.sym.Variable("s")
"""


@pytest.fixture(scope="module")
def script(place):
    environment = jedi.create_environment(python_of(place), safe=False)
    project = jedi.Project(place / "programs", environment_path=python_of(place))
    return lambda line: jedi.Script(BEFORE + line, project=project, environment=environment)


@pytest.mark.parametrize(
    "line, name",
    [
        ("mx.nd.Conv", "Convolution"),
        ("mx.sym.Fully", "FullyConnected"),
        ("mx.np.ar", "array"),
        ("mx.npx.rel", "relu"),
        ("mx.gluon.nn.De", "Dense"),
        ("gluon.data.Data", "DataLoader"),
        ("mx.nd.contrib.box_n", "box_nms"),
        ("mx.sym.linalg.gem", "gemm2"),
        ("mx.np.linalg.no", "norm"),
        ("mx.contrib.nd.MultiBoxP", "MultiBoxPrior"),
        ("mx.v", "viz"),
        ("x.su", "sum"),
        ("r.su", "sum"),
        ("z.su", "sum"),
        ("s.su", "sum"),
        ("(x + 1).su", "sum"),
        ("x[0].su", "sum"),
        ("nd.Convolution(x, x).asn", "asnumpy"),
        ("nn.Dense(2).wei", "weight"),
    ],
)
def test_names_are_completed(script, line, name):
    assert name in [found.name for found in script(line).complete()]


@pytest.mark.parametrize(
    "line, parameters",
    [
        ("mx.nd.Convolution(", ["data: NDArray", "kernel: tuple[int, ...]", "no_bias: bool"]),
        ("mx.nd.Activation(", ["act_type: Literal['relu', 'sigmoid', 'softrelu', 'softsign', 'tanh']"]),
        ("mx.sym.FullyConnected(", ["data: Symbol | None=None", "num_hidden: int", "name: str | None=None"]),
        ("mx.np.sum(", ["a: ndarray", "axis: tuple[int, ...]", "dtype: DTypeLike | None=None"]),
        ("x.sum(", ["axis: tuple[int, ...]", "keepdims: bool"]),
        ("mx.nd.ones(", ["shape: ShapeLike", "ctx: Any=None"]),
        ("nn.Conv1D(", ["channels: int", "strides: Any=1", "layout: str='NCW'", "prefix: str | None=None"]),
        ("nn.Dense(", ["units: int", "params: Any=None"]),
        ("gluon.rnn.GRU(", ["hidden_size: int", "num_layers: int=1", "dropout: float=0"]),
        ("nn.Dense(3).initialize(", ["init: Any", "ctx: Devices", "force_reinit: bool=False"]),
    ],
)
def test_signatures_are_shown(script, line, parameters):
    (found,) = script(line).get_signatures()
    shown = [parameter.to_string() for parameter in found.params]
    for parameter in parameters:
        assert any(text.startswith(parameter) for text in shown), (parameter, shown)
    assert found.docstring(raw=True)


# ---- what the stubs leave as it was ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["nd", "nd.contrib", "nd.random", "nd.linalg", "sym", "sym.contrib", "np", "npx", "np.random"]
)
def test_every_function_is_in_the_stub(name):
    module = importlib.import_module(eval(f"mx.{name}", {"mx": mx}).__name__)
    path = Path(module.__file__)
    files = [path.with_suffix(".pyi"), path, path.with_stem(f"derived_{path.stem}").with_suffix(".pyi")]
    told = set()
    for file in files[:1] if files[0].exists() else files[1:]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                told.add(node.name)
            elif isinstance(node, ast.ImportFrom):
                told.update(alias.asname or alias.name for alias in node.names)
            elif isinstance(node, ast.Assign):
                told.update(
                    name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)
                )
    # names of the original's own, which other tests may have asked for, and gradients are not told
    found = {key: value for key, value in vars(module).items() if isinstance(value, FunctionType) and key[0] != "_"}
    functions = {key for key in found if not key.startswith("backward_") and key != "current_context"}
    assert functions
    assert functions - told == set()


def test_classes_are_what_they_were():
    assert [cls.__name__ for cls in mx.nd.NDArray.__mro__] == ["NDArray", "Shapes", "Exchange", "BasicSlices", "object"]
    assert mx.np.ndarray.__base__ is mx.nd.NDArray
    assert not [name for name in sys.modules if name.startswith("mxnet.") and ".derived_" in name]
