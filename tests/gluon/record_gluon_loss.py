"""Records what the original's losses say and compute: ``python tests/gluon/record_gluon_loss.py`` with mxnet 1.9.1."""

import json
import os

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import gluon_loss_cases  # noqa: E402

if __name__ == "__main__":
    lines = []
    for name in list(gluon_loss_cases.LOSSES) + list(gluon_loss_cases.EAGER):
        texts, arrays = gluon_loss_cases.run(mx, name)
        found = {key: [a.shape, [float("%.7g" % v) for v in a.ravel()]] for key, a in arrays.items()}
        lines.append("%s: %s" % (json.dumps(name), json.dumps({"texts": texts, "arrays": found}, sort_keys=True)))
    with open(os.path.join(GOLDEN, "gluon_loss.json"), "w") as stream:
        stream.write("{\n%s\n}\n" % ",\n".join(lines))
    print(len(lines), "losses")
