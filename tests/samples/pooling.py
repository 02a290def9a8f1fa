"""Pooling."""

import numpy as np

from .common import S, rand


def pool(*shape, **attrs):
    """Pooling of distinct numbers, so that no maximum has an equal."""
    attrs.setdefault("dtype", "float32")
    dtype = attrs.pop("dtype")
    values = np.random.RandomState(int(np.prod(shape))).permutation(int(np.prod(shape))).reshape(shape) / 7.0 - 3
    # In training mode: the original gives no useful gradient of a maximum outside of it.
    return S(attrs.pop("op", "Pooling"), values.astype(dtype), train=True, **attrs)


ties = np.repeat([[1.0, 2.0, 2.0, 1.0]], 3, 0).reshape(1, 1, 3, 4).astype("float32")
geometries = [
    dict(kernel=(3, 3), stride=(2, 2)),
    dict(kernel=(3, 3), stride=(2, 2), pad=(1, 1)),
    dict(kernel=(2, 3), stride=(2, 1), pad=(1, 0)),
    dict(kernel=(2, 2), stride=(3, 3), pad=(1, 1)),
    dict(kernel=(1, 1), stride=(3, 3)),
    dict(kernel=(3, 3), pad=(2, 2)),
]

SAMPLES = (
    [
        pool(1, 2, 5, 6, pool_type=kind, pooling_convention=convention, **geometry)
        for geometry in geometries
        for convention in ("valid", "full")
        for kind in ("max", "avg", "sum")
    ]
    + [
        pool(1, 2, 5, 6, pool_type="avg", pooling_convention=convention, count_include_pad=include, **geometry)
        for geometry in geometries[1:4]
        for convention in ("valid", "full")
        for include in (True, False)
        # windows with padding only: the original refuses to leave padding out there
        if include or convention == "valid" or geometry is geometries[1]
    ]
    + [
        pool(2, 2, 7, kernel=(3,), stride=(2,), pad=(1,), pool_type=kind, pooling_convention=convention)
        for convention in ("valid", "full")
        for kind in ("max", "avg", "sum")
    ]
    + [
        pool(
            1,
            2,
            4,
            5,
            4,
            kernel=(2, 3, 2),
            stride=(2, 2, 2),
            pad=(0, 1, 1),
            pool_type=kind,
            pooling_convention=convention,
        )
        for convention in ("valid", "full")
        for kind in ("max", "avg", "sum")
    ]
    + [
        S(
            "Pooling",
            rand(1, 2, 4, 5, low=low),
            kernel=(2, 2),
            stride=(1, 2),
            pad=(0, 1),
            pool_type="lp",
            p_value=p,
            rtol=1e-4,
        )
        for low, p in ((-1, 1), (-1, 2), (0.1, 3))
    ]
    + [
        S("Pooling", np.array([[[-1.0, 2.0, 0.5, -3.0]]], "float32"), kernel=4, pool_type="lp", p_value=3),
        S("Pooling", np.zeros((1, 1, 4), "float32"), kernel=2, pool_type="lp", p_value=2, numeric=False),
        pool(1, 2, 5, kernel=2, stride=2, pool_type="lp", p_value=2, pooling_convention="full"),
    ]
    + [
        pool(2, 2, *(4, 3, 2)[:dims], global_pool=True, pool_type=kind)
        for dims in (1, 2, 3)
        for kind in ("max", "avg", "sum")
    ]
    + [
        pool(2, 2, 4, 3, global_pool=True, kernel=(2, 2), stride=(2, 2), pad=(1, 1), pool_type="avg"),
        pool(2, 2, 4, 3, global_pool=True, pool_type="lp", p_value=2),
        pool(2, 4, 2, kernel=(2,), stride=(2,), layout="NWC"),
        pool(2, 4, 5, 2, kernel=(2, 2), stride=(2, 2), layout="NHWC", pool_type="avg"),
        pool(2, 5, 5, 2, kernel=(3, 3), stride=(2, 2), pad=(1, 1), layout="NHWC", pooling_convention="full"),
        pool(1, 4, 4, 4, 2, kernel=(2, 2, 2), stride=(2, 2, 2), layout="NDHWC"),
        pool(2, 4, 5, 2, global_pool=True, layout="NHWC", pool_type="avg"),
        pool(2, 2, 4, 5, kernel=(2, 2), layout="NCHW", cudnn_off=True),
        pool(1, 1, 10, kernel=2, stride=2, pad=(0, 0, 0), pooling_convention="same"),
        pool(1, 1, 10, kernel=2, stride=2, pad=2, pooling_convention="same", error=True),
        pool(1, 1, 10, kernel=2, stride=(2, 1), pad=(1, 0), pool_type="avg"),
        pool(1, 1, 4, 5, kernel=(2, 2), pad=(1, 0, 1)),
        pool(1, 1, 4, 5, kernel=(2, 2), pad=(1,), error=True),
        pool(1, 1, 4, 4, kernel=(2, 2), dtype="float64", pool_type="avg"),
        pool(1, 1, 4, 4, kernel=(2, 2), dtype="float16"),
        S(
            "Pooling",
            rand(1, 1, 4, 4, dtype="float16"),
            kernel=(2, 2),
            pool_type="avg",
            rtol=1e-2,
            atol=1e-3,
            numeric=False,
        ),
        S("Pooling", ties, kernel=(2, 2), train=True, numeric=False),
        S(
            "Pooling",
            np.zeros((1, 1, 3, 3), "float32"),
            kernel=(2, 2),
            stride=(2, 2),
            pad=(1, 1),
            train=True,
            numeric=False,
        ),
        S("Pooling", ties, global_pool=True, train=True, numeric=False),
        pool(1, 1, 2, 2, kernel=(3, 3), error=True),
        pool(1, 1, 2, 2, kernel=(3, 3), pooling_convention="full", error=True),
        # Padding as wide as the kernel, which the original's oneDNN alone refuses.
        *(
            pool(1, 1, 4, 4, kernel=(2, 2), pad=(2, 2), pool_type=kind, dtype="float64")
            for kind in ("max", "avg", "sum")
        ),
        pool(1, 2, 7, kernel=(1,), stride=(2,), pad=(1,), pool_type="avg", pooling_convention="full", dtype="float64"),
        pool(1, 1, 4, 4, kernel=(2, 2), stride=(0, 0), error=True),
        pool(1, 1, 4, 4, kernel=(2, 2), stride=(2,), error=True),
        pool(1, 1, 4, 4, error=True),
        pool(4, 4, kernel=(2, 2), error=True),
        pool(1, 2, 4, kernel=(2,), layout="NCHW", error=True),
        pool(1, 1, 4, 4, kernel=(2, 2), pool_type="lp", error=True),
        pool(1, 1, 4, 4, kernel=(2, 2), pool_type="lp", p_value=4, error=True),
        pool(1, 1, 4, 4, kernel=(2, 2), dtype="int32", error=True),
        pool(1, 1, 4, 4, kernel=(2, 2), pool_type="min", error=True),
    ]
    # the old operator
    + [
        pool(1, 2, 5, 6, op="Pooling_v1", pool_type=kind, pooling_convention=convention, **geometry)
        for geometry in geometries[:4]
        for convention in ("valid", "full")
        for kind in ("max", "avg", "sum")
    ]
    + [
        pool(2, 2, 4, 3, op="Pooling_v1", global_pool=True, pool_type="avg"),
        pool(2, 2, 4, 3, op="Pooling_v1", global_pool=True, kernel=(2, 2), pad=(1, 1)),
        S("Pooling_v1", ties, kernel=(2, 2), train=True, numeric=False),
        pool(1, 1, 4, 4, op="Pooling_v1", kernel=(2, 2), dtype="float64"),
        pool(1, 1, 4, 4, op="Pooling_v1", kernel=(5, 5), error=True),
        pool(1, 1, 5, op="Pooling_v1", kernel=(2,), error=True),
    ]
)
