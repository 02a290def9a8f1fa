"""Who imports whom: parts may only import what lies below them, and importing the package is light."""

import ast
import importlib.util
import pathlib
import subprocess
import sys

import pytest

PACKAGE = pathlib.Path(importlib.util.find_spec("mxnet").origin).parent

# From the bottom to the top. A part is a module or a package directly below mxnet/.
LAYERS = (
    "error native _core compat",
    "base context name attribute registry util log libinfo runtime dlpack _rng _rng_numpy",
    "ops",
    "ndarray graph",
    "autograd random executor _binding symbol _cached_op numpy numpy_extension",
    "kvstore kvstore_server io recordio image optimizer lr_scheduler initializer metric callback monitor operator "
    "profiler _profiler_names _checks engine misc ndarray_doc symbol_doc notebook numpy_dispatch_protocol "
    "_numpy_op_doc numpy_op_signature",
    "module model _checkpoint executor_manager gluon rnn",
    "contrib onnx visualization predict to_torch tools test_utils _test_utils _c_functions",
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts.split()}
# Imports inside of a function that may go up, each with its reason.
LATE = {
    ("initializer", "rnn"): "FusedRNN unpacks the weights of the cell that it initializes",
    ("gluon", "contrib"): "WikiText makes a Vocabulary if it is given none",
    ("util", "_checks"): "mx.util.check turns check mode on",
    ("callback", "model"): "do_checkpoint saves what a model saves",
}
# Imports inside of functions that keep modules from importing each other in a cycle: all of them, with their reasons.
CYCLES = {
    ("callback", "model"): "see LATE",
    ("initializer", "rnn.rnn_cell"): "see LATE",
    ("util", "_checks"): "see LATE",
    ("error", "_core.tracebacks"): "IPython asks an error for its lines; tracebacks itself raises errors",
    ("gluon.block", "gluon.contrib.torch_module"): "Block.as_torch: the bridge to torch is built on blocks",
    (
        "gluon.data.legacy",
        "gluon.data.dataloader",
    ): "one of the loader's kinds, which shares its helpers",
    (
        "gluon.model_zoo.model_store",
        "gluon.model_zoo.torchvision",
    ): "an error names weights of torchvision",
    (
        "gluon.model_zoo.vision._common",
        "gluon.model_zoo.torchvision",
    ): "adapts weights of torchvision to the network",
    ("kvstore.base", "kvstore.kvstore"): "create makes the stores, which are subclasses of the base",
    ("kvstore.base", "kvstore.dist_sync"): "create, for several processes in step",
    ("kvstore.base", "kvstore.dist_async"): "create, for several processes out of step",
    ("kvstore.job", "kvstore.dist_async"): "the first asynchronous store of a job connects it to its servers",
    ("ndarray.creation", "ndarray.sparse"): "from_torch of a sparse tensor",
    ("ndarray.ndarray", "ndarray.numpy.array"): "as_np_ndarray: the class of mx.np is a subclass",
    ("ndarray.ndarray", "ndarray.sparse"): "attach_grad with a storage type: sparse arrays are subclasses",
    ("ndarray.sparse_array", "ndarray.sparse"): "a sparse array is assigned from a matrix of SciPy",
    ("ndarray.shapes", "ndarray.functions"): "the method split_v2 is the function, which is for arrays",
    (
        "ndarray.numpy.dispatch",
        "ndarray.numpy.functions",
    ): "NumPy's functions on our arrays run ours",
    ("ndarray.numpy.dispatch", "ndarray.numpy.linalg"): "as above",
    ("symbol.symbol", "symbol.numpy._symbol"): "as_np_ndarray: the symbol of mx.np is a subclass",
    ("symbol.symbol", "symbol.subgraphs"): "optimize_for makes subgraphs, which are symbols",
}
# An installed package has the samples of the tests as well.
FILES = sorted(p for p in PACKAGE.rglob("*.py") if p.parent not in (PACKAGE / "data", PACKAGE / "_samples"))


def part_of(path):
    """The part a file belongs to; None for mxnet/__init__.py, which only maps public names."""
    first = path.relative_to(PACKAGE).parts[0]
    return None if first == "__init__.py" else first.removesuffix(".py")


