"""Hooks of MkDocs: the reference is made of signatures and docstrings, as ``help()`` shows them.

Most functions of ``mx.nd``, ``mx.sym`` and ``mx.np`` are derived from the definitions of operators, so they are not in
the source; the package is imported, and asked. A line ``::: mxnet.metric`` in a page stands for the public names of
that module, ``::: mxnet.gluon.Trainer`` for one of them, and ``::: mxnet.io -DataIter`` leaves one out.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from generate import differences

_DIRECTIVE = re.compile(r"^::: ([\w.]+)((?: -\w+)*)$", flags=re.M)
_WIDE = r"\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"  # Chinese characters and punctuation
_CHINESE_BREAK = re.compile(rf"(?<=[{_WIDE}])\n(?=[{_WIDE}`\[])")


def on_post_page(output: str, **_: Any) -> str:
    """Leaves out links for crawlers: the theme looks for a sitemap behind each, which a site in a folder has not."""
    return re.sub(r'<link rel="alternate"[^>]*>', "", output)


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """The same for pages that are no pages, as 404.html."""
    return on_post_page(output_content) if template_name.endswith(".html") else output_content


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Puts the reference into a page; joins the lines of Chinese text, where a line break would become a space."""
    if page.file.src_uri.endswith(".zh.md"):
        # One index has both languages: Chinese words are found in Chinese pages only, for others English comes first.
        page.meta.setdefault("search", {"boost": 0.3})
        code = re.split(r"(^```.*?^```$)", markdown, flags=re.M | re.S)
        return "".join(part if i % 2 else _CHINESE_BREAK.sub("", part) for i, part in enumerate(code))
    markdown = markdown.replace("<!-- built: differences -->", differences())
    return _DIRECTIVE.sub(lambda match: reference(match[1], tuple(match[2].replace("-", "").split())), markdown)


@functools.cache
def reference(path: str, without: tuple[str, ...] = ()) -> str:
    """The reference of a module, class or function, as Markdown."""
    found = find(path)
    if not inspect.ismodule(found):
        return entry(path.rpartition(".")[2], found, 2)
    entries = [entry(name, value, 3) for name, value in public(found) if name not in without]
    shown = path.replace("mxnet", "mx", 1).replace("mx.ndarray", "mx.nd").replace("mx.symbol", "mx.sym")
    return "\n\n".join([f"## `{shown}`", text_of(found), *entries])


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


def entry(name: str, value: Any, level: int) -> str:
    """One name: its signature and what it does; of a class also its methods."""
    parts = [f"{'#' * level} {_escaped(name)}", f"```py\n{wrapped(name, value)}\n```", text_of(value)]
    if inspect.isclass(value):
        for member, what in sorted(vars(value).items()):
            method = getattr(value, member, None)
            if member.startswith("_") or not (callable(method) or isinstance(what, property)):
                continue
            shown = member if isinstance(what, property) else f"{member}{signature(method, bound=True)}"
            about = text_of(what if isinstance(what, property) else method).split("\n\nParameters:")[0]
            parts.append(f"- `{shown}`\n\n" + "\n".join("    " + line if line else "" for line in about.split("\n")))
    return "\n\n".join(parts)


def wrapped(name: str, value: Any) -> str:
    """A call, in lines that a page has room for."""
    line = f"{name}({', '.join(arguments_of(value))})"
    return "\n".join(textwrap.wrap(line, 80, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))


def signature(value: Any, bound: bool = False) -> str:
    """The arguments of a function or class in parentheses."""
    return f"({', '.join(arguments_of(value, bound))})"


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


def text_of(value: Any) -> str:
    """A docstring as Markdown."""
    text = inspect.getdoc(value) or ""
    head, *rest = re.split(r"(?:^|\n)Parameters\n-+\n", text, maxsplit=1)
    lines = [_escaped(head.strip())]
    if rest:
        listed, _, after = rest[0].partition("\n\n")
        lines += ["", "Parameters:", ""]
        for line in listed.split("\n"):
            argument = re.match(r"(\w+) : (.*)", line)
            lines.append(f"- `{argument[1]}`: {_escaped(argument[2])}" if argument else f"    {_escaped(line.strip())}")
        lines += ["", _escaped(after)]
    return re.sub(r"^([A-Z]\w+)\n-{3,}$", r"**\1**\n", "\n".join(lines), flags=re.M).strip()


def _escaped(text: str) -> str:
    """Text in which only what stands in backticks, or is an indented example, is code."""
    pieces = re.split(r"(``.+?``|`[^`]+`)", text, flags=re.S)
    return "".join(p if i % 2 else re.sub(r"([*_<\[\]])", r"\\\1", p) for i, p in enumerate(pieces))
