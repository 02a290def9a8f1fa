"""One workload a file. ``mxnet_step(mx)`` and ``torch_step(torch)`` set it up and return the step that is timed.

A step returns when its work is done: with MXNet it waits for the result. The files run on Python 3.8 or later, since
the original may live in an old environment; ``mxnet_step`` gets either the original or ours.
"""
