"""Records what the original does with images, into image.npz.xz and image.json.

<python with mxnet 1.9.1> tests/data/record_image.py
"""

import io
import json
import lzma
import pathlib
import tempfile

import numpy as np

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import image_cases as cases  # noqa: E402

arrays, texts = {}, {}


def keep(name, outcome):
    """Stores the arrays of a result, and the random numbers that follow."""
    result, following = outcome
    for i, value in enumerate(cases.as_arrays(result)):
        arrays["%s/%d" % (name, i)] = value
    texts[name] = following


def main():
    """Writes the files."""
    for name, function in cases.functions(mx).items():
        keep("function " + name, cases.seeded(mx, function))
    wide = mx.image.imread(cases.path("wide.jpg"))
    for i, augmenter in enumerate(cases.augmenters(mx)):
        texts["augmenter dumps %d" % i] = augmenter.dumps()
        keep("augmenter %d" % i, cases.seeded(mx, lambda a=augmenter: a(wide.astype("float32"))))
    for i, options in enumerate(cases.CREATED):
        created = mx.image.CreateAugmenter((3, 20, 18), **options)
        texts["created dumps %d" % i] = [a.dumps() for a in created]
    for i, options in enumerate(cases.CREATED_DET):
        created = mx.image.CreateDetAugmenter((3, 20, 18), **options)
        texts["created det dumps %d" % i] = [a.dumps() for a in created]
    texts["scale_down"] = [mx.image.scale_down(*sizes) for sizes in cases.SIZES]
    for i in range(300):
        augmenter, size = cases.detection(mx, i)
        source = mx.nd.ones((*size, 3), dtype="uint8")
        (image, label), following = cases.seeded(mx, lambda a=augmenter, s=source: a(s, cases.BOXES.copy()), i)
        texts["detection %d" % i] = [list(image.shape), float(image.sum().asscalar()), following, augmenter.dumps()]
        if not np.array_equal(label, cases.BOXES):
            arrays["detection %d" % i] = np.asarray(label)
    with tempfile.TemporaryDirectory() as folder:
        cases.write_records(mx, folder)
        for name, make in cases.iterators(mx, folder).items():
            (values, said), following = cases.seeded(mx, lambda m=make: cases.epochs(m()))
            texts["iterator " + name] = [said, following]
            for i, value in enumerate(values):
                arrays["iterator %s/%d" % (name, i)] = cases.less(value)
        drawn = mx.image.ImageDetIter(2, (3, 20, 18), path_imgrec=folder + "/det.rec", inter_method=1)
        arrays["drawn"] = np.stack(list(drawn.draw_next(color=(250, 100, 250), thickness=1)))
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    (GOLDEN / "image.npz.xz").write_bytes(lzma.compress(packed.getvalue()))
    lines = ["%s: %s" % (json.dumps(k), json.dumps(v)) for k, v in texts.items()]
    (GOLDEN / "image.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
