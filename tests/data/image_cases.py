"""What mx.image does with small images: read by the recorder, under the original, and by the tests."""

import os
import random

import numpy as np

IMAGES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden", "images")
FILES = ("wide.jpg", "tall.jpg", "square.jpg", "digits.png", "transparent.png")
EIGVAL, EIGVEC = np.array([55.46, 4.794, 1.148]), np.array([[0.5, 0.1, -0.2], [0.3, -0.4, 0.2], [0.1, 0.6, 0.3]])
BOXES = np.array([[0, 0.1, 0.2, 0.5, 0.6], [1, 0.4, 0.4, 0.9, 0.8], [2, 0.05, 0.3, 0.35, 0.95], [-1] * 5], np.float32)


def path(name):
    return os.path.join(IMAGES, name)


def content(name):
    with open(path(name), "rb") as stream:
        return stream.read()


def functions(mx):
    """Name -> function without arguments, of functions."""
    image = mx.image
    wide, tall = image.imread(path("wide.jpg")), image.imread(path("tall.jpg"))
    chw = wide.astype("float32").transpose((2, 0, 1))
    batch = mx.nd.stack(chw, chw * 0.5)
    mean, std = mx.nd.array([10, 20, 30]), mx.nd.array([2, 3, 4])
    cases = {}
    for name in FILES:
        cases["imread " + name] = lambda name=name: image.imread(path(name))
        cases["imread gray " + name] = lambda name=name: image.imread(path(name), flag=0)
        cases["imdecode bgr " + name] = lambda name=name: image.imdecode(content(name), 1, False)
    for interp in range(5):
        cases["imresize down %d" % interp] = lambda interp=interp: image.imresize(wide, 15, 17, interp)
        cases["imresize up %d" % interp] = lambda interp=interp: image.imresize(wide, 40, 29, interp=interp)
        cases["imresize float %d" % interp] = lambda interp=interp: image.imresize(
            chw.transpose((1, 2, 0)), 9, 7, interp
        )
    for interp in (0, 1, 2, 3, 4, 9, 10):
        cases["resize_short wide %d" % interp] = lambda interp=interp: image.resize_short(wide, 13, interp)
        cases["resize_short tall %d" % interp] = lambda interp=interp: image.resize_short(tall, 25, interp)
        cases["fixed_crop %d" % interp] = lambda interp=interp: image.fixed_crop(wide, 3, 5, 20, 11, (25, 8), interp)
    cases.update(
        {
            "imresize": lambda: image.imresize(wide, 15, 17),
            "fixed_crop": lambda: image.fixed_crop(wide, 3, 5, 20, 11),
            "fixed_crop beyond": lambda: image.fixed_crop(wide, 30, 20, 20, 11),
            "center_crop": lambda: image.center_crop(wide, (11, 10)),
            "center_crop large": lambda: image.center_crop(wide, (50, 10), 1),
            "random_crop": lambda: image.random_crop(wide, (11, 10)),
            "random_crop large": lambda: image.random_crop(tall, (30, 20), 1),
            "random_size_crop": lambda: image.random_size_crop(wide, (11, 10), 0.3, (0.5, 2), 1),
            "random_size_crop area": lambda: image.random_size_crop(tall, (11, 10), (0.3, 0.5), (0.9, 1.1), 1),
            "random_size_crop none": lambda: image.random_size_crop(wide, (11, 10), (1, 1), (9, 10), 1),
            "color_normalize": lambda: image.color_normalize(wide.astype("float32"), mean, std),
            "color_normalize mean": lambda: image.color_normalize(wide.astype("float32"), mean),
            "color_normalize std": lambda: image.color_normalize(wide.astype("float32"), None, std),
            "copyMakeBorder": lambda: image.image.copyMakeBorder(wide, 1, 2, 3, 4),
            "copyMakeBorder value": lambda: image.image.copyMakeBorder(wide, 1, 2, 3, 4, 0, 9),
            "copyMakeBorder edge": lambda: image.image.copyMakeBorder(wide, 1, 2, 3, 4, type=1),
            "random_rotate": lambda: image.random_rotate(chw, (-20, 20)),
            "random_rotate batch": lambda: image.random_rotate(batch, (-20, 20), zoom_in=True),
            "imrotate angles": lambda: image.imrotate(batch, mx.nd.array([10, -70])),
            "imrotate one angle": lambda: image.imrotate(batch, 45, zoom_out=True),
        }
    )
    for degrees in (0, 30, -100, 90.5):
        for zoom in ("", "zoom_in", "zoom_out"):
            options = {zoom: True} if zoom else {}
            cases["imrotate %s %s" % (degrees, zoom)] = lambda d=degrees, o=options: image.imrotate(chw, d, **o)
    return cases


SIZES = [
    ((640, 480), (720, 120)),
    ((360, 1000), (480, 500)),
    ((10, 10), (5, 5)),
    ((10, 20), (30, 30)),
    ((20, 10), (30, 31)),
]


