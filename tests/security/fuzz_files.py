"""Damaged and hostile files for every reader: ``python fuzz_files.py [reader] [count] [seed]`` prints what goes wrong.

Each reader must read a file or refuse it with an ``MXNetError`` that names it, within ``most_memory`` and
``most_seconds``. ``test_hostile_files.py`` runs some of each kind; ``fuzz_guided.py`` (``make fuzz``) looks for inputs
that reach new lines of the readers. ``onnx_fuzz.py`` has more kinds of ONNX models.
"""

import contextlib
import copy
import gzip
import io
import itertools
import json
import os
import pathlib
import pickletools
import random
import struct
import sys
import tarfile
import tempfile
import time
import warnings

import cv2
import numpy as np
import torch

import mxnet as mx
import mxnet.io.mnist as io_mnist
from mxnet import gluon, nd, recordio
from mxnet.tools import im2rec

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
NUMBERS = [0, 1, 2, 255, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1, (1 << 64) - 1]
TEXTS = [
    "-" * 3000 + "1", "(" * 3000, "[" * 3000, "9" * 5000, "1e999", "nan", "None", "", "\0", "\ud800", "é", "(0,)",
    "(-1, -2)", "(1000000, 1000000, 1000000)", "(99999999999999999999, 2)", "2000000000", "-2147483648", "1.5", "true",
    "[[1, 2], 3]", "{'a': 1}", "lambda: 0", "(1, 'a')", "float32", "int64", "../../etc/passwd", "[\"uniform\", {}]",
    "[\"nosuch\", {\"a\": 1}]", "{\"initializer\": 3}", "[1, 2]", "x" * 500,
]  # fmt: skip
VALUES = [None, True, -1, 0, 1, 7, 10**9, 2 * 10**9, 1 << 63, 1 << 70, 1.5, float("inf"), [], {}, [[0, 0, 0]], *TEXTS]
KEYS = [*TEXTS, "__shape__", "__dtype__", "__init__", "__lr_mult__", "num_args", "num_outputs"]


# ---- mutations -------------------------------------------------------------------------------------------------------


def mutate_bytes(content, rng):
    """Some random changes of bytes."""
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 8])):
        size = len(data)
        kind = rng.randrange(8)
        at = rng.randrange(size + 1)
        if rng.random() < 0.5:
            at = min(at, rng.randrange(65))  # headers are at the beginning
        if kind == 0 and size:
            data[at % size] ^= 1 << rng.randrange(8)
        elif kind == 1 and size:
            data[at % size] = rng.choice([0, 0xFF, 0x7F, 0x80, rng.randrange(256)])
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at : at + rng.randrange(1, 17)]
        elif kind == 4:
            data[at:at] = rng.randbytes(rng.randrange(1, 17))
        elif kind == 5:
            data[at:at] = data[at : at + rng.randrange(1, 200)]
        elif kind == 6:
            packed = struct.pack(rng.choice("<>") + "Q", rng.choice(NUMBERS))
            width = rng.choice([2, 4, 8])
            data[at : at + width] = packed[:width]
        else:
            data[at:at] = rng.choice(TEXTS).encode("utf-8", "surrogatepass")
    return bytes(data)


def mutate_text(content, rng):
    """Changes of fields between separators, or of bytes."""
    if rng.random() < 0.4:
        return mutate_bytes(content, rng)
    text = content.decode("latin-1")
    for separator in rng.sample(["\n", "\t", ",", " ", ":"], 5):
        parts = text.split(separator)
        if len(parts) > 1:
            parts[rng.randrange(len(parts))] = rng.choice(TEXTS).encode("utf-8", "surrogatepass").decode("latin-1")
            if rng.random() < 0.3:
                del parts[rng.randrange(len(parts))]
            return separator.join(parts).encode("latin-1")
    return mutate_bytes(content, rng)


