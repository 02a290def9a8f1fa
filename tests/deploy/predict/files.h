/* What the test programs read their files with. */
#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path, int *size) {
  FILE *file = fopen(path, "rb");
  if (!file) exit(3);
  fseek(file, 0, SEEK_END);
  *size = (int)ftell(file);
  rewind(file);
  char *content = malloc((size_t)*size + 1);
  if (fread(content, 1, (size_t)*size, file) != (size_t)*size) exit(3);
  content[*size] = 0;
  fclose(file);
  return content;
}
