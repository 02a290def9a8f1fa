"""Old packages are patched while they are imported: here small stand-ins, in `test_packages.py` the real ones."""

import os
import re
import shlex
import subprocess
import sys
import textwrap

import pytest
from paths import ROOT

from mxnet import compat
from mxnet.compat import loading
from mxnet.compat.distutils import LooseVersion, strtobool

# A module of each kind of patch, as the published packages have it, and an expression that needs it.
MODULES = {
    "gluoncv.model_zoo.hrnet": (
        "import numpy as np\ndef width(): return np.int(3.7), np.zeros(1, np.float).dtype.name",
        "width() == (3, 'float64')",
    ),
    "gluoncv.utils.version": (
        "def check():\n    from distutils.version import LooseVersion\n    return LooseVersion('1.10') > '1.9'",
        "check()",
    ),
    "gluonts.time_feature.any": (  # patches of the whole package
        "import collections\nimport inspect\nfrom pandas.tseries import offsets\nkind = offsets.YearOffset\n"
        "def names(of): return inspect.getargspec(of).args if isinstance([], collections.Sequence) else None",
        "isinstance(offsets.YearEnd(), kind) and names(names) == ['of']",
    ),
    "insightface.model_zoo.face_detection": (
        "import numpy as np\ndef boxes(x): return x.astype(np.float, copy=False)",
        "boxes(np.ones(1, 'float32')).dtype == 'float64'",
    ),
    "d2l.mxnet": (
        "import os\nimport pandas as pd\ndef ratings(data_dir):\n    names = ['user', 'item']\n"
        "    data = pd.read_csv(os.path.join(data_dir, 'u.data'), '\\t', names=names,\n        engine='python')\n"
        "    return data",
        "ratings(os.path.dirname(__file__)).values.tolist() == [[1, 2]]",
    ),
    "gluonts.shell.env": ("from distutils.util import strtobool", "strtobool('Yes') == 1"),
    "sockeye.evaluate": ("import numpy as np\ndef mean(x): return np.asscalar(np.mean(x))", "mean([1.0, 2.0]) == 1.5"),
    "sockeye.inference": (
        "import numpy as np\ndef score(seq_score): return float(seq_score)",
        "score(np.ones(1)) == 1 and score(2) == 2",
    ),
    "mxboard.summary": (
        "import numpy as np\ndef number(scalar): return float(scalar)",
        "number(np.ones((1, 1))) == 1",
    ),
    "keras.callbacks": (
        "from collections import deque\nfrom collections import Iterable\nimport numpy as np\nbest = -np.Inf",
        "isinstance([], Iterable) and best < 0 and not deque()",
    ),
    "keras.engine.saving": (
        "def text(model_config): return model_config.decode('utf-8')",
        "text('a') == text(b'a') == 'a'",
    ),
}


def lay_out(folder, modules):
    for name, source in modules.items():
        path = folder.joinpath(*name.split("."))
        path.parent.mkdir(parents=True, exist_ok=True)
        for parent in path.parents:
            if parent == folder:
                break
            (parent / "__init__.py").touch()
        path.with_suffix(".py").write_text(source)
    if any(name.startswith("keras") for name in modules):
        (folder / "keras" / "backend").mkdir(parents=True, exist_ok=True)
        (folder / "keras" / "backend" / "mxnet_backend.py").touch()


def run(folder, code, **environment):
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code)]
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", **environment}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packages")
    lay_out(folder, {name: source for name, (source, _) in MODULES.items()})
    (folder / "d2l" / "u.data").write_text("1\t2\n")
    return folder


def test_each_kind_of_patch(folder):
    code = f"""
        import importlib, numpy, sys
        import mxnet
        for name, (_, expression) in {MODULES!r}.items():
            module = importlib.import_module(name)
            assert eval(expression, vars(module)), name
        assert not hasattr(numpy, "int") and not hasattr(numpy, "Inf"), "NumPy is as it was for everybody else"
        assert "distutils" not in sys.modules and "torch" not in sys.modules
        print(len(__import__("mxnet.compat.loading", fromlist=["done"]).done))
    """
    for _ in range(2):  # the second time with whatever the first has cached
        done = run(folder, code)
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) == len(MODULES)