def mutate_json(content, rng):
    """Changes of values, keys and lists in a JSON tree, or of bytes."""
    if rng.random() < 0.2:
        return mutate_bytes(content, rng)
    tree = copy.deepcopy(json.loads(content))
    for _ in range(rng.choice([1, 1, 2, 3])):
        places = []

        def walk(value):
            if isinstance(value, dict | list):
                for key in value if isinstance(value, dict) else range(len(value)):
                    places.append((value, key))  # noqa: B023
                    walk(value[key])

        walk(tree)
        if not places:
            break
        owner, key = rng.choice(places)
        kind = rng.randrange(6)
        if kind == 0:
            del owner[key]
        elif kind == 1 and isinstance(owner, list):
            owner.insert(key, copy.deepcopy(rng.choice(VALUES)))
        elif kind == 2 and isinstance(owner, dict):
            owner[rng.choice(KEYS)] = owner.pop(key)
        elif kind == 3:
            owner[key] = copy.deepcopy(rng.choice(places)[0])
        else:
            owner[key] = copy.deepcopy(rng.choice(VALUES))
    try:
        return json.dumps(tree).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return mutate_bytes(content, rng)


# ---- readers ---------------------------------------------------------------------------------------------------------

READERS = {}


#: Those who compute with what they have read, for which only the size of the machine is a bound.
COMPUTES = set()
#: The files that an error may name: the hostile one, or one that is not as it says.
NAMES = ("hostile", "cifar-10-binary", "test_batch.bin", "made.rec", "made-model.json", "the saved model", "batch")
#: Those whose errors say nothing of a file: they are given bytes or text.
NAMELESS = set()


def reader(name, suffix, mutate, computes=False, nameless=False):
    """Registers ``make(folder) -> list of contents`` with ``make.read(path, folder)`` to be set."""

    def add(functions):
        READERS[name] = (suffix, mutate, *functions())
        COMPUTES.update([name] if computes else [])
        NAMELESS.update([name] if nameless else [])
        return functions

    return add


def bind(symbol):
    shapes = {"data": (2, 3, 8, 8)} if "data" in symbol.list_arguments() else {}
    symbol.infer_shape_partial(**shapes)
    symbol.infer_type()
    symbol.attr_dict()
    symbol.list_outputs()
    executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
    initializer = mx.init.Xavier()
    attributes = symbol.attr_dict()
    mx.optimizer.create("sgd", sym=symbol)
    for name, array in executor.arg_dict.items():
        if "__init__" in attributes.get(name, ()):
            initializer(mx.init.InitDesc(name, attributes[name]), array)


@reader("symbol", ".json", mutate_json, computes=True, nameless=True)
def _symbol():
    def make(folder):
        data = mx.sym.var("data")
        net = mx.sym.Convolution(data, num_filter=4, kernel=(3, 3), pad=(1, 1), name="conv")
        net = mx.sym.BatchNorm(net, name="bn")
        net = mx.sym.Pooling(mx.sym.Activation(net, act_type="relu"), kernel=(2, 2), pool_type="max")
        parts = mx.sym.SliceChannel(net, num_outputs=2, name="parts")
        net = mx.sym.Concat(parts[0], parts[1], dim=1, name="joined")
        net = mx.sym.FullyConnected(mx.sym.Flatten(net), num_hidden=3, name="fc")
        other = mx.sym.zeros(shape=(2, 3), name="nothing")
        weight = mx.sym.var("scale", shape=(1, 3), dtype="float32", init=mx.init.One(), lr_mult=2.0)
        net = mx.sym.broadcast_mul(net + other, weight)
        net = mx.sym.tile(mx.sym.repeat(net, repeats=2), reps=(1, 2))
        loop = mx.sym.contrib.foreach(
            lambda x, s: (x + s, x * s), mx.sym.var("xs", shape=(3, 2)), mx.sym.var("s", shape=(2,))
        )[0]
        rnn = mx.sym.RNN(
            mx.sym.var("seq", shape=(3, 2, 4)), mx.sym.var("p"), mx.sym.var("h"), state_size=5, num_layers=2,
            mode="gru", name="rnn",
        )  # fmt: skip
        rest = mx.sym.one_hot(mx.sym.arange(start=0, stop=4, name="numbers"), depth=3)
        old = json.loads(mx.sym.Group([mx.sym.SoftmaxOutput(net, name="softmax")]).tojson())
        old.pop("attrs")
        for node in old["nodes"]:
            if "attrs" in node:
                node["param" if node["op"] != "null" else "attr"] = node.pop("attrs")
        return [
            mx.sym.Group([mx.sym.SoftmaxOutput(net, name="softmax"), rest]).tojson().encode(),
            loop.tojson().encode(),
            rnn.tojson().encode(),
            json.dumps(old).encode(),
        ]

    def read(path, folder):
        bind(mx.sym.load(path))

    return make, read


