"""Indexing expressions that are run on the original and on this package; read by record_indexing.py and the tests.

An expression is evaluated with ``np``, ``nd`` and ``x``, an array of ``arange`` with the given shape and dtype. Only
syntax that the original's Python and NumPy understand.
"""

import numpy as np

# shape of x: keys to read with, as text. Where the original does something else than NumPy for no good reason (boolean
# masks of NumPy are taken for numbers, new axes after index arrays are misplaced, empty selections are refused or not
# by chance), the tests have cases of their own.
READ = {
    (5,): """
        0; 4; -1; -5; 5; -6; np.int64(2); np.int32(-2); True; slice(1, 3); slice(None); slice(None, None, 2);
        slice(None, None, -1); slice(4, 1, -2); slice(-3, -1); slice(3, 100); slice(-100, 2); slice(2, 2);
        slice(10, 20); slice(0, 5, 1); slice(None, None, 0); slice(1.0, 2); slice(np.int64(1), np.int64(3)); None;
        Ellipsis; (); (None, slice(None)); (slice(None), None); (None, 2); (2, None); (Ellipsis, 1); (1, Ellipsis);
        (slice(1, 3), None, None); [0]; [1, 3]; [-1, 0]; [5]; [-6]; [[0, 1], [2, 3]]; np.array([0, 2]);
        np.array([[0, 1], [2, 3]]); np.array([1.0, 3.0]); nd.array([0, 2]); nd.array([0, 2], dtype='int32');
        nd.array([[0, 1], [2, 3]], dtype='int64'); nd.array([1], dtype='int64'); nd.array([-1, -2], dtype='int32');
        nd.array([7], dtype='int32'); nd.array([1, 0, 1, 0, 1], dtype='bool'); 0.0; 'a'; (0, 0); (slice(None), 0);
        (None, [0, 1]); range(2); (range(2),); np.array([0, 2], dtype='uint8'); np.array([0, 2], dtype='float16')
    """,
    (3, 4): """
        0; -1; 3; -4; (0, 0); (-1, -1); (0, 4); (3, 0); slice(0, 2); slice(1, 2); slice(None, None, 2);
        slice(None, None, -1); slice(2, 0, -1); slice(1, 1); (slice(None), 1); (slice(None), -1); (slice(None), 4);
        (slice(None), slice(1, 3)); (slice(0, 1), slice(1, 2)); (slice(0, 2), slice(None)); (1, slice(0, 2));
        (1, slice(None)); (1, slice(None, None, 2)); (1, slice(None, None, -1));
        (slice(None, None, -1), slice(None, None, -1)); (slice(0, 2), 1); (Ellipsis, 1); (1, Ellipsis);
        (Ellipsis, slice(1, 3)); (Ellipsis, 1, 2); (1, Ellipsis, 2); (Ellipsis, Ellipsis); Ellipsis; (); None;
        (None, 1); (1, None); (None, slice(None), 1); (slice(None), None, 1); (slice(1, 2), None, slice(1, 3));
        (None, Ellipsis, None); (None, 1, None, 2, None); (0, 1, 2); [0, 2]; [[0, 1]]; [2, -1]; [3];
        ([0, 1], [1, 2]); ([0, 1], 1); (1, [0, 1]); ([0, 1], slice(1, 3)); (slice(1, 3), [0, 1]);
        (slice(None), [0, 3]); ([0, 1], slice(None, None, 2)); ([[0], [1]], [0, 2]); ([0, 1], [0, 1, 2]);
        (None, [0, 1]); ([0, 1], None, [1, 2]); (Ellipsis, [1, 2]); ([1, 2], Ellipsis); (slice(None), [4]);
        nd.array([0, 2]); nd.array([0, 2], dtype='int64'); nd.array([[0, 2]], dtype='int32');
        (nd.array([0, 1], dtype='int32'), nd.array([1, 2], dtype='int32'));
        (slice(None), nd.array([0, 2], dtype='int32')); (nd.array([0, 1]), slice(0, 2));
        (1, nd.array([0, 2], dtype='int32')); np.array([0, 2]); (np.array([0, 1]), np.array([1, 2]));
        (slice(None), np.array([0, 2])); (0, np.array([0, 2])); (slice(None), np.array([-1, -4]));
        (slice(None), np.array([-5])); nd.array([1, 0, 1], dtype='bool'); nd.array([1, 0, 1], dtype='uint8');
        nd.array(np.arange(12).reshape(3, 4) % 2, dtype='bool'); nd.array([[0, 1], [2, 0]]);
        (nd.array([0.0, 2.0]), 1); (1.0, 0); 'abc'; (0, 'a')
    """,
    (2, 3, 4): """
        0; 1; (0, 1); (0, 1, 2); (0, slice(None), 1); (slice(None), 1); (slice(None), slice(None), 1); slice(1, 2);
        (0, slice(1, 3)); (0, slice(1, 3), slice(None)); (0, slice(1, 3), slice(1, 3)); (slice(0, 1), slice(1, 3));
        (slice(0, 2), slice(1, 2)); (0, 1, slice(1, 3)); (0, 1, slice(None, None, 2));
        (slice(None), slice(None), slice(None, None, -1)); (Ellipsis, 0); (0, Ellipsis); (0, Ellipsis, 0);
        (Ellipsis, slice(None), 0); (None, Ellipsis, 0); (slice(None), None, 0); (0, [0, 2]); ([0, 1], [0, 2]);
        ([0, 1], [0, 2], [1, 3]); ([0, 1], slice(None), [1, 3]); (slice(None), [0, 2], [1, 3]);
        (slice(None), [0, 2]); (slice(None), slice(None), [0, 2]); (0, slice(None), [0, 2]);
        ([0, 1], 1, slice(None)); ([0, 1], slice(0, 2), slice(1, 3)); ([1], Ellipsis, [2]);
        (Ellipsis, [0, 1], [1, 2]); ([[0, 1]], [[0], [2]]); (slice(None), [0, 1], None, [1, 2]);
        (None, [0, 1], [1, 2]); ([0, 1], None, slice(0, 2), 1); (slice(1, 2), [[0, 1], [1, 2]]);
        (slice(None, None, -1), [0, 1]); ([0, 1], slice(None, None, -1)); (0, 0, [1, 2]); (0, [1, 2], 0);
        ([0, 1], 0, 0); (slice(0, 2), slice(0, 3), slice(0, 4)); (slice(0, 2), slice(0, 3), slice(0, 2));
        (slice(0, 0), 1); (0, 3); (0, 0, 4); (0, 0, 0, 0);
        (nd.array([1, 0], dtype='int32'), slice(0, 2), nd.array([1, 2], dtype='int32'))
    """,
    (1,): "0; -1; slice(0, 1); None; (0, None); [0, 0]; Ellipsis",
    (2, 1, 3): """
        0; (0, 0); (slice(None), 0); (slice(None), 0, slice(None)); (slice(0, 1), 0); (1, 0, slice(1, 3));
        (Ellipsis, 0)
    """,
}

