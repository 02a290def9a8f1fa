"""One workload a file. ``mxnet_step(mx)`` and ``torch_step(torch)`` set it up and return the step that is timed.

A step returns when its work is done: with MXNet it waits for the result. The files run on Python 3.8 or later, since
the original may live in an old environment; ``mxnet_step`` gets either the original or ours. With the environment
variable MXNET_BENCHMARK_SMALL sizes are tiny: such runs show that a workload works, not how fast it is.
"""

import os

SMALL = bool(os.environ.get("MXNET_BENCHMARK_SMALL"))


def sized(full, small):
    """A size of a workload, the second one if it is to be tiny."""
    return small if SMALL else full
