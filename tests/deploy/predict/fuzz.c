/* Gives damaged networks, parameters and wrong shapes to the C predict API: each must work or be refused with a text.
 *
 * fuzz <symbol.json> <params> <count> <seed>: prints how many were taken and how many were refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "mxnet/c_predict_api.h"

static unsigned long long state;

static unsigned chance(unsigned below) { /* xorshift: the same numbers everywhere */
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 33) % below;
}

/* A copy with some bytes changed, or cut short, of just its size, so that the sanitizer sees who reads beyond. */
static char *damaged(const char *content, int *size, int text) {
  int length = *size;
  if (!chance(4)) length = (int)chance((unsigned)length + 1);
  char *copy = malloc((size_t)length + (size_t)text);
  memcpy(copy, content, (size_t)length);
  for (unsigned i = chance(5); length && i; i--) {
    /* the start of a file has its sizes and counts */
    unsigned at = chance(2) ? chance((unsigned)length) : chance(length < 64 ? (unsigned)length : 64);
    copy[at] = text ? "0123456789[]{}\",:-abc"[chance(21)] : (char)chance(256);
  }
  if (text) copy[length] = 0;
  *size = length;
  return copy;
}

static int taken, refused;

static int outcome(int result) {
  if (result == 0) return 1;
  if (result != -1 || !*MXGetLastError()) {
    fprintf(stderr, "result %d without a text\n", result);
    exit(4);
  }
  return 0;
}

static void use(PredictorHandle predictor) {
  mx_uint *shape, dimensions;
  float values[256] = {0};
  outcome(MXPredSetInput(predictor, "data", values, chance(2) ? 24 : chance(256)));
  int done = outcome(MXPredForward(predictor));
  mx_uint size = 1, index = chance(4) ? 0 : chance(3);
  if (done && outcome(MXPredGetOutputShape(predictor, index, &shape, &dimensions))) {
    for (mx_uint i = 0; i < dimensions; i++) size *= shape[i];
    float *result = malloc(size * sizeof *result + 1);
    done = outcome(MXPredGetOutput(predictor, index, result, size));
    free(result);
  }
  PredictorHandle other;
  const char *names[] = {"data"};
  mx_uint offsets[] = {0, chance(4)}, sizes[] = {chance(6), 6, 1, 1};
  if (outcome(MXPredReshape(1, names, offsets, sizes, predictor, &other))) outcome(MXPredFree(other));
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int json_size, params_size, count = atoi(argv[3]);
  char *json = read_file(argv[1], &json_size), *params = read_file(argv[2], &params_size);
  static const mx_uint strange[] = {0, 1, 2, 3, 6, 7, 65535, 0x7fffffff, 0x80000000u, 0xffffffffu};
  for (int i = 0; i < count; i++) {
    state = 88172645463325252ULL + (unsigned long long)(atoi(argv[4]) * 1000003 + i) * 2654435761ULL;
    for (int warm = 0; warm < 8; warm++) chance(2);
    unsigned kind = chance(4);
    int own_json_size = json_size, own_params_size = params_size;
    char *own_json = damaged(json, &own_json_size, 1), *own_params = damaged(params, &own_params_size, 0);
    const char *names[] = {chance(8) ? "data" : "softmax_label", "data"};
    mx_uint sizes[] = {4, 6, 1, 1}, offsets[] = {0, 2, 2};
    if (kind == 2) {
      for (int j = 0; j < 2; j++) sizes[j] = strange[chance(10)];
      offsets[0] = chance(3), offsets[1] = chance(5);
    }
    PredictorHandle predictor = NULL;
    int made = outcome(MXPredCreate(kind == 0 ? own_json : json, kind == 1 ? own_params : params,
                                    kind == 1 ? own_params_size : params_size, 1, 0, 1 + !chance(8), names, offsets,
                                    sizes, &predictor));
    if (made) {
      use(predictor);
      outcome(MXPredFree(predictor));
    }
    NDListHandle list;
    mx_uint length, dimensions;
    const char *name;
    const float *values;
    const mx_uint *shape;
    if (kind == 3 && outcome(MXNDListCreate(own_params, own_params_size, &list, &length))) {
      made = outcome(MXNDListGet(list, chance(length + 1), &name, &values, &shape, &dimensions));
      outcome(MXNDListFree(list));
    } else if (kind == 3) {
      made = 0;
    }
    *(made ? &taken : &refused) += 1;
    free(own_json);
    free(own_params);
  }
  printf("%d %d\n", taken, refused);
  free(json), free(params);
  return 0;
}
