"""GluonCV 0.7 to 0.10.5."""

from .mending import DISTUTILS, NUMPY, Mend

TORCH = Mend(
    "GluonCV refuses to be imported if there is a torch that is not older than 2",
    functions={"_require_pytorch_version": "def _require_pytorch_version(*versions):\n    import torch"},
)
PILLOW = Mend("Pillow 10 removed ANTIALIAS, its older name of LANCZOS", names={"Image.ANTIALIAS": "Image.LANCZOS"})
COLLECTIONS = Mend(
    "Python 3.10 removed it from collections", names={"collections.Iterable": "collections.abc.Iterable"}
)

MENDS = {
    "gluoncv.check": (TORCH, DISTUTILS),
    "gluoncv.utils.version": (DISTUTILS,),
    "gluoncv.data.kitti.mono_dataset": (PILLOW,),
    "gluoncv.torch.data.transforms.transforms": (COLLECTIONS,),
    **dict.fromkeys(
        (
            "gluoncv.auto.estimators.utils",
            "gluoncv.data.kitti.kitti_utils",
            "gluoncv.data.transforms.track",
            "gluoncv.model_zoo.hrnet",
            "gluoncv.model_zoo.rcnn.rpn.anchor",
            "gluoncv.torch.data.detection.detection_dataset",
            "gluoncv.torch.data.structures.masks",
            "gluoncv.torch.utils.visualizer",
            "gluoncv.utils.data.tracking",
            "gluoncv.utils.metrics.coco_detection",
        ),
        (NUMPY,),
    ),
}
