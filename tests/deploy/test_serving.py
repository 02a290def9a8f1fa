"""Networks as services: examples/serving, and handlers in the style of multi-model-server.

``make serving`` gets the real multi-model-server, into data/serving, and runs this with it.
"""

import asyncio
import contextlib
import http.client
import importlib.util
import itertools
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.request
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest
from paths import ROOT

import mxnet as mx
from mxnet.gluon import nn

SERVING = ROOT / "examples" / "serving"
PACKAGES = ROOT / "data" / "serving"

needs_fastapi = pytest.mark.skipif(
    not importlib.util.find_spec("fastapi") or not importlib.util.find_spec("uvicorn"),
    reason="fastapi or uvicorn is missing: pip install mxnext[serve]",
)


def module(name, path):
    """A file as a module, and what it imports from beside it."""
    spec = importlib.util.spec_from_file_location(name, path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """A small network in files, and itself."""
    folder = tmp_path_factory.mktemp("serving")
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 5, activation="relu"), nn.MaxPool2D(4, 4), nn.Dense(10), nn.HybridLambda("softmax"))
    mx.random.seed(3)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    net(mx.nd.zeros((1, 1, 28, 28)))
    net.export(str(folder / "digits"))
    return folder, net


def pictures(count):
    """Real digits, as PNG files, and as arrays."""
    with np.load(Path(mx.__file__).parent / "data" / "digits.npz") as digits:
        arrays = next(digits[name] for name in digits.files if "test" in name and digits[name].ndim > 1)[:count]
    arrays = arrays.reshape(count, 28, 28)
    return [cv2.imencode(".png", a)[1].tobytes() for a in arrays], arrays.astype(np.float32)[:, np.newaxis]


# ---- the service -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(network, **options):
    """The example's service, on a free port; gives its port."""
    import uvicorn

    service = module("mxnext_example_service", SERVING / "service.py")
    app = service.create_app(service.Model(str(network / "digits"), (1, 28, 28)), **options)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        end = time.monotonic() + 120
        while not server.started and thread.is_alive() and time.monotonic() < end:
            thread.join(0.02)
        assert server.started
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def port(network):
    with serving(network[0], limit=20000, patience=2) as found:
        yield found


def ask(port, path, body=None):
    """The code and the answer to a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    with contextlib.closing(connection):
        connection.request("GET" if body is None else "POST", path, body)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


@needs_fastapi
def test_pictures_and_arrays_are_answered_as_by_the_network(port, network):
    files, arrays = pictures(6)
    expected = network[1](mx.nd.array(arrays)).asnumpy()
    for file, array, row in zip(files, arrays, expected, strict=True):
        code, found = ask(port, "/classify", file)
        assert code == 200
        assert found["class"] == row.argmax()
        np.testing.assert_allclose(found["output"], row, rtol=1e-4, atol=1e-6)
        code, found = ask(port, "/predict", json.dumps({"data": array.tolist()}))
        assert code == 200
        np.testing.assert_allclose(found["output"], row, rtol=1e-4, atol=1e-6)
    larger = cv2.imencode(".png", cv2.resize(arrays[0, 0].astype(np.uint8), (60, 50)))[1].tobytes()
    assert ask(port, "/classify", larger)[0] == 200
    code, found = ask(port, "/ping")
    assert (code, found["status"], found["shape"]) == (200, "healthy", [1, 28, 28])


def huge_picture():
    """A small PNG file that claims to be 60000 x 60000."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 999)) + chunk(b"IEND", b"")
    )


