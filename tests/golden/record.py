"""Records what the original MXNet 1.9.1 gives for the samples in tests/samples.

Run it with a Python that has the original, from the root of the repository, when samples were added or changed:

    <python with mxnet 1.9.1> tests/golden/record.py [family ...]
"""

import pathlib
import sys

import numpy as np

import mxnet as mx

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import samples  # noqa: E402
from samples.common import run  # noqa: E402


def record(family):
    """Writes golden/ops/<family>.npz."""
    store, errors = {}, 0
    for name, sample in samples.load(family):
        store[f"{name}/checksum"] = np.uint32(sample.checksum())
        try:
            values, gradients, changed = run(mx, sample)
        except Exception as error:
            if not sample.error:
                print(f"{family}: {name} {sample.attrs}: {type(error).__name__}: {str(error)[:300]}")
                errors += 1
            continue
        if sample.error:
            print(f"{family}: {name} {sample.attrs}: the original accepts this call")
            errors += 1
        for i, value in enumerate(values):
            store[f"{name}/out{i}"] = value
        for i, value in gradients.items():
            store[f"{name}/grad{i}"] = value
        for i, value in changed.items():
            store[f"{name}/changed{i}"] = value
    target = HERE / "ops" / f"{family}.npz"
    target.parent.mkdir(exist_ok=True)
    np.savez_compressed(target, **store)
    print(f"{family}: {len(store)} arrays, {target.stat().st_size // 1024} KiB, {errors} problem(s)")
    return errors


if __name__ == "__main__":
    sys.exit(bool(sum(record(family) for family in sys.argv[1:] or samples.families())))
