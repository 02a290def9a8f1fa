"""A plugin for pytest that records calls of kernels: ``pytest -p native_recording``, with ``NATIVE_CALLS=<file>``.

Some of the tests of each file run. What each call was given, and what its memory was before and after, is written to
the file, for ``test_native_aarch64.py``; for ``native_replay.c`` a second one, ``<file>.calls``, has what it is to do.
"""

import ctypes
import os
import pickle
import random
import struct

import torch

from mxnet import native

TESTS_OF_A_FILE, CALLS_OF_A_KERNEL = 30, 60
#: Calls with more memory than the first number of bytes are few, those with more than the second are left out.
SMALL, LARGE, LARGE_CALLS = 1 << 18, 1 << 23, 5
#: Those that get all of their memory as tensors. "winograd" gets a function besides.
REPEATABLE = [
    name
    for name, parameters in native._SIGNATURES.items()
    if name.startswith("winograd") or not (ctypes.c_void_p in parameters or name.startswith(("integer", "convolution")))
]
calls = []
counts = {}


def place_of(tensor):
    """The memory that a tensor is in, first byte and number of bytes: kernels of RNNs go beyond the part they get."""
    storage = tensor.untyped_storage()
    return storage.data_ptr(), storage.nbytes()


def merged(places):
    """Places that overlap as one."""
    found = []
    for begin, size, kind in sorted(places):
        if found and begin < found[-1][0] + found[-1][1]:
            last = found[-1]
            last[1] = max(last[1], begin + size - last[0])
        else:
            found.append([begin, size, kind])
    return found


def recording(name, function, parameters):
    def call(*arguments):
        tensors = [a for a in arguments if isinstance(a, torch.Tensor)]
        regions = merged([(*place_of(t), str(t.dtype).removeprefix("torch.")) for t in tensors if t.numel()])
        bytes_of_all = sum(size for _, size, _ in regions)
        most = CALLS_OF_A_KERNEL if bytes_of_all <= SMALL else LARGE_CALLS if bytes_of_all <= LARGE else 0
        plain = all(a is None or isinstance(a, torch.Tensor | int | float | ctypes.c_void_p) for a in arguments)
        if counts.get(name, 0) >= most or not plain:
            return function(*arguments)
        before = [ctypes.string_at(begin, size) for begin, size, _ in regions]
        made = []
        for given, parameter in zip(arguments, parameters, strict=True):
            if isinstance(given, torch.Tensor):
                owner = [i for i, (b, s, _) in enumerate(regions) if b <= given.data_ptr() < b + s]
                made.append((owner[0], given.data_ptr() - regions[owner[0]][0]) if owner else (ord("i"), 0))
            elif parameter is ctypes.c_double:
                made.append((ord("d"), struct.unpack("<q", struct.pack("<d", float(given)))[0]))
            elif parameter is ctypes.c_void_p:
                made.append((ord("g"), 0))
            else:
                made.append((ord("i"), 0 if given is None else int(given)))
        function(*arguments)
        counts[name] = counts.get(name, 0) + 1
        after = [ctypes.string_at(begin, size) for begin, size, _ in regions]
        calls.append((name, [kind for _, _, kind in regions], before, after, made))

    return call


def pytest_configure(config):
    library = native.kernels()
    for name in REPEATABLE:
        setattr(library, name, recording(name, getattr(library, name), native._SIGNATURES[name]))


def pytest_collection_modifyitems(config, items):
    chosen = {}
    for item in random.Random(5).sample(items, len(items)):
        chosen.setdefault(item.path, []).append(item)
    items[:] = [item for of_file in chosen.values() for item in of_file[:TESTS_OF_A_FILE]]


def pytest_unconfigure(config):
    place = os.environ["NATIVE_CALLS"]
    with open(place, "wb") as file:
        pickle.dump(calls, file)
    with open(f"{place}.calls", "wb") as file:
        file.write(struct.pack("<q", len(calls)))
        for name, _, before, _, made in calls:
            file.write(struct.pack("<64sq", name.encode(), len(before)))
            for content in before:
                file.write(struct.pack("<q", len(content)) + content)
            file.write(struct.pack("<q", len(made)))
            file.writelines(struct.pack("<qq", *pair) for pair in made)
