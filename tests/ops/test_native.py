"""The kernels of our own: they are there where there is a compiler, and everything works without them."""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import torch

from mxnet import native


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
def test_kernels_were_built():
    assert native.library() is not None


@pytest.mark.parametrize("value, expected", [("0", "None"), ("1", "Library")])
def test_kernels_can_be_turned_off(value, expected):
    if value == "1" and native.library() is None:
        pytest.skip("built without a C compiler")
    code = "from mxnet import native; found = native.library(); print(type(found).__name__.replace('NoneType', 'None'))"
    environment = {**os.environ, "MXNET_NATIVE": value}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected


@pytest.mark.skipif(native.library() is None, reason="built without a C compiler")
def test_only_arrays_of_single_precision_are_passed_on():
    library, arrays = native.library(), [torch.ones(2)] * 7
    for wrong in (torch.ones(2, dtype=torch.float64), torch.ones(2, device="meta")):
        with pytest.raises(Exception, match="a kernel takes float32 arrays on the CPU"):
            library.batch_norm_forward(wrong, *arrays[1:], 1, 2, 0.1, True, False, 1)
    with pytest.raises(AttributeError, match="unknown kernel nothing"):
        _ = library.nothing


@pytest.mark.skipif(native.library() is None, reason="built without a C compiler")
def test_only_arrays_without_gaps_are_passed_on():
    library, arrays = native.library(), [torch.ones(2)] * 7
    with pytest.raises(Exception, match=r"arrays without gaps, got strides \(2,\)"):
        library.batch_norm_forward(torch.ones(4)[::2], *arrays[1:], 1, 2, 0.1, True, False, 1)
    images = torch.ones(1, 2, 1, 1).contiguous(memory_format=torch.channels_last)
    library.batch_norm_forward(images, *arrays[1:], 1, 2, 0.1, True, False, 1)


@pytest.mark.skipif(native.library() is None, reason="built without a C compiler")
def test_a_library_of_other_sources_is_not_used(tmp_path, monkeypatch):
    copied = pathlib.Path(shutil.copy(native.library().path, tmp_path))
    assert native.Library(copied).stamp == native.library().stamp  # without sources there is nothing to compare with
    (tmp_path / "kernel.c").write_text("int kernel(void) { return 0; }")
    with pytest.raises(ImportError, match="was made of other sources"):
        native.Library(copied)
    monkeypatch.setattr(native, "source_stamp", lambda folder: "newer")
    with pytest.warns(RuntimeWarning, match="install again"):
        assert native.loaded.__wrapped__() is None


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
def test_a_library_without_a_stamp_is_not_used(tmp_path):
    source, made = tmp_path / "old.c", tmp_path / "old.so"
    source.write_text("int batch_norm_forward(void) { return 0; }")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", made, source], check=True)
    with pytest.raises(ImportError, match="was made of other sources"):
        native.Library(made)


def test_info():
    found = native.info()
    assert found["threads"] == torch.get_num_threads()
    assert found["instructions"] == torch.backends.cpu.get_cpu_capability()
    if native.library() is not None:
        assert found["library"] == native.library().path.name and found["stamp"] == native.library().stamp


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="this system does not tell what is loaded")
def test_info_tells_of_a_second_openmp_runtime(tmp_path):
    (first,) = native.info()["openmp"]
    assert not native.info()["several_openmp"]
    second = shutil.copy(first, tmp_path / "libiomp5.so")  # a process of its own: it cannot be unloaded
    code = (
        f"import ctypes, mxnet.native as native; ctypes.CDLL({str(second)!r}); print(native.info()['several_openmp'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


@pytest.mark.parametrize("capability", ["default", "avx2"])
@pytest.mark.skipif(native.library() is None, reason="built without a C compiler")
def test_kernels_are_those_of_the_instructions(capability):
    code = "from mxnet import native; print(native.info()['library'])"
    environment = {**os.environ, "ATEN_CPU_CAPABILITY": capability}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    used = done.stdout.split(".")[0]
    assert used in (f"_{capability}", "_default")


def test_an_interrupt_while_arguments_are_converted_is_one():
    class Interrupted:
        @property
        def dtype(self):
            raise KeyboardInterrupt

    library = native.library()
    if library is None:
        pytest.skip("the native kernels were not built")
    with pytest.raises(KeyboardInterrupt):
        library.random_draw(Interrupted(), *[0] * 9)
    with pytest.raises(ctypes.ArgumentError, match="a kernel takes"):
        library.random_draw(torch.zeros(3), *[0] * 9)
