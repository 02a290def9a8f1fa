"""Attacks, each as somebody would make it who has read the code; and the table of docs/security.md, row by row."""

import ast
import gzip
import http.server
import io
import json
import os
import pathlib
import re
import shutil
import ssl
import struct
import subprocess
import sys
import tarfile
import threading
import urllib.request
import zipfile

import numpy as np
import pytest
import torch
from paths import GOLDEN, ROOT, TESTS

import mxnet as mx
from mxnet import gluon, nd, recordio
from mxnet._core import temporaries
from mxnet._core.plain_pickle import loads
from mxnet.kvstore import wire
from mxnet.optimizer.states import read_states
from mxnet.tools import launch

fuzz_files = pytest.importorskip("fuzz_files", reason="it needs OpenCV")
HOSTILE = GOLDEN / "hostile"


def refused(content, run, match, size=None):
    """Runs an attack that must be refused by an MXNetError, within the bounds for a file of that size."""
    error, took, more = fuzz_files.measured(run)
    assert isinstance(error, mx.MXNetError), error
    assert re.search(match, str(error)), error
    size = len(content) if size is None else size
    assert more <= fuzz_files.most_memory(size), f"{more >> 20} MB for {size} bytes"
    assert took <= 2 * fuzz_files.most_seconds(size), f"{took} s for {size} bytes"


# ---- files that others can put beside ours ---------------------------------------------------------------------------


def plant(directory, temporary, target, renamed="net.params"):
    """A record of renames, as a killed process leaves it, that asks for a file to be moved to ``target``."""
    decoy = directory / f".{renamed}.mxnet-0.tmp"
    decoy.write_bytes(b"left over")
    moved = directory / temporary
    if moved != decoy:
        moved.write_bytes(b"from the attacker")
    there = os.path.join(directory, target)
    steps = [[temporary, target, temporaries._identity(str(moved)), temporaries._identity(there)]]
    (directory / f".{renamed}.mxnet-set.tmp").write_bytes(json.dumps(steps).encode() + b"\n")


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is renamed there")
@pytest.mark.parametrize(
    "target", ["../home/authorized_keys", "{home}/authorized_keys", "other.params", "../net.params"]
)
def test_a_record_of_renames_moves_nothing_but_temporaries(tmp_path, target):
    shared, home = tmp_path / "shared", tmp_path / "home"
    shared.mkdir()
    home.mkdir()
    nd.save(str(shared / "net.params"), [nd.ones(2)])
    plant(shared, "payload", target.format(home=home))
    before = sorted(os.listdir(tmp_path)), sorted(os.listdir(home))
    assert nd.load(str(shared / "net.params"))[0].shape == (2,)
    nd.save(str(shared / "net.params"), [nd.ones(3)])
    assert (sorted(os.listdir(tmp_path)), sorted(os.listdir(home))) == before
    assert not (shared / "other.params").exists() and (shared / "payload").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is renamed there")
def test_a_record_of_renames_moves_the_temporary_of_no_other_file(tmp_path):
    nd.save(str(tmp_path / "net.params"), [nd.ones(2)])
    nd.save(str(tmp_path / "victim.params"), [nd.ones(4)])
    plant(tmp_path, ".net.params.mxnet-0.tmp", "victim.params")
    nd.load(str(tmp_path / "net.params"))
    assert nd.load(str(tmp_path / "victim.params"))[0].shape == (4,)


@pytest.mark.parametrize(
    "content",
    [b"[1]\n", b"{}\n", b"7\n", b"[[1, 2, 3, 4]]\n", b'[["a", "b", null, null]]\n', b"[" * 100_000 + b"\n", b"\xff\n",
     b'[[".net.params.mxnet-0.tmp", "net.params", [1, 2, "x"], 5]]\n',
     b'[[".a\\u0000b.mxnet-0.tmp", "a\\u0000b", [1, 2, 3], null]]\n'],
)  # fmt: skip
def test_records_of_renames_that_are_none(tmp_path, content):
    path = tmp_path / "net.params"
    nd.save(str(path), [nd.ones(2)])
    (tmp_path / ".net.params.mxnet-0.tmp").write_bytes(b"left over")
    (tmp_path / ".net.params.mxnet-set.tmp").write_bytes(content)
    assert nd.load(str(path))[0].shape == (2,)
    nd.save(str(path), [nd.ones(3)])
    assert nd.load(str(path))[0].shape == (3,)


