"""Records what the original's modules do: ``python tests/module/record_module.py`` with mxnet 1.9.1.

With a directory, it checks that the original reads the checkpoints that
``python tests/module/write_checkpoints.py DIRECTORY`` wrote there.
"""

import gzip
import json
import os
import sys
import warnings

import numpy as np

import mxnet as mx

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
import module_cases  # noqa: E402


def record():
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for case in module_cases.CASES:
            found[case.__name__] = case(mx)
    directory = os.path.join(GOLDEN, "checkpoints")
    os.makedirs(directory, exist_ok=True)
    for kind in module_cases.CHECKPOINTS:
        prefix = os.path.join(directory, kind)
        module_cases.checkpoint_module(mx, kind).save_checkpoint(prefix, 3, save_optimizer_states=True)
        found["resumed-" + kind] = module_cases.resumed(mx, prefix, kind)
    path = os.path.join(GOLDEN, "module.json.gz")
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as stream:
        stream.write(json.dumps(found).encode())
    print("%d cases, %d bytes" % (len(found), os.path.getsize(path)))


def check(directory):
    with gzip.open(os.path.join(GOLDEN, "module.json.gz")) as stream:
        golden = json.loads(stream.read())
    for kind in module_cases.CHECKPOINTS:
        outputs, (args, aux) = module_cases.resumed(mx, os.path.join(directory, kind), kind)
        expected, (expected_args, expected_aux) = golden["resumed-" + kind]
        np.testing.assert_allclose(outputs, expected, atol=1e-5)
        for mine, theirs in ((args, expected_args), (aux, expected_aux)):
            assert sorted(mine) == sorted(theirs)
            for name in mine:
                np.testing.assert_allclose(mine[name], theirs[name], atol=1e-5, err_msg=name)
        print("the original reads and resumes", kind)


if __name__ == "__main__":
    check(sys.argv[1]) if len(sys.argv) > 1 else record()
