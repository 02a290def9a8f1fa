"""The order of shuffled image records is the original's, at any number of threads, and parts have every record once."""

import image_order_cases as cases
import numpy as np
import pytest
from compare import load_golden

import mxnet as mx
from mxnet.io.image_order import Shuffler

GOLDEN = load_golden("image_order.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("order")
    cases.write(mx, str(path))
    yield str(path)
    for file in path.iterdir():  # some have many MB
        file.unlink()


@pytest.mark.parametrize("name", sorted(cases.CASES))
def test_order(folder, name):
    assert cases.orders(mx, folder, name) == GOLDEN[name]


def labels(folder, file="large", **arguments):
    options = {"batch_size": 1, "data_shape": (3, 8, 8), "label_width": 7, "shuffle": True, **arguments}
    if options.pop("index", False):
        options["path_imgidx"] = f"{folder}/{file}.idx"
    batches = mx.io.ImageRecordIter(path_imgrec=f"{folder}/{file}.rec", **options)
    epochs = []
    for _ in range(2):
        epochs.append([int(b.label[0][0, 2].asscalar()) for b in batches])
        batches.reset()
    return epochs


@pytest.mark.parametrize("chunk", [0, 1, 3])
@pytest.mark.parametrize("index", [False, True])
def test_parts_have_every_record_once(folder, chunk, index):
    for parts in (2, 5):
        options = {"shuffle_chunk_size": chunk, "index": index, "num_parts": parts}
        found = [labels(folder, part_index=part, **options) for part in range(parts)]
        for epoch in range(2):
            assert sorted(n for part in found for n in part[epoch]) == list(range(60))


def test_threads_do_not_matter(folder):
    options = {"shuffle_chunk_size": 2, "seed": 4}
    one, three = (labels(folder, preprocess_threads=threads, **options) for threads in (1, 3))
    assert one == three and one[0] != one[1]
    assert one != labels(folder, **{**options, "seed": 5})
    assert one != labels(folder, shuffle_chunk_seed=1, **options)


def test_every_order_is_as_likely():
    """The chi-squared statistic of the 24 orders of four things."""
    shuffler = Shuffler(5)
    counts: dict = {}
    for _ in range(4800):
        values = [0, 1, 2, 3]
        shuffler.shuffle(values)
        counts[tuple(values)] = counts.get(tuple(values), 0) + 1
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 50


def test_numbers_that_are_drawn_again(monkeypatch):
    """The largest number belongs to none of two or three parts of equal width: the next one takes its place."""
    shuffler, numbers = Shuffler(0), [0xFFFFFFFF, 0, 0xFFFFFFFF, 0x80000000]
    monkeypatch.setattr(shuffler, "_numbers", lambda count: np.array([numbers.pop(0) for _ in range(count)]))
    values = [0, 1, 2]
    shuffler.shuffle(values)
    assert values == [1, 2, 0] and not numbers