# ---- optimizer states ------------------------------------------------------------------------------------------------


def shared_argument(call, argument, count):
    """A pickle of a list of many calls with one argument, which is in the stream once."""
    return b"\x80\x04]" + argument + b"q\x000" + call + b"q\x010(" + b"h\x01h\x00\x85R" * count + b"e."


def test_calls_that_share_an_argument():
    block = b"B" + struct.pack("<I", 1 << 20) + bytes(1 << 20)
    text = b"X" + struct.pack("<I", 1 << 20) + b"a" * (1 << 20)
    items = b"](" + b"K\x01" * 20_000 + b"e"
    pairs = b"](" + b"](K\x01K\x02eq\x05" + b"h\x05" * 20_000 + b"e"
    for call, argument in (
        (b"cbuiltins\nbytearray\n", block),
        (b"cbuiltins\nset\n", items),
        (b"cbuiltins\nfrozenset\n", items),
        (b"ccollections\nOrderedDict\n", pairs),
    ):
        data = shared_argument(call, argument, 4000)
        refused(data, lambda data=data: loads(data, "x.states"), r"x\.states, at byte \d+: .* too much memory")
    encode = b"\x80\x04]" + text + b"q\x000c_codecs\nencode\nq\x010(" + b"h\x01h\x00X\x06\x00\x00\x00latin1\x86R" * 400
    refused(encode, lambda: loads(encode + b"e.", "x.states"), "too much memory")
    dtype = b"cnumpy\ndtype\nX\x02\x00\x00\x00u1\x89\x88\x87Rq\x03"
    data = b"\x80\x04]" + block + b"q\x000" + dtype + b"0" + b"cnumpy.core.numeric\n_frombuffer\nq\x010("
    data += (b"h\x01(h\x00h\x03J\x00\x00\x10\x00\x85X\x01\x00\x00\x00CtR") * 400 + b"e."
    refused(data, lambda: loads(data, "x.states"), "too much memory")


def test_a_dict_of_an_odd_number():
    with pytest.raises(mx.MXNetError, match="at byte 3: a key of a dict has no value"):
        loads(b"(K\x01d.", "x.states")


def sparse_states(shape, stored=0):
    """States of one row-sparse array of a shape, with a row or without."""
    array = struct.pack("<IiI2qI2q", 0xF993FAC9, 1, 2, stored, shape[1], 2, *shape)
    array += struct.pack("<iiiiIq", 1, 0, 0, 6, 1, stored) + bytes(stored * (4 * shape[1] + 8))
    handle = b"X\x06\x00\x00\x00handlecbuiltins\nbytearray\nB" + struct.pack("<I", len(array)) + array + b"\x85R"
    return b"\x80\x02}K\x00cmxnet.ndarray.sparse\nRowSparseNDArray\n)\x81}" + handle + b"sbs."


def test_sparse_states_of_any_size():
    data = sparse_states((1 << 19, 1 << 10), 1)  # 2 GB of zeros, which take no memory before they are written to
    error, _, more = fuzz_files.measured(lambda: read_states(data, "x.states"))
    assert error is None or "no memory" in str(error)
    assert more < fuzz_files.most_memory(len(data))
    data = sparse_states((1 << 31, 1 << 20))
    refused(data, lambda: read_states(data, "x.states"), r"x\.states, at byte \d+: a sparse array.* needs")
    (found, _), wanted = read_states(sparse_states((3, 2), 1), "x"), (3, 2)
    assert found[0].shape == wanted and not found[0].asnumpy().any()


# ---- records, lists, images ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("longest", [1 << 29, 30_000], ids=["long", "short"])
def test_records_that_all_say_to_be_long(tmp_path, longest):
    size = 1 << 18
    heads = [struct.pack("<II", 0xCED7230A, min(longest, size - at - 8)) for at in range(0, size, 8)]
    path = tmp_path / "a.rec"
    path.write_bytes(b"".join(heads))

    read = 0
    with recordio.MXRecordIO(str(path), "r", on_error="skip") as records:
        read_at = records.handle.read_at

        def counting(*place):
            nonlocal read
            content = read_at(*place)
            read += len(content)
            return content

        records.handle.read_at = counting
        assert len(list(records)) <= 1
        assert records.skipped >= size // 8 - 1
    assert read < 200 * size  # it grew with the square of the size: 30000 times