@reader("symbol_block", ".json", mutate_json, computes=True, nameless=True)
def _symbol_block():
    make, _ = READERS["symbol"][2:]

    def read(path, folder):
        net = gluon.SymbolBlock.imports(path, ["data"])
        net.initialize()
        net(nd.ones((2, 3, 8, 8)))

    return (lambda folder: make(folder)[:1]), read


@reader("symbol_load", ".json", mutate_json)
def _symbol_load():
    make, _ = READERS["symbol"][2:]
    old = GOLDEN / "checkpoints" / "local-symbol.json"

    return (lambda folder: [*make(folder), old.read_bytes()]), lambda path, folder: mx.sym.load(path).tojson()


@reader("params", ".params", mutate_bytes)
def _params():
    def make(folder):
        path = os.path.join(folder, "made.params")
        contents = []
        sparse = nd.array([[0, 1.0], [0, 0], [2, 3]])
        for arrays in (
            {"arg:a": nd.ones((2, 3)), "aux:b": nd.arange(4, dtype="int32")},
            [nd.ones((2, 3)), nd.zeros((1,), dtype="float16")],
            {"s": sparse.tostype("row_sparse"), "c": sparse.tostype("csr")},
        ):
            nd.save(path, arrays)
            contents.append(pathlib.Path(path).read_bytes())
        with mx.util.np_shape(True):
            nd.save(path, {"z": mx.nd.zeros(())})
        contents.append(pathlib.Path(path).read_bytes())
        # the two older formats of a list of one array of shape (2,)
        head = struct.pack("<QQQ", 0x112, 0, 1)
        old = struct.pack("<I", 0xF993FAC8) + struct.pack("<IqiiI", 1, 2, 1, 0, 0)
        older = struct.pack("<II", 1, 2) + struct.pack("<iiI", 1, 0, 0)
        for array in (old, older):
            contents.append(head + array + struct.pack("<ffQ", 1, 2, 0))
        return contents

    def read(path, folder):
        nd.load(path)
        nd.load_frombuffer(pathlib.Path(path).read_bytes())

    return make, read


@reader("safetensors", ".safetensors", mutate_bytes)
def _safetensors():
    def make(folder):
        path = os.path.join(folder, "made.safetensors")
        mx.nd.utils.save(path, {"arg:a": nd.ones((2, 3)), "b": nd.arange(4, dtype="int32")})
        return [pathlib.Path(path).read_bytes()]

    return make, lambda path, folder: nd.load(path)


def _images():
    pixels = np.random.RandomState(1).randint(0, 255, (64, 72, 3), np.uint8)
    kinds = [".jpg", ".png", ".bmp", ".webp", ".tiff", ".gif", ".ppm", ".pam", ".jp2", ".hdr", ".ras"]
    found = []
    for kind in kinds:
        try:
            done, encoded = cv2.imencode(kind, pixels.astype("float32") if kind == ".hdr" else pixels)
        except cv2.error:
            continue
        if done:
            found.append(encoded.tobytes())
    return found


@reader("image", ".img", mutate_bytes)
def _image():
    def read(path, folder):
        mx.image.imread(path)
        mx.image.imdecode(pathlib.Path(path).read_bytes(), flag=0)

    return (lambda folder: _images()), read


@reader("image_old", ".img", mutate_bytes, nameless=True)
def _image_old():
    return (lambda folder: _images()), lambda path, folder: nd.imdecode(pathlib.Path(path).read_bytes())