@needs_fastapi
@pytest.mark.parametrize(
    ("path", "body", "code", "text"),
    [
        ("/classify", b"", 400, "not a picture"),
        ("/classify", b"GIF89a nonsense", 400, "not a picture"),
        ("/classify", pictures(1)[0][0][:60], 400, "not a picture"),
        ("/classify", huge_picture(), 400, "not a picture"),
        ("/classify", b"x" * 30000, 413, "at most 20000 bytes"),
        ("/predict", b"", 400, "nested lists of numbers"),
        ("/predict", b"[1, 2]", 400, "nested lists of numbers"),
        ("/predict", b"{}", 400, "nested lists of numbers"),
        ("/predict", b'{"data": [1, 2, 3]}', 400, r"got shape \(3,\)"),
        ("/predict", b'{"data": [[1], [1, 2]]}', 400, "nested lists of numbers"),
        ("/predict", b'{"data": "text"}', 400, "expected numbers"),
        ("/predict", b'{"data": NaN}', 400, "is no number"),
        ("/predict", b'{"data": ' + b"[" * 9000 + b"]" * 9000 + b"}", 400, "nested lists of numbers"),
        ("/predict", json.dumps({"data": np.full((1, 28, 28), 1e39).tolist()}), 400, "finite"),
        ("/predict", b"\xff\xfe" * 10, 400, "nested lists of numbers"),
        ("/nothing", b"", 404, "Not Found"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused(port, path, body, code, text):
    found, answer = ask(port, path, body)
    assert found == code
    assert re.search(text, answer["detail"]), answer
    assert ask(port, "/classify", pictures(1)[0][0])[0] == 200  # and the service goes on


@needs_fastapi
def test_bodies_that_are_larger_than_they_say_or_never_come(port):
    parts = (b"x" * 8000 for _ in range(4))
    assert ask(port, "/classify", parts)[0] == 413  # in chunks, without saying how much it will be
    with socket.create_connection(("127.0.0.1", port), timeout=60) as waiting:
        waiting.sendall(b"POST /classify HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
        assert b" 408 " in waiting.recv(1000)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as gone:
        gone.sendall(b"POST /classify HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
    with socket.create_connection(("127.0.0.1", port), timeout=60) as wrong:
        wrong.sendall(b"POST /classify HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nabc")
        assert b" 400 " in wrong.recv(1000)
    assert ask(port, "/classify", pictures(1)[0][0])[0] == 200


@needs_fastapi
def test_requests_are_batched_under_load(network):
    load = module("mxnext_example_load", SERVING / "load.py")
    files, _ = pictures(20)
    with serving(network[0], largest=8, delay=0.05) as port:
        found = load.load(f"http://127.0.0.1:{port}/classify", files, clients=12, requests=240)
        sizes = {int(size): count for size, count in ask(port, "/ping")[1]["batches"].items()}
    assert found["codes"] == {200: 240}
    assert sum(size * count for size, count in sizes.items()) == 240
    assert max(sizes) <= 8
    assert sum(sizes.values()) < 200, "hardly any request met another"


@needs_fastapi
def test_too_many_requests_are_refused_and_failures_are_told():
    batching = module("mxnext_example_batching", SERVING / "batching.py")
    start = threading.Event()

    def run(items):
        start.wait(60)
        if "bad" in items:
            raise ValueError("a bad item")
        return [item * 2 for item in items]

    async def scenario():
        batcher = batching.Batcher(run, largest=2, delay=0.0, waiting=3)
        task = asyncio.create_task(batcher.serve())
        first = asyncio.create_task(batcher(1))
        while batcher._queue.qsize() or not first:  # until the first is being run
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        others = [asyncio.create_task(batcher(item)) for item in (2, "bad", 3)]
        await asyncio.sleep(0)
        with pytest.raises(batching.BusyError, match="3 requests wait"):
            for _ in range(2):  # if the first was not taken out yet, it is now
                await asyncio.wait_for(batcher(4), 5)
        start.set()
        found = await asyncio.gather(first, *others, return_exceptions=True)
        task.cancel()
        return found

    found = asyncio.run(scenario())
    assert found[0] == 2
    assert found[-1] == 6
    assert isinstance(found[2], ValueError)


# ---- handlers in the style of multi-model-server ---------------------------------------------------------------------

MANIFEST = {
    "runtime": "python",
    "model": {"modelName": "digits", "handler": "digits_service:handle"},
    "modelServerVersion": "1.0",
    "implementationVersion": "1.0",
    "specificationVersion": "1.0",
}


@pytest.fixture
def archive(network, tmp_path):
    """The network and its handler as an archive of models."""
    path = tmp_path / "store" / "digits.mar"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("MAR-INF/MANIFEST.json", json.dumps(MANIFEST))
        for file in (*network[0].glob("digits-*"), SERVING / "digits_service.py"):
            made.write(file, file.name)
    return path


class Context:
    """What the server gives to handlers."""

    def __init__(self, folder, manifest):
        self.manifest = manifest
        self.model_name = manifest["model"]["modelName"]
        self.system_properties = {"model_dir": str(folder), "gpu_id": None, "batch_size": 8, "server_name": "MMS"}
        self.codes = {}

    def set_response_status(self, code=200, phrase="", idx=0):
        """The status of one answer of the batch."""
        self.codes[idx] = code


def test_a_handler_of_multi_model_server(archive, network, tmp_path, monkeypatch):
    """As the server's worker does: unpack, import the handler, call it with None, then with batches."""
    folder = tmp_path / "unpacked"
    zipfile.ZipFile(archive).extractall(folder)
    manifest = json.loads((folder / "MAR-INF" / "MANIFEST.json").read_text())
    name, function = manifest["model"]["handler"].split(":")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, name, raising=False)
    handle = getattr(importlib.import_module(name), function)
    monkeypatch.delitem(sys.modules, name)
    context = Context(folder, manifest)
    assert handle(None, context) is None
    files, arrays = pictures(5)
    expected = network[1](mx.nd.array(arrays)).asnumpy()
    for batch in ([0], [1, 2, 3], [4, 0], [2]):
        answers = handle([{"body": bytearray(files[i])} for i in batch], context)
        assert [a["class"] for a in answers] == expected[batch].argmax(axis=1).tolist()
        np.testing.assert_allclose([a["probability"] for a in answers], expected[batch].max(axis=1), rtol=1e-4)
    assert context.codes == {}
    answers = handle([{"data": files[0]}, {"body": b"nonsense"}, {"data": files[1]}], context)
    assert context.codes == {1: 400}
    assert answers[0]["class"] == expected[0].argmax()
    assert "imdecode" in answers[1]["error"]
    assert answers[2]["class"] == expected[1].argmax()


def free_ports(count):
    """Ports that nobody listens on, and that the server takes: below those that systems give out themselves."""
    found = []
    for port in random.SystemRandom().sample(range(20000, 32000), 1000):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("all ports are taken")


@contextlib.contextmanager
def multi_model_server(archive, folder):
    """The real server, on free ports: for inference and for management."""
    inference, management = free_ports(2)
    (folder / "config.properties").write_text(
        f"inference_address=http://127.0.0.1:{inference}\nmanagement_address=http://127.0.0.1:{management}\n"
        f"vmargs=-Djava.io.tmpdir={folder}\ndefault_workers_per_model=1\n"
    )
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGES), str(ROOT)]), "PATH": path}
    environment |= {"TMPDIR": str(folder), "OMP_NUM_THREADS": "1"}  # it keeps the number of its process there
    command = [sys.executable, "-c", "from mms.model_server import start; start()", "--start", "--foreground",
               "--mms-config", "config.properties", "--model-store", str(archive.parent)]  # fmt: skip
    with open(folder / "log.txt", "w") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        end = time.monotonic() + 240
        while server.poll() is None and time.monotonic() < end:
            try:
                if ask(inference, "/ping")[0] == 200:
                    break
            except OSError:
                time.sleep(0.2)
        else:
            raise AssertionError((folder / "log.txt").read_text()[-4000:])
        yield inference, management
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)  # with its workers, which are in its session
        server.wait(60)


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("java") or not (PACKAGES / "mms").exists(),
    reason="java or multi-model-server is missing: make serving gets them",
)
def test_the_real_multi_model_server(archive, network, tmp_path):
    files, arrays = pictures(16)
    expected = network[1](mx.nd.array(arrays)).asnumpy()
    with multi_model_server(archive, tmp_path) as (inference, management):
        query = "url=digits.mar&batch_size=8&max_batch_delay=50&initial_workers=1&synchronous=true"
        request = urllib.request.Request(f"http://127.0.0.1:{management}/models?{query}", method="POST")
        with urllib.request.urlopen(request, timeout=240) as answer:
            assert answer.status == 200
        with ThreadPoolExecutor(8) as clients:
            answers = list(clients.map(ask, itertools.repeat(inference), ["/predictions/digits"] * 16, files))
        for (code, answer), row in zip(answers, expected, strict=True):
            assert code == 200
            assert answer["class"] == row.argmax()
            assert abs(answer["probability"] - row.max()) < 1e-4
        code, answer = ask(inference, "/predictions/digits", b"nonsense")
        assert code == 400
        assert "imdecode" in answer["error"]
