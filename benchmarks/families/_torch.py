"""Steps of a network on plain torch: of modules that ``to_torch_source`` wrote, or that were written by hand."""

import importlib.util
import sys
import time

from . import SEED
from ._mxnet import MOMENTUM, RATE, labels


def _cross_entropy(torch, outputs, label):
    return torch.nn.functional.cross_entropy(outputs.flatten(0, -2), label.flatten().long())


LOSSES = {
    "softmax": _cross_entropy,
    "pixels": lambda torch, outputs, label: torch.nn.functional.cross_entropy(outputs, label.long()),
    "sigmoid": lambda torch, outputs, label: torch.nn.functional.binary_cross_entropy_with_logits(outputs, label),
    "l1": lambda torch, outputs, label: torch.nn.functional.l1_loss(outputs, label),
    "l2": lambda torch, outputs, label: torch.nn.functional.mse_loss(outputs, label),
}


def load_package(folder):
    """The module of a folder that ``to_torch_source`` wrote."""
    spec = importlib.util.spec_from_file_location("twin", folder + "/__init__.py", submodule_search_locations=[folder])
    for name in [name for name in sys.modules if name.split(".")[0] == "twin"]:
        del sys.modules[name]
    package = sys.modules["twin"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    return importlib.import_module("twin.model").load()


def _in_layout(torch, network, data, last):
    """The network and its data with channels first or last."""
    default = torch.contiguous_format
    formats = {4: torch.channels_last, 5: torch.channels_last_3d} if last else {}
    layout = formats.get(max(p.dim() for p in network.parameters()), default)
    rank = {torch.channels_last: 4, torch.channels_last_3d: 5}.get(layout)
    data = [d.contiguous(memory_format=layout) if d.dim() == rank else d for d in data]
    return network.to(memory_format=layout), data


def step_of(torch, workload, folder, compiled=False):
    """The step of a workload, in the memory layout that is faster; it returns the loss or the outputs."""
    torch.manual_seed(SEED)
    steps = []
    spatial = any(make.ndim > 3 for make in workload.inputs())
    for last in (True, False) if spatial and not compiled else (spatial,):
        step = _step(torch, workload, folder, last, compiled)
        steps.append((_quickest(step) if spatial else 0.0, step))
    if len(steps) == 1:
        return steps[0][1]
    best = min(steps, key=lambda timed: timed[0])
    return _step(torch, workload, folder, best is steps[0], compiled)


def _quickest(step):
    """Seconds of the quickest of a few steps."""
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def _step(torch, workload, folder, last, compiled):
    import numpy as np

    network = workload.network.torch(torch) if workload.network.torch else load_package(folder)
    data = [torch.from_numpy(values) for values in workload.inputs()]
    network, data = _in_layout(torch, network, data, last)
    if workload.work == "predict":
        network.eval()
        call = torch.compile(network, options={"freezing": True}) if compiled else network

        def predict():
            with torch.no_grad() if compiled else torch.inference_mode():
                return call(*data)

        return predict
    with torch.no_grad():
        outputs = network.eval()(*data)
    loss, kind = None, workload.network.loss
    if kind != "own":
        loss = LOSSES[kind]
        label = torch.from_numpy(labels(np.random.RandomState(SEED), kind, tuple(outputs.shape)))
    parameters = [p for p in network.train().parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(parameters, lr=RATE, momentum=MOMENTUM)

    def train():
        optimizer.zero_grad()
        value = network(*data)
        value = value.mean() if loss is None else loss(torch, value, label)
        value.backward()
        optimizer.step()
        return value.detach()

    return train
