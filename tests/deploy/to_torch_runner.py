"""Runs translated networks where there is no mxnet: outputs, gradients and training steps, written to files.

``python -I to_torch_runner.py TASKS.json``, with a list of {"path", "steps", "rate", ...}. Dropout does nothing here:
what it drops cannot be compared.
"""

import importlib
import json
import sys
from pathlib import Path

sys.modules["mxnet"] = None  # importing it is an error

import torch  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402
from torch.nn import functional  # noqa: E402

functional.dropout = lambda x, *_, **__: x


def flat(results):
    return [results] if isinstance(results, torch.Tensor) else [t for part in results for t in flat(part)]


def objective(results, heads):
    return sum((r * h).sum() for r, h in zip(flat(results), heads, strict=True) if r.requires_grad)


def prepared(model, kind, training):
    """A network as it is trained here."""
    for part in model.modules():
        if isinstance(part, torch.nn.RNNBase):
            part.dropout = 0.0
    return model.to(kind).train(training)


def run(task):
    path = Path(task["path"])
    sys.path.insert(0, str(path.parent))
    sys.modules.pop(path.name, None)  # a package may have the name of one of Python's
    module = importlib.import_module(f"{path.name}.model")
    model = module.load()
    recorded = load_file(path / "check.safetensors")
    inputs = [recorded[f"input_{i}"] for i in range(sum(k.startswith("input_") for k in recorded))]
    heads_file = path.with_name(path.name + ".heads.safetensors")
    given = load_file(heads_file) if heads_file.exists() else {}
    heads = [given[f"head_{i}"] for i in range(sum(k.startswith("head_") for k in given))]
    results = flat(model(*inputs))
    found = {f"output_{i}": r.detach().contiguous() for i, r in enumerate(results)}
    # Gradients and training in float64: rounding decides which side of a kink a number falls on.
    kind = torch.float64 if task.get("double", True) else torch.float32
    model = model.to(kind)
    inputs = [i.to(kind) if i.is_floating_point() else i for i in inputs]
    heads = [h.to(kind) for h in heads]
    results = flat(model(*inputs)) if heads else []
    if heads:
        found |= {f"double_{i}": r.detach().contiguous() for i, r in enumerate(results)}
        objective(results, heads).backward()
        found |= {f"grad.{n}": p.grad for n, p in model.named_parameters() if p.grad is not None}
    labels = [given[f"label_{i}"] for i in range(sum(k.startswith("label_") for k in given))]
    if labels:
        model = module.load().to(kind).train()
        model.loss(model(*inputs), *labels).backward()
        found |= {f"loss_grad.{n}": p.grad for n, p in model.named_parameters() if p.grad is not None}
    if task.get("optimizer"):
        model = module.load().train()
        made = importlib.import_module(f"{path.name}.optimizer")
        optimizer = made.optimizer(model)
        for _ in range(task["optimizer"]):
            optimizer.zero_grad()
            (model.loss(model(*[i.float() for i in inputs]), *labels) * made.RESCALE).backward()
            optimizer.step()
        found |= {f"continued.{n}": v for n, v in model.state_dict().items()}
    if task.get("steps"):
        model = prepared(module.load(), kind, task["training"])
        optimizer = torch.optim.SGD(model.parameters(), lr=task["rate"], momentum=0.9)
        for _ in range(task["steps"]):
            optimizer.zero_grad()
            objective(model(*inputs), heads).backward()
            optimizer.step()
        found |= {f"trained.{n}": v for n, v in model.state_dict().items()}
    save_file(
        {k: v.detach().clone().contiguous() for k, v in found.items()}, path.with_name(path.name + ".found.safetensors")
    )
    return sorted(m for m in sys.modules if m.partition(".")[0] == "mxnet" and sys.modules[m] is not None)


if __name__ == "__main__":
    torch.manual_seed(0)
    loaded = [run(task) for task in json.loads(Path(sys.argv[1]).read_text())]
    assert not any(loaded), loaded
