"""Random changes by the image record iterators, for the recorder and the tests: names, iterators and arguments."""

import os

import numpy as np

SHAPE = (3, 8, 10)
EPOCHS = 2


def case(iterator="ImageRecordIter", file="image_record", **arguments):
    """An iterator and its arguments, over one of the record files beside this one."""
    values = dict(data_shape=SHAPE, batch_size=4, preprocess_threads=1)
    values.update(arguments)
    return iterator, file, values


def det(**arguments):
    """As ``case``, for objects."""
    return case("ImageDetRecordIter", "image_record_det", **arguments)


BOTH = dict(rand_crop=True, rand_mirror=True)
LEVELS = dict(max_random_contrast=0.3, max_random_illumination=9)
PART = dict(
    random_resized_crop=True, min_random_area=0.2, max_random_area=0.9, min_aspect_ratio=0.5, max_aspect_ratio=2
)
COLOURS = dict(brightness=0.4, contrast=0.3, saturation=0.5, random_h=20, random_s=30, random_l=25, pca_noise=0.2)
WARP = dict(max_rotate_angle=20, max_shear_ratio=0.2, max_aspect_ratio=0.2, min_random_scale=0.8, max_random_scale=1.3)
SAMPLERS = dict(
    rand_crop_prob=0.9, num_crop_sampler=3, min_crop_scales=(0.1, 0.4, 0.7), max_crop_scales=(0.6, 0.8, 0.9),
    min_crop_aspect_ratios=(0.5, 1, 0.7), max_crop_aspect_ratios=(2, 1, 1.1), min_crop_overlaps=(0.5, 0.1, 0),
    max_crop_overlaps=(1, 0.9, 1), min_crop_sample_coverages=(0, 0, 0), max_crop_sample_coverages=(1, 1, 1),
    min_crop_object_coverages=(0, 0.3, 0.9), max_crop_object_coverages=(1, 1, 1), max_crop_trials=(5, 10, 25),
)  # fmt: skip
DET_COLOURS = dict(
    max_random_hue=20, random_hue_prob=0.5, max_random_saturation=20, random_saturation_prob=0.4,
    max_random_illumination=20, random_illumination_prob=0.3, max_random_contrast=0.3, random_contrast_prob=0.6,
)  # fmt: skip

