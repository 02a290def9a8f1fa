"""The README shows real output: its programs are run, in order, and print what it says they print."""

import pathlib
import re
import subprocess
import sys

import pytest

README = (pathlib.Path(__file__).resolve().parent.parent / "README.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", README, flags=re.S)


@pytest.mark.parametrize(("program", "shown"), PROGRAMS)
def test_readme_program(program, shown, tmp_path):
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    printed = done.stdout if done.returncode == 0 else done.stderr.strip().split("\n")[-1]
    assert " ".join(printed.split()) == " ".join(shown.split())


def test_readme_has_programs():
    assert len(PROGRAMS) >= 2
