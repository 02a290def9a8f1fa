/* The product of a weight and one row of numbers: as fast as the weight comes from memory. */

#include "native.h"

enum { ROWS = 4, AHEAD = 512 };

INLINE float total(vector v) {
    float sum = 0;
    for (int i = 0; i < LANES; i++) sum += v[i];
    return sum;
}

/* `rows` of a weight with n columns, from which lines are fetched ahead: the processor does not for so many streams. */
INLINE void multiply(const float *weight, const float *x, const float *bias, float *out, size n, const int rows) {
    vector sum[ROWS] = {{0}};
    size whole = n - n % LANES;
    for (size i = 0; i < whole; i += LANES) {
        vector v = load(x + i, LANES);
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++) {
            __builtin_prefetch(weight + k * n + i + AHEAD);
            sum[k] += load(weight + k * n + i, LANES) * v;
        }
    }
#pragma GCC unroll 4
    for (int k = 0; k < rows; k++) {
        float rest = bias ? bias[k] : 0;
        for (size i = whole; i < n; i++) rest += weight[k * n + i] * x[i];
        out[k] = total(sum[k]) + rest;
    }
}

EXPORT int dense_of_one(const float *weight, const float *x, const float *bias, float *out, size rows, size n, int threads) {
    size blocks = rows / ROWS;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size b = 0; b < blocks; b++)
        multiply(weight + b * ROWS * n, x, bias ? bias + b * ROWS : NULL, out + b * ROWS, n, ROWS);
    for (size r = blocks * ROWS; r < rows; r++) multiply(weight + r * n, x, bias ? bias + r : NULL, out + r, n, 1);
    return 0;
}
