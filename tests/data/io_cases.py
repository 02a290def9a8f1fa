"""What the data iterators do, as plain values: run by the recorder with the original, and by the tests."""

import os
import random

import numpy as np

ERRORS = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
)


def plain(array):
    return array.asnumpy().astype("float64").round(5).tolist()


def batch(b):
    index = None if b.index is None else [int(i) for i in b.index]
    return [[plain(d) for d in b.data], [plain(d) for d in b.label or ()], b.pad, index]


def described(it):
    return [str(it.provide_data), str(it.provide_label), it.batch_size]


def epochs(it, count=1):
    result = []
    for _ in range(count):
        result.append([batch(b) for b in it])
        it.reset()
    return result


def error(function):
    """The names of the exception's classes, or what the call returned."""
    try:
        return str(function())
    except ERRORS as e:
        return ["ERROR"] + [c.__name__ for c in type(e).__mro__]


# ---- arrays ----------------------------------------------------------------------------------------------------------


def array_iterators(mx):
    cases = {}
    for handle in ("pad", "discard", "roll_over", "something else"):
        for count, size in ((10, 3), (10, 5), (4, 4), (7, 5), (5, 4), (4, 5)):
            for shuffle in (False, True):
                np.random.seed(3)
                it = mx.io.NDArrayIter(
                    np.arange(count), np.arange(count) * 10, size, shuffle=shuffle, last_batch_handle=handle
                )
                seen = [it.cursor, described(it)]
                for _ in range(4):
                    for b in it:
                        seen.append([batch(b), it.cursor])
                    seen.append([it.cursor, it.idx.tolist(), plain(it.data[0][1]), plain(it.label[0][1])])
                    it.reset()
                    seen.append(it.cursor)
                it.hard_reset()
                seen.append([it.cursor, [batch(b) for b in it], it.cursor])
                cases["%s %d/%d %s" % (handle, count, size, shuffle)] = seen
    return cases


def array_inputs(mx):
    Iter, nd = mx.io.NDArrayIter, mx.nd
    a, b = np.arange(12.0).reshape(4, 3), np.arange(8).reshape(4, 2)

    def seen(*args, **kwargs):
        it = Iter(*args, **kwargs)
        return [described(it), it.num_data, it.num_source, epochs(it)]

    cases = {
        "alone": seen(a, None, 3),
        "list of one": seen([a], [b], 3),
        "list": seen([a, b], [b, a], 2),
        "dict": seen({"y": a, "x": b}, {"v": b, "u": a}, 2),
        "dict of lists": seen({"a": [[1, 2], [3, 4]]}, None, 1),
        "names": seen(a, b, 2, data_name="d", label_name="l"),
        "layout": seen(a, None, 2, layout="NT"),
        "time first": str(Iter(a, a, 2, layout="TN").provide_data),
        "longer": seen({"a": a, "b": np.arange(7)}, None, 2),
        "fortran": seen(np.asfortranarray(a), None, 3),
        "padded twice": seen(np.arange(2), None, 7),
    }
    for dtype in ("float16", "float32", "float64", "int32", "int64", "uint8", "int8"):
        cases[dtype] = [
            described(Iter(nd.array(a, dtype=dtype), nd.array(b, dtype=dtype), 2)),
            described(Iter(a.astype(dtype), b.astype(dtype), 2)),
        ]
    bad = {
        "tuple": lambda: Iter((a,), None, 2),
        "number": lambda: Iter(5, None, 2),
        "text": lambda: Iter("abc", None, 2),
        "array of text": lambda: Iter(np.array(["a", "b"]), None, 2),
        "after the end": lambda: [[b for b in it] + [it.getdata()] for it in [Iter(a, None, 2)]],
        "before": lambda: Iter(a, None, 2).getdata(),
    }
    cases.update(("error: " + name, error(function)) for name, function in bad.items())
    source = nd.array(a)
    it = Iter(source, None, 2)
    first = it.next()
    first.data[0][:] = -1  # a batch is a copy
    source[3] = 7  # the iterator looks at the array it was given
    it.reset()
    cases["memory"] = [epochs(it), plain(source)]
    return cases


