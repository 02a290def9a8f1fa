"""README.md of a package: what was translated, what goes in and comes out, and what is different."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .package import Translation


def _name(text: str) -> str:
    """A name from a file, which must not become anything else than a name on the page."""
    return re.sub(r"[^\w.:/+-]", "_", text)


def readme_text(translation: Translation, name: str, outputs: Sequence[np.ndarray], more: Mapping[str, Any]) -> str:
    """The page."""
    body = translation.structure.root.body
    assert body is not None
    rows = [
        f"| `{argument}` | `{_name(original)}` | {tuple(a.shape)} | {a.dtype} |"
        for argument, (original, a) in zip(body.arguments, translation.inputs.items(), strict=True)
    ]
    results = [f"| {i} | {tuple(o.shape)} | {o.dtype} |" for i, o in enumerate(outputs)]
    count = sum(a.numel() for n, a in translation.state_dict().items() if not n.endswith("num_batches_tracked"))
    has_loss = bool(translation.make.proto is not None and translation.make.proto.loss)
    operators = sorted({n.op.name for n in translation.order if n.op is not None})
    lines = [
        f"# {name}",
        "",
        "Translated from MXNet to PyTorch source. It needs `torch` and `safetensors`, and no MXNet.",
        "",
        "```python",
        "from {directory}.model import load".replace("{directory}", "this_directory"),
        "",
        "model = load()  # for prediction; model.train() goes on training",
        "```",
        "",
        "| file | content |",
        "|---|---|",
        "| `model.py` | the network |",
        "| `ops.py` | what torch lacks or does otherwise, if there is such a thing |",
        f"| `weights.safetensors` | {len(translation.weights)} arrays, {count} numbers; MXNet's names: metadata |",
        "| `check.py` | `python check.py` runs recorded inputs and compares with what MXNet gave |",
        *(["| `optimizer.py` | the optimizer with its states (`optimizer.safetensors`) |"] if more else []),
        "",
        "## Inputs (the first dimension may be another one)",
        "",
        "| argument | in MXNet | shape | dtype |",
        "|---|---|---|---|",
        *rows,
        "",
        "Preprocessing is what stands at the beginning of `forward`; what the program did before it called the network "
        "(resizing, mean and scale of images) is not in the graph, and has to be kept.",
        "",
        "## Outputs",
        "",
        "| output | shape | dtype |",
        "|---|---|---|",
        *results,
        "",
        "## Training",
        "",
        "`model.train()` and `model.eval()` do what `autograd.record()` and its absence did: dropout, and batch "
        "normalization by the batch, with MXNet's biased running variance. Dropout draws from torch's generator.",
    ]
    if has_loss:
        lines += [
            "",
            "`model.loss(outputs, labels)` is the loss whose gradient the loss heads of the network have: a sum over "
            "the batch. `Module` divides gradients by the batch size (`rescale_grad`), so divide the loss by it.",
        ]
    lines += [
        "",
        "## Differences",
        "",
        "- Indices outside of an embedding are an error here; MXNet takes the nearest row.",
        "- Sizes that were fixed when the network was translated (`reshape` with numbers) stay fixed.",
        "",
        f"Operators of the graph: {', '.join(f'`{o}`' for o in operators)}.",
    ]
    return "\n".join(lines) + "\n"
