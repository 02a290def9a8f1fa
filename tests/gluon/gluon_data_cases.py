"""What data sets, samplers, loaders and transformations do: run by the recorder with the original, and by the tests."""

import random

import numpy as np

ERRORS = (AssertionError, IndexError, KeyError, NotImplementedError, RuntimeError, TypeError, ValueError)
_KINDS = ("AssertionError", "IndexError", "NotImplementedError", "TypeError", "ValueError", "MXNetError")


def plain(value):
    """A result as JSON: arrays with their type, dtype, context and values."""
    if hasattr(value, "asnumpy"):
        return ["NDArray", np.dtype(value.dtype).name, str(value.context), value.asnumpy().tolist()]
    if isinstance(value, np.ndarray):
        return ["numpy", value.dtype.name, value.tolist()]
    if isinstance(value, np.generic):
        return ["scalar", value.dtype.name, value.item()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__] + [plain(v) for v in value]
    if isinstance(value, dict):
        return ["dict"] + [[k, plain(value[k])] for k in sorted(value)]
    return value


def outcome(function):
    """The result, or the kinds of error that a program may catch."""
    try:
        return plain(function())
    except ERRORS as e:
        classes = [c.__name__ for c in type(e).__mro__]
        names = [kind for kind in _KINDS if kind in classes]
        # the original's own errors have more than one line: only those in Python are compared by their text
        return ["ERROR", names[0] if names else "KeyError", str(e).split("\n")[0] if names != ["MXNetError"] else ""]


def datasets(mx):
    data, nd = mx.gluon.data, mx.nd

    class Ten(data.Dataset):
        def __len__(self):
            return 10

        def __getitem__(self, index):
            if index >= 10:
                raise IndexError(index)
            return index

    ten = Ten()
    pairs = data.ArrayDataset(list(range(5)), [10, 11, 12, 13, 14])
    arrays = data.ArrayDataset(nd.arange(6).reshape((3, 2)), nd.arange(3))
    mixed = data.ArrayDataset(np.arange(6).reshape((3, 2)), nd.arange(3).reshape((3, 1)), nd.arange(3), [7, 8, 9])
    cases = {
        "shards": lambda: [[list(ten.shard(n, i)) for i in range(n)] for n in (1, 2, 3, 4, 7, 10, 12)],
        "shard 0": lambda: ten.shard(0, 0),
        "shard 3 of 3": lambda: ten.shard(3, 3),
        "shard -1": lambda: ten.shard(3, -1),
        "take": lambda: [list(ten.take(n)) for n in (None, 0, 3, 10, 20)],
        "filter": lambda: list(ten.filter(lambda x: x % 3 == 0)),
        "sample": lambda: list(ten.sample(data.SequentialSampler(4, 2))),
        "sample a list": lambda: ten.sample([1, 2]),
        "transform": lambda: list(ten.transform(lambda x: x * 2)),
        "transform now": lambda: list(ten.transform(lambda x: x * 2, lazy=False)),
        "transform pairs": lambda: pairs.transform(lambda x, y: (x * 2, y))[3],
        "transform first": lambda: pairs.transform_first(lambda x: (x, x))[3],
        "transform first of one": lambda: ten.transform_first(lambda x: x * 2)[3],
        "transform chained": lambda: list(ten.filter(lambda x: x > 4).transform(lambda x: -x).take(2)),
        "base item": lambda: data.Dataset()[0],
        "base len": lambda: len(data.Dataset()),
        "simple": lambda: data.SimpleDataset([1, 2])[0:2],
        "simple numpy": lambda: data.SimpleDataset(np.arange(3))[1],
        "no arrays": lambda: data.ArrayDataset(),
        "arrays": lambda: [arrays[0], arrays[-1], arrays[0:2]],
        "array out of range": lambda: arrays[9],
        "single": lambda: data.ArrayDataset(nd.arange(6).reshape((3, 2)))[1],
        "mixed": lambda: [mixed[0], mixed[1:]],
        "nested": lambda: data.ArrayDataset(mixed)[1],
        "two nested": lambda: data.ArrayDataset(pairs, pairs)[1],
    }
    return {name: outcome(case) for name, case in cases.items()}


