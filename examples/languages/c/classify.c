/* Tells which digits pictures show: classify <folder of make_model.py> <picture.pgm>... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mxnet/c_predict_api.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, CLASSES = 10 };

static void fail(const char *what, const char *why) {
  fprintf(stderr, "classify: %s: %s\n", what, why);
  exit(1);
}

static void check(int result) {
  if (result) fail("prediction", MXGetLastError());
}

/* A file as a string that ends in a zero byte. The caller frees it. */
static char *read_file(const char *folder, const char *name, int *size) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) fail(name, "the path is too long");
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be read");
  fseek(file, 0, SEEK_END);
  *size = (int)ftell(file);
  rewind(file);
  char *content = malloc((size_t)*size + 1);
  if (!content || fread(content, 1, (size_t)*size, file) != (size_t)*size) fail(path, "cannot be read");
  content[*size] = 0;
  fclose(file);
  return content;
}

static void read_picture(const char *path, float *pixels) {
  unsigned char bytes[PIXELS];
  int width, height, most;
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be read");
  if (fscanf(file, "P5 %d %d %d", &width, &height, &most) != 3 || width != SIDE || height != SIDE || most != 255)
    fail(path, "is not a PGM picture of 28 x 28 grey values");
  fgetc(file); /* the line end after the header */
  if (fread(bytes, 1, PIXELS, file) != PIXELS) fail(path, "ends too early");
  fclose(file);
  for (int i = 0; i < PIXELS; i++) pixels[i] = bytes[i];
}

int main(int argc, char **argv) {
  if (argc < 3) fail("usage", "classify <folder> <picture.pgm>...");
  int ignored, size;
  char *network = read_file(argv[1], "digits-symbol.json", &ignored);
  char *params = read_file(argv[1], "digits-0000.params", &size);

  /* One input, "data", of shape (1, 1, 28, 28): the shape of input i is shapes[offsets[i]] to shapes[offsets[i + 1]]. */
  const char *names[] = {"data"};
  const mx_uint offsets[] = {0, 4}, shapes[] = {1, 1, SIDE, SIDE};
  PredictorHandle predictor;
  check(MXPredCreate(network, params, size, 1 /* CPU */, 0, 1, names, offsets, shapes, &predictor));
  free(network);
  free(params);

  for (int i = 2; i < argc; i++) {
    float pixels[PIXELS], probabilities[CLASSES];
    read_picture(argv[i], pixels);
    check(MXPredSetInput(predictor, "data", pixels, PIXELS));
    check(MXPredForward(predictor));
    check(MXPredGetOutput(predictor, 0, probabilities, CLASSES));
    int best = 0;
    for (int digit = 1; digit < CLASSES; digit++)
      if (probabilities[digit] > probabilities[best]) best = digit;
    const char *slash = strrchr(argv[i], '/');
    printf("%s: %d (%f)\n", slash ? slash + 1 : argv[i], best, probabilities[best]);
  }
  check(MXPredFree(predictor));
  return 0;
}
