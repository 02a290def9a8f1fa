"""Records that are written to the same bytes as by the original: read by its recorder and by the tests."""

import struct

import numpy as np

MAGIC = struct.pack("<I", 0xCED7230A)

#: Data with and without the magic number, at multiples of four bytes and elsewhere.
RECORDS = [
    b"",
    b"a",
    b"ab",
    b"abc",
    b"abcd",
    MAGIC,
    b"ab" + MAGIC,
    b"abcd" + MAGIC,
    MAGIC + b"abcd",
    MAGIC + MAGIC,
    MAGIC * 3 + b"x",
    b"abcd" + MAGIC + b"efgh" + MAGIC + b"x",
    MAGIC[:3],
    b"abcde" + MAGIC,
    MAGIC[1:] + MAGIC + MAGIC[:1],
    b"".join(struct.pack("<I", i) for i in range(700)) + MAGIC + b"end",
    b"x" * 3001 + MAGIC,
    b"x" * 3000 + MAGIC * 2 + b"y" * 4,
]

#: Headers of image records.
HEADERS = [
    (0, 4.0, 2574, 0),
    (0, [1, 2, 3], 5, 0),
    (7, np.array([1.5, 2]), 2**40, 2**63),
    (3, 4, 1, 2),
    (0, np.float32(3), 1, 0),
    (0, np.array(3.0), 0, 0),
    (5, [], 1, 0),
    (0, np.arange(4).reshape(2, 2), 0, 0),
    (0, True, 0, 0),
]
