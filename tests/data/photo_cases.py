"""What becomes of real photos: read by the recorder, under the original, and by the tests."""

import os
import zlib

import numpy as np

PHOTOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "examples", "photos")
NAMES = ("astronaut.jpg", "camera.jpg", "cat.jpg", "coffee.jpg", "galaxies.jpg", "rocket.jpg")


def functions(mx, name):
    """Name -> array of a photo: decoded, resized, cropped."""
    image = mx.image
    path = os.path.join(PHOTOS, name)
    with open(path, "rb") as stream:
        content = stream.read()
    photo = image.imdecode(content)
    results = {
        "rgb": photo,
        "bgr": image.imread(path, 1, False),
        "gray": image.imread(path, 0),
        "center": image.center_crop(photo, (224, 200))[0],
        "fixed": image.fixed_crop(photo, 31, 17, 160, 201, (150, 150), 1),
    }
    for interp in range(5):
        results["down %d" % interp] = image.resize_short(photo, 150, interp)
        results["up %d" % interp] = image.imresize(photo, 401, 333, interp)
    return {case: value.asnumpy() for case, value in results.items()}


ITERATORS = {
    "plain": dict(),
    "resize": dict(resize=256, mirror=True),
    "area": dict(resize=230, inter_method=3),
    "rotate": dict(rotate=20, fill_value=0),
    "uint8": dict(dtype="uint8", resize=240),
}


def batches(mx, folder, name):
    """All photos in one batch."""
    path = os.path.join(folder, "photos.rec")
    writer = mx.recordio.MXRecordIO(path, "w")
    for i, photo in enumerate(NAMES):
        with open(os.path.join(PHOTOS, photo), "rb") as stream:
            writer.write(mx.recordio.pack((0, float(i), i, 0), stream.read()))
    writer.close()
    options = dict(ITERATORS[name], data_shape=(3, 224, 224), batch_size=len(NAMES), verbose=False)
    return mx.io.ImageRecordIter(path_imgrec=path, **options).next().data[0].asnumpy()


def fingerprint(value):
    """A checksum of all values, and a few of them, to see how far others are from them."""
    some = value[..., ::23, ::29] if value.ndim == 4 else value[::23, ::29]
    return zlib.crc32(np.ascontiguousarray(value)), some.astype(np.uint8)