def descriptions(mx):
    Desc, Batch, nd = mx.io.DataDesc, mx.io.DataBatch, mx.nd
    types = [("a", np.float16), ("b", "int8")]
    return {
        "plain": [str(Desc("d", (2, 3))), repr(Desc("d", (2, 3), "float16", "NT")), list(Desc("d", (2, 3)))],
        "axis": [Desc.get_batch_axis(layout) for layout in (None, "TNC", "NCHW", "TC")],
        "list": [
            str(Desc.get_list([("a", (1, 2)), ("b", (3,))], None)),
            str(Desc.get_list([("a", (1, 2)), ("b", (3,))], types)),
            error(lambda: Desc.get_list([("a", (1, 2)), ("c", (3,))], types)),
        ],
        "equal": [Desc("d", (2,)) == ("d", (2,)), Desc("d", (2,)) == Desc("d", (2,), "int8"), Desc("d", (2,))._fields],
        "batch": [
            str(Batch([nd.zeros((2, 3))])),
            str(Batch((nd.zeros((2, 3)), nd.zeros(4)), [nd.zeros(2), nd.zeros(3)])),
            str(Batch([np.zeros((2, 3))], [])),
            repr(Batch([nd.zeros(2)])).split(" object")[0],
            sorted(vars(Batch([1]))),
            error(lambda: Batch(nd.zeros(2))),
            error(lambda: Batch([1], 2)),
        ],
    }


# ---- iterators over iterators ----------------------------------------------------------------------------------------


def own_iterator(mx, count=3):
    class Own(mx.io.DataIter):
        def __init__(self):
            super(Own, self).__init__(2)
            self.provide_data = [("data", (2, 3))]
            self.provide_label = [("label", (2,))]
            self.at = 0

        def next(self):
            if self.at == count:
                raise StopIteration
            self.at += 1
            return mx.io.DataBatch([mx.nd.ones((2, 3)) * self.at], [mx.nd.zeros(2)])

        def reset(self):
            self.at = 0

    return Own()


def wrapped_iterators(mx):
    Iter = mx.io.NDArrayIter
    cases = {}
    for size in (2, 4, 6):
        for reset_internal in (True, False):
            it = mx.io.ResizeIter(Iter(np.arange(10), np.arange(10), 3), size, reset_internal)
            cases["resize %d %s" % (size, reset_internal)] = [described(it), epochs(it, 3)]
    it = mx.io.ResizeIter(own_iterator(mx), 5)
    cases["resize own"] = [described(it), epochs(it, 2)]
    it = mx.io.PrefetchingIter(Iter(np.arange(10), np.arange(10), 3))
    cases["prefetch"] = [described(it), epochs(it, 3)]
    b = it.next()
    cases["prefetched batch"] = [str(b.provide_data), str(b.provide_label), plain(it.getdata()[0]), it.getpad()]
    two = [Iter({"data": np.arange(10) * n}, {"label": np.arange(10)}, 3) for n in (1, 2)]
    names = [{"data": "a"}, {"data": "b"}]
    it = mx.io.PrefetchingIter(two, names, [{"label": "x"}, {"label": "y"}])
    cases["prefetch two"] = [described(it), epochs(it, 2)]
    it = mx.io.PrefetchingIter(own_iterator(mx))
    cases["prefetch own"] = [described(it), epochs(it, 2)]
    for other in (7, 11):
        it = mx.io.PrefetchingIter([Iter(np.arange(n), np.arange(n), 3) for n in (10, other)])
        cases["prefetch 10 and %d" % other] = error(lambda it=it: list(it))
    return cases


# ---- files -----------------------------------------------------------------------------------------------------------


def idx_file(array):
    array = np.asarray(array, "uint8")
    return bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes() + array.tobytes()


