"""Builds the kernels of mxnet/native, once for each set of instructions. Without a C compiler there are none.

Everything else about the package is in pyproject.toml.
"""

import platform
import runpy
from pathlib import Path

from setuptools import Extension, setup

#: What a processor may have, as ``torch.backends.cpu.get_cpu_capability()`` names it, and the compiler's flags for it.
VARIANTS = {
    "default": [],
    "avx2": ["-mavx2", "-mfma"],
    "avx512": ["-march=skylake-avx512", "-mprefer-vector-width=512"],
}
FLAGS = ["-O3", "-g0", "-fopenmp", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden", "-Wall", "-Wextra"]

if platform.machine().lower() not in ("x86_64", "amd64"):
    VARIANTS = {"default": []}

NATIVE = Path("mxnet/native")
#: By it the package tells whether a library is one of its sources.
STAMP = runpy.run_path(str(NATIVE / "stamp.py"))["source_stamp"](NATIVE)

setup(
    ext_modules=[
        Extension(
            f"mxnet.native._{name}",
            sorted(map(str, NATIVE.glob("*.c"))),
            depends=[str(NATIVE / "native.h")],
            define_macros=[("STAMP", f'"{STAMP}"')],
            extra_compile_args=[*FLAGS, *flags],
            extra_link_args=["-fopenmp"],
            optional=True,
        )
        for name, flags in VARIANTS.items()
    ]
)
