"""The data of the DataLoader workloads: arrays of MNIST's size that ToTensor makes floats of."""

import numpy as np

from . import sized

COUNT, BATCH = sized(20000, 40), sized(256, 16)


def arrays():
    random = np.random.RandomState(0)
    return random.randint(0, 256, (COUNT, 28, 28, 1)).astype(np.uint8), random.randint(0, 10, COUNT).astype(np.int32)


def mxnet_step(mx, **options):
    data = mx.gluon.data
    images, labels = arrays()
    dataset = data.ArrayDataset(mx.nd.array(images, dtype="uint8"), labels)
    loader = data.DataLoader(dataset.transform_first(data.vision.transforms.ToTensor()), BATCH, **options)

    def step():
        for batch, _ in loader:
            batch.wait_to_read()

    return step


def torch_step(torch):
    """In this process: torch has no workers that are threads."""
    images, labels = arrays()
    images = torch.from_numpy(images)

    class Samples(torch.utils.data.Dataset):
        def __len__(self):
            return COUNT

        def __getitem__(self, i):
            return images[i].permute(2, 0, 1).float() / 255, labels[i]

    loader = torch.utils.data.DataLoader(Samples(), BATCH)

    def step():
        for _ in loader:
            pass

    return step