def augmenters(mx):
    """Augmenters that are called with a floating image."""
    image = mx.image
    return [
        image.SequentialAug([image.ResizeAug(14, 1), image.CastAug()]),
        image.ResizeAug(14, 1),
        image.ForceResizeAug((13, 17), 3),
        image.ForceResizeAug((50, 17), 9),
        image.RandomCropAug((13, 17)),
        image.RandomSizedCropAug((13, 17), (0.3, 0.6), (0.5, 2), 1),
        image.RandomSizedCropAug((13, 17), 0.5, (0.5, 2), 1, min_area=0.2),
        image.CenterCropAug((13, 17)),
        image.RandomOrderAug([image.CastAug(), image.ResizeAug(14, 1), image.HorizontalFlipAug(0.5)]),
        image.BrightnessJitterAug(0.3),
        image.ContrastJitterAug(0.3),
        image.SaturationJitterAug(0.3),
        image.HueJitterAug(0.3),
        image.ColorJitterAug(0.1, 0.2, 0.3),
        image.ColorJitterAug(0, 0.2, 0),
        image.LightingAug(0.1, EIGVAL, EIGVEC),
        image.ColorNormalizeAug([1, 2, 3], [2, 2, 2]),
        image.ColorNormalizeAug(mx.nd.array([1, 2, 3]), None),
        image.RandomGrayAug(1.0),
        image.RandomGrayAug(0.01),
        image.HorizontalFlipAug(1.0),
        image.HorizontalFlipAug(0.01),
        image.CastAug("float16"),
    ]


CREATED = [
    {},
    {"resize": 30, "rand_crop": True, "rand_mirror": True},
    {"rand_crop": True, "rand_resize": True, "inter_method": 1},
    {"mean": True, "std": True},
    {"mean": np.array([1, 2, 3.0])},
    {"std": np.array([1, 2, 3.0])},
    {"brightness": 0.1, "hue": 0.2, "pca_noise": 0.1, "rand_gray": 0.3, "inter_method": 10},
    {"brightness": 0.1, "contrast": 0.2, "saturation": 0.3, "rand_gray": 0.9},
]
CREATED_DET = [
    {},
    {"resize": 40, "rand_crop": 0.5, "rand_pad": 0.5, "rand_mirror": True, "mean": True, "std": True},
    {"rand_crop": 1, "rand_gray": 0.5, "brightness": 0.1, "contrast": 0.2, "saturation": 0.3, "hue": 0.1},
    {"rand_crop": 0.9, "min_object_covered": [0.1, 0.5, 0.9], "pca_noise": 0.1, "mean": np.array([1, 2, 3])},
    {"rand_pad": 0.9, "inter_method": 1, "pad_val": (1, 2, 3), "std": np.array([2.0])},
    {"inter_method": 10},
]


def detection(mx, seed):
    """An augmenter for detection and a size of image, chosen by a seed."""
    choose = random.Random(seed)
    low = choose.choice([0.1, 0.5, 0.75, 1, 2])
    ratio = (low, low * choose.choice([1, 1.3, 2, 3]))
    attempts = choose.choice([1, 3, 20])
    size = choose.choice([(60, 80), (81, 40), (33, 33), (20, 100), (7, 9)])
    if choose.random() < 0.7:
        least = choose.choice([0.01, 0.05, 0.3, 0.6, 0.9])
        area = (least, choose.choice([least, min(1, least * 2), 1.0, 3.0]))
        covered, eject = choose.choice([0.0, 0.1, 0.3, 0.5, 0.9]), choose.choice([0, 0.1, 0.3, 0.5])
        return mx.image.DetRandomCropAug(covered, ratio, area, eject, attempts), size
    least = choose.choice([1.0, 1.2, 2])
    return mx.image.DetRandomPadAug(ratio, (least, choose.choice([least + 0.1, 4])), attempts, (1, 2, 3)), size


def seeded(mx, function, seed=7):
    """What a function returns from a known state of all generators, and the numbers that come next."""
    random.seed(seed)
    np.random.seed(seed)
    mx.random.seed(seed)
    return function(), (random.random(), float(np.random.rand()))


def as_arrays(result):
    """The arrays in a result."""
    if not isinstance(result, tuple):
        result = (result,)
    return [r.asnumpy() if hasattr(r, "asnumpy") else np.asarray(r) for r in result]


DET_LABELS = [
    [2, 5, 0, 0.1, 0.2, 0.5, 0.6],
    [2, 5, 0, 0.1, 0.2, 0.5, 0.6, 1, 0.4, 0.4, 0.9, 0.8],
    [4, 5, 9, 9, 1, 0.3, 0.3, 0.8, 0.9],
    [2, 5, 3, 0.2, 0.2, 0.9, 0.9, 0, 0.1, 0.1, 0.2, 0.2, 2, 0.3, 0.3, 0.8, 0.7],
    [2, 5, 1, 0.5, 0.5, 0.4, 0.6, 2, 0.1, 0.1, 0.9, 0.9],
]


