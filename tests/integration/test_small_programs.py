"""Small programs give what the original gave: stores and optimizers of trainers and modules, batches, blocks, text."""

import json

import pytest
import small_program_cases as small_programs
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("small_programs.json.gz")
PROGRAMS = small_programs.programs(mx)


def close(found, expected):
    """Equal, numbers up to rounding."""
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(close, found, expected))
    if isinstance(found, dict) and isinstance(expected, dict):
        return found.keys() == expected.keys() and all(close(found[key], expected[key]) for key in found)
    if isinstance(found, float) and isinstance(expected, float):
        return found == pytest.approx(expected, rel=1e-4, abs=2e-5, nan_ok=True)
    return found == expected


def test_every_program_was_recorded():
    assert PROGRAMS.keys() == RECORDED.keys()


@pytest.mark.filterwarnings("ignore")  # many of them are warned of, as in the original
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_programs_give_what_the_original_gave(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found, expected = small_programs.outcome(PROGRAMS[name], mx), RECORDED[name]
    if "raises" in expected:
        assert expected["raises"][0] in found.get("raises", ()), found
    else:
        assert close(json.loads(json.dumps(found)), expected)