def _record_file(folder, labels=1):
    path = os.path.join(folder, "made.rec")
    with recordio.MXIndexedRecordIO(os.path.join(folder, "made.idx"), path, "w") as writer:
        for i, content in enumerate(_images()[:2] * 2):
            label = float(i) if labels == 1 else np.arange(i, i + labels, dtype=np.float32)
            writer.write_idx(i, recordio.pack(recordio.IRHeader(0, label, i, 0), content))
    return path


def _bytes_of(path):
    return [pathlib.Path(path).read_bytes()]


@reader("rec", ".rec", mutate_bytes)
def _rec():
    def read(path, folder):
        errors = []
        for how in ("raise", "skip"):
            try:
                with recordio.MXRecordIO(path, "r", on_error=how) as records:
                    while (record := records.read()) is not None:
                        with contextlib.suppress(mx.MXNetError):  # of bytes, which are in no file
                            recordio.unpack(record)
                            recordio.unpack_img(record)
            except mx.MXNetError as error:
                errors.append(error)
        if errors:
            raise errors[0]

    return (lambda folder: [*_bytes_of(_record_file(folder)), *_bytes_of(_record_file(folder, 3))]), read


@reader("idx", ".idx", mutate_text)
def _idx():
    def make(folder):
        return _bytes_of(_record_file(folder).replace(".rec", ".idx"))

    def read(path, folder):
        with recordio.MXIndexedRecordIO(path, os.path.join(folder, "made.rec"), "r") as records:
            for key in records.keys:
                records.read_idx(key)
        gluon.data.vision.ImageRecordDataset(os.path.join(folder, "made.rec"))[0]

    return make, read


def _all(iterator):
    for _ in iterator:
        pass


@reader("image_record_iter", ".rec", mutate_bytes)
def _image_record_iter():
    def read(path, folder):
        source = mx.io.ImageRecordIter(
            path_imgrec=path, data_shape=(3, 16, 16), batch_size=2, label_width=1, preprocess_threads=1, resize=20
        )
        _all(source)

    return (lambda folder: _bytes_of(_record_file(folder))), read


@reader("image_list", ".lst", mutate_text, nameless=True)
def _image_list():
    def make(folder):
        _record_file(folder)
        pathlib.Path(folder, "a.jpg").write_bytes(_images()[0])
        return [b"0\t1.0\ta.jpg\n1\t2.0\ta.jpg\n2\t0.5\ta.jpg\n3\t0\ta.jpg\n"]

    def read(path, folder):
        rec = os.path.join(folder, "made.rec")
        im2rec.read_list(path)
        shape = {"data_shape": (3, 16, 16), "batch_size": 2}
        for make_iterator in (
            lambda: mx.image.ImageIter(path_imglist=path, path_root=folder, **shape),
            lambda: mx.io.ImageRecordIter(path_imgrec=rec, path_imglist=path, preprocess_threads=1, **shape),
        ):
            _all(make_iterator())

    return make, read


@reader("detection_list", ".lst", mutate_text, nameless=True)
def _detection_list():
    def make(folder):
        pathlib.Path(folder, "a.jpg").write_bytes(_images()[0])
        return [b"".join(b"%d\t2\t5\t1\t0.1\t0.1\t0.5\t0.6\ta.jpg\n" % i for i in range(4))]

    def read(path, folder):
        _all(mx.image.ImageDetIter(path_imglist=path, path_root=folder, data_shape=(3, 16, 16), batch_size=2))

    return make, read


@reader("mnist", "-ubyte", mutate_bytes)
def _mnist():
    def make(folder):
        labels = struct.pack(">II", 2049, 10) + bytes(range(10))
        pathlib.Path(folder, "labels").write_bytes(labels)
        images = struct.pack(">IIII", 2051, 10, 4, 4) + bytes(range(160))
        pathlib.Path(folder, "images").write_bytes(images)
        return [images, labels]

    def read(path, folder):
        images, labels = os.path.join(folder, "images"), os.path.join(folder, "labels")
        if os.path.getsize(path) < 40:
            labels = path
        else:
            images = path
        _all(mx.io.MNISTIter(image=images, label=labels, batch_size=5, silent=True))

    return make, read


