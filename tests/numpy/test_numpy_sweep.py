"""Every function of mx.np and mx.npx over shapes and dtypes, against what the original gave (numpy_sweep_cases.py)."""

import functools
import json
import re
import warnings

import numpy as onp
import numpy_sweep_cases as sweep
import pytest
from compare import load_golden

import mxnet as mx
from mxnet import np, npx

CRASH, UNDEFINED = "!!", "?"
TOLERANCE = {"f2": 4e-3, "float16": 4e-3}


@functools.cache
def golden():
    """What the original gave, by call."""
    return load_golden("numpy_sweep.json.xz")


@pytest.fixture(autouse=True)
def numpy_semantics():
    npx.set_np()
    yield
    npx.reset_np()


#: Results that differ from the original's: pattern of "call | shape dtype ... | what differs", and why.
DIFFERENT = (
    (r"^(np|X)\.(std|var)\(.* \| (gradient|hybrid gradient)$", "the gradient is the mathematical one, there it is 0"),
    (r"^np\.atleast_\dd.*gradient$", "the gradient is the mathematical one, there it is 0"),
    (r"^np\.linalg\.(eigvalsh|eigh|pinv).*gradient$", "the gradient is the mathematical one, there it is 0"),
    (
        r"^np\.(std|var)\(X, .*dtype='float\d\d'.*int\d+ \| value$",
        "the mean of integers is not cut to an integer first",
    ),
    (r"^np\.arctan2\([\d.]+, P\).*gradient$", "there the gradient is that of the other argument"),
    (
        r"^np\.where\(X( > 0)?, (X, \d|[\d.]+, X).*gradient$",
        "there the gradient goes to the elements that are not chosen",
    ),
    (r"^np\.rot90\(.*gradient$", "there the gradient is turned the wrong way"),
    (r"^np\.linalg\.norm\(.*gradient$", "there the gradient of matrix norms is halved"),
    (
        r"^np\.average\(.*weights=P.*gradient$",
        "there weights of no dimensions, and their returned sum, have no gradient",
    ),
    (r"^npx\.leaky_relu\(X, act_type='selu'\).*gradient$", "the gradient is the mathematical one"),
    (r"^np\.einsum\('\.\.\..*gradient$", "there broadcast dimensions lose parts of their gradient"),
    (r"^np\.linalg\.svd\(M\) .*value$", "singular vectors are known but for their sign"),
    (
        r"^np\.(divmod|heaviside|histogram2d|histogramdd|nanpercentile|nanquantile|partition|poly|roots)\(",
        "NumPy's own functions, as the installed NumPy has them",
    ),
    (r"^np\.stack\(\(X, Y\).*value$", "arrays of different shapes are refused, as by NumPy"),
    (r"^np\.pad\(X, \(\(.*value$", "more widths than dimensions are refused, as by NumPy"),
    (r"^np\.(deg2rad|rad2deg)\(.*refused there$", "the original has lost them"),
    (r"^\+X .*bool \| refused there$", "+x is x"),
    (r"float16.* \| refused there$", "float16 is taken where other floats are"),
    (r"^npx\..*bool.* \| refused there$", "booleans count as 0 and 1"),
    (r"^npx\.leaky_relu\(.*\[\]float\d\d \| refused there$", "an array without dimensions is taken, too"),
    (r"^np\.lcm\(X, Y\).*bool .*refused there$", "booleans broadcast"),
    (r"^np\.unravel_index\(.*hybrid$", "a tuple of arrays, as without hybridize()"),
    (r"^np\.dsplit\(X, (1|\(\))\) .*hybrid$", "a list of one array, as without hybridize()"),
    (r"^np\.resize\(X.*\[(2, )?0\]float32 \| hybrid refused$", "an array without elements is not resized in a graph"),
    (r"^np\.linalg\.norm\(X.*int\d+ \| value$", "norms of integers are cut only at the end"),
    (
        r"^np\.linalg\.norm\(X.*X\[(0|1|3|2, 3)\]bool \| refused there$",
        "booleans along one axis are taken, wherever it is",
    ),
    (r"^np\.linalg\.norm\(X, -\d\).*bool \| value$", "1 / False is infinite, and its reciprocal False"),
    (r"^np\.linalg\.norm\(X, [03]\) \| X\[2, (1, )?3\].*value$", "matrices have no such norm, as in NumPy"),
    (r"^list\(X\) \| X\[\]", "an array without dimensions is not iterable, as in NumPy"),
    (
        r"^np\.(delete|insert|unique|tensordot)\(.*\[\]\w+.* \| value$",
        "refused for an array without dimensions, as by NumPy",
    ),
    (r"^np\.delete\(X, np\.array\(\[0, 2\].*value$", "an index out of range is refused"),
    (r"^(np|X)\.(std|var)\(.*X\[2, 3\]int8 \| refused there$", "int8 is taken as the other integers are"),
    (r"^np\.arange\(1, 2, 0\.25, dtype='float16'\)", "there the step of float16 is lost"),
    (r"^np\.clip\(onp\.float32", "numbers are NumPy's, as the installed NumPy has them"),
    (r"^npx\.pooling\(.*global_pool.*\[(2, )?0\]", "the mean of nothing is not a number"),
    (r"out=\S+\) .*hybrid refused$", "a symbol has no memory to write to; there out= is ignored without a word"),
    (r"^\(X\.__setitem__\(.*recorded$", "a variable is not written to while it is recorded, whatever the value"),
    (
        r"^\(X\.__setitem__\(.*X\[\d?\]\w+ \| refused there$",
        "x[:] and lists of one number are taken for small arrays, too",
    ),
    (r"^npx?\.random\.\w+\(.*(bool|int\d+)( \w\[.*)? \| refused there$", "parameters of any dtype are taken"),
    (r"^np\.random\.(gamma|beta)\(.*float16 \| value$", "only the result is rounded to float16"),
    (r"^npx?\.random\.\w+\((0\.5, )?P.*int\d+ \| value$", "numbers beside integers keep their fractions"),
    (r"^npx?\.random\.(uniform|uniform_n|power|gamma)\(.*gradient$", "the gradient of the parameters, there it is 0"),
    (
        r"^np\.random\..*size=\(2, 3\)\) \| \w\[2, 1, 3\]\w+ \| value$",
        "parameters must broadcast to the size, as in NumPy",
    ),
    (r"^np\.random\.chisquare\(.*value$", "there the numbers are a quarter of what they should be"),
    (r"^np\.random\.beta\(0\.5, 2\.0, size=3\) .*value$", "there it depends on what was drawn before the seed"),
    (
        r"^\(np\.random\.shuffle\(X\), X\).*(hybrid refused|refused there)$",
        "a symbol is not shuffled in place, an array without dimensions is as it was",
    ),
    (r"^np\.average\(X, axis=1, returned=True\)", "the sum of the weights has the shape of the mean, as in NumPy"),
    (r"^np\.clip\(X, float\('nan'\), 1\)", "NaN is no bound"),
    (r"^np\.delete\(X, np\.array\(\[True", "a mask of another size is refused, as by NumPy"),
    (r"^np\.full_like\(X, onp\.(inf|nan)\).*value$", "NaN and infinity are no integers"),
    (r"^np\.reshape\(X, .*order='F'\).*value$", "the order of Fortran is refused; there it is ignored"),
    (r"^np\.sum\(X, axis=\[0\]\).*refused there$", "a list of axes is taken, too"),
    (r"^npx\.arange_like\(X, step=0\.5\).*(int\d+|float16) \| value$", "a step keeps its fraction until the end"),
    (r"^npx\.softmax\(X, np\.array.*\[\]float\d\d \| value$", "a 0-d array has no lengths"),
    (r"^np\.rot90\(X, 0\) \| X\[\d\].*value$", "arrays of one dimension are refused, as by NumPy"),
    (r"^np\.(percentile|quantile)\(.*float16 \| value$", "computed in double precision"),
    (r"^npx\.(log_)?softmax\(X, dtype='float64'\).*float16 \| value$", "computed in the wider dtype"),
    (r"^np\.(diff|ediff1d)\(.*bool \| value$", "booleans are refused, whatever is left of them"),
    (r"^np\.linalg\.norm\(X, 1, axis=\(0, -1\)\) \| X\[\]", "refused for an array without dimensions, as by NumPy"),
    (r"^np\.hsplit\(.*bool \| refused there$", "booleans are cut as all else"),
    (r"^np\.histogram\(.*bool \| refused there$", "no booleans are counted"),
    (r"^np\.linalg\.tensorinv\(M, 1\) \| M\[0, 0\]", "the inverse of a matrix without elements"),
    (
        r"^npx\.(batch_flatten|reshape_like|slice|embedding|layer_norm)\(.*refused there$",
        "taken, too: small arrays the original does not",
    ),
    (r"^npx\.batch_norm\(.*value$", "parameters of another size than the axis are refused"),
)


