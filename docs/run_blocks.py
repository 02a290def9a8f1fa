"""Runs the code of the documentation and compares what it prints with what the pages show.

    python docs/run_blocks.py                      # all pages; says what differs
    python docs/run_blocks.py --update [page ...]  # writes outputs and pictures into pages, and code into translations

A page is Markdown. Its fenced blocks are read by their language:

``python``, ``bash``   run, one after the other, in one process and one empty directory per page
``text``               what the block before it printed; numbers with a point may differ a little by machine
``console``            likewise, for times and speeds: only the form has to be the same, not the numbers
``sh``                 commands that are shown, not run here (``tests/docs/test_docs.py`` looks whether they exist)
``py title="FILE"``    an excerpt of ``FILE`` of the package, or a program that the test ``FILE`` runs (by ``program``)

Other languages are shown as they are. A block without a language, or one that is indented, is an error: nobody could
tell whether it is run (``unclear``).

A picture of a page, ``![..](../images/name.png)``, is the file ``name.png`` that one of its blocks has written.
``page.zh.md`` is the translation of ``page.md``: it has the same blocks in the same order, which are run once.
Comments in the code are Chinese there: ``comments.zh.txt`` has them.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import linecache
import multiprocessing
import multiprocessing.connection
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
LIMIT = 300  # seconds that a page may take; far more than any needs, also on a busy machine

_FENCE = re.compile(r"^```(\w*)(?: title=\"([^\"]*)\")?\n(.*?)^```$", flags=re.M | re.S)
_PICTURE = re.compile(r"!\[[^]]*\]\(([^)]+\.(?:png|svg))\)")
_NUMBER = re.compile(r"-?\d+\.\d*(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")


@dataclass
class Block:
    """A fenced block of a page: its language, its title, its text, and where it stands."""

    language: str
    title: str | None
    text: str
    start: int
    end: int


def pages() -> list[Path]:
    """All pages in the language they were written in."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    for folder in ("docs", "examples", "mxnet"):
        found += sorted(page for page in (ROOT / folder).rglob("*.md") if "node_modules" not in page.parts)
    return [page for page in found if not page.name.endswith(".zh.md")]


def translation(page: Path) -> Path:
    """Where the Chinese version of a page is, if there is one."""
    return page.with_name("README.zh-CN.md") if page == ROOT / "README.md" else page.with_suffix(".zh.md")


def blocks_of(text: str) -> list[Block]:
    """The fenced blocks of a page."""
    return [Block(m[1], m[2], m[3], m.start(), m.end()) for m in _FENCE.finditer(text)]


def program(page: str, title: str) -> str:
    """The code of the blocks of a page (``torch.md``) that have this title, for the test that the title names."""
    blocks = [b.text for b in blocks_of((DOCS / page).read_text()) if b.language == "py" and b.title == title]
    if not blocks:
        raise LookupError(f"{page} has no block of Python that is called {title}")
    return "\n".join(blocks)


def in_chinese(text: str) -> str:
    """Blocks of a page for its Chinese version: comments in the code that is run or shown are Chinese."""

    def translated(match: re.Match[str]) -> str:
        if match[1] not in ("python", "bash", "sh"):
            return match[0]
        return re.sub(r"(?<=# )(.*)$", lambda m: _comments().get(m[1], m[1]), match[0], flags=re.M)

    return _FENCE.sub(translated, text)


