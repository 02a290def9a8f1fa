"""Hooks of MkDocs: the reference is made of signatures and docstrings, as ``help()`` shows them.

Most functions of ``mx.nd``, ``mx.sym`` and ``mx.np`` are derived from the definitions of operators, so they are not in
the source; the package is imported, and asked. Lines of a page of the reference:

    ::: mxnet.metric                        the public names of a module
    ::: mxnet.gluon.Trainer                 one of them
    ::: mxnet.io -DataIter                  without some
    ::: mxnet.ndarray in unary ops.nn       those that are defined in these modules (the ends or parts of their names)
    ::: mxnet.ndarray in other              those that no line with "in" has
    ::: mxnet.symbol as mxnet.ndarray       names that the other module has with the same words: links to them

Each name has an anchor, the way programs write it (``mx.nd.take``, ``mx.gluon.Trainer.step``). Where a page, or a
docstring, has such a name as code, it becomes a link.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import inspect
import io
import json
import re
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

import notebooks  # noqa: E402
from generate import differences  # noqa: E402

_DIRECTIVE = re.compile(r"^::: ([\w.]+)(?: as ([\w.]+))?(?: in ([\w. ]+?))?((?: -\w+)*)$", flags=re.M)
_EXAMPLES = re.compile(r"^::: examples ([\w ]+)$", flags=re.M)
_WIDE = r"\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"  # Chinese characters and punctuation
_CHINESE_BREAK = re.compile(rf"(?<=[{_WIDE}])\n(?=[{_WIDE}`\[])")
_FENCE = re.compile(r"(^```.*?^```$)", flags=re.M | re.S)
# As programs write them.
_SHORT = {
    "mxnet.ndarray": "mx.nd",
    "mxnet.symbol": "mx.sym",
    "mxnet.numpy_extension": "mx.npx",
    "mxnet.numpy": "mx.np",
    "mxnet.module": "mx.mod",
    "mxnet.kvstore": "mx.kv",
    "mxnet.initializer": "mx.init",
    "mxnet.visualization": "mx.viz",
    "mxnet": "mx",
}


# What MkDocs calls.


def on_post_page(output: str, page: Any = None, **_: Any) -> str:
    """Leaves out links for crawlers: the theme looks for a sitemap behind each, which a site in a folder has not.

    Chinese pages search the index in ``zh``: the theme looks for it below the folder that it takes for the site's.
    """
    if page is not None and page.file.dest_uri.startswith("zh/"):
        output = re.sub(r'("base": ?")\.\.(?:/(\.\.[^"]*))?"', _zh_base, output, count=1)
    return re.sub(r'<link rel="alternate"[^>]*>', "", output)


def _zh_base(match: re.Match[str]) -> str:
    return f'{match[1]}{match[2] or "."}"'


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """The same for pages that are no pages, as 404.html."""
    return on_post_page(output_content) if template_name.endswith(".html") else output_content


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Puts the reference into a page, and links to it; joins the lines of Chinese text, where breaks become spaces."""
    markdown = markdown.replace("<!-- built: differences -->", differences())
    uri = page.file.src_uri
    if uri in _notebooks():
        words = "下载笔记本" if uri.endswith(".zh.md") else "Download the notebook"
        link = f'<a class="md-button" href="{Path(uri).name.partition(".")[0]}.ipynb" download>{words}</a>'
        markdown = re.sub(r"^(# .*\n)", rf"\1\n{link}\n", markdown, count=1)
    if uri.endswith(".zh.md"):
        parts = _FENCE.split(markdown)
        markdown = "".join(part if i % 2 else _CHINESE_BREAK.sub("", part) for i, part in enumerate(parts))
    markdown = _EXAMPLES.sub(lambda match: "\n".join(map(example, match[1].split())), markdown)
    if not _DIRECTIVE.search(markdown):
        return linked(markdown, "../" * uri.count("/"))
    return _DIRECTIVE.sub(lambda m: reference(m[1], m[2], without_of(m), m[3] in (None, "other")), markdown)


@functools.cache
def _notebooks() -> dict[str, Path]:
    return {page.relative_to(DOCS).as_posix(): page for page in notebooks.tutorials()}


@event_priority(-100)  # after the plugins, which write the search index
def on_post_build(config: Any, **_: Any) -> None:
    """Writes the notebooks, and an index for the search in each language."""
    site = Path(config.site_dir)
    for uri, page in _notebooks().items():
        folder = site / ("zh/" if uri.endswith(".zh.md") else "") / "tutorials"
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(notebooks.notebook(page), ensure_ascii=False, indent=1)
        (folder / f"{page.stem.partition('.')[0]}.ipynb").write_text(text + "\n", encoding="utf-8")
    _split_search(site)


