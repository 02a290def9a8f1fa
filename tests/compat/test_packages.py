"""Packages built on MXNet, as they are published: `make packages` gets them, `make slow` then runs this.

They are found in the directory that MXNET_TEST_PACKAGES names. What their networks compute has been compared with the
original by hand; here eager and hybridized runs must agree, and training must learn. None of them is changed, nor is
NumPy or torch: what they miss of today's is patched as they are imported (`mxnet/compat`).
"""

import importlib
import os
import pathlib
import subprocess
import sys
import textwrap
import unicodedata

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def packages(monkeypatch):
    path = os.environ.get("MXNET_TEST_PACKAGES")
    if not path:
        pytest.skip("MXNET_TEST_PACKAGES is to name the directory that `make packages` fills")
    monkeypatch.syspath_prepend(os.path.abspath(path))
    return os.path.abspath(path)


def run(folder, *command, cwd=None, fails=False, **environment):
    """Runs Python with the packages of a folder, and returns what it has printed."""
    path = os.pathsep.join((folder, str(pathlib.Path(mx.__file__).parent.parent)))
    environment = {**os.environ, "PYTHONPATH": path, **environment}
    command = [sys.executable, "-W", "ignore", *command]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, timeout=1800)
    assert (done.returncode != 0) == fails, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout + done.stderr


NETWORKS = {
    "cifar_resnet20_v1": (32, 32),
    "resnext50_32x4d": (64, 64),
    "xception": (96, 96),
    "ssd_300_vgg16_atrous_voc": (300, 300),
    "yolo3_darknet53_voc": (96, 96),
    "center_net_resnet18_v1b_voc": (128, 128),
    "fcn_resnet50_voc": (96, 96),
    "simple_pose_resnet18_v1b": (128, 96),
}


def arrays(value):
    return [array for part in value for array in arrays(part)] if isinstance(value, list | tuple) else [value]


@pytest.mark.parametrize("name", NETWORKS)
def test_gluoncv(name):
    from gluoncv import model_zoo

    mx.random.seed(0)
    options = {"pretrained_base": False} if name.endswith(("voc", "v1b")) else {}
    net = model_zoo.get_model(name, pretrained=False, **options)
    net.initialize(mx.init.Xavier())
    images = mx.nd.random.uniform(shape=(1, 3, *NETWORKS[name]))
    eager = [array.asnumpy() for array in arrays(net(images))]
    net.hybridize()
    hybrid = [array.asnumpy() for array in arrays(net(images))]
    assert len(eager) == len(hybrid)
    for a, b in zip(eager, hybrid, strict=True):
        assert np.isfinite(a).all()
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3 * np.abs(a).max())


@pytest.mark.parametrize("hybrid", [False, True])
def test_gluoncv_trains_a_detector(hybrid):
    import gluoncv
    from gluoncv.model_zoo.ssd.target import SSDTargetGenerator

    mx.random.seed(0)
    net = gluoncv.model_zoo.get_model("ssd_300_vgg16_atrous_voc", pretrained=False, pretrained_base=False)
    net.initialize(mx.init.Xavier())
    if hybrid:
        net.hybridize()
    images = mx.nd.random.uniform(shape=(1, 3, 300, 300))
    with autograd.train_mode():
        _, _, anchors = net(images)
    boxes, classes = mx.nd.array([[[0.1, 0.1, 0.5, 0.6], [0.4, 0.3, 0.9, 0.9]]]), mx.nd.array([[[3], [7]]])
    generate = SSDTargetGenerator(iou_thresh=0.5, stds=(0.1, 0.1, 0.2, 0.2), negative_mining_ratio=-1)
    class_targets, box_targets, _ = generate(anchors, None, boxes, classes)
    criterion = gluoncv.loss.SSDMultiBoxLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-4, "momentum": 0.9})
    losses = []
    for _ in range(8):
        with autograd.record():
            scores, offsets, _ = net(images)
            total, _, _ = criterion(scores, offsets, class_targets, box_targets)
            autograd.backward(total)
        trainer.step(1)
        losses.append(float(total[0].asnumpy().sum()))
    assert np.isfinite(losses).all()
    assert losses[-1] < 0.8 * losses[0], losses


