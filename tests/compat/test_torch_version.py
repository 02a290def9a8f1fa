"""The versions of torch: what pip may choose is what was tested, and others are warned of."""

import re
import subprocess
import sys
import tomllib
import warnings

import pytest
from paths import ROOT

from mxnet._core import torch_version

FIRST, LAST = torch_version.TESTED


def test_pip_may_choose_what_was_tested():
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    (found,) = (d for d in dependencies if d.startswith("torch"))
    assert found == f"torch>={FIRST[0]}.{FIRST[1]},<{LAST[0]}.{LAST[1] + 1}"
    pinned = re.search(r"^torch==(\d+)\.(\d+)", (ROOT / "constraints.txt").read_text(), flags=re.M)
    assert FIRST <= tuple(map(int, pinned.groups())) <= LAST
    range_of = re.compile(rf"{FIRST[0]}\.{FIRST[1]}\D+{LAST[0]}\.{LAST[1]}\b")
    for page in ("docs/moving.md", "docs/moving.zh.md"):
        assert range_of.search((ROOT / page).read_text()), page


@pytest.mark.parametrize("version", ["1.13.1", "2.5.0", f"{LAST[0]}.{LAST[1] + 1}.0a0+git1234", "3.0"])
def test_others_are_warned_of(version):
    said = r"^MXNext is tested with torch 2\.\d+ to 2\.\d+, this is torch "
    with pytest.warns(UserWarning, match=said + re.escape(version)):
        torch_version.warn_if_untested(version)


@pytest.mark.parametrize("rest", [".0", ".1+cu132"])
@pytest.mark.parametrize("minor", torch_version.TESTED)
def test_nothing_is_said_of_those(minor, rest):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch_version.warn_if_untested("{}.{}".format(*minor) + rest)


def test_the_warning_comes_with_the_first_array():
    program = "import torch; torch.__version__ = '9.9.0'; import mxnet as mx; mx.nd.ones(1)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.count("this is torch 9.9.0") == 1
