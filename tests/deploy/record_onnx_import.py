"""Records the graphs that the original makes of ONNX models: python record_onnx_import.py

Needs an environment with mxnet==1.9.1, numpy==1.23.5, onnx==1.13.1 and protobuf==3.20.3.
"""

import contextlib
import gzip
import io
import json
import pathlib
import tempfile

import onnx
from onnx_import_cases import cases, computed, described

import mxnet as mx


def main():
    found = {}
    for key, proto in cases().items():
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            path = f"{folder}/model.onnx"
            onnx.save(proto, path)
            found[key], imported = described(mx, path)
        shape = [d.dim_value for d in proto.graph.input[0].type.tensor_type.shape.dim]
        try:
            values = computed(mx, imported, found[key]["data"], shape)
        except mx.MXNetError as error:
            print(key, "does not run:", str(error).splitlines()[0])
        else:
            found[key]["values"] = [[round(float(v), 6) for v in a.ravel()] for a in values]
            found[key]["shapes"] = [list(a.shape) for a in values]
    target = pathlib.Path(__file__).resolve().parents[1] / "golden" / "onnx_import.json.gz"
    target.write_bytes(gzip.compress(json.dumps(found, sort_keys=True).encode(), mtime=0))
    print(len(found), "models")


if __name__ == "__main__":
    main()
