"""Files that are damaged, or meant to do harm: refused with an MXNetError, at once, and without much memory."""

import contextlib
import json
import os
import pathlib
import struct
import sys
import zlib

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd, recordio
from mxnet._core import literals
from mxnet._core.pixels import size_of_image
from mxnet.graph.limits import memory_size
from mxnet.tools import im2rec

cv2 = pytest.importorskip("cv2")
import fuzz_files  # noqa: E402  (needs OpenCV)


@contextlib.contextmanager
def little_memory(room=1 << 30):
    """So many bytes of address space more than now; whoever asks for more gets an error that is none of ours."""
    if not sys.platform.startswith("linux"):
        yield
        return
    import resource

    limits = resource.getrlimit(resource.RLIMIT_AS)
    used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


# ---- any reader ------------------------------------------------------------------------------------------------------


def fuzz(name, count, seed, folder):
    """Reads damaged files, each within bounds of memory and time; errors are MXNetErrors that name the file."""
    refused = 0
    for number, content, run in fuzz_files.cases(name, count, seed, str(folder)):
        wrong, error = fuzz_files.violation(name, content, run)
        refused += error is not None
        if wrong is not None:
            pytest.fail(f"{name} {seed} {number}: {wrong}: {content[:2000]!r}")
    return refused


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", fuzz_files.READERS)
def test_damaged_files(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_IMAGE_MAX_PIXELS", "2000000")  # the bound for images, which is not one by their size
    fuzz_files.undamaged(name, str(tmp_path))
    with little_memory():
        assert fuzz(name, 60, 1, tmp_path) > 5


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", fuzz_files.READERS)
def test_many_damaged_files(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_IMAGE_MAX_PIXELS", "2000000")
    fuzz_files.undamaged(name, str(tmp_path))
    with little_memory():
        assert fuzz(name, 2000, 2, tmp_path) > 100


def test_a_nul_in_a_file_name():
    for read in (nd.load, mx.sym.load, mx.image.imread, lambda n: recordio.MXRecordIO(n, "r"), mx.io.CSVIter):
        with pytest.raises(mx.MXNetError):
            read(*([{"data_csv": "a\0b"}] if read is mx.io.CSVIter else ["a\0b"]))


# ---- literals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, value",
    [("(1, 2)", (1, 2)), ("[1,2]", [1, 2]), ("3", 3), ("-1", -1), ("(1,)", (1,)), ("(1)", 1), ("()", ()), ("[]", []),
     ("((1, 2), (3,))", ((1, 2), (3,))), ("1, 2", (1, 2)), ("None", None), ("(None, 2)", (None, 2)), ("'a'", "a"),
     ("('a', \"b'\")", ("a", "b'")), ("'\\n\\''", "\n'"), ("1.5", 1.5), ("1e3", 1000.0), (".5", 0.5), ("(1.,)", (1.0,)),
     (" ( 1 , 2 ) ", (1, 2)), ("(2L, 3L)", (2, 3)), ("[True, False]", [True, False])],
)  # fmt: skip
def test_literals(text, value):
    assert repr(literals.parse_literal(text)) == repr(value)


@pytest.mark.parametrize(
    "text",
    ["", "(", "(1", "(1))", "1 2", "(,)", "(1,,2)", "a", "--1", "1e", "(1]", "-" * 100_000 + "1", "(" * 100_000,
     "9" * 5000, "'a", "'\\x41'", "1_0", "{}", "__import__('os')", "1" * (1 << 21), "()()", "[" * 17 + "]" * 17],
    ids=lambda text: text[:12] or "nothing",
)  # fmt: skip
def test_other_text_is_no_literal(text):
    with pytest.raises(ValueError):
        literals.parse_literal(text)


# ---- symbols ---------------------------------------------------------------------------------------------------------


def graph(op, attrs, inputs=1, **variable):
    """The JSON of one operator on variables that have these attributes."""
    nodes = [{"op": "null", "name": f"x{i}", "inputs": [], "attrs": variable} for i in range(inputs)]
    nodes.append({"op": op, "name": "y", "attrs": attrs, "inputs": [[i, 0, 0] for i in range(inputs)]})
    heads, marks = [[inputs, 0, 0]], {"mxnet_version": ["int", 10901]}
    return json.dumps({"nodes": nodes, "arg_nodes": list(range(inputs)), "heads": heads, "attrs": marks})


HOSTILE = ["-" * 100_000 + "1", "(" * 100_000, "9" * 100_000, "(" + "9" * 5000 + ",)", "[" * 3000 + "]" * 3000]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:3])
def test_text_of_attributes(text):
    with pytest.raises(mx.MXNetError, match="shape") as refused:
        mx.sym.load_json(graph("_zeros", {"shape": text}, 0))
    assert len(str(refused.value)) < 1000
    with pytest.raises(mx.MXNetError, match="axis"):
        mx.sym.load_json(graph("sum", {"axis": text}))
    with pytest.raises(mx.MXNetError, match="shape"):
        nd.reshape(nd.ones(2), shape=text)
    for key in ("__shape__", "__dtype__"):
        symbol = mx.sym.load_json(graph("relu", {}, **{key: text}))
        with pytest.raises(mx.MXNetError, match=f"'x0': {key}"):
            symbol.simple_bind(mx.cpu(), x0=(2,)) if key == "__dtype__" else symbol.simple_bind(mx.cpu())
    array = nd.zeros((2, 2))
    with pytest.raises(mx.MXNetError):
        mx.init.Uniform()(mx.init.InitDesc("x_weight", {"__init__": text}), array)
    with pytest.raises(mx.MXNetError, match="__lr_mult__") if not text.isdigit() else contextlib.nullcontext():  # inf
        mx.optimizer.create("sgd", sym=mx.sym.load_json(graph("relu", {}, __lr_mult__=text)))


