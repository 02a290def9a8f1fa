"""What this installation can do, ``mx.runtime.Features().is_enabled('CUDA')``, and what is set: ``settings()``."""

from __future__ import annotations

import collections
import importlib.util
import platform
import re
from typing import Any, ClassVar, NamedTuple

from ._core import config

__all__ = ["Feature", "Features", "Setting", "feature_list", "settings"]

# In the order of the original. What feature_list does not list is off: TENSORRT, CUDA_RTC, TVM_OP, CAFFE and JEMALLOC
# belong to libraries that are not used here, SSE and CXX14 to how the original was compiled, no code here is made for
# CPU_SSE4A, and signals are not handled (SIGNAL_HANDLER; Python's faulthandler does).
_NAMES = """CUDA CUDNN NCCL CUDA_RTC TENSORRT CPU_SSE CPU_SSE2 CPU_SSE3 CPU_SSE4_1 CPU_SSE4_2 CPU_SSE4A CPU_AVX CPU_AVX2
OPENMP SSE F16C JEMALLOC BLAS_OPEN BLAS_ATLAS BLAS_MKL BLAS_APPLE LAPACK MKLDNN OPENCV CAFFE PROFILER DIST_KVSTORE CXX14
INT64_TENSOR_SIZE SIGNAL_HANDLER DEBUG TVM_OP""".split()
# What torch calls the libraries of linear algebra that it may be built with.
_BLAS = {"open": "BLAS_OPEN", "atlas": "BLAS_ATLAS", "mkl": "BLAS_MKL", "accelerate": "BLAS_APPLE"}


class Feature:
    """A feature that an installation may have."""

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
    """All features, by what torch was built with and finds on this machine."""
    import torch

    cuda = torch.cuda.is_available()
    # Torch's kernels, as ours in mxnet/native, are chosen by what the processor can do, up to this level.
    avx2 = torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")
    blas = re.search(r"BLAS_INFO=(\w+)", torch.__config__.show())
    enabled = {
        "CUDA": cuda,
        "CUDNN": cuda and torch.backends.cudnn.is_available(),
        "NCCL": cuda and torch.distributed.is_available() and torch.distributed.is_nccl_available(),
        **dict.fromkeys(("CPU_SSE", "CPU_SSE2"), platform.machine() in ("x86_64", "AMD64")),
        **dict.fromkeys(("CPU_SSE3", "CPU_SSE4_1", "CPU_SSE4_2", "CPU_AVX", "CPU_AVX2", "F16C"), avx2),
        "OPENMP": torch.backends.openmp.is_available(),
        _BLAS.get(blas[1] if blas else "", ""): True,
        "LAPACK": torch._C.has_lapack,
        "MKLDNN": torch.backends.mkldnn.is_available(),
        "OPENCV": importlib.util.find_spec("cv2") is not None,
        "PROFILER": True,
        "DIST_KVSTORE": torch.distributed.is_available() and torch.distributed.is_gloo_available(),
        "INT64_TENSOR_SIZE": True,
        "DEBUG": torch.version.debug,
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


class Setting(NamedTuple):
    """An environment variable that has a meaning here, or had one in MXNet."""

    name: str
    #: What it is now; of a secret only whether it is there, as ``'***'``.
    value: Any
    default: Any
    help: str
    #: ``'general'``, ``'job'`` (of distributed jobs) or ``'no effect'``: programs set it, and the help says why it
    #: changes nothing.
    group: str


def settings() -> list[Setting]:
    """All environment variables that the package knows, with their values. One that makes no sense is an error.

    >>> {s.name: s.default for s in mx.runtime.settings()}["MXNET_KVSTORE_TIMEOUT"]
    60.0
    """
    return [
        Setting(v.name, "***" if v.secret and v.get() else v.get(), v.default, v.help, v.group)
        for v in config.VARIABLES.values()
    ]
