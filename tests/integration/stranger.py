"""What a stranger does who has old projects: a new environment, two commands, four packages, a training run of each.

    python tests/integration/stranger.py [--python python3.13] [--folder build/stranger]
    make stranger PYTHON=python3.13

Prints how long each step takes, those of pip with their downloads. torch is installed first, by the version that
constraints.txt names; all else is what pip chooses today. The programs that train are those of ``test_packages.py``,
run by the new environment, which sees neither this folder's package nor what is installed elsewhere.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["gluoncv==0.10.5", "gluonts", "sockeye==2.3.24", "keras-mxnet"]
TRAINING = {
    "GluonCV": "test_gluoncv_trains_a_detector",
    "GluonTS": "test_gluonts and deepar",
    "Sockeye": "test_sockeye",
    "keras-mxnet": "test_keras",
}


def step(name: str, *command: str, folder: Path = ROOT, **environment: str) -> str:
    """Runs a command, tells how long it took, and returns what it printed. The path ends if the command fails."""
    start = time.monotonic()
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=folder, env={**clean, **environment}, capture_output=True, text=True)
    print(f"{time.monotonic() - start:7.1f} s  {name}", flush=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}")
    return done.stdout


def main() -> None:
    """The whole path."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default=sys.executable, help="what makes the environment")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "stranger", help="is emptied")
    args = parser.parse_args()
    folder = args.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    step("python -m venv", args.python, "-m", "venv", str(folder / "env"))
    python = str(folder / "env" / "bin" / "python")
    pip = (python, "-m", "pip", "--disable-pip-version-check", "-q")
    torch = re.search(r"^torch==.*$", (ROOT / "constraints.txt").read_text(), flags=re.M)
    assert torch is not None
    step(f"pip install {torch[0]}", *pip, "install", torch[0])
    step("pip install .", *pip, "install", ".")
    step("python -m mxnet.tools.provide", python, "-m", "mxnet.tools.provide", folder=folder)
    name = f"python -m mxnet.tools.provide --install {' '.join(PACKAGES)}"
    step(name, python, "-m", "mxnet.tools.provide", "--install", *PACKAGES, folder=folder)
    print(step("python -m mxnet.tools.diagnose", python, "-m", "mxnet.tools.diagnose", folder=folder))
    versions = "import sys, numpy, torch; print(sys.version.split()[0], numpy.__version__, torch.__version__)"
    found = step("versions", python, "-c", versions, folder=folder).split()
    print("Python {}, NumPy {}, torch {}".format(*found))
    if not found[1].startswith("2."):
        sys.exit("NumPy 2 should have stayed")
    step("pip install pytest (for the rest of this)", *pip, "install", "pytest")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    shutil.copy(ROOT / "tests" / "test_packages.py", folder)
    site = step("where packages are", python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    for name, chosen in TRAINING.items():
        command = (python, "-m", "pytest", "-q", "test_packages.py", "-k", chosen)
        said = step(f"{name} trains", *command, folder=folder, MXNET_TEST_PACKAGES=site)
        if "passed" not in said or "skipped" in said:
            sys.exit(f"{name} was not trained:\n{said}")


if __name__ == "__main__":
    main()