@pytest.mark.parametrize(
    "op, attrs, inputs",
    [("SliceChannel", {"num_outputs": "2000000000"}, 1),
     ("_split_v2", {"indices": "()", "sections": "2000000000"}, 1),
     ("Concat", {"num_args": "2000000000"}, 1),
     ("add_n", {"num_args": "2000000000"}, 1),
     ("amp_multicast", {"num_outputs": "2000000000"}, 1),
     ("multi_sgd_update", {"num_weights": "2000000000", "lrs": "(1,)", "wds": "(1,)"}, 2),
     ("multi_sum_sq", {"num_arrays": "2000000000"}, 1),
     ("RNN", {"num_layers": "1000000000", "state_size": "2", "mode": "lstm"}, 4)],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_counts_are_bounded(op, attrs, inputs):
    with pytest.raises(mx.MXNetError, match="smaller equal to 65536"):
        mx.sym.load_json(graph(op, attrs, inputs))


def test_many_nodes_of_many_outputs():
    nodes = [{"op": "null", "name": "x", "inputs": []}]
    attrs = {"num_outputs": "65536"}
    nodes += [{"op": "SliceChannel", "name": f"y{i}", "attrs": attrs, "inputs": [[0, 0, 0]]} for i in range(100)]
    with pytest.raises(mx.MXNetError, match="6553600 outputs"):
        mx.sym.load_json(json.dumps({"nodes": nodes, "arg_nodes": [0], "heads": [[1, 0, 0]]}))


def test_shapes_larger_than_memory(tmp_path):
    side = int(memory_size() ** 0.5)  # of floats that is four times the memory
    constant = graph("_zeros", {"shape": f"({side}, {side})"}, 0)
    variable = graph("relu", {}, __shape__=f"({side}, {side})")
    repeated = graph("repeat", {"repeats": str(side * side)}, __shape__="(1,)")
    for text in (constant, variable, repeated):
        symbol = mx.sym.load_json(text)
        with pytest.raises(mx.MXNetError, match=r"this machine has .* MB of memory"):
            symbol.simple_bind(mx.cpu())
        if symbol.list_arguments():
            continue
        with pytest.raises(mx.MXNetError, match="this machine has"):
            symbol.bind(mx.cpu(), {})
    path = tmp_path / "large-symbol.json"
    for large in (mx.sym.var("w", shape=(side, side), init="zeros"), mx.sym.zeros(shape=(side, side))):
        path.write_text(mx.sym.broadcast_add(mx.sym.var("data"), large).tojson())
        net = gluon.SymbolBlock.imports(str(path), ["data"])
        with pytest.raises(mx.MXNetError, match="this machine has"):
            net.initialize()
            net(nd.ones((1, 1)))
    sparse = mx.sym.var("w", shape=(1 << 40, 4), stype="row_sparse")  # needs no memory for what is not there
    sparse.simple_bind(mx.cpu(), grad_req="null")


def test_inputs_and_subgraphs_that_do_not_fit():
    with pytest.raises(mx.MXNetError, match="'y' has 3 inputs, relu takes at most 1"):
        mx.sym.load_json(graph("relu", {}, 3))
    loop = mx.sym.contrib.foreach(
        lambda x, s: (x + s, x * s), mx.sym.var("a", shape=(3, 2)), mx.sym.var("b", shape=(2,))
    )[0]
    for key, text in (("in_data_locs", "[7]"), ("in_state_locs", "[]"), ("remain_locs", "[0, 0, 0]")):
        tree = json.loads(loop.tojson())
        next(node for node in tree["nodes"] if node["op"] == "_foreach")["attrs"][key] = text
        with pytest.raises(mx.MXNetError):
            mx.sym.load_json(json.dumps(tree)).infer_shape()
    tree = json.loads(loop.tojson())
    next(node for node in tree["nodes"] if node["op"] == "_foreach")["subgraphs"] *= 2
    with pytest.raises(mx.MXNetError):
        mx.sym.load_json(json.dumps(tree)).infer_shape()


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_names_that_are_no_text(name):
    with pytest.raises(mx.MXNetError, match="node 1 has the name"):
        mx.sym.load_json(graph("relu", {}).replace('"y"', json.dumps(name)))


# ---- images ----------------------------------------------------------------------------------------------------------


def png(height, width):
    """A gray image of zeros, with few bytes."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = zlib.compress(bytes((width + 1) * height), 9)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def in_every_format(pixels):
    for kind in (".jpg", ".png", ".bmp", ".webp", ".tiff", ".gif", ".ppm", ".pgm", ".pbm", ".pam", ".jp2", ".hdr",
                 ".ras", ".pfm"):  # fmt: skip
        try:
            done, encoded = cv2.imencode(kind, pixels.astype("float32") if kind in (".hdr", ".pfm") else pixels)
        except cv2.error:
            continue
        if done:
            yield kind, encoded.tobytes()


def test_bound_of_pixels_in_every_format(monkeypatch, tmp_path):
    tried = []
    for kind, content in in_every_format(np.random.RandomState(1).randint(0, 255, (64, 72, 3), np.uint8)):
        assert size_of_image(memoryview(content)) == (64, 72), kind
        monkeypatch.setenv("MXNET_IMAGE_MAX_PIXELS", str(64 * 72))
        assert mx.image.imdecode(content).shape == (64, 72, 3), kind
        monkeypatch.setenv("MXNET_IMAGE_MAX_PIXELS", str(64 * 72 - 1))
        path = tmp_path / f"a{kind}"
        path.write_bytes(content)
        for read in (
            lambda: mx.image.imdecode(content),  # noqa: B023
            lambda: mx.image.imdecode(nd.array(np.frombuffer(content, np.uint8), dtype="uint8")),  # noqa: B023
            lambda: mx.image.imread(str(path)),  # noqa: B023
            lambda: nd.imdecode(content),  # noqa: B023
            lambda: recordio.unpack_img(recordio.pack((0, 1.0, 2, 0), content)),  # noqa: B023
        ):
            with pytest.raises(mx.MXNetError, match=r"64 x 72 pixels .* MXNET_IMAGE_MAX_PIXELS=4607"):
                read()
        tried.append(kind)
    assert {".jpg", ".png", ".bmp"} <= set(tried)


def test_bound_of_pixels_in_data_sets(monkeypatch, tmp_path):
    content = png(64, 72)
    (tmp_path / "images" / "kind").mkdir(parents=True)
    (tmp_path / "images" / "kind" / "a.png").write_bytes(content)
    name = str(tmp_path / "a.rec")
    with recordio.MXIndexedRecordIO(name.replace(".rec", ".idx"), name, "w") as writer:
        writer.write_idx(0, recordio.pack(recordio.IRHeader(0, 1.0, 0, 0), content))
    listed = [[1.0, os.path.join("kind", "a.png")]]
    shape = {"data_shape": (3, 16, 16), "batch_size": 1}
    readers = {
        "folder": lambda: gluon.data.vision.ImageFolderDataset(str(tmp_path / "images"))[0],
        "records": lambda: gluon.data.vision.ImageRecordDataset(name)[0],
        "ImageRecordIter": lambda: next(mx.io.ImageRecordIter(path_imgrec=name, **shape)),
    }
    for read in readers.values():
        read()
    monkeypatch.setenv("MXNET_IMAGE_MAX_PIXELS", "4000")
    for what, read in readers.items():
        with pytest.raises(mx.MXNetError, match="MXNET_IMAGE_MAX_PIXELS=4000"):
            read()
            pytest.fail(what)
    skipping = mx.image.ImageIter(imglist=listed, path_root=str(tmp_path / "images"), **shape)
    with pytest.raises((mx.MXNetError, StopIteration)):  # it leaves out images that cannot be read, as the original
        next(skipping)


def test_default_bound_of_pixels(monkeypatch):
    monkeypatch.delenv("MXNET_IMAGE_MAX_PIXELS", raising=False)
    with little_memory(300 << 20), pytest.raises(mx.MXNetError, match="MXNET_IMAGE_MAX_PIXELS=67108864"):
        mx.image.imdecode(png(9000, 9000))
    monkeypatch.setenv("MXNET_IMAGE_MAX_PIXELS", "many")
    with pytest.raises(mx.MXNetError, match="MXNET_IMAGE_MAX_PIXELS must be a whole number of at least 1"):
        mx.image.imdecode(png(2, 2))


def test_a_png_chunk_that_says_to_be_large():
    content = bytearray(png(8, 8))
    content[33:37] = struct.pack(">I", 0x7FFF0000)
    with little_memory(), pytest.raises(mx.MXNetError, match="chunk at offset 33"):
        mx.image.imdecode(bytes(content))


# ---- im2rec ----------------------------------------------------------------------------------------------------------


def test_im2rec_stays_below_its_root(tmp_path, capsys):
    root = tmp_path / "root"
    (root / "below").mkdir(parents=True)
    (tmp_path / "outside.png").write_bytes(png(4, 4))
    (root / "inside.png").write_bytes(png(4, 4))
    (tmp_path / "root2").mkdir()
    (tmp_path / "root2" / "a.png").write_bytes(png(4, 4))
    for path in ("../outside.png", "below/../../outside.png", str(tmp_path / "outside.png"), "../root2/a.png", "..",
                 "file:///etc/passwd", "a\0b"):  # fmt: skip
        (tmp_path / "m.lst").write_text(f"0\t1\tinside.png\n1\t1\t{path}\n")
        assert im2rec.main([str(tmp_path / "m"), str(root), "--pass-through"]) == 1, path
        assert "not below the root" in capsys.readouterr().err
        assert not list(tmp_path.glob("*m.rec*")) and not list(tmp_path.glob("*m.idx*"))
    inside = ["inside.png", "below/../inside.png", str(root / "inside.png")]
    with contextlib.suppress(OSError):  # links are followed: the owner of the folder has made them
        (root / "link.png").symlink_to(tmp_path / "outside.png")
        inside.append("link.png")
    (tmp_path / "m.lst").write_text("".join(f"{i}\t1\t{path}\n" for i, path in enumerate(inside)))
    assert im2rec.main([str(tmp_path / "m"), str(root), "--pass-through"]) == 0
    with recordio.MXIndexedRecordIO(str(tmp_path / "m.idx"), str(tmp_path / "m.rec"), "r") as records:
        assert records.keys == list(range(len(inside)))


def test_lists_that_are_no_text(tmp_path):
    path = tmp_path / "a.lst"
    path.write_bytes(b"0\t1\t\xff\xfe.png\n")
    for read in (im2rec.read_list, lambda p: mx.image.ImageIter(1, (3, 4, 4), path_imglist=p, path_root=".")):
        with pytest.raises(mx.MXNetError, match=r"a\.lst: byte 4 is not utf-8 text"):
            read(str(path))
    path = tmp_path / "vectors.txt"
    for content, said in ((b"a 1 2\nb \xff 3\n", "text that is not utf8"), (b"a 1 2\nb x 3\n", "line 2 of")):
        path.write_bytes(content)
        with pytest.raises(mx.MXNetError, match=said):
            mx.contrib.text.embedding.CustomEmbedding(str(path))
