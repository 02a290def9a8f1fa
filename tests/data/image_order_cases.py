"""In which order image record iterators give records that they shuffle: for the recorder, and for the tests."""

import itertools
import os

import numpy as np

MB = 1 << 20
#: Files: how many bytes each record has. The images are small, what follows them is not looked at.
FILES = {
    "small": [1000] * 13,
    "large": [359 * 1024] * 60,
    "exact": [2 * MB] * 4,
    "nearly": [2 * MB] * 3 + [2 * MB - 8] + [MB] * 4,
    "longer": [MB] * 3 + [9 * MB] + [MB] * 20,
}


def case(file, iterator="ImageRecordIter", epochs=3, **arguments):
    return iterator, file, epochs, arguments


CASES = {
    "seed %d batch %d index %d" % (seed, batch, index): case(
        "small", seed=seed, batch_size=batch, path_imgidx=bool(index), shuffle=True
    )
    for seed, batch, index in itertools.product((0, 7, -3), (1, 5), (0, 1))
}
CASES.update(
    {
        "part 1 of 2": case("small", shuffle=True, num_parts=2, part_index=1),
        "part 1 of 2, index": case("small", shuffle=True, num_parts=2, part_index=1, path_imgidx=True),
        "det": case("small", "ImageDetRecordIter", shuffle=True),
        "det seed 5": case("small", "ImageDetRecordIter", shuffle=True, seed=5),
        "det chunks": case("large", "ImageDetRecordIter", shuffle=True, shuffle_chunk_size=4, shuffle_chunk_seed=2),
        "v1": case("small", "ImageRecordIter_v1", shuffle=True, seed=3),
        "uint8": case("small", "ImageRecordUInt8Iter", shuffle=True, seed=3),
        "large": case("large", shuffle=True),
        "large, index": case("large", shuffle=True, path_imgidx=True, shuffle_chunk_size=1),
        "exact": case("exact", shuffle=True, epochs=6),
        "nearly": case("nearly", shuffle=True),
        "longer": case("longer", shuffle=True),
        "chunks of 1": case("large", shuffle=True, shuffle_chunk_size=1),
        "chunks of 1, seed": case("large", shuffle=True, shuffle_chunk_size=1, shuffle_chunk_seed=5),
        "chunks of 4 in order": case("large", shuffle_chunk_size=4),
        "chunks of 16": case("large", shuffle=True, shuffle_chunk_size=16, seed=2, batch_size=7),
        "chunks of 100": case("large", shuffle=True, shuffle_chunk_size=100),
        "chunks, part 0 of 2": case("large", shuffle=True, shuffle_chunk_size=1, num_parts=2, part_index=0),
        "chunks, part 1 of 2": case("large", shuffle=True, shuffle_chunk_size=1, num_parts=2, part_index=1),
    }
)


def write(mx, folder):
    """Writes the files."""
    picture = mx.recordio.pack_img((0, 0.0, 0, 0), np.zeros((16, 16, 3), np.uint8))[24:]
    for name, sizes in FILES.items():
        base = os.path.join(folder, name)
        writer = mx.recordio.MXIndexedRecordIO(base + ".idx", base + ".rec", "w")
        for i, size in enumerate(sizes):
            label = [2.0, 5.0, float(i), 0.1, 0.1, 0.9, 0.9]
            record = mx.recordio.pack((0, label, i, 0), picture)
            writer.write_idx(i, record + b"\0" * (size - 8 - len(record)))
        writer.close()


def orders(mx, folder, name):
    """The records of several epochs."""
    iterator, file, epochs, arguments = CASES[name]
    base = os.path.join(folder, file)
    options = dict(batch_size=1, data_shape=(3, 8, 8), verbose=False)
    options.update(arguments)
    det = iterator == "ImageDetRecordIter"
    if not det:
        options["label_width"] = 7
    if options.pop("path_imgidx", False):
        options["path_imgidx"] = base + ".idx"
    batches = getattr(mx.io, iterator)(path_imgrec=base + ".rec", **options)
    found = []
    for _ in range(epochs):
        found.append([int(n) for b in batches for n in b.label[0].asnumpy()[:, 6 if det else 2]])
        batches.reset()
    return found
