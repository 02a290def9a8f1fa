"""The same seed gives the same training, bit for bit, on the same machine with the same number of threads."""

import os
import subprocess
import sys

import pytest
from paths import GOLDEN

PREPARE = """
import hashlib, random, sys
import numpy as np
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms

mx.random.seed(7)
np.random.seed(7)
random.seed(7)


def show(arrays):
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(array.asnumpy().tobytes())
    print(digest.hexdigest())


def network(hybridize):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(16, 3, padding=1), nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D(), nn.Conv2D(20, 3),
            nn.Dropout(0.3), nn.Dense(32, activation="relu"), nn.Dense(10))
    net.initialize(mx.init.Xavier())
    if hybridize:
        net.hybridize(static_alloc=True, static_shape=True)
    return net


def train(batches, hybridize=True):
    net, loss = network(hybridize), gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam")
    for data, label in batches:
        with autograd.record():
            found = loss(net(data), label)
        found.backward()
        trainer.step(len(data))
    show([found, *(p.data() for p in net.collect_params().values())])
"""

PROGRAMS = {
    "module": """
x, y = np.random.rand(96, 3, 12, 12).astype("float32"), np.random.randint(0, 10, 96)
data = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=16)
data = mx.sym.Activation(mx.sym.BatchNorm(data), act_type="relu")
data = mx.sym.FullyConnected(mx.sym.Dropout(data, p=0.4), num_hidden=10)
module = mx.mod.Module(mx.sym.SoftmaxOutput(data, name="softmax"))
module.fit(mx.io.NDArrayIter(x, y, 16, shuffle=True), num_epoch=3, optimizer="sgd",
           optimizer_params={"momentum": 0.9, "learning_rate": 0.1}, initializer=mx.init.Xavier())
arguments, states = module.get_params()
show([*arguments.values(), *states.values()])
""",
    "gluon": """
x, y = nd.random.normal(shape=(6, 16, 3, 20, 20)), nd.random.randint(0, 10, (6, 16))
for hybridize in (False, True):
    train(zip(x, y), hybridize)
layer = gluon.rnn.LSTM(24, num_layers=2, dropout=0.2, bidirectional=True)
layer.initialize()
with autograd.record():
    out = layer(nd.random.normal(shape=(9, 8, 12)))
out.backward()
show([out, *(p.grad() for p in layer.collect_params().values())])
""",
    "loader": """
images = nd.random.randint(0, 255, (64, 24, 24, 3)).astype("uint8")
labels = nd.random.randint(0, 10, (64,)).asnumpy().astype("int32")
augment = transforms.Compose([transforms.RandomResizedCrop(16), transforms.RandomFlipLeftRight(),
                              transforms.RandomBrightness(0.3), transforms.ToTensor()])
data = gluon.data.ArrayDataset(images, labels).transform_first(augment)
for options in ({"num_workers": 0}, {"num_workers": 2}):
    loader = gluon.data.DataLoader(data, 8, shuffle=True, **options)
    train((x, y) for epoch in range(2) for x, y in loader)
""",
    "records": """
def batches():
    for threads in (1, 3):
        records = mx.io.ImageRecordIter(
            path_imgrec=sys.argv[1], data_shape=(3, 20, 20), batch_size=4, shuffle=True, seed=5, rand_crop=True,
            rand_mirror=True, max_random_scale=1.3, min_random_scale=1.1, random_h=20, preprocess_threads=threads)
        for epoch in range(2):
            records.reset()
            for batch in records:
                yield batch.data[0] / 255, batch.label[0] % 10
train(batches())
""",
}


def digests(program, threads, hash_seed):
    command = [sys.executable, "-c", PREPARE + PROGRAMS[program], str(GOLDEN / "image_record.rec")]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONHASHSEED": str(hash_seed)}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
    assert found and all(len(digest) == 64 for digest in found)
    return found


@pytest.mark.parametrize(
    ("program", "threads"), [("module", 2), ("gluon", 1), ("gluon", 2), ("loader", 1), ("records", 2)]
)
def test_same_seed_same_training(program, threads):
    assert digests(program, threads, 1) == digests(program, threads, 2)


def test_another_seed_is_another_training(monkeypatch):
    other = PREPARE.replace("mx.random.seed(7)", "mx.random.seed(8)")
    before = digests("gluon", 1, 1)
    monkeypatch.setitem(globals(), "PREPARE", other)
    assert not set(before) & set(digests("gluon", 1, 1))