def write_records(mx, folder):
    """Record and list files for the iterators."""
    recordio = mx.recordio
    files = [FILES[i % 3] for i in range(7)]
    labels = {
        "one": [float(i) for i in range(7)],
        "two": [[i, i * 2.0] for i in range(7)],
        "det": DET_LABELS,
    }
    for name, values in labels.items():
        base = os.path.join(folder, name)
        writer = recordio.MXIndexedRecordIO(base + ".idx", base + ".rec", "w")
        for i, label in enumerate(values):
            writer.write_idx(i, recordio.pack(recordio.IRHeader(0, label, i, 0), content(files[i])))
        writer.close()
    with open(os.path.join(folder, "one.lst"), "w") as stream:
        stream.writelines("%d\t%f\t%s\n" % (i + 10, i % 3, files[i]) for i in range(5))
    with open(os.path.join(folder, "two.lst"), "w") as stream:
        stream.writelines("%d\t%f\t%f\t%s\n" % (i, i % 3, i * 10, files[i]) for i in range(7))
    with open(os.path.join(folder, "det.lst"), "w") as stream:
        for i, label in enumerate(DET_LABELS):
            stream.write("\t".join([str(i)] + [str(v) for v in label] + [files[i]]) + "\n")


def iterators(mx, folder):
    """Name -> function that makes an iterator."""

    def at(name):
        return os.path.join(folder, name)

    def plain(**options):
        options = dict(options)
        size = options.pop("batch_size", 3)
        return lambda: mx.image.ImageIter(size, (3, 20, 18), inter_method=1, **options)

    def det(**options):
        return lambda: mx.image.ImageDetIter(2, (3, 20, 18), inter_method=1, **options)

    record = {"path_imgrec": at("one.rec")}
    indexed = dict(record, path_imgidx=at("one.idx"))
    boxes = {"path_imgrec": at("det.rec"), "path_imgidx": at("det.idx")}
    listed = [[1, "wide.jpg"], [2, "tall.jpg"], [3, "square.jpg"]]
    cases = {
        "rec": plain(**record),
        "idx": plain(**indexed),
        "shuffle": plain(shuffle=True, **indexed),
        "discard": plain(last_batch_handle="discard", **record),
        "roll_over": plain(last_batch_handle="roll_over", **record),
        "roll_over large": plain(last_batch_handle="roll_over", batch_size=5, **indexed),
        "part": plain(part_index=1, num_parts=2, batch_size=2, **indexed),
        "part 3": plain(part_index=2, num_parts=3, batch_size=2, shuffle=True, **indexed),
        "lst": plain(path_imglist=at("one.lst"), path_root=IMAGES, batch_size=2),
        "lst shuffle": plain(path_imglist=at("one.lst"), path_root=IMAGES, shuffle=True, batch_size=2),
        "lst two": plain(path_imglist=at("two.lst"), path_root=IMAGES, label_width=2),
        "imglist": plain(imglist=listed, path_root=IMAGES, batch_size=2),
        "imglist two": plain(imglist=[[i, i + 5, f] for i, f in listed], path_root=IMAGES, label_width=2),
        "imglist array": plain(imglist=[[[i, i + 5], f] for i, f in listed], path_root=IMAGES, label_width=2),
        "labels": plain(path_imglist=at("two.lst"), label_width=2, **indexed),
        "two": plain(path_imgrec=at("two.rec"), label_width=2),
        "names": plain(data_name="d", label_name="l", rand_crop=True, rand_mirror=True, mean=True, std=True, **record),
        "det": det(**boxes),
        "det shuffle": det(shuffle=True, **boxes),
        "det random": det(rand_crop=0.7, rand_pad=0.5, rand_mirror=True, mean=True, brightness=0.2, **boxes),
        "det list": det(path_imglist=at("det.lst"), path_root=IMAGES),
        "det imglist": det(imglist=[[np.array(b), f] for b, (_, f) in zip(DET_LABELS, listed)], path_root=IMAGES),
        "det discard": det(last_batch_handle="discard", path_imgrec=at("det.rec")),
    }
    return cases


def epochs(iterator):
    """Two passes over an iterator: the arrays of all batches, and their descriptions."""
    arrays, texts = (
        [],
        [repr([tuple(d) for d in iterator.provide_data]), repr([tuple(d) for d in iterator.provide_label])],
    )
    for _ in range(2):
        for batch in iterator:
            arrays += [batch.data[0].asnumpy(), batch.label[0].asnumpy()]
            texts.append("pad %s index %s" % (batch.pad, batch.index))
        texts.append("end")
        iterator.reset()
    return arrays, texts


def less(value):
    """Some of the pixels of a batch of images; all of anything else."""
    return value[:, :, ::4, ::3] if value.ndim == 4 else value