# The original corrupts memory in the gradient of these (negative numbers in index arrays): only the values are compared.
NO_GRADIENT = {"[-1, 0]", "[2, -1]", "nd.array([-1, -2], dtype='int32')", "(slice(None), np.array([-1, -4]))"}

# shape and dtype of x: "key = value" pairs to write, as text; values are expressions too. Index arrays with negative or
# too large numbers are absent: the original writes outside of the array.
WRITE = {
    ((5,), "float32"): """
        0 = 9; -1 = 9; 5 = 9; slice(1, 3) = 9; slice(None) = 9; slice(None, None, -2) = 9;
        slice(None) = np.arange(5); slice(None) = [5, 4, 3, 2, 1]; slice(None) = (5, 4, 3, 2, 1);
        slice(None) = nd.arange(5); slice(None) = nd.array([7]); slice(None) = np.array([1, 2]);
        slice(None) = nd.array([1, 2]); slice(1, 3) = [8, 9]; slice(1, 3) = nd.array([8, 9]);
        slice(None, None, 2) = [7, 8, 9]; slice(None, None, -1) = np.arange(5);
        slice(None, None, -1) = nd.arange(5); slice(2, 2) = 9; 0 = nd.array([9]); 0 = [9]; 0 = np.array(9.0);
        0 = np.float64(9); 0 = True; 0 = [8, 9]; [0, 2] = 9; [0, 2] = [8, 9]; [0, 2] = nd.array([8, 9]);
        [0, 2] = np.array([8, 9]); [0, 0] = [8, 9]; nd.array([0, 2]) = 9;
        nd.array([0, 2], dtype='int32') = nd.array([8, 9]); np.array([0, 4]) = np.array([8, 9]);
        nd.array([1, 0, 1, 0, 1], dtype='bool') = 9; Ellipsis = 9; None = 9; () = 9;
        (None, slice(None)) = nd.arange(5); slice(None) = 'a'; slice(None) = nd.arange(5, dtype='int32');
        slice(None) = np.arange(5, dtype='float16'); slice(None) = 2.7; slice(None) = np.float32(2.7);
        slice(None) = nd.arange(5).reshape(1, 5); slice(None) = np.arange(5).reshape(1, 1, 5);
        slice(None) = np.arange(10).reshape(2, 5); slice(None) = 1j; 'a' = 1; slice(None) = [];
        slice(None) = np.array([[1]]); slice(None) = float('nan'); slice(None) = True
    """,
    ((3, 4), "float32"): """
        0 = 9; -1 = [6, 7, 8, 9]; 1 = nd.array([6, 7, 8, 9]); 1 = nd.array([6]); 3 = 1; (0, 0) = 9;
        (0, 1) = nd.array([9]); (0, 4) = 1; slice(0, 2) = 9; slice(0, 2) = np.arange(8).reshape(2, 4);
        slice(0, 2) = np.arange(4); slice(0, 2) = nd.arange(4); slice(0, 2) = nd.arange(2).reshape(2, 1);
        slice(0, 2) = nd.arange(8); slice(0, 2) = np.arange(8).reshape(1, 2, 4); (slice(None), 1) = 9;
        (slice(None), 1) = [7, 8, 9]; (slice(None), 1) = nd.array([7, 8, 9]);
        (slice(None), 1) = nd.array([[7], [8], [9]]); (slice(None), slice(1, 2)) = nd.array([7, 8, 9]);
        (slice(None), slice(1, 2)) = nd.array([[7], [8], [9]]);
        (slice(0, 2), slice(1, 3)) = np.arange(4).reshape(2, 2); (slice(0, 2), slice(1, 3)) = [8, 9];
        (slice(None, None, -1), slice(None, None, 2)) = np.arange(6).reshape(3, 2);
        (slice(None, None, -1), slice(None)) = nd.arange(12).reshape((3, 4)); slice(None) = np.arange(12);
        slice(None) = nd.arange(12); slice(None) = nd.arange(4); slice(None) = 5; Ellipsis = 5; (Ellipsis, 1) = 5;
        (Ellipsis, 1) = [7, 8, 9]; None = 5; (None, 1) = [6, 7, 8, 9]; (1, None) = [6, 7, 8, 9];
        (slice(None), None, 1) = np.array([[7], [8], [9]]); [0, 2] = 9; [0, 2] = np.arange(8).reshape(2, 4);
        [0, 2] = np.arange(4); [0, 2] = nd.arange(4); [0, 2] = nd.arange(2).reshape(2, 1); ([0, 1], [1, 2]) = 9;
        ([0, 1], [1, 2]) = [8, 9]; ([0, 1], [1, 2]) = nd.array([8, 9]); ([0, 1], 1) = [8, 9];
        (slice(None), [0, 3]) = 9; (slice(None), [0, 3]) = np.arange(6).reshape(3, 2);
        (slice(None), [0, 3]) = nd.array([8, 9]); (slice(1, 3), [0, 1]) = np.arange(4).reshape(2, 2);
        (1, [0, 1]) = [8, 9]; ([0, 1], slice(1, 3)) = np.arange(4).reshape(2, 2);
        ([[0], [1]], [0, 2]) = np.arange(4).reshape(2, 2); ([0, 1], None) = 9;
        (None, [0, 1]) = np.arange(8).reshape(1, 2, 4);
        nd.array([0, 2], dtype='int32') = nd.arange(8).reshape((2, 4));
        nd.array(np.arange(12).reshape(3, 4) % 2, dtype='bool') = 9; (slice(None), slice(0, 0)) = 9;
        (slice(None), 7) = 9; (0, slice(None, None, 2)) = [8, 9]; 0 = [1, 2, 3];
        slice(None) = np.arange(3).reshape(3, 1); slice(None) = [[1, 2, 3, 4]]; slice(None) = [[1], [2], [3]];
        (0, 0, 0) = 1; (slice(None), nd.array([0, 2], dtype='int32')) = 1; (slice(None), 1) = x[0:3, 2];
        slice(0, 2) = x[1:3]
    """,
    ((2, 3, 4), "float32"): """
        0 = np.arange(12).reshape(3, 4); (0, 1) = 9; (slice(None), 1) = np.arange(8).reshape(2, 4);
        (Ellipsis, 0) = np.arange(6).reshape(2, 3); (Ellipsis, 0) = [7, 8, 9]; (0, slice(1, 3), slice(1, 3)) = 9;
        ([0, 1], slice(None), [1, 3]) = np.arange(6).reshape(2, 3); ([0, 1], slice(None), [1, 3]) = 9;
        (slice(None), [0, 2], [1, 3]) = np.arange(4).reshape(2, 2); ([0, 1], [0, 2], [1, 3]) = [8, 9];
        (0, [0, 2]) = np.arange(8).reshape(2, 4); (0, slice(None), [0, 2]) = np.arange(6).reshape(3, 2);
        (slice(None), 0, 0) = nd.array([8, 9]); (1, 1, 1) = 9;
        (slice(None, None, -1), 0, slice(None, None, 2)) = np.arange(4).reshape(2, 2); (0, None, 1) = np.arange(4);
        (0, slice(None), 0) = nd.array([7, 8, 9]); (0, slice(None), 0) = nd.array([[7, 8, 9]])
    """,
    ((4,), "int32"): """
        0 = 2.7; slice(None) = 2.7; slice(None) = -2.7; slice(None) = nd.array([1.5, 2.5, -1.5, 0.5]);
        slice(None) = np.array([1.5, 2.5, -1.5, 0.5]); [0, 1] = [1.5, 2.5]; slice(None) = True;
        slice(0, 2) = [1.7, 2.7]; slice(None, None, 2) = 1.9
    """,
    ((4,), "uint8"): """
        slice(None) = 300; slice(None) = -1; 0 = 255; slice(None) = np.array([1, 2, 3, 256]);
        slice(None) = nd.array([1, 2, 3, 4])
    """,
    (
        (4,),
        "float16",
    ): "slice(None) = 1.0001; slice(None) = 70000.0; [0, 1] = np.array([1.5, 2.5]); slice(None) = nd.arange(4)",
    (
        (4,),
        "float64",
    ): "slice(None) = 0.1; [0, 1] = [0.1, 0.2]; slice(None) = np.arange(4) / 3.0; slice(1, 3) = nd.array([0.1, 0.2])",
    ((4,), "int64"): "slice(None) = np.arange(4) + 2 ** 60",
}


