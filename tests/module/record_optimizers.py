"""Records what the original's optimizers do: ``python tests/module/record_optimizers.py`` with mxnet 1.9.1."""

import os

import numpy as np

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import optimizer_cases  # noqa: E402


def joined(arrays):
    """All elements in one array."""
    return np.concatenate([array.ravel().astype("float32") for array in arrays])


def main():
    found = {}
    for case, name, arguments, half in optimizer_cases.cases():
        try:
            together = optimizer_cases.run(mx, name, arguments, half, True)
            alone = optimizer_cases.run(mx, name, arguments, half, False)
        except Exception as error:
            print("FAILED", case, repr(error)[:300])
            continue
        found[case] = joined(alone)
        if not np.allclose(joined(together), joined(alone), rtol=1e-3, atol=1e-3):
            print("differs when called for all weights at once:", case)
            found[case + "/together"] = joined(together)
    for name, arguments in optimizer_cases.STATES:
        updater = optimizer_cases.updater_with_states(mx, name, arguments)
        for dump in (False, True):
            data = updater.get_states(dump_optimizer=dump)
            found["states/%s/%d" % (name, dump)] = np.frombuffer(data, dtype="uint8")
    half = [optimizer_cases.run_half(mx, name, arguments) for name, arguments in optimizer_cases.HALF]
    np.savez_compressed(os.path.join(GOLDEN, "optimizers_half.npz"), half=np.array(half))
    path = os.path.join(GOLDEN, "optimizers.npz")
    np.savez_compressed(path, **found)
    print("%d cases, %d bytes" % (len(found), os.path.getsize(path)))


if __name__ == "__main__":
    main()
