"""Samples of region pooling and deformable convolution."""

import numpy as np

from .common import S, ints, rand

_ROIS = np.array([[0, 1, 1, 4.3, 5.2], [1, 0.5, 0, 6.7, 5], [1, 3, 3, 3.2, 3.1], [0, -2, -3, 3, 9]], "float32")
_ROTATED = np.array([[0, 3, 3, 4, 2, 30], [1, 2.5, 3.2, 3, 5, -100], [1, 0, 0, 0.5, 0.4, 10]], "float32")


_GROUPS = dict(stride=(2, 2), num_group=2, num_deformable_group=2)


def _align(*inputs, **attrs):
    return S("_contrib_ROIAlign", *inputs, grad=attrs.pop("grad", (0,)), **attrs)


def _deformed(data, offset, weight, mask=False, reach=1.0, **attrs):
    arrays = [rand(*data), rand(*offset, low=-reach, high=reach, seed=1)]
    if mask:
        arrays.append(rand(offset[0], offset[1] // 2, *offset[2:], low=0.0))
    arrays.append(rand(*weight))
    if not attrs.get("no_bias"):
        arrays.append(rand(weight[0]))
    name = "_contrib_ModulatedDeformableConvolution" if mask else "_contrib_DeformableConvolution"
    attrs.setdefault("grad", not mask)  # the original differentiates the modulated one on GPUs only
    return S(name, *arrays, kernel=weight[2:], num_filter=weight[0], rtol=1e-4, atol=1e-5, **attrs)


SAMPLES = [
    _align(rand(2, 2, 6, 7), _ROIS, pooled_size=(2, 3), spatial_scale=1.0),
    _align(rand(2, 2, 6, 7), _ROIS, pooled_size=(2, 3), spatial_scale=0.5, sample_ratio=2),
    _align(rand(2, 2, 6, 7), _ROIS, pooled_size=(3, 2), spatial_scale=0.7, aligned=True),
    _align(rand(2, 2, 6, 7), _ROIS, pooled_size=(3, 2), spatial_scale=1.0, aligned=True, sample_ratio=3),
    _align(rand(2, 12, 6, 7), _ROIS, pooled_size=(2, 3), spatial_scale=1.0, position_sensitive=True),
    _align(rand(2, 8, 6, 7), _ROIS, pooled_size=(2, 2), spatial_scale=0.6, position_sensitive=True, sample_ratio=2),
    _align(rand(1, 1, 6, 7), _ROIS * np.float32([-1, 1, 1, 1, 1]), pooled_size=(1, 1), spatial_scale=1.0),
    _align(rand(2, 2, 6, 7, dtype="float64"), _ROIS.astype("float64"), pooled_size=(2, 3), spatial_scale=1.0),
    _align(
        rand(2, 2, 6, 7, dtype="float16"),
        _ROIS.astype("float16"),
        pooled_size=(2, 3),
        spatial_scale=1.0,
        grad=False,
        rtol=1e-2,
        atol=2e-3,
    ),
    _align(rand(2, 2, 6, 7), _ROIS, pooled_size=(2,), spatial_scale=1.0, error=True),
    _align(rand(2, 2, 6, 7), _ROIS, pooled_size=(2, 2), spatial_scale=2.0, error=True),
    _align(rand(2, 2, 6, 7), _ROIS[:, :4], pooled_size=(2, 2), spatial_scale=1.0, error=True),
    _align(rand(2, 3, 6, 7), _ROIS, pooled_size=(2, 2), spatial_scale=1.0, position_sensitive=True, error=True),
    _align(ints(2, 3, 6, 7), _ROIS.astype("int32"), pooled_size=(2, 2), spatial_scale=1.0, error=True),
    S("_contrib_RROIAlign", rand(2, 2, 6, 7), _ROTATED, grad=False, pooled_size=(2, 3), spatial_scale=1.0, rtol=1e-4),
    S(
        "_contrib_RROIAlign",
        rand(2, 2, 6, 7),
        _ROTATED,
        grad=False,
        pooled_size=(1, 2),
        spatial_scale=0.5,
        sampling_ratio=2,
        rtol=1e-4,
    ),
    S("_contrib_RROIAlign", rand(2, 2, 6, 7), _ROIS, pooled_size=(1, 2), spatial_scale=1.0, error=True),
    S("_contrib_PSROIPooling", rand(2, 8, 6, 7), _ROIS, grad=(0,), spatial_scale=1.0, output_dim=2, pooled_size=2),
    S("_contrib_PSROIPooling", rand(2, 9, 6, 7), _ROIS, grad=(0,), spatial_scale=0.6, output_dim=1, pooled_size=3),
    S(
        "_contrib_PSROIPooling",
        rand(2, 8, 6, 7),
        _ROIS,
        grad=(0,),
        spatial_scale=1.0,
        output_dim=2,
        pooled_size=3,
        group_size=2,
    ),
    S("_contrib_PSROIPooling", rand(2, 8, 6, 7), _ROTATED, spatial_scale=1.0, output_dim=2, pooled_size=2, error=True),
    S(
        "_contrib_DeformablePSROIPooling",
        rand(2, 8, 6, 7),
        _ROIS,
        rand(4, 4, 2, 2),
        grad=(0, 2),
        numeric=False,
        spatial_scale=1.0,
        output_dim=2,
        group_size=2,
        pooled_size=3,
        part_size=2,
        sample_per_part=2,
        trans_std=0.1,
        rtol=1e-4,
        atol=1e-5,
    ),
    S(
        "_contrib_DeformablePSROIPooling",
        rand(2, 8, 6, 7),
        _ROIS,
        rand(4, 2, 2, 2),
        grad=(0, 2),
        numeric=False,
        spatial_scale=0.8,
        output_dim=2,
        group_size=2,
        pooled_size=2,
        trans_std=0.2,
        sample_per_part=3,
        rtol=1e-4,
        atol=1e-5,
    ),
    S(
        "_contrib_DeformablePSROIPooling",
        rand(2, 8, 6, 7),
        _ROIS,
        grad=(0,),
        spatial_scale=1.0,
        output_dim=2,
        group_size=2,
        pooled_size=2,
        sample_per_part=2,
        no_trans=True,
    ),
    _deformed((2, 4, 5, 6), (2, 18, 5, 6), (3, 4, 3, 3), pad=(1, 1)),
    _deformed((1, 2, 5, 6), (1, 18, 5, 6), (2, 2, 3, 3), pad=(1, 1), reach=8.0),
    _deformed((2, 4, 5, 6), (2, 36, 3, 3), (4, 2, 3, 3), pad=(1, 1), **_GROUPS),
    _deformed((1, 4, 7, 6), (1, 16, 4, 5), (2, 4, 4, 2), no_bias=True, dilate=(1, 1)),
    _deformed((1, 4, 7, 6), (1, 12, 3, 4), (2, 4, 3, 2), no_bias=True, dilate=(2, 2)),
    _deformed((1, 4, 7, 6), (1, 8, 3, 4), (2, 4, 3, 2), no_bias=True, dilate=(2, 2), error=True),
    _deformed((2, 4, 5, 6), (2, 18, 5, 6), (3, 4, 3, 3), mask=True, pad=(1, 1)),
    _deformed((1, 2, 5, 6), (1, 18, 5, 6), (2, 2, 3, 3), mask=True, pad=(1, 1), reach=8.0),
    _deformed(
        (2, 4, 5, 6),
        (2, 36, 3, 3),
        (4, 2, 3, 3),
        mask=True,
        pad=(1, 1),
        stride=(2, 2),
        num_group=2,
        num_deformable_group=2,
    ),
    _deformed((1, 4, 7, 6), (1, 12, 3, 4), (2, 4, 3, 2), mask=True, no_bias=True, dilate=(2, 2)),
    _deformed((1, 4, 7, 6), (1, 8, 3, 4), (2, 4, 3, 2), mask=True, no_bias=True, dilate=(2, 2), error=True),
]
