"""Convolution and Deconvolution."""

from .common import S, rand


def conv(data, weight, bias=None, op="Convolution", dtype="float32", **attrs):
    """A call whose kernel and num_filter are read off the shape of the weight."""
    attrs.setdefault("kernel", tuple(weight[2:]))
    attrs.setdefault("num_filter", weight[0] if op != "Deconvolution" else weight[1] * attrs.get("num_group", 1))
    inputs = [rand(*data, dtype=dtype), rand(*weight, seed=1, dtype=dtype)]
    if bias is not None:
        inputs.append(rand(bias, seed=2, dtype=dtype))
    attrs.setdefault("no_bias", bias is None)
    return S(op, *inputs, rtol=1e-4, atol=1e-5, **attrs)


V1, DE = "Convolution_v1", "Deconvolution"

SAMPLES = [
    # one dimension
    conv((2, 3, 8), (4, 3, 3), 4),
    conv((2, 4, 9), (6, 2, 3), 6, num_group=2, stride=(2,), dilate=(2,), pad=(1,)),
    conv((1, 2, 5), (3, 2, 1), kernel=1, stride=2, pad=1),
    # two
    conv((2, 3, 7, 6), (4, 3, 3, 3), 4),
    conv((2, 3, 7, 6), (4, 3, 3, 2), stride=(2, 1), pad=(1, 0)),
    conv((2, 3, 8, 8), (4, 3, 3, 3), 4, dilate=(2, 2), pad=(2, 2)),
    conv((2, 4, 5, 5), (6, 2, 3, 3), 6, num_group=2, layout="NCHW"),
    conv((2, 4, 5, 5), (4, 1, 3, 3), num_group=4, pad=(1, 1)),
    conv((1, 4, 5, 5), (8, 1, 3, 3), 8, num_group=4, stride=(2, 2)),
    conv((2, 1, 9, 9), (5, 1, 5, 5), 5, workspace=256, cudnn_tune="off", cudnn_off=True),
    conv((2, 3, 4, 4), (1, 3, 1, 1), 1),
    conv((1, 3, 3, 3), (2, 3, 3, 3), 2),
    conv((2, 3, 5, 5), (4, 3, 3, 3), 4, dtype="float64"),
    # three
    conv((1, 2, 4, 5, 4), (3, 2, 3, 3, 2), 3),
    conv((1, 2, 5, 5, 5), (2, 1, 3, 3, 3), num_group=2, stride=(2, 2, 2), pad=(1, 1, 1), layout="NCDHW"),
    # refused
    conv((2, 3, 5, 5), (4, 3, 3, 3), 4, no_bias=True, error=True),
    conv((2, 3, 5, 5), (4, 3, 3, 3), no_bias=False, error=True),
    conv((2, 3, 5, 5), (4, 2, 3, 3), 4, error=True),
    conv((2, 3, 5, 5), (4, 3, 3, 3), 4, kernel=(2, 2), error=True),
    conv((2, 3, 5, 5), (4, 3, 3, 3), 4, num_filter=5, error=True),
    conv((2, 3, 5, 5), (4, 3, 3, 3), 3, error=True),
    conv((2, 3, 2, 2), (4, 3, 3, 3), 4, error=True),
    conv((2, 3, 5, 5), (4, 3, 3, 3), 4, stride=(1,), error=True),
    conv((2, 3, 5, 5), (4, 3, 3, 3), 4, stride=(0, 0), error=True),
    conv((2, 3, 5, 5), (4, 3, 3, 3), 4, layout="NCW", error=True),
    conv((2, 3, 5, 5), (4, 1, 3, 3), 4, num_group=2, error=True),
    conv((3, 5, 5), (4, 3, 3, 3), 4, error=True),
    conv((2, 3, 5, 5), (4, 3, 3, 3), 4, dtype="int32", error=True),
    # the old operator
    conv((2, 3, 7, 6), (4, 3, 3, 3), 4, V1),
    conv((2, 4, 7, 7), (6, 2, 3, 3), 6, V1, num_group=2, pad=(1, 1), stride=(2, 2)),
    # its gradient with dilate is wrong in the original
    conv((2, 4, 7, 7), (6, 2, 3, 3), 6, V1, dilate=(2, 2), num_group=2, grad=False),
    conv((2, 3, 8), (4, 3, 3), 4, V1, error=True),
    # transposed
    conv((2, 3, 4), (3, 2, 3), op=DE, stride=(2,), pad=(1,), adj=(1,)),
    conv((2, 3, 4, 3), (3, 2, 3, 3), op=DE),
    conv((2, 3, 4, 3), (3, 2, 3, 3), 2, op=DE),
    conv((2, 3, 4, 3), (3, 2, 4, 4), op=DE, stride=(2, 2), pad=(1, 1)),
    conv((2, 3, 4, 3), (3, 2, 3, 3), 2, op=DE, stride=(2, 2), pad=(1, 1), adj=(1, 1)),
    conv((1, 3, 4, 3), (3, 2, 3, 3), op=DE, dilate=(2, 2)),
    conv((1, 4, 3, 3), (4, 3, 3, 3), 6, op=DE, num_group=2),
    conv((1, 4, 5, 5), (4, 1, 4, 4), op=DE, num_group=4, stride=(2, 2), pad=(1, 1), num_filter=4),
    conv((1, 2, 3, 3), (2, 1, 3, 3), op=DE, stride=(2, 2), target_shape=(6, 5), dtype="float64"),
    conv((1, 2, 3), (2, 1, 3), op=DE, stride=(2,), target_shape=(4,), pad=(7,), dtype="float64"),
    conv((1, 2, 3, 3), (2, 1, 3, 3), op=DE, stride=(2, 2), target_shape=(7, 7)),
    conv((1, 2, 3, 3), (2, 1, 3, 3), op=DE, stride=(2, 2), target_shape=(0, 0)),
    conv((1, 2, 3, 2, 3), (2, 3, 3, 3, 3), op=DE, stride=(2, 2, 2), pad=(1, 1, 1), adj=(1, 1, 1)),
    conv((2, 3, 4, 3), (3, 2, 3, 3), 2, op=DE, no_bias=True, error=True),
    conv((1, 2, 3, 3), (2, 1, 3, 3), op=DE, stride=(2, 2), adj=(2, 2), error=True),
    conv((1, 2, 3, 3), (2, 1, 3, 3), op=DE, stride=(2, 2), target_shape=(8, 8), error=True),
    conv((1, 2, 3, 3), (3, 1, 3, 3), op=DE, error=True),
    conv((1, 3, 3, 3), (3, 1, 3, 3), op=DE, num_group=2, error=True),
]
