"""Records what the original's initializers make, into initializer.json. The tests evaluate the same texts.

<python with mxnet 1.9.1> tests/module/record_initializer.py
"""

import json
import pathlib

import numpy as np

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

NAMES = (
    "fc_weight",
    "fc_bias",
    "bn_gamma",
    "bn_beta",
    "q_min",
    "q_max",
    "bn_moving_mean",
    "bn_moving_var",
    "bn_moving_inv_var",
    "bn_moving_avg",
    "bn_running_mean",
    "bn_running_var",
    "parameters",
    "upsampling1",
    "upsampling_weight",
    "stn_loc_weight",
    "stn_loc_bias",
    "x",
    "bias_quantize",
    "a_state",
    "weightx",
    "quantized_weight",
)

# As FusedRNNCell writes it: its parts are initialized by the initializer of the whole network.
FusedRNN = '["fusedrnn", {"init": null, "num_hidden": 3, "num_layers": 2, "mode": "lstm", "bidirectional": false}]'
# Arrays that are always the same: initializer, parameter name, shape, attributes.
EXACT = (
    ("Zero()", "a_weight", (2, 3), None),
    ("One()", "a_weight", (2, 3), None),
    ("Constant(2.5)", "a_weight", (2, 3), None),
    ("Constant(mx.nd.array([[1, 2, 3], [4, 5, 6]]))", "a_weight", (2, 3), None),
    ("Constant(np.array([1, 2, 3]))", "a_weight", (2, 3), None),
    ("Constant([[7], [8]])", "a_weight", (2, 3), None),
    ("Bilinear()", "a_weight", (1, 1, 4, 4), None),
    ("Bilinear()", "a_weight", (2, 1, 3, 3), None),
    ("Bilinear()", "a_weight", (1, 2, 5, 5), None),
    ("Bilinear()", "a_weight", (1, 1, 3, 5), None),
    ("Bilinear()", "a_weight", (1, 1, 5, 3), None),
    ("Bilinear()", "a_weight", (1, 1, 1, 1), None),
    ("Bilinear()", "a_weight", (1, 1, 2, 2), None),
    ("LSTMBias()", "a_bias", (8,), None),
    ("LSTMBias(2.0)", "a_weight", (8,), None),
    ("LSTMBias()", "a_weight", (9,), None),
    ("One()", "a_bias", (8,), {"__init__": '["lstmbias", {"forget_bias": 3.0}]'}),
    ("One()", "a_weight", (2,), {"__init__": '["constant", {"value": 4}]'}),
    ("One()", "anything", (2,), {"__init__": "zeros"}),
    ("Zero()", "a_weight", (2,), {"__init__": ""}),
    ("Mixed(['bias', '.*weight', '.*'], [Zero(), Constant(2), One()])", "a_weight", (2,), None),
    ("Mixed(['bias', '.*weight', '.*'], [Zero(), Constant(2), One()])", "a_gamma", (2,), None),
    ("Mixed(['bias', '.*weight', '.*'], [Constant(5), Constant(2), One()])", "a_bias", (2,), None),
    ("Load({'arg:a_weight': mx.nd.array([1, 2]), 'aux:m': mx.nd.array([3])})", "a_weight", (2,), None),
    ("Load({'arg:a_weight': mx.nd.array([1, 2]), 'aux:m': mx.nd.array([3])})", "m", (1,), None),
    ("FusedRNN(Constant(2), 3, 2, 'lstm', forget_bias=4.0)", "a_weight", (204,), None),
    ("FusedRNN(Constant(2), 3, 2, 'gru', True)", "a_weight", (360,), None),
    ("FusedRNN(Constant(2), 3, 2, 'rnn_tanh')", "a_weight", (51,), None),
    ("Constant(6)", "parameters", (204,), {"__init__": FusedRNN}),
    ("Load({'v': mx.nd.array([1, 2])}, default_init=One())", "b_weight", (2,), None),
)

RANDOM = (
    ("Uniform()", (200, 300)),
    ("Uniform(0.5)", (200, 300)),
    ("Normal()", (200, 300)),
    ("Normal(2)", (200, 300)),
    ("Xavier()", (100, 600)),
    ("Xavier('gaussian', 'in', 2)", (100, 600)),
    ("Xavier('uniform', 'out', 2.34)", (60, 40, 5, 5)),
    ("Xavier('gaussian', 'avg', 1)", (60, 40, 5, 5)),
    ("MSRAPrelu()", (60, 40, 5, 5)),
    ("MSRAPrelu('in', 0)", (100, 600)),
    ("Orthogonal()", (100, 300)),
    ("Orthogonal(scale=2, rand_type='normal')", (300, 10, 10)),
)

TEXTS = (
    "Zero()",
    "One()",
    "Constant(2.5)",
    "Constant(3)",
    "Constant(mx.nd.array([1, 2]))",
    "Constant(np.array([[1], [2]]))",
    "Uniform()",
    "Uniform(0.2)",
    "Normal()",
    "Normal(sigma=2)",
    "Orthogonal()",
    "Orthogonal(2.0, 'normal')",
    "Xavier()",
    "Xavier('gaussian', 'in', 2)",
    "MSRAPrelu()",
    "MSRAPrelu('in', 0)",
    "Bilinear()",
    "LSTMBias()",
    "LSTMBias(2.0)",
    "FusedRNN(None, 3, 2, 'lstm')",
    "FusedRNN(Uniform(), 3, 2, 'gru', True)",
    "FusedRNN(Xavier(), 4, 1, 'rnn_relu', False, 2.0)",
)


def filled(text, name, shape, attrs, described=True):
    """The array after initialization, as a list, or the type of the error."""
    array = mx.nd.ones(shape) * 7
    try:
        initializer = eval(text, dict(vars(mx.init), mx=mx, np=np))
        initializer(mx.init.InitDesc(name, attrs) if described else name, array)
    except Exception as error:
        return type(error).__name__
    return array.asnumpy().ravel().tolist()


def shape_for(name):
    """A shape that a parameter of that name may have."""
    return (6,) if "bias" in name else (1, 1, 2, 4) if "upsampling" in name else (2, 3)


if __name__ == "__main__":
    store = {"names": [], "exact": [], "random": [], "dumps": {}}
    for name in NAMES:
        for described in (True, False):
            shape = shape_for(name)
            store["names"].append([name, described, shape, filled("Constant(3)", name, shape, None, described)])
    for text, name, shape, attrs in EXACT:
        store["exact"].append([text, name, shape, attrs, filled(text, name, shape, attrs)])
    for text, shape in RANDOM:
        x = np.array(filled(text, "a_weight", shape, None))
        store["random"].append([text, shape, x.mean(), x.std(), x.min(), x.max()])
    for text in TEXTS:
        store["dumps"][text] = eval(text, dict(vars(mx.init), mx=mx, np=np)).dumps()
    store["registered"] = {k: v.__name__ for k, v in mx.registry.get_registry(mx.init.Initializer).items()}
    parts = []
    for key, value in store.items():
        if isinstance(value, list):
            parts.append(" %s: [\n%s\n ]" % (json.dumps(key), ",\n".join("  " + json.dumps(v) for v in value)))
        else:
            parts.append(" %s: %s" % (json.dumps(key), json.dumps(value, indent=2)))
    (GOLDEN / "initializer.json").write_text("{\n" + ",\n".join(parts) + "\n}\n")
