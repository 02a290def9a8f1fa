"""The tests beside an installed wheel, with other versions of torch than the one that constraints.txt names.

    python tests/integration/matrix.py [2.14.1 ...] [--jobs 2] [-- tests/ops/test_ops.py -k clip]
    make matrix [TORCH=2.14.1]

Without a version it is the newest one that pip finds. Each gets an environment of its own in build/matrix, which is
kept for the next run, and a copy of this folder without the package, so that tests see what users have. torch is
installed before the wheel, and the wheel without what it requires: versions that pyproject.toml does not allow can be
tried, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "matrix"
EXTRAS = ("docs", "plot", "s3", "test")


def run(*command: str | Path, folder: Path = ROOT) -> None:
    """Runs a command; this program ends if it fails."""
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([str(part) for part in command], cwd=folder, env=clean)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}")


def requirements() -> list[str]:
    """What the package and its tests need, besides torch."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in EXTRAS)]
    return sorted({name for group in groups for name in group if not name.startswith("torch")})


def environment(version: str) -> Path:
    """The interpreter of an environment with that torch, this package, and what tests need."""
    python = FOLDER / version / "env" / "bin" / "python"
    if not python.exists():
        run(sys.executable, "-m", "venv", FOLDER / version / "env")
    pip = (python, "-m", "pip", "--disable-pip-version-check", "-q")
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    constraints = FOLDER / "constraints.txt"
    constraints.write_text("\n".join(pin for pin in pins if not pin.startswith("torch==")) + "\n")
    # torch alone, since its own requirements come before the pins
    run(*pip, "install", *(("--upgrade", "torch") if version == "newest" else (f"torch=={version}",)))
    run(*pip, "install", "-c", constraints, "setuptools", *requirements())
    wheels = FOLDER / version / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, ROOT)
    run(*pip, "install", "--no-deps", "--force-reinstall", *wheels.glob("*.whl"))
    return python


def copy_of_the_rest(target: Path) -> None:
    """Everything that git knows or would take, apart from the package."""
    shutil.rmtree(target, ignore_errors=True)
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if not name.startswith("mxnet/") and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def main() -> None:
    """Each version in turn; ends at the first whose tests fail."""
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("versions", nargs="*", default=["newest"])
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(given[:end])
    FOLDER.mkdir(parents=True, exist_ok=True)
    os.environ["OMP_NUM_THREADS"] = "1"
    for version in args.versions:
        python = environment(version)
        rest = FOLDER / version / "rest"
        copy_of_the_rest(rest)
        versions = (
            "import mxnet, numpy, torch; print('torch', torch.__version__, 'NumPy', numpy.__version__, mxnet.__file__)"
        )
        run(python, "-c", versions, folder=rest)
        run(
            python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", str(args.jobs), *given[end + 1 :], folder=rest
        )


if __name__ == "__main__":
    main()
