"""Attacks on the commands, on downloads, on the library for C and on what names in files become."""

import ast
import copy
import ctypes
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import zipfile

import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.compat.rewriting import changes, rewritten
from mxnet.optimizer.states import read_states
from mxnet.tools import modernize, predict_api, provide

fuzz_files = pytest.importorskip("fuzz_files", reason="it needs OpenCV")
posix = pytest.mark.skipif(os.name != "posix", reason="it needs links and pipes")


# ---- commands that go through folders --------------------------------------------------------------------------------


@posix
def test_links_and_pipes_in_a_folder_of_programs(tmp_path, capsys):
    folder, outside = tmp_path / "programs", tmp_path / "outside.py"
    folder.mkdir()
    outside.write_text("import numpy as np\nx = np.int(3)\n")
    (folder / "link.py").symlink_to(outside)
    (folder / "endless.py").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.py")
    (folder / "a.py").write_text("import numpy as np\nx = np.int(3)\n")
    assert modernize.main(["--write", str(folder)]) == 0
    assert "np.int" in outside.read_text() and "np.int" not in (folder / "a.py").read_text()


@pytest.mark.parametrize(
    "source",
    ["x = " + "-" * 100_000 + "1\n", "x = " + "+".join(["1"] * 20_000) + "\n", "x = a" + ".b" * 20_000 + "\n",
     "# coding: hex\nx = 1\n", "# coding: undefined\n", "x = 1\0", "x = " + "9" * 5000],
    ids=["signs", "sum", "attributes", "codec", "undefined", "NUL", "number"],
)  # fmt: skip
def test_programs_that_no_parser_takes(tmp_path, capsys, source):
    (tmp_path / "a.py").write_text(source)
    (tmp_path / "b.py").write_text("import numpy as np\nx = np.int(3)\n")
    assert modernize.main(["--diff", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "a.py:1: this is not Python 3" in out and "+x = int(3)" in out


def test_many_changes_on_one_line():
    source = "import numpy as np\n" + "np.int(1);np.asscalar(np.float(x));" * 2000 + "\n"
    assert rewritten(source, changes(source)) == "import numpy as np\n" + "int(1);float(x).item();" * 2000 + "\n"


def im2rec(*arguments):
    """Runs the command; its exit code. In a process, so that one that hangs is a failure."""
    command = [sys.executable, "-m", "mxnet.tools.im2rec", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100)


@posix
def test_links_that_go_round_and_files_that_never_end(tmp_path):
    cv2 = pytest.importorskip("cv2")
    import numpy as np

    pictures = tmp_path / "pictures"
    (pictures / "cats").mkdir(parents=True)
    cv2.imwrite(str(pictures / "cats" / "a.png"), np.zeros((4, 4, 3), np.uint8))
    for name in ("x", "y"):
        (pictures / name).symlink_to(".")
        (pictures / "cats" / name).symlink_to("..")
    os.mkfifo(pictures / "pipe.png")
    done = im2rec("--list", "--recursive", tmp_path / "data", pictures)
    assert done.returncode == 0 and (tmp_path / "data.lst").read_text() == "0\t0.000000\tcats/a.png\n", done
    (tmp_path / "data.lst").write_text("0\t0\tpipe.png\n1\t1\tcats/a.png\n")
    done = im2rec(tmp_path / "data", pictures)
    assert "1 of 2 images" in done.stdout and "pipe.png: it is not a regular file" in done.stdout, done


@posix
@pytest.mark.parametrize("name", [b"a\n7\t5.0\tb.png", b"a\tb.png", b"a\r.png", b"\xff\xfe.png", b" a.png"])
def test_names_of_files_that_are_lines_of_a_list(tmp_path, capsys, name):
    from mxnet.tools import im2rec

    (tmp_path / "pictures").mkdir()
    try:
        pathlib.Path(os.fsdecode(os.fsencode(tmp_path / "pictures") + b"/" + name)).write_bytes(b"x")
    except OSError:
        pytest.skip("this file system has no such names")
    assert im2rec.main(["--list", str(tmp_path / "data"), str(tmp_path / "pictures")]) == 1
    assert "cannot stand in a list" in capsys.readouterr().err and not (tmp_path / "data.lst").exists()


def test_lists_that_are_none(tmp_path):
    from mxnet.tools import im2rec

    (tmp_path / "a.lst").write_text("a\n" * 100_000)
    with pytest.raises(mx.MXNetError, match="this is no list of images: 10001 lines"):
        im2rec.read_list(str(tmp_path / "a.lst"))


# ---- packages --------------------------------------------------------------------------------------------------------


def test_requirements_that_name_themselves(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("-r b.txt\n")
    (tmp_path / "b.txt").write_text("numpy\n-r ./a.txt\n")
    assert provide.main(["--install", "-r", str(tmp_path / "a.txt")]) == 1
    assert "a.txt names itself by -r" in capsys.readouterr().err


def test_requirements_that_are_options_of_pip(tmp_path):
    with zipfile.ZipFile(tmp_path / "a-1-py3-none-any.whl", "w") as wheel:
        text = "Metadata-Version: 2.1\nName: a\nRequires-Dist: --index-url=http://example.org/\n"
        wheel.writestr("a-1.dist-info/METADATA", text)
    with pytest.raises(provide.ProvideError, match="is not the name of a package"):
        list(provide._requirements(str(tmp_path / "a-1-py3-none-any.whl")))


# ---- downloads -------------------------------------------------------------------------------------------------------


@pytest.fixture
def endless():
    """The address of a server that never stops to send."""

    class Handler(http.server.BaseHTTPRequestHandler):
        count = 0

        def do_GET(self):
            Handler.count += 1
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(bytes(1 << 16))
            except OSError:
                pass

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/a.bin", Handler
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("with_requests", [True, False], ids=["requests", "urllib"])
def test_downloads_without_an_end(endless, tmp_path, monkeypatch, with_requests):
    if with_requests:
        pytest.importorskip("requests")
    else:
        monkeypatch.setitem(sys.modules, "requests", None)
    monkeypatch.setenv("MXNET_DOWNLOAD_MAX_BYTES", "3000000")
    url, handler = endless
    for fetch in (
        lambda: gluon.utils.download(url, str(tmp_path / "a.bin")),
        lambda: mx.test_utils.download(url, dirname=str(tmp_path)),
    ):
        handler.count = 0
        with pytest.raises(mx.MXNetError, match="sends more than 3000000 bytes; MXNET_DOWNLOAD_MAX_BYTES"):
            fetch()
        assert handler.count == 1 and os.listdir(tmp_path) == []


# ---- the library for C -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def library():
    if not predict_api.LIBRARY.exists():
        pytest.skip("the library was not built: there was no C compiler")
    loaded = ctypes.CDLL(str(predict_api.LIBRARY))
    loaded.MXGetLastError.restype = ctypes.c_char_p
    return loaded


NETWORK = mx.sym.Activation(mx.sym.var("data"), act_type="relu", name="act").tojson()


def create(library, symbol=NETWORK, names=(b"data",), types=(), outputs=None):
    """What a program in C that makes a predictor gets: its code and the text of the error."""
    unsigned, texts = ctypes.c_uint, lambda given: (ctypes.c_char_p * len(given))(*given)
    handle = ctypes.c_void_p()
    start = (symbol.encode(), b"", 0, 1, 0, len(names), texts(names), (unsigned * 2)(0, 2), (unsigned * 2)(1, 3))
    if outputs is not None:
        code = library.MXPredCreatePartialOut(*start, len(outputs), texts(outputs), ctypes.byref(handle))
    else:
        more = (len(types), texts(types), (ctypes.c_int * len(types))(*([0] * len(types))))
        code = library.MXPredCreateEx(*start, *more, ctypes.byref(handle))
    if code == 0:
        library.MXPredFree(handle)
    return code, library.MXGetLastError().decode()


def test_names_that_are_null(library):
    assert create(library)[0] == 0
    for given in ({"names": (None,)}, {"types": (None,)}, {"outputs": (None,)}):
        assert create(library, **given) == (-1, "ValueError: a name is NULL")


def test_the_symbol_of_a_program_in_c_is_no_name_of_a_file(library, tmp_path):
    (tmp_path / "net-symbol.json").write_text(NETWORK)
    for symbol in (str(tmp_path / "net-symbol.json"), "http://127.0.0.1:9/net-symbol.json", "/dev/zero", ""):
        code, text = create(library, symbol)
        assert code == -1 and "the symbol is not JSON" in text


# ---- what names and attributes become --------------------------------------------------------------------------------


def test_types_that_numpy_would_evaluate(tmp_path):
    text = mx.sym.Cast(mx.sym.var("data"), dtype="float32").tojson()
    for kind in ("9" * 5000, "(2,)f4", "f4,f4", "(" * 3000, "{'a': 1}", "f4\n", "-" * 100_000 + "1"):
        with pytest.raises(mx.MXNetError, match="dtype"):
            mx.sym.load_json(text.replace('"float32"', json.dumps(kind))).infer_type()
        with pytest.raises(mx.MXNetError, match="dtype"):
            nd.zeros(1, dtype=kind)
    assert [nd.zeros(1, dtype=kind).dtype for kind in ("<f4", "f8", "?")] == [mx.np.float32, mx.np.float64, mx.np.bool_]


@pytest.mark.parametrize(
    "attributes",
    [{"count": -(10**15)}, {"count": -(10**15), "factor": float("nan")}, {"count": -(10**15), "factor": -3.0},
     {"count": -(10**15), "stop_factor_lr": -1.0}, {"count": float("-inf")}],
    ids=["factor", "nan", "negative", "stop", "inf"],
)  # fmt: skip
def test_schedules_of_files_end(attributes):
    schedule = mx.lr_scheduler.FactorScheduler(1, 0.999999999999)
    vars(schedule).update(attributes)
    saved = mx.optimizer.get_updater(mx.optimizer.SGD(lr_scheduler=schedule)).get_states(dump_optimizer=True)
    error, took, _ = fuzz_files.measured(lambda: read_states(saved, "a file")[1].lr_scheduler(5))
    assert error is None and took < 10  # or years


@pytest.mark.parametrize("attributes", [{"count": "a"}, {"count": 10**400}, {"base_lr": [1]}, {"base_lr": nd.ones(2)}])
def test_schedules_of_files_have_numbers(attributes):
    schedule = mx.lr_scheduler.FactorScheduler(1, 0.5)
    vars(schedule).update(attributes)
    saved = mx.optimizer.get_updater(mx.optimizer.SGD(lr_scheduler=schedule)).get_states(dump_optimizer=True)
    with pytest.raises(mx.MXNetError, match=r"FactorScheduler is given cannot be read"):
        read_states(saved, "a file")


def test_long_schedules_give_the_same():
    steps = mx.lr_scheduler.FactorScheduler(2, 0.9999, stop_factor_lr=1e-9, base_lr=1.0)
    for update in range(0, 30_001, 100):
        expected = steps(update)
    at_once = mx.lr_scheduler.FactorScheduler(2, 0.9999, stop_factor_lr=1e-9, base_lr=1.0)
    assert abs(at_once(30_000) / expected - 1) < 1e-10


def test_an_argument_may_have_any_name():
    net = mx.sym.Activation(mx.sym.var("self"), act_type="relu")
    assert net.infer_shape(self=(2, 3))[1] == [(2, 3)] and net.infer_type(self="float32")[1] == [mx.np.float32]


PAYLOADS = [
    'x"\n\nOWNED()\n"', "x'\n\nOWNED()\n'", 'x"""\nOWNED()\n"""', "{OWNED}", "{0:>99999999999}", "a\\",
    'a"+OWNED()+"', "OWNED(0)", "a\rOWNED()", "class", "__init__", "\0",
]  # fmt: skip


def _source_network():
    net = mx.sym.Convolution(mx.sym.var("data"), num_filter=4, kernel=(3, 3), name="conv")
    net = mx.sym.Pooling(mx.sym.BatchNorm(net, name="bn"), kernel=(2, 2), pool_type="max", name="pool")
    parts = mx.sym.SliceChannel(net, num_outputs=2, name="parts")
    net = mx.sym.FullyConnected(mx.sym.Concat(parts[0], parts[1], dim=1, name="cat"), num_hidden=3, name="fc")
    net = mx.sym.clip(mx.sym.broadcast_mul(net, mx.sym.var("scale", shape=(1, 3))), a_min=0, a_max=5.0, name="clip")
    return json.loads(mx.sym.SoftmaxOutput(net, name="softmax").tojson())


def _translated(tree, folder):
    """The sources made of a network, or None if it is refused."""
    from mxnet.to_torch import to_torch_source

    shutil.rmtree(folder, ignore_errors=True)
    try:
        net = mx.sym.load_json(json.dumps(tree))
        shapes = {net.list_arguments()[0]: (2, 3, 8, 8)}
        arguments, _, states = net.infer_shape(**shapes)
        names = [*zip(net.list_arguments(), arguments), *zip(net.list_auxiliary_states(), states)]  # noqa: B905
        to_torch_source(net, folder, params={n: nd.ones(s) for n, s in names if n not in shapes}, shapes=shapes)
    except mx.MXNetError:
        return None
    return {path: path.read_text() for path in folder.rglob("*.py")}


def _is_clean(source):
    """Is what was planted nothing but text of constants and comments?"""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Constant):
            names = [value for _, value in ast.iter_fields(node) if isinstance(value, str)]
            if any("OWNED(" in name or name == "OWNED" for name in names):
                return False
    return True


@pytest.mark.parametrize("payload", PAYLOADS)
def test_names_and_attributes_do_not_become_source(tmp_path, payload):
    pytest.importorskip("safetensors")
    network, written = _source_network(), 0
    trees = []
    for form in ("{p}{i}", "{p}_{j}_x{i}"):
        tree = copy.deepcopy(network)
        for i, node in enumerate(tree["nodes"]):
            node["name"] = form.replace("{p}", payload).replace("{i}", str(i)).replace("{j}", str(i // 3))
        trees.append(tree)
    for i, node in enumerate(network["nodes"]):
        if node["op"] == "null":
            continue
        for key in [*list(node.get("attrs", ()))[:1], f"__{payload}__"]:
            tree = copy.deepcopy(network)
            tree["nodes"][i].setdefault("attrs", {})[key] = payload
            trees.append(tree)
    for tree in trees:
        sources = _translated(tree, tmp_path / "out")
        written += sources is not None
        for path, source in (sources or {}).items():
            assert _is_clean(source), f"{path.name}: {source}"
    assert written


# ---- memory ----------------------------------------------------------------------------------------------------------


def test_metadata_of_tiny_texts(tmp_path):
    pairs = ",".join(f'"{i}":""' for i in range(800_000))
    header = ('{"__metadata__":{' + pairs + "}}").encode()
    path = tmp_path / "hostile.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    error, _, more = fuzz_files.measured(lambda: nd.load(str(path)))
    assert isinstance(error, mx.MXNetError) and "with this many parts" in str(error)
    assert more <= fuzz_files.most_memory(len(header))
