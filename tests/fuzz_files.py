"""Damaged and hostile files for every reader: ``python fuzz_files.py [reader] [count] [seed]`` prints what goes wrong.

Each reader must read a file or refuse it with an ``MXNetError``, within bounds of time and memory. ONNX has its own:
``onnx_fuzz.py``. ``test_hostile_files.py`` runs some of each kind.
"""

import copy
import json
import os
import pathlib
import random
import struct
import sys
import tempfile
import time
import warnings

import cv2
import numpy as np

import mxnet as mx
from mxnet import gluon, nd, recordio
from mxnet.tools import im2rec

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
            owner.insert(key, rng.choice(VALUES))
        elif kind == 2 and isinstance(owner, dict):
            owner[rng.choice(KEYS)] = owner.pop(key)
        elif kind == 3:
            owner[key] = copy.deepcopy(rng.choice(places)[0])
        else:
            owner[key] = rng.choice(VALUES)
    try:
        return json.dumps(tree).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return mutate_bytes(content, rng)


# ---- readers ---------------------------------------------------------------------------------------------------------

READERS = {}


def reader(name, suffix, mutate):
    """Registers ``make(folder) -> list of contents`` with ``make.read(path, folder)`` to be set."""

    def add(functions):
        READERS[name] = (suffix, mutate, *functions())
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


@reader("symbol", ".json", mutate_json)
def _symbol():
    def make(folder):
        mx.name.NameManager._current = mx.name.NameManager() if hasattr(mx.name.NameManager, "_current") else None
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


@reader("symbol_block", ".json", mutate_json)
def _symbol_block():
    make, _ = READERS["symbol"][2:]

    def read(path, folder):
        net = gluon.SymbolBlock.imports(path, ["data"])
        net.initialize()
        net(nd.ones((2, 3, 8, 8)))

    return (lambda folder: make(folder)[:1]), read


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
    kinds = [".jpg", ".png", ".bmp", ".webp", ".tiff", ".gif", ".ppm", ".pam", ".jp2", ".hdr", ".ras", ".avif"]
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


@reader("image_old", ".img", mutate_bytes)
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


@reader("image_list", ".lst", mutate_text)
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


@reader("detection_list", ".lst", mutate_text)
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


@reader("initializer", ".json", mutate_json)
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


# ---- running ---------------------------------------------------------------------------------------------------------


def cases(name, count, seed, folder):
    """Damaged files of a kind: (number, content, function that reads it)."""
    suffix, mutate, make, read = READERS[name]
    contents = make(folder)
    path = os.path.join(folder, f"damaged{suffix}")
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
    import resource
    import traceback

    names = [argv[0]] if argv and argv[0] in READERS else list(READERS)
    count = int(argv[1]) if len(argv) > 1 else 300
    seed = int(argv[2]) if len(argv) > 2 else 0
    for name in names:
        seen, refused, slowest = {}, 0, 0.0
        before = peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with tempfile.TemporaryDirectory() as folder:
            for number, content, run in cases(name, count, seed, folder):
                began = time.perf_counter()
                try:
                    run()
                except mx.MXNetError:
                    refused += 1
                except BaseException as error:
                    where = traceback.extract_tb(error.__traceback__)
                    ours = [f for f in where if "/mxnet/" in f.filename] or where
                    key = (type(error).__name__, ours[-1].filename.split("/mxnet/")[-1], ours[-1].lineno)
                    if key not in seen:
                        seen[key] = (number, str(error)[:160])
                    if isinstance(error, KeyboardInterrupt):
                        raise
                now = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                if now - peak > (64 << 10) + len(content) // 100:
                    print(f"{name} {number}: {(now - peak) >> 10} MB more for {len(content)} bytes", flush=True)
                peak = now
                took = time.perf_counter() - began
                if took > max(1.0, slowest):
                    print(f"{name} {number}: {took:.1f} s for {len(content)} bytes", flush=True)
                slowest = max(slowest, took)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
        print(f"{name}: {refused} of {count} refused, slowest {slowest:.2f} s, {grown} MB more, {len(seen)} foreign")
        for key, (number, text) in seen.items():
            print("   ", number, *key, text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
