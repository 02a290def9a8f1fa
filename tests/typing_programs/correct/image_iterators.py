"""Image iterators, records, augmenters."""

import mxnet as mx
from mxnet import recordio

train = mx.io.ImageRecordIter(
    path_imgrec="train.rec",
    path_imgidx="train.idx",
    data_shape=(3, 224, 224),
    batch_size=32,
    shuffle=True,
    rand_crop=True,
    rand_mirror=True,
    mean_r=123.68,
    std_r=58.4,
    resize=256,
    preprocess_threads=4,
)
for batch in train:
    data, label = batch.data[0], batch.label[0]
    print(data.shape, label.asnumpy(), batch.pad)
train.reset()
augmenters = mx.image.CreateAugmenter((3, 224, 224), resize=256, rand_mirror=True, mean=True)
images = mx.image.ImageIter(4, (3, 224, 224), path_imglist="list.lst", path_root=".", aug_list=augmenters)
for aug in augmenters:
    print(aug.dumps())
boxes = mx.image.ImageDetIter(batch_size=2, data_shape=(3, 300, 300), path_imgrec="det.rec", rand_crop=0.5)
print(images.next().data[0].mean().asscalar(), boxes.provide_data)

writer = recordio.MXIndexedRecordIO("out.idx", "out.rec", "w")
header = recordio.IRHeader(0, 3.0, 1, 0)
with open("cat.jpg", "rb") as file:
    writer.write_idx(0, recordio.pack(header, file.read()))
writer.close()
reader = recordio.MXIndexedRecordIO("out.idx", "out.rec", "r")
header, content = recordio.unpack(reader.read_idx(0))
img = mx.image.imdecode(content, flag=1, to_rgb=True)
img = mx.nd.image.to_tensor(mx.image.resize_short(img, 256))
img = mx.nd.image.normalize(img, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225))
csv = mx.io.CSVIter(data_csv="x.csv", data_shape=(3,), batch_size=10)
mnist = mx.io.MNISTIter(image="train-images", label="train-labels", batch_size=10, flat=True)
resized = mx.io.ResizeIter(mx.io.PrefetchingIter(csv), 5)
print(img[0, :, :].max(), mnist.provide_label, resized.provide_data[0].shape)
