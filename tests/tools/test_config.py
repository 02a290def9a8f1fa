"""Environment variables: mxnet/_core/config.py describes them all, nothing else reads them, and nonsense is refused."""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
import torch
from paths import ROOT

import mxnet as mx
from mxnet._core import config

PACKAGE = pathlib.Path(mx.__file__).parent
VARIABLES = list(config.VARIABLES.values())
# Files that look at the environment themselves, each with its reason.
ELSEWHERE = {
    "_core/config.py": "what all others read by",
    "util.py": "getenv and setenv are functions of the original's",
    "_test_utils/environment.py": "so is environment; CD_JOB belongs to whoever runs the original's tests",
    "base.py": "APPDATA is the system's, on Windows",
    "ops/half.py": "looks which instructions oneDNN may use",
    "to_torch/helpers.py": "is copied beside translated programs, which run without MXNext",
    "native/allocator.py": "looks whether somebody has tuned glibc",
    "gluon/data/workers.py": "sets a variable of OpenCV's",
    "_core/openmp.py": "sets variables of OpenMP's before torch is loaded",
    "_core/pixels.py": "sets a variable of OpenCV's",
    "profiler.py": "sets a variable of torch's profiler",
    "_core/torch_settings.py": "sets a variable of cuBLAS's",
    "tools/launch.py": "passes the environment on to processes",
    "tools/diagnose.py": "shows the environment as it is, also where import mxnet fails",
}
NONSENSE = {config.Flag: ["2", "yes please", "-1"], config.Count: ["-1", "1.5", "many", "9" * 19, "²"],
            config.FlagOrWord: ["2", "scripts"],
            config.Seconds: ["0", "-1", "soon", "nan", "inf"], config.Choice: ["other"]}  # fmt: skip


def looks_at_the_environment(path):
    """Does a file use ``os.environ`` or ``getenv``, or import them?"""
    ways = {"environ", "environb", "getenv", "getenvb", "putenv"}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and ways & {alias.name for alias in node.names}:
            return True
        if isinstance(node, ast.Attribute) and node.attr in ways:
            return True
    return False


def test_only_config_reads_the_environment():
    found = {p.relative_to(PACKAGE).as_posix() for p in PACKAGE.rglob("*.py") if looks_at_the_environment(p)}
    assert found == set(ELSEWHERE)


def test_every_variable_is_read_somewhere():
    source = "".join(p.read_text() for p in PACKAGE.rglob("*.py") if p.name != "config.py")
    read = set(re.findall(r"\b_?config\.([A-Z_]+)\b", source))
    constants = {name: v for name, v in vars(config).items() if isinstance(v, config.Variable)}
    assert len(constants) > 35
    # PYTHON is read by the library for programs in C, the last by OpenMP
    assert set(constants) - read == {"PYTHON", "OMP_WAIT_POLICY"}
    assert all(v.name.removeprefix("MXNET_") == name for name, v in constants.items())
    assert {v.name for v in constants.values()} == {v.name for v in VARIABLES if v.group != config.NO_EFFECT}
    assert not [v.name for v in VARIABLES if v.group == config.NO_EFFECT and f'"{v.name}"' in source]


@pytest.mark.parametrize(("group", "page"), [("general", "README"), ("job", "distributed"), ("no effect", "moving")])
def test_every_variable_is_documented(group, page):
    pages = ["README.md", "README.zh-CN.md"] if page == "README" else [f"docs/{page}.md", f"docs/{page}.zh.md"]
    for path in pages:
        text = (ROOT / path).read_text()
        (table,) = re.findall(r"<!-- generated: settings\w*(?: zh)? -->(.*?)<!-- end -->", text, flags=re.S)
        rows = re.findall(r"^\| (`.*?`) \|", table, flags=re.M)
        assert re.findall(r"`(\w+)`", " ".join(rows)) == [v.name for v in VARIABLES if v.group == group]
    for variable in VARIABLES:
        assert variable.help and re.search("[\u4e00-\u9fff]", variable.zh), variable.name


