"""The README shows real output: its programs are run, in order, and print what it says they print."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", README, flags=re.S)


@pytest.mark.parametrize(("program", "shown"), PROGRAMS)
def test_readme_program(program, shown, tmp_path):
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    printed = done.stdout if done.returncode == 0 else done.stderr.strip().split("\n")[-1]
    assert " ".join(printed.split()) == " ".join(shown.split())


def test_readme_has_programs():
    assert len(PROGRAMS) >= 2


def test_readme_training():
    """What it shows of `make train` is in the form that the program prints today (tests/test_examples.py runs it)."""
    (shown,) = re.findall(r"```console\n(.*?)```", README, flags=re.S)
    assert shown.startswith("9000 digits to learn from, 1000 held out, 2000 to test on\nLeNet, by Gluon\n")
    accuracies = re.findall(r"^  test accuracy ([\d.]+)% after [\d.]+ s$", shown, flags=re.M)
    assert len(accuracies) == 2 and min(map(float, accuracies)) >= 97
    assert shown.count("loaded again, they predict the same") == 2
    (picture,) = re.findall(r"!\[.*\]\((.*)\)", README)
    content = (ROOT / picture).read_bytes()
    assert content.startswith(b"\x89PNG") and len(content) < 150 * 1024


def test_readme_links():
    for target in re.findall(r"\]\(((?!http)[^)#]+)\)", README):
        assert (ROOT / target).exists(), target
