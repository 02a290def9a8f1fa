"""mx.test_utils: a tool to test with must itself be right, above all in what it refuses."""

import bz2
import functools
import gzip
import http.server
import inspect
import os
import pathlib
import pickle
import threading
import tracemalloc
import zipfile

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import nd, test_utils as t

# ---- comparing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dtype", "small", "large"),
    [("float16", 0.05, 0.2), ("float32", 5e-4, 2e-3), ("float64", 5e-6, 5e-5), ("int32", 0, 1), ("uint8", 0, 1)],
)
def test_tolerances_follow_the_dtype(dtype, small, large):
    a = np.ones((2, 3), dtype)
    t.assert_almost_equal(a, a + np.array(small, dtype))
    assert t.almost_equal(a, a + np.array(small, dtype), rtol=t.get_rtol(dtype=dtype), atol=t.get_atol(dtype=dtype))
    assert t.almost_equal(a, a + np.array(small, dtype)) is (dtype not in ("float16", "float32")), "as the original"
    assert not t.almost_equal(a, a + np.array(large, dtype))
    with pytest.raises(AssertionError, match="Items are not equal"):
        t.assert_almost_equal(a, a + np.array(large, dtype))


def test_the_looser_dtype_decides():
    t.assert_almost_equal(np.ones(3, "float64"), np.ones(3, "float16") + np.float16(0.05))
    assert t.get_tols(np.ones(1, "float32"), np.ones(1, "float64"), None, None) == (1e-4, 1e-3)
    assert t.get_tols(1.0, 2.0, None, None) == (1e-5, 1e-20)
    table = {np.dtype("float32"): 0.5, np.dtype("float64"): 0.25}
    assert t.get_tols(np.ones(1, "float32"), np.ones(1, "float64"), table, 7) == (0.5, 7)


@pytest.mark.parametrize("make", [nd.array, np.array, torch.tensor, list], ids=["NDArray", "NumPy", "torch", "list"])
def test_message_shows_the_worst_element(make, capsys):
    a, b = make([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.5, 3.0, 8.0])
    with pytest.raises(AssertionError) as caught:
        t.assert_almost_equal(a, b, names=("given", "wanted"))
    text = str(caught.value)
    assert "Location of maximum error: (3,), given=4.00000000, wanted=8.00000000" in text
    assert "(mismatch 50.000000%)." in text
    printed = capsys.readouterr().out
    assert "*** Maximum errors for vector of size 4:" in printed
    assert "Location of error: (1,), given=2.00000000, wanted=2.50000000" in printed
    t.assert_almost_equal(a, make([1.0, 2.0, 3.0, 4.0]))


def test_numbers_nan_and_infinity():
    nan, inf = float("nan"), float("inf")
    t.assert_almost_equal(1.0, 1.0)
    with pytest.raises(AssertionError):
        t.assert_almost_equal(1.0, 1.1)
    with pytest.raises(AssertionError, match="a=nan, b=nan"):
        t.assert_almost_equal(np.array([1, nan]), np.array([1, nan]))
    t.assert_almost_equal(np.array([1, nan]), np.array([1, nan]), equal_nan=True)
    t.assert_almost_equal(np.array([inf, -inf]), np.array([inf, -inf]))
    for a, b in [(inf, 2.0), (2.0, inf), (inf, -inf), (nan, 1.0), (1.0, nan)]:
        assert not t.almost_equal(np.array([a]), np.array([b]), equal_nan=True), (a, b)
    t.assert_almost_equal_ignore_nan(np.array([1, nan, 3]), np.array([1, 2.0, 3]))
    with pytest.raises(AssertionError):
        t.assert_almost_equal_ignore_nan(np.array([1, nan, 3]), np.array([1, 2.0, 4]))


def test_large_arrays_are_compared_piece_by_piece():
    a = np.arange(4_000_000, dtype="float32").reshape(4, -1)
    b = a.copy()
    b[3, 7] = b[1, 5] = -1
    tracemalloc.start()
    try:
        t.assert_almost_equal(a, a.copy())
        t.assert_almost_equal(a[:, ::2], a[:, ::2])
        t.assert_almost_equal(a, a[:1] + np.array([[0], [1], [2], [3]], "float32") * 1_000_000)
        with pytest.raises(AssertionError, match=r"(?s)Location of maximum error: \(3, 7\), a=3000007"):
            t.assert_almost_equal(a, b)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2.5 * a.nbytes, "the copies that the test makes, and little more"


def test_big_integers_are_compared_exactly():
    assert not t.almost_equal(np.array([2**60 + 1]), np.array([2**60]))
    assert not t.almost_equal(np.array([0], "uint8"), np.array([255], "uint8"))


