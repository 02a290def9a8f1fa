"""The documentation is true: its code prints what it shows, its tables are of facts, its links lead somewhere."""

import argparse
import importlib.metadata
import importlib.util
import inspect
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest
import run_blocks
import torch
import yaml
from paths import ROOT

import mxnet as mx
from mxnet import gluon, nd

DOCS = ROOT / "docs"
PAGES = run_blocks.pages()
CONCEPTS = sorted(p for p in (DOCS / "concepts").glob("*.md") if not p.name.endswith(".zh.md"))
TRANSLATED = [p for p in PAGES if run_blocks.translation(p).exists()]
MARKDOWN = [*PAGES, *map(run_blocks.translation, TRANSLATED)]
HALVES = {"first": PAGES[::2], "second": PAGES[1::2]}


def source_of(path):
    """A file of the repository; those of the package are where it is imported from, which may be another place."""
    inside = pathlib.Path(os.path.relpath(path, ROOT))
    return pathlib.Path(mx.__file__).parent.parent / inside if inside.parts[0] == "mxnet" else path


@pytest.mark.parametrize("half", HALVES)
def test_blocks_print_what_pages_show(half):
    """In two parts, so that two processes of pytest can share the work."""
    pages = [str(p) for p in HALVES[half]]
    done = subprocess.run(
        [sys.executable, str(DOCS / "run_blocks.py"), "--jobs", "1", *pages], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_runner_sees_differences(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# x\n\n```python\nprint(1.0, 'a')\n```\n\n```text\n1.5 a\n```\n\n```python\nprint(7)\n```\n")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    code = f"""
import sys, pathlib
sys.path.insert(0, {str(DOCS)!r})
import run_blocks
page = pathlib.Path({str(page)!r})
result = run_blocks.run([page], 1, pathlib.Path({str(scratch)!r}))[page]
print(len(run_blocks.differences(page, result)))
run_blocks.update(page, result)
print(len(run_blocks.differences(page, result)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "0"]
    assert "1.0 a" in page.read_text() and "```text\n7\n```" in page.read_text()


@pytest.mark.parametrize(
    ("printed", "shown", "same"),
    [
        ("a 1.00 2", "a  1.01\n2", True),
        ("a 1.00 2", "a 1.00 3", False),
        ("1e-7", "3e-7", False),
        ("[1. 2.]", "[2. 2.]", False),
        ("loss 0.5", "loss 0.9", False),
        ("[1. 2.]", "[1. 2.]", True),
        ("x", "y", False),
    ],
)
def test_outputs_are_compared(printed, shown, same):
    assert run_blocks.agrees(printed, shown) is same


def test_speeds_are_compared_by_form():
    assert run_blocks.agrees("Speed: 12.5 samples/sec", "Speed: 1000.25 samples/sec", form_only=True)
    assert not run_blocks.agrees("Speed: 12.5 samples/sec", "Speed: fast", form_only=True)


@pytest.mark.parametrize("page", CONCEPTS, ids=lambda p: p.stem)
def test_concepts_are_complete(page):
    assert len(run_blocks.pairs_of(page.read_text())) >= 3
    assert run_blocks.translation(page) in MARKDOWN


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_translations_are_complete(page):
    """The same headings, links, lines of tables and code in them; blocks and pictures are compared by run_blocks.py."""
    text, chinese = (
        re.sub(r"^```.*?^```$", "", p.read_text(), flags=re.M | re.S) for p in (page, run_blocks.translation(page))
    )
    assert text.startswith("# ") and len(re.findall("[\u4e00-\u9fff]", chinese)) > 100
    headings = [re.findall(r"^(#+) ", t, flags=re.M) for t in (text, chinese)]
    assert headings[0] == headings[1]
    links = [{link.replace(".zh", "") for link in re.findall(r"\]\(([^)#]+\.md)", t)} for t in (text, chinese)]
    assert links[0] - {"README-CN.md"} == links[1] - {"README.md"}
    tables = [[len(line.split(" | ")) for line in re.findall(r"^\|.*", t, flags=re.M)] for t in (text, chinese)]
    assert tables[0] == tables[1]
    firsts = [re.findall(r"^\| (`[^|]*`) \|", t.replace("、", ", "), flags=re.M) for t in (text, chinese)]
    assert firsts[0] == firsts[1]


def test_what_newcomers_read_is_in_chinese_too():
    english_only = {p.relative_to(DOCS).as_posix() for p in PAGES if DOCS in p.parents and p not in TRANSLATED}
    assert {name for name in english_only if not name.startswith(("developer/", "reference/"))} == set()


def test_tables_are_up_to_date():
    done = subprocess.run([sys.executable, str(DOCS / "generate.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def navigation(entries):
    for entry in entries:
        if isinstance(entry, dict):
            for below in entry.values():
                yield from navigation(below if isinstance(below, list) else [below])
        else:
            yield entry


def test_every_page_is_in_the_navigation():
    class Loader(yaml.SafeLoader):
        pass

    listed = list(navigation(yaml.load((ROOT / "mkdocs.yml").read_text(), Loader)["nav"]))
    pages = {p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md") if not p.name.endswith(".zh.md")}
    assert set(listed) == pages and len(listed) == len(pages)


@pytest.mark.parametrize("page", [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md"))], ids=lambda p: p.name)
def test_links_lead_to_files(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(((?!http|#)[^)#\s]+)", text):
        assert source_of(page.parent / target).exists(), target


def commands():
    for page in PAGES:
        for block in run_blocks.blocks_of(page.read_text()):
            if block.language == "sh":
                lines = block.text.replace("\\\n", " ").splitlines()
                yield from ((page.name, line.partition("#")[0].strip()) for line in lines)


# Programs of others, which pages may tell to use.
PROGRAMS = """.venv/bin/pip .venv/bin/python c++ cc cd curl flags=$(python mkdir mkoctfile model-archiver
    multi-model-server node octave Rscript torchrun""".split()


def test_commands_exist():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.M)
    extras = set(importlib.metadata.metadata("mxnext").get_all("Provides-Extra"))
    scripts = {e.name for e in importlib.metadata.distribution("mxnext").entry_points}
    for page, line in commands():
        words = [w for w in line.split() if not re.match(r"[A-Z_]+=", w)]
        if not words:
            continue
        if words[0] == "make":
            assert all(w in targets for w in words[1:2]), (page, line)
        elif words[:2] == ["python", "-m"]:
            assert importlib.util.find_spec(words[2]), (page, line)
        elif words[:3] == ["python3", "-m", "venv"]:
            continue
        elif words[0] == "python" and words[1] != "train.py":  # the reader's own program
            assert (ROOT / words[1]).exists(), (page, line)
        elif words[0] == "pip":
            named = re.findall(r"(?:mxnext|\.)\[([\w,]+)\]", line)
            assert {e for group in named for e in group.split(",")} <= extras, line
        else:
            assert words[0].removeprefix(".venv/bin/") in scripts or words[0] in PROGRAMS, (page, line)


class Understood(Exception):
    """The arguments of a command were read."""


def test_commands_of_the_package_take_what_pages_give_them(monkeypatch):
    """Each ``python -m mxnet.tools...`` that is shown, up to where it would begin its work."""
    read = argparse.ArgumentParser.parse_args

    def only_read(parser, *given):
        read(parser, *given)
        raise Understood

    lines = "\n".join(line for _, line in commands())
    shown = [found.split() for found in re.findall(r"python -m (mxnet\.tools\.[^)\n]*)", lines)]
    rows = re.findall(r"`python -m (mxnet\.tools\.[^`]*)`", "".join(p.read_text() for p in MARKDOWN))
    shown += [shlex.split(row.partition(" 2> ")[0]) for row in rows]
    shown = [words for words in shown if not words[-1].endswith("...")]
    assert len(shown) > 20
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", only_read)
    for module, *arguments in shown:
        program = importlib.import_module(module)
        if module == "mxnet.tools.diagnose":
            assert arguments in ([], ["--json"])
            continue
        monkeypatch.setattr(sys, "argv", [module, *arguments])
        with pytest.raises(Understood):
            program.main()


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_block_of_python_is_run(page):
    """A fence of Python is run by run_blocks.py, is an excerpt of the file it names, or is run by the test it names."""
    text = page.read_text()
    assert run_blocks.unclear(text) == []
    original = DOCS / page.relative_to(DOCS).as_posix().replace(".zh.md", ".md") if DOCS in page.parents else page
    for block in run_blocks.blocks_of(text):
        assert block.language.lower() not in ("python3", "ipython", "pycon"), block
        if block.language == "py":
            source = source_of(ROOT / block.title).read_text()
            if block.title.startswith("tests/"):
                assert f'program("{original.relative_to(DOCS).as_posix()}"' in source, block.title
            else:
                assert block.text in source, (block.title, block.text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\n\n    x = 1\n", ["    x = 1"]),
        ("- a\n\n    more of it\n", []),
        ("```\nx = 1\n```\n", ["x = 1"]),
        ("```py\nx = 1\n```\n", ["x = 1"]),
        ("```python {.x}\nx = 1\n```\n", ["```python {.x}", "```"]),
        ("- a\n\n    ```python\n    x = 1\n    ```\n", ["    ```python", "    ```"]),
        ('```py title="tests/x.py"\nx = 1\n```\n\n```python\nx = 1\n```\n', []),
    ],
)
def test_blocks_that_nobody_would_run_are_found(text, found):
    assert run_blocks.unclear(text) == found


# Going to PyTorch: the two sides of each row.

TO_TORCH = (DOCS / "to_torch.md").read_text()


def rows(head):
    """The rows of the tables whose first line is this, as code."""
    for table in re.findall(rf"^{re.escape(head)}\n\|[-|]+\n((?:\|.*\n)+)", TO_TORCH, flags=re.M):
        for row in table.splitlines():
            cells = [cell.strip() for cell in row.strip("|").split(" | ")]
            yield [cell.strip("| ").strip("`") for cell in cells]


def names():
    """What the rows use: the code of the page."""
    found = {}
    for block, _ in run_blocks.pairs_of(TO_TORCH):
        if "torch.nn.functional as F" in block.text or "import torch" in block.text:
            exec(block.text, found)
    return found


PAIRS = [r for r in rows("| MXNet | PyTorch |") if not r[1].startswith(("nothing", "parameters are"))]
SPOKEN = ("with ", "x.attach", "net.", "trainer.", "gluon.data")


def as_numbers(value):
    return np.asarray(value.asnumpy() if isinstance(value, nd.NDArray) else value, dtype="float64")


def test_pairs_of_expressions():
    pairs = [r for r in PAIRS if not r[0].startswith(SPOKEN)]
    assert len(pairs) > 60
    given = names()
    for ours, theirs in pairs:
        left, right = as_numbers(eval(ours, dict(given))), as_numbers(eval(theirs, dict(given)))
        # MXNet 1.x has no scalars: what is one number there is an array of one.
        assert left.shape == right.shape or (left.shape == (1,) and right.shape == ()), ours
        np.testing.assert_allclose(left.reshape(right.shape), right, rtol=1e-5, atol=1e-6, err_msg=ours)


def test_pairs_of_layers():
    pairs = list(rows("| Gluon layer | torch layer | data |"))
    assert len(pairs) > 15
    given = names()
    for ours, theirs, shape in pairs:
        block, module = eval(ours, dict(given)), eval(theirs, dict(given)).eval()
        block.initialize(mx.init.Normal(0.5))
        x = nd.random.normal(shape=eval(shape))
        block(x)
        parameters = [p for p in block.collect_params().values() if p.grad_req != "null"]
        with torch.no_grad():
            assert len(parameters) == len(list(module.parameters())), ours
            for mine, tensor in zip(parameters, module.parameters(), strict=True):
                tensor.copy_(mine.data().as_torch())
            expected = module(x.as_torch()).numpy()
        np.testing.assert_allclose(block(x).asnumpy(), expected, rtol=1e-4, atol=1e-4, err_msg=ours)


def test_pairs_of_optimizers():
    pairs = list(rows("| Gluon optimizer | torch optimizer |"))
    assert len(pairs) > 5
    for ours, theirs in pairs:
        parameter = gluon.Parameter("w", shape=(5,))
        parameter.initialize(mx.init.One())
        tensor = torch.ones(5, requires_grad=True)
        given = {"gluon": gluon, "torch": torch, "parameters": [parameter], "tensors": [tensor]}
        trainer, optimizer = eval(ours, given), eval(theirs, given)
        factors = nd.array([0.1, 0.5, 1, 2, 3])
        for _ in range(5):
            with mx.autograd.record():
                loss = (factors * parameter.data() ** 2).sum()
            loss.backward()
            trainer.step(1)
            optimizer.zero_grad()
            (factors.as_torch() * tensor**2).sum().backward()
            optimizer.step()
        np.testing.assert_allclose(
            parameter.data().asnumpy(), tensor.detach().numpy(), rtol=2e-3, atol=1e-4, err_msg=ours
        )


def test_ways_of_speaking_exist():
    for call in ("record",):
        assert hasattr(mx.autograd, call)
    spoken = [r[0] for r in rows("| MXNet | PyTorch |") if r[0].startswith(SPOKEN)]
    assert len(spoken) >= 6
    given = {"mx": mx, "gluon": gluon, "x": nd.ones((2, 3)), "dataset": list(range(40)), "batch_size": 2}
    given["net"] = gluon.nn.HybridSequential()
    given["net"].add(gluon.nn.Dense(2))
    given["trainer"] = None
    for line in spoken:
        if line.startswith(("net.initialize", "net.hybridize", "net.collect", "gluon.data", "x.")):
            exec(line, given)


# Modules of the original that are no part of the reference: other names of what is there, and parts nobody calls.
UNEXPLAINED = re.compile(r"""mxnet[.](?:
    api | base | misc | library | rtc | torch | ndarray_doc | symbol_doc | numpy_dispatch_protocol | executor_manager
    | numpy_op_\w+ | ndarray[.]register | symbol[.]register | numpy[.](?:fallback|stride_tricks|utils|io) \w*
    | ndarray[.]ndarray | module[.](?:executor_group|module) | gluon[.]contrib[.]estimator[.]utils
    | (?:ndarray|symbol)[.]gen__internal
)$""", flags=re.X)  # fmt: skip
# Names in other modules that only the module itself uses.
INSIDE = """ConnectionWrapper EventHandler GraphProto LinearBottleneck LossScaler Queue RELU6 SimpleQueue TestStore
    check_boolean_array_dimension ctypes2buffer fetcher_loop_v1 get_densenet get_squeezenet make_aux rebuild_ndarray
    rebuild_np_ndarray reduce_ndarray reduce_np_ndarray set_kvstore_handle short_hash worker_loop_v1""".split()


def test_reference_has_every_public_name():
    """Whatever the original has by a public name, and we have, is explained, by this name or by another of its own."""
    import generate
    import hooks

    explained = set()
    for _, path, _, without in hooks.directives():
        value = hooks.find(path)
        assert not inspect.ismodule(value) or hooks.public(value) or path.startswith("mxnet.tools."), path
        entries = hooks.public(value) if inspect.ismodule(value) else [("", value)]
        explained |= {id(what) for name, what in entries if name not in without}
    missing = []
    for name, wanted in generate.read("public_names.json.gz").items():
        if UNEXPLAINED.match(name):
            continue
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:  # the table of README counts these
            continue
        for first in sorted({one.partition(".")[0] for one in wanted}):
            value = getattr(module, first, None)
            home = getattr(value, "__module__", None) or ""
            if not callable(value) or not home.startswith("mxnet") or hooks._only_refuses(value):
                continue
            if id(value) not in explained and first not in INSIDE:
                missing.append(f"{name}.{first}")
    assert missing == []


def test_names_lead_to_the_reference():
    import hooks

    places = hooks.index()
    assert places["mx.nd.take"] == places["mx.sym.take"] == "nd_shape.md#mx.nd.take"
    assert places["mx.gluon.Trainer.step"] == "gluon.md#mx.gluon.Trainer.step"
    assert places["mx.cpu"] == "autograd.md#mx.context.cpu"
    text = "Use `nd.take(a, i)`, [`nd.take`](x.md), `nothing.like.it`.\n\n```python\nnd.take\n```\n"
    expected = "Use [`nd.take(a, i)`](../reference/nd_shape.md#mx.nd.take), [`nd.take`](x.md), `nothing.like.it`."
    assert hooks.linked(text, "../") == text.replace(text.split("\n")[0], expected)


def test_each_language_has_its_search_index(tmp_path):
    import hooks

    def doc(location):
        return {"location": location, "title": "x", "text": "y"}

    found = ["concepts/gluon.html", "reference/nd_shape.html#mx.nd.concat", "reference/nd.html#mx.nd.NDArray.copy"]
    found += ["zh/concepts/gluon.html", "zh/developer/layout.html"]
    (tmp_path / "search").mkdir()
    index = {"config": {}, "docs": [doc(location) for location in found]}
    (tmp_path / "search" / "search_index.json").write_text(json.dumps(index))
    hooks._split_search(tmp_path)
    english, chinese = (
        json.loads((tmp_path / folder / "search" / "search_index.json").read_text())["docs"] for folder in ("", "zh")
    )
    assert [d["location"] for d in english] == found[:3]
    names = [["mx·nd·concat", "concat·mx", "nd·concat"], ["mx·nd·NDArray·copy", "copy·mx", "nd·NDArray·copy"]]
    assert [d.get("tags") for d in english] == [None, *names]
    assert english[1]["boost"] > english[2]["boost"]  # methods come after functions
    assert [d["location"] for d in chinese] == ["concepts/gluon.html", *found[1:3]]


def test_site_is_built_without_warnings(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "<li>Arrays of int8 can be shared with NumPy.</li>" in (tmp_path / "site" / "differences.html").read_text()
    # Names of derived functions, which are in no source file, have their place in the reference.
    for page, name in {"nd": "mx.nd.NDArray.asnumpy", "nd_nn": "mx.nd.FullyConnected"}.items():
        assert f'id="{name}"' in (tmp_path / "site" / "reference" / f"{page}.html").read_text()
    assert "卷积" in (tmp_path / "site" / "zh" / "concepts" / "visualization.html").read_text()
    foreign = re.compile(r"""(?:src|href)=["']?(https?:[^"'> ]+)""")
    for page in (tmp_path / "site").rglob("*.html"):
        scripts = [
            found[1]
            for tag in re.findall(r"<(?:script|link|img)[^>]*>", page.read_text())
            if (found := foreign.search(tag))
        ]
        assert scripts == [], page  # what the site needs is in it
