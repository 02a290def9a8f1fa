"""Samples of image operators. The random ones have a range of one number here; the rest is in test_image_ops.py."""

import struct
import zlib

import numpy as np

from .common import S, ints, rand


def _image(*shape, seed=0, dtype="uint8"):
    return ints(*shape, high=256, seed=seed).astype(dtype)


def _png(image):
    """The bytes of a PNG file, stored without compression so that they are the same everywhere."""
    height, width, channels = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    packed = b"\x78\x01\x01" + struct.pack("<HH", len(rows), len(rows) ^ 0xFFFF) + rows
    packed += struct.pack(">I", zlib.adler32(rows) & 0xFFFFFFFF)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)

    colour = {1: 0, 3: 2, 4: 6}[channels]
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))
    data = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    return np.frombuffer(data, "uint8").copy()


def _resize(data, **attrs):
    return S("_image_resize", data, grad=False, **attrs)


_WHOLE = dict(rtol=0, atol=1)  # whole numbers: one step, from another rounding

SAMPLES = [
    S("_image_to_tensor", _image(4, 5, 3)),
    S("_image_to_tensor", _image(2, 4, 5, 3)),
    S("_image_to_tensor", _image(4, 5, 1)),
    S("_image_to_tensor", _image(4, 5, 3, dtype="float32"), grad=False),
    S("_image_to_tensor", _image(4, 5, 3, dtype="float64"), grad=False),
    S("_image_to_tensor", _image(4, 5, 3, dtype="int32")),
    S("_image_to_tensor", _image(4, 5), error=True),
    S("_image_normalize", rand(3, 4, 5), mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7)),
    S("_image_normalize", rand(2, 3, 4, 5), mean=0.5, std=2.0),
    S("_image_normalize", rand(1, 4, 5), mean=(0.5,), std=(2.0,)),
    S("_image_normalize", rand(3, 4, 5, dtype="float64"), mean=(0.1, 0.2, 0.3), std=0.5),
    S("_image_normalize", rand(3, 4, 5, dtype="float16"), mean=0.5, std=2.0, rtol=1e-2, atol=1e-3),
    S("_image_normalize", _image(3, 4, 5), mean=0.0, std=2.0),
    S("_image_normalize", rand(3, 4, 5), mean=(0.1, 0.2), std=1.0, error=True),
    S("_image_normalize", rand(2, 4, 5), mean=0.1, std=1.0, error=True),
    S("_image_normalize", rand(4, 5), mean=0.1, std=1.0, error=True),
    _resize(_image(4, 6, 3), size=(3, 2), **_WHOLE),
    _resize(_image(4, 6, 3), size=3, **_WHOLE),
    _resize(_image(4, 6, 3), size=3, keep_ratio=True, **_WHOLE),
    _resize(_image(7, 4, 3), size=3, keep_ratio=True, **_WHOLE),
    _resize(_image(4, 6, 3), size=(5, 3), keep_ratio=True, **_WHOLE),
    _resize(_image(2, 4, 6, 3), size=(3, 7), **_WHOLE),
    _resize(_image(4, 6, 1), size=(3, 2), **_WHOLE),
    _resize(_image(2, 4, 6, 1), size=(3, 2), **_WHOLE),
    _resize(_image(4, 6, 3, dtype="float32"), size=(9, 7)),
    _resize(_image(4, 6, 3, dtype="float64"), size=(3, 2)),
    *[_resize(_image(6, 8, 3, dtype="float32"), size=(5, 4), interp=i, rtol=1e-4, atol=1e-3) for i in range(5)],
    *[_resize(_image(4, 6, 3), size=(9, 7), interp=i, **_WHOLE) for i in range(5)],
    S("_image_resize", _image(4, 6, 3), error=True),
    S("_image_resize", _image(4, 6, 3), size=0, error=True),
    S("_image_resize", _image(4, 6, 3), size=(3, 2, 1), error=True),
    S("_image_resize", _image(4, 6, 3), size=3, interp=9, error=True),
    S("_image_resize", _image(4, 6, 3, dtype="int32"), size=3, error=True),
    S("_image_resize", _image(4, 6), size=3, error=True),
    S("_image_crop", _image(4, 5, 3), x=1, y=2, width=3, height=2),
    S("_image_crop", rand(2, 4, 5, 3), x=1, y=0, width=3, height=4),
    S("_image_crop", _image(4, 5, 3, dtype="int32"), x=0, y=0, width=5, height=4),
    S("_image_crop", _image(4, 5, 3), x=1, y=2, width=5, height=2, error=True),
    S("_image_crop", _image(4, 5, 3), x=1, y=2, width=0, height=2, error=True),
    # an odd side is not sampled: the original leaves its middle unset
    S("_image_flip_left_right", _image(3, 4, 3)),
    S("_image_flip_left_right", _image(3, 4, 1, dtype="float32"), grad=False),
    S("_image_flip_left_right", _image(2, 4, 3, 3), error=True),
    S("_image_flip_top_bottom", _image(4, 3, 3)),
    S("_image_flip_top_bottom", _image(4, 3, 3, dtype="int32")),
    S("_image_flip_top_bottom", _image(4, 3), error=True),
    S("_image_adjust_lighting", _image(4, 5, 3), alpha=(0.1, 0.2, 0.3), **_WHOLE),
    S("_image_adjust_lighting", _image(4, 5, 3), alpha=(3, -2, 3), **_WHOLE),
    S("_image_adjust_lighting", _image(4, 5, 3, dtype="float32"), alpha=(0.1, -0.2, 0.3)),
    S("_image_adjust_lighting", _image(4, 5, 3, dtype="float64"), alpha=(0.1, -0.2, 0.3)),
    S("_image_adjust_lighting", _image(4, 5, 3), alpha=(0.5, -1.0, 1.0, 0.1), **_WHOLE),
    S("_image_adjust_lighting", _image(4, 5, 3), alpha=(0.1, 0.2), error=True),
    S("_image_adjust_lighting", _image(2, 4, 5, 3), alpha=(0.1, 0.2, 0.3), error=True),
    S("_image_random_lighting", _image(4, 5, 3), alpha_std=0.0),
    S("_image_random_flip_left_right", np.full((3, 4, 3), 7, "uint8")),
    S("_image_random_flip_top_bottom", np.full((4, 3, 3), 7, "float32"), grad=False),
    S("_image_random_saturation", _image(4, 5, 3), min_factor=1, max_factor=1, **_WHOLE),
    S("_image_random_saturation", _image(4, 5, 3), min_factor=-1, max_factor=1, error=True),
    S("_image_random_color_jitter", _image(4, 5), brightness=0, contrast=0, saturation=0, hue=0, error=True),
    S("_cvimdecode", _png(_image(4, 6, 3))),
    S("_cvimdecode", _png(_image(4, 6, 3)), to_rgb=False),
    S("_cvimdecode", _png(_image(4, 6, 3)), flag=0, **_WHOLE),
    S("_cvimdecode", _png(_image(4, 6, 1))),
    S("_cvimdecode", _png(_image(4, 6, 1)), flag=0),
    S("_cvimdecode", _png(_image(4, 6, 4))),
    S("_cvimdecode", _image(40), error=True),
    S("_cvimdecode", _png(_image(4, 6, 3)), flag=-1, error=True),
    S("_cvimdecode", _png(_image(4, 6, 3)).astype("float32"), error=True),
    S("_cvimread", filename="no such file", error=True),
    S("_cvimresize", _image(4, 6, 3), w=3, h=2, **_WHOLE),
    S("_cvimresize", _image(4, 6, 3, dtype="float32"), w=8, h=3, interp=2, grad=False, rtol=1e-4, atol=1e-3),
    S("_cvimresize", _image(4, 6, 1), w=3, h=2, interp=0),
    S("_cvimresize", _image(4, 6, 3), w=0, h=2, error=True),
    S("_cvimresize", _image(4, 6), w=2, h=2, error=True),
    S("_cvcopyMakeBorder", _image(4, 6, 3), top=1, bot=0, left=2, right=1),
    S("_cvcopyMakeBorder", _image(4, 6, 3), top=1, bot=2, left=2, right=1, value=7),
    S("_cvcopyMakeBorder", _image(4, 6, 3), top=1, bot=2, left=2, right=1, values=(1, 2, 3)),
    S("_cvcopyMakeBorder", _image(4, 6, 1, dtype="float32"), top=1, bot=2, left=0, right=1, value=7.5, grad=False),
    *[S("_cvcopyMakeBorder", _image(4, 6, 3), top=1, bot=2, left=2, right=1, type=i) for i in range(1, 5)],
    S("_cvcopyMakeBorder", _image(4, 6, 3), top=-1, bot=2, left=2, right=1, error=True),
    S("_cvcopyMakeBorder", _image(4, 6, 3), top=1, bot=2, left=2, right=1, type=9, error=True),
]
for _name in ("brightness", "contrast", "hue"):
    for _factor in (0.5, 1.0, 1.3):
        for _dtype in ("uint8", "float32"):
            SAMPLES.append(
                S(
                    "_image_random_" + _name,
                    _image(4, 5, 3, dtype=_dtype),
                    min_factor=_factor,
                    max_factor=_factor,
                    grad=False,
                    rtol=1e-4,
                    atol=1 if _dtype == "uint8" else 2e-3,
                )
            )

# Exactly: every step of the hue is rounded as there. int8 begins again at its other end.
for _factor in (0.1, 0.5, 1.3):
    SAMPLES.append(S("_image_random_hue", _image(16, 16, 3), min_factor=_factor, max_factor=_factor))
SAMPLES.append(S("_image_random_hue", _image(4, 5, 3, dtype="int8"), min_factor=0.7, max_factor=0.7))
SAMPLES.append(S("_image_random_brightness", _image(4, 5, 3, dtype="int8"), min_factor=2.5, max_factor=2.5))
SAMPLES.append(S("_image_random_contrast", _image(4, 5, 3, dtype="int8"), min_factor=2.5, max_factor=2.5, **_WHOLE))
for _name in ("hue", "contrast"):
    _half = _image(4, 5, 3, dtype="float16")
    SAMPLES.append(S(f"_image_random_{_name}", _half, min_factor=1.3, max_factor=1.3, grad=False, rtol=2e-3, atol=1e-2))
