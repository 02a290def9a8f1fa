"""Releases: the version is the same everywhere, and the changelog is cut as people read it."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import zipfile

import pytest
import release
from paths import ROOT

from mxnet import native
from mxnet.tools import diagnose

in_a_checkout = pytest.mark.skipif(not (ROOT / "mxnet").exists(), reason="releases are made in a checkout")


@in_a_checkout
def test_versions_agree():
    assert release.problems() == []


@in_a_checkout
def test_cutting_the_changelog(tmp_path):
    (tmp_path / "mxnet").mkdir()
    for name in ("CITATION.cff", "CHANGELOG.md", "mxnet/__init__.py"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    changes = tmp_path / "CHANGELOG.md"
    changes.write_text(changes.read_text().replace("## Unreleased\n", "## Unreleased\n\n### Fixes\n\n- One.\n", 1))
    release.cut("9.8.7", "2031-02-03", tmp_path)
    assert "## Unreleased\n\n## 9.8.7 - 2031-02-03\n\n### Fixes\n\n- One.\n" in changes.read_text()
    assert 'mxnext_version = "9.8.7"' in (tmp_path / "mxnet/__init__.py").read_text()
    assert release.problems(tmp_path) == []
    with pytest.raises(SystemExit, match="nothing below Unreleased"):
        release.cut("9.8.8", "2031-02-04", tmp_path)
    (tmp_path / "CITATION.cff").write_text("version: 1.0.0\ndate-released: 2031-02-03\n")
    assert release.problems(tmp_path) == ["CITATION.cff has version 1.0.0, CHANGELOG.md has 9.8.7"]


def test_groups_of_changes_fit_on_a_screen():
    for group in (ROOT / "CHANGELOG.md").read_text().split("\n### ")[1:]:
        assert group.count("\n") <= 30, group.split("\n")[0]


def test_missing_kernels_are_reported(monkeypatch, capsys):
    monkeypatch.setattr(native, "loaded", lambda: None)
    monkeypatch.setattr(diagnose, "obstacles", list)
    monkeypatch.setattr(diagnose, "_is_source", lambda folder: False)
    assert diagnose.main([]) == 0
    said = capsys.readouterr().out
    assert "no native kernels: prediction is about 1.4x slower; install gcc and reinstall" in said
    assert "No problems found" not in said
    monkeypatch.setattr(diagnose, "_is_source", lambda folder: True)
    diagnose.main([])
    assert "install gcc and run python setup.py build_ext --inplace" in capsys.readouterr().out
    monkeypatch.setenv("MXNET_NATIVE", "0")  # chosen, so nothing is missing
    diagnose.main([])
    assert "no native kernels" not in capsys.readouterr().out


@pytest.mark.slow
def test_a_wheel_without_a_compiler_says_so(tmp_path):
    source = tmp_path / "source"
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    for name in listed:
        if (name and name.startswith(("mxnet/", "tests/samples/"))) or ("/" not in name and (ROOT / name).is_file()):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, source / name)
    left = source / "build" / f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}" / "mxnet" / "native"
    left.mkdir(parents=True)  # what a build with a compiler has left, and a module that the package no longer has
    (left / f"_default{sysconfig.get_config_var('EXT_SUFFIX')}").write_bytes(b"kernels")
    (left / "gone.py").write_text("")
    options = ["-q", "--no-deps", "--no-build-isolation"]
    command = [sys.executable, "-m", "pip", "wheel", *options, "-w", str(tmp_path), "."]
    subprocess.run(command, cwd=source, env={**os.environ, "CC": "/bin/false"}, check=True)
    (wheel,) = pathlib.Path(tmp_path).glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if name.endswith((".so", "gone.py"))]
    assert [name for name in names if name.endswith("mxnet/native/__init__.py")]
