"""mxnext tells pip that it is mxnet, and tells people what is in its way: real pip, in small environments."""

import json
import os
import subprocess
import sys
import venv
import warnings
import zipfile

import pytest

from mxnet import compat
from mxnet.tools import diagnose, provide


def wheel(folder, name, version, requires=(), files=None):
    """A wheel as small as can be."""
    path = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {text}\n" for text in requires)
    contents = {
        **(files or {}),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},,\n" for file in (*contents, f"{info}/RECORD"))
    with zipfile.ZipFile(path, "w") as opened:
        for file, text in {**contents, f"{info}/RECORD": record}.items():
            opened.writestr(file, text)
    return path


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    wheel(folder, "mxnext", "0.1.0", files={"mxnet/__init__.py": "mxnext_version = '0.1.0'\n"})
    for version in ("1.8.0.post0", "1.9.1"):
        wheel(folder, "mxnet", version, files={"mxnet/__init__.py": "original\n", "mxnet/libmxnet.so": "x"})
    wheel(folder, "mxnet-mkl", "1.6.0", files={"mxnet/__init__.py": "original\n"})
    wheel(folder, "gluonthings", "1.0", requires=["mxnet~=1.7", "numpy<1"])
    wheel(folder, "forecasts", "1.0", requires=["mxnet<2"])
    wheel(folder, "translator", "2.0", requires=["mxnet (==1.8.0.post0)"])
    wheel(folder, "older", "1.0", requires=["mxnet-mkl==1.6.0"])
    return folder


class Environment:
    """An environment with mxnext in it, and pip."""

    def __init__(self, folder, wheels):
        venv.create(folder, with_pip=False)
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self.wheels = wheels
        self.site = next(folder.glob("**/site-packages"))
        assert self.pip("install", "mxnext").returncode == 0

    def pip(self, command, *arguments):
        source = ("--no-index", "--find-links", str(self.wheels)) if command == "install" else ()
        base = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check"]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
        environment["PIP_CONFIG_FILE"] = os.devnull
        run = [*base, command, *source, *arguments]
        return subprocess.run(run, capture_output=True, text=True, timeout=300, env=environment)

    def is_ours(self):
        return "mxnext_version" in (self.site / "mxnet" / "__init__.py").read_text()


@pytest.fixture
def environment(tmp_path, wheels):
    return Environment(tmp_path / "environment", wheels)


def test_without_it_pip_installs_the_original(environment):
    """What all this is against."""
    assert environment.pip("install", "forecasts").returncode == 0
    assert not environment.is_ours()


def test_pip_leaves_what_is_provided_alone(environment):
    provide.provide("mxnet", environment.site)
    done = environment.pip("install", "forecasts")
    assert done.returncode == 0 and environment.is_ours(), done.stderr
    assert "mxnet 1.9.1" in environment.pip("list", "--format=freeze").stdout.replace("==", " ")
    done = environment.pip("check")
    assert done.returncode == 0, done.stdout
    for command in (("uninstall", "-y", "mxnet"), ("install", "translator"), ("install", "--force-reinstall", "mxnet")):
        done = environment.pip(*command)
        assert done.returncode != 0 or "annot uninstall" in done.stdout + done.stderr, (command, done.stdout)
        assert "mxnet.tools.provide --remove" in done.stderr + done.stdout
        assert environment.is_ours(), command


def test_another_version_and_other_names(environment):
    provide.provide("mxnet", environment.site)
    provide.provide("mxnet==1.8.0.post0", environment.site)
    provide.provide("MXNet_mkl==1.6.0", environment.site)
    assert [path.name for path in provide.list_provided(environment.site)] == [
        "mxnet-1.8.0.post0.dist-info",
        "mxnet_mkl-1.6.0.dist-info",
    ]
    done = environment.pip("install", "translator", "older", "forecasts")
    assert done.returncode == 0 and environment.is_ours(), done.stderr
    assert environment.pip("check").returncode == 0


def test_remove_undoes_it(environment):
    before = sorted(environment.site.iterdir())
    provide.provide("mxnet", environment.site)
    provide.provide("mxnet-cu112", environment.site)
    assert len(provide.remove(environment.site)) == 2
    assert sorted(environment.site.iterdir()) == before
    assert provide.remove(environment.site) == []
    assert environment.is_ours()


def test_what_is_left_without_mxnext_is_found_by_pip_check(environment):
    provide.provide("mxnet", environment.site)
    assert environment.pip("uninstall", "-y", "mxnext").returncode == 0
    assert "requires mxnext, which is not installed" in environment.pip("check").stdout


