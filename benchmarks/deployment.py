"""How fast networks are outside of Python, and in onnxruntime.

    python benchmarks/deployment.py [predict] [onnx] [--rounds 15] [--threads 1] [--json FILE]

``predict``: MXPredForward of LeNet in a program in C (the C predict API), against the same forward pass called from
Python, in a process of its own. ``onnx``: ResNet-50 as ``mx.onnx.export_model`` writes it, against what
``torch.onnx.export`` writes of the same network in plain torch, both in onnxruntime.

Both sides take turns, round after round; printed are medians, and the median of the rounds' ratios or differences.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CALLS = 200


def lenet(mx):
    """The classic one, for digits."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Conv2D(20, 5, activation="tanh"), nn.MaxPool2D(2, 2), nn.Conv2D(50, 5, activation="tanh"))
    net.add(nn.MaxPool2D(2, 2), nn.Dense(500, activation="tanh"), nn.Dense(10))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    return net


def answer_in_python(symbol, params, images):
    """What predict_forward.c does, in Python."""
    import numpy as np

    from mxnet.predict import Predictor

    predictor = Predictor(Path(symbol).read_text(), Path(params).read_bytes(), {"data": (images, 1, 28, 28)})
    data = (np.arange(images * 28 * 28) % 255 / 255).reshape(images, 1, 28, 28)
    predictor.forward(data=data)
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            start = time.perf_counter_ns()
            predictor.forward()
            times.append(time.perf_counter_ns() - start)
        print(int(statistics.median(times)), flush=True)


def predict(rounds, images):
    """MXPredForward against Python."""
    import mxnet as mx
    from mxnet.tools import predict_api

    with tempfile.TemporaryDirectory() as folder:
        net = lenet(mx)
        net(mx.nd.zeros((images, 1, 28, 28)))
        net.export(f"{folder}/lenet")
        program = f"{folder}/predict_forward"
        source = str(Path(__file__).with_name("predict_forward.c"))
        subprocess.run(["cc", "-O2", source, *predict_api.flags(True, True), "-o", program], check=True)
        files = [f"{folder}/lenet-symbol.json", f"{folder}/lenet-0000.params", str(images)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        workers = {
            "C": subprocess.Popen([program, *files], **pipes),
            "Python": subprocess.Popen([sys.executable, __file__, "--answer", *files], **pipes),
        }

        def ask(name):
            workers[name].stdin.write(f"{CALLS}\n")
            workers[name].stdin.flush()
            return int(workers[name].stdout.readline()) / 1000

        for name in workers:  # the first calls prepare what later ones use
            ask(name)
        found = [{name: ask(name) for name in workers} for _ in range(rounds)]
        for worker in workers.values():
            worker.stdin.close()
            worker.wait()
            worker.stdout.close()
    for name in workers:
        print(f"LeNet, {images} image(s), {name:6}: {statistics.median(f[name] for f in found):8.1f} us")
    difference = statistics.median(f["C"] - f["Python"] for f in found)
    print(f"  MXPredForward takes {difference:+.1f} us compared with the call from Python")


def torch_resnet50(torch):
    """ResNet-50 in plain torch, as torchvision has it: the stride is in the 3x3 convolutions."""
    nn = torch.nn

    class Bottleneck(nn.Module):
        def __init__(self, inputs, width, stride):
            super().__init__()
            outputs = 4 * width
            self.body = nn.Sequential(
                nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
                nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs),
            )  # fmt: skip
            self.shortcut = nn.Identity()
            if stride != 1 or inputs != outputs:
                self.shortcut = nn.Sequential(
                    nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)
                )

        def forward(self, x):
            return torch.relu(self.body(x) + self.shortcut(x))

    parts = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(blocks):
            parts.append(Bottleneck(inputs, width, stride if i == 0 else 1))
            inputs = 4 * width
    return nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000)).eval()


def mxnet_resnet50(mx):
    """The same network of Gluon's layers."""
    nn = mx.gluon.nn

    class Bottleneck(mx.gluon.HybridBlock):
        def __init__(self, inputs, width, stride):
            super().__init__()
            self.body, self.shortcut = nn.HybridSequential(), nn.HybridSequential()
            self.body.add(nn.Conv2D(width, 1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
            self.body.add(nn.Conv2D(width, 3, stride, 1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
            self.body.add(nn.Conv2D(4 * width, 1, use_bias=False), nn.BatchNorm())
            if stride != 1 or inputs != 4 * width:
                self.shortcut.add(nn.Conv2D(4 * width, 1, stride, use_bias=False), nn.BatchNorm())

        def hybrid_forward(self, F, x):
            return F.relu(self.body(x) + self.shortcut(x))

    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, 7, 2, 3, use_bias=False), nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D(3, 2, 1))
    inputs = 64
    for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(blocks):
            net.add(Bottleneck(inputs, width, stride if i == 0 else 1))
            inputs = 4 * width
    net.add(nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(1000))
    return net


def onnx(rounds, images, threads):
    """Our export against torch's, in onnxruntime."""
    import numpy as np
    import onnx as package
    import onnxruntime
    import torch

    import mxnet as mx

    shape = (images, 3, 224, 224)
    data = np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
    with tempfile.TemporaryDirectory() as folder:
        files = {"MXNext": f"{folder}/ours.onnx", "torch": f"{folder}/torch.onnx"}
        net = mxnet_resnet50(mx)
        net.initialize(mx.init.Xavier())
        net(mx.nd.zeros((1, 3, 224, 224)))
        mx.onnx.export_model(net, None, [shape], np.float32, files["MXNext"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it is the older exporter, which needs no further package
            example = torch.from_numpy(data)
            torch.onnx.export(torch_resnet50(torch), (example,), files["torch"], dynamo=False, input_names=["data"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        runs = {}
        for name, file in files.items():
            kinds = Counter(node.op_type for node in package.load(file).graph.node)
            print(f"{name:6} {sum(kinds.values())} nodes: {', '.join(f'{n} {k}' for k, n in kinds.most_common())}")
            runs[name] = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])

        def ask(name):
            start = time.perf_counter()
            runs[name].run(None, {"data": data})
            return 1000 * (time.perf_counter() - start)

        for name in runs:
            ask(name)
        found = [{name: ask(name) for name in runs} for _ in range(rounds)]
    for name in runs:
        print(
            f"ResNet-50, {images} image(s), exported by {name:6}: {statistics.median(f[name] for f in found):8.1f} ms"
        )
    ratio = statistics.median(f["MXNext"] / f["torch"] for f in found)
    print(f"  ours / torch's: {ratio:.3f}")
    return ratio


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="*", choices=["predict", "onnx", []], help="both by default")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--images", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path, help="also write the ratio of ONNX to this file")
    given = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(given.threads)
    what = given.what or ["predict", "onnx"]
    if "predict" in what:
        predict(given.rounds, given.images)
    if "onnx" in what:
        ratio = onnx(given.rounds, given.images, given.threads)
        if given.json:
            result = {"workload": "onnx_resnet50", "ours_to": {"torch": ratio}}
            given.json.write_text(json.dumps({"results": [result]}))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    if sys.argv[1:2] == ["--answer"]:
        answer_in_python(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
