/* The functions of c_predict_api.h: they start Python if there is none, and call mxnet/predict/bridge.py. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#ifdef _WIN32
#error "only for systems with dlfcn.h and pthread.h so far"
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mxnet/c_predict_api.h"

static _Thread_local char last_error[4096];

const char *MXGetLastError(void) { return last_error; }

static int fail(const char *text) {
  snprintf(last_error, sizeof last_error, "%s", text);
  return -1;
}

/* ---- Python ------------------------------------------------------------------------------------------------------ */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static PyObject *bridge; /* mxnet.predict.bridge */
static char start_error[sizeof last_error];

/* Keeps the text of Python's exception. The GIL is held. */
static int fail_with_exception(void) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject *text = value ? PyObject_Str(value) : NULL;
  const char *chars = text ? PyUnicode_AsUTF8(text) : NULL;
  const char *name = type && PyType_Check(type) ? ((PyTypeObject *)type)->tp_name : "error";
  const char *dot = strrchr(name, '.');
  snprintf(last_error, sizeof last_error, "%s: %s", dot ? dot + 1 : name, chars ? chars : "");
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  PyErr_Clear();
  return -1;
}

/* The folder that holds the package: this library is <folder>/mxnet/predict/libmxnet_predict.so. */
static int package_folder(char *path, size_t size) {
  Dl_info info;
  if (!dladdr((void *)&MXGetLastError, &info) || !info.dli_fname) return 0;
  char *real = realpath(info.dli_fname, NULL);
  if (!real) return 0;
  for (int up = 0; up < 3; up++) {
    char *slash = strrchr(real, '/');
    if (slash) *slash = 0;
  }
  int written = snprintf(path, size, "%s", real);
  free(real);
  return written > 0 && (size_t)written < size;
}

/* The interpreter of the environment that the package is installed in: <it>/lib/python3.x/site-packages is the folder. */
static const char *interpreter(const char *folder, char *path, size_t size) {
  const char *given = getenv("MXNET_PYTHON");
  if (given && *given) return given;
  int written = snprintf(path, size, "%s/../../../bin/python3", folder);
  if (written > 0 && (size_t)written < size && strstr(folder, "site-packages") && !access(path, X_OK)) return path;
  return BUILT_BY; /* the interpreter that built the library */
}

static int start_interpreter(const char *folder) {
  char path[4096];
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0; /* signals are the program's */
  config.parse_argv = 0;
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, interpreter(folder, path, sizeof path));
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) {
    snprintf(start_error, sizeof start_error, "Python does not start: %s. MXNET_PYTHON may name the interpreter",
             status.err_msg ? status.err_msg : "no reason was given");
    return 0;
  }
  return 1;
}

static void start(void) {
  char folder[4096] = "";
  package_folder(folder, sizeof folder);
  PyGILState_STATE gil = PyGILState_UNLOCKED;
  int own = !Py_IsInitialized();
  if (own) {
    if (!start_interpreter(folder)) return;
  } else {
    gil = PyGILState_Ensure();
  }
  if (own && *folder) { /* last: what the environment has comes first */
    PyObject *path = PySys_GetObject("path"), *place = PyUnicode_DecodeFSDefault(folder);
    if (path && place) PyList_Append(path, place);
    Py_XDECREF(place);
  }
  bridge = PyImport_ImportModule("mxnet.predict.bridge");
  if (!bridge) {
    fail_with_exception();
    int room = (int)sizeof start_error - 128;
    snprintf(start_error, sizeof start_error, "mxnet cannot be imported: %.*s. MXNET_PYTHON may name the interpreter",
             room, last_error);
  }
  if (own)
    PyEval_SaveThread(); /* other threads may enter from now on */
  else
    PyGILState_Release(gil);
}

/* Enters Python; 0 if there is none. */
static int enter(PyGILState_STATE *gil) {
  pthread_once(&once, start);
  if (!bridge) {
    fail(start_error);
    return 0;
  }
  *gil = PyGILState_Ensure();
  return 1;
}

/* Calls a function of the bridge; takes over the arguments. */
static PyObject *call(const char *name, PyObject *arguments) {
  if (!arguments) return NULL;
  PyObject *function = PyObject_GetAttrString(bridge, name);
  PyObject *result = function ? PyObject_CallObject(function, arguments) : NULL;
  Py_XDECREF(function);
  Py_DECREF(arguments);
  return result;
}

