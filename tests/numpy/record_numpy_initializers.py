"""Records the original's initial weights in NumPy semantics: golden/numpy_initializers.json.

<python with mxnet 1.9.1> tests/numpy/record_numpy_initializers.py
"""

import json
import os

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import numpy_initializer_cases as cases  # noqa: E402


def record():
    import mxnet as mx

    found = {" ".join(map(str, case)): cases.run(mx, *case) for case in cases.cases()}
    with open(os.path.join(GOLDEN, "numpy_initializers.json"), "w") as stream:
        json.dump(found, stream, indent=0)
    print(len(found), "cases")


if __name__ == "__main__":
    record()
