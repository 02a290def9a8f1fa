/* Predicts from C as programs do, in one thread and in several, and asks for what must be refused.
 *
 * predict <symbol.json> <params> <batch> <width>: reads batch * width floats from standard input, writes the output.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "mxnet/c_predict_api.h"

static void check(int result) {
  if (!result) return;
  fprintf(stderr, "%s\n", MXGetLastError());
  exit(4);
}

static void refused(int result, const char *word) {
  if (result == -1 && strstr(MXGetLastError(), word)) return;
  fprintf(stderr, "expected a refusal with %s, got %d: %s\n", word, result, MXGetLastError());
  exit(5);
}

static mx_uint elements(PredictorHandle predictor) {
  mx_uint *shape, dimensions, count = 1;
  check(MXPredGetOutputShape(predictor, 0, &shape, &dimensions));
  for (mx_uint i = 0; i < dimensions; i++) count *= shape[i];
  return count;
}

typedef struct {
  PredictorHandle predictor;
  const float *data, *expected;
  mx_uint size, count;
} Work;

static void *work(void *given) {
  Work *own = given;
  float *result = malloc(own->count * sizeof *result);
  for (int round = 0; round < 20; round++) {
    check(MXPredSetInput(own->predictor, "data", own->data, own->size));
    check(MXPredForward(own->predictor));
    check(MXPredGetOutput(own->predictor, 0, result, own->count));
    for (mx_uint i = 0; i < own->count; i++) {
      float difference = result[i] - own->expected[i];
      if (difference > 1e-5f || difference < -1e-5f) exit(6);
    }
    refused(MXPredSetInput(own->predictor, "nothing", own->data, own->size), "no input is named 'nothing'");
  }
  free(result);
  return NULL;
}

static void count_layers(const char *name, NDArrayHandle array, void *given) {
  if (name && array) ++*(int *)given;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int size;
  char *json = read_file(argv[1], &size), *params = read_file(argv[2], &size);
  mx_uint batch = (mx_uint)atoi(argv[3]), width = (mx_uint)atoi(argv[4]), many = batch * width;
  float *data = malloc(many * sizeof *data);
  if (fread(data, sizeof *data, many, stdin) != many) return 2;

  const char *names[] = {"data"}, *wrong[] = {"date"};
  mx_uint offsets[] = {0, 2}, shape[] = {batch, width}, none[] = {0, 0};
  PredictorHandle predictor, other, threads[4];
  refused(MXPredCreate("{}", params, size, 1, 0, 1, names, offsets, shape, &predictor), "");
  refused(MXPredCreate(json, params, size / 2, 1, 0, 1, names, offsets, shape, &predictor), "");
  refused(MXPredCreate(json, params, size, 1, 0, 1, wrong, offsets, shape, &predictor), "no input 'date'");
  refused(MXPredCreate(json, params, size, 7, 0, 1, names, offsets, shape, &predictor), "dev_type");
  refused(MXPredCreate(json, params, size, 1, 0, 1, names, none, shape, &predictor), "");
  check(MXPredCreate(json, params, size, 1, 0, 1, names, offsets, shape, &predictor));

  refused(MXPredSetInput(predictor, "data", data, many - 1), "elements");
  check(MXPredSetInput(predictor, "data", data, many));
  int layers = 0;
  check(MXPredSetMonitorCallback(predictor, count_layers, &layers, false));
  check(MXPredForward(predictor));
  if (layers < 2) return 7;
  mx_uint count = elements(predictor);
  float *result = malloc(count * sizeof *result), *again = malloc(count * sizeof *again);
  refused(MXPredGetOutput(predictor, 0, result, count + 1), "elements");
  refused(MXPredGetOutput(predictor, 9, result, count), "there is no output 9");
  check(MXPredGetOutput(predictor, 0, result, count));
  int type = -1;
  check(MXPredGetOutputType(predictor, 0, &type));
  if (type != 0) return 8;

  int left = 1;
  for (int step = 0; left; step++) check(MXPredPartialForward(predictor, step, &left));
  check(MXPredGetOutput(predictor, 0, again, count));
  if (memcmp(result, again, count * sizeof *again)) return 9;

  shape[0] = 1; /* the first row alone */
  check(MXPredReshape(1, names, offsets, shape, predictor, &other));
  check(MXPredFree(predictor)); /* its parameters live on */
  check(MXPredSetInput(other, "data", data, width));
  check(MXPredForward(other));
  if (elements(other) != count / batch) return 10;
  check(MXPredFree(other));

  shape[0] = batch;
  const char *inside[] = {"fc1"}, *unknown[] = {"fc9"};
  refused(MXPredCreatePartialOut(json, params, size, 1, 0, 1, names, offsets, shape, 1, unknown, &other), "fc9");
  check(MXPredCreatePartialOut(json, params, size, 1, 0, 1, names, offsets, shape, 1, inside, &other));
  if (elements(other) == count) return 11;
  check(MXPredFree(other));

  const int kinds[] = {0};
  check(MXPredCreateEx(json, params, size, 1, 0, 1, names, offsets, shape, 1, names, kinds, &other));
  check(MXPredFree(other));

  check(MXPredCreateMultiThread(json, params, size, 1, 0, 1, names, offsets, shape, 4, threads));
  pthread_t running[4];
  Work works[4];
  for (int i = 0; i < 4; i++) {
    works[i] = (Work){threads[i], data, result, many, count};
    pthread_create(&running[i], NULL, work, &works[i]);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(running[i], NULL);
    check(MXPredFree(threads[i]));
  }

  NDListHandle list;
  mx_uint length, dimensions;
  const char *name;
  const float *values;
  const mx_uint *sizes;
  check(MXNDListCreate(params, size, &list, &length));
  for (mx_uint i = 0; i < length; i++) {
    check(MXNDListGet(list, i, &name, &values, &sizes, &dimensions));
    double sum = 0;
    mx_uint all = 1;
    for (mx_uint j = 0; j < dimensions; j++) all *= sizes[j];
    for (mx_uint j = 0; j < all; j++) sum += values[j];
    fprintf(stderr, "%s %u %.4f\n", name, all, sum);
  }
  refused(MXNDListGet(list, length, &name, &values, &sizes, &dimensions), "");
  check(MXNDListFree(list));
  refused(MXNDListCreate("nonsense", 8, &list, &length), "");

  fwrite(result, sizeof *result, count, stdout);
  free(result), free(again), free(data), free(json), free(params);
  return 0;
}