def near(mine, theirs, dtype):
    """Are two lists of numbers equal, apart from rounding?"""
    if not dtype.startswith("f"):
        return mine == theirs
    tolerance = TOLERANCE.get(dtype, 2e-5)
    return onp.allclose(onp.array(mine, float), onp.array(theirs, float), tolerance, tolerance, equal_nan=True)


def same(mine, theirs):
    """Are two described values equal, apart from rounding?"""
    if theirs == UNDEFINED or mine == theirs:
        return True
    if isinstance(mine, list) and isinstance(theirs, list):
        return mine[:2] == theirs[:2] and mine[3:] == theirs[3:] and near(mine[2], theirs[2], mine[0])
    if not isinstance(mine, dict) or not isinstance(theirs, dict) or mine.keys() != theirs.keys():
        return False
    for kind, value in theirs.items():
        other = mine[kind]
        if kind in ("list", "tuple"):
            if len(value) != len(other) or not all(map(same, other, value)):
                return False
        elif kind == "float":
            if not near([other], [value], "f4"):
                return False
        elif kind in ("number", "numpy"):
            if other[:-1] != value[:-1] or not near(
                *(v[-1] if kind == "numpy" else v[-1:] for v in (other, value)), value[0]
            ):
                return False
        elif isinstance(value, str) and "." in value:  # text with numbers in it
            return re.sub(r"\s+", "", other) == re.sub(r"\s+", "", value)
        elif isinstance(value, dict):  # gradients by letter
            if not same(other, value):
                return False
        elif not same(other, value):
            return False
    return True


