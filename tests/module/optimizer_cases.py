"""Optimizer runs that the recorder and the tests share: which optimizer, with which arguments, on which arrays.

Read by the original's old Python packages too: only NumPy and plain syntax.
"""

import numpy as np

STEPS = 5
SHAPES = ((3, 4), (4,), (2, 3))
NAMES = {0: "first_weight", 1: "second_bias", 2: "third_weight"}
# A name for the case, the optimizer, its arguments.
KINDS = (
    ("sgd", "sgd", {"learning_rate": 0.1}),
    ("sgd_momentum", "sgd", {"learning_rate": 0.1, "momentum": 0.9}),
    ("sgd_eager", "sgd", {"learning_rate": 0.1, "momentum": 0.5, "lazy_update": False}),
    ("ccsgd", "ccsgd", {"learning_rate": 0.1, "momentum": 0.9}),
    ("nag", "nag", {"learning_rate": 0.1}),
    ("nag_momentum", "nag", {"learning_rate": 0.1, "momentum": 0.9}),
    ("signum", "signum", {"learning_rate": 0.05}),
    ("signum_lh", "signum", {"learning_rate": 0.05, "momentum": 0.5, "wd_lh": 0.1}),
    ("signsgd", "signum", {"learning_rate": 0.05, "momentum": 0.0}),
    ("adam", "adam", {"learning_rate": 0.05}),
    ("adam_betas", "adam", {"learning_rate": 0.05, "beta1": 0.7, "beta2": 0.9, "epsilon": 1e-3}),
    ("adagrad", "adagrad", {"learning_rate": 0.1}),
    ("adagrad_eps", "adagrad", {"learning_rate": 0.1, "eps": 0.1}),
    ("adadelta", "adadelta", {}),
    ("adadelta_rho", "adadelta", {"learning_rate": 0.5, "rho": 0.5, "epsilon": 1e-2}),
    ("rmsprop", "rmsprop", {"learning_rate": 0.01}),
    ("rmsprop_bound", "rmsprop", {"learning_rate": 0.1, "gamma1": 0.5, "clip_weights": 0.4}),
    ("rmsprop_centered", "rmsprop", {"learning_rate": 0.01, "centered": True, "gamma2": 0.7}),
    ("rmsprop_centered_bound", "rmsprop", {"learning_rate": 0.1, "centered": True, "clip_weights": 0.4}),
    ("adamax", "adamax", {"learning_rate": 0.05}),
    ("nadam", "nadam", {"learning_rate": 0.05}),
    ("nadam_decay", "nadam", {"learning_rate": 0.05, "beta1": 0.8, "schedule_decay": 0.1}),
    ("ftrl", "ftrl", {}),
    ("ftrl_lamda", "ftrl", {"learning_rate": 0.5, "lamda1": 0.3, "beta": 0.5}),
    ("ftml", "ftml", {"learning_rate": 0.05}),
    ("dcasgd", "dcasgd", {"learning_rate": 0.1}),
    ("dcasgd_lamda", "dcasgd", {"learning_rate": 0.1, "lamda": 0.5}),
    ("lbsgd", "lbsgd", {"learning_rate": 0.1}),
    ("lbsgd_momentum", "lbsgd", {"learning_rate": 0.1, "momentum": 0.9, "batch_scale": 2, "updates_per_epoch": 2}),
    ("lbsgd_power2", "lbsgd", {"learning_rate": 0.1, "warmup_strategy": "power2", "batch_scale": 2}),
    ("lbsgd_sqrt", "lbsgd", {"learning_rate": 0.1, "warmup_strategy": "sqrt", "momentum": 0.9, "batch_scale": 4}),
    ("lbsgd_lars", "lbsgd", {"learning_rate": 0.1, "warmup_strategy": "lars", "momentum": 0.9}),
    ("lbsgd_other", "lbsgd", {"learning_rate": 0.1, "warmup_strategy": "none", "batch_scale": 3}),
    ("lbsgd_begin", "lbsgd", {"learning_rate": 0.1, "begin_epoch": 2, "updates_per_epoch": 3, "batch_scale": 2}),
    ("lbsgd_after", "lbsgd", {"learning_rate": 0.1, "warmup_epochs": 1, "updates_per_epoch": 2, "batch_scale": 2}),
    ("lars", "lars", {"learning_rate": 0.1}),
    ("lars_momentum", "lars", {"learning_rate": 0.1, "momentum": 0.9, "eta": 0.1, "eps": 1e-3}),
    ("lars_constant", "lars", {"learning_rate": 0.1, "momentum": 0.9, "momentum_correction": False}),
    ("lamb", "lamb", {"learning_rate": 0.05}),
    ("lamb_bounds", "lamb", {"learning_rate": 0.05, "lower_bound": 0.5, "upper_bound": 1.5, "bias_correction": False}),
    ("groupadagrad", "groupadagrad", {"learning_rate": 0.1}),
    ("test", "test", {}),
)
# Optimizers that know no weight decay.
NO_DECAY = ("groupadagrad",)
# Arguments of every optimizer; "scheduler" stands for a FactorScheduler, "mult" for calls of set_lr_mult / set_wd_mult.
COMMON = (
    ("plain", {}),
    ("wd", {"wd": 0.05}),
    ("clip", {"clip_gradient": 0.3}),
    ("all", {"wd": 0.05, "clip_gradient": 0.3, "rescale_grad": 0.5}),
    ("rescale", {"rescale_grad": 0.25, "wd": 0.1}),
    ("mult", {"wd": 0.05, "mult": True}),
    ("schedule", {"wd": 0.05, "rescale_grad": 2.0, "scheduler": True}),
    ("half", {"wd": 0.05, "multi_precision": True, "clip_gradient": 0.3, "rescale_grad": 0.5}),
)

