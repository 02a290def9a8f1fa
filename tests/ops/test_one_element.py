"""``asnumpy()`` of one element is a number when one is asked for, and for NumPy an array like any other."""

import copy
import pickle
import types
import warnings

import numpy as np
import pytest

import mxnet as mx

MODULES = [np, np.linalg, np.fft, np.random, np.ma, np.char, np.lib.stride_tricks, np.lib.scimath]
# Functions that give back what they were given or copy it with ``subok=True``, those that change NumPy's settings, and
# those that read or write files. Casts by a scalar's class (`np.float32(x)`) keep the class of the array in NumPy.
NOT_COMPARED = """
    asanyarray require make_mask sort save savez savez_compressed savetxt fromfile genfromtxt loadtxt load
    memmap info test show_config show_runtime source lookfor set_printoptions setbufsize seterr seterrcall
    seed set_state fromregex get_include deprecate DataSource set_bit_generator set_numeric_ops
    set_string_function byte_bounds safe_eval disp
""".split()


def kinds(value, one):
    """The classes of a result and of its items; the array that was given counts as an ordinary one."""
    if value is one:
        return np.ndarray, one.shape, one.dtype
    if isinstance(value, (list, tuple)):
        return type(value), [kinds(item, one) for item in value]
    if isinstance(value, np.ma.MaskedArray):
        return type(value), type(value.data), value.baseclass, value.shape, value.dtype
    if isinstance(value, np.ndarray):
        return type(value), value.shape, value.dtype
    if isinstance(value, types.GeneratorType):
        return [kinds(item, one) for item in value]
    return type(value)


def run(function, one, shape):
    """What ``function`` gives for one, two or three such arrays, a list of them, ...: its kinds or an exception's."""
    arguments = {
        "one": (one,), "two": (one, one), "three": (one, one, one), "first": (one, 1), "last": (1, one),
        "list": ([one, one],), "lists": ([one, one], [one]), "shape": (one, shape), "call": (lambda x: x, one),
        "axis": (lambda x: x, 0, one),
    }  # fmt: skip
    results = {}
    for case, values in arguments.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                results[case] = kinds(function(*values), one)
            except Exception as error:  # which one is compared
                results[case] = type(error)
    return results


def functions_of(module):
    for name in sorted(set(dir(module))):
        function = getattr(module, name, None)
        if name.startswith("_") or name in NOT_COMPARED or not callable(function):
            continue
        if not (isinstance(function, type) and issubclass(function, (BaseException, np.generic))):
            yield name, function


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_functions_of_numpy_give_what_they_give_for_ordinary_arrays(module, dtype):
    different = {}
    for name, function in functions_of(module):
        for shape in ((1,), (1, 1)):
            state = np.random.get_state()
            expected = run(function, np.ones(shape, dtype), shape)
            np.random.set_state(state)
            one = mx.nd.ones(shape, dtype=dtype).asnumpy()
            given = run(function, one, shape)
            for case in expected:
                a_number = expected[case] is TypeError and given[case] is not type(one)
                if expected[case] != given[case] and not a_number:
                    different[name, case, shape] = expected[case], given[case]
    assert not different


@pytest.mark.parametrize("make", [mx.nd.ones, mx.np.ones], ids=["nd", "np"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "uint8"])
def test_a_number_where_one_is_asked_for(make, dtype):
    one = make((1, 1), dtype=dtype).asnumpy() * 0 + 2
    one = mx.nd.array(one, dtype=dtype).asnumpy()
    assert isinstance(one, np.ndarray) and one.shape == (1, 1) and one.dtype == dtype
    assert (float(one), int(one), complex(one)) == (2.0, 2, 2 + 0j)
    assert "%.1f %d" % (one, one) == "2.0 2"  # noqa: UP031  (that is the point)
    assert repr(one) == repr(np.full((1, 1), 2, dtype)) and str(one) == "[[2.]]" if "f" in dtype else "[[2]]"


def test_more_elements_are_no_number():
    one = mx.nd.ones((1,)).asnumpy()
    assert type(mx.nd.ones((2,)).asnumpy()) is np.ndarray
    with pytest.raises(TypeError):
        float(np.concatenate([one, one]))