def test_long_records_are_read_in_pieces(tmp_path):
    path = str(tmp_path / "a.rec")
    contents = [bytes(n) for n in (0, 1, 255, 256, 257, 32767, 32768, 32769, 65536, 100_001, 300_000)]
    contents.append(struct.pack("<I", 0xCED7230A) * 3 + bytes(70_000) + struct.pack("<I", 0xCED7230A))
    with recordio.MXRecordIO(path, "w") as writer:
        for content in contents:
            writer.write(content)
    with recordio.MXRecordIO(path, "r") as reader:
        assert list(reader) == contents
    raw = bytearray(pathlib.Path(path).read_bytes())
    at = raw.index(struct.pack("<I", 300_000)) + 4 + 200_000  # the head of a record within another one
    raw[at : at + 8] = struct.pack("<II", 0xCED7230A, 4)
    pathlib.Path(path).write_bytes(raw)
    with recordio.MXRecordIO(path, "r") as reader, pytest.raises(mx.MXNetError, match=f"at offset {at}$"):
        list(reader)


def test_lists_of_images_stay_below_their_root(tmp_path):
    (tmp_path / "root").mkdir()
    image = fuzz_files._images()[0]
    for place in ("outside.jpg", "root/inside.jpg"):
        (tmp_path / place).write_bytes(image)
    root = str(tmp_path / "root")
    for name in ("../outside.jpg", str(tmp_path / "outside.jpg"), "file:///etc/hostname", "http://127.0.0.1:9/a.jpg"):
        (tmp_path / "root" / "a.lst").write_text(f"0\t1.0\tinside.jpg\n1\t2.0\t{name}\n")
        with pytest.raises(mx.MXNetError, match=r"a\.lst: line 2 is .* below the root"):
            gluon.data.vision.ImageListDataset(root, "a.lst")
        with pytest.raises(mx.MXNetError, match=r"a\.lst names .* not below path_root"):
            mx.image.ImageIter(1, (3, 8, 8), path_imglist=f"{root}/a.lst", path_root=root)
    (tmp_path / "root" / "a.lst").write_text(f"0\t1.0\tinside.jpg\n1\t2.0\t{root}/inside.jpg\n")
    assert len(gluon.data.vision.ImageListDataset(root, "a.lst")) == 2
    assert next(mx.image.ImageIter(1, (3, 8, 8), path_imglist=f"{root}/a.lst", path_root=root)).data[0].shape
    (tmp_path / "root" / "a.lst").write_text("0\n")
    with pytest.raises(mx.MXNetError, match="line 1"):
        gluon.data.vision.ImageListDataset(root, "a.lst")


def test_lists_and_indices_that_are_no_text(tmp_path):
    fuzz_files._record_file(str(tmp_path))
    rec = str(tmp_path / "made.rec")
    shape = {"data_shape": (3, 8, 8), "batch_size": 1}
    for content, said in ((b"0\t\xff\n", "is not utf-8 text"), (b"0\t-5\n1\t0\n", "offset -5 is not within")):
        (tmp_path / "bad.idx").write_bytes(content)
        with pytest.raises(mx.MXNetError, match=said):
            mx.io.ImageRecordIter(path_imgrec=rec, path_imgidx=str(tmp_path / "bad.idx"), **shape)
    (tmp_path / "bad.lst").write_bytes(b"0\t1\t\xff.jpg\n")
    with pytest.raises(mx.MXNetError, match="is not utf-8 text"):
        mx.io.ImageRecordIter(path_imgrec=rec, path_imglist=str(tmp_path / "bad.lst"), **shape)


def test_sizes_of_images_that_are_told_twice():
    from mxnet._core.pixels import size_of_image

    def tiff(*entries):
        entries = [struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries]
        return b"II*\0" + struct.pack("<IH", 8, len(entries)) + b"".join(entries) + bytes(4)

    assert size_of_image(memoryview(tiff((256, 72), (257, 64)))) == (64, 72)
    assert size_of_image(memoryview(tiff((256, 70_000), (256, 8), (257, 60_000), (257, 8)))) == (60_000, 70_000)
    assert size_of_image(memoryview(tiff((256, 8), (257, 8), (322, 30_000), (323, 30_000)))) == (30_000, 30_000)
    for content in (b"II+\0\x08\0\0\0" + b"\xff" * 8, b"MM\0+\0\x08\0\0" + b"\xff" * 60):  # found by fuzzing
        assert size_of_image(memoryview(content)) is None
        refused(content, lambda content=content: mx.image.imdecode(content), "")
    content = b"\xff\xd8" + b"a\xff\x00" * 100_000
    refused(content, lambda: mx.image.imdecode(content), "")


