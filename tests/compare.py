"""What tests of all parts compare with, and how."""

import gzip
import json
import lzma

import numpy as np
from paths import GOLDEN


def load_golden(name):
    """Returns what ``tests/golden/<name>`` has of the original: JSON (also .gz, .xz), or arrays by name (.npz)."""
    path = GOLDEN / name
    data = path.read_bytes()
    if path.suffix == ".gz":
        data, path = gzip.decompress(data), path.with_suffix("")
    elif path.suffix == ".xz":
        data, path = lzma.decompress(data), path.with_suffix("")
    if path.suffix == ".json":
        return json.loads(data)
    with np.load(GOLDEN / name) as arrays:
        return dict(arrays)