/* Leaves Python, with an exception as the error. Takes over the result. */
static int leave(PyGILState_STATE gil, PyObject *result) {
  int done = result ? 0 : fail_with_exception();
  Py_XDECREF(result);
  PyGILState_Release(gil);
  return done;
}

/* ---- predictors -------------------------------------------------------------------------------------------------- */

typedef struct {
  PyObject *predictor;
  mx_uint outputs;
  mx_uint **shapes; /* those that were asked for */
} Predictor;

static Predictor *new_predictor(PyObject *predictor) {
  PyObject *count = PyObject_GetAttrString(predictor, "num_outputs");
  long outputs = count ? PyLong_AsLong(count) : -1;
  Py_XDECREF(count);
  if (outputs < 0) return NULL;
  Predictor *made = calloc(1, sizeof *made);
  if (made) made->shapes = calloc((size_t)outputs + 1, sizeof *made->shapes);
  if (!made || !made->shapes) {
    free(made);
    PyErr_NoMemory();
    return NULL;
  }
  made->outputs = (mx_uint)outputs;
  Py_INCREF(predictor);
  made->predictor = predictor;
  return made;
}

static void free_predictor(Predictor *predictor) {
  for (mx_uint i = 0; i < predictor->outputs; i++) free(predictor->shapes[i]);
  free(predictor->shapes);
  Py_DECREF(predictor->predictor);
  free(predictor);
}

static PyObject *no_name(void) {
  PyErr_SetString(PyExc_ValueError, "a name is NULL");
  return NULL;
}

static PyObject *texts(mx_uint count, const char **given) {
  PyObject *list = PyList_New(count);
  for (mx_uint i = 0; list && i < count; i++) {
    PyObject *text = given[i] ? PyUnicode_FromString(given[i]) : no_name();
    if (!text) Py_CLEAR(list);
    else PyList_SET_ITEM(list, i, text);
  }
  return list;
}

/* [(name, shape), ...] */
static PyObject *inputs(mx_uint count, const char **names, const mx_uint *offsets, const mx_uint *dimensions) {
  if (count && (!names || !offsets || !dimensions)) {
    PyErr_SetString(PyExc_ValueError, "names and shapes of the inputs must be given");
    return NULL;
  }
  PyObject *list = PyList_New(count);
  for (mx_uint i = 0; list && i < count; i++) {
    if (offsets[i + 1] < offsets[i] || offsets[i + 1] - offsets[i] > 32) {
      PyErr_Format(PyExc_ValueError, "input_shape_indptr: input %u goes from %u to %u", i, offsets[i], offsets[i + 1]);
      Py_CLEAR(list);
      break;
    }
    PyObject *shape = PyTuple_New(offsets[i + 1] - offsets[i]);
    for (mx_uint j = offsets[i]; shape && j < offsets[i + 1]; j++)
      PyTuple_SET_ITEM(shape, j - offsets[i], PyLong_FromUnsignedLong(dimensions[j]));
    if (shape && !names[i]) {
      no_name();
      Py_CLEAR(shape);
    }
    PyObject *pair = shape ? Py_BuildValue("(sN)", names[i], shape) : NULL;
    if (!pair) Py_CLEAR(list);
    else PyList_SET_ITEM(list, i, pair);
  }
  return list;
}

static PyObject *bytes_at(const void *at, int size) {
  return PyMemoryView_FromMemory(size > 0 ? (char *)at : "", size > 0 ? size : 0, PyBUF_READ);
}

static int create(const char *json, const void *params, int size, int dev_type, int dev_id, mx_uint count,
                  const char **names, const mx_uint *offsets, const mx_uint *dimensions, mx_uint num_types,
                  const char **type_names, const int *types, mx_uint num_outputs, const char **output_names,
                  int copies, PredictorHandle *out) {
  PyGILState_STATE gil;
  if (!json || !out || (size > 0 && !params) || size < 0 || copies < 1)
    return fail("MXPredCreate: the symbol, the parameters and where to put the predictor must be given");
  if ((num_types && (!type_names || !types)) || (num_outputs && !output_names))
    return fail("MXPredCreate: names of types or outputs are counted but not given");
  if (!enter(&gil)) return -1;
  PyObject *given = inputs(count, names, offsets, dimensions);
  PyObject *typed = given ? PyDict_New() : NULL;
  for (mx_uint i = 0; typed && i < num_types; i++) {
    PyObject *number = type_names[i] ? PyLong_FromLong(types[i]) : no_name();
    if (!number || PyDict_SetItemString(typed, type_names[i], number)) Py_CLEAR(typed);
    Py_XDECREF(number);
  }
  PyObject *outputs = typed ? texts(num_outputs, output_names) : NULL;
  PyObject *blob = outputs ? bytes_at(params, size) : NULL;
  PyObject *made = NULL;
  if (blob)
    made = call("create", Py_BuildValue("(sNiiNNNi)", json, blob, dev_type, dev_id, given, typed, outputs, copies));
  else {
    Py_XDECREF(given);
    Py_XDECREF(typed);
    Py_XDECREF(outputs);
  }
  for (int i = 0; made && i < copies; i++) {
    out[i] = new_predictor(PyList_GET_ITEM(made, i));
    if (out[i]) continue;
    while (i--) free_predictor(out[i]);
    Py_CLEAR(made);
    break;
  }
  return leave(gil, made);
}