def write(name, content):
    directory = os.path.dirname(name)
    if directory and not os.path.isdir(directory):
        os.makedirs(directory)
    with open(name, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return name


def csv_files(mx):
    write("data.csv", "1,2,3\n2,3,4\n3,4,5\n4,5,6\n")
    write("label.csv", "10\n20\n30\n40\n")
    write("labels.csv", "10,1\n20,2\n30,3\n40,4\n")
    write("folder/a.csv", "1,2,3\n4,5,6\n")
    write("folder/b.csv", "7,8,9\n0,0,0\n")

    def seen(count=1, **kwargs):
        arguments = dict({"data_csv": "data.csv", "data_shape": (3,), "batch_size": 2}, **kwargs)
        it = mx.io.CSVIter(**arguments)
        return [type(it).__name__, described(it), epochs(it, count)]

    cases = {
        "simple": seen(2),
        "rounds": seen(4, batch_size=3, label_csv="label.csv"),
        "rounds 5": seen(3, batch_size=5),
        "rounds 6": seen(3, batch_size=6),
        "no rounding": seen(3, batch_size=3, label_csv="label.csv", round_batch=False),
        "shapes": seen(data_shape=(3, 1), label_csv="labels.csv", label_shape=(2,)),
        "text": seen(data_shape="(3,)", batch_size="2", round_batch="False"),
        "names": seen(data_name="x", label_name="y"),
        "folder": seen(data_csv="folder/"),
        "files": seen(data_csv="folder/a.csv;folder/b.csv"),
        "int32": seen(dtype="int32", label_csv="label.csv"),
        "int64": seen(dtype="int64"),
    }
    texts = {
        "no newline at the end": "1,2,3\n4,5,6",
        "Windows": "1,2,3\r\n4,5,6\r\n",
        "old Macintosh": "1,2,3\r4,5,6\r",
        "blank lines": "\n1,2,3\n\n4,5,6\n\n",
        "spaces": " 1 , 2 ,3\n4,\t5,6\n",
        "commas at the end": "1,2,3,\n4,5,6,\n",
        "notations": "1e3,-2.5,+3\n.5,1E-2,7.\n",
        "byte order mark": b"\xef\xbb\xbf1,2,3\n4,5,6\n",
        "error: few": "1,2\n4,5,6\n",
        "error: many": "1,2,3,4\n4,5,6\n",
        "error: word": "a,2,3\n4,5,6\n",
        "error: nothing": "1,,3\n4,5,6\n",
        "error: last line": "1,2,3\n4,5\n",
        "error: semicolons": "1;2;3\n1;2;3\n",
        "error: quotes": '"1","2","3"\n4,5,6\n',
        "error: comment": "#c\n1,2,3\n4,5,6\n",
        "error: header": "x,y,z\n1,2,3\n4,5,6\n",
        "error: empty": "",
    }
    for name, text in texts.items():
        file = write(name.replace(" ", "_").replace(":", "") + ".csv", text)
        cases[name] = error(lambda file=file: seen(data_csv=file))
    write("one.csv", "1\n")
    bad = {
        "few labels": {"data_csv": "data.csv", "label_csv": "one.csv"},
        "missing": {"data_csv": "no-such-file.csv"},
        "float64": {"dtype": "float64"},
        "dtype": {"dtype": "foo"},
        "bool": {"round_batch": "maybe"},
        "batch": {"batch_size": 9},
    }
    cases.update(("error: " + name, error(lambda kwargs=kwargs: seen(**kwargs))) for name, kwargs in bad.items())
    return cases


def libsvm_files(mx):
    write("data.t", "1.0 0:0.5 2:1.2\n-2.0\n-3.0 0:0.6 1:2.4 2:1.2\n4 2:-1.2\n")
    write("label.t", "1.0\n-2.0 0:0.125\n-3.0 2:1.2\n4 1:1.0 2:-1.2\n")

    def seen(**kwargs):
        it = mx.io.LibSVMIter(data_libsvm="data.t", data_shape=(3,), batch_size=3, **kwargs)
        return [described(it), epochs(it, 2)]

    return {
        "simple": seen(),
        "labels": seen(label_libsvm="label.t", label_shape=(3,)),
        "error: rounding": error(lambda: seen(round_batch=False)),
    }


def mnist_files(mx):
    count = 300
    images = np.stack([np.arange(count) // 256, np.arange(count) % 256] * 3, 1).reshape(count, 2, 3)
    write("images", idx_file(images))
    write("labels", idx_file(np.arange(count) % 251))
    write("short", idx_file(images)[:-5])
    write("header", b"\0\0")

    def seen(**kwargs):
        arguments = dict({"image": "images", "label": "labels", "batch_size": 40, "silent": True}, **kwargs)
        it = mx.io.MNISTIter(**arguments)
        order = []
        for b in it:
            pixels = b.data[0].asnumpy().reshape(len(b.label[0]), -1) * 256
            order.append([(pixels[:, 0] * 256 + pixels[:, 1]).astype(int).tolist(), plain(b.label[0]), b.pad])
        it.reset()
        return [described(it), order, plain(it.next().data[0][:2])]

    return {
        "simple": seen(shuffle=False),
        "flat": seen(shuffle=False, flat=True),
        "parts": [seen(shuffle=False, num_parts=3, part_index=i) for i in range(3)],
        "shuffled": [seen(seed=seed) for seed in (0, 1, 12345, -3)],
        "shuffled part": seen(seed=2, num_parts=2, part_index=1, flat=True),
        "error: part": error(lambda: seen(num_parts=2, part_index=2)),
        "error: batch": error(lambda: seen(batch_size=0)),
        "error: missing": error(lambda: seen(image="no-such-file")),
        "error: short": error(lambda: seen(image="short")),
        "error: header": error(lambda: seen(image="header")),
        "error: seed": error(lambda: seen(seed="a")),
    }


# ---- sentences -------------------------------------------------------------------------------------------------------


def sentences(mx):
    encode, Iter = mx.rnn.encode_sentences, mx.rnn.BucketSentenceIter
    words = [["a", "b", "c"], ["b", "d"], ["a"]]
    known = {"a": 0, "b": 1, "c": 2, "d": 3}
    cases = {
        "encoded": encode(words),
        "from 1": encode(words, start_label=1, invalid_label=0),
        "invalid 1": encode(words, invalid_label=1),
        "invalid word": encode([["a", "\n", "b"]], invalid_label=7),
        "characters": encode(["ab", "bc"]),
        "vocabulary": encode(words, vocab=dict(known)),
        "nothing": encode([]),
        "error: unknown": error(lambda: encode(words, vocab={"a": 0})),
    }
    state = np.random.RandomState(0)
    text = [state.randint(1, 20, size=n).tolist() for n in state.randint(1, 12, size=60)]
    options = {
        "buckets": {"buckets": [3, 5, 8, 10], "invalid_label": 0},
        "automatic": {},
        "empty buckets": {"buckets": [11, 3, 30, 5]},
        "time first": {"buckets": [5, 12], "layout": "TN", "dtype": "int32", "data_name": "d", "label_name": "l"},
    }
    for name, kwargs in options.items():
        random.seed(5)
        np.random.seed(5)
        it = Iter(text, 4, **kwargs)
        seen = [described(it), it.default_bucket_key, [int(n) for n in it.buckets], it.idx]
        for _ in range(2):
            for b in it:
                seen.append([batch(b), int(b.bucket_key), str(b.provide_data), str(b.provide_label)])
                seen.append([str(np.dtype(a.dtype)) for a in b.data + b.label])
            it.reset()
        cases[name] = seen
    cases["error: layout"] = error(lambda: Iter(text, 4, layout="CT"))
    cases["error: nothing"] = error(lambda: Iter([], 4))
    return cases


GROUPS = {
    f.__name__: f
    for f in (
        array_iterators,
        array_inputs,
        descriptions,
        wrapped_iterators,
        csv_files,
        libsvm_files,
        mnist_files,
        sentences,
    )
}