def test_a_module_that_needs_no_patch_is_loaded_as_any_other(tmp_path):
    lay_out(tmp_path, {"gluonts.plain": "import numpy as np\nvalue = np.inf"})
    code = """
        import mxnet, gluonts.plain
        from mxnet.compat import loading
        print(gluonts.plain.value, loading.done, gluonts.plain.__cached__.endswith(".pyc"))
    """
    done = run(tmp_path, code)
    assert done.stdout.strip() == "inf {} True", done.stderr


def test_files_stay_as_they_are_and_compiled_ones_too(folder):
    """A run with the patches leaves nothing behind that one without them would use."""
    assert run(folder, "import mxnet, sockeye.evaluate").returncode == 0
    done = run(folder, "import mxnet, sockeye.evaluate as e; e.mean([1.0])", MXNET_COMPAT="0")
    assert "asscalar" in done.stderr
    done = run(folder, "import mxnet, sockeye.evaluate as e; print(e.mean([1.0]))")
    assert done.stdout.strip() == "1.0", done.stderr


def test_a_package_that_imports_mxnet_in_the_middle(tmp_path):
    """GluonCV has its checks loaded before it imports mxnet, and calls them afterwards."""
    lay_out(tmp_path, {"gluoncv.check": "def _require_pytorch_version(a, b):\n    raise RuntimeError('torch < 2')"})
    first = (
        "from .check import _require_pytorch_version\nimport mxnet\n_require_pytorch_version('1', '2')\nfound = True\n"
    )
    (tmp_path / "gluoncv" / "__init__.py").write_text(first)
    done = run(tmp_path, "import gluoncv; print(gluoncv.found)")
    assert done.stdout.strip() == "True", done.stderr
    done = run(tmp_path, "import gluoncv", MXNET_COMPAT="0")
    assert "torch < 2" in done.stderr


@pytest.mark.parametrize("first", ["import mxnet", ""])
def test_a_module_that_imports_mxnet_itself(tmp_path, first):
    """The modules of the books begin with what they import, among it mxnet: they are being loaded then."""
    source = """
        from IPython import display
        import mxnet
        from matplotlib import pyplot

        def show():
            display.set_matplotlib_formats("svg")
            return display.SVG
    """
    lay_out(tmp_path, {"d2lzh.utils": textwrap.dedent(source)})
    code = f"""
        {first}
        import d2lzh.utils
        from IPython import display
        assert d2lzh.utils.show() is display.SVG
        print(hasattr(display, "set_matplotlib_formats"))
    """
    done = run(tmp_path, code)
    assert done.stdout.strip() == "False", done.stderr
    assert "AttributeError" in run(tmp_path, code, MXNET_COMPAT="0").stderr


@pytest.mark.parametrize("command", ["-m sockeye.lexicon", "-c 'import sockeye.lexicon as lexicon; lexicon.main()'"])
def test_a_program_of_a_package_that_imports_mxnet_before_numpy(tmp_path, command):
    """Its functions are compiled when mxnet is imported, and NumPy is not there yet."""
    source = """
        import mxnet
        import numpy as np

        from . import arguments

        def main():
            print(np.zeros(1, np.int).dtype.kind, arguments.number)

        if __name__ == "__main__":
            main()
    """
    lay_out(tmp_path, {"sockeye.lexicon": textwrap.dedent(source), "sockeye.arguments": "number = 3"})
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-W", "error", *shlex.split(command)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "i 3", done.stderr


