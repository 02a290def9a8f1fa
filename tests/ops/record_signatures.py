"""Records the names, inputs, attributes and defaults of the original's operators in signatures.json.

<python with mxnet 1.9.1> tests/ops/record_signatures.py
"""

import json
import pathlib
import re

import mxnet as mx

# Not recorded: gradients, which the original registers as operators; int8 and subgraph operators; second names of
# storage types; what only its engine or compiler calls.
APART = re.compile(
    r"backward|^_sparse_(?!retain$|adagrad_update$)|^_sg_|_CachedOp|_CustomFunction|^_NDArray$|^_Native$"
    r"|_NoGradient|_CrossDeviceCopy|_copyto$|_FusedOp|tvm_|intgemm"
)
INPUTS = {
    "NDArray-or-Symbol": "",
    "NDArray": "",
    "Symbol": "",
    "NDArray-or-Symbol[]": "*",
    "Symbol or Symbol[]": "*",
}


def signature(name):
    """Inputs in order (a variadic one with a star) and attributes in order with their defaults.

    An attribute is "required", has its default as text, or "?" where the original declares neither.
    """
    found = mx.operator.get_operator_arguments(name)
    inputs, attrs = [], {}
    for argument, kind in zip(found.names, found.types):
        if kind in INPUTS:
            inputs.append(INPUTS[kind] + argument)
        elif kind.endswith("required"):
            attrs[argument] = "required"
        else:
            default = re.search(r"optional, default=(.*)$", kind)
            attrs[argument] = default.group(1).strip("'") if default else "?"
    return {"inputs": inputs, "attrs": attrs}


if __name__ == "__main__":
    names = sorted(n for n in mx.operator.get_all_registered_operators() if not APART.search(n))
    target = pathlib.Path(__file__).resolve().parents[1] / "golden" / "signatures.json"
    lines = [f"{json.dumps(name)}: {json.dumps(signature(name))}" for name in names]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(names)} operators and aliases, {target.stat().st_size // 1024} KiB")
