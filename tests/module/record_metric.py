"""Records what the original's metrics give for the batches in metric_cases.py, into metric.json.

<python with mxnet 1.9.1> tests/module/record_metric.py
"""

import json
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import metric_cases as cases  # noqa: E402

if __name__ == "__main__":
    store = {name: cases.run(mx, name) for name in cases.CASES}
    made = {text: eval(text, dict(vars(mx.metric))) for text in cases.CONFIGS}
    configs = {text: [metric.get_config(), str(metric)] for text, metric in made.items()}
    names = {k: v.__name__ for k, v in mx.registry.get_registry(mx.metric.EvalMetric).items()}
    lines = ["  %s: %s" % (json.dumps(k), json.dumps(v, default=float)) for k, v in store.items()]
    rest = ["  %s: %s" % (json.dumps(k), json.dumps(v)) for k, v in configs.items()]
    text = '{\n "values": {\n%s\n },\n "configs": {\n%s\n },\n "names": %s\n}\n'
    (GOLDEN / "metric.json").write_text(text % (",\n".join(lines), ",\n".join(rest), json.dumps(names)))
    print("%d metrics, %d configurations" % (len(store), len(configs)))
