"""Builds the kernels of mxnet/native, once for each set of instructions, and the library for prediction from C.

Without a C compiler there are none.

Everything else about the package is in pyproject.toml.
"""

import json
import platform
import runpy
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

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

#: What programs in C link with: it holds an interpreter, for which Python's own library is needed.
PREDICT = "mxnet.predict.libmxnet_predict"


class Build(build_ext):
    """A library for other programs has a name without Python's version."""

    def get_ext_filename(self, fullname):
        """The file of an extension."""
        if fullname.endswith("libmxnet_predict"):
            return str(Path(*fullname.split(".")).with_suffix(".so"))
        return super().get_ext_filename(fullname)


class Wheel(bdist_wheel):
    """A wheel that was built without a compiler has nothing of a platform in it, and its tag says so: py3-none-any."""

    def run(self):
        """Builds first, to see what came of the extensions.

        Files of an earlier build are removed: modules that the package no longer has, kernels without a compiler.
        """
        shutil.rmtree(self.get_finalized_command("build").build_lib, ignore_errors=True)
        self.run_command("build")
        built = self.get_finalized_command("build_ext").get_outputs()
        if not any(Path(file).exists() for file in built):
            self.root_is_pure = True
            self.python_tag = "py3"
        super().run()


def predict_library():
    """The library for prediction from C, where Python can be embedded and there is dlfcn.h."""
    if not sysconfig.get_config_var("Py_ENABLE_SHARED") or sys.platform == "win32":
        return []
    folder = sysconfig.get_config_var("LIBDIR")
    return [
        Extension(
            PREDICT,
            ["mxnet/predict/c_predict_api.c"],
            include_dirs=["mxnet/predict/include"],
            depends=["mxnet/predict/include/mxnet/c_predict_api.h"],
            define_macros=[("BUILT_BY", json.dumps(sys.executable))],
            library_dirs=[folder],
            runtime_library_dirs=[folder],
            libraries=[f"python{sysconfig.get_config_var('LDVERSION')}"],
            extra_compile_args=["-O2", "-g0", "-fvisibility=hidden", "-Wall", "-Wextra"],
            optional=True,
        )
    ]


setup(
    # The sample calls of the tests are what `python -m mxnet.tools.selftest` runs on a user's devices.
    packages=[*find_packages(include=["mxnet", "mxnet.*"]), "mxnet._samples"],
    package_dir={"mxnet._samples": "tests/samples"},
    cmdclass={"bdist_wheel": Wheel, "build_ext": Build},
    ext_modules=[
        *predict_library(),
        *(
            Extension(
                f"mxnet.native._{name}",
                sorted(map(str, NATIVE.glob("*.c"))),
                depends=sorted(map(str, NATIVE.glob("*.h"))),
                define_macros=[("STAMP", f'"{STAMP}"')],
                extra_compile_args=[*FLAGS, *flags],
                extra_link_args=["-fopenmp"],
                optional=True,
            )
            for name, flags in VARIANTS.items()
        ),
    ],
)