def samplers(mx):
    data = mx.gluon.data
    cases = {
        "sequential": lambda: [list(data.SequentialSampler(3)), list(data.SequentialSampler(3, 2))],
        "filter": lambda: list(data.FilterSampler(lambda x: x > 3, [5, 1, 4, 2])),
        "unknown last batch": lambda: list(data.BatchSampler(data.SequentialSampler(10), 3, "x")),
        "unknown last batch, len": lambda: len(data.BatchSampler(data.SequentialSampler(10), 3, "x")),
        "base": lambda: len(data.Sampler()),
    }
    result = {name: outcome(case) for name, case in cases.items()}
    for count, size in ((10, 3), (9, 3), (2, 3), (0, 3), (5, 1)):
        for last in ("keep", "discard", "rollover"):
            sampler = data.BatchSampler(data.SequentialSampler(count), size, last)
            result["%s %d %d" % (last, count, size)] = [[len(sampler), list(sampler), len(sampler)] for _ in range(4)]
    for count in (0, 1, 7, 50):
        np.random.seed(count)
        result["random %d" % count] = [int(i) for i in data.RandomSampler(count)]
    return result


def batchify(mx):
    nd, ones = mx.nd, np.ones
    samples = {
        "nd": [nd.ones((2, 3)), nd.zeros((2, 3))],
        "nd int32": [nd.ones((2,), dtype="int32")] * 2,
        "nd uint8": [nd.ones((2,), dtype="uint8")] * 2,
        "nd float64": [nd.ones((2,), dtype="float64")] * 2,
        "nd one": [nd.ones((2,))],
        "nd shapes": [nd.ones((2,)), nd.ones((3,))],
        "nd dtypes": [nd.ones((2,)), nd.ones((2,), dtype="int32")],
        "numpy mixed": [ones(3, "f4"), ones(3, "i4")],
        "numpy 0d": [np.array(1.5), np.array(2.5)],
        "numpy empty": [np.zeros((0, 3))] * 2,
        "ints": [1, 2, 3],
        "large ints": [2**40, 1],
        "floats": [1.0, 2.0],
        "bools": [True, False],
        "numbers": [1, 2.5],
        "np.float32": [np.float32(1)] * 2,
        "np.int32": [np.int32(1)] * 2,
        "tuples": [(nd.ones((2,)), 1), (nd.ones((2,)), 2)],
        "nested tuples": [((1, 2), (3.0,)), ((1, 2), (3.0,))],
        "uneven tuples": [(1, 2), (3,)],
        "empty tuples": [(), ()],
        "a tuple of tuples": ((1, 2), (3, 4)),
        "lists": [[1, 2], [3, 4]],
        "lists of numpy": [[ones(2), ones(2)], [ones(2), ones(2)]],
        "none": [],
    }
    for dtype in ("float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool"):
        samples["numpy " + dtype] = [np.arange(3).astype(dtype)] * 2
    loader = mx.gluon.data.dataloader
    result = {}
    for name, value in samples.items():
        result[name] = outcome(lambda v=value: loader.default_batchify_fn(v))
        result[name + ", shared"] = outcome(lambda v=value: loader.default_mp_batchify_fn(v))
    return result


