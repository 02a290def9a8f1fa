"""Small files that ask for much: decoders and parsers whose work has little to do with the size of what they read."""

import json
import re
import struct
import zlib

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd

fuzz_files = pytest.importorskip("fuzz_files", reason="it needs OpenCV")
cv2 = pytest.importorskip("cv2")


def refused(path, content, read, match):
    """Reads a file that must be refused by an MXNetError, within the bounds for its size."""
    path.write_bytes(content)
    error, took, more = fuzz_files.measured(lambda: read(str(path)))
    assert isinstance(error, mx.MXNetError), error
    assert match in str(error)
    assert more <= fuzz_files.most_memory(len(content)), f"{more >> 20} MB for {len(content)} bytes"
    assert took <= 2 * fuzz_files.most_seconds(len(content)), f"{took} s for {len(content)} bytes"


# ---- images ----------------------------------------------------------------------------------------------------------


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(texts):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + texts + chunk(b"IDAT", zlib.compress(bytes(72))) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", [b"zTXt", b"iTXt"])
def test_compressed_texts_of_a_png(tmp_path, kind):
    head = b"a\0\0" if kind == b"zTXt" else b"a\0\1\0\0\0"
    texts = chunk(kind, head + zlib.compress(bytes(7_900_000), 9))
    assert mx.image.imdecode(png(texts * 3)).shape == (8, 8, 3)
    refused(tmp_path / "a.png", png(texts * 300), mx.image.imread, "compressed texts")  # 9 seconds, 2 MB


