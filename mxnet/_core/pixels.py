"""Decoding images by OpenCV, with a bound: a file of some kilobytes may say that it has any number of pixels.

``MXNET_IMAGE_MAX_PIXELS`` in the environment is the bound, 2**26 (8192 x 8192) by default. It is compared with what the
header of the file says, before anything is decoded. Kinds of files that are not known here are left to OpenCV's own
bound, which is set to the same number if this module is what loads OpenCV.
"""

from __future__ import annotations

import os
import re
import struct
from typing import Any

import numpy as np

from . import config

__all__ = ["check_pixels", "decode_pixels", "max_pixels", "size_of_image"]

_LARGE_CHUNK = 1 << 24
#: Bytes of compressed texts in a PNG that may be unpacked, beside a multiple of its size.
_MOST_TEXT = 1 << 27
_COMPRESSED_TEXTS = (b"zTXt", b"iTXt", b"iCCP")
#: Scans that a JPEG of as many pixels as are allowed may have; encoders make about ten.
_MOST_SCANS = 16
#: Tiles of a JPEG 2000 image: the decoder takes some 10 kB for each and a kilobyte for each of its components.
_MOST_TILES = 2048


class BadImage(ValueError):
    """Says why the bytes of an image are not given to OpenCV."""


def max_pixels() -> int:
    """How many pixels an image may have."""
    return config.IMAGE_MAX_PIXELS.get()


def decode_pixels(content: np.ndarray, how: int) -> np.ndarray | None:
    """``cv2.imdecode`` of bytes; ``ValueError`` for too many pixels and for what OpenCV refuses, None for no image."""
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(max_pixels()))  # OpenCV looks when it is loaded
    import cv2

    check_pixels(content)
    try:
        return cv2.imdecode(content, how)
    except cv2.error as error:
        raise ValueError(f"OpenCV reports: {error.err or error}".strip()) from error


def check_pixels(content: Any) -> None:
    """Refuses the bytes of an image that has more pixels than are allowed."""
    size = size_of_image(memoryview(content).cast("B"))
    if size is not None and size[0] * size[1] > (bound := max_pixels()):
        raise BadImage(
            f"the image has {size[0]} x {size[1]} pixels (height x width), more than "
            f"MXNET_IMAGE_MAX_PIXELS={bound} allows; set that variable to read it"
        )


def size_of_image(data: memoryview) -> tuple[int, int] | None:
    """The (height, width) that the header of an image file says; None if it is of no kind that is known here."""
    head = bytes(data[:32])
    for start, read in _KINDS:
        if head.startswith(start):
            try:
                return read(data)
            except (struct.error, IndexError, OverflowError):  # it ends within its header: nothing to decode
                return None
    return _BOXES[head[4:8]](data) if head[4:8] in _BOXES else None


def _png(data: memoryview) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 16)
    at, texts = 33, 0
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if length > _LARGE_CHUNK and at + 8 + length > len(data):  # OpenCV would ask for that much memory
            raise BadImage(f"the PNG chunk at offset {at} has {length} bytes, of {len(data)} of the whole file")
        if kind in _COMPRESSED_TEXTS:  # libpng unpacks each, up to 8 MB
            texts += min(1032 * length, 8 << 20)
            if texts > _MOST_TEXT + 64 * len(data):
                raise BadImage(f"the PNG has more compressed texts, up to offset {at}, than are unpacked")
        at += 12 + length
    return height, width


def _jpeg(data: memoryview) -> tuple[int, int] | None:
    at, size, components, progressive = 2, None, 0, False
    while at + 9 <= len(data):
        if data[at] != 0xFF:  # decoders look for the next marker, too
            following = _MARKER.search(data, at)  # a memoryview will do
            if following is None:
                return size
            at = following.start()
            continue
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in (0x00, 0x01) or 0xD0 <= marker <= 0xD8:
            at += 2
        elif marker == 0xD9:
            return size
        elif marker == 0xDA:
            if size is not None and (progressive or data[at + 4] < components):
                _check_scans(data, at, size)
            return size
        else:
            if size is None and 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                height, width, components = struct.unpack_from(">HHB", data, at + 5)
                size, progressive = (height, width), marker & 3 == 2
            at += 2 + max(2, struct.unpack_from(">H", data, at + 2)[0])
    return size


def _check_scans(data: memoryview, start: int, size: tuple[int, int]) -> None:
    """Refuses a JPEG with too many scans: each takes a few bytes, and time for every pixel."""
    most = _MOST_SCANS * max_pixels() // max(1, size[0] * size[1])
    if sum(1 for _ in _SCAN.finditer(data, start)) > most:
        raise BadImage(f"the JPEG has more scans than are decoded for {size[0]} x {size[1]} pixels, which are {most}")


def _bmp(data: memoryview) -> tuple[int, int]:
    if struct.unpack_from("<I", data, 14)[0] == 12:
        width, height = struct.unpack_from("<HH", data, 18)
    else:
        width, height = struct.unpack_from("<ii", data, 18)
    return abs(height), abs(width)


