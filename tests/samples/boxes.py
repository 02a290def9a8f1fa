"""Samples of boxes: overlap, suppression, matching, encoding, SSD and proposals."""

import numpy as np

from .common import S, ints, rand


def _boxes(*shape, seed=0, dtype="float32"):
    low = rand(*shape, 2, low=0.0, high=0.6, seed=seed)
    size = rand(*shape, 2, low=0.05, high=0.4, seed=seed + 100)
    return np.concatenate([low, low + size], -1).astype(dtype)


def _rows(*shape, seed=0, dtype="float32", classes=3):
    ids = ints(*shape, 1, high=classes, seed=seed).astype(dtype)
    scores = rand(*shape, 1, low=-0.2, high=1.0, seed=seed).astype(dtype)
    return np.concatenate([ids, scores, _boxes(*shape, seed=seed).astype(dtype)], -1)


_EXAMPLE = np.array(
    [
        [0, 0.5, 0.1, 0.1, 0.2, 0.2],
        [1, 0.4, 0.1, 0.1, 0.2, 0.2],
        [0, 0.3, 0.1, 0.1, 0.14, 0.14],
        [2, 0.6, 0.5, 0.5, 0.7, 0.8],
        [0, 0.5, 0.6, 0.6, 0.7, 0.7],
    ],
    "float32",
)
_NO_CLASS = _rows(20) - np.array([1, 0, 0, 0, 0, 0], "float32")  # ids from -1
_HALF = np.array([[0, 0.9, 0, 0, 1, 1], [0, 0.8, 0, 0, 1, 0.5], [0, 0.7, 0, 0, 1, 0.5]], "float32")
_EMPTY = np.array([[0.3, 0.3, 0.3, 0.3], [0.5, 0.5, 0.2, 0.2], [0.1, 0.1, 0.4, 0.5]], "float32")

_ANCHORS = np.array(
    [
        [
            [0.1, 0.1, 0.4, 0.4],
            [0.15, 0.1, 0.4, 0.45],
            [0.5, 0.5, 0.9, 0.9],
            [0.5, 0.55, 0.9, 0.8],
            [0, 0, 0.2, 0.2],
            [0.7, 0.1, 0.9, 0.3],
            [0.6, 0.6, 0.7, 0.7],
        ]
    ],
    "float32",
)
_NONE = [-1, -1, -1, -1, -1]
_LABELS = np.array(
    [
        [[1, 0.1, 0.1, 0.42, 0.42], [0, 0.55, 0.5, 0.9, 0.9], _NONE],
        [[2, 0.6, 0.6, 0.72, 0.7], _NONE, [1, 0.1, 0.1, 0.42, 0.42]],
        [_NONE, _NONE, _NONE],
    ],
    "float32",
)
_PROBS = np.exp(rand(2, 3, 7, low=-2, high=2))
_PROBS = (_PROBS / _PROBS.sum(1, keepdims=True)).astype("float32")
_SIZE = np.array([[48, 64, 1]], "float32")
_RPN = dict(scales=(2,), ratios=(0.5, 1, 2), rpn_post_nms_top_n=12)


def _nms(data, numeric=False, **attrs):
    # numerically only where no class, tie or threshold is near
    return S("_contrib_box_nms", data, numeric=numeric, **attrs)