def test_another_package_of_the_same_name_is_left_alone(tmp_path):
    """Today's Keras is called keras, too."""
    lay_out(tmp_path, {"keras.callbacks": "import numpy as np\nvalue = hasattr(np, 'Inf')\ndef get(): return np.Inf"})
    (tmp_path / "keras" / "backend" / "mxnet_backend.py").unlink()
    done = run(tmp_path, "import mxnet, keras.callbacks; keras.callbacks.get()")
    assert "AttributeError" in done.stderr


def test_tracebacks_show_the_lines_of_the_file(tmp_path):
    source = "import numpy as np\n\n\ndef mean(x):\n    return np.asscalar(np.mean(x)) / 0  # the line\n"
    lay_out(tmp_path, {"sockeye.evaluate": source})
    done = run(tmp_path, "import mxnet, sockeye.evaluate as e; e.mean([1.0])")
    assert 'evaluate.py", line 5, in mean' in done.stderr and "# the line" in done.stderr


def test_only_names_of_the_packages_are_looked_at():
    finder = compat._Finder()
    assert finder.find_spec("numpy") is None
    assert finder.find_spec("gluon_cv") is None


@pytest.mark.parametrize("package", compat.PACKAGES)
def test_every_patch_is_documented(package):
    page = (ROOT / "docs" / "compat.md").read_text()
    section = re.search(rf"^## [^\n]*`{package}`.*?(?=^## |\Z)", page, re.M | re.S)
    assert section, f"docs/compat.md has no section for {package}"
    for module, patches in loading.patches_of(package).items():
        assert module.startswith(f"{package}")
        for patch in patches:
            row = next((line for line in section[0].splitlines() if line.startswith("|") and patch.reason in line), "")
            where = "everywhere" if module == f"{package}.*" else module.removeprefix(f"{package}.")
            assert where in row, (module, patch.reason)


def test_versions():
    order = ["0.9", "1.4.0", "1.9.1", "1.10", "2.0.0a1", "2.13.0+cpu"]
    versions = [LooseVersion(text) for text in order]
    assert sorted(reversed(versions)) == versions
    assert LooseVersion("1.9.1") == "1.9.1" and LooseVersion("1.9.1") < "1.10" and str(versions[0]) == "0.9"
    assert len({LooseVersion("1.0"), LooseVersion("1.0")}) == 1
    assert [strtobool(word) for word in ("True", "no", "1")] == [1, 0, 1]
    with pytest.raises(ValueError, match="invalid truth value 'maybe'"):
        strtobool("maybe")


def test_messages_of_mxboard_with_protobuf_3(monkeypatch):
    message_factory = pytest.importorskip("google.protobuf.message_factory")
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    from mxnet.compat import mxboard

    class Factory:  # as protobuf 3.20 has it, where GetMessageClass is missing
        def __init__(self, pool):
            self.pool = pool

        def GetPrototype(self, descriptor):
            return make(descriptor)

    make = message_factory.GetMessageClass
    monkeypatch.delattr(message_factory, "GetMessageClass")
    monkeypatch.setattr(message_factory, "MessageFactory", Factory, raising=False)
    file = FileDescriptorProto(name="old_protobuf.proto", package="mine", syntax="proto3")
    field = file.message_type.add(name="Number").field.add(name="value", number=1, type=5, label=1)
    names = {}
    mxboard.declare(file.SerializeToString(), names)
    assert names["Number"](value=3).value == 3 and field.name == "value"

    class Bare(Factory):  # whose classes do not have those of messages within them
        def GetPrototype(self, descriptor):
            return type(descriptor.name, (), {"make": staticmethod(make(descriptor))})

    monkeypatch.setattr(message_factory, "MessageFactory", Bare)
    file.name = "nested_messages.proto"
    file.message_type[0].name = "Outer"
    file.message_type[0].nested_type.add(name="Inner").field.add(name="text", number=1, type=9, label=1)
    mxboard.declare(file.SerializeToString(), names)
    assert names["Outer"].Inner.make(text="x").text == "x"
