"""Records names, shapes and outputs of torchvision's networks: ``python record_torchvision.py <where it is>``.

Only the networks' Python code is needed: a build without its operators does.
"""

import gzip
import json
import pathlib
import sys

import numpy as np
import torch
import torchvision_cases as cases

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"


def main():
    sys.path.insert(0, sys.argv[1])
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    from torchvision import models

    shapes, outputs = {}, {}
    for ours, theirs in sorted(cases.NAMES.items()):
        options = {"init_weights": False, "transform_input": True} if ours == "inceptionv3" else {}
        net = getattr(models, theirs)(weights=None, **options).eval()
        state = net.state_dict()
        shapes[ours] = {key: list(value.shape) for key, value in state.items() if "num_batches" not in key}
        net.load_state_dict(
            {key: torch.from_numpy(cases.weights(key, shape)) for key, shape in shapes[ours].items()}
            | {key: value for key, value in state.items() if "num_batches" in key}
        )
        with torch.no_grad():
            outputs[ours] = net(torch.from_numpy(cases.images(ours))).numpy()[0, :50]
        print(ours, np.abs(outputs[ours]).max(), flush=True)
    (GOLDEN / "torchvision.json.gz").write_bytes(gzip.compress(json.dumps(shapes).encode(), 9, mtime=0))
    np.savez_compressed(GOLDEN / "torchvision.npz", **outputs)


if __name__ == "__main__":
    main()
