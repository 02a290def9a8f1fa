"""Train on record files made from a folder of JPEG images, with Module and with Gluon.

python examples/train_on_records.py                      classifies crops of six photos (examples/photos)
python examples/train_on_records.py --digits             handwritten digits, written as JPEG files first
python examples/train_on_records.py --images pets/       your own, with a folder for each class; try --size 96

Module uses ImageRecordIter, which crops and mirrors in threads; Gluon uses ImageRecordDataset and DataLoader.
"""

import argparse
import time
from pathlib import Path

from folder_to_rec import convert, write_digits

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon.data.vision import ImageRecordDataset, transforms
from mxnet.tools import im2rec

PHOTOS = Path(__file__).resolve().parent / "photos"


def network(classes):
    """Three convolutions and a dense layer."""
    net = gluon.nn.HybridSequential()
    for channels in (16, 32, 64):
        net.add(
            gluon.nn.Conv2D(channels, 3, padding=1, use_bias=False),
            gluon.nn.BatchNorm(),
            gluon.nn.Activation("relu"),
            gluon.nn.MaxPool2D(2, 2),
        )
    net.add(gluon.nn.GlobalAvgPool2D(), gluon.nn.Dense(classes))
    return net


def pack_photos(prefix, shorter_side, repeats):
    """Packs each photo several times, with a label of its own: a crop of it will be another one each time."""
    photos = sorted(path.name for path in PHOTOS.glob("*.jpg"))
    for part, count in (("train", repeats), ("val", max(1, repeats // 2))):
        items = [im2rec.Item(i, name, (i % len(photos),)) for i, name in enumerate(photos * count)]
        im2rec.write_lists(f"{prefix}_{part}", items)
    im2rec.main([str(prefix), str(PHOTOS), "--resize", str(shorter_side), "--num-thread", "2"])


def classes_in(record):
    """How many classes the labels of a record file have."""
    with mx.recordio.MXRecordIO(record, "r") as reader:
        return 1 + int(max(mx.recordio.unpack(content)[0].label for content in reader))


def with_module(prefix, args, classes, mirror):
    """ImageRecordIter and Module: crops, mirrors, and numbers from -2 to 2."""
    common = {
        "data_shape": (3, args.size, args.size), "batch_size": args.batch_size, "preprocess_threads": 2,
        "mean_r": 124, "mean_g": 116, "mean_b": 104, "std_r": 58, "std_g": 57, "std_b": 57, "rand_crop": True,
    }  # fmt: skip
    train = mx.io.ImageRecordIter(
        path_imgrec=f"{prefix}_train.rec", path_imgidx=f"{prefix}_train.idx", shuffle=True, rand_mirror=mirror, **common
    )
    val = mx.io.ImageRecordIter(path_imgrec=f"{prefix}_val.rec", seed=1, **common)
    output = mx.sym.SoftmaxOutput(network(classes)(mx.sym.var("data")), name="softmax")
    module = mx.mod.Module(output)
    module.fit(
        train, num_epoch=args.epochs, initializer=mx.init.Xavier(), optimizer="adam",
        optimizer_params={"learning_rate": 0.003},
    )  # fmt: skip
    return dict(module.score(val, "acc"))["accuracy"]


def with_gluon(prefix, args, classes, mirror):
    """ImageRecordDataset and DataLoader: the same with transforms."""
    crops = [transforms.RandomCrop(args.size)] + [transforms.RandomFlipLeftRight()] * mirror
    change = transforms.Compose(
        [*crops, transforms.ToTensor(), transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))]
    )
    train, val = (ImageRecordDataset(f"{prefix}_{part}.rec").transform_first(change) for part in ("train", "val"))
    net = network(classes)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.003})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(args.epochs):
        for data, label in gluon.data.DataLoader(train, args.batch_size, shuffle=True, last_batch="rollover"):
            with autograd.record():
                loss = loss_of(net(data), label)
            loss.backward()
            trainer.step(len(data))
    accuracy = mx.metric.Accuracy()
    for data, label in gluon.data.DataLoader(val, args.batch_size):
        accuracy.update(label, net(data))
    return accuracy.get()[1]


def main():
    """Packs the images and trains twice."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--images", type=Path, help="folder with a folder of images for each class")
    parser.add_argument("--digits", action="store_true", help="the digits that ship with the package")
    parser.add_argument("--count", type=int, default=2000, help="number of digits, or of records of photos")
    parser.add_argument("--output", type=Path, default=Path("runs/records"))
    parser.add_argument("--size", type=int, help="height and width of a crop; 24 for digits, 48 for photos")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()

    args.output.mkdir(parents=True, exist_ok=True)
    prefix = args.output / "data"
    if args.digits:
        args.size, args.images = args.size or 24, args.output / "digits"
        write_digits(args.images, args.count)
        convert(args.images, prefix, args.size + 4)
    elif args.images is not None:
        args.size = args.size or 48
        convert(args.images, prefix, args.size * 5 // 4)
    else:
        args.size = args.size or 48
        pack_photos(prefix, args.size * 2, max(1, args.count // 6))

    classes = classes_in(f"{prefix}_train.rec")
    for name, train in (("Module", with_module), ("Gluon", with_gluon)):
        mx.random.seed(1)
        start = time.time()
        accuracy = train(prefix, args, classes, mirror=not args.digits)
        print(f"{name}: {accuracy:.1%} right on the validation images, {time.time() - start:.1f} s")


if __name__ == "__main__":
    main()