def refused(value):
    """Is it an error?"""
    return isinstance(value, str) and value.startswith("!")


def _renamed(call):
    """Names that NumPy 2 has dropped."""
    for old, new in (("np.product(", "np.prod("), ("np.sometrue(", "np.any("), ("np.round_(", "np.round(")):
        call = call.replace(old, new)
    return call


def officially(call, variant):
    """What NumPy itself gives for a call, without its dtype; None if it refuses it or has no such function."""
    arrays = {name: sweep.values(name, *kind) for name, kind in variant.items()}
    try:
        with warnings.catch_warnings(), onp.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return eval(_renamed(call), {"np": onp, "onp": onp, **arrays})
    except Exception:
        return None


def agrees_with_numpy(mine, official):
    """Is a described value what NumPy gives, whatever the dtype?"""
    if official is None:
        return False
    if isinstance(mine, dict) and mine.keys() & {"list", "tuple"}:
        parts = next(iter(mine.values()))
        return (
            isinstance(official, (list, tuple))
            and len(parts) == len(official)
            and all(map(agrees_with_numpy, parts, official))
        )
    if isinstance(mine, list):
        found = onp.asarray(official)
        return (
            found.dtype.kind in "biuf"
            and mine[1] == list(found.shape)
            and near(mine[2], [float(n) for n in found.ravel()], "f4")
        )
    return isinstance(mine, dict) and same(mine, json.loads(json.dumps(sweep.describe(official))))


def without_elements(call, variant, mine):
    """May a result differ since there are no elements, where the original shows memory and checks little?

    It may be NumPy's, or refused if NumPy refuses it or if the dtype is refused whatever the size is.
    """
    if all(0 not in shape for shape, dtype in variant.values()):
        return False
    official = officially(call, variant)
    if refused(mine):
        return official is None or mine == "!MXNetTypeError"
    return agrees_with_numpy(mine, official)


