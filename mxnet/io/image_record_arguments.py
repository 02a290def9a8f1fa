"""The arguments of ImageRecordIter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .image_augment import DefaultAugmenter


@dataclass(kw_only=True, eq=False)
class _Arguments:
    """What all image record iterators take: the files, the batches and the threads."""

    path_imglist: str = ""
    path_imgrec: str = ""
    path_imgidx: str = ""
    aug_seq: str = "aug_default"
    label_width: int = 1
    data_shape: tuple[int, ...]
    preprocess_threads: int = 4
    verbose: bool = True
    num_parts: int = 1
    part_index: int = 0
    device_id: int = 0
    shuffle_chunk_size: int = 0
    shuffle_chunk_seed: int = 0
    seed_aug: int | None = None
    shuffle: bool = False
    seed: int = 0
    batch_size: int
    round_batch: bool = True
    prefetch_buffer: int = 4
    ctx: Literal["cpu", "gpu"] = "gpu"
    dtype: Literal["bfloat16", "float16", "float32", "float64", "int32", "int64", "int8", "uint8"] | None = None


@dataclass(kw_only=True, eq=False)
class _Normalization(DefaultAugmenter, _Arguments):
    """All arguments for images with labels: these say how the values of an image become those of a batch."""

    mirror: bool = False
    rand_mirror: bool = False
    mean_img: str = ""
    mean_r: float = 0.0
    mean_g: float = 0.0
    mean_b: float = 0.0
    mean_a: float = 0.0
    std_r: float = 1.0
    std_g: float = 1.0
    std_b: float = 1.0
    std_a: float = 1.0
    scale: float = 1.0
    max_random_contrast: float = 0.0
    max_random_illumination: float = 0.0
