"""One epoch of LibSVMIter: 20 000 rows of 50 elements, batches of 256."""

import os
import tempfile

import numpy as np

from . import sized

ROWS, COLUMNS, EACH, BATCH = sized(20000, 40), sized(100000, 60), sized(50, 5), sized(256, 8)


def _file():
    rng = np.random.RandomState(0)
    handle, path = tempfile.mkstemp(suffix=".libsvm")
    with os.fdopen(handle, "w") as file:
        for row in np.sort(rng.randint(0, COLUMNS, (ROWS, EACH)), axis=1):
            file.write("1 " + " ".join(f"{c}:{c % 7 + 0.5}" for c in dict.fromkeys(row.tolist())) + "\n")
    return path


def mxnet_step(mx):
    batches = mx.io.LibSVMIter(data_libsvm=_file(), data_shape=(COLUMNS,), batch_size=BATCH)

    def step():
        batches.reset()
        for batch in batches:
            batch.data[0].wait_to_read()

    return step


def torch_step(torch):
    """The same file, read line by line into a csr tensor."""
    path = _file()

    def step():
        columns, values, starts = [], [], [0]
        with open(path) as file:
            for line in file:
                for field in line.split()[1:]:
                    column, value = field.split(":")
                    columns.append(int(column))
                    values.append(float(value))
                starts.append(len(columns))
        return torch.tensor(starts), torch.tensor(columns), torch.tensor(values)

    return step
