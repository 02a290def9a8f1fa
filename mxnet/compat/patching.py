"""What a patch is, and how it changes the syntax tree of a module."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

__all__ = [
    "ABSTRACT",
    "DISTUTILS",
    "FIGURES",
    "NUMPY",
    "NUMPY_NAMES",
    "PYTHON",
    "Patch",
    "needs_patches",
    "apply_patches",
]


@dataclass(frozen=True)
class Patch:
    """Changes of a module's source, each a replacement of something that is not there any more.

    ``names`` maps a dotted name, a call or a comparison to the expression in its place, ``imports`` the module in
    ``from X import ...`` to another (``X:a,b`` means exactly ``from X import a, b``), ``functions`` the name of a
    function, or ``Class.method``, to the text of the one in its place; ``whole`` makes another module of a module.
    """

    reason: str
    names: Mapping[str, str] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    whole: Callable[[ast.Module], ast.Module] | None = None


#: Abstract classes that Python 3.10 has in collections.abc only.
ABSTRACT = ("Callable", "Hashable", "Iterable", "Iterator", "Mapping", "MutableMapping", "Sequence", "Sized")
#: What NumPy 1.24 and 2.0 took away, and its equal.
NUMPY_NAMES = {
    **{name: name for name in ("int", "float", "bool", "object", "str", "complex")},
    "long": "np.int64",
    "Inf": "np.inf",
    "infty": "np.inf",
    "PINF": "np.inf",
    "NINF": "(-np.inf)",
    "NaN": "np.nan",
    "float_": "np.float64",
    "string_": "np.bytes_",
    "unicode_": "np.str_",
    "in1d": "np.isin",
    "product": "np.prod",
    "alltrue": "np.all",
    "sometrue": "np.any",
    "asscalar": "(lambda array: array.item())",
}

NUMPY = Patch(
    "NumPy 1.24 removed its aliases of Python's types, NumPy 2.0 second names of its own",
    names={
        f"{numpy}.{name}": there.replace("np.", f"{numpy}.")
        for numpy in ("np", "numpy")
        for name, there in NUMPY_NAMES.items()
    },
)
#: What Python 3.12 took away with distutils.
DISTUTILS = Patch(
    "Python 3.12 removed distutils",
    imports={"distutils.version": "mxnet.compat.distutils", "distutils.util": "mxnet.compat.distutils"},
)
#: What Python 3.10 and 3.11 took away and has an equal elsewhere.
PYTHON = Patch(
    "Python 3.10 has abstract classes in collections.abc only, Python 3.11 removed getargspec",
    names={
        "inspect.getargspec": "inspect.getfullargspec",
        **{f"collections.{name}": f"__import__('collections.abc').abc.{name}" for name in ABSTRACT},
    },
    imports={f"collections:{name}": "collections.abc" for name in ABSTRACT},
)
#: What IPython 9 took away and has an equal elsewhere.
FIGURES = Patch(
    "IPython 9 removed it from IPython.display",
    names={
        "display.set_matplotlib_formats": "__import__('mxnet.compat.ipython').compat.ipython.set_matplotlib_formats",
    },
)


class _Patcher(ast.NodeTransformer):
    """Applies patches, and counts the places it has changed."""

    def __init__(self, patches: Iterable[Patch]):
        self.names = {name: there for patch in patches for name, there in patch.names.items()}
        self.imports = {name: there for patch in patches for name, there in patch.imports.items()}
        self.functions = {name: text for patch in patches for name, text in patch.functions.items()}
        self.path: list[str] = []
        self.changes = 0

    def _replacement(self, node: ast.expr) -> ast.expr | None:
        there = self.names.get(ast.unparse(node))
        if there is None:
            return None
        self.changes += 1
        new = ast.parse(there, mode="eval").body
        for part in ast.walk(new):
            ast.copy_location(part, node)
        return new

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return (isinstance(node.ctx, ast.Load) and self._replacement(node)) or self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return self._replacement(node) or self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return self._replacement(node) or self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        names = ",".join(alias.name for alias in node.names)
        there = self.imports.get(f"{node.module}:{names}") or self.imports.get(node.module or "")
        if node.level or there is None:
            return node
        self.changes += 1
        return ast.copy_location(ast.ImportFrom(there, node.names, 0), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.path.append(node.name)
        self.generic_visit(node)
        self.path.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        text = self.functions.get(".".join((*self.path, node.name)))
        if text is None:
            self.path.append(node.name)
            self.generic_visit(node)
            self.path.pop()
            return node
        self.changes += 1
        new = ast.parse(text).body[0]
        assert isinstance(new, ast.FunctionDef) and new.name == node.name, f"not a definition of {node.name}: {text}"
        for part in ast.walk(new):
            ast.copy_location(part, node)
        new.decorator_list = node.decorator_list
        return new


def needs_patches(source: bytes, patches: Iterable[Patch]) -> bool:
    """Whether the source contains a word that a patch is for; quicker than a search in the syntax tree."""
    words = {name.partition(":")[0] for patch in patches for name in (*patch.names, *patch.imports)}
    return re.search(rb"\b(?:%s)\b" % b"|".join(re.escape(word).encode() for word in words), source) is not None


def apply_patches(tree: ast.Module, patches: Iterable[Patch]) -> tuple[ast.Module, int]:
    """Returns a patched copy of a syntax tree, and how many places were changed."""
    patches = tuple(patches)
    patcher = _Patcher(patches)
    new = patcher.visit(copy.deepcopy(tree))
    for patch in patches:
        if patch.whole is not None:
            new, patcher.changes = patch.whole(new), patcher.changes + 1
    return ast.fix_missing_locations(new), patcher.changes