@pytest.mark.parametrize("name", ["deepar.DeepAREstimator", "tft.TemporalFusionTransformerEstimator"])
def test_gluonts(name):
    from gluonts.dataset.common import ListDataset
    from gluonts.mx.trainer import Trainer

    module, kind = name.split(".")
    estimator = getattr(importlib.import_module(f"gluonts.mx.model.{module}"), kind)
    mx.random.seed(0)
    np.random.seed(0)
    waves = [{"start": "2020-01-01 00:00", "target": np.sin(np.arange(300) / 5 + i) + 5} for i in range(4)]
    data = ListDataset(waves, freq="h")
    trainer = Trainer(epochs=6, num_batches_per_epoch=20, learning_rate=0.01)
    predictor = estimator(freq="h", prediction_length=12, context_length=24, trainer=trainer).train(data)
    forecast = next(iter(predictor.predict(data)))
    expected = np.sin(np.arange(300, 312) / 5) + 5
    assert np.abs(forecast.quantile(0.5) - expected).mean() < 0.5, (forecast.quantile(0.5), expected)


EXPORTED = {
    "cifar_resnet20_v1": (32, 32),
    "cifar_wideresnet16_10": (32, 32),
    "cifar_resnext29_16x64d": (32, 32),
    "resnext50_32x4d": (64, 64),
    "se_resnext50_32x4d": (64, 64),
    "resnet18_v1b": (64, 64),
    "resnet50_v1d": (64, 64),
    "mobilenetv3_small": (64, 64),
    "senet_154": (224, 224),
    "resnest50": (64, 64),
    "darknet53": (64, 64),
    "googlenet": (224, 224),
    "xception": (96, 96),
    "nasnet_4_1056": (64, 64),
    "hrnet_w18_small_v1_c": (64, 64),
    "ssd_300_vgg16_atrous_voc": (300, 300),
    "yolo3_darknet53_voc": (96, 96),
    "yolo3_mobilenet1.0_voc": (96, 96),
    "center_net_resnet18_v1b_voc": (128, 128),
    "faster_rcnn_resnet50_v1b_voc": (128, 128),
    "fcn_resnet50_voc": (96, 96),
    "simple_pose_resnet18_v1b": (128, 96),
    "mobile_pose_mobilenet1.0": (128, 96),
    "alpha_pose_resnet101_v1b_coco": (128, 96),
}


