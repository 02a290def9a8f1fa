"""Batch, layer, group, instance, L2 and local response normalization."""

from .common import S, rand


def batch(shape, channels, op="BatchNorm", dtype="float32", parameters=None, **attrs):
    """Batch norm with all its inputs."""
    kind = parameters or ("float32" if dtype == "float16" else dtype)
    inputs = [rand(*shape, low=-2, high=3, dtype=dtype)]
    inputs += [rand(channels, low=0.5, high=1.5, seed=i, dtype=kind) for i in range(4)]
    half = dtype == "float16"
    attrs.setdefault("rtol", 1e-2 if half else 1e-4)
    attrs.setdefault("atol", 1e-2 if half else 1e-5)
    attrs.setdefault("numeric", not half)
    if op == "_contrib_SyncBatchNorm":
        # The original keeps one place per key, sized by its first user.
        attrs["key"] = "%s_%d_%s" % ("x".join(map(str, shape)), channels, attrs.get("output_mean_var"))
    attrs.setdefault("grad", (0, 1, 2))
    return S(op, *inputs, **attrs)


def affine(op, shape, count, dtype="float32", **attrs):
    """An operator on data, gamma and beta."""
    half = dtype == "float16"
    tolerance = dict(rtol=1e-2, atol=1e-2, numeric=False) if half else dict(rtol=1e-4, atol=1e-5)
    tolerance.update(attrs)
    inputs = [
        rand(*shape, low=-2, high=3, dtype=dtype),
        rand(count, seed=1, dtype=dtype),
        rand(count, seed=2, dtype=dtype),
    ]
    return S(op, *inputs, **tolerance)


RELU, SYNC = "_contrib_BatchNormWithReLU", "_contrib_SyncBatchNorm"

