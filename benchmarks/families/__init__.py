"""Workloads by family: tables of networks and of steps, each measured in several modes.

``FAMILY/NETWORK/TASK/MODE/BATCH`` names a workload of a network, e.g. ``cnn/resnet18_v1/train/hybrid/8``: TASK is
``train`` or ``predict``, MODE is ``eager``, ``hybrid`` or ``module``, BATCH any number. ``cases`` of a network are
those that are measured unless others are asked for. ``FAMILY/STEP`` names a step written out.

Every file here is a family; it has ``NETWORKS``, ``STEPS`` or both. The files run on Python 3.8 or later, since the
original may live in an old environment.
"""

from __future__ import annotations

import importlib
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SMALL = bool(os.environ.get("MXNET_BENCHMARK_SMALL"))
SEED = 7
TASK = ("train", "predict")
MODES = ("eager", "hybrid", "module")


def sized(full, small):
    """A size, the second one if sizes are to be tiny."""
    return small if SMALL else full


@dataclass(frozen=True)
class Network:
    """A network and how to feed it.

    ``build(mx)`` returns a HybridBlock. ``inputs`` are functions of a ``numpy.random.RandomState`` and a batch size
    that return arrays. ``loss`` is a key of ``_mxnet.LOSSES`` and ``_torch.LOSSES``; with ``"own"`` the network returns
    its loss itself. ``torch(torch)`` returns a twin where the translation by ``to_torch_source`` is not what an author
    of PyTorch would write; ``twin=False`` says that there is none.
    """

    build: Callable[[Any], Any]
    inputs: tuple[Callable[[Any, int], Any], ...]
    cases: str
    loss: str = "softmax"
    torch: Callable[[Any], Any] | None = None
    twin: bool = True


@dataclass(frozen=True)
class Steps:
    """A workload written out: each function sets it up and returns the step that is timed."""

    mxnet: Callable[[Any], Callable[[], Any]]
    torch: Callable[[Any], Callable[[], Any]] | None = None


@dataclass(frozen=True)
class Workload:
    """A workload by name: ``steps``, or a ``network`` with its work, mode and batch."""

    name: str
    steps: Steps | None = None
    network: Network | None = None
    work: str = ""
    mode: str = ""
    batch: int = 0

    def inputs(self):
        """The arrays to feed, the same for every engine."""
        import numpy as np

        rng = np.random.RandomState(SEED)
        return [make(rng, self.batch) for make in self.network.inputs]


def families():
    """The names of all families."""
    return sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith("_"))


def load(name):
    """The module of a family."""
    return importlib.import_module("families." + name)


def workloads(family):
    """The workloads that are measured by default, by name."""
    module = load(family)
    names = ["/".join((family, step)) for step in getattr(module, "STEPS", {})]
    for key, network in getattr(module, "NETWORKS", {}).items():
        names += ["/".join((family, key, case)) for case in network.cases.split()]
    return names


def find(name):
    """The workload of a name; raises LookupError if there is none."""
    family, _, rest = name.partition("/")
    if family not in families():
        raise LookupError("there is no family {}; known: {}".format(family, ", ".join(families())))
    module = load(family)
    steps, networks = getattr(module, "STEPS", {}), getattr(module, "NETWORKS", {})
    if rest in steps:
        return Workload(name, steps[rest])
    key, *case = rest.split("/")
    if key not in networks or len(case) != 3 or case[0] not in TASK or case[1] not in MODES or not case[2].isdigit():
        known = ", ".join([*steps, *(key + "/TASK/MODE/BATCH" for key in networks)])
        raise LookupError(f"there is no workload {name}; {family} has {known}")
    work, mode, batch = case
    return Workload(name, None, networks[key], work, mode, min(int(batch), sized(1 << 30, 2)))


def seed():
    """Seeds Python and NumPy, as every worker does before it sets up a workload."""
    import numpy as np

    random.seed(SEED)
    np.random.seed(SEED)


def image(channels, height, width=None):
    """Images, channels first."""
    return lambda rng, batch: rng.uniform(-1, 1, (batch, channels, height, width or height)).astype("float32")


def uniform(*shape, axis=0, low=-1.0, high=1.0):
    """Real numbers; the batch is inserted at ``axis``."""
    return lambda rng, batch: rng.uniform(low, high, (*shape[:axis], batch, *shape[axis:])).astype("float32")


def tokens(words, *shape, axis=0):
    """Integers below ``words`` as float32, as programs of the time feed them; the batch is inserted at ``axis``."""
    return lambda rng, batch: rng.randint(0, words, (*shape[:axis], batch, *shape[axis:])).astype("float32")
