/* A network of MXNet's as a function of Octave or Matlab, by the C predict API.
 *
 *   output = mxnet_predict (symbol_file, params_file, "data", input)
 *   output = mxnet_predict (symbol_file, params_file, "data", input, [28 28 1 1])
 *
 * Octave's arrays run through their first dimension first, MXNet's through their last: an input of size [28 28 1 10] here
 * is one of shape (10, 1, 28, 28) there, and outputs come back the same way. Octave drops dimensions of size 1 at the end,
 * so a single picture needs its size as fifth argument. The network is loaded once and kept until other files or another
 * size are asked for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mex.h"
#include "mxnet/c_predict_api.h"

enum { DIMENSIONS = 8 };

static PredictorHandle predictor;
static char *loaded[3]; /* the symbol file, the parameter file and the input that the predictor was made of */
static mx_uint loaded_shape[DIMENSIONS], loaded_dimensions;

static void unload(void) {
  if (predictor) MXPredFree(predictor);
  predictor = NULL;
  for (int i = 0; i < 3; i++) {
    free(loaded[i]);
    loaded[i] = NULL;
  }
}

static void check(int result) {
  if (result) mexErrMsgIdAndTxt("mxnet:predict", "%s", MXGetLastError());
}

/* A file as a string that ends in a zero byte, in memory that Octave frees. */
static char *read_file(const char *path, int *size) {
  FILE *file = fopen(path, "rb");
  if (!file) mexErrMsgIdAndTxt("mxnet:predict", "%s cannot be read", path);
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  rewind(file);
  char *content = length < 0 || length > 0x7ffffffe ? NULL : mxMalloc((size_t)length + 1);
  int complete = content && fread(content, 1, (size_t)length, file) == (size_t)length;
  fclose(file);
  if (!complete) mexErrMsgIdAndTxt("mxnet:predict", "%s cannot be read", path);
  content[length] = 0;
  *size = (int)length;
  return content;
}

static void load(char *const *wanted, const mx_uint *shape, mx_uint dimensions) {
  int same = predictor && dimensions == loaded_dimensions;
  for (int i = 0; same && i < 3; i++) same = !strcmp(wanted[i], loaded[i]);
  if (same && !memcmp(shape, loaded_shape, dimensions * sizeof *shape)) return;
  unload();
  int ignored, size;
  char *network = read_file(wanted[0], &ignored), *params = read_file(wanted[1], &size);
  const char *names[] = {wanted[2]};
  const mx_uint offsets[] = {0, dimensions};
  check(MXPredCreate(network, params, size, 1 /* CPU */, 0, 1, names, offsets, shape, &predictor));
  for (int i = 0; i < 3; i++) loaded[i] = strdup(wanted[i]);
  memcpy(loaded_shape, shape, dimensions * sizeof *shape);
  loaded_dimensions = dimensions;
}

void mexFunction(int results, mxArray *result[], int arguments, const mxArray *argument[]) {
  char *wanted[3];
  mx_uint shape[DIMENSIONS], *output_shape, output_dimensions;
  if (arguments < 4 || arguments > 5 || results > 1)
    mexErrMsgIdAndTxt("mxnet:predict", "usage: output = mxnet_predict (symbol_file, params_file, input_name, input [, size])");
  for (int i = 0; i < 3; i++)
    if (!(wanted[i] = mxArrayToString(argument[i])))
      mexErrMsgIdAndTxt("mxnet:predict", "argument %d must be a string", i + 1);
  const mxArray *input = argument[3];
  mwSize dimensions = mxGetNumberOfDimensions(input), size = mxGetNumberOfElements(input);
  if (arguments == 5) {
    if (!mxIsDouble(argument[4])) mexErrMsgIdAndTxt("mxnet:predict", "the size must be a vector of numbers");
    dimensions = mxGetNumberOfElements(argument[4]);
  }
  if (!(mxIsSingle(input) || mxIsDouble(input)) || mxIsComplex(input) || dimensions > DIMENSIONS)
    mexErrMsgIdAndTxt("mxnet:predict", "the input must be a real array, single or double, of at most 8 dimensions");
  for (mwSize i = 0; i < dimensions; i++) {
    mwSize from = dimensions - 1 - i;
    shape[i] = (mx_uint)(arguments == 5 ? mxGetPr(argument[4])[from] : mxGetDimensions(input)[from]);
  }
  load(wanted, shape, (mx_uint)dimensions);

  float *values = mxMalloc(size * sizeof *values);
  if (mxIsSingle(input)) memcpy(values, mxGetData(input), size * sizeof *values);
  else
    for (mwSize i = 0; i < size; i++) values[i] = (float)mxGetPr(input)[i];
  check(MXPredSetInput(predictor, wanted[2], values, (mx_uint)size));
  check(MXPredForward(predictor));

  mwSize sizes[32] = {1, 1}, count = 1;
  check(MXPredGetOutputShape(predictor, 0, &output_shape, &output_dimensions));
  if (output_dimensions > 32) mexErrMsgIdAndTxt("mxnet:predict", "the output has too many dimensions");
  for (mx_uint i = 0; i < output_dimensions; i++) {
    sizes[i] = output_shape[output_dimensions - 1 - i];
    count *= sizes[i];
  }
  result[0] = mxCreateNumericArray(output_dimensions < 2 ? 2 : output_dimensions, sizes, mxSINGLE_CLASS, mxREAL);
  check(MXPredGetOutput(predictor, 0, mxGetData(result[0]), (mx_uint)count));
  mexAtExit(unload);
}