# Optimizers whose states are recorded as the bytes of Updater.get_states().
STATES = (
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "multi_precision": True}),
    ("sgld", {"learning_rate": 0.1}),
    ("adam", {"learning_rate": 0.1, "scheduler": True}),
    ("lars", {"momentum": 0.9, "clip_gradient": 0.5}),
    ("lamb", {}),
    ("lbsgd", {"batch_scale": 2, "momentum": 0.5}),
    ("rmsprop", {"centered": True}),
    ("nadam", {"wd": 0.1}),
)


def cases():
    """Each case as its name, the optimizer, its arguments, is it float16?"""
    for kind, name, own in KINDS:
        for label, common in COMMON:
            arguments = dict(own, **common)
            if name in NO_DECAY:
                arguments.pop("wd", None)
            yield "%s-%s" % (kind, label), name, arguments, label == "half"


def arrays(name):
    """The weights, and the gradients of each step, of an optimizer."""
    rng = np.random.RandomState(7)
    shapes = tuple(s for s in SHAPES if len(s) == 2) if name == "groupadagrad" else SHAPES
    weights = [rng.uniform(-1, 1, s).astype("float32") for s in shapes]
    grads = [[rng.normal(0, 1, s).astype("float32") for s in shapes] for _ in range(STEPS)]
    return weights, grads


def make(mx, name, arguments):
    """The optimizer of a case."""
    arguments = dict(arguments)
    mult, scheduler = arguments.pop("mult", False), arguments.pop("scheduler", False)
    if scheduler:
        arguments["lr_scheduler"] = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.07)
    optimizer = mx.optimizer.create(name, param_idx2name=NAMES, **arguments)
    if mult:
        optimizer.set_lr_mult({"first_weight": 0.5, 2: 3.0})
        optimizer.set_wd_mult({"second_bias": 2.0})
    return optimizer


def flat(state):
    """The arrays of a state, in order."""
    if state is None:
        return []
    if isinstance(state, (list, tuple)):
        return [array for part in state for array in flat(part)]
    return [state.asnumpy()]


def run(mx, name, arguments, half, together):
    """Weights, then states, after all steps; by one call for all weights or by one call for each."""
    optimizer = make(mx, name, arguments)
    updater = mx.optimizer.get_updater(optimizer)
    dtype = "float16" if half else "float32"
    start, grads = arrays(name)
    weights = [mx.nd.array(w, dtype=dtype) for w in start]
    indices = list(range(len(weights)))
    for step in range(STEPS):
        given = [mx.nd.array(g, dtype=dtype) for g in grads[step]]
        if together:
            updater(indices, given, weights)
        else:
            for i in indices:
                updater(i, given[i], weights[i])
    return [w.asnumpy() for w in weights] + [array for i in indices for array in flat(updater.states[i])]


def updater_with_states(mx, name, arguments):
    """An updater after three steps, on weights that are float16 if the optimizer has multi_precision."""
    updater = mx.optimizer.get_updater(make(mx, name, arguments))
    dtype = "float16" if arguments.get("multi_precision") else "float32"
    start, grads = arrays(name)
    weights = [mx.nd.array(w, dtype=dtype) for w in start]
    for step in range(3):
        for i, weight in enumerate(weights):
            updater(i, mx.nd.array(grads[step][i], dtype=dtype), weight)
    return updater


# Optimizers that are compared bit by bit on float16 weights without a float32 copy.
HALF = (
    ("sgd", {"momentum": 0.9, "wd": 0.01}),
    ("nag", {"momentum": 0.9}),
    ("nag", {"momentum": 0.9, "wd": 0.01, "clip_gradient": 0.5, "rescale_grad": 0.5}),
    ("adam", {"wd": 0.01}),
    ("adamax", {"wd": 0.01}),
    ("nadam", {}),
    ("nadam", {"wd": 0.01, "clip_gradient": 0.5}),
    ("ftml", {}),
    ("ftml", {"wd": 0.01, "rescale_grad": 0.5}),
    ("dcasgd", {}),
    ("dcasgd", {"wd": 0.01, "lamda": 0.5}),
    ("signum", {"momentum": 0.9}),
)


def run_half(mx, name, arguments):
    """The bits of a float16 weight after each of four steps."""
    dice = np.random.RandomState(3)
    weight = mx.nd.array(dice.uniform(-1, 1, 200), dtype="float16")
    updater = mx.optimizer.get_updater(mx.optimizer.create(name, learning_rate=0.05, **arguments))
    found = []
    for _ in range(4):
        gradient = dice.uniform(0.25, 1, 200) * dice.choice([-1, 1], 200)
        updater(0, mx.nd.array(gradient, dtype="float16"), weight)
        found.append(weight.asnumpy().view("uint16").copy())
    return np.array(found)
