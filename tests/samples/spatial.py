"""Samples of samplers, transformers, ROI pooling, correlation, upsampling and patches."""

import numpy as np

from .common import S, ints, rand

THETA = np.array([[0.93, 0.11, 0.17, -0.13, 0.87, 0.31], [0.71, 0.29, -0.23, 0.07, 1.19, 0.13]], "float32")
PICTURE = rand(2, 3, 5, 6)
GRID = rand(2, 2, 4, 3, low=-1.3, high=1.3)
ROIS = np.array([[0, 0, 0, 4, 4], [1, 1, 2, 6, 5], [0, 3, 3, 3, 3], [1, 5, 4, 2, 2], [0, -3, -2, 3, 9]], "float32")
ROIS2 = np.array([[1, 2.5, 3.5, 11.4, 9.6], [0, 0.4, 0.6, 4.5, 13], [5, 0, 0, 2, 2], [-1, 0, 0, 2, 2]], "float32")
ROIS3 = np.array([[0, 0, 0, 20, 20], [0, 30, 30, 40, 40], [0, -9, -9, -5, -5]], "float32")
AFFINE = {"transform_type": "affine", "target_shape": (2, 3)}
TRANSFORM = {"transform_type": "affine", "sampler_type": "bilinear", "target_shape": (4, 3)}
RELU = np.maximum(rand(2, 2, 7, 8), 0)  # many equal maxima


def roi(data, rois, **kwargs):
    return S("ROIPooling", data, rois, grad=(0,), **kwargs)


def near(*inputs, **kwargs):
    kwargs = dict({"scale": 2, "sample_type": "nearest", "num_args": len(inputs)}, **kwargs)
    return S("UpSampling", *inputs, **kwargs)


def bilinear(scale, size, **kwargs):
    inputs = (rand(1, 2, 2, 3), rand(2, 1, size, size))
    return S("UpSampling", *inputs, scale=scale, sample_type="bilinear", num_filter=2, num_args=2, **kwargs)


