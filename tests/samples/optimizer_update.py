"""Samples of the update operators of optimizers."""

import numpy as np

from .common import S, rand


def _arrays(states, dtype="float32", master=False, seed=0, shape=(3, 4)):
    # positive where a state is a mean of squares, so that roots exist
    found = [
        rand(*shape, seed=seed, low=-2, high=2, dtype=dtype),
        rand(*shape, seed=seed + 1, low=-3, high=3, dtype=dtype),
    ]
    kind = "float32" if master else dtype
    for i, state in enumerate(states):
        low = 1.0 if state == "+" else -1.0
        found.append(rand(*shape, seed=seed + 2 + i, low=low, high=2, dtype=kind))
    if master:
        found.append(found[0].astype("float32") + np.float32(1e-5))
    return found


def _family(name, states, required, more=(), master=None, f16=True):
    """A plain call, one with everything, float64, float16, the mixed precision twin, and two refused calls."""
    everything = dict(wd=0.3, rescale_grad=0.5, **required)
    result = [S(name, *_arrays(states), grad=False, **required)]
    for extra in [{}, dict(clip_gradient=0.4), *more]:
        result.append(S(name, *_arrays(states), grad=False, **dict(everything, **extra)))
    result.append(S(name, *_arrays(states, "float64"), grad=False, **everything))
    if f16:
        result.append(S(name, *_arrays(states, "float16"), grad=False, rtol=1e-2, atol=3e-3, **everything))
    refused = _arrays(states)
    result.append(S(name, refused[0], refused[1][:2], *refused[2:], error=True, **required))
    result.append(S(name, refused[0], refused[1].astype("float64"), *refused[2:], error=True, **required))
    if master:
        result.append(S(master, *_arrays(states, "float16", True), grad=False, rtol=1e-3, atol=1e-5, **required))
        for extra in [{}, dict(clip_gradient=0.4)]:
            attrs = dict(everything, **extra)
            result.append(S(master, *_arrays(states, "float16", True), grad=False, rtol=1e-3, atol=1e-5, **attrs))
        result.append(S(master, *_arrays(states, "float32", True), grad=False, **everything))
    return result


def _many(states, dtype="float32", master=False, count=3):
    found = []
    for i in range(count):
        found += _arrays(states, dtype, master, seed=10 * i, shape=(2, i + 1))
    return found


_ONE = np.array([0.5], "float32")
_LRS = np.array([0.1, 0.2, 0.3], "float32")
_WDS = np.array([0.3, 0.0, 0.01], "float32")

