"""Records the original's recurrent cells and layers: ``python tests/gluon/record_gluon_rnn.py`` with mxnet 1.9.1."""

import gzip
import json
import os
import subprocess
import sys

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
FILES = os.path.join(GOLDEN, "gluon_rnn")
import gluon_rnn_cases as cases  # noqa: E402


def numbers(arrays):
    """Arrays for JSON, with as many digits as single precision has."""
    return {key: [a.shape, [float("%.7g" % v) for v in a.ravel()]] for key, a in arrays.items()}


def write_files():
    """Parameter files and an exported network."""
    os.makedirs(FILES, exist_ok=True)
    cases.make_layer(mx, "lstm-both").save_parameters(os.path.join(FILES, "lstm.params"))
    cases.make_cell(mx, "hybrid-sequential").save_parameters(os.path.join(FILES, "cells.params"))
    net = cases.language_model(mx)
    net.save_parameters(os.path.join(FILES, "lm.params"))
    net.hybridize()
    output = net(cases.tokens(mx)[0])
    net.export(os.path.join(FILES, "lm"))
    return output.asnumpy()


def record_cells():
    """What all cells say and compute."""
    found = {}
    for name in cases.CELLS:
        texts, arrays = cases.run_cell(mx, name)
        found[name] = {"texts": texts, "arrays": numbers(arrays)}
    return found


if __name__ == "__main__":
    if sys.argv[1:] == ["cells"]:
        print(json.dumps(record_cells()))
        sys.exit()
    # With oneDNN the results of convolutions cannot be read after a backward pass, without it layers do not run.
    command = [sys.executable, os.path.abspath(__file__), "cells"]
    cells = subprocess.check_output(command, env=dict(os.environ, MXNET_MKLDNN_ENABLED="0"))
    found = {"cells": json.loads(cells.decode()), "layers": {}, "training": {}, "random": {}}
    for name in cases.LAYERS:
        texts = cases.layer_texts(mx, name)
        arrays = {} if name in cases.UNCOMPARED else cases.run_layer(mx, name)
        found["layers"][name] = {"texts": texts, "arrays": numbers(arrays)}
    for name, make in cases.RANDOM.items():
        found["random"][name] = {way: cases.unroll_graph(mx, make, way) for way in cases.WAYS}
    for optimizer in cases.OPTIMIZERS:
        found["training"][optimizer] = numbers(cases.train(mx, optimizer))
    found["lm"] = numbers({"output": write_files()})
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))
    with open(os.path.join(GOLDEN, "gluon_rnn.json.gz"), "wb") as stream:
        with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) as packed:
            packed.write(text.encode("utf-8"))
    print(len(found["cells"]), "cells", len(found["layers"]), "layers")