def test_the_original_is_not_replaced_silently(environment):
    assert environment.pip("install", "mxnet==1.9.1").returncode == 0
    with pytest.raises(provide.ProvideError, match=r"belongs to the original.*pip uninstall -y mxnet mxnext"):
        provide.provide("mxnet", environment.site)
    assert (environment.site / "mxnet" / "libmxnet.so").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("numpy", "expected mxnet, mxnet-mkl"),
        ("mxnet==latest", "'latest' in 'mxnet==latest' is not a version"),
        ("mxnet-../x", "cannot be provided"),
        ("mxnet==1.9/../1", "is not a version"),
    ],
)
def test_names_that_are_not_provided(name, words, tmp_path):
    with pytest.raises(provide.ProvideError) as caught:
        provide.provide(name, tmp_path)
    assert words in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_the_command(environment, monkeypatch, capsys):
    monkeypatch.setattr(provide, "site_directory", lambda: environment.site)
    assert provide.main([]) == 0 and "mxnet-1.9.1 is provided by mxnext" in capsys.readouterr().out
    assert provide.main(["mxnet-cu101==1.7.0"]) == 0
    assert provide.main(["torch"]) == 1 and "cannot be provided" in capsys.readouterr().err
    assert provide.main(["--remove"]) == 0 and capsys.readouterr().out.count("removed") == 2
    assert provide.main(["--remove"]) == 0 and "nothing was provided" in capsys.readouterr().out


def test_requirements_of_files(tmp_path):
    (tmp_path / "more.txt").write_text("toolz>=0.1 # a comment\n")
    lines = ["# of 2018", "mxnet-cu101==1.6.0", "-r more.txt", "--no-cache-dir", "numpy<1.24"]
    text = "\n".join([*lines, "gluonts[mxnet]==0.8 ; python_version > '3'", ""])
    (tmp_path / "requirements.txt").write_text(text)
    found = list(provide._expand_requirements(["-r", str(tmp_path / "requirements.txt"), "tqdm"]))
    assert found[:4] == ["mxnet-cu101==1.6.0", "toolz>=0.1", "--no-cache-dir", "numpy<1.24"] and found[-1] == "tqdm"
    assert [provide._name(text) for text in found[3:]] == ["numpy", "gluonts", "tqdm"]
    with pytest.raises(provide.ProvideError, match=r"there is no file 'none\.txt'"):
        list(provide._expand_requirements(["-r", "none.txt"]))


def test_install_without_bounds(environment, monkeypatch, capfd):
    """What a package requires of mxnet is provided, its bound for NumPy is left, pip installs the rest."""
    wheel(
        environment.wheels,
        "trains",
        "1.0",
        requires=["mxnet (==1.8.0.post0)", "numpy<1", "forecasts", "no; extra == 'x'"],
    )
    monkeypatch.setattr(provide, "site_directory", lambda: environment.site)
    monkeypatch.setattr(provide, "_KEPT", ("numpy",))
    monkeypatch.setattr(provide.importlib.metadata, "version", lambda name: "2.4")
    wheel(environment.wheels, "numpy", "2.4")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(environment.wheels))
    monkeypatch.setenv("PIP_PYTHON", str(environment.python))
    assert provide.main(["--install", "trains", "mxnet-mkl==1.6.0"]) == 0
    said = capfd.readouterr().out
    assert "provided: mxnet-1.8.0.post0.dist-info" in said and "provided: mxnet_mkl-1.6.0.dist-info" in said
    listed = environment.pip("list", "--format=freeze").stdout.split()
    assert {"trains==1.0", "forecasts==1.0", "numpy==2.4", "mxnet==1.8.0.post0"} <= set(listed)
    assert environment.is_ours()
    assert "trains 1.0 has requirement numpy<1, but you have numpy 2.4" in environment.pip("check").stdout


def test_diagnose_here(capsys):
    code = diagnose.main(["--json"])
    report = json.loads(capsys.readouterr().out)
    assert code == (1 if report["obstacles"] else 0)
    assert report["mxnet"].startswith("1.9.1 (mxnext") and report["packages"]["torch"] and "cpu" in report["devices"]
    assert "gluoncv" in report["compat"] and "OPENCV" in report["features"]


def test_diagnose_finds_the_original(environment):
    """By the path of the file, since then import mxnet is the original's."""
    environment.pip("install", "mxnet==1.9.1")
    command = [str(environment.python), diagnose.__file__]
    away = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=environment.site, env=away)
    assert done.returncode == 1, done.stderr
    assert "The original is installed too (mxnet)" in done.stdout
    assert "libmxnet.so" in done.stdout and "pip uninstall -y mxnet mxnext && pip install" in done.stdout
    assert "fails: NameError" in done.stdout


def test_import_warns_of_files_of_the_original(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compat.warn_of_the_original(str(tmp_path))
    (tmp_path / ("libmxnet.dll" if os.name == "nt" else "libmxnet.so")).touch()
    with pytest.warns(UserWarning, match=r"file of the original MXNet.*mxnet\.tools\.diagnose.*mxnet\.tools\.provide"):
        compat.warn_of_the_original(str(tmp_path))