def _tag_names(docs: Iterable[dict[str, Any]]) -> None:
    """Tags, which the search puts first: ``mx.nd.concat`` is found by ``nd.concat`` and by ``concat``.

    The search looks for words that begin so, and prefers rare ones, hence tags that are a single word which no text has
    (the style sheet hides them). Names that others begin with, as ``concatenate`` with ``concat``, weigh a little more,
    methods and names further inside less.
    """
    by_word = defaultdict(list)
    for doc in docs:
        path, _, word = doc["location"].partition("#mx.")[2].rpartition(".")
        if word and not word.startswith("MXNet"):
            home = path.replace(".", "·")
            doc["tags"] = [f"mx·{home}·{word}", f"{word}·mx", *([f"{home}·{word}"] if path else [])]
            doc["boost"] = 0.6 if path.rpartition(".")[2][:1].isupper() or path.endswith(".ndarray") else 1
            doc["boost"] *= 0.9 ** path.count(".")
            by_word[word.lower()].append(doc)
    depth: dict[str, int] = {}
    for word in sorted(by_word, reverse=True):  # those that begin with a word come before it
        depth[word] = max((n + 1 for other, n in depth.items() if other.startswith(word)), default=0)
        for doc in by_word[word]:
            doc["boost"] *= 1.75 - 0.75 * 0.4 ** depth[word]


def _split_search(site: Path) -> None:
    """One search index for each language; names lead from Chinese pages to the reference, which is English."""
    file = site / "search" / "search_index.json"
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"docs": []}
    chinese = [doc for doc in found["docs"] if doc["location"].startswith("zh/")]
    found["docs"] = [doc for doc in found["docs"] if not doc["location"].startswith("zh/")]
    if not chinese:
        return
    for doc in chinese:
        doc["location"] = doc["location"].removeprefix("zh/")
    english = found["docs"]
    _tag_names(english)
    own = {p.relative_to(DOCS).as_posix().replace(".zh.md", ".html") for p in DOCS.rglob("*.zh.md")}
    chinese = [doc for doc in chinese if doc["location"].partition("#")[0] in own]
    names = [doc for doc in english if "tags" in doc]
    pages = {doc["location"].partition("#")[0] for doc in names} - own
    chinese += [{**doc, "text": ""} for doc in english if doc["location"] in pages]
    for folder, docs in (("", english), ("zh", chinese + names)):
        target = site / folder / "search"
        target.mkdir(parents=True, exist_ok=True)
        text = json.dumps({**found, "docs": docs}, ensure_ascii=False, separators=(",", ":"))
        (target / "search_index.json").write_text(text, encoding="utf-8")
        (target / "search_index.js").write_text(f"var __index = {text}", encoding="utf-8")


# Examples.


def example(name: str) -> str:
    """A program of the folder examples: what its docstring says, how to start it, and its source, folded."""
    source = (DOCS.parent / "examples" / f"{name}.py").read_text()
    title, _, rest = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")
    blocks = re.split(r"\n\n", rest)
    calls = [textwrap.dedent(block) for block in blocks if re.match(r"\s*(python|make|torchrun) ", block)]
    about = "\n\n".join(_escaped(block) for block in blocks if textwrap.dedent(block) not in calls)
    code = textwrap.indent(source.rstrip(), "    ")
    return (
        f"### {title.rstrip('.').replace('_', chr(92) + '_')} {{#{name}}}\n\n{about}\n\n"
        + "".join(f"```sh\n{call}\n```\n\n" for call in calls)
        + f'??? example "examples/{name}.py"\n\n    ```py\n{code}\n    ```\n'
    )


# Which names there are, and where they stand.


def without_of(match: re.Match[str]) -> tuple[str, ...]:
    """The names that a directive leaves out."""
    left_out = set(match[4].replace("-", "").split())
    if match[3]:
        names = {name for name, _ in public(find(match[1]))}
        chosen = names - _grouped(match[1]) if match[3] == "other" else _in_modules(match[1], match[3])
        left_out |= names - chosen
    return tuple(sorted(left_out))


@functools.cache
def _in_modules(path: str, parts: str) -> set[str]:
    """The public names of a module that are defined in modules with these parts in their names."""
    wanted = [f".{part}." for part in parts.split()]
    return {name for name, value in public(find(path)) if any(w in f".{home(path, name, value)}." for w in wanted)}