def is_type_checking(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def module_of(path):
    """The name of a file's module, without ``mxnet.``; mxnet itself is the empty name."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").removesuffix(".")


def imports(path):
    """Each (line, names of a module below mxnet, inside a function?) that a file imports, but not for type checkers."""
    package = ("mxnet", *path.relative_to(PACKAGE).parts[:-1])

    def visit(node, nested):
        for child in ast.iter_child_nodes(node):
            if is_type_checking(child):
                continue
            if isinstance(child, ast.ImportFrom):
                base = package[: len(package) - child.level + 1] if child.level else ()
                module = [*base, *(child.module.split(".") if child.module else ())]
                if module and module[0] == "mxnet":
                    yield from ((child.lineno, (*module[1:], a.name), nested) for a in child.names)
            elif isinstance(child, ast.Import):
                for alias in child.names:
                    if alias.name.startswith("mxnet."):
                        yield child.lineno, tuple(alias.name.split(".")[1:]), nested
            yield from visit(child, nested or isinstance(child, ast.FunctionDef | ast.Lambda))

    return list(visit(ast.parse(path.read_text()), False))


def parts(path):
    """Each (line, part, inside a function?) that a file imports."""
    return list(dict.fromkeys((line, names[0], nested) for line, names, nested in imports(path)))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_down(path):
    part = part_of(path)
    if part is None:
        found = [target for _, target, _ in parts(path)]
        # the last three only in a process that serves a distributed job, or is checked or profiled from its beginning
        expected = ["compat", "_core", "kvstore_server", "_checks", "profiler"]
        assert found == expected, "mxnet/__init__.py loads its parts on first use"
        return
    assert part in LEVEL, f"say in LAYERS where {part} belongs"
    for line, target, nested in parts(path):
        if target == part or (nested and (part, target) in LATE):
            continue
        assert target in LEVEL, f"{path.name}:{line} imports {target}, which is not in LAYERS"
        assert LEVEL[target] <= LEVEL[part], f"{path.name}:{line} in {part} imports {target}, which lies above it"


def test_parts_of_one_layer_do_not_import_each_other_in_circles():
    edges = {}
    for path in FILES:
        for _, target, nested in parts(path):
            if part_of(path) not in (None, target) and not nested:
                edges.setdefault(part_of(path), set()).add(target)

    def visit(part, way):
        assert part not in way, f"a circle of imports: {' -> '.join([*way, part])}"
        for target in sorted(edges.get(part, ())):
            visit(target, [*way, part])

    for part in sorted(edges):
        visit(part, [])


def module_graph():
    """The modules that each module imports as it is loaded, and those that its functions import."""
    modules = {module_of(path): path for path in FILES}
    loaded, late = {name: set() for name in modules}, set()
    for name, path in modules.items():
        for _, names, nested in imports(path):
            target = next(t for n in range(len(names), -1, -1) if (t := ".".join(names[:n])) in modules)
            if target not in (name, ""):
                (late.add((name, target)) if nested else loaded[name].add(target))
    return loaded, late


def reachable(graph, start):
    """Everything that loading a module loads."""
    seen, rest = {start}, [start]
    while rest:
        new = graph[rest.pop()] - seen
        seen |= new
        rest += new
    return seen


def test_modules_do_not_import_each_other_in_cycles():
    loaded, late = module_graph()
    below = {name: reachable(loaded, name) for name in loaded}
    cycles = sorted((a, b) for a in loaded for b in loaded[a] if a in below[b])
    assert not cycles, "these imports are part of a cycle: put what both need into a module of its own"
    broken = {(a, b) for a, b in late if a in below[b]}
    assert broken - set(CYCLES) == set(), "imports in functions hide a cycle: untie it, or say in CYCLES why it stays"
    assert set(CYCLES) - broken == set(), "these hide no cycle any longer: take them off the list"


def test_the_check_itself_sees_imports():
    """So that the tests above cannot pass by seeing nothing."""
    found = {(target, nested) for _, target, nested in parts(PACKAGE / "ndarray" / "gate.py")}
    assert {("context", False), ("ops", False), ("_core", False)} <= found
    assert {target for _, target, _ in parts(PACKAGE / "_test_utils" / "data.py")} >= {"base", "error", "io"}


def modules_after(program):
    """The names of the modules that a new process has loaded after running a program."""
    command = [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"]
    text = subprocess.run(command, check=True, capture_output=True, text=True)
    return set(text.stdout.split())


def test_import_alone_does_not_load_torch():
    loaded = modules_after("import mxnet as mx; mx.__version__; dir(mx)")
    assert "mxnet" in loaded
    assert not {"torch", "numpy", "cv2"} & loaded


def test_arrays_do_not_load_what_they_do_not_need():
    loaded = modules_after("import mxnet as mx; mx.nd.zeros((2, 3))")
    assert "torch" in loaded
    assert not {"cv2", "matplotlib", "scipy", "fsspec", "s3fs", "pandas", "mxnet.symbol", "mxnet.gluon"} & loaded
