/* Times MXPredForward: predict_forward <symbol.json> <params> <images>.
 *
 * For each line on standard input, a number of calls, it prints the median of their times in nanoseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mxnet/c_predict_api.h"

static void check(int result) {
  if (!result) return;
  fprintf(stderr, "%s\n", MXGetLastError());
  exit(1);
}

static char *read_file(const char *path, int *size) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(2);
  fseek(file, 0, SEEK_END);
  *size = (int)ftell(file);
  rewind(file);
  char *content = malloc((size_t)*size + 1);
  if (!content || fread(content, 1, (size_t)*size, file) != (size_t)*size) exit(2);
  content[*size] = 0;
  fclose(file);
  return content;
}

static int by_size(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int ignored, size, calls;
  char *network = read_file(argv[1], &ignored), *params = read_file(argv[2], &size);
  const char *names[] = {"data"};
  const mx_uint offsets[] = {0, 4}, shape[] = {(mx_uint)atoi(argv[3]), 1, 28, 28};
  const mx_uint pixels = shape[0] * 28 * 28;
  PredictorHandle predictor;
  check(MXPredCreate(network, params, size, 1, 0, 1, names, offsets, shape, &predictor));
  float *data = calloc(pixels, sizeof *data);
  for (mx_uint i = 0; i < pixels; i++) data[i] = (float)(i % 255) / 255;
  check(MXPredSetInput(predictor, "data", data, pixels));
  while (scanf("%d", &calls) == 1 && calls > 0) {
    long *times = malloc((size_t)calls * sizeof *times);
    for (int i = 0; i < calls; i++) {
      struct timespec start, end;
      clock_gettime(CLOCK_MONOTONIC, &start);
      check(MXPredForward(predictor));
      clock_gettime(CLOCK_MONOTONIC, &end);
      times[i] = (end.tv_sec - start.tv_sec) * 1000000000L + end.tv_nsec - start.tv_nsec;
    }
    qsort(times, (size_t)calls, sizeof *times, by_size);
    printf("%ld\n", times[calls / 2]);
    fflush(stdout);
    free(times);
  }
  check(MXPredFree(predictor));
  free(network), free(params), free(data);
  return 0;
}
