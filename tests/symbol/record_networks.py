"""Records what the original makes of whole networks, recurrent cells and old files.

<python with mxnet 1.9.1> tests/symbol/record_networks.py
"""

import gzip
import json
import pathlib

import mxnet as mx

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"

import legacy_cases  # noqa: E402
import more_network_cases as networks_more  # noqa: E402
import network_cases as networks  # noqa: E402
import rnn_cases  # noqa: E402


def record(cases):
    store = {}
    for name, case in cases.items():
        try:
            store[name] = networks.describe(mx, case)
        except Exception as error:
            print("%s: %s: %s" % (name, type(error).__name__, str(error)[:600]))
    return store


def write(path, store):
    text = json.dumps(store, separators=(",", ":"), sort_keys=True)
    (GOLDEN / path).write_bytes(gzip.compress(text.encode(), mtime=0))
    print("%s: %d cases, %d KiB" % (path, len(store), (GOLDEN / path).stat().st_size // 1024))


if __name__ == "__main__":
    write("networks.json.gz", record(networks.pair(networks.CASES, networks_more.CASES)))
    write("rnn_cells.json.gz", record(rnn_cases.CASES))
    write("rnn_weights.json.gz", {name: rnn_cases.unpacked(mx, make) for name, make in rnn_cases.WEIGHTS.items()})
    write("legacy_symbols.json.gz", {name: legacy_cases.tell(mx, text) for name, text in legacy_cases.CASES.items()})
