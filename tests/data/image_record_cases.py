"""What the image record iterators are asked for by the recorder and by the tests: names, iterators and arguments."""

SHAPE = (3, 16, 20)


def case(iterator="ImageRecordIter", file="image_record", **arguments):
    """An iterator and its arguments, over one of the record files beside this one."""
    values = dict(data_shape=SHAPE, batch_size=4)
    values.update(arguments)
    return iterator, file, values


#: No random numbers, or such that can only have one value: compared pixel by pixel.
PIXELS = {
    "plain": case(),
    "text": case(data_shape="(3, 16, 20)", batch_size="4", mean_r="3.5", rand_crop="False"),
    "whole": case(data_shape=(3, 33, 36)),
    "gray": case(data_shape=(1, 16, 20)),
    "gray_mean": case(data_shape=(1, 16, 20), mean_r=50.5, std_r=3.0, scale=0.5),
    "mean": case(mean_r=123.68, mean_g=116.28, mean_b=103.53),
    "mean_r_only": case(mean_r=10),
    "std": case(std_r=58.395, std_g=57.12, std_b=57.375),
    "mean_std_scale": case(mean_r=123.68, mean_g=116.28, mean_b=103.53, std_r=58.4, std_g=57.1, std_b=57.4, scale=0.25),
    "scale": case(scale=1.0 / 255),
    "mirror": case(mirror=True),
    "mirror_mean": case(mirror=True, mean_r=100, scale=2.0),
    "uint8": case(dtype="uint8"),
    "uint8_mean": case(dtype="uint8", mean_r=10, scale=0.5, mirror=True),
    "int8": case(dtype="int8"),
    "int8_mean": case(dtype="int8", mean_r=128, mean_g=128, mean_b=128),
    "resize": case(resize=24),
    "resize_up": case(resize=80),
    "resize_small": case(resize=12),
    "upsample": case(data_shape=(3, 70, 100)),
    "upsample_wide": case(data_shape=(3, 20, 64)),
    "scale_half": case(min_random_scale=0.5, max_random_scale=0.5),
    "scale_double": case(min_random_scale=2.0, max_random_scale=2.0),
    "crop_size": case(min_crop_size=30, max_crop_size=30),
    "aspect": case(min_aspect_ratio=1.5, max_aspect_ratio=1.5),
    "aspect_low": case(min_aspect_ratio=0.7, max_aspect_ratio=0.7),
    "aspect_scale": case(min_aspect_ratio=1.5, max_aspect_ratio=1.5, min_random_scale=0.8, max_random_scale=0.8),
    "rotate": case(rotate=30),
    "rotate_fill": case(rotate=45, fill_value=7, data_shape=(3, 36, 40)),
    "rotate_90": case(rotate=90),
    "rotate_resize": case(rotate=200, resize=30, fill_value=0),
    "pad": case(pad=4, data_shape=(3, 41, 44)),
    "pad_fill": case(pad=10, fill_value=0, data_shape=(3, 50, 50)),
    "pad_resize": case(pad=3, resize=20, fill_value=100, data_shape=(3, 26, 24)),
    "max_img_size": case(max_img_size=30),
    "min_img_size": case(min_img_size=70),
    "max_img_scaled": case(min_random_scale=0.9, max_random_scale=0.9, max_img_size=30),
    "min_img_scaled": case(min_random_scale=0.9, max_random_scale=0.9, min_img_size=70),
    "rotate_max_img": case(rotate=20, max_img_size=30, min_img_size=25),
    "inter_0": case(resize=25, inter_method=0),
    "inter_2": case(resize=25, inter_method=2),
    "inter_3": case(resize=25, inter_method=3),
    "inter_4": case(resize=25, inter_method=4),
    "inter_9": case(resize=25, inter_method=9),
    "inter_9_up": case(resize=75, inter_method=9),
    "resized_crop": case(random_resized_crop=True, data_shape=(3, 16, 16)),
    "resized_crop_area": case(
        random_resized_crop=True, min_random_area=1.0, max_random_area=1.0, min_aspect_ratio=1.0, max_aspect_ratio=1.0
    ),
    "png": case(file="image_record_png"),
    "png_gray": case(file="image_record_png", data_shape=(1, 16, 20)),
    "uint8_iter": case("ImageRecordUInt8Iter"),
    "int8_iter": case("ImageRecordInt8Iter"),
    "uint8_iter_mean": case("ImageRecordUInt8Iter", mean_r=10, mirror=True, resize=20),
    "v1": case("ImageRecordIter_v1", resize=24, mean_r=10, std_g=3.0, scale=0.5),
    "v1_mirror": case("ImageRecordIter_v1", mirror=True),
    "uint8_v1": case("ImageRecordUInt8Iter_v1", resize=24),
    "det": case("ImageDetRecordIter", "image_record_det"),
    "det_mean": case("ImageDetRecordIter", "image_record_det", mean_r=10, std_r=3.0, mean_b=5, scale=0.5),
    "det_std": case("ImageDetRecordIter", "image_record_det", std_r=3.0, std_g=2.0, std_b=4.0),
    "det_shrink": case("ImageDetRecordIter", "image_record_det", resize_mode="shrink"),
    "det_shrink_large": case("ImageDetRecordIter", "image_record_det", resize_mode="shrink", data_shape=(3, 44, 50)),
    "det_fit": case("ImageDetRecordIter", "image_record_det", resize_mode="fit", fill_value=3),
    "det_fit_large": case("ImageDetRecordIter", "image_record_det", resize_mode="fit", data_shape=(3, 80, 70)),
    "det_mirror": case("ImageDetRecordIter", "image_record_det", rand_mirror_prob=1.0),
    "det_resize": case("ImageDetRecordIter", "image_record_det", resize=20, inter_method=2),
    "det_pad_width": case("ImageDetRecordIter", "image_record_det", label_pad_width=30, label_pad_value=-7),
    "det_pad_auto": case("ImageDetRecordIter", "image_record_det", label_pad_width=-1),
}