SAMPLES = [
    S("_contrib_box_iou", _boxes(5), _boxes(3, seed=1), numeric=False),
    S("_contrib_box_iou", _boxes(2, 2), _boxes(3, 1, seed=1), numeric=False),
    S("_contrib_box_iou", _boxes(5), _boxes(3, seed=1), format="center", numeric=False),
    S("_contrib_box_iou", _EMPTY, _EMPTY, numeric=False),
    S("_contrib_box_iou", _boxes(5, dtype="float64"), _boxes(3, seed=1, dtype="float64"), numeric=False),
    S("_contrib_box_iou", _boxes(5, dtype="float16"), _boxes(3, dtype="float16"), numeric=False, rtol=1e-2, atol=1e-3),
    S("_contrib_box_iou", _boxes(5), rand(5, 3), error=True),
    S("_contrib_box_iou", _boxes(5), _boxes(5)[0], error=True),
    _nms(_EXAMPLE, overlap_thresh=0.1, id_index=0, force_suppress=True),
    _nms(_EXAMPLE, overlap_thresh=0.1, id_index=0),
    _nms(_EXAMPLE, overlap_thresh=0.1),
    _nms(_rows(2, 30), numeric=True),
    _nms(_rows(2, 3, 12), overlap_thresh=0.3, id_index=0),
    _nms(_rows(30), overlap_thresh=0.2, id_index=0, background_id=1, valid_thresh=0.2),
    _nms(_rows(30), overlap_thresh=0.2, background_id=1),
    _nms(_NO_CLASS, overlap_thresh=0.2, id_index=0),
    _nms(_NO_CLASS, overlap_thresh=0.2, id_index=0, background_id=-2, force_suppress=True),
    _nms(_rows(30), overlap_thresh=0.4, topk=10, numeric=True),
    _nms(_rows(30), topk=0),
    _nms(_rows(30), topk=100, valid_thresh=-1.0),
    _nms(_rows(20), in_format="center", overlap_thresh=0.3),
    _nms(_rows(20), in_format="center", out_format="corner", overlap_thresh=0.3),
    _nms(_rows(20), out_format="center", overlap_thresh=0.3),
    _nms(_rows(20)[:, [2, 3, 4, 5, 1, 0]], coord_start=0, score_index=4, id_index=5),
    _nms(_rows(20), valid_thresh=2.0),
    _nms(_HALF, overlap_thresh=0.5),
    _nms(_HALF, overlap_thresh=0.0),
    _nms(_HALF, overlap_thresh=-1.0),
    _nms(_rows(20, dtype="float64"), overlap_thresh=0.3),
    # Boxes that begin left of the image keep their format; fractions of classes do not count.
    _nms(_rows(20) - 0.3, in_format="center", out_format="corner", overlap_thresh=0.3, valid_thresh=-1.0),
    _nms(_rows(20) - 0.3, out_format="center", overlap_thresh=0.3, valid_thresh=-1.0),
    _nms(_rows(30) * [[0.4, 1, 1, 1, 1, 1]], overlap_thresh=0.2, id_index=0),
    S("_contrib_box_nms", _rows(20), coord_start=3, error=True),
    S("_contrib_box_nms", _rows(20), score_index=6, error=True),
    S("_contrib_box_nms", _rows(20), score_index=3, error=True),
    S("_contrib_box_nms", ints(4, 6), error=True),
    S("_contrib_bipartite_matching", rand(5, 6), threshold=0.0, numeric=False),
    S("_contrib_bipartite_matching", rand(2, 5, 3), threshold=-0.5, numeric=False),
    S("_contrib_bipartite_matching", rand(2, 3, 6), threshold=0.3, is_ascend=True, numeric=False),
    S("_contrib_bipartite_matching", rand(5, 6), threshold=-2.0, topk=2, numeric=False),
    S("_contrib_bipartite_matching", np.ones((2, 3), "float32"), threshold=0.5, numeric=False),
    S("_contrib_bipartite_matching", np.ones((2, 3), "float32"), threshold=1.0, numeric=False),
    S("_contrib_bipartite_matching", rand(5, 6, dtype="float64"), threshold=0.0, numeric=False),
    S("_contrib_bipartite_matching", rand(5), threshold=0.0, error=True),
    S("_contrib_bipartite_matching", rand(5, 6), error=True),
    S(
        "_contrib_box_encode",
        rand(2, 5, low=0.0),
        ints(2, 5, high=3).astype("float32"),
        _boxes(2, 5),
        _boxes(2, 3, seed=1),
        rand(4),
        rand(4, low=0.1, seed=1),
        numeric=False,
    ),
    S("_contrib_box_decode", rand(2, 5, 4), _boxes(1, 5), numeric=False),
    S("_contrib_box_decode", rand(2, 5, 4), _boxes(1, 5), std0=0.1, std1=0.2, std2=0.3, std3=0.4, numeric=False),
    S("_contrib_box_decode", rand(2, 5, 4), _boxes(1, 5), format="corner", clip=0.2, numeric=False),
    S("_contrib_box_decode", rand(2, 5, 4), _boxes(1, 5), clip=0.0, numeric=False),
    S("_contrib_box_decode", rand(2, 5, 4), _boxes(1, 4), error=True),
    S("_contrib_MultiBoxPrior", rand(2, 3, 2, 3), numeric=False),
    S("_contrib_MultiBoxPrior", rand(1, 3, 2, 3), sizes=(0.5, 0.25), ratios=(1, 2, 0.5), numeric=False),
    S("_contrib_MultiBoxPrior", rand(1, 3, 2, 3), sizes=(0.5, 0.25), ratios=(2, 3), clip=True, numeric=False),
    S("_contrib_MultiBoxPrior", rand(1, 3, 3, 2), ratios=(2,), steps=(0.2, 0.1), offsets=(0.3, 0.7), numeric=False),
    S("_contrib_MultiBoxPrior", rand(3, 2, 3), error=True),
    S("_contrib_MultiBoxPrior", rand(1, 3, 2, 3), sizes=(), error=True),
    S("_contrib_MultiBoxPrior", rand(1, 3, 2, 3), steps=(0.1, -1), error=True),
    *[
        S("_contrib_MultiBoxTarget", _ANCHORS, _LABELS, rand(3, 4, 7, low=-2, high=2), numeric=False, **attrs)
        for attrs in [
            {},
            dict(overlap_threshold=0.9),
            dict(overlap_threshold=0.0),
            dict(overlap_threshold=0.1, variances=(0.1, 0.2, 0.3, 0.4)),
            dict(negative_mining_ratio=1),
            dict(negative_mining_ratio=1, negative_mining_thresh=0.1, overlap_threshold=0.9),
            dict(negative_mining_ratio=3.0, minimum_negative_samples=4, ignore_label=-7),
            dict(negative_mining_ratio=0.5),
        ]
    ],
    S("_contrib_MultiBoxTarget", _HALF[None, :, 2:], _HALF[None, 1:2, [0, 2, 3, 4, 5]], rand(1, 2, 3), numeric=False),
    S("_contrib_MultiBoxTarget", _ANCHORS, _LABELS, rand(3, 4, 6), error=True),
    S("_contrib_MultiBoxTarget", _ANCHORS[..., :3], _LABELS, rand(3, 4, 7), error=True),
    *[
        S("_contrib_MultiBoxDetection", _PROBS, rand(2, 28, low=-0.5, high=0.5), _ANCHORS, numeric=False, **attrs)
        for attrs in [
            {},
            dict(clip=False, nms_threshold=1, variances=(1, 1, 1, 1)),
            dict(threshold=0.4, background_id=1),
            dict(force_suppress=True, nms_threshold=0.1),
            dict(nms_topk=3, nms_threshold=0.3),
            dict(nms_threshold=0),
            dict(nms_threshold=1.5),
            dict(threshold=0.99),
        ]
    ],
    S(
        "_contrib_MultiBoxDetection",
        _PROBS[:1, :, :3],
        0 * rand(1, 12),
        _HALF[None, :, 2:],
        force_suppress=True,
        numeric=False,
    ),
    S("_contrib_MultiBoxDetection", _PROBS, rand(2, 24), _ANCHORS, error=True),
    S("_contrib_MultiBoxDetection", _PROBS, rand(2, 28), _ANCHORS[:, :6], error=True),
    *[
        S(
            "_contrib_Proposal",
            rand(1, 6, 3, 4, low=0),
            rand(1, 12, 3, 4, low=-0.3, high=0.3),
            size,
            numeric=False,
            **attrs,
        )
        for size, attrs in [
            (_SIZE, dict(_RPN, rpn_min_size=4)),
            (_SIZE, dict(_RPN, output_score=True, iou_loss=True)),
            (_SIZE, dict(_RPN, output_score=True, rpn_min_size=40)),
            (_SIZE, dict(_RPN, output_score=True, rpn_pre_nms_top_n=5, threshold=0.3)),
            (_SIZE * np.array([1, 1, 2], "float32"), dict(_RPN, output_score=True, rpn_min_size=15, threshold=0.9)),
            (_SIZE - np.array([18, 24, 0], "float32"), dict(_RPN, output_score=True, rpn_min_size=4, threshold=0.9)),
            (
                _SIZE - np.array([24, 32, 0], "float32"),
                dict(_RPN, rpn_post_nms_top_n=50, feature_stride=8, scales=(4,), ratios=(0.3, 1, 3)),
            ),
        ]
    ],
    S("_contrib_Proposal", rand(2, 6, 3, 4), rand(2, 12, 3, 4), np.concatenate([_SIZE, _SIZE]), error=True, **_RPN),
    S("_contrib_Proposal", rand(1, 6, 3, 4), rand(1, 12, 3, 4), _SIZE, error=True, scales=(2, 4), ratios=(1, 2)),
    S(
        "_contrib_MultiProposal",
        rand(2, 6, 3, 4, low=0),
        rand(2, 12, 3, 4, low=-0.3, high=0.3),
        np.concatenate([_SIZE, _SIZE - np.array([10, 0, 0], "float32")]),
        numeric=False,
        output_score=True,
        **_RPN,
    ),
    S("_contrib_MultiProposal", rand(1, 6, 3, 4, low=0), rand(1, 12, 3, 4), _SIZE, numeric=False, **_RPN),
]
