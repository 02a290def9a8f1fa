"""Records short trainings: ``python tests/gluon/record_gluon_training_steps.py`` with mxnet 1.9.1."""

import os

import numpy as np

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import gluon_training_cases as cases  # noqa: E402

if __name__ == "__main__":
    found = {}
    for network in cases.NETWORKS:
        for optimizer in cases.OPTIMIZERS:
            eager = cases.run(mx, network, optimizer, False)
            hybrid = cases.run(mx, network, optimizer, True)
            for key, value in eager.items():
                print(network, optimizer, key, np.abs(value - hybrid[key]).max() / np.abs(value).max())
                found["%s %s %s" % (network, optimizer, key)] = value
    np.savez_compressed(os.path.join(GOLDEN, "gluon_training_steps.npz"), **found)