int MXPredCreate(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type, int dev_id,
                 mx_uint num_input_nodes, const char **input_keys, const mx_uint *input_shape_indptr,
                 const mx_uint *input_shape_data, PredictorHandle *out) {
  return create(symbol_json_str, param_bytes, param_size, dev_type, dev_id, num_input_nodes, input_keys,
                input_shape_indptr, input_shape_data, 0, NULL, NULL, 0, NULL, 1, out);
}

int MXPredCreateEx(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type, int dev_id,
                   mx_uint num_input_nodes, const char **input_keys, const mx_uint *input_shape_indptr,
                   const mx_uint *input_shape_data, mx_uint num_provided_arg_dtypes,
                   const char **provided_arg_dtype_names, const int *provided_arg_dtypes, PredictorHandle *out) {
  return create(symbol_json_str, param_bytes, param_size, dev_type, dev_id, num_input_nodes, input_keys,
                input_shape_indptr, input_shape_data, num_provided_arg_dtypes, provided_arg_dtype_names,
                provided_arg_dtypes, 0, NULL, 1, out);
}

int MXPredCreatePartialOut(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type,
                           int dev_id, mx_uint num_input_nodes, const char **input_keys,
                           const mx_uint *input_shape_indptr, const mx_uint *input_shape_data,
                           mx_uint num_output_nodes, const char **output_keys, PredictorHandle *out) {
  return create(symbol_json_str, param_bytes, param_size, dev_type, dev_id, num_input_nodes, input_keys,
                input_shape_indptr, input_shape_data, 0, NULL, NULL, num_output_nodes, output_keys, 1, out);
}

int MXPredCreateMultiThread(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type,
                            int dev_id, mx_uint num_input_nodes, const char **input_keys,
                            const mx_uint *input_shape_indptr, const mx_uint *input_shape_data, int num_threads,
                            PredictorHandle *out) {
  return create(symbol_json_str, param_bytes, param_size, dev_type, dev_id, num_input_nodes, input_keys,
                input_shape_indptr, input_shape_data, 0, NULL, NULL, 0, NULL, num_threads, out);
}

int MXPredReshape(mx_uint num_input_nodes, const char **input_keys, const mx_uint *input_shape_indptr,
                  const mx_uint *input_shape_data, PredictorHandle handle, PredictorHandle *out) {
  PyGILState_STATE gil;
  if (!handle || !out) return fail("MXPredReshape: the predictor and where to put the new one must be given");
  if (!enter(&gil)) return -1;
  PyObject *given = inputs(num_input_nodes, input_keys, input_shape_indptr, input_shape_data);
  PyObject *made = given ? call("reshaped", Py_BuildValue("(ON)", ((Predictor *)handle)->predictor, given)) : NULL;
  if (made && !(*out = new_predictor(made))) Py_CLEAR(made);
  return leave(gil, made);
}

int MXPredGetOutputShape(PredictorHandle handle, mx_uint index, mx_uint **shape_data, mx_uint *shape_ndim) {
  PyGILState_STATE gil;
  Predictor *self = handle;
  if (!self || !shape_data || !shape_ndim) return fail("MXPredGetOutputShape: an argument is NULL");
  if (!enter(&gil)) return -1;
  PyObject *shape = call("output_shape", Py_BuildValue("(OI)", self->predictor, index));
  if (shape) {
    Py_ssize_t size = PyTuple_GET_SIZE(shape);
    mx_uint *kept = malloc(((size_t)size + 1) * sizeof *kept);
    if (!kept) {
      PyErr_NoMemory();
      Py_CLEAR(shape);
    } else {
      for (Py_ssize_t i = 0; i < size; i++) kept[i] = (mx_uint)PyLong_AsUnsignedLong(PyTuple_GET_ITEM(shape, i));
      free(self->shapes[index]);
      self->shapes[index] = *shape_data = kept;
      *shape_ndim = (mx_uint)size;
    }
  }
  return leave(gil, shape);
}