CASES = {
    "mirror": case(rand_mirror=True),
    "mirror_always": case(mirror=True, **BOTH),
    "crop": case(rand_crop=True),
    "both": case(**BOTH),
    "both_5": case(batch_size=5, **BOTH),
    "both_seed": case(seed=3, **BOTH),
    "both_aug": case(seed_aug=5, **BOTH),
    "both_aug_0": case(seed_aug=0, **BOTH),
    "both_aug_index": case(seed_aug=5, path_imgidx=True, **BOTH),
    "both_aug_shuffle": case(seed_aug=5, shuffle=True, **BOTH),
    "both_aug_shuffle_index": case(seed_aug=5, shuffle=True, path_imgidx=True, **BOTH),
    "both_shuffle": case(shuffle=True, seed=2, **BOTH),
    "both_shuffle_index": case(shuffle=True, path_imgidx=True, **BOTH),
    "both_part": case(num_parts=2, part_index=1, batch_size=3, **BOTH),
    "both_uint8": case(dtype="uint8", **BOTH),
    "both_int8": case("ImageRecordInt8Iter", **BOTH),
    "both_levels": case(**BOTH, **LEVELS),
    "crop_size": case(min_crop_size=12, max_crop_size=30, rand_crop=True),
    "crop_size_middle": case(min_crop_size=12, max_crop_size=30),
    "part": case(rand_mirror=True, **PART),
    "part_shuffle": case(rand_mirror=True, shuffle=True, **PART),
    "part_inter": case(inter_method=10, **PART),
    "part_rotate": case(max_rotate_angle=10, **PART),
    "part_none": case(random_resized_crop=True, min_aspect_ratio=5, max_aspect_ratio=6, rand_mirror=True),
    "rotate": case(max_rotate_angle=40),
    "rotate_fixed": case(rotate=20, rand_crop=True, max_rotate_angle=40),
    "shear": case(max_shear_ratio=0.3),
    "scale": case(min_random_scale=0.5, max_random_scale=1.5),
    "aspect": case(max_aspect_ratio=0.3),
    "aspect_range": case(min_aspect_ratio=0.6, max_aspect_ratio=1.5),
    "brightness": case(brightness=0.4),
    "contrast": case(contrast=0.4),
    "saturation": case(saturation=0.4),
    "pca": case(pca_noise=0.5),
    "hue": case(random_h=30),
    "hsl": case(random_h=30, random_s=30, random_l=30),
    "colours": case(rand_crop=True, **COLOURS),
    "inter": case(inter_method=10, resize=20, rand_crop=True),
    "inter_enlarged": case(inter_method=10, data_shape=(3, 70, 12), batch_size=13, rand_crop=True),
    "warp": case(**WARP, **BOTH),
    "warp_colours": case(pad=2, brightness=0.3, contrast=0.3, **WARP, **BOTH, **LEVELS),
    "v1": case("ImageRecordIter_v1", seed=3, seed_aug=2, **BOTH, **LEVELS),
    "v1_shuffle": case("ImageRecordIter_v1", seed=2, shuffle=True, **BOTH, **LEVELS),
    "v1_shuffle_index": case("ImageRecordIter_v1", path_imgidx=True, shuffle=True, **BOTH),
    "v1_uint8": case("ImageRecordUInt8Iter_v1", **BOTH),
    "big": case(file="big", batch_size=3, **BOTH),
    "big_shuffle": case(file="big", batch_size=3, shuffle=True, **BOTH),
    "big_aug": case(file="big", batch_size=3, seed_aug=1, **BOTH),
    "big_aug_shuffle": case(file="big", batch_size=3, seed_aug=1, shuffle=True, **BOTH),
    "det_mirror": det(rand_mirror_prob=0.3, seed=2),
    "det_pad": det(rand_pad_prob=0.7, max_pad_scale=3),
    "det_pad_little": det(rand_pad_prob=1, max_pad_scale=1.2, rand_mirror_prob=0.5),
    "det_pad_1": det(rand_pad_prob=0.5, max_pad_scale=1, rand_mirror_prob=0.5),
    "det_crop": det(rand_crop_prob=0.6, min_crop_scales=0.3, max_crop_scales=0.9),
    "det_samplers": det(**SAMPLERS),
    "det_emit": det(rand_crop_prob=0.9, min_crop_scales=0.2, crop_emit_mode="overlap", emit_overlap_thresh=0.4),
    "det_colours": det(**DET_COLOURS),
    "det_inter": det(inter_method=10, rand_mirror_prob=0.5, resize=30),
    "det_fit": det(resize_mode="fit", rand_crop_prob=0.9, min_crop_scales=0.4),
    "det_all": det(rand_mirror_prob=0.5, rand_pad_prob=0.5, max_pad_scale=2, shuffle=True, **SAMPLERS, **DET_COLOURS),
}


def write_big(mx, folder):
    """A file of 20 records that does not fit into the memory that the original reads at once."""
    rows, columns = np.mgrid[0:40, 0:60]
    pixels = np.stack([np.full_like(rows, 128), 3 * rows + 20, 3 * columns + 20], 2).astype(np.uint8)
    writer = mx.recordio.MXRecordIO(os.path.join(folder, "big.rec"), "w")
    for i in range(20):
        header = mx.recordio.IRHeader(0, float(i), 100 + i, 0)
        writer.write(mx.recordio.pack_img(header, pixels, 3, ".png") + bytes(1000000))
    writer.close()


def run(mx, name, folder, big):
    """All images and labels of some epochs."""
    iterator, file, arguments = CASES[name]
    base = os.path.join(big if file == "big" else folder, file)
    arguments = dict(arguments, path_imgrec=base + ".rec", verbose=False)
    if arguments.get("path_imgidx"):
        arguments["path_imgidx"] = base + ".idx"
    it = getattr(mx.io, iterator)(**arguments)
    data, labels = [], []
    for _ in range(EPOCHS):
        for batch in it:
            data.append(batch.data[0].asnumpy())
            labels.append(batch.label[0].asnumpy())
        it.reset()
    return np.concatenate(data), np.concatenate(labels)
