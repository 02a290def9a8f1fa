"""Detectors in the idioms of GluonCV and the book: SSD, the second stage of Faster R-CNN, YOLO."""

from . import Network, Steps, image, sized
from .cnn import zoo

CLASSES = 20
SIZES = ((0.2, 0.27), (0.37, 0.44), (0.54, 0.61), (0.71, 0.79))
RATIOS = (1, 2, 0.5)
ANCHORS = len(SIZES[0]) + len(RATIOS) - 1


def features(mx, depth="resnet18_v1"):
    """A network of the model zoo without its classifier and its last stage."""
    net = mx.gluon.nn.HybridSequential()
    net.add(*list(zoo(depth)(mx).features._children.values())[: sized(-2, 5)])
    return net


def down_sample(nn, channels):
    """Halves the map, as the book's TinySSD does."""
    block = nn.HybridSequential()
    for _ in range(2):
        block.add(nn.Conv2D(channels, 3, padding=1), nn.BatchNorm(), nn.Activation("relu"))
    block.add(nn.MaxPool2D(2))
    return block


def ssd(mx, detect=False):
    """SSD: anchors, scores of classes and offsets of boxes from maps of four sizes, or the boxes that are left."""
    nn = mx.gluon.nn

    class SSD(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.stages, self.scores, self.offsets = (nn.HybridSequential() for _ in range(3))
                self.stages.add(features(mx), *(down_sample(nn, 128) for _ in SIZES[1:]))
                for _ in SIZES:
                    self.scores.add(nn.Conv2D(ANCHORS * (CLASSES + 1), 3, padding=1))
                    self.offsets.add(nn.Conv2D(ANCHORS * 4, 3, padding=1))

        def hybrid_forward(self, F, x):
            anchors, scores, offsets = [], [], []
            for size, stage, score, offset in zip(SIZES, self.stages, self.scores, self.offsets):
                x = stage(x)
                anchors.append(F.contrib.MultiBoxPrior(x, sizes=size, ratios=RATIOS))
                scores.append(F.flatten(F.transpose(score(x), axes=(0, 2, 3, 1))))
                offsets.append(F.flatten(F.transpose(offset(x), axes=(0, 2, 3, 1))))
            anchors = F.concat(*anchors, dim=1)
            scores = F.reshape(F.concat(*scores, dim=1), (0, -1, CLASSES + 1))
            offsets = F.concat(*offsets, dim=1)
            if not detect:
                return anchors, scores, offsets
            probabilities = F.transpose(F.softmax(scores, axis=-1), axes=(0, 2, 1))
            return F.contrib.MultiBoxDetection(probabilities, offsets, anchors, nms_threshold=0.45, nms_topk=400)

    return SSD()


def ssd_detect(mx):
    """SSD with non-maximum suppression."""
    return ssd(mx, detect=True)


def rcnn(mx):
    """The second stage of Faster R-CNN: regions of a map, each classified and moved."""
    nn = mx.gluon.nn

    class RCNN(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.base = features(mx)
                self.top = nn.HybridSequential()
                self.top.add(nn.Dense(1024, activation="relu"), nn.Dense(1024, activation="relu"))
                self.classes, self.boxes = nn.Dense(CLASSES + 1), nn.Dense(CLASSES * 4)

        def hybrid_forward(self, F, x, rois):
            regions = F.contrib.ROIAlign(self.base(x), rois, (7, 7), 1 / 32, sample_ratio=2)
            top = self.top(regions)
            return F.concat(self.classes(top), self.boxes(top), dim=1)

    return RCNN()


def yolo(mx):
    """The head of YOLO on one map: boxes relative to cells and anchors, suppressed by ``box_nms``."""
    nn = mx.gluon.nn

    class YOLO(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.base, self.head = features(mx), nn.HybridSequential()
                for channels, kernel in ((128, 1), (256, 3), (128, 1)):
                    self.head.add(nn.Conv2D(channels, kernel, padding=kernel // 2, use_bias=False), nn.BatchNorm())
                    self.head.add(nn.LeakyReLU(0.1))
                self.head.add(nn.Conv2D(3 * (5 + CLASSES), 1))

        def hybrid_forward(self, F, x):
            x = F.L2Normalization(self.base(x), mode="channel")  # or untrained scores are all 1, and ties
            out = F.reshape(self.head(x), (0, 3, 5 + CLASSES, -1))
            out = F.transpose(out, axes=(0, 3, 1, 2))
            center = F.sigmoid(F.slice_axis(out, axis=-1, begin=0, end=2))
            half = F.exp(F.slice_axis(out, axis=-1, begin=2, end=4)) / 2
            scores = F.sigmoid(F.slice_axis(out, axis=-1, begin=4, end=5))
            classes = F.sigmoid(F.slice_axis(out, axis=-1, begin=5, end=None))
            scores = F.broadcast_mul(classes, scores)
            ids = F.argmax(scores, axis=-1, keepdims=True)
            best = F.max(scores, axis=-1, keepdims=True)
            boxes = F.concat(ids, best, center - half, center + half, dim=-1)
            boxes = F.reshape(boxes, (0, -1, 6))
            return F.contrib.box_nms(boxes, overlap_thresh=0.45, topk=200, id_index=0, score_index=1, coord_start=2)

    return YOLO()


def _boxes(rng, batch):
    """64 regions of each image, with the image's number."""
    import numpy as np

    corners = rng.uniform(0, sized(120, 20), (batch, 64, 2))
    sizes = rng.uniform(16, sized(100, 12), (batch, 64, 2))
    number = np.broadcast_to(np.arange(batch)[:, None, None], (batch, 64, 1))
    return np.concatenate([number, corners, corners + sizes], axis=2).reshape(-1, 5).astype("float32")


def ssd_train(mx):
    """A step of SSD as in the book: targets, cross entropy of the classes, L1 of the offsets that count."""
    import numpy as np

    from ._mxnet import fill

    autograd, gluon, nd = mx.autograd, mx.gluon, mx.nd
    rng, batch = np.random.RandomState(0), sized(8, 2)
    data = nd.array(image(3, sized(224, 64))(rng, batch))
    corners = rng.uniform(0, 0.5, (batch, 3, 2))
    truth = np.concatenate([rng.randint(0, CLASSES, (batch, 3, 1)), corners, corners + 0.3], axis=2)
    truth = nd.array(truth)
    net = ssd(mx)
    net.initialize(mx.init.Xavier())
    net(data)
    fill(mx, net, mx.init.Xavier())
    net.hybridize(static_alloc=True, static_shape=True)
    class_loss, box_loss = gluon.loss.SoftmaxCrossEntropyLoss(), gluon.loss.L1Loss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.001, "wd": 5e-4})

    def step():
        with autograd.record():
            anchors, scores, offsets = net(data)
            with autograd.pause():
                box_target, mask, class_target = nd.contrib.MultiBoxTarget(
                    anchors, truth, nd.transpose(scores, axes=(0, 2, 1)), negative_mining_ratio=3
                )
            loss = class_loss(scores, class_target) + box_loss(offsets * mask, box_target * mask)
        loss.backward()
        trainer.step(batch)
        nd.waitall()  # for the gradients and the update, too
        return loss.asnumpy()

    return step


IMAGE = image(3, sized(224, 64))
NETWORKS = {
    "ssd": Network(ssd_detect, (IMAGE,), "predict/hybrid/1 predict/eager/1 predict/hybrid/8"),
    "faster_rcnn": Network(rcnn, (IMAGE, _boxes), "predict/hybrid/1 train/hybrid/1", loss="l2"),
    "yolo": Network(yolo, (IMAGE,), "predict/hybrid/1 predict/eager/8"),
}
STEPS = {"ssd_train": Steps(ssd_train)}