def differences(call, variant, theirs):
    """What differs in a case, by its aspect."""
    if theirs == CRASH:
        return {}
    mine = json.loads(json.dumps(sweep.run(mx, call, variant, sweep.hybrid(variant))))
    found = {}
    value, recorded, gradients, graph = mine
    their_value, their_recorded, their_gradients, their_graph = theirs
    if refused(their_value):
        if not refused(value) and not agrees_with_numpy(value, officially(call, variant)):
            found["refused there"] = (value, their_value)
        return found
    if not same(value, their_value):
        return {} if without_elements(call, variant, value) else {"value": (value, their_value)}
    if refused(value):
        return {}
    if their_recorded is None:
        their_recorded = their_value
    if not refused(their_recorded):
        if not same(value if recorded is None else recorded, their_recorded):
            found["recorded"] = (recorded, their_recorded)
        elif isinstance(their_gradients, dict) and not (
            isinstance(gradients, dict) and all(same(gradients.get(n), g) for n, g in their_gradients.items())
        ):
            found["gradient"] = (gradients, their_gradients)
    if sweep.hybrid(variant) and not refused(their_graph):
        expected = [their_recorded, their_gradients] if their_graph is None else their_graph
        here = [value if recorded is None else recorded, gradients] if graph is None else graph
        if refused(here) or expected == UNDEFINED:
            if expected != UNDEFINED:
                found["hybrid refused"] = (here, expected)
        elif not same(here[0], expected[0]):
            found["hybrid"] = (here[0], expected[0])
        elif (
            "gradient" not in found
            and isinstance(expected[1], dict)
            and not (isinstance(here[1], dict) and all(same(here[1].get(n), g) for n, g in expected[1].items()))
        ):
            found["hybrid gradient"] = (here[1], expected[1])
    return found


def text_of(variant):
    return " ".join(f"{n}{list(s)}{d}" for n, (s, d) in variant.items())


def families():
    """Calls by the function that they are about."""
    found = {}
    for call in sweep.calls():
        head = re.match(r"(?:np|npx)\.(?:linalg\.)?\w+|X\.\w+", call)
        found.setdefault(head.group() if head else "operators", []).append(call)
    return found


#: Public functions that are not in the table, and where they are tested instead.
ELSEWHERE = {
    "tests of random numbers": "random",
    "tests/numpy/test_numpy.py": "genfromtxt set_printoptions load save is_np_array is_np_shape set_np reset_np",
    "only NumPy before 1.20 has them": "mirr npv ppmt pv rate",
    "tests/samples, by their classic names": "multibox_detection multibox_prior multibox_target rnn roi_pooling",
    "tests of contexts": """cpu cpu_pinned gpu gpu_memory_info num_gpus current_context get_cuda_compute_capability
    waitall""",
    "helpers of the original's own": "check_call classproperty with_metaclass",
}


@pytest.mark.parametrize(("prefix", "place"), [("np", np), ("np.linalg", np.linalg), ("npx", npx)])
def test_no_function_is_missing(prefix, place):
    text = "\n".join(sweep.calls())
    known = {name for names in ELSEWHERE.values() for name in names.split()}
    functions = [n for n in dir(place) if callable(getattr(place, n)) and not n.startswith("_")]
    functions = [n for n in functions if not isinstance(getattr(place, n), type) and n not in known]
    assert not [n for n in functions if f"{prefix}.{n}(" not in text]


@pytest.mark.filterwarnings("ignore")  # of NumPy, about empty slices and the like
@pytest.mark.parametrize(("family", "calls"), families().items(), ids=families())
def test_against_the_original(family, calls):
    wrong = []
    for call in calls:
        variants = sweep.variants(call)
        assert len(golden()[call]) == len(variants), f"record {call} anew"
        for variant, theirs in zip(variants, golden()[call], strict=True):
            name = f"{call} | {text_of(variant)}"
            for aspect, (mine, expected) in differences(call, variant, theirs).items():
                if not any(re.search(pattern, f"{name} | {aspect}") for pattern, reason in DIFFERENT):
                    wrong.append(f"{name} | {aspect}: {mine} instead of {expected}")
    assert not wrong, f"{len(wrong)} cases:\n" + "\n".join(wrong)