SAMPLES = [
    S("GridGenerator", THETA, **AFFINE),
    S("GridGenerator", THETA[:1], transform_type="affine", target_shape=(5, 2)),
    S("GridGenerator", rand(1, 2, 3, 4), transform_type="warp"),
    S("GridGenerator", rand(2, 2, 2, 5), transform_type="warp", target_shape=(2, 5)),
    S("GridGenerator", THETA, transform_type="affine", error=True),
    S("GridGenerator", THETA[:, :5], error=True, **AFFINE),
    S("GridGenerator", rand(1, 3, 3, 4), transform_type="warp", error=True),
    S("GridGenerator", THETA, transform_type="bend", target_shape=(2, 3), error=True),
    S("BilinearSampler", PICTURE, GRID, rtol=1e-4, atol=1e-5),
    S("BilinearSampler", PICTURE.astype("float64"), GRID.astype("float64"), cudnn_off=True),
    S("BilinearSampler", rand(1, 1, 3, 4), np.array([[[[-1, 0.1, 1]], [[-1, 0.3, 1]]]], "float32"), numeric=False),
    S("BilinearSampler", PICTURE, GRID[:1], error=True),
    S("BilinearSampler", PICTURE, rand(2, 3, 4, 3), error=True),
    S("SpatialTransformer", PICTURE, THETA, rtol=1e-4, atol=1e-5, **TRANSFORM),
    S("SpatialTransformer", PICTURE.astype("float64"), THETA.astype("float64"), **dict(TRANSFORM, target_shape=(5, 6))),
    S("SpatialTransformer", PICTURE, THETA[:, :5], error=True, **TRANSFORM),
    S("SpatialTransformer", PICTURE, THETA, error=True, **dict(TRANSFORM, target_shape=(0, 0))),
    roi(rand(2, 2, 6, 7), ROIS, pooled_size=(2, 2), spatial_scale=1.0),
    roi(rand(2, 2, 6, 7), ROIS, pooled_size=(3, 2), spatial_scale=0.7),
    roi(rand(2, 2, 7, 8), ROIS2, pooled_size=(3, 4), spatial_scale=0.5),
    roi(RELU, ROIS2, pooled_size=(2, 3), spatial_scale=0.6, numeric=False),
    roi(rand(1, 1, 7, 8), ROIS3, pooled_size=(3, 3), spatial_scale=1.0),
    roi(rand(1, 1, 7, 8, dtype="float64"), ROIS3.astype("float64"), pooled_size=(6, 5), spatial_scale=0.0),
    roi(
        rand(2, 3, 14, 14),
        ints(12, 5, high=2, dtype="float32") * ints(12, 5, high=16, dtype="float32"),
        pooled_size=(7, 7),
        spatial_scale=0.8,
        error=False,
        numeric=False,
    ),
    roi(PICTURE, ROIS[:, :4], pooled_size=(2, 2), spatial_scale=1.0, error=True),
    roi(PICTURE, ROIS, pooled_size=(2, 2), spatial_scale=2.0, error=True),
    roi(PICTURE, ROIS, pooled_size=(2,), spatial_scale=1.0, error=True),
    near(rand(1, 2, 2, 3)),
    near(rand(1, 2, 2, 3), scale=1),
    near(rand(1, 2, 2, 2), rand(1, 3, 1, 1)),
    near(rand(1, 2, 1, 1), rand(1, 2, 2, 2), rand(1, 1, 4, 4), scale=4),
    near(rand(1, 2, 2, 2), rand(1, 2, 1, 1), multi_input_mode="sum"),
    near(rand(1, 2, 2, 2, dtype="float64"), scale=3),
    near(rand(1, 2, 2, 2, dtype="float16"), rtol=2e-3, atol=2e-3),
    near(rand(1, 2, 2, 2), rand(1, 3, 1, 1), multi_input_mode="sum", error=True),
    near(rand(1, 2, 2, 2), rand(1, 2, 3, 3), error=True),
    near(rand(2, 2, 2), error=True),
    bilinear(1, 1),
    bilinear(2, 4),
    bilinear(3, 5),
    bilinear(4, 8, rtol=1e-4),
    S("im2col", rand(2, 3, 5, 6), kernel=(2, 3)),
    S("im2col", rand(2, 3, 5, 6), kernel=(2, 3), stride=(2, 1), pad=(1, 1), dilate=(1, 2)),
    S("im2col", rand(1, 2, 3, 4, dtype="float64"), kernel=(3, 4), pad=(1, 0)),
    S("im2col", rand(1, 2, 3, 4, dtype="float16"), kernel=(2, 2), rtol=2e-3, atol=2e-3),
    S("im2col", PICTURE, kernel=(7, 7), error=True),
    S("im2col", PICTURE, kernel=(2, 2), stride=(0, 1), error=True),
    S("im2col", PICTURE, kernel=(2, 2), stride=(2,), error=True),
    S("col2im", rand(2, 18, 16), output_size=(5, 6), kernel=(2, 3)),
    S("col2im", rand(2, 18, 12), output_size=(5, 6), kernel=(2, 3), stride=(2, 1), pad=(1, 1), dilate=(1, 2)),
    S("col2im", rand(1, 4, 6, dtype="float64"), output_size=(3, 4), kernel=(2, 2)),
    S("col2im", rand(2, 17, 16), output_size=(5, 6), kernel=(2, 3), error=True),
    S("col2im", rand(2, 18, 15), output_size=(5, 6), kernel=(2, 3), error=True),
]
A, B = rand(1, 3, 6, 7), rand(1, 3, 6, 7, seed=1)
SAMPLES += [
    S("Correlation", A, B, rtol=1e-4, **attrs)
    for attrs in [
        {},
        {"kernel_size": 3, "max_displacement": 2, "pad_size": 3, "stride1": 2, "stride2": 2},
        {"pad_size": 4, "max_displacement": 4, "stride2": 2},
        {"max_displacement": 3, "stride2": 2, "pad_size": 1},
        {"kernel_size": 3, "max_displacement": 1, "stride1": 3, "pad_size": 2},
        {"is_multiply": False, "max_displacement": 1},
        {"is_multiply": False, "kernel_size": 3, "max_displacement": 1, "pad_size": 0},
    ]
]
SAMPLES += [
    S("Correlation", np.concatenate([A, B]), np.concatenate([B, A]), rtol=1e-4, max_displacement=0),
    S("Correlation", A.astype("float64"), B.astype("float64"), max_displacement=1),
    S("Correlation", A, B, kernel_size=2, error=True),
    S("Correlation", A, B, max_displacement=5, error=True),
]
