"""What this installation can do: ``mx.runtime.Features().is_enabled('CUDA')``."""

from __future__ import annotations

import collections
from typing import ClassVar

from .base import check_call  # noqa: F401  (the original has this name here)

__all__ = ["Feature", "Features", "feature_list"]

# In the order of the original. What is not in the table below is off: it belongs to libraries that are not used here.
_NAMES = """CUDA CUDNN NCCL CUDA_RTC TENSORRT CPU_SSE CPU_SSE2 CPU_SSE3 CPU_SSE4_1 CPU_SSE4_2 CPU_SSE4A CPU_AVX CPU_AVX2
OPENMP SSE F16C JEMALLOC BLAS_OPEN BLAS_ATLAS BLAS_MKL BLAS_APPLE LAPACK MKLDNN OPENCV CAFFE PROFILER DIST_KVSTORE CXX14
INT64_TENSOR_SIZE SIGNAL_HANDLER DEBUG TVM_OP""".split()


class Feature:
    """One thing an installation may be able to do."""

    def __init__(self, name: str, enabled: bool):
        self._name, self._enabled = name, enabled

    @property
    def name(self) -> str:
        """Its name, e.g. ``'CUDA'``."""
        return self._name

    @property
    def enabled(self) -> bool:
        """Can this installation do it?"""
        return self._enabled

    def __repr__(self) -> str:
        return f"{'✔' if self._enabled else '✖'} {self._name}"


def feature_list() -> list[Feature]:
    """All features, by what torch says it was built with and finds."""
    import torch

    cuda = torch.cuda.is_available()
    level = torch.backends.cpu.get_cpu_capability()
    vector = level.startswith("AVX")
    enabled = {
        "CUDA": cuda,
        "CUDNN": cuda and torch.backends.cudnn.is_available(),
        "NCCL": cuda and torch.distributed.is_available() and torch.distributed.is_nccl_available(),
        **dict.fromkeys(("CPU_SSE", "CPU_SSE2", "CPU_SSE3", "CPU_SSE4_1", "CPU_SSE4_2", "CPU_AVX", "F16C"), vector),
        "CPU_AVX2": level in ("AVX2", "AVX512"),
        "OPENMP": torch.backends.openmp.is_available(),
        "BLAS_MKL": torch.backends.mkl.is_available(),
        "LAPACK": torch._C.has_lapack,
        "MKLDNN": torch.backends.mkldnn.is_available(),
        "OPENCV": True,
        "PROFILER": True,
        "DIST_KVSTORE": torch.distributed.is_available(),
        "INT64_TENSOR_SIZE": True,
    }
    return [Feature(name, bool(enabled.get(name))) for name in _NAMES]


class Features(collections.OrderedDict):
    """The features by name. There is one of it."""

    instance: ClassVar[Features | None] = None

    def __new__(cls) -> Features:
        if cls.instance is None:
            cls.instance = super().__new__(cls)
            collections.OrderedDict.__init__(cls.instance, [(f.name, f) for f in feature_list()])
        return cls.instance

    def __init__(self) -> None:
        """Filled when it is made."""

    def __repr__(self) -> str:
        return str(list(self.values()))

    def is_enabled(self, feature_name: str) -> bool:
        """Can this installation do that? An unknown name is an error."""
        name = feature_name.upper()
        if name not in self:
            raise RuntimeError(f"Feature '{name}' is unknown, known features are: {list(self)}")
        return self[name].enabled