def loaders(mx):
    data, nd = mx.gluon.data, mx.nd
    pairs = data.ArrayDataset(np.arange(20, dtype="f").reshape(10, 2), np.arange(10, dtype="i4"))
    sets = {
        "pairs": pairs,
        "nd": nd.arange(10),
        "nd 2d": nd.arange(20).reshape((10, 2)),
        "numpy": np.arange(10),
        "list": list(range(10)),
        "simple": data.SimpleDataset(nd.arange(20).reshape((10, 2))),
        "lazy": pairs.transform(lambda x, y: (x * 2, y)),
        "taken": pairs.take(7),
        "sharded": pairs.shard(3, 1),
        "filtered": pairs.filter(lambda pair: pair[1] % 2),
        "nested": data.ArrayDataset(pairs, list(range(10))),
        "empty": [],
    }
    options = {
        "plain": {"batch_size": 4},
        "shuffle": {"batch_size": 4, "shuffle": True},
        "discard": {"batch_size": 4, "last_batch": "discard"},
        "rollover": {"batch_size": 4, "last_batch": "rollover"},
        "threads": {"batch_size": 4, "num_workers": 2, "thread_pool": True},
        "processes": {"batch_size": 4, "num_workers": 2},
        "pinned": {"batch_size": 4, "pin_memory": True},
    }
    result = {}
    for name, dataset in sets.items():
        for option, keywords in options.items():
            np.random.seed(1)
            loader = data.DataLoader(dataset, **keywords)
            result[name + ", " + option] = outcome(lambda it=loader: [len(it), list(it), list(it)])
    batches = data.BatchSampler(data.SequentialSampler(10), 4)
    sequential = data.SequentialSampler(10)
    wrong = {
        "no size": {},
        "shuffle and sampler": {"batch_size": 3, "shuffle": True, "sampler": sequential},
        "size and batch sampler": {"batch_size": 3, "batch_sampler": batches},
        "shuffle and batch sampler": {"shuffle": True, "batch_sampler": batches},
        "last batch and batch sampler": {"last_batch": "keep", "batch_sampler": batches},
        "sampler and batch sampler": {"sampler": sequential, "batch_sampler": batches},
        "timeout": {"batch_size": 3, "timeout": 0},
    }
    for name, keywords in wrong.items():
        result[name] = outcome(lambda k=keywords: data.DataLoader(pairs, **k))
    return result


GROUPS = {"datasets": datasets, "samplers": samplers, "batchify": batchify, "loaders": loaders}


# ---- transformations -------------------------------------------------------------------------------------------------


def picture(height, width, channels=3):
    """A smooth image with some noise."""
    rows, columns = np.mgrid[0:height, 0:width]
    base = 127 + 90 * np.sin(rows / 5.0)[..., None] * np.cos(columns / 4.0)[..., None] + 20 * np.arange(channels)
    noise = np.random.RandomState(height * 100 + width).randint(-20, 20, (height, width, channels))
    return np.clip(base + noise, 0, 255).astype("uint8")