METHODS = {
    "operators": lambda a: [
        a + 1,
        1 - a,
        -a,
        +a,
        a**2,
        a @ a.T,
        a // 2,
        divmod(a, 2),
        a == 1,
        a < 2,
        ~a.astype(int),
        abs(a),
    ],
    "reductions": lambda a: [
        a.sum(),
        a.mean(0),
        a.max(),
        a.min(),
        a.all(),
        a.any(),
        a.argmax(),
        a.std(),
        a.var(),
        a.prod(),
    ],
    "views": lambda a: [
        a[0],
        a[:],
        a[...],
        a[0, 0],
        a[[0]],
        a[None],
        a.T,
        a.real,
        a.imag,
        a.view(),
        a.view("int32"),
        a.ravel(),
    ],
    "shapes": lambda a: [
        a.reshape(-1),
        a.squeeze(),
        a.transpose(),
        a.swapaxes(0, 1),
        a.flatten(),
        a.repeat(3),
        a.diagonal(),
    ],
    "copies": lambda a: [a.copy(), copy.copy(a), copy.deepcopy(a), a.astype("float64"), a.astype(a.dtype, copy=False)],
    "arrays": lambda a: [
        np.asarray(a),
        np.array(a),
        np.ascontiguousarray(a),
        *a,
        *a.flat,
        a.flat[:],
        list(a),
        a.nonzero(),
    ],
    "pickles": lambda a: [
        pickle.loads(pickle.dumps(a, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    ],
    "others": lambda a: [
        a.clip(0, 1),
        a.round(),
        a.conj(),
        a.dot(a),
        a.take([0]),
        a.cumsum(),
        a.argsort(),
        a.tolist(),
    ],
    "out": lambda a: [
        np.add(a, 1, out=np.ones((1, 1))),
        a.sum(0, out=np.ones(1)),
        np.divmod(a, 2, out=(a.copy(), a.copy())),
    ],
    "ufuncs": lambda a: [
        np.add.reduce(a),
        np.add.outer(a, a),
        np.add.accumulate(a),
        np.add.reduceat(a, [0]),
        np.modf(a),
    ],
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_and_operators(name):
    one, ordinary = mx.nd.ones((1, 1)).asnumpy(), np.ones((1, 1), "float32")
    assert kinds(METHODS[name](one), None) == kinds(METHODS[name](ordinary), None)


def test_it_is_written_in_place():
    one = given = mx.nd.ones((1,)).asnumpy()
    one += 1
    one[:] *= 2
    one.T[0] += 1
    one.flat[0] += 1
    np.multiply(one, 2, out=one)
    np.multiply(one, 2, one)
    np.copyto(one, one + 1)
    one.sort()
    one.real = one.real + 1
    assert one is given
    assert np.add(one, 0, out=one) is one and np.cumsum(one, out=one) is one and np.modf(one, out=(None, one))[1] is one
    assert one.tolist() == [26.0]
    assert float(one) == 26


def test_means_are_hashable_scalars():
    loss = np.mean(mx.nd.ones((1,)).asnumpy() - np.zeros(1, "float32"))
    assert isinstance(loss, np.generic) and {loss: 1}[np.float32(1)] == 1


def test_module_fits_with_custom_metrics_of_batches_of_one():
    metrics = [mx.metric.CustomMetric(lambda label, pred: np.mean(np.abs(label - pred)), name=name) for name in "ab"]
    net = mx.sym.LinearRegressionOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc"), name="lro")
    data = mx.io.NDArrayIter(np.ones((3, 2)), np.ones((3, 1)), batch_size=1, label_name="lro_label")
    module = mx.mod.Module(net, label_names=["lro_label"])
    module.fit(
        data, eval_metric=metrics, num_epoch=1, initializer=mx.init.Zero(), optimizer_params={"learning_rate": 0.0}
    )
    assert dict(module.score(data, mx.metric.create(metrics))) == {"a": 1.0, "b": 1.0}


def test_other_libraries_take_it():
    torch = pytest.importorskip("torch")
    one = mx.nd.ones((1,)).asnumpy()
    assert (
        torch.from_numpy(one).tolist() == torch.as_tensor(one).tolist() == mx.nd.array(one).asnumpy().tolist() == [1.0]
    )