# Batch norm in predict mode has no gradient here: the original mixes up both modes in backward.
SAMPLES = (
    [
        batch((4, 3, 2, 2), 3, fix_gamma=fix, use_global_stats=use, train=True)
        for fix in (True, False)
        for use in (True, False)
    ]
    + [batch((4, 3, 2, 2), 3, fix_gamma=fix, grad=False) for fix in (True, False)]
    + [batch((4, 3, 2, 2), 3, fix_gamma=fix, grad=False, train=True) for fix in (True, False)]
    + [
        batch((4, 3), 3, train=True, fix_gamma=False),
        batch((2, 3, 4), 3, train=True, fix_gamma=False),
        batch((2, 3, 4), 4, train=True, fix_gamma=False, axis=-1),
        batch((2, 3, 2, 4), 4, train=True, fix_gamma=False, axis=3),
        batch((2, 3, 2, 4), 2, train=True, fix_gamma=False, axis=2),
        batch((2, 3, 4), 2, train=True, fix_gamma=False, axis=0),
        batch((2, 3, 2, 2, 2), 3, train=True, fix_gamma=False),
        batch((2, 3, 4), 4, fix_gamma=False, axis=-1, grad=False),
        batch((2, 3, 4), 4, fix_gamma=False, axis=-1, use_global_stats=True, train=True),
        batch((2, 3, 4), 3, train=True, fix_gamma=False, eps=0.1, momentum=0.5),
        batch((2, 3, 4), 3, train=True, fix_gamma=False, momentum=0.0, cudnn_off=True),
        batch((2, 3, 4), 3, train=True, fix_gamma=False, output_mean_var=True, numeric=False),
        batch((2, 3, 4), 3, train=True, fix_gamma=False, use_global_stats=True, output_mean_var=True, numeric=False),
        batch((2, 3, 4), 3, output_mean_var=True, grad=False),
        batch((4, 3, 2), 3, train=True, fix_gamma=False, dtype="float64"),
        batch((4, 3, 2), 3, train=True, fix_gamma=False, dtype="float16"),
        batch((4, 3, 2), 3, fix_gamma=False, dtype="float16", grad=False),
        batch((4, 3, 2), 3, dtype="float16", parameters="float16", error=True),
        batch((4, 3, 2), 3, dtype="float64", parameters="float32", error=True),
        batch((4, 3, 2), 3, dtype="int32", error=True),
        batch((4, 3, 2), 3, axis=3, error=True),
    ]
    + [batch((4, 3, 2, 2), 3, RELU, fix_gamma=fix, train=True, numeric=fix) for fix in (True, False)]
    + [
        batch((4, 3, 2, 2), 3, RELU, fix_gamma=False, use_global_stats=True, train=True),
        batch((4, 3, 2, 2), 3, RELU, fix_gamma=False, grad=False),
        batch((4, 3, 2, 2), 3, RELU, fix_gamma=False, output_mean_var=True, train=True, numeric=False),
        batch((4, 3, 2, 2), 3, SYNC, fix_gamma=False, train=True),
        batch((4, 3, 2), 3, SYNC, train=True),
        batch((4, 3, 2, 1), 3, SYNC, fix_gamma=False, use_global_stats=True, train=True),
        batch((4, 3, 3), 3, SYNC, fix_gamma=False, grad=False),
        batch((4, 3, 4), 3, SYNC, fix_gamma=False, output_mean_var=True, train=True, numeric=False),
        # The original runs it in symbols only: tests/ops/test_batch_norm.py has the rest.
        S("BatchNorm_v1", rand(4, 3, 2), rand(3), rand(3), error=True),
        affine("LayerNorm", (2, 3, 4), 4),
        affine("LayerNorm", (2, 3, 4), 3, axis=1),
        affine("LayerNorm", (5, 3), 5, axis=-2, eps=0.1),
        affine("LayerNorm", (4,), 4, axis=0),
        affine("LayerNorm", (2, 3, 4), 4, output_mean_var=True, numeric=False),
        affine("LayerNorm", (2, 3, 4), 3, axis=1, output_mean_var=True, numeric=False),
        affine("LayerNorm", (2, 3, 4), 4, dtype="float64"),
        affine("LayerNorm", (2, 3, 4), 4, dtype="float16"),
        affine("LayerNorm", (2, 3, 4), 3, error=True),
        affine("LayerNorm", (2, 3, 4), 4, axis=3, error=True),
        S("LayerNorm", rand(2, 3), rand(3, dtype="float64"), rand(3), error=True),
        affine("GroupNorm", (2, 4, 3), 2, num_groups=2),
        affine("GroupNorm", (2, 4, 2, 2), 4, num_groups=4, eps=0.1),
        affine("GroupNorm", (2, 3, 2, 2), 1),
        affine("GroupNorm", (2, 4, 2, 2), 2, num_groups=2, output_mean_var=True, numeric=False),
        affine("GroupNorm", (2, 4, 3), 2, num_groups=2, dtype="float64"),
        affine("GroupNorm", (2, 4, 3), 2, num_groups=2, dtype="float16"),
        affine("GroupNorm", (2, 4, 3), 3, num_groups=3, error=True),
        affine("GroupNorm", (2, 4), 2, num_groups=2, error=True),
        affine("GroupNorm", (2, 4, 3), 4, num_groups=2, error=True),
        affine("InstanceNorm", (2, 3, 5), 3),
        affine("InstanceNorm", (2, 3, 3, 2), 3, eps=0.1),
        affine("InstanceNorm", (2, 2, 2, 2, 2), 2),
        affine("InstanceNorm", (2, 3), 3, error=True),
        affine("InstanceNorm", (2, 3, 5), 2, error=True),
    ]
    + [S("L2Normalization", rand(2, 3, 2, 2), mode=mode) for mode in ("instance", "channel", "spatial")]
    + [S("L2Normalization", rand(2, 3, 4), mode=mode, eps=0.5) for mode in ("instance", "channel", "spatial")]
    + [
        S("L2Normalization", rand(2, 5)),
        S("L2Normalization", rand(2, 3, 4, dtype="float64"), mode="channel"),
        S("L2Normalization", rand(2, 3, 4, dtype="float16"), rtol=1e-2, atol=1e-3, numeric=False),
        S("L2Normalization", rand(2, 5), mode="channel", error=True),
        S("L2Normalization", rand(2, 5), mode="spatial", error=True),
        S("L2Normalization", rand(2, 5), mode="other", error=True),
        S("LRN", rand(2, 5, 2, 3), nsize=3),
        S("LRN", rand(2, 5, 2, 3, low=-3, high=3), nsize=5, alpha=1.0, beta=0.5, knorm=1.0, rtol=1e-4, atol=1e-5),
        S("LRN", rand(1, 3, 2, 2, low=-3, high=3), nsize=7, alpha=0.5, beta=1.0, knorm=1.0, rtol=1e-4, atol=1e-5),
        S("LRN", rand(1, 4, 2, 2, low=-3, high=3), nsize=1, alpha=0.5, rtol=1e-4, atol=1e-5),
        S("LRN", rand(2, 5, 2), nsize=3, error=True),
        S("LRN", rand(2, 5, 2, 2), error=True),
    ]
)