@functools.cache
def _comments() -> dict[str, str]:
    lines = (DOCS / "comments.zh.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" = ", 1) for line in lines if " = " in line and not line.startswith("#"))  # type: ignore[misc]


def unclear(text: str) -> list[str]:
    """The beginnings of blocks of which nobody could tell whether they are run."""
    found = [b.text.split("\n")[0] for b in blocks_of(text) if not b.language or (b.language == "py") != bool(b.title)]
    rest = _FENCE.sub("", text)
    found += re.findall(r"^[ \t]*(?:```|~~~).*", rest, flags=re.M)  # indented, with other words behind, or never ended
    # An indented line after an empty one is code, except in a list, where it is the next paragraph of an entry.
    for paragraph in re.findall(r"(?<=\n\n)(?: {4}|\t).*", rest):
        before = rest[: rest.index(paragraph)].rstrip().split("\n")
        entry = next((line for line in reversed(before) if line and not line.startswith(" ")), "")
        if not re.match(r"(?:[-*+]|\d+\.) ", entry):
            found.append(paragraph)
    return found


def pairs_of(text: str) -> list[tuple[Block, Block | None]]:
    """The blocks to run, each with the block that shows its output, if there is one."""
    blocks = blocks_of(text)
    pairs: list[tuple[Block, Block | None]] = []
    for block, following in itertools.zip_longest(blocks, blocks[1:]):
        if block.language in ("python", "bash"):
            shown = following and following.language in ("text", "console")
            if shown and re.search("^#", text[block.end : following.start], flags=re.M):
                shown = False
            pairs.append((block, following if shown else None))
    return pairs


def pictures_of(page: Path) -> list[Path]:
    """The pictures that a page shows."""
    return [(page.parent / name).resolve() for name in _PICTURE.findall(page.read_text())]


def agrees(printed: str, shown: str, form_only: bool = False) -> bool:
    """Whether two outputs are the same, apart from spaces and the last digits of numbers with a point."""
    if form_only:
        numbers = re.compile(r"\d+(\.\d+)?(e[-+]?\d+)?")
        return numbers.sub("0", " ".join(printed.split())) == numbers.sub("0", " ".join(shown.split()))
    first, second = " ".join(printed.split()), " ".join(shown.split())
    if " ".join(_NUMBER.sub("", first).split()) != " ".join(_NUMBER.sub("", second).split()):
        return False
    return all(_close(a, b) for a, b in zip(_NUMBER.findall(first), _NUMBER.findall(second), strict=True))


def _close(a: str, b: str) -> bool:
    if a.endswith(".") and b.endswith("."):  # so NumPy writes whole numbers
        return float(a) == float(b)
    digits = len(b.partition(".")[2].partition("e")[0])
    step = 1.5 * 10.0**-digits * (10.0 ** float(b.partition("e")[2] or 0))
    return abs(float(a) - float(b)) <= 0.01 * abs(float(b)) + step


# Running a page, in a process of its own.


def _run_page(page: Path, folder: Path) -> None:
    """Runs the blocks of a page in ``folder`` and leaves what they printed there, as JSON."""
    result: dict = {"outputs": [], "error": None}
    work = folder / "work"
    work.mkdir()
    os.chdir(work)
    buffer = (folder / "printed").open("w+")
    sys.stdout = sys.stderr = buffer
    namespace: dict = {"__name__": "__main__"}
    # It names a directory of this machine; the pages say themselves that the digits are a sample.
    warnings.filterwarnings("ignore", message="MNIST was not found")
    random.seed(0)  # what shuffles is NumPy's and Python's, which pages do not seed
    numpy.random.seed(0)
    for number, (block, _) in enumerate(pairs_of(page.read_text()), 1):
        begin = buffer.seek(0, os.SEEK_END)
        try:
            if block.language == "bash":
                _run_commands(block.text, buffer)
            else:
                name = f"{page.name}, block {number}"
                linecache.cache[name] = (len(block.text), None, block.text.splitlines(True), name)
                exec(compile(block.text, name, "exec"), namespace)
        except BaseException:
            result["error"] = f"block {number}: {traceback.format_exc()}"
        buffer.flush()
        buffer.seek(begin)
        result["outputs"].append(buffer.read().replace(f"{work}/", ""))
        if result["error"]:
            break
    (folder / "result.json").write_text(json.dumps(result))


def _run_commands(text: str, output: object) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-ec", text], env=environment, capture_output=True, text=True, timeout=LIMIT)
    print(done.stdout, end="", file=output)
    if done.returncode:
        raise RuntimeError(f"ended with code {done.returncode}: {done.stderr}")


def run(chosen: list[Path], jobs: int, scratch: Path) -> dict[Path, dict]:
    """Runs pages, ``jobs`` at a time, each in a child of this process, which has imported what all of them need."""
    # The same everywhere: no window, no GPU, no data sets that a machine happens to have.
    os.environ.update(MPLBACKEND="Agg", OMP_NUM_THREADS="1", MXNET_HOME=str(scratch / "home"), CUDA_VISIBLE_DEVICES="")
    import mxnet.gluon  # noqa: F401  here, so that the children need not

    context = multiprocessing.get_context("fork")
    waiting, running, results = list(chosen), {}, {}
    while waiting or running:
        while waiting and len(running) < jobs:
            page = waiting.pop(0)
            folder = Path(tempfile.mkdtemp(dir=scratch))
            process = context.Process(target=_run_page, args=(page, folder))
            process.start()
            running[process.sentinel] = (process, page, folder)
        for sentinel in multiprocessing.connection.wait(running, timeout=LIMIT) or list(running):
            process, page, folder = running.pop(sentinel)
            if process.is_alive():
                process.kill()
            process.join()
            report = folder / "result.json"
            lost = {"outputs": [], "error": f"the process ended with code {process.exitcode}, or took too long"}
            results[page] = {**(json.loads(report.read_text()) if report.exists() else lost), "folder": folder / "work"}
    return results


# Comparing and writing.


def differences(page: Path, result: dict) -> list[str]:
    """What a page shows and its blocks do not do, and where its translation differs from it."""
    if result["error"]:
        return [f"{page.name}: {result['error']}"]
    wrong = []
    text = page.read_text()
    for number, ((block, shown), printed) in enumerate(zip(pairs_of(text), result["outputs"], strict=True), 1):
        expected = shown.text if shown else ""
        if not agrees(printed, expected, form_only=bool(shown) and shown.language == "console"):
            wrong.append(
                f"{page.name}, block {number}: {block.text.strip().splitlines()[0]} ...\n"
                f"  prints\n{printed}\n  the page shows\n{expected}"
            )
    for picture in pictures_of(page):
        drawn = result["folder"] / picture.name
        borrowed = re.search(rf"\[!\[[^]]*\]\([^)]*{re.escape(picture.name)}\)", text)
        own = "images/pages/" in picture.as_posix() and not borrowed
        if not picture.exists() or (pairs_of(text) and own and not drawn.exists()):
            wrong.append(f"{page.name}: no block writes {picture.name}")
    other = translation(page)
    if other.exists():
        pair = (in_chinese(page.read_text()), other.read_text())
        ours, theirs = ([(b.language, b.title, b.text) for b in blocks_of(text)] for text in pair)
        if ours != theirs:
            wrong.append(f"{other.name} has other blocks than {page.name}: python docs/run_blocks.py --update")
        if [p.name for p in pictures_of(page)] != [p.name for p in pictures_of(other)]:
            wrong.append(f"{other.name} shows other pictures than {page.name}")
    return wrong


def update(page: Path, result: dict) -> None:
    """Writes what blocks printed and drew into a page, and its blocks into the translation."""
    text = page.read_text()
    for (block, shown), printed in reversed(list(zip(pairs_of(text), result["outputs"], strict=False))):
        if shown and agrees(printed, shown.text, form_only=shown.language == "console"):
            continue  # no change for a last digit
        printed = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
        output = f"```{shown.language if shown else 'text'}\n{printed}\n```" if printed.strip() else ""
        if shown:
            text = text[: shown.start] + output + text[shown.end :]
        elif output:
            text = f"{text[: block.end]}\n\n{output}{text[block.end :]}"
    page.write_text(text)
    for picture in pictures_of(page):
        drawn = result["folder"] / picture.name
        if drawn.exists():
            picture.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(drawn, picture)
    translate(page)


def translate(page: Path) -> None:
    """Gives the blocks of a page to its translation: their places are its blocks, which may be empty."""
    other = translation(page)
    if not other.exists():
        return
    original, text = in_chinese(page.read_text()), other.read_text()
    groups, places = _groups(original), _groups(text)
    if len(places) != len(groups):
        sys.exit(f"{other.name} has {len(places)} blocks, {page.name} has {len(groups)}")
    for (start, end), (first, last) in zip(reversed(places), reversed(groups), strict=True):
        text = text[:start] + original[first:last] + text[end:]
    other.write_text(text)


def _groups(text: str) -> list[tuple[int, int]]:
    """Where the blocks of a page begin and end, each with the outputs that stand directly below it."""
    found: list[tuple[int, int]] = []
    for block in blocks_of(text):
        if found and block.language in ("text", "console") and not text[found[-1][1] : block.start].strip():
            found[-1] = (found[-1][0], block.end)
        else:
            found.append((block.start, block.end))
    return found


def main() -> int:
    """Runs the pages that were named, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("page", nargs="*", type=Path)
    parser.add_argument("--update", action="store_true", help="write outputs and pictures into the pages")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    drawing = [] if shutil.which("dot") else [page for page in pages() if ".render(" in page.read_text()]
    if drawing:
        print(f"Graphviz (dot) is missing: {', '.join(p.name for p in drawing)} not run")
    chosen = [page.resolve() for page in args.page if not page.name.endswith(".zh.md")] or pages()
    chosen = [page for page in chosen if page not in drawing]
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        results = run(chosen, args.jobs, Path(scratch))
        for page in chosen:
            if args.update and not results[page]["error"]:
                update(page, results[page])
            wrong += differences(page, results[page])
    print("\n".join(wrong) or f"{len(chosen)} pages print what they show")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
