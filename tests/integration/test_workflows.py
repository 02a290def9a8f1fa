"""The matrix of versions, and the workflows that run it elsewhere, name what exists."""

import importlib.util
import pathlib
import re
import sys
import tomllib
import types

import pytest
import yaml

ROOT = next(p for p in pathlib.Path(__file__).resolve().parents if (p / "noxfile.py").is_file())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github/workflows").glob("*.yml")}


@pytest.fixture
def noxfile(monkeypatch):
    """The module, with a stand-in for nox where that is not installed: only the table is looked at."""

    def session(**options):
        return lambda function: function

    stand_in = types.SimpleNamespace(options=types.SimpleNamespace(), session=session, Session=object)
    monkeypatch.setitem(sys.modules, "nox", stand_in)
    spec = importlib.util.spec_from_file_location("noxfile", ROOT / "noxfile.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_rows_begin_with_what_pyproject_allows(noxfile):
    oldest = re.search(r"torch>=([\d.]+)", " ".join(PROJECT["project"]["dependencies"]))[1]
    assert any(torch and torch.startswith(f"{oldest}.") for _, torch, _ in noxfile.ROWS.values())
    classified = {c.rpartition(" ")[2] for c in PROJECT["project"]["classifiers"] if re.search(r"Python :: 3\.", c)}
    assert classified <= {python for python, _, _ in noxfile.ROWS.values()}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("py312-torch2.14.1", ("3.12", "2.14.1", None)), ("py313-torch2.15.0-numpy2.2.6", ("3.13", "2.15.0", "2.2.6"))],
)
def test_other_rows_are_read_off_their_names(noxfile, name, expected):
    assert noxfile._row(name) == expected


def test_unknown_rows_are_refused(noxfile):
    with pytest.raises(SystemExit, match="py311-oldest"):
        noxfile._row("newest")


def test_the_workflow_runs_rows_that_exist(noxfile):
    matrix = WORKFLOWS["tests"]["jobs"]["matrix"]["strategy"]["matrix"]
    rows = [*matrix["row"], *(entry["row"] for entry in matrix["include"])]
    assert set(rows) == set(noxfile.ROWS)


def test_wheels_are_built_for_every_version_that_is_classified():
    classified = {c.rpartition(" 3.")[2] for c in PROJECT["project"]["classifiers"] if re.search(r"Python :: 3\.", c)}
    assert PROJECT["tool"]["cibuildwheel"]["build"] == [f"cp3{minor}-*" for minor in sorted(classified)]
