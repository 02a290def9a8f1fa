"""The tutorials as notebooks: all of them run, and print what the pages show."""

import json

import notebooks
import pytest
import run_blocks

nbformat = pytest.importorskip("nbformat", reason="reads notebooks")
nbclient = pytest.importorskip("nbclient", reason="runs notebooks")
pytest.importorskip("ipykernel", reason="runs notebooks")
ENGLISH = [page for page in notebooks.tutorials() if not page.name.endswith(".zh.md")]


def test_a_path_of_ten(tmp_path):
    assert len(ENGLISH) == 10
    written = notebooks.write(tmp_path)
    assert len(written) == 20
    for file in written:
        nbformat.validate(nbformat.read(file, as_version=4))
        assert "](../" not in file.read_text()  # links to pages would lead nowhere


@pytest.mark.parametrize("page", ENGLISH, ids=lambda p: p.stem)
def test_a_notebook_runs(page, tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    book = nbformat.reads(json.dumps(notebooks.notebook(page)), as_version=4)
    shown = ["".join(out["text"] for out in c.outputs) for c in book.cells if c.cell_type == "code"]
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources=resources).execute()
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    for cell, expected in zip(cells, shown, strict=True):
        printed = "".join(out["text"] for out in cell.outputs if out.get("name") == "stdout")
        assert run_blocks.agrees(printed, expected), (cell.source, printed, expected)
