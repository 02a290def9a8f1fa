"""The tests beside an installed wheel, for versions of Python, torch and NumPy: ``make matrix``.

    make matrix                                                # every row whose Python is here
    make matrix ROWS="py313-newest"                            # one of them
    make matrix ROWS="py311-torch2.14.1" ARGS="tests/ops -k clip"

Each row has an environment of its own in build/matrix, which is kept for the next run, and a copy of the repository
without the package, so that the tests see what users have. torch is installed before the wheel, and the wheel without
its requirements, so that versions that pyproject.toml does not allow can be tried, too. A row that is not in the table
may be named by the same pattern: ``py312-torch2.14.1-numpy2.2.6``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import nox

ROOT = Path(__file__).resolve().parent
FOLDER = ROOT / "build" / "matrix"
EXTRAS = ("docs", "plot", "s3", "test")
#: Python, torch and NumPy; a torch or NumPy of None is the newest that pip finds. From 2.13 on torch's wheels for Linux
#: that are not for the CPU only bring several gigabytes of CUDA.
ROWS: dict[str, tuple[str, str | None, str | None]] = {
    "py311-oldest": ("3.11", "2.13.0", "1.26.4"),
    "py311-newest": ("3.11", None, None),
    "py312-newest": ("3.12", None, None),
    "py313-newest": ("3.13", None, None),
    "py314-newest": ("3.14", None, None),
}
#: Packages whose pinned versions want NumPy 2: with NumPy 1 pip chooses.
BUILT_ON_NUMPY = (
    "contourpy",
    "matplotlib",
    "ml_dtypes",
    "onnx",
    "onnxruntime",
    "opencv-python-headless",
    "pandas",
    "scipy",
)

nox.options.envdir = str(FOLDER / "envs")
nox.options.reuse_existing_virtualenvs = True
nox.options.error_on_missing_interpreters = False


def _row(name: str) -> tuple[str, str | None, str | None]:
    """The versions of a row, by its entry in the table or by its name."""
    if name in ROWS:
        return ROWS[name]
    match = re.fullmatch(r"py3(\d+)-torch([\d.]+)(?:-numpy([\d.]+))?", name)
    if match is None:
        raise SystemExit(f"no row {name!r}: name one of {', '.join(ROWS)}, or py312-torch2.14.1[-numpy2.2.6]")
    return f"3.{match[1]}", match[2], match[3]


def _requirements() -> list[str]:
    """What the package and its tests need, besides torch and NumPy."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in EXTRAS)]
    return sorted({name for group in groups for name in group if not name.startswith(("torch", "numpy"))})


def _is_numpy_1(numpy: str | None) -> bool:
    return numpy is not None and numpy.startswith("1.")


def _constraints(session: nox.Session, numpy: str | None) -> Path:
    """The pins of constraints.txt but for torch and NumPy, and for what an old NumPy cannot use."""
    free = {"torch", "numpy", *(BUILT_ON_NUMPY if _is_numpy_1(numpy) else ())}
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    kept = [pin for pin in pins if pin.partition("==")[0] not in free]
    path = Path(session.create_tmp()) / "constraints.txt"
    path.write_text("\n".join([*kept, f"numpy=={numpy}" if numpy else "numpy>=2"]) + "\n")
    return path


def _copy_repository(target: Path) -> None:
    """Copies everything that git knows or would add, apart from the package."""
    shutil.rmtree(target, ignore_errors=True)
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, subprocess.check_output(command, cwd=ROOT, text=True).split("\0")):
        if not name.startswith("mxnet/") and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def _row_session(session: nox.Session, row: str) -> None:
    _, torch, numpy = _row(row)
    pip = ("--disable-pip-version-check", "-q")
    constraints = _constraints(session, numpy)
    session.install(*pip, f"torch=={torch}" if torch else "torch", *(() if torch else ("--upgrade",)))
    wheels_only = ("--only-binary", ",".join(BUILT_ON_NUMPY))
    session.install(*pip, "-c", str(constraints), *wheels_only, "numpy", "setuptools", *_requirements())
    wheels = FOLDER / row / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    session.run("pip", "wheel", *pip, "--no-deps", "--no-build-isolation", "-w", str(wheels), str(ROOT))
    session.install(*pip, "--no-deps", "--force-reinstall", *map(str, wheels.glob("*.whl")))
    rest = FOLDER / row / "repository"
    _copy_repository(rest)
    session.chdir(rest)
    session.env.update(PYTHONPATH="", OMP_NUM_THREADS="1")
    parts = "sys.version, torch.__version__, numpy.__version__, mxnet.__file__"
    versions = f"import mxnet, numpy, sys, torch; print({parts})"
    session.run("python", "-c", versions)
    jobs = os.environ.get("JOBS", "2")
    session.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", jobs, *session.posargs)


def _add(row: str) -> None:
    @nox.session(name=row, python=_row(row)[0], venv_backend="venv" if row.startswith("py311") else "virtualenv")
    def tests(session: nox.Session) -> None:
        _row_session(session, row)


for _name in dict.fromkeys([*ROWS, *os.environ.get("MATRIX_ROWS", "").split()]):
    _add(_name)
