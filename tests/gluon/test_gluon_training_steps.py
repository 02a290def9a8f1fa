"""Short trainings through Trainer give the original's losses and weights."""

import gluon_training_cases as cases
import numpy as np
import pytest
from compare import load_golden

import mxnet as mx

GOLDEN = load_golden("gluon_training_steps.npz")
TOLERANCE = {"float32": (1e-4, 1e-5), "float64": (1e-7, 1e-6)}


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybrid"])
@pytest.mark.parametrize("optimizer", cases.OPTIMIZERS)
@pytest.mark.parametrize("network", cases.NETWORKS)
def test_steps(network, optimizer, hybridize):
    found = cases.run(mx, network, optimizer, hybridize)
    losses, weights = (GOLDEN[f"{network} {optimizer} {key}"] for key in ("losses", "weights"))
    of_losses, of_weights = TOLERANCE[cases.NETWORKS[network][2]]
    np.testing.assert_allclose(found["losses"], losses, rtol=0, atol=of_losses)
    norms = np.maximum(weights[:, :1], 1e-3)
    np.testing.assert_allclose(found["weights"] / norms, weights / norms, rtol=0, atol=of_weights)
