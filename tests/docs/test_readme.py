"""The README in both languages (its code, tables and links are tested by test_docs.py, with all other pages)."""

import re

import pytest
from paths import ROOT

READMES = ["README.md", "README.zh-CN.md"]


def without_code(name):
    return re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(), flags=re.M | re.S)


def test_readmes_say_the_same():
    english, chinese = map(without_code, READMES)
    assert len(re.findall("^#+ ", english, flags=re.M)) == len(re.findall("^#+ ", chinese, flags=re.M))
    settings = [re.findall(r"^\| `([A-Z][A-Z_]{3,})", text, flags=re.M) for text in (english, chinese)]
    assert settings[0] == settings[1] != []
    numbers = [re.findall(r"\| ([\d./ ()]+) \|", text) for text in (english, chinese)]
    assert numbers[0] == numbers[1] != []


@pytest.mark.parametrize("name", READMES)
def test_readme_begins_with_what_it_is_and_two_commands(name):
    head = (ROOT / name).read_text().split("\n## ")[0]
    assert re.search("^make train .*\nmake test ", head, flags=re.M)


def test_readme_shows_real_training():
    (gluon, module) = re.findall(r"^test accuracy ([\d.]+)$", (ROOT / "README.md").read_text(), flags=re.M)
    assert min(float(gluon), float(module)) >= 0.9
    content = (ROOT / "docs" / "images" / "train.png").read_bytes()
    assert content.startswith(b"\x89PNG") and len(content) < 150 * 1024
