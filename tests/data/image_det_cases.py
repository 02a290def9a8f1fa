"""What random crops, pads and colours of ImageDetRecordIter are like: read by the recorder, under the original, and by
the tests, which compare distributions."""

import os

import numpy as np

ROWS, COLUMNS, SIDE = 90, 150, 24
BOXES = [[0, 0.1, 0.2, 0.4, 0.6], [1, 0.45, 0.3, 0.9, 0.95], [2, 0.6, 0.05, 0.75, 0.2]]
RECORDS, EPOCHS = 100, 8

CROPS = {
    "plain": {},
    "scales": dict(min_crop_scales=0.3, max_crop_scales=0.9),
    "aspects": dict(min_crop_scales=0.3, min_crop_aspect_ratios=0.5, max_crop_aspect_ratios=2.0),
    "wide": dict(min_crop_scales=0.2, max_crop_scales=0.6, min_crop_aspect_ratios=1.5, max_crop_aspect_ratios=3.0),
    "fixed": dict(min_crop_scales=0.505, max_crop_scales=0.506),
    "very wide": dict(min_crop_scales=0.5, min_crop_aspect_ratios=3.0, max_crop_aspect_ratios=3.0),
    "overlaps": dict(min_crop_scales=0.2, min_crop_overlaps=0.3),
    "overlaps below": dict(min_crop_scales=0.2, min_crop_overlaps=0.1, max_crop_overlaps=0.4),
    "sample coverages": dict(min_crop_scales=0.1, min_crop_sample_coverages=0.5),
    "object coverages": dict(min_crop_scales=0.1, min_crop_object_coverages=0.5, max_crop_object_coverages=0.9),
    "two limits": dict(min_crop_scales=0.2, min_crop_overlaps=0.2, min_crop_object_coverages=0.6),
    "emit overlap": dict(min_crop_scales=0.3, crop_emit_mode="overlap", emit_overlap_thresh=0.5),
    "emit little": dict(min_crop_scales=0.3, crop_emit_mode="overlap", emit_overlap_thresh=0.1),
    "one trial": dict(min_crop_scales=0.1, max_crop_scales=0.5, min_crop_overlaps=0.2, max_crop_trials=1),
    "no chance": dict(min_crop_scales=0.1, max_crop_scales=0.2, min_crop_overlaps=0.9),
    "two samplers": dict(
        num_crop_sampler=2, min_crop_scales=(0.2, 0.7), max_crop_scales=(0.4, 0.9), min_crop_aspect_ratios=(1.0, 1.0),
        max_crop_aspect_ratios=(1.0, 1.0), min_crop_overlaps=(0.0, 0.0), max_crop_overlaps=(1.0, 1.0),
        min_crop_sample_coverages=(0.0, 0.0), max_crop_sample_coverages=(1.0, 1.0),
        min_crop_object_coverages=(0.0, 0.0), max_crop_object_coverages=(1.0, 1.0), max_crop_trials=(25, 25),
    ),
    "second sampler": dict(
        num_crop_sampler=2, min_crop_scales=(0.1, 0.5), max_crop_scales=(0.2, 0.9), min_crop_aspect_ratios=(1.0, 0.75),
        max_crop_aspect_ratios=(1.0, 1.5), min_crop_overlaps=(0.9, 0.2), max_crop_overlaps=(1.0, 1.0),
        min_crop_sample_coverages=(0.0, 0.0), max_crop_sample_coverages=(1.0, 1.0),
        min_crop_object_coverages=(0.0, 0.0), max_crop_object_coverages=(1.0, 1.0), max_crop_trials=(3, 25),
    ),
}  # fmt: skip
CASES = {name: dict(options, rand_crop_prob=1.0) for name, options in CROPS.items()}
CASES.update(
    {
        "half": dict(rand_crop_prob=0.5, min_crop_scales=0.3, max_crop_scales=0.6),
        "pad": dict(rand_pad_prob=1.0, max_pad_scale=3.0, fill_value=255),
        "pad little": dict(rand_pad_prob=0.4, max_pad_scale=1.2, fill_value=255),
        "pad and crop": dict(
            rand_pad_prob=0.5, max_pad_scale=2.0, fill_value=255, rand_crop_prob=0.8, min_crop_scales=0.3
        ),
        "mirror": dict(rand_mirror_prob=0.3),
        "mirror and crop": dict(rand_mirror_prob=0.7, rand_crop_prob=1.0, min_crop_scales=0.5),
        "hue": dict(max_random_hue=20, random_hue_prob=0.6),
        "saturation": dict(max_random_saturation=40, random_saturation_prob=0.6),
        "illumination": dict(max_random_illumination=40, random_illumination_prob=0.6),
        "contrast": dict(max_random_contrast=0.5, random_contrast_prob=0.6),
    }
)
#: Those that are compared by their colours.
COLOURS = ("hue", "saturation", "illumination", "contrast")
QUANTILES = np.linspace(0.02, 0.98, 25)