# ---- graphs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("op", ["_cvimread", "_npi_cvimread"])
def test_a_symbol_file_reads_no_other_file(op, tmp_path):
    node = {"op": op, "name": "spy", "attrs": {"filename": str(tmp_path / "secret.png")}, "inputs": []}
    text = json.dumps({"nodes": [node], "arg_nodes": [], "heads": [[0, 0, 0]]})
    with pytest.raises(mx.MXNetError, match=r"'spy'.* reads a file that its attributes name"):
        mx.sym.load_json(text)
    inner = {"nodes": [node], "arg_nodes": [], "heads": [[0, 0, 0]]}
    loop = {"op": "_foreach", "name": "l", "attrs": {}, "inputs": [], "subgraphs": [inner]}
    with pytest.raises(mx.MXNetError, match="'spy'"):
        mx.sym.load_json(json.dumps({"nodes": [loop], "arg_nodes": [], "heads": [[0, 0, 0]]}))


def test_what_fuzzing_has_found():
    with pytest.raises(mx.MXNetError, match=r"sparse-strides\.params, at byte 24: .* impossible shape"):
        nd.load(str(HOSTILE / "sparse-strides.params"))
    symbol = mx.sym.load(str(HOSTILE / "loop-outputs-symbol.json"))
    with pytest.raises(mx.MXNetError, match="Error in operator"):
        symbol.infer_shape_partial()


# ---- archives and compressed files -----------------------------------------------------------------------------------


def sparse_tar(name, size):
    """A tar archive of 1.5 kB with a file that is said to have any size (a GNU sparse file without data)."""
    member = tarfile.TarInfo(name)
    member.type = tarfile.GNUTYPE_SPARSE
    head = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    head[386:398], head[398:410], head[483:495] = b"%011o\0" % size, b"%011o\0" % 0, b"%011o\0" % size
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head) + bytes(1024)


def test_tar_archives(tmp_path):
    path = tmp_path / "cifar-10-binary.tar.gz"
    big = io.BytesIO()
    with tarfile.open(fileobj=big, mode="w:gz") as archive:
        for name in ("filler", "test_batch.bin"):
            member = tarfile.TarInfo(name)
            member.size = 70 << 20
            archive.addfile(member, io.BytesIO(bytes(member.size)))
    outside = io.BytesIO()
    with tarfile.open(fileobj=outside, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            member = tarfile.TarInfo("../test_batch.bin")
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
    for content, said in (
        (sparse_tar("test_batch.bin", 3073 << 19), "'test_batch.bin' has "),
        (big.getvalue(), "'filler' has "),
        (outside.getvalue(), "lacks test_batch.bin"),
    ):
        path.write_bytes(content)
        refused(content, lambda: gluon.data.vision.CIFAR10(str(tmp_path), train=False), said)
    assert os.listdir(tmp_path) == [path.name]


def test_gzipped_files(tmp_path):
    head = struct.pack(">IIII", 2051, 80 << 10, 32, 32)
    content = gzip.compress(head + bytes(80 << 20), 9, mtime=0)
    (tmp_path / "images").write_bytes(content)
    for read in (
        lambda: mx.io.mnist.read_idx(str(tmp_path / "images"), 3),
        lambda: mx.io.MNISTIter(image=str(tmp_path / "images"), label="", batch_size=1),
    ):
        refused(content, read, "images: its header promises 83886080 bytes")


def bomb(name, size):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, bytes(size))
    return stream.getvalue()


