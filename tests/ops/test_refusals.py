"""Wrong and unusual calls of every operator: what the original refuses we refuse, and what it takes we take.

Exceptions are listed with their reasons.
"""

import functools

import pytest
import refusal_cases
import samples
from compare import load_golden

import mxnet as mx
from mxnet.ops import registry


@functools.cache
def recorded():
    return load_golden("refusals.json.gz")


#: What we take and the original refuses, by operator.
TAKEN = {
    "it has no kernel for that dtype": """CTCLoss Crop GridGenerator LRN SoftmaxActivation argsort sort amp_cast
        amp_multicast _contrib_interleaved_matmul_selfatt_qk _cvcopyMakeBorder _backward_gather_nd""",
    "images with any number of channels, and its defaults for four of them": """_image_crop _image_flip_left_right
        _image_flip_top_bottom _image_normalize _image_random_brightness _image_random_flip_left_right
        _image_random_flip_top_bottom""",
    "the number of arrays is that of the arrays": "amp_multicast multi_all_finite multi_sum_sq",
    "arrays without elements or dimensions; the functions for users refuse them": "_full _ones _zeros",
    "its MKL-DNN kernel is for four dimensions only": "_contrib_BatchNormWithReLU",
    "it remembers the number of channels of the first call with that key": "_contrib_SyncBatchNorm",
    "a range of integers is a number, whatever its dimensions and type": """_contrib_dequantize _contrib_quantize
        _contrib_quantize_v2 _contrib_requantize _contrib_quantized_act _contrib_quantized_batch_norm
        _contrib_quantized_concat _contrib_quantized_conv _contrib_quantized_elemwise_add
        _contrib_quantized_elemwise_mul _contrib_quantized_embedding _contrib_quantized_flatten
        _contrib_quantized_fully_connected _contrib_quantized_pooling""",
}
#: What we refuse and the original takes.
REFUSED = {
    "it reads or writes memory that is not the arrays'": """BatchNorm Correlation Crop GroupNorm Reshape stack im2col
        _contrib_BatchNormWithReLU _contrib_DeformableConvolution _contrib_DeformablePSROIPooling
        _contrib_MultiBoxDetection _contrib_MultiBoxTarget _contrib_ModulatedDeformableConvolution
        _contrib_PSROIPooling _contrib_Proposal
        _contrib_ROIAlign _contrib_RROIAlign _contrib_box_decode _contrib_box_encode _image_crop _unravel_index col2im
        _contrib_interleaved_matmul_encdec_qk _contrib_interleaved_matmul_encdec_valatt
        _contrib_interleaved_matmul_selfatt_qk _contrib_interleaved_matmul_selfatt_valatt _mp_adamw_update
        fill_element_0index softmax_cross_entropy _linalg_potrf""",
    "numbers too many, of which it takes the first ones": """Crop GridGenerator Pooling Pooling_v1 SpatialTransformer
        _image_adjust_lighting _contrib_quantized_conv""",
    "a histogram has one dimension": "_contrib_calibrate_entropy",
    "sizes and strides that make no sense, with results that do not either": """LRN Pooling Pooling_v1 _contrib_Proposal
        _contrib_MultiProposal _histogram scatter_nd _backward_gather_nd""",
    "a division by zero": "_contrib_MultiProposal _contrib_Proposal ftml_update ftrl_update",
}


#: What has another type than in the original.
OTHERWISE = {"it keeps uint8, as the range says": "_contrib_quantized_act"}


def is_known(op, taken):
    return any(registry.get(op).name in names.split() for names in (TAKEN if taken else REFUSED).values())


@pytest.mark.parametrize("family", samples.families())
@pytest.mark.filterwarnings("ignore")
def test_refusals(family):
    expected, wrong = recorded()[family], []
    for name, call in refusal_cases.calls(family):
        found = refusal_cases.outcome(mx, call, errors=())
        if found == expected[name] or expected[name] == "died":
            continue
        if "refused" not in (found, expected[name]) and call[0].op in OTHERWISE.values():
            continue
        if "refused" not in (found, expected[name]) or not is_known(call[0].op, taken=expected[name] == "refused"):
            wrong.append(f"{name}: {found}, the original: {expected[name]}")
    assert not wrong, "\n".join(wrong)
