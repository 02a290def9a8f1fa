"""Writes the tutorials as notebooks: the same text, code and outputs as the pages.

    python docs/notebooks.py [folder]      # build/notebooks, in English and Chinese

A page of ``docs/tutorials`` is the source. The site offers its notebook for download (docs/hooks.py), a test runs them.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

import run_blocks  # noqa: E402


def tutorials() -> list[Path]:
    """The pages that are notebooks, in the order in which they are read, in both languages."""
    listed = re.findall(r"\]\((\w+)\.md\)", (DOCS / "tutorials" / "index.md").read_text())
    names = [name for name in listed if (DOCS / "tutorials" / f"{name}.md").exists()]
    return [DOCS / "tutorials" / f"{name}{language}.md" for language in ("", ".zh") for name in names]


def notebook(page: Path) -> dict[str, Any]:
    """A page as a notebook of format 4.5; pictures are in it, links to other pages become their titles."""
    text = page.read_text()
    cells: list[dict[str, Any]] = []
    position = 0
    for block, shown in run_blocks.pairs_of(text):
        _add_text(cells, text[position : block.start], page)
        cells.append(_code(block.text, shown.text if shown else "", len(cells)))
        position = (shown or block).end
    _add_text(cells, text[position:], page)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _add_text(cells: list[dict[str, Any]], text: str, page: Path) -> None:
    if not text.strip():
        return
    pictures: dict[str, Any] = {}

    def embed(match: re.Match[str]) -> str:
        file = (page.parent / match[2]).resolve()
        pictures[file.name] = {"image/png": base64.b64encode(file.read_bytes()).decode()}
        return f"![{match[1]}](attachment:{file.name})"

    source = re.sub(r"!\[([^]]*)\]\(([^)]+\.png)\)", embed, text.strip())
    source = re.sub(r"(?<!!)\[([^]]*)\]\((?!http)[^)]*\)", r"\1", source)
    cell: dict[str, Any] = {"cell_type": "markdown", "id": f"cell-{len(cells)}", "metadata": {}, "source": source}
    cells.append(cell | ({"attachments": pictures} if pictures else {}))


def _code(source: str, printed: str, number: int) -> dict[str, Any]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed.strip() else []
    cell = {"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "execution_count": None}
    return {**cell, "source": source.strip("\n"), "outputs": outputs}


def write(folder: Path) -> list[Path]:
    """Writes all notebooks into a folder; the Chinese ones have ``.zh`` in their names."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for page in tutorials():
        target = folder / f"{page.stem}.ipynb"
        target.write_text(json.dumps(notebook(page), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        written.append(target)
    return written


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS.parent / "build" / "notebooks"
    print(f"{len(write(where))} notebooks in {where}")