def write(mx, folder):
    """A record file of one image again and again: its red grows to the right, its green downwards."""
    rows, columns = np.mgrid[0:ROWS, 0:COLUMNS]
    image = np.stack([np.full_like(rows, 90), rows * 2 + 20, columns + 40], 2).astype(np.uint8)
    label = [2, 5] + [value for box in BOXES for value in box]
    record = mx.recordio.pack_img((0, label, 0, 0), image, 3, ".png")
    path = os.path.join(folder, "det.rec")
    writer = mx.recordio.MXRecordIO(path, "w")
    for _ in range(RECORDS):
        writer.write(record)
    writer.close()
    return path


def measured(mx, path, name):
    """Rows of what became of an image: the place and size of the part, or its colours; and which boxes are left."""
    options = dict(CASES[name], path_imgrec=path, data_shape=(3, SIDE, SIDE), batch_size=RECORDS, verbose=False)
    batches = mx.io.ImageDetRecordIter(**options)
    found = []
    for _ in range(EPOCHS):
        for batch in batches:
            data, label = batch.data[0].asnumpy(), batch.label[0].asnumpy()
            rows = _colours(data) if name in COLOURS else _places(data)
            objects = label[:, 6:].reshape(len(label), -1, 5)
            there = np.arange(objects.shape[1]) < (label[:, 3:4] - 2) / 5
            areas = (objects[:, :, 3] - objects[:, :, 1]) * (objects[:, :, 4] - objects[:, :, 2]) * there
            kept = (there * 2.0 ** objects[:, :, 0]).sum(1)
            found.append(np.column_stack([rows, areas.sum(1), kept]))
        batches.reset()
    return np.concatenate(found)


def _places(images):
    """Left, top, width and height of the parts in parts of the whole, and their aspect ratios."""
    inner = images[:, 0] < 240  # what is 255 was padded
    lines = []
    for channel, axis, first, step in ((0, 1, 40.0, 1.0), (1, 2, 20.0, 2.0)):
        count = inner.sum(axis)
        values = (images[:, channel] * inner).sum(axis) / np.maximum(count, 1)
        good = count >= 0.8 * count.max(1, keepdims=True)  # but not where it was mixed with the padding
        good[:, 1:-1] &= good[:, :-2] & good[:, 2:]
        x = np.broadcast_to(np.arange(SIDE) + 0.5, values.shape)
        number = good.sum(1)
        middle, mean = (x * good).sum(1) / number, (values * good).sum(1) / number
        dx = (x - middle[:, None]) * good
        slope = (dx * values).sum(1) / (dx * dx).sum(1)
        lines.append(((mean - slope * middle - first) / step + 0.5, slope * SIDE / step))
    (left, width), (top, height) = lines
    return np.column_stack([left / COLUMNS, top / ROWS, width / COLUMNS, height / ROWS, np.abs(width / height)])


def _colours(images):
    """Means and spreads of the channels."""
    return np.concatenate([images.mean((2, 3)), images.std((2, 3))], 1)


def summary(rows):
    """The quantiles of each column but the last, and how often each set of boxes was left."""
    counts = np.bincount(rows[:, -1].astype(int), minlength=8) / len(rows)
    return np.quantile(rows[:, :-1], QUANTILES, axis=0).T.round(4).tolist(), counts.round(4).tolist()
