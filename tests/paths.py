"""Folders that tests read."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
EXAMPLES = ROOT / "examples"
#: What the original gave, as the recorders beside the tests have written it.
GOLDEN = TESTS / "golden"
