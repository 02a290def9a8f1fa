"""Records what the original gives for the calls in special_point_cases.py: special_points.json.gz.

<python with mxnet 1.9.1> tests/ops/record_special_points.py
"""

import gzip
import json
import pathlib

import special_point_cases as cases

import mxnet as mx


def record(expression, make):
    """What it gives, by dtype; those that the original refuses are left out."""
    found = {}
    for dtype in ("float32", "float64", "float16"):
        try:
            values = cases.run(mx, expression, dtype, make)
        except Exception as error:
            print(f"{expression} of {dtype}: {str(error).splitlines()[-1][:120]}")
        else:
            found[dtype] = {name: value.tolist() for name, value in values.items()}
    return found


if __name__ == "__main__":
    store = {"classic": {e: record(e, mx.nd.array) for e in cases.CLASSIC}}
    mx.npx.set_np()
    store["numpy"] = {e: record(e, mx.np.array) for e in cases.NUMPY}
    target = pathlib.Path(__file__).resolve().parents[1] / "golden" / "special_points.json.gz"
    target.write_bytes(gzip.compress(json.dumps(store).encode(), mtime=0))
    print(f"{sum(map(len, store.values()))} expressions, {target.stat().st_size // 1024} KiB")
