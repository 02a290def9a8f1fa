"""Results in the form in which they are kept: JSON, six digits, only what changed since the last dump.

Of a large array some numbers and two means are kept, enough to notice a wrong one.
"""

import json
import lzma
from pathlib import Path

import numpy as np

from .compare import JITTER, first_difference
from .generate import program
from .worker import FINISHED

PLACE = Path(__file__).parents[1] / "golden" / "differential"
WHOLE = 24  # elements up to which an array is kept as it is


def digest(value):
    """An array, or the part of it that stands for it."""
    if not isinstance(value, np.ndarray) or value.size <= WHOLE:
        return value
    flat = value.ravel()
    chosen = flat[np.linspace(0, flat.size - 1, WHOLE - 2).astype(int)].astype(np.float64)
    with np.errstate(all="ignore"):
        means = flat.mean(dtype=np.float64), np.abs(flat.astype(np.float64)).mean()
    return np.concatenate([chosen, means])


def digested(result):
    """A result with all arrays digested, and their dtypes and shapes."""
    dumps = []
    for step, found in result["dumps"]:
        dumps.append((step, {name: digest(value) for name, value in found.items()}))
        for name, value in found.items():
            if isinstance(value, np.ndarray):
                dumps[-1][1][f"{name} is"] = f"{value.dtype} {value.shape}"
    return {**result, "dumps": dumps}


def pack(steps, result):
    """A program and its result as plain data."""
    before, dumps = {}, []
    for step, found in digested(result)["dumps"]:
        now = {name: _plain(value) for name, value in found.items()}
        changed = {
            name: value for name, value in now.items() if name not in before or repr(before[name]) != repr(value)
        }
        dumps.append([step, changed, sorted(name for name in before if name not in now)])
        before = now
    return {"steps": steps, "errors": {step: text[:300] for step, text in result["errors"].items()}, "dumps": dumps}


def unpack(packed):
    """The program and its (digested) result."""
    now, dumps = {}, []
    for step, changed, gone in packed["dumps"]:
        now = {name: value for name, value in {**now, **changed}.items() if name not in gone}
        dumps.append((step, {name: _value(name, now) for name in now}))
    errors = {int(step): text for step, text in packed["errors"].items()}
    return packed["steps"], {"end": "finished", "errors": errors, "dumps": dumps}


def _plain(value):
    if isinstance(value, str):
        return value
    if value.dtype.kind == "f":
        return [float(f"{x:.6g}") for x in value.astype(np.float64).ravel().tolist()]
    return value.ravel().tolist()


def _value(name, now):
    value = now[name]
    if isinstance(value, str):
        return value
    dtype, shape = now[f"{name} is"].split(" ", 1)
    shape = tuple(int(n) for n in shape.strip("()").split(",") if n.strip())
    if np.prod(shape) > WHOLE:
        return np.array(value, dtype=np.float64)
    return np.array(value, dtype=dtype).reshape(shape)


COUNTS = {"ndarray": 1000, "autograd": 1000, "sparse": 200, "numpy_gluon": 150, "control": 150, "library": 200}
COUNTS |= {"operator_call": 1200, "numpy_call": 1200}
COUNT = 400  # of the other kinds
FIRST = 1_000_000  # far from the numbers that `make differential` starts with


def record(kind, engines):
    """The packed programs of a kind whose result does not depend on what memory held before.

    ``engines`` are two of the original, of which the second finds other values in memory.
    """
    kept = []
    for number in range(FIRST, FIRST + COUNTS.get(kind, COUNT)):
        steps = program(kind, number)
        engines[0].send(steps)
        other = engines[1].run(steps, jitter=JITTER.get(kind, 0.0))
        result = engines[0].receive()[0]
        if result["end"] == FINISHED and not first_difference(steps, result, other):
            kept.append(pack(steps, result))
    return kept


def save(kind, programs):
    """Writes the packed programs of a kind."""
    PLACE.mkdir(exist_ok=True)
    text = json.dumps(programs, separators=(",", ":"))
    (PLACE / f"{kind}.json.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def load(kind):
    """The packed programs of a kind."""
    return json.loads(lzma.decompress((PLACE / f"{kind}.json.xz").read_bytes()))
