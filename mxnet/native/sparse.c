/* Products of csr matrices. Indices have been checked by whoever made the matrix: each row's elements are
   indptr[i]..indptr[i + 1], columns are within the matrix. */

#include "native.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD 8

#define PRODUCT(name, T)                                                                                               \
    /* out (rows x width) = matrix . rhs: rows of rhs, weighted and summed. */                                         \
    EXPORT int name(const T *data, const int64_t *columns, const int64_t *indptr, const T *rhs, T *out, int64_t rows, \
                    int64_t width, int threads) {                                                                      \
        const int64_t total = indptr[rows];                                                                            \
        _Pragma("omp parallel for schedule(dynamic, 32) num_threads(threads)")                                         \
        for (int64_t row = 0; row < rows; row++) {                                                                     \
            T *restrict target = out + row * width;                                                                    \
            memset(target, 0, (size_t)width * sizeof(T));                                                              \
            for (int64_t at = indptr[row]; at < indptr[row + 1]; at++) {                                               \
                const T factor = data[at];                                                                             \
                const T *restrict source = rhs + columns[at] * width;                                                  \
                if (at + AHEAD < total) {                                                                              \
                    const char *next = (const char *)(rhs + columns[at + AHEAD] * width);                              \
                    for (int64_t byte = 0; byte < width * (int64_t)sizeof(T) && byte < 512; byte += 64)                \
                        __builtin_prefetch(next + byte);                                                               \
                }                                                                                                      \
                for (int64_t i = 0; i < width; i++) target[i] += factor * source[i];                                   \
            }                                                                                                          \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

PRODUCT(csr_dot_float, float)
PRODUCT(csr_dot_double, double)

/* The same matrix by columns: which rows have elements there, in order, and where they are in data. */
EXPORT int csr_transpose(const int64_t *columns, const int64_t *indptr, int64_t rows, int64_t width, int64_t *starts,
                         int64_t *order, int64_t *found) {
    const int64_t total = indptr[rows];
    int64_t *next = malloc((size_t)(width + 1) * sizeof(int64_t));
    if (next == NULL) return 1;
    memset(starts, 0, (size_t)(width + 1) * sizeof(int64_t));
    for (int64_t at = 0; at < total; at++) starts[columns[at] + 1]++;
    for (int64_t column = 0; column < width; column++) starts[column + 1] += starts[column];
    memcpy(next, starts, (size_t)(width + 1) * sizeof(int64_t));
    for (int64_t row = 0; row < rows; row++)
        for (int64_t at = indptr[row]; at < indptr[row + 1]; at++) {
            const int64_t place = next[columns[at]]++;
            order[place] = at;
            found[place] = row;
        }
    free(next);
    return 0;
}

/* Rows of an array, copied to where they belong in another one. */
EXPORT int put_rows_float(float *target, const int64_t *rows, const float *source, int64_t count, int64_t width) {
    for (int64_t i = 0; i < count; i++) memcpy(target + rows[i] * width, source + i * width, (size_t)width * sizeof(float));
    return 0;
}