def transforms(mx):
    """Results of transformations by name, as NumPy arrays. Those that use Python's or NumPy's random numbers too."""
    T, nd = mx.gluon.data.vision.transforms, mx.nd
    image = nd.array(picture(24, 18), dtype="uint8")
    gray = nd.array(picture(12, 15, 1), dtype="uint8")
    batch = nd.array(np.stack([picture(10, 12), picture(10, 12)[::-1]]), dtype="uint8")
    floats = image.astype("float32")
    tensor = T.ToTensor()(image)
    tensors = T.ToTensor()(batch)
    cases = {
        "cast": (T.Cast(), image),
        "cast float16": (T.Cast("float16"), image),
        "to tensor": (T.ToTensor(), image),
        "to tensor gray": (T.ToTensor(), gray),
        "to tensor batch": (T.ToTensor(), batch),
        "to tensor floats": (T.ToTensor(), floats),
        "normalize": (T.Normalize(0.5, 0.25), tensor),
        "normalize channels": (T.Normalize((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)), tensor),
        "normalize batch": (T.Normalize((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)), tensors),
        "resize": (T.Resize(7), image),
        "resize pair": (T.Resize((9, 31)), image),
        "resize ratio": (T.Resize(9, keep_ratio=True), image),
        "resize ratio wide": (T.Resize(9, keep_ratio=True), gray),
        "resize batch": (T.Resize((5, 7)), batch),
        "resize floats": (T.Resize((30, 7)), floats),
        "crop resize": (T.CropResize(1, 2, 8, 9), image),
        "crop resize size": (T.CropResize(1, 2, 8, 9, (5, 6), 1), image),
        "crop resize batch": (T.CropResize(1, 2, 8, 7, 4, 1), batch),
        "center crop": (T.CenterCrop(11), image),
        "center crop pair": (T.CenterCrop((8, 21)), image),
        "center crop larger": (T.CenterCrop((40, 30)), image),
        "center crop floats": (T.CenterCrop((5, 4)), floats),
        "rotate": (T.Rotate(30), tensor),
        "rotate back": (T.Rotate(-75.5), tensor),
        "rotate zoom in": (T.Rotate(30, zoom_in=True), tensor),
        "rotate zoom out": (T.Rotate(30, zoom_out=True), tensor),
        "rotate batch": (T.Rotate(45), tensors),
        "random rotation": (T.RandomRotation((-40, 60)), tensor),
        "random rotation batch": (T.RandomRotation((-40, 60), zoom_in=True), tensors),
        "random rotation never": (T.RandomRotation((-40, 60), rotate_with_proba=0), tensor),
        "random resized crop": (T.RandomResizedCrop(10), image),
        "random resized crop pair": (T.RandomResizedCrop((9, 12), scale=(0.3, 0.5), ratio=(0.5, 2)), image),
        "random resized crop whole": (T.RandomResizedCrop((9, 12), scale=(2, 3)), image),
        "no brightness": (T.RandomBrightness(0), image),
        "no contrast": (T.RandomContrast(0), image),
        "no saturation": (T.RandomSaturation(0), image),
        "no hue": (T.RandomHue(0), image),
        "no lighting": (T.RandomLighting(0), image),
        "apply": (T.RandomApply(T.Cast("float64"), p=1), image),
        "apply never": (T.RandomApply(T.Cast("float64"), p=0), image),
        "apply a function": (T.RandomApply(lambda x: x + 1, p=1), image),
        "compose": (T.Compose([T.Resize(9), T.CenterCrop(7), T.ToTensor(), T.Normalize(0.5, 0.5)]), image),
        "compose nothing": (T.Compose([]), image),
        "compose functions": (T.Compose([lambda x: x + 1, T.ToTensor()]), image),
    }
    result = {}
    for name, (transform, argument) in cases.items():
        random.seed(7)
        np.random.seed(7)
        result[name] = transform(argument).asnumpy()
    random.seed(3)
    maybe = T.RandomApply(T.Cast("float64"), p=0.4)
    result["applied"] = np.array([maybe(image).dtype == np.float64 for _ in range(20)])
    random.seed(3)
    for i in range(4):
        result["random resized crop %d" % i] = T.RandomResizedCrop((9, 12))(image).asnumpy()
        result["random rotation %d" % i] = T.RandomRotation((-40, 60), rotate_with_proba=0.6)(tensor).asnumpy()
    return result


def compositions(mx):
    """How Compose groups its parts."""
    T = mx.gluon.data.vision.transforms
    parts = {"r": T.Resize(6), "t": T.ToTensor(), "c": T.CenterCrop(3), "n": T.Normalize(0.5, 0.5), "d": T.Cast()}
    return {
        text: [
            [type(child).__name__, len(child) if hasattr(child, "__len__") else 0]
            for child in T.Compose([parts[letter] for letter in text])._children.values()
        ]
        for text in ("", "r", "c", "rt", "rct", "rtcnd", "crtnd", "ccrtc")
    }


def statistics(mx):
    """Means and deviations of what random transformations make of an image, over many draws.

    Without the saturation: the original takes a pixel's gray from its blue alone.
    """
    T, nd = mx.gluon.data.vision.transforms, mx.nd
    image = nd.array(picture(8, 6), dtype="float32") / 4 + 60
    mx.random.seed(1)
    cases = {
        "brightness": T.RandomBrightness(0.4),
        "contrast": T.RandomContrast(0.4),
        "hue": T.RandomHue(0.1),
        "lighting": T.RandomLighting(0.1),
        "jitter": T.RandomColorJitter(0.2, 0.2, 0, 0.1),
        "left right": T.RandomFlipLeftRight(),
        "top bottom": T.RandomFlipTopBottom(),
    }
    result = {}
    for name, transform in cases.items():
        values = np.stack([transform(image).asnumpy() for _ in range(1500)])
        result[name + " mean"] = values.mean(0)
        result[name + " deviation"] = values.std(0)
    return result
