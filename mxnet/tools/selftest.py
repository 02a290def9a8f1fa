"""Checks this installation on the devices it has, against the CPU: ``python -m mxnet.tools.selftest [--gpu 0,1]``.

Every check computes the same on the device and on the CPU and compares the results. The command prints a table
and a verdict, and writes a JSON report to attach to a bug report.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.context import Context
from mxnet.tools import diagnose

__all__ = ["Result", "main", "run"]

#: Bounds for a result on a device against the CPU, relative to its largest element. float16 is compared with float32.
TOLERANCE = {"float32": 1e-3, "float16": 3e-2}
#: Operators whose float16 result is not comparable: they amplify rounding, or choose by comparing close numbers.
NOT_IN_FLOAT16 = (
    *("linalg", "topk", "sort", "arg", "erfinv", "gamma", "tan", "pdf", "nms", "multi"),
    *("round", "floor", "trunc", "fix", "ceil", "rint"),
)


@dataclass
class Result:
    """What one check found."""

    check: str
    device: str
    passed: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)
    note: str = ""

    def add(self, name: str, problem: str | None) -> None:
        """Counts one comparison; ``problem`` says what is wrong with it."""
        if problem is None:
            self.passed += 1
        else:
            self.failures.append(f"{name}: {problem}")


def _samples() -> Any:
    """The table of sample calls: part of the wheel, or in the tests of a checkout."""
    try:
        return importlib.import_module("mxnet._samples")
    except ModuleNotFoundError:
        folder = Path(mx.__file__).resolve().parents[1] / "tests"
        if not (folder / "samples").is_dir():
            raise mx.MXNetError("the sample calls of operators are not installed: reinstall mxnext") from None
        sys.path.insert(0, str(folder))
        try:
            return importlib.import_module("samples")
        finally:
            sys.path.remove(str(folder))


def _difference(given: np.ndarray, expected: np.ndarray, tolerance: float) -> str | None:
    """Why two arrays are not equal within a tolerance, or None."""
    if given.shape != expected.shape:
        return f"shape {given.shape} instead of {expected.shape}"
    given, expected = (
        np.nan_to_num(a.astype(np.float64), nan=12345.0, posinf=1e30, neginf=-1e30) for a in (given, expected)
    )
    scale = max(1.0, float(np.abs(expected[np.abs(expected) < 1e29]).max(initial=0.0)))
    error = float(np.abs(given - expected).max(initial=0.0)) / scale
    return None if error <= tolerance else f"differs by {error:.2g} of the largest element"


def _compare(given: Sequence[Any], expected: Sequence[Any], tolerance: float) -> str | None:
    if len(given) != len(expected):
        return f"{len(given)} results instead of {len(expected)}"
    problems = (_difference(a, b, tolerance) for a, b in zip(given, expected, strict=True))
    return next((problem for problem in problems if problem), None)


# ---- operators -------------------------------------------------------------------------------------------------------


def _run_sample(samples: Any, sample: Any, context: Context, half: bool = False) -> list[np.ndarray]:
    """Outputs, gradients and changed inputs of a sample call on a device."""
    if half:
        with np.errstate(over="ignore"):
            inputs = [a.astype("float16") if a is not None and a.dtype == np.float32 else a for a in sample.inputs]
        sample = type(sample)(**{**vars(sample), "inputs": inputs})
    mx.random.seed(0)
    common = importlib.import_module(f"{samples.__name__}.common")
    with context:
        outputs, gradients, changed = common.run(mx, sample)
    return [*outputs, *(gradients[i] for i in sorted(gradients)), *(changed[i] for i in sorted(changed))]


def _attempt(function: Callable[..., list[np.ndarray]], *args: Any, **options: Any) -> list[np.ndarray] | str:
    """The result, or what was raised: whatever it is, it is a finding of the test, not its end."""
    try:
        return function(*args, **options)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def check_operators(context: Context, result: Result, every: int = 1) -> None:
    """Sample calls of every operator: outputs, gradients, written inputs; again in float16 on an accelerator."""
    samples = _samples()
    calls = [(n, s) for f in samples.families() for n, s in samples.load(f) if not s.error][::every]
    for name, sample in tqdm(calls, desc=f"operators on {context}", leave=False, disable=None):
        expected = _run_sample(samples, sample, mx.cpu())
        given = _attempt(_run_sample, samples, sample, context)
        result.add(name, given if isinstance(given, str) else _compare(given, expected, TOLERANCE["float32"]))
        if context.is_gpu and not any(word in sample.op.lower() for word in NOT_IN_FLOAT16):
            _check_half(samples, name, sample, context, result)


def _check_half(samples: Any, name: str, sample: Any, context: Context, result: Result) -> None:
    """float16 on the device against float16 on the CPU, for calls that the CPU takes."""
    if not any(a is not None and a.dtype == np.float32 for a in sample.inputs):
        return
    expected = _attempt(_run_sample, samples, sample, mx.cpu(), half=True)
    if not isinstance(expected, str):
        given = _attempt(_run_sample, samples, sample, context, half=True)
        problem = given if isinstance(given, str) else _compare(given, expected, TOLERANCE["float16"])
        result.add(f"{name} in float16", problem)


# ---- random programs -------------------------------------------------------------------------------------------------

_STEPS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda x, y: x + y,
    lambda x, y: x * 0.5 - y,
    lambda x, y: mx.nd.broadcast_maximum(x, y.mean(axis=0, keepdims=True)),
    lambda x, y: mx.nd.tanh(x) * mx.nd.sigmoid(y),
    lambda x, y: mx.nd.dot(x, y.T) / 8,
    lambda x, y: mx.nd.softmax(x, axis=-1) + y[::-1],
    lambda x, y: mx.nd.concat(x[:3], y[3:], dim=0),
    lambda x, y: x.reshape((-1, 2)).sum(axis=1).reshape((6, 3)).tile((1, 2)) + y,
    lambda x, y: mx.nd.where(x > y, x, y),
    lambda x, y: mx.nd.take(x, mx.nd.array([5, 0, 3, 3, 1, 2], ctx=x.context)) - y,
    lambda x, y: mx.nd.LayerNorm(x, mx.nd.ones(6, ctx=x.context), mx.nd.zeros(6, ctx=x.context)) * y,
    lambda x, y: mx.nd.transpose(x).copy() - y,
)


def _random_program(seed: int, context: Context) -> list[np.ndarray]:
    """Random steps over two arrays while recording, then writes in place; the same program for the same seed."""
    choose = random.Random(seed)
    numbers = np.random.RandomState(seed)
    x, y = (mx.nd.array(numbers.uniform(-1, 1, (6, 6)), ctx=context) for _ in range(2))
    x.attach_grad()
    y.attach_grad()
    with autograd.record():
        a, b = x, y
        for _ in range(choose.randint(3, 8)):
            a, b = b, choose.choice(_STEPS)(a, b)
        loss = (b * b).sum()
    loss.backward()
    x[1:3] = x.grad[2:4]
    y[:, 2] += 1
    x *= y
    return [b.asnumpy(), x.grad.asnumpy(), y.grad.asnumpy(), x.asnumpy(), y.asnumpy()]


def check_programs(context: Context, result: Result, count: int = 200) -> None:
    """Random programs with gradients, slices and writes in place."""
    for seed in tqdm(range(count), desc=f"programs on {context}", leave=False, disable=None):
        expected = _random_program(seed, mx.cpu())
        given = _attempt(_random_program, seed, context)
        result.add(f"program {seed}", given if isinstance(given, str) else _compare(given, expected, 1e-2))


# ---- training --------------------------------------------------------------------------------------------------------


def _network() -> gluon.nn.HybridSequential:
    net = gluon.nn.HybridSequential()
    net.add(
        gluon.nn.Conv2D(8, 3, padding=1, in_channels=1),
        gluon.nn.BatchNorm(in_channels=8),
        gluon.nn.Activation("relu"),
        gluon.nn.MaxPool2D(2),
        gluon.nn.Flatten(),
        gluon.nn.Dense(10, in_units=8 * 8 * 8),
    )
    return net


def _batches(count: int, size: int = 16) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    numbers = np.random.RandomState(1)
    for _ in range(count):
        labels = numbers.randint(0, 10, size)
        images = numbers.uniform(0, 0.2, (size, 1, 16, 16)).astype("float32")
        images[np.arange(size), 0, labels] += 1
        yield images, labels.astype("float32")


def _train_gluon(contexts: Sequence[Context], hybridize: bool, kvstore: str = "device") -> list[np.ndarray]:
    """Losses and weights after a few steps of Gluon training over devices."""
    mx.random.seed(3)
    net = _network()
    net.initialize(mx.init.Xavier(), ctx=mx.cpu())
    net.collect_params().reset_ctx(list(contexts))
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9}, kvstore=kvstore)
    entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    losses = []
    for images, labels in _batches(5):
        parts = gluon.utils.split_and_load(mx.nd.array(images), list(contexts))
        targets = gluon.utils.split_and_load(mx.nd.array(labels), list(contexts))
        with autograd.record():
            found = [entropy(net(x), y) for x, y in zip(parts, targets, strict=True)]
        autograd.backward(found)
        trainer.step(len(images))
        losses.append(np.concatenate([f.asnumpy() for f in found]))
    weights = [p.data(contexts[0]).asnumpy() for p in net.collect_params().values() if p.grad_req != "null"]
    return [*losses, *weights]


def _train_module(contexts: Sequence[Context]) -> list[np.ndarray]:
    """Weights after a few steps of a Module over devices."""
    data = mx.sym.flatten(mx.sym.Variable("data"))
    hidden = mx.sym.Activation(mx.sym.FullyConnected(data, num_hidden=32, name="fc1"), act_type="relu")
    symbol = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(hidden, num_hidden=10, name="fc2"), name="softmax")
    mx.random.seed(3)
    images, labels = map(np.concatenate, zip(*_batches(5), strict=True))
    batches = mx.io.NDArrayIter(images, labels, batch_size=16)
    module = mx.mod.Module(symbol, context=list(contexts))
    module.fit(batches, num_epoch=2, initializer=mx.init.Xavier(), optimizer_params={"learning_rate": 0.1})
    return [module.get_params()[0][name].asnumpy() for name in symbol.list_arguments() if name.startswith("fc")]


def check_training(context: Context, result: Result) -> None:
    """A small network trained on the device: eagerly, hybridized and by Module."""
    for name, train in (
        ("Gluon, eager", lambda contexts: _train_gluon(contexts, hybridize=False)),
        ("Gluon, hybridized", lambda contexts: _train_gluon(contexts, hybridize=True)),
        ("Module", _train_module),
    ):
        given = _attempt(train, [context])
        result.add(name, given if isinstance(given, str) else _compare(given, train([mx.cpu()]), 1e-2))


def check_loader(context: Context, result: Result) -> None:
    """DataLoader with worker processes and pinned memory."""

    def load() -> list[np.ndarray]:
        pairs = list(_batches(4, 8))
        dataset = gluon.data.ArrayDataset(*(np.concatenate(part) for part in zip(*pairs, strict=True)))
        loader = gluon.data.DataLoader(dataset, 8, num_workers=2, pin_memory=context.is_gpu)
        return [x.as_in_context(context).asnumpy() for x, _ in loader]

    given = _attempt(load)
    result.add("batches", given if isinstance(given, str) else _compare(given, [x for x, _ in _batches(4, 8)], 0.0))


def check_several(contexts: Sequence[Context], result: Result) -> None:
    """Several devices with Trainer, Module and key-value stores against one."""
    for name in ("device", "local", "nccl"):
        given = _attempt(_sum_over, contexts, name)
        expected = [np.full((3, 4), float(sum(range(1, len(contexts) + 1))), np.float32)] * len(contexts)
        result.add(f"kvstore {name}", given if isinstance(given, str) else _compare(given, expected, 0.0))
    given = _attempt(_train_module, contexts)
    result.add("Module", given if isinstance(given, str) else _compare(given, _train_module([mx.cpu()]), 1e-2))
    given = _attempt(_losses_fall, contexts)
    result.add("Trainer", given if isinstance(given, str) else None)


def _sum_over(contexts: Sequence[Context], store: str) -> list[np.ndarray]:
    kv = mx.kv.create(store)
    kv.init(0, mx.nd.zeros((3, 4), ctx=contexts[0]))
    kv.push(0, [mx.nd.full((3, 4), i + 1.0, ctx=c) for i, c in enumerate(contexts)])
    targets = [mx.nd.zeros((3, 4), ctx=c) for c in contexts]
    kv.pull(0, out=targets)
    return [t.asnumpy() for t in targets]


def _losses_fall(contexts: Sequence[Context]) -> list[np.ndarray]:
    """Batch norm sees other parts of a batch on several devices, so the losses are not those of one device."""
    found = _train_gluon(contexts, hybridize=True)
    if not found[4].mean() < found[0].mean():
        raise mx.MXNetError(f"the loss does not fall: {found[0].mean():.3f} to {found[4].mean():.3f}")
    return found


# ---- speed -----------------------------------------------------------------------------------------------------------


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _seconds(step: Callable[[], Any], device: torch.device, rounds: int = 5) -> float:
    """The median time of a step."""
    times = []
    for _ in range(rounds + 1):
        _wait(device)
        start = time.perf_counter()
        step()
        _wait(device)
        times.append(time.perf_counter() - start)
    return sorted(times[1:])[rounds // 2]


def check_speed(context: Context, result: Result) -> None:
    """A product, a convolution and a small network, timed beside plain PyTorch on the same device."""
    device = context.torch_device
    x, w = mx.nd.random.normal(shape=(512, 512), ctx=context), mx.nd.random.normal(shape=(512, 512), ctx=context)
    image, kernel = (
        mx.nd.random.normal(shape=(8, 32, 56, 56), ctx=context),
        mx.nd.random.normal(shape=(32, 32, 3, 3), ctx=context),
    )
    net = _network()
    net.initialize(ctx=context)
    net.hybridize()
    batch = mx.nd.random.normal(shape=(32, 1, 16, 16), ctx=context)
    plain = net.as_torch().eval()
    tx, tw, ti, tk, tb = (a.as_torch().detach() for a in (x, w, image, kernel, batch))
    pairs: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "dot 512": (lambda: mx.nd.dot(x, w), lambda: tx @ tw),
        "3x3 convolution": (
            lambda: mx.nd.Convolution(image, kernel, kernel=(3, 3), num_filter=32, pad=(1, 1), no_bias=True),
            lambda: torch.nn.functional.conv2d(ti, tk, padding=1),
        ),
        "small network": (lambda: net(batch), lambda: plain(tb)),
    }
    notes = []
    with torch.no_grad():
        for name, (ours, theirs) in pairs.items():
            given = _attempt(lambda *pair: [np.array([_seconds(each, device) for each in pair])], ours, theirs)
            result.add(name, given if isinstance(given, str) else None)
            if not isinstance(given, str):
                mine, torchs = given[0]
                notes.append(f"{name} {mine * 1e3:.2f} ms, PyTorch {torchs * 1e3:.2f} ms")
    result.note = "; ".join(notes)


# ---- the command -----------------------------------------------------------------------------------------------------


@contextmanager
def _run_check(results: list[Result], check: str, device: str) -> Iterator[Result]:
    result = Result(check, device)
    start = time.perf_counter()
    try:
        yield result
    except Exception:  # a check that cannot run at all is a finding, and the others go on
        result.failures.append(traceback.format_exc(limit=-4))
    result.seconds = round(time.perf_counter() - start, 1)
    results.append(result)
    state = f"{len(result.failures)} FAILED" if result.failures else "ok"
    print(
        f"{check:12} {device:16} {result.passed:6} passed  {state:10} {result.seconds:7.1f} s  {result.note}",
        flush=True,
    )


def run(contexts: Sequence[Context], quick: bool = False) -> list[Result]:
    """Runs all checks on each device, then those for several devices together."""
    results: list[Result] = []
    for context in contexts:
        name = str(context)
        with _run_check(results, "operators", name) as result:
            check_operators(context, result, every=10 if quick else 1)
        with _run_check(results, "programs", name) as result:
            check_programs(context, result, count=20 if quick else 200)
        with _run_check(results, "training", name) as result:
            check_training(context, result)
        with _run_check(results, "data loader", name) as result:
            check_loader(context, result)
        with _run_check(results, "speed", name) as result:
            check_speed(context, result)
    if len(contexts) > 1:
        with _run_check(results, "several", ", ".join(map(str, contexts))) as result:
            check_several(contexts, result)
    return results


def _contexts(numbers: str | None) -> list[Context]:
    if numbers is not None:
        try:
            return [mx.gpu(int(number)) for number in numbers.split(",")]
        except ValueError:
            raise SystemExit(f"selftest: --gpu takes numbers such as 0,1; got {numbers!r}") from None
    return [mx.gpu(i) for i in range(mx.num_gpus())] or [mx.cpu()]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 1 if a check failed."""
    parser = argparse.ArgumentParser("selftest", description="Check this installation on its devices, against the CPU")
    parser.add_argument("--gpu", metavar="0,1", help="the GPUs to check; default: all, or the CPU if there is none")
    parser.add_argument("--quick", action="store_true", help="a tenth of the operators and programs")
    parser.add_argument("--report", default="mxnext-selftest.json", help="the file to write (default: %(default)s)")
    options = parser.parse_args(argv)
    contexts = _contexts(options.gpu)
    print(f"mxnext {mx.mxnext_version}, torch {torch.__version__}, devices: {', '.join(map(str, contexts))}")
    results = run(contexts, options.quick)
    report = {"installation": diagnose.collect(), "results": [asdict(result) for result in results]}
    Path(options.report).write_text(json.dumps(report, indent=2, default=str), encoding="utf-8")
    failed = [result for result in results if result.failures]
    for result in failed:
        print(f"\n{result.check} on {result.device}:", *result.failures[:10], sep="\n  ")
        if len(result.failures) > 10:
            print(f"  ... and {len(result.failures) - 10} more, in {options.report}")
    passed = sum(result.passed for result in results)
    count = sum(len(result.failures) for result in failed)
    verdict = f"{count} of {passed + count} comparisons failed" if count else f"all {passed} comparisons passed"
    print(f"\n{verdict}. Report: {options.report}" + (" (please attach it to a bug report)" if count else ""))
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
