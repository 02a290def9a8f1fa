"""Records how the original MXNet 1.9.1 quantizes the networks of quantization_cases.py.

<python with mxnet 1.9.1> tests/graph/record_quantization.py
"""

import gzip
import json
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import quantization_cases as cases  # noqa: E402

if __name__ == "__main__":
    found = {
        n: {
            "plain": {w: cases.describe(mx, n, w) for w in cases.WAYS},
            "fused": {w: cases.describe_fused(mx, n, w) for w in cases.FUSED},
        }
        for n in cases.NETWORKS
    }
    found["products"] = {
        f"{name} {way}": cases.describe_product(mx, name, way) for name in ("qk", "valatt") for way in cases.PRODUCTS
    }
    target = GOLDEN / "quantization.json.gz"
    target.write_bytes(gzip.compress(json.dumps(found).encode(), mtime=0))
    print(f"{len(found) - 1} networks, {target.stat().st_size // 1024} KiB")