def test_shapes():
    t.assert_almost_equal(np.ones((2, 3)), np.ones(3))
    with pytest.raises(AssertionError, match=r"\(2, 3\) and b.shape = \(3,\)"):
        t.assert_almost_equal(np.ones((2, 3)), np.ones(3), use_broadcast=False)
    with pytest.raises(ValueError, match=r"\(2, 3\) and \(4,\)"):
        t.almost_equal(np.ones((2, 3)), np.ones(4))
    t.assert_almost_equal(np.zeros((0, 3)), np.zeros((0, 3)))


def test_a_share_may_differ():
    a, b = np.arange(10.0), np.array([0.0, 1, 2, 3, 4, 5, 6, 7, 8, 8])
    t.assert_almost_equal_with_err(a, b, etol=0.2)
    for etol in (0.05, None):
        with pytest.raises(AssertionError, match=r"\(9,\), a=9.0+, b=8.0+"):
            t.assert_almost_equal_with_err(a, b, etol=etol)


def test_assert_exception():
    t.assert_exception(int, ValueError, "a")
    with pytest.raises(AssertionError):
        t.assert_exception(int, ValueError, "1")
    with pytest.raises(ValueError):
        t.assert_exception(int, ZeroDivisionError, "a")


def test_same_and_same_array():
    x = nd.array([1, 2, 3])
    assert t.same(x, np.array([1, 2, 3]))
    assert not t.same(x, np.array([[1, 2, 3]]))
    assert t.same_array(x, x[:])
    assert not t.same_array(x, x[0:1])
    assert not t.same_array(x, x.copy())


def test_compare_ndarray_tuple():
    one, zero = nd.array([1.0]), nd.array([0.0])
    t.compare_ndarray_tuple((one, None, (one,)), (one, None, (one,)))
    with pytest.raises(AssertionError):
        t.compare_ndarray_tuple((one, (one,)), (one, (zero,)))


def test_retry():
    calls = []

    @t.retry(3)
    def flaky(value, fails):
        calls.append(value)
        assert len(calls) > fails
        return value

    assert flaky(7, fails=2) == 7
    calls.clear()
    with pytest.raises(AssertionError):
        flaky(7, fails=3)
    assert len(calls) == 3
    with pytest.raises(AssertionError):
        t.retry(0)


# ---- arrays ----------------------------------------------------------------------------------------------------------


def test_random_arrays():
    assert t.random_arrays((2, 3)).shape == (2, 3)
    assert [a.shape for a in t.random_arrays((2, 3), ())] == [(2, 3), ()]
    assert t.random_arrays((2,)).dtype == np.float32
    (a,) = t.random_uniform_arrays((100,), low=5, high=6, dtype="float64")
    assert a.dtype == np.float64
    assert a.min() >= 5
    assert a.max() < 6
    with pytest.raises(TypeError, match="foo"):
        t.random_uniform_arrays((2,), foo=1)
    assert sorted(t.random_sample([1, 2, 3], 3)) == [1, 2, 3]
    assert len(t.random_sample(range(10), 4)) == 4


def test_random_shapes():
    shapes = {t.rand_shape_2d(2, 3) for _ in range(200)}
    assert shapes == {(i, j) for i in (1, 2) for j in (1, 2, 3)}
    assert any(0 in t.rand_shape_nd(4, 2, allow_zero_size=True) for _ in range(50))
    assert len(t.rand_shape_3d()) == 3
    assert {t.rand_coord_2d(1, 3, 5, 6) for _ in range(50)} == {(1, 5), (2, 5)}


def test_rand_ndarray():
    x = t.rand_ndarray((500, 4), dtype="float64")
    assert x.dtype is np.float64
    assert abs(x.asnumpy().mean()) < 0.1
    assert t.rand_ndarray((2, 3), "csr").stype == "csr"
    with pytest.raises(AssertionError, match="unknown storage type"):
        t.rand_ndarray((2, 3), "foo")


def test_structured_arrays():
    np.testing.assert_array_equal(t.create_2d_tensor(2, 3).asnumpy(), [[0, 0, 0], [1, 1, 1]])
    assert t.create_vector(4).dtype is np.int64
    np.testing.assert_array_equal(t.get_identity_mat_batch(2).asnumpy(), [np.eye(2)] * 2)
    q = t.new_orthonormal_matrix_2d(4)
    np.testing.assert_allclose(q @ q.T, np.eye(4), atol=1e-12)
    for make, symmetric in [(t.new_matrix_with_real_eigvals_nd, False), (t.new_sym_matrix_with_real_eigvals_nd, True)]:
        batch = make((2, 3, 4, 4))
        assert batch.shape == (2, 3, 4, 4)
        assert np.isrealobj(np.linalg.eigvals(batch[0, 0]))
        assert np.array_equal(batch[1, 2], batch[1, 2].T) == symmetric


