"""Records what the original makes of the symbols in control_flow.py.

<python with mxnet 1.9.1> tests/ops/record_control_flow.py
"""

import json
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

from control_flow_cases import SYMBOLS  # noqa: E402

if __name__ == "__main__":
    store = {}
    for name, (make, arrays) in SYMBOLS.items():
        with mx.name.NameManager():
            symbol = make(mx)
        args = {n: mx.nd.array(arrays[n]) for n in symbol.list_arguments()}
        grads = {n: mx.nd.zeros(a.shape) for n, a in args.items()}
        try:
            executor = symbol.bind(mx.cpu(), args, args_grad=grads)
            outputs = executor.forward(is_train=True)
            executor.backward([mx.nd.ones(o.shape) for o in outputs])
        except mx.MXNetError:  # it cannot differentiate every loop
            grads = {}
            outputs = symbol.bind(mx.cpu(), args).forward()
        loop = name == "while_loop"
        if loop:  # its gradient leaves out what comes through the stacked outputs
            grads = {}
        store[name] = {
            "json": symbol.tojson(),
            "arguments": symbol.list_arguments(),
            "outputs": symbol.list_outputs(),
            "rows": [5 if loop and len(o) == 7 else len(o) for o in outputs],
            "values": [o.asnumpy().tolist()[: 5 if loop and len(o) == 7 else None] for o in outputs],
            "gradients": {n: g.asnumpy().tolist() for n, g in grads.items()},
        }
    (GOLDEN / "control_flow.json").write_text(json.dumps(store, indent=1, sort_keys=True))
    print(len(store), "symbols")
