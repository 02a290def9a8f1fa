/* Whether numbers lie within bounds: by it operators tell that a sum of squares has overflowed. They ask after each call,
   so this is a function of Python's own: ctypes would take longer than a small operator may. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "native.h"

/* (address of float32 numbers, how many, address of two bounds): is one out of them, or NaN? */
static PyObject *leaves_range(PyObject *self, PyObject *const *arguments, Py_ssize_t count) {
    (void)self;
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "leaves_range takes 3 numbers");
        return NULL;
    }
    const float *x = PyLong_AsVoidPtr(arguments[0]), *bounds = PyLong_AsVoidPtr(arguments[2]);
    Py_ssize_t n = PyLong_AsSsize_t(arguments[1]);
    if (PyErr_Occurred()) return NULL;
    Py_ssize_t within = 0;
    float low = bounds[0], high = bounds[1];
    for (Py_ssize_t i = 0; i < n; i++) within += (x[i] >= low) & (x[i] <= high);
    return PyBool_FromLong(within != n);
}

static PyMethodDef definition = {"leaves_range", (PyCFunction)(void (*)(void))leaves_range, METH_FASTCALL, NULL};

EXPORT PyObject *leaves_range_function(void) { return PyCFunction_New(&definition, NULL); }