def test_numpy_helpers():
    a = np.arange(24.0).reshape(2, 3, 4)
    np.testing.assert_array_equal(t.np_reduce(a, (0, -1), True, np.sum), a.sum((0, 2), keepdims=True))
    assert t.np_reduce(a, None, False, np.sum) == 276
    assert t.np_reduce(a, 1, False, np.max).shape == (2, 4)
    np.testing.assert_array_equal(t.collapse_sum_like(np.ones((2, 3, 4)), (3, 1)), [[8], [8], [8]])
    np.testing.assert_array_equal(t.assign_each(a, lambda x: x * 2), a * 2)
    np.testing.assert_array_equal(t.assign_each2(a, a, lambda x, y: x * y), a * a)
    np.testing.assert_array_equal(t.assign_each(a, None), a)


# ---- statistics ------------------------------------------------------------------------------------------------------


def test_moments():
    def normal(n):
        return np.random.normal(2, 3, size=n)

    assert t.mean_check(normal, 2, 3, nsamples=10000)
    assert not t.mean_check(normal, 2.5, 3, nsamples=10000)
    assert t.var_check(normal, 3, nsamples=10000)
    assert not t.var_check(normal, 3.5, nsamples=10000)


def test_chi_square():
    scipy_stats = pytest.importorskip("scipy.stats")
    buckets, probs = t.gen_buckets_probs_with_ppf(scipy_stats.norm.ppf, 5)
    p, observed, expected = t.chi_square_check(lambda n: np.random.normal(size=n), buckets, probs, 10000)
    assert p == pytest.approx(scipy_stats.chisquare(observed, expected).pvalue, rel=1e-9)
    assert len(t.verify_generator(lambda n: np.random.normal(size=n), buckets, probs, 10000, nrepeat=3)) == 3
    with pytest.raises(AssertionError, match="Generator test fails"):
        t.verify_generator(lambda n: np.random.normal(0.5, size=n), buckets, probs, 10000, nrepeat=3)
    p, observed, _ = t.chi_square_check(lambda n: np.random.randint(0, 3, n), [0, 1, 2], [1 / 3] * 3, 10000)
    assert observed.sum() == 10000
    assert p > 1e-3
    with pytest.raises(ValueError, match="add up to"):
        t.chi_square_check(lambda n: np.zeros(n), [0, 1], [0.5, 0.2], 10)


# ---- environment -----------------------------------------------------------------------------------------------------


def test_environment():
    os.environ.pop("MXNEXT_TEST", None)
    with t.environment("MXNEXT_TEST", "1"):
        assert t.getenv("MXNEXT_TEST") == "1"
        with t.environment({"MXNEXT_TEST": None, "MXNEXT_OTHER": "2"}):
            assert "MXNEXT_TEST" not in os.environ
            assert os.environ["MXNEXT_OTHER"] == "2"
        assert os.environ["MXNEXT_TEST"] == "1"
    assert "MXNEXT_TEST" not in os.environ
    with pytest.raises(ZeroDivisionError), t.environment("MXNEXT_TEST", "1"):
        raise ZeroDivisionError
    assert "MXNEXT_TEST" not in os.environ
    with pytest.raises(AssertionError, match="two args"), t.environment("MXNEXT_TEST"):
        pass


def test_default_context():
    assert t.default_context() == mx.cpu()
    try:
        t.set_default_context(mx.cpu(1))
        assert t.default_context() == mx.current_context() == mx.cpu(1)
        assert nd.array([1]).context == mx.cpu(1)
    finally:
        t.set_default_context(mx.cpu(0))


def test_machine():
    assert t.is_op_runnable()
    assert not t.has_tvm_ops()
    assert len(t.list_gpus()) == mx.num_gpus()
    with pytest.raises(ValueError, match="cpu"):
        t.get_cuda_compute_capability(mx.cpu())


def test_discard_stderr(capfd):
    with t.discard_stderr():
        os.write(2, b"hidden")
    os.write(2, b"shown")
    assert capfd.readouterr().err == "shown"


# ---- data ------------------------------------------------------------------------------------------------------------

SAMPLE_WARNING = "ignore:MNIST was not found"