SAMPLES = [
    *_family("sgd_update", "", dict(lr=0.1), [dict(lazy_update=False), dict(clip_gradient=0.0)], "mp_sgd_update"),
    *_family("sgd_mom_update", "-", dict(lr=0.1), [dict(momentum=0.9, clip_gradient=0.5)], "mp_sgd_mom_update"),
    S("mp_sgd_mom_update", *_arrays("-", "float16", True), grad=False, rtol=1e-3, lr=0.1, momentum=0.9, wd=0.1),
    *_family("nag_mom_update", "-", dict(lr=0.1), [dict(momentum=0.9, clip_gradient=0.5)]),
    S("mp_nag_mom_update", *_arrays("-", "float16", True), grad=False, rtol=1e-3, lr=0.1, momentum=0.9),
    S("mp_nag_mom_update", *_arrays("-", "float16", True), grad=False, rtol=1e-3, lr=0.1, clip_gradient=0.5),
    *_family("adam_update", "-+", dict(lr=0.1), [dict(beta1=0.5, beta2=0.7, epsilon=0.1, lazy_update=False)]),
    *_family("rmsprop_update", "+", dict(lr=0.1), [dict(gamma1=0.5, epsilon=0.1, clip_weights=0.5)]),
    *_family("rmspropalex_update", "+-+", dict(lr=0.1, epsilon=4.0), [dict(gamma1=0.5, gamma2=0.3, clip_weights=0.5)]),
    *_family("signsgd_update", "", dict(lr=0.1)),
    *_family("signum_update", "-", dict(lr=0.1), [dict(momentum=0.9, wd_lh=0.2, clip_gradient=0.5)]),
    *_family("ftrl_update", "-+", dict(lr=0.1), [dict(lamda1=0.5, beta=0.3)]),
    S("ftml_update", *_arrays("++-"), grad=False, lr=0.1, t=1),
    S("ftml_update", *_arrays("++-"), grad=False, lr=0.1, t=3, wd=0.3, rescale_grad=0.5),
    S("ftml_update", *_arrays("++-"), grad=False, lr=0.1, t=3, wd=0.3, rescale_grad=0.5, clip_grad=0.4),
    S("ftml_update", *_arrays("++-"), grad=False, lr=0.1, t=9, beta1=0.5, beta2=0.9, epsilon=0.1),
    S("ftml_update", *_arrays("++-", "float64"), grad=False, lr=0.1, t=3, wd=0.3),
    S("ftml_update", *_arrays("++-"), error=True, lr=0.1),
    S("lamb_update_phase1", *_arrays("-+"), rtol=3e-5, grad=False, t=2, wd=0.1),
    S(
        "lamb_update_phase1",
        *_arrays("-+"),
        rtol=3e-5,
        grad=False,
        t=2,
        wd=0.1,
        rescale_grad=0.5,
        clip_gradient=0.4,
        epsilon=0.1,
    ),
    S(
        "lamb_update_phase1",
        *_arrays("-+"),
        rtol=3e-5,
        grad=False,
        t=2,
        wd=0.1,
        bias_correction=False,
        beta1=0.5,
        beta2=0.8,
    ),
    S("lamb_update_phase1", *_arrays("-+", "float64"), rtol=3e-5, grad=False, t=3, wd=0.1),
    S("lamb_update_phase1", *_arrays("-+"), error=True, t=3),
    S("mp_lamb_update_phase1", *_arrays("-+", "float16", True), grad=False, rtol=1e-4, t=2, wd=0.1),
    S(
        "mp_lamb_update_phase1",
        *_arrays("-+", "float16", True),
        grad=False,
        rtol=1e-4,
        t=2,
        wd=0.1,
        rescale_grad=0.5,
        clip_gradient=0.4,
        bias_correction=False,
    ),
    S("lamb_update_phase2", *_arrays(""), _ONE, 3 * _ONE, grad=False, lr=0.1),
    S("lamb_update_phase2", *_arrays(""), 0 * _ONE, 3 * _ONE, grad=False, lr=0.1),
    S("lamb_update_phase2", *_arrays(""), _ONE, 0 * _ONE, grad=False, lr=0.1),
    S("lamb_update_phase2", *_arrays(""), _ONE, 3 * _ONE, grad=False, lr=0.1, lower_bound=1.5, upper_bound=2.0),
    S("lamb_update_phase2", *_arrays(""), 9 * _ONE, 3 * _ONE, grad=False, lr=0.1, lower_bound=0.0, upper_bound=2.0),
    # with another scale, or clipping, the original also writes the scaled gradient back into its input
    S("_adamw_update", *_arrays("-+"), 2 * _ONE, grad=False, lr=0.1, eta=0.5),
    S(
        "_adamw_update",
        *_arrays("-+"),
        2 * _ONE,
        grad=False,
        lr=0.1,
        eta=0.5,
        wd=0.3,
        beta1=0.5,
        beta2=0.7,
        epsilon=0.1,
    ),
    S("_adamw_update", *_arrays("-+"), 0 * _ONE, into=(0,), grad=False, lr=0.1, eta=0.5, wd=0.3),
    S("_adamw_update", *_arrays("-+"), np.inf * _ONE, into=(0,), grad=False, lr=0.1, eta=0.5, wd=0.3),
    S("_adamw_update", *_arrays("-+"), np.nan * _ONE, into=(0,), grad=False, lr=0.1, eta=0.5, wd=0.3),
    S("_adamw_update", *_arrays("-+"), _ONE, lr=0.1, error=True),
    S("_mp_adamw_update", *_arrays("-+", "float16", True), _ONE, grad=False, rtol=1e-3, lr=0.1, eta=0.5, wd=0.3),
    S("_mp_adamw_update", *_arrays("-+", "float16", True), np.nan * _ONE, into=(0,), grad=False, lr=0.1, eta=0.5),
    S(
        "multi_sgd_update",
        *_many(""),
        into=(0, 2, 4),
        grad=False,
        lrs=(0.1, 0.2, 0.3),
        wds=(0.3, 0.0, 0.01),
        num_weights=3,
    ),
    S(
        "multi_sgd_update",
        *_many("", count=1),
        into=(0,),
        grad=False,
        lrs=(0.1,),
        wds=(0.3,),
        rescale_grad=0.5,
        clip_gradient=0.4,
    ),
    S("multi_sgd_update", *_many("", count=2), into=(0, 2), lrs=(0.1,), wds=(0.3,), num_weights=2, error=True),
    S("multi_sgd_update", *_many("", count=2), into=(0,), lrs=(0.1,), wds=(0.3,), num_weights=1, error=True),
    S("preloaded_multi_sgd_update", *_many(""), _LRS, _WDS, into=(0, 2, 4), grad=False, num_weights=3),
    S(
        "preloaded_multi_sgd_update",
        *_many(""),
        _LRS,
        _WDS,
        into=(0, 2, 4),
        grad=False,
        num_weights=3,
        rescale_grad=0.5,
        clip_gradient=0.4,
    ),
    S(
        "preloaded_multi_sgd_mom_update",
        *_many("-"),
        _LRS,
        _WDS,
        into=(0, 3, 6),
        grad=False,
        num_weights=3,
        momentum=0.9,
    ),
    S(
        "preloaded_multi_mp_sgd_update",
        *_many("", "float16", True),
        _LRS,
        _WDS,
        into=(0, 3, 6),
        grad=False,
        rtol=1e-3,
        num_weights=3,
    ),
    S(
        "preloaded_multi_mp_sgd_mom_update",
        *_many("-", "float16", True),
        _LRS,
        _WDS,
        into=(0, 4, 8),
        grad=False,
        rtol=1e-3,
        num_weights=3,
        momentum=0.9,
        clip_gradient=0.3,
    ),
    S("multi_lars", _LRS, 4 * _LRS, 2 * _LRS, _WDS, grad=False, eta=0.1, eps=0.01),
    S("multi_lars", _LRS, 4 * _LRS, 2 * _LRS, _WDS, grad=False, eta=0.1, eps=0.01, rescale_grad=0.5),
    S("multi_lars", _LRS, 4 * _LRS * (_LRS > 0.1), 2 * _LRS * (_LRS != 0.2), _WDS, grad=False, eta=0.1, eps=0.01),
]
for _name, _states, _master in [
    ("multi_sgd_mom_update", "-", False),
    ("multi_mp_sgd_update", "", True),
    ("multi_mp_sgd_mom_update", "-", True),
]:
    for _more in [{}, dict(rescale_grad=0.5, clip_gradient=0.4)]:
        _more = dict(_more, momentum=0.9) if _states else _more
        SAMPLES.append(
            S(
                _name,
                *_many(_states, "float16" if _master else "float32", _master),
                into=tuple(i * (2 + len(_states) + _master) for i in range(3)),
                grad=False,
                rtol=1e-3,
                lrs=(0.1, 0.2, 0.3),
                wds=(0.3, 0.0, 0.01),
                num_weights=3,
                **_more,
            )
        )
