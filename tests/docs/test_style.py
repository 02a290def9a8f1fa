"""The English of pages and docstrings: no words of the list in banned_words.txt (docs/developer/style.md says why)."""

import ast
import io
import pathlib
import re
import tokenize

import pytest
from paths import ROOT

import mxnet

LIST = pathlib.Path(__file__).with_name("banned_words.txt")
RULES = [tuple(line.split(" = ", 1)) for line in LIST.read_text().splitlines() if " = " in line and line[0] != "#"]
#: Pages whose subject are the words themselves, and those that quote the package's own reasons and messages.
EXEMPT = {"docs/developer/style.md", "docs/compat.md"}
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/*.md", "docs/concepts/*.md", "docs/tutorials/*.md", "examples/*/*.md")
    for page in ROOT.glob(pattern)
    if not re.search(r"\.zh", page.name) and page.relative_to(ROOT).as_posix() not in EXEMPT
)
PACKAGE = pathlib.Path(mxnet.__file__).parent
PROGRAMS = sorted(ROOT.glob("examples/*.py"))
PACKAGES = sorted(
    path
    for path in PACKAGE.iterdir()
    if path.suffix == ".py" or ((path / "__init__.py").exists() and path.name != "_samples")
)
#: Words of MXNet 1.9.1's own messages, which programs may compare.
QUOTED = {"Undefined behaviour for "}


def prose(text):
    """A page without its code, quotations and generated tables."""
    text = re.sub(r"^```.*?^```$|<!-- generated: .*?<!-- end -->|^>.*?$", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "``", text)


def complaints(text):
    """The banned words in a text, each with what to write instead."""
    return [
        f"{match[0]!r}: write {instead}"
        for words, instead in RULES
        for match in re.finditer(words, " ".join(text.split()), flags=re.I)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_pages(page):
    assert complaints(prose(page.read_text())) == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_examples_say_what_they_are(program):
    """The first docstring, which the site shows."""
    about = ast.get_docstring(ast.parse(program.read_text()))
    assert about and about.split("\n")[0].endswith(".")
    assert complaints(prose(about)) == []


def texts(source):
    """The docstrings, comments and messages of errors in a program, with their lines."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""
        elif isinstance(node, ast.Raise) and node.exc is not None:
            for part in ast.walk(node.exc):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value not in QUOTED:
                    yield part.lineno, part.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.name)
def test_the_package(package):
    """Docstrings, comments and messages."""
    found = [
        f"{file.relative_to(PACKAGE.parent)}:{line}: {complaint}"
        for file in ([package] if package.suffix else sorted(package.rglob("*.py")))
        for line, text in texts(file.read_text())
        for complaint in complaints(prose(text))
    ]
    assert found == []


def test_texts_of_a_program():
    source = '"""Module."""\ndef f():\n    """Docs."""\n    raise ValueError(f"bad {1}")  # note\n'
    assert [text for _, text in texts(source)] == ["Module.", "Docs.", "bad ", "# note"]


def test_the_list_finds_what_it_is_for():
    found = complaints("Graphics cards mend what\nis told, of course.")
    assert len(found) == 4 and found[0].startswith("'mend'")
    assert complaints("The operator reports its shape. An amendment recommends.") == []
