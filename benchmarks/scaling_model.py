"""How long a training step's communication takes on many workers, by a model with few constants.

    python benchmarks/scaling_model.py [--megabytes 102] [--compute 0.3] [--gbits 10] [--hop 30e-6]

The model is in docs/distributed.md, with where its constants come from. It is a model: nothing was measured on more
than four processes.
"""

import argparse
import math

#: The share of backward in the time of computing.
BACKWARD = 2 / 3


def communication(workers, size, bandwidth, hop):
    """Seconds of one step: agreeing, summing gradients, spreading weights (with an optimizer in the store)."""
    if workers == 1:
        return 0.0, 0.0, 0.0
    ring = 2 * (workers - 1)
    agree = ring * hop
    total = ring * hop + ring / workers * size / bandwidth
    spread = math.ceil(math.log2(workers)) * hop + size / bandwidth
    return agree, total, spread


def exposed(workers, size, bandwidth, hop, compute):
    """Seconds of a sum that begins while backward runs, after backward: at least those of the last piece."""
    piece = max(4 << 20, workers << 18)  # what travels at once: see mxnet/kvstore/collective.py
    last = min(size, piece)
    _, chunk, _ = communication(workers, last, bandwidth, hop)
    _, total, _ = communication(workers, size, bandwidth, hop)
    hops = 2 * (workers - 1) * hop * (math.ceil(size / piece) - 1)  # each piece goes around by itself
    return max(total + hops - BACKWARD * compute, chunk)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--megabytes", type=float, default=102, help="gradients: 102 for ResNet-50 in float32")
    parser.add_argument("--compute", type=float, default=0.3, help="seconds that a worker computes in a step")
    parser.add_argument("--gbits", type=float, default=10, help="of the network, in each direction")
    parser.add_argument("--hop", type=float, default=30e-6, help="seconds for a message to the next worker")
    args = parser.parse_args()
    print("| workers | agree | sum | spread | efficiency, updates in the store | in the workers |")
    print("|---|---|---|---|---|---|")
    for workers in (1, 2, 4, 16, 64, 256, 1024):
        network = args.megabytes * 1e6, args.gbits / 8 * 1e9, args.hop
        agree, total, spread = communication(workers, *network)
        store = args.compute / (args.compute + agree + exposed(workers, *network, args.compute) + spread)
        own = args.compute / (args.compute + agree + total)
        cells = [f"{1e3 * part:.1f} ms" for part in (agree, total, spread)]
        print(f"| {workers} | {' | '.join(cells)} | {store:.0%} | {own:.0%} |")


if __name__ == "__main__":
    main()