def read_cases():
    """Yields (case name, shape, key text)."""
    for shape, text in READ.items():
        for key in _split(text):
            yield "x%s[%s]" % (shape, key), shape, key


def write_cases():
    """Yields (case name, shape, dtype, key text, value text)."""
    for (shape, dtype), text in WRITE.items():
        for case in _split(text):
            key, value = case.split(" = ", 1)
            yield "x%s %s [%s] = %s" % (shape, dtype, key, value), shape, dtype, key.strip(), value.strip()


def _split(text):
    return [" ".join(part.split()) for part in text.split(";") if part.strip()]


def fresh(nd, shape, dtype="float32"):
    """The array the expressions are applied to."""
    return nd.array(np.arange(int(np.prod(shape))).reshape(shape), dtype=dtype)


def value_of(text, nd, x):
    """Evaluates a key or a value."""
    return eval(text, {"np": np, "nd": nd, "x": x, "range": range, "float": float, "slice": slice})


def read_result(mx, shape, key_text):
    """What reading gives: {"value", "view", "gradient"} or {"error"}."""
    nd = mx.nd
    x = fresh(nd, shape)
    try:
        key = value_of(key_text, nd, x)
        y = x[key]
        value = y.asnumpy()
    except Exception as error:
        return {"error": error}
    result = {"value": value, "view": False}
    if value.size:
        before = x.asnumpy()
        y[:] = -1
        result["view"] = not np.array_equal(x.asnumpy(), before)
    if key_text in NO_GRADIENT:
        return result
    x = fresh(nd, shape)
    x.attach_grad()
    try:
        with mx.autograd.record():
            y = x[key] * 2
        y.backward(nd.array(np.cos(np.arange(value.size)).reshape(value.shape)))
        result["gradient"] = x.grad.asnumpy()
    except Exception as error:
        result["gradient_error"] = error
    return result


def write_result(mx, shape, dtype, key_text, value_text):
    """The array after writing, or the error."""
    nd = mx.nd
    x = fresh(nd, shape, dtype)
    try:
        x[value_of(key_text, nd, x)] = value_of(value_text, nd, x)
        return {"value": x.asnumpy()}
    except Exception as error:
        return {"error": error}