@functools.cache
def _grouped(path: str) -> set[str]:
    """The names of a module that lines with "in" have."""
    found: set[str] = set()
    for file in sorted((DOCS / "reference").glob("*.md")):
        for match in _DIRECTIVE.finditer(file.read_text()):
            if match[1] == path and match[3] not in (None, "other"):
                found |= _in_modules(path, match[3])
    return found


def home(path: str, name: str, value: Any) -> str:
    """The module that has the definition: of a function derived from an operator, the operator's."""
    from mxnet.ops import registry

    prefixes = {"mxnet.ndarray.contrib": "_contrib_", "mxnet.numpy_extension": "_npx_", "mxnet.ndarray": ""}
    if path == "mxnet.numpy":
        candidates = [f"_np_{name}", f"_npi_{name}", f"_npi_{name}_scalar"]
    else:
        candidates = [prefixes.get(path, "") + name]
    found = next((definition for c in candidates if (definition := registry.find(c)) is not None), None)
    return str(getattr(found.kernel if found else value, "__module__", "") or "")


def spelled(path: str) -> str:
    """``mxnet.ndarray.random`` the way programs write it: ``mx.nd.random``."""
    long = next(name for name in _SHORT if path == name or path.startswith(f"{name}."))
    return (_SHORT[long] + path[len(long) :]).replace("mx.sym.numpy_extension", "mx.sym.npx").replace(
        "mx.sym.numpy", "mx.sym.np"
    )  # fmt: skip


def find(path: str) -> Any:
    """The object with this name."""
    module, parts = path, []
    while True:
        try:
            return functools.reduce(getattr, parts, importlib.import_module(module))
        except ModuleNotFoundError:
            module, _, last = module.rpartition(".")
            parts.insert(0, last)


def public(module: Any) -> list[tuple[str, Any]]:
    """The functions and classes that a module is there for: ``__all__``, or if it is empty what is at home there."""
    listed = getattr(module, "__all__", None)
    homes = "mxnet" if listed else module.__name__
    found = []
    for name in sorted(set(listed or dir(module))):
        value = getattr(module, name, None)
        ours = (getattr(value, "__module__", None) or "").startswith(homes)
        if not name.startswith("_") and ours and callable(value) and not _only_refuses(value):
            found.append((name, value))
    return found


def _only_refuses(value: Any) -> bool:
    return "NotImplementedError" in (getattr(value, "__doc__", None) or "").split("\n")[0]


def members(cls: type) -> list[tuple[str, Any]]:
    """The public methods and properties of a class: its own, and those of bases that have no place of their own."""
    found: dict[str, Any] = {}
    for kind in reversed(cls.__mro__):
        if kind is cls or (kind.__module__.startswith("mxnet") and kind not in explained_classes()):
            found |= vars(kind)
    return [
        (name, what)
        for name, what in sorted(found.items())
        if not name.startswith("_") and (callable(getattr(cls, name, None)) or isinstance(what, property))
    ]


@functools.cache
def explained_classes() -> dict[type, str]:
    """The classes that have a place in the reference, and the place."""
    found: dict[type, str] = {}
    for page, path, _, without in directives():
        target = find(path)
        if not inspect.ismodule(target):
            entries = [(spelled(path), target)]
        else:
            entries = [(f"{spelled(path)}.{name}", value) for name, value in public(target) if name not in without]
        for name, value in entries:
            if inspect.isclass(value) and owners()[id(value)][1] == name:
                found[value] = f"{page}#{name}"
    return found


def directives() -> Iterator[tuple[str, str, str | None, tuple[str, ...]]]:
    """All parts of the reference: the page, the module or name, the module it is like, and what is left out."""
    for page, path, like, without, _ in _lines():
        yield page, path, like, without


def _lines() -> Iterator[tuple[str, str, str | None, tuple[str, ...], bool]]:
    for file in sorted((DOCS / "reference").glob("*.md")):
        for match in _DIRECTIVE.finditer(file.read_text()):
            yield file.name, match[1], match[2], without_of(match), match[3] in (None, "other")


@functools.cache
def owners() -> dict[int, tuple[str, str]]:
    """The page and the name of what several modules have: where it is defined, else where it stands first."""
    found: dict[int, tuple[bool, str, str]] = {}
    for page, path, _, without in directives():
        target = find(path)
        if not inspect.ismodule(target):
            found[id(target)] = (True, page, spelled(path))
            continue
        for name, value in public(target):
            if name not in without:
                at_home = f"{getattr(value, '__module__', '')}.".startswith(f"{path}.")
                if id(value) not in found or (at_home and not found[id(value)][0]):
                    found[id(value)] = (at_home, page, f"{spelled(path)}.{name}")
    return {key: (page, name) for key, (_, page, name) in found.items()}


