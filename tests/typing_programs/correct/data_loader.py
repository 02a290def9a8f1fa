"""A data set of one's own, transforms, samplers and batchify."""

import numpy as np

import mxnet as mx
from mxnet import gluon, image, nd
from mxnet.gluon.data import ArrayDataset, DataLoader, Dataset
from mxnet.gluon.data.vision import transforms


class Squares(Dataset):
    def __init__(self, length):
        self._length = length

    def __getitem__(self, idx):
        return nd.full((3, 3), idx), np.float32(idx**2)

    def __len__(self):
        return self._length


squares = Squares(100)
doubled = squares.transform(lambda x, y: (x * 2, y))
jitter = transforms.Compose(
    [
        transforms.RandomResizedCrop(224, scale=(0.6, 1.0)),
        transforms.RandomFlipLeftRight(),
        transforms.RandomColorJitter(brightness=0.4, contrast=0.4, saturation=0.4),
        transforms.ToTensor(),
        transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ]
)
pictures = gluon.data.vision.ImageFolderDataset("images").transform_first(jitter)
arrays = ArrayDataset(nd.random.uniform(shape=(10, 3)), nd.arange(10))


def batchify(samples):
    data, label = zip(*samples)
    return nd.stack(*data), nd.array(label)


loader = DataLoader(doubled, batch_size=4, shuffle=True, last_batch="rollover", batchify_fn=batchify, num_workers=2)
sampler = gluon.data.BatchSampler(gluon.data.RandomSampler(len(arrays)), 3, "keep")
for x, y in DataLoader(arrays, batch_sampler=sampler):
    print(x.shape, y.asnumpy().sum(), x[0].asnumpy())
for x, y in loader:
    print((x + 1).mean(axis=(1, 2)), y.shape)
print(len(loader), len(pictures), squares[3][0].context)
img = image.imread("images/cat.jpg")
img = image.imresize(img, 224, 224)
img = image.color_normalize(img.astype("float32"), mx.nd.array([123.0, 117.0, 104.0]))
batch = img.transpose((2, 0, 1)).expand_dims(0)
record = gluon.data.vision.ImageRecordDataset("train.rec")
