"""Image augmentation with mx.image and Gluon transforms.

    python examples/image_augmentation.py --image photo.jpg

Without --image it uses a photo from examples/photos; the README there names the sources.
"""

import argparse
from pathlib import Path

import drawing
import numpy as np

import mxnet as mx
from mxnet import image, nd
from mxnet.gluon.data.vision import transforms

SIZE = (200, 200)

#: Ways to change an image: functions from an image of floats (height x width x channel, 0 to 255) to another.
AUGMENTERS = {
    "HorizontalFlipAug(0.5)": image.HorizontalFlipAug(0.5),
    "RandomCropAug(200 × 200)": image.RandomCropAug(SIZE),
    "RandomSizedCropAug(10 % and more)": image.RandomSizedCropAug(SIZE, 0.1, (0.5, 2)),
    "BrightnessJitterAug(0.5)": image.BrightnessJitterAug(0.5),
    "ContrastJitterAug(0.5)": image.ContrastJitterAug(0.5),
    "SaturationJitterAug(0.9)": image.SaturationJitterAug(0.9),
    "HueJitterAug(0.5)": image.HueJitterAug(0.5),
    "transforms: crop, flip, colours": transforms.Compose(
        [
            transforms.RandomResizedCrop(SIZE, scale=(0.3, 1)),
            transforms.RandomFlipLeftRight(),
            transforms.RandomColorJitter(0.3, 0.3, 0.3, 0.02),
        ]
    ),
}


def apply(img, aug, count):
    """So many results of an augmenter, with values clipped to what an image can have."""
    # a float copy each time: some augmenters write into their input
    return [aug(img.astype("float32")).clip(0, 255) for _ in range(count)]


def as_batch(images, size=SIZE):
    """Images of any size as one batch for a network: count x channel x height x width in [0, 1]."""
    resized = [image.imresize(img.astype("uint8"), *size) for img in images]
    return nd.stack(*[transforms.ToTensor()(img) for img in resized])


def main(argv=None):
    """Draws all of them; returns the images that each augmenter made."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--image", type=Path, help="a JPEG or PNG file")
    parser.add_argument("--count", type=int, default=6, help="how many images of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("runs/augmentation.png"))
    args = parser.parse_args(argv)

    mx.random.seed(args.seed)
    np.random.seed(args.seed)
    path = args.image or Path(__file__).parent / "photos" / "astronaut.jpg"
    img = image.imdecode(path.read_bytes())
    print(f"{path.name}: {img.shape}, mean colour {img.astype('float32').mean(axis=(0, 1)).asnumpy().round(1)}")
    made = {name: apply(img, aug, args.count) for name, aug in AUGMENTERS.items()}
    for name, images in made.items():
        means = " ".join(f"{x.mean().asscalar():.1f}" for x in images)
        print(f"{name:33s} {images[0].shape}, means {means}")
    batch = as_batch([x for images in made.values() for x in images])
    print(f"as one batch: {batch.shape}, {batch.dtype.__name__}")

    figure = drawing.new_figure(1.5 * (args.count + 1), 1.75 * len(made))
    rows = figure.subplots(len(made), args.count + 1)
    for row, (name, images) in zip(rows, made.items(), strict=True):
        drawing.show_image(row[0], img.asnumpy(), "as it was", drawing.GRAY)
        for axes, x in zip(row[1:], images, strict=True):
            drawing.show_image(axes, x.asnumpy() / 255)
        row[1].set_title(name, fontsize=10, loc="left", color=drawing.INK, pad=3)
    drawing.save(figure, args.output)
    print(f"picture saved in {args.output}")
    return img, made


if __name__ == "__main__":
    main()