@pytest.mark.parametrize("name", EXPORTED)
def test_gluoncv_to_onnx(name, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    from gluoncv import model_zoo

    mx.random.seed(0)
    options = {"pretrained_base": False} if name.endswith(("voc", "v1b", "coco", "mobilenet1.0")) else {}
    net = model_zoo.get_model(name, pretrained=False, **options)
    net.initialize(mx.init.Xavier())
    images = mx.nd.random.uniform(shape=(1, 3, *EXPORTED[name]))
    wanted = [array.asnumpy() for array in arrays(net(images))]
    path = mx.onnx.export_model(net, None, [images.shape], np.float32, str(tmp_path / "net.onnx"))

    def run_there(path):
        session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
        return session.run(None, {session.get_inputs()[0].name: images.asnumpy()})

    def close(found):
        assert len(found) == len(wanted)
        for i, (a, b) in enumerate(zip(found, wanted, strict=True)):
            assert a.shape == b.shape
            # of center_net all scores are alike without training, and which boxes come first is open
            if not name.startswith("center_net") or i == 1:
                assert np.abs(a - b).max() <= 1e-4 * max(np.abs(b).max(), 1e-3)

    close(run_there(path))
    block = mx.onnx.import_to_gluon(path)
    close([array.asnumpy() for array in arrays(block(images))])
    close(run_there(mx.onnx.export_model(block, None, [images.shape], np.float32, str(tmp_path / "again.onnx"))))


def test_gluoncv_is_imported_as_people_do(packages):
    """Without mxnet before it: its check of torch's version is then loaded already."""
    code = "import gluoncv, numpy; assert not hasattr(numpy, 'int'); print(gluoncv.model_zoo.hrnet.__name__)"
    assert "gluoncv.model_zoo.hrnet" in run(packages, "-c", code)
    assert "Legacy torch" in run(packages, "-c", code, fails=True, MXNET_COMPAT="0")


def test_gluoncv_0_7(packages):
    """An older one, beside it: with names that NumPy has not any more where networks are made and run."""
    code = """
        import gluoncv, mxnet as mx
        assert gluoncv.__version__ == "0.7.0"
        net = gluoncv.model_zoo.get_model("faster_rcnn_resnet50_v1b_voc", pretrained=False, pretrained_base=False)
        net.initialize()
        print(net(mx.nd.ones((1, 3, 128, 128)))[2].shape[2])
        net = gluoncv.model_zoo.get_model("hrnet_w18_small_v1_c", pretrained=False)
        net.initialize()
        print(net(mx.nd.ones((1, 3, 64, 64))).shape)
    """
    folder = f"{packages}-gluoncv-0.7"
    if not os.path.isdir(folder):
        pytest.skip(f"`make packages` fills {folder}")
    assert run(f"{folder}{os.pathsep}{packages}", "-c", textwrap.dedent(code)).split() == ["4", "(1,", "1000)"]


def test_gluonts_with_what_distutils_had(packages):
    code = """
        import numpy as np, mxnet as mx
        from gluonts.dataset.common import ListDataset
        from gluonts.mx import MQCNNEstimator, Trainer
        mx.random.seed(0), np.random.seed(0)
        waves = [{"start": "2020-01-01 00:00", "target": np.sin(np.arange(200) / 5 + i) + 5} for i in range(2)]
        data = ListDataset(waves, freq="h")
        trainer = Trainer(epochs=3, num_batches_per_epoch=10, learning_rate=0.01)
        predictor = MQCNNEstimator(freq="h", prediction_length=6, context_length=24, trainer=trainer).train(data)
        forecast = next(iter(predictor.predict(data))).quantile(0.5)
        print("error", np.abs(forecast - np.sin(np.arange(200, 206) / 5) - 5).mean())
    """
    said = run(packages, "-c", textwrap.dedent(code))
    assert float(said.rpartition("error")[2].split()[0]) < 1.5


KERAS = """
import numpy as np, keras, mxnet as mx
from keras import callbacks, layers, models
np.random.seed(0)
file = np.load(mx.__path__[0] + "/data/digits.npz")
images = file["train_images"][:600].reshape(-1, 1, 28, 28).astype("float32") / 255
labels = keras.utils.to_categorical(file["train_labels"][:600].astype(int), 10)
keras.backend.set_image_data_format("channels_first")
net = models.Sequential([layers.Conv2D(8, (3, 3), activation="relu", input_shape=(1, 28, 28)), layers.MaxPooling2D(),
                         layers.BatchNormalization(axis=1), layers.Flatten(), layers.Dense(10, activation="softmax")])
net.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
stop = [callbacks.EarlyStopping(patience=2), callbacks.ReduceLROnPlateau(), callbacks.ModelCheckpoint("best.h5")]
history = net.fit(images, labels, batch_size=50, epochs=3, verbose=0, validation_split=0.2, callbacks=stop)
assert history.history["acc"][-1] > 0.75, history.history
net.save("net.h5")
again = models.load_model("net.h5")
assert (again.predict(images[:5]) == net.predict(images[:5])).all()
assert models.model_from_yaml(net.to_yaml()).count_params() == net.count_params()
flow = keras.preprocessing.image.ImageDataGenerator(rotation_range=10).flow(images[:32], labels[:32], batch_size=16)
assert next(flow)[0].shape == (16, 1, 28, 28)
assert keras.preprocessing.sequence.pad_sequences([[1, 2], [3]], maxlen=3).tolist() == [[0, 1, 2], [0, 0, 3]]
print("trained and saved")
"""


def test_keras(packages, tmp_path):
    assert "trained and saved" in run(packages, "-c", KERAS, cwd=tmp_path)


def test_sockeye(packages, tmp_path):
    """Its own commands, from two files of sentences to translations: to repeat what one reads."""
    words = np.random.RandomState(1).randint(0, 10, (1500, 5))
    for name, part in (("train", words[:1450]), ("dev", words[1450:])):
        text = "".join(" ".join(map(str, row)) + "\n" for row in part)
        for side in ("source", "target"):
            (tmp_path / f"{name}.{side}").write_text(text)

    def sockeye(command, *options):
        return run(packages, "-m", f"sockeye.{command}", *options, cwd=tmp_path)

    sockeye("prepare_data", *"-s train.source -t train.target -o prepared --max-seq-len 8 --shared-vocab".split())
    options = (
        "--use-cpu --shared-vocab --batch-type sentence --batch-size 50 --num-layers 1 --transformer-model-size 64"
    )
    options += " --transformer-feed-forward-num-hidden 64 --transformer-attention-heads 2 --max-updates 300"
    options += " --checkpoint-interval 150 --decode-and-evaluate 20 --initial-learning-rate 0.003 --encoder transformer"
    files = "-d prepared -vs dev.source -vt dev.target -o model"
    sockeye("train", *files.split(), *options.split())
    sockeye("translate", *"-m model --use-cpu -i dev.source -o out --beam-size 2".split())
    pairs = zip((tmp_path / "dev.target").read_text().split(), (tmp_path / "out").read_text().split(), strict=False)
    right = [a == b for a, b in pairs]
    assert len(right) >= 200 and np.mean(right) > 0.4, np.mean(right)
    assert "bleu" in sockeye("evaluate", *"-i out -r dev.target --metrics bleu".split())


def test_gluonnlp(packages):
    import gluonnlp
    from gluonnlp.model.bert import BERTEncoder, BERTModel

    mx.random.seed(0)
    encoder = BERTEncoder(units=32, hidden_size=64, num_layers=2, num_heads=2, max_length=16, dropout=0.1)
    options = {"token_type_vocab_size": 2, "use_decoder": False, "use_classifier": False}
    net = gluonnlp.model.BERTClassifier(BERTModel(encoder, vocab_size=50, units=32, embed_size=32, **options))
    net.initialize(mx.init.Normal(0.02))
    net.hybridize()
    words = np.random.RandomState(0).randint(0, 50, (64, 12))
    labels = mx.nd.array(words[:, 0] > 25)
    trainer = gluon.Trainer(net.collect_params(), "bertadam", {"learning_rate": 3e-3})
    criterion = gluon.loss.SoftmaxCELoss()
    for _ in range(30):
        with autograd.record():
            out = net(mx.nd.array(words), mx.nd.zeros((64, 12)), mx.nd.full((64,), 12))
            loss = criterion(out, labels).mean()
        loss.backward()
        trainer.step(1)
    assert loss.asscalar() < 0.1


def test_the_tokenizer_that_stands_in_for_a_compiled_one(packages):
    from gluonnlp.data import fast_bert_tokenizer as compiled

    from mxnet.compat import bert_tokenizer

    texts = ["Un-affable\tfoxes, naïve façade!", "ein  Satz\u00a0mit $5 & 机器学习。", "\x00\ufffda\u200bb\n", "É́", ""]
    vocabulary = {"un", "##aff", "##able", "fox", "##es", ",", "a", "##b", "$", "5", "机", "naive"}
    for lower in (True, False):
        ours, theirs = (module.BasicTokenizer(lower) for module in (bert_tokenizer, compiled))
        for text in texts:
            tokens = ours.tokenize(text)
            assert tokens == theirs.tokenize(text), text
            pieces = [
                module.WordpieceTokenizer(vocabulary, max_input_chars_per_word=8)
                for module in (bert_tokenizer, compiled)
            ]
            found = [[piece for token in tokens for piece in one.tokenize(token)] for one in pieces]
            assert found[0] == found[1], text
    for number in (*range(0x300), 0x3000, 0x2028, 0xFFFD, 0x1F600):
        for name in ("is_control", "is_whitespace", "is_punctuation"):
            given = chr(number), unicodedata.category(chr(number))
            assert bool(getattr(bert_tokenizer, name)(*given)) == bool(getattr(compiled, name)(*given)), (name, number)


BOOKS = """
import sys
sys.modules |= {name: type(sys)(name) for name in ("pandas", "requests")}  # d2l imports them for its downloads
import matplotlib
matplotlib.use("Agg")
if sys.argv[1] == "d2lzh":
    import d2lzh as d2l
    from mxnet import nd as np
else:
    from d2l import mxnet as d2l
    from mxnet import np, npx
    npx.set_np()
from mxnet import gluon, init
from mxnet.gluon import nn
d2l.use_svg_display()
images, labels = np.random.uniform(0, 1, (200, 1, 28, 28)), np.arange(200) % 10
images[:, 0, 0, :10] += 3 * (np.arange(10).reshape((1, 10)) == labels.reshape((-1, 1))).astype("float32")
batches = gluon.data.DataLoader(gluon.data.ArrayDataset(images, labels.astype("float32")), 20)
net = nn.Sequential()
net.add(nn.Dense(64, activation="relu"), nn.Dense(10))
net.initialize(init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
loss = gluon.loss.SoftmaxCrossEntropyLoss()
last = (20, None, None, trainer) if sys.argv[1] == "d2lzh" else (trainer,)
d2l.train_ch3(net, batches, batches, loss, 10, *last)
print("accuracy", d2l.evaluate_accuracy(*((batches, net) if sys.argv[1] == "d2lzh" else (net, batches))))
"""


@pytest.mark.parametrize("book", ["d2l", "d2lzh"])
def test_books(packages, book):
    """The packages of Dive into Deep Learning: a network is trained, and its curves are drawn."""
    accuracy = run(packages, "-c", BOOKS, book).split()[-1]
    assert float(accuracy) > 0.9