@pytest.mark.parametrize("variable", [v for v in VARIABLES if type(v) in NONSENSE], ids=lambda v: v.name)
def test_nonsense_is_refused(variable):
    for text in NONSENSE[type(variable)]:
        with pytest.raises(mx.error.MXNetValueError) as caught:
            variable.get({variable.name: text})
        assert str(caught.value) == f"{variable.name} must be {variable.expected}, got {text!r}"
    assert variable.get({}) == variable.get({variable.name: ""}) == variable.default


def test_values():
    for text, value in {
        "1": True,
        "true": True,
        "True": True,
        "ON": True,
        "0": False,
        "false": False,
        "off": False,
    }.items():
        assert config.NATIVE.get({"MXNET_NATIVE": text}) is value
    assert config.VIRTUAL_GPUS.get({"MXNET_VIRTUAL_GPUS": " 2 "}) == 2
    assert config.KVSTORE_TIMEOUT.get({"MXNET_KVSTORE_TIMEOUT": "1e2"}) == 100
    assert config.RANDOM.get({"MXNET_RANDOM": "torch"}) == "torch"
    assert config.HOME.get({"MXNET_HOME": ""}) == "" and config.HOME.get({}) is None
    with pytest.raises(mx.error.MXNetValueError, match="MXNET_IMAGE_MAX_PIXELS must be a whole number of at least 1"):
        config.IMAGE_MAX_PIXELS.get({"MXNET_IMAGE_MAX_PIXELS": "0"})
    with pytest.raises(AttributeError, match="MXNET_NATIVE"):
        config.NATIVE.default = False


def test_settings(monkeypatch):
    monkeypatch.setenv("MXNET_VIRTUAL_GPUS", "3")
    monkeypatch.setenv("MXNET_KVSTORE_TOKEN", "hush")
    found = {s.name: s for s in mx.runtime.settings()}
    assert list(found) == list(config.VARIABLES)
    assert found["MXNET_VIRTUAL_GPUS"][1:3] == (3, 0) and found["MXNET_KVSTORE_TOKEN"].value == "***"
    assert found["MXNET_ENGINE_TYPE"].group == "no effect" and "engine" in found["MXNET_ENGINE_TYPE"].help
    monkeypatch.setenv("MXNET_WINOGRAD", "perhaps")
    with pytest.raises(mx.error.MXNetValueError, match="MXNET_WINOGRAD"):
        mx.runtime.settings()


def run(program, folder, **variables):
    env = {k: v for k, v in os.environ.items() if not k.startswith("MXNET_")} | variables
    command = [sys.executable, "-W", "error", *program]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)


def test_diagnose_shows_what_is_set(tmp_path):
    given = {
        "MXNET_ENGINE_TYPE": "NaiveEngine",
        "MXNET_WINOGRAD": "0",
        "MXNET_NATIVE": "1",
        "MXNET_KVSTORE_TOKEN": "hush",
    }
    done = run(["-m", "mxnet.tools.diagnose", "--json"], tmp_path, **given)
    shown = json.loads(done.stdout)["settings"]
    assert shown["MXNET_WINOGRAD"] == "False" and "MXNET_NATIVE" not in shown and "hush" not in done.stdout
    assert shown["MXNET_ENGINE_TYPE"].startswith("NaiveEngine (no effect: ")


def test_the_profiler_starts_by_itself(tmp_path):
    done = run(["-c", "import mxnet as mx; mx.nd.ones(3) * 2"], tmp_path, MXNET_PROFILER_AUTOSTART="1")
    assert done.returncode == 0, done.stderr
    events = json.loads((tmp_path / "profile.json").read_text())["traceEvents"]
    assert "_mul_scalar" in {event["name"] for event in events}


def test_settings_of_torch(tmp_path):
    """Determinism comes before tuning, which may choose another algorithm each time."""
    show = (
        "import mxnet as mx, torch; mx.nd.ones(1); "
        "print(torch.are_deterministic_algorithms_enabled(), torch.backends.cudnn.benchmark)"
    )
    tuned = {"MXNET_CUDNN_AUTOTUNE_DEFAULT": "1"}
    for given, expected in (
        ({}, "False False"),
        (tuned, "False True"),
        (tuned | {"MXNET_ENFORCE_DETERMINISM": "1"}, "True False"),
    ):
        assert run(["-c", show], tmp_path, **given).stdout.strip() == expected
    assert not torch.are_deterministic_algorithms_enabled()
