"""Data sets and weights are fetched, checked, carried on, converted: from a real server on this machine."""

import contextlib
import gzip
import hashlib
import http.server
import io
import os
import tarfile
import threading
import zipfile

import numpy as np
import pytest
import torch
import torchvision_cases as cases
from compare import load_golden

import mxnet as mx
from mxnet.error import MXNetError
from mxnet.gluon.model_zoo import model_store, torchvision, vision
from mxnet.tools import fetch

SHAPES = load_golden("torchvision.json.gz")


class Server(http.server.ThreadingHTTPServer):
    """Files by path; ``breaks`` is how many bytes of a path it sends before it hangs up, once."""

    def __init__(self):
        self.files, self.breaks, self.asked = {}, {}, []
        self.lies = False
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        asked = self.headers.get("Range")
        server.asked.append((self.path, asked))
        content = server.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        if start >= len(content) and start:
            self.send_error(416)
            return
        self.send_response(206 if asked else 200)
        if asked:
            first = 0 if server.lies else start
            self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        end = server.breaks.pop(self.path, len(content))
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(content[start:end])

    def log_message(self, *args):
        """Says nothing."""


@pytest.fixture
def server(monkeypatch):
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("MXNET_GLUON_REPO", running.url)
        monkeypatch.setattr(fetch, "MIRRORS", dict.fromkeys(fetch.MIRRORS, (f"{running.url}mirror/",)))
        yield running
        running.shutdown()
        thread.join()


def idx(array):
    head = bytes([0, 0, 8, array.ndim]) + b"".join(size.to_bytes(4, "big") for size in array.shape)
    return gzip.compress(head + array.astype(np.uint8).tobytes())


@pytest.fixture
def digits(server, monkeypatch):
    """A small MNIST on the server, and its checksums in the table."""
    for kind, count in (("train", 6), ("test", 4)):
        data = {"data": idx(np.full((count, 28, 28), count)), "label": idx(np.arange(count))}
        for what, content in data.items():
            name = getattr(mx.gluon.data.vision.MNIST, f"_{kind}_{what}")[0]
            server.files[f"/gluon/dataset/mnist/{name}"] = content
            wanted = (name, hashlib.sha1(content).hexdigest())
            monkeypatch.setattr(mx.gluon.data.vision.MNIST, f"_{kind}_{what}", wanted)
    return server


def test_a_data_set(digits, tmp_path, capsys):
    assert fetch.main(["mnist", "--root", str(tmp_path)]) == 0
    assert sorted(os.listdir(tmp_path)) == sorted(path.rpartition("/")[2] for path in digits.files)
    data = mx.gluon.data.vision.MNIST(str(tmp_path), train=False)
    assert len(data) == 4 and data[3][1] == 3
    asked = len(digits.asked)
    assert fetch.main(["mnist", "--root", str(tmp_path)]) == 0 and len(digits.asked) == asked
    assert "is there" in capsys.readouterr().out


def test_mirrors_are_tried_in_turn(digits, tmp_path):
    digits.files = {f"/mirror/{path.rpartition('/')[2]}": content for path, content in digits.files.items()}
    fetch.fetch_dataset("mnist", str(tmp_path))
    assert len(mx.gluon.data.vision.MNIST(str(tmp_path))) == 6