for _name, _master in [("_multi_adamw_update", False), ("_multi_mp_adamw_update", True)]:
    for _scale in [_ONE, np.nan * _ONE]:
        for _more in [{}, dict(clip_gradient=0.4, epsilon=0.1, beta1=0.5, beta2=0.7)]:
            SAMPLES.append(
                S(
                    _name,
                    *_many("-+", "float16" if _master else "float32", _master),
                    _scale,
                    into=tuple(i * (4 + _master) for i in range(3)),
                    grad=False,
                    rtol=1e-3,
                    lrs=(0.1, 0.2, 0.3),
                    wds=(0.3, 0.0, 0.01),
                    etas=(1.0, 0.5, 0.25),
                    num_weights=3,
                    **_more,
                )
            )
for _name, _master in [("_multi_lamb_update", False), ("_multi_mp_lamb_update", True)]:
    for _more in [
        {},
        dict(clip_gradient=0.4, epsilon=0.1, beta1=0.5, beta2=0.7, rescale_grad=0.5),
        dict(bias_correction=False, lower_bound=0.5, upper_bound=2.0),
    ]:
        SAMPLES.append(
            S(
                _name,
                *_many("-+", "float16" if _master else "float32", _master),
                into=tuple(i * (4 + _master) for i in range(3)),
                grad=False,
                rtol=1e-3,
                learning_rates=(0.1, 0.2, 0.3),
                wds=(0.3, 0.0, 0.01),
                step_count=(1, 2, 3),
                num_tensors=3,
                **_more,
            )
        )


def _in_half(op, states, *more, into=(0,), **attrs):
    """In float16 every operation is rounded: the same bits, if they are done in the same order."""
    return S(op, *_arrays(states, "float16"), *more, grad=False, into=into, rtol=0, atol=0, **attrs)


SAMPLES += [
    _in_half("sgd_update", "", lr=0.1, wd=0.03),
    _in_half("sgd_update", "", lr=0.1, rescale_grad=0.5, clip_gradient=0.4),
    _in_half("sgd_mom_update", "-", lr=0.1, wd=0.03, momentum=0.9),
    _in_half("sgd_mom_update", "-", lr=0.1, wd=0.03, momentum=0.9, rescale_grad=0.5, clip_gradient=0.4),
    _in_half("adam_update", "-+", lr=0.1, wd=0.03),
    _in_half("lamb_update_phase1", "-+", into=(), t=3, wd=0.03),
    _in_half("lamb_update_phase2", "", np.array([3.3], "float16"), np.array([2.7], "float16"), lr=0.1),
    # in place, what is kept of the momentum decays by the new weight
    S("nag_mom_update", *_arrays("-"), grad=False, into=(0,), lr=0.1, wd=0.3, momentum=0.9),
    S("nag_mom_update", *_arrays("-"), grad=False, into=(0,), lr=0.1, wd=0.3, momentum=0.9, clip_gradient=0.5),
    S("mp_nag_mom_update", *_arrays("-", "float16", True), grad=False, rtol=1e-3, lr=0.1, wd=0.3, momentum=0.9),
]