def _gif(data: memoryview) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", data, 6)
    return height, width


def _webp(data: memoryview) -> tuple[int, int] | None:
    kind = bytes(data[12:16])
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return height & 0x3FFF, width & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits >> 14 & 0x3FFF) + 1, (bits & 0x3FFF) + 1
    if kind == b"VP8X":
        return int.from_bytes(data[27:30], "little") + 1, int.from_bytes(data[24:27], "little") + 1
    return None


#: Width and height of a TIFF image, and those of its tiles.
_TIFF_SIZES = (256, 257, 322, 323)


def _tiff(data: memoryview) -> tuple[int, int] | None:
    order = "<" if data[0] == 0x49 else ">"
    big = struct.unpack_from(order + "H", data, 2)[0] == 43
    first, count, entry = ("Q", "Q", 20) if big else ("I", "H", 12)
    (at,) = struct.unpack_from(order + first, data, 8 if big else 4)
    (entries,) = struct.unpack_from(order + count, data, at)
    at += struct.calcsize(order + count)
    size: dict[int, int] = {}
    for i in range(min(entries, 4096)):
        tag, kind = struct.unpack_from(order + "HH", data, at + i * entry)
        if tag in _TIFF_SIZES:  # if it is there twice, decoders differ in which they take
            form = {3: "H", 4: "I", 16: "Q", 17: "Q"}.get(kind, "I")
            found = struct.unpack_from(order + form, data, at + i * entry + (12 if big else 8))[0]
            size[tag] = max(found, size.get(tag, 0))
    if 256 not in size or 257 not in size:
        return None
    # a tile, or the rows of a strip, of which OpenCV makes room for one, may say to be larger than the image
    return max(size[257], size.get(323, 0)), max(size[256], size.get(322, 0))


_MARKER = re.compile(rb"\xff")
_SCAN = re.compile(rb"\xff\xda")
_PNM = re.compile(rb"P[1-6Ff](?:\s|#[^\n]*\n)+(\d{1,9})(?:\s|#[^\n]*\n)+(\d{1,9})\b")
_PAM = re.compile(rb"(?s)P7\s.*?(?:WIDTH\s+(\d{1,9})).*?(?:HEIGHT\s+(\d{1,9}))")
_HDR = re.compile(rb"[-+]Y\s+(\d{1,9})\s+[-+]X\s+(\d{1,9})")


def _text(data: memoryview) -> tuple[int, int] | None:
    head = bytes(data[:8192])
    found = (_PAM if head[:2] == b"P7" else _PNM).match(head)
    return (int(found[2]), int(found[1])) if found else None


def _radiance(data: memoryview) -> tuple[int, int] | None:
    found = _HDR.search(bytes(data[:8192]))
    return (int(found[1]), int(found[2])) if found else None


def _sun(data: memoryview) -> tuple[int, int]:
    width, height = struct.unpack_from(">II", data, 4)
    return height, width


def _codestreams(data: memoryview) -> tuple[int, int] | None:
    """JPEG 2000: the largest size that is said anywhere, in a box or at the start of a codestream."""
    sizes = []
    for found in _JPEG_2000.finditer(data):
        at = found.end()
        if at + 42 > len(data):  # nothing to decode follows
            break
        if found[0] == b"ihdr":
            sizes.append(struct.unpack_from(">II", data, at))
            continue
        right, bottom, left, top, width, height, first, upper, components = struct.unpack_from(">8IH", data, at + 4)
        sizes.append((max(0, bottom - top), max(0, right - left)))
        columns, rows = -(-max(0, right - first) // max(1, width)), -(-max(0, bottom - upper) // max(1, height))
        if columns * rows > 1 and columns * rows * max(components, 4) > 4 * _MOST_TILES:
            raise BadImage(f"the JPEG 2000 image has {columns * rows} tiles, at most {_MOST_TILES} are decoded")
    return max(sizes, key=lambda size: size[0] * size[1], default=None)


def _avif(data: memoryview) -> None:
    # Decoders take the size from the compressed video in it, whatever the boxes say.
    raise BadImage(
        "AVIF and HEIF images are not decoded, as their size is not known before: convert them to PNG, WebP or JPEG"
    )


_JPEG_2000 = re.compile(rb"ihdr|\xff\x4f\xff\x51")
_KINDS: tuple[tuple[Any, Any], ...] = (
    (b"\xff\xd8", _jpeg),
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"RIFF", _webp),
    (b"BM", _bmp),
    ((b"GIF87a", b"GIF89a"), _gif),
    ((b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"), _tiff),
    ((b"P1", b"P2", b"P3", b"P4", b"P5", b"P6", b"P7", b"PF", b"Pf"), _text),
    ((b"#?RGBE", b"#?RADIANCE"), _radiance),
    (b"\x59\xa6\x6a\x95", _sun),
    (b"\xff\x4f\xff\x51", _codestreams),
)
_BOXES = {b"jP  ": _codestreams, b"ftyp": _avif}