def test_zip_archives(tmp_path, monkeypatch):
    content = bomb("wikitext-2/wiki.train.tokens", 80 << 20)
    (tmp_path / "wikitext-2-v1.zip").write_bytes(content)
    refused(content, lambda: gluon.contrib.data.text.WikiText2(str(tmp_path)), "unpacks to more than")
    assert os.listdir(tmp_path) == ["wikitext-2-v1.zip"]
    served = tmp_path / "repo" / "gluon" / "embeddings" / "glove"
    served.mkdir(parents=True)
    monkeypatch.setenv("MXNET_GLUON_REPO", (tmp_path / "repo").as_uri())
    for content, said in ((bomb("glove.6B.50d.txt", 80 << 20), "unpacks to more than"), (b"x", "does not have"),
                          (bomb("other.txt", 3), "does not have")):  # fmt: skip
        shutil.rmtree(tmp_path / "root", ignore_errors=True)
        (served / "glove.6B.zip").write_bytes(content)
        refused(
            content,
            lambda: mx.contrib.text.embedding.create(
                "glove", pretrained_file_name="glove.6B.50d.txt", embedding_root=str(tmp_path / "root")
            ),
            said,
        )
        assert os.listdir(tmp_path / "root" / "glove") == ["glove.6B.zip"]
    (tmp_path / "served").mkdir()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("../escaped", b"x")
        archive.writestr("/absolute-mxnet-test", b"x")
    for content, ends in ((stream.getvalue(), True), (bomb("a", 80 << 20), False)):
        (tmp_path / "served" / "a.zip").write_bytes(content)
        folder = tmp_path / "data" / str(ends)
        url = (tmp_path / "served" / "a.zip").as_uri()
        if ends:
            mx.test_utils.get_zip_data(str(folder), url, "a.zip")
            assert sorted(os.listdir(folder)) == ["a.zip", "absolute-mxnet-test", "escaped"]
        else:
            refused(content, lambda: mx.test_utils.get_zip_data(str(folder), url, "a.zip"), "too much for its size")  # noqa: B023
    assert not os.path.exists("/absolute-mxnet-test") and not (tmp_path / "data" / "escaped").exists()