def _belongs(place: str, name: str, value: Any) -> bool:
    """Whether a name of a module is explained there, or (a class that another module defines) elsewhere."""
    return not inspect.isclass(value) or owners()[id(value)][1].rpartition(".")[0] == place


def same(value: Any, other: Any) -> bool:
    """Whether two functions have the same words to say."""
    return inspect.getdoc(value) == inspect.getdoc(other) and arguments_of(value) == arguments_of(other)


@functools.cache
def index() -> dict[str, str]:
    """Where each name is explained: ``mx.nd.take`` -> ``nd.md#mx.nd.take``."""
    import mxnet

    found: dict[str, str] = {}
    again = []
    elsewhere: dict[str, tuple[str, str]] = {}
    for page, path, like, without, headed in _lines():
        target = find(path)
        if not inspect.ismodule(target):
            entries, place = [(path.rpartition(".")[2], target)], spelled(path).rpartition(".")[0]
        else:
            entries, place = [e for e in public(target) if e[0] not in without], spelled(path)
            if headed:
                for said in (place, path, f"python -m {path}"):
                    found.setdefault(said, f"{page}#{place}")
        for name, value in entries:
            if inspect.ismodule(target) and not _belongs(place, name, value):
                elsewhere[f"{place}.{name}"] = owners()[id(value)]
                continue
            if like and same(value, getattr(find(like), name, None)):
                again.append((f"{place}.{name}", f"{spelled(like)}.{name}"))
                continue
            found.setdefault(f"{place}.{name}", f"{page}#{place}.{name}")
            if getattr(mxnet, name, None) is value:
                found.setdefault(f"mx.{name}", f"{page}#{place}.{name}")
            if inspect.isclass(value):
                for member, _ in members(value):
                    found.setdefault(f"{place}.{name}.{member}", f"{page}#{place}.{name}.{member}")
    same_as = dict(again)
    found |= {name: f"{page}#{other}" for name, (page, other) in elsewhere.items() if name not in found}
    for name, other in again:
        while other in same_as:  # a module may be like one that is like a third
            other = same_as[other]
        found[name] = found[other]
    return found


def linked(text: str, above: str, local: str = "", every: bool = False) -> str:
    """Text in which names that are code are links to the reference: the first of each, or ``every`` one.

    ``above`` leads to the folder of the pages, ``local`` is the module whose classes need no path.
    """
    done: set[str] = set()

    def link(match: re.Match[str]) -> str:
        if match[2] is None:
            return match[0]
        name = re.sub(r"\(.*\)$", "", match[2])
        names = [name, f"mx.{name}", f"mx.gluon.{name}"] if "." in name else []
        if local and name[:1].isupper():
            names.append(f"{local}.{name}")
        place = next((index()[n] for n in names if n in index()), None)
        if place is None or (place in done and not every):
            return match[0]
        done.add(place)
        return f"[{match[0]}]({above}{'' if local else 'reference/'}{place})"

    def of_line(line: str) -> str:
        if re.match(r" *#|\||    |<", line):  # headings, tables of code, code
            return line
        return re.sub(r"\[[^]]*\]\([^)]*\)|(`+)([^`]+)\1", link, line)

    parts = _FENCE.split(text)
    return "".join(part if i % 2 else "\n".join(map(of_line, part.split("\n"))) for i, part in enumerate(parts))


# What stands there.


@functools.cache
def reference(path: str, like: str | None = None, without: tuple[str, ...] = (), headed: bool = True) -> str:
    """The reference of a module, class or function, as Markdown; ``headed`` with what the module itself is about."""
    found, place = find(path), spelled(path)
    if not inspect.ismodule(found):
        return entry(place.rpartition(".")[0], place.rpartition(".")[2], found, 2)
    if path.startswith("mxnet.tools."):
        return command(path, found)
    parts = [f"## `{place}` {{#{place}}}", text_of(found, place)] if headed else []
    entries = [e for e in public(found) if e[0] not in without]
    others = [name for name, value in entries if not _belongs(place, name, value)]
    entries = [e for e in entries if e[0] not in others]
    if others:
        parts.append("Also here: " + ", ".join(f"[`{name}`]({index()[f'{place}.{name}']})" for name in others) + ".")
    if like:
        other = find(like)
        twins = [name for name, value in entries if same(value, getattr(other, name, None))]
        entries = [e for e in entries if e[0] not in twins]
        links = ", ".join(f"[`{name}`]({index()[f'{place}.{name}']})" for name in twins)
        parts.append(f"With the arguments of the functions of the same names in `{spelled(like)}`: {links}.")
    return "\n\n".join([*parts, *(entry(place, name, value, 3) for name, value in entries)])