#: Which records come in which batch of which epoch: the labels, pads and indices of three epochs.
ORDER = {
    "order": case(),
    "order_5": case(batch_size=5),
    "order_13": case(batch_size=13),
    "order_10": case(batch_size=10),
    "order_threads": case(preprocess_threads=1),
    "index": case(path_imgidx=True),
    "part_0": case(num_parts=3, part_index=0, batch_size=3),
    "part_1": case(num_parts=3, part_index=1, batch_size=3),
    "part_2": case(num_parts=3, part_index=2, batch_size=3),
    "part_index_0": case(num_parts=3, part_index=0, batch_size=3, path_imgidx=True),
    "part_index_1": case(num_parts=3, part_index=1, batch_size=3, path_imgidx=True),
    "part_index_2": case(num_parts=3, part_index=2, batch_size=3, path_imgidx=True),
    "part_of_2_0": case(num_parts=2, part_index=0),
    "part_of_2_1": case(num_parts=2, part_index=1),
    "part_of_4_index_3": case(num_parts=4, part_index=3, batch_size=1, path_imgidx=True),
    "labels": case(file="image_record_labels", label_width=3),
    "list": case(path_imglist=True, label_width=2),
    "order_v1": case("ImageRecordIter_v1"),
    "order_v1_rest": case("ImageRecordIter_v1", round_batch=False),
    "order_det": case("ImageDetRecordIter", "image_record_det"),
    "order_uint8": case("ImageRecordUInt8Iter", batch_size=5),
}

#: What is refused, and a part of what the error says.
ERRORS = {
    "no_shape": (dict(data_shape=None), "data_shape"),
    "two_axes": (dict(data_shape=(16, 20)), "data_shape"),
    "no_file": (dict(path_imgrec=""), "image_rec"),
    "missing_file": (dict(path_imgrec="no-such.rec"), "no-such.rec"),
    "four_channels": (dict(data_shape=(4, 16, 20)), "4"),
    "two_channels": (dict(data_shape=(2, 16, 20)), "2"),
    "label_width": (dict(label_width=3), "label_width"),
    "dtype": (dict(dtype="float16"), "dtype"),
    "dtype_name": (dict(dtype="foo"), "foo"),
    "batch_larger": (dict(batch_size=30), "batch size"),
    "part_index": (dict(num_parts=2, part_index=2), "part"),
    "augmenter": (dict(aug_seq="foo"), "foo"),
}