# ---- downloads -------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(request):
    """A server on this machine whose answers a test chooses: ``server.answer(handler)``."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.answer(self)

        def log_message(self, *args):
            pass

    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{made.server_port}"
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


def send(handler, content, length=None, status=200, **headers):
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(content) if length is None else length))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)
    handler.close_connection = True


@pytest.mark.parametrize("with_requests", [True, False], ids=["requests", "urllib"])
def test_downloads_that_end_early(server, tmp_path, monkeypatch, with_requests):
    if with_requests:
        pytest.importorskip("requests")
    else:
        monkeypatch.setitem(sys.modules, "requests", None)
    server.answer = lambda handler: send(handler, b"half", length=8)
    for fetch in (
        lambda: gluon.utils.download(f"{server.url}/a.bin", str(tmp_path), retries=0),
        lambda: mx.test_utils.download(f"{server.url}/a.bin", dirname=str(tmp_path), retries=0),
    ):
        with pytest.raises(mx.MXNetError, match=r"a\.bin"):
            fetch()
        assert os.listdir(tmp_path) == []
    server.answer = lambda handler: handler.wfile.write(b"this is no HTTP\r\n\r\n")
    with pytest.raises(mx.MXNetError, match=r"a\.bin"):
        gluon.utils.download(f"{server.url}/a.bin", str(tmp_path), retries=0)
    server.answer = lambda handler: send(handler, b"whole")
    assert pathlib.Path(gluon.utils.download(f"{server.url}/a.bin", str(tmp_path))).read_bytes() == b"whole"
    with pytest.raises(mx.MXNetError, match="SHA-1"):
        gluon.utils.download(f"{server.url}/b.bin", str(tmp_path), sha1_hash="00" * 20, retries=0)
    assert os.listdir(tmp_path) == ["a.bin"]


@pytest.mark.parametrize("name", ["..", ".", "", "..\\x", "a\0b"])
def test_names_in_urls(server, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for place in (None, str(tmp_path)):
        with pytest.raises(mx.MXNetError, match="file-name"):
            gluon.utils.download(f"{server.url}/{name}", place, retries=0)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("with_requests", [True, False], ids=["requests", "urllib"])
def test_encrypted_addresses_do_not_lead_to_others(server, tmp_path, monkeypatch, with_requests):
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    if with_requests:
        pytest.importorskip("requests")
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "cert.pem"))
    else:
        monkeypatch.setitem(sys.modules, "requests", None)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        monkeypatch.setattr(urllib.request, "_opener", None)  # since Python 3.12 it keeps the certificates it has read
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=IP:127.0.0.1", "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    secure = http.server.ThreadingHTTPServer(("127.0.0.1", 0), server.RequestHandlerClass)
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    secure.answer = lambda handler: (
        send(handler, b"", status=302, Location=f"{server.url}/a.bin")
        if "away" in handler.path
        else send(handler, b"ok")
    )
    server.answer = lambda handler: send(handler, b"changed on the way")
    threading.Thread(target=secure.serve_forever, daemon=True).start()
    try:
        url = f"https://127.0.0.1:{secure.server_port}"
        assert pathlib.Path(gluon.utils.download(f"{url}/a.bin", str(tmp_path / "a.bin"))).read_bytes() == b"ok"
        with pytest.raises(mx.MXNetError, match="which is not encrypted"):
            gluon.utils.download(f"{url}/away", str(tmp_path / "b.bin"), retries=0)
        assert not (tmp_path / "b.bin").exists()
    finally:
        secure.shutdown()
        secure.server_close()


# ---- commands and messages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["-oProxyCommand=touch owned", "-F/tmp/x", "a;touch owned", "$(touch owned)", "`id`", "a|b", "me@-oX"]
)
def test_names_of_hosts_are_no_options(host, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ssh").write_text("#!/bin/sh\ntouch called\n")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "hosts").write_text(host.split()[0] + "\n")
    with pytest.raises(SystemExit, match="not the name or address of a host"):
        launch._hosts("hosts")
    for good in ("node-1", "10.0.0.1", "me@node.example", "[::1]", "fe80::1%eth0", "node_2"):
        (tmp_path / "hosts").write_text(good + "\n")
        assert launch._hosts("hosts") == [good]
    assert not (tmp_path / "owned").exists() and not (tmp_path / "called").exists()


def test_ssh_gets_the_secret_by_its_input_and_the_host_as_such(monkeypatch):
    started = []

    class Job:
        _common = {"MXNET_KVSTORE_TOKEN": "the secret", "A": "b c; touch owned"}  # noqa: RUF012

        def start(self, name, command, extra, text):
            started.append((command, text))

    args = launch._parser().parse_args(["-n", "1", "python", "train.py", "a b", "$(id)"])
    launch._by_ssh(Job(), "worker 0", "node", "worker", {}, args)
    ((command, text),) = started
    assert command[:5] == ["ssh", "-o", "BatchMode=yes", "--", "node"] and len(command) == 6
    assert text == "the secret\n" and "the secret" not in " ".join(command)
    assert "A='b c; touch owned'" in command[5] and command[5].endswith("python train.py 'a b' '$(id)'")
    for name in ("A B:1", "x;id:1", ":1", "1a:2", "$(id):3"):
        with pytest.raises(SystemExit, match="--env takes NAME:VALUE"):
            launch._environment(launch._parser().parse_args(["-n", "1", "--env", name, "python"]), "127.0.0.1")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "[" * 100_000, '{"name": "sgd"}', '{"name": ["sgd"]}', '{"name": "os.system"}',
     '{"name": "sgd", "attributes": {"__class__": 1}, "scheduler": null}',
     '{"name": "sgd", "attributes": {"update": 1}, "scheduler": null}',
     '{"name": "sgd", "attributes": {"lr": {"tuple": 3}}, "scheduler": null}',
     '{"name": "sgd", "attributes": {}, "scheduler": ["os", {}]}',
     '{"name": "sgd", "attributes": {}, "scheduler": ["Optimizer", {}]}'],
    ids=range(12),
)  # fmt: skip
def test_messages_that_are_no_optimizers(text):
    with pytest.raises(mx.MXNetError):
        wire.read_optimizer_text(text)


def test_messages_that_are_no_states():
    good = wire.pack_states({0: nd.ones((2, 3))}, {0: 1})
    assert wire.unpack_states(good)[1] == {0: 1}
    lying = json.dumps({"states": [[0, {"shape": [1 << 40], "dtype": "float32"}]], "counts": []}).encode()
    for content in (b"", b"\xff" * 20, struct.pack("<q", 3) + b"abc", struct.pack("<q", len(lying)) + lying,
                    struct.pack("<q", 2) + b"{}", struct.pack("<q", 1 << 60), struct.pack("<q", -1)):  # fmt: skip
        tensor = torch.from_numpy(np.frombuffer(bytearray(content), np.uint8).copy())
        refused(content, lambda tensor=tensor: wire.unpack_states(tensor), "")


def test_states_are_no_programs(tmp_path):
    """The shortest of all attacks; ``test_states_attacks.py`` has the long ones."""
    path = tmp_path / "a.states"
    path.write_bytes(b"cos\nsystem\n(S'touch owned'\ntR.")
    net = gluon.nn.Dense(1, in_units=2)
    net.initialize()
    with pytest.raises(mx.MXNetError, match=r"a\.states.* os\.system, which has no place there"):
        gluon.Trainer(net.collect_params(), "sgd", kvstore=None).load_states(str(path))


# ---- the code --------------------------------------------------------------------------------------------------------

#: Where the package runs code or unpickles, each with the reason why nothing foreign gets there.
RUNS_CODE = {
    "compat/scripts.py eval": "expressions of the list in compat/patching.py, which is ours",
    "compat/loading.py eval": "names of our own table of changes to old packages",
    "compat/loading.py compile": "the source of an installed package, which its import would run anyway",
    "gluon/data/legacy.py pickle": "from worker processes that this program has started, by their pipes",
    "gluon/data/shared.py pickle": "from worker processes that this program has started, by their pipes",
    "gluon/data/workers.py pickle": "of an error that was pickled on the line before",
    "tools/fetch.py torch.load": "with weights_only, which is checked below",
    "ops/numpy/signatures.py literal_eval": "of our own table of signatures",
}


RUNNERS = ("eval", "exec", "compile", "os.system", "os.popen", "tempfile.mktemp", "torch.load", "yaml.load")


def dangerous(path):
    """What a file calls, or inherits from, that can run code."""
    for node in ast.walk(ast.parse(path.read_text())):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.ClassDef) and any("Unpickler" in ast.unparse(base) for base in node.bases):
            yield "pickle"
        if called in ("pickle.loads", "pickle.load"):
            yield "pickle"
        elif called in (
            "eval",
            "exec",
            "compile",
            "os.system",
            "os.popen",
            "tempfile.mktemp",
            "torch.load",
            "yaml.load",
        ):
            yield called
        elif called in ("ast.literal_eval", "literal_eval", "marshal.loads"):
            yield called.removeprefix("ast.")
        elif called == "map" and "literal_eval" in ast.unparse(node):
            yield "literal_eval"
        if isinstance(node, ast.keyword) and node.arg in ("shell", "allow_pickle"):
            if getattr(node.value, "value", None) is not False:
                yield node.arg
        if isinstance(node, ast.Call) and called == "torch.load":
            assert any(k.arg == "weights_only" and ast.unparse(k.value) == "True" for k in node.keywords), path


def test_where_code_could_run():
    package = pathlib.Path(mx.__file__).parent
    found = {
        f"{path.relative_to(package).as_posix()} {what}" for path in package.rglob("*.py") for what in dangerous(path)
    }
    assert found == set(RUNS_CODE)


# ---- the table -------------------------------------------------------------------------------------------------------


def rows(page):
    """The rows of the table of a page: what it is about, and the tests that attack it."""
    for line in (ROOT / "docs" / page).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and "test_" in cells[-1]:
            yield cells[0], re.findall(r"`(\w+)\.(\w+)`", cells[-1])


def test_each_row_of_the_table_is_attacked():
    english, chinese = list(rows("security.md")), list(rows("security.zh.md"))
    assert len(english) >= 14 and [tests for _, tests in english] == [tests for _, tests in chinese]
    named = set()
    for what, tests in english:
        assert tests, what
        for file, test in tests:
            defined = ast.parse(next(TESTS.rglob(f"{file}.py")).read_text()).body
            assert test in {node.name for node in defined if isinstance(node, ast.FunctionDef)}, (
                f"{what}: {file}.{test}"
            )
            named.add((file, test))
    here = {n.name for n in ast.parse(pathlib.Path(__file__).read_text()).body if isinstance(n, ast.FunctionDef)}
    attacks = {n for n in here if n.startswith("test_")} - {"test_each_row_of_the_table_is_attacked"}
    assert attacks <= {test for file, test in named if file == "test_security"}, "attacks that no row names"


@pytest.mark.parametrize("how", [["--random"], pytest.param([], marks=pytest.mark.slow)], ids=["random", "guided"])
def test_fuzzing_runs(tmp_path, how):
    """A few seconds of ``make fuzz``, of one reader; at random too if Atheris is not there."""
    more = ["--seconds", "2", "--found", str(tmp_path), "params", *how]
    done = subprocess.run(
        [sys.executable, str(TESTS / "security" / "fuzz_guided.py"), *more],
        capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) inputs in all, 0 failures", done.stdout)[1]) > 10