def test_bundled_digits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.warns(UserWarning, match="bundled sample of 12000 digits"):
        digits = t.get_mnist()
    assert digits["train_data"].shape == (10000, 1, 28, 28)
    assert digits["test_data"].shape == (2000, 1, 28, 28)
    for part in ("train", "test"):
        images, labels = digits[f"{part}_data"], digits[f"{part}_label"]
        assert images.dtype == np.float32
        assert labels.dtype == np.int8
        assert (images.min(), images.max()) == (0.0, 1.0)
        np.testing.assert_array_equal(np.bincount(labels), [len(labels) // 10] * 10)


@pytest.mark.filterwarnings(SAMPLE_WARNING)
@pytest.mark.parametrize("compressed", [False, True])
def test_real_files_are_preferred(tmp_path, monkeypatch, compressed):
    monkeypatch.chdir(tmp_path)
    t.get_mnist_ubyte()
    files = sorted((tmp_path / "data").iterdir())
    assert files[0].name == "t10k-images-idx3-ubyte"
    sample = t.get_mnist()
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for file in files:
        if compressed:
            (folder / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), 1))
        else:
            file.rename(folder / file.name)
    monkeypatch.setenv("MXNET_HOME", str(tmp_path / "nothing"))
    again = t.get_mnist(folder)
    for key, value in sample.items():
        np.testing.assert_array_equal(again[key], value)


def test_damaged_files_are_refused(tmp_path):
    for name in ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"):
        (tmp_path / f"{name}-ubyte").write_bytes(b"\0\0\x08\x01\0\0\0\x05abc")
    with pytest.raises(mx.MXNetError, match="train-images-idx3-ubyte is not in MNIST's format"):
        t.get_mnist(tmp_path)


@pytest.mark.filterwarnings(SAMPLE_WARNING)
def test_pickled_digits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    t.get_mnist_pkl()
    with gzip.open("data/mnist.pkl.gz") as file:
        train, valid, test = pickle.load(file)
    assert train[0].shape == (8333, 784)
    assert len(train[1]) + len(valid[1]) == 10000
    assert test[1].shape == (2000,)


@pytest.fixture
def site(tmp_path):
    """A web server on this machine with a zip archive, a bz2 file and a file that is neither."""
    folder = tmp_path / "site"
    folder.mkdir()
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("cifar/train.rec", "x")
    (folder / "b.bz2").write_bytes(bz2.compress(b"hello"))
    (folder / "broken.zip").write_bytes(b"no archive")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_download(site, tmp_path):
    folder = str(tmp_path / "there")
    path = t.download(f"{site}/b.bz2?version=1", dirname=folder)
    assert path == os.path.join(folder, "b.bz2")
    assert bz2.decompress(pathlib.Path(path).read_bytes()) == b"hello"
    os.truncate(path, 0)
    assert os.path.getsize(t.download(f"{site}/b.bz2", dirname=folder)) == 0, "a file that is there is kept"
    assert os.path.getsize(t.download(f"{site}/b.bz2", dirname=folder, overwrite=True)) > 0
    with pytest.raises(AssertionError, match="retries"):
        t.download("x", retries=-1)


def test_download_fails_with_advice(site, tmp_path):
    for url in (f"{site}/none.zip", "http://127.0.0.1:9/none.zip", "nonsense"):
        with pytest.raises(mx.MXNetError, match=r"could not be downloaded.*put it at .*none.zip"):
            t.download(url, fname="none.zip", dirname=str(tmp_path), retries=1)
    assert [p.name for p in tmp_path.iterdir()] == ["site"], "nothing half-made stays behind"


def test_local_files_come_first(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    (tmp_path / "weights.bin").write_bytes(b"w")
    path = t.download("http://127.0.0.1:9/weights.bin", dirname=str(tmp_path / "there"))
    assert pathlib.Path(path).read_bytes() == b"w"


def test_archives(site, tmp_path):
    folder = str(tmp_path / "there")
    t.get_zip_data(folder, f"{site}/a.zip", "a.zip")
    assert os.listdir(os.path.join(folder, "cifar")) == ["train.rec"]
    t.get_bz2_data(folder, "b", f"{site}/b.bz2", "b.bz2")
    assert sorted(os.listdir(folder)) == ["a.zip", "b", "cifar"]
    with pytest.raises(mx.MXNetError, match="not a zip archive"):
        t.get_zip_data(folder, f"{site}/broken.zip", "broken.zip")
    assert "broken.zip" not in os.listdir(folder)


def test_download_model(site, tmp_path, monkeypatch):
    urls = {"m": {"symbol": f"{site}/a.zip", "params": f"{site}/b.bz2"}}
    prefix, epoch = t.download_model("m", str(tmp_path), urls)
    assert (os.path.basename(prefix), epoch) == ("m", 0)
    assert t.download_model("m", str(tmp_path)) == (str(tmp_path / "m"), 0)
    with pytest.raises(mx.MXNetError, match=r"other-symbol\.json and other-0000\.params"):
        t.download_model("other", str(tmp_path))


# ---- the module ------------------------------------------------------------------------------------------------------


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        t.nonsense  # noqa: B018


def test_everything_is_documented():
    for name in t.__all__:
        assert inspect.getdoc(getattr(t, name)), name