@reader("csv", ".csv", mutate_text)
def _csv():
    def read(path, folder):
        _all(mx.io.CSVIter(data_csv=path, data_shape=(3,), batch_size=2))
        _all(mx.io.CSVIter(data_csv=path, data_shape=(3,), batch_size=2, dtype="int32"))

    return (lambda folder: [b"1,2,3\n4,5,6\n-7,82,9\n"]), read


@reader("libsvm", ".svm", mutate_text)
def _libsvm():
    def read(path, folder):
        _all(mx.io.LibSVMIter(data_libsvm=path, data_shape=(10,), batch_size=2))

    return (lambda folder: [b"1 0:1 3:2.5\n0 2:1\n-1 1:3 9:4\n"]), read


@reader("embedding", ".txt", mutate_text)
def _embedding():
    def read(path, folder):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mx.contrib.text.embedding.CustomEmbedding(path)

    return (lambda folder: [b"hello 1.0 2.0 3.0\nworld 4 5 6\n! -1 0 1e3\n"]), read


@reader("initializer", ".json", mutate_json, nameless=True)
def _initializer():
    def make(folder):
        return [mx.init.Xavier().dumps().encode(), mx.init.Constant(1.0).dumps().encode(), b'["lstmbias", {}]']

    def read(path, folder):
        text = pathlib.Path(path).read_bytes().decode("utf-8", "replace")
        mx.init.Uniform()(mx.init.InitDesc("fc_weight", {"__init__": text}), nd.zeros((4, 4)))

    return make, read


@reader("model", ".json", mutate_json)
def _model():
    def network():
        net = gluon.nn.HybridSequential(prefix="net_")
        with net.name_scope():
            net.add(gluon.nn.Dense(3, in_units=2), gluon.nn.Dense(2, in_units=3))
        return net

    def make(folder):
        net = network()
        net.initialize()
        net.save(os.path.join(folder, "made"))
        return _bytes_of(os.path.join(folder, "made-model.json"))

    def read(path, folder):
        os.replace(path, os.path.join(folder, "made-model.json"))
        network().load(os.path.join(folder, "made"))

    return make, read


def _states_contents(folder):
    files = [*sorted((GOLDEN / "states").glob("*.states")), GOLDEN / "checkpoints" / "local-0003.states"]
    return [file.read_bytes() for file in files]


def mutate_states(content, rng):
    """Opcodes exchanged, repeated and put in other places, or changes of bytes."""
    if rng.random() < 0.3:
        return mutate_bytes(content, rng)
    try:
        starts = [at for _, _, at in pickletools.genops(content)]
    except ValueError:
        return mutate_bytes(content, rng)
    parts = [content[a:b] for a, b in itertools.pairwise([*starts, len(content)])]
    parts = [part for part in parts if len(part) < 5000] if rng.random() < 0.3 else parts
    for _ in range(rng.choice([1, 1, 2, 4])):
        at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        kind = rng.randrange(5)
        if kind == 0:
            parts[at], parts[other] = parts[other], parts[at]
        elif kind == 1:
            parts.insert(at, parts[other])
        elif kind == 2 and len(parts) > 1:
            del parts[at]
        elif kind == 3:
            parts[at:at] = parts[other : other + rng.randrange(1, 20)] * rng.choice([1, 2, 50])
        else:
            parts.insert(at, rng.choice(OPCODES))
    return b"".join(parts)


OPCODES = [
    b"(", b"0", b"1", b"2", b"N", b")", b"]", b"}", b"e", b"u", b"s", b"a", b"t", b"l", b"d", b"o", b"b", b"R",
    b"\x81", b"\x85", b"\x86", b"\x87", b"\x8f", b"\x90", b"\x91", b"\x92", b"\x93", b"\x94", b"h\x00", b"q\x00",
    b"r\xff\xff\xff\x7f", b"J\xff\xff\xff\x7f", b"\x8b\x04\x00\x00\x00\xff\xff\xff\x7f", b"X\xff\xff\xff\x7f",
    b"B\xff\xff\xff\x7f", b"cos\nsystem\n", b"cbuiltins\nbytearray\n", b"ccollections\nOrderedDict\n", b"."
]  # fmt: skip


