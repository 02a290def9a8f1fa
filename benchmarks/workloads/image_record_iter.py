"""An epoch of 384 JPEG images of 280 x 320 from a record file, cropped and mirrored at random, by two threads."""

import os
import tempfile

import numpy as np

from . import sized

COUNT, BATCH = sized((384, 32), (8, 4))


def mxnet_step(mx):
    random = np.random.RandomState(0)
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "images.rec")
    writer = mx.recordio.MXIndexedRecordIO(os.path.join(folder.name, "images.idx"), path, "w")
    for i in range(COUNT):
        smooth = random.randint(0, 255, (35, 40, 3)).astype(np.uint8).repeat(8, 0).repeat(8, 1)
        image = np.clip(smooth + random.normal(0, 6, smooth.shape), 0, 255).astype(np.uint8)
        writer.write_idx(i, mx.recordio.pack_img(mx.recordio.IRHeader(0, float(i), i, 0), image, quality=90))
    writer.close()
    batches = mx.io.ImageRecordIter(
        path_imgrec=path, data_shape=(3, 224, 224), batch_size=BATCH, rand_crop=True, rand_mirror=True,
        preprocess_threads=2, prefetch_buffer=1, verbose=False,
    )  # fmt: skip

    def step(folder=folder):
        batches.reset()  # not at the end: else it would work ahead while the others are timed
        for batch in batches:
            batch.data[0].wait_to_read()

    return step


def torch_step(torch):
    """The same by OpenCV in one thread, without reading a file."""
    import cv2

    random = np.random.RandomState(0)
    encoded = []
    for _ in range(BATCH):
        smooth = random.randint(0, 255, (35, 40, 3)).astype(np.uint8).repeat(8, 0).repeat(8, 1)
        image = np.clip(smooth + random.normal(0, 6, smooth.shape), 0, 255).astype(np.uint8)
        encoded.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])

    def step():
        for _ in range(COUNT // BATCH):
            batch = torch.empty(BATCH, 3, 224, 224)
            for i, content in enumerate(encoded):
                top, left = random.randint(0, 57), random.randint(0, 97)
                image = cv2.imdecode(content, cv2.IMREAD_COLOR_RGB)[top : top + 224, left : left + 224]
                if random.rand() < 0.5:
                    image = image[:, ::-1]
                batch[i] = torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1)))

    return step
