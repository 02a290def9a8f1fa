"""Short programs give what the original gave, or raise an error that is all that the original's was."""

import json
import math
from concurrent.futures import ThreadPoolExecutor

import pytest
import short_program_cases
from compare import load_golden

import mxnet as mx

RECORDED = load_golden("short_programs.json.gz")
PROGRAMS = [(text, expected) for texts in RECORDED.values() for text, expected in texts]


def same(found, expected):
    """Equal, numbers up to rounding; errors may be of more classes than there."""
    if isinstance(found, list) and isinstance(expected, list):
        if found[:1] == expected[:1] == ["error"]:
            return set(expected) - {"MXNetError"} <= set(found)
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(found, str) and isinstance(expected, str) and found != expected:
        try:
            return math.isclose(float(found), float(expected), rel_tol=2e-4, abs_tol=2e-6)
        except ValueError:
            return False
    return found == expected


def test_every_program_was_recorded():
    recorded = {file: [text for text, _ in texts] for file, texts in RECORDED.items()}
    assert recorded == short_program_cases.programs()


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_short_programs_give_what_the_original_gave(number):
    text, expected = PROGRAMS[number]
    with ThreadPoolExecutor(1) as thread:  # the scopes that a program does not leave end with its thread
        found = thread.submit(short_program_cases.outcome, text, mx).result()
    assert same(json.loads(json.dumps(found)), expected), text