def test_what_is_damaged_is_not_kept(digits, tmp_path, capsys):
    path = next(iter(digits.files))
    digits.files[path] = b"something else"
    assert fetch.main(["mnist", "--root", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    name, sha1 = mx.gluon.data.vision.MNIST._train_data
    for words in (name, sha1, str(tmp_path), "expected", "404", "MXNET_GLUON_REPO", "put it into"):
        assert words in said, said
    assert os.listdir(tmp_path) == []


def test_a_broken_download_is_carried_on(digits, tmp_path):
    path, content = next(iter(digits.files.items()))
    digits.breaks[path] = 20
    with pytest.raises(fetch.Unavailable, match=f"broke after 20 of {len(content)} bytes"):
        fetch.fetch_dataset("mnist", str(tmp_path))
    assert [name for name in os.listdir(tmp_path) if not name.endswith(".part")] == []
    fetch.fetch_dataset("mnist", str(tmp_path))
    assert (path, "bytes=20-") in digits.asked
    assert not any(name.endswith(".part") for name in os.listdir(tmp_path))
    assert len(mx.gluon.data.vision.MNIST(str(tmp_path))) == 6


def test_a_server_that_sends_another_part(digits, tmp_path):
    name = mx.gluon.data.vision.MNIST._train_data[0]
    (tmp_path / f"{name}.part").write_bytes(b"x" * 10)
    digits.lies = True
    with pytest.raises(fetch.Unavailable, match="asked for what comes after 10 bytes, got 'bytes 0-"):
        fetch.fetch_dataset("mnist", str(tmp_path))


def test_a_server_that_does_not_end(digits, tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "_LIMIT", 30)
    monkeypatch.setattr(fetch, "_BLOCK", 16)
    with pytest.raises(fetch.Unavailable, match="more than 30 bytes"):
        fetch.fetch_dataset("mnist", str(tmp_path))
    assert not any(path.stat().st_size for path in tmp_path.iterdir())


def tar(files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def test_cifar_is_checked_by_what_is_in_the_archive(server, tmp_path, monkeypatch):
    kind = mx.gluon.data.vision.CIFAR10
    contents = {
        name: np.full(3073 * 2, number, np.uint8).tobytes()
        for number, (name, _) in enumerate((*kind._train_data, *kind._test_data))
    }
    sha1 = {name: hashlib.sha1(content).hexdigest() for name, content in contents.items()}
    monkeypatch.setattr(kind, "_train_data", [(name, sha1[name]) for name, _ in kind._train_data])
    monkeypatch.setattr(kind, "_test_data", [(name, sha1[name]) for name, _ in kind._test_data])
    wrong = tar({f"../../{name}": b"x" for name in contents})
    server.files = {
        f"/gluon/dataset/cifar10/{kind._archive_file[0]}": wrong,
        f"/mirror/{kind._archive_file[0]}": tar({f"cifar-10/{name}": content for name, content in contents.items()}),
    }
    fetch.fetch_dataset("cifar10", str(tmp_path / "in"))
    assert sorted(os.listdir(tmp_path / "in")) == sorted(contents) and os.listdir(tmp_path) == ["in"]
    assert len(kind(str(tmp_path / "in"))) == 10
    server.files.popitem()
    with pytest.raises(fetch.Unavailable, match=r"is damaged: its SHA-1 is not .*put it into"):
        fetch.fetch_dataset("cifar10", str(tmp_path / "other"))


def test_weights_of_mxnet(server, tmp_path, monkeypatch):
    net = vision.get_model("mobilenet0.25", classes=3)
    net.initialize()
    net(mx.nd.zeros((1, 3, 32, 32)))
    net.save_parameters(str(tmp_path / "x"))
    content = (tmp_path / "x").read_bytes()
    sha1 = hashlib.sha1(content).hexdigest()
    monkeypatch.setitem(model_store._model_sha1, "mobilenet0.25", sha1)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(f"mobilenet0.25-{sha1[:8]}.params", content)
        archive.writestr("../evil", "x")
    server.files[f"/gluon/models/mobilenet0.25-{sha1[:8]}.zip"] = stream.getvalue()
    root = tmp_path / "models"
    path = fetch.fetch_model("mobilenet0.25", str(root))
    assert os.listdir(root) == [os.path.basename(path)] and (root / path).read_bytes() == content
    assert not (tmp_path / "evil").exists()
    loaded = vision.get_model("mobilenet0.25", classes=3, pretrained=True, root=str(root))
    data = mx.nd.random.uniform(shape=(1, 3, 32, 32))
    np.testing.assert_array_equal(loaded(data).asnumpy(), net(data).asnumpy())


def test_weights_that_nobody_has(server, tmp_path, capsys):
    assert fetch.main(["resnet18_v1", "--root", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    for words in ("resnet18_v1-a0666292.params", "resnet18-f37072fd.pth", "--file", "404", str(tmp_path)):
        assert words in said, said
    assert fetch.main(["resnet18_v2", "--root", str(tmp_path), "--from", "torchvision"]) == 1
    assert "torchvision has no weights for resnet18_v2; it has them for alexnet" in capsys.readouterr().err
    assert fetch.main(["resnet19", "--root", str(tmp_path)]) == 1
    assert "nothing called 'resnet19'; expected one of mnist" in capsys.readouterr().err


def state_of(name):
    return {key: torch.from_numpy(cases.weights(key, shape)) for key, shape in SHAPES[name].items()}


def output(net, name):
    return net(mx.nd.array(cases.images(name))).asnumpy()[0, :50]


def recorded(name):
    return load_golden("torchvision.npz")[name]


def test_weights_of_torchvision(server, tmp_path, monkeypatch):
    """From torchvision's file on a server to pretrained=True, with torchvision's output."""
    name = "squeezenet1.1"
    stream = io.BytesIO()
    torch.save(state_of(name), stream)
    sha256 = hashlib.sha256(stream.getvalue()).hexdigest()
    file = f"squeezenet1_1-{sha256[:8]}.pth"
    monkeypatch.setitem(torchvision.FILES, name, file)
    server.files[f"/mirror/{file}"] = stream.getvalue()
    assert fetch.main([name, "--root", str(tmp_path)]) == 0
    assert os.listdir(tmp_path) == [f"{name}-torchvision.params"]
    net = vision.get_model(name, pretrained=True, root=str(tmp_path))
    wanted = recorded(name)
    np.testing.assert_allclose(output(net, name), wanted, rtol=0, atol=1e-4 * np.abs(wanted).max())


def check_conversion(name, tmp_path):
    torch.save(state_of(name), tmp_path / "state.pth")
    fetch.convert_file(name, str(tmp_path / "state.pth"), str(tmp_path), say=lambda text: None)
    net = vision.get_model(name, pretrained=True, root=str(tmp_path))
    wanted = recorded(name)
    found = output(net, name)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-4 * np.abs(wanted).max())
    net.hybridize()
    np.testing.assert_allclose(output(net, name), wanted, rtol=0, atol=1e-4 * np.abs(wanted).max())


@pytest.mark.parametrize("name", ["mobilenetv2_1.0", "resnet18_v1", "resnet50_v1"])
def test_conversion(name, tmp_path):
    check_conversion(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(cases.NAMES))
def test_every_conversion(name, tmp_path):
    check_conversion(name, tmp_path)


@pytest.mark.parametrize("name", sorted(cases.NAMES))
def test_names_are_those_of_torchvision(name):
    """Each entry of torchvision's state_dict goes to one layer, in the order of the network."""
    assert sorted(torchvision.FILES) == sorted(SHAPES) == sorted(cases.NAMES)
    used = [layer for layer in torchvision.layers(name) if layer]
    known = list(dict.fromkeys(key.rpartition(".")[0] for key in SHAPES[name] if not key.startswith("AuxLogits.")))
    assert sorted(used) == sorted(known) and len(set(used)) == len(used)
    net = vision.get_model(name)
    torchvision.adapt(net, name)
    assert len(list(torchvision._with_parameters(net))) == len(list(torchvision.layers(name)))


def test_states_that_do_not_fit(tmp_path):
    name = "squeezenet1.1"
    net = vision.get_model(name)
    state = state_of(name)
    with pytest.raises(MXNetError, match=r"features\.0\.weight is missing; expected torchvision's state_dict, found a"):
        torchvision.convert(name, {"a": torch.zeros(1)}, net)
    with pytest.raises(MXNetError, match=r"fc\.weight are not of torchvision's squeezenet1\.1"):
        torchvision.convert(name, state | {"fc.weight": torch.zeros(1)}, net)
    with pytest.raises(
        MXNetError, match=r"features\.0\.weight has the shape \(64, 0, 3, 3\), the file has \(64, 3, 5, 5\)"
    ):
        torchvision.convert(name, state | {"features.0.weight": torch.zeros(64, 3, 5, 5)}, net)
    with pytest.raises(MXNetError, match=r"features\.0\.weight is list, expected a tensor"):
        torchvision.convert(name, state | {"features.0.weight": [1]}, net)
    (tmp_path / "bad").write_bytes(b"not a file of torch")
    with pytest.raises(MXNetError, match="is not a file of torch with weights"):
        fetch.convert_file(name, str(tmp_path / "bad"), str(tmp_path))
    torch.save([1, 2], tmp_path / "list")
    with pytest.raises(MXNetError, match="holds list, expected a state_dict"):
        fetch.convert_file(name, str(tmp_path / "list"), str(tmp_path))
    with pytest.raises(MXNetError, match="'resnet18_v2' is not a network of torchvision's"):
        fetch.convert_file("resnet18_v2", str(tmp_path / "bad"), str(tmp_path))


def test_a_file_that_would_run_code(tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "trap"),)

    torch.save({"features.0.weight": Trap()}, tmp_path / "evil.pth")
    with pytest.raises(MXNetError, match="is not a file of torch with weights"):
        fetch.convert_file("squeezenet1.1", str(tmp_path / "evil.pth"), str(tmp_path))
    assert not (tmp_path / "trap").exists()


def test_the_list(capsys):
    assert fetch.main(["--list"]) == 0
    said = capsys.readouterr().out
    assert "resnet18_v1      network, also --from torchvision" in said and "resnet18_v2      network\n" in said