int MXPredGetOutputType(PredictorHandle handle, mx_uint out_index, int *out_dtype) {
  PyGILState_STATE gil;
  if (!handle || !out_dtype) return fail("MXPredGetOutputType: an argument is NULL");
  if (!enter(&gil)) return -1;
  PyObject *number = call("output_type", Py_BuildValue("(OI)", ((Predictor *)handle)->predictor, out_index));
  if (number) *out_dtype = (int)PyLong_AsLong(number);
  return leave(gil, number);
}

/* Numbers that are copied to or from the program's memory: the bridge asks for as many bytes as it needs. */
static PyObject *memory_at(void *at, size_t bytes, int flags) {
  return PyMemoryView_FromMemory(at, (Py_ssize_t)bytes, flags);
}

static long item_size(const char *function, PyObject *arguments) {
  PyObject *size = call(function, arguments);
  long found = size ? PyLong_AsLong(size) : -1;
  Py_XDECREF(size);
  return found;
}

int MXPredSetInput(PredictorHandle handle, const char *key, const mx_float *data, mx_uint size) {
  PyGILState_STATE gil;
  if (!handle || !key || (size && !data)) return fail("MXPredSetInput: an argument is NULL");
  if (!enter(&gil)) return -1;
  PyObject *predictor = ((Predictor *)handle)->predictor, *done = NULL;
  long item = item_size("input_item_size", Py_BuildValue("(OsI)", predictor, key, size));
  PyObject *view = item < 0 ? NULL : memory_at((void *)data, (size_t)item * size, PyBUF_READ);
  if (view) done = call("set_input", Py_BuildValue("(OsN)", predictor, key, view));
  return leave(gil, done);
}

int MXPredForward(PredictorHandle handle) {
  PyGILState_STATE gil;
  if (!handle) return fail("MXPredForward: the predictor is NULL");
  if (!enter(&gil)) return -1;
  return leave(gil, PyObject_CallMethod(((Predictor *)handle)->predictor, "forward", NULL));
}

int MXPredPartialForward(PredictorHandle handle, int step, int *step_left) {
  PyGILState_STATE gil;
  if (!handle || !step_left) return fail("MXPredPartialForward: an argument is NULL");
  if (!enter(&gil)) return -1;
  PyObject *left = call("partial_forward", Py_BuildValue("(Oi)", ((Predictor *)handle)->predictor, step));
  if (left) *step_left = (int)PyLong_AsLong(left);
  return leave(gil, left);
}

int MXPredGetOutput(PredictorHandle handle, mx_uint index, mx_float *data, mx_uint size) {
  PyGILState_STATE gil;
  if (!handle || (size && !data)) return fail("MXPredGetOutput: an argument is NULL");
  if (!enter(&gil)) return -1;
  PyObject *predictor = ((Predictor *)handle)->predictor, *done = NULL;
  long item = item_size("output_item_size", Py_BuildValue("(OII)", predictor, index, size));
  PyObject *view = item < 0 ? NULL : memory_at(data, (size_t)item * size, PyBUF_WRITE);
  if (view) done = call("get_output", Py_BuildValue("(OIN)", predictor, index, view));
  return leave(gil, done);
}

int MXPredFree(PredictorHandle handle) {
  PyGILState_STATE gil;
  if (!handle) return 0;
  if (!enter(&gil)) return -1;
  free_predictor(handle);
  PyGILState_Release(gil);
  return 0;
}

typedef struct {
  PredMonitorCallback function;
  void *given;
} Monitor;

static void free_monitor(PyObject *capsule) { free(PyCapsule_GetPointer(capsule, "mxnet monitor")); }

static PyObject *tell_monitor(PyObject *capsule, PyObject *arguments) {
  const char *name;
  PyObject *array;
  Monitor *monitor = PyCapsule_GetPointer(capsule, "mxnet monitor");
  if (!monitor || !PyArg_ParseTuple(arguments, "sO", &name, &array)) return NULL;
  monitor->function(name, array, monitor->given);
  Py_RETURN_NONE;
}