@reader("states", ".states", mutate_states)
def _states():
    def read(path, folder):
        net = gluon.nn.Dense(1, in_units=2)
        net.initialize()
        gluon.Trainer(net.collect_params(), "sgd", kvstore=None).load_states(path)

    return _states_contents, read


@reader("states_updater", ".states", mutate_states, nameless=True)
def _states_updater():
    def read(path, folder):
        mx.optimizer.get_updater(mx.optimizer.SGD()).set_states(pathlib.Path(path).read_bytes())

    return _states_contents, read


@reader("onnx", ".onnx", mutate_bytes, nameless=True)
def _onnx():
    def make(folder):
        import onnx_fuzz

        return [model.SerializeToString() for model in onnx_fuzz.seeds()]

    def read(path, folder):
        mx.contrib.onnx.import_model(path)

    return make, read


@reader("wire_optimizer", ".json", mutate_json, nameless=True)
def _wire_optimizer():
    from mxnet.kvstore import wire

    def make(folder):
        schedule = mx.lr_scheduler.MultiFactorScheduler([3, 5])
        optimizers = (mx.optimizer.Adam(), mx.optimizer.SGD(momentum=0.9, lr_scheduler=schedule))
        return [wire.optimizer_text(optimizer).encode() for optimizer in optimizers]

    def read(path, folder):
        wire.read_optimizer_text(pathlib.Path(path).read_bytes().decode("utf-8", "surrogateescape"))

    return make, read


@reader("wire_states", ".bin", mutate_bytes, nameless=True)
def _wire_states():
    from mxnet.kvstore import wire

    def make(folder):
        states = {0: (nd.ones((2, 3)), nd.zeros(2)), "a": None, 3: [nd.ones(4)]}
        return [wire.pack_states(states, {0: 4, "a": 2}).numpy().tobytes()]

    def read(path, folder):
        content = np.frombuffer(bytearray(pathlib.Path(path).read_bytes()), np.uint8)
        wire.unpack_states(torch.from_numpy(content))

    return make, read


class _MemoryStore:
    """What torch's store does for us, without a network."""

    def __init__(self):
        self.values = {}

    def set(self, key, value):
        self.values[key] = bytes(value)

    def compare_set(self, key, expected, value):
        if self.values.get(key, expected) == expected or (not expected and key not in self.values):
            self.values[key] = bytes(value)
        return self.values[key]


@reader("store", ".bin", mutate_bytes, nameless=True)
def _store():
    """Values that strangers write to the job's store: ignored, unless they are those that were there."""
    from mxnet.kvstore.signed_store import Rejections, SignedStore

    def make(folder):
        base = _MemoryStore()
        SignedStore(base, "job", b"secret", Rejections("here")).set("roster", b'{"rank": 0}')
        return [base.values["job/roster"]]

    def read(path, folder):
        base, content = _MemoryStore(), pathlib.Path(path).read_bytes()
        base.values["job/roster"] = content
        store = SignedStore(base, "job", b"secret", Rejections("here"))
        found = store.read("roster")
        if content == make(folder)[0]:
            assert found == b'{"rank": 0}'
        elif found is not None:
            raise AssertionError(f"a value that is not signed was taken: {content!r}")
        else:
            raise mx.MXNetError("ignored")

    return make, read


@reader("mnist_gz", ".gz", mutate_bytes)
def _mnist_gz():
    def make(folder):
        return [gzip.compress(content, mtime=0) for content in READERS["mnist"][2](folder)]

    def read(path, folder):
        labels = pathlib.Path(path).stat().st_size < 45
        io_mnist.read_idx(path, 1 if labels else 3)

    return make, read


@reader("image_index", ".idx", mutate_text, computes=True)
def _image_index():
    def read(path, folder):
        rec = os.path.join(folder, "made.rec")
        _all(mx.io.ImageRecordIter(path_imgrec=rec, path_imgidx=path, data_shape=(3, 16, 16), batch_size=2,
                                   preprocess_threads=1))  # fmt: skip

    return READERS["idx"][2], read


