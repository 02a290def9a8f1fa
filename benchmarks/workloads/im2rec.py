"""im2rec on 200 JPEG images of 280 x 320, resized to 256 and encoded again, with --num-thread 2.

Each engine runs its own program: ours is mxnet.tools.im2rec, the original's is tools/im2rec.py, which starts processes.
"""

import contextlib
import os
import runpy
import sys
import tempfile

import numpy as np

from . import sized

COUNT = sized(200, 4)


def images():
    """A folder of images, and their list."""
    import cv2

    folder = tempfile.TemporaryDirectory()
    random = np.random.RandomState(0)
    with open(os.path.join(folder.name, "data.lst"), "w") as lines:
        for i in range(COUNT):
            smooth = random.randint(0, 255, (35, 40, 3)).astype(np.uint8).repeat(8, 0).repeat(8, 1)
            image = np.clip(smooth + random.normal(0, 6, smooth.shape), 0, 255).astype(np.uint8)
            cv2.imwrite(os.path.join(folder.name, f"{i}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
            lines.write(f"{i}\t{i % 10}\t{i}.jpg\n")
    return folder


def mxnet_step(mx):
    folder = images()
    program = os.path.join(os.path.dirname(mx.__file__), "tools", "im2rec.py")
    arguments = [os.path.join(folder.name, "data"), folder.name, "--resize", "256", "--num-thread", "2"]

    def step(folder=folder):
        before, sys.argv = sys.argv, [program, *arguments]
        try:
            with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
                if hasattr(mx, "mxnext_version"):
                    from mxnet.tools import im2rec

                    assert im2rec.main(arguments) == 0
                else:
                    runpy.run_path(program, run_name="__main__")
        finally:
            sys.argv = before
        assert len(mx.recordio.MXIndexedRecordIO(arguments[0] + ".idx", arguments[0] + ".rec", "r").keys) == COUNT

    return step


def torch_step(torch):
    """The same by OpenCV in one thread, without writing a file."""
    import cv2

    folder = images()

    def step(folder=folder):
        for i in range(COUNT):
            image = cv2.imread(os.path.join(folder.name, f"{i}.jpg"))
            cv2.imencode(".jpg", cv2.resize(image, (292, 256)), [cv2.IMWRITE_JPEG_QUALITY, 95])

    return step