static PyMethodDef monitor_method = {"monitor", tell_monitor, METH_VARARGS, NULL};

int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback, void *callback_handle,
                             bool monitor_all) {
  PyGILState_STATE gil;
  if (!handle || !callback) return fail("MXPredSetMonitorCallback: an argument is NULL");
  if (!enter(&gil)) return -1;
  PyObject *done = NULL, *capsule = NULL;
  Monitor *monitor = malloc(sizeof *monitor);
  if (!monitor) PyErr_NoMemory();
  else {
    *monitor = (Monitor){callback, callback_handle};
    capsule = PyCapsule_New(monitor, "mxnet monitor", free_monitor);
    if (!capsule) free(monitor);
  }
  PyObject *function = capsule ? PyCFunction_New(&monitor_method, capsule) : NULL;
  if (function)
    done = call("set_monitor", Py_BuildValue("(OOi)", ((Predictor *)handle)->predictor, function, (int)monitor_all));
  Py_XDECREF(function);
  Py_XDECREF(capsule);
  return leave(gil, done);
}

/* ---- lists of arrays --------------------------------------------------------------------------------------------- */

typedef struct {
  PyObject *items; /* [(name, bytes of the floats, shape), ...], which own the memory */
  mx_uint **shapes;
} List;

int MXNDListCreate(const char *nd_file_bytes, int nd_file_size, NDListHandle *out, mx_uint *out_length) {
  PyGILState_STATE gil;
  if (!nd_file_bytes || nd_file_size < 0 || !out || !out_length) return fail("MXNDListCreate: an argument is NULL");
  if (!enter(&gil)) return -1;
  PyObject *items = call("array_list", Py_BuildValue("(N)", bytes_at(nd_file_bytes, nd_file_size)));
  Py_ssize_t count = items ? PyList_GET_SIZE(items) : 0;
  List *made = items ? calloc(1, sizeof *made) : NULL;
  if (made) made->shapes = calloc((size_t)count + 1, sizeof *made->shapes);
  int memory = made && made->shapes;
  for (Py_ssize_t i = 0; memory && i < count; i++) {
    PyObject *shape = PyTuple_GET_ITEM(PyList_GET_ITEM(items, i), 2);
    Py_ssize_t size = PyTuple_GET_SIZE(shape);
    memory = (made->shapes[i] = malloc(((size_t)size + 1) * sizeof **made->shapes)) != NULL;
    for (Py_ssize_t j = 0; memory && j < size; j++)
      made->shapes[i][j] = (mx_uint)PyLong_AsUnsignedLong(PyTuple_GET_ITEM(shape, j));
  }
  if (memory) {
    Py_INCREF(items);
    made->items = items;
    *out = made;
    *out_length = (mx_uint)count;
  } else if (items) {
    for (Py_ssize_t i = 0; made && made->shapes && i < count; i++) free(made->shapes[i]);
    if (made) free(made->shapes);
    free(made);
    PyErr_NoMemory();
    Py_CLEAR(items);
  }
  return leave(gil, items);
}

int MXNDListGet(NDListHandle handle, mx_uint index, const char **out_key, const mx_float **out_data,
                const mx_uint **out_shape, mx_uint *out_ndim) {
  PyGILState_STATE gil;
  List *self = handle;
  if (!self || !out_key || !out_data || !out_shape || !out_ndim) return fail("MXNDListGet: an argument is NULL");
  if (!enter(&gil)) return -1;
  PyObject *item = PyList_GetItem(self->items, (Py_ssize_t)index); /* borrowed */
  if (item) {
    Py_INCREF(item);
    *out_key = PyUnicode_AsUTF8(PyTuple_GET_ITEM(item, 0));
    *out_data = (const mx_float *)PyBytes_AS_STRING(PyTuple_GET_ITEM(item, 1));
    *out_shape = self->shapes[index];
    *out_ndim = (mx_uint)PyTuple_GET_SIZE(PyTuple_GET_ITEM(item, 2));
  }
  return leave(gil, item);
}

int MXNDListFree(NDListHandle handle) {
  PyGILState_STATE gil;
  List *self = handle;
  if (!self) return 0;
  if (!enter(&gil)) return -1;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(self->items); i++) free(self->shapes[i]);
  free(self->shapes);
  Py_DECREF(self->items);
  free(self);
  PyGILState_Release(gil);
  return 0;
}
