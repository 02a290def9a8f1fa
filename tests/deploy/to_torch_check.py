"""Translates networks and compares what they compute, in a process without mxnet, with what they compute here."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

import mxnet as mx
from mxnet import autograd, gluon

RUNNER = Path(__file__).with_name("to_torch_runner.py")


def flat(results):
    return [results] if isinstance(results, mx.nd.NDArray) else [a for part in results for a in flat(part)]


class Case:
    """A translated block and what is to be compared.

    Ten steps of training are compared in float64, by what they changed. Their rate is such that a step changes the
    parameters by 1e-8 of their norm: where gradients are steep, as in deep networks on few numbers, each larger
    step magnifies rounding tenfold, in MXNet as in PyTorch.
    """

    def __init__(self, net, path, *inputs, steps=0, change=None, double=True, training=True, sorts=False, source=None):
        self.net, self.path, self.steps, self.double, self.training = net, Path(path), steps, double, training
        self.sorts = sorts  # the rows of outputs may change places
        written, options = source or (net, {})
        mx.to_torch_source(written, self.path, *inputs, **options)
        recorded = load_file(self.path / "check.safetensors")
        count = sum(k.startswith("input_") for k in recorded)
        self.inputs = [
            mx.nd.array(recorded[f"input_{i}"].numpy(), dtype=recorded[f"input_{i}"].numpy().dtype)
            for i in range(count)
        ]
        net.apply(without_dropout)
        net.collect_params().setattr("lr_mult", 1)  # the rates of a network's own are for its optimizer
        self.parameters = {n: p for n, p in net.collect_params().items() if p.grad_req != "null"}
        with autograd.pause(train_mode=False):
            outputs = flat(net(*self.inputs))
        rng = np.random.default_rng(3)
        draw = np.ones if sorts else rng.standard_normal
        self.heads = [mx.nd.array(draw(o.shape) / max(o.size, 1) ** 0.5) for o in outputs]
        save_file(
            {f"head_{i}": h.as_torch().clone() for i, h in enumerate(self.heads)},
            self.path.with_name(self.path.name + ".heads.safetensors"),
        )
        self.rate = 0.0
        if steps:
            kept = {n: p.data().copy() for n, p in net.collect_params().items() if p.grad_req == "null"}
            self._backward(training)
            size = sum(float(p.data().norm().asscalar()) ** 2 for p in self.parameters.values()) ** 0.5
            steep = sum(float(p.grad().norm().asscalar()) ** 2 for p in self.parameters.values()) ** 0.5
            self.rate = (change or (1e-8 if double else 1e-3)) * size / steep
            for name, array in kept.items():  # running statistics
                net.collect_params()[name].set_data(array)

    def task(self):
        """What the other process is to do."""
        told = {"path": str(self.path), "steps": self.steps, "rate": self.rate}
        return told | {"double": self.double, "training": self.training}

    def _backward(self, training):
        with autograd.record(train_mode=training):
            outputs = flat(self.net(*self.inputs))
            sums = [(o * h).sum() for o, h in zip(outputs, self.heads, strict=True)]
        autograd.backward(sums)
        return outputs

    def compare(self):
        """The largest relative differences of outputs, gradients and of what training changed."""
        found = load_file(self.path.with_name(self.path.name + ".found.safetensors"))
        with safe_open(self.path / "weights.safetensors", "pt") as file:
            names = file.metadata() or {}
        with autograd.pause(train_mode=False):
            outputs = flat(self.net(*self.inputs))
        theirs = [found[f"output_{i}"] for i in range(len(outputs))]
        if self.sorts:
            theirs = [t.sort(dim=1).values for t in theirs]
            outputs = [o.as_torch().sort(dim=1).values for o in outputs]
        result = {"outputs": max(map(difference, theirs, outputs))}
        # Gradients and training in float64: rounding decides which side of a kink a number falls on.
        parameters = self.net.collect_params()
        if self.double:
            self.net.cast("float64")
            self.inputs = [i.astype("float64") if i.dtype == np.float32 else i for i in self.inputs]
            self.heads = [h.astype("float64") for h in self.heads]
        for p in self.parameters.values():
            p.zero_grad()
        outputs = self._backward(False)
        if self.double:
            result["double"] = max(difference(found[f"double_{i}"], o) for i, o in enumerate(outputs))
        gradients = {n.removeprefix("grad."): v for n, v in found.items() if n.startswith("grad.")}
        assert gradients
        result["gradients"] = max(
            difference(v, self.parameters[names[n]].grad()) for n, v in gradients.items() if names[n] in self.parameters
        )
        if not self.double:
            result["rounding"] = self._rounding()
        if self.steps:
            trained = {n.removeprefix("trained."): v for n, v in found.items() if n.startswith("trained.")}
            pairs = {n: old for n, old in names.items() if n in trained}
            before = {old: parameters[old].data().as_torch().clone() for old in pairs.values()}
            trainer = gluon.Trainer(parameters, "sgd", {"learning_rate": self.rate, "momentum": 0.9})
            for _ in range(self.steps):
                self._backward(self.training)
                trainer.step(1, ignore_stale_grad=True)
            ours = {old: parameters[old].data().as_torch() - start for old, start in before.items()}
            theirs = {n: trained[n].reshape(before[old].shape) - before[old] for n, old in pairs.items()}
            learned = [float(ours[n].abs().max()) for n in self.parameters if n in ours]
            assert max(learned) > 0
            # The gradient of a bias in front of a batch normalization is zero but for rounding.
            least = 1e-6 * max(learned)
            result["trained"] = max(difference(v, ours[pairs[n]], least) for n, v in theirs.items())
        return result

    def _rounding(self):
        """How much float32 gradients change with the last digit of the inputs: rounding, not the translation."""
        before = {n: p.grad().copy() for n, p in self.parameters.items()}
        inputs, self.inputs = self.inputs, [i * (1 + 1e-7) if i.dtype == np.float32 else i for i in self.inputs]
        for p in self.parameters.values():
            p.zero_grad()
        self._backward(False)
        self.inputs = inputs
        return max(difference(p.grad().as_torch(), before[n]) for n, p in self.parameters.items())


def without_dropout(block):
    """Turns dropout off: what it drops cannot be compared."""
    if isinstance(block, gluon.nn.Dropout):
        block._rate = 0
    if isinstance(block, gluon.rnn.rnn_layer._RNNLayer):
        block._dropout = 0


class SymbolCase:
    """A translated symbol with loss heads, and what is to be compared."""

    def __init__(self, symbol, path, params, shapes, labels=(), trainer=None, further=0):
        self.symbol, self.path, self.params, self.further = symbol, Path(path), params, further
        mx.to_torch_source(symbol, self.path, params=params, shapes=shapes, trainer=trainer)
        recorded = load_file(self.path / "check.safetensors")
        self.inputs = {name: recorded[f"input_{i}"].numpy() for i, name in enumerate(shapes)}
        self.labels = dict(labels)
        save_file(
            {f"label_{i}": torch.from_numpy(a.copy()) for i, a in enumerate(self.labels.values())},
            self.path.with_name(self.path.name + ".heads.safetensors"),
        )

    def task(self):
        """What the other process is to do."""
        return {"path": str(self.path), "optimizer": self.further}

    def compare(self):
        """The largest relative differences of outputs and of the gradients of the loss."""
        found = load_file(self.path.with_name(self.path.name + ".found.safetensors"))
        arrays = {n.split(":", 1)[1]: a for n, a in self.params.items()} | self.inputs | self.labels
        result = {}
        for training in (False, True):
            kind = "float64" if training else "float32"
            shapes = {n: a.shape for n, a in (self.inputs | self.labels).items()}
            types = dict.fromkeys([*self.symbol.list_arguments(), *self.symbol.list_auxiliary_states()], kind)
            executor = self.symbol.simple_bind(mx.cpu(), type_dict=types, **shapes)
            for name, target in {**executor.arg_dict, **executor.aux_dict}.items():
                if name in arrays:
                    target[:] = mx.nd.array(arrays[name], dtype=kind)
            outputs = executor.forward(is_train=training)
            if not training:
                result["outputs"] = max(difference(found[f"output_{i}"], o) for i, o in enumerate(outputs))
        if self.labels:
            executor.backward()
            with safe_open(self.path / "weights.safetensors", "pt") as file:
                names = file.metadata()
            gradients = {n.removeprefix("loss_grad."): v for n, v in found.items() if n.startswith("loss_grad.")}
            assert gradients
            result["gradients"] = max(difference(v, executor.grad_dict[names[n]]) for n, v in gradients.items())
        return result


def difference(theirs, ours, least=1e-9):
    """The largest difference relative to the largest number."""
    ours = torch.from_numpy(ours.asnumpy()) if isinstance(ours, mx.nd.NDArray) else ours
    assert theirs.shape == ours.shape, (theirs.shape, ours.shape)
    if not ours.numel():
        return 0.0
    # A gradient that is zero but for rounding (of the bias of the keys in attention) is compared as zero.
    scale = max(float(ours.abs().max()), least)
    return float((theirs.double() - ours.double()).abs().max()) / scale


def run_alone(cases, directory):
    """Runs the translated networks of all cases in one process that has no mxnet."""
    tasks = Path(directory) / "tasks.json"
    tasks.write_text(json.dumps([c.task() for c in cases]))
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-I", str(RUNNER), str(tasks)], capture_output=True, text=True, env=environment, cwd=directory
    )
    assert done.returncode == 0, done.stderr[-3000:]
