"""Images made ready for networks: transforms of Gluon, augmenters of mx.image."""

from . import SEED, Steps, sized

SIDE, CROP, IMAGES = sized(256, 32), sized(224, 24), sized(8, 2)


def _images():
    import numpy as np

    return np.random.RandomState(SEED).randint(0, 256, (IMAGES, SIDE, SIDE, 3)).astype("uint8")


def _each(make, random=False):
    """A step that gives every image to what ``make(mx)`` returns; of random results only the shapes are compared."""

    def setup(mx):
        images, apply = [mx.nd.array(one, dtype="uint8") for one in _images()], make(mx)

        def step():
            results = [apply(one) for one in images]
            mx.nd.waitall()
            return [one.shape for one in results] if random else results

        return step

    return setup


def evaluation(mx):
    """Resize, crop, to a tensor, normalize."""
    transforms = mx.gluon.data.vision.transforms
    normalize = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
    return transforms.Compose([transforms.CenterCrop(CROP), transforms.ToTensor(), normalize])


def training(mx):
    """Random crops, flips and colors."""
    transforms = mx.gluon.data.vision.transforms
    jitter = transforms.RandomColorJitter(0.4, 0.4, 0.4)
    steps = [transforms.RandomResizedCrop(CROP), transforms.RandomFlipLeftRight(), jitter, transforms.ToTensor()]
    return transforms.Compose([*steps, transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])


def resize(mx):
    """Bilinear resizing and its normalization by ``mx.image``."""
    mean, deviation = mx.nd.array([123.68, 116.28, 103.53]), mx.nd.array([58.395, 57.12, 57.375])

    def apply(image):
        small = mx.image.imresize(image, CROP, CROP)
        return mx.image.color_normalize(small.astype("float32"), mean, deviation)

    return apply


def augmenters(mx):
    """``CreateAugmenter`` with everything but what costs most."""
    made = mx.image.CreateAugmenter((3, CROP, CROP), rand_crop=True, rand_mirror=True, brightness=0.1, mean=True)

    def apply(image):
        for one in made:
            image = one(image)
        return image

    return apply


def _torch(resized):
    """To a tensor and normalized by plain torch, cropped or resized."""

    def setup(torch):
        images = [torch.from_numpy(one) for one in _images()]
        mean = torch.tensor([0.485, 0.456, 0.406])[:, None, None]
        deviation = torch.tensor([0.229, 0.224, 0.225])[:, None, None]
        border = (SIDE - CROP) // 2

        def step():
            for one in images:
                if resized:
                    x = one.permute(2, 0, 1)[None].float()
                    x = torch.nn.functional.interpolate(x, size=(CROP, CROP), mode="bilinear")[0]
                else:
                    x = one[border : border + CROP, border : border + CROP].permute(2, 0, 1).float().contiguous()
                (x / 255 - mean) / deviation

        return step

    return setup


STEPS = {
    "evaluation": Steps(_each(evaluation), _torch(False)),
    "training": Steps(_each(training, random=True)),
    "resize": Steps(_each(resize), _torch(True)),
    "augmenters": Steps(_each(augmenters, random=True)),
}