def jpeg(size, scans):
    """A progressive JPEG whose last scan, of some bytes, is there so many times more."""
    done, made = cv2.imencode(".jpg", np.zeros((size, size), np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    assert done
    content = made.tobytes()
    last, end = content.rindex(b"\xff\xda"), content.rindex(b"\xff\xd9")
    return content[:end] + content[last:end] * scans + b"\xff\xd9"


def test_scans_of_a_jpeg(tmp_path):
    assert mx.image.imdecode(jpeg(2000, 100)).shape == (2000, 2000, 3)  # larger images may have fewer scans
    refused(tmp_path / "a.jpg", jpeg(4000, 2000), mx.image.imread, "more scans than are decoded for 4000 x 4000")
    # A baseline JPEG with all components in its first scan ends there: its bytes are not looked through.
    done, made = cv2.imencode(".jpg", np.zeros((4000, 4000), np.uint8))
    assert done and mx.image.imdecode(made.tobytes() + b"\xff\xda" * 1000).shape == (4000, 4000, 3)


def test_tiles_of_a_jpeg_2000(tmp_path):
    done, made = cv2.imencode(".jp2", np.zeros((256, 256, 3), np.uint8))
    if not done:
        pytest.skip("this OpenCV has no JPEG 2000")
    content = bytearray(made.tobytes())
    start = content.index(b"\xff\x4f\xff\x51")
    struct.pack_into(">8I", content, start + 8, 256, 255, 0, 0, 1, 1, 0, 0)  # 65280 tiles of one pixel: 740 MB
    refused(tmp_path / "a.jp2", bytes(content), mx.image.imread, "has 65280 tiles")
    refused(tmp_path / "a.j2k", bytes(content[start:]), mx.image.imread, "has 65280 tiles")
    # What stands before it, or at the end of the file, hides nothing.
    decoy = made.tobytes()[start : start + 49]
    box = struct.pack(">I4s", 8 + 70_000, b"free") + decoy + bytes(70_000 - len(decoy))
    hidden = bytes(content[:12]) + box + bytes(content[12:]) + b"ihdr"
    refused(tmp_path / "b.jp2", hidden, mx.image.imread, "has 65280 tiles")


def test_avif(tmp_path):
    done, made = (
        cv2.imencode(".avif", np.zeros((64, 64, 3), np.uint8)) if "avif" in cv2.getBuildInformation() else (0, 0)
    )
    content = made.tobytes() if done else b"\0\0\0\x1cftypavif" + bytes(100)
    # A box may say 64 x 64, and the video in it have any size: 2.8 GB for 2 kB.
    refused(tmp_path / "a.avif", content, mx.image.imread, "AVIF and HEIF images are not decoded")


# ---- parts of two bytes that take hundreds ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inner", [b"[],", b'{"":0},', b"[0,0],", b'{"op":"null","name":"","inputs":[]},'], ids=["[]", "{}", "pair", "node"]
)
def test_json_of_tiny_parts(tmp_path, inner):
    content = b'{"nodes":[' + inner * (6_000_000 // len(inner)) + b"[]]}"
    refused(tmp_path / "a-symbol.json", content, mx.sym.load, "with this many parts")
    size = -len(content) % 8
    safetensors = struct.pack("<Q", len(content) + size) + content + b" " * size
    refused(tmp_path / "a.safetensors", safetensors, nd.load, "with this many parts")


def test_large_graphs_are_read(tmp_path):
    x = mx.sym.var("data")
    for i in range(3000):
        x = mx.sym.FullyConnected(x, num_hidden=3, name=f"layer{i}")
    text = x.tojson()
    assert mx.sym.load_json(text).tojson() == text
    compact = json.dumps(json.loads(text), separators=(",", ":"))
    assert mx.sym.load_json(compact).tojson() == text


def test_parameters_of_tiny_arrays(tmp_path):
    array = struct.pack("<IIiii", 1, 0, 1, 0, 0)  # of no elements, as the first versions wrote them
    head = struct.pack("<QQQ", 0x112, 0, 400_000)
    refused(tmp_path / "a.params", head + array * 400_000 + bytes(8), nd.load, "at byte 16: 400000 arrays")
    (tmp_path / "b.params").write_bytes(struct.pack("<QQQ", 0x112, 0, 5000) + array * 5000 + bytes(8))
    assert len(nd.load(str(tmp_path / "b.params"))) == 5000


def test_embeddings_of_tiny_vectors(tmp_path):
    def embedding(path):
        return mx.contrib.text.embedding.CustomEmbedding(path)

    refused(tmp_path / "a.txt", b"".join(b"%x 1 2\n" % i for i in range(900_000)), embedding, "too many tokens")
    path = tmp_path / "b.txt"
    path.write_bytes(b"word" + b" 11" * 2_000_000 + b"\n")
    error, _, more = fuzz_files.measured(lambda: embedding(str(path)))
    assert error is None and more <= fuzz_files.most_memory(6_000_000)
    path.write_text("a 1 2 3\nb 4 5 6\n")
    assert embedding(str(path)).get_vecs_by_tokens("b").asnumpy().tolist() == [4, 5, 6]
    for text in ("a 1  2\n", "a 1 x\n", "a\n"):
        path.write_text(text)
        with pytest.raises(Exception, match=r"line 1 of .* is not a token and its vector"):
            embedding(str(path))


def test_rows_of_one_number(tmp_path):
    path, content = tmp_path / "a.svm", b"1\n" * 2_000_000
    path.write_bytes(content)

    def read():
        for _ in mx.io.LibSVMIter(data_libsvm=str(path), data_shape=(10,), batch_size=1000):
            pass

    error, _, more = fuzz_files.measured(read)
    assert error is None and more <= fuzz_files.most_memory(len(content))


# ---- ONNX ------------------------------------------------------------------------------------------------------------


def field(number, content):
    size, head = len(content), b""
    while size > 127:
        head += bytes([size & 127 | 128])
        size >>= 7
    tag = bytes([number << 3 | 2]) if number < 16 else bytes([number << 3 & 127 | 2 | 128, number >> 4])
    return tag + head + bytes([size]) + content


def onnx_model(graph, more=b""):
    return b"\x08\x08" + field(7, graph) + field(8, b"\x10\x0d") + more


@pytest.mark.parametrize("part", [b"\x0a\x00", b"\x2a\x00", b"\x5a\x00"], ids=["node", "initializer", "input"])
def test_onnx_of_tiny_parts(tmp_path, part):
    pytest.importorskip("onnx")
    refused(tmp_path / "a.onnx", onnx_model(part * 2_000_000), mx.onnx.import_model, "too many parts for its")
    refused(tmp_path / "b.onnx", b"\x0b" + onnx_model(part), mx.onnx.import_model, "no field at byte")


def onnx_function(name, calls):
    body, before = b"", b"x"
    for i, (operator, domain) in enumerate(calls):
        after = b"y" if i == len(calls) - 1 else b"t%d" % i
        body += field(7, field(1, before) + field(2, after) + field(4, operator) + field(7, domain))
        before = after
    opsets = field(9, field(1, b"") + b"\x10\x0d") + field(9, field(1, b"d") + b"\x10\x01")
    return field(25, field(1, name) + field(4, b"x") + field(5, b"y") + body + opsets + field(10, b"d"))


@pytest.mark.parametrize(("depth", "calls", "match"), [(30, 2, "more than 16 deep"), (8, 8, "nodes, at most 32768")])
def test_onnx_functions_that_use_each_other(tmp_path, depth, calls, match):
    pytest.importorskip("onnx")
    functions = onnx_function(b"f0", [(b"Relu", b"")])
    for i in range(1, depth):
        functions += onnx_function(b"f%d" % i, [(b"f%d" % (i - 1), b"d")] * calls)
    node = field(1, field(1, b"a") + field(2, b"b") + field(4, b"f%d" % (depth - 1)) + field(7, b"d"))
    shape = field(2, field(1, b"\x08\x01" + field(2, field(1, b"\x08\x01"))))
    graph = node + field(11, field(1, b"a") + shape) + field(12, field(1, b"b") + shape)
    content = onnx_model(graph, field(8, field(1, b"d") + b"\x10\x01") + functions)
    refused(tmp_path / "a.onnx", content, mx.onnx.import_model, match)


def test_onnx_tensors_that_share_a_file(tmp_path):
    onnx = pytest.importorskip("onnx")
    (tmp_path / "w.bin").write_bytes(bytes(4 << 20))
    graph = onnx.GraphProto(name="g")
    for i in range(40):
        tensor = graph.initializer.add(name=f"w{i}", data_type=1, dims=[1 << 20], data_location=1)
        tensor.external_data.add(key="location", value="w.bin")
    content = onnx_model(graph.SerializeToString())
    (tmp_path / "a.onnx").write_bytes(content)
    with pytest.raises(mx.MXNetError, match=r"many times the bytes that 'w\.bin' has"):
        mx.onnx.import_model(str(tmp_path / "a.onnx"))


# ---- what is written from a graph ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ['<a> [image="/etc/passwd"]; x -> <b>', "a\\", '<b> [shape=none image="x"] <c>:p', "<<table><tr/></table>>", "\\N"],
)
def test_names_that_graphviz_would_run(name):
    pytest.importorskip("graphviz")
    x = mx.sym.var(name)
    net = mx.sym.Activation(mx.sym.relu(x, name=f"{name} "), act_type="relu", name='say "so"')
    source = mx.viz.plot_network(net).source
    # Outside of quoted text there is nothing of the name: only identifiers, arrows and our own attributes.
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", source, flags=re.DOTALL)
    assert not set(outside) & set('<;/\\"'), outside
    assert "image" not in outside and "table" not in outside and outside.count("->") == 2


def test_names_on_the_page_of_pytorch_source(tmp_path):
    pytest.importorskip("safetensors")
    from mxnet.to_torch import to_torch_source

    name = 'data`\n\n# Run this\n\n```sh\ncurl "x" | sh\n```'
    net = mx.sym.Activation(mx.sym.var(name), act_type="relu", name='a"""\nimport os\n"""')
    to_torch_source(net, tmp_path / "out", shapes={name: (2, 3)})
    page = (tmp_path / "out" / "README.md").read_text()
    assert "# Run this" not in page.splitlines() and "curl" in page
    assert "import os" not in (tmp_path / "out" / "model.py").read_text()
