"""Records what the original does in gluon_data_cases.py; writes gluon_data.json.gz and transforms.npz beside itself.

<python with mxnet 1.9.1> tests/gluon/record_gluon_data.py
"""

import gzip
import json
import os

import numpy as np

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")

import gluon_data_cases as cases  # noqa: E402

if __name__ == "__main__":
    recorded = {name: group(mx) for name, group in cases.GROUPS.items()}
    recorded["compositions"] = cases.compositions(mx)
    with open(os.path.join(GOLDEN, "gluon_data.json.gz"), "wb") as file:
        file.write(gzip.compress(json.dumps(recorded).encode(), mtime=0))
    arrays = {"value " + name: value for name, value in cases.transforms(mx).items()}
    arrays.update(("statistic " + name, value.astype("float32")) for name, value in cases.statistics(mx).items())
    np.savez_compressed(os.path.join(GOLDEN, "transforms.npz"), **arrays)
