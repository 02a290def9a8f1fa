"""Records graphs that MXNet's mixed precision has converted, and the types of calls under it: run with the original."""

import gzip
import json
import pathlib
import warnings

import amp_cases
import numpy as np

import mxnet as mx
from mxnet.contrib import amp
from mxnet.contrib.amp.amp import bfloat16

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"


def converted():
    found = {}
    for name, make in amp_cases.graphs(mx).items():
        for option, given in amp_cases.OPTIONS.items():
            try:
                found[f"{name}-{option}"] = amp_cases.described(amp.convert_symbol(make(), **given), json)
            except (mx.MXNetError, AssertionError) as error:
                found[f"{name}-{option}"] = type(error).__name__
    return found


def lists():
    kinds = [name for name in amp.amp.__all__ if name.startswith("list_")]
    return {key: {k: getattr(amp, k)(t) for k in kinds} for key, t in (("float16", "float16"), ("bfloat16", bfloat16))}


def called():
    amp.init("bfloat16")
    found = {}
    for name, run in amp_cases.calls(mx).items():
        array = run()
        kind = "bfloat16" if "bfloat16" in str(array.dtype) else np.dtype(array.dtype).name
        found[name] = [kind, array.astype("float32").asnumpy().ravel().tolist()]
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    data = {"graphs": converted(), "lists": lists(), "calls": called()}
    with gzip.GzipFile(GOLDEN / "amp.json.gz", "w", mtime=0) as stream:
        stream.write(json.dumps(data, sort_keys=True).encode())
    print(len(data["graphs"]), sum(isinstance(v, str) for v in data["graphs"].values()), "refused")
