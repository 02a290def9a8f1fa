"""Records the model zoo of the original: ``python tests/gluon/record_gluon_model_zoo.py`` with mxnet 1.9.1."""

import json
import lzma
import os
import sys

import numpy as np

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import gluon_model_zoo_cases as cases  # noqa: E402


def record_structure(names):
    """Names, shapes, texts of all networks."""
    found = {name: cases.structure(mx, name) for name in names + list(cases.OTHERS)}
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))
    with open(os.path.join(GOLDEN, "gluon_model_zoo.json.xz"), "wb") as stream:
        stream.write(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))


def record_values(names):
    """Outputs and gradients of all networks."""
    found = {}
    for name in names:
        for key, value in cases.results(mx, name).items():
            if not np.isfinite(value).all():
                raise SystemExit("%s: %s is not finite" % (name, key))
            found["%s %s" % (name, key)] = value
        print(name, flush=True)
    np.savez_compressed(os.path.join(GOLDEN, "gluon_model_zoo.npz"), **found)


def record_export():
    """A small network as files, with its output."""
    net, x = cases.exported(mx)
    net.hybridize()
    y = net(x)
    net.export(os.path.join(GOLDEN, "gluon_model_zoo_export"))
    np.save(os.path.join(GOLDEN, "gluon_model_zoo_export.npy"), y.asnumpy())


if __name__ == "__main__":
    models = sorted(mx.gluon.model_zoo.model_store._model_sha1)
    wanted = sys.argv[1:] or ["structure", "values", "export"]
    if "structure" in wanted:
        record_structure(models)
    if "values" in wanted:
        record_values(models)
    if "export" in wanted:
        record_export()