@reader("tar", ".tar.gz", mutate_bytes)
def _tar():
    def make(folder):
        stream, content = io.BytesIO(), bytes(3073)
        with tarfile.open(fileobj=stream, mode="w") as archive:
            member = tarfile.TarInfo("cifar-10-batches-bin/test_batch.bin")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        return [stream.getvalue()[:6144], gzip.compress(stream.getvalue(), mtime=0)]

    def read(path, folder):
        place = os.path.join(folder, "cifar")
        os.makedirs(place, exist_ok=True)
        os.replace(path, os.path.join(place, "cifar-10-binary.tar.gz"))
        gluon.data.vision.CIFAR10(place, train=False)

    return make, read


# ---- bounds ----------------------------------------------------------------------------------------------------------


def most_memory(size):
    """So much more memory than before may be resident while a file of a size is read, or refused."""
    return (64 << 20) + 10 * size


def most_seconds(size):
    """So long it may take."""
    return 1.0 + size / (1 << 20)


def _resident(what):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(what))


def _reset_peak():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def measured(run):
    """What a function raises (None if nothing), its processor time, and by how much the peak of memory grew."""
    linux = sys.platform.startswith("linux")
    if linux:
        _reset_peak()
        before = _resident("VmRSS")
    began, error = time.process_time(), None
    try:
        run()
    except KeyboardInterrupt:
        raise
    except BaseException as raised:
        error = raised
    took = time.process_time() - began
    return error, took, _resident("VmHWM") - before if linux else 0


def violation(name, content, run):
    """What is wrong with how a reader takes a file: None if it reads it, or refuses it as it should; and the error."""
    error, took, more = measured(run)
    if error is not None and not isinstance(error, mx.MXNetError):
        return f"{type(error).__name__}: {str(error)[:300]}", error
    if error is not None and len(str(error)) > 20_000:
        return f"a message of {len(str(error))} characters", error
    if error is not None and name not in NAMELESS and not any(file in str(error) for file in NAMES):
        return f"the message does not name the file: {str(error)[:300]}", error
    if more > most_memory(len(content)) and name not in COMPUTES:
        return f"{more >> 20} MB more for {len(content)} bytes", error
    if took > most_seconds(len(content)) and name not in COMPUTES:
        return f"{took:.1f} s for {len(content)} bytes", error
    return None, error


# ---- running ---------------------------------------------------------------------------------------------------------


def cases(name, count, seed, folder):
    """Damaged files of a kind: (number, content, function that reads it)."""
    suffix, mutate, make, read = READERS[name]
    contents = make(folder)
    path = os.path.join(folder, f"hostile{suffix}")
    for number in range(count):
        rng = random.Random(f"{name} {seed} {number}")
        content = mutate(rng.choice(contents), rng)

        def run(content=content):
            with open(path, "wb") as file:
                file.write(content)
            read(path, folder)

        yield number, content, run


def undamaged(name, folder):
    """Reads the files of a kind as they were made."""
    suffix, _, make, read = READERS[name]
    for i, content in enumerate(make(folder)):
        path = os.path.join(folder, f"good{i}{suffix}")
        pathlib.Path(path).write_bytes(content)
        read(path, folder)


def main(argv):
    import traceback

    names = [argv[0]] if argv and argv[0] in READERS else list(READERS)
    count = int(argv[1]) if len(argv) > 1 else 300
    seed = int(argv[2]) if len(argv) > 2 else 0
    bad = 0
    for name in names:
        seen, refused = {}, 0
        with tempfile.TemporaryDirectory() as folder:
            for number, content, run in cases(name, count, seed, folder):
                wrong, error = violation(name, content, run)
                refused += error is not None
                if wrong is not None:
                    where = traceback.extract_tb(error.__traceback__) if error is not None else []
                    ours = [f for f in where if "/mxnet/" in f.filename] or where
                    place = f"{ours[-1].filename.split('/mxnet/')[-1]}:{ours[-1].lineno}" if ours else ""
                    seen.setdefault(place if isinstance(error, Exception) else wrong[:20], (number, wrong))
        print(f"{name}: {refused} of {count} refused, {len(seen)} kinds of failures", flush=True)
        for place, (number, wrong) in seen.items():
            print("   ", number, place, wrong, flush=True)
        bad += len(seen)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
