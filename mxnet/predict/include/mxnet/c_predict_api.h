/* Prediction from C and C++: a network (symbol JSON and .params) is given inputs, run forward, and asked for outputs.
 *
 * Every function but MXGetLastError returns 0 if it has done its work and -1 if it failed; MXGetLastError() then tells
 * why. Functions may be called from any thread; one predictor is used by one thread at a time. The functions are those
 * of MXNet 1.9.1, so that programs written for it can be linked with this library: see
 * python -m mxnet.tools.predict_api --help
 */
#ifndef MXNET_C_PREDICT_API_H_
#define MXNET_C_PREDICT_API_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
#define MXNET_EXTERN_C extern "C"
#else
#define MXNET_EXTERN_C
#endif

#ifndef MXNET_DLL
#ifdef _WIN32
#ifdef MXNET_EXPORTS
#define MXNET_DLL MXNET_EXTERN_C __declspec(dllexport)
#else
#define MXNET_DLL MXNET_EXTERN_C __declspec(dllimport)
#endif
#else
#define MXNET_DLL MXNET_EXTERN_C __attribute__((visibility("default")))
#endif
#endif

typedef uint32_t mx_uint;
typedef float mx_float;
typedef void *PredictorHandle;
typedef void *NDListHandle;
typedef void *NDArrayHandle;
/* Told of an array by a predictor; the array is valid until the function returns. */
typedef void (*PredMonitorCallback)(const char *name, NDArrayHandle array, void *given);

/* What went wrong in this thread's last call that failed; valid until its next call that fails. */
MXNET_DLL const char *MXGetLastError(void);

/* A predictor. The inputs have shapes: those of input i are input_shape_data[input_shape_indptr[i]] up to, without,
 * input_shape_data[input_shape_indptr[i + 1]]. dev_type is 1 for the processor, 2 for a GPU. The bytes of the network
 * need not be kept. */
MXNET_DLL int MXPredCreate(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type,
                           int dev_id, mx_uint num_input_nodes, const char **input_keys,
                           const mx_uint *input_shape_indptr, const mx_uint *input_shape_data, PredictorHandle *out);

/* The same; some arguments have a type other than float: 0 float32, 1 float64, 2 float16, 3 uint8, 4 int32, 5 int8,
 * 6 int64. */
MXNET_DLL int MXPredCreateEx(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type,
                             int dev_id, mx_uint num_input_nodes, const char **input_keys,
                             const mx_uint *input_shape_indptr, const mx_uint *input_shape_data,
                             mx_uint num_provided_arg_dtypes, const char **provided_arg_dtype_names,
                             const int *provided_arg_dtypes, PredictorHandle *out);

/* The same, with the outputs of layers inside the network, by their names without "_output". */
MXNET_DLL int MXPredCreatePartialOut(const char *symbol_json_str, const void *param_bytes, int param_size, int dev_type,
                                     int dev_id, mx_uint num_input_nodes, const char **input_keys,
                                     const mx_uint *input_shape_indptr, const mx_uint *input_shape_data,
                                     mx_uint num_output_nodes, const char **output_keys, PredictorHandle *out);

/* num_threads predictors that share their parameters, one for each thread, to the array out. */
MXNET_DLL int MXPredCreateMultiThread(const char *symbol_json_str, const void *param_bytes, int param_size,
                                      int dev_type, int dev_id, mx_uint num_input_nodes, const char **input_keys,
                                      const mx_uint *input_shape_indptr, const mx_uint *input_shape_data,
                                      int num_threads, PredictorHandle *out);

/* A predictor for inputs of other shapes that shares its parameters with handle. */
MXNET_DLL int MXPredReshape(mx_uint num_input_nodes, const char **input_keys, const mx_uint *input_shape_indptr,
                            const mx_uint *input_shape_data, PredictorHandle handle, PredictorHandle *out);

/* The shape of an output; valid until the next call of this function for the same output, or MXPredFree. */
MXNET_DLL int MXPredGetOutputShape(PredictorHandle handle, mx_uint index, mx_uint **shape_data, mx_uint *shape_ndim);

/* The type of an output, numbered as for MXPredCreateEx. */
MXNET_DLL int MXPredGetOutputType(PredictorHandle handle, mx_uint out_index, int *out_dtype);

/* Copies an input of size elements; they have the type of the input, which is float unless another one was given. */
MXNET_DLL int MXPredSetInput(PredictorHandle handle, const char *key, const mx_float *data, mx_uint size);

/* Computes the outputs. */
MXNET_DLL int MXPredForward(PredictorHandle handle);

/* The same in steps, from 0 until step_left is 0, to show progress. */
MXNET_DLL int MXPredPartialForward(PredictorHandle handle, int step, int *step_left);

/* Copies an output, which has size elements. */
MXNET_DLL int MXPredGetOutput(PredictorHandle handle, mx_uint index, mx_float *data, mx_uint size);

MXNET_DLL int MXPredFree(PredictorHandle handle);

/* Calls callback with the outputs of all layers, with monitor_all also with their inputs, in each forward. */
MXNET_DLL int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback, void *callback_handle,
                                       bool monitor_all);

/* The arrays of a file, such as a mean image. */
MXNET_DLL int MXNDListCreate(const char *nd_file_bytes, int nd_file_size, NDListHandle *out, mx_uint *out_length);

/* Array number index, as float; name and memory are the list's. */
MXNET_DLL int MXNDListGet(NDListHandle handle, mx_uint index, const char **out_key, const mx_float **out_data,
                          const mx_uint **out_shape, mx_uint *out_ndim);

MXNET_DLL int MXNDListFree(NDListHandle handle);

#endif /* MXNET_C_PREDICT_API_H_ */