def command(path: str, program: Any) -> str:
    """A program: what its docstring says, and what ``--help`` prints."""
    parts = [f"## `{path.rpartition('.')[2]}` {{#{spelled(path)}}}", text_of(program, spelled(path))]
    if hasattr(program, "argparse"):
        printed, given = io.StringIO(), sys.argv
        sys.argv = [f"python -m {path}", "--help"]
        try:
            with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
                program.main()
        finally:
            sys.argv = given
        parts.append(f"```text\n{printed.getvalue().strip()}\n```")
    return "\n\n".join(parts)


def entry(place: str, name: str, value: Any, level: int) -> str:
    """One name: its signature and what it does; of a class also its methods."""
    parts = [f"{'#' * level} {_escaped(name)} {{#{place}.{name}}}", f"```py\n{wrapped(name, value)}\n```"]
    if inspect.isclass(value):
        base = next((kind for kind in value.__mro__[1:] if kind in explained_classes()), None)
        if base is not None:
            parts.append(f"A kind of [`{base.__name__}`]({explained_classes()[base]}).")
    parts.append(text_of(value, place))
    if inspect.isclass(value):
        for member, what in members(value):
            heading = f"{'#' * (level + 1)} {_escaped(member)} {{#{place}.{name}.{member}}}"
            if isinstance(what, property):
                parts += [heading, text_of(what, place)]
            else:
                method = getattr(value, member)
                about = text_of(method, place).split("\n\nParameters:")[0]
                parts += [heading, f"```py\n{wrapped(f'.{member}', method, bound=True)}\n```", about]
    return "\n\n".join(parts)


def wrapped(name: str, value: Any, bound: bool = False) -> str:
    """A call, in lines that a page has room for."""
    line = f"{name}({', '.join(arguments_of(value, bound))})"
    return "\n".join(textwrap.wrap(line, 80, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))


def arguments_of(value: Any, bound: bool = False) -> list[str]:
    """The arguments of a function or class, without annotations."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ["..."]
    arguments = list(found.parameters.values())
    if bound and arguments and arguments[0].name in ("self", "cls", "data"):  # data: methods made of operators
        arguments = arguments[1:]
    texts = []
    for argument in arguments:
        text = str(argument.replace(annotation=inspect.Parameter.empty))
        text = re.sub(r"<(?:[\w.]*\.)?(\w+) object at 0x\w+>", r"\1()", text)
        texts.append(re.sub(r"<(?:class|function) '?([\w.]+)'?(?: at 0x\w+)?>", r"\1", text))
    return texts


def text_of(value: Any, place: str) -> str:
    """A docstring as Markdown, with links; ``place`` is the module it is of."""
    text = inspect.getdoc(value) or ""
    if getattr(value, "__module__", None) == "mxnet.numpy.fallback":  # NumPy's own words, which NumPy's pages have
        text = text.partition("\n\n")[0]
    head, *rest = re.split(r"(?:^|\n)Parameters\n-+\n", text, maxsplit=1)
    lines = [_escaped(head.strip())]
    if rest:
        listed, _, after = rest[0].partition("\n\n")
        lines += ["", "Parameters:", ""]
        for line in listed.split("\n"):
            argument = re.match(r"(\w+) : (.*)", line)
            if argument:
                lines.append(f"- `{argument[1]}`: {_escaped(argument[2])}")
            else:  # what the argument is for
                lines[-1] += ("." if lines[-1].startswith("- ") else "") + f"\n    {_escaped(line.strip())}"
        lines += ["", _escaped(after)]
    shown = re.sub(r"^([A-Z]\w+)\n-{3,}$", r"**\1**\n", "\n".join(lines), flags=re.M).strip()
    return linked(_sessions(shown), "", local=place, every=True)


def _sessions(text: str) -> str:
    """Examples as in a session of Python become blocks of code."""
    session = re.compile(r"(?:^|(?<=\n))>>> .*(?:\n(?!\n).*)*")
    return session.sub(lambda match: f"\n```pycon\n{match[0]}\n```", text)


def _escaped(text: str) -> str:
    """Text in which only what stands in backticks, is an example, or is indented, is code."""
    pieces = re.split(r"(``.+?``|`[^`]+`|(?:^|(?<=\n))>>> .*(?:\n(?!\n).*)*)", text, flags=re.S | re.M)
    return "".join(p if i % 2 else re.sub(r"([*_<\[\]])", r"\\\1", p) for i, p in enumerate(pieces))
